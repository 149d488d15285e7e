//! Which parts of a filter are the same for all candidates: those that read no register the filter sets.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    ids::{CodePtr, SelectId},
    instr::{Instr, Looks, Takes, Then},
    program::Program,
};

/// How many parts are kept of one filter.
const KEPT_MAX: usize = 8;

/// How deep code within code is followed; what lies deeper counts as reading everything.
const DEPTH_MAX: u8 = 8;

/// A value on the stack.
#[derive(Clone)]
struct Value {
    /// The instructions it was made by.
    code: Range<usize>,
    varies: bool,
}

/// The largest parts of a filter's code that do not depend on the candidate and take more than one instruction, in
/// order. The code begins behind the instruction that takes the candidate.
pub(crate) fn find(program: &Program, code: Range<usize>) -> Vec<Range<usize>> {
    let taken = code.start.checked_sub(1).map(|it| program.instr(CodePtr::at(it)));
    let mut finder = Finder { program, regs: regs_set(program, &code), stack: Vec::new(), found: Vec::new() };
    if let Some(Instr::SetReg(reg)) = taken {
        finder.regs |= bit(reg);
    }
    let aims: Vec<usize> = code.clone().filter_map(|it| aim(program.instr(CodePtr::at(it)))).collect();
    for at in code {
        if aims.contains(&at) {
            finder.stack.clear();
        }
        finder.follow(at);
    }
    finder.found.truncate(KEPT_MAX);
    finder.found
}

struct Finder<'p> {
    program: &'p Program,
    /// The registers that differ from candidate to candidate, a bit each.
    regs: u32,
    /// The values since the last branch.
    stack: Vec<Value>,
    found: Vec<Range<usize>>,
}

impl Finder<'_> {
    fn follow(&mut self, at: usize) {
        let instr = self.program.instr(CodePtr::at(at));
        let n = if let Takes::Values(n) = instr.takes() { usize::from(n) } else { usize::MAX };
        // Values from before a branch are not known.
        let is_known = n <= self.stack.len();
        let taken = self.stack.split_off(self.stack.len().saturating_sub(n));
        let ends = instr.traits().then != Then::Next || matches!(instr, Instr::SetReg(_));
        let varies = !is_known || ends || taken.iter().any(|it| it.varies) || self.reads(instr, 0);
        if varies {
            let large = taken.iter().filter(|it| !it.varies && it.code.len() > 1);
            self.found.extend(large.map(|it| it.code.clone()));
        }
        if instr.traits().then != Then::Next {
            self.stack.clear();
        } else if instr.gives() {
            let start = taken.first().map_or(at, |it| it.code.start);
            self.stack.push(Value { code: start..at.saturating_add(1), varies });
        }
    }

    /// Whether an instruction reads a register that differs.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only these read registers")]
    fn reads(&self, instr: Instr, depth: u8) -> bool {
        match instr {
            Instr::Reg(reg) => self.regs & bit(reg) != 0,
            Instr::Select(id) | Instr::Count(id) | Instr::Any(id) => self.select_reads(id, depth),
            // What it asks is not known here.
            Instr::CanActivate => true,
            _ => match instr.traits().looks {
                Looks::Code(code) => self.code_reads(code, depth.saturating_add(1)),
                _ => false,
            },
        }
    }

    fn code_reads(&self, code: CodePtr, depth: u8) -> bool {
        if code.is_none() {
            return false;
        }
        if depth > DEPTH_MAX {
            return true;
        }
        let code = self.program.code.get(code.index()..).unwrap_or_default();
        code.iter().take_while(|it| **it != Instr::Return).any(|it| self.reads(*it, depth))
    }

    fn select_reads(&self, id: SelectId, depth: u8) -> bool {
        let Some(select) = self.program.select(id) else { return true };
        select.codes().into_iter().any(|it| self.code_reads(it, depth.saturating_add(1)))
    }
}

/// The registers some code sets, a bit each.
fn regs_set(program: &Program, code: &Range<usize>) -> u32 {
    let instrs = program.code.get(code.clone()).unwrap_or_default();
    instrs.iter().fold(0, |acc, it| if let Instr::SetReg(reg) = it { acc | bit(*reg) } else { acc })
}

fn bit(reg: u8) -> u32 {
    1_u32.checked_shl(u32::from(reg)).unwrap_or(0)
}

fn aim(instr: Instr) -> Option<usize> {
    match instr.traits().then {
        Then::Jump(to) | Then::Branch(to) => Some(to.index()),
        Then::Next | Then::Ends => None,
    }
}
