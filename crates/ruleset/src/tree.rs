//! Pure code as trees: what the conditions and filters of a ruleset mostly are, in the form that runs fastest.
//! Worked out from the code itself, which stays what it is: code that is no small tree simply has none.

use alloc::vec::Vec;

use crate::{
    NULL,
    ids::{AttrId, CodePtr, SelectId},
    instr::{Instr, Math, Prop},
    program::{SeatRule, Select},
};

/// A piece of code that comes to more nodes than this is left as it is.
const NODES_MAX: usize = 96;

/// A piece of code that takes more steps to become nodes is left as it is.
const STEPS_MAX: usize = 512;

/// The same for all code of a program together: the rest of a huge one is left as it is.
const STEPS_OF_ALL_MAX: usize = 1 << 18;

/// Where a node stands in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// Stands for "no tree".
    pub const NONE: Self = Self(u32::MAX);
}

/// A node of a tree. No node can fail, and none makes a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// What an instruction without operands pushes.
    Leaf(Instr),
    /// What an instruction makes of one operand.
    Unary(Instr, Operand),
    /// Arithmetic or comparison of two operands.
    Math(Math, Operand, Operand),
    /// One node if the operand is true, else the other.
    If(Operand, NodeId, NodeId),
    /// The same with a comparison for the operand, as most have.
    Test(Math, Operand, Operand, NodeId, NodeId),
    /// Puts what was pushed before into a register, then goes on.
    Take(u8, NodeId),
}

/// What a node works on. What lies at hand is named in the node itself, so that small trees are one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A number.
    Const(i32),
    /// A variable.
    Local(u16),
    /// A register.
    Reg(u8),
    /// The turn number.
    Turn,
    /// The player who acts.
    You,
    /// An attribute of who is in a variable.
    AttrOfLocal(u16, AttrId),
    /// An attribute of who is in a register.
    AttrOfReg(u8, AttrId),
    /// An attribute of the player who acts.
    AttrOfYou(AttrId),
    /// Since when a card that is in a register is where it is.
    SinceOfReg(u8),
    /// How many cards are in the zones of a selector that finds all of them.
    Size(SelectId),
    /// The value of another node.
    Node(NodeId),
}

/// A tree: its first node, and how many instructions it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    pub node: NodeId,
    pub size: u32,
}

impl Root {
    /// Stands for "no tree".
    pub const NONE: Self = Self { node: NodeId::NONE, size: 0 };

    /// Whether there is a tree.
    #[inline]
    pub fn is_some(self) -> bool {
        self.node.0 != NodeId::NONE.0
    }
}

/// The trees of a program, by where their code begins.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    nodes: Vec<Node>,
    /// For every place in the code the tree that begins there.
    roots: Vec<Root>,
    /// For every place in the code the run that begins there.
    runs: Vec<Run>,
    /// The values of all runs, one behind the other.
    values: Vec<Operand>,
    /// How often a node may still be added to any tree.
    steps_left: usize,
}

/// Instructions of a list that only push values, up to one that does something with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    first: u32,
    len: u16,
    /// How many instructions it stands for; 0 if there is no run.
    pub size: u16,
}

impl Trees {
    /// Makes trees of all pure code that can be one. Counting what some selectors find needs no look at the cards.
    pub fn new(code: &[Instr], whole: &[SelectId]) -> Self {
        let mut trees = Self {
            roots: alloc::vec![Root::NONE; code.len()],
            runs: alloc::vec![Run::default(); code.len()],
            steps_left: STEPS_OF_ALL_MAX,
            ..Self::default()
        };
        let mut before = Instr::End;
        for (at, instr) in code.iter().enumerate() {
            // Pieces of code lie one behind the other.
            if matches!(before, Instr::Return | Instr::End) {
                let root = trees.plant(code, whole, |it| it.grow(at, Values::default()));
                if let Some(slot) = trees.roots.get_mut(at) {
                    *slot = root;
                }
            }
            if !is_value(before) && is_value(*instr) {
                trees.plant_run(code, at);
            }
            before = *instr;
        }
        trees
    }

