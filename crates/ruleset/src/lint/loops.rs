//! Rules that lead to themselves, so that only a limit ends them.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use super::{Warning, warn};
use crate::{
    ids::{CodePtr, EventTypeId},
    instr::Instr,
    program::{Program, Rule, Timing},
};

/// An event whose before-reactions lead to an event of the same type never gets to happen.
pub fn before_loops(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    for (i, rule) in program.rules.iter().enumerate().filter(|it| it.1.timing == Timing::Before) {
        let start = rule.event;
        if emitted(program, rule.effects).any(|it| leads_to(program, it, start)) && !is_limited(rule) {
            let (name, event) = (rule_name(program, i), event_name(program, start));
            let message = format!("the reaction {name} comes before {event} and leads to {event} again");
            found.push(warn("ruleset/before_loop", ("rules", name), message));
        }
    }
    found
}

fn is_limited(rule: &Rule) -> bool {
    rule.limiter.per_turn.is_some() || rule.conditions.is_some()
}

fn rule_name(program: &Program, at: usize) -> &str {
    program.text.rules.get(at).map_or("", |it| &it.id)
}

fn event_name(program: &Program, id: EventTypeId) -> &str {
    program.text.events.get(id.index()).map_or("", |it| &it.id)
}

/// The event types a list emits.
fn emitted(program: &Program, code: CodePtr) -> impl Iterator<Item = EventTypeId> + '_ {
    let list = program.code.get(code.index()..).unwrap_or_default();
    // What stands behind an early `stop` is not seen; this is a hint, not a proof.
    let end = list.iter().position(|it| *it == Instr::End).unwrap_or(0);
    list.iter().take(end).filter_map(|it| if let Instr::Emit(emit) = it { Some(emit.kind) } else { None })
}

/// Whether an event leads to another type before it has happened.
fn leads_to(program: &Program, from: EventTypeId, to: EventTypeId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = alloc::vec![from];
    while let Some(event) = open.pop() {
        if event == to {
            return true;
        }
        if seen.insert(event) {
            let own = program.event(event).map_or(CodePtr::NONE, |it| it.effects);
            open.extend(emitted(program, own));
            let before = program.rules.iter().filter(|it| it.timing == Timing::Before && it.event == event);
            open.extend(before.flat_map(|it| emitted(program, it.effects)));
        }
    }
    false
}

/// Reactions that always lead to the event they answer, the cycle named.
/// Only those count that answer whatever the event is like, and emit whatever the table is like.
pub fn trigger_loops(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for (i, _) in program.rules.iter().enumerate().filter(|it| always_answers(it.1)) {
        if told.contains(&i) {
            continue;
        }
        if let Some(path) = cycle(program, i) {
            told.extend(path.iter().copied());
            let names: Vec<&str> = path.iter().map(|it| rule_name(program, *it)).collect();
            let first = rule_name(program, i);
            let cycle: String = names.join(" > ");
            let message = format!("these reactions set each other off for ever: {cycle} > {first}");
            found.push(warn("ruleset/trigger_loop", ("rules", first), message));
        }
    }
    found
}

fn always_answers(rule: &Rule) -> bool {
    let free = rule.filter.is_none() && rule.conditions.is_none() && !rule.by_subject && rule.delay.is_none();
    let unlimited = rule.limiter == crate::program::Limiter::default();
    rule.timing == Timing::After && rule.global && free && unlimited
}

/// Follows what a rule always emits; the rules that lead back to the event it started from, none if nothing does.
fn cycle(program: &Program, start: usize) -> Option<Vec<usize>> {
    let goal = program.rules.get(start)?.event;
    // Each rule that was come to, with the one it was come to from. No rule is followed twice.
    let mut come_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = alloc::vec![start];
    while let Some(rule) = open.pop() {
        let effects = program.rules.get(rule).map_or(CodePtr::NONE, |it| it.effects);
        for event in surely_emitted(program, effects) {
            if event == goal {
                return Some(way_to(rule, start, &come_from));
            }
            let answers = program.rules.iter().enumerate().filter(|it| it.1.event == event && always_answers(it.1));
            for (next, _) in answers.filter(|it| it.0 != start) {
                come_from.entry(next).or_insert_with(|| {
                    open.push(next);
                    rule
                });
            }
        }
    }
    None
}

/// The rules from the first to another, by where each was come to from.
fn way_to(last: usize, start: usize, come_from: &BTreeMap<usize, usize>) -> Vec<usize> {
    let mut way: Vec<usize> = core::iter::successors(Some(last), |it| come_from.get(it).copied()).collect();
    way.retain(|it| *it != start);
    way.push(start);
    way.reverse();
    way
}

/// The event types a list emits before anything decides or waits, and that nothing can keep from happening.
#[expect(clippy::wildcard_enum_match_arm, reason = "everything else neither emits nor decides")]
fn surely_emitted(program: &Program, code: CodePtr) -> Vec<EventTypeId> {
    let mut found = Vec::new();
    for instr in program.code.get(code.index()..).unwrap_or_default() {
        match instr {
            Instr::Emit(emit) => {
                let sure = program.event(emit.kind).is_some_and(|it| {
                    it.requires.is_none() && it.skip_when.is_none() && it.subject.is_none() && it.has_fact
                });
                if sure {
                    found.push(emit.kind);
                }
            }
            Instr::End
            | Instr::Jump(_)
            | Instr::JumpIf(_)
            | Instr::JumpUnless(_)
            | Instr::Next { .. }
            | Instr::Loop { .. }
            | Instr::Ask(_)
            | Instr::AskTogether(..)
            | Instr::Wait(_)
            | Instr::GroupStart { .. } => break,
            _ => {}
        }
    }
    found
}
