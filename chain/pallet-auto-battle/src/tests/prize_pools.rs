//! Pools: what one set's players pay can be won with that set alone, and a winner is not cheated of
//! the prize by another.

use auto_battle::{Card, CardHash, CardSet, SetCard};
use frame::deps::frame_support::traits::{LockableCurrency as _, WithdrawReasons};
use frame::prelude::H256;
use frame::testing_prelude::assert_ok;

use super::{claim, in_history_with, play_run, start, start_with, try_claim};
use crate::mock::{
    AccountId, AutoBattle, Balances, PURSE, TREASURY, Test, UNIT, events_of_the_pallet, fill_pool, last_event,
    meet_easy_opponents, on_chain, signed, starter_pool, starter_set_hash, wealth,
};
use crate::types::{CardOnChain, CardText, SetMeta};
use crate::{ActiveGame, Ending, Event, PoolFees, Sets};

/// The strongest legal card, for nothing.
pub(super) fn champion() -> CardOnChain {
    Card { attack: 99, health: 99, play_cost: 0, pitch_value: 99, ..Card::default() }
}

/// Makes a set of registered cards.
pub(super) fn make_set(who: AccountId, cards: &[(CardHash, u8)]) -> H256 {
    let mut cards: Vec<_> = cards.iter().map(|&(card_hash, rarity)| SetCard { card_hash, rarity }).collect();
    cards.sort();
    let set_hash = H256(CardSet::check(&cards).unwrap().hash());
    if !Sets::<Test>::contains_key(set_hash) {
        assert_ok!(AutoBattle::create_set(signed(who), cards.try_into().unwrap(), SetMeta::default()));
    }
    set_hash
}

/// Makes a set of the strongest card alone.
pub(super) fn make_champion_set(who: AccountId) -> H256 {
    assert_ok!(AutoBattle::register_card(signed(who), champion(), CardText::default()));
    make_set(who, &[(champion().hash(), 1)])
}

/// Plays a run with a set to its end and claims what it has won.
fn play_whole_run(who: AccountId, set_hash: H256) -> Ending {
    start_with(who, set_hash);
    let ending = play_run(who);
    claim(who);
    ending
}

#[test]
fn fees_of_a_set_go_to_its_own_pool() {
    on_chain(|| {
        let own = make_champion_set(1);
        start(2);
        start_with(3, own);
        assert_eq!((starter_pool(), AutoBattle::prize_pool(own)), (10 * UNIT, 10 * UNIT));
        assert_ne!(AutoBattle::pool_account(own), AutoBattle::pool_account(starter_set_hash()));
        assert_eq!(PoolFees::<Test>::get(own), 10 * UNIT);
    });
}

#[test]
fn a_one_card_set_wins_back_its_own_fees_at_most() {
    on_chain(|| {
        fill_pool(starter_set_hash(), 1_000 * UNIT);
        let own = make_champion_set(1);
        for _ in 0..5 {
            assert_eq!(play_whole_run(1, own), Ending::Won);
            assert_eq!(events_of_the_pallet().iter().rev().nth(1), Some(&Event::GameWon { who: 1, prize: 10 * UNIT }));
        }
        // What is gone are the fee of the card and of the set.
        assert_eq!(wealth(1), PURSE - 5 * UNIT);
        assert_eq!(starter_pool(), 1_000 * UNIT);
    });
}

#[test]
fn a_clone_of_the_starter_set_wins_back_its_own_fees_at_most() {
    on_chain(|| {
        meet_easy_opponents();
        fill_pool(starter_set_hash(), 1_000 * UNIT);
        let cards = crate::starter_set().into_iter().map(|it| (it.card_hash, it.rarity));
        let mut cards: Vec<_> = cards.collect();
        cards[0].1 += 1;
        let clone = make_set(1, &cards);
        for _ in 0..10 {
            play_whole_run(1, clone);
        }
        assert!(wealth(1) <= PURSE - 3 * UNIT);
        assert_eq!(starter_pool(), 1_000 * UNIT);
    });
}

#[test]
fn a_winner_is_not_front_run_to_a_prize_of_nothing() {
    in_history_with(Ending::Won, || {
        // The pool has one fee; the winner wants the whole prize.
        let before = wealth(1);
        while crate::mock::session(1).n_unverified > 0 {
            assert_ok!(AutoBattle::claim_prize(signed(1), 1, 20 * UNIT));
        }
        assert_eq!(last_event(), Event::ClaimLeftOpen { who: 1, run: 1, prize: 10 * UNIT });
        assert_ok!(AutoBattle::claim_prize(signed(1), 1, 20 * UNIT));
        assert_eq!(wealth(1), before);
        // As soon as others have paid, it is paid whole.
        start(2);
        start(3);
        assert_ok!(AutoBattle::claim_prize(signed(1), 1, 20 * UNIT));
        assert_eq!(events_of_the_pallet()[0], Event::GameWon { who: 1, prize: 20 * UNIT });
        assert_eq!((wealth(1), starter_pool()), (before + 20 * UNIT, 10 * UNIT));
        assert_eq!(ActiveGame::<Test>::get(1), None);
    });
}

