//! Verdicts: the chain fights a reported battle again, because somebody doubts it or because a
//! prize depends on it.

use auto_battle::{
    Event as BattleEvent, Judgement, Pool, RULES_VERSION, SavedBattle, Sink, WORK_STEPS_MAX, WorkCounter,
};
use codec::Encode;
use frame::deps::frame_support::dispatch::{Pays, WithPostDispatchInfo as _};
use frame::prelude::{
    DispatchError, DispatchResult, DispatchResultWithPostInfo, Get as _, H256, PostDispatchInfo, Weight, blake2_256,
    ensure,
};

use crate::types::{AccountIdOf, BalanceOf, BattleProofOf, Ending, GameSessionOf, RunId, Stage, Verdict};
use crate::weights::WeightInfo as _;
use crate::{ActiveGame, BattleProofs, Config, Error, Event, Pallet};

/// What a verdict found.
struct Finding {
    is_true: bool,
    steps: u64,
}

impl<T: Config> Pallet<T> {
    /// Fights a reported battle again: a liar loses the bond, an accuser of the innocent pays one.
    ///
    /// Charged is what the battle took, nothing for a battle if there was none, and nothing at all to
    /// the account that proved a lie.
    pub(crate) fn do_dispute_battle(
        challenger: AccountIdOf<T>,
        target: AccountIdOf<T>,
        run: RunId,
        round: u32,
    ) -> DispatchResultWithPostInfo {
        let proof = Self::find_disputed(&challenger, &target, run, round);
        let (session, proof) = proof.map_err(|it| it.with_weight(Self::dispute_weight(0)))?;
        let finding = Self::judge(&proof)?;
        match finding.is_true {
            true => {
                Self::pay(&challenger, &target, T::Bond::get())?;
                let session = Self::confirm(&target, session, proof);
                ActiveGame::<T>::insert(&target, session);
            }
            false => Self::punish(&target, session, Some(&challenger))?,
        }
        let success = !finding.is_true;
        Self::deposit_event(Event::BattleDisputed { challenger, target, round, success });
        let pays_fee = if success { Pays::No } else { Pays::Yes };
        Ok(PostDispatchInfo { actual_weight: Some(Self::dispute_weight(finding.steps)), pays_fee })
    }

    /// The report that somebody doubts, if they may.
    pub(crate) fn find_disputed(
        challenger: &AccountIdOf<T>,
        target: &AccountIdOf<T>,
        run: RunId,
        round: u32,
    ) -> Result<(GameSessionOf<T>, BattleProofOf<T>), DispatchError> {
        Self::ensure_can_bond(challenger)?;
        let session = ActiveGame::<T>::get(target).filter(|it| it.run == run);
        let session = session.ok_or(Error::<T>::ProofNotFound)?;
        let proof = BattleProofs::<T>::get((target, run, round)).ok_or(Error::<T>::ProofNotFound)?;
        ensure!(!proof.verified, Error::<T>::AlreadyVerified);
        Ok((session, proof))
    }

    /// Settles the caller's run that is over. A prize is paid only when the chain has fought every
    /// battle of the run itself; a call fights a bounded number of them.
    pub(crate) fn do_claim_prize(who: AccountIdOf<T>, run: RunId, min: BalanceOf<T>) -> DispatchResultWithPostInfo {
        let mut session = Self::session(&who)?;
        ensure!(session.run == run, Error::<T>::WrongRun);
        let Stage::Over(ending) = session.stage else { return Err(Error::<T>::WrongPhase.into()) };
        let mut spent = Self::least_claim_weight();
        let needs_proof = ending == Ending::Won || !Self::is_indisputable(&session);
        if needs_proof {
            for (round, proof) in Self::unverified(&who, &session) {
                let finding = Self::judge(&proof)?;
                spent = spent.saturating_add(Self::round_weight(finding.steps));
                if !finding.is_true {
                    Self::deposit_event(Event::LieFound { who: who.clone(), run: session.run, round });
                    Self::punish(&who, session, None)?;
                    return Ok(Some(spent).into());
                }
                session = Self::confirm(&who, session, proof);
            }
            if session.n_unverified > 0 {
                let n_unverified = session.n_unverified;
                ActiveGame::<T>::insert(&who, session);
                Self::deposit_event(Event::ClaimProgressed { who, run, n_unverified });
                return Ok(Some(spent).into());
            }
        }
        Self::close_claim(who, session, ending, min)?;
        Ok(Some(spent).into())
    }

    /// Settles a run of which nothing is in doubt; leaves it open if its prize is too small.
    fn close_claim(
        who: AccountIdOf<T>,
        session: GameSessionOf<T>,
        ending: Ending,
        min: BalanceOf<T>,
    ) -> DispatchResult {
        let (run, set_hash) = (session.run, session.set_hash);
        if ending == Ending::Won {
            let offer = Self::offer_prize(set_hash);
            if offer.prize < min {
                ActiveGame::<T>::insert(&who, session);
                Self::deposit_event(Event::ClaimLeftOpen { who, run, prize: offer.prize });
                return Ok(());
            }
            // Before the run is settled, which may be the last of its set and close the pool.
            let prize = Self::pay_prize(&who, set_hash, offer)?;
            Self::deposit_event(Event::GameWon { who: who.clone(), prize });
        }
        Self::settle(&who, session)?;
        Self::deposit_event(Event::RunSettled { who, run });
        Ok(())
    }

