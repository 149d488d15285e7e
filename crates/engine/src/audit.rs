//! Audits a whole state against its program: what must hold after every record.

use alloc::vec::Vec;

use ruleset::Program;

use crate::{
    ids::EntityId,
    state::{FrameKind, MatchState, NO_ZONE, STREAMS, Status},
};

/// Something that must always hold and does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Tables of values do not fit the number of entities.
    TableSize,
    /// A zone's list of cards is broken.
    ZoneLinks { zone: u16 },
    /// A card is in no zone, in two, or in one that is not there.
    CardPlace { card: EntityId },
    /// A row of the stack claims variables it does not have.
    StackCells { row: usize },
    /// A member of a group has no controller above it.
    OrphanMember { row: usize },
    /// A number is used that was not given out.
    Numbering,
    /// A value is outside its bounds.
    ValueBounds { entity: EntityId },
    /// A definition, rule or event type that the program does not have.
    UnknownReference,
    /// Questions or windows that cannot be.
    Waiting,
}

/// Looks at everything.
pub fn audit(program: &Program, state: &MatchState) -> Result<(), Flaw> {
    tables(program, state)?;
    zones(program, state)?;
    stack(program, state)?;
    values(program, state)?;
    waiting(state)
}

fn tables(program: &Program, state: &MatchState) -> Result<(), Flaw> {
    let cells = state.ents.len().saturating_mul(usize::from(program.stride));
    let fits = state.attrs.len() == cells
        && state.last.len() == cells
        && state.zones.len() == usize::from(program.n_zones)
        && state.head.rng.len() == STREAMS
        && state.ents.len() >= usize::from(state.head.n_players)
        && program.step(state.head.step).is_some();
    if fits { Ok(()) } else { Err(Flaw::TableSize) }
}

fn zones(program: &Program, state: &MatchState) -> Result<(), Flaw> {
    let mut placed = alloc::vec![false; state.ents.len()];
    for (i, row) in state.zones.iter().enumerate() {
        let zone = u16::try_from(i).unwrap_or(NO_ZONE);
        let up: Vec<EntityId> = state.cards_in(zone).take(state.ents.len().saturating_add(1)).collect();
        let mut down: Vec<EntityId> = state.cards_down(zone).take(state.ents.len().saturating_add(1)).collect();
        down.reverse();
        let len = usize::try_from(row.len).unwrap_or(usize::MAX);
        if up != down || up.len() != len || up.last().copied().unwrap_or(EntityId::NONE) != row.top {
            return Err(Flaw::ZoneLinks { zone });
        }
        for card in up {
            let here = state.ent(card).is_some_and(|it| it.zone == zone && it.status == Status::Card);
            let twice = placed.get_mut(card.index()).is_none_or(|it| core::mem::replace(it, true));
            if !here || twice {
                return Err(Flaw::CardPlace { card });
            }
        }
    }
    for (i, ent) in state.ents.iter().enumerate() {
        let in_zone = placed.get(i).copied().unwrap_or(false);
        if (ent.status == Status::Card) != in_zone {
            return Err(Flaw::CardPlace { card: EntityId::at(i) });
        }
        if ent.status == Status::Card && program.def(ent.def).is_none() {
            return Err(Flaw::UnknownReference);
        }
    }
    Ok(())
}

fn stack(program: &Program, state: &MatchState) -> Result<(), Flaw> {
    let mut at = 0_usize;
    for (row, frame) in state.stack.iter().enumerate() {
        let start = usize::try_from(frame.cells_at).unwrap_or(usize::MAX);
        let len = usize::try_from(frame.cells_len).unwrap_or(usize::MAX);
        if start != at {
            return Err(Flaw::StackCells { row });
        }
        at = at.saturating_add(len);
        if frame.event.0 >= state.head.next_event {
            return Err(Flaw::Numbering);
        }
        let known = match frame.kind {
            FrameKind::Intent | FrameKind::Member => program.event(frame.etype).is_some(),
            FrameKind::Trigger => program.rule(frame.rule).is_some(),
            FrameKind::Group | FrameKind::Order => true,
        };
        if !known {
            return Err(Flaw::UnknownReference);
        }
        let code = frame.pc.is_none() || frame.pc.index() < program.code.len();
        if !code {
            return Err(Flaw::UnknownReference);
        }
    }
    if at == state.cells.len() { Ok(()) } else { Err(Flaw::StackCells { row: state.stack.len() }) }
}

fn values(program: &Program, state: &MatchState) -> Result<(), Flaw> {
    for (i, ent) in state.ents.iter().enumerate() {
        let entity = EntityId::at(i);
        for rule in &program.attrs {
            let has = match ent.status {
                Status::Player => rule.on_players,
                Status::Card => rule.on_cards,
                Status::Unborn => false,
            };
            let value = state.base(program, entity, rule.column);
            // What is printed may lie outside; what the engine writes never does.
            let printed = program.def(ent.def).and_then(|it| it.printed.get(usize::from(rule.column)).copied());
            let linked = !rule.is_link() || state.can_link(rule, value);
            if has && (!linked || (printed != Some(value) && !(rule.min..=rule.max).contains(&value))) {
                return Err(Flaw::ValueBounds { entity });
            }
        }
    }
    Ok(())
}

fn waiting(state: &MatchState) -> Result<(), Flaw> {
    let asks_known = state.asks.iter().all(|it| it.no.0 < state.head.next_input && it.seats != 0);
    let answers_fit = state.answers.iter().all(|it| state.ask(it.input).is_some());
    let window_fits =
        state.head.window.is_none_or(|it| it.responds_to.is_none() || state.frame(it.responds_to).is_some());
    let not_both = state.asks.is_empty() || state.head.window.is_none();
    if asks_known && answers_fit && window_fits && not_both { Ok(()) } else { Err(Flaw::Waiting) }
}
