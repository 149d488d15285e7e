//! Where documents come from.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Finds documents by name.
pub trait Library {
    /// The file name to show and the text of a document.
    fn load(&self, name: &str) -> Option<(String, String)>;

    /// The names that could be loaded, for suggestions.
    fn names(&self) -> Vec<String>;
}

/// Documents in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    documents: BTreeMap<String, String>,
}

impl Memory {
    /// Adds a document.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        self.documents.insert(name.to_owned(), text.to_owned());
        self
    }
}

impl Library for Memory {
    fn load(&self, name: &str) -> Option<(String, String)> {
        let text = self.documents.get(name)?;
        Some((format!("{name}.json"), text.clone()))
    }

    fn names(&self) -> Vec<String> {
        self.documents.keys().cloned().collect()
    }
}

/// Documents in folders: `std` is `std.json` or `std/ruleset.json`, `std/combat` is `std/combat.json`.
#[derive(Clone, Debug)]
pub struct Folders {
    roots: Vec<PathBuf>,
}

impl Folders {
    /// Looks in these folders, in this order.
    pub fn new(roots: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { roots: roots.into_iter().collect() }
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        // A name never leaves its folder.
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
        if !name.split('/').all(is_plain) {
            return None;
        }
        let candidates = self
            .roots
            .iter()
            .flat_map(|root| [root.join(format!("{name}.json")), root.join(name).join("ruleset.json")]);
        candidates.into_iter().find(|it| it.is_file())
    }
}

impl Library for Folders {
    fn load(&self, name: &str) -> Option<(String, String)> {
        let path = self.find(name)?;
        // What is no UTF-8 is found by the reader, which says so.
        let text = String::from_utf8_lossy(&fs::read(&path).ok()?).into_owned();
        let shown = self.roots.iter().find_map(|it| path.strip_prefix(it.parent().unwrap_or(Path::new(""))).ok());
        Some((shown.unwrap_or(&path).display().to_string(), text))
    }

    fn names(&self) -> Vec<String> {
        let entries = self.roots.iter().filter_map(|it| fs::read_dir(it).ok()).flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|it| name_of(&it.path())).collect();
        names.sort();
        names
    }
}

fn name_of(path: &Path) -> Option<String> {
    let is_ruleset = path.join("ruleset.json").is_file() || path.extension().is_some_and(|it| it == "json");
    is_ruleset.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

/// Looks in one library, then in another.
pub struct Both<'l>(pub &'l dyn Library, pub &'l dyn Library);

impl Library for Both<'_> {
    fn load(&self, name: &str) -> Option<(String, String)> {
        self.0.load(name).or_else(|| self.1.load(name))
    }

    fn names(&self) -> Vec<String> {
        [self.0.names(), self.1.names()].concat()
    }
}
