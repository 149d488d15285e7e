//! Why things are as they are, asked when somebody wants to know and never written down: what made a number what it is,
//! which part of a condition holds, why an action is not legal, why a rule answered an event or not.

mod legality;
mod story;
mod trace;
mod value;

pub use legality::{Candidate, Check, Legality, Obstacle, Requirement, Truth};
pub(crate) use story::Teller;
pub use story::{Seen, Story};
pub use trace::{Considered, Trace, Unpaid, Verdict};
pub use value::{Part, ValueStory};
