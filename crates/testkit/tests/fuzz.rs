//! Bytes nobody meant as rules or commands do no harm. Longer with SNAPSTACK_SOAK=1.

use testkit::{
    contract::Dice,
    fuzz::{compile_any, corpus, mutate, submit_any},
    games,
};

fn rounds(short: u64, long: u64) -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { long } else { short }
}

#[test]
fn whatever_is_compiled_is_refused_or_plays() {
    let inputs = corpus("compiler");
    assert!(inputs.len() >= 30, "{}", inputs.len());
    inputs.iter().for_each(|it| compile_any(it));
    for seed in 0..rounds(300, 100_000) {
        let input = mutate(&inputs, &mut Dice::new(seed));
        let worked = std::panic::catch_unwind(|| compile_any(&input));
        assert!(worked.is_ok(), "seed {seed}: {}", String::from_utf8_lossy(&input));
    }
}

#[test]
fn whatever_is_submitted_is_refused_or_leaves_a_sound_match() {
    let inputs = corpus("submit");
    assert!(inputs.len() >= 20, "{}", inputs.len());
    for name in ["skirmish", "duel"] {
        let ruleset = games::load(name);
        inputs.iter().take(4).for_each(|it| submit_any(&ruleset, it));
        for seed in 0..rounds(10, 5_000) {
            submit_any(&ruleset, &mutate(&inputs, &mut Dice::new(seed)));
        }
    }
}
