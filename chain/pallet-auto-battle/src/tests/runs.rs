//! Runs from their start to their settlement.

use auto_battle::{BattleResult, RunPhase, ShopAction};
use frame::testing_prelude::{assert_noop, assert_ok};

use super::{claim, in_history_with, lie_to_ten_wins, play_honest_round, play_run, play_turn, start, truth};
use crate::mock::{
    AutoBattle, PURSE, RuntimeEvent, System, Test, UNIT, await_decision, bond_of, events_of_the_pallet, last_event,
    next_block, on_chain, pass_blocks, pass_time, rewind_time, session, signed, starter_pool, starter_set_hash, wealth,
};
use crate::{ActiveGame, BattleProofs, Ending, Error, Event, LastBattleProof, Stage};

#[test]
fn a_started_run_has_paid_its_fee_left_its_bond_and_no_deck_yet() {
    on_chain(|| {
        let set_hash = starter_set_hash();
        assert_ok!(AutoBattle::start_game(signed(1), set_hash));
        let stored = ActiveGame::<Test>::get(1).unwrap();
        assert_eq!((stored.state, stored.run, stored.entry_fee), (None, 1, 10 * UNIT));
        assert_eq!(wealth(1), PURSE - 10 * UNIT);
        assert_eq!(bond_of(1), 8 * UNIT);
        assert_eq!(starter_pool(), 10 * UNIT);
        assert_eq!(last_event(), Event::GameStarted { who: 1, set_hash, entry_fee: 10 * UNIT });

        await_decision();
        let dealt = session(1).state.unwrap();
        assert_eq!((dealt.deck().len(), dealt.phase()), (55, RunPhase::Shop));
    });
}

#[test]
fn every_shop_call_does_what_its_name_says() {
    on_chain(|| {
        start(1);
        let shop = |slot: usize| session(1).state.unwrap().shop()[slot];
        let board = |slot: usize| session(1).state.unwrap().board()[slot];
        let tell = |action| assert_eq!(last_event(), Event::ShopAction { who: 1, action });

        assert_ok!(AutoBattle::toggle_freeze(signed(1), 0));
        tell(ShopAction::ToggleFreeze { slot: 0 });
        assert!(shop(0).frozen);

        let (second, next) = (shop(1), session(1).state.unwrap().deck().last().copied());
        assert_ok!(AutoBattle::pitch_shop_card(signed(1), 1));
        tell(ShopAction::PitchShopCard { slot: 1 });
        assert_ne!(shop(1).card, second.card);
        assert_eq!(shop(1).card, next);
        assert!(session(1).state.unwrap().mana() > 0);

        // Pitch until something can be bought.
        let slot = loop {
            let slot = (0..5).find(|&it| AutoBattle::buy_card(signed(1), it).is_ok());
            match slot {
                Some(slot) => break slot,
                None => AutoBattle::pitch_shop_card(signed(1), 4).unwrap(),
            }
        };
        tell(ShopAction::BuyCard { slot });
        let unit = board(0).unwrap();

        assert_ok!(AutoBattle::swap_board(signed(1), 0, 3));
        tell(ShopAction::SwapBoard { a: 0, b: 3 });
        assert_eq!((board(0), board(3)), (None, Some(unit)));

        assert_ok!(AutoBattle::pitch_board_unit(signed(1), 3));
        tell(ShopAction::PitchBoardUnit { slot: 3 });
        assert_eq!(board(3), None);
    });
}

#[test]
fn a_turn_in_one_call_is_the_turn_in_many() {
    let many = || {
        start(1);
        for action in super::plan(1) {
            assert_ok!(match action {
                ShopAction::PitchShopCard { slot } => AutoBattle::pitch_shop_card(signed(1), slot),
                ShopAction::BuyCard { slot } => AutoBattle::buy_card(signed(1), slot),
                ShopAction::ToggleFreeze { slot } => AutoBattle::toggle_freeze(signed(1), slot),
                ShopAction::SwapBoard { a, b } => AutoBattle::swap_board(signed(1), a, b),
                ShopAction::PitchBoardUnit { slot } => AutoBattle::pitch_board_unit(signed(1), slot),
            });
        }
        assert_ok!(AutoBattle::end_turn(signed(1)));
    };
    let one = || {
        start(1);
        assert_ok!(AutoBattle::play_turn(signed(1), super::plan(1)));
    };
    let after = |play: fn()| crate::mock::new_test_ext(10, 3).execute_with(|| (play(), ActiveGame::<Test>::get(1)).1);
    assert_eq!(after(many), after(one));
}

