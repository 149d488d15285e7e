//! Records as bytes, one behind the other: how they are written while a match goes on, and read again.

use alloc::vec::Vec;

use parity_scale_codec::{Decode, Encode, Output};

use crate::{
    packed::PackedRef,
    record::{Record, Sink},
    scratch::{Span, slice},
    state::MatchState,
};

/// The length of all records but those with long lists; how a match waits mostly fits, too.
const LINE: usize = 1024;

/// Room is made so much at a time.
const BLANK: [u8; 2048] = [0; 2048];

/// What is asked for at first: a short match is not moved while it is written.
const ROOM_FIRST: usize = 4 * 1024;

/// Collects records.
#[derive(Debug, Default)]
pub struct Recorder {
    /// What was written, then room for what comes.
    bytes: Vec<u8>,
    len: usize,
}

impl Recorder {
    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// What was written, to keep.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        self.bytes
    }

    /// How many bytes were written.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Forgets all but the first so many bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Writes something behind the rest.
    #[inline(always)]
    pub(crate) fn write(&mut self, it: impl Encode + Copy) {
        if self.bytes.get(self.len..).is_none_or(|it| it.len() < LINE) {
            self.make_room(LINE);
        }
        let room = self.bytes.get_mut(self.len..).and_then(|it| it.first_chunk_mut());
        let Some(bytes) = room else { return };
        let mut line = Line { bytes, at: 0 };
        it.encode_to(&mut line);
        if line.at > LINE {
            // A copy, so that the one that is mostly written need not lie in memory.
            let long = it;
            return self.extend(&long.encode());
        }
        self.len = self.len.wrapping_add(line.at);
    }

    /// Writes bytes behind the rest.
    #[cold]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        let end = self.len.saturating_add(bytes.len());
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(bytes);
            self.len = end;
        }
    }

    /// Makes room for so many bytes at least.
    #[cold]
    fn make_room(&mut self, n: usize) {
        if self.bytes.is_empty() {
            self.bytes.reserve(ROOM_FIRST);
        }
        while self.bytes.len() < self.len.saturating_add(n) {
            self.bytes.extend_from_slice(&BLANK);
        }
    }
}

/// A copy has no room yet: few copies are written to.
impl Clone for Recorder {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes().to_vec(), len: self.len }
    }
}

impl PartialEq for Recorder {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Recorder {}

impl Sink for Recorder {
    const LOOKS: bool = false;
    const EVERYTHING: bool = false;

    // What is known of a record where it is made need not be asked here.
    #[inline(always)]
    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        if record.is_logged() {
            self.write(record.written(|it| *it));
        }
    }

    #[inline]
    fn kept(&mut self, _state: &MatchState, record: &Record<Span>, data: &[i64]) {
        if record.is_logged() {
            self.write(record.written(|it| slice(data, *it)));
        }
    }
}

/// Room for one record. It has one size and does not grow, so where things go is mostly known when this is compiled;
/// it counts on past its end, to say that it was too short.
struct Line<'b> {
    bytes: &'b mut [u8; LINE],
    at: usize,
}

impl Output for Line<'_> {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        let end = self.at.wrapping_add(bytes.len());
        if let Some(room) = self.bytes.get_mut(self.at..end) {
            room.copy_from_slice(bytes);
        }
        self.at = end;
    }

    #[inline(always)]
    fn push_byte(&mut self, byte: u8) {
        if let Some(room) = self.bytes.get_mut(self.at) {
            *room = byte;
        }
        self.at = self.at.wrapping_add(1);
    }
}

/// A record to be written; its list is looked up only where there is one.
#[derive(Clone, Copy)]
struct Written<'r, P, F> {
    record: &'r Record<P>,
    list: F,
}

