//! Finds games by name: scripts that are built in, and rulesets in a folder.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use compiler::library::{Folders, Library as _};
use host::Game;
use script::Script;

/// The scripted games that are built in.
pub fn scripts() -> [Script; 2] {
    [harvest::script(), tricks::script()]
}

/// A game may also be given as a path: its folder, or the `ruleset.json` in it. Gives its name and the folder of games.
pub fn locate(game: &str, folder: &Path) -> (String, PathBuf) {
    let path = Path::new(game);
    let own = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let name = own.file_name().and_then(|it| it.to_str());
    match (own.join("ruleset.json").is_file(), name) {
        (true, Some(name)) => (name.to_owned(), own.parent().unwrap_or(folder).to_owned()),
        _ => (game.to_owned(), folder.to_owned()),
    }
}

/// The documents of a game, and the library that comes with the project.
pub fn library(folder: &Path) -> Folders {
    Folders::new([folder.to_owned(), PathBuf::from("games")])
}

/// Says which games there are, if there is none of a name.
pub fn check_known(name: &str, folder: &Path) -> Result<()> {
    let library = library(folder);
    if library.load(name).is_some() {
        return Ok(());
    }
    let mut names: Vec<String> = scripts().iter().map(|it| it.name.to_string()).collect();
    names.extend(library.names().into_iter().filter(|it| it != "std"));
    names.sort();
    names.dedup();
    bail!("no game is called {name}; there are: {}", names.join(", "))
}

/// The bytes of a stored match.
pub fn read_match(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Finds a game; a ruleset with mistakes is shown with all of them.
pub fn find(name: &str, folder: &Path) -> Result<Game> {
    if let Some(script) = scripts().into_iter().find(|it| it.name == name) {
        return Ok(Game::Script(script));
    }
    let (name, folder) = locate(name, folder);
    check_known(&name, &folder)?;
    match compiler::compile(&name, &library(&folder)) {
        Ok(ruleset) => Ok(Game::Ruleset(Arc::new(ruleset))),
        Err(mistakes) => {
            say_part!("{}", compiler::render(&mistakes));
            bail!("{name} cannot be played; put its mistakes right first")
        }
    }
}
