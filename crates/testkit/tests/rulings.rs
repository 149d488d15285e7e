//! The rulings of `docs/rulings.md`, as scenarios.

use std::path::Path;

use testkit::scenario;

#[test]
fn every_scenario_of_the_rulings_plays_as_written() {
    scenario::run_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rulings"));
}
