//! The closed set of things the log consists of and `fold` applies.

use parity_scale_codec::Decode;
use ruleset::{CodePtr, DefId, EventTypeId, StepId};

use crate::{
    ids::{EntityId, EventNo, InputNo, PlayerId},
    packed::Packed,
    scratch::{Span, slice},
    state::{
        Ask, DelayHead, Flow, Frame, FrameKind, GroupRow, LimitKey, MatchState, Modifier, Note, Origin, Outcome, Paid,
        Pause, Reason, Stage, Timer, Window,
    },
};

/// One change of a match. `P` is how a list of numbers is held: borrowed, owned, or as a span of a scratch buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Decode)]
#[codec(decode_bound(Packed: Into<P>))]
#[repr(u8)]
pub enum Record<P> {
    // Machine: stack, position, questions, counters, random numbers.
    /// A row came onto the stack.
    Pushed(Frame, #[codec(encoded_as = "Packed")] P),
    /// An event that nobody can answer happens at once, without a row.
    AtOnce(Frame, #[codec(encoded_as = "Packed")] P),
    /// The top row is done.
    Popped,
    /// The top row goes on here.
    At(CodePtr),
    /// The list of the top row begins here.
    Began(CodePtr),
    /// A row has come so far.
    Staged(Stage),
    /// A variable of the top row got a value.
    Set(u16, i64),
    /// A variable of the top row got a list.
    Stored(u16, #[codec(encoded_as = "Packed")] P),
    /// A field of a pending event changed.
    Amended(EventNo, u8, i64),
    /// A pending event changed for one subject.
    Noted(Note),
    /// A pending event was flagged as prevented.
    Prevented { event: EventNo, by: EventNo, reason: Reason },
    /// A group began.
    GroupOpened(GroupRow),
    /// The next member of the group on top is looked at.
    MemberNext(u16),
    /// Others had their chance to respond to the top row.
    Responded,
    /// The top row holds triggers back, or lets them go.
    Deferring(bool),
    /// The source of the top row is where it is after so many moves.
    SourceMoved(u16),
    /// Something was paid that may come back.
    Paid(Paid),
    /// A question was asked.
    Asked(Ask),
    /// A player answered.
    Answered {
        input: InputNo,
        player: PlayerId,
        origin: Origin,
        #[codec(encoded_as = "Packed")]
        values: P,
    },
    /// A question is settled.
    Closed(InputNo),
    /// A window opened, passed on or closed.
    WindowSet(Option<Window>),
    /// The active player wants no more optional windows in this turn.
    Ending(bool),
    /// A random number was taken from a stream.
    Rolled(u8),
    /// A limiter counted.
    Counted(LimitKey, u16),
    /// A trigger waits.
    Held {
        holder: EventNo,
        frame: Frame,
        #[codec(encoded_as = "Packed")]
        cells: P,
    },
    /// What a row held back is let go.
    Released(EventNo),
    /// A rule waits for its event from now on, keeping these values.
    Delayed(DelayHead, #[codec(encoded_as = "Packed")] P),
    /// A waiting rule acted once.
    DelayUsed(u32),
    /// A waiting rule waits no more.
    DelayDropped(u32),
    /// The match waits for the host.
    TimerSet(Option<Timer>),
    /// The match stands still, or goes on.
    Paused(Option<Pause>),
    /// The turn goes on within its step.
    FlowSet(Flow),
    /// A round of state checks found something.
    Checked,
    /// State checks found nothing more.
    Settled,
    /// A player's connection came or went.
    Connected(PlayerId, bool),
    /// A command was accepted.
    Accepted { version: u32 },

    /// How the match waits at the end of a transition, a number for each byte (`suspension`).
    Suspended(#[codec(encoded_as = "Packed")] P),

    // World: what the game is about.
    /// Another step, or another turn, begins.
    Flowed { turn: u32, active: PlayerId, step: StepId, flow: Flow },
    /// The effective values of a card that is about to leave play, by column, where continuous effects have a say.
    Remembered(EntityId, #[codec(encoded_as = "Packed")] P),
    /// A value changed.
    AttrSet { entity: EntityId, column: u16, value: i32 },
    /// A card changed zones.
    Moved { event: EventNo, cause: EventNo, card: EntityId, from: u16, to: u16, on_top: bool },
    /// A card came into being.
    Created { event: EventNo, cause: EventNo, card: EntityId, def: DefId, owner: PlayerId, to: u16, on_top: bool },
    /// A number was kept for a card that may come.
    Reserved(EntityId),
    /// A zone got an order, from the bottom.
    Ordered(u16, #[codec(encoded_as = "Packed")] P),
    /// A zone got a random order, from the bottom; whoever knew a card in it knows it no more.
    Shuffled(u16, #[codec(encoded_as = "Packed")] P),
    /// A modifier came.
    ModAdded(Modifier),
    /// A modifier went.
    ModDropped(u32),
    /// A card was shown to players, a bit each.
    Revealed { card: EntityId, to: u16 },
    /// A card got another controller.
    ControlSet { card: EntityId, player: PlayerId },
    /// A player left the game.
    Eliminated(PlayerId),
    /// A player gets another turn.
    TurnGiven(PlayerId),
    /// The first of the turns that were given is taken next.
    TurnTaken,
    /// A player will skip a step.
    SkipAdded(PlayerId, StepId),
    /// A player skipped a step.
    SkipUsed(PlayerId, StepId),
    /// The match is over.
    Ended(Outcome),

    // Meaning: what rules react to.
    /// Something happened.
    Happened {
        event: EventNo,
        kind: EventTypeId,
        cause: EventNo,
        subject: EntityId,
        #[codec(encoded_as = "Packed")]
        args: P,
    },
    /// The match went back to how it stood at a version; the epoch of random numbers is the new one.
    Undone { to: u32, epoch: u32 },
}

impl<P> Record<P> {
    /// Whether it changes what the game is about.
    #[inline]
    pub fn is_world(&self) -> bool {
        matches!(
            self,
            Self::Flowed { .. }
                | Self::Remembered(..)
                | Self::AttrSet { .. }
                | Self::Moved { .. }
                | Self::Created { .. }
                | Self::Reserved(_)
                | Self::Ordered(..)
                | Self::Shuffled(..)
                | Self::ModAdded(_)
                | Self::ModDropped(_)
                | Self::Revealed { .. }
                | Self::ControlSet { .. }
                | Self::Eliminated(_)
                | Self::TurnGiven(_)
                | Self::TurnTaken
                | Self::SkipAdded(..)
                | Self::SkipUsed(..)
                | Self::Ended(_)
        )
    }

    /// Whether the log keeps it: the version, the events that wait to happen and can be prevented, what the game is
    /// about, what happened, and how the match waits. All else is shown by carrying out the commands again.
    #[inline]
    pub fn is_logged(&self) -> bool {
        if let Self::Pushed(frame, _) = self {
            return matches!(frame.kind, FrameKind::Intent | FrameKind::Member);
        }
        let is_about_it = matches!(self, Self::Accepted { .. } | Self::Suspended(_) | Self::Undone { .. });
        is_about_it || self.is_world() || matches!(self, Self::Happened { .. })
    }

    /// The same record with its list held another way.
    pub fn map<'r, Q>(&'r self, hold: impl FnOnce(&'r P) -> Q) -> Record<Q> {
        match self {
            Self::Pushed(frame, cells) => Record::Pushed(*frame, hold(cells)),
            Self::AtOnce(frame, cells) => Record::AtOnce(*frame, hold(cells)),
            Self::Popped => Record::Popped,
            Self::At(pc) => Record::At(*pc),
            Self::Began(pc) => Record::Began(*pc),
            Self::Staged(stage) => Record::Staged(*stage),
            Self::Set(cell, value) => Record::Set(*cell, *value),
            Self::Stored(cell, values) => Record::Stored(*cell, hold(values)),
            Self::Amended(event, field, value) => Record::Amended(*event, *field, *value),
            Self::Noted(note) => Record::Noted(*note),
            Self::Prevented { event, by, reason } => Record::Prevented { event: *event, by: *by, reason: *reason },
            Self::GroupOpened(row) => Record::GroupOpened(*row),
            Self::MemberNext(at) => Record::MemberNext(*at),
            Self::Responded => Record::Responded,
            Self::Deferring(on) => Record::Deferring(*on),
            Self::SourceMoved(moves) => Record::SourceMoved(*moves),
            Self::Paid(paid) => Record::Paid(*paid),
            Self::Asked(ask) => Record::Asked(*ask),
            Self::Answered { input, player, origin, values } => {
                Record::Answered { input: *input, player: *player, origin: *origin, values: hold(values) }
            }
            Self::Closed(input) => Record::Closed(*input),
            Self::WindowSet(window) => Record::WindowSet(*window),
            Self::Ending(on) => Record::Ending(*on),
            Self::Rolled(stream) => Record::Rolled(*stream),
            Self::Counted(key, n) => Record::Counted(*key, *n),
            Self::Held { holder, frame, cells } => Record::Held { holder: *holder, frame: *frame, cells: hold(cells) },
            Self::Released(holder) => Record::Released(*holder),
            Self::Delayed(head, kept) => Record::Delayed(*head, hold(kept)),
            Self::DelayUsed(no) => Record::DelayUsed(*no),
            Self::DelayDropped(no) => Record::DelayDropped(*no),
            Self::TimerSet(timer) => Record::TimerSet(*timer),
            Self::Paused(pause) => Record::Paused(*pause),
            Self::Flowed { turn, active, step, flow } => {
                Record::Flowed { turn: *turn, active: *active, step: *step, flow: *flow }
            }
            Self::Checked => Record::Checked,
            Self::Settled => Record::Settled,
            Self::Connected(player, on) => Record::Connected(*player, *on),
            Self::Accepted { version } => Record::Accepted { version: *version },
            Self::FlowSet(flow) => Record::FlowSet(*flow),
            Self::Suspended(numbers) => Record::Suspended(hold(numbers)),
            Self::Remembered(card, values) => Record::Remembered(*card, hold(values)),
            Self::AttrSet { entity, column, value } => {
                Record::AttrSet { entity: *entity, column: *column, value: *value }
            }
            Self::Moved { event, cause, card, from, to, on_top } => {
                Record::Moved { event: *event, cause: *cause, card: *card, from: *from, to: *to, on_top: *on_top }
            }
            Self::Created { event, cause, card, def, owner, to, on_top } => Record::Created {
                event: *event,
                cause: *cause,
                card: *card,
                def: *def,
                owner: *owner,
                to: *to,
                on_top: *on_top,
            },
            Self::Reserved(card) => Record::Reserved(*card),
            Self::Ordered(zone, cards) => Record::Ordered(*zone, hold(cards)),
            Self::Shuffled(zone, cards) => Record::Shuffled(*zone, hold(cards)),
            Self::ModAdded(row) => Record::ModAdded(*row),
            Self::ModDropped(no) => Record::ModDropped(*no),
            Self::Revealed { card, to } => Record::Revealed { card: *card, to: *to },
            Self::ControlSet { card, player } => Record::ControlSet { card: *card, player: *player },
            Self::Eliminated(player) => Record::Eliminated(*player),
            Self::TurnGiven(player) => Record::TurnGiven(*player),
            Self::TurnTaken => Record::TurnTaken,
            Self::SkipAdded(player, step) => Record::SkipAdded(*player, *step),
            Self::SkipUsed(player, step) => Record::SkipUsed(*player, *step),
            Self::Ended(outcome) => Record::Ended(*outcome),
            Self::Happened { event, kind, cause, subject, args } => {
                Record::Happened { event: *event, kind: *kind, cause: *cause, subject: *subject, args: hold(args) }
            }
            Self::Undone { to, epoch } => Record::Undone { to: *to, epoch: *epoch },
        }
    }
}

impl Record<alloc::vec::Vec<i64>> {
    /// The same record, borrowing its list.
    pub fn as_ref_payload(&self) -> Record<&[i64]> {
        self.map(alloc::vec::Vec::as_slice)
    }
}

/// Watches the records of a match as they are folded: a log, a projection, nothing.
pub trait Sink {
    /// Whether it wants to see anything; records are not even made ready for one that does not.
    const ON: bool = true;

    /// Whether it looks at the state after each record; if not, it is given any.
    const LOOKS: bool = true;

    /// Whether it wants every record, or only those the log keeps.
    const EVERYTHING: bool = true;

    /// Takes one record and the state after it was folded.
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>);

    /// Takes one record as a step keeps it, with the numbers of which its list is a part.
    fn kept(&mut self, state: &MatchState, record: &Record<Span>, data: &[i64]) {
        self.record(state, &record.map(|span| slice(data, *span)));
    }
}

/// Two that watch the same.
impl<A: Sink, B: Sink> Sink for (A, B) {
    const ON: bool = A::ON || B::ON;
    const LOOKS: bool = A::LOOKS || B::LOOKS;
    const EVERYTHING: bool = A::EVERYTHING || B::EVERYTHING;

    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        self.0.record(state, record);
        self.1.record(state, record);
    }
}

/// Keeps nothing and costs nothing.
impl Sink for () {
    const ON: bool = false;
    const LOOKS: bool = false;
    const EVERYTHING: bool = false;

    fn record(&mut self, _state: &MatchState, _record: &Record<&[i64]>) {}
}
