//! What a viewer may know of a match of a ruleset, in the words of the contract.

use std::collections::BTreeMap;

use engine::{
    Match, PlayerId,
    state::{Outcome as RawOutcome, Why, Window as RawWindow},
    view::{CardView, FieldView, ItemView, Projector, Values},
};
use ruleset::{Program, sort::Sort};
use script::Seat;
use view::{Card, Flags, Outcome, Player, Ref, Row, RowKind, Scalar, Turn, View, Window, WindowKind, Zone};

use crate::names::{self, named, player};

/// How a match ended.
pub fn outcome(program: &Program, outcome: RawOutcome) -> Outcome {
    let winners = (0..16).map(PlayerId).filter(|it| outcome.winners & it.bit() != 0);
    Outcome { winners: winners.map(|it| Seat(it.0).to_string()).collect(), reason: reason(program, outcome.why) }
}

/// Why a match ended, in a word.
pub fn reason(program: &Program, why: Why) -> String {
    match why {
        Why::Rules(at) => program.text.reasons.get(usize::from(at)).cloned().unwrap_or_default(),
        Why::LastStanding => "last standing".to_owned(),
        Why::Disconnected => "disconnect".to_owned(),
        Why::Limit => "limit".to_owned(),
        Why::Moderator => "moderator".to_owned(),
        Why::Void => "killed".to_owned(),
    }
}

/// The window in which players may act.
fn window(live: &Match, projector: &Projector, window: &RawWindow) -> Window {
    let (state, program) = (live.state(), live.ruleset().program());
    let row = projector.row_of(window.responds_to).filter(|_| window.responds_to.is_some());
    let passed = state.players().filter(|it| window.passed & it.bit() != 0);
    Window {
        holder: player(window.holder).unwrap_or_default(),
        kind: if window.responds_to.is_some() { WindowKind::Response } else { WindowKind::Action },
        responds_to: row.map(|it| Ref::Event(it).to_string()),
        passed: passed.filter_map(player).collect(),
        step: named(&program.text.steps, state.head.step.index()),
    }
}

/// The table; the version and who is waited for are up to who hosts the match.
pub fn view(live: &Match, projector: &mut Projector) -> View {
    let program = live.ruleset().program();
    let raw = projector.view(live);
    let head = &live.state().head;
    let mut view = View {
        turn: Some(Turn {
            number: raw.turn,
            active: player(raw.active),
            phase: program.text.phases.get(raw.phase.index()).map(|it| it.id.clone()),
            step: program.text.steps.get(raw.step.index()).map(|it| it.id.clone()),
        }),
        stack: raw.stack.iter().map(|it| row(program, it)).collect(),
        window: head.window.as_ref().map(|it| window(live, projector, it)),
        is_paused: head.paused.is_some(),
        outcome: raw.outcome.map(|it| outcome(program, it)),
        ..View::default()
    };
    for (seat, values) in (0..).zip(&raw.players) {
        let is_out = head.alive & PlayerId(seat).bit() == 0;
        let (values, links) = (numbers(program, values, |_| None), links(program, values));
        view.players.insert(Seat(seat).to_string(), Player { is_out, values, links });
    }
    for it in &raw.zones {
        let id = named(&program.text.zones, it.zone.index());
        let key = it.seat.and_then(player).map_or_else(|| id.clone(), |owner| format!("{id}@{owner}"));
        let handle = |it: &CardView| Ref::Card(it.handle).to_string();
        let is_mixed = usize::try_from(it.count).is_ok_and(|count| count > it.cards.len());
        let at = it.cards.iter().filter(|_| is_mixed).map(|it| (handle(it), it.place)).collect();
        view.zones.insert(key, Zone { count: it.count, cards: it.cards.iter().map(handle).collect(), at });
        view.cards.extend(it.cards.iter().map(|it| (handle(it), card(program, it))));
    }
    view
}

