//! Runs: started, played in the shop, fought off the chain and reported, given up or let go.

use alloc::vec::Vec;

use auto_battle::{BattleResult, Pool, RULES_VERSION, Rejection, Rng, RunPhase, draw_deck};
use frame::prelude::{BlockNumberFor, DispatchResult, Get as _, H256, Saturating, ensure};

use crate::fallback::FallbackOpponents as _;
use crate::rng::Purpose;
use crate::types::{
    AccountIdOf, BattleProof, BattleView, Commit, Ending, GameSession, GameSessionOf, GameState, GhostSerials,
    ReportedResults, RunId, ShopActionType, Stage,
};
use crate::{
    ActiveGame, BattleProofs, Config, Error, Event, HoldReason, LastBattleProof, Pallet, RunCount, SetPools, Sets,
};

/// Whether the chain has fought a reported battle itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verification {
    /// The player's word counts until somebody disputes it.
    Claimed,
    /// The chain has fought it.
    Judged,
}

impl<T: Config> Pallet<T> {
    /// Takes the entry fee and the bond, and commits the deck.
    pub(crate) fn do_start_game(who: AccountIdOf<T>, set_hash: H256) -> DispatchResult {
        ensure!(!ActiveGame::<T>::contains_key(&who), Error::<T>::AlreadyInGame);
        let set = Sets::<T>::get(set_hash).ok_or(Error::<T>::SetNotFound)?;
        ensure!(!set.delisted, Error::<T>::SetDelisted);
        let (entry_fee, bond) = (T::EntryFee::get(), T::Bond::get());
        Self::pay_entry_fee(&who, set_hash, entry_fee)?;
        Self::hold(HoldReason::Bond, &who, bond)?;
        Self::enter_set(set_hash);
        let now = Self::clock();
        let session = GameSession {
            run: RunCount::<T>::mutate(&who, |it| {
                it.saturating_inc();
                *it
            }),
            state: None,
            set_hash,
            seed: 0,
            entry_fee,
            bond,
            started_at: now,
            stage: Stage::Dealing(Self::commit(&who)),
            moved_at: now,
            reported_at: now,
            results: ReportedResults::new(),
            n_unverified: 0,
            has_paid_late_report: false,
        };
        ActiveGame::<T>::insert(&who, session);
        Self::deposit_event(Event::GameStarted { who, set_hash, entry_fee });
        Ok(())
    }

    /// Does one thing in the shop.
    pub(crate) fn do_shop_action(who: AccountIdOf<T>, action: ShopActionType) -> DispatchResult {
        let mut session = Self::session(&who)?;
        let pool = Self::pool(session.set_hash)?;
        let state = Self::open_shop(&who, &mut session)?;
        state.act(&pool, action).map_err(refusal::<T>)?;
        session.moved_at = Self::clock();
        ActiveGame::<T>::insert(&who, session);
        Self::deposit_event(Event::ShopAction { who, action });
        Ok(())
    }

    /// Plays the whole shop phase of a round, and ends the turn.
    pub(crate) fn do_play_turn(who: AccountIdOf<T>, actions: Vec<ShopActionType>) -> DispatchResult {
        let mut session = Self::session(&who)?;
        let pool = Self::pool(session.set_hash)?;
        let state = Self::open_shop(&who, &mut session)?;
        for &action in &actions {
            state.act(&pool, action).map_err(refusal::<T>)?;
        }
        for action in actions {
            Self::deposit_event(Event::ShopAction { who: who.clone(), action });
        }
        Self::close_shop(who, session)
    }

    /// Ends the turn.
    pub(crate) fn do_end_turn(who: AccountIdOf<T>) -> DispatchResult {
        let mut session = Self::session(&who)?;
        Self::open_shop(&who, &mut session)?;
        Self::close_shop(who, session)
    }

