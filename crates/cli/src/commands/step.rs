//! `snapstack step`: a stored match of a ruleset, record by record, forwards and backwards.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};
use engine::Log;
use host::stepper::{Breakpoint, Stepper};
use ruleset::{EventTypeId, RuleId, Ruleset};

use crate::{games, lines::typed_line};

/// Goes through a match that `play --save` stored; reads commands from standard input.
#[derive(clap::Args)]
pub struct Args {
    /// The game it is a match of.
    pub game: String,
    /// The stored match.
    pub log: PathBuf,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
}

const HELP: &str = "n next  b back  g N go to record N  e EVENT run to an event  r RULE run to a rule  \
    c CARD run to what concerns a card, as Name#1  s stack  w why: every rule considered for this event  q quit";

pub fn run(args: &Args) -> Result<()> {
    let host::Game::Ruleset(ruleset) = games::find(&args.game, &args.games)? else {
        bail!("{} is a script; only matches of rulesets can be gone through", args.game)
    };
    let bytes = games::read_match(&args.log)?;
    let log = Log::read(&bytes).map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))?;
    let mut stepper = Stepper::new(&ruleset, log).map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))?;
    say!("{} records. {HELP}", stepper.len());
    while let Some(line) = typed_line()? {
        if !obey(&mut stepper, &ruleset, &line) {
            break;
        }
    }
    Ok(())
}

/// Carries out one line; false to stop.
fn obey(stepper: &mut Stepper, ruleset: &Arc<Ruleset>, line: &str) -> bool {
    let told = stepper.lines().len();
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let text = &ruleset.program().text;
    let going = match word {
        "" | "n" => stepper.forward(),
        "b" => stepper.back(),
        "g" => rest.parse().map(|it| stepper.go_to(it)).is_ok(),
        "e" => {
            let event = text.events.iter().position(|it| it.id == rest || it.fact == rest).map(EventTypeId::at);
            event.is_some_and(|it| stepper.run(&[Breakpoint::Event(it)]))
        }
        "r" => {
            let rule = text.rules.iter().position(|it| it.id == rest).map(RuleId::at);
            rule.is_some_and(|it| stepper.run(&[Breakpoint::Rule(it)]))
        }
        "c" => stepper.find(rest).is_some_and(|it| stepper.run(&[Breakpoint::Card(it)])),
        "s" | "w" => true,
        "q" => return false,
        _ => {
            say!("{HELP}");
            return true;
        }
    };
    show(stepper, told, word == "s");
    consider(stepper, word == "w");
    if !going {
        say!("there is no such place");
    }
    true
}

/// Tells which rules were considered for the event here, and why each was taken or not; in full if asked.
fn consider(stepper: &mut Stepper, whole: bool) {
    for reason in stepper.considered() {
        if whole {
            say_part!("{reason}");
        } else {
            say!("    {} {}", if reason.holds == Some(true) { "takes" } else { "leaves" }, reason.text);
        }
    }
}

/// Tells what is new, where we are, and what lies on the stack.
fn show(stepper: &Stepper, told: usize, whole: bool) {
    for line in stepper.lines().iter().skip(told) {
        say!("{line}");
    }
    let rows = stepper.stack();
    let names: Vec<&str> = rows.iter().map(|it| it.name.as_str()).collect();
    say!(
        "[{}/{}]{} stack: {}",
        stepper.position(),
        stepper.len(),
        stepper.event().map_or(String::new(), |it| format!(" event {}", it.0)),
        if names.is_empty() { "empty".into() } else { names.join(" > ") }
    );
    for row in rows.iter().filter(|_| whole) {
        say!("    {} {} ({})", row.name, row.source.as_deref().unwrap_or_default(), row.stage);
    }
}
