//! Why a command was refused, in the words of the player who gave it: cards by his own names for them, slots and
//! conditions as the ruleset writes them. Nothing here tells what he does not see.

use alloc::{
    format,
    string::{String, ToString},
};

use ruleset::{ActionId, Program, sort::Sort};

use crate::{command::Command, matches::Match, rejection::Rejection, view::Projector};

impl Projector {
    /// The text of a refusal for the viewer. What the engine itself prints names cards by numbers that are not his.
    pub fn refusal(&self, live: &Match, command: &Command, why: &Rejection) -> String {
        let program = live.ruleset().program();
        match *why {
            Rejection::PreconditionFailed { index } => precondition(program, action_of(command), index, why),
            Rejection::IllegalTarget { slot, target } => {
                let (name, sort) = slot_of(program, action_of(command), slot);
                format!("cannot fill {name} with this target: {}", self.named(live, target, sort))
            }
            Rejection::WrongTargetCount { slot, min, max, got } => {
                let name = slot_of(program, action_of(command), slot).0;
                format!("{name} takes {min} to {max} targets, got: {got}")
            }
            Rejection::NotInChoices { value } => {
                let sort = if let Command::Answer { input, .. } = command {
                    live.state().ask(*input).and_then(|it| program.ask(it.ask)).map(|it| it.choice_type.sort)
                } else {
                    None
                };
                format!("this was not offered: {}", self.named(live, value, sort.unwrap_or(Sort::Event)))
            }
            Rejection::IllegalReorder { card } => {
                format!("this card cannot be put in order: {}", self.named(live, card.into(), Sort::Card))
            }
            Rejection::UnknownAction
            | Rejection::UnknownPlayer
            | Rejection::UnknownInput
            | Rejection::NotAsked
            | Rejection::AlreadyAnswered
            | Rejection::InputPending
            | Rejection::NotInWindow
            | Rejection::NotYourPriority { .. }
            | Rejection::NotAtThisTime
            | Rejection::CannotPay
            | Rejection::WrongCount { .. }
            | Rejection::NoSuchTimer
            | Rejection::MatchOver
            | Rejection::MatchPaused
            | Rejection::NotPaused
            | Rejection::NoSuchItem
            | Rejection::CannotUndo
            | Rejection::UndoForbidden
            | Rejection::WrongPlayerCount { .. }
            | Rejection::IllegalDeck { .. }
            | Rejection::Broken => why.to_string(),
        }
    }

    /// What a refusal is about, as the viewer calls it.
    fn named(&self, live: &Match, value: i64, sort: Sort) -> String {
        #[cfg(feature = "planted-leaks")]
        if crate::leaks::is(crate::leaks::Leak::NumberInError) {
            return value.to_string();
        }
        self.wire_id(live, value, sort)
    }
}

fn action_of(command: &Command) -> ActionId {
    if let Command::Act { action, .. } = command { *action } else { ActionId::NONE }
}

fn precondition(program: &Program, action: ActionId, index: u8, why: &Rejection) -> String {
    let written = program.text.actions.get(action.index()).and_then(|it| it.preconditions.get(usize::from(index)));
    written.map_or_else(|| why.to_string(), |it| format!("{why}: {it}"))
}

/// What a slot is called, and what it takes; those of an ability have no names of their own.
fn slot_of(program: &Program, action: ActionId, slot: u8) -> (String, Sort) {
    let at = usize::from(slot);
    let name = program.text.actions.get(action.index()).and_then(|it| it.slots.get(at)).cloned();
    let sort = program.action(action).and_then(|it| it.slots.get(at)).map_or(Sort::Entity, |it| it.ty.sort);
    (name.unwrap_or_else(|| format!("slot {}", at.saturating_add(1))), sort)
}