    /// Makes a run of what pushes values from a place on, as far as it needs nothing that was pushed before.
    fn plant_run(&mut self, code: &[Instr], at: usize) {
        let mut grower = Grower::new(code, &[], &mut self.nodes, self.steps_left);
        let mut values = Values::default();
        let mut end = at;
        while let Some(instr) = code.get(end)
            && is_value(*instr)
            && grower.push(*instr, &mut values).is_some()
        {
            end = end.saturating_add(1);
        }
        let size = u16::try_from(end.saturating_sub(at)).unwrap_or(0);
        let operands: Vec<Operand> = values.stack.iter().map(|it| grower.operand(*it)).collect();
        if let Some(slot) = self.runs.get_mut(at).filter(|_| size > 0) {
            let first = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
            *slot = Run { first, len: u16::try_from(operands.len()).unwrap_or(0), size };
            self.values.extend(operands);
        }
    }

    /// The run that begins at a place, with its values.
    #[inline]
    pub fn run(&self, code: CodePtr) -> Option<(Run, &[Operand])> {
        let run = self.runs.get(code.index()).copied().filter(|it| it.size > 0)?;
        let first = usize::try_from(run.first).ok()?;
        Some((run, self.values.get(first..first.saturating_add(usize::from(run.len)))?))
    }

    /// Grows a tree; one that does not come to an end leaves nothing behind.
    fn plant(
        &mut self,
        code: &[Instr],
        whole: &[SelectId],
        grow: impl FnOnce(&mut Grower<'_>) -> Option<NodeId>,
    ) -> Root {
        let start = self.nodes.len();
        let mut grower = Grower::new(code, whole, &mut self.nodes, self.steps_left);
        let (given, root) = (grower.steps, grow(&mut grower));
        let n_steps = given.saturating_sub(grower.steps);
        self.steps_left = self.steps_left.saturating_sub(n_steps);
        let size = u32::try_from(self.nodes.len().saturating_sub(start)).unwrap_or(u32::MAX);
        match root {
            Some(node) => Root { node, size },
            None => {
                self.nodes.truncate(start);
                Root::NONE
            }
        }
    }

    /// The tree of a piece of code, if it has one.
    #[inline]
    pub fn root(&self, code: CodePtr) -> Root {
        self.roots.get(code.index()).copied().unwrap_or(Root::NONE)
    }

    /// Whether two selectors look for the same: alike in everything, filters that say the same included.
    pub fn are_alike(&self, a: &Select, b: &Select) -> bool {
        let plain = |it: &Select| !it.compares() && !matches!(it.seat, SeatRule::In(_));
        let same = (a.source, a.seat, a.seat_is, a.order, a.reg) == (b.source, b.seat, b.seat_is, b.order, b.reg);
        let (this, that) = (self.root(a.filter), self.root(b.filter));
        let says_same = || this.is_some() && that.is_some() && self.are_equal(this.node, that.node);
        core::ptr::eq(a, b) || (plain(a) && plain(b) && same && (a.filter == b.filter || says_same()))
    }

    /// Whether two trees are the same, wherever their nodes lie.
    fn are_equal(&self, a: NodeId, b: NodeId) -> bool {
        let operands = |a: Operand, b: Operand| match (a, b) {
            (Operand::Node(a), Operand::Node(b)) => self.are_equal(a, b),
            _ => a == b,
        };
        match (self.node(a), self.node(b)) {
            (Some(Node::Leaf(a)), Some(Node::Leaf(b))) => a == b,
            (Some(Node::Unary(a, x)), Some(Node::Unary(b, y))) => a == b && operands(x, y),
            (Some(Node::Math(a, x, xx)), Some(Node::Math(b, y, yy))) => a == b && operands(x, y) && operands(xx, yy),
            (Some(Node::If(x, yes, no)), Some(Node::If(y, yes2, no2))) => {
                operands(x, y) && self.are_equal(yes, yes2) && self.are_equal(no, no2)
            }
            (Some(Node::Test(a, x, xx, yes, no)), Some(Node::Test(b, y, yy, yes2, no2))) => {
                let same = a == b && operands(x, y) && operands(xx, yy);
                same && self.are_equal(yes, yes2) && self.are_equal(no, no2)
            }
            (Some(Node::Take(a, x)), Some(Node::Take(b, y))) => a == b && self.are_equal(x, y),
            _ => false,
        }
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(usize::try_from(id.0).unwrap_or(usize::MAX)).copied()
    }
}

/// What the code works with on one of its ways.
#[derive(Clone, Default)]
struct Values {
    stack: Vec<NodeId>,
    /// Registers that are another name for something.
    regs: [Option<NodeId>; 16],
    /// What the variables are, where that is known; nothing beyond the last.
    locals: Option<Vec<NodeId>>,
}

/// Grows one tree by running its code on nodes instead of numbers.
struct Grower<'c> {
    code: &'c [Instr],
    /// The selectors that find whole zones.
    whole: &'c [SelectId],
    nodes: &'c mut Vec<Node>,
    start: usize,
    /// How often a node may still be added, for code that comes to the same place in many ways.
    steps: usize,
}

