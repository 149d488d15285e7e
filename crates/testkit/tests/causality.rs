//! Rulings about records, numbers and causes, shown on whole games.

use std::collections::{BTreeMap, BTreeSet};

use engine::{
    EntityId, EventNo, Log, Match, Record, Sink,
    state::{Frame, FrameKind, MatchState},
};
use ruleset::{EventTypeId, NULL, program::BuiltIn};
use testkit::{contract::random_game, games, scenario::Table};

type World = (Vec<engine::state::Entity>, Vec<i32>, Vec<engine::state::ZoneRow>, Vec<engine::state::Modifier>, u16);

fn world(state: &MatchState) -> World {
    (state.ents.clone(), state.attrs.clone(), state.zones.clone(), state.mods.clone(), state.head.alive)
}

fn changes_the_world(record: &Record<&[i64]>) -> bool {
    matches!(
        record,
        Record::AttrSet { .. }
            | Record::Moved { .. }
            | Record::Created { .. }
            | Record::Reserved(_)
            | Record::Ordered(..)
            | Record::Shuffled(..)
            | Record::ModAdded(_)
            | Record::ModDropped(_)
            | Record::Revealed { .. }
            | Record::ControlSet { .. }
            | Record::Eliminated(_)
    )
}

/// Notes every record that changed the world although it is none of those that may.
#[derive(Default)]
struct WorldWatch {
    before: Option<World>,
    n_intents: usize,
    n_facts: usize,
    offenders: Vec<String>,
}

impl Sink for WorldWatch {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        self.n_intents += usize::from(matches!(record, Record::Pushed(..)));
        self.n_facts += usize::from(matches!(record, Record::Happened { .. }));
        let now = world(state);
        if self.before.as_ref().is_some_and(|it| *it != now) && !changes_the_world(record) {
            self.offenders.push(format!("{record:?}"));
        }
        self.before = Some(now);
    }
}

/// A random game of Skirmish, replayed with a sink.
fn replay<S: Sink>(seed: u64, sink: &mut S) -> (Match, Log) {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, seed, |_, _| {});
    let mut live = Match::empty(ruleset, &log.header().setup).unwrap();
    live.begin(&log.header().setup, sink);
    for command in log.commands() {
        live.submit(&command, sink).unwrap();
    }
    (live, log)
}

#[test]
fn ruling_02_intents_and_facts_change_nothing_of_the_world() {
    let mut watch = WorldWatch::default();
    replay(2, &mut watch);
    assert!(watch.n_intents > 100 && watch.n_facts > 100, "the game is long enough to tell");
    assert_eq!(watch.offenders, Vec::<String>::new());
}

/// All that was done in a game, in its order.
fn records(live: &Match, log: &Log) -> Vec<Record<Vec<i64>>> {
    log.steps(live.ruleset()).unwrap().into_iter().flatten().collect()
}

/// A fact of the log: its number, type, cause and fields.
type Fact = (EventNo, EventTypeId, EventNo, Vec<i64>);

fn facts(records: &[Record<Vec<i64>>]) -> Vec<Fact> {
    let fact = |it: &Record<Vec<i64>>| match it {
        Record::Happened { event, kind, cause, args, .. } => Some((*event, *kind, *cause, args.clone())),
        Record::Moved { event, cause, .. } => Some((*event, BuiltIn::CardMoved.id(), *cause, Vec::new())),
        Record::Created { event, cause, .. } if event.is_some() => {
            Some((*event, BuiltIn::CardCreated.id(), *cause, Vec::new()))
        }
        _ => None,
    };
    records.iter().filter_map(fact).collect()
}

/// The rows that came onto the stack.
fn rows(records: &[Record<Vec<i64>>]) -> BTreeMap<EventNo, Frame> {
    let pushed = records.iter().filter_map(|it| {
        if let Record::Pushed(frame, _) | Record::AtOnce(frame, _) = it { Some(*frame) } else { None }
    });
    pushed.map(|it| (it.event, it)).collect()
}

/// The events that were prevented as a whole.
fn prevented(records: &[Record<Vec<i64>>]) -> BTreeSet<EventNo> {
    let told = facts(records).into_iter().filter(|it| it.1 == BuiltIn::EventPrevented.id());
    told.filter(|it| it.3.get(4) == Some(&NULL)).filter_map(|it| it.3.first().map(|id| EventNo::from(*id))).collect()
}

#[test]
fn ruling_02_an_event_ends_as_applied_or_as_prevented_and_never_as_both() {
    let mut n_prevented = 0;
    for seed in 0..6 {
        let (live, log) = replay(seed, &mut ());
        let records = records(&live, &log);
        let prevented = prevented(&records);
        n_prevented += prevented.len();
        let refused = [BuiltIn::EventPrevented.id(), BuiltIn::CostRefunded.id()];
        let applied: BTreeSet<EventNo> =
            facts(&records).iter().filter(|it| !refused.contains(&it.1)).map(|it| it.2).collect();
        let rows = rows(&records);
        // What was paid for an action is a fact of its own, told when it was announced.
        let both = prevented.iter().filter(|it| rows[it].action.is_none() && applied.contains(it));
        assert_eq!(both.collect::<Vec<_>>(), Vec::<&EventNo>::new(), "seed {seed}");
    }
    assert!(n_prevented > 0, "no game had anything prevented");
}

