//! Checks that a document has the shape of the grammar, and reports every place where it has not.
//! Owns structure only: names and types inside expressions are checked by `lower`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    grammar::{Beside, Field, Kind, PAIRS, Shape},
    names::camel,
    sort::Type,
    term::{Entry, Term, TermKind},
    violation::{Code, Violation},
};

/// Gives keys written with underscores the spelling of the grammar, so that both are one ruleset with one hash.
/// Keys that are names of the author's own are left as they are.
pub fn respell(term: &mut Term, shape: &Shape) {
    let TermKind::Map(entries) = &mut term.kind else {
        return;
    };
    for i in 0..entries.len() {
        let spelled = entries.get(i).map(|it| camel(&it.key)).unwrap_or_default();
        let is_other = entries.get(i).is_some_and(|it| it.key != spelled);
        let known = is_other && shape.fields.iter().any(|it| it.name == spelled);
        let taken = known && entries.iter().any(|it| it.key == spelled);
        let Some(entry) = entries.get_mut(i) else { continue };
        if known && !taken {
            entry.key = spelled;
        }
        if let Some(field) = shape.fields.iter().find(|it| it.name == entry.key) {
            respell_kind(&mut entry.value, field.kind);
        }
    }
}

fn respell_kind(term: &mut Term, kind: Kind) {
    match (kind, &mut term.kind) {
        (Kind::Object(shape), _) => respell(term, shape),
        (Kind::List(item) | Kind::OneOrMany(item), TermKind::List(items)) => {
            items.iter_mut().for_each(|it| respell_kind(it, *item));
        }
        (Kind::OneOrMany(item), _) => respell_kind(term, *item),
        (Kind::Map(item), TermKind::Map(entries)) => {
            entries.iter_mut().for_each(|it| respell_kind(&mut it.value, *item));
        }
        _ => {}
    }
}

/// Checks an object against a shape.
pub fn check(term: &Term, shape: &Shape, out: &mut Vec<Violation>) {
    if !term.is_map() {
        out.push(wrong(term, &format!("{} must be an object", shape.name)));
        return;
    }
    check_fields(term.entries(), shape.name, shape.fields, out);
    check_pairs(term, shape.name, out);
    report_missing(term, shape.name, shape.fields, out);
}

fn check_fields(entries: &[Entry], name: &str, fields: &[Field], out: &mut Vec<Violation>) {
    for entry in entries {
        match fields.iter().find(|it| it.name == entry.key) {
            Some(field) => check_kind(&entry.value, field.name, field.kind, out),
            None => out.push(unknown_key(entry, name, fields)),
        }
    }
}

/// Reports keys that do nothing beside the others of an object or operation.
pub fn check_pairs(term: &Term, name: &str, out: &mut Vec<Violation>) {
    for pair in PAIRS.iter().filter(|it| it.of == name) {
        let why = match pair.beside {
            Beside::Needs(other) => term.get(other).is_none().then(|| format!("without `{other}`")),
            Beside::Not(others) => {
                let found = others.iter().find(|it| term.get(it).is_some());
                found.map(|it| format!("beside `{it}`"))
            }
            Beside::Word(key, word, is_default) => {
                let fits = term.text_at(key).map_or(is_default, |it| it == word);
                (!fits).then(|| format!("unless `{key}` is `{word}`"))
            }
        };
        let Some(why) = why else { continue };
        for entry in term.entries().iter().filter(|it| pair.keys.contains(&it.key.as_str())) {
            let message = format!("{} does nothing in {name} {why}", entry.key);
            out.push(Violation::new(entry.place, Code::IdleKey, message));
        }
    }
}

fn report_missing(term: &Term, name: &str, fields: &[Field], out: &mut Vec<Violation>) {
    for field in fields.iter().filter(|it| it.required && term.get(it.name).is_none()) {
        let message = format!("{name} needs a key: {}", field.name);
        out.push(Violation::new(term.place, Code::MissingKey, message));
    }
}

/// A key that an object does not have, with those it has.
pub fn unknown_key(entry: &Entry, name: &str, fields: &[Field]) -> Violation {
    let options = fields.iter().map(|it| it.name.to_string()).collect();
    Violation::new(entry.place, Code::UnknownKey, format!("{name} has no key: {}", entry.key))
        .suggest(&camel(&entry.key), options)
}

/// Checks what stands in a field.
pub fn check_kind(term: &Term, name: &str, kind: Kind, out: &mut Vec<Violation>) {
    match kind {
        Kind::Text | Kind::Name => expect(term.text().is_some(), term, name, "a text", out),
        Kind::Id => check_id(term, name, out),
        Kind::Int => expect(term.int().is_some(), term, name, "a whole number", out),
        Kind::Bool => expect(term.bool().is_some(), term, name, "true or false", out),
        Kind::Word(words) => check_word(term, name, words, out),
        Kind::Type => check_type(term, name, out),
        Kind::Object(shape) => check(term, shape, out),
        Kind::List(item) => {
            expect(matches!(term.kind, TermKind::List(_)), term, name, "a list", out);
            term.items().iter().for_each(|it| check_kind(it, name, *item, out));
        }
        Kind::OneOrMany(item) => term.one_or_many().iter().for_each(|it| check_kind(it, name, *item, out)),
        Kind::Map(item) => {
            expect(term.is_map(), term, name, "an object", out);
            term.entries().iter().for_each(|it| check_kind(&it.value, &it.key, *item, out));
        }
        Kind::Effects | Kind::Writes | Kind::Conditions => {
            let is_list = matches!(term.kind, TermKind::List(_));
            let is_plain = matches!(kind, Kind::Conditions) && term.bool().is_some();
            expect(is_list || term.is_map() || is_plain, term, name, "a list", out);
        }
        Kind::Any | Kind::Value | Kind::Condition | Kind::Selector | Kind::Body => {}
    }
}

fn check_id(term: &Term, name: &str, out: &mut Vec<Violation>) {
    let fits = term
        .text()
        .is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    expect(fits, term, name, "a name of letters, digits, `_` and `-`", out);
}

fn check_word(term: &Term, name: &str, words: &[&str], out: &mut Vec<Violation>) {
    let Some(text) = term.text() else {
        return expect(false, term, name, "a word", out);
    };
    if !words.contains(&text) {
        let options = words.iter().map(ToString::to_string).collect::<Vec<String>>();
        let message = format!("{name} must be one of {}: {text}", options.join(", "));
        out.push(Violation::new(term.place, Code::UnknownWord, message).suggest(text, options));
    }
}

fn check_type(term: &Term, name: &str, out: &mut Vec<Violation>) {
    let text = term.text().map(|it| it.strip_suffix('?').unwrap_or(it));
    if text.is_none_or(|it| it != "newCard" && Type::parse(it).is_none()) {
        let options = crate::sort::SORT_NAMES.iter().map(|it| it.0.to_string()).collect();
        let message = format!("{name} must be a type: {}", text.unwrap_or(term.noun()));
        out.push(Violation::new(term.place, Code::WrongType, message).suggest(text.unwrap_or(""), options));
    }
}

fn expect(fits: bool, term: &Term, name: &str, what: &str, out: &mut Vec<Violation>) {
    if !fits {
        out.push(wrong(term, &format!("{name} must be {what}, not {}", term.noun())));
    }
}

fn wrong(term: &Term, message: &str) -> Violation {
    Violation::new(term.place, Code::WrongType, message)
}
