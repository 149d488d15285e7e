//! How fast the engine is: `cargo xtask bench`, and `docs/speed.md` for what the figures mean.
//!
//! Games are played by rules and by twins written by hand that make the same decisions; what differs is the price of
//! rules as data. Hosts and their views are measured elsewhere (`testkit`, `server`).

pub mod boardgame;
pub mod compare;
pub mod forks;
pub mod games;
pub mod instructions;
pub mod playout;
pub mod scaling;
pub mod table;
pub mod twins;
pub mod versus;

/// The middle one of some figures.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
