//! What is removed later, a little in every block that has room: the ghosts of proven liars, and
//! ghosts that left their rings when no battle can meet them any more.
//!
//! A verdict would be too heavy if it removed everything at once. So it leaves a trail, and the hook
//! for idle blocks follows it, one ghost a step.

use frame::deps::frame_support::weights::WeightMeter;
use frame::prelude::{Get as _, Saturating};

use crate::types::{
    AccountIdOf, DepartedGhost, GameSessionOf, GhostBoardKey, GhostSerial, LiarTrail, LiarTrailOf, QueueSpan,
};
use crate::weights::WeightInfo as _;
use crate::{Config, DepartedGhosts, DepartedSpan, GhostBoards, GhostOwners, LiarSpan, LiarTrails, Pallet};

impl<T: Config> Pallet<T> {
    /// Removes what is to be removed, as far as the weight goes.
    pub(crate) fn sweep(meter: &mut WeightMeter) {
        while meter.try_consume(T::WeightInfo::sweep_step()).is_ok() {
            if !Self::sweep_step() {
                return;
            }
        }
    }

    /// Removes one ghost; says whether there may be more to do.
    pub(crate) fn sweep_step() -> bool {
        Self::follow_trail() || Self::drop_departed()
    }

    /// Leaves a trail to the ghosts of a liar's run.
    pub(crate) fn leave_trail(who: &AccountIdOf<T>, session: &GameSessionOf<T>) {
        let (run, set_hash, results) = (session.run, session.set_hash, session.results.clone());
        let trail = LiarTrail { who: who.clone(), run, set_hash, results, round: 1 };
        LiarSpan::<T>::mutate(|span| LiarTrails::<T>::insert(push(span), trail));
    }

    /// Notes that a ghost left its ring; it stays for battles that may meet it.
    pub(crate) fn depart(key: GhostBoardKey, serial: GhostSerial) {
        let departed = DepartedGhost { key, serial, left_at: Self::clock() };
        DepartedSpan::<T>::mutate(|span| DepartedGhosts::<T>::insert(push(span), departed));
    }

    /// Removes the ghost of the next round of the oldest trail.
    fn follow_trail() -> bool {
        let mut span = LiarSpan::<T>::get();
        let Some(mut trail) = LiarTrails::<T>::get(span.first).filter(|_| span.first != span.next) else {
            return false;
        };
        Self::remove_ghost_of(&trail);
        trail.round = trail.round.saturating_add(1);
        // The last ghost is that of the battle that has no report.
        if trail.round > u32::try_from(trail.results.len()).unwrap_or(u32::MAX).saturating_add(1) {
            LiarTrails::<T>::remove(span.first);
            span.first = span.first.wrapping_add(1);
            LiarSpan::<T>::put(span);
        } else {
            LiarTrails::<T>::insert(span.first, trail);
        }
        true
    }

    /// Removes the ghost that a liar's run left in the round that the trail has come to.
    fn remove_ghost_of(trail: &LiarTrailOf<T>) {
        let before = usize::try_from(trail.round.saturating_sub(1)).unwrap_or(usize::MAX);
        let key = Self::key_after(trail.set_hash, trail.results.get(..before).unwrap_or_default());
        let Some(serial) = GhostOwners::<T>::get(key, &trail.who) else { return };
        if GhostBoards::<T>::get(key, serial).is_some_and(|it| it.run == trail.run) {
            GhostOwners::<T>::remove(key, &trail.who);
            Self::take_from_ring(key, serial);
        }
    }

    /// Removes the ghost that left its ring first, if no battle can meet it any more.
    fn drop_departed() -> bool {
        let mut span = DepartedSpan::<T>::get();
        let Some(departed) = DepartedGhosts::<T>::get(span.first).filter(|_| span.first != span.next) else {
            return false;
        };
        let time = T::ReportDeadline::get().saturating_add(T::LateReportDeadline::get());
        if !Self::is_past(departed.left_at, time) {
            return false;
        }
        GhostBoards::<T>::remove(departed.key, departed.serial);
        DepartedGhosts::<T>::remove(span.first);
        span.first = span.first.wrapping_add(1);
        DepartedSpan::<T>::put(span);
        true
    }
}

/// Makes room at the end of a queue and says where.
fn push(span: &mut QueueSpan) -> u32 {
    let place = span.next;
    span.next = span.next.wrapping_add(1);
    place
}
