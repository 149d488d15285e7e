//! What no match can ever come to: phases and steps nobody enters, actions nobody can take, costs nobody can pay.

use alloc::{format, vec::Vec};

use super::{Warning, possible::Known, warn};
use crate::{
    ids::{CodePtr, StepId},
    instr::Instr,
    program::{Program, Timing},
};

/// Looks for what cannot be reached.
pub fn unreachable(program: &Program) -> Vec<Warning> {
    let mut found = empty_phases(program);
    found.extend(steps_after_the_end(program));
    found.extend(impossible_actions(program));
    found.extend(unpayable(program));
    found
}

fn empty_phases(program: &Program) -> Vec<Warning> {
    let phases = program.text.phases.iter().enumerate();
    let is_empty = |i: usize| !program.steps.iter().any(|it| it.phase.index() == i);
    let tell = |id: &str| {
        warn("ruleset/unreachable_phase", ("phases", id), format!("the phase {id} has no steps, so it never begins"))
    };
    phases.filter(|it| is_empty(it.0)).map(|it| tell(&it.1.id)).collect()
}

/// A step whose list always ends the game lets nothing come after it.
fn steps_after_the_end(program: &Program) -> Vec<Warning> {
    let ends = |it: &crate::program::StepRule| always_ends(program, it.on_start) || always_ends(program, it.on_end);
    let Some(last) = program.steps.iter().position(ends) else { return Vec::new() };
    let name = |at: usize| program.text.steps.get(at).map_or("", |it| it.id.as_str());
    let tell = |at: usize| {
        let message = format!("the step {} never begins: {} always ends the game", name(at), name(last));
        warn("ruleset/unreachable_step", ("steps", name(at)), message)
    };
    (last.saturating_add(1)..program.steps.len()).map(tell).collect()
}

/// Whether a list ends the game whatever happens: nothing before it decides or waits.
#[expect(clippy::wildcard_enum_match_arm, reason = "everything else neither ends nor decides anything")]
fn always_ends(program: &Program, list: CodePtr) -> bool {
    let code = program.code.get(list.index()..).unwrap_or_default();
    for instr in code {
        match instr {
            Instr::Emit(emit) => {
                let event = program.event(emit.kind);
                let sure = |it: &crate::program::EventType| {
                    it.requires.is_none() && it.skip_when.is_none() && !it.preventable && writes_end(program, it.apply)
                };
                if event.is_some_and(sure) {
                    return true;
                }
            }
            Instr::End | Instr::Jump(_) | Instr::JumpIf(_) | Instr::JumpUnless(_) | Instr::Next { .. } => return false,
            Instr::Ask(_) | Instr::AskTogether(..) | Instr::GroupStart { .. } | Instr::RunAbility => return false,
            _ => {}
        }
    }
    false
}

fn writes_end(program: &Program, apply: CodePtr) -> bool {
    let code = program.code.get(apply.index()..).unwrap_or_default();
    let straight = code.iter().take_while(|it| {
        !matches!(it, Instr::End | Instr::Jump(_) | Instr::JumpIf(_) | Instr::JumpUnless(_) | Instr::Next { .. })
    });
    straight.into_iter().any(|it| *it == Instr::EndGame)
}

/// An action whose preconditions cannot hold in any step in which players may act.
fn impossible_actions(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    for (i, action) in program.actions.iter().enumerate() {
        let windows = program.steps.iter().enumerate().filter(|it| it.1.window).map(|it| StepId::at(it.0));
        let possible = |step: StepId| {
            let known = Known { program, step: Some(step) };
            action.preconditions.iter().all(|it| known.can_hold(it.code))
        };
        let mut windows = windows.peekable();
        if windows.peek().is_some() && !windows.any(possible) {
            let id = program.text.actions.get(i).map_or("", |it| &it.label.id);
            let message =
                format!("the action {id} can never be taken: no step with a window fulfils its preconditions");
            found.push(warn("ruleset/unreachable_action", ("actions", id), message));
        }
    }
    found
}

/// Costs of actions and abilities that are more than anybody can have.
fn unpayable(program: &Program) -> Vec<Warning> {
    let known = Known { program, step: None };
    let tell = |section: &'static str, what: &str, id: &str| {
        warn("ruleset/unpayable_cost", (section, id), format!("nobody can ever pay for the {what} {id}"))
    };
    let mut found = Vec::new();
    for (i, action) in program.actions.iter().enumerate() {
        if !known.can_hold(action.costs) {
            found.push(tell("actions", "action", program.text.actions.get(i).map_or("", |it| &it.label.id)));
        }
    }
    for (i, rule) in program.rules.iter().enumerate() {
        if rule.timing == Timing::Activated && !known.can_hold(rule.costs) {
            found.push(tell("rules", "ability", program.text.rules.get(i).map_or("", |it| &it.id)));
        }
    }
    found
}
