//! What card designers ask for: one scenario for every entry of the list, written in the language alone.

use std::{collections::BTreeSet, fs, path::Path};

use testkit::scenario;

/// When something happens, what, to whom, how much, and on which conditions.
const ENTRIES: &[(&str, &[&str])] = &[
    (
        "When",
        &[
            "on reveal",
            "ongoing, while in play",
            "start of a turn",
            "end of a turn",
            "in hand",
            "in deck",
            "destroyed",
            "discarded",
            "moved",
            "banished",
            "activated",
            "before a card is played",
            "after a card is played",
            "after an ability triggered",
            "on created",
            "game start",
            "end of game",
        ],
    ),
    (
        "What",
        &[
            "gain a stat",
            "lose a stat",
            "set a stat",
            "steal a stat",
            "draw",
            "discard",
            "destroy",
            "move",
            "return to hand",
            "banish",
            "gain a resource",
            "lose a resource",
            "gain maximum of a resource",
            "create a card in hand",
            "create a card in the deck",
            "create a card in a zone",
            "add a card from elsewhere",
            "remove an ability",
            "add a keyword for a turn",
            "change a cost",
            "set a cost",
            "merge",
            "copy an ability and activate it",
            "counter",
            "prevent",
            "replace by another event",
            "reveal",
            "shuffle",
            "look at the top cards",
            "look and put some on the bottom",
            "search",
            "tap and untap",
            "gain control",
            "copy a card as a token",
            "take an extra turn",
            "skip a step",
            "a modal effect",
            "a delayed trigger",
            "end the game",
        ],
    ),
    (
        "Who",
        &[
            "all cards in a zone",
            "own cards in a zone",
            "enemy cards in a zone",
            "all cards of the whole board and in graveyards",
            "the first",
            "the last",
            "several at random",
            "those with the highest stat",
            "those with the lowest stat",
            "with a condition on a stat",
            "with a condition on the cost",
            "with a condition on a count",
            "with a condition on the turn number",
            "with a keyword",
            "of a type",
            "of a name",
            "created or not",
            "the created card",
            "if a zone is full",
            "self",
            "the source of the triggering event",
            "the targets of the triggering event",
            "the next card played",
        ],
    ),
    (
        "How much",
        &[
            "a constant",
            "per counted thing",
            "the value of another card's stat",
            "a random number",
            "a player's choice",
        ],
    ),
    (
        "Conditions",
        &[
            "and",
            "or",
            "not",
            "equal",
            "not equal",
            "less",
            "less or equal",
            "greater",
            "greater or equal",
            "exists",
            "count",
            "contains",
        ],
    ),
];

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checklist")
}

#[test]
fn every_scenario_of_the_checklist_plays_as_written() {
    scenario::run_folder(&folder());
}

#[test]
fn every_entry_of_the_checklist_has_a_scenario() {
    let files = fs::read_dir(folder()).expect("the folder is part of the project; qed").flatten();
    let texts: Vec<String> = files.filter_map(|it| fs::read_to_string(it.path()).ok()).collect();
    let headings: BTreeSet<&str> =
        texts.iter().flat_map(|it| it.lines()).filter_map(|it| it.strip_prefix("## ")).collect();
    let wanted = ENTRIES.iter().flat_map(|(group, names)| names.iter().map(move |it| format!("{group}: {it}")));
    let missing: Vec<String> = wanted.filter(|it| !headings.contains(it.as_str())).collect();
    assert!(missing.is_empty(), "nothing shows {missing:?}");
}
