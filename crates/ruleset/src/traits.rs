//! What every instruction is like: one table that checks, passes, lints and the engine read.
//! It has no wildcard: a new instruction does not compile until its row is here.

use crate::{
    ids::{AttrId, CodePtr, EventTypeId, RuleId, SelectId},
    instr::{Instr, Prop},
};

/// What an instruction may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Reads the state and writes nothing.
    Pure,
    /// Does something in an effect list.
    Effect,
    /// Changes the world when an event is applied.
    Write,
}

/// What an instruction looks at besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Nothing.
    Nothing,
    /// The turn, the active player and the step.
    Flow,
    /// An attribute, with all that changes it.
    Attribute(AttrId),
    /// Where cards are, whose they are and what is printed on them.
    Cards,
    /// Who is still in the game.
    Players,
    /// What a selector looks at.
    Selector(SelectId),
    /// What a piece of code looks at that is run for every item of a list.
    Code(CodePtr),
    /// The event this list belongs to or answers, which waits on the stack.
    Stack,
    /// Anything but the stack.
    World,
    /// Anything.
    Anything,
}

/// Where a list goes on after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// With the next one.
    Next,
    /// Elsewhere in any case.
    Jump(CodePtr),
    /// With the next one, or elsewhere.
    Branch(CodePtr),
    /// Nowhere: the piece of code ends here.
    Ends,
}

/// How many values an instruction takes from the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// So many.
    Values(u8),
    /// The fields of an event.
    Fields(EventTypeId),
    /// What a rule that waits keeps.
    Kept(RuleId),
}

/// The row of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    pub class: Class,
    pub looks: Looks,
    pub then: Then,
    /// Whether it can turn out to be impossible when it is carried out. Whether a write to an attribute can depends on
    /// whose it is, and is found out for every event where it is lowered.
    pub may_fail: bool,
}

impl Traits {
    const fn pure(looks: Looks) -> Self {
        Self { class: Class::Pure, looks, then: Then::Next, may_fail: false }
    }

    const fn effect(looks: Looks) -> Self {
        Self { class: Class::Effect, looks, then: Then::Next, may_fail: true }
    }

    const fn write(looks: Looks) -> Self {
        Self { class: Class::Write, looks, then: Then::Next, may_fail: true }
    }

    const fn never_fails(self) -> Self {
        Self { may_fail: false, ..self }
    }

    const fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }
}

impl Instr {
    /// Its row in the table.
    #[inline]
    pub const fn traits(self) -> Traits {
        match self {
            Self::Const(_)
            | Self::Long(_)
            | Self::Null
            | Self::Local(_)
            | Self::LocalList(_)
            | Self::Reg(_)
            | Self::SetReg(_)
            | Self::Math(_)
            | Self::Neg
            | Self::Abs
            | Self::Not
            | Self::Size
            | Self::First
            | Self::Last
            | Self::Contains
            | Self::ListOf(_)
            | Self::Union
            | Self::AnswerOf
            | Self::OriginOf
            | Self::Range
            | Self::This
            | Self::Cause => Traits::pure(Looks::Nothing),
            Self::You | Self::Turn | Self::Active | Self::PhaseNow | Self::StepNow => Traits::pure(Looks::Flow),
            Self::Attr(attr) => Traits::pure(Looks::Attribute(attr)),
            Self::Prop(
                Prop::Owner
                | Prop::Controller
                | Prop::Zone
                | Prop::Def
                | Prop::Type
                | Prop::Since
                | Prop::Created
                | Prop::Index,
            )
            | Self::HasType(_) => Traits::pure(Looks::Cards),
            Self::Prop(Prop::Alive) | Self::NextPlayer | Self::Others => Traits::pure(Looks::Players),
            // Code comes to the number of its own event by `OwnEvent` only, so this looks at others.
            Self::Prop(Prop::EventType | Prop::Source | Prop::Preventable | Prop::Connected)
            | Self::AttrOf
            | Self::BaseOf
            | Self::HasKeyword(_)
            | Self::HasKeywordOf
            | Self::HasAbility
            | Self::AbilitiesOf
            | Self::Room => Traits::pure(Looks::World),
            Self::Select(id) | Self::Count(id) | Self::Any(id) => Traits::pure(Looks::Selector(id)),
            Self::Total(_, code) => Traits::pure(Looks::Code(code)),
            Self::OwnEvent | Self::Live(_) | Self::LiveList(_) => Traits::pure(Looks::Stack),
            // Its conditions, targets and costs may look at anything.
            Self::CanActivate => Traits::pure(Looks::Anything),
            Self::Jump(to) => Traits::pure(Looks::Nothing).then(Then::Jump(to)),
            Self::JumpIf(to) | Self::JumpUnless(to) => Traits::pure(Looks::Nothing).then(Then::Branch(to)),
            Self::Return => Traits::pure(Looks::Nothing).then(Then::Ends),
            Self::Set(_) | Self::Store(_) | Self::Random => Traits::effect(Looks::Nothing).never_fails(),
            Self::Next { done, .. } | Self::Loop { done, .. } => {
                Traits::effect(Looks::Nothing).never_fails().then(Then::Branch(done))
            }
            Self::End => Traits::effect(Looks::Nothing).never_fails().then(Then::Ends),
            Self::Decline | Self::Fail => Traits::effect(Looks::Anything).then(Then::Ends),
            Self::Emit(_)
            | Self::GroupStart { .. }
            | Self::GroupEnd
            | Self::Reserve
            | Self::Ask(_)
            | Self::AskTogether(..)
            | Self::Wait(_)
            | Self::RunAbility
            | Self::PayAbility
            | Self::PayCosts
            | Self::Prevent { .. }
            | Self::Amend(_)
            | Self::Defer(_)
            | Self::Delay(_) => Traits::effect(Looks::Anything),
            Self::SetAttr | Self::AddAttr => Traits::write(Looks::Cards).never_fails(),
            Self::Shuffle(_)
            | Self::Arrange
            | Self::Modify(_)
            | Self::Unmodify
            | Self::Reveal
            | Self::ExtraTurn
            | Self::SkipStep(_)
            | Self::Fact(_)
            | Self::Eliminate
            | Self::EndGame
            | Self::PreventEvent => Traits::write(Looks::World).never_fails(),
            Self::Move(..) | Self::MoveTo(_) | Self::Create(_) | Self::SetControl => Traits::write(Looks::World),
        }
    }