    /// Leaves the board as a ghost and commits opponent and seed of the battle.
    fn close_shop(who: AccountIdOf<T>, mut session: GameSessionOf<T>) -> DispatchResult {
        let key = Self::ghost_key(&session).ok_or(Error::<T>::WrongPhase)?;
        let state = session.state.as_mut().ok_or(Error::<T>::WrongPhase)?;
        let pending = state.end_turn().map_err(refusal::<T>)?;
        let ghosts = Self::commit_ghosts(key, &who);
        Self::save_ghost(key, &who, session.run, pending.saved_board());
        let commit = Self::commit(&who);
        session.stage = Stage::Battle { commit, ghosts };
        session.moved_at = Self::clock();
        ActiveGame::<T>::insert(&who, session);
        let round = pending.round;
        Self::deposit_event(Event::BattleReady { who, round, commit_block: commit.block });
        Ok(())
    }

    /// Books what the player says of the battle.
    pub(crate) fn do_report_outcome(who: AccountIdOf<T>, result: BattleResult) -> DispatchResult {
        let session = Self::session(&who)?;
        let view = Self::battle_of(&who, &session)?;
        ensure!(!Self::is_report_late(&session), Error::<T>::ReportLate);
        Self::book_result(who, session, view, result, Verification::Claimed)
    }

    /// Carries a run on after a battle, and keeps what a verdict would need.
    pub(crate) fn book_result(
        who: AccountIdOf<T>,
        mut session: GameSessionOf<T>,
        view: BattleView<AccountIdOf<T>>,
        result: BattleResult,
        verification: Verification,
    ) -> DispatchResult {
        let state = session.state.as_mut().ok_or(Error::<T>::WrongPhase)?;
        state.report_result(result).map_err(refusal::<T>)?;
        let phase = state.continue_after_battle().map_err(refusal::<T>)?;
        let is_out_of_rounds = phase == RunPhase::Shop && state.round() > T::MaxRounds::get();
        session.results.try_push(result).map_err(|_| Error::<T>::WrongPhase)?;
        session.n_unverified = session.n_unverified.saturating_add(u32::from(verification == Verification::Claimed));
        session.moved_at = Self::clock();
        session.reported_at = Self::clock();
        session.stage = match phase {
            RunPhase::Victory => Stage::Over(Ending::Won),
            RunPhase::Defeat => Stage::Over(Ending::Lost),
            RunPhase::Shop if is_out_of_rounds => Stage::Over(Ending::Lost),
            RunPhase::Shop | RunPhase::Battle => Stage::Shop,
        };
        Self::keep_proof(&who, &session, &view, result, verification);
        let (run, round, stage) = (session.run, view.round, session.stage);
        ActiveGame::<T>::insert(&who, session);
        if verification == Verification::Claimed {
            Self::deposit_event(Event::BattleReported { who: who.clone(), round, claimed_result: result });
        }
        Self::tell_end(who, run, round, stage);
        Ok(())
    }

    fn keep_proof(
        who: &AccountIdOf<T>,
        session: &GameSessionOf<T>,
        view: &BattleView<AccountIdOf<T>>,
        claimed_result: BattleResult,
        verification: Verification,
    ) {
        let proof = BattleProof {
            round: view.round,
            player_board: view.battle.player,
            opponent_board: view.battle.enemy,
            opponent: view.opponent.clone(),
            seed: view.battle.seed,
            claimed_result,
            rules_version: RULES_VERSION,
            set_hash: session.set_hash,
            reported_at: session.reported_at,
            verified: verification == Verification::Judged,
        };
        BattleProofs::<T>::insert((who, session.run, view.round), proof);
        LastBattleProof::<T>::insert(who, (session.run, view.round));
    }

    fn tell_end(who: AccountIdOf<T>, run: RunId, round: u32, stage: Stage<BlockNumberFor<T>>) {
        match stage {
            Stage::Over(Ending::Won) => Self::deposit_event(Event::VictoryReported { who, run }),
            Stage::Over(_) => Self::deposit_event(Event::GameLost { who, round }),
            Stage::Dealing(_) | Stage::Shop | Stage::Battle { .. } => {}
        }
    }

    /// Gives the run up.
    pub(crate) fn do_forfeit(who: AccountIdOf<T>) -> DispatchResult {
        let session = Self::session(&who)?;
        ensure!(!matches!(session.stage, Stage::Over(_)), Error::<T>::WrongPhase);
        Self::deposit_event(Event::GameForfeited { who: who.clone() });
        Self::end_run(&who, session, Ending::Forfeited)
    }

