//! One reason of an explanation, and those it rests on.

use std::fmt;

use engine::explain::{Seen, Story};
use ruleset::{
    clause::Role,
    sort::{Sort, Type},
};
use serde::{Deserialize, Serialize};

use super::Names;

/// Something that holds or does not, with what it looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    pub text: String,
    /// Absent where it is not decided, or not for the viewer to know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub holds: Option<bool>,
    /// What it looks at, as `name = value`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<Reason>,
}

impl Reason {
    /// A reason that stands for itself.
    pub fn plain(text: impl Into<String>, holds: Option<bool>) -> Self {
        Self { text: text.into(), holds, ..Self::default() }
    }

    /// A reason that rests on a condition.
    pub fn on(text: impl Into<String>, holds: Option<bool>, story: Option<&Story>, names: &dyn Names) -> Self {
        let told = story.map(|it| Self::told(it, names));
        // A list of conditions is its conditions.
        let is_list = story.is_some_and(|it| it.role == Role::All && !it.parts.is_empty());
        let parts = told.map(|it| if is_list { it.parts } else { vec![it] }).unwrap_or_default();
        Self { parts, ..Self::plain(text, holds) }
    }

    /// A condition, told.
    pub fn told(story: &Story, names: &dyn Names) -> Self {
        let mut values = Vec::new();
        look(story, names, &mut values);
        let conditions: Vec<&Story> = story.parts.iter().filter(|it| it.ty == Type::BOOL).collect();
        // The body of a definition is what the definition says.
        let inner = match (story.role, conditions.as_slice()) {
            (Role::Use, [body]) if body.role == Role::All => body.parts.iter().collect(),
            _ => conditions,
        };
        Self {
            text: story.text.clone(),
            holds: story.holds(),
            values,
            parts: inner.iter().map(|it| Self::told(it, names)).collect(),
        }
    }

    /// The innermost parts that decide that it does not hold.
    pub fn roots(&self) -> Vec<&Reason> {
        let failing: Vec<&Reason> = self.parts.iter().filter(|it| it.holds == Some(false)).collect();
        match (self.holds, failing.is_empty()) {
            (Some(false), true) => vec![self],
            _ => failing.into_iter().flat_map(Reason::roots).collect(),
        }
    }

    /// Writes it and what it rests on, each deeper than what rests on it.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let mark = self.holds.map_or("-  ", |it| if it { "yes" } else { "no " });
        let looked_at = if self.values.is_empty() { String::new() } else { format!("  ({})", self.values.join(", ")) };
        writeln!(f, "{:indent$}{mark} {}{looked_at}", "", self.text, indent = depth * 2)?;
        self.parts.iter().try_for_each(|it| it.write(f, depth + 1))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// What a clause looks at, and what that looks at, each once.
fn look(story: &Story, names: &dyn Names, values: &mut Vec<String>) {
    for it in story.parts.iter().filter(|it| it.ty != Type::BOOL) {
        let value = shown(it, names);
        let line = format!("{} = {value}", it.text);
        if it.text != value && !values.contains(&line) {
            values.push(line);
        }
        look(it, names, values);
    }
}

fn shown(story: &Story, names: &dyn Names) -> String {
    match &story.seen {
        Seen::Value(value) => names.name(*value, story.ty),
        Seen::Hidden => "hidden".to_owned(),
        Seen::List(_) if story.ty.sort == Sort::Answers => "answers".to_owned(),
        Seen::List(items) => {
            let items: Vec<String> = items.iter().map(|it| names.name(*it, Type::one(story.ty.sort))).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
