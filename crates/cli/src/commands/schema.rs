//! `snapstack schema`: the JSON Schema of rulesets, for editors.

use anyhow::Result;

/// Prints the JSON Schema of ruleset documents.
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args) -> Result<()> {
    say_part!("{}", compiler::schema::schema_text());
    Ok(())
}
