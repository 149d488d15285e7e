//! A runtime of another team with the pallet in it, exactly as the pallet's README has it.
//!
//! There is nothing in the library; `tests/readme.rs` is the runtime.
