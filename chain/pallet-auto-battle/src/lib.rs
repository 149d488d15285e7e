//! The auto-battler as a pallet: a server that nobody has to trust.
//!
//! Players pay an entry fee, build boards in a shop, fight off the chain and report what came out.
//! The chain believes them and keeps what it needs to fight the battle again: anyone may dispute a
//! report, and a prize is paid only after the chain has fought every battle of the run itself. So
//! a lie costs its bond and never earns a prize, and an honest report costs almost nothing.
//!
//! The rules are in `auto-battle`; here is who, when and for how much.
//!
//! * A call that needs randomness commits; the seed is known from the next block on (`rng.rs`).
//! * A report leaves a proof until its run is settled (`game.rs`, `disputes.rs`).
//! * The bond of a run is held, the pool is an account, nothing is minted (`economics.rs`).
//! * Whom a battle may meet is fixed when it is committed (`ghosts.rs`).

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
mod disputes;
mod economics;
mod game;
mod genesis;
mod ghosts;
#[cfg(feature = "std")]
mod integrity;
pub mod migrations;
#[cfg(test)]
mod mock;
mod rng;
mod sets;
#[cfg(test)]
mod tests;
mod try_state;
mod types;
pub mod weights;

pub use auto_battle::SetCard;
pub use disputes::{STEPS_CHARGED, STEPS_WORST, verdict};
pub use genesis::{starter_cards, starter_set, starter_set_hash};
pub use ghosts::{GHOSTS_MAX, GHOSTS_PER_CLEANING};
pub use pallet::*;
pub use rng::{BlockHashes, CommitRandomness};
pub use types::*;
pub use weights::WeightInfo;

/// The pallet.
// What FRAME's macros write is not ours to change: they expect what they have checked themselves.
#[allow(clippy::expect_used, clippy::large_enum_variant, clippy::indexing_slicing)]
#[frame::pallet]
pub mod pallet {
    use super::*;
    use alloc::vec::Vec;
    use auto_battle::{BattleResult, CardHash, Pool, ShopAction};
    use frame::deps::frame_support::weights::WeightToFee;
    use frame::prelude::*;
    use frame::token::fungible;

    /// The layout of the storage; `migrations` leads from the ones before.
    pub const STORAGE_VERSION: StorageVersion = StorageVersion::new(1);

    /// The pallet.
    #[pallet::pallet]
    #[pallet::storage_version(STORAGE_VERSION)]
    pub struct Pallet<T>(_);

    /// What a chain decides.
    #[pallet::config]
    pub trait Config: frame_system::Config<Hash = H256, RuntimeEvent: From<Event<Self>>> {
        /// The money that fees, bonds and prizes are paid in.
        type Currency: fungible::Mutate<Self::AccountId>
            + fungible::MutateHold<Self::AccountId, Reason = Self::RuntimeHoldReason>;

        /// The reasons for holds of the runtime.
        type RuntimeHoldReason: From<HoldReason>;

        /// Where randomness comes from.
        type Randomness: CommitRandomness<BlockNumberFor<Self>>;

        /// The fee of the weight of a call; the bond is measured by it.
        type WeightToFee: WeightToFee<Balance = BalanceOf<Self>>;

        /// The name that the account of the prize pool is made from.
        #[pallet::constant]
        type PalletId: Get<PalletId>;

        /// Goes to the pool when a run starts and never comes back.
        #[pallet::constant]
        type EntryFee: Get<BalanceOf<Self>>;

        /// The prize for ten wins, as far as the pool has it.
        #[pallet::constant]
        type WinPrize: Get<BalanceOf<Self>>;

        /// Held for a run, and what a false dispute costs.
        #[pallet::constant]
        type Bond: Get<BalanceOf<Self>>;

        /// What who ends an expired run gets of its bond.
        #[pallet::constant]
        type ExpiryReward: Get<BalanceOf<Self>>;

        /// The fee for registering a card.
        #[pallet::constant]
        type CardFee: Get<BalanceOf<Self>>;

        /// The fee for making a set.
        #[pallet::constant]
        type SetFee: Get<BalanceOf<Self>>;

        /// Held for a set until it is removed.
        #[pallet::constant]
        type SetDeposit: Get<BalanceOf<Self>>;

        /// Where fees go.
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

        /// For how many blocks after its last report a run that is over can be disputed.
        #[pallet::constant]
        type ChallengeWindow: Get<BlockNumberFor<Self>>;

        /// For how many blocks a player may look at a seed before he acts on it.
        #[pallet::constant]
        type ReportDeadline: Get<BlockNumberFor<Self>>;

        /// For how many blocks a run may rest in the shop, and a finished one unclaimed.
        #[pallet::constant]
        type TurnDeadline: Get<BlockNumberFor<Self>>;

        /// No ghost is cleaned that is younger.
        #[pallet::constant]
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

