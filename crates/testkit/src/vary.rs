//! Random rulesets: documents with parts exchanged against parts that stand under the same key elsewhere.
//!
//! Unlike flipped bytes most of them are sound, so they reach the engine and not only the compiler.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::contract::Dice;

/// The documents random rulesets are made from, one in a line. They are kept apart from the scenarios they were taken
/// from, so that a new scenario does not change every random ruleset.
const DOCUMENTS: &str = include_str!("../corpus/rulesets.jsonl");

/// Numbers that are often a boundary.
const NUMBERS: [i64; 8] = [0, 1, 2, 3, 5, -1, 20, 100];

/// The documents, and what stands under each key of them.
pub struct Stock {
    documents: Vec<Value>,
    by_key: Vec<Parts>,
    all: Parts,
}

/// Values by the key they stand under; elements of a list stand under the key of the list with `[]`.
type Parts = BTreeMap<String, Vec<Value>>;

/// A step from a value to one inside it.
#[derive(Clone)]
enum Step {
    Key(String),
    At(usize),
}

impl Stock {
    /// The committed documents.
    pub fn load() -> Self {
        let read = |line: &str| serde_json::from_str(line).expect("every line is a document; qed");
        let documents: Vec<Value> = DOCUMENTS.lines().map(read).collect();
        let by_key: Vec<Parts> = documents.iter().map(parts_of).collect();
        let mut all = Parts::new();
        for (key, values) in by_key.iter().flatten() {
            all.entry(key.clone()).or_default().extend(values.iter().cloned());
        }
        Self { documents, by_key, all }
    }

    /// The documents as they are.
    pub fn documents(&self) -> impl Iterator<Item = String> {
        self.documents.iter().map(Value::to_string)
    }

    /// A random ruleset: one of the documents with one to four parts changed.
    pub fn vary(&self, dice: &mut Dice) -> String {
        let at = dice.below(self.documents.len());
        let mut document = self.documents[at].clone();
        for _ in 0..=dice.below(4) {
            // Parts of the same document mostly fit; parts of others bring rules it does not have.
            let parts = if dice.below(3) == 0 { &self.all } else { &self.by_key[at] };
            change(&mut document, parts, dice);
        }
        document.to_string()
    }
}

fn parts_of(document: &Value) -> Parts {
    let mut parts = Parts::new();
    walk(document, "", &mut Vec::new(), &mut |key, value, _| {
        parts.entry(key.to_owned()).or_default().push(value.clone());
    });
    parts
}

/// Visits every value inside another with its key and the way to it.
fn walk(value: &Value, key: &str, path: &mut Vec<Step>, visit: &mut impl FnMut(&str, &Value, &[Step])) {
    if !path.is_empty() {
        visit(key, value, path);
    }
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                path.push(Step::Key(key.clone()));
                walk(value, key, path, visit);
                path.pop();
            }
        }
        Value::Array(items) => {
            let key = format!("{key}[]");
            for (i, value) in items.iter().enumerate() {
                path.push(Step::At(i));
                walk(value, &key, path, visit);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Changes one value somewhere in a document.
fn change(document: &mut Value, parts: &Parts, dice: &mut Dice) {
    let mut places: Vec<(String, Vec<Step>)> = Vec::new();
    walk(document, "", &mut Vec::new(), &mut |key, _, path| places.push((key.to_owned(), path.to_vec())));
    let Some((key, path)) = places.get(dice.below(places.len())) else { return };
    let Some(value) = path.iter().try_fold(document, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::At(at) => value.get_mut(*at),
    }) else {
        return;
    };
    change_value(value, key, parts, dice);
}

fn change_value(value: &mut Value, key: &str, parts: &Parts, dice: &mut Dice) {
    let other = |dice: &mut Dice, key: &str| parts.get(key).map(|it| dice.pick(it).clone());
    match value {
        Value::Bool(is) => *is = !*is,
        Value::Number(_) => *value = json!(*dice.pick(&NUMBERS)),
        Value::Array(items) => match dice.below(3) {
            0 if !items.is_empty() => drop(items.remove(dice.below(items.len()))),
            1 if !items.is_empty() => items.push(dice.pick(items).clone()),
            _ => items.extend(other(dice, &format!("{key}[]"))),
        },
        Value::Object(_) | Value::String(_) | Value::Null => {
            if let Some(other) = other(dice, key) {
                *value = other;
            }
        }
    }
}
