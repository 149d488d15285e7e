//! `snapstack storage`: checks what a server has stored, and keeps the good part of what is damaged.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Subcommand;
use storage::{Damage, MatchFilter, MatchId, MatchRow, MatchStatus, Op, Store, Transition};

/// Check or recover what a server has stored. Stop the server first.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    /// Where it is: the path of a SQLite file, or `postgres://...`.
    #[arg(long, global = true, env = "SNAPSTACK_STORE", default_value = "snapstack.db")]
    store: String,
}

#[derive(Subcommand)]
enum What {
    /// Check the hash chain of every match, and that no money was lost.
    Check,
    /// Keep the good part of a damaged match, and drop the rest.
    Recover {
        /// The match.
        match_id: String,
    },
}

const PAGE: u32 = 500;

/// Carries it out; fails if something is damaged.
pub fn run(args: &Args) -> Result<ExitCode> {
    let store = server::run::open_store(&args.store)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match &args.what {
        What::Check => runtime.block_on(check(&*store)),
        What::Recover { match_id } => runtime.block_on(recover(&*store, &MatchId(match_id.clone()))),
    }
}

async fn log(store: &dyn Store, id: &MatchId) -> Result<Vec<Transition>> {
    let mut transitions = Vec::new();
    loop {
        let page = store.transitions(id, transitions.len() as u64, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        transitions.extend(page);
        if is_last {
            return Ok(transitions);
        }
    }
}

async fn damage(store: &dyn Store, row: &MatchRow) -> Result<Option<Damage>> {
    let mut row = row.clone();
    loop {
        let found = storage::damage::find(&row, &log(store, &row.id).await?);
        // A server that runs may have written between the two reads; only what stays wrong is damaged.
        match store.match_row(&row.id).await? {
            Some(now) if found.is_some() && now != row => row = now,
            _ => return Ok(found),
        }
    }
}

async fn check(store: &dyn Store) -> Result<ExitCode> {
    let (mut n_matches, mut n_transitions, mut n_damaged) = (0_u32, 0_u64, 0_u32);
    loop {
        let filter = MatchFilter { limit: PAGE, skip: n_matches, ..MatchFilter::default() };
        let rows = store.matches(&filter).await?;
        for row in &rows {
            n_matches += 1;
            n_transitions += row.n_transitions;
            if let Some(damage) = damage(store, row).await? {
                n_damaged += 1;
                say!("{damage}");
            }
        }
        if rows.len() < PAGE as usize {
            break;
        }
    }
    let total = store.total().await?;
    if total != 0 {
        say!("the pockets hold {total} tokens together instead of none: money was lost or made");
    }
    say!("{}: {n_matches} matches with {n_transitions} transitions, {n_damaged} damaged", store.describe());
    Ok(if n_damaged == 0 && total == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn recover(store: &dyn Store, id: &MatchId) -> Result<ExitCode> {
    let Some(row) = store.match_row(id).await? else { bail!("there is no such match: {id}") };
    let transitions = log(store, id).await?;
    let found = storage::damage::find(&row, &transitions);
    let n_good = found.as_ref().map_or(transitions.len() as u64, |it| it.n_good);
    let mut ops = Vec::new();
    if found.is_some() {
        ops.push(Op::Truncate { match_id: id.clone(), n_transitions: n_good });
    }
    if row.status == MatchStatus::Damaged {
        let status = if n_good == 0 { MatchStatus::Void } else { MatchStatus::Live };
        ops.push(Op::PutMatch(MatchRow { status, ..row.clone() }));
    }
    if ops.is_empty() {
        say!("match {id} is whole; nothing was changed");
        return Ok(ExitCode::SUCCESS);
    }
    store.commit(ops).await?;
    let n_lost = row.n_transitions.saturating_sub(n_good);
    say!("match {id} goes on after transition {}; {n_lost} transitions were dropped", n_good.saturating_sub(1));
    Ok(ExitCode::SUCCESS)
}