impl<P> Record<P> {
    /// The record as it is written, with its list held any way.
    #[inline(always)]
    fn written<'l, F: Fn(&P) -> &'l [i64] + Copy>(&self, list: F) -> Written<'_, P, F> {
        Written { record: self, list }
    }

    /// Writes what [`Decode`] reads: the number of the kind, then the fields.
    #[inline(always)]
    fn write<'l, O: Output + ?Sized>(&self, out: &mut O, list: impl Fn(&P) -> &'l [i64]) {
        let list = |it| PackedRef(list(it));
        macro_rules! put {
            ($number:literal $(, $field:expr)*) => {{
                out.push_byte($number);
                $($field.encode_to(out);)*
            }};
        }
        match self {
            Self::Pushed(frame, cells) => put!(0, frame, list(cells)),
            Self::AtOnce(frame, cells) => put!(1, frame, list(cells)),
            Self::Popped => put!(2),
            Self::At(pc) => put!(3, pc),
            Self::Began(pc) => put!(4, pc),
            Self::Staged(stage) => put!(5, stage),
            Self::Set(cell, value) => put!(6, cell, value),
            Self::Stored(cell, values) => put!(7, cell, list(values)),
            Self::Amended(event, field, value) => put!(8, event, field, value),
            Self::Noted(note) => put!(9, note),
            Self::Prevented { event, by, reason } => put!(10, event, by, reason),
            Self::GroupOpened(row) => put!(11, row),
            Self::MemberNext(at) => put!(12, at),
            Self::Responded => put!(13),
            Self::Deferring(on) => put!(14, on),
            Self::SourceMoved(moves) => put!(15, moves),
            Self::Paid(paid) => put!(16, paid),
            Self::Asked(ask) => put!(17, ask),
            Self::Answered { input, player, origin, values } => {
                put!(18, input, player, origin, list(values))
            }
            Self::Closed(input) => put!(19, input),
            Self::WindowSet(window) => put!(20, window),
            Self::Ending(on) => put!(21, on),
            Self::Rolled(stream) => put!(22, stream),
            Self::Counted(key, n) => put!(23, key, n),
            Self::Held { holder, frame, cells } => put!(24, holder, frame, list(cells)),
            Self::Released(holder) => put!(25, holder),
            Self::Delayed(head, kept) => put!(26, head, list(kept)),
            Self::DelayUsed(no) => put!(27, no),
            Self::DelayDropped(no) => put!(28, no),
            Self::TimerSet(timer) => put!(29, timer),
            Self::Paused(pause) => put!(30, pause),
            Self::FlowSet(flow) => put!(31, flow),
            Self::Checked => put!(32),
            Self::Settled => put!(33),
            Self::Connected(player, on) => put!(34, player, on),
            Self::Accepted { version } => put!(35, version),
            Self::Suspended(numbers) => put!(36, list(numbers)),
            Self::Flowed { turn, active, step, flow } => put!(37, turn, active, step, flow),
            Self::Remembered(card, values) => put!(38, card, list(values)),
            Self::AttrSet { entity, column, value } => put!(39, entity, column, value),
            Self::Moved { event, cause, card, from, to, on_top } => {
                put!(40, event, cause, card, from, to, on_top)
            }
            Self::Created { event, cause, card, def, owner, to, on_top } => {
                put!(41, event, cause, card, def, owner, to, on_top)
            }
            Self::Reserved(card) => put!(42, card),
            Self::Ordered(zone, cards) => put!(43, zone, list(cards)),
            Self::Shuffled(zone, cards) => put!(44, zone, list(cards)),
            Self::ModAdded(row) => put!(45, row),
            Self::ModDropped(no) => put!(46, no),
            Self::Revealed { card, to } => put!(47, card, to),
            Self::ControlSet { card, player } => put!(48, card, player),
            Self::Eliminated(player) => put!(49, player),
            Self::TurnGiven(player) => put!(50, player),
            Self::TurnTaken => put!(51),
            Self::SkipAdded(player, step) => put!(52, player, step),
            Self::SkipUsed(player, step) => put!(53, player, step),
            Self::Ended(outcome) => put!(54, outcome),
            Self::Happened { event, kind, cause, subject, args } => {
                put!(55, event, kind, cause, subject, list(args))
            }
            Self::Undone { to, epoch } => put!(56, to, epoch),
        }
    }
}

