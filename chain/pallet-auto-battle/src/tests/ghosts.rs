//! Ghosts: whom players meet, and that nobody can choose whom.

use auto_battle::{BoardUnit, Bounded, CardIndex, SavedBoard, builtin_board};
use frame::deps::frame_support::dispatch::Pays;
use frame::testing_prelude::{assert_noop, assert_ok};

use super::prize_pools::make_champion_set;
use super::{lie, play_round, play_turn, start, truth};
use crate::mock::{
    AutoBattle, Test, last_event, meet_easy_opponents, new_test_ext, next_block, on_chain, pass_blocks, session,
    signed, starter_set_hash,
};
use crate::types::GhostBoardKey;
use crate::{Error, Event, GHOSTS_MAX, GHOSTS_PER_CLEANING, GhostBoards, GhostOwners, GhostRings};

fn first_round() -> GhostBoardKey {
    GhostBoardKey { set_hash: starter_set_hash(), round: 1, wins: 0, losses: 0 }
}

fn board(card: u8) -> SavedBoard {
    Bounded::try_from_iter([BoardUnit::Pool(CardIndex(card))]).unwrap()
}

/// Saves a ghost of an account's first run.
fn save(key: GhostBoardKey, who: u64, board: SavedBoard) {
    AutoBattle::save_ghost(key, &who, 1, board);
}

fn owners(key: GhostBoardKey) -> Vec<u64> {
    AutoBattle::view_ghosts(key).into_iter().map(|it| it.owner).collect()
}

#[test]
fn two_players_meet_each_others_ghosts() {
    on_chain(|| {
        meet_easy_opponents();
        start(1);
        play_turn(1);
        let first = AutoBattle::view_battle(&1).unwrap();
        assert_eq!((first.opponent, first.battle.enemy), (None, builtin_board(1)));

        start(2);
        play_turn(2);
        let second = AutoBattle::view_battle(&2).unwrap();
        assert_eq!((second.opponent, second.battle.enemy), (Some(1), first.battle.player));

        // In the next run the first meets the second.
        assert_ok!(AutoBattle::forfeit(signed(1)));
        start(1);
        play_turn(1);
        assert_eq!(AutoBattle::view_battle(&1).unwrap().opponent, Some(2));
        assert_ok!(AutoBattle::report_outcome(signed(1), truth(1)));
    });
}

#[test]
fn nobody_meets_the_own_ghost_or_a_player_who_stands_elsewhere() {
    on_chain(|| {
        start(1);
        play_turn(1);
        assert_ok!(AutoBattle::forfeit(signed(1)));
        start(1);
        play_turn(1);
        assert_eq!(AutoBattle::view_battle(&1).unwrap().opponent, None);
        assert_eq!(owners(first_round()), [1]);

        // The other one stands in round 2 already.
        assert_ok!(AutoBattle::report_outcome(signed(1), truth(1)));
        play_turn(1);
        assert_eq!(AutoBattle::view_battle(&1).unwrap().opponent, None);
    });
}

#[test]
fn an_empty_board_leaves_no_ghost() {
    on_chain(|| {
        start(1);
        assert_ok!(AutoBattle::end_turn(signed(1)));
        assert!(owners(first_round()).is_empty());
        assert!(!GhostRings::<Test>::contains_key(first_round()));
    });
}

#[test]
fn ghosts_leave_in_the_order_in_which_they_came() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=u64::from(GHOSTS_MAX) {
            save(key, who, board(1));
        }
        assert_eq!(owners(key), (1..=100).collect::<Vec<_>>());
        // A newer ghost of the same account is the newest of all, and the older one goes.
        save(key, 50, board(2));
        let mut expected: Vec<u64> = (1..=100).filter(|it| *it != 50).chain([50]).collect();
        assert_eq!(owners(key), expected);
        for who in 101..=300 {
            save(key, who, board(3));
            expected.remove(0);
            expected.push(who);
            assert_eq!(owners(key), expected);
        }
        assert_eq!(GhostOwners::<Test>::get(key, 1), None);
        assert_eq!(GhostOwners::<Test>::iter_prefix(key).count(), 100);
    });
}

#[test]
fn every_other_ghost_is_met_and_the_own_never() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=5 {
            save(key, who, board(1));
        }
        let window = AutoBattle::commit_ghosts(key, &3);
        let met = (1..200).filter_map(|seed| AutoBattle::pick_ghost(key, &window, seed * 0x9E37_79B9));
        let mut met: Vec<u64> = met.map(|it| it.owner).collect();
        assert_eq!(met.len(), 199);
        met.sort_unstable();
        met.dedup();
        assert_eq!(met, [1, 2, 4, 5]);
    });
}

