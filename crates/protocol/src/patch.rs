//! RFC 7396 merge patches: what turns one object into another, and how one is applied.

use serde_json::{Map, Value};

/// What turns one value into another; none if they are equal. Exact as long as neither holds a null.
pub fn between(old: &Value, new: &Value) -> Option<Value> {
    match (old, new) {
        _ if old == new => None,
        (Value::Object(old), Value::Object(new)) => {
            let mut patch = Map::new();
            for key in old.keys().filter(|it| !new.contains_key(*it)) {
                patch.insert(key.clone(), Value::Null);
            }
            for (key, new) in new {
                let change = old.get(key).map_or_else(|| Some(new.clone()), |old| between(old, new));
                patch.extend(change.map(|it| (key.clone(), it)));
            }
            Some(Value::Object(patch))
        }
        _ => Some(new.clone()),
    }
}

/// Applies a patch.
pub fn apply(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (key, change) in patch {
        if change.is_null() {
            target.remove(key);
        } else {
            apply(target.entry(key.clone()).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patches_are_applied_as_the_rfc_says() {
        let cases = [
            (json!({ "a": "b" }), json!({ "a": "c" }), json!({ "a": "c" })),
            (json!({ "a": "b" }), json!({ "b": "c" }), json!({ "a": "b", "b": "c" })),
            (json!({ "a": "b" }), json!({ "a": null }), json!({})),
            (json!({ "a": ["b"] }), json!({ "a": "c" }), json!({ "a": "c" })),
            (json!({ "a": { "b": "c" } }), json!({ "a": { "b": "d", "c": null } }), json!({ "a": { "b": "d" } })),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({}), json!({ "a": { "bb": { "ccc": null } } }), json!({ "a": { "bb": {} } })),
        ];
        for (mut target, patch, expected) in cases {
            apply(&mut target, &patch);
            assert_eq!(target, expected, "{patch}");
        }
    }

    #[test]
    fn what_was_found_between_two_leads_from_one_to_the_other() {
        let old = json!({ "cards": { "c1": { "values": { "health": 1 } }, "c2": {} }, "stack": [1], "turn": 1 });
        let new = json!({ "cards": { "c1": {}, "c3": { "def": "hawk" } }, "stack": [], "turn": 1 });
        let patch = between(&old, &new).expect("they differ");
        assert_eq!(
            patch,
            json!({ "cards": { "c1": { "values": null }, "c2": null, "c3": { "def": "hawk" } }, "stack": [] })
        );
        let mut target = old;
        apply(&mut target, &patch);
        assert_eq!(target, new);
    }
}
