//! What the engine runs: operations that name what they work on, worked out from the instructions.
//!
//! Instructions say what a ruleset means, one small step after the other on a stack. Most of those steps only carry a
//! value to where it is used. An operation names its operands instead, so that a condition such as "costs at most what
//! you have" is one operation. Every operation costs as many units of fuel as it stands for instructions.

use alloc::vec::Vec;

use crate::{
    ids::{AttrId, CodePtr, SelectId},
    instr::{Instr, Math, Prop},
};

/// What an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A number.
    Const(i32),
    /// Nothing.
    Null,
    /// What an operation before this one came to.
    Temp(u16),
    /// What was worked out once for all candidates of a selector, counted from the last.
    Kept(u16),
    /// The value this piece of code was given.
    Given,
    /// A variable.
    Local(u16),
    /// A register, such as a selector's candidate.
    Reg(u8),
    /// The card that has the ability, or an action's principal.
    This,
    /// The player who acts.
    You,
    /// The turn number.
    Turn,
    /// The active player.
    Active,
    /// An attribute of who is in a variable.
    AttrOfLocal(u16, AttrId),
    /// An attribute of who is in a register.
    AttrOfReg(u8, AttrId),
    /// An attribute of the player who acts.
    AttrOfYou(AttrId),
    /// An attribute of the card that has the ability.
    AttrOfThis(AttrId),
    /// A property of who is in a variable.
    PropOfLocal(u16, Prop),
    /// A property of who is in a register.
    PropOfReg(u8, Prop),
}

impl Operand {
    /// The attribute it reads.
    pub fn attribute(self) -> Option<AttrId> {
        match self {
            Self::AttrOfLocal(_, attr) | Self::AttrOfReg(_, attr) | Self::AttrOfYou(attr) | Self::AttrOfThis(attr) => {
                Some(attr)
            }
            Self::Const(_)
            | Self::Null
            | Self::Temp(_)
            | Self::Kept(_)
            | Self::Given
            | Self::Local(_)
            | Self::Reg(_)
            | Self::This
            | Self::You
            | Self::Turn
            | Self::Active
            | Self::PropOfLocal(..)
            | Self::PropOfReg(..) => None,
        }
    }

    /// Whether it is found in a register.
    pub fn is_in(self, reg: u8) -> bool {
        matches!(self, Self::Reg(it) | Self::AttrOfReg(it, _) | Self::PropOfReg(it, _) if it == reg)
    }
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Puts a value where later operations look for it.
    Put { to: u16, value: Operand },
    /// Calculates or compares.
    Math { to: u16, math: Math, a: Operand, b: Operand },
    /// Does what an instruction does with one operand.
    Of { to: u16, instr: Instr, value: Operand },
    /// Does what an instruction does with two operands.
    With { to: u16, instr: Instr, a: Operand, b: Operand },
    /// Does what an instruction does with the values below a height of the stack.
    Stacked { top: u16, instr: Instr },
    /// Gives a register a value.
    SetReg { reg: u8, value: Operand },
    /// Goes on elsewhere if a comparison holds, or if it does not.
    Test { math: Math, holds: bool, a: Operand, b: Operand, to: u32 },
    /// The same with a truth value.
    Branch { holds: bool, value: Operand, to: u32 },
    /// Goes on elsewhere.
    Jump { to: u32 },
    /// Costs what it costs.
    Pay,
    /// Ends a piece of pure code with a value.
    Return { value: Operand },
    /// The same with what a calculation or comparison comes to.
    ReturnMath { math: Math, a: Operand, b: Operand },
    /// Ends what is worked out once for all candidates of a selector; its values stay on the stack.
    Keep { top: u16 },
    /// Stops before an instruction that does something, with its operands: so many of the table, from one on. What it
    /// gives goes on the stack at a height.
    Do { top: u16, n_operands: u8, at: CodePtr, operands: u32 },
}

/// An operation and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub op: Op,
    pub fuel: u32,
}

/// Where a piece of code begins, and how many values lie on the stack there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub at: u32,
    pub depth: u16,
}

impl Entry {
    /// No code begins here.
    pub const NONE: Self = Self { at: u32::MAX, depth: 0 };
}

/// What a selector asks of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// What is the same for all of them; worked out first.
    pub first: Entry,
    /// How many values that comes to.
    pub n_kept: u16,
    /// What is asked of each, who is in the selector's register.
    pub each: Entry,
}

impl Filter {
    /// Nothing.
    pub const NONE: Self = Self { first: Entry::NONE, n_kept: 0, each: Entry::NONE };
}

/// All operations of a program.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    pub(crate) rows: Vec<Row>,
    /// What instructions that do something work on.
    pub(crate) operands: Vec<Operand>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) filters: Vec<Filter>,
    /// Code that tells whether costs can be paid, by where the costs stand.
    pub(crate) payable: Vec<Entry>,
    /// The most values a piece of code has on the stack.
    pub(crate) depth: u16,
}

impl Ops {
    /// An operation.
    #[inline]
    pub fn row(&self, at: u32) -> Option<&Row> {
        self.rows.get(usize::try_from(at).unwrap_or(usize::MAX))
    }

    /// What an instruction that does something works on.
    #[inline]
    pub fn operands(&self, first: u32, n: u8) -> &[Operand] {
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        self.operands.get(first..first.saturating_add(usize::from(n))).unwrap_or_default()
    }

    /// Where the code of an instruction begins.
    #[inline]
    pub fn entry(&self, code: CodePtr) -> Entry {
        self.entries.get(code.index()).copied().unwrap_or(Entry::NONE)
    }

    /// The code that tells whether some costs can be paid; none if that must be tried. It comes to 1 or 0, or to nothing
    /// if it must be tried after all.
    #[inline]
    pub fn payable(&self, costs: CodePtr) -> Option<Entry> {
        self.payable.get(costs.index()).copied().filter(|it| *it != Entry::NONE)
    }

    /// What a selector asks of its candidates.
    #[inline]
    pub fn filter(&self, id: SelectId) -> Filter {
        self.filters.get(id.index()).copied().unwrap_or(Filter::NONE)
    }

    /// The most values a piece of code has on the stack.
    #[inline]
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }
}
