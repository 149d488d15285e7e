//! What nodes and clients may ask the runtime.

use auto_battle_runtime_parts::api_types::*;

use crate::{
    AutoBattle, Block, Executive, Header, InherentDataExt as _, Runtime, RuntimeGenesisConfig, System,
    TransactionPayment, VERSION, presets,
};

/// The versions of all of them.
pub const VERSIONS: frame::deps::sp_version::ApisVec = RUNTIME_API_VERSIONS;

auto_battle_runtime_parts::impl_apis! {
    impl apis::SessionKeys<Block> for Runtime {
        // A chain without validators has no session keys.
        fn generate_session_keys(_owner: Vec<u8>, _seed: Option<Vec<u8>>) -> apis::OpaqueGeneratedSessionKeys {
            Default::default()
        }

        fn decode_session_keys(_encoded: Vec<u8>) -> Option<Vec<(Vec<u8>, apis::KeyTypeId)>> {
            None
        }
    }

    #[cfg(feature = "runtime-benchmarks")]
    impl frame::deps::frame_benchmarking::Benchmark<Block> for Runtime {
        fn benchmark_metadata(
            extra: bool,
        ) -> (Vec<frame::deps::frame_benchmarking::BenchmarkList>, Vec<frame::traits::StorageInfo>) {
            crate::benchmarks::list(extra)
        }

        fn dispatch_benchmark(
            config: frame::deps::frame_benchmarking::BenchmarkConfig,
        ) -> Result<Vec<frame::deps::frame_benchmarking::BenchmarkBatch>, alloc::string::String> {
            crate::benchmarks::run(config)
        }
    }
}
