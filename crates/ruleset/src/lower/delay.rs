//! `delay`: a rule that is made while a game runs and waits for an event that comes later.

use alloc::{string::String, vec::Vec};

use super::{
    Lower,
    rule::Answers,
    scope::{Binding, Var},
};
use crate::{
    instr::Instr,
    program::{DelayRule, Timing},
    term::{Term, TermKind},
    violation::Code,
};

impl Lower<'_> {
    pub(super) fn delay(&mut self, term: &Term) -> Option<()> {
        self.forbid_waiting(term, "a delayed rule");
        let when = term.get("when")?;
        let name = when.get("eventType")?;
        let (event, step) = self.event_type(name)?;
        let before = matches!(term.text_at("timing"), Some("before" | "pre"));
        let event = if before { self.only_cause(name, event)? } else { event };
        let timing = if before { Timing::Before } else { Timing::After };
        let kept = self.kept(term);
        let names = kept.iter().map(|it| (it.name.clone(), it.ty)).collect();
        let global = !self.scope.has_this;
        let times = self.int_in(term, "times", 0..=1000).and_then(|it| u16::try_from(it).ok()).unwrap_or(1);
        let answers = Answers { event, timing, global, step, prevented: None, kept: names };
        let mut rule = self.reaction_to(term, when, answers);
        if let Some(delay) = &mut rule.delay {
            *delay = DelayRule { times, this_turn: term.text_at("until") == Some("turn"), ..*delay };
        }
        for var in &kept {
            let code = self.resolve_path(&var.name).map(|it| it.0).unwrap_or_default();
            code.into_iter().for_each(|it| {
                self.emit(it);
            });
        }
        let id = self.add_rule(term, rule);
        self.emit(Instr::Delay(id));
        Some(())
    }

    /// A rule that comes before a fact would have to wait for each of its causes.
    fn only_cause(&mut self, name: &Term, event: crate::ids::EventTypeId) -> Option<crate::ids::EventTypeId> {
        let causes = self.causes_of(name, event);
        if let [only] = causes.as_slice() {
            return Some(*only);
        }
        self.report(name.place, Code::NotAllowedHere, "several events lead to this; name the one it comes before");
        None
    }

    /// The variables a delayed rule speaks of, which keep the values they have when it is made.
    fn kept(&self, term: &Term) -> Vec<Var> {
        let mut names = Vec::new();
        words(term, &mut names);
        names.sort();
        names.dedup();
        let vars = names.iter().filter_map(|it| self.scope.find(it));
        vars.filter(|it| !it.ty.many && !matches!(it.binding, Binding::Reg(_))).collect()
    }
}

/// Every word in a term that could name a variable.
fn words(term: &Term, found: &mut Vec<String>) {
    match &term.kind {
        TermKind::Text(text) => found.extend(text.split('.').next().map(String::from)),
        TermKind::List(items) => items.iter().for_each(|it| words(it, found)),
        TermKind::Map(entries) => entries.iter().for_each(|it| words(&it.value, found)),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) => {}
    }
}
