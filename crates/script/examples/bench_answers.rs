//! What answers cost: the n-th of a match, which must not grow with n, and playing all of them again.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use script::{Answer, Event, Face, Match, Mistake, Outcome, Script, Seat, Setup, Table, Visibility};
use selector::Response;

/// After how many answers the next ones are timed.
const PLACES: [u32; 4] = [10, 100, 1_000, 10_000];

/// How many are timed at each place; the middle of them counts.
const WINDOW: u32 = 500;

/// Two players move a card of their hand for ever; every answer makes two events.
async fn play(table: Table) -> Result<Outcome, Mistake> {
    let middle = table.add_zone("middle", Visibility::All)?;
    let mut hands = Vec::new();
    for seat in table.seats() {
        let hand = table.add_own_zone("hand", seat, Visibility::Owner)?;
        for name in ["ace", "king", "queen", "jack", "ten"] {
            table.add_card(hand, Face::new(name).with("worth", 3))?;
        }
        hands.push(hand);
    }
    for (seat, hand) in table.seats().into_iter().zip(hands).cycle() {
        let card = table.choose_card(seat, &table.cards(hand)?, "Play a card").await?.ok_or(Mistake::NoSuchThing)?;
        table.move_card(card, middle)?;
        table.tell(Event::new("played").seat("player", seat).card("card", card).text("{player} plays {card}"));
        table.move_card(card, hand)?;
    }
    Err(Mistake::Stuck)
}

fn answer(live: &mut Match) {
    let (input, seats) = live.waiting().expect("the game never ends; qed");
    let seat: Seat = seats[0];
    let open = live.open(seat).expect("is asked; qed");
    let response = Response::to(&open.selector, [open.selector.options.choices[2].picked(None)]);
    live.submit(&Answer { seat, input, version: live.version(), response, confirm: true }).expect("is legal; qed");
}

fn time(live: &mut Match) -> Duration {
    let start = Instant::now();
    answer(live);
    start.elapsed()
}

/// A match after so many answers.
fn play_on(script: &Script, n: u32) -> Match {
    let mut live = Match::start(script, Setup { seed: [1; 32], n_seats: 2 }).expect("two can play; qed");
    (0..n).for_each(|_| answer(&mut live));
    live
}

fn main() {
    let script = Script::new("bench", 2..=2, play);
    let mut matches = PLACES.map(|it| play_on(&script, it));
    for (n, live) in PLACES.iter().zip(&matches) {
        let bytes = live.log_bytes();
        let start = Instant::now();
        black_box(Match::restore(&script, &bytes).expect("repeats itself; qed"));
        println!("playing {n:>6} answers again: {:>10.2?}, {:>9.2?} each", start.elapsed(), start.elapsed() / *n);
    }
    // Taken in turns, so that a busy machine is as busy for all of them.
    let mut times = PLACES.map(|_| Vec::new());
    for _ in 0..WINDOW {
        for (live, times) in matches.iter_mut().zip(&mut times) {
            times.push(time(live));
        }
    }
    for (n, times) in PLACES.iter().zip(&mut times) {
        times.sort();
        println!("answer {n:>6}: {:>9.2?}", times[times.len() / 2]);
    }
}
