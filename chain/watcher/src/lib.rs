//! What stands beside the chain: a watcher that fights every reported battle again and disputes the
//! lies, and a player that plays whole runs.
//!
//! Both keep nothing that lasts: all they need to know is on the chain, so they can be stopped and
//! started again at any moment.

#![warn(missing_docs)]

pub mod chain;
pub mod disputes;
pub mod memory;
pub mod metrics;
pub mod player;
pub mod suspects;
pub mod watch;
