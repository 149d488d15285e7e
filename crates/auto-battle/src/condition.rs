//! Conditions of abilities: a small tree, kept as a bounded list of its nodes in prefix order.
//!
//! The list makes the size of a condition known and its decoding flat; only JSON nests. What a
//! condition says about a battle is decided in `battle`, not here.

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;

use crate::Bounded;

/// The most nodes a condition can have, connectives and leaves together.
pub const CONDITION_NODES_MAX: usize = 7;

/// How many levels below the root a node of a condition may stand.
pub const CONDITION_DEPTH_MAX: usize = 3;

/// One node of a condition: a leaf, or a connective whose parts follow it in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub enum ConditionNode {
    /// Always true.
    #[default]
    None,
    /// Some target has at most this health.
    TargetHealthLessThanOrEqual { value: i32 },
    /// Some target has more health than this.
    TargetHealthGreaterThan { value: i32 },
    /// Some target has at most this attack.
    TargetAttackLessThanOrEqual { value: i32 },
    /// Some target has more attack than this.
    TargetAttackGreaterThan { value: i32 },
    /// The source has at most this health.
    SourceHealthLessThanOrEqual { value: i32 },
    /// The source has more health than this.
    SourceHealthGreaterThan { value: i32 },
    /// The source has at most this attack.
    SourceAttackLessThanOrEqual { value: i32 },
    /// The source has more attack than this.
    SourceAttackGreaterThan { value: i32 },
    /// The source has more attack than the first target.
    SourceAttackGreaterThanTarget,
    /// The source has less health than the first target.
    SourceHealthLessThanTarget,
    /// The source has more health than the first target.
    SourceHealthGreaterThanTarget,
    /// The source has less attack than the first target.
    SourceAttackLessThanTarget,
    /// The source's board has at least this many units.
    AllyCountAtLeast { count: u32 },
    /// The source's board has at most this many units.
    AllyCountAtMost { count: u32 },
    /// The source stood in front when the ability was queued.
    SourceIsFront,
    /// Where the source stood when the ability was queued is now the back.
    SourceIsBack,
    /// Both following parts; the second is tested only if the first is true.
    And,
    /// Either of the following parts; the second is tested only if the first is false.
    Or,
    /// Not the following part.
    Not,
}

impl ConditionNode {
    /// How many parts follow this node.
    pub const fn arity(self) -> usize {
        match self {
            Self::And | Self::Or => 2,
            Self::Not => 1,
            Self::None
            | Self::TargetHealthLessThanOrEqual { .. }
            | Self::TargetHealthGreaterThan { .. }
            | Self::TargetAttackLessThanOrEqual { .. }
            | Self::TargetAttackGreaterThan { .. }
            | Self::SourceHealthLessThanOrEqual { .. }
            | Self::SourceHealthGreaterThan { .. }
            | Self::SourceAttackLessThanOrEqual { .. }
            | Self::SourceAttackGreaterThan { .. }
            | Self::SourceAttackGreaterThanTarget
            | Self::SourceHealthLessThanTarget
            | Self::SourceHealthGreaterThanTarget
            | Self::SourceAttackLessThanTarget
            | Self::AllyCountAtLeast { .. }
            | Self::AllyCountAtMost { .. }
            | Self::SourceIsFront
            | Self::SourceIsBack => 0,
        }
    }
}

/// Why a list of nodes is not a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionError {
    /// There are more than [`CONDITION_NODES_MAX`] nodes.
    TooManyNodes,
    /// A node stands more than [`CONDITION_DEPTH_MAX`] levels below the root.
    TooDeep,
    /// The list ends before the tree does.
    Incomplete,
    /// The tree ends before the list does.
    Trailing,
}

impl core::fmt::Display for ConditionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::TooManyNodes => "a condition has at most 7 nodes",
            Self::TooDeep => "a condition has no node more than 3 levels below its root",
            Self::Incomplete => "a condition lacks a part",
            Self::Trailing => "a condition has nodes after its end",
        })
    }
}

