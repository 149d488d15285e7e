//! `snapstack check`: reads a ruleset and lists everything that is wrong with it.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::games;

/// Checks a ruleset and lists all its mistakes at once.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game (a folder with a ruleset.json below the folder of games), or the path of that folder.
    pub game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    let (name, folder) = games::locate(&args.game, &args.games);
    match compiler::compile(&name, &games::library(&folder)) {
        Ok(ruleset) => {
            let program = ruleset.program();
            say!("{}: no mistakes", args.game);
            for warning in ruleset::lint::lint(program) {
                say!("  warning[{}]: {}", warning.code, warning.message);
            }
            say!(
                "  {} cards, {} actions, {} event types, {} rules",
                program.defs.len(),
                program.actions.len(),
                program.events.len(),
                program.rules.len()
            );
            say!("  rules    {}", ruleset::hash::to_hex(&ruleset.rules_hash()));
            say!("  document {}", ruleset::hash::to_hex(&ruleset.document_hash()));
            Ok(())
        }
        Err(mistakes) => {
            say_part!("{}", compiler::render(&mistakes));
            bail!("{} is not a sound ruleset", args.game)
        }
    }
}