impl<'c> Grower<'c> {
    fn new(code: &'c [Instr], whole: &'c [SelectId], nodes: &'c mut Vec<Node>, steps_left: usize) -> Self {
        let start = nodes.len();
        Self { code, whole, nodes, start, steps: steps_left.min(STEPS_MAX) }
    }

    /// Follows the code from a place to its end. After a branch both sides go on to the end on their own, so that
    /// what decides is asked once; none if the code is too long for that, or no tree.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here is not part of any tree")]
    fn grow(&mut self, mut at: usize, mut values: Values) -> Option<NodeId> {
        loop {
            let instr = self.code.get(at).copied()?;
            at = at.saturating_add(1);
            let stack = &mut values.stack;
            match instr {
                Instr::Return => return if stack.len() == 1 { stack.pop() } else { None },
                Instr::Jump(to) => at = forward(to, at)?,
                Instr::JumpUnless(to) => return self.branch(values, at, forward(to, at)?, Self::grow),
                Instr::JumpIf(to) => return self.branch(values, forward(to, at)?, at, Self::grow),
                Instr::SetReg(reg) => match stack.pop() {
                    // Only what costs nothing to look at again gets another name.
                    Some(value) if matches!(self.node(value), Some(Node::Leaf(_))) => {
                        *values.regs.get_mut(usize::from(reg))? = Some(value);
                    }
                    Some(_) => return None,
                    None => {
                        let rest = self.grow(at, values)?;
                        return self.add(Node::Take(reg, rest));
                    }
                },
                it => self.push(it, &mut values)?,
            }
        }
    }

    /// Carries out an instruction that only makes values of values; none, and nothing done, if it is no such one.
    fn push(&mut self, instr: Instr, values: &mut Values) -> Option<()> {
        let stack = &mut values.stack;
        let node = match (instr, stack.as_slice()) {
            (Instr::Reg(reg), _) => match values.regs.get(usize::from(reg)).copied().flatten() {
                Some(known) => known,
                None => self.add(Node::Leaf(instr))?,
            },
            (Instr::Local(cell), _) => match values.locals.as_ref().map(|it| it.get(usize::from(cell)).copied()) {
                Some(Some(known)) => known,
                Some(None) => self.add(Node::Leaf(Instr::Null))?,
                None => self.add(Node::Leaf(instr))?,
            },
            (Instr::Count(id), _) if self.whole.contains(&id) => self.add(Node::Leaf(instr))?,
            (Instr::Math(math), [.., a, b]) => {
                let known = self.known(math, *a, *b).map(|it| Node::Leaf(Instr::Const(i32::from(it))));
                let node = self.add(known.unwrap_or(Node::Math(math, self.operand(*a), self.operand(*b))))?;
                stack.truncate(stack.len().saturating_sub(2));
                node
            }
            // Which attribute it is, is known where a payment says so.
            (Instr::AttrOf, [.., of, attr]) => {
                let Some(Node::Leaf(Instr::Const(attr))) = self.node(*attr) else { return None };
                let node = self.add(Node::Unary(Instr::Attr(AttrId::from(i64::from(attr))), self.operand(*of)))?;
                stack.truncate(stack.len().saturating_sub(2));
                node
            }
            (it, _) if is_leaf(it) => self.add(Node::Leaf(it))?,
            (it, [.., operand]) if is_unary(it) => {
                let operand = self.operand(*operand);
                let node = self.add(Node::Unary(it, operand))?;
                stack.pop();
                node
            }
            _ => return None,
        };
        stack.push(node);
        Some(())
    }

