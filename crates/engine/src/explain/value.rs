//! What made a number what it is: everything an effective value is put together from, in the order it counts.

use alloc::vec::Vec;

use ruleset::{AttrId, RuleId, instr::ModifyWhat};

use crate::{
    attribute,
    eval::Cx,
    ids::EntityId,
    matches::Match,
    scratch::Machine,
    state::{Lasts, ModKind},
};

/// One thing that makes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is printed on the card, or what a player starts with.
    Printed(i64),
    /// What it is now without anything that lasts; differs from what is printed when something changed it for good.
    Base(i64),
    /// A modifier sets it.
    SetBy { modifier: u32, source: EntityId, value: i64, lasts: Lasts },
    /// A continuous effect sets it.
    AuraSets { rule: RuleId, source: EntityId, value: i64 },
    /// A modifier adds to it.
    AddedBy { modifier: u32, source: EntityId, value: i64, lasts: Lasts },
    /// A continuous effect adds to it.
    AuraAdds { rule: RuleId, source: EntityId, value: i64 },
    /// The attribute's own bounds hold it.
    HeldAt(i64),
}

/// An effective value and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueStory {
    pub value: i64,
    pub parts: Vec<Part>,
}

impl ValueStory {
    /// The value the parts come to.
    pub fn replay(&self) -> i64 {
        self.parts.iter().fold(0, |acc, part| match *part {
            Part::Printed(_) => acc,
            Part::Base(value) | Part::HeldAt(value) => value,
            Part::SetBy { value, .. } | Part::AuraSets { value, .. } => value,
            Part::AddedBy { value, .. } | Part::AuraAdds { value, .. } => acc.saturating_add(value),
        })
    }
}

impl Match {
    /// What made an attribute of a card or player what it is; none if it has no such number.
    pub fn explain_value(&self, entity: EntityId, attr: AttrId) -> Option<ValueStory> {
        let program = self.ruleset().program();
        let rule = program.attr(attr).filter(|it| !it.is_link())?;
        let ent = self.state().ent(entity)?;
        let cx = Cx::bare(program, self.state(), self.derived());
        let mut machine = Machine::with_fuel(program.limits.instructions_per_step_max);
        self.budget().limit(&mut machine);
        let printed = program.def(ent.def).and_then(|it| it.printed.get(usize::from(rule.column)).copied());
        let mut parts = alloc::vec![Part::Printed(i64::from(printed.unwrap_or(rule.start)))];
        parts.push(Part::Base(attribute::base(program, self.state(), entity, attr)));
        // The newest modifier that sets hides the older ones.
        parts.extend(self.modifiers(entity, attr, ModKind::Set).last());
        parts.extend(attribute::auras(&cx, &mut machine, entity, ModifyWhat::Set, attr.0).last().map(set_by_aura));
        parts.extend(self.modifiers(entity, attr, ModKind::Add));
        parts.extend(attribute::auras(&cx, &mut machine, entity, ModifyWhat::Add, attr.0).iter().map(added_by_aura));
        let value = attribute::value(&cx, &mut machine, entity, attr);
        self.budget().settle(&machine);
        let mut story = ValueStory { value, parts };
        if story.replay() != value {
            story.parts.push(Part::HeldAt(value));
        }
        Some(story)
    }

    fn modifiers(&self, entity: EntityId, attr: AttrId, what: ModKind) -> impl Iterator<Item = Part> + '_ {
        let mods = self.state().mods.iter().filter(move |it| it.target == entity && it.of == attr.0 && it.what == what);
        mods.map(|it| {
            let (modifier, source, value, lasts) = (it.no, it.source, i64::from(it.value), it.lasts);
            if it.what == ModKind::Set {
                Part::SetBy { modifier, source, value, lasts }
            } else {
                Part::AddedBy { modifier, source, value, lasts }
            }
        })
    }
}

fn set_by_aura(it: &(RuleId, EntityId, i32)) -> Part {
    Part::AuraSets { rule: it.0, source: it.1, value: i64::from(it.2) }
}

fn added_by_aura(it: &(RuleId, EntityId, i32)) -> Part {
    Part::AuraAdds { rule: it.0, source: it.1, value: i64::from(it.2) }
}
