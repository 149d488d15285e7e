//! Who has which attributes: writes to one that its target cannot have are refused, as far as that is known here.

use alloc::{format, vec::Vec};

use super::{
    Lower,
    scope::{Binding, Unit},
};
use crate::{
    ids::{AttrId, EventTypeId},
    instr::Instr,
    names::Space,
    sort::Sort,
    term::{Place, Term, TermKind},
    violation::Code,
};

/// A write of an event to an attribute that one field names, of whom another field names.
pub(super) struct FieldWrite {
    event: EventTypeId,
    target: u16,
    attribute: u16,
}

/// An event that is emitted with attributes that are known.
pub(super) struct Emitted {
    event: EventTypeId,
    /// Attributes by their fields.
    attributes: Vec<(u16, AttrId, Place)>,
    /// What the other fields hold, as far as that is known.
    holds: Vec<(u16, Sort)>,
}

impl Emitted {
    pub(super) fn new(event: EventTypeId) -> Self {
        Self { event, attributes: Vec::new(), holds: Vec::new() }
    }
}

impl Lower<'_> {
    /// Whether a name means an attribute that cannot stand where a sort of attribute is wanted.
    pub(super) fn is_wrong_attribute(&self, name: &str, want: Sort) -> bool {
        let known = self.names.find(Space::Attribute, name).map(AttrId);
        let is_of_cards = known.is_some_and(|it| !self.has_attribute(Sort::Player, it));
        want.fits(Sort::Attribute) && (self.link(name).is_some() || (want == Sort::Resource && is_of_cards))
    }

    /// A link stands for no number, so operations on any attribute cannot take it; a resource is had by players.
    pub(super) fn report_attribute(&mut self, term: &Term, name: &str) {
        let hint = "read it by `ref`, write it by `set_attribute` in an event of its own";
        let message = match self.link(name) {
            Some(_) => format!("{name} holds no number but a link: {hint}"),
            None => format!("players have no attribute {name}"),
        };
        self.report(term.place, Code::WrongType, message);
    }

    /// Reports an attribute, which was just pushed, that its owner cannot have.
    pub(super) fn check_owner(&mut self, owner: &Term, attribute: &Term) {
        let Some(id) = self.pushed_attribute() else { return };
        for sort in self.sorts_of(owner) {
            self.report_unless_had(sort, id, attribute.place);
        }
    }

    /// The same for a write, and notes what is known only where the event is emitted, or in play.
    pub(super) fn note_write(&mut self, target: &Term, attribute: &Term) {
        self.check_owner(target, attribute);
        let sorts = self.sorts_of(target);
        let sort = if let [sort] = *sorts { sort } else { Sort::Entity };
        if let Some(id) = self.pushed_attribute() {
            self.note_unsure(!self.surely_has(sort, id));
            return;
        }
        let is_of_players = self.sorts_of(attribute).as_slice() == [Sort::Resource];
        self.note_unsure(!(is_of_players && sort == Sort::Player));
        let (target, attribute) = (self.field_named(target), self.field_named(attribute));
        if let (Some(target), Some(attribute)) = (target, attribute) {
            self.field_writes.push(FieldWrite { event: self.applied, target, attribute });
        }
    }

    /// Remembers that the event whose writes are lowered may turn out to be impossible.
    fn note_unsure(&mut self, is_unsure: bool) {
        if let Some(event) = self.program.events.get_mut(self.applied.index()).filter(|_| is_unsure) {
            event.may_miss = true;
        }
    }

    /// Notes what a field of an event that is emitted gets: what was just pushed, from a term.
    pub(super) fn note_field(&self, emitted: &mut Emitted, field: usize, sort: Sort, term: Option<&Term>) {
        let field = u16::try_from(field).unwrap_or(u16::MAX);
        if sort == Sort::Attribute {
            let place = term.map_or(self.at, |it| it.place);
            emitted.attributes.extend(self.pushed_attribute().map(|it| (field, it, place)));
        } else if sort == Sort::Entity {
            let sorts = term.map_or_else(Vec::new, |it| self.sorts_of(it));
            emitted.holds.extend(sorts.into_iter().map(|it| (field, it)));
        } else if sort.fits(Sort::Entity) {
            emitted.holds.push((field, sort));
        }
    }

    /// Keeps what an event is emitted with, to be judged when the writes of all events are known.
    pub(super) fn keep_emitted(&mut self, emitted: Emitted) {
        // A fact that a write tells is not carried out.
        if !emitted.attributes.is_empty() && self.scope.unit != Unit::Apply {
            self.emitted.push(emitted);
        }
    }

    /// Reports events that are emitted to write an attribute which their target cannot have.
    pub(super) fn check_emitted(&mut self) {
        let emitted = core::mem::take(&mut self.emitted);
        let writes = core::mem::take(&mut self.field_writes);
        for it in emitted {
            for write in writes.iter().filter(|write| write.event == it.event) {
                let named = it.attributes.iter().filter(|named| named.0 == write.attribute);
                for (_, id, place) in named {
                    let holds = it.holds.iter().filter(|held| held.0 == write.target);
                    holds.for_each(|held| self.report_unless_had(held.1, *id, *place));
                }
            }
        }
    }

    fn report_unless_had(&mut self, sort: Sort, id: AttrId, place: Place) {
        if self.has_attribute(sort, id) {
            return;
        }
        let name = self.program.text.attrs.get(id.index()).map_or("", |it| it.id.as_str());
        let message = format!("{}s have no attribute {name}", sort.name());
        self.report(place, Code::WrongType, message);
    }

    /// Whether everything of a sort has an attribute.
    fn surely_has(&self, sort: Sort, id: AttrId) -> bool {
        let kinds = [Sort::Card, Sort::Player];
        kinds.into_iter().filter(|it| it.fits(sort)).all(|it| self.has_attribute(it, id))
    }

    /// The attribute that was just pushed, if it is known.
    fn pushed_attribute(&self) -> Option<AttrId> {
        if let Some(Instr::Const(id)) = self.code.last() { u16::try_from(*id).ok().map(AttrId) } else { None }
    }

    /// The kinds of cards and players an expression gives, and of attributes, as far as they show.
    fn sorts_of(&self, term: &Term) -> Vec<Sort> {
        if let TermKind::List(items) = &term.kind {
            return items.iter().filter_map(|it| self.infer(it)).map(|it| it.sort).collect();
        }
        let of_entities = |it: &Sort| matches!(it, Sort::Card | Sort::Player | Sort::Entity | Sort::Resource);
        self.infer(term).map(|it| it.sort).filter(of_entities).into_iter().collect()
    }

    /// The field of the event being lowered that an expression names, and nothing else.
    fn field_named(&self, term: &Term) -> Option<u16> {
        let var = self.scope.find(term.text().or_else(|| term.text_at("ref"))?)?;
        let n_fields = self.events.get(self.applied.index()).map_or(0, |it| it.fields.len());
        if let Binding::Cell(cell) = var.binding {
            return Some(cell).filter(|it| usize::from(*it) < n_fields);
        }
        None
    }
}
