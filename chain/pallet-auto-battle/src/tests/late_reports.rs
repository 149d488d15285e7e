//! A missed report costs a reward, not the run.

use frame::testing_prelude::assert_ok;

use super::{claim, lie, play_honest_round, play_run, play_turn, start, truth};
use crate::mock::{
    AutoBattle, PURSE, Test, UNIT, bond_of, events_of_the_pallet, next_block, on_chain, pass_blocks, session, signed,
    wealth,
};
use crate::{BattleProofs, Event, Stage};

/// A run whose first report is late.
fn miss_a_report() {
    start(1);
    play_turn(1);
    pass_blocks(20);
}

#[test]
fn anybody_reports_the_truth_for_a_player_who_is_late() {
    on_chain(|| {
        miss_a_report();
        let result = truth(1);
        assert_ok!(AutoBattle::report_late(signed(2), 1, 1));
        let told = Event::LateReported { who: 1, run: 1, round: 1, reporter: 2, result };
        assert_eq!(events_of_the_pallet(), [told]);
        assert_eq!((wealth(2), bond_of(1)), (PURSE + UNIT, 7 * UNIT));
        let proof = BattleProofs::<Test>::get((1, 1, 1)).unwrap();
        assert_eq!((proof.claimed_result, proof.verified), (result, true));
        // The run goes on.
        assert_eq!(session(1).stage, Stage::Shop);
        play_honest_round(1);
        play_run(1);
        claim(1);
        assert_eq!(bond_of(1), 0);
    });
}

#[test]
fn a_player_who_is_late_can_do_it_too_and_pays_nobody() {
    on_chain(|| {
        miss_a_report();
        assert_ok!(AutoBattle::report_late(signed(1), 1, 1));
        assert_eq!((wealth(1), bond_of(1)), (PURSE - 10 * UNIT, 7 * UNIT));
    });
}

#[test]
fn a_bond_pays_for_one_late_report_of_a_run() {
    on_chain(|| {
        miss_a_report();
        assert_ok!(AutoBattle::report_late(signed(2), 1, 1));
        for _ in 0..2 {
            if session(1).stage != Stage::Shop {
                break;
            }
            play_turn(1);
            pass_blocks(20);
            assert_ok!(AutoBattle::report_late(signed(3), 1, 1));
        }
        assert_eq!((wealth(3), bond_of(1)), (PURSE, 7 * UNIT));
    });
}

#[test]
fn a_late_report_cannot_be_disputed_and_an_early_lie_still_can() {
    on_chain(|| {
        start(1);
        super::play_round(1, lie);
        play_turn(1);
        pass_blocks(20);
        assert_ok!(AutoBattle::report_late(signed(2), 1, 1));
        assert!(AutoBattle::dispute_battle(signed(3), 1, 1, 2).is_err());
        assert_ok!(AutoBattle::dispute_battle(signed(3), 1, 1, 1));
        // The bond still paid for the dispute, and the treasury had the rest.
        assert_eq!((wealth(3), bond_of(1)), (PURSE + 2 * UNIT, 0));
    });
}

#[test]
fn only_after_a_second_deadline_does_the_run_expire() {
    on_chain(|| {
        miss_a_report();
        assert!(AutoBattle::expire_game(signed(2), 1).is_err());
        pass_blocks(18);
        assert!(AutoBattle::expire_game(signed(2), 1).is_err());
        next_block();
        assert!(AutoBattle::report_late(signed(2), 1, 1).is_err());
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
    });
}

#[test]
fn a_late_report_gives_back_what_its_battle_did_not_need() {
    on_chain(|| {
        miss_a_report();
        let pool = AutoBattle::view_pool(session(1).set_hash).unwrap();
        let steps = AutoBattle::view_battle(&1).unwrap().battle.judge(&pool).unwrap().steps;
        let post = AutoBattle::report_late(signed(2), 1, 1).unwrap();
        assert_eq!(post.actual_weight, Some(AutoBattle::late_report_weight(steps)));
    });
}
