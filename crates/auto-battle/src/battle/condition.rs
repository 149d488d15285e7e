//! Whether a condition holds right now.
//!
//! Every leaf that speaks of targets finds them anew, so each costs its own draw if the target is
//! random, and a part that is not tested costs none.

use super::Battle;
use super::resolve::Source;
use super::unit::Unit;
use crate::{Condition, ConditionNode, Sink, Target};

impl<K: Sink> Battle<'_, K> {
    pub(super) fn holds(&mut self, source: &Source, target: Target, condition: &Condition) -> bool {
        // Most abilities have no condition.
        condition.is_none() || self.test(source, target, &mut condition.nodes().iter())
    }

    /// Tests the tree that starts here and leaves `nodes` after it. A condition has at most seven
    /// nodes and each call takes one, which bounds the recursion.
    fn test(&mut self, source: &Source, target: Target, nodes: &mut core::slice::Iter<'_, ConditionNode>) -> bool {
        let Some(&node) = nodes.next() else {
            return true;
        };
        match node {
            ConditionNode::Not => !self.test(source, target, nodes),
            ConditionNode::And => {
                let left = self.test(source, target, nodes);
                self.test_or_skip(left, source, target, nodes)
            }
            ConditionNode::Or => {
                let left = self.test(source, target, nodes);
                self.test_or_skip(!left, source, target, nodes) || left
            }
            leaf => self.test_leaf(source, target, leaf),
        }
    }

    /// Tests the next tree if it matters, else passes over it.
    fn test_or_skip(
        &mut self,
        matters: bool,
        source: &Source,
        target: Target,
        nodes: &mut core::slice::Iter<'_, ConditionNode>,
    ) -> bool {
        if matters {
            return self.test(source, target, nodes);
        }
        let mut n_open = 1_usize;
        while n_open > 0 {
            let arity = nodes.next().map_or(0, |it| it.arity());
            n_open = n_open.saturating_add(arity).saturating_sub(1);
        }
        false
    }

    fn test_leaf(&mut self, source: &Source, target: Target, leaf: ConditionNode) -> bool {
        use ConditionNode as Node;
        self.work(1);
        match leaf {
            Node::TargetHealthLessThanOrEqual { value } => self.any_target(source, target, |it| it.health <= value),
            Node::TargetHealthGreaterThan { value } => self.any_target(source, target, |it| it.health > value),
            Node::TargetAttackLessThanOrEqual { value } => self.any_target(source, target, |it| it.attack <= value),
            Node::TargetAttackGreaterThan { value } => self.any_target(source, target, |it| it.attack > value),
            Node::SourceHealthLessThanOrEqual { value } => source.health <= value,
            Node::SourceHealthGreaterThan { value } => source.health > value,
            Node::SourceAttackLessThanOrEqual { value } => source.attack <= value,
            Node::SourceAttackGreaterThan { value } => source.attack > value,
            Node::SourceAttackGreaterThanTarget => self.first_target(source, target, |it| source.attack > it.attack),
            Node::SourceHealthLessThanTarget => self.first_target(source, target, |it| source.health < it.health),
            Node::SourceHealthGreaterThanTarget => self.first_target(source, target, |it| source.health > it.health),
            Node::SourceAttackLessThanTarget => self.first_target(source, target, |it| source.attack < it.attack),
            Node::AllyCountAtLeast { count } => self.n_allies(source) >= count,
            Node::AllyCountAtMost { count } => self.n_allies(source) <= count,
            Node::SourceIsFront => source.position == 0,
            Node::SourceIsBack => source.position == self.units(source.team).len().saturating_sub(1),
            // Connectives are taken apart in `test`.
            Node::None | Node::And | Node::Or | Node::Not => true,
        }
    }

    fn n_allies(&self, source: &Source) -> u32 {
        self.units(source.team).len() as u32
    }

    fn any_target(&mut self, source: &Source, target: Target, test: impl Fn(&Unit) -> bool) -> bool {
        let mut targets = self.targets(source.team, source.place, target);
        let units = self.units(targets.team);
        targets.any(|idx| units.get(idx).is_some_and(&test))
    }

    fn first_target(&mut self, source: &Source, target: Target, test: impl Fn(&Unit) -> bool) -> bool {
        let mut targets = self.targets(source.team, source.place, target);
        let first = targets.next();
        let units = self.units(targets.team);
        first.and_then(|idx| units.get(idx)).is_some_and(test)
    }
}
