//! The parachain: its state in memory, and its wasm as the only code that changes it.

use std::path::Path;

use auto_battle_parachain_runtime::{Block, Header, RuntimeCall, TxExtension, SLOT_MILLISECONDS, VERSION};
use codec::{Decode, Encode};
use cumulus_primitives_core::{ParachainBlockData, PersistedValidationData};
use cumulus_primitives_proof_size_hostfunction::storage_proof_size;
use frame::deps::sp_runtime::generic::{Digest, Era, SignedPayload};
use frame::deps::sp_runtime::traits::{BlakeTwo256, Block as _, Header as _};
use frame::deps::sp_runtime::{ApplyExtrinsicResult, MultiSignature};
use frame::prelude::{frame_system, H256};
use frame::runtime::prelude::Sr25519Keyring;
use polkadot_parachain_primitives::primitives::{BlockData, HeadData, ValidationParams, ValidationResult};
use sc_chain_spec::GenesisConfigBuilderRuntimeCaller;
use sc_executor::{HeapAllocStrategy, WasmExecutor};
use sp_consensus_aura::digests::CompatibleDigestItem;
use sp_consensus_aura::sr25519::AuthoritySignature;
use sp_consensus_aura::Slot;
use sp_core::storage::well_known_keys::CODE;
use sp_core::traits::{CallContext, CodeExecutor as _, Externalities as _, RuntimeCode, WrappedRuntimeCode};
use sp_inherents::{InherentData, InherentDataProvider as _};
use sp_state_machine::{OverlayedChanges, TestExternalities};

use crate::relay::RelayChain;

type Executor = WasmExecutor<(sp_io::SubstrateHostFunctions, storage_proof_size::HostFunctions)>;

/// A transaction.
pub type Transaction = <Block as frame::deps::sp_runtime::traits::Block>::Extrinsic;

/// A parachain, and the relay chain that it follows.
pub struct Chain {
    executor: Executor,
    code: Vec<u8>,
    state: TestExternalities<BlakeTwo256>,
    genesis_hash: H256,
    /// The newest block's header, as the relay chain knows it.
    head: Header,
    pub relay: RelayChain,
    largest_proof: usize,
}

impl Chain {
    /// A chain with a first state of the runtime's own.
    pub fn new(preset: &str) -> Self {
        let code = wasm();
        let presets = GenesisConfigBuilderRuntimeCaller::<storage_proof_size::HostFunctions>::new(&code);
        let mut storage = presets.get_storage_for_named_preset(Some(&preset.to_string())).expect("the preset is there");
        storage.top.insert(CODE.to_vec(), code.clone());
        let state = TestExternalities::new(storage);
        let root = *state.backend.root();
        let head = Header::new(0, Default::default(), root, Default::default(), Default::default());
        let heap = HeapAllocStrategy::Dynamic { maximum_pages: None };
        let executor = Executor::builder().with_onchain_heap_alloc_strategy(heap).build();
        let (genesis_hash, relay, largest_proof) = (head.hash(), RelayChain::new(), 0);
        Self { executor, code, state, genesis_hash, head, relay, largest_proof }
    }

    /// Bytes of the largest proof that a validator was handed.
    pub fn largest_proof(&self) -> usize {
        self.largest_proof
    }

    /// Asks a runtime API.
    pub fn ask<R: Decode>(&mut self, method: &str, args: &impl Encode) -> R {
        let answer = self.call(method, &args.encode()).expect("the runtime answers");
        R::decode(&mut &answer[..]).expect("it answers what was asked")
    }

    fn call(&mut self, method: &str, args: &[u8]) -> Result<Vec<u8>, String> {
        let fetcher = WrappedRuntimeCode(self.code.as_slice().into());
        let context = CallContext::Onchain { import: false };
        let (answer, _) = self.executor.call(&mut self.state.ext(), &code(&fetcher), method, args, context);
        answer.map_err(|error| error.to_string())
    }

