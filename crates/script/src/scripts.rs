//! A game as a host holds it: its name, how many play, and the function that plays it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::future::Future;
use core::ops::RangeInclusive;
use core::pin::Pin;

use parity_scale_codec::{Decode, Encode};

use crate::limits::SEATS_MAX;
use crate::mistake::Mistake;
use crate::outcome::Outcome;
use crate::rejection::Rejection;
use crate::table::Table;

pub(crate) type Playing = Pin<Box<dyn Future<Output = Result<Outcome, Mistake>> + Send>>;

/// A game written as an `async` function.
#[derive(Clone)]
pub struct Script {
    pub name: String,
    /// Grows whenever the same answers would lead elsewhere; a record of another version is refused.
    pub version: u32,
    /// How many can play.
    pub seats: RangeInclusive<u8>,
    /// Whether players may take back their answers.
    pub undo: bool,
    /// Whether the game keeps handles of cards and never their faces, so that hidden cards can be exchanged.
    pub resamples: bool,
    /// What clients draw the game from.
    pub catalogue: Arc<view::Catalogue>,
    pub(crate) play: Arc<dyn Fn(Table) -> Playing + Send + Sync>,
}

/// What a match begins with.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Setup {
    pub seed: [u8; 32],
    pub n_seats: u8,
}

impl Script {
    /// A game in version 1 that allows undo.
    pub fn new<F, P>(name: impl Into<String>, seats: RangeInclusive<u8>, play: F) -> Self
    where
        F: Fn(Table) -> P + Send + Sync + 'static,
        P: Future<Output = Result<Outcome, Mistake>> + Send + 'static,
    {
        let play = move |table| -> Playing { Box::pin(play(table)) };
        let (catalogue, play) = (Arc::default(), Arc::new(play));
        Script { name: name.into(), version: 1, seats, undo: true, resamples: false, catalogue, play }
    }

    /// Declares what clients draw the game from. A card whose name is that of a definition is one of it.
    #[must_use]
    pub fn with_catalogue(mut self, catalogue: view::Catalogue) -> Self {
        self.catalogue = Arc::new(catalogue);
        self
    }

    /// Sets the version of the rules.
    #[must_use]
    pub fn with_version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// Forbids to take back anything, as games for stakes do.
    #[must_use]
    pub fn without_undo(mut self) -> Self {
        self.undo = false;
        self
    }

    /// Promises that the game keeps no face of a hidden card across a request, only handles.
    #[must_use]
    pub fn with_resampling(mut self) -> Self {
        self.resamples = true;
        self
    }

    pub(crate) fn check(&self, setup: &Setup) -> Result<(), Rejection> {
        let (min, max) = (*self.seats.start(), (*self.seats.end()).min(SEATS_MAX));
        if (min..=max).contains(&setup.n_seats) {
            return Ok(());
        }
        Err(Rejection::WrongPlayerCount { min, max, got: setup.n_seats })
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (version {})", self.name, self.version)
    }
}