    /// Ghosts by key and slot.
    #[pallet::storage]
    pub type GhostBoards<T: Config> =
        StorageDoubleMap<_, Blake2_128Concat, GhostBoardKey, Twox64Concat, u8, GhostSlotOf<T>>;

    /// Which slots of a key hold ghosts.
    #[pallet::storage]
    pub type GhostRings<T: Config> =
        StorageMap<_, Blake2_128Concat, GhostBoardKey, GhostRing<BlockNumberFor<T>>, ValueQuery>;

    /// The slot of an account's ghost under a key.
    #[pallet::storage]
    pub type GhostOwners<T: Config> =
        StorageDoubleMap<_, Blake2_128Concat, GhostBoardKey, Blake2_128Concat, T::AccountId, u8>;

    /// What happened.
    #[pallet::event]
    #[pallet::generate_deposit(pub(super) fn deposit_event)]
    pub enum Event<T: Config> {
        /// A run was paid for; its deck is known from the next block on.
        GameStarted { who: T::AccountId, set_hash: H256, entry_fee: BalanceOf<T> },
        /// Something was done in a shop.
        ShopAction { who: T::AccountId, action: ShopAction },
        /// A turn ended; opponent and seed are known from the block after this one on.
        BattleReady { who: T::AccountId, round: u32, commit_block: BlockNumberFor<T> },
        /// A player said how a battle came out.
        BattleReported { who: T::AccountId, round: u32, claimed_result: BattleResult },
        /// A report was disputed, with success if it was a lie.
        BattleDisputed { challenger: T::AccountId, target: T::AccountId, round: u32, success: bool },
        /// Ten wins are reported; the prize can be claimed, as far as the pool has it.
        GameWon { who: T::AccountId, prize: BalanceOf<T> },
        /// A run ran out of lives or rounds.
        GameLost { who: T::AccountId, round: u32 },
        /// A run was given up.
        GameForfeited { who: T::AccountId },
        /// A run was ended because its player let a deadline pass.
        GameExpired { who: T::AccountId, run: RunId, caller: T::AccountId },
        /// A claim has fought some rounds and needs another call.
        ClaimProgressed { who: T::AccountId, run: RunId, n_unverified: u32 },
        /// A prize was paid, and the bond returned.
        PrizeClaimed { who: T::AccountId, run: RunId, prize: BalanceOf<T> },
        /// The bond of a run without a prize was returned.
        RunSettled { who: T::AccountId, run: RunId },
        /// A claim found a lie.
        LieFound { who: T::AccountId, run: RunId, round: u32 },
        /// A liar lost his bond and his run.
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
        /// The seed is known from the next block on.
        SeedNotKnown,
        /// The time for this run is over.
        RunExpired,
        /// The run still has time.
        NotExpired,
        /// There is no card in this slot, or no such slot.
        EmptySlot,
        /// The card costs more mana than there is.
        NotEnoughMana,
        /// The board has no free slot.
        BoardFull,
        /// The deck would be larger than a run allows.
        DeckTooLarge,
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
        /// A set has at most 64 cards.
        TooManyCards,
        /// A set has each card once.
        DuplicateCard,
        /// No card of the set could be drawn.
        NoWeight,
        /// A card of the set spawns one that is not in it.
        SpawnNotInSet,
        /// Only who made it may do this.
        NotCreator,
        /// A battle may still meet one of these ghosts.
        GhostsInUse,
        /// No ghost of this key is old enough.
        NothingToClean,
    }

    /// The chain's first state.
    #[pallet::genesis_config]
    #[derive(DefaultNoBound)]
    pub struct GenesisConfig<T: Config> {
        /// Registers the starter cards and the starter set in the name of this account.
        pub starter_creator: Option<T::AccountId>,
    }

    #[pallet::genesis_build]
    impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
        fn build(&self) {
            if let Some(creator) = &self.starter_creator {
                Pallet::<T>::register_starters(creator);
            }
        }
    }

    #[pallet::hooks]
    impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
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
        #[pallet::weight(Pallet::<T>::dispute_weight(STEPS_CHARGED))]
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

        /// Removes old ghosts, a bounded number of them.
        #[pallet::call_index(15)]
        pub fn clean_ghost_boards(
            origin: OriginFor<T>,
            key: GhostBoardKey,
            older_than: BlockNumberFor<T>,
        ) -> DispatchResult {
            ensure_signed(origin)?;
            Self::do_clean_ghost_boards(key, older_than)
        }

        /// Settles the caller's run that is over: fights what is unverified, pays the prize of ten
        /// wins, returns the bond.
        #[pallet::call_index(16)]
        #[pallet::weight(Pallet::<T>::claim_weight())]
        pub fn claim_prize(origin: OriginFor<T>) -> DispatchResultWithPostInfo {
            Self::do_claim_prize(ensure_signed(origin)?)
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
    }
}
