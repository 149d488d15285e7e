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
    /// What led to this; none for a player's action.
    pub cause: EventNo,
    /// What this responds to, where that is not what led to it.
    pub answers: EventNo,
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
    /// In a group: whether it cannot be lost alone.
    pub required: bool,
    /// For a group: how many members it has.
    pub members: u16,
    /// For a group: which member is next.
    pub next_member: u16,
    /// Whether triggers of what it emits wait until it is done.
    pub deferring: bool,
    /// Whether others had their chance to respond.
    pub responded: bool,
    /// What its limiters were counted for, to give the count back.
    pub limit_event: EventNo,
    pub limit_source: EntityId,
    /// The code that finds its subjects when it happens; none if they were named.
    pub fan: CodePtr,
    /// Whether its subjects were given as one, who must be there.
    pub names_one: bool,
    /// Where the list that led to it goes on if it does not happen; none for the next instruction.
    pub otherwise: CodePtr,
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
            answers: EventNo::NONE,
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
            fan: CodePtr::NONE,
            names_one: false,
            otherwise: CodePtr::NONE,
            cells_at: 0,
            cells_len: 0,
        }
    }

    /// The event it answers: what it responds to, else what led to it.
    pub fn answered(&self) -> EventNo {
        if self.answers.is_some() { self.answers } else { self.cause }
    }

    /// Whether its list has begun and is not done, so that nothing is checked yet.
    pub fn is_half_done(&self) -> bool {
        self.stage == Stage::Running || matches!(self.kind, FrameKind::Group | FrameKind::Member)
    }
}

