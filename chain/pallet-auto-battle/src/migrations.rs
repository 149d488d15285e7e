//! From the first layout of the storage to the second.
//!
//! The first layout had one prize pool for all sets, another form of runs, ghosts in slots, and
//! seeds from block hashes. The upgrade gives the shared pool to one set, translates every run, and
//! lets ghosts start afresh. A battle or a deck that was committed is committed anew, since what
//! would have decided it is not kept any more. What runs of other sets have paid goes to the pools of
//! their sets.
//!
//! [`UpgradeAtOnce`] does it in one block, for chains with few runs. [`UpgradeInSteps`] does it in as
//! many blocks as it takes, since nothing bounds how many runs and ghosts there are.

#[cfg(feature = "try-runtime")]
use alloc::vec::Vec;
use core::marker::PhantomData;

use auto_battle::Bounded;
use codec::{Decode, Encode, MaxEncodedLen};
use frame::deps::frame_support::migrations::{SteppedMigration, SteppedMigrationError, VersionedMigration};
use frame::deps::frame_support::traits::{Get, GetStorageVersion as _, StorageVersion, UncheckedOnRuntimeUpgrade};
use frame::deps::frame_support::weights::WeightMeter;
use frame::deps::sp_io::MultiRemovalResults;
use frame::prelude::{
    AccountIdConversion as _, BlockNumberFor, BoundedVec, ConstU32, H256, Saturating, Weight, frame_system,
};
#[cfg(any(test, feature = "try-runtime"))]
use frame::prelude::{DispatchError, ensure};
use frame::token::Preservation;
use frame::token::fungible::{Inspect as _, Mutate as _};

#[cfg(any(test, feature = "try-runtime"))]
use crate::Sets;
use crate::types::{
    AccountIdOf, BalanceOf, Commit, Ending, GameSession, GameSessionOf, GameState, ReportedResults, RunId, Stage,
};
use crate::{ActiveGame, BattleProofs, Config, GhostBoards, GhostOwners, GhostRings, Pallet, PoolFees};

/// Upgrades in one block. `Heir` is the set that gets the shared pool.
pub type UpgradeAtOnce<T, Heir> =
    VersionedMigration<1, 2, AtOnce<T, Heir>, Pallet<T>, <T as frame_system::Config>::DbWeight>;

/// [`UpgradeAtOnce`] without the look at the version.
pub struct AtOnce<T, Heir>(PhantomData<(T, Heir)>);

impl<T: Config, Heir: Get<H256>> UncheckedOnRuntimeUpgrade for AtOnce<T, Heir> {
    fn on_runtime_upgrade() -> Weight {
        let mut meter = WeightMeter::new();
        let mut cursor = Some(Cursor::Pool);
        while let Some(at) = cursor {
            cursor = advance::<T, Heir>(at, &mut meter);
        }
        meter.consumed()
    }

    #[cfg(feature = "try-runtime")]
    fn pre_upgrade() -> Result<Vec<u8>, frame::try_runtime::TryRuntimeError> {
        Ok(Expectation::<T>::before().encode())
    }

    #[cfg(feature = "try-runtime")]
    fn post_upgrade(state: Vec<u8>) -> Result<(), frame::try_runtime::TryRuntimeError> {
        let expected = Expectation::<T>::decode(&mut &state[..]).map_err(|_| "what was expected is lost")?;
        expected.check()
    }
}

/// Upgrades in as many blocks as it takes. `Heir` is the set that gets the shared pool.
pub struct UpgradeInSteps<T, Heir>(PhantomData<(T, Heir)>);

impl<T: Config, Heir: Get<H256>> SteppedMigration for UpgradeInSteps<T, Heir> {
    type Cursor = Cursor<AccountIdOf<T>>;
    type Identifier = [u8; 32];

    fn id() -> [u8; 32] {
        *b"auto-battle: storage 1 to 2     "
    }

    fn step(
        cursor: Option<Self::Cursor>,
        meter: &mut WeightMeter,
    ) -> Result<Option<Self::Cursor>, SteppedMigrationError> {
        if Pallet::<T>::on_chain_storage_version() != 1 {
            return Ok(None);
        }
        let required = weight_of_step::<T>();
        if !meter.can_consume(required) {
            return Err(SteppedMigrationError::InsufficientWeight { required });
        }
        let mut cursor = Some(cursor.unwrap_or(Cursor::Pool));
        while meter.can_consume(required) {
            let Some(at) = cursor else { break };
            cursor = advance::<T, Heir>(at, meter);
        }
        if cursor.is_none() {
            StorageVersion::new(2).put::<Pallet<T>>();
        }
        Ok(cursor)
    }

    #[cfg(feature = "try-runtime")]
    fn pre_upgrade() -> Result<Vec<u8>, frame::try_runtime::TryRuntimeError> {
        AtOnce::<T, Heir>::pre_upgrade()
    }

