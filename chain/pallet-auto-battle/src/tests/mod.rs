//! The pallet as its players, its liars and its operators meet it.

mod config;
mod conservation;
mod disputes;
mod economy;
mod foresight;
mod ghosts;
mod late_reports;
mod metadata;
mod migrations;
mod odd_orders;
mod paving;
mod prize_pools;
mod randomness;
mod refusals;
mod registry;
mod runs;
mod soundness;
mod strategies;

use auto_battle::bots::{GreedyBot, plan_turn};
use auto_battle::{BattleResult, NoEvents, Rng, ShopAction};
use frame::prelude::{BoundedVec, DispatchResultWithPostInfo, H256};
use frame::testing_prelude::assert_ok;

use crate::mock::{
    AccountId, AutoBattle, Test, await_decision, meet_easy_opponents, session, signed, starter_set_hash,
};
use crate::{ActiveGame, Ending, Stage};

/// Whether a test runs at full length.
fn is_soak() -> bool {
    std::env::var_os("SNAPSTACK_SOAK").is_some()
}

/// Starts a run with the starter set, and waits until its deck is known.
#[track_caller]
fn start(who: AccountId) {
    start_with(who, starter_set_hash());
}

/// Starts a run with a set, and waits until its deck is known.
#[track_caller]
fn start_with(who: AccountId, set_hash: H256) {
    assert_ok!(AutoBattle::start_game(signed(who), set_hash));
    await_decision();
}

/// What a sensible player would do in the shop.
fn plan(who: AccountId) -> BoundedVec<ShopAction, crate::mock::MaxActions> {
    let session = session(who);
    let pool = AutoBattle::view_pool(session.set_hash).unwrap();
    let run = session.state.unwrap().to_unbounded();
    plan_turn(&pool, &run, &mut GreedyBot, 32).try_into().unwrap()
}

/// Plays a turn, and waits until the battle is known.
#[track_caller]
fn play_turn(who: AccountId) {
    assert_ok!(AutoBattle::play_turn(signed(who), plan(who)));
    await_decision();
}

/// How the battle of a player really comes out.
#[track_caller]
fn truth(who: AccountId) -> BattleResult {
    let view = AutoBattle::view_battle(&who).unwrap();
    let pool = AutoBattle::view_pool(session(who).set_hash).unwrap();
    view.battle.fight(&pool, &mut NoEvents).unwrap().result
}

/// A result that is not the true one, the best of those.
fn lie(truth: BattleResult) -> BattleResult {
    match truth {
        BattleResult::Victory => BattleResult::Defeat,
        BattleResult::Defeat | BattleResult::Draw => BattleResult::Victory,
    }
}

/// Plays a round and reports what `say` makes of the truth.
#[track_caller]
fn play_round(who: AccountId, say: impl FnOnce(BattleResult) -> BattleResult) {
    play_turn(who);
    let claim = say(truth(who));
    assert_ok!(AutoBattle::report_outcome(signed(who), claim));
}

#[track_caller]
fn play_honest_round(who: AccountId) {
    play_round(who, |it| it);
}

/// Plays honestly to the end of the run.
#[track_caller]
fn play_run(who: AccountId) -> Ending {
    loop {
        if let Stage::Over(ending) = session(who).stage {
            return ending;
        }
        play_honest_round(who);
    }
}

/// Reports wins without playing until there are ten; every board is empty, so every report is a lie.
#[track_caller]
fn lie_to_ten_wins(who: AccountId) {
    while !matches!(session(who).stage, Stage::Over(_)) {
        assert_ok!(AutoBattle::end_turn(signed(who)));
        await_decision();
        assert_ok!(AutoBattle::report_outcome(signed(who), BattleResult::Victory));
    }
}

/// Calls `claim_prize` once, for whatever the pool has.
fn try_claim(who: AccountId) -> DispatchResultWithPostInfo {
    let run = ActiveGame::<Test>::get(who).map_or(0, |it| it.run);
    AutoBattle::claim_prize(signed(who), run, 0)
}

/// Calls `claim_prize` until the run is settled.
#[track_caller]
fn claim(who: AccountId) {
    while ActiveGame::<Test>::contains_key(who) {
        assert_ok!(try_claim(who));
    }
}

/// Finds a history in which player 1, playing honestly against opponents that are easily beaten, ends
/// the run so.
fn in_history_with(ending: Ending, test: impl Fn()) {
    for history in 1..200 {
        let mut ext = crate::mock::new_test_ext(10, history);
        let found = ext.execute_with(|| {
            meet_easy_opponents();
            start(1);
            play_run(1) == ending
        });
        if found {
            ext.execute_with(|| {
                test();
                AutoBattle::do_try_state().unwrap();
            });
            return;
        }
    }
    panic!("no history ends like this: {ending:?}");
}

fn unknown_hash() -> H256 {
    H256::repeat_byte(7)
}

/// A stream for choices of a test.
fn choices(seed: u64) -> Rng {
    Rng::from_seed(seed)
}

/// One of some items, if there is any.
fn pick<T: Clone>(rng: &mut Rng, items: &[T]) -> Option<T> {
    items.get(rng.below(items.len().max(1) as u32) as usize).cloned()
}
