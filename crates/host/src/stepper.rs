//! Goes through a stored match record by record, forwards and backwards, also in the middle of a resolution.

use std::{collections::BTreeMap, sync::Arc};

use engine::{
    EntityId, EventNo, Log, Match, Record, Sink,
    explain::Considered,
    log::{LogError, borrowed},
    state::FrameKind,
};
use ruleset::{EventTypeId, RuleId, Ruleset};

use crate::{
    Narrator,
    explain::{Reason, trace, verdict},
};

/// Where to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// An event of this type is announced or has happened.
    Event(EventTypeId),
    /// Something concerns this card.
    Card(EntityId),
    /// A rule comes onto the stack.
    Rule(RuleId),
}

/// A row of the stack, told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The event, rule or group it is.
    pub name: String,
    pub source: Option<String>,
    /// How far it has come.
    pub stage: String,
}

/// A stored match at one of its records.
pub struct Stepper {
    ruleset: Arc<Ruleset>,
    log: Log,
    /// The records of each transition.
    records: Vec<Vec<Record<Vec<i64>>>>,
    /// The match before each transition, as far as it was reached.
    frames: Vec<(Match, Narrator)>,
    /// What rules did in each transition, as far as somebody asked.
    traces: BTreeMap<usize, Vec<Considered>>,
    live: Match,
    narrator: Narrator,
    transition: usize,
    record: usize,
}

impl Stepper {
    /// Stands before the first record of a log; a damaged log is refused with the place where it is.
    pub fn new(ruleset: &Arc<Ruleset>, log: Log) -> Result<Self, LogError> {
        log.check()?;
        let live = log.fold(ruleset, 0)?;
        let records = log.steps(ruleset)?;
        let n = u8::try_from(log.header().setup.decks.len()).unwrap_or(u8::MAX);
        let narrator = Narrator::new(ruleset.clone(), n);
        Ok(Self {
            ruleset: ruleset.clone(),
            log,
            records,
            frames: Vec::new(),
            traces: BTreeMap::new(),
            live,
            narrator,
            transition: 0,
            record: 0,
        })
    }

    /// The match as it stands here.
    pub fn live(&self) -> &Match {
        &self.live
    }

    /// How many records were gone through.
    pub fn position(&self) -> usize {
        self.records.iter().take(self.transition).map(Vec::len).sum::<usize>() + self.record
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.iter().map(Vec::len).sum()
    }

    /// Whether there is nothing to go through.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was told up to here.
    pub fn lines(&self) -> &[String] {
        &self.narrator.lines
    }

    /// Goes through one record; false at the end.
    pub fn forward(&mut self) -> bool {
        while self.records.get(self.transition).is_some_and(|it| self.record >= it.len()) {
            self.transition += 1;
            self.record = 0;
        }
        let Some(records) = self.records.get(self.transition) else { return false };
        if self.record == 0 {
            if self.frames.len() == self.transition {
                self.frames.push((self.live.clone(), self.narrator.clone()));
            }
            if let Some(command) = self.log.transition(self.transition).and_then(|it| it.command()) {
                self.live.mark(&command);
            }
        }
        let record = borrowed(&records[self.record]);
        self.live.fold(&record);
        self.narrator.record(self.live.state(), &record);
        self.record += 1;
        true
    }

    /// Goes back one record; false at the beginning.
    pub fn back(&mut self) -> bool {
        let Some(to) = self.position().checked_sub(1) else { return false };
        self.go_to(to);
        true
    }

    /// Goes to where so many records were gone through, or to the end.
    pub fn go_to(&mut self, position: usize) {
        if position < self.position() {
            self.rewind(position);
        }
        while self.position() < position && self.forward() {}
    }

    /// Back to the beginning of the transition in which a position lies.
    fn rewind(&mut self, position: usize) {
        let mut before = 0;
        let mut transition = 0;
        for (i, records) in self.records.iter().enumerate() {
            if before + records.len() > position {
                transition = i;
                break;
            }
            before += records.len();
        }
        if let Some((live, narrator)) = self.frames.get(transition) {
            (self.live, self.narrator) = (live.clone(), narrator.clone());
            (self.transition, self.record) = (transition, 0);
        }
    }

