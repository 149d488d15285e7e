//! Plays the golden games and compares, then verifies the golden logs; `cargo xtask test vectors` runs it inside a wasm
//! machine.

fn main() {
    assert_eq!(testkit::golden::play(), testkit::golden::EXPECTED);
    assert!(testkit::golden_logs::verify().is_ok_and(|it| it >= 200));
}
