//! The numbers a card may have where strangers can register cards.
//!
//! Battles cope with any number; these bounds keep cards comparable and the worst battle cheap.

use core::ops::RangeInclusive;

use crate::{Card, Effect};

/// Attack, play cost and pitch value of a registered card.
pub const REGISTERED_NUMBERS: RangeInclusive<i32> = 0..=99;

/// Health of a registered card.
pub const REGISTERED_HEALTH: RangeInclusive<i32> = 1..=99;

/// What one effect of a registered card adds or takes.
pub const REGISTERED_AMOUNTS: RangeInclusive<i32> = -99..=99;

/// Which number of a card is out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationFault {
    /// The attack.
    Attack,
    /// The health.
    Health,
    /// The play cost.
    PlayCost,
    /// The pitch value.
    PitchValue,
    /// A number in the effect of an ability.
    Amount { ability: u8 },
}

impl core::fmt::Display for RegistrationFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Attack => f.write_str("attack is not within 0 to 99"),
            Self::Health => f.write_str("health is not within 1 to 99"),
            Self::PlayCost => f.write_str("play cost is not within 0 to 99"),
            Self::PitchValue => f.write_str("pitch value is not within 0 to 99"),
            Self::Amount { ability } => {
                write!(f, "amount is not within -99 to 99 in ability: {ability}")
            }
        }
    }
}

impl core::error::Error for RegistrationFault {}

impl<S> Card<S> {
    /// Checks the numbers of a card that is to be registered, and gives the first out of bounds.
    pub fn check_registration(&self) -> Result<(), RegistrationFault> {
        let numbers = [
            (REGISTERED_NUMBERS, self.attack, RegistrationFault::Attack),
            (REGISTERED_HEALTH, self.health, RegistrationFault::Health),
            (REGISTERED_NUMBERS, self.play_cost, RegistrationFault::PlayCost),
            (REGISTERED_NUMBERS, self.pitch_value, RegistrationFault::PitchValue),
        ];
        let numbers =
            numbers.into_iter().find_map(|(range, number, fault)| (!range.contains(&number)).then_some(fault));
        let mut abilities = (0..).zip(&self.abilities);
        let amount = abilities.find(|(_, it)| !amounts_in_bounds(&it.effect));
        let amount = amount.map(|(ability, _)| RegistrationFault::Amount { ability });
        numbers.or(amount).map_or(Ok(()), Err)
    }
}

fn amounts_in_bounds<S>(effect: &Effect<S>) -> bool {
    match effect {
        Effect::Damage { amount, .. } => REGISTERED_AMOUNTS.contains(amount),
        Effect::ModifyStats { health, attack, .. } => {
            REGISTERED_AMOUNTS.contains(health) && REGISTERED_AMOUNTS.contains(attack)
        }
        Effect::SpawnUnit { .. } | Effect::Destroy { .. } => true,
    }
}