fn card(program: &Program, card: &CardView) -> Card {
    let def = program.def(card.def);
    let printed = |column: u16| def.and_then(|it| it.printed.get(usize::from(column))).map(|it| i64::from(*it));
    let keywords = card.keywords.as_ref().map(|it| it.iter().map(|it| named(&program.text.keywords, it.index())));
    let abilities = card.abilities.as_ref().map(|it| it.iter().map(|it| named(&program.text.abilities, it.index())));
    Card {
        def: program.text.defs.get(card.def.index()).map(|it| it.id.clone()),
        face: None,
        owner: player(card.owner),
        controller: player(card.controller).filter(|_| card.controller != card.owner),
        values: numbers(program, &card.values, printed),
        keywords: keywords.map(Iterator::collect),
        abilities: abilities.map(Iterator::collect),
        links: links(program, &card.values),
        back: None,
    }
}

/// The numbers among some values, without those that are as printed.
fn numbers(program: &Program, values: &Values, printed: impl Fn(u16) -> Option<i64>) -> BTreeMap<String, Scalar> {
    let number = |(attr, field): &(ruleset::AttrId, FieldView)| {
        let rule = program.attr(*attr)?;
        let FieldView::Plain(number) = field else { return None };
        (printed(rule.column) != Some(*number)).then(|| (named(&program.text.attrs, attr.index()), (*number).into()))
    };
    values.iter().filter_map(number).collect()
}

/// The links among some values.
fn links(program: &Program, values: &Values) -> BTreeMap<String, Ref> {
    let link = |(attr, field): &(ruleset::AttrId, FieldView)| match field {
        FieldView::Card(_) | FieldView::Player(_) | FieldView::Hidden => {
            Some((named(&program.text.attrs, attr.index()), names::of_field(program, field, Sort::Entity)?))
        }
        FieldView::Nothing | FieldView::Plain(_) | FieldView::Event(_) | FieldView::List(_) => None,
    };
    values.iter().filter_map(link).collect()
}

fn row(program: &Program, item: &ItemView) -> Row {
    let rule = item.rule.and_then(|it| program.text.rules.get(it.index())).map(|it| it.id.clone());
    let event = program.text.events.get(item.event_type.index()).map(|it| it.id.clone());
    let name = if item.is_reaction { rule } else { event };
    Row {
        kind: if item.is_reaction { RowKind::Reaction } else { RowKind::Event },
        ref_id: Ref::Event(item.row).to_string(),
        created_at_order: item.row,
        flags: Flags { before_scheduled: item.is_past_before },
        name: name.unwrap_or_else(|| Ref::Unknown.to_string()),
        controller: player(item.controller),
        source: item.source.map(|it| Ref::Card(it).to_string()),
        targets: targets(program, item),
    }
}

fn targets(program: &Program, item: &ItemView) -> BTreeMap<String, Vec<Ref>> {
    let (rule, action) = (item.rule.and_then(|it| program.rule(it)), program.action(item.action));
    let slots = action.map(|it| &it.slots).or_else(|| rule.map(|it| &it.slots));
    let text = &program.text;
    let of_rule = || item.rule.and_then(|it| text.rule_slots.get(it.index()));
    let slot_names = text.actions.get(item.action.index()).map(|it| &it.slots).or_else(of_rule);
    let modes = text.actions.get(item.action.index()).map_or(&[][..], |it| &it.modes);
    let mut targets = BTreeMap::new();
    for (at, values) in item.targets.iter().enumerate() {
        let sort = slots.and_then(|it| it.get(at)).map_or(Sort::Entity, |it| it.ty.sort);
        let mode = |it: &FieldView| match it {
            FieldView::Plain(number) => modes.get(at)?.get(usize::try_from(*number).ok()?),
            FieldView::Nothing
            | FieldView::Hidden
            | FieldView::Card(_)
            | FieldView::Player(_)
            | FieldView::Event(_)
            | FieldView::List(_) => None,
        };
        let called = |it: &FieldView| match mode(it) {
            Some(mode) => Some(Ref::named(view::Kind::Mode, mode.id.as_str())),
            None => names::of_field(program, it, sort),
        };
        let refs: Vec<Ref> = values.iter().filter_map(called).collect();
        if let Some(name) = slot_names.and_then(|it| it.get(at)).filter(|_| !refs.is_empty()) {
            targets.insert(name.clone(), refs);
        }
    }
    targets
}
