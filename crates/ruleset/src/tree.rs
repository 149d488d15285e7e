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
}

impl Trees {
    /// Makes trees of all pure code that can be one.
    pub fn new(code: &[Instr]) -> Self {
        let mut trees = Self { nodes: Vec::new(), roots: alloc::vec![(NodeId::NONE, 0); code.len()] };
        let mut begins = true;
        for (at, instr) in code.iter().enumerate() {
            if begins {
                trees.plant(code, at);
            }
            // Pieces of code lie one behind the other.
            begins = matches!(instr, Instr::Return | Instr::End);
        }
        trees
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
                Instr::Reg(reg) => {
                    let known = values.regs.get(usize::from(reg)).copied().flatten();
                    let node = if known.is_some() { known } else { self.add(Node::Leaf(instr)) };
                    stack.push(node?);
                }
                Instr::Math(math) => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    stack.push(self.add(Node::Math(math, a, b))?);
                }
                it if is_leaf(it) => stack.push(self.add(Node::Leaf(it))?),
                it if is_unary(it) => {
                    let operand = stack.pop()?;
                    stack.push(self.add(Node::Unary(it, operand))?);
                }
                _ => return None,
            }
        }
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