    /// Ends a run whose player let every deadline pass; the caller gets a little of the bond.
    pub(crate) fn do_expire_game(caller: AccountIdOf<T>, target: AccountIdOf<T>) -> DispatchResult {
        let mut session = Self::session(&target)?;
        ensure!(Self::is_expired(&session), Error::<T>::NotExpired);
        // Once a run: if it could still be disputed when it expired, it is settled by a second call.
        if !matches!(session.stage, Stage::Over(Ending::Expired)) {
            let reward = T::ExpiryReward::get().min(session.bond);
            Self::pay_from_bond(&target, &caller, reward)?;
            session.bond = session.bond.saturating_sub(reward);
        }
        let run = session.run;
        Self::deposit_event(Event::GameExpired { who: target.clone(), run, caller });
        match session.stage {
            Stage::Over(_) => Self::settle(&target, session),
            Stage::Dealing(_) | Stage::Shop | Stage::Battle { .. } => Self::end_run(&target, session, Ending::Expired),
        }
    }

    /// Has the player of this session let every deadline pass?
    pub fn is_expired(session: &GameSessionOf<T>) -> bool {
        match session.stage {
            Stage::Dealing(commit) | Stage::Battle { commit, .. } => {
                let time = T::ReportDeadline::get().saturating_add(T::LateReportDeadline::get());
                // What decides the commit may be forgotten earlier, if blocks come faster than time.
                Self::is_past(session.moved_at, time) || matches!(Self::decide(commit), Err(Error::RunExpired))
            }
            Stage::Shop | Stage::Over(_) => Self::is_past(session.moved_at, T::TurnDeadline::get()),
        }
    }

    /// Ends a run: settles it if nothing of it can be disputed, else leaves that for later.
    pub(crate) fn end_run(who: &AccountIdOf<T>, mut session: GameSessionOf<T>, ending: Ending) -> DispatchResult {
        session.stage = Stage::Over(ending);
        if Self::is_indisputable(&session) {
            return Self::settle(who, session);
        }
        session.moved_at = Self::clock();
        ActiveGame::<T>::insert(who, session);
        Ok(())
    }

    /// Is every report confirmed, or unchallenged for as long as a challenge may take?
    pub(crate) fn is_indisputable(session: &GameSessionOf<T>) -> bool {
        session.n_unverified == 0 || Self::is_past(session.reported_at, T::ChallengeWindow::get())
    }

    /// Returns the bond and forgets the run.
    pub(crate) fn settle(who: &AccountIdOf<T>, session: GameSessionOf<T>) -> DispatchResult {
        Self::release(HoldReason::Bond, who, session.bond)?;
        Self::forget_run(who, session)
    }

    /// Removes all that is stored for a run.
    pub(crate) fn forget_run(who: &AccountIdOf<T>, session: GameSessionOf<T>) -> DispatchResult {
        for round in 1..=session.n_reports() {
            BattleProofs::<T>::remove((who, session.run, round));
        }
        LastBattleProof::<T>::remove(who);
        ActiveGame::<T>::remove(who);
        Self::leave_set(session.set_hash)
    }

    pub(crate) fn session(who: &AccountIdOf<T>) -> Result<GameSessionOf<T>, Error<T>> {
        ActiveGame::<T>::get(who).ok_or(Error::<T>::NotInGame)
    }

    pub(crate) fn pool(set_hash: H256) -> Result<Pool, Error<T>> {
        SetPools::<T>::get(set_hash).ok_or(Error::<T>::SetNotFound)
    }

