//! Writes the documents of the contract into `docs/`: `cargo xtask schemas`.

fn main() -> std::io::Result<()> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, text) in protocol::documents::all() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
