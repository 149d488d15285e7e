//! A connection to a node: what the chain knows about the game, and calls to it.
//!
//! Types are those of the pallet, so nothing is described twice; names of calls are looked up in
//! the chain's own metadata.

use std::fmt;

use anyhow::{Context as _, Result};
use auto_battle::{BattleResult, Card, CardHash, CardLink, Pool, SavedBattle, SetCard, ShopAction};
use codec::{Decode, Encode};
use pallet_auto_battle::{
    BattleProof, BattleView, CardText, GameSession, GameState, GhostBoard, GhostBoardKey, RunId, SetMeta, Verdict,
};
use subxt::client::OnlineClientAtBlockImpl;
use subxt::config::DefaultExtrinsicParamsBuilder;
use subxt::ext::scale_encode::{EncodeAsFields, Error as EncodeError, FieldIter, TypeResolver};
use subxt::rpcs::{RpcClient, rpc_params};
use subxt::transactions::{Payload, TransactionProgress};
use subxt::utils::{AccountId32, H256};
use subxt::{OnlineClient, OnlineClientAtBlock, PolkadotConfig};
use subxt_signer::sr25519::Keypair;

/// An account, as its public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Account(pub [u8; 32]);

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", AccountId32(self.0))
    }
}

impl From<&Keypair> for Account {
    fn from(keys: &Keypair) -> Self {
        Self(keys.public_key().0)
    }
}

/// A run on this chain.
pub type Session = GameSession<u128, u32>;

/// A report on this chain.
pub type Proof = BattleProof<Account, u32>;

/// A block that can be asked.
pub type Block = OnlineClientAtBlock<PolkadotConfig>;

/// For how many blocks a transaction is valid; then it is as if it had never been.
const LIFETIME_BLOCKS: u64 = 64;

/// How much older than the newest finalised block the block is from which a transaction lives.
const BIRTH_AGE_BLOCKS: u64 = 3;

/// A connection to a node.
#[derive(Clone)]
pub struct Chain {
    client: OnlineClient<PolkadotConfig>,
    rpc: RpcClient,
}

/// A transaction that the node has taken.
pub struct SentTransaction(TransactionProgress<PolkadotConfig, OnlineClientAtBlockImpl<PolkadotConfig>>);

impl SentTransaction {
    /// Waits until it is in a finalised block, with success, and says in which.
    pub async fn wait_until_final(self) -> Result<u64> {
        let landed = self.0.wait_for_finalized().await?;
        landed.wait_for_success().await?;
        Ok(landed.at().await?.block_number())
    }
}

/// An event of the pallet: its name and its encoded fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The name of the event.
    pub name: String,
    /// Its fields, encoded.
    pub fields: Vec<u8>,
}

impl Chain {
    /// Connects to a node.
    pub async fn connect(url: &str) -> Result<Self> {
        let refusal = || format!("cannot connect to {url}");
        let rpc = RpcClient::from_insecure_url(url).await.with_context(refusal)?;
        let client = OnlineClient::from_rpc_client(rpc.clone()).await.with_context(refusal)?;
        Ok(Self { client, rpc })
    }

    /// The connection itself.
    pub fn client(&self) -> &OnlineClient<PolkadotConfig> {
        &self.client
    }

    /// The newest finalised block.
    pub async fn now(&self) -> Result<Block> {
        Ok(self.client.at_current_block().await?)
    }

    /// Signs a call and hands it to the node, without waiting for what becomes of it.
    pub async fn send(&self, signer: &Keypair, call: &Call) -> Result<()> {
        self.hand_over(signer, call, |it| it).await.map(drop)
    }

    /// As [`Self::send`], with a tip for the author of the block.
    pub async fn send_with_tip(&self, signer: &Keypair, call: &Call, tip: u128) -> Result<()> {
        self.hand_over(signer, call, |it| it.tip(tip)).await.map(drop)
    }

    /// As [`Self::send`], with a nonce of the caller's choice, and a way to see what becomes of it.
    pub async fn send_with_nonce(&self, signer: &Keypair, call: &Call, nonce: u64) -> Result<SentTransaction> {
        self.hand_over(signer, call, |it| it.nonce(nonce)).await
    }

