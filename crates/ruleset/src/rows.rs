//! Which events must have a row on the stack while they happen, because something looks for it there.
//! All others may happen without one when nobody can answer them.

use crate::{
    ids::{CodePtr, SelectId},
    instr::Instr,
    program::{Program, SeatRule, Source},
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
            if let Some(event) = self.events.get_mut(i) {
                event.needs_row = auras_look || looks;
            }
        }
    }

    /// Whether a write list looks at the stack; one that leaves its own stretch of code counts as if it did.
    fn list_looks(&self, list: CodePtr) -> bool {
        if list.is_none() {
            return false;
        }
        let code = self.code.get(list.index()..).unwrap_or_default();
        let Some(end) = code.iter().position(|it| *it == Instr::End) else { return true };
        let here = list.index()..=list.index().saturating_add(end);
        code.iter().take(end).any(|it| self.instr_looks(*it, 0) || leaves(*it).is_some_and(|to| !here.contains(&to)))
    }

    fn code_looks(&self, code: CodePtr, depth: u8) -> bool {
        if code.is_none() {
            return false;
        }
        let code = self.code.get(code.index()..).unwrap_or_default();
        depth > DEPTH_MAX || code.iter().take_while(|it| **it != Instr::Return).any(|it| self.instr_looks(*it, depth))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all others look at cards, players and variables")]
    fn instr_looks(&self, instr: Instr, depth: u8) -> bool {
        match instr {
            Instr::OwnEvent | Instr::Live(_) | Instr::LiveList(_) => true,
            // What an ability needs may be anything.
            Instr::CanActivate => true,
            Instr::Select(id) | Instr::Count(id) | Instr::Any(id) => self.select_looks(id, depth),
            Instr::Total(_, code) => self.code_looks(code, depth.saturating_add(1)),
            _ => false,
        }
    }

    fn select_looks(&self, id: SelectId, depth: u8) -> bool {
        if id.is_none() {
            return false;
        }
        let Some(select) = self.select(id).filter(|_| depth < DEPTH_MAX) else { return true };
        let depth = depth.saturating_add(1);
        let source = match select.source {
            Source::Stack(_) => return true,
            Source::List(code) => code,
            Source::Zones(_) | Source::Players | Source::Defs(_) => CodePtr::NONE,
        };
        let seat = if let SeatRule::In(code) = select.seat { code } else { CodePtr::NONE };
        let rank = select.rank.map_or(CodePtr::NONE, |it| it.value);
        let parts = [source, seat, rank, select.filter, select.take, select.random];
        parts.into_iter().any(|it| self.code_looks(it, depth))
    }
}

/// Where an instruction may go on, other than right behind it.
#[expect(clippy::wildcard_enum_match_arm, reason = "all others go on right behind themselves")]
fn leaves(instr: Instr) -> Option<usize> {
    match instr {
        Instr::Jump(to) | Instr::JumpIf(to) | Instr::JumpUnless(to) => Some(to.index()),
        Instr::Next { done, .. } | Instr::Loop { done, .. } => Some(done.index()),
        _ => None,
    }
}
