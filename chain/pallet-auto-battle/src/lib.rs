//! The auto-battler as a pallet: a server that nobody has to trust.
//!
//! Players pay an entry fee, build boards in a shop, fight off the chain and report what came out.
//! The chain believes them and keeps what it needs to fight the battle again: anyone may dispute a
//! report, and a prize is paid only after the chain has fought every battle of the run itself. So
//! a lie costs its bond and never earns a prize, and an honest report costs almost nothing.
//!
//! The rules are in `auto-battle`; here is who, when and for how much.
//!
//! * A call that needs randomness commits; a value that nobody knew then decides (`rng.rs`).
//! * A report leaves a proof until its run is settled (`game.rs`, `disputes.rs`).
//! * Every set has a prize pool of its own: a run can win only what runs of its set paid, or what
//!   somebody gave to that set (`prize_pools.rs`).
//! * The bond of a run is held, and nothing is minted (`economics.rs`).
//! * Whom a battle may meet is fixed when it is committed (`ghosts.rs`).
//!
//! `README.md` says how to take the pallet into a runtime.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::arithmetic_side_effects
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]
// Benchmarks prepare states and assert what came of them; they are no part of a chain that runs.
#![cfg_attr(feature = "runtime-benchmarks", allow(clippy::arithmetic_side_effects, clippy::expect_used))]

extern crate alloc;

pub mod api;
#[cfg(feature = "runtime-benchmarks")]
mod benchmarking;
mod cards;
mod check_dispute;
pub mod config_preludes;
mod disputes;
mod economics;
mod fallback;
mod game;
mod genesis;
mod ghosts;
#[cfg(feature = "std")]
mod integrity;
mod late_reports;
mod metadata;
pub mod migrations;
#[cfg(test)]
mod mock;
mod prize_pools;
mod rng;
mod sets;
mod sweep;
#[cfg(test)]
mod tests;
mod try_state;
mod types;
pub mod weights;

pub use auto_battle::SetCard;
pub use check_dispute::CheckDispute;
pub use disputes::{judge_report, verdict};
pub use fallback::{BuiltinOpponents, FallbackOpponents};
pub use genesis::{GenesisCard, GenesisSet, starter_cards, starter_set, starter_set_hash};
pub use ghosts::GHOSTS_PER_CLEANING;
pub use pallet::*;
pub use rng::{ParentHashes, VrfOutputs};
pub use types::*;
pub use weights::WeightInfo;

/// The pallet.
// What FRAME's macros write is not ours to change: they expect what they have checked themselves.
#[allow(clippy::expect_used, clippy::large_enum_variant, clippy::indexing_slicing)]
#[frame::pallet]
pub mod pallet {
    use super::*;
    use alloc::vec::Vec;
    use auto_battle::{BattleResult, CardHash, Pool, ShopAction, WORK_STEPS_MAX};
    use frame::deps::frame_support::weights::{WeightMeter, WeightToFee};
    use frame::deps::sp_runtime::traits::BlockNumberProvider;
    use frame::prelude::*;
    use frame::token::fungible;
    use frame::traits::Randomness;

    /// The layout of the storage; `migrations` leads from the ones before.
    pub const STORAGE_VERSION: StorageVersion = StorageVersion::new(2);

    /// The pallet.
    #[pallet::pallet]
    #[pallet::storage_version(STORAGE_VERSION)]
    pub struct Pallet<T>(_);

    /// What a chain decides.
    #[pallet::config(with_default)]
    pub trait Config: frame_system::Config<Hash = H256, RuntimeEvent: From<Event<Self>>> {
        /// The money that fees, bonds and prizes are paid in.
        #[pallet::no_default]
        type Currency: fungible::Mutate<Self::AccountId>
            + fungible::MutateHold<Self::AccountId, Reason = Self::RuntimeHoldReason>;

        /// The reasons for holds of the runtime.
        #[pallet::no_default_bounds]
        type RuntimeHoldReason: From<HoldReason>;

        /// Where randomness comes from; its value is kept for every block.
        #[pallet::no_default]
        type Randomness: Randomness<H256, BlockNumberFor<Self>>;

