//! What a viewer may know of a match of a ruleset, in the words of all matches.

use std::collections::BTreeMap;

use engine::{
    EntityId, Match, PlayerId,
    state::{Outcome, Why, Window},
    view::{EventView as RawEvent, FieldView, Projector, Values},
};
use ruleset::{DefId, Program, program::BuiltIn, sort::Sort, text::Label};
use script::{
    Seat,
    view::{CardView, EventStatus, EventView, ItemView, OutcomeView, SeatView, View, WaitView, ZoneView, hidden},
};
use selector::Value;

use crate::{hosted::WindowView, ui};

fn player(player: PlayerId) -> Option<String> {
    (!player.is_none()).then(|| Seat(player.0).to_string())
}

fn named(labels: &[Label], at: usize) -> String {
    labels.get(at).map_or_else(|| at.to_string(), |it| it.id.clone())
}

fn name_of(program: &Program, def: DefId) -> String {
    program.text.defs.get(def.index()).map_or_else(|| "?".to_owned(), |it| it.name.clone())
}

/// A field as a viewer sees it.
fn value(live: &Match, projector: &Projector, field: &FieldView, sort: Sort) -> Value {
    match field {
        FieldView::Nothing => Value::Null,
        FieldView::Hidden => hidden(),
        FieldView::Card(handle) => card(live, projector, *handle),
        FieldView::Player(it) => player(*it).map_or(Value::Null, Value::from),
        FieldView::Event(number) => format!("ev{number}").into(),
        FieldView::Plain(number) => plain(live.ruleset().program(), *number, sort),
        FieldView::List(items) => Value::List(items.iter().map(|it| value(live, projector, it, sort)).collect()),
    }
}

fn card(live: &Match, projector: &Projector, handle: u32) -> Value {
    let id = format!("c{handle}");
    // A card that went into hiding right away is still called what the viewer saw it to be.
    let seen = || projector.met().get(usize::try_from(handle.checked_sub(1)?).ok()?).copied();
    let def = projector.card(handle).or_else(seen).and_then(|it: EntityId| live.state().ent(it)).map(|it| it.def);
    def.map_or_else(
        || Value::object([("card", id.as_str().into())]),
        |it| CardView::field(&id, &name_of(live.ruleset().program(), it)),
    )
}

fn plain(program: &Program, number: i64, sort: Sort) -> Value {
    let text = &program.text;
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    match sort {
        Sort::Bool => Value::Bool(number == 1),
        Sort::Zone => named(&text.zones, at).into(),
        Sort::Attribute | Sort::Resource => named(&text.attrs, at).into(),
        Sort::Keyword => named(&text.keywords, at).into(),
        Sort::Def => named(&text.defs, at).into(),
        Sort::CardType => named(&text.types, at).into(),
        Sort::Ability => named(&text.abilities, at).into(),
        Sort::Phase => named(&text.phases, at).into(),
        Sort::Step => named(&text.steps, at).into(),
        Sort::EventType => text.events.get(at).map_or_else(|| Value::Integer(number), |it| it.id.as_str().into()),
        Sort::Int | Sort::Card | Sort::Player | Sort::Entity | Sort::Event | Sort::Answers | Sort::Origin => {
            Value::Integer(number)
        }
    }
}

/// Something that happened, with its number for the viewer.
pub fn event(live: &Match, projector: &Projector, event: &RawEvent, n_before: usize) -> EventView {
    let program = live.ruleset().program();
    let text = program.text.events.get(event.kind.index());
    let name = |it: &ruleset::text::EventText| if event.is_pending { it.id.clone() } else { it.fact.clone() };
    let kind = text.map_or_else(|| event.kind.0.to_string(), name);
    let sorts = program.event(event.kind).map_or(&[][..], |it| &it.fields);
    let names = text.map_or(&[][..], |it| &it.fields);
    // The projector counts what the rules made happen; this tale may hold more than that.
    let seq = number(n_before);
    let shift = |number: u32| number.saturating_add(seq).saturating_sub(event.seq);
    let mut fields = BTreeMap::new();
    for ((name, ty), field) in names.iter().zip(sorts).zip(&event.fields) {
        let field = if let FieldView::Event(number) = field { &FieldView::Event(shift(*number)) } else { field };
        if *field != FieldView::Nothing {
            fields.insert(name.clone(), value(live, projector, field, ty.sort));
        }
    }
    let line = EventView::plain_text(&kind, &fields);
    let caused_by = event.caused_by.map(shift);
    let cue = text.and_then(|it| it.ui.as_ref()).map(ui::value);
    EventView { seq, kind, status: status(event), caused_by, group: event.group, fields, text: line, ui: cue }
}

/// That something was taken back.
pub fn undone(by: &str, n_before: usize) -> EventView {
    let fields = BTreeMap::from([("by".to_owned(), by.into())]);
    let (seq, kind, text) = (number(n_before), "Undone".to_owned(), format!("{by} took back"));
    EventView { seq, kind, status: EventStatus::Applied, caused_by: None, group: None, fields, text, ui: None }
}

