//! Lies, and accusations that are lies themselves.

use auto_battle::{
    BattleResult, Bounded, Card, Fighter, Matchup, Pool, RULES_VERSION, STEPS_MAX, WORK_STEPS_MAX, WorkCounter,
};
use codec::Decode as _;
use frame::deps::frame_support::dispatch::{GetDispatchInfo as _, Pays};
use frame::deps::sp_runtime::traits::{DispatchTransaction as _, TransactionExtension as _};
use frame::deps::sp_runtime::transaction_validity::{InvalidTransaction, TransactionSource, TransactionValidityError};
use frame::prelude::{DispatchError, PostDispatchInfo, Weight};
use frame::testing_prelude::{assert_noop, assert_ok};

use super::{claim, in_history_with, lie, lie_to_ten_wins, play_honest_round, play_round, start};
use crate::mock::{
    AutoBattle, PURSE, RuntimeCall, RuntimeEvent, System, TREASURY, Test, UNIT, bond_of, last_event, new_test_ext,
    next_block, on_chain, pass_blocks, session, signed, starter_pool, wealth,
};
use crate::{ActiveGame, BattleProofs, Call, CheckDispute, Ending, Error, Event};

/// Disputes, and gives the bare error of a refusal.
fn dispute(challenger: u64, target: u64, run: u32, round: u32) -> Result<PostDispatchInfo, DispatchError> {
    AutoBattle::dispute_battle(signed(challenger), target, run, round).map_err(|it| it.error)
}

/// What nodes say of a transaction that disputes a report, before it is in a block.
fn validity(challenger: u64, target: u64, run: u32, round: u32) -> Result<(), TransactionValidityError> {
    let call = RuntimeCall::AutoBattle(Call::dispute_battle { target_player: target, run, round });
    let (info, source) = (call.get_dispatch_info(), TransactionSource::External);
    CheckDispute::<Test>::new().validate_only(signed(challenger), &call, &info, 0, source, 0).map(drop)
}

#[test]
fn a_dispute_that_lost_the_race_gets_into_no_block() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        assert_ok!(validity(2, 1, 1, 1));
        assert_ok!(validity(3, 1, 1, 1));
        assert_ok!(dispute(2, 1, 1, 1));
        let stale = Err(InvalidTransaction::Stale.into());
        assert_eq!(validity(3, 1, 1, 1), stale);
        // Nor does one of a report that is judged, of no report, or by an account that could not pay.
        start(1);
        play_honest_round(1);
        assert_eq!(validity(3, 1, 1, 1), stale);
        assert_ok!(validity(3, 1, 2, 1));
        assert_eq!(validity(3, 1, 2, 2), stale);
        assert_eq!(validity(100, 1, 2, 1), stale);
        assert_ok!(dispute(2, 1, 2, 1));
        assert_eq!(validity(3, 1, 2, 1), stale);
    });
}

#[test]
fn only_disputes_are_looked_at_before_they_are_in_a_block() {
    on_chain(|| {
        let (call, source) = (RuntimeCall::AutoBattle(Call::forfeit {}), TransactionSource::External);
        let (check, info) = (CheckDispute::<Test>::new(), call.get_dispatch_info());
        assert_ok!(check.validate_only(signed(1), &call, &info, 0, source, 0).map(drop));
        assert_eq!(check.weight(&call), Weight::zero());
        let call = RuntimeCall::AutoBattle(Call::dispute_battle { target_player: 1, run: 1, round: 1 });
        assert_ne!(check.weight(&call), Weight::zero());
    });
}

#[test]
fn a_lie_costs_the_bond_and_the_run() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        assert_eq!(last_event(), Event::BattleDisputed { challenger: 2, target: 1, round: 1, success: true });
        assert_eq!(wealth(1), PURSE - 18 * UNIT);
        assert_eq!(wealth(2), PURSE + 2 * UNIT);
        assert_eq!(wealth(TREASURY), PURSE + 6 * UNIT);
        assert_eq!(ActiveGame::<Test>::get(1), None);
    });
}

