//! What a player may do, as JSON for clients: every action by what it is about, with its costs, its slots and how it is
//! shown. A client that shows these needs no rules.

use engine::{
    Match,
    offer::{Payment, SlotOffer},
    state::Status,
    view::Projector,
};
use ruleset::{ActionId, program::ActionTiming, sort::Sort, text::Label};
use selector::Value;
use serde::{Deserialize, Serialize};

use crate::ui;

/// An action a player can take now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionView {
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// `stack`, `instant` or `sorcery`.
    pub timing: String,
    /// A word for new players.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub hint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui: Option<Value>,
    /// The name of the slot that options go by; none for an action without slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// Each way to begin it.
    pub options: Vec<OptionView>,
}

/// An action with what fills its first slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<TargetView>,
    /// What it costs; absent where that depends on other slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostView>,
    /// The other slots, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub slots: Vec<SlotView>,
}

/// Something that can fill a slot, by the name a request gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetView {
    pub id: String,
    pub name: String,
}

/// A slot and what can fill it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SlotView {
    pub id: String,
    pub min: u16,
    pub max: u16,
    /// Whether it is asked once the slots before it are filled.
    pub is_staged: bool,
    pub candidates: Vec<TargetView>,
}

/// What an action costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostView {
    /// `3 mana`.
    pub text: String,
    pub parts: Vec<CostPart>,
}

/// One thing that is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CostPart {
    /// A value goes down by an amount, or up by a negative one.
    Value { of: String, attribute: String, amount: i32 },
    /// A card goes to a zone.
    Card { card: String, to: String },
}

/// The actions a player can take now.
pub fn actions(live: &Match, eyes: &mut Projector) -> Vec<ActionView> {
    eyes.settle(live.state());
    let offers = live.offers_in_full(eyes.player());
    let n_actions = live.ruleset().program().actions.len();
    let mut views: Vec<ActionView> = Vec::new();
    for id in (0..n_actions).map(ActionId::at) {
        let mut mine: Vec<&engine::offer::FullOffer> = offers.iter().filter(|it| it.action == id).collect();
        mine.sort_by_key(|it| it.principal.map(|value| eyes.rank(value, sort_of(live, id, 0))));
        if !mine.is_empty() {
            let options = mine.iter().enumerate().map(|(at, it)| option(live, eyes, id, at, it)).collect();
            views.push(ActionView { options, ..action(live, id) });
        }
    }
    views
}

/// The actions among some that are about a card: it fills the first slot, or it is listed for another.
pub fn actions_for(actions: &[ActionView], card: &str) -> Vec<ActionView> {
    let is_it = |it: &TargetView| it.id == card;
    let concerns = |it: &&OptionView| {
        it.principal.as_ref().is_some_and(is_it) || it.slots.iter().any(|it| it.candidates.iter().any(is_it))
    };
    let about = |it: &ActionView| {
        let options: Vec<OptionView> = it.options.iter().filter(concerns).cloned().collect();
        (!options.is_empty()).then(|| ActionView { options, ..it.clone() })
    };
    actions.iter().filter_map(about).collect()
}

/// What can fill the next slot of an action, the ones before it being filled; none if nothing is left to fill.
pub fn next_slot(live: &Match, eyes: &mut Projector, id: ActionId, bound: &[Vec<i64>]) -> Option<SlotView> {
    eyes.settle(live.state());
    let offer = live.candidates(eyes.player(), id, bound)?;
    Some(slot(live, eyes, id, bound.len(), &offer))
}

fn action(live: &Match, id: ActionId) -> ActionView {
    let program = live.ruleset().program();
    let text = program.text.actions.get(id.index()).cloned().unwrap_or_default();
    let timing = match program.action(id).map(|it| it.timing) {
        Some(ActionTiming::AtOnce) => "instant",
        Some(ActionTiming::Sorcery) => "sorcery",
        Some(ActionTiming::Stack) | None => "stack",
    };
    ActionView {
        id: text.label.id,
        name: text.label.name,
        description: text.label.text,
        timing: timing.to_owned(),
        hint: text.label.hint,
        ui: text.label.ui.as_ref().map(ui::value),
        principal: text.slots.first().cloned(),
        options: Vec::new(),
    }
}

