//! Short forms of requests, as the first documents print them, made into the one form all else reads.

use host::Refused;
use serde_json::{Map, Value};

use crate::request::RequestError;

/// The keys of an action that are no slots.
const ACTION_KEYS: [&str; 13] = [
    "commandId",
    "branchId",
    "actionType",
    "targets",
    "action",
    "cardId",
    "cardIds",
    "from",
    "to",
    "metadata",
    "playerId",
    "params",
    "knownVersion",
];

/// Where a slot was given, as a JSON pointer, by its name.
pub type Places = Vec<(String, String)>;

/// An action in the one form, and where its slots were given.
pub fn action(mut given: Map<String, Value>) -> Result<(Map<String, Value>, Places), RequestError> {
    known_version(&mut given)?;
    name_action(&mut given)?;
    let mut places = Places::new();
    // A move by hand has fields of its own, and so have pass and the end of a turn.
    if given.get("actionType").and_then(Value::as_str) == Some("direct_manipulation") {
        listed(&mut given, "targets");
        return Ok((given, places));
    }
    let mut targets = Slots::default();
    if let Some(found) = given.remove("targets") {
        let Value::Object(found) = found else { return Err(Refused::wrong_type("/targets", "targets is an object")) };
        for (slot, value) in found {
            targets.put(slot.clone(), &format!("/targets/{slot}"), value, Form::Exact, &mut places)?;
        }
    }
    if let Some(found) = given.remove("params") {
        let Value::Object(found) = found else { return Err(Refused::wrong_type("/params", "params is an object")) };
        for (key, value) in found {
            let slot = slot_of(&key).unwrap_or(&key).to_owned();
            targets.put(slot, &format!("/params/{key}"), value, Form::Bare, &mut places)?;
        }
    }
    let is_slot = |key: &str| slot_of(key).is_some() && (key == "cardId" || !ACTION_KEYS.contains(&key));
    let keys: Vec<String> = given.keys().filter(|it| is_slot(it)).cloned().collect();
    for key in keys {
        let value = given.remove(&key).unwrap_or_default();
        let slot = slot_of(&key).unwrap_or_default().to_owned();
        targets.put(slot, &format!("/{key}"), value, Form::Bare, &mut places)?;
    }
    if !targets.0.is_empty() {
        given.insert("targets".to_owned(), Value::Object(targets.0));
    }
    Ok((given, places))
}

/// `attacker` for `attackerId`.
fn slot_of(key: &str) -> Option<&str> {
    key.strip_suffix("Id").or_else(|| key.strip_suffix("_id")).filter(|it| !it.is_empty())
}

/// `knownVersion` is `branchId`.
pub fn known_version(given: &mut Map<String, Value>) -> Result<(), RequestError> {
    let Some(known) = given.remove("knownVersion") else { return Ok(()) };
    match given.get("branchId") {
        Some(other) if *other != known => {
            Err(Refused::wrong_type("/knownVersion", "knownVersion and branchId are two versions"))
        }
        _ if !known.is_u64() => Err(Refused::wrong_type("/knownVersion", "knownVersion is a whole number")),
        _ => {
            given.insert("branchId".to_owned(), known);
            Ok(())
        }
    }
}

/// `type` is `actionType`; beside `semantic` it is `action_id`.
fn name_action(given: &mut Map<String, Value>) -> Result<(), RequestError> {
    let named = given.remove("type");
    let semantic = given.remove("action_id").map(|it| ("/action_id", it));
    let semantic = semantic.or_else(|| given.remove("actionId").map(|it| ("/actionId", it)));
    let name = match (given.get("actionType").cloned().or(named), semantic) {
        (Some(kind), Some((place, name))) => {
            if kind != "semantic" {
                return Err(Refused::unknown_field(place));
            }
            Some(name)
        }
        (Some(kind), None) => Some(kind),
        (None, Some((place, _))) => return Err(Refused::unknown_field(place)),
        (None, None) => None,
    };
    given.extend(name.map(|it| ("actionType".to_owned(), it)));
    Ok(())
}

/// A single Ref is a list of one.
fn listed(given: &mut Map<String, Value>, key: &str) {
    for value in given.get_mut(key).and_then(Value::as_object_mut).into_iter().flat_map(|it| it.values_mut()) {
        if !value.is_array() {
            *value = Value::Array(vec![value.take()]);
        }
    }
}

/// How a value of a slot is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Refs only.
    Exact,
    /// Modes and abilities also by their bare names.
    Bare,
}

#[derive(Default)]
struct Slots(Map<String, Value>);

impl Slots {
    fn put(
        &mut self,
        slot: String,
        place: &str,
        value: Value,
        form: Form,
        places: &mut Places,
    ) -> Result<(), RequestError> {
        let items = if let Value::Array(items) = value { items } else { vec![value] };
        let bare = |it: Value| match it {
            Value::String(text) if form == Form::Bare && text.parse::<view::Ref>().is_err() => {
                Value::String(format!("text:{text}"))
            }
            other => other,
        };
        let value = Value::Array(items.into_iter().map(bare).collect());
        match self.0.get(&slot) {
            Some(other) if *other != value => {
                let message = "this is given twice, and not the same";
                Err(Refused::new("request/given_twice", message).at(place))
            }
            _ => {
                places.push((slot.clone(), place.to_owned()));
                self.0.insert(slot, value);
                Ok(())
            }
        }
    }
}

/// An answer in the one form: what stands at the top stands in `answers`.
pub fn answer(mut given: Map<String, Value>) -> Result<Map<String, Value>, RequestError> {
    known_version(&mut given)?;
    let mut answers = match given.remove("answers") {
        Some(Value::Object(answers)) => answers,
        Some(Value::Array(selection)) => Map::from_iter([("selection".to_owned(), Value::Array(selection))]),
        Some(_) => return Err(Refused::wrong_type("/answers", "answers is an object")),
        None => Map::new(),
    };
    for key in ["selection", "activate", "confirm", "targetId", "title", "actor", "isUserResponse"] {
        if let Some(value) = given.remove(key) {
            if answers.contains_key(key) {
                return Err(Refused::new("request/given_twice", "this is given twice").at(format!("/{key}")));
            }
            answers.insert(key.to_owned(), value);
        }
    }
    given.insert("answers".to_owned(), Value::Object(answers));
    Ok(given)
}
