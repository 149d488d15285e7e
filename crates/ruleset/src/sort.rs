//! The types of values in conditions, effects and events.

use core::fmt;

/// What kind of thing one value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// A card.
    Card,
    /// A player.
    Player,
    /// A card or a player.
    Entity,
    /// An event on the stack.
    Event,
    /// A kind of zone.
    Zone,
    /// An attribute or resource.
    Attribute,
    /// An attribute that players have.
    Resource,
    /// A keyword.
    Keyword,
    /// A card definition.
    Def,
    /// A card type.
    CardType,
    /// An event type.
    EventType,
    /// The name of an ability.
    Ability,
    /// A phase.
    Phase,
    /// A step.
    Step,
    /// What several players answered.
    Answers,
    /// Where an answer came from.
    Origin,
}

/// A sort, or a list of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub sort: Sort,
    pub many: bool,
}

impl Type {
    /// One whole number.
    pub const INT: Type = Type::one(Sort::Int);
    /// One truth value.
    pub const BOOL: Type = Type::one(Sort::Bool);
    /// One card.
    pub const CARD: Type = Type::one(Sort::Card);
    /// One player.
    pub const PLAYER: Type = Type::one(Sort::Player);

    /// The type of one value.
    pub const fn one(sort: Sort) -> Self {
        Self { sort, many: false }
    }

    /// The type of a list.
    pub const fn list(sort: Sort) -> Self {
        Self { sort, many: true }
    }

    /// Reads the name a field's or parameter's type is written with, `card` or `card[]`.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, many) = text.strip_suffix("[]").map_or((text, false), |it| (it, true));
        Some(Self { sort: Sort::parse(name)?, many })
    }

    /// Whether a value of this type can stand where `want` is expected.
    pub fn fits(self, want: Type) -> bool {
        (self.many == want.many || want.many) && self.sort.fits(want.sort)
    }
}

/// The sorts an author can name, with their names.
pub const SORT_NAMES: &[(&str, Sort)] = &[
    ("int", Sort::Int),
    ("bool", Sort::Bool),
    ("card", Sort::Card),
    ("player", Sort::Player),
    ("entity", Sort::Entity),
    ("event", Sort::Event),
    ("zone", Sort::Zone),
    ("attribute", Sort::Attribute),
    ("resource", Sort::Resource),
    ("keyword", Sort::Keyword),
    ("cardDef", Sort::Def),
    ("cardType", Sort::CardType),
    ("eventType", Sort::EventType),
    ("ability", Sort::Ability),
    ("phase", Sort::Phase),
    ("step", Sort::Step),
    ("answers", Sort::Answers),
    ("origin", Sort::Origin),
];

impl Sort {
    fn parse(name: &str) -> Option<Self> {
        SORT_NAMES.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// Whether this sort can stand for `want`.
    pub fn fits(self, want: Sort) -> bool {
        self == want
            || (want == Sort::Entity && matches!(self, Sort::Card | Sort::Player))
            || (want == Sort::Attribute && self == Sort::Resource)
    }

    /// The name of the sort in messages and documents.
    pub fn name(self) -> &'static str {
        SORT_NAMES.iter().find(|it| it.1 == self).map_or("value", |it| it.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sort.name())?;
        if self.many { f.write_str("[]") } else { Ok(()) }
    }
}
