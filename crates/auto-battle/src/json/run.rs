//! One local run as a line of JSON.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::{LineError, read, write};
use crate::{BOARD_SLOTS, BattleResult, LocalRun, Rejection, RunPhase, SHOP_SLOTS, ShopAction};

#[derive(Deserialize)]
struct Request {
    actions: Vec<Action>,
}

#[derive(Serialize)]
struct Answer {
    states: Vec<State>,
}

/// The run after an action, as far as a player sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    ok: bool,
    mana: i32,
    mana_limit: i32,
    round: u32,
    lives: u32,
    wins: u32,
    phase: RunPhase,
    shop: [(Option<u32>, bool); SHOP_SLOTS],
    board: [Option<u32>; BOARD_SLOTS],
    deck_size: usize,
    result: Option<BattleResult>,
}

pub(super) fn answer(line: &[u8]) -> Result<String, LineError> {
    let request: Request = read(line)?;
    let mut run = LocalRun::new();
    let fresh = State::new(&run, Ok(None));
    let after = request.actions.into_iter().map(|action| {
        let done = action.apply(&mut run);
        State::new(&run, done)
    });
    let states = core::iter::once(fresh).chain(after).collect();
    write(&Answer { states })
}

impl State {
    fn new(local: &LocalRun, done: Result<Option<BattleResult>, Rejection>) -> Self {
        let run = local.run();
        Self {
            ok: done.is_ok(),
            mana: run.mana(),
            mana_limit: run.mana_limit(),
            round: run.round(),
            lives: run.lives(),
            wins: run.wins(),
            phase: run.phase(),
            shop: run.shop().map(|it| (it.card.map(|card| card.id), it.frozen)),
            board: run.board().map(|it| it.map(|card| card.id)),
            deck_size: run.deck().len(),
            result: done.ok().flatten(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Shop(ShopAction),
    EndTurn,
    Continue,
}

impl Action {
    fn apply(self, run: &mut LocalRun) -> Result<Option<BattleResult>, Rejection> {
        match self {
            Self::Shop(action) => run.act(action).map(|()| None),
            Self::EndTurn => run.end_turn().map(Some),
            Self::Continue => run.continue_after_battle().map(|_| None),
        }
    }

    fn read(name: &str, indices: &[u64]) -> Option<Self> {
        // Every index that a byte cannot hold is out of range, as is the highest that it can.
        let slot = |&idx: &u64| u8::try_from(idx).unwrap_or(u8::MAX);
        let shop = match (name, indices) {
            ("pitch_shop", [idx]) => ShopAction::PitchShopCard { slot: slot(idx) },
            ("buy", [idx]) => ShopAction::BuyCard { slot: slot(idx) },
            ("freeze", [idx]) => ShopAction::ToggleFreeze { slot: slot(idx) },
            ("swap", [a, b]) => ShopAction::SwapBoard { a: slot(a), b: slot(b) },
            ("pitch_board", [idx]) => ShopAction::PitchBoardUnit { slot: slot(idx) },
            ("end_turn", []) => return Some(Self::EndTurn),
            ("continue", []) => return Some(Self::Continue),
            _ => return None,
        };
        Some(Self::Shop(shop))
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ActionVisitor)
    }
}

struct ActionVisitor;

impl<'de> Visitor<'de> for ActionVisitor {
    type Value = Action;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action: a list of its name and its indices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Action, A::Error> {
        let name: Option<String> = seq.next_element()?;
        let name = name.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let mut indices = Vec::new();
        while let Some(idx) = seq.next_element()? {
            indices.push(idx);
        }
        let n_indices = indices.len();
        Action::read(&name, &indices)
            .ok_or_else(|| de::Error::custom(format_args!("no action of {n_indices} indices: {name}")))
    }
}