impl core::error::Error for ConditionError {}

/// One whole tree of nodes within the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct Condition {
    nodes: Bounded<ConditionNode, CONDITION_NODES_MAX>,
}

impl Condition {
    /// The condition that is always true.
    pub const NONE: Self = Self::leaf(ConditionNode::None);

    /// Makes a condition of one leaf; a connective, which lacks its parts, becomes `None`.
    pub const fn leaf(node: ConditionNode) -> Self {
        let node = if node.arity() == 0 { node } else { ConditionNode::None };
        let mut nodes = [ConditionNode::None; CONDITION_NODES_MAX];
        let [root, ..] = &mut nodes;
        *root = node;
        Self { nodes: Bounded::from_array(nodes, 1) }
    }

    /// Makes a condition of the nodes of one tree in prefix order.
    pub fn from_nodes(nodes: &[ConditionNode]) -> Result<Self, ConditionError> {
        check_shape(nodes)?;
        let nodes = Bounded::try_from_iter(nodes.iter().copied());
        nodes.map(|nodes| Self { nodes }).map_err(|_| ConditionError::TooManyNodes)
    }

    /// Joins two conditions: both must be true.
    pub fn and(&self, other: &Self) -> Result<Self, ConditionError> {
        Self::join(ConditionNode::And, &[self, other])
    }

    /// Joins two conditions: one must be true.
    pub fn or(&self, other: &Self) -> Result<Self, ConditionError> {
        Self::join(ConditionNode::Or, &[self, other])
    }

    /// Turns a condition into its opposite.
    pub fn negated(&self) -> Result<Self, ConditionError> {
        Self::join(ConditionNode::Not, &[self])
    }

    /// The nodes in prefix order; there is at least one.
    pub fn nodes(&self) -> &[ConditionNode] {
        &self.nodes
    }

    /// Is this the condition that is always true by having no test?
    pub fn is_none(&self) -> bool {
        matches!(self.nodes(), [ConditionNode::None])
    }

    fn join(node: ConditionNode, parts: &[&Self]) -> Result<Self, ConditionError> {
        let mut nodes: Bounded<_, CONDITION_NODES_MAX> = Bounded::new();
        let parts = parts.iter().flat_map(|it| it.nodes().iter().copied());
        for it in core::iter::once(node).chain(parts) {
            nodes.push(it).map_err(|_| ConditionError::TooManyNodes)?;
        }
        Self::from_nodes(&nodes)
    }
}

impl Default for Condition {
    fn default() -> Self {
        Self::NONE
    }
}

/// Walks the list once with one level per open part, so no depth of input costs stack.
fn check_shape(nodes: &[ConditionNode]) -> Result<(), ConditionError> {
    if nodes.len() > CONDITION_NODES_MAX {
        return Err(ConditionError::TooManyNodes);
    }
    // The levels at which parts are still to come, nearest last.
    let mut open: Bounded<usize, { CONDITION_NODES_MAX + 1 }> = Bounded::new();
    let _ = open.push(0);
    for node in nodes {
        let level = open.pop().ok_or(ConditionError::Trailing)?;
        if level > CONDITION_DEPTH_MAX {
            return Err(ConditionError::TooDeep);
        }
        for _ in 0..node.arity() {
            // Seven nodes open at most eight parts.
            let _ = open.push(level.saturating_add(1));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(ConditionError::Incomplete) }
}

#[cfg(feature = "scale")]
impl Decode for Condition {
    fn decode<I: parity_scale_codec::Input>(input: &mut I) -> Result<Self, parity_scale_codec::Error> {
        let nodes = Bounded::<ConditionNode, CONDITION_NODES_MAX>::decode(input)?;
        Self::from_nodes(&nodes).map_err(|_| "condition is not one whole tree".into())
    }
}