#[test]
fn a_report_leaves_a_proof_that_the_next_does_not_overwrite() {
    on_chain(|| {
        start(1);
        play_turn(1);
        let claimed_result = truth(1);
        assert_ok!(AutoBattle::report_outcome(signed(1), claimed_result));
        assert_eq!(last_event(), Event::BattleReported { who: 1, round: 1, claimed_result });
        let first = BattleProofs::<Test>::get((1, 1, 1)).unwrap();
        assert_eq!((first.claimed_result, first.round, first.verified), (claimed_result, 1, false));
        assert_eq!(LastBattleProof::<Test>::get(1), Some((1, 1)));

        play_honest_round(1);
        assert_eq!(BattleProofs::<Test>::get((1, 1, 1)), Some(first));
        assert_eq!(LastBattleProof::<Test>::get(1), Some((1, 2)));
    });
}

#[test]
fn ten_wins_are_paid_after_the_chain_has_fought_them_all() {
    in_history_with(Ending::Won, || {
        let n_reports = session(1).n_reports();
        assert_eq!(last_event(), Event::VictoryReported { who: 1, run: 1 });
        let (before, pool) = (wealth(1), starter_pool());

        // Five rounds a call; the last call pays.
        assert_ok!(super::try_claim(1));
        assert_eq!(last_event(), Event::ClaimProgressed { who: 1, run: 1, n_unverified: n_reports - 5 });
        assert_eq!(wealth(1), before);
        claim(1);

        // The pool had one entry fee, which is less than the prize.
        assert_eq!(pool, 10 * UNIT);
        let told = [Event::GameWon { who: 1, prize: 10 * UNIT }, Event::RunSettled { who: 1, run: 1 }];
        assert!(events_of_the_pallet().ends_with(&told));
        assert_eq!((wealth(1), bond_of(1)), (before + 10 * UNIT, 0));
        assert_eq!(ActiveGame::<Test>::get(1), None);
        assert_eq!(BattleProofs::<Test>::iter().count(), 0);
        assert_noop!(super::try_claim(1), Error::<Test>::NotInGame);
    });
}

#[test]
fn a_prize_is_never_more_than_the_prize() {
    in_history_with(Ending::Won, || {
        for rich in 2..=4 {
            start(rich);
        }
        let before = wealth(1);
        claim(1);
        assert_eq!(wealth(1), before + 20 * UNIT);
        assert_eq!(starter_pool(), 20 * UNIT);
    });
}

#[test]
fn a_lost_run_gets_its_bond_back_by_proof_or_by_patience() {
    in_history_with(Ending::Lost, || {
        assert!(matches!(last_event(), Event::GameLost { who: 1, .. }));
        // By proof: the chain fights the rounds now.
        claim(1);
        assert_eq!(last_event(), Event::RunSettled { who: 1, run: 1 });
        assert_eq!((wealth(1), bond_of(1)), (PURSE - 10 * UNIT, 0));
    });
    in_history_with(Ending::Lost, || {
        // By patience: after the window one call is enough, and it fights nothing.
        pass_blocks(11);
        assert_ok!(super::try_claim(1));
        assert_eq!(last_event(), Event::RunSettled { who: 1, run: 1 });
    });
}

#[test]
fn a_run_that_only_draws_ends_with_its_rounds() {
    on_chain(|| {
        start(1);
        for _ in 0..20 {
            assert!(!matches!(session(1).stage, Stage::Over(_)));
            assert_ok!(AutoBattle::end_turn(signed(1)));
            await_decision();
            assert_ok!(AutoBattle::report_outcome(signed(1), BattleResult::Draw));
        }
        assert_eq!(session(1).stage, Stage::Over(Ending::Lost));
        assert_eq!(last_event(), Event::GameLost { who: 1, round: 20 });
    });
}

