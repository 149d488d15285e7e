//! What a ruleset says for clients only, as a value on the wire.

use ruleset::term::{Term, TermKind};
use selector::Value;

/// A term as JSON; no rule ever looks at it.
pub fn value(term: &Term) -> view::Json {
    view::Json(plain(term))
}

fn plain(term: &Term) -> Value {
    match &term.kind {
        TermKind::Null => Value::Null,
        TermKind::Bool(it) => Value::Bool(*it),
        TermKind::Int(it) => Value::Integer(*it),
        TermKind::Text(it) => it.as_str().into(),
        TermKind::List(items) => Value::List(items.iter().map(plain).collect()),
        TermKind::Map(entries) => Value::object(entries.iter().map(|it| (it.key.as_str(), plain(&it.value)))),
    }
}
