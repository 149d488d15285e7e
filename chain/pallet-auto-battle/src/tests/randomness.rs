//! Nobody knows a seed when they commit to it, and nobody can wait for a better one.

use auto_battle::BattleResult;
use frame::prelude::{H256, Hooks as _, frame_system};
use frame::testing_prelude::{assert_err, assert_noop, assert_ok};
use frame::traits::Randomness;

use super::{choices, plan, play_turn, start};
use crate::mock::{
    AutoBattle, RuntimeCall, System, Test, Utility, await_decision, draw_from, last_event, new_test_ext, next_block,
    on_chain, pass_blocks, session, signed, starter_set_hash,
};
use crate::types::{Commit, DrawnValue};
use crate::{Call, DrawnValues, Error, Event, RngNonce, VrfOutputs};

#[test]
fn nothing_can_be_done_with_a_deck_before_it_is_decided() {
    on_chain(|| {
        assert_ok!(AutoBattle::start_game(signed(1), starter_set_hash()));
        let unknown = Error::<Test>::SeedNotKnown;
        assert_eq!(AutoBattle::view_session(&1).unwrap().state, None);
        assert_noop!(AutoBattle::pitch_shop_card(signed(1), 0), unknown);
        let unknown = Error::<Test>::SeedNotKnown;
        assert_noop!(AutoBattle::end_turn(signed(1)), unknown);
        // Nor in the next block, whose parent is the block of the commit.
        next_block();
        assert_eq!(AutoBattle::view_session(&1).unwrap().state, None);
        next_block();
        assert_ok!(AutoBattle::pitch_shop_card(signed(1), 0));
    });
}

