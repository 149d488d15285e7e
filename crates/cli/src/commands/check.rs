//! `snapstack check`: reads a ruleset and lists everything that is wrong with it.

use std::path::PathBuf;

use anyhow::{Result, bail};
use compiler::library::Folders;

/// Checks a ruleset and lists all its mistakes at once.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game: a folder with a ruleset.json below the folder of games.
    pub game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    match compiler::compile(&args.game, &Folders::new([args.games.clone()])) {
        Ok(ruleset) => {
            let program = ruleset.program();
            println!("{}: no mistakes", args.game);
            for warning in ruleset::lint::lint(program) {
                println!("  warning[{}]: {}", warning.code, warning.message);
            }
            println!(
                "  {} cards, {} actions, {} event types, {} rules",
                program.defs.len(),
                program.actions.len(),
                program.events.len(),
                program.rules.len()
            );
            println!("  rules    {}", ruleset::hash::to_hex(&ruleset.rules_hash()));
            println!("  document {}", ruleset::hash::to_hex(&ruleset.document_hash()));
            Ok(())
        }
        Err(mistakes) => {
            print!("{}", compiler::render(&mistakes));
            bail!("{} is not a sound ruleset", args.game)
        }
    }
}
