//! Chains that began with the first layout of the storage come to the second.

use codec::Encode as _;
use frame::deps::frame_support::migrations::SteppedMigration as _;
use frame::deps::frame_support::storage::unhashed;
use frame::deps::frame_support::weights::WeightMeter;
use frame::prelude::{AccountIdConversion as _, Get, GetStorageVersion as _, H256, PalletId, StorageVersion, Weight};
use frame::testing_prelude::assert_ok;
use frame::token::fungible::Mutate as _;
use frame::traits::OnRuntimeUpgrade as _;

use super::prize_pools::make_champion_set;
use super::{claim, play_honest_round, play_run, play_turn, start, start_with};
use crate::migrations::{Expectation, OldGhostWindow, OldSession, OldStage, UpgradeAtOnce, UpgradeInSteps};
use crate::mock::{
    AccountId, AutoBattle, Balances, Test, UNIT, await_decision, new_test_ext, next_block, starter_pool,
    starter_set_hash,
};
use crate::{ActiveGame, GhostBoards, Pallet, PoolFees, Stage};

/// The set that gets the shared pool.
struct Heir;

impl Get<H256> for Heir {
    fn get() -> H256 {
        starter_set_hash()
    }
}

fn shared_pool() -> AccountId {
    let id: PalletId = <Test as crate::Config>::PalletId::get();
    id.into_account_truncating()
}

/// A chain of the first layout with runs in every stage.
fn write_old_storage() {
    start(1);
    start(2);
    play_honest_round(2);
    start(3);
    play_turn(3);
    start(4);
    play_run(4);
    for who in 1..=4 {
        write_old(who);
    }
    PoolFees::<Test>::drain().count();
    Balances::set_balance(&AutoBattle::pool_account(starter_set_hash()), 0);
    Balances::set_balance(&shared_pool(), 40 * UNIT);
    StorageVersion::new(1).put::<Pallet<Test>>();
}

/// Does something on such a chain, knowing what an upgrade must keep.
fn with_old_storage(test: impl FnOnce(Expectation<Test>)) {
    new_test_ext(10, 1).execute_with(|| {
        write_old_storage();
        assert!(AutoBattle::do_try_state().is_err());
        test(Expectation::before());
    });
}

/// Writes a run as the first layout had it.
fn write_old(who: AccountId) {
    let it = ActiveGame::<Test>::get(who).unwrap();
    let n_reports = it.n_reports();
    let stage = match it.stage {
        Stage::Dealing(commit) => OldStage::Dealing(commit),
        Stage::Shop => OldStage::Shop,
        Stage::Battle { commit, .. } => {
            let ghosts = OldGhostWindow { first: 3, n_ghosts: 2, own: Some(1), n_saved: 9 };
            OldStage::Battle { commit, ghosts }
        }
        Stage::Over(ending) => OldStage::Over(ending),
    };
    let old = OldSession {
        run: it.run,
        state: it.state,
        set_hash: it.set_hash,
        seed: it.seed,
        entry_fee: it.entry_fee,
        bond: it.bond,
        started_at: it.started_at,
        stage,
        moved_at: it.moved_at,
        reported_at: it.reported_at,
        n_reports,
        n_unverified: it.n_unverified,
    };
    unhashed::put(&ActiveGame::<Test>::hashed_key_for(who), &old);
}

/// Every run goes on to its end, and the pool is that of the heir.
fn check_all(expected: &Expectation<Test>) {
    assert_ok!(expected.check());
    assert_eq!((starter_pool(), Balances::free_balance(shared_pool())), (40 * UNIT, 0));
    assert_eq!(GhostBoards::<Test>::iter().count(), 0);
    await_decision();
    let view = AutoBattle::view_battle(&3).expect("the battle was committed anew");
    assert_eq!((view.round, view.opponent), (1, None));
    assert_ok!(AutoBattle::report_outcome(crate::mock::signed(3), super::truth(3)));
    for who in 1..=4 {
        play_run(who);
        claim(who);
    }
    AutoBattle::do_try_state().unwrap();
}

#[test]
fn a_small_chain_upgrades_in_one_block() {
    with_old_storage(|expected| {
        UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade();
        check_all(&expected);
        // A second time does nothing.
        UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade();
        assert_eq!(Pallet::<Test>::on_chain_storage_version(), 2);
    });
}

#[test]
fn a_large_chain_upgrades_in_many_blocks() {
    with_old_storage(|expected| {
        let mut cursor = None;
        let mut n_blocks = 0;
        loop {
            // Room for one step and not for two.
            let mut meter = WeightMeter::with_limit(Weight::from_parts(8_000_000_000, u64::MAX));
            cursor = UpgradeInSteps::<Test, Heir>::step(cursor, &mut meter).unwrap();
            n_blocks += 1;
            if cursor.is_none() {
                break;
            }
        }
        assert!(n_blocks > 5, "{n_blocks}");
        check_all(&expected);
        assert_eq!(UpgradeInSteps::<Test, Heir>::step(None, &mut WeightMeter::new()), Ok(None));
    });
}

#[test]
fn an_upgrade_that_loses_something_is_noticed() {
    with_old_storage(|expected| {
        UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade();
        next_block();
        Balances::set_balance(&AutoBattle::pool_account(starter_set_hash()), 39 * UNIT);
        assert!(expected.check().is_err());
    });
    with_old_storage(|expected| {
        UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade();
        ActiveGame::<Test>::remove(2);
        assert!(expected.check().is_err());
    });
}

/// The sum that a run of another set has paid into the shared pool can be won with that set.
#[test]
fn the_fee_of_a_run_of_another_set_goes_to_the_pool_of_that_set() {
    for in_shared_pool in [40 * UNIT, 10 * UNIT, 10 * UNIT + 1, 4 * UNIT] {
        new_test_ext(10, 1).execute_with(|| {
            let other = make_champion_set(1);
            start_with(1, other);
            write_old(1);
            PoolFees::<Test>::drain().count();
            Balances::set_balance(&AutoBattle::pool_account(other), 0);
            Balances::set_balance(&shared_pool(), in_shared_pool);
            StorageVersion::new(1).put::<Pallet<Test>>();
            let expected = Expectation::<Test>::before();
            UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade();
            assert_ok!(expected.check());
            // What could not stay in an account alone goes along.
            let expected = if in_shared_pool == 40 * UNIT { 10 * UNIT } else { in_shared_pool };
            assert_eq!((AutoBattle::prize_pool(other), starter_pool()), (expected, in_shared_pool - expected));
            assert_eq!(PoolFees::<Test>::get(other), expected);
            assert_eq!(PoolFees::<Test>::get(starter_set_hash()), in_shared_pool - expected);
        });
    }
}

#[test]
fn an_upgrade_proves_no_more_than_it_says() {
    let mut ext = new_test_ext(10, 1);
    ext.execute_with(write_old_storage);
    ext.commit_all().unwrap();
    let (weight, proof) = ext.execute_and_prove(UpgradeAtOnce::<Test, Heir>::on_runtime_upgrade);
    let bytes = proof.encoded_size() as u64;
    assert!(bytes <= weight.proof_size(), "{bytes} bytes of {}", weight.proof_size());
}