    /// The nonce that the node expects next of an account, after what waits in its pool.
    pub async fn next_nonce(&self, signer: &Keypair) -> Result<u64> {
        let account = AccountId32(signer.public_key().0).to_string();
        Ok(self.rpc.request("system_accountNextIndex", rpc_params![account]).await?)
    }

    async fn hand_over(
        &self,
        signer: &Keypair,
        call: &Call,
        with: impl FnOnce(ParamsBuilder) -> ParamsBuilder,
    ) -> Result<SentTransaction> {
        let at = self.now().await?;
        let params = with(mortal_from(self.birth_of_transactions(&at).await?)).build();
        let transaction = at.transactions().create_signed(call, signer, params).await?;
        Ok(SentTransaction(transaction.submit_and_watch().await?))
    }

    /// The block from which transactions live: a little older than the newest finalised one, which the
    /// node's pool may not have met yet.
    async fn birth_of_transactions(&self, at: &Block) -> Result<(u64, H256)> {
        let number = at.block_number().saturating_sub(BIRTH_AGE_BLOCKS);
        let block = self.client.at_block(number).await?;
        Ok((number, block.block_hash()))
    }

    /// Signs a call, waits until it is in a finalised block, and gives the events of the pallet that it
    /// made.
    pub async fn submit(&self, signer: &Keypair, call: Call) -> Result<Vec<Told>> {
        let SentTransaction(progress) = self.hand_over(signer, &call, |it| it).await?;
        let events = progress.wait_for_finalized_success().await.with_context(|| format!("{} failed", call.name))?;
        let mut told = Vec::new();
        for event in events.iter() {
            let event = event?;
            if event.pallet_name() == PALLET {
                told.push(Told { name: event.event_name().into(), fields: event.field_bytes().into() });
            }
        }
        Ok(told)
    }

    /// Waits for the finalised block after the newest.
    pub async fn next_block(&self) -> Result<()> {
        let number = self.now().await?.block_number();
        let mut blocks = self.client.stream_blocks().await?;
        while let Some(block) = blocks.next().await {
            if block?.number() > number {
                return Ok(());
            }
        }
        anyhow::bail!("the node has stopped")
    }

    /// The run of an account.
    pub async fn session(&self, who: Account) -> Result<Option<Session>> {
        ask(&self.now().await?, "session", who).await
    }

    /// The cards of a set.
    pub async fn pool(&self, set_hash: [u8; 32]) -> Result<Option<Pool>> {
        ask(&self.now().await?, "pool", set_hash).await
    }

    /// The battle that an account has to report.
    pub async fn pending_battle(&self, who: Account) -> Result<Option<BattleView<Account>>> {
        ask(&self.now().await?, "pending_battle", who).await
    }

    /// The ghosts under a key.
    pub async fn ghosts(&self, key: GhostBoardKey) -> Result<Vec<GhostBoard<Account, u32>>> {
        ask(&self.now().await?, "ghosts", key).await
    }

    /// How the chain's own code says a battle comes out.
    pub async fn verdict(&self, pool: &Pool, battle: &SavedBattle) -> Result<Option<Verdict>> {
        ask(&self.now().await?, "verdict", (pool, battle)).await
    }

    /// What the chain's own code makes of a step of a run.
    pub async fn try_step(
        &self,
        pool: &Pool,
        state: &GameState,
        step: auto_battle::RunStep,
    ) -> Result<std::result::Result<GameState, auto_battle::Rejection>> {
        ask(&self.now().await?, "try_step", (pool, state, step)).await
    }

    /// What is in the prize pool of a set.
    pub async fn prize_pool(&self, set_hash: [u8; 32]) -> Result<u128> {
        ask(&self.now().await?, "prize_pool", set_hash).await
    }

    /// What the pool of a set would pay for ten wins now.
    pub async fn prize_offer(&self, set_hash: [u8; 32]) -> Result<u128> {
        ask(&self.now().await?, "prize_offer", set_hash).await
    }

    /// May anyone report the true outcome in the place of this account?
    pub async fn is_report_late(&self, who: Account) -> Result<bool> {
        ask(&self.now().await?, "is_report_late", who).await
    }

    /// May anyone end the run of this account?
    pub async fn is_expired(&self, who: Account) -> Result<bool> {
        ask(&self.now().await?, "is_expired", who).await
    }

