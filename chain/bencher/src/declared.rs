//! Whether the weights that the pallet declares are those that its calls have.
//!
//! Times differ from machine to machine, so they are not compared. What a call reads, writes and
//! proves does not: it is counted anew in the runtime's wasm and must be declared exactly.

use std::ops::RangeInclusive;

use frame::deps::frame_support::weights::RuntimeDbWeight;
use frame::prelude::Get;
use pallet_auto_battle::weights::{MeasuredWeight, by_name};

use crate::machine::Counts;

/// A database in which only reading costs something.
struct Reads;

impl Get<RuntimeDbWeight> for Reads {
    fn get() -> RuntimeDbWeight {
        RuntimeDbWeight { read: 1, write: 0 }
    }
}

/// A database in which only writing costs something.
struct Writes;

impl Get<RuntimeDbWeight> for Writes {
    fn get() -> RuntimeDbWeight {
        RuntimeDbWeight { read: 0, write: 1 }
    }
}

/// Reads, writes and bytes of proof of a call at one value of its component.
#[derive(Debug, PartialEq, Eq)]
struct Demand {
    reads: u64,
    writes: u64,
    proof_size: u64,
}

/// Says what a declared weight has wrong, if anything.
pub fn compare(name: &str, counted: &Counts, values: RangeInclusive<u32>) -> Option<String> {
    let wrong = |n: &u32| declared(name, *n).as_ref() != Some(&demand(counted, *n));
    let n = values.into_iter().find(wrong)?;
    Some(match declared(name, n) {
        Some(declared) => format!("{name}({n}): counted {:?}, declared {declared:?}", demand(counted, n)),
        None => format!("{name} has no weight"),
    })
}

/// The bytes of proof that a weight declares.
pub fn proof_size(name: &str, n: u32) -> u64 {
    by_name::<MeasuredWeight<()>>(name, n).map_or(0, |it| it.proof_size())
}

fn demand(counted: &Counts, n: u32) -> Demand {
    Demand { reads: counted.reads.at(n), writes: counted.writes.at(n), proof_size: counted.proof_size }
}

fn declared(name: &str, n: u32) -> Option<Demand> {
    let plain = by_name::<MeasuredWeight<()>>(name, n)?;
    let reads = by_name::<MeasuredWeight<Reads>>(name, n)?.ref_time() - plain.ref_time();
    let writes = by_name::<MeasuredWeight<Writes>>(name, n)?.ref_time() - plain.ref_time();
    Some(Demand { reads, writes, proof_size: plain.proof_size() })
}

#[cfg(test)]
mod tests {
    use super::{Counts, compare, declared};
    use crate::line::Line;

    /// What a weight declares, as if it had been counted.
    fn as_declared(name: &str) -> Counts {
        let (none, one) = (declared(name, 0).unwrap(), declared(name, 1).unwrap());
        Counts {
            reads: Line { base: none.reads, slope: one.reads - none.reads },
            writes: Line { base: none.writes, slope: one.writes - none.writes },
            proof_size: none.proof_size,
        }
    }

    #[test]
    fn a_weight_that_declares_what_was_counted_is_right() {
        for name in ["start_game", "dispute_battle", "create_set"] {
            assert_eq!(compare(name, &as_declared(name), 0..=64), None);
        }
    }

    #[test]
    fn one_read_write_or_byte_more_or_less_is_wrong() {
        let right = as_declared("create_set");
        let line = |it: Line, base: i64, slope: i64| Line {
            base: it.base.saturating_add_signed(base),
            slope: it.slope.saturating_add_signed(slope),
        };
        let wrong = [
            Counts { reads: line(right.reads, 1, 0), ..right },
            Counts { reads: line(right.reads, 0, 1), ..right },
            Counts { writes: line(right.writes, -1, 0), ..right },
            Counts { writes: line(right.writes, 0, 1), ..right },
            Counts { proof_size: right.proof_size + 1, ..right },
        ];
        for counted in wrong {
            assert!(compare("create_set", &counted, 0..=64).is_some(), "{counted:?}");
        }
    }

    #[test]
    fn a_call_without_a_weight_is_wrong() {
        assert_eq!(compare("nothing", &Counts::default(), 0..=0).unwrap(), "nothing has no weight");
    }
}
