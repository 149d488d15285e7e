//! Links documents into one: what they include comes first, and later definitions override earlier ones by name.

use std::collections::{BTreeMap, BTreeSet};

use ruleset::{
    Term,
    term::{Entry, Place, TermKind},
};

use crate::{
    diagnostic::{Diagnostic, nearest},
    library::Library,
    read::Sources,
};

/// Sections whose items have names.
const NAMED: &[&str] = &[
    "zones",
    "attributes",
    "resources",
    "cardTypes",
    "keywords",
    "cards",
    "events",
    "define",
    "reactions",
    "actions",
    "stateChecks",
    "endConditions",
    "decks",
];

/// Sections that are put together key by key.
const MERGED: &[&str] = &["players", "policy", "limits", "ui"];

/// How deep documents may include each other.
const INCLUDES_MAX: usize = 32;

/// Puts a document and all it includes together.
pub struct Linker<'l> {
    library: &'l dyn Library,
    pub sources: Sources,
    pub problems: Vec<Diagnostic>,
    open: Vec<String>,
    done: Vec<String>,
    root: BTreeMap<String, Entry>,
    order: Vec<String>,
}

impl<'l> Linker<'l> {
    pub fn new(library: &'l dyn Library) -> Self {
        Self {
            library,
            sources: Sources::default(),
            problems: Vec::new(),
            open: Vec::new(),
            done: Vec::new(),
            root: BTreeMap::new(),
            order: Vec::new(),
        }
    }

    /// Links a document by its name in the library; nothing if it is not there.
    pub fn include(&mut self, name: &str, place: Option<Place>) {
        if self.open.iter().any(|it| it == name) {
            let circle = format!("{} > {name}", self.open.join(" > "));
            return self.report(
                place,
                "link/circle",
                format!("documents include each other in a circle: {circle}"),
                None,
            );
        }
        if self.done.iter().any(|it| it == name) {
            return;
        }
        if self.open.len() >= INCLUDES_MAX {
            let message = format!("documents include each other more than {INCLUDES_MAX} deep: {name}");
            return self.report(place, "link/too_deep", message, None);
        }
        let Some((file, text)) = self.library.load(name) else {
            let names = self.library.names();
            let hint = nearest(name, &names).map(|it| format!("did you mean `{it}`?"));
            return self.report(place, "link/not_found", format!("no document of this name: {name}"), hint);
        };
        match self.sources.read(&file, &text) {
            Ok(term) => self.merge(name, term),
            Err(problems) => self.problems.extend(problems),
        }
    }

    fn report(&mut self, place: Option<Place>, code: &'static str, message: String, hint: Option<String>) {
        let mut found = self.sources.diagnostic(place.unwrap_or_default(), code, message);
        found.hint = hint;
        self.problems.push(found);
    }

    fn merge(&mut self, name: &str, term: Term) {
        self.open.push(name.to_owned());
        let TermKind::Map(entries) = term.kind else {
            self.report(Some(term.place), "ruleset/wrong_type", "a document must be an object".to_owned(), None);
            self.open.pop();
            return;
        };
        let included: Vec<(String, Place)> = entries
            .iter()
            .filter(|it| it.key == "include")
            .flat_map(|it| it.value.items())
            .filter_map(|it| Some((it.text()?.to_owned(), it.place)))
            .collect();
        for (other, place) in included {
            self.include(&other, Some(place));
        }
        entries.into_iter().for_each(|it| self.merge_entry(it));
        self.open.pop();
        self.done.push(name.to_owned());
    }

    fn merge_entry(&mut self, entry: Entry) {
        if NAMED.contains(&entry.key.as_str()) {
            self.check_names(&entry);
        }
        let Some(old) = self.root.get_mut(&entry.key) else {
            self.order.push(entry.key.clone());
            self.root.insert(entry.key.clone(), entry);
            return;
        };
        match (&mut old.value.kind, entry.value.kind) {
            (TermKind::List(old), TermKind::List(new)) if NAMED.contains(&entry.key.as_str()) => merge_named(old, new),
            (TermKind::Map(old), TermKind::Map(new)) if MERGED.contains(&entry.key.as_str()) => merge_keys(old, new),
            (_, kind) => *old = Entry { value: Term::new(entry.value.place, kind), ..entry },
        }
    }

    /// Within one document a name is used once; overriding needs another document.
    fn check_names(&mut self, entry: &Entry) {
        let mut seen = BTreeSet::new();
        for item in entry.value.items() {
            if let Some(id) = item.text_at("id").filter(|it| !seen.insert(*it)) {
                let message = format!("{} has this name twice: {id}", entry.key);
                self.report(Some(item.place), "ruleset/duplicate_name", message, None);
            }
        }
    }

    /// The linked document.
    pub fn finish(mut self) -> (Term, Sources, Vec<Diagnostic>) {
        let entries = self.order.iter().filter_map(|it| self.root.remove(it)).collect();
        (Term::new(Place(0), TermKind::Map(entries)), self.sources, self.problems)
    }
}

fn merge_named(old: &mut Vec<Term>, new: Vec<Term>) {
    let ids = old.iter().enumerate().filter_map(|(i, it)| Some((it.text_at("id")?.to_owned(), i)));
    let ids: BTreeMap<String, usize> = ids.collect();
    for item in new {
        match item.text_at("id").and_then(|it| ids.get(it)) {
            Some(same) => old[*same] = item,
            None => old.push(item),
        }
    }
}

fn merge_keys(old: &mut Vec<Entry>, new: Vec<Entry>) {
    for entry in new {
        match old.iter_mut().find(|it| it.key == entry.key) {
            Some(same) => *same = entry,
            None => old.push(entry),
        }
    }
}
