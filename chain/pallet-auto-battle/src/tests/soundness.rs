//! Lies do not pay and honesty costs nothing, in whatever order things happen.

use auto_battle::Rng;

use super::{choices, is_soak, lie, pick};
use crate::mock::{
    AccountId, AutoBattle, PURSE, System, Test, UNIT, meet_easy_opponents, new_long_ext, next_block, signed,
    starter_pool, wealth,
};
use crate::{ActiveGame, BattleProofs, Ending, RunId, Stage};

/// What one run of a season of truth and lies came to.
#[derive(Default)]
struct Season {
    n_reports: u32,
    n_lies_disputed: u32,
    n_lies_claimed: u32,
    n_honest_runs: u32,
}

#[test]
fn lies_are_slashed_and_never_paid_and_honesty_costs_nothing() {
    let n_reports = if is_soak() { 100_000 } else { 1_500 };
    let mut season = Season::default();
    let mut history = 1;
    while season.n_reports < n_reports {
        history += 1;
        new_long_ext(6, history).execute_with(|| live_through(history, &mut season));
    }
    assert!(season.n_lies_disputed > n_reports / 50, "{}", season.n_lies_disputed);
    assert!(season.n_lies_claimed > n_reports / 500, "{}", season.n_lies_claimed);
    assert!(season.n_honest_runs > n_reports / 500, "{}", season.n_honest_runs);
}

/// Player 1 is honest, 2 lies sometimes, 3 often; 4 disputes at random, 5 only lies; all in an
/// order that the history chooses.
fn live_through(history: u64, season: &mut Season) {
    meet_easy_opponents();
    let mut rng = choices(history * 77);
    for _ in 0..120 {
        let who = u64::from(rng.below(3)) + 1;
        match rng.below(20) {
            0..=13 => step(who, &mut rng, season),
            14 | 15 => dispute_a_lie(season),
            16 => dispute_anything(&mut rng),
            17 => claim_somebody(who, season),
            18 if rng.below(6) == 0 => {
                let _ = AutoBattle::forfeit(signed(who));
            }
            // Honest players also keep their deadlines.
            19 if who != 1 => {
                let run = ActiveGame::<Test>::get(who).map_or(0, |it| it.run);
                let _ = AutoBattle::report_late(signed(5), who, run);
                let _ = AutoBattle::expire_game(signed(5), who);
            }
            _ => {}
        }
        if rng.below(3) == 0 {
            next_block();
        }
    }
    AutoBattle::do_try_state().unwrap();
}

/// The next thing a player does in a run.
fn step(who: AccountId, rng: &mut Rng, season: &mut Season) {
    let Some(session) = AutoBattle::view_session(&who) else {
        let _ = AutoBattle::start_game(signed(who), crate::mock::starter_set_hash());
        return;
    };
    match session.stage {
        Stage::Dealing(_) => {}
        Stage::Shop => {
            let _ = AutoBattle::play_turn(signed(who), super::plan(who));
        }
        Stage::Battle { .. } if AutoBattle::view_battle(&who).is_none() => {}
        Stage::Battle { .. } => {
            let truth = super::truth(who);
            let lies = match who {
                1 => false,
                2 => rng.below(12) == 0,
                _ => rng.below(2) == 0,
            };
            let claim = if lies { lie(truth) } else { truth };
            season.n_reports += u32::from(AutoBattle::report_outcome(signed(who), claim).is_ok());
        }
        Stage::Over(_) => claim_somebody(who, season),
    }
}

/// The reports that are lies, and whose.
fn lies() -> Vec<(AccountId, RunId, u32)> {
    let is_lie = |proof: &crate::types::BattleProofOf<Test>| {
        let pool = AutoBattle::view_pool(proof.set_hash).unwrap();
        let outcome = proof.battle().fight(&pool, &mut auto_battle::NoEvents).unwrap();
        outcome.result != proof.claimed_result
    };
    BattleProofs::<Test>::iter().filter(|(_, it)| is_lie(it)).map(|(key, _)| key).collect()
}

fn dispute_a_lie(season: &mut Season) {
    let Some((target, run, round)) = lies().first().copied() else { return };
    let session = ActiveGame::<Test>::get(target).unwrap();
    let (liar, judge, bond) = (wealth(target), wealth(5), session.bond);
    AutoBattle::dispute_battle(signed(5), target, run, round).unwrap();
    // Always slashed, wholly, and a quarter of a bond goes to the account that proved it.
    assert_eq!(wealth(target), liar - bond);
    assert_eq!(wealth(5), judge + 2 * UNIT);
    assert_eq!(ActiveGame::<Test>::get(target), None);
    season.n_lies_disputed += 1;
}

fn dispute_anything(rng: &mut Rng) {
    let proofs: Vec<_> = BattleProofs::<Test>::iter().map(|(key, it)| (key, it.verified)).collect();
    let Some(((target, run, round), verified)) = pick(rng, &proofs) else { return };
    let is_lie = lies().contains(&(target, run, round));
    let (before, accuser) = (wealth(target), wealth(4));
    let done = AutoBattle::dispute_battle(signed(4), target, run, round);
    if verified || accuser < 9 * UNIT {
        assert!(done.is_err());
    } else if !is_lie {
        // The honest gain what the accuser loses.
        assert_eq!((wealth(target), wealth(4)), (before + 8 * UNIT, accuser - 8 * UNIT));
    }
}

fn claim_somebody(who: AccountId, season: &mut Season) {
    let Some(session) = ActiveGame::<Test>::get(who) else { return };
    let Stage::Over(ending) = session.stage else { return };
    let has_lied = lies().iter().any(|(liar, ..)| *liar == who);
    let (before, pool, window) = (wealth(who), starter_pool(), is_open(&session));
    super::try_claim(who).unwrap();
    let is_settled = ActiveGame::<Test>::get(who).is_none();
    if has_lied && (ending == Ending::Won || window) && is_settled {
        assert_eq!((wealth(who), starter_pool()), (before - session.bond, pool), "a lie was paid");
        season.n_lies_claimed += 1;
    }
    if !has_lied {
        let prize = if ending == Ending::Won && is_settled { pool.min(20 * UNIT) } else { 0 };
        assert_eq!(wealth(who), before + prize, "an honest player lost something");
        season.n_honest_runs += u32::from(is_settled);
    }
}

fn is_open(session: &crate::types::GameSessionOf<Test>) -> bool {
    System::block_number() <= session.reported_at + 10
}

#[test]
fn an_honest_player_has_lost_the_entry_fees_at_most() {
    for history in 1..if is_soak() { 200 } else { 12 } {
        new_long_ext(6, history).execute_with(|| {
            let mut season = Season::default();
            live_through(history, &mut season);
            while let Some(session) = ActiveGame::<Test>::get(1) {
                // Whatever is left is given up and settled.
                match session.stage {
                    Stage::Over(_) => claim_somebody(1, &mut season),
                    _ => AutoBattle::forfeit(signed(1)).unwrap(),
                }
            }
            let most = u128::from(crate::RunCount::<Test>::get(1)) * 10 * UNIT;
            assert!(wealth(1) + most >= PURSE, "history {history}");
        });
    }
}