    /// Signs a call as a transaction without end, the next of its account.
    pub fn sign(&mut self, keys: Sr25519Keyring, call: RuntimeCall) -> Transaction {
        let nonce: u32 = self.ask("AccountNonceApi_account_nonce", &keys.to_account_id());
        let extension: TxExtension = (
            frame_system::AuthorizeCall::new(),
            frame_system::CheckNonZeroSender::new(),
            frame_system::CheckSpecVersion::new(),
            frame_system::CheckTxVersion::new(),
            frame_system::CheckGenesis::new(),
            frame_system::CheckEra::from(Era::Immortal),
            frame_system::CheckNonce::from(nonce),
            frame_system::CheckWeight::new(),
            pallet_auto_battle::CheckDispute::new(),
            pallet_transaction_payment::ChargeTransactionPayment::from(0),
            frame_system::WeightReclaim::new(),
        );
        let (spec, version, genesis) = (VERSION.spec_version, VERSION.transaction_version, self.genesis_hash);
        let implicit = ((), (), spec, version, genesis, genesis, (), (), (), (), ());
        let payload = SignedPayload::from_raw(call.clone(), extension.clone(), implicit);
        let signature = payload.using_encoded(|it| keys.sign(it));
        Transaction::new_signed(call, keys.to_account_id().into(), MultiSignature::Sr25519(signature), extension)
    }

    /// Is a block accepted that is made now?
    pub fn can_make_block(&mut self) -> bool {
        self.relay.advance();
        self.build(vec![]).is_ok()
    }

    /// Makes a block, executes it as a full node would, has it validated as the relay chain would, and
    /// goes on from there. Says how many of the transactions are in it.
    pub fn make_block(&mut self, transactions: Vec<Transaction>) -> usize {
        self.relay.advance();
        let (block, n_included) = self.build(transactions).expect("the block can be made");
        let proof = self.execute(&block);
        let sealed = self.seal(block);
        self.validate(&sealed, proof);
        self.state.commit_all().expect("nothing is left open");
        assert_eq!(*self.state.backend.root(), *sealed.header().state_root());
        self.head = sealed.header().clone();
        n_included
    }

    /// What a collator does.
    fn build(&mut self, transactions: Vec<Transaction>) -> Result<(Block, usize), String> {
        let slot = Slot::from(self.relay.slot);
        let digest = Digest { logs: vec![<_ as CompatibleDigestItem<AuthoritySignature>>::aura_pre_digest(slot)] };
        let number = self.head.number() + 1;
        let header = Header::new(number, Default::default(), Default::default(), self.head.hash(), digest);
        self.call("Core_initialize_block", &header.encode())?;
        let mut body = Vec::new();
        let inherents = self.call("BlockBuilder_inherent_extrinsics", &self.inherent_data().encode())?;
        for inherent in Vec::<Transaction>::decode(&mut &inherents[..]).expect("these are transactions") {
            let applied = self.apply(&inherent)?;
            assert_eq!(applied, Ok(Ok(())), "an inherent is refused");
            body.push(inherent);
        }
        let n_inherents = body.len();
        for transaction in transactions {
            // What is no longer valid is left out, as collators do.
            if let Ok(done) = self.apply(&transaction)? {
                assert_eq!(done, Ok(()), "a call fails");
                body.push(transaction);
            }
        }
        let header = self.call("BlockBuilder_finalize_block", &[])?;
        let header = Header::decode(&mut &header[..]).expect("this is a header");
        let n_included = body.len() - n_inherents;
        Ok((Block::new(header, body), n_included))
    }

    fn inherent_data(&self) -> InherentData {
        let mut data = InherentData::new();
        let now = sp_timestamp::InherentDataProvider::new((self.relay.slot * SLOT_MILLISECONDS).into());
        let relay = self.relay.inherent_data(&self.head);
        let put = async {
            now.provide_inherent_data(&mut data).await.expect("it can be put");
            relay.provide_inherent_data(&mut data).await.expect("it can be put");
        };
        futures::executor::block_on(put);
        data
    }

