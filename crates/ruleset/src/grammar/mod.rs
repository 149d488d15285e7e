//! The language as tables: what each object of a document may hold, and every operation with its parameters.
//! Checking, the JSON Schema and the reference pages all read these tables, so they cannot disagree.

mod engine_events;
mod ops;
mod pairs;
mod shapes;
mod types;
mod words;

pub use engine_events::{ENGINE_EVENTS, EngineEvent};
pub use ops::OPS;
pub(crate) use ops::Op;
pub use pairs::{Beside, PAIRS, Pair};
pub use shapes::{MODE, RULESET, SELECTOR};
pub use types::{TYPES, TypeWord};
pub use words::{Known, PROPERTIES, Property, REF_WORDS, RefWord};

/// An object with named fields.
#[derive(Debug)]
pub struct Shape {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: &'static [Field],
}

/// One field of an object, or one parameter of an operation.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub doc: &'static str,
}

/// What may stand in a field.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// A name that is declared here.
    Id,
    /// A name that is declared elsewhere.
    Name,
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The type of a field or parameter, such as `card` or `card[]`.
    Type,
    /// Anything: for clients, never read by rules.
    Any,
    /// An expression.
    Value,
    /// A condition.
    Condition,
    /// A list of conditions that must all hold.
    Conditions,
    /// A list of effects.
    Effects,
    /// A list of writes.
    Writes,
    /// A selector.
    Selector,
    /// The body of a definition: a condition, expression or list of effects.
    Body,
    /// An object of a shape.
    Object(&'static Shape),
    /// A list.
    List(&'static Kind),
    /// A single item, or a list of them.
    OneOrMany(&'static Kind),
    /// An object whose keys are names.
    Map(&'static Kind),
}

/// What class an operation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Gives a value; conditions are values that are true or false.
    Value,
    /// Does something, one child event at a time.
    Effect,
    /// Changes the match; only in an event type's `apply` list.
    Write,
}

/// One operation of the language.
#[derive(Debug)]
pub struct OpSpec {
    pub name: &'static str,
    pub(crate) op: Op,
    pub class: Class,
    pub params: &'static [Field],
    pub doc: &'static str,
    pub example: &'static str,
}

const fn req(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, required: true, doc }
}

const fn opt(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, required: false, doc }
}

const fn op(
    name: &'static str,
    op: Op,
    class: Class,
    params: &'static [Field],
    doc: &'static str,
    example: &'static str,
) -> OpSpec {
    OpSpec { name, op, class, params, doc, example }
}

/// The operation of a name in a class.
pub fn find_op(name: &str, class: Class) -> Option<&'static OpSpec> {
    OPS.iter().find(|it| it.name == name && it.class == class)
}
