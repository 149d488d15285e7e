//! From older layouts of the storage to this one.

use frame::deps::frame_support::migrations::VersionedMigration;
use frame::deps::frame_support::traits::UncheckedOnRuntimeUpgrade;
use frame::prelude::{Get as _, Weight, frame_system};

use crate::{ActiveGame, Config, Pallet, SetGames};

/// Version 0 did not count the runs of a set; version 1 does, so that removing a set is constant
/// work.
pub type CountSetGames<T> =
    VersionedMigration<0, 1, CountSetGamesUnchecked<T>, Pallet<T>, <T as frame_system::Config>::DbWeight>;

/// [`CountSetGames`] without the look at the version.
pub struct CountSetGamesUnchecked<T>(core::marker::PhantomData<T>);

impl<T: Config> UncheckedOnRuntimeUpgrade for CountSetGamesUnchecked<T> {
    fn on_runtime_upgrade() -> Weight {
        let mut n_games = 0;
        for session in ActiveGame::<T>::iter_values() {
            SetGames::<T>::mutate(session.set_hash, |it| *it = it.saturating_add(1));
            n_games = u64::saturating_add(n_games, 1);
        }
        // For each run one read of it, and one read and one write of the count.
        T::DbWeight::get().reads_writes(n_games.saturating_mul(2).saturating_add(1), n_games)
    }
}
