//! The 35 starter cards, with the texts that the mechanics leave out.

use alloc::vec::Vec;

use crate::{Ability, Bounded, Card, CardIndex, Condition, ConditionNode, Effect, Pool};
use crate::{Target, Trigger};

/// A starter card: its mechanics, which name what they spawn, and its texts.
#[derive(Clone, Copy, Debug)]
pub struct StarterCard {
    /// The name that JSON and spawns use.
    pub template_id: &'static str,
    /// The name that people read.
    pub name: &'static str,
    abilities: &'static [StarterAbility],
    /// Attack, health, play cost and pitch value.
    numbers: [i32; 4],
}

#[derive(Clone, Copy, Debug)]
struct StarterAbility {
    name: &'static str,
    ability: Ability<&'static str>,
}

impl StarterCard {
    /// The mechanics, with spawns by name.
    pub fn card(&self) -> Card<&'static str> {
        let [attack, health, play_cost, pitch_value] = self.numbers;
        let abilities = self.abilities.iter().map(|it| it.ability);
        Card {
            attack,
            health,
            play_cost,
            pitch_value,
            // No starter card has more abilities than a card can have; a test looks at each.
            abilities: Bounded::try_from_iter(abilities).unwrap_or_default(),
        }
    }

    /// The names of the abilities, in their order.
    pub fn ability_names(&self) -> impl Iterator<Item = &'static str> {
        self.abilities.iter().map(|it| it.name)
    }
}

/// The pool of the starter cards, in the order of [`STARTER_CARDS`].
pub fn starter_pool() -> Pool {
    let named: Vec<_> = STARTER_CARDS.iter().map(|it| (it.template_id, it.card())).collect();
    // The table is constant and a test links it; an empty pool would fail every other test.
    Pool::link(&named).unwrap_or_default()
}

/// The index of a starter card in the pool.
pub fn starter_index(template_id: &str) -> Option<CardIndex> {
    let found = STARTER_CARDS.iter().position(|it| it.template_id == template_id);
    found.and_then(|idx| u8::try_from(idx).ok()).map(CardIndex)
}

const fn card(
    template_id: &'static str,
    name: &'static str,
    numbers: [i32; 4],
    abilities: &'static [StarterAbility],
) -> StarterCard {
    StarterCard { template_id, name, abilities, numbers }
}

const fn ability(name: &'static str, trigger: Trigger, effect: Effect<&'static str>) -> StarterAbility {
    let ability = Ability::new(trigger, effect);
    StarterAbility { name, ability }
}

const fn damage(amount: i32, target: Target) -> Effect<&'static str> {
    Effect::Damage { amount, target }
}

const fn modify(attack: i32, health: i32, target: Target) -> Effect<&'static str> {
    Effect::ModifyStats { health, attack, target }
}

const fn spawn(card: &'static str) -> Effect<&'static str> {
    Effect::SpawnUnit { card }
}

const fn destroy(target: Target) -> Effect<&'static str> {
    Effect::Destroy { target }
}

impl StarterAbility {
    const fn when(mut self, leaf: ConditionNode) -> Self {
        self.ability.condition = Condition::leaf(leaf);
        self
    }

    const fn at_most(mut self, max_triggers: u32) -> Self {
        self.ability.max_triggers = Some(max_triggers);
        self
    }
}

