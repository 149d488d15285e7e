//! Code that finds the subjects of an event again, after the reactions that came before it.
//!
//! A list is found again if a selector has a part in it: where it stands in the event, in a `union` or another
//! combination, or as the argument of a definition whose first effect the event is. What is picked at random is picked
//! once, and a list without a selector names its items.

use alloc::vec::Vec;

use super::{Lower, retarget};
use crate::{
    ids::{CodePtr, SelectId},
    instr::Instr,
};

/// The code that computed a list parameter, which jumps from its own beginning.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    /// The variable that holds the list.
    cell: u16,
    code: Vec<Instr>,
}

/// The register of values that nobody reads.
const UNREAD: u8 = 15;

impl Lower<'_> {
    /// Remembers what finds the list of a variable, if a selector has a part in it.
    pub(super) fn note_finder(&mut self, cell: u16, start: usize) {
        if let Some(code) = self.finder(start) {
            self.scope.finders.push(Finder { cell, code });
        }
    }

    /// Keeps the code that finds what the code from a place on has found; none if that names its items.
    pub(super) fn finder_chunk(&mut self, start: usize) -> CodePtr {
        let Some(code) = self.finder(start) else { return CodePtr::NONE };
        self.chunk(Instr::Return, |it| {
            for instr in code {
                it.emit(instr);
            }
        })
    }

    /// The code from a place on as pure code, with what finds its list parameters in their place.
    fn finder(&self, start: usize) -> Option<Vec<Instr>> {
        let code = self.code.get(start..)?;
        let finder_of = |cell: u16| self.scope.finders.iter().rev().find(|it| it.cell == cell);
        let mut parts: Vec<Vec<Instr>> = Vec::new();
        let mut selects = false;
        for instr in code {
            let found = if let Instr::LocalList(cell) = *instr { finder_of(cell) } else { None };
            let is_kept = matches!(instr, Instr::Set(_) | Instr::Store(_));
            let is_random = if let Instr::Select(id) = *instr { self.is_random(id) } else { false };
            if is_random || (instr.is_effect() && !is_kept) {
                return None;
            }
            selects |= found.is_some() || matches!(instr, Instr::Select(_) | Instr::Others);
            let plain = if is_kept { Instr::SetReg(UNREAD) } else { *instr };
            let part = found.map_or_else(|| alloc::vec![plain], |it| it.code.clone());
            parts.push(part);
        }
        selects.then(|| join(code, parts, start))
    }

    fn is_random(&self, select: SelectId) -> bool {
        self.program.select(select).is_some_and(|it| it.random.is_some())
    }
}

/// Puts parts one after another that stand for one instruction each; jumps of those go to the same parts as before.
fn join(code: &[Instr], parts: Vec<Vec<Instr>>, start: usize) -> Vec<Instr> {
    let mut at = 0_usize;
    let mut places: Vec<usize> = Vec::new();
    for part in &parts {
        places.push(at);
        at = at.saturating_add(part.len());
    }
    let place = |to: CodePtr| places.get(to.index().saturating_sub(start)).copied().unwrap_or(at);
    let mut joined = Vec::new();
    for ((plain, mut part), base) in code.iter().zip(parts).zip(&places) {
        let is_plain = part.as_slice() == [*plain];
        for instr in &mut part {
            retarget(instr, |to| CodePtr::at(if is_plain { place(to) } else { to.index().saturating_add(*base) }));
        }
        joined.append(&mut part);
    }
    joined
}
