//! The instruction set conditions, effects and apply lists are lowered to.
//! Three classes that `lower` keeps apart: pure, effect and write. Behind the instructions stands one table of what each is
//! like, which checks, passes, lints, explanations and the engine read. It has no wildcard: a new instruction does not
//! compile until its row is there. What an instruction does is in the engine.

use crate::ids::{AskId, AttrId, CodePtr, EventTypeId, KeywordId, RuleId, SelectId, StepId, TimerId, TypeId, ZoneId};

/// One instruction. Operands come from and results go to a stack of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    // Pure: read the state, write nothing.
    /// Pushes a number.
    Const(i32),
    /// Pushes a number too large for an instruction, from the program's table.
    Long(u32),
    /// Pushes "nothing".
    Null,
    /// Pushes a variable of the frame.
    Local(u16),
    /// Pushes a list variable of the frame.
    LocalList(u16),
    /// Pushes an evaluation register, such as a selector's candidate.
    Reg(u8),
    /// Pops into an evaluation register.
    SetReg(u8),
    /// Pushes a field of the pending event a before-reaction answers.
    Live(u8),
    /// Pushes the list in a field of the pending event a before-reaction answers.
    LiveList(u8),
    /// Pushes the card that has the ability, or an action's principal.
    This,
    /// Pushes the player who acts or controls the source.
    You,
    /// Pushes the event this list belongs to.
    OwnEvent,
    /// Pushes the event that set this list off, or the one being responded to.
    Cause,
    /// Pushes the turn number.
    Turn,
    /// Pushes the active player.
    Active,
    /// Pushes the current phase.
    PhaseNow,
    /// Pushes the current step.
    StepNow,
    /// Pops a card or player, pushes the effective value of an attribute.
    Attr(AttrId),
    /// Pops an attribute, then a card or player; pushes the effective value.
    AttrOf,
    /// Pops an attribute, then a card or player; pushes the value without modifiers.
    BaseOf,
    /// Pops a card, player or event, pushes a property of it.
    Prop(Prop),
    /// Pops a card, pushes whether it has a keyword.
    HasKeyword(KeywordId),
    /// Pops a keyword, then a card; pushes whether it has it.
    HasKeywordOf,
    /// Pops a card, pushes whether it is of a type.
    HasType(TypeId),
    /// Pops an ability's name, then a card; pushes whether the card has it.
    HasAbility,
    /// Pops an ability's name, then a card; pushes whether the controller could activate it now.
    CanActivate,
    /// Pops a player, pushes the next one in turn order still in the game.
    NextPlayer,
    /// Pops a player, pushes the list of the others still in the game.
    Others,
    /// Pops two numbers, pushes the result.
    Math(Math),
    /// Pops one number, pushes its negative.
    Neg,
    /// Pops one number, pushes its size without sign.
    Abs,
    /// Pops a truth value, pushes its opposite.
    Not,
    /// Goes to another instruction.
    Jump(CodePtr),
    /// Pops a truth value, goes on elsewhere if it is false.
    JumpUnless(CodePtr),
    /// Pops a truth value, goes on elsewhere if it is true.
    JumpIf(CodePtr),
    /// Pushes the list a selector finds.
    Select(SelectId),
    /// Pushes how many a selector finds.
    Count(SelectId),
    /// Pushes whether a selector finds any.
    Any(SelectId),
    /// Pops a list, pushes its size.
    Size,
    /// Pops a list, pushes its first item or nothing.
    First,
    /// Pops a list, pushes its last item or nothing.
    Last,
    /// Pops an item, then a list; pushes whether the list has it.
    Contains,
    /// Pops that many values, pushes them as a list.
    ListOf(u8),
    /// Pops two lists, pushes the first followed by what only the second has.
    Union,
    /// Pops a list, adds up the value that a piece of code gives for each of its items.
    Total(Total, CodePtr),
    /// Pops a player, then what several players answered; pushes that player's answer.
    AnswerOf,
    /// Pops a player, then what several players answered; pushes where the answer came from.
    OriginOf,
    /// Pops the last, then the first number; pushes the list of all between.
    Range,
    /// Pops a player, then a kind of zone; pushes how many more cards that zone takes.
    Room,
    /// Pops a card; pushes the list of its activated abilities.
    AbilitiesOf,
    /// Ends a piece of pure code; the value on top is the result.
    Return,

    // Effects: what a list does next.
    /// Pops the upper, then the lower bound, pushes a random number between them.
    Random,
    /// Pops into a variable of the frame.
    Set(u16),
    /// Pops a list into a variable of the frame.
    Store(u16),
    /// Pops the fields of an event and puts it on the stack.
    Emit(Emit),
    /// Starts an atomic group; what is emitted until its end are its members.
    GroupStart { optional: bool },
    /// Ends an atomic group; the outermost end puts it on the stack.
    GroupEnd,
    /// Reserves the number of a card that is about to be created, and pushes it.
    Reserve,
    /// Asks a question.
    Ask(AskId),
    /// Opens several questions at once; the last of them waits for all.
    AskTogether(AskId, u8),
    /// Waits for the host.
    Wait(TimerId),
    /// Pops the targets, who acts, an ability's name, then the card that has it; runs what the ability does.
    RunAbility,
    /// Pops an ability's name, then a card; pays what the ability costs.
    PayAbility,
    /// Pays what the rule of this row costs; a rule that cannot be paid for does nothing.
    PayCosts,
    /// Advances a loop over a list variable, whose position is the variable after it, or leaves it.
    Next { list: u16, done: CodePtr },
    /// Advances a counted loop, whose end is the variable after its counter, or leaves it.
    Loop { at: u16, done: CodePtr },
    /// Prevents the pending event, or only this reaction's share of it; something else may take its place.
    Prevent { whole: bool, replaces: bool },
    /// Pops a number into a field of the pending event.
    Amend(u8),
    /// Holds back, or again lets go, the triggers of what this list emits.
    Defer(bool),
    /// Pops the values a rule will need; from now on it waits for its event.
    Delay(RuleId),
    /// Ends the list because the player declined.
    Decline,
    /// Ends the list of an event, and the one that led to it, because a part of the event did not happen.
    Fail,
    /// Ends the list.
    End,

    // Writes: what applying an event changes.
    /// Pops a value, then an attribute, then a card or player; sets the attribute.
    SetAttr,
    /// Pops a difference, then an attribute, then a card or player; changes the attribute.
    AddAttr,
    /// Pops a player, then a card; moves the card to that player's instance of a zone.
    Move(ZoneId, Position),
    /// Like `Move`, but the kind of zone is popped first.
    MoveTo(Position),
    /// Pops a player, a zone, a definition, then a reserved card; brings it into being.
    Create(Position),
    /// Pops a player; puts a zone in random order.
    Shuffle(ZoneId),
    /// Pops a list of cards; puts them on top of their zone in this order.
    Arrange,
    /// Pops a value, then what it concerns, then a card or player; adds a modifier.
    Modify(Modify),
    /// Pops a source or nothing, then a card; drops the modifiers it has from that source.
    Unmodify,
    /// Pops a player, then a card; gives the card to that player.
    SetControl,
    /// Pops a list of players, then a card; shows the card to them.
    Reveal,
    /// Pops the fields of an event type; records that it happened.
    Fact(EventTypeId),
    /// Pops a player; takes him out of the game.
    Eliminate,
    /// Pops a reason, then a list of winners; ends the game.
    EndGame,
    /// Pops a player; gives him a turn after this one.
    ExtraTurn,
    /// Pops a player; he skips the next such step.
    SkipStep(StepId),
    /// Pops an event; flags it as prevented.
    PreventEvent,
}

