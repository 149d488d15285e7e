//! How a match waits: everything of its state but the world, as one record at the end of a transition.
//! Between two such places nothing of the machinery is kept; carrying out the commands again shows it.

use alloc::vec::Vec;

use parity_scale_codec::{Compact, Decode, Encode, Input};

use crate::{
    packed::{Packed, PackedRef},
    state::{Answer, Delay, Head, Held, MatchState, STREAMS},
};

/// Names every list of the state that is no part of the world.
macro_rules! lists {
    ($with:ident) => {
        $with!(counts, stack, groups, notes, paid, asks, parted, extra_turns, skips)
    };
}

/// Names every number that there is one of, but for the key, which never changes.
macro_rules! numbers {
    ($with:ident) => {
        $with!(
            [epoch, turn, next_event, next_input, next_mod, next_group, version, facts_in_root, idle_steps, check_rounds]
            [rolls, reveals]
            [n_players, alive, connected, active, regular, extra_next, step, flow, ending]
            [window, timer, paused, outcome, root, last_fact, dirty]
        )
    };
}

/// How many bytes how a match waits mostly takes at most.
const ROOM: usize = 512;

/// Writes how a match waits, a number for each byte.
pub fn write(state: &MatchState, out: &mut Vec<i64>) {
    let mut bytes = Vec::with_capacity(ROOM);
    write_head(&state.head, &mut bytes);
    macro_rules! write_lists {
        ($($list:ident),*) => { $(state.$list.encode_to(&mut bytes);)* };
    }
    lists!(write_lists);
    PackedRef(&state.cells).encode_to(&mut bytes);
    Compact(count(state.answers.len())).encode_to(&mut bytes);
    for it in &state.answers {
        (it.input, it.player, it.origin, PackedRef(&it.values)).encode_to(&mut bytes);
    }
    Compact(count(state.held.len())).encode_to(&mut bytes);
    for it in &state.held {
        (it.holder, it.frame, PackedRef(&it.cells)).encode_to(&mut bytes);
    }
    Compact(count(state.delays.len())).encode_to(&mut bytes);
    for it in &state.delays {
        (it.what, PackedRef(&it.kept)).encode_to(&mut bytes);
    }
    out.extend(bytes.into_iter().map(i64::from));
}

/// Whether this is how a match could wait.
pub fn is_sound(like: &MatchState, numbers: &[i64]) -> bool {
    read(&mut like.clone(), numbers).is_some()
}

/// Makes a match wait as it was written; none if that is not how a match waits.
pub fn read(state: &mut MatchState, numbers: &[i64]) -> Option<()> {
    let bytes: Vec<u8> = numbers.iter().map(|it| u8::try_from(*it).ok()).collect::<Option<_>>()?;
    let input = &mut bytes.as_slice();
    read_head(&mut state.head, input)?;
    macro_rules! read_lists {
        ($($list:ident),*) => { $(state.$list = Decode::decode(input).ok()?;)* };
    }
    lists!(read_lists);
    state.cells = Packed::decode(input).ok()?.0;
    state.answers = read_rows(input, |input| {
        let (number, player, origin, values) = Decode::decode(input).ok()?;
        Some(Answer { input: number, player, origin, values: Packed::into(values) })
    })?;
    state.held = read_rows(input, |input| {
        let (holder, frame, cells) = Decode::decode(input).ok()?;
        Some(Held { holder, frame, cells: Packed::into(cells) })
    })?;
    state.delays = read_rows(input, |input| {
        let (what, kept) = Decode::decode(input).ok()?;
        Some(Delay { what, kept: Packed::into(kept) })
    })?;
    input.is_empty().then_some(())
}

fn read_rows<T>(input: &mut &[u8], row: impl Fn(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let n = Compact::<u32>::decode(input).ok()?.0;
    (0..n).map(|_| row(input)).collect()
}

fn write_head(head: &Head, out: &mut Vec<u8>) {
    macro_rules! write_numbers {
        ([$($often:ident),*] [$($seldom:ident),*] [$($plain:ident),*] [$($last:ident),*]) => {
            $(Compact(head.$often).encode_to(out);)*
            $(Compact(head.$seldom).encode_to(out);)*
            $(head.$plain.encode_to(out);)*
            $(head.$last.encode_to(out);)*
        };
    }
    numbers!(write_numbers);
    // Most streams are those of seats that nobody sits on.
    let used = head.rng.iter().rposition(|it| *it != 0).map_or(0, |it| it.saturating_add(1));
    Compact(count(used)).encode_to(out);
    head.rng.iter().take(used).for_each(|it| Compact(*it).encode_to(out));
}

fn read_head<I: Input>(head: &mut Head, input: &mut I) -> Option<()> {
    macro_rules! read_numbers {
        ([$($often:ident),*] [$($seldom:ident),*] [$($plain:ident),*] [$($last:ident),*]) => {
            $(head.$often = Compact::<u32>::decode(input).ok()?.0;)*
            $(head.$seldom = Compact::<u32>::decode(input).ok()?.0;)*
            $(head.$plain = Decode::decode(input).ok()?;)*
            $(head.$last = Decode::decode(input).ok()?;)*
        };
    }
    numbers!(read_numbers);
    head.rng = [0; STREAMS];
    let used = usize::try_from(Compact::<u32>::decode(input).ok()?.0).ok()?;
    for slot in head.rng.get_mut(..used)? {
        *slot = Compact::<u32>::decode(input).ok()?.0;
    }
    Some(())
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
