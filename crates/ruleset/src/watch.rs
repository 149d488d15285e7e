//! State checks and end conditions that compare one attribute of each on his own with a number, as most do, or the
//! turn: a glance at those who changed is all it takes to know that there is nothing to do.

use crate::{
    ids::{CodePtr, SelectId},
    instr::{Instr, Math},
    program::{Program, Source, StateCheck},
    tree::{Node, NodeId, Operand},
};

/// What a check looks for, where that is one comparison of what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Where it looks.
    pub among: Among,
    /// The column of the attribute, which only modifiers change.
    pub column: u16,
    least: i64,
    most: i64,
    /// What it costs to ask.
    pub fuel: u32,
}

/// Where a check looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// At cards in zones of some kinds, a bit each.
    Zones(u64),
    /// At players.
    Players,
    /// At the number of the turn.
    Turns,
}

impl Watch {
    /// Whether a value is what the check looks for.
    #[inline]
    pub fn holds(&self, value: i64) -> bool {
        self.least <= value && value <= self.most
    }
}

impl Program {
    /// Works out what checks and end conditions watch, now that there are trees.
    pub(crate) fn find_watches(&mut self) {
        let checks =
            self.checks.iter().map(|it| (it.reads, self.watch(if it.is_own { it.each } else { SelectId::NONE })));
        let ends = self.ends.iter().map(|it| (it.reads, self.watch(it.finds_own).or_else(|| self.watch_turn(it.when))));
        self.watches = checks.chain(ends).collect();
        for i in 0..self.checks.len() {
            let is_plain = self.checks.get(i).is_some_and(|it| self.is_plain_check(it));
            if let Some(check) = self.checks.get_mut(i) {
                check.is_plain = is_plain;
            }
        }
    }

    /// Whether a check looks for cards by what it watches, in order of their numbers, and each leads to one event that
    /// was read ahead and does not depend on the others.
    fn is_plain_check(&self, check: &StateCheck) -> bool {
        let Some(select) = self.select(check.each).filter(|_| check.is_own) else { return false };
        let is_sorted = matches!(select.source, Source::Zones(_)) && !select.order.is_as_they_lie();
        let leads = self.strokes.leads(check.emit).filter(|it| it.is_last);
        let deed = leads.and_then(|it| it.deed.as_ref());
        is_sorted && deed.is_some_and(|it| it.is_steady && !it.has_requirement && it.aim.is_some())
    }

    /// What a condition watches that looks at nothing but the number of the turn.
    fn watch_turn(&self, when: CodePtr) -> Option<Watch> {
        let root = self.trees.root(when);
        let (math, Operand::Turn, Operand::Const(than)) = self.comparison(root.node)? else { return None };
        let (least, most) = range(math, than.into())?;
        Some(Watch { among: Among::Turns, column: 0, least, most, fuel: root.size })
    }

    /// What a selector watches that looks at each one on his own.
    fn watch(&self, id: SelectId) -> Option<Watch> {
        let select = self.select(id)?;
        let root = self.trees.root(select.filter);
        let Node::Take(reg, rest) = self.trees.node(root.node)? else { return None };
        let (math, Operand::AttrOfReg(of, attr), Operand::Const(than)) = self.comparison(rest)? else { return None };
        let rule = self.attr(attr).filter(|it| of == reg && !it.has_auras && !it.is_link())?;
        let (among, all_have) = match select.source {
            Source::Zones(mask) => (Among::Zones(mask), rule.on_cards),
            Source::Players => (Among::Players, rule.on_players),
            Source::Stack(_) | Source::List(_) | Source::Defs(_) => return None,
        };
        let (least, most) = range(math, than.into()).filter(|_| all_have)?;
        Some(Watch { among, column: rule.column, least, most, fuel: root.size })
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

/// The least and the most a value can be that compares like this.
fn range(math: Math, than: i64) -> Option<(i64, i64)> {
    match math {
        Math::Eq => Some((than, than)),
        Math::Lt => Some((i64::MIN, than.saturating_sub(1))),
        Math::Le => Some((i64::MIN, than)),
        Math::Gt => Some((than.saturating_add(1), i64::MAX)),
        Math::Ge => Some((than, i64::MAX)),
        Math::Ne | Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => None,
    }
}