    /// Whether two numbers are the same or not, if that is known; what a ruleset leaves out is mostly asked so.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here is not asked of numbers that are known")]
    fn known(&self, math: Math, a: NodeId, b: NodeId) -> Option<bool> {
        let number = |it: NodeId| match self.node(it)? {
            Node::Leaf(Instr::Const(value)) => Some(i64::from(value)),
            Node::Leaf(Instr::Null) => Some(NULL),
            _ => None,
        };
        let are_same = number(a)? == number(b)?;
        match math {
            Math::Eq => Some(are_same),
            Math::Ne => Some(!are_same),
            _ => None,
        }
    }

    fn branch(
        &mut self,
        mut values: Values,
        yes: usize,
        no: usize,
        grow: impl Fn(&mut Self, usize, Values) -> Option<NodeId>,
    ) -> Option<NodeId> {
        let condition = values.stack.pop()?;
        if let Some(Node::Leaf(Instr::Const(value))) = self.node(condition) {
            return grow(self, if value == 1 { yes } else { no }, values);
        }
        let yes = grow(self, yes, values.clone())?;
        let no = grow(self, no, values)?;
        match self.node(condition) {
            Some(Node::Math(math, a, b)) => self.add(Node::Test(math, a, b, yes, no)),
            _ => self.add(Node::If(self.operand(condition), yes, no)),
        }
    }

    /// A node as what another works on.
    fn operand(&self, id: NodeId) -> Operand {
        match self.node(id) {
            Some(Node::Leaf(Instr::Const(value))) => Operand::Const(value),
            Some(Node::Leaf(Instr::Local(cell))) => Operand::Local(cell),
            Some(Node::Leaf(Instr::Reg(reg))) => Operand::Reg(reg),
            Some(Node::Leaf(Instr::Turn)) => Operand::Turn,
            Some(Node::Leaf(Instr::You)) => Operand::You,
            Some(Node::Unary(Instr::Attr(attr), Operand::Local(cell))) => Operand::AttrOfLocal(cell, attr),
            Some(Node::Unary(Instr::Attr(attr), Operand::Reg(reg))) => Operand::AttrOfReg(reg, attr),
            Some(Node::Unary(Instr::Attr(attr), Operand::You)) => Operand::AttrOfYou(attr),
            Some(Node::Unary(Instr::Prop(Prop::Since), Operand::Reg(reg))) => Operand::SinceOfReg(reg),
            Some(Node::Leaf(Instr::Count(id))) => Operand::Size(id),
            _ => Operand::Node(id),
        }
    }

    fn node(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(usize::try_from(id.0).ok()?).copied()
    }

    /// Adds a node, unless the tree has it already: ways that come to the same share what comes after.
    fn add(&mut self, node: Node) -> Option<NodeId> {
        self.steps = self.steps.checked_sub(1)?;
        let same = self.nodes.get(self.start..)?.iter().position(|it| *it == node);
        let at = same.map_or(self.nodes.len(), |it| self.start.saturating_add(it));
        if same.is_none() {
            self.nodes.push(node);
        }
        let is_small = self.nodes.len().saturating_sub(self.start) <= NODES_MAX;
        u32::try_from(at).ok().filter(|_| is_small).map(NodeId)
    }
}

/// Trees have no loops.
fn forward(to: CodePtr, at: usize) -> Option<usize> {
    (to.index() >= at).then(|| to.index())
}

/// Whether an instruction only makes values of values.
fn is_value(instr: Instr) -> bool {
    is_leaf(instr) || is_unary(instr) || matches!(instr, Instr::Reg(_) | Instr::Math(_))
}

fn is_leaf(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::Const(_)
            | Instr::Null
            | Instr::Local(_)
            | Instr::This
            | Instr::You
            | Instr::OwnEvent
            | Instr::Cause
            | Instr::Turn
            | Instr::Active
            | Instr::PhaseNow
            | Instr::StepNow
    )
}

fn is_unary(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::Attr(_)
            | Instr::Prop(_)
            | Instr::HasKeyword(_)
            | Instr::HasType(_)
            | Instr::NextPlayer
            | Instr::Neg
            | Instr::Abs
            | Instr::Not
    )
}
