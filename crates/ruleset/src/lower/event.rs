//! Event types: subject, fan-out, conditions, what they change and what they lead to.

use alloc::format;

use super::{
    Lower,
    scope::{Scope, Unit},
};
use crate::{
    ids::{CodePtr, EventTypeId, SelectId},
    names::{Space, same_name},
    sort::{Sort, Type},
    term::Term,
    violation::Code,
};

impl<'a> Lower<'a> {
    pub(super) fn lower_events(&mut self) {
        self.lower_built_ins();
        for term in self.root.list_at("events") {
            let id = term.text_at("id").and_then(|it| self.names.find(Space::Event, it));
            if let Some(id) = id {
                self.find_subject(term, EventTypeId(id));
            }
        }
        for term in self.root.list_at("events") {
            let id = term.text_at("id").and_then(|it| self.names.find(Space::Event, it));
            if let Some(id) = id {
                self.lower_event(term, EventTypeId(id));
            }
        }
    }

    fn find_subject(&mut self, term: &Term, id: EventTypeId) {
        let Some(decl) = self.events.get(id.index()) else {
            return;
        };
        let Some(name) = term.get("subject") else {
            return;
        };
        let at = decl.fields.iter().position(|it| name.text().is_some_and(|n| same_name(&it.name, n)));
        let fits = at.and_then(|it| decl.fields.get(it)).is_some_and(|it| it.ty.sort.fits(Sort::Entity));
        if !fits {
            let text = name.text().unwrap_or_default();
            return self.report(
                name.place,
                Code::UnknownName,
                format!("the subject must be a field that holds cards or players: {text}"),
            );
        }
        if let Some(row) = self.program.events.get_mut(id.index()) {
            row.subject = at.and_then(|it| u8::try_from(it).ok());
        }
    }

    /// The scope of an event's own code: its fields by name, the subject one at a time.
    fn event_scope(&self, id: EventTypeId, unit: Unit, single_subject: bool) -> Scope {
        let mut scope = Scope::new(unit);
        let subject = self.program.event(id).and_then(|it| it.subject);
        for (i, field) in self.events.get(id.index()).map_or(&[][..], |it| &it.fields).iter().enumerate() {
            let is_subject = subject.is_some_and(|it| usize::from(it) == i);
            let many = field.ty.many && !(is_subject && single_subject);
            scope.bind_cell(&field.name, Type { sort: field.ty.sort, many });
        }
        scope
    }

    /// What finds whom an event concerns, which must be what its subject holds.
    fn fan_out(&mut self, term: &Term, id: EventTypeId) -> SelectId {
        let Some((select, found)) = self.select(term) else { return SelectId::NONE };
        let subject = self.program.event(id).and_then(|it| it.fields.get(usize::from(it.subject?)).copied());
        if let Some(subject) = subject.filter(|it| !found.fits(it.sort) && !it.sort.fits(found)) {
            let message = format!("the subject is {subject}, and this finds {}", Type::list(found));
            self.report(term.place, Code::WrongType, message);
        }
        select
    }

    fn lower_event(&mut self, term: &Term, id: EventTypeId) {
        self.applied = id;
        let scope = self.event_scope(id, Unit::Apply, true);
        let ((apply, skip_when, requires), apply_cells) = self.in_scope(scope, |it| {
            let apply = it.write_code(term.get("apply"));
            let test = |it: &mut Self, key: &str| {
                term.get(key).map_or(CodePtr::NONE, |c| it.pure(|this| this.value(c, Type::BOOL)))
            };
            (apply, test(it, "skipWhen"), test(it, "requires"))
        });
        let scope = self.event_scope(id, Unit::EventEffects, false);
        let ((effects, fan_out), effect_cells) = self.in_scope(scope, |it| {
            let fan_out = term.get("fanOut").map_or(SelectId::NONE, |s| it.fan_out(s, id));
            (it.event_effects(term.get("effects")), fan_out)
        });
        if let Some(row) = self.program.events.get_mut(id.index()) {
            row.apply = apply;
            row.skip_when = skip_when;
            row.requires = requires;
            row.effects = effects;
            row.fan_out = fan_out;
            row.cells = row.cells.max(effect_cells).max(apply_cells);
        }
    }
}
