//! What card designers ask for: one scenario for every entry of the list, written in the language alone.

use std::path::Path;

use testkit::scenario;

#[test]
fn every_scenario_of_the_checklist_plays_as_written() {
    scenario::run_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checklist"));
}
