//! Paving the way: own accounts leave weak ghosts wherever a winner comes by, without a single lie,
//! and then one of them plays for prizes.
//!
//! A paving account fields no more than it needs to beat half of the ghosts it may meet, so that it gets
//! on and what it leaves behind is easy to beat. That it has to get on by winning is what keeps its
//! ghosts from being weak everywhere.

use auto_battle::{BattleResult, NoEvents, SavedBattle, SavedBoard, ShopAction};
use frame::prelude::BoundedVec;
use frame::testing_prelude::assert_ok;

use super::strategies::{ACCOUNTS, CHEAT, check, is_playing, play, start};
use super::{claim, plan, truth};
use crate::mock::{AccountId, AutoBattle, MaxActions, await_decision, session, signed};

/// Accounts that pave.
const N_PAVERS: usize = 20;

/// Runs for prizes afterwards.
const N_RUNS: u32 = 10;

/// The first actions of a plan, up to so many cards bought.
fn first_buys(plan: &[ShopAction], n_buys: usize) -> Vec<ShopAction> {
    let buys = plan.iter().enumerate().filter(|(_, it)| matches!(it, ShopAction::BuyCard { .. }));
    let n_actions = buys.map(|(at, _)| at + 1).nth(n_buys - 1);
    plan[..n_actions.unwrap_or(plan.len())].to_vec()
}

/// The board that these actions lead to.
fn board_after(who: AccountId, actions: &[ShopAction]) -> SavedBoard {
    let session = session(who);
    let pool = AutoBattle::view_pool(session.set_hash).unwrap();
    let mut state = session.state.unwrap();
    for &action in actions {
        state.act(&pool, action).unwrap();
    }
    state.end_turn().unwrap().saved_board()
}

/// The least that beats half of the ghosts that may be met; one card if there is none.
fn least_plan(who: AccountId) -> Vec<ShopAction> {
    let session = session(who);
    let pool = AutoBattle::view_pool(session.set_hash).unwrap();
    let mut ghosts = AutoBattle::view_ghosts(AutoBattle::ghost_key(&session).unwrap());
    ghosts.retain(|it| it.owner != who);
    let beats_half = |player: SavedBoard| {
        let beaten = ghosts.iter().filter(|it| {
            let battle = SavedBattle { player, enemy: it.board, seed: 7 };
            battle.fight(&pool, &mut NoEvents).unwrap().result == BattleResult::Victory
        });
        2 * beaten.count() >= ghosts.len()
    };
    let plan = plan(who).into_inner();
    let plans = (1..=5).map(|n_buys| first_buys(&plan, n_buys));
    let mut plans = plans.map(|it| (board_after(who, &it), it)).filter(|(board, _)| !board.is_empty());
    plans.find(|(board, _)| beats_half(*board)).map_or(plan, |(_, it)| it)
}

fn pave(who: AccountId) {
    start(who);
    while is_playing(who) {
        let actions: BoundedVec<_, MaxActions> = least_plan(who).try_into().unwrap();
        assert_ok!(AutoBattle::play_turn(signed(who), actions));
        await_decision();
        assert_ok!(AutoBattle::report_outcome(signed(who), truth(who)));
    }
    claim(who);
}

#[test]
fn paving_the_way_with_ones_own_weak_ghosts_does_not_pay() {
    check(|_| {
        ACCOUNTS.skip(1).take(N_PAVERS).for_each(pave);
        for _ in 0..N_RUNS {
            start(CHEAT);
            play(CHEAT, |truth, _| truth);
            claim(CHEAT);
        }
    });
}
