//! How a game ends.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use parity_scale_codec::{Decode, Encode};

use crate::seat::Seat;
use crate::view::OutcomeView;

/// How a game ended: who won, and why.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Outcome {
    /// Nobody in a tie.
    pub winners: Vec<Seat>,
    pub reason: String,
}

impl Outcome {
    /// Some players have won.
    pub fn won(winners: impl IntoIterator<Item = Seat>, reason: impl Into<String>) -> Self {
        Outcome { winners: winners.into_iter().collect(), reason: reason.into() }
    }

    /// Those with the highest score have won.
    pub fn highest(scores: &[(Seat, i64)], reason: impl Into<String>) -> Self {
        let best = scores.iter().map(|it| it.1).max();
        Self::won(scores.iter().filter(|it| Some(it.1) == best).map(|it| it.0), reason)
    }

    /// The outcome as everybody sees it.
    pub fn view(&self) -> OutcomeView {
        OutcomeView { winners: self.winners.iter().map(ToString::to_string).collect(), reason: self.reason.clone() }
    }
}
