//! The runtime in a wasm machine, with a database in memory that counts what is read and written.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use codec::{Decode, Encode};
use frame::traits::StorageInfo;
use frame_benchmarking::{BenchmarkBatch, BenchmarkConfig, BenchmarkList, BenchmarkMetadata, BenchmarkResult};
use sc_client_db::BenchmarkingState;
use sc_executor::{HeapAllocStrategy, WasmExecutor};
use sp_core::traits::{CallContext, RuntimeCode, WrappedRuntimeCode};
use sp_externalities::Extensions;
use sp_runtime::traits::BlakeTwo256;
use sp_state_machine::{OverlayedChanges, StateMachine};

use crate::line::Line;
use crate::populate;
use crate::proof::ProofBound;

type Executor = WasmExecutor<(sp_io::SubstrateHostFunctions, frame_benchmarking::benchmarking::HostFunctions)>;
/// A database that counts.
pub type State = BenchmarkingState<BlakeTwo256>;

/// What a runtime says of its benchmarks and of its storage.
type Listing = (Vec<BenchmarkList>, Vec<StorageInfo>);

/// A runtime that can be measured.
pub struct Machine {
    executor: Executor,
    code: Vec<u8>,
}

/// What one call weighs.
#[derive(Clone, Debug)]
pub struct Measured {
    pub name: String,
    /// The name of its component and its bounds, if it has one.
    pub component: Option<(String, u32, u32)>,
    /// Picoseconds.
    pub time: Line,
    pub counts: Counts,
}

/// What one call asks of the database; the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub reads: Line,
    pub writes: Line,
    /// Bytes of the largest proof, with every value as large as it can be in a trie of a million entries.
    pub proof_size: u64,
}

impl Machine {
    /// Loads a runtime.
    pub fn load(path: &Path) -> Result<Self> {
        let code = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let heap = HeapAllocStrategy::Dynamic { maximum_pages: None };
        let executor = Executor::builder().with_onchain_heap_alloc_strategy(heap).build();
        Ok(Self { executor, code })
    }

    /// The benchmarks of a pallet.
    pub fn benchmarks(&self, pallet: &str) -> Result<Vec<BenchmarkMetadata>> {
        let (lists, _) = self.listing()?;
        let of_pallet = lists.into_iter().filter(|it| it.pallet == pallet.as_bytes());
        let benchmarks: Vec<_> = of_pallet.flat_map(|it| it.benchmarks).collect();
        ensure!(!benchmarks.is_empty(), "the runtime has no benchmarks of {pallet}");
        Ok(benchmarks)
    }

    /// Measures a benchmark at some points of its component.
    pub fn measure(&self, pallet: &str, it: &BenchmarkMetadata, points: u32, repeat: u32) -> Result<Measured> {
        let mut times = Vec::new();
        for value in values(it, points)? {
            let timed = self.run(pallet, it, value, repeat, false)?;
            times.push((value.unwrap_or(0), least(&timed)));
        }
        let component = it.components.first().map(|&(name, low, high)| (name.to_string(), low, high));
        let counts = self.count(pallet, it, points)?;
        Ok(Measured { name: name_of(it), component, time: Line::above(&times), counts })
    }

    /// Counts what a benchmark reads and writes at some points of its component, and lets it check
    /// what came of it.
    pub fn count(&self, pallet: &str, it: &BenchmarkMetadata, points: u32) -> Result<Counts> {
        let bound = ProofBound::new(self.listing()?.1);
        let (mut reads, mut writes, mut proof_size) = (Vec::new(), Vec::new(), 0);
        for value in values(it, points)? {
            let x = value.unwrap_or(0);
            let counted = self.run(pallet, it, value, 1, true)?;
            let counted = counted.first().with_context(|| format!("{} gives no result", name_of(it)))?;
            reads.push((x, counted.reads.into()));
            writes.push((x, counted.writes.into()));
            proof_size = proof_size.max(bound.of(&counted.keys));
        }
        Ok(Counts { reads: Line::above(&reads), writes: Line::above(&writes), proof_size })
    }

    /// The bytes of the proof of a benchmark as they really are, in a trie that is full of other entries.
    pub fn prove(&self, state: &State, pallet: &str, it: &BenchmarkMetadata, points: u32) -> Result<Vec<(u32, u64)>> {
        let mut proofs = Vec::new();
        for value in values(it, points)? {
            let counted = self.run_in(state, pallet, it, value, 1, true)?;
            let counted = counted.first().with_context(|| format!("{} gives no result", name_of(it)))?;
            proofs.push((value.unwrap_or(0), counted.proof_size.into()));
        }
        Ok(proofs)
    }

    fn listing(&self) -> Result<Listing> {
        self.call(&self.state(false)?, "Benchmark_benchmark_metadata", &false.encode())
    }

