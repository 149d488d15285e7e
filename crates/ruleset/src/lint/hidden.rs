//! Choices among cards that whoever chooses cannot see.

use alloc::{format, vec::Vec};

use super::{Warning, warn};
use crate::{
    ids::{CodePtr, SelectId},
    instr::Instr,
    program::{Domain, Program, SeatRule, Source, Timing, Visibility},
};

/// Slots of actions and abilities, and questions, whose cards nobody showed to the one who chooses.
pub fn hidden_choices(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    for (i, action) in program.actions.iter().enumerate() {
        let blind = action.slots.iter().any(|it| is_blind_domain(program, it.domain));
        if blind {
            let id = program.text.actions.get(i).map_or("", |it| &it.label.id);
            let message = format!("the action {id} lets a player choose among cards he cannot see");
            found.push(warn("ruleset/hidden_choice", ("actions", id), message));
        }
    }
    for (i, rule) in program.rules.iter().enumerate().filter(|it| it.1.timing != Timing::Continuous) {
        let asks = asks_blindly(program, rule.effects);
        if asks || rule.slots.iter().any(|it| is_blind_domain(program, it.domain)) {
            let id = program.text.rules.get(i).map_or("", |it| &it.id);
            let message = format!("{id} lets a player choose among cards he cannot see");
            found.push(warn("ruleset/hidden_choice", ("rules", id), message));
        }
    }
    found
}

fn is_blind_domain(program: &Program, domain: Domain) -> bool {
    if let Domain::Select(select) = domain { is_blind(program, select) } else { false }
}

/// Whether a selector looks only into zones that are closed to whoever uses it.
fn is_blind(program: &Program, select: SelectId) -> bool {
    let Some(select) = program.select(select) else { return false };
    let Source::Zones(mask) = select.source else { return false };
    let zones = program.zones.iter().enumerate().filter(|it| mask.checked_shr(count(it.0)).unwrap_or(0) & 1 != 0);
    let mut zones = zones.map(|it| it.1.visibility).peekable();
    let closed = |it: Visibility| match it {
        Visibility::None => true,
        Visibility::Owner => select.seat == SeatRule::Others,
        Visibility::All => false,
    };
    zones.peek().is_some() && zones.all(closed)
}

fn count(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Whether a list asks for cards that were not shown before it asks.
#[expect(clippy::wildcard_enum_match_arm, reason = "everything else neither shows nor asks")]
fn asks_blindly(program: &Program, list: CodePtr) -> bool {
    let mut shown = false;
    for instr in program.code.get(list.index()..).unwrap_or_default() {
        match instr {
            Instr::End => return false,
            Instr::Emit(emit) => {
                let apply = program.event(emit.kind).map_or(CodePtr::NONE, |it| it.apply);
                shown |= writes_reveal(program, apply);
            }
            Instr::Ask(id) if !shown => {
                let choices = program.ask(*id).map_or(CodePtr::NONE, |it| it.choices);
                if let Instr::Select(select) = program.instr(choices)
                    && is_blind(program, select)
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn writes_reveal(program: &Program, apply: CodePtr) -> bool {
    let code = program.code.get(apply.index()..).unwrap_or_default();
    apply.is_some() && code.iter().take_while(|it| **it != Instr::End).any(|it| *it == Instr::Reveal)
}
