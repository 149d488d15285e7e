//! Puts the parts of a node together: database, executor, pool, network, and what makes blocks.

use std::sync::Arc;

use auto_battle_runtime::RuntimeApi;
use futures::stream::{BoxStream, StreamExt as _};
use sc_consensus_manual_seal::{EngineCommand, ManualSealParams, import_queue, run_manual_seal};
use sc_executor::WasmExecutor;
use sc_network::config::FullNetworkConfiguration;
use sc_network::{NetworkBackend as _, NetworkWorker};
use sc_service::error::Error;
use sc_service::{Configuration, SpawnTasksParams, TFullBackend, TFullClient, TaskManager};
use sc_transaction_pool::TransactionPoolHandle;
use sc_transaction_pool_api::TransactionPool as _;
use sp_runtime::traits::BlakeTwo256;
use sp_runtime::{OpaqueExtrinsic, generic};

use crate::cli::Seal;
use crate::rpc;

/// Blocks whose transactions the node does not look into.
type Block = generic::Block<generic::Header<u32, BlakeTwo256>, OpaqueExtrinsic>;

/// The hash of a block.
pub type BlockHash = <Block as sp_runtime::traits::Block>::Hash;

type Executor = WasmExecutor<sp_io::SubstrateHostFunctions>;
type Backend = TFullBackend<Block>;

/// The node's database and executor.
pub type Client = TFullClient<Block, RuntimeApi, Executor>;

/// The transactions that wait.
pub type Pool = TransactionPoolHandle<Block, Client>;

/// Starts everything.
pub fn start(config: Configuration, seal: Seal) -> Result<TaskManager, Error> {
    let executor = sc_service::new_wasm_executor(&config.executor);
    let (client, backend, keystore, mut task_manager) =
        sc_service::new_full_parts::<Block, RuntimeApi, _>(&config, None, executor, Vec::new())?;
    let client = Arc::new(client);
    let spawner = task_manager.spawn_essential_handle();
    let pool = sc_transaction_pool::Builder::new(spawner.clone(), client.clone(), config.role.is_authority().into())
        .with_options(config.transaction_pool.clone())
        .with_prometheus(config.prometheus_registry())
        .build();
    let pool = Arc::new(pool);

    let metrics = NetworkWorker::<Block, BlockHash>::register_notification_metrics(None);
    let net_config = FullNetworkConfiguration::<Block, BlockHash, NetworkWorker<Block, BlockHash>>::new(
        &config.network,
        config.prometheus_registry().cloned(),
    );
    let (network, system_rpc_tx, tx_handler_controller, sync_service, _bitswap) =
        sc_service::build_network(sc_service::BuildNetworkParams {
            config: &config,
            net_config,
            client: client.clone(),
            transaction_pool: pool.clone(),
            spawn_handle: task_manager.spawn_handle(),
            spawn_essential_handle: spawner,
            import_queue: import_queue(
                Box::new(client.clone()),
                &task_manager.spawn_essential_handle(),
                config.prometheus_registry(),
            ),
            block_announce_validator_builder: None,
            warp_sync_config: None,
            block_relay: None,
            metrics,
            gap_sync_body_policy: None,
        })?;

    let (orders, commands) = commands(seal, &pool);
    let rpc_builder = {
        let (client, pool) = (client.clone(), pool.clone());
        Box::new(move |_| rpc::methods(client.clone(), pool.clone(), orders.clone()).map_err(Into::into))
    };
    let proposer = sc_basic_authorship::ProposerFactory::new(
        task_manager.spawn_handle(),
        client.clone(),
        pool.clone(),
        config.prometheus_registry(),
        None,
    );
    sc_service::spawn_tasks(SpawnTasksParams {
        config,
        client: client.clone(),
        backend: backend.clone(),
        task_manager: &mut task_manager,
        keystore: keystore.keystore(),
        transaction_pool: pool.clone(),
        rpc_builder,
        network,
        system_rpc_tx,
        tx_handler_controller,
        sync_service,
        telemetry: None,
        tracing_execute_block: None,
    })?;

    let sealing = run_manual_seal(ManualSealParams {
        block_import: client.clone(),
        env: proposer,
        client: client.clone(),
        pool,
        commands_stream: commands,
        select_chain: sc_consensus::LongestChain::<Backend, Block>::new(backend),
        consensus_data_provider: None,
        create_inherent_data_providers: |_, ()| async move { Ok(sp_timestamp::InherentDataProvider::from_system_time()) },
    });
    task_manager.spawn_essential_handle().spawn_blocking("seal", None, sealing);
    Ok(task_manager)
}

type Commands = BoxStream<'static, EngineCommand<BlockHash>>;

/// What makes the node make blocks, and where to send orders if people give them.
fn commands(seal: Seal, pool: &Arc<Pool>) -> (Option<rpc::Orders>, Commands) {
    let block = || EngineCommand::SealNewBlock { create_empty: true, finalize: true, parent_hash: None, sender: None };
    let on_transaction = pool.import_notification_stream().map(move |_| EngineCommand::SealNewBlock {
        create_empty: false,
        finalize: true,
        parent_hash: None,
        sender: None,
    });
    let (orders, ordered) = futures::channel::mpsc::channel(1_000);
    match seal {
        Seal::Manual => (Some(orders), ordered.boxed()),
        Seal::Instant => (Some(orders), futures::stream::select(ordered, on_transaction).boxed()),
        Seal::Every(pause) => {
            let ticks = futures::stream::unfold((), move |()| async move {
                futures_timer::Delay::new(pause).await;
                Some((block(), ()))
            });
            (Some(orders), futures::stream::select(ordered, ticks).boxed())
        }
    }
}