#[test]
fn ruling_03_every_cause_is_an_earlier_event_and_every_chain_begins_with_an_action_or_the_game() {
    for seed in 0..3 {
        let (live, log) = replay(seed, &mut ());
        let records = records(&live, &log);
        let rows = rows(&records);
        for frame in rows.values() {
            assert!(frame.cause.is_none() || frame.cause < frame.event, "names a later cause: {frame:?}");
            let Some(root) = rows.get(&frame.root) else {
                assert!(matches!(frame.kind, FrameKind::Member | FrameKind::Group), "has no root: {frame:?}");
                continue;
            };
            let is_system = root.etype.index() < BuiltIn::ALL.len() || root.kind == FrameKind::Group;
            assert!(root.action.is_some() || is_system, "begins with something else: {root:?}");
            assert_eq!(frame.kind == FrameKind::Trigger, frame.rule.is_some(), "rule and cause are apart: {frame:?}");
        }
        for (event, _, cause, _) in facts(&records) {
            assert!(cause.is_none() || cause < event, "seed {seed}: {event:?} names a later cause");
        }
    }
}

#[test]
fn ruling_04_facts_are_numbered_in_their_order_and_no_number_comes_twice() {
    let (live, log) = replay(4, &mut ());
    let records = records(&live, &log);
    let numbers: Vec<EventNo> = facts(&records).iter().map(|it| it.0).collect();
    assert!(numbers.windows(2).all(|it| it[0] < it[1]), "a fact has an earlier number than one before it");
    let rows = rows(&records);
    assert!(numbers.iter().all(|it| !rows.contains_key(it)), "a fact and a row share a number");
    let (_, again) = replay(4, &mut ());
    assert_eq!(log, again, "another time of the day gives another log");
}

/// Notes records that the state does not show yet when they are told.
#[derive(Default)]
struct FoldFirst {
    n: usize,
    early: Vec<String>,
}

impl Sink for FoldFirst {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        let folded = match *record {
            Record::Moved { card, to, .. } => state.ent(card).is_some_and(|it| it.zone == to),
            Record::Pushed(frame, _) => state.top().is_some_and(|it| it.event == frame.event),
            Record::WindowSet(window) => state.head.window == window,
            Record::Asked(ask) => state.ask(ask.no).is_some(),
            _ => return,
        };
        self.n += 1;
        if !folded {
            self.early.push(format!("{record:?}"));
        }
    }
}

#[test]
fn ruling_06_records_are_folded_before_anybody_is_told() {
    let mut sink = FoldFirst::default();
    let (live, log) = replay(6, &mut sink);
    assert!(sink.n > 100, "the game is long enough to tell");
    assert_eq!(sink.early, Vec::<String>::new());
    let ruleset = live.ruleset().clone();
    assert_eq!(log.fold(&ruleset, log.len()).unwrap().encode(), live.encode(), "the log has all of it");
}

#[test]
fn ruling_07_numbers_decide_order_not_their_text() {
    assert!(EventNo(2) < EventNo(10) && EntityId(2) < EntityId(10));
    let ruleset = games::parse(
        r#"{
          "include": ["std"], "cardTypes": [{ "id": "unit" }], "cards": [{ "id": "wall", "name": "Wall", "type": "unit" }],
          "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] },
          "actions": [{ "id": "blast", "timing": "sorcery", "effects": [{ "op": "deal_damage", "target": { "zone": "battlefield" }, "amount": 1 }] }]
        }"#,
    );
    let walls = ["Wall"; 12].join(", ");
    let mut table = Table::set(ruleset, &format!("p1 battlefield: {walls}")).unwrap();
    let blast = table.live.legal(engine::PlayerId(0), 1).remove(0);
    let mut recorder = engine::log::Recorder::default();
    table.live.submit(&blast, &mut recorder).unwrap();
    let records = engine::log::decode_records(recorder.bytes()).unwrap();
    let hurt = records.iter().filter_map(|it| match it {
        Record::Happened { subject, .. } if subject.is_some() => Some(subject.0),
        _ => None,
    });
    assert_eq!(hurt.collect::<Vec<u32>>(), (2..14).collect::<Vec<u32>>());
}

#[test]
fn ruling_67_a_prevented_event_can_be_looked_up_for_the_whole_match() {
    let mut n = 0;
    for seed in 0..6 {
        let (_, log) = replay(seed, &mut ());
        let records: Vec<_> = log.records().unwrap().into_iter().flatten().collect();
        let rows = rows(&records);
        for it in facts(&records).iter().filter(|it| it.1 == BuiltIn::EventPrevented.id()) {
            let row = rows.get(&EventNo::from(it.3[0])).expect("the prevented event is in the log");
            assert_eq!(i64::from(row.etype), it.3[1], "the fact names its type, too");
            n += 1;
        }
    }
    assert!(n > 0, "no game had anything prevented");
}
