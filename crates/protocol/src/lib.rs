//! What clients send, as the engine understands it: requests in every spelling the rules allow become commands.
//! Knows no socket and no storage.

pub mod action;
pub mod error;
pub mod input;
mod value;

pub use action::action_submit;
pub use error::RequestError;
pub use input::input_submit;
