//! What clients and servers say to each other: messages, their errors, and requests in every spelling the rules allow,
//! which become commands. Knows no socket and no storage.

pub mod action;
pub mod actions_body;
pub mod contract;
pub mod error;
pub mod error_body;
mod fields;
pub mod input;
mod manipulation;
pub mod message;
pub mod takeback;
mod value;

pub use action::{METADATA_BYTES_MAX, action_begun, action_submit, known_version};
pub use actions_body::ActionsBody;
pub use contract::{Event, PendingInput, Reaction, StackItem};
pub use error::{Meant, RequestError};
pub use error_body::ErrorBody;
pub use input::{check_answer, input_id, input_submit};
pub use message::{ClientMessage, EventLine, ServerMessage, SuccessBody, view_hash};
pub use takeback::{TakebackAnswer, TakebackAnswers, TakebackBody, TakebackEnd};
