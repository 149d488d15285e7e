//! The runtime of the pallet's README.

use frame::deps::frame_support::weights::IdentityFee;
use frame::prelude::*;
use frame::runtime::prelude::*;
use frame::testing_prelude::*;

#[frame_construct_runtime]
mod runtime {
    #[runtime::runtime]
    #[runtime::derive(
        RuntimeCall,
        RuntimeEvent,
        RuntimeError,
        RuntimeOrigin,
        RuntimeFreezeReason,
        RuntimeHoldReason,
        RuntimeSlashReason,
        RuntimeLockId,
        RuntimeTask,
        RuntimeViewFunction
    )]
    pub struct Runtime;

    #[runtime::pallet_index(0)]
    pub type System = frame_system;
    #[runtime::pallet_index(1)]
    pub type Balances = pallet_balances;
    #[runtime::pallet_index(2)]
    pub type AutoBattle = pallet_auto_battle;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Runtime {
    type Block = MockBlock<Runtime>;
    type AccountData = pallet_balances::AccountData<u128>;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
    type Balance = u128;
    type AccountStore = System;
}

parameter_types! {
    pub const Treasury: u64 = 7;
}

#[derive_impl(pallet_auto_battle::config_preludes::TestDefaultConfig)]
impl pallet_auto_battle::Config for Runtime {
    type Currency = Balances;
    type Randomness = pallet_auto_battle::ParentHashes<Runtime>;
    type BlockNumberProvider = System;
    type WeightToFee = IdentityFee<u128>;
    type TreasuryAccount = Treasury;
}

const README: &str = include_str!("../../pallet-auto-battle/README.md");
const HERE: &str = include_str!("readme.rs");

#[test]
fn the_readme_has_the_lines_that_compile_here() {
    let (_, after) = README.split_once("```rust\n").expect("the README has code");
    let (lines, _) = after.split_once("```").expect("the code ends");
    assert!(HERE.contains(lines), "the README and this runtime differ:\n{lines}");
    assert!(lines.lines().count() <= 10);
}

#[test]
fn a_run_starts_in_this_runtime() {
    let genesis = RuntimeGenesisConfig {
        balances: pallet_balances::GenesisConfig { balances: vec![(1, 1_000_000_000_000_000)], ..Default::default() },
        auto_battle: pallet_auto_battle::GenesisConfig { starter_creator: Some(7), ..Default::default() },
        ..Default::default()
    };
    TestState::from(genesis.build_storage().expect("the first state is sound")).execute_with(|| {
        <AutoBattle as Hooks<u64>>::integrity_test();
        System::set_block_number(1);
        let set_hash = pallet_auto_battle::starter_set_hash().into();
        assert_ok!(AutoBattle::start_game(RuntimeOrigin::signed(1), set_hash));
        for block in 2..=3 {
            System::initialize(&block, &H256::repeat_byte(block as u8), &Default::default());
            <AutoBattle as Hooks<u64>>::on_initialize(block);
        }
        assert_ok!(AutoBattle::end_turn(RuntimeOrigin::signed(1)));
        assert_ok!(AutoBattle::do_try_state());
    });
}
