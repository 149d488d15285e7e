//! What can be said to the node when it is started.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use sc_chain_spec::{ChainType, GenericChainSpec, NoExtension};
use sc_cli::SubstrateCli;
use sc_service::ChainSpec;

use crate::service;

/// The node.
#[derive(Clone, Debug, clap::Parser)]
#[command(version, about = "A development node for the auto-battler")]
pub struct Cli {
    /// The runtime, as wasm.
    #[arg(long, value_name = "FILE")]
    pub runtime: PathBuf,

    /// When blocks are made: `instant` for every transaction, `manual` by `engine_createBlock`, or
    /// a number of milliseconds between two blocks.
    #[arg(long, default_value = "instant")]
    pub seal: Seal,

    /// What every Substrate node can be told.
    #[command(flatten)]
    pub run: sc_cli::RunCmd,
}

/// When blocks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// As soon as there is a transaction.
    Instant,
    /// When somebody asks for one.
    Manual,
    /// Again and again, with or without transactions.
    Every(Duration),
}

impl FromStr for Seal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "instant" => Ok(Self::Instant),
            "manual" => Ok(Self::Manual),
            _ => {
                let millis = text.parse().map_err(|_| "say instant, manual or a number of milliseconds")?;
                Ok(Self::Every(Duration::from_millis(millis)))
            }
        }
    }
}

impl SubstrateCli for Cli {
    fn impl_name() -> String {
        "Auto-battler node".into()
    }

    fn impl_version() -> String {
        env!("CARGO_PKG_VERSION").into()
    }

    fn description() -> String {
        env!("CARGO_PKG_DESCRIPTION").into()
    }

    fn author() -> String {
        "the Snapstack team".into()
    }

    fn support_url() -> String {
        "see docs/chain.md".into()
    }

    fn copyright_start_year() -> i32 {
        2026
    }

    /// A preset of the runtime by its name, or a file.
    fn load_spec(&self, id: &str) -> Result<Box<dyn ChainSpec>, String> {
        let preset = match id {
            "" | "dev" => "development",
            "local" => "local_testnet",
            path => return Ok(Box::new(GenericChainSpec::<NoExtension>::from_json_file(path.into())?)),
        };
        let code = std::fs::read(&self.runtime);
        let code = code.map_err(|it| format!("cannot read the runtime {}: {it}", self.runtime.display()))?;
        let spec = GenericChainSpec::<NoExtension>::builder(&code, None)
            .with_name("Auto-battler development")
            .with_id("auto_battle_dev")
            .with_protocol_id("auto-battle-dev")
            .with_chain_type(ChainType::Development)
            .with_genesis_config_preset_name(preset)
            .build();
        Ok(Box::new(spec))
    }
}

/// Runs the node until it is stopped.
pub fn run(cli: Cli) -> sc_cli::Result<()> {
    let runner = cli.create_runner(&cli.run)?;
    let seal = cli.seal;
    runner.run_node_until_exit(|config| async move { service::start(config, seal).map_err(sc_cli::Error::Service) })
}
