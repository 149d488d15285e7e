//! Looks at candidates through a sieve: what is the same for all of them is worked out once, then each of them costs
//! a few instructions. It gives what the condition gives that the sieve stands for.

use ruleset::{
    DefId, NULL, Program, TypeId,
    instr::{Instr, Math},
    reach::{Reach, Spot},
    sieve::{Look, ROWS_MAX, Row, Sieve},
};

use crate::{
    eval::{self, Cx, compares, number},
    fault::Fault,
    ids::{EntityId, PlayerId},
    scratch::Machine,
    state::{Entity, MatchState},
    tree,
};

/// A sieve made ready for the candidates of one moment.
pub struct Sifter<'p> {
    rows: &'p [Row],
    /// The right side of each comparison.
    values: [i64; ROWS_MAX],
    /// Whether columns can be read as they are stored.
    is_plain: bool,
}

impl<'p> Sifter<'p> {
    /// Works out what the candidates are compared with; no sieve lets everything through.
    #[inline]
    pub fn new(cx: &Cx<'p>, machine: &mut Machine, sieve: Sieve) -> Self {
        let rows = cx.program.rows_of(sieve);
        let mut values = [NULL; ROWS_MAX];
        for (value, row) in values.iter_mut().zip(rows) {
            let given = tree::value_of(cx, machine, row.with);
            *value = if row.is_equality() { given } else { number(given) };
        }
        Self { rows, values, is_plain: cx.is_plain() }
    }

    /// Whether a candidate passes. Most of it is a few instructions, and no call is to cost more than them.
    #[inline(always)]
    pub fn passes(&self, cx: &Cx<'_>, machine: &mut Machine, item: i64) -> Result<bool, Fault> {
        for (row, value) in self.rows.iter().zip(&self.values) {
            machine.spend(row.fuel)?;
            let seen = match row.look {
                Look::Column(column, _) if self.is_plain => {
                    i64::from(cx.state.base(cx.program, EntityId::from(item), column))
                }
                Look::Since => tree::since(cx, EntityId::from(item)),
                Look::Type(card_type) => i64::from(is_of_type(cx.program, eval::def_of(cx, item.into()), card_type)),
                Look::Column(..) | Look::Itself | Look::Unary(_) | Look::Fixed(_) => see(cx, machine, row, item),
            };
            if !is_so(row.math, seen, *value) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a card is of a type.
#[inline]
fn is_of_type(program: &Program, def: DefId, card_type: TypeId) -> bool {
    program.def(def).is_some_and(|it| it.card_type == card_type)
}

/// What a comparison looks at, where that is not just stored.
#[inline(never)]
fn see(cx: &Cx<'_>, machine: &mut Machine, row: &Row, item: i64) -> i64 {
    let end = machine.lists.len();
    let seen = match row.look {
        Look::Column(_, attr) => tree::unary(cx, machine, Instr::Attr(attr), item),
        Look::Unary(instr) => tree::unary(cx, machine, instr, item),
        Look::Fixed(operand) => tree::value_of(cx, machine, operand),
        Look::Itself | Look::Since | Look::Type(_) => item,
    };
    // Values may depend on continuous effects, which may make lists.
    machine.lists.truncate(end);
    if row.is_equality() { seen } else { number(seen) }
}

/// Whether a comparison holds of what is not "nothing", unless it is one for equality.
#[inline(always)]
fn is_so(math: Math, a: i64, b: i64) -> bool {
    match math {
        Math::Eq => a == b,
        Math::Ne => a != b,
        Math::Lt => a < b,
        Math::Le => a <= b,
        Math::Gt => a > b,
        Math::Ge => a >= b,
        // Rows hold nothing but comparisons.
        Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => compares(math, a, b),
    }
}

/// What a comparison with something stored lets through: what lies between two numbers.
#[derive(Clone, Copy)]
pub struct Gap {
    low: i64,
    /// How far the greatest is from the least.
    width: u64,
}

impl Gap {
    /// What a player's comparison comes to, as long as nothing is modified.
    #[inline(always)]
    pub fn new(program: &Program, state: &MatchState, you: PlayerId, reach: &Reach) -> Self {
        let (low, high) = reach.around(state.given(program, reach.with, you));
        Self { low, width: high.wrapping_sub(low).cast_unsigned() }
    }

    /// Whether it lets a value through.
    #[inline(always)]
    pub fn takes(self, value: i64) -> bool {
        // What is below the least is far above it without a sign.
        value.wrapping_sub(self.low).cast_unsigned() <= self.width
    }
}

/// What is stored of somebody at a spot.
#[inline(always)]
pub fn at_spot(program: &Program, state: &MatchState, spot: Spot, id: EntityId, ent: &Entity) -> i64 {
    match spot {
        Spot::Column(column) => i64::from(state.base(program, id, column)),
        Spot::Since => i64::from(ent.since),
        Spot::Type(card_type) => i64::from(is_of_type(program, ent.def, card_type)),
    }
}
