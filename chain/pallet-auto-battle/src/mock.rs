//! A small runtime with the pallet in it, for tests.

use std::cell::{Cell, RefCell};

use frame::deps::frame_support::weights::IdentityFee;
use frame::deps::frame_support::weights::constants::RocksDbWeight;
use frame::prelude::*;
use frame::testing_prelude::*;
use frame::traits::ConstU128;
use sp_state_machine::BasicExternalities;

use crate as pallet_auto_battle;
use crate::{GameSessionOf, HoldReason, ParentHashes};

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
    type DbWeight = RocksDbWeight;
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
    pub const Treasury: AccountId = TREASURY;
    pub const MaxActions: u32 = 32;
}

/// The table of the development chain, which the best bot known beats in less than half its runs;
/// tests that need a winner can have the built-in opponents instead.
pub struct Opponents;

impl crate::FallbackOpponents for Opponents {
    fn board(round: u32, seed: u64) -> auto_battle::SavedBoard {
        match HAS_EASY_OPPONENTS.with_borrow(|it| *it) {
            true => auto_battle::builtin_board(round),
            false => auto_battle_fallback::board(round, seed),
        }
    }

    fn chance_of_ten_wins() -> Permill {
        Permill::from_parts(auto_battle_fallback::TEN_WINS_PER_MILLE * 1_000)
    }
}

/// Where randomness comes from: hashes of parent blocks, or the source that a test has chosen.
pub struct Source;

impl frame::traits::Randomness<H256, u64> for Source {
    fn random(subject: &[u8]) -> (H256, u64) {
        SOURCE.get().map_or_else(|| ParentHashes::<Test>::random(subject), |it| it(subject))
    }
}

/// Lets randomness come from another source.
pub fn draw_from<S: frame::traits::Randomness<H256, u64>>() {
    SOURCE.set(Some(S::random));
}

/// What time it is for deadlines: the number of the block, and as much as a test adds to it.
pub struct Clock;

impl frame::deps::sp_runtime::traits::BlockNumberProvider for Clock {
    type BlockNumber = u64;

    fn current_block_number() -> u64 {
        System::block_number().saturating_add_signed(CLOCK_AHEAD.with_borrow(|it| *it))
    }

    #[cfg(feature = "runtime-benchmarks")]
    fn set_block_number(block: u64) {
        System::set_block_number(block);
    }
}

#[derive_impl(crate::config_preludes::TestDefaultConfig)]
impl crate::Config for Test {
    type Currency = Balances;
    type Randomness = Source;
    type BlockNumberProvider = Clock;
    type Fallback = Opponents;
    type WeightToFee = IdentityFee<Balance>;
    type WinPrize = ConstU128<{ 20 * UNIT }>;
    type TreasuryAccount = Treasury;
    type MaxActions = MaxActions;
    type BlocksPerTick = BlocksPerTick;
}

/// How many blocks come while the clock counts one.
pub struct BlocksPerTick;

impl Get<u32> for BlocksPerTick {
    fn get() -> u32 {
        BLOCKS_PER_TICK.get()
    }
}

/// Lets blocks come faster than the clock counts.
pub fn make_blocks_faster(n_blocks: u32) {
    BLOCKS_PER_TICK.set(n_blocks);
}

/// What a source of randomness answers: a value, and since when it is known.
type RandomSource = fn(&[u8]) -> (H256, u64);

thread_local! {
    /// What block hashes are made of, so that tests can live through different histories.
    static HISTORY: RefCell<u64> = const { RefCell::new(1) };
    /// How far the clock of deadlines is ahead of the blocks.
    static CLOCK_AHEAD: RefCell<i64> = const { RefCell::new(0) };
    static HAS_EASY_OPPONENTS: RefCell<bool> = const { RefCell::new(false) };
    static BLOCKS_PER_TICK: Cell<u32> = const { Cell::new(1) };
    static SOURCE: Cell<Option<RandomSource>> = const { Cell::new(None) };
}

/// Lets players meet opponents that are easily beaten.
pub fn meet_easy_opponents() {
    HAS_EASY_OPPONENTS.set(true);
}

/// Lets time pass without blocks, as on a chain whose deadlines follow another chain.
pub fn pass_time(n_blocks: i64) {
    CLOCK_AHEAD.with_borrow_mut(|it| *it += n_blocks);
}

/// Takes time back that blocks have passed, as on a chain whose blocks come faster than those that
/// its deadlines follow.
pub fn rewind_time(n_blocks: i64) {
    pass_time(-n_blocks);
}

/// A chain whose accounts 1 to `n_players` have money, with the starter cards and the starter set.
pub fn new_test_ext(n_players: u64, history: u64) -> TestState {
    reset(history);
    let mut ext = TestState::from(genesis(n_players).build_storage().unwrap());
    ext.execute_with(next_block);
    ext
}

/// The same chain, with its state in a map instead of a trie: for tests that live long.
pub fn new_long_ext(n_players: u64, history: u64) -> BasicExternalities {
    reset(history);
    let mut ext = BasicExternalities::new(genesis(n_players).build_storage().unwrap());
    ext.execute_with(next_block);
    ext
}

fn reset(history: u64) {
    HISTORY.set(history);
    CLOCK_AHEAD.set(0);
    HAS_EASY_OPPONENTS.set(false);
    BLOCKS_PER_TICK.set(1);
    SOURCE.set(None);
}

fn genesis(n_players: u64) -> RuntimeGenesisConfig {
    let purses = (1..=n_players).chain([TREASURY, CREATOR]).map(|it| (it, PURSE));
    RuntimeGenesisConfig {
        balances: pallet_balances::GenesisConfig { balances: purses.collect(), ..Default::default() },
        auto_battle: crate::GenesisConfig { starter_creator: Some(CREATOR), ..Default::default() },
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
    AutoBattle::on_idle(number, Weight::MAX);
    System::reset_events();
    System::initialize(&(number + 1), &hash_to_come(number), &Default::default());
    AutoBattle::on_initialize(number + 1);
}

/// The hash that a block of this history gets when it is finished. Nobody but the test knows it before.
pub fn hash_to_come(number: u64) -> H256 {
    HISTORY.with_borrow(|it| H256(blake2_256(&(*it, number).encode())))
}

/// Lives through the blocks until what was committed in this one is decided.
pub fn await_decision() {
    pass_blocks(<<Test as crate::Config>::DecisionDelay as Get<u64>>::get());
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
    H256(crate::starter_set_hash())
}

/// What is in the pool of the starter set.
pub fn starter_pool() -> Balance {
    AutoBattle::prize_pool(starter_set_hash())
}

/// Makes the pool of a set as full as fees would.
pub fn fill_pool(set_hash: H256, amount: Balance) {
    use frame::token::fungible::Mutate as _;
    Balances::set_balance(&AutoBattle::pool_account(set_hash), amount);
    crate::PoolFees::<Test>::insert(set_hash, amount);
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
    events_of_the_pallet().pop().expect("the pallet has told something")
}

/// The events of the pallet in this block, in order.
pub fn events_of_the_pallet() -> Vec<crate::Event<Test>> {
    let events = System::events().into_iter();
    let events = events.filter_map(|it| match it.event {
        RuntimeEvent::AutoBattle(event) => Some(event),
        _ => None,
    });
    events.collect()
}
