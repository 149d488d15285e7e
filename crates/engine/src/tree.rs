//! Runs pure code that has the form of a tree. It gives what the code would give, and cannot fail.

use ruleset::{
    NULL,
    instr::{Instr, Prop},
    tree::{Node, NodeId},
};

use crate::{
    attribute,
    eval::{Cx, calculate, def_of, number, property, read},
    ids::{EntityId, PlayerId},
    scratch::Machine,
};

/// The value of a node.
pub fn value(cx: &Cx<'_>, machine: &mut Machine, id: NodeId) -> i64 {
    match cx.program.trees.node(id) {
        Some(Node::Leaf(instr)) => leaf(cx, machine, instr),
        Some(Node::Unary(instr, operand)) => {
            let operand = value(cx, machine, operand);
            unary(cx, machine, instr, operand)
        }
        Some(Node::Math(math, a, b)) => {
            let (a, b) = (value(cx, machine, a), value(cx, machine, b));
            calculate(math, a, b)
        }
        Some(Node::If(condition, yes, no)) => {
            let branch = if value(cx, machine, condition) == 1 { yes } else { no };
            value(cx, machine, branch)
        }
        Some(Node::Take(reg, rest)) => {
            let taken = machine.pop();
            machine.set_reg(reg, taken);
            value(cx, machine, rest)
        }
        None => NULL,
    }
}

#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "only leaves of trees come here")]
fn leaf(cx: &Cx<'_>, machine: &Machine, instr: Instr) -> i64 {
    match instr {
        Instr::Const(value) => i64::from(value),
        Instr::Local(cell) => machine.local(usize::from(cell)),
        Instr::Reg(reg) => machine.regs.get(usize::from(reg)).copied().unwrap_or(NULL),
        Instr::This => cx.this.into(),
        Instr::You => cx.you.into(),
        Instr::OwnEvent => cx.event.into(),
        Instr::Cause => cx.cause.into(),
        Instr::Turn => i64::from(cx.state.head.turn),
        Instr::Active => cx.state.head.active.into(),
        Instr::PhaseNow => cx.program.step(cx.state.head.step).map_or(NULL, |it| it.phase.into()),
        Instr::StepNow => cx.state.head.step.into(),
        _ => NULL,
    }
}

#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "only unary nodes of trees come here")]
fn unary(cx: &Cx<'_>, machine: &mut Machine, instr: Instr, operand: i64) -> i64 {
    match instr {
        Instr::Attr(attr) => read(cx, machine, EntityId::from(operand), attr),
        Instr::Prop(Prop::Since) => cx.state.ent(EntityId::from(operand)).map_or(NULL, |it| i64::from(it.since)),
        Instr::Prop(prop) => property(cx, operand, prop),
        Instr::HasKeyword(keyword) => i64::from(attribute::has_keyword(cx, machine, EntityId::from(operand), keyword)),
        Instr::HasType(card_type) => {
            let def = def_of(cx, EntityId::from(operand));
            i64::from(cx.program.def(def).is_some_and(|it| it.card_type == card_type))
        }
        Instr::NextPlayer => cx.state.next_player(PlayerId::from(operand)).into(),
        Instr::Neg => number(operand).saturating_neg(),
        Instr::Abs => number(operand).saturating_abs(),
        Instr::Not => i64::from(operand != 1),
        _ => NULL,
    }
}
