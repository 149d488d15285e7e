//! The guide works as printed: every step compiles on top of those before it, and the last one is a game.

use std::{fs, sync::Arc};

use compiler::{
    compile,
    library::{Both, Folders, Memory},
};
use ruleset::Ruleset;
use testkit::{contract, games, scenario::Table};

/// The blocks of the guide in one language, in their order.
fn blocks(language: &str) -> Vec<String> {
    let text =
        fs::read_to_string(games::folder().join("../docs/guide.md")).expect("the guide is part of the project; qed");
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|it| Some(it.split_once("```")?.0.to_owned())).collect()
}

/// The game after so many steps: each is a document on top of the one before.
fn after(steps: &[String]) -> Ruleset {
    let mut library = Memory::default();
    for (i, step) in steps.iter().enumerate() {
        library = library.with(&format!("guide/step{i}"), step);
    }
    let names: Vec<String> = (0..steps.len()).map(|it| format!("\"guide/step{it}\"")).collect();
    let whole = format!("{{ \"include\": [{}] }}", names.join(", "));
    let library = library.with("guide", &whole);
    compile("guide", &Both(&library, &Folders::new([games::folder()])))
        .unwrap_or_else(|it| panic!("step {}: {}", steps.len(), compiler::render(&it)))
}

#[test]
fn every_step_of_the_guide_is_a_sound_game() {
    let steps = blocks("json");
    assert!(steps.len() >= 10);
    for n in 1..=steps.len() {
        let ruleset = after(&steps[..n]);
        let warnings = ruleset::lint::lint(ruleset.program());
        assert!(warnings.is_empty(), "step {n}: {warnings:?}");
    }
}

#[test]
fn the_game_of_the_guide_keeps_the_contract_and_plays_its_scenario() {
    let ruleset = Arc::new(after(&blocks("json")));
    for seed in 0..3 {
        contract::check_game(&ruleset, seed);
    }
    let mut table = Table::set(ruleset, &blocks("setup")[0]).expect("the table can be set; qed");
    for line in blocks("play")[0].lines() {
        table.play(line).unwrap_or_else(|it| panic!("{line}: {it}"));
    }
}
