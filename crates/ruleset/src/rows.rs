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

    /// What is not known to leave the stack alone looks at it.
    fn instr_looks(&self, instr: Instr, depth: u8) -> bool {
        if let Instr::Select(id) | Instr::Count(id) | Instr::Any(id) = instr {
            return self.select_looks(id, depth);
        }
        if let Instr::Total(_, code) = instr {
            return self.code_looks(code, depth.saturating_add(1));
        }
        !(is_blind(instr) || steers(instr) || instr.is_write())
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

/// Whether it looks at cards, players, variables and numbers only. Code comes to its own event, or to the pending one it
/// answers, by none of these but by `OwnEvent`, `Live` and `LiveList`; and what `CanActivate` asks may be anything.
fn is_blind(instr: Instr) -> bool {
    use Instr::{
        AbilitiesOf, Abs, Active, AnswerOf, Attr, AttrOf, BaseOf, Cause, Const, Contains, First, HasAbility,
        HasKeyword, HasKeywordOf, HasType, Last, ListOf, Local, LocalList, Long, Math, Neg, NextPlayer, Not, Null,
        OriginOf, Others, PhaseNow, Prop, Range, Reg, Room, SetReg, Size, StepNow, This, Turn, Union, You,
    };
    let is_value = matches!(instr, Const(_) | Long(_) | Null | Local(_) | LocalList(_) | Reg(_) | SetReg(_));
    let is_place = matches!(instr, This | You | Cause | Turn | Active | PhaseNow | StepNow | NextPlayer | Others);
    let is_card = matches!(
        instr,
        Attr(_)
            | AttrOf
            | BaseOf
            | Prop(_)
            | HasKeyword(_)
            | HasKeywordOf
            | HasType(_)
            | HasAbility
            | AbilitiesOf
            | Room
    );
    let is_math = matches!(instr, Math(_) | Neg | Abs | Not);
    let is_list = matches!(instr, Size | First | Last | Contains | ListOf(_) | Union | AnswerOf | OriginOf | Range);
    is_value || is_place || is_card || is_math || is_list
}

/// Whether it only says how a write list goes on, and with which variables.
fn steers(instr: Instr) -> bool {
    leaves(instr).is_some() || matches!(instr, Instr::Set(_) | Instr::Store(_) | Instr::Random)
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
