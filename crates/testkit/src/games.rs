//! Finds and compiles the rulesets of this project.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use compiler::library::{Both, Folders, Memory};
use ruleset::Ruleset;

/// The folder of all games.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// Compiles a game; panics with all its mistakes.
#[track_caller]
pub fn load(name: &str) -> Arc<Ruleset> {
    match compiler::compile(name, &Folders::new([folder()])) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(mistakes) => panic!("{}", compiler::render(&mistakes)),
    }
}

/// Compiles a document that may include what is in the folder of games.
pub fn compile(text: &str) -> Result<Arc<Ruleset>, Vec<compiler::Diagnostic>> {
    let memory = Memory::default().with("scenario", text);
    compiler::compile("scenario", &Both(&memory, &Folders::new([folder()]))).map(Arc::new)
}

/// Compiles a document of a test; panics with all its mistakes.
#[track_caller]
pub fn parse(text: &str) -> Arc<Ruleset> {
    compile(text).unwrap_or_else(|mistakes| panic!("{}", compiler::render(&mistakes)))
}

/// The names of all games that can be played: every folder with a ruleset that has a deck or needs none.
pub fn playable() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder of games is part of the project; qed")
        .flatten()
        .filter(|it| it.path().join("ruleset.json").is_file() && it.file_name() != "std")
        .filter_map(|it| it.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// The names of those in which players act, and do not only answer.
pub fn with_actions() -> Vec<String> {
    playable().into_iter().filter(|it| !load(it).program().actions.is_empty()).collect()
}

pub use host::trial::ready_made as setup;

/// The games that are scripts.
pub fn scripts() -> Vec<script::Script> {
    vec![harvest::script(), tricks::script()]
}

/// All games, rulesets and scripts.
pub fn all_hosted() -> Vec<host::Game> {
    let ruled = playable().into_iter().map(|it| host::Game::Ruleset(load(&it)));
    ruled.chain(scripts().into_iter().map(host::Game::Script)).collect()
}
