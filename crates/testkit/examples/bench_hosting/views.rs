//! What it costs to tell one viewer what happens: a whole view, a delta, the projection of an event, and how many pairs
//! of twin worlds are compared in a second.

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use engine::{
    Match,
    view::{Projector, Viewer as Eyes},
};
use host::{HostedMatch as _, RuledMatch, Seat, Viewer};
use protocol::Leaves;
use ruleset::Ruleset;
use testkit::{
    contract::{Dice, random_command},
    games, twin,
};

use crate::median;

const VIEWER: Viewer = Viewer::Seat(Seat(0));

/// How long pairs are compared for each game.
const TWIN_TIME: Duration = Duration::from_secs(3);

/// Prints the figures of every game.
pub fn report(names: &[&str]) {
    println!("\nviews of one player, in random games");
    for name in names {
        let costs = costs(name);
        println!(
            "  {name:<12} view {:>6.1} us, delta {:>5.1} us, {:>4.0} bytes instead of {:>5.0}; projecting an event {:>5.2} us",
            costs.view, costs.delta, costs.delta_bytes, costs.view_bytes, costs.event
        );
    }
    println!("twin worlds compared, every byte of every channel");
    for name in names.iter().filter(|it| **it != "bench-duel") {
        println!("  {name:<12} {:>6.0} pairs a second", pairs_a_second(name));
    }
}

/// Means over all commands of some games, times in microseconds.
struct Costs {
    view: f64,
    delta: f64,
    event: f64,
    view_bytes: f64,
    delta_bytes: f64,
}

fn costs(name: &str) -> Costs {
    let ruleset = games::load(name);
    let (mut view_time, mut delta_time) = (Duration::ZERO, Duration::ZERO);
    let (mut view_bytes, mut delta_bytes, mut n) = (0, 0, 0_u32);
    for seed in 0..10 {
        let setup = games::setup(&ruleset, seed, 2);
        let mut live = RuledMatch::start_for(&ruleset, setup, vec![VIEWER]).expect("ready-made decks are legal; qed");
        let mut dice = Dice::new(seed + 1);
        let mut last = Leaves::new(live.view(VIEWER));
        while let Some(command) = random_command(live.live(), &mut dice) {
            live.carry_out(&command).expect("is offered; qed");
            let start = Instant::now();
            let view = black_box(live.view(VIEWER));
            view_time += start.elapsed();
            let start = Instant::now();
            let bytes = serde_json::to_string(&view).map_or(0, |it| it.len());
            let patch = black_box((last.update(view), last.hash()));
            delta_time += start.elapsed();
            view_bytes += bytes;
            delta_bytes += serde_json::to_string(&patch.0).map_or(0, |it| it.len());
            n += 1;
        }
    }
    let each = |it: Duration| it.as_secs_f64() * 1e6 / f64::from(n);
    let mean = |it: usize| it as f64 / f64::from(n);
    Costs {
        view: each(view_time),
        delta: each(delta_time),
        event: event_cost(name),
        view_bytes: mean(view_bytes),
        delta_bytes: mean(delta_bytes),
    }
}

/// The middle one of some rounds of games: what a projector adds for each event that is told.
fn event_cost(name: &str) -> f64 {
    let ruleset = games::load(name);
    median((0..9).map(|round| event_round(&ruleset, round * 4)).collect())
}

/// The time of some games with a projector less that without one, for each event that was told.
fn event_round(ruleset: &Arc<Ruleset>, first: u64) -> f64 {
    let (mut with, mut without, mut n_events) = (Duration::ZERO, Duration::ZERO, 0);
    for seed in first..first + 4 {
        let setup = games::setup(ruleset, seed, 2);
        let (mut live, _) = Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
        let mut watched = live.clone();
        let mut eyes = Projector::new(ruleset, Eyes::Player(engine::PlayerId(0)));
        let mut dice = Dice::new(seed + 1);
        while let Some(command) = random_command(&live, &mut dice) {
            let start = Instant::now();
            live.submit(&command, &mut ()).expect("is offered; qed");
            without += start.elapsed();
            let start = Instant::now();
            watched.submit(&command, &mut eyes).expect("is offered; qed");
            with += start.elapsed();
        }
        n_events += eyes.events.len();
    }
    with.saturating_sub(without).as_secs_f64() * 1e6 / n_events.max(1) as f64
}

fn pairs_a_second(name: &str) -> f64 {
    let ruleset = games::load(name);
    let start = Instant::now();
    let mut total = twin::Tally::default();
    let mut seed = 0;
    while start.elapsed() < TWIN_TIME {
        total.add(twin::check(&ruleset, seed, VIEWER, 4).unwrap_or_else(|told| panic!("a secret is told: {told:?}")));
        seed += 1;
    }
    total.n_same as f64 / start.elapsed().as_secs_f64()
}
