//! What goes from process to process when matches are played in relay.

use engine::Command;
use parity_scale_codec::{Decode, Encode};

use crate::contract::Dice;

/// One decision, and the match after it.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Step {
    pub command: Command,
    pub records: Vec<u8>,
    pub bytes: Vec<u8>,
    pub dice: Dice,
}