/// Puts an event on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emit {
    pub kind: EventTypeId,
    /// In a group: whether the member may be lost without the others.
    pub optional: bool,
    /// Pure code that finds its subjects, run again when it happens; none if they were named.
    pub fan: CodePtr,
    /// Whether its subjects were given as one, who must be there.
    pub names_one: bool,
    /// Where the list goes on if the event does not happen; none for the next instruction.
    pub otherwise: CodePtr,
}

impl Emit {
    /// An event whose subjects were named, after which the list goes on in any case.
    pub const fn plain(kind: EventTypeId) -> Self {
        Self { kind, optional: false, fan: CodePtr::NONE, names_one: false, otherwise: CodePtr::NONE }
    }
}

/// Arithmetic and comparison. Everything saturates; dividing by zero gives zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Math {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded down.
    Div,
    /// Remainder, never negative for a positive divisor.
    Mod,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// A property of a card, player or event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prop {
    /// The player a card belongs to.
    Owner,
    /// The player who controls a card or event.
    Controller,
    /// The kind of zone a card is in.
    Zone,
    /// What a card is printed as.
    Def,
    /// A card's type.
    Type,
    /// The turn in which a card came to where it is or to who controls it.
    Since,
    /// Whether a card was made during the game.
    Created,
    /// A card's place in its zone, counted from the bottom.
    Index,
    /// The type of an event.
    EventType,
    /// The card an event comes from.
    Source,
    /// Whether an event on the stack can be prevented.
    Preventable,
    /// Whether a player is still in the game.
    Alive,
    /// Whether a player is connected.
    Connected,
}