#[test]
fn forfeiting_keeps_the_bond_and_never_the_fee() {
    on_chain(|| {
        start(1);
        assert_ok!(AutoBattle::forfeit(signed(1)));
        assert_eq!((wealth(1), bond_of(1)), (PURSE - 10 * UNIT, 0));
        assert_eq!(ActiveGame::<Test>::get(1), None);
        assert!(
            System::events().iter().any(|it| { it.event == RuntimeEvent::AutoBattle(Event::GameForfeited { who: 1 }) })
        );

        // With a report that somebody may still dispute, the bond waits for the window.
        start(1);
        play_honest_round(1);
        assert_ok!(AutoBattle::forfeit(signed(1)));
        assert_eq!((session(1).stage, bond_of(1)), (Stage::Over(Ending::Forfeited), 8 * UNIT));
        claim(1);
        assert_eq!(bond_of(1), 0);
    });
}

#[test]
fn runs_of_an_account_are_numbered() {
    on_chain(|| {
        for run in 1..=3 {
            start(1);
            assert_eq!(session(1).run, run);
            assert_ok!(AutoBattle::forfeit(signed(1)));
        }
    });
}

#[test]
fn a_run_that_nobody_carries_on_is_ended_by_anyone_for_a_reward() {
    on_chain(|| {
        start(1);
        play_turn(1);
        // Two blocks have passed since the turn ended.
        pass_blocks(38);
        assert_noop!(AutoBattle::expire_game(signed(2), 1), Error::<Test>::NotExpired);
        next_block();
        assert_noop!(AutoBattle::report_outcome(signed(1), BattleResult::Victory), Error::<Test>::RunExpired);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
        assert_eq!(last_event(), Event::GameExpired { who: 1, run: 1, caller: 2 });
        assert_eq!(wealth(2), PURSE + UNIT);
        assert_eq!((wealth(1), bond_of(1)), (PURSE - 11 * UNIT, 0));
        assert_eq!(ActiveGame::<Test>::get(1), None);
    });
}

#[test]
fn a_run_expires_in_every_stage() {
    #[track_caller]
    fn check(prepare: fn(), n_blocks: u64) {
        on_chain(|| {
            prepare();
            pass_blocks(n_blocks - 1);
            assert_noop!(AutoBattle::expire_game(signed(2), 1), Error::<Test>::NotExpired);
            next_block();
            assert_ok!(AutoBattle::expire_game(signed(2), 1));
        });
    }
    // Its deck was never dealt; `start` has waited two blocks already.
    check(|| start(1), 39);
    check(
        || {
            start(1);
            play_honest_round(1);
        },
        101,
    );
    check(
        || {
            start(1);
            lie_to_ten_wins(1);
        },
        101,
    );
}

#[test]
fn a_deck_nobody_looked_at_in_time_is_gone() {
    on_chain(|| {
        start(1);
        pass_blocks(39);
        assert_noop!(AutoBattle::end_turn(signed(1)), Error::<Test>::RunExpired);
        // Even when its randomness is forgotten.
        pass_blocks(300);
        assert_noop!(AutoBattle::end_turn(signed(1)), Error::<Test>::RunExpired);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
    });
}

#[test]
fn deadlines_follow_the_clock_of_the_chain_and_not_its_blocks() {
    on_chain(|| {
        start(1);
        play_turn(1);
        pass_time(39);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
    });
    on_chain(|| {
        // Blocks may also come faster than time: then what decides a battle is forgotten first.
        start(1);
        play_turn(1);
        pass_blocks(70);
        rewind_time(70);
        assert_noop!(AutoBattle::report_outcome(signed(1), BattleResult::Victory), Error::<Test>::RunExpired);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
    });
}

#[test]
fn runs_end_by_themselves_whatever_happens() {
    for history in 1..30 {
        crate::mock::new_test_ext(10, history).execute_with(|| {
            start(1);
            assert!(matches!(play_run(1), Ending::Won | Ending::Lost));
            claim(1);
            AutoBattle::do_try_state().unwrap();
        });
    }
}
