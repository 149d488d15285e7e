//! Every word counts: a key of a ruleset that is removed, misspelt or given another value changes what is played or
//! told, or is reported. The one exception is a default that is written out. All of it with SNAPSTACK_SOAK=1.

mod documents;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use compiler::{
    library::{Both, Folders, Memory},
    link_document, reference,
};
use ruleset::{
    RawRuleset, Ruleset, Term,
    grammar::{Field, Kind, OPS, RULESET, SELECTOR, Shape},
    term::{Entry, Place, TermKind},
};

/// What is played and told, as one number; none for a ruleset that is refused.
fn outcome(document: &Term) -> Option<u64> {
    let ruleset = Ruleset::check(RawRuleset::new(document.clone())).ok()?;
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    let lints = ruleset::lint::lint(ruleset.program());
    write!(digest, "{:?}{lints:?}", ruleset.program()).expect("a number can be written to; qed");
    Some(digest.0)
}

/// A number of all that is written to it (FNV).
struct Digest(u64);

impl std::fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

/// Where a key is: the numbers of the entries and items on the way to it.
type Path = Vec<usize>;

/// One key of a document.
struct Key {
    path: Path,
    /// The keys on the way, without the numbers of items.
    shown: String,
}

fn child(term: &Term, at: usize) -> Option<&Term> {
    match &term.kind {
        TermKind::List(items) => items.get(at),
        TermKind::Map(entries) => entries.get(at).map(|it| &it.value),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) => None,
    }
}

fn child_mut(term: &mut Term, at: usize) -> Option<&mut Term> {
    match &mut term.kind {
        TermKind::List(items) => items.get_mut(at),
        TermKind::Map(entries) => entries.get_mut(at).map(|it| &mut it.value),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) => None,
    }
}

/// The document with the object that holds a key changed.
fn changed(document: &Term, path: &[usize], change: impl FnOnce(&mut Vec<Entry>, usize)) -> Term {
    let mut copy = document.clone();
    let (last, way) = path.split_last().expect("a key is in an object; qed");
    let holder = way.iter().try_fold(&mut copy, |term, at| child_mut(term, *at)).expect("the path was walked; qed");
    if let TermKind::Map(entries) = &mut holder.kind {
        change(entries, *last);
    }
    copy
}

/// Nothing of a ruleset depends on where it stood.
fn without_places(term: &mut Term) {
    term.place = Place(0);
    match &mut term.kind {
        TermKind::List(items) => items.iter_mut().for_each(without_places),
        TermKind::Map(entries) => entries.iter_mut().for_each(|it| {
            it.place = Place(0);
            without_places(&mut it.value);
        }),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) => {}
    }
}

/// Words that are another spelling of one that is there.
const ALIASES: &[&[&str]] = &[
    &["before", "pre"],
    &["after", "post"],
    &["all", "any"],
    // Where no card acts, `self` is the player who does.
    &["self", "you", "controller", "actor"],
    &["opponent", "opponents"],
];

fn are_alike(a: &str, b: &str) -> bool {
    ALIASES.iter().any(|it| it.contains(&a) && it.contains(&b))
}

/// Keys that name a variable: another name that is used nowhere else means the same.
const BINDERS: &[&str] = &["as", "name"];

/// Keys for readers of the document and for the linker, which has read them before anything is compiled.
const REMARKS: &[&str] = &["comment", "$schema", "include"];

fn keys(term: &Term, path: &mut Path, shown: &str, found: &mut Vec<Key>) {
    let n = term.items().len() + term.entries().len();
    for at in 0..n {
        path.push(at);
        let entry = term.entries().get(at);
        let key = entry.map(|it| it.key.as_str());
        if key.is_none_or(|it| !REMARKS.contains(&it)) {
            let shown = key.map_or(shown.to_owned(), |it| format!("{shown}.{it}"));
            if entry.is_some() {
                found.push(Key { path: path.clone(), shown: shown.clone() });
            }
            if let Some(value) = child(term, at) {
                keys(value, path, &shown, found);
            }
        }
        path.pop();
    }
}

/// The words that can stand under a key, and the texts that stand under it somewhere in the document.
struct Alternatives {
    words: BTreeMap<String, BTreeSet<String>>,
    used: BTreeMap<String, BTreeSet<String>>,
    /// Events by the names of the intent and of the fact, which a rule before the event may use alike.
    facts: Vec<[String; 2]>,
}

impl Alternatives {
    fn of(document: &Term) -> Self {
        let fact = |it: &Term| Some([it.text_at("id")?.to_owned(), it.text_at("fact")?.to_owned()]);
        let facts = document.list_at("events").iter().filter_map(fact).collect();
        let mut all = Self { words: BTreeMap::new(), used: BTreeMap::new(), facts };
        let mut seen = BTreeSet::new();
        all.shape(&RULESET, &mut seen);
        all.shape(&SELECTOR, &mut seen);
        OPS.iter().for_each(|it| all.fields(it.params, &mut seen));
        all.note(document);
        all
    }

