//! The file of weights, as Rust.

use std::fmt::Write as _;

use crate::line::Line;
use crate::machine::{Counts, Measured};

/// Writes the trait and what implements it.
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
    text.push_str("}\n\n/// Weights with the costs of a database; `()` is one that costs nothing.\n");
    text.push_str("pub struct MeasuredWeight<D>(PhantomData<D>);\n\n");
    text.push_str("impl<D: Get<RuntimeDbWeight>> WeightInfo for MeasuredWeight<D> {\n");
    for it in measured {
        function(&mut text, it);
    }
    text.push_str("}\n");
    by_name(&mut text, measured);
    text
}

/// So that a test can compare every weight with what it was made from, and forget none.
fn by_name(text: &mut String, measured: &[Measured]) {
    text.push_str("\n/// The weight of a name, with its component where it has one.\n");
    text.push_str("pub fn by_name<W: WeightInfo>(name: &str, n: u32) -> Option<Weight> {\n    match name {\n");
    for it in measured {
        let component = if it.component.is_some() { "n" } else { "" };
        let _ = writeln!(text, "        \"{}\" => Some(W::{}({component})),", it.name, it.name);
    }
    text.push_str("        _ => None,\n    }\n}\n");
}

const HEAD: &str = "//! What the calls weigh, measured in the runtime's wasm.
//!
//! Written by `cargo xtask chain-weights`; do not edit by hand.

use core::marker::PhantomData;

use frame::deps::frame_support::weights::RuntimeDbWeight;
use frame::prelude::{Get, Weight};

";

fn parameter(it: &Measured, is_used: bool) -> String {
    let mark = if is_used { "" } else { "_" };
    it.component.as_ref().map_or(String::new(), |(name, ..)| format!("{mark}{name}: u32"))
}

fn function(text: &mut String, it: &Measured) {
    let name = it.component.as_ref().map_or("", |it| it.0.as_str());
    let Counts { reads, writes, proof_size } = it.counts;
    let grows = [it.time, reads, writes].iter().any(|line| line.slope > 0);
    if let Some((name, low, high)) = &it.component {
        let _ = writeln!(text, "    /// `{name}` is from {low} to {high}.");
    }
    let _ = writeln!(text, "    fn {}({}) -> Weight {{", it.name, parameter(it, grows));
    let _ = write!(text, "        Weight::from_parts({}, {})", digits(it.time.base), digits(proof_size));
    if it.time.slope > 0 {
        let slope = digits(it.time.slope);
        let _ = write!(text, ".saturating_add(Weight::from_parts({slope}, 0).saturating_mul({name}.into()))");
    }
    database(text, "reads", reads, name);
    database(text, "writes", writes, name);
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
        let _ = write!(text, ".saturating_add(D::get().{kind}({}))", line.base);
    }
    if line.slope > 0 {
        let _ = write!(text, ".saturating_add(D::get().{kind}({}).saturating_mul({name}.into()))", line.slope);
    }
}
