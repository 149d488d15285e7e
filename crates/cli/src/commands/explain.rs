//! `snapstack explain`: why things in a stored match are as they are.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Subcommand;
use host::{HostedMatch as _, Question, RuledMatch, Seat, Viewer};

use crate::games;

/// Says why things in a stored match are as they are: an action, a number, a rule, or what would come.
#[derive(clap::Args)]
pub struct Args {
    /// The game it is a match of.
    pub game: String,
    /// The stored match.
    pub log: PathBuf,
    /// The version of the match to look at; its end if none is given.
    #[arg(long)]
    pub at: Option<u32>,
    /// Who asks: p1, p2, ..., spectator or judge. He is told nothing he may not know.
    #[arg(long = "as", default_value = "judge")]
    pub viewer: String,
    /// Answers as JSON.
    #[arg(long)]
    pub json: bool,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
    #[command(subcommand)]
    pub ask: Ask,
}

/// What to explain. Cards are called by name, or by handle (c1) where a name is not enough.
#[derive(Subcommand)]
pub enum Ask {
    /// Why an action is not legal now, with these in its first slots.
    WhyNot { action: String, targets: Vec<String> },
    /// Why rules answered an event or not; of one rule or card, or of all. `step` shows the numbers of events.
    Trigger { event: u32, of: Option<String> },
    /// What made a number what it is: `value "Bear Cub.attack"`.
    Value { what: String },
    /// What will happen if an action is taken now and nobody responds.
    If { action: String, targets: Vec<String> },
}

pub fn run(args: &Args) -> Result<()> {
    let host::Game::Ruleset(ruleset) = games::find(&args.game, &args.games)? else {
        bail!("{} is a script; only matches of rulesets can be explained", args.game)
    };
    let bytes = games::read_match(&args.log)?;
    let live = match args.at {
        Some(version) => RuledMatch::reload_at(&ruleset, &bytes, version),
        None => RuledMatch::reload(&ruleset, &bytes),
    };
    let live = live.map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))?;
    let answer = live.explain(viewer(&args.viewer, live.n_seats())?, &question(&args.ask)?);
    let answer = answer.map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&answer)?);
    } else {
        say_part!("{answer}");
    }
    Ok(())
}

fn viewer(word: &str, n_seats: u8) -> Result<Viewer> {
    let seat = word.strip_prefix('p').and_then(|it| it.parse::<u8>().ok()).and_then(|it| it.checked_sub(1));
    match (word, seat) {
        ("judge", _) => Ok(Viewer::Judge),
        ("spectator", _) => Ok(Viewer::Spectator),
        (_, Some(seat)) if seat < n_seats => Ok(Viewer::Seat(Seat(seat))),
        _ => bail!("nobody at this table is called so: {word}"),
    }
}

fn question(ask: &Ask) -> Result<Question> {
    Ok(match ask {
        Ask::WhyNot { action, targets } => {
            Question::WhyNot { action: action.clone(), targets: targets.clone(), player: None }
        }
        Ask::Trigger { event, of } => Question::Trigger { event: *event, of: of.clone() },
        Ask::If { action, targets } => Question::If { action: action.clone(), targets: targets.clone() },
        Ask::Value { what } => {
            let Some((of, attribute)) = what.rsplit_once('.') else {
                bail!("a number is called by its card and attribute, as in p1.health: {what}")
            };
            Question::Value { of: of.to_owned(), attribute: attribute.to_owned() }
        }
    })
}
