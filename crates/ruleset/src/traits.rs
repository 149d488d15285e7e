//! What every instruction is like: one table that checks, passes, lints and the engine read.
//! It has no wildcard: a new instruction does not compile until its row is here.

use crate::{
    ids::{AttrId, CodePtr, SelectId},
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

/// The row of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    pub class: Class,
    pub looks: Looks,
    pub then: Then,
    /// Whether it can turn out to be impossible when it is carried out.
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
            | Self::SkipStep(_) => Traits::write(Looks::World).never_fails(),
            Self::Move(..)
            | Self::MoveTo(_)
            | Self::Create(_)
            | Self::SetControl
            | Self::Fact(_)
            | Self::Eliminate
            | Self::EndGame
            | Self::PreventEvent => Traits::write(Looks::World),
        }
    }

    /// Whether it does something: an effect or a write, not pure code.
    #[inline]
    pub const fn is_effect(self) -> bool {
        !matches!(self.traits().class, Class::Pure)
    }

    /// Whether it is what applying an event changes.
    #[inline]
    pub const fn is_write(self) -> bool {
        matches!(self.traits().class, Class::Write)
    }
}