#[test]
fn nothing_can_be_reported_before_the_battle_is_decided() {
    on_chain(|| {
        start(1);
        assert_ok!(AutoBattle::play_turn(signed(1), plan(1)));
        assert_eq!(AutoBattle::view_battle(&1), None);
        assert_noop!(AutoBattle::report_outcome(signed(1), BattleResult::Victory), Error::<Test>::SeedNotKnown);
        assert!(matches!(last_event(), Event::BattleReady { who: 1, round: 1, commit_block: 3 }));
        next_block();
        assert_eq!(AutoBattle::view_battle(&1), None);
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

/// The seed of a deck that was committed in a block whose hash, and the next one's, came out so.
fn seed_after(own: u8, next: u8) -> u64 {
    new_test_ext(10, 1).execute_with(|| {
        assert_ok!(AutoBattle::start_game(signed(1), starter_set_hash()));
        for hash in [own, next] {
            let number = System::block_number();
            System::initialize(&(number + 1), &H256::repeat_byte(hash), &Default::default());
            AutoBattle::on_initialize(number + 1);
        }
        session(1).seed
    })
}

#[test]
fn the_author_of_the_block_of_a_commit_cannot_choose_its_seed() {
    // Whatever hash that author gives the block, the seed comes of the next one.
    assert!((1..50).all(|own| seed_after(own, 7) == seed_after(0, 7)));
    assert_ne!(seed_after(7, 1), seed_after(7, 2));
}

/// Keeps these values for blocks from 1 on, as a source would have told them.
fn tell(known_since: &[u64]) {
    for (block, &known_since) in (1..).zip(known_since) {
        let value = H256::from_low_u64_be(block);
        DrawnValues::<Test>::insert(AutoBattle::slot_of(block), DrawnValue { block, value, known_since });
        System::set_block_number(block);
    }
}

/// The block whose value decides a commit.
fn decider(commit_block: u64) -> Result<u64, Error<Test>> {
    AutoBattle::decide(Commit { block: commit_block, nonce: 1 }).map(|it| it.block)
}

#[test]
fn a_value_that_was_known_when_it_was_committed_to_decides_nothing() {
    on_chain(|| {
        // A source that tells a new value every fifth block, known since the block before.
        let known_since = [0, 0, 0, 0, 4, 4, 4, 4, 4, 9, 9, 9, 9, 9, 14];
        tell(&known_since);
        for commit in 1..4 {
            assert_eq!(decider(commit).ok(), Some(5));
        }
        for commit in 4..9 {
            assert_eq!(decider(commit).ok(), Some(10));
        }
        for commit in 9..13 {
            assert_eq!(decider(commit).ok(), Some(15));
        }
        // Nothing that could decide these is known yet.
        assert!(matches!(decider(13), Ok(15)));
        assert!(matches!(decider(14), Err(Error::SeedNotKnown)));
        DrawnValues::<Test>::drain().count();
    });
}

#[test]
fn whenever_it_is_read_the_same_value_decides() {
    for history in 1..40 {
        let mut rng = choices(history);
        let mut known = 0;
        let known_since: Vec<u64> = (1..60)
            .map(|block| {
                known = if rng.below(4) == 0 { block - 1 } else { known };
                known
            })
            .collect();
        new_test_ext(10, 1).execute_with(|| {
            let mut decided = std::collections::BTreeMap::new();
            for n_blocks in 1..known_since.len() {
                tell(&known_since[..n_blocks]);
                for commit in 1..n_blocks as u64 {
                    let expected = (commit + 2..=n_blocks as u64).find(|it| known_since[*it as usize - 1] > commit);
                    let found = decider(commit).ok();
                    assert_eq!(found, expected);
                    if let Some(found) = found {
                        assert_eq!(*decided.entry(commit).or_insert(found), found);
                    }
                }
            }
        });
    }
}

#[test]
fn a_forgotten_value_decides_nothing_and_no_other_takes_its_place() {
    on_chain(|| {
        start(1);
        pass_blocks(70);
        assert!(matches!(decider(1), Err(Error::RunExpired)));
    });
}

/// A source of outputs of a verifiable random function, as BABE has it: not every block has one.
struct SomeAuthors;

impl Randomness<Option<H256>, u64> for SomeAuthors {
    fn random(_subject: &[u8]) -> (Option<H256>, u64) {
        let block = frame_system::Pallet::<Test>::block_number();
        (block.is_multiple_of(3).then(|| H256::from_low_u64_be(block)), block)
    }
}

#[test]
fn a_block_without_an_output_passes_the_decision_on_to_the_next_that_has_one() {
    on_chain(|| {
        System::set_block_number(6);
        assert_eq!(VrfOutputs::<SomeAuthors>::random(b""), (H256::from_low_u64_be(6), 5));
        System::set_block_number(7);
        assert_eq!(VrfOutputs::<SomeAuthors>::random(b""), (H256::zero(), 0));
    });
}

/// The same with gaps that nobody can foresee.
struct FewAuthors;

impl Randomness<Option<H256>, u64> for FewAuthors {
    fn random(_subject: &[u8]) -> (Option<H256>, u64) {
        let block = frame_system::Pallet::<Test>::block_number();
        let has_output = choices(block).below(2) == 0;
        (has_output.then(|| H256::from_low_u64_be(block)), block)
    }
}

#[test]
fn blocks_without_an_output_never_change_what_was_decided() {
    on_chain(|| {
        draw_from::<VrfOutputs<FewAuthors>>();
        let mut decided = std::collections::BTreeMap::new();
        for _ in 0..50 {
            next_block();
            let now = System::block_number();
            for commit in now.saturating_sub(30)..now {
                let found = AutoBattle::decide(Commit { block: commit, nonce: 1 }).ok().map(|it| it.value);
                let before = decided.entry(commit).or_insert(found);
                assert!(before.is_none() || *before == found, "block {now} decides the commit of {commit} anew");
                *before = found;
            }
        }
        assert!(decided.values().flatten().count() > 40);
    });
}

#[test]
fn every_block_keeps_its_value() {
    on_chain(|| {
        await_decision();
        let now = System::block_number();
        let kept = |block| DrawnValues::<Test>::get(AutoBattle::slot_of(block)).unwrap();
        assert_eq!((kept(now).block, kept(now).known_since), (now, now - 1));
        assert_ne!(kept(now).value, kept(now - 1).value);
        pass_blocks(200);
        assert_eq!(DrawnValues::<Test>::iter().count(), 64);
    });
}
