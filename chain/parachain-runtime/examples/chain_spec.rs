//! Writes a chain spec for `polkadot-omni-node`: the runtime's wasm with one of its first states.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use auto_battle_parachain_runtime::presets::PARA_ID;
use clap::Parser;
use sc_chain_spec::{ChainType, GenericChainSpec};
use serde_json::{json, Value};

/// Writes a chain spec.
#[derive(Parser)]
struct Options {
    /// The runtime's wasm.
    #[arg(long)]
    runtime: PathBuf,
    /// The first state, by its name in the runtime.
    #[arg(long, default_value = "local_testnet")]
    preset: String,
    /// The relay chain that the parachain belongs to.
    #[arg(long, default_value = "rococo-local")]
    relay_chain: String,
    /// Where to write it.
    #[arg(long)]
    output: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let code = std::fs::read(&options.runtime);
    let code = code.with_context(|| format!("cannot read {}", options.runtime.display()))?;
    let properties = json!({ "tokenSymbol": "UNIT", "tokenDecimals": 12 });
    let spec = GenericChainSpec::<Option<()>>::builder(&code, None)
        .with_name("Snapstack auto-battle")
        .with_id(&format!("snapstack-auto-battle-{}", options.preset))
        .with_chain_type(ChainType::Local)
        .with_genesis_config_preset_name(&options.preset)
        .with_properties(properties.as_object().cloned().unwrap_or_default())
        .build();
    let spec = spec.as_json(true).map_err(anyhow::Error::msg)?;
    let mut spec: Value = serde_json::from_str(&spec)?;
    spec["relay_chain"] = json!(options.relay_chain);
    spec["para_id"] = json!(PARA_ID);
    std::fs::write(&options.output, serde_json::to_string_pretty(&spec)?)
        .with_context(|| format!("cannot write {}", options.output.display()))?;
    println!("{}", options.output.display());
    Ok(())
}
