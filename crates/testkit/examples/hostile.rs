//! Measures what hostile rulesets cost: each is compiled and played in a process of its own.
//! Fails if one takes more than 250 ms or 64 MiB, or becomes something else than expected.

use std::{
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use testkit::hostile::{Case, cases, outcome};

const TIME_MAX: Duration = Duration::from_millis(250);
const MEMORY_MAX_KB: u64 = 64 << 10;

/// The most memory this process ever had, in KiB.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0)
}

/// Runs one case here, and tells what became of it, the time and the memory beyond that of the text itself.
fn run_one(at: usize) {
    let case = cases().swap_remove(at);
    let before = peak_kb();
    let started = Instant::now();
    let found = outcome(&case.text);
    println!("{found}\t{}\t{}", started.elapsed().as_micros(), peak_kb().saturating_sub(before));
}

/// Runs one case elsewhere; false if it is too costly or not what it should be.
fn measure(at: usize, case: &Case) -> bool {
    let program = std::env::current_exe().expect("an example has a path; qed");
    let output = Command::new(program).arg(at.to_string()).output().expect("an example can be started; qed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut parts = text.trim().split('\t');
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (found, micros, kb) = (next(), next(), next());
    let time = Duration::from_micros(micros.parse().unwrap_or(u64::MAX / 2));
    let kb: u64 = kb.parse().unwrap_or(u64::MAX);
    let good = found == case.becomes && time <= TIME_MAX && kb <= MEMORY_MAX_KB;
    let mark = if good { ' ' } else { '!' };
    println!("{mark} {:9.1} ms {:8} KiB  {:32} {}", time.as_secs_f64() * 1e3, kb, found, case.name);
    good
}

fn main() -> ExitCode {
    if let Some(at) = std::env::args().nth(1).and_then(|it| it.parse().ok()) {
        run_one(at);
        return ExitCode::SUCCESS;
    }
    let cases = cases();
    let bad = cases.iter().enumerate().filter(|(at, case)| !measure(*at, case)).count();
    println!("{} rulesets, {bad} too costly or not as expected", cases.len());
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
