//! How a decision of a ruleset is put to a player: a question as a selector, a window as the actions that can be taken.

use engine::{
    Command, EntityId, Match, offer::Payment, question::PendingInput as Question, state::Status, view::Projector,
};
use ruleset::{
    ActionId,
    program::{AskMode, TimeoutPolicy},
    sort::Sort,
    text::Label,
};
use view::{Choice, Constraints, Cost, CostPart, Kind, Need, Offer, OnTimeout, PendingInput, Prompt, Ref, Selector};

use crate::{
    asking::{self, PAGE_MAX},
    names::{self, player},
    ui,
};

/// A question as its player is asked it.
pub fn question(live: &Match, eyes: &Projector, input_id: String, it: &Question, version: u32) -> PendingInput {
    let program = live.ruleset().program();
    let ask = live.state().ask(it.id);
    let rule = ask.and_then(|it| program.ask(it.ask));
    let text = ask.and_then(|it| program.text.asks.get(it.ask.index()));
    let words = if it.prompt.is_empty() { it.kind.as_str().to_owned() } else { it.prompt.clone() };
    let raw = asking::with_refs(&answers(live, it));
    let mut selector = asking::wire(&raw, |offset| cursor(version, offset));
    selector.ordered = it.kind.as_str() == "order_select" || rule.is_some_and(|it| it.revisable);
    let mode = rule.map_or(AskMode::One, |it| it.mode);
    PendingInput {
        input_id,
        for_player_ids: it.players.iter().filter_map(|it| player(*it)).collect(),
        kind: kind(it, &selector),
        constraints: Constraints { selector: Some(selector), may_pass: false, actions: Vec::new() },
        expires_at: None,
        on_timeout: rule.map_or(OnTimeout::First, |it| on_timeout(it.on_timeout)),
        need: if mode == AskMode::Any { Need::Any } else { Need::All },
        is_concurrent: mode != AskMode::One,
        is_revisable: rule.is_some_and(|it| it.revisable),
        draft: None,
        source: source(live, eyes),
        prompt: Prompt {
            text: words,
            hint: String::new(),
            highlights: source(live, eyes).into_iter().collect(),
            ui: text.and_then(|it| it.ui.as_ref()).map(ui::value),
        },
    }
}

/// What can be answered: where the answer is yes or no, both are on offer.
pub fn answers(live: &Match, it: &Question) -> selector::Selector {
    let rule = live.state().ask(it.id).and_then(|it| live.ruleset().program().ask(it.ask));
    let is_yes_no = rule.is_some_and(|it| it.choice_type.sort == Sort::Bool);
    if !is_yes_no {
        return it.selector.clone();
    }
    it.selector.clone().offer([selector::Choice::from("no").with_id("no")]).exactly(1)
}

/// How it is shown: numbers as numbers, whatever asks for them.
fn kind(it: &Question, selector: &Selector) -> String {
    if selector.range.is_some() { "number".to_owned() } else { it.kind.as_str().to_owned() }
}

fn on_timeout(policy: TimeoutPolicy) -> OnTimeout {
    match policy {
        TimeoutPolicy::Decline => OnTimeout::Decline,
        TimeoutPolicy::Default => OnTimeout::Default,
        TimeoutPolicy::First => OnTimeout::First,
        TimeoutPolicy::Random => OnTimeout::Random,
        TimeoutPolicy::Concede => OnTimeout::Concede,
    }
}

/// The card that asks, if the player sees it.
fn source(live: &Match, eyes: &Projector) -> Option<Ref> {
    let source = live.state().top()?.source;
    let is_card = live.state().ent(source).is_some_and(|it| it.status == Status::Card);
    eyes.handle(source).filter(|_| is_card).map(Ref::Card)
}

/// Where a list goes on; good for one version.
pub fn cursor(version: u32, offset: usize) -> String {
    format!("{version}.{offset}")
}

/// The window of a player who may act: what the step, or else the phase, says to new players, and what can be done.
pub fn window(live: &Match, eyes: &mut Projector, input_id: String) -> PendingInput {
    eyes.sync_rows(live.state());
    let program = live.ruleset().program();
    let step = live.state().head.step;
    let phase = program.step(step).and_then(|it| program.text.phases.get(it.phase.index()));
    let labels: Vec<&Label> = program.text.steps.get(step.index()).into_iter().chain(phase).collect();
    let hint = labels.iter().map(|it| it.hint.clone()).find(|it| !it.is_empty()).unwrap_or_default();
    PendingInput {
        input_id,
        for_player_ids: player(eyes.player()).into_iter().collect(),
        kind: "priority".to_owned(),
        constraints: Constraints { selector: None, may_pass: true, actions: offers(live, eyes) },
        expires_at: None,
        on_timeout: OnTimeout::Pass,
        need: Need::All,
        is_concurrent: false,
        is_revisable: false,
        draft: None,
        source: None,
        prompt: Prompt {
            text: labels.first().map_or_else(String::new, |it| it.name.clone()),
            hint,
            highlights: Vec::new(),
            ui: labels.iter().find_map(|it| it.ui.as_ref()).map(ui::value),
        },
    }
}