fn option(live: &Match, eyes: &Projector, id: ActionId, at: usize, offer: &engine::offer::FullOffer) -> OptionView {
    let slots = offer.slots.iter().enumerate().map(|(i, it)| slot(live, eyes, id, i + 1, it));
    OptionView {
        principal: offer.principal.map(|it| target(live, eyes, id, 0, at, it)),
        cost: offer.cost.as_ref().map(|it| cost(live, eyes, it)),
        slots: slots.collect(),
    }
}

fn slot(live: &Match, eyes: &Projector, id: ActionId, at: usize, offer: &SlotOffer) -> SlotView {
    let names = live.ruleset().program().text.actions.get(id.index()).map_or(&[][..], |it| &it.slots);
    let mut values = offer.values.clone();
    values.sort_by_key(|it| eyes.rank(*it, sort_of(live, id, at)));
    let candidates = values.iter().enumerate().map(|(i, it)| target(live, eyes, id, at, i, *it));
    SlotView {
        id: names.get(at).cloned().unwrap_or_else(|| format!("ability{}", at.saturating_sub(names.len()) + 1)),
        min: offer.min,
        max: offer.max,
        is_staged: offer.is_staged,
        candidates: candidates.collect(),
    }
}

/// What the values of a slot are.
fn sort_of(live: &Match, id: ActionId, slot: usize) -> Sort {
    let action = live.ruleset().program().action(id);
    action.and_then(|it| it.slots.get(slot)).map_or(Sort::Entity, |it| it.ty.sort)
}

/// A candidate of a slot, at its place among the candidates.
fn target(live: &Match, eyes: &Projector, id: ActionId, slot: usize, at: usize, value: i64) -> TargetView {
    let program = live.ruleset().program();
    let sort = sort_of(live, id, slot);
    let modes = program.text.actions.get(id.index()).and_then(|it| it.modes.get(slot)).map_or(&[][..], |it| it);
    let named = eyes.target_label(live, modes, at, &[value], sort);
    // A request calls an ability by its id.
    let ability = |it: &Label| it.id.clone();
    let known = usize::try_from(value).ok().and_then(|it| program.text.abilities.get(it)).map(ability);
    let id = if sort == Sort::Ability { known.unwrap_or(named.id) } else { named.id };
    TargetView { id, name: named.name }
}

fn cost(live: &Match, eyes: &Projector, payments: &[Payment]) -> CostView {
    let parts: Vec<CostPart> = payments.iter().map(|it| cost_part(live, eyes, it)).collect();
    let you = engine::question::player_id(eyes.player());
    let text: Vec<String> = parts.iter().map(|it| cost_text(it, &you)).collect();
    CostView { text: text.join(", "), parts }
}

fn cost_part(live: &Match, eyes: &Projector, payment: &Payment) -> CostPart {
    let text = &live.ruleset().program().text;
    let called = |labels: &[Label], at: usize| labels.get(at).map_or_else(|| at.to_string(), |it| it.id.clone());
    match *payment {
        Payment::Value { entity, attr, amount } => {
            let is_player = live.state().ent(entity).is_some_and(|it| it.status == Status::Player);
            let sort = if is_player { Sort::Player } else { Sort::Card };
            let of = eyes.wire_id(live, entity.into(), sort);
            CostPart::Value { of, attribute: called(&text.attrs, attr.index()), amount }
        }
        Payment::Card { card, to } => {
            let zone =
                live.ruleset().program().zone_of(to).map_or_else(String::new, |it| called(&text.zones, it.0.index()));
            CostPart::Card { card: eyes.wire_id(live, card.into(), Sort::Card), to: zone }
        }
    }
}

fn cost_text(part: &CostPart, you: &str) -> String {
    match part {
        CostPart::Value { of, attribute, amount } if of == you && *amount >= 0 => format!("{amount} {attribute}"),
        CostPart::Value { of, attribute, amount } => format!("{of} {attribute} {:+}", amount.saturating_neg()),
        CostPart::Card { card, to } => format!("{card} to {to}"),
    }
}
