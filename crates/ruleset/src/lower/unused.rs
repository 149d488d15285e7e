//! Definitions that nothing uses are lowered as well, so that what is wrong in them is found; none of that code is kept.

use alloc::vec::Vec;

use super::{
    Lower,
    expr::define_type,
    nesting::EXPANSIONS_MAX,
    scope::{Scope, Unit},
};
use crate::{
    ids::EventTypeId,
    program::Timing,
    sort::Type,
    term::Term,
    violation::{Code, Violation},
};

impl<'a> Lower<'a> {
    /// Reports what is wrong in definitions that were expanded nowhere.
    pub(super) fn check_unused(&mut self) {
        let defines: Vec<&'a Term> = self.defines.values().copied().filter(|it| !self.is_used(it)).collect();
        if defines.is_empty() || self.is_full() {
            return;
        }
        let program = self.program.clone();
        let (winnable, n_clauses) = (self.winnable.clone(), self.n_clauses);
        for define in defines {
            // Whether the rest is sound was not looked at: what came before is too large.
            if self.n_expanded >= EXPANSIONS_MAX {
                break;
            }
            let wrong = self.wrong_everywhere(define);
            self.violations.extend(wrong);
            self.program.clone_from(&program);
        }
        (self.winnable, self.n_clauses) = (winnable, n_clauses);
    }

    fn is_used(&self, define: &Term) -> bool {
        define.text_at("id").is_some_and(|it| self.used.contains(it))
    }

    /// What is wrong with a definition wherever it may be used: nothing, if there is a place where it is sound.
    fn wrong_everywhere(&mut self, define: &'a Term) -> Vec<Violation> {
        let mut least: Option<Vec<Violation>> = None;
        for scope in self.places_of_use(define) {
            let found = self.wrong_in(define, scope);
            if !found.iter().any(|it| depends_on_place(it.code)) || found.iter().any(|it| it.code == Code::TooLarge) {
                return found;
            }
            if least.as_ref().is_none_or(|it| found.len() < it.len()) {
                least = Some(found);
            }
        }
        least.unwrap_or_default()
    }

    /// An ability, costs, the game itself, and for what speaks of an event a reaction to each type of event.
    fn places_of_use(&self, define: &Term) -> Vec<Scope> {
        let with_card = |unit: Unit| Scope { has_this: true, ..Scope::new(unit) };
        let mut scopes = alloc::vec![with_card(Unit::Activated), with_card(Unit::Costs), Scope::new(Unit::System)];
        for event in (0..self.events.len()).map(EventTypeId::at) {
            for timing in [Timing::Before, Timing::After] {
                scopes.push(self.reaction_scope(define, event, timing, false, true));
            }
        }
        let modes = self.root.list_at("actions").iter().flat_map(|it| it.list_at("params"));
        let names = |it: &Term| it.list_at("modes").iter().filter_map(|m| m.text_at("id").map(Into::into)).collect();
        let modes: Vec<_> = modes.filter_map(|it| Some((it.text_at("id")?.into(), names(it)))).collect();
        scopes.iter_mut().for_each(|it| it.modes.clone_from(&modes));
        scopes
    }

    /// What is wrong with a definition if it is used here.
    fn wrong_in(&mut self, define: &'a Term, scope: Scope) -> Vec<Violation> {
        let outer = core::mem::take(&mut self.violations);
        let id = define.text_at("id").unwrap_or_default();
        self.in_scope(scope, |it| {
            for entry in define.get("params").map_or(&[][..], Term::entries) {
                let ty = it.param_type(&entry.key, &entry.value);
                if let Some(default) = entry.value.get("default").filter(|it| !it.is_null()) {
                    it.in_definition(id, |this| this.pure(|that| that.value(default, ty)));
                }
                it.scope.bind_cell(&entry.key, ty);
            }
            it.n_expanded_here = 0;
            it.expanding.push(id);
            it.lower_body(define);
            it.expanding.pop();
        });
        core::mem::replace(&mut self.violations, outer)
    }

    fn lower_body(&mut self, define: &'a Term) {
        let Some(body) = define.get("body") else { return };
        match define_type(define) {
            Some(Type::BOOL) => drop(self.pure(|it| it.conditions(Some(body)))),
            Some(ty) if define.text_at("kind") == Some("value") => drop(self.pure(|it| it.value(body, ty))),
            _ => drop(self.chunk(crate::instr::Instr::End, |it| it.effects(body))),
        }
    }

    /// The declared type of a parameter, reporting one that has none.
    pub(super) fn param_type(&mut self, name: &str, spec: &Term) -> Type {
        let ty = spec.text().or_else(|| spec.text_at("type")).and_then(Type::parse);
        if ty.is_none() {
            self.report(spec.place, Code::WrongType, alloc::format!("parameter has no type: {name}"));
        }
        ty.unwrap_or(Type::INT)
    }
}

/// Whether a mistake may be none where another card, event or kind of list is at hand.
fn depends_on_place(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownVariable
            | Code::UnknownName
            | Code::WrongType
            | Code::NotAllowedHere
            | Code::NotABeforeReaction
            | Code::CannotPrevent
    )
}
