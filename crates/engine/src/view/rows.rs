//! The rows of the stack as a viewer is told of them, and what of a card is not as printed.

use alloc::vec::Vec;

use ruleset::{AbilityId, KeywordId, NULL, program::BuiltIn};

use super::{EventView, FAILED_TARGET, FieldView, OpenRow, PREVENTED_TARGET, Projector, Queued, Reacting};
use crate::{
    attribute,
    eval::Cx,
    ids::{EntityId, EventNo},
    scratch::Machine,
    state::{Frame, FrameKind, MatchState},
};

impl Projector {
    /// What fills the slots of an action, or of the ability that reacts, slot by slot.
    pub(super) fn targets(&mut self, state: &MatchState, frame: &Frame) -> Vec<Vec<FieldView>> {
        let ruleset = self.ruleset.clone();
        let program = ruleset.program();
        let (slots, first) = match (program.action(frame.action), program.rule(frame.rule)) {
            (Some(action), _) => (&action.slots, 0),
            (None, Some(rule)) => (&rule.slots, usize::from(rule.slots_at)),
            (None, None) => return Vec::new(),
        };
        let cells = state.cells_of(frame);
        let slot = |(at, slot): (usize, &ruleset::program::Slot)| {
            let value = cells.get(first.saturating_add(at)).copied().unwrap_or(NULL);
            let (start, len) = if slot.ty.many { crate::cells::span_of(value) } else { (first.saturating_add(at), 1) };
            let values = cells.get(start..start.saturating_add(len)).unwrap_or_default();
            values.iter().filter(|it| **it != NULL).map(|it| self.field(state, *it, slot.ty.sort, &[])).collect()
        };
        slots.iter().enumerate().map(slot).collect()
    }

    /// The row that an event ends: its own once it happened, or that of the event it says did not happen.
    pub(super) fn end_row(&mut self, it: &Queued) -> Option<u32> {
        let target = match it.kind {
            kind if kind == BuiltIn::EventPrevented.id() => Some(PREVENTED_TARGET),
            kind if kind == BuiltIn::EventFailed.id() => Some(FAILED_TARGET),
            _ => None,
        };
        let arg = |at: usize| it.args.get(at).copied().unwrap_or(NULL);
        let event = match target {
            // For one of several it did not happen; for the others it still may.
            Some(target) if arg(target) != NULL => return None,
            Some(_) => EventNo::from(arg(0)),
            None => it.event,
        };
        // What an action is happens as a fact of the same type that the row led to.
        let is_its_fact = |row: &OpenRow| target.is_none() && row.kind == it.kind && row.event == it.cause;
        let is_it = |row: &OpenRow| event.is_some() && (row.event == event || is_its_fact(row));
        let at = self.rows.iter().position(|row| !it.is_pending && is_it(row))?;
        Some(self.rows.remove(at).seq)
    }

    /// Opens a row for everything that waits on the stack, and ends the rows of what has left it. Called where the
    /// match waits: what comes and goes between two decisions is no row.
    pub fn sync_rows(&mut self, state: &MatchState) {
        self.settle(state);
        let has_left = |it: &OpenRow| state.frame(it.event).is_none();
        while let Some(at) = self.rows.iter().position(has_left) {
            let OpenRow { event, seq: row, kind, reaction } = self.rows.remove(at);
            self.announce(
                event,
                EventView {
                    seq: self.seq,
                    kind,
                    reaction,
                    fields: Vec::new(),
                    is_pending: false,
                    by: None,
                    ends: Some(row),
                    caused_by: Some(row),
                    group: None,
                },
            );
        }
        for at in 0..state.stack.len() {
            let Some(frame) = state.stack.get(at).copied() else { continue };
            if is_row(&frame) && self.row_of(frame.event).is_none() && self.number_of(frame.event).is_none() {
                self.open_row(state, &frame);
            }
        }
    }

    fn open_row(&mut self, state: &MatchState, frame: &Frame) {
        let cause = self.told_cause(state, frame.cause);
        let reaction = (frame.kind == FrameKind::Trigger).then(|| self.reacting(state, frame));
        let fields = match reaction {
            Some(_) => Vec::new(),
            None => self.fields(state, frame.etype, state.cells_of(frame), &[]),
        };
        let (seq, kind, event) = (self.seq, frame.etype, frame.event);
        let caused_by = self.number_of(cause);
        self.rows.push(OpenRow { event, seq, kind, reaction: reaction.clone() });
        let view =
            EventView { seq, kind, reaction, fields, is_pending: true, by: None, ends: None, caused_by, group: None };
        self.announce(event, view);
    }

    fn announce(&mut self, event: EventNo, view: EventView) {
        self.told.push((event, view.seq));
        self.events.push(view);
        self.seq = self.seq.saturating_add(1);
    }

    /// A reaction as the viewer sees it: which it is tells what a hidden card is.
    pub(super) fn reacting(&mut self, state: &MatchState, frame: &Frame) -> Reacting {
        let source = self.card_field(state, frame.source, &[]);
        let rule = (source != FieldView::Hidden).then_some(frame.rule);
        Reacting { rule, source, controller: frame.controller }
    }
}

/// Whether a frame is shown as a row: what waits to happen, and what reacts; not what holds others together.
fn is_row(frame: &Frame) -> bool {
    match frame.kind {
        FrameKind::Intent | FrameKind::Member | FrameKind::Trigger => true,
        FrameKind::Group | FrameKind::Order => false,
    }
}

/// The keywords of a card, in the order of their table; none if the card has no definition.
pub(super) fn keywords(cx: &Cx<'_>, card: EntityId) -> Option<Vec<KeywordId>> {
    cx.state.ent(card)?;
    let mut machine = Machine::with_fuel(cx.program.limits.instructions_per_step_max);
    let all = (0..cx.program.keywords.len()).map(KeywordId::at);
    Some(all.filter(|it| attribute::has_keyword(cx, &mut machine, card, *it)).collect())
}

/// The activated abilities of a card, if they are not those printed on it.
pub(super) fn abilities(
    cx: &Cx<'_>,
    card: EntityId,
    def: Option<&ruleset::program::CardDef>,
) -> Option<Vec<AbilityId>> {
    let rules = def.map_or(&[][..], |it| &it.rules).iter().filter_map(|it| cx.program.rule(*it));
    let printed = rules.filter(|it| it.timing == ruleset::program::Timing::Activated).map(|it| it.ability);
    let has: Vec<AbilityId> = crate::ability::names_of(cx.state, cx.program, card).map(AbilityId::from).collect();
    (!printed.eq(has.iter().copied())).then_some(has)
}

pub(super) fn is_same_set(one: &[KeywordId], other: &[KeywordId]) -> bool {
    one.len() == other.len() && one.iter().all(|it| other.contains(it))
}