        /// What deadlines are counted in: the blocks of this chain, or those of a relay chain.
        #[pallet::no_default]
        type BlockNumberProvider: BlockNumberProvider<BlockNumber = BlockNumberFor<Self>>;

        /// Who fights where no ghost is.
        type Fallback: FallbackOpponents;

        /// Who may hide texts that should not be shown.
        #[pallet::no_default_bounds]
        type ModerationOrigin: EnsureOrigin<Self::RuntimeOrigin>;

        /// The fee of the weight of a call; the bond is measured by it.
        #[pallet::no_default]
        type WeightToFee: WeightToFee<Balance = BalanceOf<Self>>;

        /// The name that the accounts of the prize pools are made from.
        #[pallet::constant]
        type PalletId: Get<PalletId>;

        /// Goes to the pool of the set when a run starts and never comes back.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type EntryFee: Get<BalanceOf<Self>>;

        /// The prize for ten wins, as far as the pool of the set has it.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type WinPrize: Get<BalanceOf<Self>>;

        /// The most that one prize takes from gifts.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type GiftPerRun: Get<BalanceOf<Self>>;

        /// Held for a run, and what a false dispute costs.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type Bond: Get<BalanceOf<Self>>;

        /// What the challenger of a lie gets of its bond, beside the fee.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type ChallengeReward: Get<BalanceOf<Self>>;

        /// What the first account that reports in a player's place gets of the bond.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type LateReportReward: Get<BalanceOf<Self>>;

        /// What the account that ends an expired run gets of its bond.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type ExpiryReward: Get<BalanceOf<Self>>;

        /// The fee for registering a card.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type CardFee: Get<BalanceOf<Self>>;

        /// The fee for making a set.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type SetFee: Get<BalanceOf<Self>>;

        /// Held for a set until it is removed.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type SetDeposit: Get<BalanceOf<Self>>;

        /// Where fees go, the rest of slashed bonds, and the pools of removed sets.
        #[pallet::no_default]
        type TreasuryAccount: Get<Self::AccountId>;

        /// Cards of a deck.
        #[pallet::constant]
        type DeckSize: Get<u32>;

        /// The last round of a run, however many draws it has.
        #[pallet::constant]
        type MaxRounds: Get<u32>;

        /// The most things that `play_turn` does in a shop.
        #[pallet::constant]
        type MaxActions: Get<u32>;

        /// How many rounds one call of `claim_prize` fights.
        #[pallet::constant]
        type RoundsPerClaim: Get<u32>;

        /// How many blocks after a commit the block comes whose value decides it, at the earliest.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type DecisionDelay: Get<BlockNumberFor<Self>>;

        /// The values of how many blocks are kept.
        #[pallet::constant]
        type RandomnessMemory: Get<u32>;

        /// The most blocks of this chain while [`Config::BlockNumberProvider`] counts one; 1 if it counts
        /// the blocks of this chain.
        #[pallet::constant]
        type BlocksPerTick: Get<u32>;

        /// For how long after its last report a run that is over can be disputed.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type ChallengeWindow: Get<BlockNumberFor<Self>>;

        /// For how long after a turn only its player may report.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type ReportDeadline: Get<BlockNumberFor<Self>>;

        /// For how long after that anybody may report the true outcome, before the run expires.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type LateReportDeadline: Get<BlockNumberFor<Self>>;

        /// For how long a run may rest in the shop, and a finished one unclaimed.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type TurnDeadline: Get<BlockNumberFor<Self>>;

        /// No ghost is cleaned that is younger.
        #[pallet::constant]
        #[pallet::no_default_bounds]
        type MinGhostAge: Get<BlockNumberFor<Self>>;

        /// What the calls weigh.
        type WeightInfo: WeightInfo;
    }

    /// Why money is held.
    #[pallet::composite_enum]
    pub enum HoldReason {
        /// For a run, until nothing of it can be a lie.
        Bond,
        /// For a set, until it is removed.
        SetDeposit,
    }

    /// The run of a player, one at a time.
    #[pallet::storage]
    pub type ActiveGame<T: Config> = StorageMap<_, Blake2_128Concat, T::AccountId, GameSessionOf<T>>;

