//! Battles, draws and decks whose numbers are known.

mod table;

use auto_battle::{
    Ability, BattleResult, Card, Condition, ConditionNode, Event, LimitReason, LocalRun, Matchup, Rng, STARTER_CARDS,
    Target, Team, Trigger, builtin_opponent, starter_deck, starter_index, starter_pool,
};
use table::{damage, fight, fight_starters, modify, on, spawn, unit};

#[track_caller]
fn check_draws(seed: u64, expected: &[u32]) {
    let mut rng = Rng::from_seed(seed);
    let draws: Vec<u32> = expected.iter().map(|_| rng.draw()).collect();
    assert_eq!(draws, expected, "seed {seed}");
}

#[test]
fn streams_start_with_known_draws() {
    let of_42 = [11355432, 2836018348, 476557059, 3648046016, 3759983556, 1441438134];
    check_draws(42, &of_42);
    for seed in [0, 1, 1 << 32, (1 << 32) + 1] {
        check_draws(seed, &[270369, 67634689, 2647435461, 307599695, 2398689233]);
    }
}

#[test]
fn a_number_below_one_still_costs_a_draw() {
    let mut rng = Rng::from_seed(42);
    assert_eq!(rng.below(1), 0);
    assert_eq!(rng.draw(), 2836018348);
}

#[test]
fn ten_numbers_shuffle_into_a_known_order() {
    let mut items: [u8; 10] = core::array::from_fn(|idx| idx as u8);
    Rng::from_seed(42).shuffle(&mut items);
    assert_eq!(items, [8, 9, 1, 5, 4, 0, 6, 3, 7, 2]);
}

#[test]
fn a_fresh_run_has_a_known_shop() {
    let local = LocalRun::new();
    let shop = local.run().shop().map(|it| it.card.unwrap());
    assert_eq!(shop.map(|it| it.id), [103, 21, 59, 3, 98]);
    let names = shop.map(|it| STARTER_CARDS[usize::from(it.card.0)].template_id);
    let expected = ["pack_leader", "zombie_soldier", "ogre_warrior", "goblin_scout", "nurse_goblin"];
    assert_eq!(names, expected);
    let top = local.run().deck().last().unwrap();
    assert_eq!((top.id, top.card), (35, starter_index("ogre_mauler").unwrap()));
}

#[test]
fn the_starter_deck_has_three_of_each_card_in_table_order() {
    let deck = starter_deck();
    assert_eq!(deck.len(), 105);
    for card in deck {
        assert_eq!(u32::from(card.card.0), (card.id - 1) / 3);
    }
}

#[test]
fn every_starter_card_links_with_its_abilities_and_its_name() {
    let pool = starter_pool();
    assert_eq!(pool.cards().len(), 35);
    for (starter, card) in STARTER_CARDS.iter().zip(pool.cards()) {
        assert_eq!(starter.ability_names().count(), card.abilities.len());
        let from_name = starter.name.to_lowercase().replace(' ', "_");
        assert_eq!(from_name, starter.template_id);
    }
}

#[test]
fn built_in_opponents_grow_and_then_stay() {
    let sizes: Vec<_> = (1..=12).map(|round| builtin_opponent(round).len()).collect();
    assert_eq!(sizes, [1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5]);
    assert_eq!(builtin_opponent(u32::MAX), builtin_opponent(10));
    assert_eq!(builtin_opponent(9).first(), starter_index("giant_crusher").as_ref());
}

struct Expected {
    result: BattleResult,
    events: usize,
    triggers: usize,
    clashes: usize,
    spawns: usize,
    deaths: usize,
    limit: Option<LimitReason>,
}

