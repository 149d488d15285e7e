//! The author's mistakes: what a game asked of the table that cannot be. They stop the match, the same everywhere.

use alloc::string::String;
use core::fmt;

use selector::Violation;

/// Why a game cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A selector that no answer can satisfy.
    BadSelector(Violation),
    /// A request without a selector.
    NobodyAsked,
    /// A request for somebody who does not sit at the table.
    UnknownActor(String),
    /// Two selectors for one player in one request.
    AskedTwice(String),
    /// A request while another one is open.
    RequestOpen,
    /// The game waits for something that is no request, which nobody can answer.
    Stuck,
    /// Automatic answers follow one another without end.
    ForcedLoop,
    /// One answer causes more work than allowed.
    TooMuchWork,
    /// A handle of a card or zone that is not there; a shuffle takes the old handles away.
    NoSuchThing,
    /// Too many zones or cards.
    TableFull,
    /// Something the game itself found wrong.
    Other(String),
}

impl Mistake {
    /// Returns the code that programs compare; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Mistake::BadSelector(_) => "script/bad_selector",
            Mistake::NobodyAsked => "script/nobody_asked",
            Mistake::UnknownActor(_) => "script/unknown_actor",
            Mistake::AskedTwice(_) => "script/asked_twice",
            Mistake::RequestOpen => "script/request_open",
            Mistake::Stuck => "script/stuck",
            Mistake::ForcedLoop => "script/forced_loop",
            Mistake::TooMuchWork => "script/too_much_work",
            Mistake::NoSuchThing => "script/no_such_thing",
            Mistake::TableFull => "script/table_full",
            Mistake::Other(_) => "script/other",
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::BadSelector(violation) => write!(f, "a selector cannot be answered: {violation}"),
            Mistake::NobodyAsked => f.write_str("a request has no selector"),
            Mistake::UnknownActor(actor) => write!(f, "nobody at the table is called: {actor}"),
            Mistake::AskedTwice(actor) => write!(f, "one request asks a player twice: {actor}"),
            Mistake::RequestOpen => f.write_str("a request is made while another one is open"),
            Mistake::Stuck => f.write_str("the game waits for something that is no request"),
            Mistake::ForcedLoop => f.write_str("automatic answers go in circles"),
            Mistake::TooMuchWork => f.write_str("one answer causes too much work"),
            Mistake::NoSuchThing => f.write_str("the game uses a card or zone that is not there"),
            Mistake::TableFull => f.write_str("the game uses too many zones or cards"),
            Mistake::Other(text) => f.write_str(text),
        }
    }
}

impl core::error::Error for Mistake {}
