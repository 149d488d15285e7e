//! Bots finish every game, and the one that looks ahead is better than the one that does not.

use bots::Bot;
use host::{Game, HostedMatch, Seat, Start, Viewer, Waiting};

/// Plays a match between two bots; who won, and after how many answers.
fn play(game: &Game, seed: u64, names: [&str; 2]) -> (Vec<String>, usize) {
    let mut live = game.start(&Start::seeded(seed, 2)).expect("the game starts");
    let mut bots = names.map(|it| Bot::new(it, seed).expect("there is such a bot"));
    for n_answers in 0..5000 {
        match live.waiting() {
            Waiting::Answers(seats) => {
                let seat = seats[0];
                let answer = bots[usize::from(seat.0)].decide(&*live, seat).expect("whoever is asked can answer");
                live.submit(&answer).expect("what a bot answers is legal");
            }
            Waiting::Timer { .. } => drop(live.control(host::Control::Timer).expect("the timer runs")),
            Waiting::Paused(why) => panic!("the match stands still: {why}"),
            Waiting::Over(outcome) => return (outcome.winners, n_answers),
        }
    }
    panic!("the match does not end");
}

#[test]
fn bots_finish_every_game() {
    for game in testkit::games::all_hosted() {
        for names in [["random", "random"], ["greedy", "random"]] {
            play(&game, 3, names);
        }
    }
}

#[test]
fn looking_ahead_wins_more_often() {
    for game in testkit::games::all_hosted().iter().filter(|it| ["duel", "bench-duel"].contains(&it.id())) {
        let won = |seed: u64| {
            let (names, me) =
                if seed.is_multiple_of(2) { (["greedy", "random"], "p1") } else { (["random", "greedy"], "p2") };
            play(game, seed, names).0 == [me]
        };
        let n_won = (0..10).filter(|it| won(*it)).count();
        assert!(n_won >= 7, "greedy won {n_won} of 10 matches of {}", game.id());
    }
}

#[test]
fn a_random_bot_goes_by_what_its_seat_is_offered() {
    // In a world that its seat cannot tell from the real one, it decides the same.
    for game in testkit::games::all_hosted() {
        let live = game.start(&Start::seeded(5, 2)).expect("the game starts");
        let Waiting::Answers(seats) = live.waiting() else { panic!("somebody is asked") };
        let Ok(world) = live.resample(Viewer::Seat(seats[0]), [9; 32]) else { continue };
        let decide = |live: &dyn HostedMatch, seat: Seat| Bot::new("random", 1).expect("it exists").decide(live, seat);
        assert_eq!(decide(&*live, seats[0]), decide(&*world, seats[0]), "in {}", game.id());
    }
}