    #[cfg(feature = "try-runtime")]
    fn post_upgrade(state: Vec<u8>) -> Result<(), frame::try_runtime::TryRuntimeError> {
        AtOnce::<T, Heir>::post_upgrade(state)
    }
}

/// How far the upgrade has come.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen)]
pub enum Cursor<AccountId> {
    /// The shared pool is to be given away.
    Pool,
    /// Runs are to be translated, those after this account's.
    Runs(Option<AccountId>),
    /// Ghosts are to be removed: from which of their three maps, and from which key on.
    Ghosts(GhostMap, BoundedVec<u8, ConstU32<256>>),
}

/// A map of the old ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen)]
pub enum GhostMap {
    /// The boards.
    Boards,
    /// The rings.
    Rings,
    /// The owners.
    Owners,
}

/// How many entries of a map one step removes.
const REMOVALS_PER_STEP: u32 = 32;

/// The most bytes of proof of an entry: its value, and its path among a million others.
const ENTRY_BYTES: u64 = 6_000;

/// Does one step, and says where the next begins.
fn advance<T: Config, Heir: Get<H256>>(
    cursor: Cursor<AccountIdOf<T>>,
    meter: &mut WeightMeter,
) -> Option<Cursor<AccountIdOf<T>>> {
    meter.consume(weight_of_step::<T>());
    let no_key = BoundedVec::new;
    match cursor {
        Cursor::Pool => {
            give_pool_away::<T, Heir>();
            Some(Cursor::Runs(None))
        }
        Cursor::Runs(last) => {
            let mut keys = match last {
                Some(last) => ActiveGame::<T>::iter_keys_from(ActiveGame::<T>::hashed_key_for(last)),
                None => ActiveGame::<T>::iter_keys(),
            };
            let Some(who) = keys.next() else { return Some(Cursor::Ghosts(GhostMap::Boards, no_key())) };
            translate_run::<T, Heir>(&who);
            Some(Cursor::Runs(Some(who)))
        }
        Cursor::Ghosts(map, key) => {
            let key = (!key.is_empty()).then_some(&key[..]);
            let removed = match map {
                GhostMap::Boards => GhostBoards::<T>::clear(REMOVALS_PER_STEP, key),
                GhostMap::Rings => GhostRings::<T>::clear(REMOVALS_PER_STEP, key),
                GhostMap::Owners => GhostOwners::<T>::clear(REMOVALS_PER_STEP, key),
            };
            next_removal(map, removed)
        }
    }
}

fn next_removal<AccountId>(map: GhostMap, removed: MultiRemovalResults) -> Option<Cursor<AccountId>> {
    if let Some(key) = removed.maybe_cursor {
        return Some(Cursor::Ghosts(map, BoundedVec::truncate_from(key)));
    }
    match map {
        GhostMap::Boards => Some(Cursor::Ghosts(GhostMap::Rings, BoundedVec::new())),
        GhostMap::Rings => Some(Cursor::Ghosts(GhostMap::Owners, BoundedVec::new())),
        GhostMap::Owners => None,
    }
}

/// What a step weighs at most: a run with all its reports, or so many entries.
fn weight_of_step<T: Config>() -> Weight {
    let (runs, removals) = (u64::from(T::MaxRounds::get()), u64::from(REMOVALS_PER_STEP));
    let most = runs.max(removals).saturating_add(8);
    T::DbWeight::get().reads_writes(most, most).saturating_add(Weight::from_parts(0, ENTRY_BYTES.saturating_mul(most)))
}

/// The account that held the prize pool of all sets.
fn shared_pool<T: Config>() -> AccountIdOf<T> {
    T::PalletId::get().into_account_truncating()
}

/// Moves the shared pool to that of one set, as if its runs had paid it.
fn give_pool_away<T: Config, Heir: Get<H256>>() {
    let (from, amount) = (shared_pool::<T>(), T::Currency::total_balance(&shared_pool::<T>()));
    let to = Pallet::<T>::pool_account(Heir::get());
    if T::Currency::transfer(&from, &to, amount, Preservation::Expendable).is_ok() {
        PoolFees::<T>::mutate(Heir::get(), |it| *it = it.saturating_add(amount));
    }
}

/// Gives the pool of another set what a run of that set has paid, since with that set alone it can be
/// won back.
fn give_fee_back<T: Config, Heir: Get<H256>>(set_hash: H256, fee: BalanceOf<T>) {
    let (heir, has) = (Heir::get(), Pallet::<T>::prize_pool(Heir::get()));
    if set_hash == heir {
        return;
    }
    // What could not stay in an account alone would be burned; it goes along instead.
    let amount = if has.saturating_sub(fee) < T::Currency::minimum_balance() { has } else { fee };
    let (from, to) = (Pallet::<T>::pool_account(heir), Pallet::<T>::pool_account(set_hash));
    if T::Currency::transfer(&from, &to, amount, Preservation::Expendable).is_ok() {
        PoolFees::<T>::mutate(heir, |it| *it = it.saturating_sub(amount));
        PoolFees::<T>::mutate(set_hash, |it| *it = it.saturating_add(amount));
    }
}

