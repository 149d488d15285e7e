//! What a card does: its numbers and abilities, and not a word of text.
//!
//! A card that can spawn another names it by `S`: an index of the pool in battle, a content hash
//! on a chain, a name in JSON. The rest is the same everywhere, so there is one set of types.

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{Bounded, CardIndex, Condition};

/// The most abilities a card can have.
pub const ABILITIES_MAX: usize = 4;

/// The mechanics of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", deny_unknown_fields))]
pub struct Card<S = CardIndex> {
    pub attack: i32,
    pub health: i32,
    pub play_cost: i32,
    pub pitch_value: i32,
    pub abilities: Bounded<Ability<S>, ABILITIES_MAX>,
}

/// One ability of a card: when, what, under which condition and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", deny_unknown_fields))]
pub struct Ability<S = CardIndex> {
    pub trigger: Trigger,
    pub effect: Effect<S>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Condition::is_none"))]
    pub condition: Condition,
    /// How often one unit may use this ability in one battle; `None` is without limit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub max_triggers: Option<u32>,
}

/// When an ability is queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum Trigger {
    /// The battle starts.
    OnStart,
    /// This unit was removed as dead.
    OnFaint,
    /// A team-mate was removed as dead.
    OnAllyFaint,
    /// This unit was hit by a damage effect, or stood in front in an attack phase.
    OnDamageTaken,
    /// This unit was put on the board by a spawn.
    OnSpawn,
    /// This unit stands in front before a clash.
    BeforeUnitAttack,
    /// This unit stands in front after a clash.
    AfterUnitAttack,
    /// Any clash is about to happen.
    BeforeAnyAttack,
    /// Any clash has happened.
    AfterAnyAttack,
}

/// What an ability does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "camelCase", deny_unknown_fields))]
pub enum Effect<S = CardIndex> {
    /// Takes health away; amounts of 0 and less do nothing.
    Damage { amount: i32, target: Target },
    /// Adds to health and attack, in either direction.
    ModifyStats { health: i32, attack: i32, target: Target },
    /// Puts a card of the pool on the source's board.
    SpawnUnit {
        #[cfg_attr(feature = "serde", serde(rename = "template_id"))]
        card: S,
    },
    /// Sets health far below zero.
    Destroy { target: Target },
}

/// Whom an effect meets, seen from its source's team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum Target {
    /// The source, while it is on the board.
    SelfUnit,
    /// All allies, the source included.
    AllAllies,
    /// All enemies.
    AllEnemies,
    /// One ally by a draw, the source included.
    RandomAlly,
    /// One enemy by a draw.
    RandomEnemy,
    /// The ally in front.
    FrontAlly,
    /// The enemy in front.
    FrontEnemy,
    /// The last ally.
    BackAlly,
    /// The last enemy.
    BackEnemy,
    /// The ally directly in front of the source.
    AllyAhead,
    /// The enemy with the least health.
    LowestHealthEnemy,
    /// The enemy with the most attack.
    HighestAttackEnemy,
    /// The enemy with the most health.
    HighestHealthEnemy,
    /// The enemy with the least attack.
    LowestAttackEnemy,
    /// The enemy with the highest play cost.
    HighestManaEnemy,
    /// The enemy with the lowest play cost.
    LowestManaEnemy,
}

impl<S> Card<S> {
    /// Renames the cards that this card can spawn, or gives the first error.
    pub fn try_map_spawns<T, E>(&self, mut rename: impl FnMut(&S) -> Result<T, E>) -> Result<Card<T>, E> {
        let mut abilities = Bounded::new();
        for it in &self.abilities {
            let ability = Ability {
                trigger: it.trigger,
                effect: it.effect.try_map_spawn(&mut rename)?,
                condition: it.condition,
                max_triggers: it.max_triggers,
            };
            // Both lists have the same bound, so the new one has room for every item of the old.
            let _ = abilities.push(ability);
        }
        Ok(Card {
            attack: self.attack,
            health: self.health,
            play_cost: self.play_cost,
            pitch_value: self.pitch_value,
            abilities,
        })
    }

    /// Names the cards that this card can spawn, in the order of its abilities.
    pub fn spawns(&self) -> impl Iterator<Item = &S> {
        self.abilities.iter().filter_map(|it| match &it.effect {
            Effect::SpawnUnit { card } => Some(card),
            Effect::Damage { .. } | Effect::ModifyStats { .. } | Effect::Destroy { .. } => None,
        })
    }
}

impl<S> Effect<S> {
    fn try_map_spawn<T, E>(&self, rename: &mut impl FnMut(&S) -> Result<T, E>) -> Result<Effect<T>, E> {
        Ok(match self {
            &Effect::Damage { amount, target } => Effect::Damage { amount, target },
            &Effect::ModifyStats { health, attack, target } => Effect::ModifyStats { health, attack, target },
            Effect::SpawnUnit { card } => Effect::SpawnUnit { card: rename(card)? },
            &Effect::Destroy { target } => Effect::Destroy { target },
        })
    }

    /// Whom the effect meets; a spawn has no target and is tested as if it met its source.
    pub fn target(&self) -> Target {
        match *self {
            Effect::Damage { target, .. } | Effect::ModifyStats { target, .. } | Effect::Destroy { target } => target,
            Effect::SpawnUnit { .. } => Target::SelfUnit,
        }
    }
}

impl<S> Ability<S> {
    /// An ability without condition or limit.
    pub const fn new(trigger: Trigger, effect: Effect<S>) -> Self {
        Self { trigger, effect, condition: Condition::NONE, max_triggers: None }
    }
}

impl<S> Ability<S> {
    const BLANK: Self = Self::new(Trigger::OnStart, Effect::Damage { amount: 0, target: Target::SelfUnit });
}

impl<S> Card<S> {
    /// A card with the least legal numbers and no abilities.
    pub const fn blank() -> Self {
        Self {
            attack: 0,
            health: 1,
            play_cost: 0,
            pitch_value: 0,
            abilities: Bounded::from_array([const { Ability::BLANK }; ABILITIES_MAX], 0),
        }
    }
}

impl<S> Default for Ability<S> {
    fn default() -> Self {
        Self::BLANK
    }
}

impl<S> Default for Card<S> {
    fn default() -> Self {
        Self::blank()
    }
}