impl<'l, P, F: Fn(&P) -> &'l [i64]> Encode for Written<'_, P, F> {
    #[inline(always)]
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        self.record.write(out, &self.list);
    }
}

/// Writes records one after the other, as a transition has them.
pub fn encode_records(records: &[Record<Vec<i64>>]) -> Vec<u8> {
    let mut recorder = Recorder::default();
    records.iter().for_each(|it| recorder.write(borrowed(it).written(|list| *list)));
    recorder.into_bytes()
}

/// Reads records; the error is the number of the first bad one.
pub fn decode_records(mut bytes: &[u8]) -> Result<Vec<Record<Vec<i64>>>, usize> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        records.push(Record::decode(&mut bytes).map_err(|_| records.len())?);
    }
    Ok(records)
}

/// Whether records can be read, without keeping them; the error is the number of the first bad one.
pub(crate) fn check_records(mut bytes: &[u8]) -> Result<(), usize> {
    let mut n = 0_usize;
    while !bytes.is_empty() {
        Record::<Vec<i64>>::decode(&mut bytes).map_err(|_| n)?;
        n = n.saturating_add(1);
    }
    Ok(())
}

/// The number of the first record that two lists do not share.
pub(crate) fn first_difference(ours: &[u8], theirs: &[u8]) -> usize {
    let decode = |it: &[u8]| decode_records(it).unwrap_or_default();
    let (ours, theirs) = (decode(ours), decode(theirs));
    ours.iter().zip(&theirs).position(|(a, b)| a != b).unwrap_or_else(|| ours.len().min(theirs.len()))
}

/// A record that borrows its list.
pub fn borrowed(record: &Record<Vec<i64>>) -> Record<&[i64]> {
    // A frame and a list are all a record holds, so copying all but the list is cheap.
    record.as_ref_payload()
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_record_that_does_not_fit_is_written_whole_once_there_is_room() {
        let long = Record::Ordered(7, vec![i64::MAX; BLANK.len()]);
        let records: Vec<Record<Vec<i64>>> =
            (0..BLANK.len()).map(|_| Record::Popped).chain([long, Record::Settled]).collect();
        let apart: Vec<u8> = records.iter().flat_map(|it| borrowed(it).written(|list| *list).encode()).collect();
        assert_eq!(encode_records(&records), apart);
        assert_eq!(decode_records(&apart), Ok(records));
    }

    /// A record of some kind made of arbitrary bytes, if they are one, and how many of them it took.
    fn arbitrary(kind: u8, seed: u64) -> Option<(Record<Vec<i64>>, Vec<u8>)> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut bytes = vec![kind];
        // Small bytes: flags, numbers of kinds and lengths that there are.
        bytes.extend((0..400).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33).to_le_bytes()[0] % 4
        }));
        let mut rest = bytes.as_slice();
        let record = Record::decode(&mut rest).ok()?;
        let n_left = rest.len();
        bytes.truncate(bytes.len() - n_left);
        Some((record, bytes))
    }

    #[test]
    fn every_kind_of_record_is_written_as_it_is_read() {
        let found: Vec<(u8, usize)> = (0..=u8::MAX)
            .map(|kind| {
                let records = (0..500).filter_map(|seed| arbitrary(kind, seed));
                (
                    kind,
                    records
                        .inspect(|(it, bytes)| assert_eq!(encode_records(core::slice::from_ref(it)), *bytes))
                        .count(),
                )
            })
            .filter(|it| it.1 > 0)
            .collect();
        assert!(found.iter().all(|it| it.1 > 10), "too few records to tell: {found:?}");
        assert_eq!(found.len(), 57, "every kind is found");
    }

    #[test]
    fn a_recorder_is_what_was_written_whatever_room_it_has() {
        let mut recorder = Recorder::default();
        recorder.write(1_u32);
        let copy = recorder.clone();
        recorder.write(2_u32);
        assert_ne!(recorder, copy);
        recorder.truncate(copy.len());
        assert_eq!((&recorder, recorder.bytes()), (&copy, &[1, 0, 0, 0][..]));
        assert_eq!(recorder.into_bytes(), copy.into_bytes());
    }
}
