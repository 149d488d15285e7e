//! Writes what happens in very many matches, a line each, or compares it with what was written by another engine.
//!
//! `cargo run --release -p testkit --example streams -- --random 3000 --out FILE`
//! `cargo run --release -p testkit --example streams -- --compare FILE [--strict]`
//! `cargo run --release -p testkit --example streams -- --random 20000 --pin crates/testkit/tests/data/facts.bin`
//!
//! A line is: name, accepted commands, hash of facts and writes, hash of the log, work. A comparison fails if commands,
//! facts or writes differ, or a case is missing; with `--strict` also if a log or its work does. What is pinned is what the
//! test `streams` compares with.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use testkit::streams::{Line, play};

/// How many cases that differ are shown.
const SHOWN: usize = 20;

#[derive(Default)]
struct Args {
    /// Random rulesets; as many as the file to compare with has, unless this says otherwise.
    n_random: Option<usize>,
    out: Option<String>,
    compare: Option<String>,
    pin: Option<String>,
    strict: bool,
}

fn args() -> Result<Args> {
    let mut args = Args::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--random" => args.n_random = Some(words.next().context("--random needs a number")?.parse()?),
            "--out" => args.out = Some(words.next().context("--out needs a file")?),
            "--compare" => args.compare = Some(words.next().context("--compare needs a file")?),
            "--pin" => args.pin = Some(words.next().context("--pin needs a file")?),
            "--strict" => args.strict = true,
            other => bail!("unknown: {other}"),
        }
    }
    Ok(args)
}

/// The lines another engine wrote, and what was found to differ from them.
#[derive(Default)]
struct Comparison {
    expected: BTreeMap<String, Line>,
    n_same: usize,
    n_new: usize,
    differing: BTreeMap<&'static str, Vec<String>>,
}

impl Comparison {
    fn load(file: &str) -> Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
        let lines = text.lines().filter_map(Line::parse).map(|it| (it.name.clone(), it));
        Ok(Self { expected: lines.collect(), ..Self::default() })
    }

    fn n_random(&self) -> usize {
        self.expected.keys().filter(|it| it.starts_with("random ")).count()
    }

    fn add(&mut self, found: &Line) {
        let Some(expected) = self.expected.remove(&found.name) else {
            self.n_new += 1;
            return;
        };
        let columns = [
            ("commands", expected.n_commands != found.n_commands),
            ("facts", expected.facts != found.facts),
            ("log", expected.log != found.log),
            ("work", expected.work != found.work),
        ];
        self.n_same += usize::from(expected == *found);
        for (column, _) in columns.into_iter().filter(|it| it.1) {
            let both = format!("  - {}\n  + {}", expected.to_text(), found.to_text());
            self.differing.entry(column).or_default().push(both);
        }
    }

    /// Says what differs; whether that is too much.
    fn report(&mut self, strict: bool) -> bool {
        let missing: Vec<String> = self.expected.values().map(|it| format!("  - {}", it.to_text())).collect();
        if !missing.is_empty() {
            self.differing.insert("missing", missing);
        }
        println!("{} cases are the same, {} are new", self.n_same, self.n_new);
        for (column, cases) in &self.differing {
            println!("{column}: {} differ", cases.len());
            cases.iter().take(SHOWN).for_each(|it| println!("{it}"));
        }
        self.differing.keys().any(|it| strict || !["log", "work"].contains(it))
    }
}

fn main() -> Result<ExitCode> {
    let args = args()?;
    let mut comparison = args.compare.as_deref().map(Comparison::load).transpose()?;
    let mut out = args.out.as_deref().map(File::create).transpose()?.map(BufWriter::new);
    let mut written = Ok(());
    let mut pinned = BTreeMap::new();
    let n_random = args.n_random.or(comparison.as_ref().map(Comparison::n_random)).unwrap_or(0);
    play(n_random, |line| {
        pinned.extend([line.pin()]);
        if let Some(comparison) = &mut comparison {
            comparison.add(&line);
        }
        if let Some(out) = &mut out {
            written = std::mem::replace(&mut written, Ok(())).and_then(|()| writeln!(out, "{}", line.to_text()));
        } else if comparison.is_none() && args.pin.is_none() {
            println!("{}", line.to_text());
        }
    });
    written?;
    if let Some(out) = &mut out {
        out.flush()?;
    }
    if let Some(file) = &args.pin {
        let bytes: Vec<u8> = pinned.into_iter().flat_map(|(name, facts)| [name, facts]).flatten().collect();
        std::fs::write(file, bytes)?;
    }
    let differs = comparison.is_some_and(|mut it| it.report(args.strict));
    Ok(if differs { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
