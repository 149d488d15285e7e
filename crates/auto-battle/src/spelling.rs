//! Serde for bounded lists and for conditions, which only here are nested.
//!
//! Reading a condition goes no deeper than a condition may be, whatever the input does.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Bounded, CONDITION_DEPTH_MAX, Condition, ConditionError, ConditionNode};

impl<T: Serialize, const N: usize> Serialize for Bounded<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de> + Default, const N: usize> Deserialize<'de> for Bounded<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

struct BoundedVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default, const N: usize> Visitor<'de> for BoundedVisitor<T, N> {
    type Value = Bounded<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {N} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Bounded::new();
        while !list.is_full() {
            match seq.next_element()? {
                Some(item) => {
                    let _ = list.push(item);
                }
                None => return Ok(list),
            }
        }
        match seq.next_element::<IgnoredAny>()? {
            Some(_) => Err(de::Error::custom(format_args!("a list has at most {N} items"))),
            None => Ok(list),
        }
    }
}

/// How each node is spelled, the node standing with empty numbers.
const SPELLINGS: [(&str, ConditionNode); 20] = {
    use ConditionNode as Node;
    let (value, count) = (0, 0);
    [
        ("none", Node::None),
        ("targetHealthLessThanOrEqual", Node::TargetHealthLessThanOrEqual { value }),
        ("targetHealthGreaterThan", Node::TargetHealthGreaterThan { value }),
        ("targetAttackLessThanOrEqual", Node::TargetAttackLessThanOrEqual { value }),
        ("targetAttackGreaterThan", Node::TargetAttackGreaterThan { value }),
        ("sourceHealthLessThanOrEqual", Node::SourceHealthLessThanOrEqual { value }),
        ("sourceHealthGreaterThan", Node::SourceHealthGreaterThan { value }),
        ("sourceAttackLessThanOrEqual", Node::SourceAttackLessThanOrEqual { value }),
        ("sourceAttackGreaterThan", Node::SourceAttackGreaterThan { value }),
        ("sourceAttackGreaterThanTarget", Node::SourceAttackGreaterThanTarget),
        ("sourceHealthLessThanTarget", Node::SourceHealthLessThanTarget),
        ("sourceHealthGreaterThanTarget", Node::SourceHealthGreaterThanTarget),
        ("sourceAttackLessThanTarget", Node::SourceAttackLessThanTarget),
        ("allyCountAtLeast", Node::AllyCountAtLeast { count }),
        ("allyCountAtMost", Node::AllyCountAtMost { count }),
        ("sourceIsFront", Node::SourceIsFront),
        ("sourceIsBack", Node::SourceIsBack),
        ("and", Node::And),
        ("or", Node::Or),
        ("not", Node::Not),
    ]
};

/// The number a node carries.
enum Number<'a> {
    Value(&'a mut i32),
    Count(&'a mut u32),
}

impl ConditionNode {
    fn spelling(&self) -> &'static str {
        let same = |it: &&(&str, Self)| core::mem::discriminant(&it.1) == core::mem::discriminant(self);
        SPELLINGS.iter().find(same).map_or("none", |it| it.0)
    }

    fn number(&mut self) -> Option<Number<'_>> {
        match self {
            Self::TargetHealthLessThanOrEqual { value }
            | Self::TargetHealthGreaterThan { value }
            | Self::TargetAttackLessThanOrEqual { value }
            | Self::TargetAttackGreaterThan { value }
            | Self::SourceHealthLessThanOrEqual { value }
            | Self::SourceHealthGreaterThan { value }
            | Self::SourceAttackLessThanOrEqual { value }
            | Self::SourceAttackGreaterThan { value } => Some(Number::Value(value)),
            Self::AllyCountAtLeast { count } | Self::AllyCountAtMost { count } => Some(Number::Count(count)),
            Self::None
            | Self::SourceAttackGreaterThanTarget
            | Self::SourceHealthLessThanTarget
            | Self::SourceHealthGreaterThanTarget
            | Self::SourceAttackLessThanTarget
            | Self::SourceIsFront
            | Self::SourceIsBack
            | Self::And
            | Self::Or
            | Self::Not => None,
        }
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tree(self.nodes()).serialize(serializer)
    }
}

/// The tree at the start of a list of nodes.
struct Tree<'a>(&'a [ConditionNode]);

