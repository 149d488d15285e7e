//! What a sound ruleset may still have got wrong: findings that are worth a look but stop nothing.

mod possible;
mod range;
mod reach;

use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    ids::{CodePtr, EventTypeId},
    instr::Instr,
    program::{BuiltIn, Program, Rule, Timing},
};

/// Something worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable, such as `ruleset/before_loop`.
    pub code: &'static str,
    pub message: String,
}

/// Looks at a whole program.
pub fn lint(program: &Program) -> Vec<Warning> {
    let mut found = before_loops(program);
    found.extend(silent_games(program));
    found.extend(reach::unreachable(program));
    found
}

/// An event whose before-reactions lead to an event of the same type never gets to happen: only a limit ends it.
fn before_loops(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    for (i, rule) in program.rules.iter().enumerate().filter(|it| it.1.timing == Timing::Before) {
        let start = rule.event;
        if emitted(program, rule.effects).any(|it| leads_to(program, it, start)) && !is_limited(rule) {
            let name = program.text.rules.get(i).map_or("", |it| &it.id);
            let event = program.text.events.get(start.index()).map_or("", |it| &it.id);
            let message = format!("the reaction {name} comes before {event} and leads to {event} again");
            found.push(Warning { code: "ruleset/before_loop", message });
        }
    }
    found
}

fn is_limited(rule: &Rule) -> bool {
    rule.limiter.per_turn.is_some() || rule.conditions.is_some()
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

/// Whether something besides giving up can end the game.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other instructions end nothing")]
fn can_end(program: &Program) -> bool {
    let ends = |it: &&Instr| match it {
        Instr::Eliminate | Instr::EndGame => true,
        Instr::Emit(emit) => emit.kind == BuiltIn::GameEnded.id(),
        _ => false,
    };
    // The engine's own `GameEnded` is one of them.
    !program.ends.is_empty() || program.code.iter().filter(ends).count() > 1
}

/// A game in which nobody ever decides anything, or which nothing ends.
fn silent_games(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    let warn = |code: &'static str, message: &str| Warning { code, message: message.to_string() };
    let windows = program.steps.iter().any(|it| it.window) && !program.actions.is_empty();
    if !windows && program.asks.is_empty() && program.timers.is_empty() {
        found.push(warn(
            "ruleset/no_decision",
            "nobody ever decides anything: there is no action in a step with a window, and no question",
        ));
    }
    if !can_end(program) {
        found.push(warn(
            "ruleset/no_end",
            "nothing ends the game but giving up: there is no end condition and nobody can lose",
        ));
    }
    found
}
