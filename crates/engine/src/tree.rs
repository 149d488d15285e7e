//! Runs pure code that has the form of a tree. It gives what the code would give, and cannot fail.

use ruleset::{
    CodePtr, NULL,
    instr::{Instr, Prop},
    tree::{Node, NodeId, Operand},
};

use crate::{
    attribute,
    eval::{Cx, calculate, compares, def_of, number, property, read},
    fault::Fault,
    ids::{EntityId, PlayerId},
    scratch::Machine,
    select,
};

/// The value of a node.
pub fn value(cx: &Cx<'_>, machine: &mut Machine, mut id: NodeId) -> i64 {
    // What goes on elsewhere does so without going deeper.
    loop {
        match cx.program.trees.node(id) {
            Some(Node::Leaf(Instr::Const(value))) => return i64::from(value),
            Some(Node::Leaf(instr)) => return leaf(cx, machine, instr),
            Some(Node::Unary(instr, operand)) => {
                let operand = self::operand(cx, machine, operand);
                return unary(cx, machine, instr, operand);
            }
            Some(Node::Math(math, a, b)) => {
                let (a, b) = (operand(cx, machine, a), operand(cx, machine, b));
                return calculate(math, a, b);
            }
            Some(Node::If(condition, yes, no)) => {
                id = if operand(cx, machine, condition) == 1 { yes } else { no };
            }
            Some(Node::Test(math, a, b, yes, no)) => {
                let (a, b) = (operand(cx, machine, a), operand(cx, machine, b));
                id = if compares(math, a, b) { yes } else { no };
            }
            Some(Node::Take(reg, rest)) => {
                let taken = machine.pop();
                machine.set_reg(reg, taken);
                id = rest;
            }
            None => return NULL,
        }
    }
}

/// Whether a condition holds.
#[inline]
pub fn holds(cx: &Cx<'_>, machine: &mut Machine, id: NodeId) -> bool {
    // A single comparison is what most are.
    match cx.program.trees.node(id) {
        Some(Node::Math(math, a, b)) => {
            let (a, b) = (operand(cx, machine, a), operand(cx, machine, b));
            compares(math, a, b)
        }
        Some(Node::Leaf(_) | Node::Unary(..) | Node::If(..) | Node::Test(..) | Node::Take(..)) | None => {
            value(cx, machine, id) == 1
        }
    }
}

/// The value of an operand, where that is not asked so often that a call matters.
pub fn value_of(cx: &Cx<'_>, machine: &mut Machine, of: Operand) -> i64 {
    operand(cx, machine, of)
}

/// What a node works on. Most of it is a few instructions, and no call is to cost more than them.
#[inline(always)]
pub(crate) fn operand(cx: &Cx<'_>, machine: &mut Machine, operand: Operand) -> i64 {
    match operand {
        Operand::Const(value) => i64::from(value),
        Operand::Local(cell) => machine.local(usize::from(cell)),
        Operand::Reg(reg) => machine.reg(reg),
        Operand::Turn => i64::from(cx.state.head.turn),
        Operand::You => cx.you.into(),
        Operand::AttrOfLocal(cell, attr) => {
            let entity = EntityId::from(machine.local(usize::from(cell)));
            read(cx, machine, entity, attr)
        }
        Operand::AttrOfReg(reg, attr) => {
            let entity = EntityId::from(machine.reg(reg));
            read(cx, machine, entity, attr)
        }
        Operand::AttrOfYou(attr) => read(cx, machine, cx.you.into(), attr),
        Operand::SinceOfReg(reg) => since(cx, EntityId::from(machine.reg(reg))),
        Operand::Size(id) => select::count_whole(cx, id),
        Operand::Node(id) => value(cx, machine, id),
    }
}

/// Carries out the instructions of a list up to one that does something, as far as that is easy; gives where the
/// list goes on.
#[inline]
pub fn run(cx: &Cx<'_>, machine: &mut Machine, pc: CodePtr) -> Result<CodePtr, Fault> {
    let Some((run, values)) = cx.program.trees.run(pc) else {
        return Ok(pc);
    };
    machine.spend(u32::from(run.size))?;
    for it in values {
        let value = operand(cx, machine, *it);
        machine.push(value);
    }
    Ok(CodePtr(pc.0.saturating_add(u32::from(run.size))))
}

// The rarer instructions stay out of the way of the others.
#[inline(never)]
#[expect(clippy::wildcard_enum_match_arm, reason = "only leaves of trees come here")]
fn leaf(cx: &Cx<'_>, machine: &Machine, instr: Instr) -> i64 {
    match instr {
        Instr::Const(value) => i64::from(value),
        Instr::Local(cell) => machine.local(usize::from(cell)),
        Instr::Reg(reg) => machine.reg(reg),
        Instr::This => cx.this.into(),
        Instr::You => cx.you.into(),
        Instr::OwnEvent => cx.event.into(),
        Instr::Cause => cx.cause.into(),
        Instr::Turn => i64::from(cx.state.head.turn),
        Instr::Active => cx.state.head.active.into(),
        Instr::PhaseNow => cx.program.step(cx.state.head.step).map_or(NULL, |it| it.phase.into()),
        Instr::StepNow => cx.state.head.step.into(),
        Instr::Count(id) => select::count_whole(cx, id),
        _ => NULL,
    }
}

/// Since when a card is where it is.
#[inline]
pub fn since(cx: &Cx<'_>, card: EntityId) -> i64 {
    cx.state.ent(card).map_or(NULL, |it| i64::from(it.since))
}

/// What an instruction makes of one operand.
#[inline(never)]
#[expect(clippy::wildcard_enum_match_arm, reason = "only unary nodes of trees come here")]
pub fn unary(cx: &Cx<'_>, machine: &mut Machine, instr: Instr, operand: i64) -> i64 {
    match instr {
        Instr::Attr(attr) => read(cx, machine, EntityId::from(operand), attr),
        Instr::Prop(Prop::Since) => since(cx, EntityId::from(operand)),
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
