//! What the runtime promises beyond what its pallets test.

use frame::deps::frame_support::dispatch::GetDispatchInfo as _;
use frame::testing_prelude::BuildStorage as _;
use pallet_auto_battle::{Call, WeightInfo as _};

use auto_battle_runtime_parts::{Bond, ChallengeReward};

use crate::{AutoBattle, BLOCK_WEIGHT, Runtime, RuntimeCall, RuntimeGenesisConfig, TransactionPayment, presets};

/// The share of a block that a call is charged for first, in ten thousandths, rounded up.
fn share(call: Call<Runtime>) -> u64 {
    let weight = RuntimeCall::AutoBattle(call).get_dispatch_info().call_weight;
    (weight.ref_time() * 10_000).div_ceil(BLOCK_WEIGHT.ref_time())
}

fn dispute() -> Call<Runtime> {
    Call::dispute_battle { target_player: [0; 32].into(), run: 1, round: 1 }
}

#[test]
fn fighting_takes_a_small_share_of_a_block() {
    assert!(share(dispute()) < 100, "{}", share(dispute()));
    let claim = Call::claim_prize { run: 1, min: 0 };
    assert!(share(claim.clone()) < 300, "{}", share(claim));
    let late = Call::report_late { target_player: [0; 32].into(), run: 1 };
    assert!(share(late.clone()) < 100, "{}", share(late));
    assert!(share(Call::end_turn {}) <= 20, "{}", share(Call::end_turn {}));
    let play_turn = <Runtime as pallet_auto_battle::Config>::WeightInfo::play_turn(64);
    assert!(play_turn.ref_time() * 200 <= BLOCK_WEIGHT.ref_time());
}

#[test]
fn a_challenger_gets_half_a_bond_at_most_with_all_fees() {
    frame::testing_prelude::TestState::default().execute_with(|| {
        let call = RuntimeCall::AutoBattle(dispute());
        // With a signature and what else a transaction carries it has fewer bytes than this.
        let fee = TransactionPayment::compute_fee(400, &call.get_dispatch_info(), 0);
        let (bond, reward) = (Bond::get(), ChallengeReward::get());
        assert!(fee + reward <= bond / 2, "{fee} and {reward} of {bond}");
    });
}

#[test]
fn migrations_are_wired_and_leave_a_new_chain_alone() {
    use frame::traits::OnRuntimeUpgrade as _;
    let genesis = RuntimeGenesisConfig::default().build_storage().expect("it can be built");
    frame::testing_prelude::TestState::from(genesis).execute_with(|| {
        crate::Migrations::on_runtime_upgrade();
        AutoBattle::do_try_state().expect("nothing changed");
    });
}

#[test]
fn every_preset_builds_a_chain_with_cards() {
    for name in presets::preset_names() {
        let patch = presets::get_preset(&name).expect("a name that is listed has a preset");
        let patch: serde_json::Value = serde_json::from_slice(&patch).expect("a preset is JSON");
        let mut genesis = serde_json::to_value(RuntimeGenesisConfig::default()).expect("a first state is JSON");
        merge(&mut genesis, patch);
        let genesis: RuntimeGenesisConfig = serde_json::from_value(genesis).expect("a preset is a first state");
        let mut state = frame::testing_prelude::TestState::from(genesis.build_storage().expect("it can be built"));
        state.execute_with(|| {
            assert_eq!(pallet_auto_battle::CardCount::<Runtime>::get(), 35);
            assert!(AutoBattle::view_pool(pallet_auto_battle::starter_set_hash().into()).is_some());
            AutoBattle::do_try_state().expect("a first state is sound");
        });
    }
    assert_eq!(presets::get_preset(&"nothing".into()), None);
}

fn merge(base: &mut serde_json::Value, patch: serde_json::Value) {
    match (base, patch) {
        (serde_json::Value::Object(base), serde_json::Value::Object(patch)) => {
            for (key, value) in patch {
                merge(base.entry(key).or_insert(serde_json::Value::Null), value);
            }
        }
        (base, patch) => *base = patch,
    }
}
