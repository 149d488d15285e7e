//! Reads JSON into terms and remembers where everything stood.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{ObjectPropName, Value},
    common::Ranged,
};
use ruleset::{
    Term,
    term::{Entry, Place, TermKind},
};

use crate::diagnostic::Diagnostic;

/// How deep a document may nest; deeper ones are refused before anything recurses into them.
const DEPTH_MAX: usize = 96;

/// How long a document may be.
const BYTES_MAX: usize = 16 << 20;

/// Every document read so far, and the place of every term in them.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<(String, String)>,
    /// File and byte offset, by the number of the place.
    places: Vec<(usize, usize)>,
}

impl Sources {
    /// Reads one document.
    pub fn read(&mut self, name: &str, text: &str) -> Result<Term, Vec<Diagnostic>> {
        let file = self.files.len();
        self.files.push((name.to_owned(), text.to_owned()));
        if text.len() > BYTES_MAX {
            return Err(vec![self.at(file, 0, "json/too_large", format!("a document has at most {BYTES_MAX} bytes"))]);
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
                let entries = it.properties.iter().map(|prop| {
                    let key = match &prop.name {
                        ObjectPropName::String(name) => name.value.to_string(),
                        ObjectPropName::Word(name) => name.value.to_string(),
                    };
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
        let none = (String::from("-"), String::new());
        let (name, text) = self.files.get(file).unwrap_or(&none);
        let offset = offset.min(text.len());
        let before = &text[..floor(text, offset)];
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let source = text[start..].lines().next().unwrap_or_default();
        Diagnostic {
            file: name.clone(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            code,
            message,
            hint: None,
            source: source.chars().take(160).collect(),
        }
    }

    /// A finding at the place of a term.
    pub fn diagnostic(&self, place: Place, code: &'static str, message: String) -> Diagnostic {
        let at = self.places.get(place.0 as usize).copied();
        let (file, offset) = at.unwrap_or((0, 0));
        self.at(file, offset, code, message)
    }
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
