//! The reference pages, made from the grammar and from the documents of a library, so that they cannot be old.

use std::fmt::Write as _;

use ruleset::{
    Term,
    grammar::{
        Class, ENGINE_EVENTS, EngineEvent, Field, Kind, OPS, OpSpec, PROPERTIES, REF_WORDS, RULESET, SELECTOR, Shape,
        TYPES,
    },
    limits::Limits,
};

use crate::library::Memory;

/// A page: the name of its file, and its text.
pub struct Page {
    pub name: &'static str,
    pub text: String,
}

const NOTE: &str = "<!-- Made by `UPDATE_EXPECT=1 cargo nextest run -p compiler`; do not edit. -->\n\n";

/// All pages; the library's from its linked document.
pub fn pages(library: &Term) -> Vec<Page> {
    vec![
        Page { name: "documents.md", text: documents() },
        Page { name: "operations.md", text: operations() },
        Page { name: "words.md", text: words() },
        Page { name: "library.md", text: self::library(library) },
    ]
}

/// What each object of a document may hold.
fn documents() -> String {
    let mut shapes: Vec<&'static Shape> = Vec::new();
    gather(&RULESET, &mut shapes);
    gather(&SELECTOR, &mut shapes);
    // What only operations hold, such as modes.
    OPS.iter().flat_map(|it| it.params).filter_map(|it| inner_shape(it.kind)).for_each(|it| gather(it, &mut shapes));
    let mut out = format!("{NOTE}# Documents\n\nWhat each object of a ruleset may hold. **Bold** keys are required.\n");
    for shape in shapes {
        let _ = write!(out, "\n## `{}`\n\n{}\n\n", shape.name, shape.doc);
        fields(shape.fields, &mut out);
    }
    limits(&mut out);
    out
}

/// The names of limits, with how high they are and can be.
fn limits(out: &mut String) {
    out.push_str("\n## Limits\n\nWhat `limits` can lower or raise; each is at least 1.\n\n");
    out.push_str("| Name | Limits | Unless said | At most |\n|---|---|---|---|\n");
    for (name, text) in Limits::NAMES {
        let mut usual = Limits::DEFAULT;
        let (usual, highest) = (usual.named(name).copied().unwrap_or(0), Limits::highest(name).unwrap_or(0));
        let _ = writeln!(out, "| `{name}` | {text} | {usual} | {highest} |");
    }
}

/// All shapes that can be reached from one, each once, in order of first mention.
fn gather(shape: &'static Shape, found: &mut Vec<&'static Shape>) {
    if found.iter().any(|it| it.name == shape.name) {
        return;
    }
    found.push(shape);
    for inner in shape.fields.iter().filter_map(|it| inner_shape(it.kind)) {
        gather(inner, found);
    }
}

fn inner_shape(kind: Kind) -> Option<&'static Shape> {
    match kind {
        Kind::Object(shape) => Some(shape),
        Kind::List(inner) | Kind::OneOrMany(inner) | Kind::Map(inner) => inner_shape(*inner),
        _ => None,
    }
}

fn fields(fields: &[Field], out: &mut String) {
    if fields.is_empty() {
        out.push_str("It has no parameters.\n");
        return;
    }
    out.push_str("| Key | Holds | Meaning |\n|---|---|---|\n");
    for field in fields {
        let name = if field.required { format!("**`{}`**", field.name) } else { format!("`{}`", field.name) };
        let _ = writeln!(out, "| {name} | {} | {} |", kind(field.kind), field.doc.replace('|', "\\|"));
    }
}

fn kind(of: Kind) -> String {
    match of {
        Kind::Text => "text".to_owned(),
        Kind::Id => "a new name".to_owned(),
        Kind::Name => "a name".to_owned(),
        Kind::Int => "a whole number".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::Word(words) => words.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "),
        Kind::Type => "a type".to_owned(),
        Kind::Any => "anything".to_owned(),
        Kind::Value => "a value".to_owned(),
        Kind::Condition => "a condition".to_owned(),
        Kind::Conditions => "conditions".to_owned(),
        Kind::Effects => "effects".to_owned(),
        Kind::Writes => "writes".to_owned(),
        Kind::Selector => "a [selector](documents.md#selector)".to_owned(),
        Kind::Body => "a condition, value or effects".to_owned(),
        Kind::Object(shape) => format!("[{0}](documents.md#{1})", shape.name, shape.name.to_lowercase()),
        Kind::List(inner) => format!("a list: {}", kind(*inner)),
        Kind::OneOrMany(inner) => format!("one or a list: {}", kind(*inner)),
        Kind::Map(inner) => format!("an object by name: {}", kind(*inner)),
    }
}

