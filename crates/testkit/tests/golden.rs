//! Golden games, natively; `cargo xtask test vectors` plays the same in a wasm machine.

use std::{fs, path::Path};

use testkit::golden;

#[test]
fn golden_games_come_out_the_same() {
    // A change here is a change of rules or format: the commit says which.
    let played = golden::play();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
        fs::write(file, &played).expect("the tests folder can be written; qed");
        return;
    }
    assert_eq!(played, golden::EXPECTED);
}
