//! Ways to cheat, season after season, against a pool that is full: none earns more than honest play.
//!
//! A season has honest players, a watcher who disputes every lie, a full pool of the starter set, and
//! a cheat with as many accounts as they like. Their profit is what all their accounts have after the
//! season, above what they had before. It is compared with that of an honest player who decides by
//! the same rules of thumb, in the same seasons. Sets of one's own have to have no profit at all.
//! Computing ahead is in `foresight.rs`.

use auto_battle::{BattleResult, Rng, ShopAction};
use frame::prelude::Dispatchable as _;

use super::prize_pools::{make_champion_set, make_set};
use super::{choices, claim, is_soak, lie, play_run, start_with, truth, try_claim};
use crate::mock::{
    AccountId, AutoBattle, PURSE, RuntimeCall, Test, UNIT, Utility, await_decision, fill_pool, new_long_ext,
    pass_blocks, session, signed, starter_set_hash, wealth,
};
use crate::{ActiveGame, BattleProofs, Call, Stage};

const HONEST: std::ops::RangeInclusive<AccountId> = 1..=4;
const WATCHER: AccountId = 9;
pub(super) const CHEAT: AccountId = 10;
/// All accounts of the cheat, the first of which plays for the prize.
pub(super) const ACCOUNTS: std::ops::RangeInclusive<AccountId> = CHEAT..=60;

