//! The answer to a question, and how one item of it is read.

use alloc::string::String;

use crate::label::{Label, LabelRef};
use crate::selector::Selector;
use crate::value::Value;

/// An answer. Who may give it is the host's to check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The player who answers.
    pub actor: Option<String>,
    /// The title of the question that is answered.
    pub title: Option<Label>,
    /// What was picked: a list; for a freeform question any value; null if nothing was given.
    pub selection: Value,
    /// Set by the host for a player's own answer; a client's value is not to be trusted.
    pub is_user_response: bool,
}

impl Response {
    /// Builds an answer to a selector from what is picked.
    pub fn to<V: Into<Value>>(
        selector: &Selector,
        selection: impl IntoIterator<Item = V>,
    ) -> Response {
        Response {
            actor: Some(selector.actor.clone()),
            title: selector.title.clone(),
            selection: Value::List(selection.into_iter().map(Into::into).collect()),
            is_user_response: false,
        }
    }

    /// Returns what was picked, if it is a list.
    pub fn items(&self) -> Option<&[Value]> {
        self.selection.as_list()
    }
}

/// What validation needs to know of one picked item.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) title: Option<LabelRef<'a>>,
    pub(crate) id: Option<LabelRef<'a>>,
    pub(crate) selection: Option<&'a Value>,
}

impl<'a> Item<'a> {
    /// Reads an item: a bare text or number is a title, an object names its parts.
    pub(crate) fn read(value: &'a Value) -> Self {
        let label = |name| value.field(name).and_then(Value::as_label);
        Item {
            title: value.as_label().or_else(|| label("title")),
            id: label("id"),
            selection: value.field("selection").filter(|it| it.as_list().is_some()),
        }
    }
}