    fn shape(&mut self, shape: &'static Shape, seen: &mut BTreeSet<&'static str>) {
        if seen.insert(shape.name) {
            self.fields(shape.fields, seen);
        }
    }

    fn fields(&mut self, fields: &'static [Field], seen: &mut BTreeSet<&'static str>) {
        for field in fields {
            self.kind(field.name, field.kind, seen);
        }
    }

    fn kind(&mut self, key: &str, kind: Kind, seen: &mut BTreeSet<&'static str>) {
        match kind {
            Kind::Word(words) => {
                self.words.entry(key.to_owned()).or_default().extend(words.iter().map(ToString::to_string));
            }
            Kind::Object(shape) => self.shape(shape, seen),
            Kind::List(inner) | Kind::OneOrMany(inner) | Kind::Map(inner) => self.kind(key, *inner, seen),
            _ => {}
        }
    }

    fn note(&mut self, term: &Term) {
        term.items().iter().for_each(|it| self.note(it));
        for entry in term.entries() {
            if let Some(text) = entry.value.text() {
                self.used.entry(entry.key.clone()).or_default().insert(text.to_owned());
            }
            self.note(&entry.value);
        }
    }

    /// Other values for a key, legal ones among them.
    fn values(&self, key: &str, value: &Term) -> Vec<Term> {
        let new = |kind: TermKind| Term::new(Place(0), kind);
        match &value.kind {
            TermKind::Null => vec![new(TermKind::Int(7))],
            TermKind::Bool(is) => vec![new(TermKind::Bool(!is))],
            TermKind::Int(n) => vec![new(TermKind::Int(n + 1)), new(TermKind::Int(n - 1))],
            TermKind::Text(text) => {
                let known = |of: &BTreeMap<String, BTreeSet<String>>| of.get(key).cloned().unwrap_or_default();
                let words = known(&self.words).into_iter();
                let used = known(&self.used).into_iter().filter(|it| it != text).take(3);
                let all = words.chain(used).chain([format!("{text}q")]);
                let is_same_event = |it: &str| self.facts.iter().any(|f| f.iter().any(|n| n == it) && f.contains(text));
                let is_alias = |it: &str| are_alike(it, text) || (key == "eventType" && is_same_event(it));
                let other = all.filter(|it| it != text && !is_alias(it));
                other.map(|it| new(TermKind::Text(it))).collect()
            }
            // What is in a list of objects is tried key by key.
            TermKind::List(items) if items.iter().any(|it| !it.is_map()) => {
                vec![new(TermKind::List(items[1..].to_vec()))]
            }
            TermKind::List(_) | TermKind::Map(_) => Vec::new(),
        }
    }
}

/// Why a key does not count; none if it does.
fn fault(document: &Term, whole: u64, key: &Key, alternatives: &Alternatives) -> Option<String> {
    let name = key.shown.rsplit('.').next().unwrap_or_default();
    let counts = |changed: &Term| outcome(changed) != Some(whole);
    let misspelt = changed(document, &key.path, |entries, at| entries[at].key.push('q'));
    if !counts(&misspelt) {
        return Some(format!("misspelt: {}", key.shown));
    }
    let value = key.path.iter().try_fold(document, |term, at| child(term, *at)).expect("the path was walked; qed");
    let is_binder = BINDERS.contains(&name) && is_binding(document, &key.path);
    let values = if is_binder { Vec::new() } else { alternatives.values(name, value) };
    let with = |other: &Term| changed(document, &key.path, |entries, at| entries[at].value = other.clone());
    if let Some(silent) = values.iter().find(|it| !counts(&with(it))) {
        return Some(format!("changed to {silent}: {}", key.shown));
    }
    // What is left out means its default, and that the value counts was just seen; of an object, its keys are tried.
    let is_default = !values.is_empty() || value.is_map() || value.items().iter().all(Term::is_map);
    let removed = changed(document, &key.path, |entries, at| drop(entries.remove(at)));
    (!is_default && !counts(&removed)).then(|| format!("removed: {}", key.shown))
}

/// Whether a key belongs to an operation or selector that names a variable by it.
fn is_binding(document: &Term, path: &[usize]) -> bool {
    let holder = path.split_last().and_then(|(_, way)| way.iter().try_fold(document, |term, at| child(term, *at)));
    holder.is_some_and(|it| it.get("op").is_some() || it.get("id").is_none())
}