/// How values over a list are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Their sum.
    Sum,
    /// The smallest; nothing for an empty list.
    Min,
    /// The largest; nothing for an empty list.
    Max,
}

/// Where in a zone a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// After all others: the top of a pile.
    Top,
    /// Before all others.
    Bottom,
}

/// What a modifier does and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modify {
    pub what: ModifyWhat,
    pub duration: Duration,
}

/// What a modifier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifyWhat {
    /// Adds to an attribute.
    Add,
    /// Sets an attribute before anything is added.
    Set,
    /// Gives a keyword.
    Grant,
    /// Takes a keyword away.
    Lose,
    /// Takes an ability away, or all.
    Mute,
}

/// How long a modifier lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// Until the card is reset.
    Permanent,
    /// Until the end of this turn.
    Turn,
    /// Until the next turn of the player whose doing it was.
    YourTurn,
    /// As long as its source is where its abilities work.
    Source,
}

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

/// What an instruction may learn that is hidden from a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Nothing.
    Nothing,
    /// The card so many values below the top of the stack.
    Card(u8),
    /// What a selector tells apart.
    Found(SelectId),
    /// The items of the list on top, and what code says of each.
    Items(CodePtr),
    /// What players answered.
    Answers,
    /// What was put into a register.
    Register(u8),
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

    /// What it may learn that is hidden from a viewer. Effects are not explained, so nothing is asked of them.
    pub const fn sees(self) -> Sees {
        match self {
            Self::Attr(_) | Self::HasKeyword(_) | Self::HasType(_) | Self::AbilitiesOf => Sees::Card(0),
            Self::Prop(
                Prop::Owner
                | Prop::Controller
                | Prop::Zone
                | Prop::Def
                | Prop::Type
                | Prop::Since
                | Prop::Created
                | Prop::Index,
            ) => Sees::Card(0),
            Self::AttrOf | Self::BaseOf | Self::HasKeywordOf | Self::HasAbility | Self::CanActivate => Sees::Card(1),
            Self::Select(id) | Self::Any(id) | Self::Count(id) => Sees::Found(id),
            Self::Total(_, code) => Sees::Items(code),
            Self::AnswerOf | Self::OriginOf => Sees::Answers,
            Self::Reg(reg) => Sees::Register(reg),
            Self::Prop(Prop::EventType | Prop::Source | Prop::Preventable | Prop::Alive | Prop::Connected)
            | Self::Const(_)
            | Self::Long(_)
            | Self::Null
            | Self::Local(_)
            | Self::LocalList(_)
            | Self::SetReg(_)
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
            | Self::NextPlayer
            | Self::Others
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
            | Self::Range
            | Self::Room
            | Self::Jump(_)
            | Self::JumpIf(_)
            | Self::JumpUnless(_)
            | Self::Return => Sees::Nothing,
            Self::Set(_)
            | Self::Store(_)
            | Self::Random
            | Self::Next { .. }
            | Self::Loop { .. }
            | Self::End
            | Self::Decline
            | Self::Fail
            | Self::Emit(_)
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
            | Self::Delay(_)
            | Self::SetAttr
            | Self::AddAttr
            | Self::Shuffle(_)
            | Self::Arrange
            | Self::Modify(_)
            | Self::Unmodify
            | Self::Reveal
            | Self::ExtraTurn
            | Self::SkipStep(_)
            | Self::Fact(_)
            | Self::Eliminate
            | Self::EndGame
            | Self::PreventEvent
            | Self::Move(..)
            | Self::MoveTo(_)
            | Self::Create(_)
            | Self::SetControl => Sees::Nothing,
        }
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
