//! Every ruleset of the project that tests can read: the games, the scenarios, the guide, and what is in the code and the
//! data of tests.

#![allow(dead_code, reason = "each test that uses this module uses a part of it")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use compiler::library::{Both, Folders, Memory};

/// A ruleset by name, with the documents it is written in.
pub struct Document {
    pub name: String,
    pub root: String,
    pub own: Memory,
}

impl Document {
    /// A ruleset that is one document.
    pub fn of(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), root: "game".to_owned(), own: Memory::default().with("game", text) }
    }

    /// Compiles it beside the games of the project.
    pub fn compile(&self) -> Result<ruleset::Ruleset, Vec<compiler::Diagnostic>> {
        compiler::compile(&self.root, &Both(&self.own, &Folders::new([games()])))
    }
}

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn games() -> PathBuf {
    project().join("games")
}

/// The files below a folder with an ending, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|it| Some(it.split_once("```")?.0.to_owned())).collect()
}

/// The games in `games/` that are rulesets.
fn of_games() -> Vec<Document> {
    let folders = fs::read_dir(games()).expect("the project has games; qed").flatten().map(|it| it.path());
    let mut names: Vec<String> = folders
        .filter(|it| it.join("ruleset.json").is_file())
        .filter_map(|it| Some(it.file_name()?.to_str()?.to_owned()))
        .collect();
    names.retain(|it| it != "std");
    names.sort();
    names.into_iter().map(|it| Document { name: it.clone(), root: it, own: Memory::default() }).collect()
}

/// The rulesets that scenarios bring with them.
fn of_scenarios() -> Vec<Document> {
    let folders = [project().join("crates/testkit/tests"), games()];
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|it| files(it, "md")) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        let rulesets = blocks(&text, "ruleset").into_iter().filter(|it| it.trim_start().starts_with('{'));
        found.extend(rulesets.enumerate().map(|(i, it)| Document::of(&format!("{name}#{i}"), &it)));
    }
    found
}

/// The rulesets in the data and the Rust code of tests that load; the others are there to be refused, or are parts.
fn of_tests() -> Vec<Document> {
    let crates = project().join("crates");
    let is_test =
        |it: &PathBuf| it.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "corpus");
    let mut found = Vec::new();
    for path in files(&crates, "rs").into_iter().chain(files(&crates, "json")).filter(is_test) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let is_code = path.extension().is_some_and(|it| it == "rs");
        let rulesets = if is_code { raw_strings(&text) } else { vec![text] };
        let name = path.strip_prefix(&crates).unwrap_or(&path).display().to_string();
        let documents = rulesets.iter().enumerate().map(|(i, it)| Document::of(&format!("{name}#{i}"), it));
        found.extend(documents.filter(|it| it.compile().is_ok()));
    }
    found
}

/// The raw strings of Rust code that could be a ruleset.
fn raw_strings(code: &str) -> Vec<String> {
    let strings = code.split("r#\"").skip(1).filter_map(|it| Some(it.split_once("\"#")?.0));
    strings.filter(|it| it.trim_start().starts_with('{')).map(str::to_owned).collect()
}

/// The game of the guide: each step is a document on top of the ones before.
fn of_guide() -> Document {
    let text = fs::read_to_string(project().join("docs/guide.md")).expect("the guide is part of the project; qed");
    let steps = blocks(&text, "json");
    let name = |it: usize| format!("guide/step{it}");
    let own = steps.iter().enumerate().fold(Memory::default(), |acc, it| acc.with(&name(it.0), it.1));
    let names: Vec<String> = (0..steps.len()).map(|it| format!("\"{}\"", name(it))).collect();
    let whole = format!("{{ \"include\": [{}] }}", names.join(", "));
    Document { name: "guide".to_owned(), root: "guide".to_owned(), own: own.with("guide", &whole) }
}

/// All of them.
pub fn all() -> Vec<Document> {
    let mut found = of_games();
    found.extend(of_scenarios());
    found.push(of_guide());
    found.extend(of_tests());
    found
}

/// Everything the engine plays and clients are told, without the places of the source it came from.
pub fn program_text(program: &ruleset::Program) -> String {
    let shown = format!("{program:?}");
    let mut parts = shown.split("Place(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once(')').map_or(part, |it| it.1));
    }
    text
}
