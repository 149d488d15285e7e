//! What a chain decides, and what it upgrades from.

use codec::MaxEncodedLen;
use frame::prelude::H256;
use frame::testing_prelude::assert_ok;

use super::start;
use crate::Pallet;
use crate::mock::{AutoBattle, Test, on_chain, starter_set_hash};
use crate::types::{BattleProofOf, CardOnChain, GameSessionOf};

#[test]
fn the_decisions_of_the_mock_are_sound() {
    on_chain(<Pallet<Test> as frame::prelude::Hooks<u64>>::integrity_test);
}

#[test]
#[should_panic(expected = "a seed must outlive its deadlines")]
fn blocks_that_are_faster_than_the_clock_need_more_memory() {
    on_chain(|| {
        crate::mock::make_blocks_faster(2);
        <Pallet<Test> as frame::prelude::Hooks<u64>>::integrity_test();
    });
}

#[test]
fn what_is_stored_is_small() {
    assert!(GameSessionOf::<Test>::max_encoded_len() < 1_600, "{}", GameSessionOf::<Test>::max_encoded_len());
    assert!(BattleProofOf::<Test>::max_encoded_len() < 120, "{}", BattleProofOf::<Test>::max_encoded_len());
    assert!(CardOnChain::max_encoded_len() < 450, "{}", CardOnChain::max_encoded_len());
}

#[test]
fn a_damaged_state_is_noticed() {
    #[track_caller]
    fn check(damage: impl FnOnce(H256)) {
        crate::mock::new_test_ext(10, 1).execute_with(|| {
            start(1);
            super::play_honest_round(1);
            assert_ok!(AutoBattle::do_try_state());
            damage(starter_set_hash());
            assert!(AutoBattle::do_try_state().is_err());
        });
    }
    check(|_| crate::CardCount::<Test>::put(1));
    check(|_| {
        let (card_hash, _) = crate::Cards::<Test>::iter().next().unwrap();
        crate::Cards::<Test>::insert(card_hash, CardOnChain::default());
    });
    check(|set_hash| crate::SetGames::<Test>::insert(set_hash, 5));
    check(crate::SetPools::<Test>::remove);
    check(|_| crate::BattleProofs::<Test>::remove((1, 1, 1)));
    check(|_| crate::ActiveGame::<Test>::mutate(1, |it| it.as_mut().unwrap().bond = 1));
    check(|_| crate::ActiveGame::<Test>::mutate(1, |it| it.as_mut().unwrap().n_unverified = 0));
    check(|_| crate::ActiveGame::<Test>::remove(1));
    check(|set_hash| crate::PoolFees::<Test>::insert(set_hash, 11 * crate::mock::UNIT));
    check(|_| crate::PoolFees::<Test>::insert(super::unknown_hash(), 1));
    check(|_| crate::LastBattleProof::<Test>::insert(7, (1, 1)));
    check(|_| crate::LastBattleProof::<Test>::remove(1));
    check(|set_hash| crate::SetDeposits::<Test>::insert(set_hash, (1, crate::mock::UNIT)));
    check(|_| {
        let (key, serial) = crate::GhostBoards::<Test>::iter_keys().next().unwrap();
        let ghost = crate::GhostBoards::<Test>::get(key, serial).unwrap();
        crate::GhostBoards::<Test>::insert(key, serial + 1, ghost);
    });
    check(|_| crate::DepartedSpan::<Test>::mutate(|it| it.next += 1));
    check(|_| crate::LiarSpan::<Test>::mutate(|it| it.next += 1));
    check(|_| crate::HiddenMetadata::<Test>::insert(crate::MetadataSubject::Set(super::unknown_hash()), ()));
    check(|_| {
        let key = crate::GhostRings::<Test>::iter_keys().next().unwrap();
        crate::GhostRings::<Test>::mutate(key, |it| it.push(77).unwrap());
    });
    check(|_| {
        let key = crate::GhostRings::<Test>::iter_keys().next().unwrap();
        crate::GhostOwners::<Test>::remove(key, 1);
    });
}

#[test]
fn fighting_weighs_more_than_anything_else() {
    type Weights = <Test as crate::Config>::WeightInfo;
    let dispute = <Weights as crate::WeightInfo>::dispute_battle();
    assert!(dispute.ref_time() > <Weights as crate::WeightInfo>::play_turn(64).ref_time());
    assert!(dispute.ref_time() > <Weights as crate::WeightInfo>::create_set(64).ref_time());
}
