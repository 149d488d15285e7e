//! Reports in a player's place: a missed deadline costs a reward, not the run.

use auto_battle::{Judgement, RULES_VERSION};
use frame::deps::frame_support::dispatch::WithPostDispatchInfo as _;
use frame::prelude::{DispatchError, DispatchResultWithPostInfo, Get as _, Saturating, Weight, ensure};

use crate::disputes::judge_report;
use crate::game::Verification;
use crate::types::{AccountIdOf, BattleView, GameSessionOf, RunId, Stage};
use crate::weights::WeightInfo as _;
use crate::{Config, Error, Event, Pallet};

impl<T: Config> Pallet<T> {
    /// Fights the battle of a player who let the deadline pass, and books what came out.
    pub(crate) fn do_report_late(
        reporter: AccountIdOf<T>,
        target: AccountIdOf<T>,
        run: RunId,
    ) -> DispatchResultWithPostInfo {
        let found = Self::find_late(&target, run);
        let (mut session, view) = found.map_err(|it| it.with_weight(Self::late_report_weight(0)))?;
        let pool = Self::pool(session.set_hash)?;
        let judgement = judge_report(RULES_VERSION, &pool, &view.battle);
        let Judgement { result, steps, .. } = judgement.ok_or(Error::<T>::UnknownRules)?;
        if !session.has_paid_late_report {
            let reward = T::LateReportReward::get().min(session.bond);
            Self::pay_from_bond(&target, &reporter, reward)?;
            session.bond = session.bond.saturating_sub(reward);
            session.has_paid_late_report = true;
        }
        let round = view.round;
        let event = Event::LateReported { who: target.clone(), run, round, reporter, result };
        Self::deposit_event(event);
        Self::book_result(target, session, view, result, Verification::Judged)?;
        Ok(Some(Self::late_report_weight(steps)).into())
    }

    /// The battle whose report is late, if it is and if there is still time.
    fn find_late(
        target: &AccountIdOf<T>,
        run: RunId,
    ) -> Result<(GameSessionOf<T>, BattleView<AccountIdOf<T>>), DispatchError> {
        let session = Self::session(target)?;
        ensure!(session.run == run, Error::<T>::WrongRun);
        ensure!(!Self::is_expired(&session), Error::<T>::RunExpired);
        let view = Self::battle_of(target, &session)?;
        ensure!(Self::is_report_late(&session), Error::<T>::NotLate);
        Ok((session, view))
    }

    /// Is the player's own time to report over?
    pub fn is_report_late(session: &GameSessionOf<T>) -> bool {
        matches!(session.stage, Stage::Battle { .. }) && Self::is_past(session.moved_at, T::ReportDeadline::get())
    }

    /// What a late report weighs whose battle took so many steps.
    pub fn late_report_weight(steps: u64) -> Weight {
        T::WeightInfo::report_late().saturating_add(Self::fight_weight(steps))
    }
}
