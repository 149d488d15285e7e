//! Every bound of this crate in one place.

/// How many seats a table can have.
pub const SEATS_MAX: u8 = 16;

/// How many automatic answers can follow one another before the game counts as going in circles.
pub const AUTO_RUN_MAX: u32 = 10_000;

/// How many calls of the table one answer may cause.
pub const WORK_PER_ANSWER_MAX: u32 = 1_000_000;

/// How many zones and cards a table can hold, cards that were shuffled away included.
pub const THINGS_MAX: u32 = 1 << 20;

/// How deep a value in a record can be; deeper bytes are no record.
pub const VALUE_DEPTH_MAX: u32 = 64;

/// How many worlds are tried before one is searched step by step from the true one.
pub const WORLD_TRIES_MAX: u32 = 8;

/// How many steps such a search takes.
pub const WORLD_STEPS_MAX: u32 = 8;