/// Brings one run into its new form.
fn translate_run<T: Config, Heir: Get<H256>>(who: &AccountIdOf<T>) {
    let key = ActiveGame::<T>::hashed_key_for(who);
    let old = frame::deps::frame_support::storage::unhashed::get::<OldSession<BalanceOf<T>, BlockNumberFor<T>>>(&key);
    if let Some(old) = old {
        give_fee_back::<T, Heir>(old.set_hash, old.entry_fee);
        ActiveGame::<T>::insert(who, old.translate::<T>(who));
    }
}

/// A run as the first layout had it.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct OldSession<Balance, BlockNumber> {
    pub run: RunId,
    pub state: Option<GameState>,
    pub set_hash: H256,
    pub seed: u64,
    pub entry_fee: Balance,
    pub bond: Balance,
    pub started_at: BlockNumber,
    pub stage: OldStage<BlockNumber>,
    pub moved_at: BlockNumber,
    pub reported_at: BlockNumber,
    pub n_reports: u32,
    pub n_unverified: u32,
}

/// What a run waited for in the first layout.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) enum OldStage<BlockNumber> {
    Dealing(Commit<BlockNumber>),
    Shop,
    Battle { commit: Commit<BlockNumber>, ghosts: OldGhostWindow },
    Over(Ending),
}

/// The ghosts that a battle could meet in the first layout.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct OldGhostWindow {
    pub first: u8,
    pub n_ghosts: u8,
    pub own: Option<u8>,
    pub n_saved: u32,
}

impl<Balance, BlockNumber> OldSession<Balance, BlockNumber> {
    fn translate<T>(self, who: &AccountIdOf<T>) -> GameSessionOf<T>
    where
        T: Config,
        BalanceOf<T>: From<Balance>,
        BlockNumberFor<T>: From<BlockNumber>,
    {
        let reports = (1..=self.n_reports).map(|round| BattleProofs::<T>::get((who, self.run, round)));
        let results = ReportedResults::truncate_from(reports.flatten().map(|it| it.claimed_result).collect());
        let anew = |nonce| Commit { block: Pallet::<T>::now(), nonce };
        let (stage, moved_at) = match self.stage {
            OldStage::Dealing(commit) => (Stage::Dealing(anew(commit.nonce)), Pallet::<T>::clock()),
            OldStage::Battle { commit, .. } => {
                (Stage::Battle { commit: anew(commit.nonce), ghosts: Bounded::new() }, Pallet::<T>::clock())
            }
            OldStage::Shop => (Stage::Shop, self.moved_at.into()),
            OldStage::Over(ending) => (Stage::Over(ending), self.moved_at.into()),
        };
        GameSession {
            run: self.run,
            state: self.state,
            set_hash: self.set_hash,
            seed: self.seed,
            entry_fee: self.entry_fee.into(),
            bond: self.bond.into(),
            started_at: self.started_at.into(),
            stage,
            moved_at,
            reported_at: self.reported_at.into(),
            results,
            n_unverified: self.n_unverified,
            has_paid_late_report: false,
        }
    }
}

/// What must be so after the upgrade, as it was seen before.
#[cfg(any(test, feature = "try-runtime"))]
#[derive(Encode, Decode)]
pub(crate) struct Expectation<T: Config> {
    n_runs: u32,
    money: BalanceOf<T>,
}

#[cfg(any(test, feature = "try-runtime"))]
impl<T: Config> Expectation<T> {
    /// Looks at the first layout.
    pub(crate) fn before() -> Self {
        let shared = T::Currency::total_balance(&shared_pool::<T>());
        Self { n_runs: count_runs::<T>(), money: shared.saturating_add(pools_of_sets::<T>()) }
    }

    /// Looks at the second layout: every run is there, all money is in pools of sets, all is sound.
    pub(crate) fn check(&self) -> Result<(), DispatchError> {
        let n_translated = ActiveGame::<T>::iter_values().count();
        ensure!(usize::try_from(self.n_runs) == Ok(n_translated), "a run was lost");
        ensure!(pools_of_sets::<T>() == self.money, "the pool was not given away whole");
        ensure!(Pallet::<T>::on_chain_storage_version() == 2, "the version of the storage is wrong");
        Pallet::<T>::do_try_state()
    }
}

#[cfg(any(test, feature = "try-runtime"))]
fn count_runs<T: Config>() -> u32 {
    u32::try_from(ActiveGame::<T>::iter_keys().count()).unwrap_or(u32::MAX)
}

/// What the pools of all sets have together.
#[cfg(any(test, feature = "try-runtime"))]
fn pools_of_sets<T: Config>() -> BalanceOf<T> {
    let pools = Sets::<T>::iter_keys().map(Pallet::<T>::prize_pool);
    pools.fold(Default::default(), |sum: BalanceOf<T>, it| sum.saturating_add(it))
}