    /// How many runs an account has started.
    #[pallet::storage]
    pub type RunCount<T: Config> = StorageMap<_, Blake2_128Concat, T::AccountId, RunId, ValueQuery>;

    /// How often an account has committed to randomness.
    #[pallet::storage]
    pub type RngNonce<T: Config> = StorageMap<_, Blake2_128Concat, T::AccountId, u64, ValueQuery>;

    /// What a verdict on a report needs, by account, run and round.
    #[pallet::storage]
    pub type BattleProofs<T: Config> = StorageNMap<
        _,
        (NMapKey<Blake2_128Concat, T::AccountId>, NMapKey<Blake2_128Concat, RunId>, NMapKey<Blake2_128Concat, u32>),
        BattleProofOf<T>,
    >;

    /// Run and round of a player's newest report.
    #[pallet::storage]
    pub type LastBattleProof<T: Config> = StorageMap<_, Blake2_128Concat, T::AccountId, (RunId, u32)>;

    /// The mechanics of cards.
    #[pallet::storage]
    pub type Cards<T: Config> = StorageMap<_, Blake2_128Concat, CardHash, CardOnChain>;

    /// The texts of cards.
    #[pallet::storage]
    pub type CardMetadata<T: Config> = StorageMap<_, Blake2_128Concat, CardHash, CardMetaOf<T>>;

    /// How many cards there are.
    #[pallet::storage]
    pub type CardCount<T: Config> = StorageValue<_, u32, ValueQuery>;

    /// Sets of cards.
    #[pallet::storage]
    pub type Sets<T: Config> = StorageMap<_, Blake2_128Concat, H256, SetInfoOf<T>>;

    /// The cards of a set, linked: one read gives a battle all it needs.
    #[pallet::storage]
    pub type SetPools<T: Config> = StorageMap<_, Blake2_128Concat, H256, Pool>;

    /// The texts of sets.
    #[pallet::storage]
    pub type SetMetadata<T: Config> = StorageMap<_, Blake2_128Concat, H256, SetMeta>;

    /// Who left which deposit for a set.
    #[pallet::storage]
    pub type SetDeposits<T: Config> = StorageMap<_, Blake2_128Concat, H256, (T::AccountId, BalanceOf<T>)>;

    /// How many runs refer to a set.
    #[pallet::storage]
    pub type SetGames<T: Config> = StorageMap<_, Blake2_128Concat, H256, u32, ValueQuery>;

    /// What runs of a set have paid into its pool and nobody has won yet; what the pool has beyond
    /// that are gifts.
    #[pallet::storage]
    pub type PoolFees<T: Config> = StorageMap<_, Blake2_128Concat, H256, BalanceOf<T>, ValueQuery>;

    /// The cards that a set shows with texts of its own.
    #[pallet::storage]
    pub type SetDisplays<T: Config> = StorageMap<_, Blake2_128Concat, H256, CardDisplays, ValueQuery>;

    /// Texts that moderators have hidden.
    #[pallet::storage]
    pub type HiddenMetadata<T: Config> = StorageMap<_, Blake2_128Concat, MetadataSubject, ()>;

    /// Ghosts by key and serial: those of the rings, and those that battles may still meet.
    // Serials are counted by the chain, so nobody can choose where in the trie they lie.
    #[pallet::storage]
    pub type GhostBoards<T: Config> =
        StorageDoubleMap<_, Blake2_128Concat, GhostBoardKey, Twox64Concat, GhostSerial, GhostBoardOf<T>>;

    /// The ghosts of a key that can be met, oldest first.
    #[pallet::storage]
    pub type GhostRings<T: Config> = StorageMap<_, Blake2_128Concat, GhostBoardKey, GhostSerials, ValueQuery>;

    /// The ghost of an account under a key.
    #[pallet::storage]
    pub type GhostOwners<T: Config> =
        StorageDoubleMap<_, Blake2_128Concat, GhostBoardKey, Blake2_128Concat, T::AccountId, GhostSerial>;

    /// The serial of the next ghost.
    #[pallet::storage]
    pub type NextGhost<T: Config> = StorageValue<_, GhostSerial, ValueQuery>;