fn status(event: &RawEvent) -> EventStatus {
    match event.kind {
        _ if event.is_pending => EventStatus::Pending,
        kind if kind == BuiltIn::EventPrevented.id() => EventStatus::Prevented,
        kind if kind == BuiltIn::EventFailed.id() => EventStatus::Failed,
        _ => EventStatus::Applied,
    }
}

fn number(n_before: usize) -> u32 {
    u32::try_from(n_before).unwrap_or(u32::MAX).saturating_add(1)
}

/// How a match ended.
pub fn outcome(program: &Program, outcome: Outcome) -> OutcomeView {
    let winners = (0..16).map(PlayerId).filter(|it| outcome.winners & it.bit() != 0);
    OutcomeView { winners: winners.map(|it| Seat(it.0).to_string()).collect(), reason: reason(program, outcome.why) }
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

/// That a player may act.
pub fn priority(input_id: u32, holder: PlayerId) -> WaitView {
    let players: Vec<String> = player(holder).into_iter().collect();
    WaitView { input_id, kind: "priority".to_owned(), missing: players.clone(), players }
}

/// The window in which players may act.
pub fn window(live: &Match, window: &Window) -> WindowView {
    let (state, program) = (live.state(), live.ruleset().program());
    let row = state.stack.iter().position(|it| window.responds_to.is_some() && it.event == window.responds_to);
    let passed = state.players().filter(|it| window.passed & it.bit() != 0);
    WindowView {
        holder: player(window.holder).unwrap_or_default(),
        kind: if row.is_some() { "response" } else { "action" }.to_owned(),
        responds_to: row.map(|it| format!("e{}", it + 1)),
        passed: passed.filter_map(player).collect(),
        step: named(&program.text.steps, state.head.step.index()),
    }
}

/// The table.
pub fn view(live: &Match, projector: &mut Projector) -> View {
    let program = live.ruleset().program();
    let raw = projector.view(live);
    let head = &live.state().head;
    let mut values = BTreeMap::from([("turnNumber".to_owned(), Value::Integer(raw.turn.into()))]);
    values.insert("phase".to_owned(), named(&program.text.phases, raw.phase.index()).into());
    values.insert("step".to_owned(), named(&program.text.steps, raw.step.index()).into());
    values.extend(player(raw.active).map(|it| ("activePlayer".to_owned(), it.into())));
    let attributes = |it: &Values| attributes(live, projector, it);
    let seats = raw.players.iter().zip(0..).map(|(it, seat)| SeatView {
        id: Seat(seat).to_string(),
        is_out: head.alive & PlayerId(seat).bit() == 0,
        values: attributes(it),
    });
    let card = |it: &engine::view::CardView| CardView {
        id: format!("c{}", it.handle),
        name: name_of(program, it.def),
        values: attributes(&it.values),
    };
    let zone = |it: &engine::view::ZoneView| ZoneView {
        name: named(&program.text.zones, it.zone.index()),
        owner: it.seat.and_then(player),
        count: it.count,
        cards: it.cards.iter().map(card).collect(),
    };
    View {
        branch_id: 0,
        players: seats.collect(),
        zones: raw.zones.iter().map(zone).collect(),
        stack: raw.stack.iter().enumerate().map(|(at, it)| item(program, at, it)).collect(),
        waiting: raw.waits.iter().map(|it| wait(live, it)).collect(),
        is_paused: head.paused.is_some(),
        outcome: raw.outcome.map(|it| outcome(program, it)),
        values,
    }
}

fn attributes(live: &Match, projector: &Projector, values: &Values) -> BTreeMap<String, Value> {
    let program = live.ruleset().program();
    let attribute = |(attr, field): &(ruleset::AttrId, FieldView)| {
        (named(&program.text.attrs, attr.index()), value(live, projector, field, Sort::Int))
    };
    values.iter().map(attribute).collect()
}

fn item(program: &Program, at: usize, item: &engine::view::ItemView) -> ItemView {
    ItemView {
        id: format!("e{}", at + 1),
        is_past_before: item.is_past_before,
        kind: program.text.events.get(item.event_type.index()).map_or_else(String::new, |it| it.id.clone()),
        is_reaction: item.is_reaction,
        controller: player(item.controller),
        source: item.source.map(|it| format!("c{it}")),
    }
}

fn wait(live: &Match, wait: &engine::view::WaitView) -> WaitView {
    let seats = live.state().ask(wait.input).map_or(0, |it| it.seats);
    let players = live.state().players().filter(|it| seats & it.bit() != 0);
    WaitView {
        input_id: wait.input.0,
        kind: wait.kind.as_str().to_owned(),
        players: players.filter_map(player).collect(),
        missing: wait.players.iter().filter_map(|it| player(*it)).collect(),
    }
}
