//! Places at the table, and who looks at it.

use core::fmt;

use parity_scale_codec::{Decode, Encode};

use crate::limits::SEATS_MAX;

/// A place at the table; `p1` is seat 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub struct Seat(pub u8);

/// Some seats, and whether spectators are among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Crowd(pub u32);

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// A player: public things and his own.
    Seat(Seat),
    /// A spectator: public things only.
    Spectator,
    /// A judge: everything.
    Judge,
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", u16::from(self.0).saturating_add(1))
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => seat.fmt(f),
            Self::Spectator => f.write_str("spectator"),
            Self::Judge => f.write_str("judge"),
        }
    }
}

impl Seat {
    /// Reads what [`Seat`] is called outside: `p1`.
    pub fn from_name(name: &str) -> Option<Self> {
        let number: u8 = name.strip_prefix('p')?.parse().ok()?;
        number.checked_sub(1).map(Seat)
    }
}

impl Crowd {
    /// Everybody, spectators included.
    pub const ALL: Crowd = Crowd(u32::MAX);
    /// Nobody.
    pub const NONE: Crowd = Crowd(0);

    /// Says whether a viewer is among them; a judge always is.
    pub fn has(self, viewer: Viewer) -> bool {
        viewer == Viewer::Judge || self.0 & Crowd::from(viewer).0 != 0
    }

    /// All of both.
    #[must_use]
    pub fn with(self, other: impl Into<Crowd>) -> Self {
        Crowd(self.0 | other.into().0)
    }

    /// Those of this crowd that are not of the other.
    #[must_use]
    pub fn without(self, other: impl Into<Crowd>) -> Self {
        Crowd(self.0 & !other.into().0)
    }
}

impl From<Seat> for Crowd {
    fn from(seat: Seat) -> Self {
        Crowd(1_u32.checked_shl(u32::from(seat.0)).unwrap_or(0))
    }
}

impl From<Viewer> for Crowd {
    fn from(viewer: Viewer) -> Self {
        match viewer {
            Viewer::Seat(seat) => seat.into(),
            // Above every seat there can be.
            Viewer::Spectator => Seat(SEATS_MAX).into(),
            Viewer::Judge => Crowd::NONE,
        }
    }
}

impl FromIterator<Seat> for Crowd {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Crowd::NONE, Crowd::with)
    }
}

/// Everybody who can look at a table of so many seats, judges last.
pub fn viewers(n_seats: u8) -> impl Iterator<Item = Viewer> {
    (0..n_seats).map(|it| Viewer::Seat(Seat(it))).chain([Viewer::Spectator, Viewer::Judge])
}
