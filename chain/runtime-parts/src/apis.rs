//! The runtime APIs that every runtime of the auto-battler has.

/// The types that the shared runtime APIs name.
pub mod api_types {
    pub use alloc::vec::Vec;

    pub use auto_battle::{CardHash, Pool, Rejection, RunStep, SavedBattle};
    pub use frame::prelude::*;
    pub use frame::runtime::apis;
    pub use frame::runtime::prelude::*;
    pub use pallet_auto_battle::{
        BattleProof, BattleProofs, BattleView, CardText, GameSession, GameState, GhostBoard, GhostBoardKey, RunId,
        SetMeta, Verdict,
    };
    pub use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};

    pub use crate::{AccountId, Balance, BlockNumber, Nonce};
}

/// Implements the shared runtime APIs, and those that the runtime adds, for its `Runtime`.
///
/// [`api_types`] and the names of what it implements them with must be in scope: `Runtime`, `Block`, `Header`,
/// `Executive`, `System`, `TransactionPayment`, `AutoBattle`, `RuntimeGenesisConfig`,
/// `InherentDataExt`, `VERSION` and `presets`.
#[macro_export]
macro_rules! impl_apis {
    ($($more:tt)*) => {
        impl_runtime_apis! {
            impl apis::Core<Block> for Runtime {
                fn version() -> RuntimeVersion {
                    VERSION
                }

                fn execute_block(block: <Block as frame::traits::Block>::LazyBlock) {
                    Executive::execute_block(block)
                }

                fn initialize_block(header: &Header) -> ExtrinsicInclusionMode {
                    Executive::initialize_block(header)
                }
            }

            impl apis::Metadata<Block> for Runtime {
                fn metadata() -> OpaqueMetadata {
                    OpaqueMetadata::new(Runtime::metadata().into())
                }

                fn metadata_at_version(version: u32) -> Option<OpaqueMetadata> {
                    Runtime::metadata_at_version(version)
                }

                fn metadata_versions() -> Vec<u32> {
                    Runtime::metadata_versions()
                }
            }

            impl apis::BlockBuilder<Block> for Runtime {
                fn apply_extrinsic(extrinsic: ExtrinsicFor<Runtime>) -> ApplyExtrinsicResult {
                    Executive::apply_extrinsic(extrinsic)
                }

                fn finalize_block() -> HeaderFor<Runtime> {
                    Executive::finalize_block()
                }

                fn inherent_extrinsics(data: InherentData) -> Vec<ExtrinsicFor<Runtime>> {
                    data.create_extrinsics()
                }

                fn check_inherents(
                    block: <Block as frame::traits::Block>::LazyBlock,
                    data: InherentData,
                ) -> CheckInherentsResult {
                    data.check_extrinsics(&block)
                }
            }

            impl apis::TaggedTransactionQueue<Block> for Runtime {
                fn validate_transaction(
                    source: TransactionSource,
                    tx: ExtrinsicFor<Runtime>,
                    block_hash: <Runtime as frame_system::Config>::Hash,
                ) -> TransactionValidity {
                    Executive::validate_transaction(source, tx, block_hash)
                }
            }

            impl apis::OffchainWorkerApi<Block> for Runtime {
                fn offchain_worker(header: &HeaderFor<Runtime>) {
                    Executive::offchain_worker(header)
                }
            }

            impl apis::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
                fn account_nonce(account: AccountId) -> Nonce {
                    System::account_nonce(account)
                }
            }

            impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
                fn query_info(uxt: ExtrinsicFor<Runtime>, len: u32) -> RuntimeDispatchInfo<Balance> {
                    TransactionPayment::query_info(uxt, len)
                }

                fn query_fee_details(uxt: ExtrinsicFor<Runtime>, len: u32) -> FeeDetails<Balance> {
                    TransactionPayment::query_fee_details(uxt, len)
                }

                fn query_weight_to_fee(weight: Weight) -> Balance {
                    TransactionPayment::weight_to_fee(weight)
                }

                fn query_length_to_fee(length: u32) -> Balance {
                    TransactionPayment::length_to_fee(length)
                }
            }

            impl apis::GenesisBuilder<Block> for Runtime {
                fn build_state(config: Vec<u8>) -> GenesisBuilderResult {
                    build_state::<RuntimeGenesisConfig>(config)
                }

                fn get_preset(id: &Option<PresetId>) -> Option<Vec<u8>> {
                    get_preset::<RuntimeGenesisConfig>(id, presets::get_preset)
                }

                fn preset_names() -> Vec<PresetId> {
                    presets::preset_names()
                }
            }

            #[cfg(feature = "try-runtime")]
            impl frame::deps::frame_try_runtime::TryRuntime<Block> for Runtime {
                fn on_runtime_upgrade(checks: frame::deps::frame_try_runtime::UpgradeCheckSelect) -> (Weight, Weight) {
                    // A check that fails must be seen, so this panics with what failed.
                    #[allow(clippy::expect_used)]
                    let weight = Executive::try_runtime_upgrade(checks).expect("the upgrade passes its checks");
                    let limits: frame_system::limits::BlockWeights =
                        <<Runtime as frame_system::Config>::BlockWeights as frame::traits::Get<_>>::get();
                    (weight, limits.max_block)
                }

                fn execute_block(
                    block: <Block as frame::traits::Block>::LazyBlock,
                    state_root_check: bool,
                    signature_check: bool,
                    select: frame::deps::frame_try_runtime::TryStateSelect,
                ) -> Weight {
                    #[allow(clippy::expect_used)]
                    Executive::try_execute_block(block, state_root_check, signature_check, select).expect("the block executes")
                }
            }

            impl pallet_auto_battle::api::AutoBattleApi<Block, AccountId, Balance, BlockNumber> for Runtime {
                fn session(who: AccountId) -> Option<GameSession<Balance, BlockNumber>> {
                    AutoBattle::view_session(&who)
                }

                fn pool(set_hash: H256) -> Option<Pool> {
                    AutoBattle::view_pool(set_hash)
                }

                fn pending_battle(who: AccountId) -> Option<BattleView<AccountId>> {
                    AutoBattle::view_battle(&who)
                }

                fn proof(who: AccountId, run: RunId, round: u32) -> Option<BattleProof<AccountId, BlockNumber>> {
                    BattleProofs::<Runtime>::get((who, run, round))
                }

                fn ghosts(key: GhostBoardKey) -> Vec<GhostBoard<AccountId, BlockNumber>> {
                    AutoBattle::view_ghosts(key)
                }

                fn verdict(pool: Pool, battle: SavedBattle) -> Option<Verdict> {
                    pallet_auto_battle::verdict(&pool, &battle)
                }

                fn try_step(pool: Pool, mut state: GameState, step: RunStep) -> Result<GameState, Rejection> {
                    state.step(&pool, step).map(|()| state)
                }

                fn prize_pool(set_hash: H256) -> Balance {
                    AutoBattle::prize_pool(set_hash)
                }

                fn prize_offer(set_hash: H256) -> Balance {
                    AutoBattle::view_prize_offer(set_hash)
                }

                fn card_text(set_hash: H256, card_hash: CardHash) -> Option<CardText> {
                    AutoBattle::view_card_text(set_hash, card_hash)
                }

                fn set_text(set_hash: H256) -> Option<SetMeta> {
                    AutoBattle::view_set_text(set_hash)
                }

                fn players() -> Vec<AccountId> {
                    pallet_auto_battle::ActiveGame::<Runtime>::iter_keys().collect()
                }

                fn money(who: AccountId) -> (Balance, Balance) {
                    AutoBattle::view_money(&who)
                }

                fn is_expired(who: AccountId) -> bool {
                    AutoBattle::view_session(&who).is_some_and(|it| AutoBattle::is_expired(&it))
                }

                fn is_report_late(who: AccountId) -> bool {
                    AutoBattle::view_session(&who).is_some_and(|it| AutoBattle::is_report_late(&it))
                }
            }

            $($more)*
        }
    };
}
