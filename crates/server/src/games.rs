//! The games this server can host: those loaded at the start, and those that were published.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use compiler::{
    Diagnostic,
    library::{Both, Folders, Memory},
};
use host::Game;
use storage::{Hash, RulesetRow};

/// A game, and the hash of its rules.
#[derive(Clone)]
pub struct Entry {
    pub game: Game,
    pub rules: Hash,
    /// What players call it.
    pub name: String,
    /// What its catalogue is asked for by.
    pub catalogue_hash: String,
    /// The catalogue as it is served.
    catalogue: Arc<str>,
}

impl Entry {
    fn new(game: Game) -> Self {
        let catalogue = game.catalogue();
        let name = catalogue.name.clone();
        let value = serde_json::to_value(catalogue).expect("plain data has a JSON form; qed");
        let catalogue_hash = protocol::canonical::hash(&value);
        Self { rules: game.rules_hash(), game, name, catalogue_hash, catalogue: value.to_string().into() }
    }
}

/// The games of a server.
pub struct Games {
    /// Where published documents may include from.
    library: Folders,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    by_rules: HashMap<Hash, Entry>,
    /// The games that are offered by name.
    by_id: BTreeMap<String, Hash>,
}

/// The documents of a published ruleset, by name; `ruleset` is the one to begin with.
pub type Documents = BTreeMap<String, String>;

impl Games {
    /// The scripts that are built in, and every ruleset in a folder.
    pub fn load(folder: &Path, scripts: Vec<Game>) -> Result<Self, String> {
        let library = Folders::new([folder.to_owned()]);
        let games = Self { library, known: RwLock::default() };
        for name in playable(folder) {
            let ruleset = compiler::compile(&name, &games.library).map_err(|it| compiler::render(&it))?;
            games.offer(Game::Ruleset(Arc::new(ruleset)));
        }
        scripts.into_iter().for_each(|it| drop(games.offer(it)));
        Ok(games)
    }

    /// Takes a game up, under its name.
    pub fn offer(&self, game: Game) -> Entry {
        let entry = Entry::new(game);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.by_id.insert(entry.game.id().to_owned(), entry.rules);
        known.by_rules.insert(entry.rules, entry.clone());
        entry
    }

    /// Takes a game up without a name: it is asked for by its hash.
    pub fn keep(&self, game: Game) -> Entry {
        let entry = Entry::new(game);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.by_rules.insert(entry.rules, entry.clone());
        entry
    }

    /// A game by its name, or by the hash of its rules.
    pub fn find(&self, name: &str) -> Option<Entry> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let hash = known.by_id.get(name).copied().or_else(|| hex::decode(name).ok()?.try_into().ok())?;
        known.by_rules.get(&hash).cloned()
    }

    /// A game by the hash of its rules.
    pub fn by_rules(&self, rules: &Hash) -> Option<Entry> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).by_rules.get(rules).cloned()
    }

    /// A catalogue by its hash, as it is served.
    pub fn catalogue(&self, hash: &str) -> Option<Arc<str>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_rules.values().find(|it| it.catalogue_hash == hash).map(|it| it.catalogue.clone())
    }

    /// Whether a game is one the operator offers, and not one that somebody published.
    pub fn is_offered(&self, rules: &Hash) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).by_id.values().any(|it| it == rules)
    }

    /// The games that are offered by name, in order.
    pub fn offered(&self) -> Vec<Entry> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_id.values().filter_map(|it| known.by_rules.get(it).cloned()).collect()
    }

    /// Compiles published documents, which may include what the server has.
    pub fn compile(&self, documents: &Documents) -> Result<Game, Vec<Diagnostic>> {
        let own = documents.iter().fold(Memory::default(), |acc, (name, text)| acc.with(name, text));
        let ruleset = compiler::compile("ruleset", &Both(&own, &self.library))?;
        Ok(Game::Ruleset(Arc::new(ruleset)))
    }

    /// Takes up what was published before.
    pub fn restore(&self, row: &RulesetRow) -> Result<Entry, String> {
        let documents: Documents = serde_json::from_slice(&row.bytes).map_err(|it| it.to_string())?;
        let game = self.compile(&documents).map_err(|it| compiler::render(&it))?;
        let entry = self.keep(game);
        let is_same = entry.rules == row.hash;
        if is_same { Ok(entry) } else { Err("its rules are not those it was published with".to_owned()) }
    }
}

/// The names of the rulesets in a folder that can be played; `std` is only included by others.
fn playable(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let games = entries.filter(|it| it.path().join("ruleset.json").is_file());
    let mut names: Vec<String> = games.filter_map(|it| it.file_name().into_string().ok()).collect();
    names.retain(|it| it != "std");
    names.sort();
    names
}