    /// Ghosts that left their rings, in the order in which they did.
    #[pallet::storage]
    pub type DepartedGhosts<T: Config> = StorageMap<_, Twox64Concat, u32, DepartedGhost<BlockNumberFor<T>>>;

    /// Which numbers [`DepartedGhosts`] has.
    #[pallet::storage]
    pub type DepartedSpan<T: Config> = StorageValue<_, QueueSpan, ValueQuery>;

    /// Runs of proven liars whose ghosts are still to be removed, in the order of their verdicts.
    #[pallet::storage]
    pub type LiarTrails<T: Config> = StorageMap<_, Twox64Concat, u32, LiarTrailOf<T>>;

    /// Which numbers [`LiarTrails`] has.
    #[pallet::storage]
    pub type LiarSpan<T: Config> = StorageValue<_, QueueSpan, ValueQuery>;

    /// The randomness of the newest blocks, by block number modulo [`Config::RandomnessMemory`].
    #[pallet::storage]
    pub type DrawnValues<T: Config> = StorageMap<_, Twox64Concat, u32, DrawnValueOf<T>>;

    /// What happened.
    #[pallet::event]
    #[pallet::generate_deposit(pub(super) fn deposit_event)]
    pub enum Event<T: Config> {
        /// A run was paid for; its deck is known as soon as the commit is decided.
        GameStarted { who: T::AccountId, set_hash: H256, entry_fee: BalanceOf<T> },
        /// Something was done in a shop.
        ShopAction { who: T::AccountId, action: ShopAction },
        /// A turn ended; opponent and seed are known as soon as the commit of this block is decided.
        BattleReady { who: T::AccountId, round: u32, commit_block: BlockNumberFor<T> },
        /// A player said how a battle came out.
        BattleReported { who: T::AccountId, round: u32, claimed_result: BattleResult },
        /// A report was disputed, with success if it was a lie.
        BattleDisputed { challenger: T::AccountId, target: T::AccountId, round: u32, success: bool },
        /// Ten wins are reported; the prize can be claimed.
        VictoryReported { who: T::AccountId, run: RunId },
        /// The prize of ten wins was paid: this sum.
        GameWon { who: T::AccountId, prize: BalanceOf<T> },
        /// A run ran out of lives or rounds.
        GameLost { who: T::AccountId, round: u32 },
        /// A run was given up.
        GameForfeited { who: T::AccountId },
        /// A run was ended because its player let a deadline pass.
        GameExpired { who: T::AccountId, run: RunId, caller: T::AccountId },
        /// A claim has fought some rounds and needs another call.
        ClaimProgressed { who: T::AccountId, run: RunId, n_unverified: u32 },
        /// The pool would pay less than the claim accepts; the claim stays open.
        ClaimLeftOpen { who: T::AccountId, run: RunId, prize: BalanceOf<T> },
        /// The bond of a run was returned, and the run is forgotten.
        RunSettled { who: T::AccountId, run: RunId },
        /// Somebody reported the true outcome of a battle whose player let the deadline pass.
        LateReported { who: T::AccountId, run: RunId, round: u32, reporter: T::AccountId, result: BattleResult },
        /// Somebody gave to the pool of a set.
        GiftGiven { who: T::AccountId, set_hash: H256, amount: BalanceOf<T> },
        /// What the pool of a removed set had went to the treasury.
        PoolClosed { set_hash: H256, amount: BalanceOf<T> },
        /// A claim found a lie.
        LieFound { who: T::AccountId, run: RunId, round: u32 },
        /// A liar lost the bond and the run.
        BondSlashed { who: T::AccountId, run: RunId, amount: BalanceOf<T> },
        /// There is a new card.
        CardRegistered { who: T::AccountId, card_hash: CardHash },
        /// The texts of a card changed.
        CardMetadataUpdated { who: T::AccountId, card_hash: CardHash },
        /// There is a new set.
        SetCreated { who: T::AccountId, set_hash: H256 },
        /// The texts of a set changed.
        SetMetadataUpdated { who: T::AccountId, set_hash: H256 },
        /// No new run of a set can start.
        SetDelisted { set_hash: H256 },
        /// A set is gone and its deposit returned.
        SetRemoved { set_hash: H256 },
        /// Old ghosts were removed.
        GhostsCleaned { key: GhostBoardKey, n_cleaned: u8 },
        /// A set shows one of its cards with texts of its own, or no longer.
        SetDisplayUpdated { set_hash: H256, card_hash: CardHash },
        /// A moderator hid texts, or showed them again.
        MetadataHidden { subject: MetadataSubject, hidden: bool },
    }