    /// The shop of a session whose turn it is; deals the deck if that is still to be done.
    fn open_shop<'a>(who: &AccountIdOf<T>, session: &'a mut GameSessionOf<T>) -> Result<&'a mut GameState, Error<T>> {
        match session.stage {
            Stage::Dealing(commit) => Self::deal(who, session, commit)?,
            Stage::Shop => {}
            Stage::Battle { .. } | Stage::Over(_) => return Err(Error::<T>::WrongPhase),
        }
        session.state.as_mut().ok_or(Error::<T>::WrongPhase)
    }

    fn deal(
        who: &AccountIdOf<T>,
        session: &mut GameSessionOf<T>,
        commit: Commit<BlockNumberFor<T>>,
    ) -> Result<(), Error<T>> {
        ensure!(!Self::is_expired(session), Error::<T>::RunExpired);
        let seed = Self::seed(who, session.run, 0, commit, Purpose::Deck)?;
        let set = Sets::<T>::get(session.set_hash).ok_or(Error::<T>::SetNotFound)?;
        let weights: Vec<u8> = set.cards.iter().map(|it| it.rarity).collect();
        let deck = draw_deck(&weights, T::DeckSize::get(), &mut Rng::from_seed(seed));
        session.state = Some(GameState::new(deck).map_err(refusal::<T>)?);
        session.seed = seed;
        session.stage = Stage::Shop;
        Ok(())
    }

    /// The battle that a session waits for a report of, with its opponent and its seed.
    pub(crate) fn battle_of(
        who: &AccountIdOf<T>,
        session: &GameSessionOf<T>,
    ) -> Result<BattleView<AccountIdOf<T>>, Error<T>> {
        let Stage::Battle { commit, ghosts } = &session.stage else { return Err(Error::<T>::WrongPhase) };
        ensure!(!Self::is_expired(session), Error::<T>::RunExpired);
        Self::battle(who, session, *commit, ghosts)
    }

    fn battle(
        who: &AccountIdOf<T>,
        session: &GameSessionOf<T>,
        commit: Commit<BlockNumberFor<T>>,
        ghosts: &GhostSerials,
    ) -> Result<BattleView<AccountIdOf<T>>, Error<T>> {
        let key = Self::ghost_key(session).ok_or(Error::<T>::WrongPhase)?;
        let pending = session.state.as_ref().and_then(GameState::pending_battle);
        let pending = pending.ok_or(Error::<T>::WrongPhase)?;
        let (run, round) = (session.run, pending.round);
        let seed = Self::seed(who, run, round, commit, Purpose::Battle)?;
        let ghost_seed = Self::seed(who, run, round, commit, Purpose::Ghost)?;
        let ghost = Self::pick_ghost(key, ghosts, ghost_seed);
        let enemy = ghost.as_ref().map_or_else(|| T::Fallback::board(round, ghost_seed), |it| it.board);
        let battle = auto_battle::SavedBattle { player: pending.saved_board(), enemy, seed };
        Ok(BattleView { run, round, battle, opponent: ghost.map(|it| it.owner) })
    }

    /// The session as the next call would find it: with its deck dealt as soon as that is possible.
    pub fn view_session(who: &AccountIdOf<T>) -> Option<GameSessionOf<T>> {
        let mut session = ActiveGame::<T>::get(who)?;
        if let Stage::Dealing(commit) = session.stage {
            // While the seed is not known the session is shown as it is stored.
            let _ = Self::deal(who, &mut session, commit);
        }
        Some(session)
    }

    /// The cards of a set.
    pub fn view_pool(set_hash: H256) -> Option<Pool> {
        SetPools::<T>::get(set_hash)
    }

    /// The battle that the player has to fight and report, as soon as its seed is known.
    pub fn view_battle(who: &AccountIdOf<T>) -> Option<BattleView<AccountIdOf<T>>> {
        let session = ActiveGame::<T>::get(who)?;
        Self::battle_of(who, &session).ok()
    }
}

/// Names the mistake of a player; the rules refuse, this only translates.
pub(crate) fn refusal<T: Config>(rejection: Rejection) -> Error<T> {
    match rejection {
        Rejection::WrongPhase { .. } | Rejection::NoResult | Rejection::ResultKnown => Error::WrongPhase,
        // `integrity_test` holds the size of decks.
        Rejection::DeckTooLarge => Error::WrongPhase,
        Rejection::EmptySlot { .. } => Error::EmptySlot,
        Rejection::NotEnoughMana { .. } => Error::NotEnoughMana,
        Rejection::BoardFull => Error::BoardFull,
        Rejection::UnknownCard { .. } => Error::CardNotFound,
    }
}