/// The starter cards, in the order in which decks are built from them.
#[rustfmt::skip]
pub const STARTER_CARDS: [StarterCard; 35] = [
    card("goblin_scout", "Goblin Scout", [1, 2, 1, 2], &[]),
    card("goblin_looter", "Goblin Looter", [1, 1, 1, 3], &[]),
    card("militia", "Militia", [2, 2, 2, 2], &[]),
    card("shield_bearer", "Shield Bearer", [1, 4, 2, 2], &[
        ability("Shield Wall", Trigger::OnStart, modify(0, 2, Target::FrontAlly)),
    ]),
    card("wolf_rider", "Wolf Rider", [3, 2, 3, 2], &[
        ability("Dying Bite", Trigger::OnFaint, damage(2, Target::FrontEnemy)),
    ]),
    card("orc_warrior", "Orc Warrior", [3, 4, 3, 2], &[
        ability("Battle Rage", Trigger::OnStart, modify(2, 0, Target::SelfUnit)),
    ]),
    card("zombie_soldier", "Zombie Soldier", [1, 1, 1, 1], &[
        ability("Spawn Zombie", Trigger::OnFaint, spawn("zombie_spawn")),
    ]),
    card("zombie_spawn", "Zombie Spawn", [1, 1, 0, 0], &[]),
    card("necromancer", "Necromancer", [2, 3, 3, 2], &[
        ability("Spawn Boost", Trigger::OnSpawn, modify(2, 0, Target::SelfUnit)),
    ]),
    card("battle_hardened", "Battle Hardened", [2, 3, 3, 2], &[
        ability("Pre-Battle Prep", Trigger::BeforeUnitAttack, modify(0, 2, Target::SelfUnit)),
        ability("Adrenaline Rush", Trigger::AfterUnitAttack, modify(2, 0, Target::SelfUnit)),
    ]),
    card("troll_brute", "Troll Brute", [4, 5, 5, 2], &[
        ability("Death Throes", Trigger::OnFaint, damage(3, Target::AllEnemies)),
    ]),
    card("ogre_mauler", "Ogre Mauler", [5, 6, 6, 2], &[
        ability("Crushing Blow", Trigger::OnStart, modify(3, 0, Target::SelfUnit)),
    ]),
    card("giant_crusher", "Giant Crusher", [6, 8, 8, 2], &[
        ability("Earthshaker", Trigger::OnStart, damage(4, Target::FrontEnemy)),
    ]),
    card("dragon_tyrant", "Dragon Tyrant", [8, 12, 10, 3], &[
        ability("Dragon Breath", Trigger::OnStart, damage(3, Target::AllEnemies)),
    ]),
    card("sniper", "Sniper", [1, 2, 3, 2], &[
        ability("Headshot", Trigger::OnStart, damage(2, Target::FrontEnemy)),
    ]),
    card("archer", "Archer", [1, 3, 3, 2], &[
        ability("Long Shot", Trigger::OnStart, damage(1, Target::BackEnemy)),
    ]),
    card("goblin_grunt", "Goblin Grunt", [2, 2, 2, 1], &[]),
    card("orc_shaman", "Orc Shaman", [2, 3, 3, 2], &[
        ability("Healing Totem", Trigger::OnStart, modify(0, 2, Target::FrontAlly)),
    ]),
    card("troll_warrior", "Troll Warrior", [3, 5, 4, 2], &[]),
    card("ogre_warrior", "Ogre Warrior", [4, 6, 5, 2], &[]),
    card("zombie_captain", "Zombie Captain", [3, 4, 4, 2], &[
        ability("Rally the Dead", Trigger::OnFaint, spawn("zombie_soldier")),
        ability("Rally the Dead", Trigger::OnFaint, spawn("zombie_soldier")),
    ]),
    card("corpse_cart", "Corpse Cart", [0, 4, 3, 2], &[
        ability("Scavenge", Trigger::OnAllyFaint, modify(2, 0, Target::SelfUnit)),
    ]),
    card("lich", "Lich", [3, 3, 5, 2], &[
        ability("Ritual Sacrifice", Trigger::OnStart, destroy(Target::AllyAhead)),
        ability("Raise Golem", Trigger::OnStart, spawn("golem")),
    ]),
    card("golem", "Golem", [5, 5, 0, 0], &[]),
    card("raging_orc", "Raging Orc", [2, 8, 4, 2], &[
        ability("Berserk", Trigger::OnDamageTaken, modify(2, 0, Target::SelfUnit)),
    ]),
    card("zombie_breeder", "Zombie Breeder", [2, 4, 3, 2], &[
        ability("Undead Horde", Trigger::OnDamageTaken, spawn("zombie_spawn")).at_most(2),
    ]),
    card("pain_smith", "Pain Smith", [3, 3, 3, 2], &[
        ability("Sharpen Blades", Trigger::OnStart, modify(2, 0, Target::AllAllies)),
        ability("Forged in Fire", Trigger::OnStart, damage(1, Target::AllAllies)),
    ]),
    card("headhunter", "Headhunter", [4, 2, 4, 2], &[
        ability("Assassinate", Trigger::OnStart, damage(5, Target::LowestHealthEnemy)),
    ]),
    card("giant_slayer", "Giant Slayer", [2, 2, 4, 2], &[
        ability("Take Down", Trigger::OnStart, damage(3, Target::HighestAttackEnemy)),
    ]),
    card("behemoth", "Behemoth", [10, 10, 10, 2], &[]),
    card("mana_reaper", "Mana Reaper", [2, 2, 8, 2], &[
        ability("Harvest the Rich", Trigger::OnStart, destroy(Target::HighestManaEnemy)),
        ability("Cull the Weak", Trigger::OnStart, destroy(Target::LowestManaEnemy)),
    ]),
    card("shield_squire", "Shield Squire", [2, 3, 4, 2], &[
        ability("Squire's Shield", Trigger::BeforeAnyAttack, modify(0, 2, Target::AllyAhead)),
    ]),
    card("nurse_goblin", "Nurse Goblin", [1, 3, 2, 2], &[
        ability("Emergency Heal", Trigger::BeforeAnyAttack, modify(0, 2, Target::AllyAhead)).when(ConditionNode::TargetHealthLessThanOrEqual { value: 6 }),
    ]),
    card("lone_wolf", "Lone Wolf", [2, 4, 3, 2], &[
        ability("Last Stand", Trigger::BeforeUnitAttack, modify(5, 0, Target::SelfUnit)).when(ConditionNode::AllyCountAtMost { count: 1 }),
    ]),
    card("pack_leader", "Pack Leader", [2, 3, 3, 2], &[
        ability("Pack Tactics", Trigger::OnStart, modify(1, 1, Target::AllAllies)).when(ConditionNode::AllyCountAtLeast { count: 3 }),
    ]),
];
