//! Nobody knows a seed when he commits to it, and nobody can wait for a better one.

use auto_battle::BattleResult;
use frame::testing_prelude::{assert_err, assert_noop, assert_ok};

use super::{plan, play_turn, start};
use crate::mock::{
    AutoBattle, RuntimeCall, Test, Utility, last_event, new_test_ext, next_block, on_chain, pass_blocks, session,
    signed, starter_set_hash,
};
use crate::{Call, Error, Event, RngNonce};

#[test]
fn nothing_can_be_done_with_a_deck_in_the_block_that_decides_it() {
    on_chain(|| {
        assert_ok!(AutoBattle::start_game(signed(1), starter_set_hash()));
        let unknown = Error::<Test>::SeedNotKnown;
        assert_eq!(AutoBattle::view_session(&1).unwrap().state, None);
        assert_noop!(AutoBattle::pitch_shop_card(signed(1), 0), unknown);
        let unknown = Error::<Test>::SeedNotKnown;
        assert_noop!(AutoBattle::end_turn(signed(1)), unknown);
        next_block();
        assert_ok!(AutoBattle::pitch_shop_card(signed(1), 0));
    });
}

#[test]
fn nothing_can_be_reported_in_the_block_that_decides_the_battle() {
    on_chain(|| {
        start(1);
        assert_ok!(AutoBattle::play_turn(signed(1), plan(1)));
        assert_eq!(AutoBattle::view_battle(&1), None);
        assert_noop!(AutoBattle::report_outcome(signed(1), BattleResult::Victory), Error::<Test>::SeedNotKnown);
        assert!(matches!(last_event(), Event::BattleReady { who: 1, round: 1, commit_block: 2 }));
        next_block();
        assert!(AutoBattle::view_battle(&1).is_some());
    });
}

#[test]
fn a_batch_cannot_look_at_its_deck_and_start_again() {
    on_chain(|| {
        let start = RuntimeCall::AutoBattle(Call::start_game { set_hash: starter_set_hash() });
        let buy = RuntimeCall::AutoBattle(Call::pitch_shop_card { index: 0 });
        let batch = Utility::batch_all(signed(1), vec![start, buy]).map_err(|it| it.error);
        assert_err!(batch, Error::<Test>::SeedNotKnown);
        assert_eq!(AutoBattle::view_session(&1), None);
    });
}

#[test]
fn waiting_changes_nothing() {
    let deck_after = |n_blocks| {
        new_test_ext(10, 1).execute_with(|| {
            start(1);
            pass_blocks(n_blocks);
            session(1).state.unwrap()
        })
    };
    assert_eq!(deck_after(0), deck_after(7));
    let battle_after = |n_blocks| {
        new_test_ext(10, 1).execute_with(|| {
            start(1);
            play_turn(1);
            pass_blocks(n_blocks);
            AutoBattle::view_battle(&1).unwrap()
        })
    };
    assert_eq!(battle_after(0), battle_after(7));
}

#[test]
fn every_account_run_and_history_has_seeds_of_its_own() {
    let seeds = |history| {
        new_test_ext(10, history).execute_with(|| {
            let mut seeds = Vec::new();
            for who in 1..=3 {
                for _ in 0..2 {
                    start(who);
                    seeds.push(session(who).seed);
                    play_turn(who);
                    seeds.push(AutoBattle::view_battle(&who).unwrap().battle.seed);
                    assert_ok!(AutoBattle::forfeit(signed(who)));
                }
            }
            seeds
        })
    };
    let mut all: Vec<u64> = (1..=4).flat_map(seeds).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 4 * 3 * 2 * 2);
}

#[test]
fn commits_are_counted() {
    on_chain(|| {
        start(1);
        assert_eq!(RngNonce::<Test>::get(1), 1);
        play_turn(1);
        assert_eq!(RngNonce::<Test>::get(1), 2);
    });
}