/// A game that uses every definition and event of the library as the reference shows it.
fn whole_library() -> Term {
    let folders = Folders::new([documents::games()]);
    let linked = |text: &str| {
        let memory = Memory::default().with("all", text);
        link_document("all", &Both(&memory, &folders)).unwrap_or_else(|it| panic!("{}", compiler::render(&it)))
    };
    let library = linked(r#"{ "include": ["std", "std/blocking"] }"#);
    let abilities: Vec<String> =
        library.list_at("define").iter().chain(library.list_at("events")).enumerate().map(as_ability).collect();
    linked(&format!(
        r#"{{ "include": ["std", "std/blocking"], "cardTypes": [{{ "id": "unit" }}], "resources": [{{ "id": "mana" }}],
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "main1" }}] }}, {{ "id": "combat", "steps": [{{ "id": "combat_damage" }}] }}] }},
  "actions": [{{ "id": "rest", "effects": [] }}],
  "cards": [{{ "id": "squire", "type": "unit", "abilities": [{{ "id": "Strike", "effects": [] }}, {}] }}] }}"#,
        abilities.join(", ")
    ))
}

/// An ability that uses a definition or event as the reference shows it.
fn as_ability((i, term): (usize, &Term)) -> String {
    let (id, example) = (term.text_at("id").unwrap_or_default(), reference::example(term));
    let body = match term.text_at("kind") {
        Some("condition") => format!(r#""conditions": [{example}], "effects": []"#),
        Some("value") => format!(r#""effects": [{{ "op": "let", "name": "x", "value": {example} }}]"#),
        _ if id.starts_with("pay_") => format!(r#""costs": [{example}], "effects": []"#),
        _ => format!(r#""effects": [{example}]"#),
    };
    format!(r#"{{ "id": "A{i}", {body} }}"#)
}

/// All linked rulesets of the project that load, the library first.
fn rulesets() -> Vec<(String, Term)> {
    let mut found = vec![("library".to_owned(), whole_library())];
    for it in documents::all() {
        let linked = link_document(&it.root, &Both(&it.own, &Folders::new([documents::games()])));
        found.extend(linked.ok().map(|term| (it.name, term)));
    }
    found.iter_mut().for_each(|it| without_places(&mut it.1));
    let n_all = found.len();
    found.retain(|it| outcome(&it.1).is_some());
    assert_eq!(n_all - found.len(), REFUSED, "another number of rulesets is refused");
    found
}

/// How many scenarios show what a ruleset cannot say.
const REFUSED: usize = 7;

/// The keys of a document that no document before it had in the same item.
fn new_keys(document: &Term, seen: &mut BTreeSet<String>) -> Vec<Key> {
    let mut found = Vec::new();
    keys(document, &mut Vec::new(), "", &mut found);
    let mut new = BTreeMap::new();
    found.retain(|key| {
        let section = document.entries().get(key.path[0]);
        let Some((section, item)) = section.and_then(|it| Some((it, child(&it.value, *key.path.get(1)?)?))) else {
            return true;
        };
        let is_new = || seen.insert(format!("{} {item}", section.key));
        *new.entry((key.path[0], key.path[1])).or_insert_with(is_new)
    });
    found
}

/// Whether a key is in a definition that nothing uses, as is told of those that are the author's own.
fn is_unused_definition(document: &Term, key: &Key) -> bool {
    if !key.shown.starts_with(".define") {
        return false;
    }
    let [section, item, ..] = key.path[..] else { return true };
    let mut copy = document.clone();
    if let Some(TermKind::List(items)) = child_mut(&mut copy, section).map(|it| &mut it.kind) {
        items.remove(item);
    }
    outcome(&copy).is_some()
}

/// How many keys are tried when there is little time.
const SAMPLE: usize = 200;

#[test]
fn every_key_of_every_ruleset_counts() {
    let documents = rulesets();
    let mut seen = BTreeSet::new();
    let all = documents.iter().flat_map(|it| new_keys(&it.1, &mut seen).into_iter().map(move |key| (it, key)));
    let mut all: Vec<_> = all.collect();
    assert!(all.len() > 5000, "only {} keys were found", all.len());
    if std::env::var_os("SNAPSTACK_SOAK").is_none() {
        let step = all.len() / SAMPLE;
        all = all.into_iter().step_by(step.max(1)).collect();
    }
    let mut faults = Vec::new();
    let mut current: Option<(&str, u64, Alternatives)> = None;
    let mut unused = BTreeMap::new();
    for ((name, document), key) in &all {
        if current.as_ref().is_none_or(|it| it.0 != name) {
            let whole = outcome(document).expect("only what loads is looked at; qed");
            current = Some((name, whole, Alternatives::of(document)));
        }
        let Some((_, whole, alternatives)) = &current else { continue };
        let item = (name, key.path[0], key.path.get(1).copied());
        if !*unused.entry(item).or_insert_with(|| is_unused_definition(document, key)) {
            faults.extend(fault(document, *whole, key, alternatives).map(|it| format!("{name}: {it}")));
        }
    }
    faults.sort();
    assert!(faults.is_empty(), "{} of {} keys do not count:\n{faults:#?}", faults.len(), all.len());
}
