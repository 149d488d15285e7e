//! What clients send, as the engine understands it: requests in every spelling the rules allow become commands.
//! Knows no socket and no storage.

pub mod action;
pub mod error;
pub mod input;
mod manipulation;
mod value;

pub use action::{METADATA_BYTES_MAX, action_begun, action_submit};
pub use error::{Meant, RequestError};
pub use input::input_submit;
