//! Why rules answered an event or not, told. The command that led to it is carried out once more and watched.

use std::sync::Arc;

use engine::{
    EventNo, Log, Record, Sink as _,
    explain::{Considered, Verdict},
    log::{LogError, borrowed},
    state::{LimitScope, Reason as Prevention},
};
use ruleset::{EventTypeId, Program, RuleId, Ruleset, program::Timing};
use script::Viewer;

use super::{ExplainError, Explanation, Names, Reason};
use crate::{HostedMatch as _, Narrator, ruled::RuledMatch};

/// What rules did about all that one transition of a log led to. Running a command again gives the same.
pub fn trace(ruleset: &Arc<Ruleset>, log: &Log, transition: usize) -> Result<Vec<Considered>, LogError> {
    let mut live = log.fold(ruleset, transition)?;
    let command = log.transition(transition).and_then(|it| it.command());
    Ok(match command {
        None => live.begin_traced(&log.header().setup, &mut ()).1,
        Some(command) => live.submit_traced(&command, &mut ()).map(|it| it.1).unwrap_or_default(),
    })
}

/// Why a rule answers an event, or why not, as a reason that holds if it does.
pub fn verdict(program: &Program, names: &dyn Names, it: &Considered) -> Reason {
    let rule = rule_name(program, it.rule);
    let of = if it.source.is_none() { String::new() } else { format!(" of {}", names.name(it.source.into(), CARD)) };
    let told = |why: &str, story| Reason::on(format!("{rule}{of}: {why}"), Some(false), story, names);
    match &it.verdict {
        Verdict::Taken(stories) => {
            let parts = stories.iter().flat_map(|it| Reason::on("", None, Some(it), names).parts).collect();
            Reason { parts, ..Reason::plain(format!("{rule}{of}: answers"), Some(true)) }
        }
        Verdict::Elsewhere => told("its card is where it does not work", None),
        Verdict::Lost => told("its card has lost it", None),
        Verdict::Filtered(story) => told("the event is not what it waits for", story.as_ref()),
        Verdict::Unmet(story) => told("its conditions do not hold", story.as_ref()),
        Verdict::UsedUp { scope, max } => {
            let within = match scope {
                LimitScope::Turn(_) => "in this turn",
                LimitScope::Event(_) => "to this event",
                LimitScope::Source(..) => "to this source",
            };
            told(&format!("it has answered {within} as often as it may: {max}"), None)
        }
        Verdict::Spent => told("it has answered as often as it was to wait", None),
        Verdict::Dropped(story) => {
            told("it answered, but its conditions held no longer when its turn came", story.as_ref())
        }
    }
}

const CARD: ruleset::sort::Type = ruleset::sort::Type::CARD;

fn rule_name(program: &Program, rule: RuleId) -> String {
    let label = program.text.rules.get(rule.index()).map_or("", |it| it.id.as_str());
    if label.is_empty() { "a rule".to_owned() } else { label.to_owned() }
}

/// An event of a log: where it is, what it is, and what came of it.
struct Found {
    transition: usize,
    kind: EventTypeId,
    is_fact: bool,
    prevented: Option<(EventNo, Prevention)>,
}

/// Why rules answered an event or not.
pub fn explain(hosted: &RuledMatch, viewer: Viewer, event: u32, of: Option<&str>) -> Result<Explanation, ExplainError> {
    // Numbers of events count what is hidden, and rules of hidden cards are considered, too.
    if viewer != Viewer::Judge {
        return Err(ExplainError::NotAllowed);
    }
    let ruleset = hosted.live().ruleset();
    let log = Log::read(&hosted.log_bytes()).map_err(|_| ExplainError::NotThere)?;
    let records = log.steps(ruleset).map_err(|_| ExplainError::NotThere)?;
    let found = find(&records, EventNo(event)).ok_or(ExplainError::UnknownEvent(event))?;
    let mut narrator = Narrator::new(ruleset.clone(), hosted.n_seats());
    records.iter().flatten().for_each(|it| narrator.record(hosted.live().state(), &borrowed(it)));
    let considered = trace(ruleset, &log, found.transition).map_err(|_| ExplainError::NotThere)?;
    Ok(Tale { program: ruleset.program(), names: &narrator, event, found }.explain(&considered, of))
}