    /// The first reports of a run without verdict, as many as one call may fight.
    fn unverified(who: &AccountIdOf<T>, session: &GameSessionOf<T>) -> alloc::vec::Vec<(u32, BattleProofOf<T>)> {
        let proofs = (1..=session.n_reports()).filter_map(|round| {
            let proof = BattleProofs::<T>::get((who, session.run, round))?;
            (!proof.verified).then_some((round, proof))
        });
        let n_rounds = usize::try_from(T::RoundsPerClaim::get()).unwrap_or(usize::MAX);
        proofs.take(n_rounds).collect()
    }

    /// Fights a reported battle.
    fn judge(proof: &BattleProofOf<T>) -> Result<Finding, Error<T>> {
        let pool = Self::pool(proof.set_hash)?;
        let Judgement { result, steps, .. } =
            judge_report(proof.rules_version, &pool, &proof.battle()).ok_or(Error::<T>::UnknownRules)?;
        Ok(Finding { is_true: result == proof.claimed_result, steps })
    }

    /// Notes that a report is true, which is final.
    fn confirm(who: &AccountIdOf<T>, mut session: GameSessionOf<T>, mut proof: BattleProofOf<T>) -> GameSessionOf<T> {
        proof.verified = true;
        session.n_unverified = session.n_unverified.saturating_sub(1);
        BattleProofs::<T>::insert((who, session.run, proof.round), proof);
        session
    }

    /// Ends the run of a liar, takes the bond, and leaves a trail to the ghosts of the run.
    fn punish(liar: &AccountIdOf<T>, session: GameSessionOf<T>, challenger: Option<&AccountIdOf<T>>) -> DispatchResult {
        Self::slash(liar, &session, challenger)?;
        Self::leave_trail(liar, &session);
        Self::deposit_event(Event::BondSlashed { who: liar.clone(), run: session.run, amount: session.bond });
        Self::forget_run(liar, session)
    }

    /// What a dispute weighs whose battle took so many steps.
    pub fn dispute_weight(steps: u64) -> Weight {
        T::WeightInfo::dispute_battle_least().saturating_add(Self::fight_weight(steps))
    }

    /// What a claim weighs that fights as many rounds as it may, all of them up to the limit of steps.
    pub fn claim_weight() -> Weight {
        let rounds = Self::round_weight(WORK_STEPS_MAX).saturating_mul(T::RoundsPerClaim::get().into());
        Self::least_claim_weight().saturating_add(rounds)
    }

    /// What a claim weighs beside its rounds, whether it pays or finds a lie.
    fn least_claim_weight() -> Weight {
        T::WeightInfo::claim_prize(0).max(T::WeightInfo::claim_of_liar())
    }

    /// What one round of a claim weighs whose battle took so many steps.
    fn round_weight(steps: u64) -> Weight {
        let round = T::WeightInfo::claim_prize(1).saturating_sub(T::WeightInfo::claim_prize(0));
        round.saturating_add(Self::fight_weight(steps))
    }

    /// What a battle of so many steps weighs.
    pub(crate) fn fight_weight(steps: u64) -> Weight {
        let longest = T::WeightInfo::dispute_battle().saturating_sub(T::WeightInfo::dispute_battle_least());
        share(longest, steps)
    }
}

/// How a battle comes out, for anybody who asks and without a transaction.
pub fn verdict(pool: &Pool, battle: &SavedBattle) -> Option<Verdict> {
    let mut witness = Witness::default();
    let mut outcome = battle.fight(pool, &mut witness).ok()?;
    Some(Verdict {
        result: outcome.result,
        rng_next: outcome.rng.draw(),
        events: H256(blake2_256(&witness.events)),
        steps: witness.work.steps,
    })
}

/// Judges a battle by the rules that held when it was reported; nothing if these are not known. A version
/// of the rules stays here until no proof can be left that was made under it.
pub fn judge_report(rules_version: u16, pool: &Pool, battle: &SavedBattle) -> Option<Judgement> {
    let judgement = battle.judge(pool).ok()?;
    match rules_version {
        RULES_VERSION => Some(judgement),
        // Version 1 had no limit of steps: what stays within it comes out the same.
        1 => Some(judgement).filter(|it| !it.is_over_limit),
        _ => None,
    }
}

/// The part of the longest battle's weight that so many steps stand for.
fn share(longest: Weight, steps: u64) -> Weight {
    let part = |whole: u64| {
        let product = u128::from(whole).saturating_mul(u128::from(steps.min(WORK_STEPS_MAX)));
        u64::try_from(product.div_ceil(u128::from(WORK_STEPS_MAX))).unwrap_or(u64::MAX)
    };
    Weight::from_parts(part(longest.ref_time()), part(longest.proof_size()))
}

/// Encodes every event and counts the work.
#[derive(Default)]
struct Witness {
    events: alloc::vec::Vec<u8>,
    work: WorkCounter,
}

impl Sink for Witness {
    fn event(&mut self, make: impl FnOnce() -> BattleEvent) {
        make().encode_to(&mut self.events);
    }

    fn work(&mut self, steps: u32) {
        self.work.work(steps);
    }
}