#[test]
fn ghosts_that_come_or_change_after_the_commit_change_nothing() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=u64::from(GHOSTS_MAX) {
            save(key, who, board(1));
        }
        let window = AutoBattle::commit_ghosts(key, &500);
        let pick = |seed: u64| AutoBattle::pick_ghost(key, &window, seed * 0x9E37_79B9);
        let before: Vec<_> = (1..300).map(pick).collect();
        // Every ghost is replaced: the oldest half by newcomers, the others by their owners.
        for who in 201..=250 {
            save(key, who, board(3));
        }
        for who in 51..=100 {
            save(key, who, board(2));
        }
        let after = (1..300).map(pick);
        assert!(after.eq(before.iter().cloned()), "a battle met another ghost than was committed");
        assert!(before.iter().all(|it| it.as_ref().is_some_and(|it| it.board == board(1))));
    });
}

#[test]
fn a_ghost_that_left_is_kept_until_no_battle_can_meet_it_and_then_removed() {
    on_chain(|| {
        let key = first_round();
        save(key, 1, board(1));
        let first = AutoBattle::commit_ghosts(key, &500);
        for card in 2..9 {
            next_block();
            save(key, 1, board(card));
        }
        let met = |window| AutoBattle::pick_ghost(key, window, 7).map(|it| it.board);
        assert_eq!(met(&first), Some(board(1)));
        assert_eq!(GhostBoards::<Test>::iter_prefix(key).count(), 8);
        pass_blocks(34);
        assert_eq!(met(&first), Some(board(1)));
        // Now the first has left more than two deadlines ago.
        pass_blocks(2);
        assert_eq!(met(&first), None);
        pass_blocks(10);
        assert_eq!(GhostBoards::<Test>::iter_prefix(key).count(), 1);
        assert_eq!(crate::DepartedGhosts::<Test>::iter().count(), 0);
        assert_eq!(AutoBattle::view_ghosts(key)[0].board, board(8));
    });
}

#[test]
fn the_ghosts_of_a_proven_liars_run_go_and_those_of_other_runs_stay() {
    on_chain(|| {
        // An honest run leaves a ghost in the first round, and the next run another one.
        start(3);
        play_turn(3);
        start(1);
        for _ in 0..3 {
            play_round(1, lie);
        }
        play_turn(1);
        let n_of = |who| GhostOwners::<Test>::iter().filter(|it| it.1 == who).count();
        assert_eq!((n_of(1), n_of(3)), (4, 1));
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 2));
        next_block();
        assert_eq!((n_of(1), n_of(3)), (0, 1));
        assert_eq!(crate::LiarTrails::<Test>::iter().count(), 0);
        AutoBattle::do_try_state().unwrap();
    });
    on_chain(|| {
        start(1);
        play_round(1, lie);
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        // The next run saves a ghost under the same key before the sweep comes by.
        AutoBattle::save_ghost(first_round(), &1, 2, board(4));
        next_block();
        assert_eq!(owners(first_round()), [1]);
    });
}

#[test]
fn removing_a_liars_ghost_does_not_change_a_battle_that_may_meet_it() {
    on_chain(|| {
        start(1);
        play_turn(1);
        start(2);
        play_turn(2);
        let met = AutoBattle::view_battle(&2).unwrap();
        assert_eq!(met.opponent, Some(1));
        assert_ok!(AutoBattle::report_outcome(signed(1), lie(truth(1))));
        assert_ok!(AutoBattle::dispute_battle(signed(3), 1, 1, 1));
        pass_blocks(10);
        assert!(!owners(first_round()).contains(&1));
        assert_eq!(AutoBattle::view_battle(&2), Some(met));
        let claim = truth(2);
        assert_ok!(AutoBattle::report_outcome(signed(2), claim));
    });
}

#[test]
fn a_sweep_stops_where_the_weight_of_the_block_ends() {
    on_chain(|| {
        start(1);
        for _ in 0..2 {
            play_round(1, lie);
        }
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, 1, 1));
        let n_ghosts = || GhostOwners::<Test>::iter().count();
        assert_eq!(n_ghosts(), 2);
        let step = <<Test as crate::Config>::WeightInfo as crate::WeightInfo>::sweep_step();
        let idle = |left| <AutoBattle as frame::prelude::Hooks<u64>>::on_idle(1, left);
        assert_eq!(idle(step.saturating_sub(frame::prelude::Weight::from_parts(1, 0))), Default::default());
        assert_eq!((idle(step), n_ghosts()), (step, 1));
        assert_eq!((idle(step), n_ghosts()), (step, 0));
    });
}