    /// Applies a transaction; one that is not valid leaves nothing behind.
    fn apply(&mut self, transaction: &Transaction) -> Result<ApplyExtrinsicResult, String> {
        self.state.ext().storage_start_transaction();
        let answer = self.call("BlockBuilder_apply_extrinsic", &transaction.encode())?;
        let applied = ApplyExtrinsicResult::decode(&mut &answer[..]).expect("this is a result");
        let ended = match applied.is_ok() {
            true => self.state.ext().storage_commit_transaction(),
            false => self.state.ext().storage_rollback_transaction(),
        };
        ended.expect("it was started above");
        Ok(applied)
    }

    /// What a full node does, with a proof of all that the block reads.
    fn execute(&self, block: &Block) -> sp_state_machine::StorageProof {
        let fetcher = WrappedRuntimeCode(self.code.as_slice().into());
        let proven = sp_state_machine::prove_execution_on_trie_backend(
            &self.state.backend,
            &mut OverlayedChanges::default(),
            &self.executor,
            "Core_execute_block",
            &block.encode(),
            &code(&fetcher),
            &mut Default::default(),
        );
        proven.expect("the block can be executed").1
    }

    /// Signs a block as the author of its slot.
    fn seal(&mut self, block: Block) -> Block {
        let (mut header, body) = block.deconstruct();
        let authors: Vec<sp_core::sr25519::Public> = self.ask("AuraApi_authorities", &());
        let author = authors[self.relay.slot as usize % authors.len()];
        let author = Sr25519Keyring::from_public(&author).expect("the author is a well-known account");
        let signature: AuthoritySignature = author.sign(header.hash().as_ref()).into();
        header.digest_mut().push(<_ as CompatibleDigestItem<AuthoritySignature>>::aura_seal(signature));
        Block::new(header, body)
    }

    /// What a validator of the relay chain does: with the parent's header and a proof, and no state.
    fn validate(&mut self, block: &Block, proof: sp_state_machine::StorageProof) {
        let root = *self.head.state_root();
        let proof = proof.into_compact_proof::<BlakeTwo256>(root).expect("the proof is of this state");
        self.largest_proof = self.largest_proof.max(proof.encoded_size());
        let data: PersistedValidationData = self.relay.inherent_data(&self.head).validation_data;
        let block_data = ParachainBlockData::V1 { blocks: vec![block.clone()], proof };
        let params = ValidationParams {
            parent_head: HeadData(self.head.encode()),
            block_data: BlockData(block_data.encode()),
            relay_parent_number: data.relay_parent_number,
            relay_parent_storage_root: data.relay_parent_storage_root,
        };
        let fetcher = WrappedRuntimeCode(self.code.as_slice().into());
        // A validator has no state of the parachain at all.
        let mut nothing = sp_state_machine::BasicExternalities::default();
        let (answer, _) = self.executor.call(
            &mut nothing,
            &code(&fetcher),
            "validate_block",
            &params.encode(),
            CallContext::Offchain,
        );
        let answer = answer.expect("the block is valid");
        let result = ValidationResult::decode(&mut &answer[..]).expect("this is a verdict");
        assert_eq!(result.head_data, HeadData(block.header().encode()));
    }
}

/// The code as the executor takes it.
fn code<'a>(fetcher: &'a WrappedRuntimeCode<'a>) -> RuntimeCode<'a> {
    RuntimeCode { code_fetcher: fetcher, heap_pages: None, hash: vec![1] }
}

/// The wasm that `cargo xtask soak` has built.
fn wasm() -> Vec<u8> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is a folder of the target directory");
    let path = target.join("wasm/wasm32v1-none/wasm/auto_battle_parachain_runtime.wasm");
    std::fs::read(&path).unwrap_or_else(|_| panic!("{} is missing: cargo xtask chain-spec", path.display()))
}