#[test]
fn a_claim_that_stays_open_expires_like_any_other() {
    in_history_with(Ending::Won, || {
        while crate::mock::session(1).n_unverified > 0 {
            assert_ok!(AutoBattle::claim_prize(signed(1), 1, 20 * UNIT));
        }
        crate::mock::pass_blocks(101);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
        assert_eq!((ActiveGame::<Test>::get(1), starter_pool()), (None, 10 * UNIT));
    });
}

#[test]
fn a_gift_is_won_by_anyone_a_bounded_sum_a_run() {
    in_history_with(Ending::Won, || {
        assert_ok!(AutoBattle::give_to_pool(signed(5), starter_set_hash(), 100 * UNIT));
        assert_eq!(last_event(), Event::GiftGiven { who: 5, set_hash: starter_set_hash(), amount: 100 * UNIT });
        let before = wealth(1);
        claim(1);
        // Ten of fees and five of the gift.
        assert_eq!(wealth(1), before + 15 * UNIT);
        assert_eq!((starter_pool(), PoolFees::<Test>::get(starter_set_hash())), (95 * UNIT, 0));
    });
}

#[test]
fn money_that_was_sent_to_a_pool_without_the_call_is_a_gift() {
    in_history_with(Ending::Won, || {
        let pool = AutoBattle::pool_account(starter_set_hash());
        assert_ok!(Balances::transfer_keep_alive(signed(5), pool, 100 * UNIT));
        let before = wealth(1);
        claim(1);
        assert_eq!(wealth(1), before + 15 * UNIT);
    });
}

#[test]
fn what_a_removed_set_leaves_goes_to_the_treasury_after_its_last_winner_is_paid() {
    on_chain(|| {
        let own = make_champion_set(1);
        assert_ok!(AutoBattle::give_to_pool(signed(5), own, 50 * UNIT));
        start_with(2, own);
        assert_eq!(play_run(2), Ending::Won);
        assert_ok!(AutoBattle::remove_set(signed(1), own));
        let (winner, treasury) = (wealth(2), wealth(TREASURY));
        claim(2);
        assert_eq!(wealth(2), winner + 15 * UNIT);
        assert_eq!(wealth(TREASURY), treasury + 45 * UNIT);
        assert_eq!(last_event(), Event::RunSettled { who: 2, run: 1 });
        assert!(events_of_the_pallet().contains(&Event::PoolClosed { set_hash: own, amount: 45 * UNIT }));
        assert_eq!((AutoBattle::prize_pool(own), PoolFees::<Test>::iter().count()), (0, 0));
    });
}

#[test]
fn a_prize_of_nothing_is_told_as_nothing() {
    on_chain(|| {
        let own = make_champion_set(1);
        for who in [2, 3] {
            start_with(who, own);
            assert_eq!(play_run(who), Ending::Won);
        }
        claim(2);
        assert_eq!(AutoBattle::prize_pool(own), 0);
        while ActiveGame::<Test>::contains_key(3) {
            assert_ok!(try_claim(3));
        }
        assert!(events_of_the_pallet().contains(&Event::GameWon { who: 3, prize: 0 }));
        assert_eq!(wealth(3), PURSE - 10 * UNIT);
    });
}

/// A gift that cannot be moved, as vesting makes them, must not lock up the prizes of other players.
#[test]
fn money_that_is_frozen_in_a_pool_keeps_nobody_from_a_prize() {
    on_chain(|| {
        let own = make_champion_set(1);
        start_with(2, own);
        assert_eq!(play_run(2), Ending::Won);
        let pool = AutoBattle::pool_account(own);
        assert_ok!(AutoBattle::give_to_pool(signed(5), own, 50 * UNIT));
        Balances::set_lock(*b"vesting ", &pool, 50 * UNIT, WithdrawReasons::all());
        assert_eq!(AutoBattle::view_prize_offer(own), 10 * UNIT);
        assert_ok!(AutoBattle::remove_set(signed(1), own));
        let before = wealth(2);
        claim(2);
        // The set goes with its last run, and what cannot be moved stays where it is.
        assert_eq!((wealth(2), Sets::<Test>::get(own)), (before + 10 * UNIT, None));
        assert_eq!(AutoBattle::prize_pool(own), 50 * UNIT);
    });
}
