//! The contract between server and clients: every body and message as a type, hashes, merge patches, and requests as
//! clients write them, short forms included. Knows no socket, no storage and no rules.

pub mod bodies;
pub mod canonical;
pub mod documents;
pub mod duel;
pub mod error_body;
pub mod messages;
pub mod operations;
pub mod patch;
pub mod request;
mod short_form;
pub mod submit;
pub mod view_hash;

pub use bodies::{TakebackAnswer, TakebackAnswers, TakebackBody, TakebackEnd};
pub use error_body::{Candidate, ErrorBody, ReasonBody};
pub use messages::{EventAppended, ServerMessage, SuccessBody};
pub use request::RequestError;
pub use view_hash::{Leaves, view_hash};

/// The version of the contract: a minor version only adds.
pub const PROTOCOL: &str = "1.0";
/// What a socket that speaks it is called.
pub const SUBPROTOCOL: &str = "snapstack.1";
