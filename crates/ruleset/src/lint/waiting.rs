//! Cards that can be used again while the action they are played by waits for responses.

use alloc::{format, vec::Vec};

use super::{Warning, warn};
use crate::{
    ids::CodePtr,
    instr::Instr,
    program::{ActionRule, ActionTiming, Program},
};

/// Actions that play a card from a hidden zone and leave it there while others respond.
pub fn usable_cards(program: &Program) -> Vec<Warning> {
    let actions = program.actions.iter().zip(&program.text.actions);
    let usable = actions.filter(|it| stays_usable(program, it.0));
    let finding = |(_, text): (&ActionRule, &crate::text::ActionText)| {
        let id = &text.label.id;
        let message = format!(
            "the card of {id} stays where it is while others respond, so it can be used again meanwhile: say where it waits (`waitsIn`)"
        );
        warn("ruleset/usable_while_waiting", ("actions", id), message)
    };
    usable.map(finding).collect()
}

fn stays_usable(program: &Program, action: &ActionRule) -> bool {
    let waits = action.timing != ActionTiming::AtOnce && program.has_responses;
    let is_free = action.hidden_zones != 0 && action.waits_in.is_none() && !costs_move(program, action.costs);
    waits && is_free && program.actions.iter().any(|it| can_use(it, action.hidden_zones))
}

/// Whether an action can be taken in response with a card of these zones.
fn can_use(action: &ActionRule, zones: u64) -> bool {
    action.timing != ActionTiming::Sorcery && action.hidden_zones & zones != 0
}

/// Whether paying moves a card.
fn costs_move(program: &Program, costs: CodePtr) -> bool {
    let list = |at: CodePtr| program.code.iter().skip(at.index()).take_while(|it| **it != Instr::End);
    let moves =
        |apply: CodePtr| apply.is_some() && list(apply).any(|it| matches!(it, Instr::Move(..) | Instr::MoveTo(_)));
    let pays_by_move = |it: &Instr| {
        if let Instr::Emit(emit) = it { program.event(emit.kind).is_some_and(|it| moves(it.apply)) } else { false }
    };
    costs.is_some() && list(costs).any(pays_by_move)
}
