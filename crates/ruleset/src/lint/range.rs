//! What a number can be when only a part of the match is known: a range from one number to another.

use crate::{NULL, instr::Math, program::AttrRule};

/// All numbers from `low` to `high`; "nothing" is the range of itself alone, or inside [`Range::ANY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    /// Anything at all.
    pub const ANY: Self = Self { low: NULL, high: i64::MAX };
    /// True or false.
    pub const TRUTH: Self = Self { low: 0, high: 1 };

    /// Exactly one number.
    pub const fn exact(value: i64) -> Self {
        Self { low: value, high: value }
    }

    /// What an attribute can be; who does not have it has 0.
    pub fn of_attribute(rule: Option<&AttrRule>) -> Self {
        match rule {
            Some(rule) if !rule.is_link() => Self { low: i64::from(rule.min.min(0)), high: i64::from(rule.max.max(0)) },
            _ => Self::ANY,
        }
    }

    /// Whether it can be true, and whether it can be anything else.
    pub fn truth(self) -> (bool, bool) {
        (self.low <= 1 && self.high >= 1, self != Self::exact(1))
    }

    fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// The range of what a calculation gives.
    pub fn calculate(math: Math, a: Self, b: Self) -> Self {
        match math {
            Math::Eq => equal(a, b),
            Math::Ne => opposite(equal(a, b)),
            Math::Lt => less(a, b),
            Math::Ge => opposite(less(a, b)),
            Math::Gt => less(b, a),
            Math::Le => opposite(less(b, a)),
            Math::Add => both(a, b, i64::saturating_add),
            Math::Sub => both(a, Self { low: b.high, high: b.low }, i64::saturating_sub),
            Math::Min => both(a, b, i64::min),
            Math::Max => both(a, b, i64::max),
            // Signs and divisors would need more care than they are worth here.
            Math::Mul | Math::Div | Math::Mod => Self::ANY,
        }
    }
}

/// Not, for a truth value.
pub fn opposite(value: Range) -> Range {
    match value.truth() {
        (true, false) => Range::exact(0),
        (false, _) => Range::exact(1),
        (true, true) => Range::TRUTH,
    }
}

fn equal(a: Range, b: Range) -> Range {
    if a.is_exact() && a == b {
        Range::exact(1)
    } else if a.high < b.low || b.high < a.low {
        Range::exact(0)
    } else {
        Range::TRUTH
    }
}

/// "Nothing" counts as 0 in a comparison, so a range with it says little.
fn less(a: Range, b: Range) -> Range {
    if a.low == NULL || b.low == NULL {
        Range::TRUTH
    } else if a.high < b.low {
        Range::exact(1)
    } else if a.low >= b.high {
        Range::exact(0)
    } else {
        Range::TRUTH
    }
}

fn both(a: Range, b: Range, math: fn(i64, i64) -> i64) -> Range {
    if [a.low, a.high, b.low, b.high].contains(&NULL) {
        return Range::ANY;
    }
    Range { low: math(a.low, b.low), high: math(a.high, b.high) }
}
