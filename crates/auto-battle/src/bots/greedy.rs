//! A bot by rules of thumb: buy what is worth most, keep the sturdiest in front.

use core::cmp::Reverse;

use super::{RunBot, offers, step_to_buy, units, worth};
use crate::{Pool, Run, ShopAction};

/// Buys the card that is worth most for as long as one is in reach, then orders its board.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyBot;

impl RunBot for GreedyBot {
    fn next_action(&mut self, pool: &Pool, run: &Run) -> Option<ShopAction> {
        step_to_best(pool, run).or_else(|| step_to_order(pool, run))
    }
}

fn step_to_best(pool: &Pool, run: &Run) -> Option<ShopAction> {
    let reachable = offers(pool, run).filter_map(|(slot, card)| step_to_buy(pool, run, slot).map(|step| (step, card)));
    let best = reachable.min_by_key(|(_, card)| Reverse(worth(card)));
    best.map(|(step, _)| step)
}

/// Swaps the first two units of which the sturdier stands behind.
fn step_to_order(pool: &Pool, run: &Run) -> Option<ShopAction> {
    let ahead = units(pool, run);
    let behind = units(pool, run).skip(1);
    let wrong = ahead.zip(behind).find(|((_, a), (_, b))| a.health < b.health);
    wrong.map(|((a, _), (b, _))| ShopAction::SwapBoard { a, b })
}
