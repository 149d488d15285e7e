//! Who pays whom, as a table: the plan's token economics, line by line.

use auto_battle::{Card, SetCard};
use frame::testing_prelude::assert_ok;

use super::{in_history_with, lie, play_honest_round, play_round, play_turn, start};
use crate::mock::{
    AccountId, AutoBattle, Balances, CREATOR, TREASURY, UNIT, fill_pool, on_chain, pass_blocks, signed, starter_pool,
    starter_set_hash, wealth,
};
use crate::types::{CardOnChain, CardText, SetMeta};
use crate::{Ending, HoldReason};

/// Where money is: the player, the player's holds, the pool of the starter set, the treasury, somebody else.
#[derive(Debug, PartialEq, Eq)]
struct Places {
    player: i128,
    held: i128,
    pool: i128,
    treasury: i128,
    other: i128,
}

const PLAYER: AccountId = 1;
const OTHER: AccountId = 2;

fn look() -> [u128; 5] {
    use frame::token::fungible::InspectHold as _;
    let reasons = [HoldReason::Bond, HoldReason::SetDeposit];
    let held = reasons.map(|it| Balances::balance_on_hold(&it.into(), &PLAYER)).iter().sum();
    [wealth(PLAYER) - held, held, starter_pool(), wealth(TREASURY), wealth(OTHER)]
}

/// What an action moves, in units.
fn moved(act: impl FnOnce()) -> Places {
    let before = look();
    act();
    let after = look();
    let change = |idx: usize| (after[idx] as i128 - before[idx] as i128) / UNIT as i128;
    Places { player: change(0), held: change(1), pool: change(2), treasury: change(3), other: change(4) }
}

#[track_caller]
fn check(prepare: impl FnOnce(), act: impl FnOnce(), [player, held, pool, treasury, other]: [i128; 5]) {
    on_chain(|| {
        prepare();
        let expected = Places { player, held, pool, treasury, other };
        assert_eq!(moved(act), expected);
        assert_eq!(player + held + pool + treasury + other, 0, "money does not appear or vanish");
    });
}

fn nothing() {}

fn card() -> CardOnChain {
    Card { attack: 3, ..Card::default() }
}

fn register() {
    assert_ok!(AutoBattle::register_card(signed(PLAYER), card(), CardText::default()));
}

fn create_set() {
    let set = vec![SetCard { card_hash: card().hash(), rarity: 1 }];
    assert_ok!(AutoBattle::create_set(signed(PLAYER), set.try_into().unwrap(), SetMeta::default()));
}

fn remove_set() {
    let set_hash = crate::Sets::<crate::mock::Test>::iter().find(|(_, it)| it.creator != CREATOR).unwrap().0;
    assert_ok!(AutoBattle::remove_set(signed(PLAYER), set_hash));
}

#[test]
fn every_action_moves_what_the_table_says() {
    //                                                        player held pool treasury other
    check(nothing, register, [-2, 0, 0, 2, 0]);
    check(register, register, [0, 0, 0, 0, 0]);
    check(register, create_set, [-8, 5, 0, 3, 0]);
    check(|| (register(), create_set()).1, remove_set, [5, -5, 0, 0, 0]);
    check(nothing, || AutoBattle::start_game(signed(PLAYER), starter_set_hash()).unwrap(), [-18, 8, 10, 0, 0]);
    check(|| start(PLAYER), || play_honest_round(PLAYER), [0, 0, 0, 0, 0]);
    check(|| start(PLAYER), || AutoBattle::forfeit(signed(PLAYER)).unwrap(), [8, -8, 0, 0, 0]);
}

#[test]
fn verdicts_move_what_the_table_says() {
    let lied = || {
        start(PLAYER);
        play_round(PLAYER, lie);
    };
    let reported = || {
        start(PLAYER);
        play_honest_round(PLAYER);
    };
    let dispute = |who| AutoBattle::dispute_battle(signed(who), PLAYER, 1, 1).map(|_| ()).unwrap();
    //                                                        player held pool treasury other
    check(lied, || dispute(OTHER), [0, -8, 0, 6, 2]);
    check(lied, || dispute(PLAYER), [2, -8, 0, 6, 0]);
    check(reported, || dispute(OTHER), [8, 0, 0, 0, -8]);
    check(reported, || dispute(PLAYER), [0, 0, 0, 0, 0]);
    let late = || {
        start(PLAYER);
        play_turn(PLAYER);
        pass_blocks(20);
    };
    let later = move || {
        late();
        pass_blocks(20);
    };
    check(late, || AutoBattle::report_late(signed(OTHER), PLAYER, 1).map(|_| ()).unwrap(), [0, -1, 0, 0, 1]);
    check(later, || AutoBattle::expire_game(signed(OTHER), PLAYER).unwrap(), [7, -8, 0, 0, 1]);
    check(nothing, || AutoBattle::give_to_pool(signed(OTHER), starter_set_hash(), 3 * UNIT).unwrap(), [0, 0, 3, 0, -3]);
}

#[test]
fn ten_wins_move_the_prize_out_of_the_pool() {
    in_history_with(Ending::Won, || {
        for rich in 3..=6 {
            start(rich);
        }
        assert_eq!(moved(|| super::claim(PLAYER)), Places { player: 28, held: -8, pool: -20, treasury: 0, other: 0 });
    });
}

#[test]
fn a_lost_run_leaves_its_fee_in_the_pool() {
    in_history_with(Ending::Lost, || {
        assert_eq!(moved(|| super::claim(PLAYER)), Places { player: 8, held: -8, pool: 0, treasury: 0, other: 0 });
        assert_eq!(starter_pool(), 10 * UNIT);
    });
}

#[test]
fn what_a_pool_could_not_keep_goes_with_the_prize() {
    in_history_with(Ending::Won, || {
        fill_pool(starter_set_hash(), 20 * UNIT + 7);
        let before = wealth(PLAYER);
        super::claim(PLAYER);
        // Seven would be less than an account can have, and would be burned.
        assert_eq!((wealth(PLAYER), starter_pool()), (before + 20 * UNIT + 7, 0));
    });
}
