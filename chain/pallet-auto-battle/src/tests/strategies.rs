//! Ten ways to cheat, season after season: none of them pays.
//!
//! A season has honest players whose fees fill the pool and who take what they win, a watcher who
//! disputes every lie he sees, and a cheat with as many accounts as he likes. His profit is what all
//! his accounts have after the season, above what they had before. The tenth way, computing ahead,
//! is compared with honest play in `foresight.rs`.

use auto_battle::{BattleResult, Rng, ShopAction};
use frame::prelude::Dispatchable as _;

use super::{choices, claim, is_soak, lie, play_run, truth};
use crate::mock::{
    AccountId, AutoBattle, PURSE, RuntimeCall, Test, UNIT, Utility, new_long_ext, next_block, pass_blocks, session,
    signed, starter_set_hash, wealth,
};
use crate::{ActiveGame, BattleProofs, Call, Stage};

const HONEST: std::ops::RangeInclusive<AccountId> = 1..=4;
const WATCHER: AccountId = 9;
pub(super) const CHEAT: AccountId = 10;
/// All accounts of the cheat, the first of which plays for the prize.
const ACCOUNTS: std::ops::RangeInclusive<AccountId> = CHEAT..=60;

/// What a cheat earns in a season, in thousandths of a unit.
pub(super) fn profit(season: u64, strategy: impl FnOnce(&mut Rng)) -> i64 {
    new_long_ext(60, 1_000 + season).execute_with(|| {
        for who in HONEST {
            super::start(who);
            play_run(who);
            claim(who);
        }
        strategy(&mut choices(season + 1));
        end_season();
        let have: u128 = ACCOUNTS.map(wealth).sum();
        let had = PURSE * ACCOUNTS.count() as u128;
        let profit = (have as i128 - had as i128) * 1_000 / UNIT as i128;
        profit as i64
    })
}

/// How many seasons a strategy is tried for.
pub(super) fn n_seasons() -> u64 {
    if is_soak() { 1_000 } else { 6 }
}

#[track_caller]
fn check(strategy: fn(&mut Rng)) {
    let total: i64 = (0..n_seasons()).map(|season| profit(season, strategy)).sum();
    let mean = total / n_seasons() as i64;
    println!("{mean} thousandths of a unit a season");
    assert!(total <= 0, "cheating pays {mean} thousandths of a unit a season");
}

/// The watcher sees every report and disputes the lies.
fn watch() {
    let proofs: Vec<_> = BattleProofs::<Test>::iter().filter(|(_, it)| !it.verified).collect();
    for ((target, run, round), proof) in proofs {
        let pool = AutoBattle::view_pool(proof.set_hash).unwrap();
        let outcome = proof.battle().fight(&pool, &mut auto_battle::NoEvents).unwrap();
        if outcome.result != proof.claimed_result {
            // Another lie of the same run may have ended it already.
            let _ = AutoBattle::dispute_battle(signed(WATCHER), target, run, round);
        }
    }
}

/// Everybody takes what he can get.
fn end_season() {
    for who in ACCOUNTS {
        for _ in 0..8 {
            let _ = AutoBattle::claim_prize(signed(who));
        }
    }
    pass_blocks(101);
    for who in ACCOUNTS {
        let _ = AutoBattle::claim_prize(signed(who));
        let _ = AutoBattle::expire_game(signed(WATCHER), who);
    }
}

pub(super) fn start(who: AccountId) -> bool {
    let started = AutoBattle::start_game(signed(who), starter_set_hash()).is_ok();
    next_block();
    started
}

fn is_playing(who: AccountId) -> bool {
    AutoBattle::view_session(&who).is_some_and(|it| !matches!(it.stage, Stage::Over(_)))
}

/// Plays a run and says what `say` makes of the truth and the wins so far; the watcher looks after
/// every report.
fn play(who: AccountId, mut say: impl FnMut(BattleResult, u32) -> BattleResult) {
    while is_playing(who) {
        super::play_turn(who);
        let wins = session(who).state.unwrap().wins();
        AutoBattle::report_outcome(signed(who), say(truth(who), wins)).unwrap();
        watch();
    }
}

fn best(truth: BattleResult) -> BattleResult {
    if truth == BattleResult::Victory { truth } else { lie(truth) }
}

#[test]
fn lying_always_does_not_pay() {
    check(|_| {
        start(CHEAT);
        play(CHEAT, |truth, _| best(truth));
    });
}

#[test]
fn lying_about_the_last_battle_does_not_pay() {
    check(|_| {
        start(CHEAT);
        play(CHEAT, |truth, wins| if wins == 9 { best(truth) } else { truth });
    });
}