/// What a cheat earns in a season, in thousandths of a unit.
pub(super) fn profit(season: u64, strategy: impl FnOnce(&mut Rng)) -> i64 {
    new_long_ext(60, 1_000 + season).execute_with(|| {
        fill_pool(starter_set_hash(), 10_000 * UNIT);
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

/// How many seasons a strategy is tried for; `SNAPSTACK_SEASONS` says another number.
pub(super) fn n_seasons() -> u64 {
    let asked = std::env::var("SNAPSTACK_SEASONS").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(if is_soak() { 1_000 } else { 6 })
}

/// What two players earned in the same seasons, in thousandths of a unit.
pub(super) struct Comparison {
    profits: Vec<(i64, i64)>,
}

impl Comparison {
    pub(super) fn of(n_seasons: u64, one: impl Fn(&mut Rng), other: impl Fn(&mut Rng)) -> Self {
        let earn = |season| (profit(season, &one), profit(season, &other));
        let compared = Self { profits: (0..n_seasons).map(earn).collect() };
        let [one, other] = compared.totals().map(|it| it / n_seasons as i64);
        let (lead, error) = (compared.lead() / n_seasons as i64, 2 * compared.error() / n_seasons as i64);
        println!(
            "{n_seasons} seasons: {one} and {other} thousandths of a unit a season, lead {lead}, 95 % from {} to {}",
            lead - error,
            lead + error
        );
        compared
    }

    pub(super) fn totals(&self) -> [i64; 2] {
        [self.profits.iter().map(|it| it.0).sum(), self.profits.iter().map(|it| it.1).sum()]
    }

    /// How much more the first earned than the second.
    pub(super) fn lead(&self) -> i64 {
        let [one, other] = self.totals();
        one - other
    }

    /// The standard error of the lead.
    pub(super) fn error(&self) -> i64 {
        let (n_seasons, lead) = (self.profits.len() as i64, self.lead());
        let squares: i64 = self.profits.iter().map(|(one, other)| (one - other).pow(2)).sum();
        ((n_seasons * squares - lead.pow(2)) / (n_seasons - 1)).isqrt()
    }

    /// Does the 95 % interval of the lead lie above 0?
    pub(super) fn is_clear(&self) -> bool {
        self.lead() > 2 * self.error()
    }
}

/// Cheating earns no more than honest play.
#[track_caller]
pub(super) fn check(strategy: fn(&mut Rng)) {
    check_for(n_seasons(), strategy);
}

/// Cheating earns no more than honest play in so many seasons.
#[track_caller]
pub(super) fn check_for(n_seasons: u64, strategy: fn(&mut Rng)) {
    let compared = Comparison::of(n_seasons, strategy, play_honestly);
    let lead = compared.lead() / n_seasons as i64;
    assert!(!compared.is_clear(), "cheating earns {lead} thousandths of a unit a season more than honest play");
}

/// A set of one's own has no profit in any season.
#[track_caller]
fn check_own_set(strategy: fn(&mut Rng)) {
    let profits: Vec<_> = (0..n_seasons()).map(|season| profit(season, strategy)).collect();
    let (most, sum) = (profits.iter().max().copied(), profits.iter().sum::<i64>());
    println!("{} thousandths of a unit a season, {most:?} in the best", sum / n_seasons() as i64);
    assert!(most <= Some(0), "a set of one's own earns {most:?} thousandths of a unit");
}

/// One run of the starter set, as good as rules of thumb are.
fn play_honestly(_: &mut Rng) {
    start(CHEAT);
    play(CHEAT, |truth, _| truth);
}

/// The watcher sees every report and disputes the lies; the block after that they are swept.
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

/// Everybody takes what there is to get.
fn end_season() {
    for who in ACCOUNTS {
        for _ in 0..8 {
            let _ = try_claim(who);
        }
    }
    pass_blocks(101);
    for who in ACCOUNTS {
        let _ = try_claim(who);
        let _ = AutoBattle::expire_game(signed(WATCHER), who);
    }
}

pub(super) fn start(who: AccountId) -> bool {
    let started = AutoBattle::start_game(signed(who), starter_set_hash()).is_ok();
    await_decision();
    started
}

pub(super) fn is_playing(who: AccountId) -> bool {
    AutoBattle::view_session(&who).is_some_and(|it| !matches!(it.stage, Stage::Over(_)))
}

/// Plays a run and says what `say` makes of the truth and the wins so far; the watcher looks after
/// every report.
pub(super) fn play(who: AccountId, mut say: impl FnMut(BattleResult, u32) -> BattleResult) {
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
                Call::claim_prize { run: session(CHEAT).run, min: 0 },
                Call::forfeit {},
                Call::claim_prize { run: session(CHEAT).run, min: 0 },
                Call::start_game { set_hash: starter_set_hash() },
            ];
            let calls = calls.map(RuntimeCall::AutoBattle).to_vec();
            let _ = Utility::force_batch(signed(CHEAT), calls);
            watch();
            await_decision();
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

/// The weakest board that leaves a ghost: one unit, bought with what one card brings.
fn field_weak_board(who: AccountId) {
    let mut actions = vec![ShopAction::PitchShopCard { slot: 0 }, ShopAction::PitchShopCard { slot: 0 }];
    actions.extend((0..5).map(|slot| ShopAction::BuyCard { slot }));
    for action in actions {
        let call = match action {
            ShopAction::BuyCard { slot } => Call::<Test>::buy_card { shop_index: slot },
            _ => Call::pitch_shop_card { index: 0 },
        };
        let _ = RuntimeCall::AutoBattle(call).dispatch(signed(who));
    }
}

/// Liars leave weak ghosts where the cheat is about to fight: each lies its way there as far as the
/// watcher lets it, which comes a block after each report.
#[test]
fn planting_ghosts_of_liars_on_every_winning_key_does_not_pay() {
    check(|_| {
        start(CHEAT);
        let mut liars = ACCOUNTS.skip(1);
        while is_playing(CHEAT) {
            let liar = liars.next().unwrap();
            start(liar);
            while session(CHEAT).n_reports() > AutoBattle::view_session(&liar).map_or(u32::MAX, |it| it.n_reports()) {
                field_weak_board(liar);
                AutoBattle::end_turn(signed(liar)).unwrap();
                await_decision();
                watch();
                if AutoBattle::report_outcome(signed(liar), BattleResult::Victory).is_err() {
                    break;
                }
            }
            if is_playing(liar) {
                field_weak_board(liar);
                let _ = AutoBattle::end_turn(signed(liar));
            }
            super::play_turn(CHEAT);
            watch();
            AutoBattle::report_outcome(signed(CHEAT), truth(CHEAT)).unwrap();
        }
    });
}

#[test]
fn a_set_of_the_strongest_card_does_not_pay() {
    check_own_set(|_| {
        let own = make_champion_set(CHEAT);
        for _ in 0..5 {
            start_with(CHEAT, own);
            play(CHEAT, |truth, _| truth);
            claim(CHEAT);
        }
    });
}

#[test]
fn a_clone_of_the_starter_set_does_not_pay() {
    check_own_set(|rng| {
        let cards = crate::starter_set().into_iter().map(|it| (it.card_hash, it.rarity));
        let mut cards: Vec<_> = cards.collect();
        let changed = cards.len() as u32;
        cards[rng.below(changed) as usize].1 += 1;
        let clone = make_set(CHEAT, &cards);
        for _ in 0..3 {
            start_with(CHEAT, clone);
            play(CHEAT, |truth, _| truth);
            claim(CHEAT);
        }
    });
}

#[test]
fn a_set_whose_only_players_are_ones_own_accounts_does_not_pay() {
    check_own_set(|_| {
        let own = make_champion_set(CHEAT);
        for who in ACCOUNTS.take(6) {
            start_with(who, own);
            play(who, |truth, _| truth);
        }
        for who in ACCOUNTS.take(6) {
            claim(who);
        }
        AutoBattle::remove_set(signed(CHEAT), own).unwrap();
    });
}

#[test]
fn planting_ghosts_from_fifty_accounts_does_not_pay() {
    check(|_| {
        for puppet in ACCOUNTS.skip(1) {
            start(puppet);
            field_weak_board(puppet);
            AutoBattle::end_turn(signed(puppet)).unwrap();
            await_decision();
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
                    pass_blocks(41);
                    AutoBattle::expire_game(signed(CHEAT + 1), CHEAT).unwrap();
                    break;
                }
                AutoBattle::report_outcome(signed(CHEAT), BattleResult::Victory).unwrap();
            }
            pass_blocks(11);
            let _ = try_claim(CHEAT);
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
