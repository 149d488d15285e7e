//! The program that measures the engine.
//!
//! `bench` alone prints everything. `bench versus [game]` plays games by rules and by hand and prints what both cost;
//! `bench compare <game> <games>` only plays them in lock step. `bench playout`, `bench forks`, `bench scaling` and
//! `bench instructions` print one kind of figure. `bench play <way> <games> <game>` plays games one way and prints the
//! number of decisions, which is what instructions are counted over. `bench deal <games>` prints games of the bench
//! duel as JSON, and `bench boardgame <player>` has them played by boardgame.io, too.

use bench::{boardgame, forks, games, instructions, instructions::Way, playout, scaling, twins, twins::Entry, versus};

/// The games of the shelf that are played at random; a game is added by its name.
const GAMES: &[&str] = &["bench-duel", "skirmish", "duel"];

/// How many games prove that both ways of playing are the same game, before they are measured.
const COMPARED: u64 = 200;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => print_everything(),
        ["versus"] => versus_all(),
        ["versus", name] => versus::report(&[entry(name)], COMPARED),
        ["compare", name, n] => println!("{} decisions are equal", (entry(name).compare)(number(n))),
        ["playout"] => playout::report(GAMES),
        ["forks"] => forks::report(GAMES),
        ["scaling"] => scaling::report(),
        ["instructions"] => instructions::report(GAMES),
        ["play", way, n, name] => instructions::play(name, way_of(way), number(n)),
        ["deal", n] => boardgame::deal(&games::load("bench-duel"), number(n)),
        ["boardgame", player] => boardgame::report(&games::load("bench-duel"), player),
        _ => {
            eprintln!("error: no such measurement: {}", args.join(" "));
            std::process::exit(2);
        }
    }
}

fn versus_all() {
    versus::report(&twins::ALL.iter().collect::<Vec<_>>(), COMPARED);
}

fn print_everything() {
    versus_all();
    playout::report(GAMES);
    forks::report(GAMES);
    scaling::report();
    instructions::report(GAMES);
}

fn entry(name: &str) -> &'static Entry {
    twins::find(name).unwrap_or_else(|| {
        let names: Vec<&str> = twins::ALL.iter().map(|it| it.name).collect();
        eprintln!("error: no twin of this name: {name}; there are {}", names.join(", "));
        std::process::exit(2);
    })
}

fn way_of(word: &str) -> Way {
    Way::find(word).unwrap_or_else(|| panic!("no such way to play: {word}"))
}

/// A number of games as it was typed.
fn number(word: &str) -> u64 {
    word.parse().expect("the number of games is a number")
}