    /// Goes on until a breakpoint is hit; false if none is until the end.
    pub fn run(&mut self, breakpoints: &[Breakpoint]) -> bool {
        while self.forward() {
            if breakpoints.iter().any(|it| self.hits(*it)) {
                return true;
            }
        }
        false
    }

    /// Whether the record just gone through is one to stop at.
    fn hits(&self, breakpoint: Breakpoint) -> bool {
        let Some(record) = self.records.get(self.transition).and_then(|it| it.get(self.record - 1)) else {
            return false;
        };
        match (breakpoint, record) {
            (Breakpoint::Event(kind), Record::Pushed(frame, _) | Record::AtOnce(frame, _)) => frame.etype == kind,
            (Breakpoint::Event(kind), Record::Happened { kind: happened, .. }) => *happened == kind,
            (Breakpoint::Card(card), Record::Pushed(frame, _) | Record::AtOnce(frame, _)) => {
                frame.source == card || frame.subject == card
            }
            (Breakpoint::Card(card), Record::Happened { subject, .. }) => *subject == card,
            (Breakpoint::Card(card), Record::AttrSet { entity, .. }) => *entity == card,
            (Breakpoint::Card(card), Record::Moved { card: moved, .. }) => *moved == card,
            (Breakpoint::Rule(rule), Record::Pushed(frame, _)) => frame.rule == rule,
            _ => false,
        }
    }

    /// The card or player that is called so in what is told.
    pub fn find(&self, name: &str) -> Option<EntityId> {
        let everybody = (0..self.live.state().ents.len()).map(EntityId::at);
        everybody.into_iter().find(|it| self.narrator.entity(*it).eq_ignore_ascii_case(name))
    }

    /// The number of the event that the record just gone through announces or tells of.
    pub fn event(&self) -> Option<EventNo> {
        match self.records.get(self.transition)?.get(self.record.checked_sub(1)?)? {
            Record::Pushed(frame, _) | Record::AtOnce(frame, _) if frame.kind != FrameKind::Trigger => {
                Some(frame.event)
            }
            Record::Happened { event, .. } | Record::Moved { event, .. } | Record::Created { event, .. } => {
                Some(*event)
            }
            _ => None,
        }
        .filter(|it| it.is_some())
    }

    /// The rules that were considered for the event here, each with the reason why it answers or not.
    pub fn considered(&mut self) -> Vec<Reason> {
        let Some(event) = self.event() else { return Vec::new() };
        if !self.traces.contains_key(&self.transition) {
            let trace = trace(&self.ruleset, &self.log, self.transition).unwrap_or_default();
            self.traces.insert(self.transition, trace);
        }
        let all = self.traces.get(&self.transition).map_or(&[][..], |it| it);
        let here = all.iter().filter(|it| it.event == event);
        here.map(|it| verdict(self.ruleset.program(), &self.narrator, it)).collect()
    }

    /// The stack, the row that goes on next last.
    pub fn stack(&self) -> Vec<Row> {
        let text = &self.ruleset.program().text;
        let row = |it: &engine::state::Frame| {
            let name = match it.kind {
                FrameKind::Intent | FrameKind::Member => text.events.get(it.etype.index()).map(|it| it.id.clone()),
                FrameKind::Trigger => text.rules.get(it.rule.index()).map(|it| it.id.clone()),
                FrameKind::Group => Some(format!("group {}", it.group)),
                FrameKind::Order => Some("triggers to be ordered".to_owned()),
            };
            Row {
                name: name.unwrap_or_default(),
                source: it.source.is_some().then(|| self.narrator.entity(it.source)),
                stage: format!("{:?}", it.stage).to_lowercase(),
            }
        };
        self.live.state().stack.iter().map(row).collect()
    }
}
