//! Every bound of this crate in one place: depth, size and work.
//!
//! A client can send anything, so nothing here depends on its good will.

/// How many groups can stand inside each other below a selector.
pub const GROUP_DEPTH_MAX: u32 = 32;

/// How many lists and objects of a freeform answer can stand inside each other.
pub const VALUE_DEPTH_MAX: u32 = 32;

/// How many values a freeform answer can consist of, counting every element and every field.
pub const VALUE_NODES_MAX: u32 = 10_000;

/// How deep a decoded document can be: two levels per nested group, and some room around them.
pub const DOCUMENT_DEPTH_MAX: u32 = 128;

/// How many choices a selector can offer, nested ones included.
pub const CHOICES_MAX: u32 = 65_536;

/// How many comparisons one validation can cost before the answer is refused.
///
/// Answers to a selector that passed [`Selector::check`](crate::Selector::check) cost about one
/// comparison per choice, unless many groups share one title.
pub const WORK_MAX: u32 = 1 << 22;

/// What trying a group costs: the result is remembered, so this bounds memory too.
pub const GROUP_WORK: usize = 16;

/// How many characters of a client's own text a message repeats.
pub const QUOTE_CHARS_MAX: usize = 120;
