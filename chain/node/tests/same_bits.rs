//! The runtime's wasm fights and plays as native code does, to the bit.

use std::path::Path;

use sc_executor::{HeapAllocStrategy, WasmExecutor};
use sp_core::traits::{CallContext, CodeExecutor as _, RuntimeCode, WrappedRuntimeCode};
use sp_state_machine::BasicExternalities;

type Executor = WasmExecutor<sp_io::SubstrateHostFunctions>;

/// The runtime as a wasm machine without a node around it.
struct Machine {
    executor: Executor,
    code: Vec<u8>,
}

impl Machine {
    fn new() -> Self {
        let target = Path::new(env!("CARGO_BIN_EXE_auto-battle-node")).ancestors().nth(2);
        let target = target.expect("programs are two folders below the target directory");
        let path = target.join("wasm/wasm32v1-none/wasm/auto_battle_runtime.wasm");
        let code = std::fs::read(&path);
        let code = code.unwrap_or_else(|_| panic!("{} is missing: cargo xtask chain-runtime", path.display()));
        let heap = HeapAllocStrategy::Dynamic { maximum_pages: None };
        let executor = Executor::builder().with_onchain_heap_alloc_strategy(heap).build();
        Self { executor, code }
    }

    fn call(&self, method: &str, args: &[u8]) -> Vec<u8> {
        let fetcher = WrappedRuntimeCode(self.code.as_slice().into());
        let code = RuntimeCode { code_fetcher: &fetcher, heap_pages: None, hash: vec![1] };
        let mut state = BasicExternalities::default();
        let (answer, _) = self.executor.call(&mut state, &code, method, args, CallContext::Offchain);
        answer.expect("the runtime answers")
    }
}

#[test]
fn golden_battles_come_out_equal_in_the_runtimes_wasm() {
    let machine = Machine::new();
    let n_battles = auto_battle_golden::check_battles(&mut |method, args| machine.call(method, args));
    assert_eq!(n_battles, 250);
}

#[test]
fn golden_runs_come_out_equal_in_the_runtimes_wasm() {
    let machine = Machine::new();
    let n_runs = auto_battle_golden::check_runs(&mut |method, args| machine.call(method, args));
    assert_eq!(n_runs, 15);
}
