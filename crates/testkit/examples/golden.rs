//! Plays the golden games and compares; `cargo xtask test vectors` runs it inside a wasm machine.

fn main() {
    assert_eq!(testkit::golden::play(), testkit::golden::EXPECTED);
}
