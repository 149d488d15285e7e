//! The hash of a view: one of every card, zone, player and other key by itself, so that a change costs what it changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use view::View;

use crate::{canonical, patch};

/// The keys whose entries are hashed each by itself.
const KEYED: [&str; 3] = ["cards", "players", "zones"];

/// The hash of a view.
pub fn view_hash(view: &Value) -> String {
    let mut leaves: Vec<String> = parts(view).into_iter().map(|it| leaf_hash(&it.0, it.1)).collect();
    leaves.sort_unstable();
    canonical::hash(&json!(leaves))
}

/// The leaves of a view: where each is, and what is there.
fn parts(view: &Value) -> Vec<(Vec<&str>, &Value)> {
    let mut parts = Vec::new();
    for (key, value) in view.as_object().into_iter().flatten() {
        match value.as_object().filter(|_| KEYED.contains(&key.as_str())) {
            Some(entries) => parts.extend(entries.iter().map(|(id, it)| (vec![key.as_str(), id.as_str()], it))),
            None => parts.push((vec![key.as_str()], value)),
        }
    }
    parts
}

/// The hash of a leaf: of the list of its keys and what is there.
fn leaf_hash(place: &[&str], value: &Value) -> String {
    let mut text = String::from("[");
    for key in place {
        text.push_str(&canonical::write(&json!(key)));
        text.push(',');
    }
    text.push_str(&canonical::write(value));
    text.push(']');
    canonical::hash_bytes(text.as_bytes())
}

/// A leaf as it was last sent.
#[derive(Clone, Debug)]
struct Leaf {
    value: Value,
    hash: String,
}

/// A view as it was last sent, leaf by leaf: only what changed is written and hashed again.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    view: View,
    leaves: BTreeMap<(&'static str, String), Leaf>,
}

impl Leaves {
    /// A view that is sent as a whole.
    pub fn new(view: View) -> Self {
        let mut leaves = Self::default();
        leaves.update(view);
        leaves
    }

    /// The view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The hash of the view.
    pub fn hash(&self) -> String {
        let mut hashes: Vec<&str> = self.leaves.values().map(|it| it.hash.as_str()).collect();
        hashes.sort_unstable();
        let mut text = String::with_capacity(hashes.len() * 74 + 2);
        text.push('[');
        for (at, it) in hashes.iter().enumerate() {
            text.push_str(if at > 0 { ",\"" } else { "\"" });
            text.push_str(it);
            text.push('"');
        }
        text.push(']');
        canonical::hash_bytes(text.as_bytes())
    }

    /// Goes on to another view; gives the patch, if anything changed.
    pub fn update(&mut self, new: View) -> Option<Value> {
        let mut patch = Map::new();
        let old = std::mem::replace(&mut self.view, new);
        let new = std::mem::take(&mut self.view);
        self.keyed("cards", &old.cards, &new.cards, &mut patch);
        self.keyed("players", &old.players, &new.players, &mut patch);
        self.keyed("zones", &old.zones, &new.zones, &mut patch);
        let (old_rest, new_rest) = (rest(&old), rest(&new));
        for key in old_rest.keys().filter(|it| !new_rest.contains_key(*it)) {
            patch.insert(key.clone(), Value::Null);
            self.leaves.remove(&("", key.clone()));
        }
        for (key, value) in new_rest {
            let known = self.leaves.get(&("", key.clone()));
            let change = known.map_or_else(|| Some(value.clone()), |it| patch::between(&it.value, &value));
            if let Some(change) = change {
                let hash = leaf_hash(&[&key], &value);
                self.leaves.insert(("", key.clone()), Leaf { value, hash });
                patch.insert(key, change);
            }
        }
        self.view = new;
        (!patch.is_empty()).then_some(Value::Object(patch))
    }

    fn keyed<T: PartialEq + serde::Serialize>(
        &mut self,
        key: &'static str,
        old: &BTreeMap<String, T>,
        new: &BTreeMap<String, T>,
        patch: &mut Map<String, Value>,
    ) {
        let mut inner = Map::new();
        for id in old.keys().filter(|it| !new.contains_key(*it)) {
            inner.insert(id.clone(), Value::Null);
            self.leaves.remove(&(key, id.clone()));
        }
        for (id, it) in new.iter().filter(|it| old.get(it.0) != Some(it.1)) {
            let value = serde_json::to_value(it).unwrap_or_default();
            let known = self.leaves.get(&(key, id.clone()));
            inner.extend(
                known
                    .map_or_else(|| Some(value.clone()), |it| patch::between(&it.value, &value))
                    .map(|it| (id.clone(), it)),
            );
            let hash = leaf_hash(&[key, id], &value);
            self.leaves.insert((key, id.clone()), Leaf { value, hash });
        }
        // What is empty is not there at all.
        if new.is_empty() && !old.is_empty() && key != "players" {
            patch.insert(key.to_owned(), Value::Null);
        } else if !inner.is_empty() {
            patch.insert(key.to_owned(), Value::Object(inner));
        }
    }
}

/// Everything of a view but what is hashed entry by entry.
fn rest(view: &View) -> Map<String, Value> {
    let bare = View {
        cards: BTreeMap::new(),
        players: BTreeMap::new(),
        zones: BTreeMap::new(),
        branch_id: view.branch_id,
        viewer: view.viewer.clone(),
        turn: view.turn.clone(),
        values: view.values.clone(),
        stack: view.stack.clone(),
        window: view.window.clone(),
        waiting: view.waiting.clone(),
        is_paused: view.is_paused,
        outcome: view.outcome.clone(),
    };
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&bare) else { return Map::new() };
    fields.remove("players");
    fields
}