    /// Why a call was refused; nothing has changed.
    #[pallet::error]
    pub enum Error<T> {
        /// The account has a run that is not settled.
        AlreadyInGame,
        /// The account has no run.
        NotInGame,
        /// The run is not at the point where this can be done.
        WrongPhase,
        /// The commit is not decided yet: wait a block or two.
        SeedNotKnown,
        /// The time for this run is over: `expire_game` ends it.
        RunExpired,
        /// The run still has time.
        NotExpired,
        /// The deadline for the player's own report is over: `report_late` takes the true outcome.
        ReportLate,
        /// The player may still report.
        NotLate,
        /// The account's run is another one.
        WrongRun,
        /// There is no card in this slot, or no such slot.
        EmptySlot,
        /// The card costs more mana than there is.
        NotEnoughMana,
        /// The board has no free slot.
        BoardFull,
        /// There is no such report, or its run is settled.
        ProofNotFound,
        /// The chain has fought this battle already: one verdict per report.
        AlreadyVerified,
        /// The report was made under rules that this chain does not know.
        UnknownRules,
        /// The account cannot pay what this costs.
        CannotPay,
        /// There is no such card.
        CardNotFound,
        /// A number of the card is not within the bounds for registered cards.
        CardOutOfBounds,
        /// There is no such set.
        SetNotFound,
        /// There is such a set already.
        SetExists,
        /// The set is being removed.
        SetDelisted,
        /// A set has each card once.
        DuplicateCard,
        /// No card of the set could be drawn.
        NoWeight,
        /// A card of the set spawns one that is not in it.
        SpawnNotInSet,
        /// Only the account that made it may do this.
        NotCreator,
        /// The card is not in the set.
        NotInSet,
        /// A text is not UTF-8.
        NotUtf8,
        /// No ghost of this key is old enough.
        NothingToClean,
    }

    /// The chain's first state.
    #[pallet::genesis_config]
    #[derive(DefaultNoBound)]
    pub struct GenesisConfig<T: Config> {
        /// Registers the starter cards and the starter set in the name of this account.
        pub starter_creator: Option<T::AccountId>,
        /// Registers cards of the chain's own, after the starter cards.
        pub cards: Vec<GenesisCard<T::AccountId>>,
        /// Makes sets of the chain's own, of cards that are registered.
        pub sets: Vec<GenesisSet<T::AccountId>>,
    }

