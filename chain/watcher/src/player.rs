//! Plays whole runs: commits, shops, battles, reports and claims.

use anyhow::{Context as _, Result};
use auto_battle::bots::{GreedyBot, RunBot, SearchBot, plan_turn};
use auto_battle::{BattleResult, NoEvents, Pool};
use pallet_auto_battle::{Ending, Stage};
use subxt_signer::sr25519::Keypair;

use crate::chain::{Account, Call, Chain, Session};

/// More than a sensible turn has, and less than the chain takes in one call.
const ACTIONS_MAX: usize = 60;

/// What a player says of a battle whose truth they know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Honesty {
    /// The truth.
    Honest,
    /// That it was won, whatever happened.
    Liar,
}

impl Honesty {
    fn say(self, truth: BattleResult) -> BattleResult {
        match self {
            Self::Honest => truth,
            Self::Liar => BattleResult::Victory,
        }
    }
}

/// How a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Skill {
    /// Buys what is worth most.
    Greedy,
    /// Looks ahead.
    Search,
    /// Does nothing at all, and so loses.
    Idle,
}

struct Idler;

impl RunBot for Idler {
    fn next_action(&mut self, _: &Pool, _: &auto_battle::Run) -> Option<auto_battle::ShopAction> {
        None
    }
}

/// A player.
pub struct Player {
    chain: Chain,
    keys: Keypair,
    bot: Box<dyn RunBot + Send>,
    honesty: Honesty,
}

impl Player {
    /// A player who decides like this and says this.
    pub fn new(chain: Chain, keys: Keypair, skill: Skill, honesty: Honesty) -> Self {
        let bot: Box<dyn RunBot + Send> = match skill {
            Skill::Greedy => Box::new(GreedyBot),
            Skill::Search => Box::new(SearchBot::new(1, 4, 6)),
            Skill::Idle => Box::new(Idler),
        };
        Self { chain, keys, bot, honesty }
    }

    /// The player's account.
    pub fn account(&self) -> Account {
        Account::from(&self.keys)
    }

    /// Plays a run to its end and gives how it ended; nothing if somebody else ended it.
    ///
    /// A run that is under way is taken up where it stands.
    pub async fn play_run(&mut self, set_hash: [u8; 32]) -> Result<Option<Ending>> {
        if self.session().await?.is_none() {
            self.start(set_hash).await?;
        }
        loop {
            let Some(session) = self.session().await? else { return Ok(None) };
            let done = match session.stage {
                Stage::Over(ending) => return Ok(Some(ending)),
                Stage::Dealing(_) => self.chain.next_block().await,
                Stage::Shop => self.play_turn(&session).await,
                Stage::Battle { .. } => self.fight(&session).await,
            };
            // A verdict may have ended the run of a liar between two calls.
            if self.session().await?.is_some() {
                done?;
            }
        }
    }

    /// Starts a run.
    pub async fn start(&self, set_hash: [u8; 32]) -> Result<()> {
        self.chain.submit(&self.keys, Call::start_game(set_hash)).await?;
        Ok(())
    }

    /// Settles a run that is over, however many calls it takes, for what the pool has now.
    ///
    /// If somebody takes the pool first, the claim stays open, and this asks again with what is left.
    pub async fn claim(&self) -> Result<()> {
        while let Some(session) = self.session().await? {
            let min = self.chain.prize_offer(session.set_hash.0).await?;
            self.chain.submit(&self.keys, Call::claim_prize(session.run, min)).await?;
        }
        Ok(())
    }

    /// Plays the turn of a run.
    pub async fn play_turn(&mut self, session: &Session) -> Result<()> {
        let pool = self.pool(session).await?;
        let run = session.state.as_ref().context("a shop without a deck")?.to_unbounded();
        let actions = plan_turn(&pool, &run, &mut *self.bot, ACTIONS_MAX);
        self.chain.submit(&self.keys, Call::play_turn(&actions)).await?;
        Ok(())
    }

    /// Fights the battle of a run as soon as it is known, and reports it.
    pub async fn fight(&mut self, session: &Session) -> Result<()> {
        let Some(view) = self.chain.pending_battle(self.account()).await? else {
            return self.chain.next_block().await;
        };
        let pool = self.pool(session).await?;
        let truth = view.battle.fight(&pool, &mut NoEvents)?.result;
        let claim = self.honesty.say(truth);
        let opponent = view.opponent.map_or("a fallback opponent".into(), |it| format!("the ghost of {it:?}"));
        println!("{:?} round {} against {opponent}: {truth:?}, reports {claim:?}", self.account(), view.round);
        self.chain.submit(&self.keys, Call::report_outcome(claim)).await?;
        Ok(())
    }

    async fn session(&self) -> Result<Option<Session>> {
        self.chain.session(self.account()).await
    }

    async fn pool(&self, session: &Session) -> Result<Pool> {
        self.chain.pool(session.set_hash.0).await?.context("the run's set is gone")
    }
}
