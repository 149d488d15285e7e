//! Which events must have a row on the stack while they happen, because something looks for it there, and which may
//! turn out to be impossible.
//! All others may happen without one when nobody can answer them.

use crate::{
    ids::{CodePtr, SelectId},
    instr::{Instr, Looks, Then},
    program::{Program, Source},
};

/// How deep code within code is followed; what lies deeper counts as looking.
const DEPTH_MAX: u8 = 8;

impl Program {
    /// Works out which events need a row.
    pub(crate) fn find_rows(&mut self) {
        let auras = self.auras.iter().filter_map(|it| self.rule(*it));
        let mut auras = auras.filter_map(|it| Some((it.conditions, it.aura?)));
        let auras_look = auras.any(|(conditions, aura)| {
            [conditions, aura.affects, aura.value].into_iter().any(|it| self.code_looks(it, 0))
        });
        for i in 0..self.events.len() {
            let Some(event) = self.events.get(i) else { continue };
            let looks = self.list_looks(event.apply)
                || self.code_looks(event.requires, 0)
                || self.code_looks(event.skip_when, 0)
                || self.select_looks(event.fan_out, 0);
            let may_fail = event.effects.is_some() || self.list_may_fail(event.apply);
            if let Some(event) = self.events.get_mut(i) {
                event.may_fail = may_fail || event.may_miss;
                event.needs_row = auras_look || looks;
            }
        }
    }

    /// Whether a write list may turn out to be impossible; code that leaves its own stretch counts as if it did.
    fn list_may_fail(&self, list: CodePtr) -> bool {
        if list.is_none() {
            return false;
        }
        let code = self.code.get(list.index()..).unwrap_or_default();
        let Some(end) = code.iter().position(|it| *it == Instr::End) else { return true };
        code.iter().take(end).any(|it| it.traits().may_fail)
    }

    /// Whether a write list looks at the stack.
    fn list_looks(&self, list: CodePtr) -> bool {
        self.stretch_looks(list, Instr::End, 0)
    }

    /// Whether pure code looks at the stack.
    fn code_looks(&self, code: CodePtr, depth: u8) -> bool {
        self.stretch_looks(code, Instr::Return, depth)
    }

    /// Whether code up to its last instruction looks; code that leaves its own stretch counts as if it did.
    fn stretch_looks(&self, start: CodePtr, last: Instr, depth: u8) -> bool {
        if start.is_none() {
            return false;
        }
        let code = self.code.get(start.index()..).unwrap_or_default();
        let Some(end) = code.iter().position(|it| *it == last).filter(|_| depth < DEPTH_MAX) else { return true };
        let here = start.index()..=start.index().saturating_add(end);
        let is_left = |it: Instr| leaves(it).is_some_and(|to| !here.contains(&to));
        code.iter().take(end).any(|it| is_left(*it) || self.instr_looks(*it, depth))
    }

    fn instr_looks(&self, instr: Instr, depth: u8) -> bool {
        match instr.traits().looks {
            Looks::Selector(id) => self.select_looks(id, depth),
            Looks::Code(code) => self.code_looks(code, depth.saturating_add(1)),
            Looks::Stack | Looks::Anything => true,
            Looks::Nothing | Looks::Flow | Looks::Attribute(_) | Looks::Cards | Looks::Players | Looks::World => false,
        }
    }

    fn select_looks(&self, id: SelectId, depth: u8) -> bool {
        if id.is_none() {
            return false;
        }
        let Some(select) = self.select(id).filter(|_| depth < DEPTH_MAX) else { return true };
        let depth = depth.saturating_add(1);
        matches!(select.source, Source::Stack(_)) || select.codes().into_iter().any(|it| self.code_looks(it, depth))
    }
}

/// Where an instruction may go on, other than right behind it.
fn leaves(instr: Instr) -> Option<usize> {
    match instr.traits().then {
        Then::Jump(to) | Then::Branch(to) => Some(to.index()),
        Then::Next | Then::Ends => None,
    }
}
