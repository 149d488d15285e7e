//! What this runtime promises beyond what its pallets and the development chain test.

use cumulus_primitives_core::relay_chain::well_known_keys::CURRENT_BLOCK_RANDOMNESS;
use frame::deps::frame_support::dispatch::GetDispatchInfo as _;
use frame::deps::sp_io::hashing::twox_128;
use frame::testing_prelude::TestState;
use frame::traits::Randomness as _;
use pallet_auto_battle::Call;

use crate::relay_randomness::{RelayVrf, RELAY_PARENT_AGE_MAX};
use crate::{BlockWeights, Runtime, RuntimeCall, System};

/// Notes the output of a relay block in a block and says since when it counts as known.
fn note(block: u32, relay_block: u32) -> u32 {
    System::set_block_number(block);
    RelayVrf::note(relay_block, Some([relay_block as u8; 32]));
    RelayVrf::random(b"").1 - 1
}

#[test]
fn an_output_counts_as_known_since_a_collator_could_have_seen_it() {
    TestState::default().execute_with(|| {
        assert_eq!(note(10, 100), 10);
        // The collator of block 10 may have known relay blocks up to 106.
        assert_eq!(note(11, 101), 10);
        assert_eq!(note(12, 100 + RELAY_PARENT_AGE_MAX), 10);
        assert_eq!(note(13, 101 + RELAY_PARENT_AGE_MAX), 11);
        // Two blocks on one relay parent: the first counts.
        assert_eq!(note(14, 101 + RELAY_PARENT_AGE_MAX), 11);
        assert_eq!(note(15, 500), 15);
    });
}

#[test]
fn what_is_known_never_moves_back_whatever_collators_choose() {
    let mut rng = auto_battle::Rng::from_seed(7);
    TestState::default().execute_with(|| {
        let (mut relay_block, mut relays, mut newest) = (100, vec![], 0);
        for block in 1..2_000 {
            relay_block += rng.below(4);
            relays.push(relay_block);
            let known_since = note(block, relay_block);
            let first = relays.iter().position(|it| it + RELAY_PARENT_AGE_MAX >= relay_block);
            assert_eq!(first.map(|it| it as u32 + 1), Some(known_since));
            assert!(known_since >= newest);
            newest = known_since;
        }
    });
}

#[test]
fn a_relay_block_without_an_output_gives_none() {
    TestState::default().execute_with(|| {
        System::set_block_number(1);
        assert_eq!(RelayVrf::random(b"").0, None);
        RelayVrf::note(100, None);
        assert_eq!(RelayVrf::random(b"").0, None);
        RelayVrf::note(101, Some([1; 32]));
        let one = RelayVrf::random(b"one").0;
        assert!(one.is_some() && one != RelayVrf::random(b"other").0);
    });
}

#[test]
fn the_output_is_where_the_relay_chain_keeps_it() {
    let key = [twox_128(b"Babe"), twox_128(b"AuthorVrfRandomness")].concat();
    assert_eq!(CURRENT_BLOCK_RANDOMNESS, key);
}

/// A parachain's blocks are bounded by proofs as well, unlike those of the development chain.
#[test]
fn the_heaviest_calls_fit_into_a_block() {
    let limit = BlockWeights::get().get(frame::deps::frame_support::dispatch::DispatchClass::Normal).max_extrinsic;
    let limit = limit.expect("transactions are bounded");
    let actions = vec![auto_battle::ShopAction::BuyCard { slot: 0 }; 64];
    let calls: [Call<Runtime>; 4] = [
        Call::dispute_battle { target_player: [0; 32].into(), run: 1, round: 1 },
        Call::claim_prize { run: 1, min: 0 },
        Call::report_late { target_player: [0; 32].into(), run: 1 },
        Call::play_turn { actions: actions.try_into().expect("so many are allowed") },
    ];
    for call in calls {
        let weight = RuntimeCall::AutoBattle(call.clone()).get_dispatch_info().call_weight;
        assert!(weight.all_lte(limit), "{call:?} weighs {weight:?} of {limit:?}");
    }
}
