//! What the pallet stores. The rules and their types are those of `auto-battle`; these say who, when
//! and for how much.

use auto_battle::{BattleResult, Card, CardLink, Run, SavedBattle, SavedBoard, SetCard, ShopAction};
use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame::prelude::{BlockNumberFor, BoundedVec, ConstU32, H256, frame_system};
use frame::token::fungible;
use scale_info::TypeInfo;

use crate::Config;

/// The most cards a deck can have on the chain.
pub const DECK_CARDS_MAX: u32 = 120;

/// A card with its mechanics, which name what they spawn by hash.
pub type CardOnChain = Card<CardLink>;

/// Deck, shop and board of a run.
pub type GameState = Run<DECK_CARDS_MAX>;

/// Numbers the runs of one account from 1.
pub type RunId = u32;

/// What a player does in the shop.
pub type ShopActionType = ShopAction;

/// The account of a chain.
pub type AccountIdOf<T> = <T as frame_system::Config>::AccountId;

/// The money of a chain.
pub type BalanceOf<T> = <<T as Config>::Currency as fungible::Inspect<AccountIdOf<T>>>::Balance;

/// A [`GameSession`] of a chain.
pub type GameSessionOf<T> = GameSession<BalanceOf<T>, BlockNumberFor<T>>;

/// A [`BattleProof`] of a chain.
pub type BattleProofOf<T> = BattleProof<AccountIdOf<T>, BlockNumberFor<T>>;

/// A [`GhostBoard`] of a chain.
pub type GhostBoardOf<T> = GhostBoard<AccountIdOf<T>, BlockNumberFor<T>>;

/// A [`GhostSlot`] of a chain.
pub type GhostSlotOf<T> = GhostSlot<AccountIdOf<T>, BlockNumberFor<T>>;

/// A [`CardMeta`] of a chain.
pub type CardMetaOf<T> = CardMeta<AccountIdOf<T>, BlockNumberFor<T>>;

/// A [`SetInfo`] of a chain.
pub type SetInfoOf<T> = SetInfo<AccountIdOf<T>, BlockNumberFor<T>>;

/// A run that is paid for: played, or over and not settled yet.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GameSession<Balance, BlockNumber> {
    pub run: RunId,
    /// Nothing until the deck is dealt.
    pub state: Option<GameState>,
    pub set_hash: H256,
    /// The seed of the deck; 0 until it is dealt.
    pub seed: u64,
    pub entry_fee: Balance,
    /// What is left of the bond that is held for this run.
    pub bond: Balance,
    pub started_at: BlockNumber,
    pub stage: Stage<BlockNumber>,
    /// The last block in which the player did something, from which deadlines count.
    pub moved_at: BlockNumber,
    /// The block of the newest report, from which the challenge window counts.
    pub reported_at: BlockNumber,
    /// Rounds that were reported; each has its proof.
    pub n_reports: u32,
    /// Reports that no verdict has confirmed.
    pub n_unverified: u32,
}

/// What a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum Stage<BlockNumber> {
    /// The block that decides the deck; the first call after it deals.
    Dealing(Commit<BlockNumber>),
    /// The player's turn.
    Shop,
    /// The block that decides opponent and seed; the player fights and reports.
    Battle { commit: Commit<BlockNumber>, ghosts: GhostWindow },
    /// Nothing but settlement.
    Over(Ending),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum Ending {
    /// Ten wins were reported.
    Won,
    /// No lives are left, or no rounds.
    Lost,
    /// The player gave up.
    Forfeited,
    /// The player let a deadline pass.
    Expired,
}

/// A promise to use randomness that nobody knows yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct Commit<BlockNumber> {
    /// The block whose hash decides.
    pub block: BlockNumber,
    /// Counts the commits of the account.
    pub nonce: u64,
}

/// Data that a verdict on a reported battle needs.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct BattleProof<AccountId, BlockNumber> {
    pub round: u32,
    pub player_board: SavedBoard,
    pub opponent_board: SavedBoard,
    /// Whose ghost the opponent is; nobody's if it is the built-in one.
    pub opponent: Option<AccountId>,
    pub seed: u64,
    pub claimed_result: BattleResult,
    /// The rules that this battle is judged by, whatever the chain has learnt since.
    pub rules_version: u16,
    pub set_hash: H256,
    pub reported_at: BlockNumber,
    /// Whether the chain itself has fought the battle and found the claim true.
    pub verified: bool,
}

impl<AccountId, BlockNumber> BattleProof<AccountId, BlockNumber> {
    /// The battle that was reported.
    pub fn battle(&self) -> SavedBattle {
        SavedBattle { player: self.player_board, enemy: self.opponent_board, seed: self.seed }
    }
}

/// A battle that its player has to fight and report.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct BattleView<AccountId> {
    pub run: RunId,
    pub round: u32,
    pub battle: SavedBattle,
    /// Whose ghost the opponent is; nobody's if it is the built-in one.
    pub opponent: Option<AccountId>,
}

/// How a battle comes out, in numbers that show any difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct Verdict {
    pub result: BattleResult,
    /// The next number of the random stream after the battle.
    pub rng_next: u32,
    /// The hash of all events, encoded.
    pub events: H256,
    /// Steps of work, as weights count them.
    pub steps: u64,
}

/// A text of a card or set.
pub type Text<const MAX: u32> = BoundedVec<u8, ConstU32<MAX>>;

/// The texts of a card, which its creator may change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct CardText {
    pub name: Text<64>,
    pub description: Text<256>,
    pub image_url: Text<256>,
}

/// What people read about a card; no rule looks at it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct CardMeta<AccountId, BlockNumber> {
    pub name: Text<64>,
    pub description: Text<256>,
    pub image_url: Text<256>,
    pub creator: AccountId,
    pub created_at: BlockNumber,
}

/// A collection of cards that decks are drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct SetInfo<AccountId, BlockNumber> {
    /// In the order of their hashes; boards name cards by their place here.
    pub cards: BoundedVec<SetCard, ConstU32<64>>,
    pub creator: AccountId,
    pub created_at: BlockNumber,
    /// No new run may start; the set goes when its last run is settled.
    pub delisted: bool,
}

/// What people read about a set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct SetMeta {
    pub name: Text<64>,
    pub description: Text<256>,
}

/// Players meet the ghosts of those who stood exactly where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GhostBoardKey {
    pub set_hash: H256,
    pub round: u32,
    pub wins: u32,
    pub losses: u32,
}

/// A board as a player sent it into battle.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GhostBoard<AccountId, BlockNumber> {
    pub owner: AccountId,
    pub board: SavedBoard,
    pub saved_at: BlockNumber,
    /// Counts the ghosts ever saved under the key.
    pub serial: u32,
}

/// A place for a ghost.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GhostSlot<AccountId, BlockNumber> {
    pub ghost: GhostBoard<AccountId, BlockNumber>,
    /// The ghost before it, for battles that were committed when it stood here.
    pub replaced: Option<GhostBoard<AccountId, BlockNumber>>,
}

/// The slots of a key that hold ghosts: a ring, oldest first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct GhostRing<BlockNumber> {
    pub first: u8,
    pub n_ghosts: u8,
    /// How many ghosts were ever saved here.
    pub n_saved: u32,
    /// The last block in which a battle was committed that may meet one of them.
    pub committed_at: BlockNumber,
}

/// The ghosts that a battle may meet, fixed when it is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GhostWindow {
    pub first: u8,
    pub n_ghosts: u8,
    /// The slot of the player's own ghost, who never meets it.
    pub own: Option<u8>,
    /// Ghosts with this serial and above came later.
    pub n_saved: u32,
}