#[track_caller]
fn check(player: &str, enemy: &str, seed: u64, expected: Expected) {
    let fought = fight_starters(player, enemy, seed);
    assert_eq!(fought.outcome.result, expected.result);
    assert_eq!(fought.events.len(), expected.events);
    assert_eq!(fought.firings().len(), expected.triggers);
    let clashes = fought.count(|it| matches!(it, Event::Clash { .. }));
    let spawns = fought.count(|it| matches!(it, Event::UnitSpawn { .. }));
    let deaths = fought.count(|it| matches!(it, Event::UnitDeath { .. }));
    let counts = (clashes, spawns, deaths);
    assert_eq!(counts, (expected.clashes, expected.spawns, expected.deaths));
    let limit = fought.events.iter().find_map(|it| match it {
        Event::LimitExceeded { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(limit, expected.limit);
}

#[rustfmt::skip]
#[test]
fn battles_of_starter_cards_have_known_counts() {
    use BattleResult::{Defeat, Draw, Victory};
    let round_limit = Some(LimitReason::Round { current: 101, max: 100 });
    let e = |result, events, triggers, clashes, spawns, deaths, limit| Expected {
        result, events, triggers, clashes, spawns, deaths, limit,
    };
    check("lich, zombie_soldier, corpse_cart, pain_smith, raging_orc",
        "dragon_tyrant, giant_crusher, ogre_mauler, ogre_warrior, troll_brute",
        10, e(Defeat, 49, 10, 2, 1, 5, None));
    check("zombie_captain, zombie_breeder, nurse_goblin, shield_squire, archer",
        "troll_brute, wolf_rider, headhunter, mana_reaper, behemoth",
        7, e(Defeat, 113, 16, 7, 6, 13, None));
    check("zombie_soldier, zombie_soldier, zombie_soldier", "dragon_tyrant",
        3, e(Defeat, 44, 4, 3, 3, 4, None));
    check("goblin_grunt, shield_squire", "goblin_grunt, shield_squire",
        42, e(Draw, 1304, 200, 100, 0, 0, round_limit));
    check("mana_reaper", "goblin_scout, militia, behemoth",
        1, e(Draw, 20, 2, 1, 0, 4, None));
    check("lone_wolf", "raging_orc, raging_orc",
        5, e(Defeat, 30, 4, 2, 0, 2, None));
    check("pack_leader, goblin_scout, goblin_scout, lich, battle_hardened",
        "giant_slayer, sniper, archer, headhunter, corpse_cart",
        99, e(Victory, 85, 12, 5, 1, 10, None));
    check("", "goblin_scout", 1, e(Defeat, 3, 0, 0, 0, 0, None));
    check("pain_smith, zombie_breeder, zombie_breeder", "pain_smith, raging_orc, raging_orc",
        12, e(Defeat, 112, 15, 7, 4, 9, None));
    check("zombie_breeder", "zombie_breeder", 0, e(Draw, 53, 4, 4, 4, 6, None));
}

#[test]
fn battles_with_random_targets_leave_the_stream_at_known_places() {
    let if_hurtable = Ability {
        condition: Condition::leaf(ConditionNode::TargetHealthGreaterThan { value: 1 }),
        ..on(Trigger::BeforeAnyAttack, damage(1, Target::RandomEnemy))
    };
    let cheer = on(Trigger::AfterAnyAttack, modify(1, 1, Target::RandomAlly));
    let revenge = on(Trigger::OnDamageTaken, damage(1, Target::RandomEnemy));
    let player = [unit(2, 6, &[if_hurtable]), unit(1, 4, &[cheer])];
    let enemy = [unit(1, 5, &[revenge]), unit(2, 3, &[]), unit(3, 3, &[])];
    for (seed, n_events, rng_next) in
        [(1, 65, 3385103793), (2, 65, 2319215614), (3, 73, 3658955447), (1099511627783, 65, 3581177019)]
    {
        let fought = fight(&player, &enemy, seed);
        assert_eq!(fought.outcome.result, BattleResult::Victory, "seed {seed}");
        assert_eq!(fought.events.len(), n_events, "seed {seed}");
        assert_eq!({ fought.outcome.rng }.draw(), rng_next, "seed {seed}");
    }
}

/// The limit that ended a battle and the team it blamed.
fn limit(fought: &table::Fought) -> Option<(Option<Team>, LimitReason)> {
    fought.events.iter().find_map(|it| match *it {
        Event::LimitExceeded { losing_team, reason } => Some((losing_team, reason)),
        _ => None,
    })
}

#[test]
fn the_201st_firing_of_a_phase_blames_its_team() {
    let burn = on(Trigger::OnStart, damage(1, Target::AllEnemies));
    let flinch = on(Trigger::OnDamageTaken, modify(0, 0, Target::SelfUnit));
    let fought = fight(&[unit(1, 99, &[burn; 4]); 5], &[unit(1, 99, &[flinch; 4]); 5], 1);
    let reason = LimitReason::Trigger { current: 201, max: 200 };
    assert_eq!(limit(&fought), Some((Some(Team::Enemy), reason)));
    let firings = fought.firings();
    let of_player = firings.iter().filter(|(id, _)| id.team() == Team::Player);
    assert_eq!((of_player.count(), firings.len()), (10, 200));
    assert_eq!(fought.outcome.result, BattleResult::Victory);
    assert_eq!(fought.events.len(), 443);
}

#[test]
fn the_101st_spawn_attempt_blames_its_team() {
    let swarm = on(Trigger::BeforeAnyAttack, spawn("goblin_looter"));
    let fought = fight(&[unit(0, 200, &[swarm; 4])], &[unit(0, 200, &[])], 1);
    let reason = LimitReason::Spawn { current: 101, max: 100 };
    assert_eq!(limit(&fought), Some((Some(Team::Player), reason)));
    assert_eq!(fought.count(|it| matches!(it, Event::UnitSpawn { .. })), 4);
    assert_eq!(fought.outcome.rounds, 26);
    assert_eq!(fought.outcome.result, BattleResult::Defeat);
    assert_eq!(fought.events.len(), 335);
}

#[test]
fn reactions_to_an_entry_at_depth_ten_blame_the_team_that_caused_them() {
    let start = on(Trigger::OnStart, damage(1, Target::FrontEnemy));
    let back = on(Trigger::OnDamageTaken, damage(1, Target::FrontEnemy));
    let fought = fight(&[unit(1, 99, &[start, back])], &[unit(1, 99, &[back])], 1);
    let reason = LimitReason::TriggerDepth { current: 11, max: 10 };
    // The start is at depth 0, the enemy answers at odd depths, so depth 10 is the player's.
    assert_eq!(limit(&fought), Some((Some(Team::Player), reason)));
    assert_eq!(fought.firings().len(), 11);
    assert_eq!(fought.outcome.result, BattleResult::Defeat);
}

#[test]
fn attack_saturates_at_each_single_addition() {
    let up = on(Trigger::OnStart, modify(5, 0, Target::SelfUnit));
    let down = on(Trigger::OnStart, modify(-5, 0, Target::SelfUnit));
    let fought = fight(&[unit(i32::MAX, 1, &[up, down])], &[unit(0, 1, &[])], 1);
    let attack = |it: &Event| match it {
        Event::AbilityModifyStats { new_attack, .. } => Some(*new_attack),
        _ => None,
    };
    let attacks: Vec<_> = fought.events.iter().filter_map(attack).collect();
    assert_eq!(attacks, [2147483647, 2147483642]);
    assert_eq!(fought.outcome.result, BattleResult::Victory);
    assert_eq!(fought.events.len(), 17);
}

#[test]
fn destroying_a_unit_of_great_health_saturates_the_damage() {
    let destroy = auto_battle::Effect::Destroy { target: Target::FrontEnemy };
    let fought = fight(&[unit(0, 1, &[on(Trigger::OnStart, destroy)])], &[unit(0, i32::MAX, &[])], 1);
    let told = fought.events.iter().find_map(|it| match *it {
        Event::AbilityDamage { damage, remaining_hp, .. } => Some((damage, remaining_hp)),
        _ => None,
    });
    assert_eq!(told, Some((i32::MAX, -999)));
}

#[test]
fn a_battle_of_two_empty_boards_is_a_draw() {
    let fought = fight(&[], &[], 1);
    assert_eq!(fought.outcome.result, BattleResult::Draw);
    assert_eq!(fought.events.len(), 3);
}

#[test]
fn boards_of_six_units_are_refused() {
    let pool = starter_pool();
    let six = [starter_index("militia").unwrap(); 6];
    assert!(Matchup::of_indices(&pool, &six, &six[..1]).is_err());
    assert!(Matchup::of_indices(&pool, &six[..5], &six).is_err());
    assert!(Matchup::of_indices(&pool, &six[..5], &six[..5]).is_ok());
}

#[test]
fn a_card_that_starts_dead_cannot_fight() {
    let pool = starter_pool();
    let dead = Card { health: 0, ..Card::default() };
    let fighters = [auto_battle::Fighter::Guest(&dead)];
    assert!(Matchup::new(&pool, &fighters, &[]).is_err());
}
