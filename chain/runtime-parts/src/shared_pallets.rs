//! The pallets that every runtime of the auto-battler has in the same form.

/// Configures balances, transaction payment, sudo and utility for the `Runtime` in scope, whose money is
/// a `Balance` and whose fees are those of `IdentityFee`.
#[macro_export]
macro_rules! configure_shared_pallets {
    () => {
        #[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
        impl pallet_balances::Config for Runtime {
            type AccountStore = System;
            type Balance = Balance;
            type ExistentialDeposit = $crate::ExistentialDeposit;
            type RuntimeHoldReason = RuntimeHoldReason;
            type RuntimeFreezeReason = RuntimeFreezeReason;
            type FreezeIdentifier = RuntimeFreezeReason;
            type MaxFreezes = frame::traits::VariantCountOf<RuntimeFreezeReason>;
            type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
        }

        #[derive_impl(pallet_transaction_payment::config_preludes::TestDefaultConfig)]
        impl pallet_transaction_payment::Config for Runtime {
            type OnChargeTransaction = pallet_transaction_payment::FungibleAdapter<Balances, ()>;
            type WeightToFee = IdentityFee<Balance>;
            type LengthToFee = IdentityFee<Balance>;
            type FeeMultiplierUpdate = pallet_transaction_payment::ConstFeeMultiplier<$crate::FeeMultiplier>;
        }

        #[derive_impl(pallet_sudo::config_preludes::TestDefaultConfig)]
        impl pallet_sudo::Config for Runtime {}

        impl pallet_utility::Config for Runtime {
            type RuntimeEvent = RuntimeEvent;
            type RuntimeCall = RuntimeCall;
            type PalletsOrigin = OriginCaller;
            type WeightInfo = pallet_utility::weights::SubstrateWeight<Runtime>;
        }
    };
}
