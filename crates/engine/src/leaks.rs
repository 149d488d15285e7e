//! Secrets told on purpose, one at a time, so that a test can show that it would notice. Compiled only with the feature
//! `planted-leaks`, which no normal build has.

use core::sync::atomic::{AtomicU8, Ordering};

/// A way to tell a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// An event names a card nobody but its owner sees.
    CardInEvent = 1,
    /// Cards are called by the numbers the engine has for them.
    NumberAsHandle,
    /// A card that was shuffled away comes back under its old name.
    HandleAfterHiding,
    /// A view tells what is on top of a hidden pile, as a value of its owner.
    TopOfPile,
    /// A view tells the secret all random numbers come from.
    Seed,
    /// Whoever waits is told how many answers another can choose from.
    OthersChoices,
    /// A window stops only for players who really can act.
    WindowByLegality,
    /// A refusal names a card by the engine's number.
    NumberInError,
    /// An explanation tells what a condition finds out about hidden cards.
    HiddenReason,
    /// What will happen is looked up in the true world.
    TrueWorld,
}

impl Leak {
    /// All of them.
    pub const ALL: [Leak; 10] = [
        Self::CardInEvent,
        Self::NumberAsHandle,
        Self::HandleAfterHiding,
        Self::TopOfPile,
        Self::Seed,
        Self::OthersChoices,
        Self::WindowByLegality,
        Self::NumberInError,
        Self::HiddenReason,
        Self::TrueWorld,
    ];
}

static PLANTED: AtomicU8 = AtomicU8::new(0);

/// Plants a leak, or none, for the whole process.
pub fn plant(leak: Option<Leak>) {
    PLANTED.store(leak.map_or(0, |it| it as u8), Ordering::Relaxed);
}

/// Whether this leak is planted.
pub fn is(leak: Leak) -> bool {
    PLANTED.load(Ordering::Relaxed) == leak as u8
}
