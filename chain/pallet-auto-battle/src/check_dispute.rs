//! Disputes that come too late never get into a block.
//!
//! Of several accounts that dispute one lie only the first can be paid. The transactions of the others
//! are refused before they are in a block, so losing the race costs nothing. A dispute inside of
//! another call, such as a batch, is not looked at here and pays for its look-up.

use codec::{Decode, DecodeWithMemTracking, Encode};
use frame::deps::sp_runtime::impl_tx_ext_default;
use frame::deps::sp_runtime::traits::{
    AsSystemOriginSigner, DispatchInfoOf, Implication, TransactionExtension, ValidateResult,
};
use frame::deps::sp_runtime::transaction_validity::{
    InvalidTransaction, TransactionSource, TransactionValidityError, ValidTransaction,
};
use frame::prelude::{Get as _, Weight, frame_system};
use frame::traits::IsSubType;
use scale_info::TypeInfo;

use crate::{Call, Config, Pallet};

/// The call of a chain.
type CallOf<T> = <T as frame_system::Config>::RuntimeCall;

/// Refuses a transaction that disputes a report which is not there any more, or is judged already, or
/// whose sender could not pay for a false dispute.
#[derive(Clone, Encode, Decode, DecodeWithMemTracking, PartialEq, Eq, TypeInfo)]
#[scale_info(skip_type_params(T))]
pub struct CheckDispute<T>(core::marker::PhantomData<T>);

impl<T> CheckDispute<T> {
    /// Makes one; it carries nothing.
    pub fn new() -> Self {
        Self(core::marker::PhantomData)
    }
}

impl<T> Default for CheckDispute<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> core::fmt::Debug for CheckDispute<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CheckDispute")
    }
}

impl<T: Config + Send + Sync> TransactionExtension<CallOf<T>> for CheckDispute<T>
where
    CallOf<T>: IsSubType<Call<T>>,
    T::RuntimeOrigin: AsSystemOriginSigner<T::AccountId> + Clone,
{
    const IDENTIFIER: &'static str = "CheckDispute";
    type Implicit = ();
    type Val = ();
    type Pre = ();

    fn weight(&self, call: &CallOf<T>) -> Weight {
        match call.is_sub_type() {
            // The call reads the same keys again, so the proof has them already.
            Some(Call::dispute_battle { .. }) => <T as frame_system::Config>::DbWeight::get().reads(3),
            _ => Weight::zero(),
        }
    }

    fn validate(
        &self,
        origin: T::RuntimeOrigin,
        call: &CallOf<T>,
        _info: &DispatchInfoOf<CallOf<T>>,
        _len: usize,
        (): Self::Implicit,
        _inherited_implication: &impl Implication,
        _source: TransactionSource,
    ) -> ValidateResult<Self::Val, CallOf<T>> {
        if let Some(Call::dispute_battle { target_player, run, round }) = call.is_sub_type() {
            let challenger = origin.as_system_origin_signer().ok_or(InvalidTransaction::BadSigner)?;
            let found = Pallet::<T>::find_disputed(challenger, target_player, *run, *round);
            found.map_err(|_| TransactionValidityError::from(InvalidTransaction::Stale))?;
        }
        Ok((ValidTransaction::default(), (), origin))
    }

    impl_tx_ext_default!(CallOf<T>; prepare);
}
