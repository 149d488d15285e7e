//! What hosts do beside playing, and how long it takes: `cargo xtask bench`.
//!
//! `bench_hosting` alone prints everything; `bench_hosting views` what it costs to tell a viewer what happens;
//! `bench_hosting checks` how fast rulesets are checked and explained. The engine itself is measured by `crates/bench`.

mod checks;
mod views;

/// The games that are looked at; a game is added by its name.
const GAMES: &[&str] = &["bench-duel", "skirmish", "duel"];

fn main() {
    let word = std::env::args().nth(1);
    if word.as_deref() != Some("checks") {
        views::report(GAMES);
    }
    if word.as_deref() != Some("views") {
        checks::report(GAMES);
    }
}

/// The middle one of some figures.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
