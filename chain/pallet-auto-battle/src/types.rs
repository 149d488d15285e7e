//! What the pallet stores. The rules and their types are those of `auto-battle`; these say who, when
//! and for how much.

use auto_battle::{BattleResult, Bounded, Card, CardHash, CardLink, Run, SavedBattle, SavedBoard, SetCard, ShopAction};
use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame::prelude::{BlockNumberFor, BoundedVec, ConstU32, H256, frame_system};
use frame::token::fungible;
use scale_info::TypeInfo;

use crate::Config;

/// The most cards a deck can have on the chain.
pub const DECK_CARDS_MAX: u32 = 120;

/// The most rounds a run can have on any chain.
pub const RUN_ROUNDS_MAX: u32 = 32;

/// The most ghosts under one key.
pub const GHOSTS_MAX: u8 = 100;

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

/// A [`LiarTrail`] of a chain.
pub type LiarTrailOf<T> = LiarTrail<AccountIdOf<T>>;

/// A [`DrawnValue`] of a chain.
pub type DrawnValueOf<T> = DrawnValue<BlockNumberFor<T>>;

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
    /// When the player did something last, from which deadlines count.
    pub moved_at: BlockNumber,
    /// When the newest report came, from which the challenge window counts.
    pub reported_at: BlockNumber,
    /// What was reported, round by round; each report has its proof.
    pub results: ReportedResults,
    /// Reports that no verdict has confirmed.
    pub n_unverified: u32,
    /// Whether the bond has paid for a report that somebody else made.
    pub has_paid_late_report: bool,
}

impl<Balance, BlockNumber> GameSession<Balance, BlockNumber> {
    /// How many rounds were reported.
    pub fn n_reports(&self) -> u32 {
        u32::try_from(self.results.len()).unwrap_or(u32::MAX)
    }
}

/// What a run reported, round by round.
pub type ReportedResults = BoundedVec<BattleResult, ConstU32<RUN_ROUNDS_MAX>>;

/// What a session waits for.
// It is read and written as a whole, so nothing is gained by a box.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum Stage<BlockNumber> {
    /// The block that decides the deck; the first call after it deals.
    Dealing(Commit<BlockNumber>),
    /// The player's turn.
    Shop,
    /// The block that decides opponent and seed; the player fights and reports. The ghosts that may
    /// be met are fixed when the battle is committed.
    Battle { commit: Commit<BlockNumber>, ghosts: GhostSerials },
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
    /// The block in which the promise was made; a value that nobody knew then decides.
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

/// Names a ghost under its key; no two ghosts have the same serial.
pub type GhostSerial = u32;

/// Ghosts under a key, oldest first.
pub type GhostSerials = Bounded<GhostSerial, { GHOSTS_MAX as usize }>;

/// A board as a player sent it into battle.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct GhostBoard<AccountId, BlockNumber> {
    pub owner: AccountId,
    /// The owner's run that it is from.
    pub run: RunId,
    pub board: SavedBoard,
    pub saved_at: BlockNumber,
}

/// A ghost that left its ring and is kept for battles that may still meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct DepartedGhost<BlockNumber> {
    pub key: GhostBoardKey,
    pub serial: GhostSerial,
    pub left_at: BlockNumber,
}

/// The run of a proven liar, whose ghosts are still to be removed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct LiarTrail<AccountId> {
    pub who: AccountId,
    pub run: RunId,
    pub set_hash: H256,
    pub results: ReportedResults,
    /// The next round to look for a ghost of, from 1.
    pub round: u32,
}

/// The numbers of the items that wait in a queue: from the first up to, but not including, the next.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct QueueSpan {
    pub first: u32,
    pub next: u32,
}

/// The value of a block's randomness, as it was when the block began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct DrawnValue<BlockNumber> {
    pub block: BlockNumber,
    pub value: H256,
    /// The block in which somebody could know the value first.
    pub known_since: BlockNumber,
}

/// How a set shows one of its cards, whatever the card's creator calls it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct CardDisplay {
    pub card_hash: CardHash,
    pub text: CardText,
}

/// The cards that a set shows with texts of its own.
pub type CardDisplays = BoundedVec<CardDisplay, ConstU32<64>>;

/// What a moderator can hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum MetadataSubject {
    /// The texts that a card's creator gave it.
    Card(CardHash),
    /// The texts of a set, with those it gives its cards.
    Set(H256),
}
