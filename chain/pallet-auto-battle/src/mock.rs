//! A small runtime with the pallet in it, for tests.

use std::cell::RefCell;

use frame::deps::frame_support::weights::IdentityFee;
use frame::prelude::{PalletId, *};
use frame::testing_prelude::*;
use frame::traits::ConstU128;
use sp_state_machine::BasicExternalities;

use crate as pallet_auto_battle;
use crate::{BlockHashes, GameSessionOf, HoldReason};

pub type AccountId = u64;
pub type Balance = u128;

/// What a unit of money is here; fees of weights are tiny beside it.
pub const UNIT: Balance = 1_000_000_000_000;
pub const TREASURY: AccountId = 999;
pub const CREATOR: AccountId = 998;
/// What players have at the start.
pub const PURSE: Balance = 1_000 * UNIT;

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
    pub struct Test;

    #[runtime::pallet_index(0)]
    pub type System = frame_system;
    #[runtime::pallet_index(1)]
    pub type Balances = pallet_balances;
    #[runtime::pallet_index(2)]
    pub type Utility = pallet_utility;
    #[runtime::pallet_index(3)]
    pub type AutoBattle = pallet_auto_battle;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Test {
    type Block = MockBlock<Test>;
    type AccountId = AccountId;
    type Lookup = IdentityLookup<AccountId>;
    type AccountData = pallet_balances::AccountData<Balance>;
    type BlockHashCount = ConstU64<250>;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Test {
    type Balance = Balance;
    type AccountStore = System;
    type ExistentialDeposit = ConstU128<{ UNIT / 1_000 }>;
    type RuntimeHoldReason = RuntimeHoldReason;
}

impl pallet_utility::Config for Test {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type PalletsOrigin = OriginCaller;
    type WeightInfo = ();
}

parameter_types! {
    pub const PoolId: PalletId = PalletId(*b"autobatl");
    pub const Treasury: AccountId = TREASURY;
    pub const MaxActions: u32 = 32;
}

impl crate::Config for Test {
    type Currency = Balances;
    type RuntimeHoldReason = RuntimeHoldReason;
    type Randomness = BlockHashes<Test>;
    type WeightToFee = IdentityFee<Balance>;
    type PalletId = PoolId;
    type EntryFee = ConstU128<{ 10 * UNIT }>;
    type WinPrize = ConstU128<{ 20 * UNIT }>;
    type Bond = ConstU128<{ 8 * UNIT }>;
    type ExpiryReward = ConstU128<UNIT>;
    type CardFee = ConstU128<{ 2 * UNIT }>;
    type SetFee = ConstU128<{ 3 * UNIT }>;
    type SetDeposit = ConstU128<{ 5 * UNIT }>;
    type TreasuryAccount = Treasury;
    type DeckSize = ConstU32<60>;
    type MaxRounds = ConstU32<20>;
    type MaxActions = MaxActions;
    type RoundsPerClaim = ConstU32<5>;
    type ChallengeWindow = ConstU64<10>;
    type ReportDeadline = ConstU64<20>;
    type TurnDeadline = ConstU64<100>;
    type MinGhostAge = ConstU64<30>;
    type WeightInfo = crate::weights::MeasuredWeight<()>;
}

thread_local! {
    /// What block hashes are made of, so that tests can live through different histories.
    static HISTORY: RefCell<u64> = const { RefCell::new(1) };
}

/// A chain whose accounts 1 to `n_players` have money, with the starter cards and the starter set.
pub fn new_test_ext(n_players: u64, history: u64) -> TestState {
    HISTORY.set(history);
    let mut ext = TestState::from(genesis(n_players).build_storage().unwrap());
    ext.execute_with(next_block);
    ext
}

/// The same chain, with its state in a map instead of a trie: for tests that live long.
pub fn new_long_ext(n_players: u64, history: u64) -> BasicExternalities {
    HISTORY.set(history);
    let mut ext = BasicExternalities::new(genesis(n_players).build_storage().unwrap());
    ext.execute_with(next_block);
    ext
}

fn genesis(n_players: u64) -> RuntimeGenesisConfig {
    let purses = (1..=n_players).chain([TREASURY, CREATOR]).map(|it| (it, PURSE));
    RuntimeGenesisConfig {
        balances: pallet_balances::GenesisConfig { balances: purses.collect(), ..Default::default() },
        auto_battle: crate::GenesisConfig { starter_creator: Some(CREATOR) },
        ..Default::default()
    }
}

/// Runs a test on a fresh chain with ten players, and looks at the state afterwards.
pub fn on_chain(test: impl FnOnce()) {
    new_test_ext(10, 1).execute_with(|| {
        test();
        AutoBattle::do_try_state().unwrap();
    });
}

/// Finishes the block and starts the next; the finished one gets a hash that nobody could know.
pub fn next_block() {
    let number = System::block_number();
    System::reset_events();
    System::initialize(&(number + 1), &hash_to_come(number), &Default::default());
}

/// The hash that a block of this history gets when it is finished. Nobody but the test knows it before.
pub fn hash_to_come(number: u64) -> H256 {
    HISTORY.with_borrow(|it| H256(blake2_256(&(*it, number).encode())))
}

/// Lives through a number of blocks.
pub fn pass_blocks(n_blocks: u64) {
    for _ in 0..n_blocks {
        next_block();
    }
}

pub fn signed(who: AccountId) -> RuntimeOrigin {
    RuntimeOrigin::signed(who)
}

pub fn starter_set_hash() -> H256 {
    crate::Sets::<Test>::iter_keys().next().expect("the starter set is there")
}

pub fn session(who: AccountId) -> GameSessionOf<Test> {
    AutoBattle::view_session(&who).expect("the player has a run")
}

pub fn bond_of(who: AccountId) -> Balance {
    use frame::token::fungible::InspectHold as _;
    Balances::balance_on_hold(&HoldReason::Bond.into(), &who)
}

/// All that an account has, free or held.
pub fn wealth(who: AccountId) -> Balance {
    use frame::token::fungible::Inspect as _;
    Balances::total_balance(&who)
}

/// The event of the pallet that came last.
pub fn last_event() -> crate::Event<Test> {
    let events = System::events().into_iter().rev();
    let mut events = events.filter_map(|it| match it.event {
        RuntimeEvent::AutoBattle(event) => Some(event),
        _ => None,
    });
    events.next().expect("the pallet has told something")
}
