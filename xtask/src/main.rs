//! The project's chores: `cargo xtask serve`, `cargo xtask test`.

fn main() {}
