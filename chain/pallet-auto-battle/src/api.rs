//! What clients ask a node without a transaction.

use alloc::vec::Vec;

use auto_battle::{CardHash, Pool, Rejection, RunStep, SavedBattle};
use codec::Codec;
use frame::prelude::H256;

use crate::types::{
    BattleProof, BattleView, CardText, GameSession, GameState, GhostBoard, GhostBoardKey, RunId, SetMeta, Verdict,
};

sp_api::decl_runtime_apis! {
    /// The auto-battler for clients. Everything is open: a chain hides neither decks nor shops.
    pub trait AutoBattleApi<AccountId, Balance, BlockNumber>
    where
        AccountId: Codec,
        Balance: Codec,
        BlockNumber: Codec,
    {
        /// The run of an account, with its deck and shop as soon as its commit is decided.
        fn session(who: AccountId) -> Option<GameSession<Balance, BlockNumber>>;

        /// The cards of a set as boards and shops index them.
        fn pool(set_hash: H256) -> Option<Pool>;

        /// The battle that an account has to fight and report, as soon as its commit is decided.
        fn pending_battle(who: AccountId) -> Option<BattleView<AccountId>>;

        /// A report whose run is not settled.
        fn proof(who: AccountId, run: RunId, round: u32) -> Option<BattleProof<AccountId, BlockNumber>>;

        /// The ghosts under a key, oldest first.
        fn ghosts(key: GhostBoardKey) -> Vec<GhostBoard<AccountId, BlockNumber>>;

        /// How a battle comes out.
        fn verdict(pool: Pool, battle: SavedBattle) -> Option<Verdict>;

        /// What a step would make of a run.
        fn try_step(pool: Pool, state: GameState, step: RunStep) -> Result<GameState, Rejection>;

        /// What is in the prize pool of a set.
        fn prize_pool(set_hash: H256) -> Balance;

        /// What the pool of a set would pay for ten wins now.
        fn prize_offer(set_hash: H256) -> Balance;

        /// The texts to show for a card of a set: the set's own, or the creator's, unless hidden.
        fn card_text(set_hash: H256, card_hash: CardHash) -> Option<CardText>;

        /// The texts to show for a set, unless hidden.
        fn set_text(set_hash: H256) -> Option<SetMeta>;

        /// Accounts with a run that is not settled.
        fn players() -> Vec<AccountId>;

        /// What an account has: free, and held for the game.
        fn money(who: AccountId) -> (Balance, Balance);

        /// Whether anyone may end the run of an account.
        fn is_expired(who: AccountId) -> bool;

        /// Whether anyone may report the true outcome in the place of an account.
        fn is_report_late(who: AccountId) -> bool;
    }
}
