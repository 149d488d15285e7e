//! The file of weights, as Rust.

use std::fmt::Write as _;

use crate::line::Line;
use crate::machine::Measured;

/// Writes the trait and its two implementations.
pub fn write(measured: &[Measured]) -> String {
    let mut text = String::from(HEAD);
    text.push_str("/// What each call weighs.\npub trait WeightInfo {\n");
    for it in measured {
        let _ = writeln!(
            text,
            "    /// The weight of `{}`.\n    fn {}({}) -> Weight;",
            it.name,
            it.name,
            parameter(it, true)
        );
    }
    text.push_str(
        "}\n\n/// Weights with the costs of a chain's database.\npub struct MeasuredWeight<T>(PhantomData<T>);\n\n",
    );
    text.push_str("impl<T: frame_system::Config> WeightInfo for MeasuredWeight<T> {\n");
    for it in measured {
        function(&mut text, it, true);
    }
    text.push_str("}\n\n// The same with a database that costs nothing, for tests.\nimpl WeightInfo for () {\n");
    for it in measured {
        function(&mut text, it, false);
    }
    text.push_str("}\n");
    text
}

const HEAD: &str = "//! What the calls weigh, measured in the runtime's wasm.
//!
//! Written by `cargo xtask chain-weights`; do not edit by hand.

use core::marker::PhantomData;

use frame::prelude::{Get as _, Weight, frame_system};

";

fn parameter(it: &Measured, is_used: bool) -> String {
    let mark = if is_used { "" } else { "_" };
    it.component.as_ref().map_or(String::new(), |(name, ..)| format!("{mark}{name}: u32"))
}

fn function(text: &mut String, it: &Measured, with_database: bool) {
    let name = it.component.as_ref().map_or("", |it| it.0.as_str());
    let grows = it.time.slope > 0 || (with_database && (it.reads.slope > 0 || it.writes.slope > 0));
    if let Some((name, low, high)) = &it.component {
        let _ = writeln!(text, "    /// `{name}` is from {low} to {high}.");
    }
    let _ = writeln!(text, "    fn {}({}) -> Weight {{", it.name, parameter(it, grows));
    let _ = write!(text, "        Weight::from_parts({}, {})", digits(it.time.base), digits(it.proof_size));
    if it.time.slope > 0 {
        let slope = digits(it.time.slope);
        let _ = write!(text, ".saturating_add(Weight::from_parts({slope}, 0).saturating_mul({name}.into()))");
    }
    if with_database {
        database(text, "reads", it.reads, name);
        database(text, "writes", it.writes, name);
    }
    text.push_str("\n    }\n");
}

/// A number with a mark between thousands, as people read it.
fn digits(number: u64) -> String {
    let plain = number.to_string();
    let first = plain.len() % 3;
    let marked = plain.char_indices().flat_map(|(idx, digit)| {
        let mark = idx > 0 && idx % 3 == first;
        mark.then_some('_').into_iter().chain([digit])
    });
    marked.collect()
}

fn database(text: &mut String, kind: &str, line: Line, name: &str) {
    if line.base > 0 {
        let _ = write!(text, ".saturating_add(T::DbWeight::get().{kind}({}))", line.base);
    }
    if line.slope > 0 {
        let _ =
            write!(text, ".saturating_add(T::DbWeight::get().{kind}({}).saturating_mul({name}.into()))", line.slope);
    }
}
