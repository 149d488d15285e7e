//! Why a request of a player is refused, with its place in the request and the reasons in the ruleset's own words.

use selector::Refusal;
use view::Ref;

use crate::rejection::Rejection;

/// Why a request is refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Stable; for programs.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// The place in the request, as a JSON pointer.
    pub pointer: Option<String>,
    /// Conditions that do not hold, in words, with whom they are about.
    pub reasons: Vec<Reason>,
    /// The version of the match, if the request was made for another.
    pub conflict: Option<u32>,
    /// What a move by hand could have meant.
    pub candidates: Vec<Meant>,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub text: String,
    pub about: Option<Ref>,
}

/// An action that a move by hand could mean, as the player would ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    pub action: String,
    /// What would fill its slots, by the names of the slots.
    pub targets: Vec<(String, Vec<Ref>)>,
}

impl Refused {
    /// A refusal with a code and a sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, pointer: None, reasons: Vec::new(), conflict: None, candidates: Vec::new() }
    }

    /// The same, about a place of the request.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// The same, since a condition does not hold.
    #[must_use]
    pub fn because(mut self, text: impl Into<String>, about: Option<Ref>) -> Self {
        self.reasons.push(Reason { text: text.into(), about });
        self
    }

    /// A field of the wrong type.
    pub fn wrong_type(pointer: &str, message: &str) -> Self {
        Self::new("request/wrong_type", message).at(pointer)
    }

    /// A field that requests of this kind do not have.
    pub fn unknown_field(pointer: &str) -> Self {
        Self::new("request/unknown_field", format!("there is no such field: {pointer}")).at(pointer)
    }

    /// A field that is missing.
    pub fn missing_field(pointer: &str, message: &str) -> Self {
        Self::new("request/missing_field", message).at(pointer)
    }

    /// A Ref that names nothing the player sees or may use here.
    pub fn unknown_name(pointer: &str, name: &str) -> Self {
        Self::new("request/unknown_name", format!("nothing you see is called so: {name}")).at(pointer)
    }

    /// A title that several choices have.
    pub fn ambiguous_title(pointer: &str, title: &str) -> Self {
        Self::new("answer/ambiguous_title", format!("several choices have this title, say which by its id: {title}"))
            .at(pointer)
    }

    /// An answer that does not fit its question.
    pub fn of_answer(refusal: Refusal) -> Self {
        let inner = refusal.innermost();
        let path: String = refusal.path().iter().map(|it| format!("/{it}/selection")).collect();
        let pointer = match inner {
            Refusal::NotInChoices { .. } | Refusal::Exclusive { .. } => {
                path.strip_suffix("/selection").unwrap_or(&path)
            }
            Refusal::Title { .. }
            | Refusal::Count { .. }
            | Refusal::Fraction
            | Refusal::IntegerRange
            | Refusal::TooDeep
            | Refusal::TooLarge => path.as_str(),
        };
        let rejection = Rejection::Common(script::Rejection::Refused(inner.clone()));
        Self::new(rejection.code(), inner.to_string()).at(format!("/answers/selection{pointer}"))
    }
}

impl From<Rejection> for Refused {
    fn from(it: Rejection) -> Self {
        if let Rejection::Common(script::Rejection::Refused(refusal)) = it {
            return Self::of_answer(refusal);
        }
        Self { conflict: it.conflict(), ..Self::new(it.code(), it.to_string()) }
    }
}

impl From<script::Rejection> for Refused {
    fn from(it: script::Rejection) -> Self {
        Rejection::Common(it).into()
    }
}