/// Where an event is in a log.
fn find(records: &[Vec<Record<Vec<i64>>>], event: EventNo) -> Option<Found> {
    let mut found: Option<Found> = None;
    let mut is_fact = false;
    for (transition, it) in records.iter().enumerate().flat_map(|(i, it)| it.iter().map(move |it| (i, it))) {
        let kind = match it {
            Record::Pushed(frame, _) | Record::AtOnce(frame, _) if frame.event == event => Some(frame.etype),
            Record::Happened { event: no, kind, .. } if *no == event => {
                is_fact = found.is_none();
                Some(*kind)
            }
            Record::Moved { event: no, .. } if *no == event => Some(ruleset::program::BuiltIn::CardMoved.id()),
            Record::Created { event: no, .. } if *no == event => Some(ruleset::program::BuiltIn::CardCreated.id()),
            _ => None,
        };
        if let Some(kind) = kind.filter(|_| found.is_none()) {
            found = Some(Found { transition, kind, is_fact, prevented: None });
        }
        if let (Some(found), Record::Prevented { event: no, by, reason }) = (&mut found, it)
            && *no == event
        {
            found.prevented = Some((*by, *reason));
        }
    }
    found
}

struct Tale<'a> {
    program: &'a Program,
    names: &'a Narrator,
    event: u32,
    found: Found,
}

impl Tale<'_> {
    fn explain(&self, considered: &[Considered], of: Option<&str>) -> Explanation {
        let no = EventNo(self.event);
        let here = considered.iter().filter(|it| it.event == no || it.producer == no);
        let here: Vec<&Considered> = here.filter(|it| of.is_none_or(|of| self.is_about(it, of))).collect();
        let mut reasons: Vec<Reason> = here.iter().map(|it| verdict(self.program, self.names, it)).collect();
        if let Some((by, why)) = self.found.prevented {
            let by = if by.is_some() { format!(" by {}", self.names.event(by)) } else { String::new() };
            let why = format!("{why:?}").to_lowercase();
            reasons
                .insert(0, Reason::plain(format!("it did not happen, so nothing answers it: {why}{by}"), Some(false)));
        }
        if let Some(of) = of.filter(|_| here.is_empty()) {
            reasons.extend(self.deaf(of));
        }
        let n_taken = here.iter().filter(|it| matches!(it.verdict, Verdict::Taken(_))).count();
        let text = self.program.text.events.get(self.found.kind.index());
        let name = text.map_or("", |it| if self.found.is_fact { &it.fact } else { &it.id });
        let answer = match n_taken {
            0 => format!("nothing{} answered {name} (event {})", of_whom(of), self.event),
            1 => format!("one rule{} answered {name} (event {})", of_whom(of), self.event),
            n => format!("{n} rules{} answered {name} (event {})", of_whom(of), self.event),
        };
        let code = if n_taken > 0 { "taken" } else { "not_taken" };
        Explanation { answer, code: code.to_owned(), reasons, expected: None }
    }

    /// Whether a rule, or the card it belongs to, is called so.
    fn is_about(&self, it: &Considered, of: &str) -> bool {
        let card = self.names.name(it.source.into(), CARD);
        let bare = card.split('#').next().unwrap_or(&card).replace('_', " ");
        rule_name(self.program, it.rule) == of || card == of || bare.eq_ignore_ascii_case(&of.replace('_', " "))
    }

    /// Why rules of a name were not even looked at.
    fn deaf(&self, of: &str) -> Vec<Reason> {
        let rules = self.program.rules.iter().enumerate().filter(|it| rule_name(self.program, RuleId::at(it.0)) == of);
        let reasons: Vec<Reason> = rules.map(|(_, rule)| self.deaf_rule(of, rule)).collect();
        if reasons.is_empty() {
            return vec![Reason::plain(
                format!("{of}: no rule and no card with a rule for such an event is called so"),
                Some(false),
            )];
        }
        reasons
    }

    fn deaf_rule(&self, of: &str, rule: &ruleset::program::Rule) -> Reason {
        let event = self.program.text.events.get(rule.event.index()).map_or("", |it| &it.id);
        let why = match rule.timing {
            Timing::Activated => "it is used by its player and answers nothing".to_owned(),
            Timing::Continuous => "it works all the time and answers nothing".to_owned(),
            Timing::Before if rule.event != self.found.kind => format!("it comes before {event}"),
            Timing::After if rule.event != self.found.kind => format!("it waits for {event}"),
            Timing::Before | Timing::After => "no card has it".to_owned(),
        };
        Reason::plain(format!("{of}: {why}"), Some(false))
    }
}

fn of_whom(of: Option<&str>) -> String {
    of.map_or(String::new(), |it| format!(" of {it}"))
}