#[test]
fn lying_and_batching_everything_after_it_does_not_pay() {
    check(|_| {
        start(CHEAT);
        while is_playing(CHEAT) {
            super::play_turn(CHEAT);
            // Reports, forfeits to get away, and claims, before anyone can look.
            let calls = [
                Call::report_outcome { result: BattleResult::Victory },
                Call::claim_prize {},
                Call::forfeit {},
                Call::claim_prize {},
                Call::start_game { set_hash: starter_set_hash() },
            ];
            let calls = calls.map(RuntimeCall::AutoBattle).to_vec();
            let _ = Utility::force_batch(signed(CHEAT), calls);
            watch();
            next_block();
        }
    });
}

#[test]
fn disputing_oneself_does_not_pay() {
    check(|_| {
        for _ in 0..3 {
            start(CHEAT);
            super::play_turn(CHEAT);
            let run = session(CHEAT).run;
            AutoBattle::report_outcome(signed(CHEAT), lie(truth(CHEAT))).unwrap();
            AutoBattle::dispute_battle(signed(CHEAT + 1), CHEAT, run, 1).unwrap();
        }
    });
}

#[test]
fn giving_up_bad_decks_does_not_pay() {
    check(|_| {
        for _ in 0..10 {
            start(CHEAT);
            let state = session(CHEAT).state.unwrap();
            let pool = AutoBattle::view_pool(session(CHEAT).set_hash).unwrap();
            // The whole deck is open: this one has ten strong cards near its top.
            let strong = state
                .deck()
                .iter()
                .rev()
                .take(30)
                .filter(|it| pool.get(it.card).is_some_and(|it| it.attack + it.health >= 8));
            if strong.count() >= 10 {
                break;
            }
            AutoBattle::forfeit(signed(CHEAT)).unwrap();
        }
        if !is_playing(CHEAT) {
            start(CHEAT);
        }
        play(CHEAT, |truth, _| truth);
    });
}

#[test]
fn planting_ghosts_from_fifty_accounts_does_not_pay() {
    check(|_| {
        for puppet in ACCOUNTS.skip(1) {
            start(puppet);
            // The weakest board that leaves a ghost: one unit, bought with what one card brings.
            let mut actions = vec![ShopAction::PitchShopCard { slot: 0 }, ShopAction::PitchShopCard { slot: 0 }];
            actions.extend((0..5).map(|slot| ShopAction::BuyCard { slot }));
            for action in actions {
                let call = match action {
                    ShopAction::BuyCard { slot } => Call::<Test>::buy_card { shop_index: slot },
                    _ => Call::pitch_shop_card { index: 0 },
                };
                let _ = RuntimeCall::AutoBattle(call).dispatch(signed(puppet));
            }
            AutoBattle::end_turn(signed(puppet)).unwrap();
            next_block();
            AutoBattle::forfeit(signed(puppet)).unwrap();
        }
        start(CHEAT);
        play(CHEAT, |truth, _| truth);
    });
}

#[test]
fn wiping_strong_ghosts_does_not_pay() {
    check(|_| {
        start(CHEAT);
        while is_playing(CHEAT) {
            super::play_turn(CHEAT);
            let keys: Vec<_> = crate::GhostRings::<Test>::iter_keys().collect();
            for key in keys {
                let _ = AutoBattle::clean_ghost_boards(signed(CHEAT + 1), key, 0);
            }
            AutoBattle::report_outcome(signed(CHEAT), truth(CHEAT)).unwrap();
        }
    });
}

#[test]
fn never_reporting_a_defeat_does_not_pay() {
    check(|_| {
        for _ in 0..3 {
            start(CHEAT);
            while is_playing(CHEAT) {
                super::play_turn(CHEAT);
                if truth(CHEAT) != BattleResult::Victory {
                    pass_blocks(21);
                    AutoBattle::expire_game(signed(CHEAT + 1), CHEAT).unwrap();
                    break;
                }
                AutoBattle::report_outcome(signed(CHEAT), BattleResult::Victory).unwrap();
            }
            pass_blocks(11);
            let _ = AutoBattle::claim_prize(signed(CHEAT));
        }
    });
}

#[test]
fn disputing_everybody_does_not_pay() {
    check(|rng| {
        super::start(5);
        for _ in 0..8 {
            if ActiveGame::<Test>::contains_key(5) && is_playing(5) {
                super::play_honest_round(5);
            }
            let targets: Vec<_> = BattleProofs::<Test>::iter_keys().collect();
            let Some(&(target, run, round)) = targets.get(rng.below(targets.len().max(1) as u32) as usize) else {
                continue;
            };
            let _ = AutoBattle::dispute_battle(signed(CHEAT), target, run, round);
        }
    });
}
