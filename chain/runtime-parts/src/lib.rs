//! What the runtimes of the auto-battler share: types, prices, opponents, first purses and the
//! runtime APIs.
//!
//! A runtime cannot depend on another one, since both would export the same functions to their node.
//! What differs, pallets and consensus, is in `chain/runtime` and `chain/parachain-runtime`.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod apis;
mod decisions;
mod shared_pallets;

pub use apis::api_types;
pub use decisions::*;

use alloc::vec::Vec;

use frame::deps::frame_support::weights::constants::WEIGHT_REF_TIME_PER_SECOND;
use frame::prelude::{Weight, frame_system};
use frame::runtime::prelude::{Perbill, Sr25519Keyring};
use frame::runtime::types_common::{AccountId as CommonAccountId, BlockNumber as CommonBlockNumber};

/// An account.
pub type AccountId = CommonAccountId;

/// An amount of money.
pub type Balance = u128;

/// The number of a block.
pub type BlockNumber = CommonBlockNumber;

/// How many transactions an account has sent.
pub type Nonce = u32;

/// What every transaction carries beside its call.
pub type TxExtension<T> = (
    frame_system::AuthorizeCall<T>,
    frame_system::CheckNonZeroSender<T>,
    frame_system::CheckSpecVersion<T>,
    frame_system::CheckTxVersion<T>,
    frame_system::CheckGenesis<T>,
    frame_system::CheckEra<T>,
    frame_system::CheckNonce<T>,
    frame_system::CheckWeight<T>,
    pallet_auto_battle::CheckDispute<T>,
    pallet_transaction_payment::ChargeTransactionPayment<T>,
    frame_system::WeightReclaim<T>,
);

/// Three quarters of a block are for transactions of players.
pub const NORMAL_SHARE: Perbill = Perbill::from_percent(75);

/// Two seconds of computing in a block.
pub const BLOCK_WEIGHT: Weight = Weight::from_parts(WEIGHT_REF_TIME_PER_SECOND.saturating_mul(2), u64::MAX);

/// What the well-known accounts of a development chain have.
const PURSE: Balance = 1_000_000 * UNIT;

/// The purses of a development chain: the well-known accounts and the treasury.
pub fn development_purses() -> Vec<(AccountId, Balance)> {
    let accounts = Sr25519Keyring::iter().map(|it| it.to_account_id()).chain([TreasuryAccount::get()]);
    accounts.map(|it| (it, PURSE)).collect()
}