#[test]
fn a_false_accusation_pays_the_accused_and_settles_the_report() {
    on_chain(|| {
        start(1);
        play_honest_round(1);
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        assert_eq!(last_event(), Event::BattleDisputed { challenger: 2, target: 1, round: 1, success: false });
        assert_eq!(wealth(2), PURSE - 8 * UNIT);
        assert_eq!(wealth(1), PURSE - 10 * UNIT + 8 * UNIT);
        assert!(BattleProofs::<Test>::get((1, 1, 1)).unwrap().verified);
        assert_noop!(dispute(3, 1, 1, 1), Error::<Test>::AlreadyVerified);
    });
}

#[test]
fn an_old_lie_is_caught_rounds_later() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        for _ in 0..2 {
            play_honest_round(1);
        }
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        assert_eq!(ActiveGame::<Test>::get(1), None);
    });
}

#[test]
fn a_liar_cannot_run_away() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        assert_ok!(AutoBattle::forfeit(signed(1)));
        assert_eq!(bond_of(1), 8 * UNIT);
        pass_blocks(10);
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        assert_eq!(wealth(1), PURSE - 18 * UNIT);
    });
}

#[test]
fn disputing_oneself_costs_more_than_half_the_bond() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        // However large a tip the liar pays to come first: all that comes back is the reward.
        assert_ok!(AutoBattle::dispute_battle(signed(1), 1, 1, 1));
        assert_eq!(wealth(1), PURSE - 10 * UNIT - 6 * UNIT);
    });
}

#[test]
fn every_reward_of_a_run_together_is_half_its_bond_at_most() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        super::play_turn(1);
        pass_blocks(20);
        // One account does everything that pays.
        assert_ok!(AutoBattle::report_late(signed(2), 1, 1));
        assert_eq!((bond_of(1), wealth(2)), (7 * UNIT, PURSE + UNIT));
        super::play_turn(1);
        pass_blocks(40);
        // As on a chain whose window for challenges is longer than its deadlines for reports.
        ActiveGame::<Test>::mutate(1, |it| it.as_mut().unwrap().reported_at += 100);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
        assert_eq!((bond_of(1), wealth(2)), (6 * UNIT, PURSE + 2 * UNIT));
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        assert_eq!(wealth(2), PURSE + 4 * UNIT);
        assert_eq!(wealth(1), PURSE - 18 * UNIT);
        assert_eq!(wealth(TREASURY), PURSE + 4 * UNIT);
    });
}

#[test]
fn proving_a_lie_costs_no_fee_and_a_false_dispute_does() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        let post = AutoBattle::dispute_battle(signed(2), 1, 1, 1).unwrap();
        assert_eq!(post.pays_fee, Pays::No);
        start(3);
        play_honest_round(3);
        let post = AutoBattle::dispute_battle(signed(2), 3, 1, 1).unwrap();
        assert_eq!(post.pays_fee, Pays::Yes);
    });
}

#[test]
fn a_lie_is_not_paid_even_if_nobody_watches() {
    on_chain(|| {
        start(1);
        start(2);
        lie_to_ten_wins(1);
        assert_eq!(last_event(), Event::VictoryReported { who: 1, run: 1 });
        pass_blocks(50);
        let pool = starter_pool();
        assert_ok!(super::try_claim(1));
        let events: Vec<_> = System::events().into_iter().map(|it| it.event).collect();
        assert!(events.contains(&RuntimeEvent::AutoBattle(Event::LieFound { who: 1, run: 1, round: 1 })));
        assert!(events.contains(&RuntimeEvent::AutoBattle(Event::BondSlashed { who: 1, run: 1, amount: 8 * UNIT })));
        assert_eq!(starter_pool(), pool);
        assert_eq!(wealth(1), PURSE - 18 * UNIT);
        assert_eq!(wealth(TREASURY), PURSE + 8 * UNIT);
    });
}

#[test]
fn a_single_lie_among_ten_wins_is_found() {
    in_history_with(Ending::Won, || {
        // The last report becomes a lie, as if the player had turned it round.
        let round = session(1).n_reports();
        BattleProofs::<Test>::mutate((1, 1, round), |it| {
            let proof = it.as_mut().unwrap();
            // Whatever the claim was, an empty board does not win.
            proof.player_board = Default::default();
        });
        let before = wealth(1);
        claim(1);
        assert_eq!(wealth(1), before - 8 * UNIT);
    });
}

