//! Whether a game can end: whether anything that can happen in it makes somebody lose or ends it.

use alloc::{collections::BTreeSet, vec::Vec};

use crate::{
    ids::{CodePtr, EventTypeId},
    instr::Instr,
    program::{BuiltIn, Program, Timing},
};

/// Whether something besides giving up can end the game. An event type that nothing emits ends nothing.
pub fn can_end(program: &Program) -> bool {
    !program.ends.is_empty() || Walk::over(program).ends
}

/// A walk over all code that can be run.
struct Walk<'p> {
    program: &'p Program,
    seen: BTreeSet<usize>,
    open: Vec<CodePtr>,
    ends: bool,
}

impl<'p> Walk<'p> {
    fn over(program: &'p Program) -> Self {
        let mut walk = Self { program, seen: BTreeSet::new(), open: roots(program), ends: false };
        while let Some(code) = walk.open.pop() {
            walk.follow(code);
        }
        walk
    }

    /// Follows a piece of code to its end and notes all it leads to.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other instructions go on with the next one")]
    fn follow(&mut self, start: CodePtr) {
        let mut pc = start;
        while pc.is_some() && self.seen.insert(pc.index()) {
            let next = CodePtr(pc.0.saturating_add(1));
            match self.program.instr(pc) {
                Instr::Eliminate | Instr::EndGame => self.ends = true,
                Instr::Emit(emit) => self.event(emit.kind),
                Instr::Delay(rule) => self.open.extend(self.program.rule(rule).map(|it| it.effects)),
                Instr::JumpIf(to) | Instr::JumpUnless(to) => self.open.push(to),
                Instr::Next { done, .. } | Instr::Loop { done, .. } => self.open.push(done),
                Instr::Jump(to) => {
                    pc = to;
                    continue;
                }
                Instr::End | Instr::Return => return,
                _ => {}
            }
            pc = next;
        }
    }

    fn event(&mut self, kind: EventTypeId) {
        self.ends |= kind == BuiltIn::GameEnded.id();
        let event = self.program.event(kind);
        self.open.extend(event.into_iter().flat_map(|it| [it.apply, it.effects]));
    }
}

/// What begins by itself or because a player or the game does something. A delayed rule only waits once it was made.
fn roots(program: &Program) -> Vec<CodePtr> {
    let actions = program.actions.iter().flat_map(|it| {
        let effects = program.event(it.event).map_or(CodePtr::NONE, |event| event.effects);
        [it.costs, effects]
    });
    let rules = program.rules.iter().filter(|it| it.delay.is_none() && it.timing != Timing::Continuous);
    let rules = rules.flat_map(|it| [it.costs, it.effects]);
    let steps = program.steps.iter().flat_map(|it| [it.on_start, it.on_end]);
    let checks = program.checks.iter().map(|it| it.emit);
    actions.chain(rules).chain(steps).chain(checks).chain([program.setup]).collect()
}
