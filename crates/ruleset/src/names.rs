//! The names a ruleset declares, with the numbers they get. Owns look-up; what the names mean is in `lower`.

use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// A kind of zone.
    Zone,
    /// An attribute or resource.
    Attribute,
    /// A card type.
    CardType,
    /// A keyword.
    Keyword,
    /// A card definition.
    Card,
    /// An event type, by the name of the intent or the fact.
    Event,
    /// A phase.
    Phase,
    /// A step.
    Step,
    /// An ability.
    Ability,
}

impl Space {
    /// The word for one such thing in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Zone => "zone",
            Self::Attribute => "attribute or resource",
            Self::CardType => "card type",
            Self::Keyword => "keyword",
            Self::Card => "card",
            Self::Event => "event type",
            Self::Phase => "phase",
            Self::Step => "step",
            Self::Ability => "ability",
        }
    }
}

/// All names, by space.
#[derive(Debug, Default)]
pub struct Names {
    spaces: BTreeMap<Space, BTreeMap<String, u16>>,
}

impl Names {
    /// Declares a name; false if the space has it already.
    pub fn declare(&mut self, space: Space, name: &str, number: u16) -> bool {
        self.spaces.entry(space).or_default().insert(name.to_owned(), number).is_none()
    }

    /// The number of a name.
    pub fn find(&self, space: Space, name: &str) -> Option<u16> {
        self.spaces.get(&space)?.get(name).copied()
    }

    /// All names of a space, for suggestions.
    pub fn all(&self, space: Space) -> Vec<String> {
        self.spaces.get(&space).map(|it| it.keys().cloned().collect()).unwrap_or_default()
    }

    /// The number of a name, declaring it where it is new.
    pub fn intern(&mut self, space: Space, name: &str) -> u16 {
        let names = self.spaces.entry(space).or_default();
        let next = u16::try_from(names.len()).unwrap_or(u16::MAX);
        *names.entry(name.to_string()).or_insert(next)
    }
}

/// `PascalCase` of a name with underscores.
pub fn pascal(name: &str) -> String {
    name.split('_').flat_map(capitalized).collect()
}

fn capitalized(word: &str) -> impl Iterator<Item = char> {
    let mut letters = word.chars();
    letters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(letters)
}

/// `snake_case` of a name in camel or Pascal case.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && i > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// Whether two spellings are one name: `max_size` and `maxSize` are.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || camel(a) == camel(b)
}

/// `camelCase` of a key with underscores, so that both spellings load.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut acc, word| {
        acc.extend(capitalized(word));
        acc
    })
}
