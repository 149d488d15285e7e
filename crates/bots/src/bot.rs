//! A bot, by its name.

use host::{Answer, HostedMatch, Seat};

use crate::{dice::Dice, greedy};

/// A player.
pub struct Bot {
    kind: Kind,
    dice: Dice,
}

/// How it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Any legal answer.
    Random,
    /// What looks best right after it.
    Greedy,
}

impl Bot {
    /// The names of all bots.
    pub const NAMES: [&str; 2] = ["random", "greedy"];

    /// The bot of a name, with the seed of its choices.
    pub fn new(name: &str, seed: u64) -> Option<Self> {
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            _ => return None,
        };
        Some(Self { kind, dice: Dice::new(seed) })
    }

    /// What it answers to what its seat is asked; nothing if nothing is.
    pub fn decide(&mut self, live: &dyn HostedMatch, seat: Seat) -> Option<Answer> {
        let greedy = match self.kind {
            Kind::Random => None,
            Kind::Greedy => greedy::decide(live, seat, &mut self.dice),
        };
        greedy.or_else(|| live.make_answer(seat, &mut |bound| self.dice.below(bound)))
    }
}
