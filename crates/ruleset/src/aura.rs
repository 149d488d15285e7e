//! Continuous effects: which of them change what, and which do the same whichever card they come from.

use alloc::vec::Vec;

use crate::{
    ids::{CodePtr, RuleId, SelectId},
    instr::{Instr, Looks, Math, ModifyWhat},
    program::Program,
};

/// How deep code within code is followed; what lies deeper counts as looking at the source.
const DEPTH_MAX: u8 = 8;

impl Program {
    /// Notes which attributes and keywords continuous effects change.
    pub(crate) fn find_auras(&mut self) {
        self.attr_auras = alloc::vec![Vec::new(); self.attrs.len()];
        self.keyword_auras = alloc::vec![Vec::new(); self.keywords.len()];
        for id in &self.auras {
            let Some(aura) = self.rules.get(id.index()).and_then(|it| it.aura) else { continue };
            let of = usize::from(aura.of);
            let list = match aura.what {
                ModifyWhat::Add | ModifyWhat::Set => self.attr_auras.get_mut(of),
                ModifyWhat::Grant | ModifyWhat::Lose | ModifyWhat::Mute => self.keyword_auras.get_mut(of),
            };
            list.into_iter().for_each(|it| it.push(*id));
        }
        self.find_alike();
        self.attrs.iter_mut().zip(&self.attr_auras).for_each(|(rule, auras)| rule.has_auras = !auras.is_empty());
    }

    /// The continuous effects that may change an attribute or keyword, in order.
    pub fn auras_on(&self, what: ModifyWhat, of: u16) -> &[RuleId] {
        let lists = match what {
            ModifyWhat::Add | ModifyWhat::Set => &self.attr_auras,
            ModifyWhat::Grant | ModifyWhat::Lose | ModifyWhat::Mute => &self.keyword_auras,
        };
        lists.get(usize::from(of)).map_or(&[], |it| it)
    }

    /// Notes which continuous effects are alike for all sources of one player: their code asks nothing of the source
    /// but whose it is, and whether it is the one it looks at.
    fn find_alike(&mut self) {
        for i in 0..self.auras.len() {
            let Some(id) = self.auras.get(i).copied() else { continue };
            let Some((conditions, aura)) = self.rule(id).and_then(|it| Some((it.conditions, it.aura?))) else {
                continue;
            };
            let parts = [conditions, aura.affects, aura.value];
            let is_alike = !parts.into_iter().any(|it| self.asks_of_source(it, 0));
            if let Some(aura) = self.rules.get_mut(id.index()).and_then(|it| it.aura.as_mut()) {
                aura.is_alike = is_alike;
            }
        }
    }

    /// Whether code asks more of the source than whether it is the candidate.
    fn asks_of_source(&self, code: CodePtr, depth: u8) -> bool {
        if code.is_none() {
            return false;
        }
        let code = self.code.get(code.index()..).unwrap_or_default();
        let Some(end) = code.iter().position(|it| *it == Instr::Return).filter(|_| depth < DEPTH_MAX) else {
            return true;
        };
        let code = code.get(..end).unwrap_or_default();
        (0..code.len()).any(|at| match code.get(at) {
            Some(Instr::This) => depth > 0 || !is_compared(code, at),
            Some(instr) => self.instr_asks(*instr, depth),
            None => false,
        })
    }

    fn instr_asks(&self, instr: Instr, depth: u8) -> bool {
        match instr.traits().looks {
            Looks::Selector(id) => self.select_asks(id, depth.saturating_add(1)),
            Looks::Code(code) => self.asks_of_source(code, depth.saturating_add(1)),
            Looks::Stack | Looks::Anything => true,
            Looks::Nothing | Looks::Flow | Looks::Attribute(_) | Looks::Cards | Looks::Players | Looks::World => false,
        }
    }

    fn select_asks(&self, id: SelectId, depth: u8) -> bool {
        let Some(select) = self.select(id) else { return true };
        select.codes().into_iter().any(|it| self.asks_of_source(it, depth))
    }
}

/// Whether the source, pushed at a place, is only compared with the candidate.
fn is_compared(code: &[Instr], at: usize) -> bool {
    let is_asked = |it: Option<&Instr>| matches!(it, Some(Instr::Math(Math::Eq | Math::Ne)));
    let is_candidate = |it: Option<&Instr>| it == Some(&Instr::Reg(0));
    let before = at.checked_sub(1).and_then(|it| code.get(it));
    let (next, after) = (code.get(at.saturating_add(1)), code.get(at.saturating_add(2)));
    (is_candidate(before) && is_asked(next)) || (is_candidate(next) && is_asked(after))
}
