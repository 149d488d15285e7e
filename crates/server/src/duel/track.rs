//! Follows what happens in a duel, as one of the two sees it.

use std::collections::BTreeMap;

use host::{
    Game, Seat,
    view::{Payload, Status, Told as Event},
};
use serde::Serialize;

/// What an event that begins a round is told by.
const PREP_START: &str = "prep_start";

/// A step that was revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub step_index: i64,
    pub your_card: Option<String>,
    pub opp_card: Option<String>,
    pub your_hp: i64,
    pub opp_hp: i64,
}

/// Something worth a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Cards can be laid.
    Prep,
    /// A pair of cards was shown.
    Step(Step),
    /// The round is over.
    RoundEnd,
}

/// How far a duel has come.
#[derive(Clone)]
pub struct Track {
    seat: Seat,
    /// Knows the ids of cards.
    game: Game,
    pub round: i64,
    pub sudden: bool,
    /// Health by seat.
    pub health: BTreeMap<String, i64>,
    /// What was shown in this round.
    pub steps: Vec<Step>,
    shown: BTreeMap<String, Option<String>>,
}

impl Track {
    /// A duel in which nothing has happened.
    pub fn new(seat: Seat, game: Game, health: BTreeMap<String, i64>) -> Self {
        Self { seat, game, round: 0, sudden: false, health, steps: Vec::new(), shown: BTreeMap::new() }
    }

    /// What the player himself has, and the other.
    pub fn both(&self) -> (i64, i64) {
        let other = self.health.iter().find(|it| *it.0 != self.seat.to_string()).map_or(0, |it| *it.1);
        (self.health.get(&self.seat.to_string()).copied().unwrap_or(0), other)
    }

    /// Hears of an event; gives what is worth a message.
    pub fn hear(&mut self, event: &Event) -> Option<Told> {
        match message(&self.game, event)?.as_str() {
            PREP_START => {
                (self.round, self.sudden) = (number(event, "round"), is_true(event, "sudden"));
                self.steps.clear();
                Some(Told::Prep)
            }
            "card_shown" => {
                self.show(event);
                None
            }
            "step_reveal" => Some(Told::Step(self.step(number(event, "slot")))),
            "round_end" => Some(Told::RoundEnd),
            _ => None,
        }
    }

    fn show(&mut self, event: &Event) {
        let Some(player) = event.event.payload.get("player").and_then(Payload::text).map(str::to_owned) else { return };
        let card = event.event.payload.get("card").and_then(Payload::text).and_then(|it| event.cards.get(it));
        let card = card.filter(|it| self.game.role("gap") != Some(it.as_str())).cloned();
        self.health.insert(player.clone(), number(event, "health"));
        self.shown.insert(player, card);
    }

    fn step(&mut self, step_index: i64) -> Step {
        let own = self.seat.to_string();
        let mut shown = std::mem::take(&mut self.shown);
        let your_card = shown.remove(&own).flatten();
        let opp_card = shown.into_values().flatten().next();
        let (your_hp, opp_hp) = self.both();
        let step = Step { step_index, your_card, opp_card, your_hp, opp_hp };
        self.steps.push(step.clone());
        step
    }
}

/// Whether a game tells when cards can be laid, which is what everything begins with.
pub fn is_told(game: &Game) -> bool {
    game.tells(PREP_START)
}

/// Whether an event begins a round.
pub fn begins_round(game: &Game, event: &Event) -> bool {
    message(game, event).as_deref() == Some(PREP_START)
}

/// The message an event is told by, once it happened.
fn message(game: &Game, event: &Event) -> Option<String> {
    let is_past = event.event.status == Status::Applied;
    game.message_of(&event.event.kind).filter(|_| is_past).map(str::to_owned)
}

fn number(event: &Event, name: &str) -> i64 {
    event.event.payload.get(name).and_then(Payload::number).unwrap_or(0)
}

fn is_true(event: &Event, name: &str) -> bool {
    event.event.payload.get(name) == Some(&Payload::Flag(true))
}