#[test]
fn a_report_under_unknown_rules_is_not_judged() {
    on_chain(|| {
        start(1);
        play_honest_round(1);
        BattleProofs::<Test>::mutate((1, 1, 1), |it| it.as_mut().unwrap().rules_version = RULES_VERSION + 1);
        assert_noop!(dispute(2, 1, 1, 1), Error::<Test>::UnknownRules);
    });
}

#[test]
fn a_dispute_gives_back_what_its_battle_did_not_need() {
    on_chain(|| {
        start(1);
        play_honest_round(1);
        let pool = AutoBattle::view_pool(session(1).set_hash).unwrap();
        let steps = BattleProofs::<Test>::get((1, 1, 1)).unwrap().battle().judge(&pool).unwrap().steps;
        let post = AutoBattle::dispute_battle(signed(2), 1, 1, 1).unwrap();
        assert_eq!((post.actual_weight, post.pays_fee), (Some(AutoBattle::dispute_weight(steps)), Pays::Yes));
        // What is left is nearly the dispute without a battle.
        let [none, used, charged] = [0, steps, WORK_STEPS_MAX].map(|it| AutoBattle::dispute_weight(it).ref_time());
        assert!((used - none) * 100 < charged - none, "{used} of {charged}");
    });
}

#[test]
fn a_dispute_without_a_report_costs_no_battle() {
    on_chain(|| {
        let refused = AutoBattle::dispute_battle(signed(2), 1, 1, 1).unwrap_err();
        assert_eq!(refused.error, Error::<Test>::ProofNotFound.into());
        assert_eq!(refused.post_info.actual_weight, Some(AutoBattle::dispute_weight(0)));
    });
}

#[test]
fn a_battle_without_end_is_a_draw_within_what_is_charged() {
    type File = (Bounded<Card, 64>, Bounded<Card, 5>, Bounded<Card, 5>, u64);
    let bytes = include_bytes!("../../../../crates/auto-battle/tests/data/worst.bin");
    let (pool, player, enemy, seed) = File::decode(&mut &bytes[..]).unwrap();
    let pool = Pool::check(pool.to_vec()).unwrap();
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    let matchup = Matchup::new(&pool, &player, &enemy).unwrap();
    let mut counter = WorkCounter::default();
    assert_eq!(matchup.fight(seed, &mut counter).result, BattleResult::Draw);
    assert!((STEPS_MAX..=WORK_STEPS_MAX).contains(&counter.steps), "{}", counter.steps);
    assert!(AutoBattle::dispute_weight(counter.steps).all_lte(AutoBattle::dispute_weight(WORK_STEPS_MAX)));
    // More steps than are charged for are never given back as if they were fewer.
    assert_eq!(AutoBattle::dispute_weight(u64::MAX), AutoBattle::dispute_weight(WORK_STEPS_MAX));
}

#[test]
fn a_report_of_the_first_rules_is_judged_as_long_as_the_limit_of_steps_does_not_matter() {
    on_chain(|| {
        start(1);
        play_honest_round(1);
        BattleProofs::<Test>::mutate((1, 1, 1), |it| it.as_mut().unwrap().rules_version = 1);
        assert_ok!(dispute(2, 1, 1, 1));
        assert!(BattleProofs::<Test>::get((1, 1, 1)).unwrap().verified);
    });
}

#[test]
fn an_honest_winner_never_needs_more_weight_than_was_charged() {
    in_history_with(Ending::Won, || {
        while ActiveGame::<Test>::contains_key(1) {
            let post = super::try_claim(1).unwrap();
            assert!(post.actual_weight.unwrap().all_lte(AutoBattle::claim_weight()));
        }
    });
}

#[test]
fn lies_in_either_direction_are_lies() {
    // To claim less than the truth is a lie too: a report is true or it is not.
    for history in 1..6 {
        new_test_ext(10, history).execute_with(|| {
            start(1);
            play_round(1, |it| if it == BattleResult::Draw { BattleResult::Defeat } else { BattleResult::Draw });
            next_block();
            assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
            assert_eq!(bond_of(1), 0);
            assert_eq!(ActiveGame::<Test>::get(1), None);
        });
    }
}
