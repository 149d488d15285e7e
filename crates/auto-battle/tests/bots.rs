//! Bots play whole runs, the same way every time, and looking ahead pays.

use auto_battle::bots::{GreedyBot, RunBot, SearchBot, play_run};
use auto_battle::{LocalRun, RunPhase};

const ROUNDS_MAX: u32 = 40;

/// The wins of the runs of some deck seeds.
fn wins(n_runs: u64, make: impl Fn(u64) -> Box<dyn RunBot>) -> Vec<u32> {
    let play = |seed| {
        let mut local = LocalRun::with_deck_seed(seed);
        let mut n_battles = 0;
        let phase = play_run(&mut local, &mut *make(seed), ROUNDS_MAX, |_, _| n_battles += 1);
        assert!(n_battles <= ROUNDS_MAX);
        assert!(phase != RunPhase::Battle);
        local.run().wins()
    };
    (1..=n_runs).map(play).collect()
}

#[test]
fn the_greedy_bot_wins_battles_and_plays_the_same_run_twice() {
    let greedy = || wins(8, |_| Box::new(GreedyBot));
    let once = greedy();
    assert!(once.iter().sum::<u32>() >= 8, "{once:?}");
    assert_eq!(once, greedy());
}

#[test]
fn the_search_bot_wins_more_than_the_greedy_one() {
    let search = wins(6, |seed| Box::new(SearchBot::new(seed, 2, 3)));
    let greedy = wins(6, |_| Box::new(GreedyBot));
    let (searched, grabbed) = (search.iter().sum::<u32>(), greedy.iter().sum::<u32>());
    assert!(searched > grabbed, "{search:?} against {greedy:?}");
}

/// Ends every turn at once.
struct Idler;

impl RunBot for Idler {
    fn next_action(&mut self, _: &auto_battle::Pool, _: &auto_battle::Run) -> Option<auto_battle::ShopAction> {
        None
    }
}

#[test]
fn an_idle_bot_loses_its_three_lives() {
    assert_eq!(wins(1, |_| Box::new(Idler)), [0]);
}