impl<'a> Tree<'a> {
    /// The tree that follows this one in the list.
    fn after(&self) -> Tree<'a> {
        let mut rest = self.0.iter();
        let mut n_open = 1_usize;
        while n_open > 0 {
            let arity = rest.next().map_or(0, |it| it.arity());
            n_open = n_open.saturating_add(arity).saturating_sub(1);
        }
        Tree(rest.as_slice())
    }
}

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut node, rest) = match self.0.split_first() {
            Some((node, rest)) => (*node, rest),
            None => (ConditionNode::None, self.0),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", node.spelling())?;
        match node.number() {
            Some(Number::Value(value)) => map.serialize_entry("value", value)?,
            Some(Number::Count(count)) => map.serialize_entry("count", count)?,
            None => {}
        }
        let first = Tree(rest);
        match node.arity() {
            0 => {}
            1 => map.serialize_entry("inner", &first)?,
            _ => {
                map.serialize_entry("left", &first)?;
                map.serialize_entry("right", &first.after())?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let levels_below = CONDITION_DEPTH_MAX;
        TreeSeed { levels_below }.deserialize(deserializer)
    }
}

/// Reads a tree that may have this many levels below its root.
#[derive(Clone, Copy)]
struct TreeSeed {
    levels_below: usize,
}

impl<'de> DeserializeSeed<'de> for TreeSeed {
    type Value = Condition;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Condition, D::Error> {
        deserializer.deserialize_map(self)
    }
}

#[derive(Default)]
struct Parts {
    spelling: Option<String>,
    value: Option<i32>,
    count: Option<u32>,
    left: Option<Condition>,
    right: Option<Condition>,
    inner: Option<Condition>,
}

const KEYS: &[&str] = &["type", "value", "count", "left", "right", "inner"];

impl<'de> Visitor<'de> for TreeSeed {
    type Value = Condition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a condition")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Condition, A::Error> {
        let mut parts = Parts::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => fill(&mut parts.spelling, "type", map.next_value()?)?,
                "value" => fill(&mut parts.value, "value", map.next_value()?)?,
                "count" => fill(&mut parts.count, "count", map.next_value()?)?,
                "left" => fill(&mut parts.left, "left", self.part(&mut map)?)?,
                "right" => fill(&mut parts.right, "right", self.part(&mut map)?)?,
                "inner" => fill(&mut parts.inner, "inner", self.part(&mut map)?)?,
                other => return Err(de::Error::unknown_field(other, KEYS)),
            }
        }
        parts.join()
    }
}

impl TreeSeed {
    fn part<'de, A: MapAccess<'de>>(self, map: &mut A) -> Result<Condition, A::Error> {
        let too_deep = || de::Error::custom(ConditionError::TooDeep);
        let levels_below = self.levels_below.checked_sub(1).ok_or_else(too_deep)?;
        map.next_value_seed(Self { levels_below })
    }
}

fn fill<T, E: de::Error>(place: &mut Option<T>, key: &'static str, value: T) -> Result<(), E> {
    match place.replace(value) {
        Some(_) => Err(E::duplicate_field(key)),
        None => Ok(()),
    }
}

fn take<T, E: de::Error>(place: &mut Option<T>, key: &'static str) -> Result<T, E> {
    place.take().ok_or_else(|| E::missing_field(key))
}

impl Parts {
    fn join<E: de::Error>(mut self) -> Result<Condition, E> {
        let spelling = take::<_, E>(&mut self.spelling, "type")?;
        let found = SPELLINGS.iter().find(|it| it.0 == spelling);
        let unknown = || E::custom(format_args!("unknown condition: {spelling}"));
        let mut node = found.ok_or_else(unknown)?.1;
        match node.number() {
            Some(Number::Value(value)) => *value = take(&mut self.value, "value")?,
            Some(Number::Count(count)) => *count = take(&mut self.count, "count")?,
            None => {}
        }
        let joined = match node {
            ConditionNode::And => {
                let left = take::<_, E>(&mut self.left, "left")?;
                left.and(&take(&mut self.right, "right")?)
            }
            ConditionNode::Or => {
                let left = take::<_, E>(&mut self.left, "left")?;
                left.or(&take(&mut self.right, "right")?)
            }
            ConditionNode::Not => take::<_, E>(&mut self.inner, "inner")?.negated(),
            leaf => Ok(Condition::leaf(leaf)),
        };
        match self.leftover() {
            Some(key) => Err(E::custom(format_args!("condition {spelling} has no field: {key}"))),
            None => joined.map_err(E::custom),
        }
    }

    fn leftover(&self) -> Option<&'static str> {
        [
            ("value", self.value.is_some()),
            ("count", self.count.is_some()),
            ("left", self.left.is_some()),
            ("right", self.right.is_some()),
            ("inner", self.inner.is_some()),
        ]
        .into_iter()
        .find_map(|(key, is_left)| is_left.then_some(key))
    }
}