/// Writes and reads rows: what kind, the number, a bit for each field that is not blank, then those fields.
/// Fields of a group that are all blank, as they mostly are, are passed over at once.
macro_rules! code_fields {
    ($([$($field:ident),* $(,)?])*) => {
        /// The places of the fields' bits.
        #[expect(non_camel_case_types, reason = "they are named after the fields")]
        enum Place { $($($field,)*)* }

        /// How many fields have a bit.
        const N_FIELDS: usize = [$($(stringify!($field)),*),*].len();

        /// What each field is written as.
        #[cfg(test)]
        fn bytes_of_fields(frame: &Frame) -> [alloc::vec::Vec<u8>; N_FIELDS] {
            [$($(frame.$field.encode()),*),*]
        }

        impl Encode for Frame {
            #[inline(always)]
            fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
                // Without `..`: a field that is not written does not compile.
                let Self { kind, event, $($($field),*),* } = self;
                let blank = Self::blank(*kind, *event);
                let mut told = 0_u32;
                $(
                    if $(*$field != blank.$field)||* {
                        $(told |= u32::from(*$field != blank.$field) << Place::$field as u32;)*
                    }
                )*
                kind.encode_to(out);
                Compact(event.0).encode_to(out);
                Compact(told).encode_to(out);
                $(
                    if told & ($(1 << Place::$field as u32)|*) != 0 {
                        $(
                            if told & (1 << Place::$field as u32) != 0 {
                                $field.encode_to(out);
                            }
                        )*
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
                $($(
                    if told & 1 != 0 {
                        frame.$field = Decode::decode(input)?;
                        // There is one way to write a row.
                        if frame.$field == blank.$field {
                            return Err("a row tells what is blank anyway".into());
                        }
                    }
                    told >>= 1;
                )*)*
                if told == 0 { Ok(frame) } else { Err("a row tells of fields there are not".into()) }
            }
        }
    };
}

code_fields!(
    [stage]
    [etype]
    [action, rule, pc]
    [cause, answers, root, source]
    [source_moves, subject, subject_left]
    [controller]
    [prevented_by, reason]
    [group, required]
    [members, next_member, deferring, responded, limit_event, limit_source]
    [fan, names_one, otherwise, cells_at, cells_len]
);

impl EncodeLike for Frame {}

const _: () = assert!(N_FIELDS <= 32, "every field of a row has a bit of 32");

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const KINDS: [FrameKind; 5] =
        [FrameKind::Intent, FrameKind::Trigger, FrameKind::Group, FrameKind::Member, FrameKind::Order];

    fn blank() -> Frame {
        Frame::blank(FrameKind::Intent, EventNo(7))
    }

    /// Blank rows but for one field, in the order in which fields are written.
    fn one_set() -> [Frame; N_FIELDS] {
        let it = blank();
        [
            Frame { stage: Stage::Running, ..it },
            Frame { etype: EventTypeId(1), ..it },
            Frame { action: ActionId(2), ..it },
            Frame { rule: RuleId(3), ..it },
            Frame { pc: CodePtr(4), ..it },
            Frame { cause: EventNo(5), ..it },
            Frame { answers: EventNo(4), ..it },
            Frame { root: EventNo(6), ..it },
            Frame { source: EntityId(8), ..it },
            Frame { source_moves: 9, ..it },
            Frame { subject: EntityId(10), ..it },
            Frame { subject_left: true, ..it },
            Frame { controller: PlayerId(1), ..it },
            Frame { prevented_by: EventNo(12), ..it },
            Frame { reason: Reason::Fizzled, ..it },
            Frame { group: 13, ..it },
            Frame { required: true, ..it },
            Frame { members: 14, ..it },
            Frame { next_member: 15, ..it },
            Frame { deferring: true, ..it },
            Frame { responded: true, ..it },
            Frame { limit_event: EventNo(16), ..it },
            Frame { limit_source: EntityId(17), ..it },
            Frame { fan: CodePtr(20), ..it },
            Frame { names_one: true, ..it },
            Frame { otherwise: CodePtr(21), ..it },
            Frame { cells_at: 18, ..it },
            Frame { cells_len: 19, ..it },
        ]
    }

    /// A row that tells of fields by their bits, and what it tells.
    fn told(bits: u32, values: &[u8]) -> Vec<u8> {
        let mut bytes = (FrameKind::Intent, Compact(7_u32), Compact(bits)).encode();
        bytes.extend_from_slice(values);
        bytes
    }

    #[track_caller]
    fn check(frame: Frame, expected: &[u8]) {
        assert_eq!(frame.encode(), expected, "{frame:?}");
        let mut rest = expected;
        assert_eq!(Frame::decode(&mut rest), Ok(frame));
        assert!(rest.is_empty(), "all of {frame:?} is read");
    }

    #[test]
    fn a_blank_row_is_its_kind_its_number_and_no_field() {
        for (i, kind) in (0..).zip(KINDS) {
            check(Frame::blank(kind, EventNo(7)), &[i, 28, 0]);
        }
    }

    #[test]
    fn every_field_that_is_not_blank_is_told_alone_and_comes_back() {
        for (i, frame) in one_set().into_iter().enumerate() {
            check(frame, &told(1 << i, &bytes_of_fields(&frame)[i]));
        }
    }

    #[test]
    fn a_row_in_which_nothing_is_blank_comes_back() {
        let last = one_set().map(|it| bytes_of_fields(&it));
        let values: Vec<u8> = (0..N_FIELDS).flat_map(|i| last[i][i].clone()).collect();
        let bytes = told((1 << N_FIELDS) - 1, &values);
        let frame = Frame::decode(&mut bytes.as_slice()).expect("all fields are told");
        check(frame, &bytes);
    }

    #[test]
    fn a_row_that_tells_what_is_blank_anyway_is_refused() {
        for (i, value) in bytes_of_fields(&blank()).iter().enumerate() {
            let refused = Frame::decode(&mut told(1 << i, value).as_slice());
            assert_eq!(refused, Err("a row tells what is blank anyway".into()), "field {i}");
        }
    }

    #[test]
    fn a_row_that_tells_of_fields_there_are_not_is_refused() {
        for i in N_FIELDS..32 {
            let refused = Frame::decode(&mut told(1 << i, &[0; 8]).as_slice());
            assert_eq!(refused, Err("a row tells of fields there are not".into()), "bit {i}");
        }
    }
}
