//! The rows of the stack, and how they are written: only what is not as in a blank row, since most of it is.

use parity_scale_codec::{Compact, Decode, Encode, EncodeLike, Error, Input, Output};
use ruleset::{ActionId, CodePtr, EventTypeId, RuleId};

use crate::{
    ids::{EntityId, EventNo, PlayerId},
    state::Reason,
};

/// What a row of the stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum FrameKind {
    /// An event that waits to happen; an action if it has one.
    Intent,
    /// A reaction or ability that waits to be carried out.
    Trigger,
    /// The controller of an atomic group; its members lie below it.
    Group,
    /// A member of a group.
    Member,
    /// Triggers that wait for their player to put them in order.
    Order,
}

/// How far a row has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Stage {
    /// Not looked at yet.
    Fresh,
    /// Announced to others, who may respond.
    Announced,
    /// Its before-reactions were found; it happens when they are done.
    Before,
    /// Its list runs.
    Running,
}

/// A row of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub kind: FrameKind,
    pub stage: Stage,
    pub event: EventNo,
    pub etype: EventTypeId,
    pub action: ActionId,
    pub rule: RuleId,
    pub pc: CodePtr,
    /// The event this answers or belongs to.
    pub cause: EventNo,
    /// The player action or system event at the beginning of the chain.
    pub root: EventNo,
    pub source: EntityId,
    /// How often the source had moved, to know whether it is still there.
    pub source_moves: u16,
    /// Whom the answered event concerned.
    pub subject: EntityId,
    /// Whether that one left an active zone by it, so that its last values count.
    pub subject_left: bool,
    pub controller: PlayerId,
    pub prevented_by: EventNo,
    pub reason: Reason,
    pub group: u32,
    /// In a group: whether it cannot be lost alone. For a group: how many members.
    pub required: bool,
    pub members: u16,
    pub next_member: u16,
    /// Whether triggers of what it emits wait until it is done.
    pub deferring: bool,
    /// Whether others had their chance to respond.
    pub responded: bool,
    /// What its limiters were counted for, to give the count back.
    pub limit_event: EventNo,
    pub limit_source: EntityId,
    pub cells_at: u32,
    pub cells_len: u32,
}

impl Frame {
    /// A row of nothing in particular, to be filled in.
    pub fn blank(kind: FrameKind, event: EventNo) -> Self {
        Self {
            kind,
            stage: Stage::Fresh,
            event,
            etype: EventTypeId::NONE,
            action: ActionId::NONE,
            rule: RuleId::NONE,
            pc: CodePtr::NONE,
            cause: EventNo::NONE,
            root: event,
            source: EntityId::NONE,
            source_moves: 0,
            subject: EntityId::NONE,
            subject_left: false,
            controller: PlayerId::NONE,
            prevented_by: EventNo::NONE,
            reason: Reason::None,
            group: 0,
            required: false,
            members: 0,
            next_member: 0,
            deferring: false,
            responded: false,
            limit_event: EventNo::NONE,
            limit_source: EntityId::NONE,
            cells_at: 0,
            cells_len: 0,
        }
    }

    /// Whether its list has begun and is not done, so that nothing is checked yet.
    pub fn is_half_done(&self) -> bool {
        self.stage == Stage::Running || matches!(self.kind, FrameKind::Group | FrameKind::Member)
    }
}

/// Writes and reads rows: what kind, the number, a bit for each field that is not blank, then those fields.
macro_rules! code_fields {
    ($($field:ident),* $(,)?) => {
        impl Encode for Frame {
            fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
                let blank = Self::blank(self.kind, self.event);
                let (mut told, mut bit) = (0_u32, 1_u32);
                $(
                    told |= if self.$field == blank.$field { 0 } else { bit };
                    bit = bit.wrapping_shl(1);
                )*
                self.kind.encode_to(out);
                Compact(self.event.0).encode_to(out);
                Compact(told).encode_to(out);
                $(
                    if self.$field != blank.$field {
                        self.$field.encode_to(out);
                    }
                )*
            }
        }

        impl Decode for Frame {
            fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
                let kind = FrameKind::decode(input)?;
                let event = EventNo(Compact::<u32>::decode(input)?.0);
                let mut told = Compact::<u32>::decode(input)?.0;
                let blank = Self::blank(kind, event);
                let mut frame = blank;
                $(
                    if told & 1 != 0 {
                        frame.$field = Decode::decode(input)?;
                        // There is one way to write a row.
                        if frame.$field == blank.$field {
                            return Err("a row tells what is blank anyway".into());
                        }
                    }
                    told >>= 1;
                )*
                if told == 0 { Ok(frame) } else { Err("a row tells of fields there are not".into()) }
            }
        }
    };
}

code_fields!(
    stage,
    etype,
    action,
    rule,
    pc,
    cause,
    root,
    source,
    source_moves,
    subject,
    subject_left,
    controller,
    prevented_by,
    reason,
    group,
    required,
    members,
    next_member,
    deferring,
    responded,
    limit_event,
    limit_source,
    cells_at,
    cells_len,
);

impl EncodeLike for Frame {}
