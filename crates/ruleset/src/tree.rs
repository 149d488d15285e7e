//! Pure code as trees: what the conditions and filters of a ruleset mostly are, in the form that runs fastest.
//! Worked out from the code itself, which stays what it is: code that is no small tree simply has none.

use alloc::vec::Vec;

use crate::{
    ids::CodePtr,
    instr::{Instr, Math},
};

/// A piece of code that comes to more nodes than this is left as it is.
const NODES_MAX: usize = 96;

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
    Unary(Instr, NodeId),
    /// Arithmetic or comparison of two operands.
    Math(Math, NodeId, NodeId),
    /// The second operand if the first is true, else the third.
    If(NodeId, NodeId, NodeId),
    /// Puts what was pushed before into a register, then goes on.
    Take(u8, NodeId),
}

/// The trees of a program, by where their code begins.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    nodes: Vec<Node>,
    /// For every place in the code the tree that begins there, with its size.
    roots: Vec<(NodeId, u32)>,
    /// For every place in the code the run that begins there.
    runs: Vec<Run>,
    /// The values of all runs, one behind the other.
    values: Vec<NodeId>,
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
    /// Makes trees of all pure code that can be one.
    pub fn new(code: &[Instr]) -> Self {
        let mut trees = Self {
            roots: alloc::vec![(NodeId::NONE, 0); code.len()],
            runs: alloc::vec![Run::default(); code.len()],
            ..Self::default()
        };
        let mut before = Instr::End;
        for (at, instr) in code.iter().enumerate() {
            // Pieces of code lie one behind the other.
            if matches!(before, Instr::Return | Instr::End) {
                trees.plant(code, at);
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
        let start = self.nodes.len();
        let mut grower = Grower { code, nodes: &mut self.nodes, start };
        let mut values = Values::default();
        let mut end = at;
        while let Some(instr) = code.get(end)
            && is_value(*instr)
            && grower.push(*instr, &mut values).is_some()
        {
            end = end.saturating_add(1);
        }
        let size = u16::try_from(end.saturating_sub(at)).unwrap_or(0);
        if let Some(slot) = self.runs.get_mut(at).filter(|_| size > 1) {
            let first = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
            *slot = Run { first, len: u16::try_from(values.stack.len()).unwrap_or(0), size };
            self.values.append(&mut values.stack);
        }
    }

    /// The run that begins at a place, with its values.
    #[inline]
    pub fn run(&self, code: CodePtr) -> Option<(Run, &[NodeId])> {
        let run = self.runs.get(code.index()).copied().filter(|it| it.size > 0)?;
        let first = usize::try_from(run.first).ok()?;
        Some((run, self.values.get(first..first.saturating_add(usize::from(run.len)))?))
    }

    fn plant(&mut self, code: &[Instr], at: usize) {
        let start = self.nodes.len();
        let mut grower = Grower { code, nodes: &mut self.nodes, start };
        let root = grower.grow(at, Values::default());
        let size = u32::try_from(self.nodes.len().saturating_sub(start)).unwrap_or(u32::MAX);
        match (root, self.roots.get_mut(at)) {
            (Some(root), Some(slot)) => *slot = (root, size),
            _ => self.nodes.truncate(start),
        }
    }

    /// The tree of a piece of code and how many nodes it has; [`NodeId::NONE`] if it has none.
    #[inline]
    pub fn root(&self, code: CodePtr) -> (NodeId, u32) {
        self.roots.get(code.index()).copied().unwrap_or((NodeId::NONE, 0))
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
}

/// Grows one tree by running its code on nodes instead of numbers.
struct Grower<'c> {
    code: &'c [Instr],
    nodes: &'c mut Vec<Node>,
    start: usize,
}

impl Grower<'_> {
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
                Instr::JumpUnless(to) => return self.branch(values, at, forward(to, at)?),
                Instr::JumpIf(to) => return self.branch(values, forward(to, at)?, at),
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
            (Instr::Math(math), [.., a, b]) => {
                let node = self.add(Node::Math(math, *a, *b))?;
                stack.truncate(stack.len().saturating_sub(2));
                node
            }
            (it, _) if is_leaf(it) => self.add(Node::Leaf(it))?,
            (it, [.., operand]) if is_unary(it) => {
                let node = self.add(Node::Unary(it, *operand))?;
                stack.pop();
                node
            }
            _ => return None,
        };
        stack.push(node);
        Some(())
    }

    fn branch(&mut self, mut values: Values, yes: usize, no: usize) -> Option<NodeId> {
        let condition = values.stack.pop()?;
        if let Some(Node::Leaf(Instr::Const(value))) = self.node(condition) {
            return self.grow(if value == 1 { yes } else { no }, values);
        }
        let yes = self.grow(yes, values.clone())?;
        let no = self.grow(no, values)?;
        self.add(Node::If(condition, yes, no))
    }

    fn node(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(usize::try_from(id.0).ok()?).copied()
    }

    fn add(&mut self, node: Node) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        self.nodes.push(node);
        (self.nodes.len().saturating_sub(self.start) <= NODES_MAX).then_some(id)
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