    #[pallet::genesis_build]
    impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
        fn build(&self) {
            if let Some(creator) = &self.starter_creator {
                Pallet::<T>::register_starters(creator);
            }
            Pallet::<T>::register_genesis(&self.cards, &self.sets);
        }
    }

    #[pallet::hooks]
    impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
        /// Keeps the randomness of the block.
        fn on_initialize(_n: BlockNumberFor<T>) -> Weight {
            Self::keep_drawn_value();
            T::WeightInfo::on_initialize()
        }

        /// Removes ghosts of liars, and ghosts that no battle can meet any more.
        fn on_idle(_n: BlockNumberFor<T>, left: Weight) -> Weight {
            let mut meter = WeightMeter::with_limit(left);
            Self::sweep(&mut meter);
            meter.consumed()
        }

        #[cfg(feature = "std")]
        fn integrity_test() {
            Self::check_config();
        }

        #[cfg(feature = "try-runtime")]
        fn try_state(_n: BlockNumberFor<T>) -> Result<(), frame::try_runtime::TryRuntimeError> {
            Self::do_try_state()
        }
    }

    #[pallet::call(weight = T::WeightInfo)]
    impl<T: Config> Pallet<T> {
        /// Pays the entry fee, leaves a bond and commits the deck of a run.
        #[pallet::call_index(0)]
        pub fn start_game(origin: OriginFor<T>, set_hash: H256) -> DispatchResult {
            Self::do_start_game(ensure_signed(origin)?, set_hash)
        }

        /// Gives a card of the shop away for mana.
        #[pallet::call_index(1)]
        #[pallet::weight(T::WeightInfo::shop_action())]
        pub fn pitch_shop_card(origin: OriginFor<T>, index: u8) -> DispatchResult {
            Self::do_shop_action(ensure_signed(origin)?, ShopAction::PitchShopCard { slot: index })
        }

        /// Buys a card of the shop onto the board.
        #[pallet::call_index(2)]
        #[pallet::weight(T::WeightInfo::shop_action())]
        pub fn buy_card(origin: OriginFor<T>, shop_index: u8) -> DispatchResult {
            Self::do_shop_action(ensure_signed(origin)?, ShopAction::BuyCard { slot: shop_index })
        }

        /// Freezes or unfreezes a slot of the shop.
        #[pallet::call_index(3)]
        #[pallet::weight(T::WeightInfo::shop_action())]
        pub fn toggle_freeze(origin: OriginFor<T>, shop_index: u8) -> DispatchResult {
            Self::do_shop_action(ensure_signed(origin)?, ShopAction::ToggleFreeze { slot: shop_index })
        }

        /// Exchanges two slots of the board.
        #[pallet::call_index(4)]
        #[pallet::weight(T::WeightInfo::shop_action())]
        pub fn swap_board(origin: OriginFor<T>, a: u8, b: u8) -> DispatchResult {
            Self::do_shop_action(ensure_signed(origin)?, ShopAction::SwapBoard { a, b })
        }

        /// Gives a unit of the board away for mana.
        #[pallet::call_index(5)]
        #[pallet::weight(T::WeightInfo::shop_action())]
        pub fn pitch_board_unit(origin: OriginFor<T>, slot: u8) -> DispatchResult {
            Self::do_shop_action(ensure_signed(origin)?, ShopAction::PitchBoardUnit { slot })
        }

        /// Ends the turn: the board becomes a ghost, and opponent and seed are committed.
        #[pallet::call_index(6)]
        #[pallet::weight(T::WeightInfo::play_turn(1))]
        pub fn end_turn(origin: OriginFor<T>) -> DispatchResult {
            Self::do_end_turn(ensure_signed(origin)?)
        }

        /// Reports how the battle came out that the player fought off the chain.
        #[pallet::call_index(7)]
        pub fn report_outcome(origin: OriginFor<T>, result: BattleResult) -> DispatchResult {
            Self::do_report_outcome(ensure_signed(origin)?, result)
        }

        /// Claims that a player lied: the chain fights the battle, and one of the two pays a bond.
        #[pallet::call_index(8)]
        #[pallet::weight(Pallet::<T>::dispute_weight(WORK_STEPS_MAX))]
        pub fn dispute_battle(
            origin: OriginFor<T>,
            target_player: T::AccountId,
            run: RunId,
            round: u32,
        ) -> DispatchResultWithPostInfo {
            Self::do_dispute_battle(ensure_signed(origin)?, target_player, run, round)
        }

        /// Gives the run up; the entry fee stays in the pool.
        #[pallet::call_index(9)]
        pub fn forfeit(origin: OriginFor<T>) -> DispatchResult {
            Self::do_forfeit(ensure_signed(origin)?)
        }

        /// Registers a card; its hash is its identity, and one that exists costs nothing.
        #[pallet::call_index(10)]
        pub fn register_card(origin: OriginFor<T>, card_data: CardOnChain, metadata: CardText) -> DispatchResult {
            Self::do_register_card(ensure_signed(origin)?, &card_data, metadata)
        }

        /// Changes the texts of a card that the caller registered.
        #[pallet::call_index(11)]
        pub fn update_card_metadata(origin: OriginFor<T>, card_hash: CardHash, metadata: CardText) -> DispatchResult {
            Self::do_update_card_metadata(ensure_signed(origin)?, card_hash, metadata)
        }

        /// Makes a set of registered cards, for a fee and a deposit.
        #[pallet::call_index(12)]
        #[pallet::weight(T::WeightInfo::create_set(cards.len() as u32))]
        pub fn create_set(
            origin: OriginFor<T>,
            cards: BoundedVec<SetCard, ConstU32<64>>,
            metadata: SetMeta,
        ) -> DispatchResult {
            Self::do_create_set(ensure_signed(origin)?, cards, metadata)
        }

        /// Closes a set that the caller made; it goes, and its deposit returns, with its last run.
        #[pallet::call_index(13)]
        pub fn remove_set(origin: OriginFor<T>, set_hash: H256) -> DispatchResult {
            Self::do_remove_set(&ensure_signed(origin)?, set_hash)
        }

        /// Changes the texts of a set that the caller made.
        #[pallet::call_index(14)]
        pub fn update_set_metadata(origin: OriginFor<T>, set_hash: H256, metadata: SetMeta) -> DispatchResult {
            Self::do_update_set_metadata(ensure_signed(origin)?, set_hash, metadata)
        }

        /// Removes old ghosts, a bounded number of them. It is free if their set is gone.
        #[pallet::call_index(15)]
        pub fn clean_ghost_boards(
            origin: OriginFor<T>,
            key: GhostBoardKey,
            older_than: BlockNumberFor<T>,
        ) -> DispatchResultWithPostInfo {
            ensure_signed(origin)?;
            Self::do_clean_ghost_boards(key, older_than)
        }

        /// Settles the caller's run that is over: fights what is unverified, pays the prize of ten
        /// wins, returns the bond. If the pool has less than `min` the claim stays open.
        #[pallet::call_index(16)]
        #[pallet::weight(Pallet::<T>::claim_weight())]
        pub fn claim_prize(origin: OriginFor<T>, run: RunId, min: BalanceOf<T>) -> DispatchResultWithPostInfo {
            Self::do_claim_prize(ensure_signed(origin)?, run, min)
        }

        /// Ends a run whose player let a deadline pass, for a reward from its bond.
        #[pallet::call_index(17)]
        pub fn expire_game(origin: OriginFor<T>, target: T::AccountId) -> DispatchResult {
            Self::do_expire_game(ensure_signed(origin)?, target)
        }

        /// Does everything of a turn in one call, its end included.
        #[pallet::call_index(18)]
        #[pallet::weight(T::WeightInfo::play_turn(actions.len() as u32))]
        pub fn play_turn(origin: OriginFor<T>, actions: BoundedVec<ShopAction, T::MaxActions>) -> DispatchResult {
            let actions: Vec<ShopAction> = actions.into_inner();
            Self::do_play_turn(ensure_signed(origin)?, actions)
        }

        /// Reports the true outcome of a battle whose player let the deadline pass: the chain fights
        /// it, and the first who does so in a run is paid from its bond.
        #[pallet::call_index(19)]
        #[pallet::weight(Pallet::<T>::late_report_weight(WORK_STEPS_MAX))]
        pub fn report_late(
            origin: OriginFor<T>,
            target_player: T::AccountId,
            run: RunId,
        ) -> DispatchResultWithPostInfo {
            Self::do_report_late(ensure_signed(origin)?, target_player, run)
        }

        /// Gives to the pool of a set. A gift can be won by anyone and is never given back.
        #[pallet::call_index(20)]
        pub fn give_to_pool(origin: OriginFor<T>, set_hash: H256, amount: BalanceOf<T>) -> DispatchResult {
            Self::do_give_to_pool(ensure_signed(origin)?, set_hash, amount)
        }

        /// Shows a card of a set that the caller made with texts of the set's own, or no longer.
        #[pallet::call_index(21)]
        pub fn update_set_display(
            origin: OriginFor<T>,
            set_hash: H256,
            card_hash: CardHash,
            text: Option<CardText>,
        ) -> DispatchResult {
            Self::do_update_set_display(&ensure_signed(origin)?, set_hash, card_hash, text)
        }

        /// Hides texts from clients, or shows them again; nothing of the game changes.
        #[pallet::call_index(22)]
        pub fn hide_metadata(origin: OriginFor<T>, subject: MetadataSubject, hidden: bool) -> DispatchResult {
            T::ModerationOrigin::ensure_origin(origin)?;
            Self::do_hide_metadata(subject, hidden)
        }
    }
}
