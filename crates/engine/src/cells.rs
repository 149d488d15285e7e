//! Variables of frames: numbers, and lists that lie behind them and are named by offset and length in one number.

use alloc::vec::Vec;

/// Where a list lies among the variables of its row: offset and length in one number.
pub(crate) fn descriptor(offset: usize, len: usize) -> i64 {
    let part = |it: usize| i64::try_from(it).unwrap_or(0) & 0x7fff_ffff;
    (part(offset) << 32) | part(len)
}

/// The offset and length of a list.
pub(crate) fn span_of(descriptor: i64) -> (usize, usize) {
    if descriptor == ruleset::NULL {
        return (0, 0);
    }
    let part = |it: i64| usize::try_from(it & 0x7fff_ffff).unwrap_or(0);
    (part(descriptor >> 32), part(descriptor))
}

/// Puts a list where the old one was if it fits, else behind everything; gives the new number of cells.
pub(crate) fn place_list(cells: &mut Vec<i64>, base: usize, len: usize, cell: u16, values: &[i64]) -> usize {
    let at_cell = base.saturating_add(usize::from(cell));
    let old = cells.get(at_cell).copied().unwrap_or(ruleset::NULL);
    let (offset, room) = span_of(old);
    let fits = old != ruleset::NULL && values.len() <= room;
    let (at, len) = if fits { (offset, len) } else { (len, len.saturating_add(values.len())) };
    cells.resize(base.saturating_add(len), ruleset::NULL);
    for (i, value) in values.iter().enumerate() {
        if let Some(slot) = cells.get_mut(base.saturating_add(at).saturating_add(i)) {
            *slot = *value;
        }
    }
    if let Some(slot) = cells.get_mut(at_cell) {
        *slot = descriptor(at, values.len());
    }
    len
}
