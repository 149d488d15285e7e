//! State checks and end conditions that compare one attribute of each on his own with a number, as most do: what of
//! those who changed has to be looked at, so that a look is all it takes to know that there is nothing to do.

use crate::{
    ids::SelectId,
    instr::{Instr, Math},
    program::{Program, Source},
    tree::{Node, NodeId, Operand},
};

/// What a selector asks of each it may find, where that is one comparison of what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Where it looks.
    pub among: Among,
    /// The column of the attribute, which only modifiers change.
    pub column: u16,
    math: Math,
    than: i32,
    /// What it costs to ask.
    pub fuel: u32,
}

/// Where a selector looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// At cards in zones of some kinds, a bit each.
    Zones(u64),
    /// At players.
    Players,
}

impl Watch {
    /// Whether a stored value is what the selector looks for.
    #[inline]
    pub fn holds(&self, value: i32) -> bool {
        match self.math {
            Math::Eq => value == self.than,
            Math::Ne => value != self.than,
            Math::Lt => value < self.than,
            Math::Le => value <= self.than,
            Math::Gt => value > self.than,
            Math::Ge => value >= self.than,
            Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => false,
        }
    }
}

impl Program {
    /// Works out what checks and end conditions watch, now that there are trees.
    pub(crate) fn find_watches(&mut self) {
        for i in 0..self.checks.len() {
            let watch = self.checks.get(i).filter(|it| it.is_own).and_then(|it| self.watch(it.each));
            if let Some(check) = self.checks.get_mut(i) {
                check.watch = watch;
            }
        }
        for i in 0..self.ends.len() {
            let watch = self.ends.get(i).and_then(|it| self.watch(it.finds_own));
            if let Some(end) = self.ends.get_mut(i) {
                end.watch = watch;
            }
        }
    }

    /// What a selector watches that looks at each one on his own.
    fn watch(&self, id: SelectId) -> Option<Watch> {
        let select = self.select(id)?;
        let root = self.trees.root(select.filter);
        let Node::Take(reg, rest) = self.trees.node(root.node)? else { return None };
        let (math, Operand::AttrOfReg(of, attr), Operand::Const(than)) = self.comparison(rest)? else { return None };
        let rule = self.attr(attr).filter(|it| of == reg && is_comparison(math) && !it.has_auras && !it.is_link())?;
        let (among, all_have) = match select.source {
            Source::Zones(mask) => (Among::Zones(mask), rule.on_cards),
            Source::Players => (Among::Players, rule.on_players),
            Source::Stack(_) | Source::List(_) | Source::Defs(_) => return None,
        };
        all_have.then_some(Watch { among, column: rule.column, math, than, fuel: root.size })
    }

    /// The comparison a condition consists of.
    fn comparison(&self, condition: NodeId) -> Option<(Math, Operand, Operand)> {
        let number = |it: NodeId| if let Some(Node::Leaf(Instr::Const(it))) = self.trees.node(it) { it } else { -1 };
        match self.trees.node(condition)? {
            Node::Math(math, a, b) => Some((math, a, b)),
            Node::Test(math, a, b, yes, no) => (number(yes) == 1 && number(no) == 0).then_some((math, a, b)),
            Node::Leaf(_) | Node::Unary(..) | Node::If(..) | Node::Take(..) => None,
        }
    }
}

fn is_comparison(math: Math) -> bool {
    matches!(math, Math::Eq | Math::Ne | Math::Lt | Math::Le | Math::Gt | Math::Ge)
}