    /// What an account has: free, and held.
    pub async fn money(&self, who: Account) -> Result<(u128, u128)> {
        ask(&self.now().await?, "money", who).await
    }
}

/// Makes a transaction that is valid for a bounded number of blocks.
fn mortal_from((number, hash): (u64, H256)) -> ParamsBuilder {
    ParamsBuilder::new().mortal_from_unchecked(LIFETIME_BLOCKS, number, hash)
}

/// Makes what a transaction carries beside its call.
type ParamsBuilder = DefaultExtrinsicParamsBuilder<PolkadotConfig>;

/// Asks the pallet's runtime API at a block.
pub async fn ask<A: Encode, R: Decode>(at: &Block, method: &str, args: A) -> Result<R> {
    let name = format!("AutoBattleApi_{method}");
    let answer = at.runtime_apis().call_raw(&name, Some(&args.encode())).await?;
    R::decode(&mut &answer[..]).with_context(|| format!("{name} answers something else"))
}

/// The name of the pallet in the runtime.
pub const PALLET: &str = "AutoBattle";

/// A call of the pallet with its arguments encoded.
#[derive(Clone, Debug)]
pub struct Call {
    name: &'static str,
    args: Arguments,
}

/// The arguments of a call, encoded.
#[derive(Clone, Debug)]
pub struct Arguments(Vec<u8>);

impl EncodeAsFields for Arguments {
    fn encode_as_fields_to<R: TypeResolver>(
        &self,
        _fields: &mut dyn FieldIter<'_, R::TypeId>,
        _types: &R,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        out.extend(&self.0);
        Ok(())
    }
}

impl Payload for Call {
    type CallData = Arguments;

    fn pallet_name(&self) -> &str {
        PALLET
    }

    fn call_name(&self) -> &str {
        self.name
    }

    fn call_data(&self) -> &Arguments {
        &self.args
    }
}

impl Call {
    fn new(name: &'static str, args: impl Encode) -> Self {
        Self { name, args: Arguments(args.encode()) }
    }

    /// Starts a run with a set.
    pub fn start_game(set_hash: [u8; 32]) -> Self {
        Self::new("start_game", H256(set_hash))
    }

    /// Plays a whole turn.
    pub fn play_turn(actions: &[ShopAction]) -> Self {
        Self::new("play_turn", actions)
    }

    /// Ends a turn.
    pub fn end_turn() -> Self {
        Self::new("end_turn", ())
    }

    /// Reports a result.
    pub fn report_outcome(result: BattleResult) -> Self {
        Self::new("report_outcome", result)
    }

    /// Disputes a report.
    pub fn dispute_battle(target: Account, run: RunId, round: u32) -> Self {
        Self::new("dispute_battle", (target, run, round))
    }

    /// Gives a run up.
    pub fn forfeit() -> Self {
        Self::new("forfeit", ())
    }

    /// Settles a run that is over, for no less than `min`.
    pub fn claim_prize(run: RunId, min: u128) -> Self {
        Self::new("claim_prize", (run, min))
    }

    /// Reports the true outcome in the place of a player who is late.
    pub fn report_late(target: Account, run: RunId) -> Self {
        Self::new("report_late", (target, run))
    }

    /// Gives to the pool of a set.
    pub fn give_to_pool(set_hash: [u8; 32], amount: u128) -> Self {
        Self::new("give_to_pool", (set_hash, amount))
    }

    /// Ends a run whose player let a deadline pass.
    pub fn expire_game(target: Account) -> Self {
        Self::new("expire_game", target)
    }

    /// Registers a card.
    pub fn register_card(card: &Card<CardLink>, text: &CardText) -> Self {
        Self::new("register_card", (card, text))
    }

    /// Changes the texts of a card.
    pub fn update_card_metadata(card_hash: CardHash, text: &CardText) -> Self {
        Self::new("update_card_metadata", (card_hash, text))
    }

    /// Makes a set.
    pub fn create_set(cards: &[SetCard], text: &SetMeta) -> Self {
        Self::new("create_set", (cards, text))
    }

    /// Removes a set.
    pub fn remove_set(set_hash: [u8; 32]) -> Self {
        Self::new("remove_set", set_hash)
    }
}
