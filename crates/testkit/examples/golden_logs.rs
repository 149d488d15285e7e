//! Writes the golden logs of the semantics number that is still open:
//! `cargo run --release -p testkit --example golden_logs`. Those of a frozen number are never written again.

use std::{error::Error, path::Path};

use testkit::golden_logs::Archive;

fn main() -> Result<(), Box<dyn Error>> {
    let number = engine::log::ENGINE_VERSION;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("golden/semantics-{number}.lz4"));
    let archive = Archive::make();
    let n_logs = archive.verify()?;
    let bytes = archive.to_bytes();
    std::fs::write(&file, &bytes)?;
    println!("{n_logs} logs, {} bytes: {}", bytes.len(), file.display());
    Ok(())
}
