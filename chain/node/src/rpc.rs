//! What can be asked of the node beyond what every node answers: nonces, and blocks to be made.

use std::sync::Arc;

use jsonrpsee::RpcModule;
use sc_consensus_manual_seal::EngineCommand;
use sc_consensus_manual_seal::rpc::{ManualSeal, ManualSealApiServer as _};
use substrate_frame_rpc_system::{System, SystemApiServer as _};

use crate::service::{BlockHash, Client, Pool};

/// The sender's end of the orders to make blocks.
pub type Orders = futures::channel::mpsc::Sender<EngineCommand<BlockHash>>;

/// All extra methods.
pub fn methods(
    client: Arc<Client>,
    pool: Arc<Pool>,
    orders: Option<Orders>,
) -> Result<RpcModule<()>, Box<dyn std::error::Error + Send + Sync>> {
    let mut module = RpcModule::new(());
    module.merge(System::new(client, pool).into_rpc())?;
    if let Some(orders) = orders {
        module.merge(ManualSeal::new(orders).into_rpc())?;
    }
    Ok(module)
}
