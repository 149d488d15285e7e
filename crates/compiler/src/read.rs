//! Reads JSON into terms and remembers where everything stood.

use std::collections::BTreeSet;

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{ObjectPropName, Value},
    common::Ranged,
};
use ruleset::{
    Term,
    term::{Entry, Place, TermKind},
};

use crate::diagnostic::{Diagnostic, Severity};

/// How deep a document may nest; deeper ones are refused before anything recurses into them.
const DEPTH_MAX: usize = 96;

/// How long a document may be; a larger game is linked from several.
const BYTES_MAX: usize = 8 << 20;

/// How many items and keys a document may have.
const VALUES_MAX: usize = 200_000;

/// Every document read so far, and the place of every term in them.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    /// File and byte offset, by the number of the place.
    places: Vec<(usize, usize)>,
}

impl Sources {
    /// Reads one document.
    pub fn read(&mut self, name: &str, text: &str) -> Result<Term, Vec<Diagnostic>> {
        let file = self.files.len();
        let line_starts = core::iter::once(0).chain(text.match_indices('\n').map(|it| it.0 + 1)).collect();
        self.files.push(File { name: name.to_owned(), text: text.to_owned(), line_starts });
        if text.len() > BYTES_MAX {
            return Err(vec![self.at(file, 0, "json/too_large", format!("a document has at most {BYTES_MAX} bytes"))]);
        }
        if text.starts_with('\u{feff}') {
            let message = "begins with a byte order mark: save it as UTF-8 without one".to_owned();
            return Err(vec![self.at(file, 0, "json/byte_order_mark", message)]);
        }
        if let Some(offset) = text.find(char::REPLACEMENT_CHARACTER) {
            let message = "this is not UTF-8: save the document in that encoding".to_owned();
            return Err(vec![self.at(file, offset, "json/not_utf8", message)]);
        }
        if let Err((offset, code, message)) = survey(text) {
            return Err(vec![self.at(file, offset, code, message)]);
        }
        let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &strict());
        let value = match parsed {
            Ok(result) => result.value,
            Err(error) => {
                return Err(vec![self.at(file, error.range().start, "json/syntax", error.kind().to_string())]);
            }
        };
        let Some(value) = value else {
            return Err(vec![self.at(file, 0, "json/syntax", "the document is empty".to_owned())]);
        };
        let mut problems = Vec::new();
        let term = self.term(file, &value, 0, &mut problems);
        if problems.is_empty() { Ok(term) } else { Err(problems) }
    }

    fn place(&mut self, file: usize, offset: usize) -> Place {
        self.places.push((file, offset));
        Place(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
    }

    fn term(&mut self, file: usize, value: &Value<'_>, depth: usize, problems: &mut Vec<Diagnostic>) -> Term {
        let offset = value.range().start;
        let place = self.place(file, offset);
        if depth > DEPTH_MAX {
            problems.push(self.at(file, offset, "json/too_deep", format!("nested more than {DEPTH_MAX} deep")));
            return Term::new(place, TermKind::Null);
        }
        let kind = match value {
            Value::NullKeyword(_) => TermKind::Null,
            Value::BooleanLit(it) => TermKind::Bool(it.value),
            Value::StringLit(it) => TermKind::Text(it.value.to_string()),
            Value::NumberLit(it) => match it.value.parse::<i64>() {
                // The smallest number means "nothing" to the engine.
                Ok(number) if number != i64::MIN => TermKind::Int(number),
                _ => {
                    problems.push(self.at(
                        file,
                        offset,
                        "json/not_a_whole_number",
                        format!("not a whole number the engine can hold: {}", it.value),
                    ));
                    TermKind::Null
                }
            },
            Value::Array(it) => {
                TermKind::List(it.elements.iter().map(|e| self.term(file, e, depth + 1, problems)).collect())
            }
            Value::Object(it) => {
                let mut seen = BTreeSet::new();
                let entries = it.properties.iter().map(|prop| {
                    let key = match &prop.name {
                        ObjectPropName::String(name) => name.value.to_string(),
                        ObjectPropName::Word(name) => name.value.to_string(),
                    };
                    if !seen.insert(key.clone()) {
                        let message = format!("key is there twice: {key}");
                        problems.push(self.at(file, prop.range.start, "json/duplicate_key", message));
                    }
                    let place = self.place(file, prop.range.start);
                    Entry { key, place, value: self.term(file, &prop.value, depth + 1, problems) }
                });
                TermKind::Map(entries.collect())
            }
        };
        Term::new(place, kind)
    }

    fn at(&self, file: usize, offset: usize, code: &'static str, message: String) -> Diagnostic {
        // A document that was never found has no text to point into.
        let none = File { name: String::from("-"), text: String::new(), line_starts: vec![0] };
        let found = self.files.get(file).unwrap_or(&none);
        let offset = floor(&found.text, offset.min(found.text.len()));
        let line = found.line_starts.partition_point(|it| *it <= offset);
        let start = found.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        Diagnostic {
            severity: Severity::Error,
            file: found.name.clone(),
            line,
            column: column(&found.text[start..offset]),
            code,
            message,
            hint: None,
            source: found.text[start..].chars().take(160).take_while(|it| !matches!(it, '\n' | '\r')).collect(),
        }
    }

    /// A finding at the place of a term.
    pub fn diagnostic(&self, place: Place, code: &'static str, message: String) -> Diagnostic {
        let at = self.places.get(place.0 as usize).copied();
        let (file, offset) = at.unwrap_or((0, 0));
        self.at(file, offset, code, message)
    }
}

/// Looks over a text before anything is made of it: how deep it nests and how much there is.
fn survey(text: &str) -> Result<(), (usize, &'static str, String)> {
    let (mut depth, mut values, mut in_text, mut escaped) = (0_usize, 0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate() {
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if depth > DEPTH_MAX {
            return Err((offset, "json/too_deep", format!("nested more than {DEPTH_MAX} deep")));
        }
        if values > VALUES_MAX {
            return Err((offset, "json/too_large", format!("a document has at most {VALUES_MAX} values")));
        }
    }
    Ok(())
}

/// A document and where its lines begin.
#[derive(Debug)]
struct File {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

/// Counted in characters, in bytes where a line is so long that nobody reads it.
fn column(before: &str) -> usize {
    if before.len() > 10_000 { before.len() + 1 } else { before.chars().count() + 1 }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// JSON as the standard has it, nothing looser.
fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}
