//! What happens in a battle, as a list that replays it.

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{BOARD_SLOTS, Bounded, CardIndex};

/// One of the two sides of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "UPPERCASE"))]
pub enum Team {
    /// The side whose run it is.
    Player,
    /// The other side.
    Enemy,
}

impl Team {
    /// The other side.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Player => Self::Enemy,
            Self::Enemy => Self::Player,
        }
    }
}

/// How a battle ended, seen from the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "UPPERCASE"))]
pub enum BattleResult {
    /// The player won.
    Victory,
    /// The enemy won.
    Defeat,
    /// Nobody won.
    Draw,
}

/// A stretch of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "SCREAMING_SNAKE_CASE"))]
pub enum BattlePhase {
    /// Once, before the first round.
    Start,
    /// What comes before a clash.
    BeforeAttack,
    /// The clash of the two front units.
    Attack,
    /// What comes after a clash.
    AfterAttack,
}

/// The name of a unit within one battle: its team in the highest bit, then a number from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct InstanceId(pub u32);

impl InstanceId {
    const ENEMY_BIT: u32 = 1 << 31;

    /// The id of a team's unit number `serial`.
    pub const fn new(team: Team, serial: u32) -> Self {
        match team {
            Team::Player => Self(serial & !Self::ENEMY_BIT),
            Team::Enemy => Self(serial | Self::ENEMY_BIT),
        }
    }

    /// The team of the unit.
    pub const fn team(self) -> Team {
        if self.0 & Self::ENEMY_BIT == 0 { Team::Player } else { Team::Enemy }
    }
}

/// Which card a unit was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "camelCase"))]
pub enum CardKey {
    /// A card of the pool.
    Pool(CardIndex),
    /// A card that only fights: the player's board slots count from 0, the enemy's from 5.
    Guest(u8),
}

impl Default for CardKey {
    fn default() -> Self {
        Self::Pool(CardIndex(0))
    }
}

/// A unit as it stands at one moment; its texts and abilities are those of its card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "camelCase"))]
pub struct UnitView {
    pub instance_id: InstanceId,
    pub card: CardKey,
    pub attack: i32,
    pub health: i32,
}

/// All units of a team at one moment, front first.
pub type BoardView<V = UnitView> = Bounded<V, BOARD_SLOTS>;

/// The limit that ended a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(tag = "type", content = "payload"))]
pub enum LimitReason {
    /// Too many rounds.
    #[cfg_attr(feature = "serde", serde(rename = "ROUND_LIMIT"))]
    Round { current: u32, max: u32 },
    /// Too many attempts to spawn.
    #[cfg_attr(feature = "serde", serde(rename = "SPAWN_LIMIT"))]
    Spawn { current: u32, max: u32 },
    /// Too many abilities in one phase.
    #[cfg_attr(feature = "serde", serde(rename = "TRIGGER_LIMIT"))]
    Trigger { current: u32, max: u32 },
    /// Too long a chain of reactions.
    #[cfg_attr(feature = "serde", serde(rename = "TRIGGER_DEPTH_LIMIT"))]
    TriggerDepth { current: u32, max: u32 },
    /// Too much work.
    #[cfg_attr(feature = "serde", serde(rename = "STEP_LIMIT"))]
    Step { current: u32, max: u32 },
}

/// One thing that happened in a battle. `V` is how units are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", content = "payload"))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", rename_all_fields = "camelCase"))]
#[cfg_attr(feature = "serde", serde(bound(deserialize = "V: Deserialize<'de> + Default")))]
pub enum Event<V = UnitView> {
    /// A phase begins.
    PhaseStart { phase: BattlePhase },
    /// A phase is over.
    PhaseEnd { phase: BattlePhase },
    /// An ability fires.
    AbilityTrigger {
        source_instance_id: InstanceId,
        /// Which of the card's abilities; stands for its name, which the compact JSON leaves out.
        #[cfg_attr(feature = "serde", serde(skip))]
        ability: u8,
    },
    /// The two front units hit each other.
    Clash { p_dmg: i32, e_dmg: i32 },
    /// A front unit was hit in a clash.
    DamageTaken { target_instance_id: InstanceId, team: Team, remaining_hp: i32 },
    /// Units of a team were removed as dead.
    UnitDeath { team: Team, new_board_state: BoardView<V> },
    /// The battle is over; always the last event.
    BattleEnd { result: BattleResult },
    /// An ability took health away.
    AbilityDamage { source_instance_id: InstanceId, target_instance_id: InstanceId, damage: i32, remaining_hp: i32 },
    /// An ability changed attack and health.
    AbilityModifyStats {
        source_instance_id: InstanceId,
        target_instance_id: InstanceId,
        health_change: i32,
        attack_change: i32,
        new_attack: i32,
        new_health: i32,
    },
    /// An ability put a unit on the board.
    UnitSpawn { team: Team, spawned_unit: V, new_board_state: BoardView<V> },
    /// A limit ended the battle.
    LimitExceeded { losing_team: Option<Team>, reason: LimitReason },
}

impl<V: Default> Event<V> {
    /// Shows units in another way, as with the names that a side table has for their cards.
    pub fn map_views<W: Default>(self, mut show: impl FnMut(V) -> W) -> Event<W> {
        match self {
            Self::PhaseStart { phase } => Event::PhaseStart { phase },
            Self::PhaseEnd { phase } => Event::PhaseEnd { phase },
            Self::AbilityTrigger { source_instance_id, ability } => {
                Event::AbilityTrigger { source_instance_id, ability }
            }
            Self::Clash { p_dmg, e_dmg } => Event::Clash { p_dmg, e_dmg },
            Self::DamageTaken { target_instance_id, team, remaining_hp } => {
                Event::DamageTaken { target_instance_id, team, remaining_hp }
            }
            Self::UnitDeath { team, new_board_state } => {
                Event::UnitDeath { team, new_board_state: new_board_state.map(show) }
            }
            Self::BattleEnd { result } => Event::BattleEnd { result },
            Self::AbilityDamage { source_instance_id, target_instance_id, damage, remaining_hp } => {
                Event::AbilityDamage { source_instance_id, target_instance_id, damage, remaining_hp }
            }
            Self::AbilityModifyStats {
                source_instance_id,
                target_instance_id,
                health_change,
                attack_change,
                new_attack,
                new_health,
            } => Event::AbilityModifyStats {
                source_instance_id,
                target_instance_id,
                health_change,
                attack_change,
                new_attack,
                new_health,
            },
            Self::UnitSpawn { team, spawned_unit, new_board_state } => {
                Event::UnitSpawn { team, spawned_unit: show(spawned_unit), new_board_state: new_board_state.map(show) }
            }
            Self::LimitExceeded { losing_team, reason } => Event::LimitExceeded { losing_team, reason },
        }
    }
}