    fn run(
        &self,
        pallet: &str,
        it: &BenchmarkMetadata,
        value: Option<u32>,
        repeat: u32,
        counts: bool,
    ) -> Result<Vec<BenchmarkResult>> {
        self.run_in(&self.state(counts)?, pallet, it, value, repeat, counts)
    }

    /// Runs a benchmark in a state, which is afterwards as it was before.
    fn run_in(
        &self,
        state: &State,
        pallet: &str,
        it: &BenchmarkMetadata,
        value: Option<u32>,
        repeat: u32,
        counts: bool,
    ) -> Result<Vec<BenchmarkResult>> {
        let selected = it.components.iter().zip(value).map(|((name, ..), value)| (*name, value));
        let config = BenchmarkConfig {
            pallet: pallet.into(),
            instance: Vec::new(),
            benchmark: it.name.clone(),
            selected_components: selected.collect(),
            verify: counts,
            internal_repeats: repeat,
        };
        let config = self.with_instance(config)?;
        let answer: std::result::Result<Vec<BenchmarkBatch>, String> =
            self.call(state, "Benchmark_dispatch_benchmark", &config.encode())?;
        let batches = answer.map_err(|it| anyhow!("the benchmark failed: {it}"))?;
        Ok(batches.into_iter().flat_map(|it| it.results).collect())
    }

    /// A runtime knows a pallet by the name it has there.
    fn with_instance(&self, mut config: BenchmarkConfig) -> Result<BenchmarkConfig> {
        let (lists, _) = self.listing()?;
        let list = lists.into_iter().find(|it| it.pallet == config.pallet);
        config.instance = list.context("the pallet is gone")?.instance;
        Ok(config)
    }

    /// A state with so many entries that have nothing to do with the benchmarks.
    pub fn full_state(&self, n_entries: u32) -> Result<State> {
        let mut storage = self.storage();
        populate::fill(&mut storage, &self.listing()?.1, n_entries);
        State::new(storage, None, true, true).map_err(|it| anyhow!("no state: {it}"))
    }

    fn storage(&self) -> sp_storage::Storage {
        let mut storage = sp_storage::Storage::default();
        storage.top.insert(sp_storage::well_known_keys::CODE.to_vec(), self.code.clone());
        storage
    }

    fn state(&self, counts: bool) -> Result<State> {
        let storage = self.storage();
        State::new(storage, None, counts, counts).map_err(|it| anyhow!("no state: {it}"))
    }

    fn call<R: Decode>(&self, state: &State, method: &str, args: &[u8]) -> Result<R> {
        let fetcher = WrappedRuntimeCode(self.code.as_slice().into());
        let code = RuntimeCode { code_fetcher: &fetcher, heap_pages: None, hash: vec![1] };
        let mut changes = OverlayedChanges::<BlakeTwo256>::default();
        let mut extensions = Extensions::default();
        let context = CallContext::Offchain;
        let mut machine =
            StateMachine::new(state, &mut changes, &self.executor, method, args, &mut extensions, &code, context);
        let answer = machine.execute().map_err(|it| anyhow!("{method}: {it}"))?;
        R::decode(&mut &answer[..]).with_context(|| format!("{method} answers something else"))
    }
}

/// The name of a benchmark, which is that of its weight.
pub fn name_of(it: &BenchmarkMetadata) -> String {
    String::from_utf8_lossy(&it.name).into_owned()
}

/// Where a benchmark is measured: at some values of its component, or once if it has none.
fn values(it: &BenchmarkMetadata, points: u32) -> Result<Vec<Option<u32>>> {
    ensure!(it.components.len() <= 1, "{} has more than one component", name_of(it));
    Ok(match it.components.first() {
        None => vec![None],
        Some(&(_, low, high)) => spread(low, high, points).into_iter().map(Some).collect(),
    })
}

/// Points from the lowest to the highest value.
fn spread(low: u32, high: u32, points: u32) -> Vec<u32> {
    let steps = points.saturating_sub(1).max(1);
    let mut values: Vec<u32> = (0..=steps).map(|it| low + (high - low) * it / steps).collect();
    values.dedup();
    values
}

/// The least time in picoseconds: whatever else the machine does can only add to it.
fn least(results: &[BenchmarkResult]) -> u64 {
    let nanoseconds = results.iter().map(|it| it.extrinsic_time).min().unwrap_or(0);
    u64::try_from(nanoseconds.saturating_mul(1_000)).unwrap_or(u64::MAX)
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = |ps: u64| ps as f64 / 1e6;
        write!(f, "{:22} {:10.1} us", self.name, micros(self.time.base))?;
        if let Some((name, low, high)) = &self.component {
            write!(f, " + {:.1} us * {name} ({low} to {high})", micros(self.time.slope))?;
        }
        write!(f, ", {} reads, {} writes", self.counts.reads.at(0), self.counts.writes.at(0))
    }
}
