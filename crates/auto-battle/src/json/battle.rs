//! One battle as a line of JSON.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::card::UnitSheet;
use super::{LineError, Telling, read, write};
use crate::{
    BOARD_SLOTS, BattleResult, BoardUnit, Bounded, Card, CardIndex, CardKey, Event, Fighter, InstanceId, Matchup,
    MatchupError, NoEvents, Outcome, Pool, STARTER_CARDS, SavedBattle, SavedBoard, UnitView, starter_index,
};

#[derive(Deserialize)]
struct Request {
    player: Vec<UnitSheet>,
    enemy: Vec<UnitSheet>,
    seed: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    result: BattleResult,
    rng_next: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Event<NamedView<'a>>>>,
}

/// A unit as an answer shows it: by the name of its card.
#[derive(Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct NamedView<'a> {
    instance_id: InstanceId,
    template_id: &'a str,
    attack: i32,
    health: i32,
}

pub(super) fn answer(pool: &Pool, line: &[u8], telling: Telling) -> Result<String, LineError> {
    let request: Request = read(line)?;
    let seed = parse_seed(&request.seed)?;
    let player = read_board(request.player)?;
    let enemy = read_board(request.enemy)?;
    let matchup = Matchup::new(pool, &fighters(&player), &fighters(&enemy));
    let matchup = matchup.map_err(illegal)?;
    match telling {
        Telling::ResultOnly => write_answer(&matchup.fight(seed, &mut NoEvents), None),
        Telling::Events => {
            let mut events = Vec::new();
            let outcome = matchup.fight(seed, &mut events);
            let name = |view| named(&player, &enemy, view);
            let events = events.into_iter().map(|it: Event| it.map_views(name));
            write_answer(&outcome, Some(events.collect()))
        }
    }
}

/// The battle of a line as a chain would keep it: cards that are spelled out stand in the pool,
/// after its own.
pub(super) fn saved(pool: &Pool, line: &[u8]) -> Result<(Pool, SavedBattle), LineError> {
    let request: Request = read(line)?;
    let seed = parse_seed(&request.seed)?;
    let mut cards = pool.cards().to_vec();
    let player = save_board(read_board(request.player)?, &mut cards);
    let enemy = save_board(read_board(request.enemy)?, &mut cards);
    let pool = Pool::check(cards);
    let pool = pool.map_err(|_| LineError::new("battle/illegal_card", "a card cannot be in a pool"))?;
    Ok((pool, SavedBattle { player, enemy, seed }))
}

fn save_board(units: Vec<Unit>, cards: &mut Vec<Card>) -> SavedBoard {
    let units = units.into_iter().map(|unit| match unit {
        Unit::Starter(index) => BoardUnit::Pool(index),
        Unit::Guest(guest) => {
            let index = u8::try_from(cards.len()).unwrap_or(u8::MAX);
            cards.push(guest.1);
            BoardUnit::Pool(CardIndex(index))
        }
    });
    // `read_board` has counted them.
    Bounded::try_from_iter(units).unwrap_or_default()
}

fn write_answer(outcome: &Outcome, events: Option<Vec<Event<NamedView<'_>>>>) -> Result<String, LineError> {
    let mut rng = outcome.rng;
    write(&Answer { result: outcome.result, rng_next: rng.draw(), events })
}

/// Reads digits and nothing else; `u64` alone would let a plus sign pass.
fn parse_seed(text: &str) -> Result<u64, LineError> {
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    let seed = digits.then(|| text.parse().ok()).flatten();
    let bad = format_args!("seed is not a decimal number of 64 bits: {text:?}");
    seed.ok_or_else(|| LineError::new("battle/bad_seed", bad))
}

/// A unit of a board, with the name under which the answer shows it if the pool has none.
enum Unit {
    Starter(CardIndex),
    Guest(Box<(String, Card)>),
}

fn read_board(units: Vec<UnitSheet>) -> Result<Vec<Unit>, LineError> {
    if units.len() > BOARD_SLOTS {
        let message = format_args!("a board has at most {BOARD_SLOTS} units: {}", units.len());
        return Err(LineError::new("battle/too_many_units", message));
    }
    units.into_iter().map(read_unit).collect()
}

fn read_unit(unit: UnitSheet) -> Result<Unit, LineError> {
    match unit {
        UnitSheet::Starter(name) => {
            let unknown = format_args!("unknown starter card: {name}");
            let index = starter_index(&name);
            let index = index.ok_or_else(|| LineError::new("battle/unknown_card", unknown))?;
            Ok(Unit::Starter(index))
        }
        UnitSheet::Card(sheet) => sheet.card().map(|it| Unit::Guest(Box::new(it))),
    }
}

fn fighters(units: &[Unit]) -> Vec<Fighter<'_>> {
    let fighter = |unit| match unit {
        &Unit::Starter(index) => Fighter::Pool(index),
        Unit::Guest(guest) => Fighter::Guest(&guest.1),
    };
    units.iter().map(fighter).collect()
}

fn illegal(error: MatchupError) -> LineError {
    let code = match error {
        MatchupError::TooManyUnits { .. } => "battle/too_many_units",
        MatchupError::UnknownCard { .. } => "battle/unknown_card",
        MatchupError::Card { .. } => "battle/illegal_card",
    };
    LineError::new(code, error)
}

fn named<'a>(player: &'a [Unit], enemy: &'a [Unit], view: UnitView) -> NamedView<'a> {
    NamedView {
        instance_id: view.instance_id,
        template_id: template_id(player, enemy, view.card),
        attack: view.attack,
        health: view.health,
    }
}

fn template_id<'a>(player: &'a [Unit], enemy: &'a [Unit], card: CardKey) -> &'a str {
    let guest = match card {
        CardKey::Pool(index) => {
            let starter = STARTER_CARDS.get(usize::from(index.0));
            return starter.map_or("", |it| it.template_id);
        }
        CardKey::Guest(guest) => usize::from(guest),
    };
    let unit = match guest.checked_sub(BOARD_SLOTS) {
        Some(slot) => enemy.get(slot),
        None => player.get(guest),
    };
    match unit {
        Some(Unit::Guest(guest)) => &guest.0,
        Some(Unit::Starter(_)) | None => "",
    }
}
