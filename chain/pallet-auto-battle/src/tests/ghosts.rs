//! Ghosts: whom players meet, and that nobody can choose whom.

use auto_battle::{BoardUnit, Bounded, CardIndex, SavedBoard, builtin_board};
use frame::testing_prelude::{assert_noop, assert_ok};

use super::{play_turn, start, truth};
use crate::mock::{
    AutoBattle, Test, last_event, new_test_ext, next_block, on_chain, pass_blocks, session, signed, starter_set_hash,
};
use crate::types::GhostBoardKey;
use crate::{Error, Event, GHOSTS_MAX, GHOSTS_PER_CLEANING, GhostBoards, GhostOwners, GhostRings};

fn first_round() -> GhostBoardKey {
    GhostBoardKey { set_hash: starter_set_hash(), round: 1, wins: 0, losses: 0 }
}

fn board(card: u8) -> SavedBoard {
    Bounded::try_from_iter([BoardUnit::Pool(CardIndex(card))]).unwrap()
}

fn owners(key: GhostBoardKey) -> Vec<u64> {
    AutoBattle::view_ghosts(key).into_iter().map(|it| it.owner).collect()
}

#[test]
fn two_players_meet_each_others_ghosts() {
    on_chain(|| {
        start(1);
        play_turn(1);
        let first = AutoBattle::view_battle(&1).unwrap();
        assert_eq!((first.opponent, first.battle.enemy), (None, builtin_board(1)));

        start(2);
        play_turn(2);
        let second = AutoBattle::view_battle(&2).unwrap();
        assert_eq!((second.opponent, second.battle.enemy), (Some(1), first.battle.player));

        // In his next run the first meets the second.
        assert_ok!(AutoBattle::forfeit(signed(1)));
        start(1);
        play_turn(1);
        assert_eq!(AutoBattle::view_battle(&1).unwrap().opponent, Some(2));
        assert_ok!(AutoBattle::report_outcome(signed(1), truth(1)));
    });
}

#[test]
fn nobody_meets_himself_or_who_stands_elsewhere() {
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
fn the_hundred_and_first_ghost_takes_the_place_of_the_oldest() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=u64::from(GHOSTS_MAX) {
            AutoBattle::save_ghost(key, &who, board(1));
        }
        assert_eq!(owners(key), (1..=100).collect::<Vec<_>>());
        // Who has a ghost already only changes it.
        AutoBattle::save_ghost(key, &50, board(2));
        assert_eq!(owners(key), (1..=100).collect::<Vec<_>>());
        AutoBattle::save_ghost(key, &101, board(3));
        assert_eq!(owners(key), (2..=101).collect::<Vec<_>>());
        assert_eq!(GhostOwners::<Test>::get(key, 1), None);
        assert_eq!(GhostBoards::<Test>::iter_prefix(key).count(), 100);
    });
}

#[test]
fn every_other_ghost_is_met_and_the_own_never() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=5 {
            AutoBattle::save_ghost(key, &who, board(1));
        }
        let window = AutoBattle::commit_ghosts(key, &3);
        let met = (1..200).filter_map(|seed| AutoBattle::pick_ghost(key, window, seed * 0x9E37_79B9));
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
            AutoBattle::save_ghost(key, &who, board(1));
        }
        let window = AutoBattle::commit_ghosts(key, &500);
        let pick = |seed: u64| AutoBattle::pick_ghost(key, window, seed * 0x9E37_79B9);
        let before: Vec<_> = (1..300).map(pick).collect();
        // Every ghost is replaced: the oldest half by newcomers, the others by their owners.
        for who in 201..=250 {
            AutoBattle::save_ghost(key, &who, board(3));
        }
        for who in 51..=100 {
            AutoBattle::save_ghost(key, &who, board(2));
        }
        let after = (1..300).map(pick);
        assert!(after.eq(before.iter().cloned()), "a battle met another ghost than was committed");
        assert!(before.iter().all(|it| it.as_ref().is_some_and(|it| it.board == board(1))));
    });
}

#[test]
fn a_slot_keeps_its_two_ghosts_while_battles_may_meet_both() {
    on_chain(|| {
        let key = first_round();
        AutoBattle::save_ghost(key, &1, board(1));
        let first = AutoBattle::commit_ghosts(key, &500);
        next_block();
        AutoBattle::save_ghost(key, &1, board(2));
        let second = AutoBattle::commit_ghosts(key, &501);
        // A third board would make one of these battles another than it was.
        AutoBattle::save_ghost(key, &1, board(3));
        pass_blocks(20);
        AutoBattle::save_ghost(key, &1, board(3));
        let met = |window| AutoBattle::pick_ghost(key, window, 7).map(|it| it.board);
        assert_eq!((met(first), met(second)), (Some(board(1)), Some(board(2))));
        // The first battle has run out of time by now.
        next_block();
        AutoBattle::save_ghost(key, &1, board(3));
        assert_eq!(met(second), Some(board(2)));
        assert_eq!(AutoBattle::view_ghosts(key)[0].board, board(3));
    });
}

#[test]
fn a_full_ring_that_turned_twice_within_the_deadline_takes_no_more() {
    on_chain(|| {
        let key = first_round();
        for who in 1..=200 {
            AutoBattle::save_ghost(key, &who, board(1));
        }
        assert_eq!(owners(key), (101..=200).collect::<Vec<_>>());
        AutoBattle::save_ghost(key, &201, board(1));
        assert_eq!(owners(key), (101..=200).collect::<Vec<_>>());
        assert_eq!(GhostOwners::<Test>::get(key, 201), None);
        pass_blocks(21);
        AutoBattle::save_ghost(key, &201, board(1));
        assert_eq!(owners(key), (102..=201).collect::<Vec<_>>());
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
            AutoBattle::save_ghost(key, &who, board(1));
        }
        pass_blocks(25);
        AutoBattle::save_ghost(key, &16, board(1));
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
fn no_ghost_is_cleaned_while_a_battle_may_meet_it() {
    on_chain(|| {
        start(1);
        play_turn(1);
        pass_blocks(40);
        start(2);
        play_turn(2);
        let key = first_round();
        let opponent = AutoBattle::view_battle(&2).unwrap().opponent;
        assert_noop!(AutoBattle::clean_ghost_boards(signed(2), key, 0), Error::<Test>::GhostsInUse);
        pass_blocks(19);
        assert_noop!(AutoBattle::clean_ghost_boards(signed(2), key, 0), Error::<Test>::GhostsInUse);
        assert_eq!(AutoBattle::view_battle(&2).unwrap().opponent, opponent);
        next_block();
        assert_ok!(AutoBattle::clean_ghost_boards(signed(2), key, 0));
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
        AutoBattle::save_ghost(first_round(), &1, board(0));
        let proof = crate::BattleProofs::<Test>::get((2, 1, 1)).unwrap();
        assert_eq!((proof.opponent_board, proof.opponent), (met.battle.enemy, Some(1)));
        assert_ok!(AutoBattle::dispute_battle(signed(3), 2, 1, 1));
        assert_eq!(last_event(), Event::BattleDisputed { challenger: 3, target: 2, round: 1, success: false });
        assert_ne!(session(2).n_reports, 0);
    });
}
