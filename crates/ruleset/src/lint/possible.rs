//! Whether code can come to a good end at all: runs it with ranges instead of numbers, down every path.

use alloc::vec::Vec;

use super::range::{Range, opposite};
use crate::{
    ids::{CodePtr, PhaseId, StepId},
    instr::{Instr, Takes},
    program::Program,
};

/// Paths and instructions after which anything is held possible.
const STEPS_MAX: u32 = 10_000;
/// Places in the code that lie on one path, after which anything is held possible.
const DEPTH_MAX: u32 = 64;

/// The part of a match that is known.
#[derive(Clone, Copy)]
pub struct Known<'p> {
    pub program: &'p Program,
    pub step: Option<StepId>,
}

/// Where a path stands.
#[derive(Clone, Default)]
struct Path {
    stack: Vec<Range>,
    regs: Vec<(u8, Range)>,
    locals: Vec<Range>,
    depth: u32,
}

impl Path {
    fn pop(&mut self) -> Range {
        self.stack.pop().unwrap_or(Range::ANY)
    }

    fn replace(&mut self, n: usize, value: Range) {
        self.stack.truncate(self.stack.len().saturating_sub(n));
        self.stack.push(value);
    }
}

impl<'p> Known<'p> {
    /// Whether a condition can hold, or costs can be paid; none always can.
    pub fn can_hold(self, code: CodePtr) -> bool {
        code.is_none() || self.search(code, Path::default())
    }

    fn search(self, code: CodePtr, path: Path) -> bool {
        let mut left = STEPS_MAX;
        let mut open = alloc::vec![(code, path)];
        while let Some((pc, path)) = open.pop() {
            if self.follow(pc, path, &mut open, &mut left) || left == 0 {
                return true;
            }
        }
        false
    }

    /// Follows a path to its next fork or end; true if the end is a good one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others go on with the next instruction")]
    fn follow(self, mut pc: CodePtr, mut path: Path, open: &mut Vec<(CodePtr, Path)>, left: &mut u32) -> bool {
        loop {
            *left = left.saturating_sub(1);
            let instr = self.program.instr(pc);
            pc = CodePtr(pc.0.saturating_add(1));
            let jumps = match instr {
                Instr::Return => return path.pop().truth().0,
                Instr::End => return true,
                Instr::Jump(to) => {
                    pc = to;
                    continue;
                }
                Instr::JumpUnless(to) => Some((to, false)),
                Instr::JumpIf(to) => Some((to, true)),
                Instr::Emit(emit) => {
                    if !self.can_happen(emit.kind, &mut path) {
                        return false;
                    }
                    continue;
                }
                _ if *left == 0 => return true,
                _ => None,
            };
            let Some((to, on)) = jumps else {
                if !self.run(instr, &mut path) {
                    return true;
                }
                continue;
            };
            let (can, cannot) = path.pop().truth();
            let (jumps, stays) = if on { (can, cannot) } else { (cannot, can) };
            path.depth = path.depth.saturating_add(1);
            if path.depth > DEPTH_MAX {
                return true;
            }
            match (jumps, stays) {
                (true, true) => open.push((to, path.clone())),
                (true, false) => pc = to,
                (false, _) => {}
            }
        }
    }

    /// Whether what an event requires can hold, with its fields as they are on the stack.
    fn can_happen(self, kind: crate::ids::EventTypeId, path: &mut Path) -> bool {
        let Some(event) = self.program.event(kind) else { return true };
        let first = path.stack.len().saturating_sub(event.fields.len());
        let locals = path.stack.split_off(first);
        event.requires.is_none() || self.search(event.requires, Path { locals, depth: path.depth, ..Path::default() })
    }

    /// Runs one instruction; false for one that says nothing here.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not known here can be anything")]
    fn run(self, instr: Instr, path: &mut Path) -> bool {
        match instr {
            Instr::Const(value) => path.replace(0, Range::exact(i64::from(value))),
            Instr::Null => path.replace(0, Range::exact(crate::NULL)),
            Instr::PhaseNow => {
                let phase = self.step.map(|it| self.program.step(it).map_or(PhaseId::NONE, |step| step.phase));
                path.replace(0, phase.map_or(Range::ANY, |it| Range::exact(it.into())));
            }
            Instr::StepNow => path.replace(0, self.step.map_or(Range::ANY, |it| Range::exact(it.into()))),
            Instr::Turn | Instr::Count(_) => path.replace(0, Range { low: 0, high: i64::MAX }),
            Instr::Any(_) => path.replace(0, Range::TRUTH),
            Instr::Local(cell) => {
                let value = path.locals.get(usize::from(cell)).copied().unwrap_or(Range::ANY);
                path.replace(0, value);
            }
            Instr::Set(cell) => {
                let value = path.pop();
                let at = usize::from(cell);
                path.locals.resize(path.locals.len().max(at.saturating_add(1)), Range::ANY);
                if let Some(slot) = path.locals.get_mut(at) {
                    *slot = value;
                }
            }
            Instr::Reg(reg) => {
                let value = path.regs.iter().rev().find(|it| it.0 == reg).map_or(Range::ANY, |it| it.1);
                path.replace(0, value);
            }
            Instr::SetReg(reg) => {
                let value = path.pop();
                path.regs.push((reg, value));
            }
            Instr::Attr(attr) => path.replace(1, Range::of_attribute(self.program.attr(attr))),
            Instr::AttrOf | Instr::BaseOf => {
                let attr = path.pop();
                let rule = u16::try_from(attr.low).ok().filter(|_| attr.low == attr.high);
                let rule = rule.and_then(|it| self.program.attr(crate::ids::AttrId(it)));
                path.replace(1, Range::of_attribute(rule));
            }
            Instr::Math(math) => {
                let (b, a) = (path.pop(), path.pop());
                path.replace(0, Range::calculate(math, a, b));
            }
            Instr::Not => {
                let value = path.pop();
                path.replace(0, opposite(value));
            }
            Instr::Size => path.replace(1, Range { low: 0, high: i64::MAX }),
            Instr::HasKeyword(_)
            | Instr::HasType(_)
            | Instr::HasKeywordOf
            | Instr::HasAbility
            | Instr::CanActivate
            | Instr::Contains => path.replace(taken(instr), Range::TRUTH),
            Instr::Random => path.replace(taken(instr), Range::ANY),
            Instr::PayAbility => path.stack.truncate(path.stack.len().saturating_sub(2)),
            // What it comes to is not known here.
            _ if !instr.is_effect() && instr.gives() => path.replace(taken(instr), Range::ANY),
            _ => return false,
        }
        true
    }
}

/// How many values an instruction takes from the stack; of pure code that is always known.
fn taken(instr: Instr) -> usize {
    if let Takes::Values(n) = instr.takes() { usize::from(n) } else { 0 }
}
