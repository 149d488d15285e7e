//! Players for every game. A bot is given what its seat is asked and sees, and worlds in which everything hidden from
//! its seat is dealt anew; it never looks at the match itself.
//!
//! ```
//! use bots::Bot;
//! use host::{Game, Seat, Start};
//!
//! # let game = Game::Script(testkit::games::scripts().remove(0));
//! let mut live = game.start(&Start::seeded(1, 2)).unwrap();
//! let mut bot = Bot::new("random", 7).unwrap();
//! let host::Waiting::Answers(seats) = live.waiting() else { panic!("somebody is asked") };
//! let answer = bot.decide(&*live, seats[0]).unwrap();
//! live.submit(&answer).unwrap();
//! ```

mod bot;
mod dice;
mod greedy;
mod score;

pub use bot::Bot;