    /// Whether it does something: an effect or a write, not pure code.
    #[inline]
    pub const fn is_effect(self) -> bool {
        !matches!(self.traits().class, Class::Pure)
    }

    /// How many values it takes from the stack.
    pub const fn takes(self) -> Takes {
        Takes::Values(match self {
            Self::Emit(emit) => return Takes::Fields(emit.kind),
            Self::Fact(kind) => return Takes::Fields(kind),
            Self::Delay(rule) => return Takes::Kept(rule),
            Self::ListOf(n) => n,
            Self::Const(_)
            | Self::Long(_)
            | Self::Null
            | Self::Local(_)
            | Self::LocalList(_)
            | Self::Reg(_)
            | Self::Live(_)
            | Self::LiveList(_)
            | Self::This
            | Self::You
            | Self::OwnEvent
            | Self::Cause
            | Self::Turn
            | Self::Active
            | Self::PhaseNow
            | Self::StepNow
            | Self::Select(_)
            | Self::Count(_)
            | Self::Any(_)
            | Self::Jump(_)
            | Self::GroupStart { .. }
            | Self::GroupEnd
            | Self::Reserve
            | Self::Ask(_)
            | Self::AskTogether(..)
            | Self::Wait(_)
            | Self::PayCosts
            | Self::Next { .. }
            | Self::Loop { .. }
            | Self::Prevent { .. }
            | Self::Defer(_)
            | Self::Decline
            | Self::Fail
            | Self::End => 0,
            Self::SetReg(_)
            | Self::Attr(_)
            | Self::Prop(_)
            | Self::HasKeyword(_)
            | Self::HasType(_)
            | Self::NextPlayer
            | Self::Others
            | Self::Neg
            | Self::Abs
            | Self::Not
            | Self::JumpUnless(_)
            | Self::JumpIf(_)
            | Self::Size
            | Self::First
            | Self::Last
            | Self::Total(..)
            | Self::AbilitiesOf
            | Self::Return
            | Self::Set(_)
            | Self::Store(_)
            | Self::Amend(_)
            | Self::Shuffle(_)
            | Self::Arrange
            | Self::Eliminate
            | Self::ExtraTurn
            | Self::SkipStep(_)
            | Self::PreventEvent => 1,
            Self::AttrOf
            | Self::BaseOf
            | Self::HasKeywordOf
            | Self::HasAbility
            | Self::CanActivate
            | Self::Math(_)
            | Self::Contains
            | Self::Union
            | Self::AnswerOf
            | Self::OriginOf
            | Self::Range
            | Self::Room
            | Self::Random
            | Self::PayAbility
            | Self::Move(..)
            | Self::Unmodify
            | Self::SetControl
            | Self::Reveal
            | Self::EndGame => 2,
            Self::SetAttr | Self::AddAttr | Self::MoveTo(_) | Self::Modify(_) => 3,
            Self::RunAbility | Self::Create(_) => 4,
        })
    }

    /// Whether it leaves a value on the stack.
    pub const fn gives(self) -> bool {
        match self.traits().class {
            Class::Pure => {
                !matches!(self, Self::SetReg(_) | Self::Jump(_) | Self::JumpUnless(_) | Self::JumpIf(_) | Self::Return)
            }
            Class::Effect => matches!(self, Self::Random | Self::Reserve | Self::Next { .. }),
            Class::Write => false,
        }
    }
}
