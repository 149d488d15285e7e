//! Bots that play runs: one by rules of thumb, one by looking ahead with simulated battles.
//!
//! They see what a player sees. The order of the deck is hidden from them even where they could
//! read it, so what they reach says something about the cards.

mod greedy;
mod search;

pub use greedy::GreedyBot;
pub use search::{OpponentTable, SearchBot};

use alloc::vec::Vec;

use crate::{BattleResult, Card, LocalRun, Pool, Run, RunCard, RunPhase, ShopAction};

/// More actions than a sensible turn has; a bot that does not end its turn is stopped here.
const ACTIONS_PER_TURN_MAX: usize = 64;

/// Decides what to do in a shop.
pub trait RunBot {
    /// The next thing to do, or `None` to end the turn.
    fn next_action(&mut self, pool: &Pool, run: &Run) -> Option<ShopAction>;
}

/// Plays a local run to its end, or until round `rounds_max` is over, and tells of each battle the
/// run as it went in and how it came out.
pub fn play_run(
    local: &mut LocalRun,
    bot: &mut dyn RunBot,
    rounds_max: u32,
    mut on_battle: impl FnMut(&Run, BattleResult),
) -> RunPhase {
    while local.run().phase() == RunPhase::Shop && local.run().round() <= rounds_max {
        play_turn(local, bot);
        let Ok(result) = local.end_turn() else {
            break;
        };
        on_battle(local.run(), result);
        if local.continue_after_battle().is_err() {
            break;
        }
    }
    local.run().phase()
}

fn play_turn(local: &mut LocalRun, bot: &mut dyn RunBot) {
    for action in plan_turn(local.pool(), local.run(), bot, ACTIONS_PER_TURN_MAX) {
        // The plan was made on a copy, so it cannot fail here.
        let _ = local.act(action);
    }
}

/// What a bot would do in the shop of a run, all of it legal, until it would end its turn.
pub fn plan_turn(pool: &Pool, run: &Run, bot: &mut dyn RunBot, actions_max: usize) -> Vec<ShopAction> {
    let mut run = run.clone();
    let mut actions = Vec::new();
    while actions.len() < actions_max {
        let action = bot.next_action(pool, &run);
        // A bot whose action is refused would only try it again.
        let Some(action) = action.filter(|&it| run.act(pool, it).is_ok()) else {
            break;
        };
        actions.push(action);
    }
    actions
}

/// A rough worth of a card: what it brings to a board, whatever it costs.
fn worth(card: &Card) -> i32 {
    let abilities = i32::try_from(card.abilities.len()).unwrap_or(0);
    let body = card.attack.saturating_add(card.health);
    body.saturating_add(abilities.saturating_mul(2))
}

/// The mechanics of a card of a run; one that the pool lacks counts as nothing.
fn mechanics(pool: &Pool, card: RunCard) -> Card {
    pool.get(card.card).copied().unwrap_or_default()
}

/// The slots of the shop that have a card, with its mechanics.
fn offers<'a>(pool: &'a Pool, run: &'a Run) -> impl Iterator<Item = (u8, Card)> + 'a {
    let slots = (0..).zip(run.shop());
    slots.filter_map(|(slot, it)| it.card.map(|card| (slot, mechanics(pool, card))))
}

/// The slots of the board that have a unit, with its mechanics.
fn units<'a>(pool: &'a Pool, run: &'a Run) -> impl Iterator<Item = (u8, Card)> + 'a {
    let slots = (0..).zip(run.board());
    slots.filter_map(|(slot, it)| it.map(|card| (slot, mechanics(pool, card))))
}

/// The next step on the way to buying a card: pitch what is worth least until there is mana, make
/// room by pitching the weakest unit, buy. `None` if the card is out of reach or not worth it.
fn step_to_buy(pool: &Pool, run: &Run, wanted: u8) -> Option<ShopAction> {
    let (_, card) = offers(pool, run).find(|(slot, _)| *slot == wanted)?;
    if card.play_cost > run.mana_limit() {
        return None;
    }
    let is_full = run.board().iter().all(Option::is_some);
    let weakest = units(pool, run).min_by_key(|(_, it)| worth(it));
    if is_full && weakest.is_some_and(|(_, it)| worth(&it) >= worth(&card)) {
        return None;
    }
    if run.mana() < card.play_cost {
        let others = offers(pool, run).filter(|(slot, it)| *slot != wanted && it.pitch_value > 0);
        let (slot, _) = others.min_by_key(|(_, it)| worth(it))?;
        return Some(ShopAction::PitchShopCard { slot });
    }
    match weakest {
        Some((slot, _)) if is_full => Some(ShopAction::PitchBoardUnit { slot }),
        _ => Some(ShopAction::BuyCard { slot: wanted }),
    }
}