/// Every operation of the engine.
fn operations() -> String {
    let mut out = format!(
        "{NOTE}# Operations\n\nEverything the engine itself can do; all else is [defined](library.md) with these.\n"
    );
    let classes = [
        (Class::Value, "Values and conditions", "Give a value; a condition is a value that is true or false."),
        (Class::Effect, "Effects", "What actions, reactions, abilities, steps and the set-up do, one after the other."),
        (Class::Write, "Writes", "What applying an event changes; only in the `apply` list of an event type."),
    ];
    for (class, title, text) in classes {
        let _ = write!(out, "\n## {title}\n\n{text}\n");
        OPS.iter().filter(|it| it.class == class).for_each(|it| operation(it, &mut out));
    }
    out
}

fn operation(op: &OpSpec, out: &mut String) {
    let _ = write!(out, "\n### `{}`\n\n{}\n\n", op.name, op.doc);
    fields(op.params, out);
    let _ = write!(out, "\n```json\n{}\n```\n", op.example);
}

/// Everything a library declares.
fn library(root: &Term) -> String {
    let mut out = format!(
        "{NOTE}# The standard library\n\nWritten in the language itself, in `games/std`. A ruleset includes it and \
         overrides what it wants otherwise, by name.\n"
    );
    out.push_str("\n## Definitions\n\nUsed like operations.\n");
    root.list_at("define").iter().for_each(|it| definition(it, &mut out));
    out.push_str("\n## Events\n\nEmitted by an operation of the same name with underscores; rules answer the event before it happens, or the fact after.\n");
    root.list_at("events").iter().for_each(|it| event(it, &mut out));
    out.push_str("\n## Keywords\n\n| Keyword | Meaning |\n|---|---|\n");
    for it in root.list_at("keywords") {
        let _ = writeln!(out, "| `{}` | {} |", id(it), it.text_at("text").unwrap_or_default());
    }
    out.push_str("\n## Zones and attributes\n\n| Name | What |\n|---|---|\n");
    root.list_at("zones").iter().for_each(|it| {
        let _ = writeln!(out, "| `{}` | zone {} |", id(it), it.text_at("name").unwrap_or_default());
    });
    root.list_at("attributes").iter().for_each(|it| {
        let _ = writeln!(out, "| `{}` | attribute {} |", id(it), it.text_at("name").unwrap_or_default());
    });
    out.push_str("\nWhat happens in every game is in the [reference of words](words.md#events-of-the-engine).\n");
    out
}

/// Every word of `ref`, property and type, and the engine's own events.
fn words() -> String {
    let mut out = format!(
        "{NOTE}# Words\n\nWhat `{{\"ref\": ...}}` can speak of, the types of values, and the events every game has.\n"
    );
    out.push_str(
        "\n## Words of `ref`\n\nA `ref` begins with a variable (a slot, a parameter, a field, `let`, `as`) or with one of \
         these words. Where a value is expected, the word alone does as well.\n",
    );
    for it in REF_WORDS {
        let known = it.known.as_str();
        let _ = write!(out, "\n### `{}` (`{}`)\n\n{}\nIt is known {known}.\n", it.name, it.ty, it.doc);
        let _ = write!(out, "\n```json\n{}\n```\n", it.example);
    }
    out.push_str("\n## Properties\n\nThey stand behind a dot, as attributes of cards and players do: `self.owner`, `self.health`.\n");
    for it in PROPERTIES {
        let of: Vec<String> = it.of.iter().map(|sort| format!("`{}`", sort.name())).collect();
        let _ = write!(out, "\n### `.{}` of {}\n\n{} It is a `{}`.\n", it.name, of.join(", "), it.doc, it.ty);
        let _ = write!(out, "\n```json\n{}\n```\n", it.example);
    }
    out.push_str("\n## Types\n\nThe types of fields and parameters. `[]` behind one means a list of it; `?` behind that of a field means that it may be left out; `newCard` is a card that the event creates.\n\n");
    out.push_str("| Type | What it is | A value |\n|---|---|---|\n");
    for it in TYPES {
        let _ = writeln!(out, "| `{}` | {} | `{}` |", it.name, it.doc, it.example);
    }
    out.push_str("\n## Events of the engine\n\nWhat happens in every game; rules can answer them.\n");
    engine_events().iter().for_each(|it| engine_event(it, &mut out));
    out
}

/// The engine's own event types with their fields, as a compiled ruleset has them.
pub fn engine_events() -> Vec<(&'static EngineEvent, Vec<(String, String)>)> {
    let smallest = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] } }"#;
    let ruleset = crate::compile("smallest", &Memory::default().with("smallest", smallest));
    let program = ruleset.as_ref().ok().map(ruleset::Ruleset::program);
    let fields = |it: &EngineEvent| {
        let row = program.and_then(|all| Some((all.event(it.kind.id())?, all.text.events.get(it.kind.id().index())?)));
        let fields = row.map(|(event, text)| text.fields.iter().zip(&event.fields));
        fields.into_iter().flatten().map(|(name, ty)| (name.clone(), ty.to_string())).collect()
    };
    ENGINE_EVENTS.iter().map(|it| (it, fields(it))).collect()
}

