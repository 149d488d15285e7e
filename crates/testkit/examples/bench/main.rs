//! How fast the engine is: `cargo xtask bench`.
//!
//! `bench` alone prints everything; `bench versus` only the game by rules and by hand; `bench views` what it costs to
//! tell a viewer what happens; `bench checks` how fast rulesets are checked and explained; `bench play <way> <games>
//! <game>` plays a game one way and prints the number of decisions, which is what instructions are counted over.
//! `bench deal <games>` prints games of the bench duel as JSON, and `bench boardgame <player>` has them played by
//! boardgame.io, too.

mod boardgame;
mod checks;
mod duel;
mod forks;
mod instructions;
mod playout;
mod scaling;
mod versus;
mod views;

use testkit::games;

/// The games that are played at random; a game is added by its name.
const GAMES: &[&str] = &["bench-duel", "skirmish", "duel"];

/// How many games prove that both ways of playing the bench duel are the same game.
const COMPARED: u64 = 10_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [word] if word == "versus" => return versus::report(&games::load("bench-duel"), COMPARED),
        [word] if word == "views" => return views::report(GAMES),
        [word] if word == "checks" => return checks::report(GAMES),
        [word, n] if word == "deal" => return boardgame::deal(&games::load("bench-duel"), number(n)),
        [word, player] if word == "boardgame" => return boardgame::report(&games::load("bench-duel"), player),
        _ => {}
    }
    if let [word, way, n, name] = args.as_slice()
        && word == "play"
    {
        return instructions::play(name, way, number(n));
    }
    versus::report(&games::load("bench-duel"), COMPARED);
    playout::report(GAMES);
    forks::report(GAMES);
    views::report(GAMES);
    checks::report(GAMES);
    scaling::report();
    instructions::report(GAMES);
}

/// A number of games as it was typed.
fn number(word: &str) -> u64 {
    word.parse().expect("the number of games is a number")
}

/// The middle one of some figures.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