/// The actions that can be taken, with what can fill their first slot.
fn offers(live: &Match, eyes: &Projector) -> Vec<Offer> {
    let program = live.ruleset().program();
    (0..program.actions.len()).map(ActionId::at).filter_map(|it| offer(live, eyes, it)).collect()
}

fn offer(live: &Match, eyes: &Projector, id: ActionId) -> Option<Offer> {
    let program = live.ruleset().program();
    let (rule, text) = (program.action(id)?, program.text.actions.get(id.index())?);
    let player = eyes.player();
    let bare = Offer { id: text.label.id.clone(), choices: Vec::new(), cost: None, is_lazy: false };
    let Some(first) = rule.slots.first() else {
        let command = Command::Act { player, action: id, targets: Vec::new() };
        let cost = live.quote(player, id, &[]).map(|it| cost(live, eyes, &it).text).filter(|it| !it.is_empty());
        return live.is_legal(&command).then_some(Offer { cost, ..bare });
    };
    let found = live.candidates(player, id, &[])?;
    if found.values.is_empty() && first.min > 0 {
        return None;
    }
    let is_priced = rule.cost_slots & !1 == 0 && first.is_one();
    let mut choices = slot_choices(live, eyes, id, 0, &found.values);
    let is_long = choices.len() > PAGE_MAX;
    choices.truncate(PAGE_MAX);
    for it in choices.iter_mut().filter(|_| is_priced) {
        let paid = live.quote(player, id, &[vec![it.0]]);
        it.1.cost = paid.map(|it| cost(live, eyes, &it).text).filter(|it| !it.is_empty());
    }
    let is_lazy = rule.slots.len() > 1 || !first.is_one() || rule.ability.is_some() || is_long;
    Some(Offer { choices: choices.into_iter().map(|it| it.1).collect(), is_lazy, ..bare })
}

/// What can fill a slot, in an order the player may know, each with its value.
pub fn slot_choices(live: &Match, eyes: &Projector, id: ActionId, slot: usize, values: &[i64]) -> Vec<(i64, Choice)> {
    let program = live.ruleset().program();
    let text = program.text.actions.get(id.index());
    let modes = text.and_then(|it| it.modes.get(slot)).map_or(&[][..], |it| it);
    let rule = program.action(id);
    // Behind an action's own slots come those of an ability, which takes cards and players alike.
    let sort = rule.and_then(|it| it.slots.get(slot)).map_or(Sort::Entity, |it| it.ty.sort);
    let mut values = values.to_vec();
    values.sort_by_key(|it| eyes.rank(*it, sort));
    let choice = |(at, value): (usize, &i64)| {
        let mode = usize::try_from(*value).ok().and_then(|it| modes.get(it));
        let choice = match mode {
            Some(mode) => Choice::new(Ref::named(Kind::Mode, mode.id.as_str()), mode.name.clone()),
            None => {
                let id = names::of_value(live, eyes, *value, sort, at);
                let title = names::title(live, eyes, &id);
                Choice::new(id, title)
            }
        };
        (*value, choice)
    };
    values.iter().enumerate().map(choice).collect()
}

/// What is paid, in parts and in words.
pub fn cost(live: &Match, eyes: &Projector, payments: &[Payment]) -> Cost {
    let parts: Vec<CostPart> = payments.iter().map(|it| cost_part(live, eyes, it)).collect();
    let you = Ref::Player(eyes.player().0);
    let text: Vec<String> = parts.iter().map(|it| cost_text(it, &you)).collect();
    Cost { text: text.join(", "), parts }
}

fn cost_part(live: &Match, eyes: &Projector, payment: &Payment) -> CostPart {
    let program = live.ruleset().program();
    let called = |entity: EntityId| names::of_value(live, eyes, entity.into(), Sort::Entity, 0);
    match *payment {
        Payment::Value { entity, attr, amount } => {
            let attribute = names::named(&program.text.attrs, attr.index());
            CostPart::Value { of: called(entity), attribute, amount }
        }
        Payment::Card { card, to } => {
            let zone = program.zone_of(to).map(|it| names::named(&program.text.zones, it.0.index()));
            CostPart::Card { card: called(card), to: zone.unwrap_or_default() }
        }
    }
}

fn cost_text(part: &CostPart, you: &Ref) -> String {
    match part {
        CostPart::Value { of, attribute, amount } if of == you && *amount >= 0 => format!("{amount} {attribute}"),
        CostPart::Value { of, attribute, amount } => format!("{of} {attribute} {:+}", amount.saturating_neg()),
        CostPart::Card { card, to } => format!("{card} to {to}"),
    }
}
