//! Golden logs, natively; `cargo xtask test vectors` does the same in a wasm machine.

use testkit::golden_logs;

#[test]
fn every_golden_log_is_read_verified_and_continued() {
    let n_logs = golden_logs::verify().unwrap_or_else(|it| panic!("{it}"));
    assert!(n_logs >= 200, "{n_logs}");
}