fn engine_event((event, fields): &(&EngineEvent, Vec<(String, String)>), out: &mut String) {
    let _ = write!(out, "\n### `{:?}`\n\n{}\n\n", event.kind, event.doc);
    if fields.is_empty() {
        out.push_str("It has no fields.\n");
    } else {
        out.push_str("| Field | Type | What it says |\n|---|---|---|\n");
    }
    for (name, ty) in fields {
        let doc = event.fields.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        let _ = writeln!(out, "| `{name}` | `{ty}` | {doc} |");
    }
    let _ = write!(out, "\n```json\n{}\n```\n", event.example);
}

fn id(term: &Term) -> &str {
    term.text_at("id").unwrap_or_default()
}

fn definition(term: &Term, out: &mut String) {
    let kind = term.text_at("kind").unwrap_or_default();
    let _ = write!(out, "\n### `{}`\n\n{} ({kind})\n\n", id(term), term.text_at("text").unwrap_or_default());
    let params = term.get("params").map_or(&[][..], Term::entries);
    params_table(params.iter().map(|it| (it.key.as_str(), &it.value)), out);
    let _ = write!(out, "\n```json\n{}\n```\n", example(term));
}

fn params_table<'t>(params: impl Iterator<Item = (&'t str, &'t Term)>, out: &mut String) {
    let mut params = params.peekable();
    if params.peek().is_none() {
        out.push_str("It has no parameters.\n");
        return;
    }
    out.push_str("| Parameter | Type | Without it |\n|---|---|---|\n");
    for (name, spec) in params {
        let ty = spec.text().or_else(|| spec.text_at("type")).unwrap_or_default();
        let default = match (spec.get("default"), ty) {
            (Some(value), _) => format!("`{}`", json(value)),
            (None, "player") => "the player who acts".to_owned(),
            (None, ty) if ty.ends_with('?') => "nothing".to_owned(),
            (None, "newCard") => "a new card".to_owned(),
            (None, _) => "required".to_owned(),
        };
        let _ = writeln!(out, "| `{name}` | `{ty}` | {default} |");
    }
}

fn event(term: &Term, out: &mut String) {
    let fact = term.text_at("fact").filter(|it| *it != "none");
    let fact = fact.map_or(String::new(), |it| format!(" Happened, it is `{it}`."));
    let _ = write!(out, "\n### `{}`\n\n{}{fact}\n\n", id(term), term.text_at("doc").unwrap_or_default());
    let fields = term.get("fields").map_or(&[][..], Term::entries);
    params_table(fields.iter().map(|it| (it.key.as_str(), &it.value)), out);
    let _ = write!(out, "\n```json\n{}\n```\n", example(term));
}

/// How a definition or event is used, with something fitting for everything it needs.
pub fn example(term: &Term) -> String {
    let is_event = term.text_at("kind").is_none();
    let params = term.get(if is_event { "fields" } else { "params" }).map_or(&[][..], Term::entries);
    let op = if is_event { ruleset::snake(id(term)) } else { id(term).to_owned() };
    let mut out = format!("{{ \"op\": \"{op}\"");
    for entry in params {
        let ty = entry.value.text().or_else(|| entry.value.text_at("type")).unwrap_or_default();
        if entry.value.get("default").is_none() && !ty.ends_with('?') && ty != "newCard" {
            let _ = write!(out, ", \"{}\": {}", entry.key, sample(ty));
        }
    }
    out.push_str(" }");
    out
}

/// Something of a type, as it would stand in an ability of a card.
fn sample(ty: &str) -> &'static str {
    match ty.trim_end_matches("[]") {
        "int" => "1",
        "bool" => "true",
        "card" | "entity" => "\"self\"",
        "player" => "\"controller\"",
        "zone" => "\"hand\"",
        "attribute" => "\"health\"",
        "resource" => "\"mana\"",
        "keyword" => "\"haste\"",
        "cardDef" => "\"squire\"",
        "ability" => "\"Strike\"",
        "phase" => "\"main\"",
        "event" => "{ \"ref\": \"cause\" }",
        _ => "null",
    }
}

fn json(term: &Term) -> String {
    use ruleset::term::TermKind;
    match &term.kind {
        TermKind::Null => "nothing".to_owned(),
        TermKind::Bool(value) => value.to_string(),
        TermKind::Int(value) => value.to_string(),
        TermKind::Text(text) => text.clone(),
        TermKind::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        TermKind::Map(entries) => {
            let entries = entries.iter().map(|it| format!("{}: {}", it.key, json(&it.value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
