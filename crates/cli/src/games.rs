//! Finds games by name: scripts that are built in, and rulesets in a folder.

use std::{path::Path, sync::Arc};

use anyhow::{Result, bail};
use compiler::library::Folders;
use host::Game;
use script::Script;

/// The scripted games that are built in.
pub fn scripts() -> [Script; 2] {
    [harvest::script(), tricks::script()]
}

/// Finds a game; a ruleset with mistakes is shown with all of them.
pub fn find(name: &str, folder: &Path) -> Result<Game> {
    if let Some(script) = scripts().into_iter().find(|it| it.name == name) {
        return Ok(Game::Script(script));
    }
    match compiler::compile(name, &Folders::new([folder.to_owned()])) {
        Ok(ruleset) => Ok(Game::Ruleset(Arc::new(ruleset))),
        Err(mistakes) => {
            print!("{}", compiler::render(&mistakes));
            bail!("{name} cannot be played; put its mistakes right first")
        }
    }
}