#[test]
fn nobody_can_exchange_an_opponent_between_the_fight_and_its_report() {
    on_chain(|| {
        start(1);
        play_turn(1);
        start(2);
        play_turn(2);
        let (met, claim) = (AutoBattle::view_battle(&2).unwrap(), truth(2));
        assert_eq!(met.opponent, Some(1));
        for _ in 0..3 {
            assert_ok!(AutoBattle::forfeit(signed(1)));
            start(1);
            assert_ok!(AutoBattle::pitch_shop_card(signed(1), 0));
            play_turn(1);
        }
        assert_eq!(AutoBattle::view_battle(&2), Some(met));
        assert_ok!(AutoBattle::report_outcome(signed(2), claim));
        assert_ok!(AutoBattle::dispute_battle(signed(1), 2, 1, 1));
        assert_eq!(last_event(), Event::BattleDisputed { challenger: 1, target: 2, round: 1, success: false });
    });
}

#[test]
fn old_ghosts_are_cleaned_a_few_at_a_time_and_young_ones_never() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=15 {
            save(key, who, board(1));
        }
        pass_blocks(25);
        save(key, 16, board(1));
        // However short a span is asked for, the chain's own bound holds.
        assert_noop!(AutoBattle::clean_ghost_boards(signed(9), key, 0), Error::<Test>::NothingToClean);
        pass_blocks(6);
        assert_noop!(AutoBattle::clean_ghost_boards(signed(9), key, 40), Error::<Test>::NothingToClean);
        assert_ok!(AutoBattle::clean_ghost_boards(signed(9), key, 0));
        assert_eq!(last_event(), Event::GhostsCleaned { key, n_cleaned: GHOSTS_PER_CLEANING });
        assert_ok!(AutoBattle::clean_ghost_boards(signed(9), key, 0));
        assert_eq!(owners(key), [16]);
        pass_blocks(31);
        assert_ok!(AutoBattle::clean_ghost_boards(signed(9), key, 0));
        assert!(!GhostRings::<Test>::contains_key(key));
    });
}

#[test]
fn tidying_up_after_a_removed_set_is_free() {
    on_chain(|| {
        let set_hash = make_champion_set(3);
        let key = GhostBoardKey { set_hash, ..first_round() };
        for key in [key, first_round()] {
            save(key, 1, board(0));
            save(key, 2, board(0));
        }
        assert_ok!(AutoBattle::remove_set(signed(3), set_hash));
        assert_eq!(owners(key), [1, 2]);
        pass_blocks(31);
        let clean = |key| AutoBattle::clean_ghost_boards(signed(9), key, 0).unwrap().pays_fee;
        assert_eq!((clean(key), clean(first_round())), (Pays::No, Pays::Yes));
        assert_noop!(AutoBattle::clean_ghost_boards(signed(9), key, 0), Error::<Test>::NothingToClean);
        pass_blocks(42);
        assert_eq!(GhostBoards::<Test>::iter_keys().count(), 0, "nothing is left behind");
    });
}

#[test]
fn cleaning_waits_for_nobody_and_changes_no_battle() {
    on_chain(|| {
        start(1);
        play_turn(1);
        pass_blocks(40);
        start(2);
        play_turn(2);
        let key = first_round();
        let met = AutoBattle::view_battle(&2).unwrap();
        assert_eq!(met.opponent, Some(1));
        assert_ok!(AutoBattle::clean_ghost_boards(signed(2), key, 0));
        assert_eq!(owners(key), [2]);
        pass_blocks(15);
        assert_eq!(AutoBattle::view_battle(&2), Some(met));
    });
}

#[test]
fn a_verdict_uses_the_ghost_that_was_met() {
    new_test_ext(10, 1).execute_with(|| {
        start(1);
        play_turn(1);
        start(2);
        play_turn(2);
        let met = AutoBattle::view_battle(&2).unwrap();
        let claim = truth(2);
        assert_ok!(AutoBattle::report_outcome(signed(2), claim));
        // The ghost changes afterwards; the proof keeps the one that was fought.
        save(first_round(), 1, board(0));
        let proof = crate::BattleProofs::<Test>::get((2, 1, 1)).unwrap();
        assert_eq!((proof.opponent_board, proof.opponent), (met.battle.enemy, Some(1)));
        assert_ok!(AutoBattle::dispute_battle(signed(3), 2, 1, 1));
        assert_eq!(last_event(), Event::BattleDisputed { challenger: 3, target: 2, round: 1, success: false });
        assert_ne!(session(2).n_reports(), 0);
    });
}
