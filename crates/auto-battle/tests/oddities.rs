//! The rules that are easily got wrong, each by its number.

mod table;

use auto_battle::BattlePhase::{AfterAttack, Attack, BeforeAttack, Start};
use auto_battle::{
    Ability, BattleResult, Card, CardFault, Condition, ConditionNode, Effect, Event, Pool, Rng, Target, Trigger,
    Violation, starter_index,
};
use table::{damage, enemy, fight, modify, on, player, spawn, unit};

fn only_if(ability: Ability, leaf: ConditionNode) -> Ability {
    Ability { condition: Condition::leaf(leaf), ..ability }
}

fn at_most(max_triggers: u32, ability: Ability) -> Ability {
    Ability { max_triggers: Some(max_triggers), ..ability }
}

#[test]
fn q1_a_spawned_unit_reacts_to_its_own_spawn() {
    let raise = on(Trigger::OnFaint, spawn("necromancer"));
    let fought = fight(&[unit(1, 1, &[raise])], &[unit(1, 3, &[])], 1);
    assert_eq!(fought.firings(), [(player(1), 0), (player(2), 0)]);
    let spawned = fought.events.iter().position(|it| matches!(it, Event::UnitSpawn { .. }));
    let after = &fought.events[spawned.unwrap() + 1..][..2];
    assert_eq!(after[0], Event::AbilityTrigger { source_instance_id: player(2), ability: 0 });
    assert_eq!(
        after[1],
        Event::AbilityModifyStats {
            source_instance_id: player(2),
            target_instance_id: player(2),
            health_change: 0,
            attack_change: 2,
            new_attack: 4,
            new_health: 3,
        }
    );
    assert_eq!(fought.outcome.result, BattleResult::Victory);
    assert_eq!(fought.events.len(), 27);
}

#[test]
fn q1_the_reaction_to_a_spawn_lies_one_level_deeper() {
    let raise = on(Trigger::OnStart, spawn("necromancer"));
    let fought = fight(&[unit(1, 9, &[raise; 2])], &[unit(1, 1, &[])], 1);
    let expected = [(player(1), 0), (player(2), 0), (player(1), 1), (player(3), 0)];
    assert_eq!(fought.firings(), expected);
}

#[test]
fn q1_units_of_the_first_boards_were_not_spawned() {
    let boost = on(Trigger::OnSpawn, modify(2, 0, Target::SelfUnit));
    let fought = fight(&[unit(1, 1, &[boost])], &[unit(1, 1, &[boost])], 1);
    assert_eq!(fought.firings(), []);
}

#[test]
fn q2_a_round_goes_on_after_a_board_is_empty() {
    let kill = on(Trigger::BeforeAnyAttack, damage(9, Target::FrontEnemy));
    let fought = fight(&[unit(1, 5, &[kill])], &[unit(1, 1, &[])], 1);
    let phases = fought.events.iter().filter_map(|it| match it {
        Event::PhaseEnd { phase } => Some(*phase),
        _ => None,
    });
    assert_eq!(phases.collect::<Vec<_>>(), [Start, BeforeAttack, Attack, AfterAttack]);
    assert_eq!(fought.count(|it| matches!(it, Event::Clash { .. })), 0);
}

#[test]
fn q3_the_front_unit_reacts_to_a_clash_without_damage() {
    let flinch = at_most(1, on(Trigger::OnDamageTaken, modify(3, 0, Target::SelfUnit)));
    for attack in [0, -2] {
        let fought = fight(&[unit(1, 5, &[flinch])], &[unit(attack, 3, &[])], 1);
        assert_eq!(fought.firings_in(Attack, 0), [(player(1), 0)], "attack {attack}");
    }
}

#[test]
fn q3_the_front_unit_reacts_even_if_there_was_no_clash() {
    let kill = on(Trigger::BeforeAnyAttack, damage(9, Target::FrontEnemy));
    let flinch = on(Trigger::OnDamageTaken, modify(1, 0, Target::SelfUnit));
    let fought = fight(&[unit(1, 5, &[kill, flinch])], &[unit(1, 1, &[])], 1);
    assert_eq!(fought.count(|it| matches!(it, Event::Clash { .. })), 0);
    assert_eq!(fought.firings_in(Attack, 0), [(player(1), 1)]);
}

#[test]
fn q4_ability_damage_of_nothing_hurts_nobody() {
    let flinch = on(Trigger::OnDamageTaken, modify(1, 0, Target::SelfUnit));
    let poke = on(Trigger::OnStart, damage(0, Target::FrontEnemy));
    let fought = fight(&[unit(1, 2, &[flinch])], &[unit(1, 2, &[poke])], 1);
    assert_eq!(fought.firings_in(Start, 0), [(enemy(1), 0)]);
    assert_eq!(fought.count(|it| matches!(it, Event::AbilityDamage { .. })), 0);
    assert_eq!(fought.firings_in(Attack, 1), [(player(1), 0)]);
    assert_eq!(fought.outcome.result, BattleResult::Draw);
    assert_eq!(fought.events.len(), 27);
}

#[test]
fn q4_ability_damage_of_nothing_still_spends_its_draw() {
    let poke = on(Trigger::OnStart, damage(-1, Target::RandomEnemy));
    let fought = fight(&[unit(1, 1, &[poke])], &[unit(1, 1, &[])], 9);
    let mut rng = Rng::from_seed(9);
    rng.draw();
    assert_eq!(fought.outcome.rng, rng);
}

#[test]
fn q5_of_equal_neighbours_dying_together_the_back_one_fires_first() {
    let revenge = on(Trigger::OnFaint, damage(1, Target::FrontEnemy));
    let burn = on(Trigger::OnStart, damage(1, Target::AllEnemies));
    let fought = fight(&[unit(1, 1, &[revenge]); 2], &[unit(3, 9, &[burn])], 1);
    assert_eq!(fought.firings(), [(enemy(1), 0), (player(2), 0), (player(1), 0)]);
    assert_eq!(fought.outcome.result, BattleResult::Defeat);
    assert_eq!(fought.events.len(), 11);
}

#[test]
fn q6_a_refused_spawn_costs_a_firing_and_the_abilitys_counter() {
    // The board is full when the one spawn is tried; when it has room the ability is spent.
    let once = at_most(1, on(Trigger::BeforeAnyAttack, spawn("golem")));
    let board = [unit(0, 1, &[]), unit(0, 9, &[once]), unit(0, 9, &[]), unit(0, 9, &[])];
    let full = [&board[..], &[unit(0, 9, &[])]].concat();
    let fought = fight(&full, &[unit(1, 99, &[])], 1);
    assert_eq!(fought.firings(), [(player(2), 0)]);
    assert_eq!(fought.count(|it| matches!(it, Event::UnitSpawn { .. })), 0);
}

#[test]
fn q6_a_refused_spawn_uses_no_id() {
    let twice = at_most(2, on(Trigger::BeforeAnyAttack, spawn("golem")));
    let board = [unit(0, 1, &[]), unit(0, 9, &[twice]), unit(0, 9, &[]), unit(0, 9, &[])];
    let full = [&board[..], &[unit(0, 9, &[])]].concat();
    let fought = fight(&full, &[unit(1, 99, &[])], 1);
    let spawned = fought.events.iter().find_map(|it| match it {
        Event::UnitSpawn { spawned_unit, .. } => Some(spawned_unit.instance_id),
        _ => None,
    });
    assert_eq!(spawned, Some(player(6)));
}

#[test]
fn q7_a_spawned_unit_has_all_abilities_of_its_card() {
    let raise = on(Trigger::OnFaint, spawn("battle_hardened"));
    let fought = fight(&[unit(1, 1, &[raise])], &[unit(1, 3, &[])], 1);
    assert_eq!(fought.firings_in(AfterAttack, 0), [(player(2), 1)]);
    assert_eq!(fought.firings_in(BeforeAttack, 1), [(player(2), 0)]);
    assert_eq!(fought.firings_in(AfterAttack, 1), [(player(2), 1)]);
    assert_eq!(fought.firings().len(), 4);
    assert_eq!(fought.outcome.result, BattleResult::Victory);
    assert_eq!(fought.events.len(), 31);
}

#[track_caller]
fn check_draws(condition: Condition, n_draws: usize) {
    let hit = on(Trigger::OnStart, damage(1, Target::RandomEnemy));
    let fought = fight(&[unit(9, 9, &[Ability { condition, ..hit }])], &[unit(1, 9, &[])], 5);
    let mut rng = Rng::from_seed(5);
    (0..n_draws).for_each(|_| {
        rng.draw();
    });
    assert_eq!(fought.outcome.rng, rng);
}

#[test]
fn q8_a_random_target_is_drawn_for_each_leaf_and_again_for_the_effect() {
    let yes = Condition::leaf(ConditionNode::TargetHealthGreaterThan { value: 0 });
    let no = Condition::leaf(ConditionNode::TargetHealthGreaterThan { value: 99 });
    check_draws(Condition::NONE, 1);
    check_draws(yes, 2);
    check_draws(no, 1);
    check_draws(yes.and(&yes).unwrap(), 3);
    check_draws(no.and(&yes).unwrap(), 1);
    check_draws(yes.or(&yes).unwrap(), 2);
    check_draws(no.or(&yes).unwrap(), 3);
    check_draws(no.negated().unwrap(), 2);
    check_draws(no.and(&yes).unwrap().or(&yes).unwrap(), 3);
}

#[test]
fn q9_source_is_front_looks_at_the_position_when_queued() {
    let grow = on(Trigger::BeforeAnyAttack, modify(1, 0, Target::SelfUnit));
    let grow = only_if(grow, ConditionNode::SourceIsFront);
    let shoot = at_most(1, on(Trigger::BeforeAnyAttack, damage(1, Target::FrontEnemy)));
    let fought = fight(&[unit(1, 1, &[]), unit(1, 5, &[grow])], &[unit(2, 9, &[shoot])], 1);
    assert_eq!(fought.firings_in(BeforeAttack, 0), [(enemy(1), 0)]);
    assert_eq!(fought.firings().len(), 3);
    assert_eq!(fought.outcome.result, BattleResult::Defeat);
    assert_eq!(fought.events.len(), 38);
}

#[test]
fn q9_source_is_back_compares_with_the_board_as_it_is() {
    // Queued at position 0 of two; the other dies first, so position 0 is now the back.
    let grow = on(Trigger::BeforeAnyAttack, modify(1, 0, Target::SelfUnit));
    let grow = only_if(grow, ConditionNode::SourceIsBack);
    let shoot = at_most(1, on(Trigger::BeforeAnyAttack, damage(1, Target::BackEnemy)));
    let board = [unit(1, 5, &[grow]), unit(1, 1, &[])];
    let fought = fight(&board, &[unit(2, 9, &[shoot])], 1);
    assert_eq!(fought.firings_in(BeforeAttack, 0), [(enemy(1), 0), (player(1), 0)]);
}

#[test]
fn q10_after_unit_attack_belongs_to_whoever_is_in_front_then() {
    let rush = on(Trigger::AfterUnitAttack, modify(2, 0, Target::SelfUnit));
    let fought = fight(&[unit(1, 1, &[]), unit(1, 5, &[rush])], &[unit(2, 9, &[])], 1);
    assert_eq!(fought.firings_in(AfterAttack, 0), [(player(2), 0)]);
}

#[test]
fn q11_a_living_spawner_puts_the_token_in_front_of_everyone() {
    let raise = on(Trigger::OnStart, spawn("golem"));
    let fought = fight(&[unit(1, 3, &[]), unit(1, 3, &[raise])], &[unit(1, 1, &[])], 1);
    let board = fought.events.iter().find_map(|it| match it {
        Event::UnitSpawn { new_board_state, .. } => Some(new_board_state),
        _ => None,
    });
    let ids: Vec<_> = board.unwrap().iter().map(|it| it.instance_id).collect();
    assert_eq!(ids, [player(3), player(1), player(2)]);
}

#[test]
fn q11_a_dead_spawner_puts_the_token_where_it_died() {
    let raise = on(Trigger::OnFaint, spawn("golem"));
    let shoot = on(Trigger::OnStart, damage(1, Target::BackEnemy));
    let board = [unit(1, 3, &[]), unit(1, 1, &[raise, raise])];
    let fought = fight(&board, &[unit(1, 1, &[shoot])], 1);
    let last = fought.events.iter().rev().find_map(|it| match it {
        Event::UnitSpawn { new_board_state, .. } => Some(new_board_state),
        _ => None,
    });
    let ids: Vec<_> = last.unwrap().iter().map(|it| it.instance_id).collect();
    // The second token stands in front of the first.
    assert_eq!(ids, [player(1), player(4), player(3)]);
}

#[test]
fn q12_a_pool_with_an_unknown_spawn_is_refused() {
    let card = |name| Card {
        abilities: auto_battle::Bounded::try_from_iter([
            Ability::new(Trigger::OnStart, Effect::Destroy { target: Target::SelfUnit }),
            Ability::new(Trigger::OnFaint, Effect::SpawnUnit { card: name }),
        ])
        .unwrap(),
        ..Card::default()
    };
    let fault = CardFault::UnknownSpawn { ability: 1 };
    let unknown = Pool::link(&[("a", card("a")), ("b", card("c"))]);
    assert_eq!(unknown, Err(vec![Violation::Card { card_idx: 1, fault }]));
    assert!(Pool::link(&[("a", card("a")), ("c", card("a"))]).is_ok());
}

#[test]
fn q12_a_pool_reports_all_that_is_wrong() {
    let mut cards = vec![Card::default(); 65];
    cards[3].health = 0;
    let violations = Pool::check(cards).unwrap_err();
    let fault = CardFault::HealthBelowOne;
    let expected = [Violation::TooManyCards { n_cards: 65 }, Violation::Card { card_idx: 3, fault }];
    assert_eq!(violations, expected);
    let twins = [("a", Card::default()), ("a", Card::default())];
    assert_eq!(Pool::link(&twins), Err(vec![Violation::DuplicateName { card_idx: 1 }]));
    assert_eq!(starter_index("no_such_card"), None);
}

#[test]
fn q13_after_a_clash_the_ability_index_decides_between_hurt_and_dead() {
    let hurt = on(Trigger::OnDamageTaken, damage(1, Target::FrontEnemy));
    let dead = on(Trigger::OnFaint, damage(1, Target::FrontEnemy));
    for abilities in [[hurt, dead], [dead, hurt]] {
        let fought = fight(&[unit(1, 1, &abilities)], &[unit(1, 9, &[])], 1);
        assert_eq!(fought.firings(), [(player(1), 0), (player(1), 1)]);
    }
}

#[test]
fn q13_after_an_effect_the_dead_entry_goes_first_if_a_mate_ahead_died_too() {
    let hurt = on(Trigger::OnDamageTaken, damage(1, Target::FrontEnemy));
    let dead = on(Trigger::OnFaint, damage(1, Target::FrontEnemy));
    let burn = on(Trigger::OnStart, damage(1, Target::AllEnemies));
    let victim = unit(1, 1, &[hurt, dead]);
    let behind = fight(&[unit(1, 1, &[]), victim], &[unit(1, 9, &[burn])], 1);
    assert_eq!(behind.firings(), [(enemy(1), 0), (player(2), 1), (player(2), 0)]);
    let in_front = fight(&[victim, unit(1, 1, &[])], &[unit(1, 9, &[burn])], 1);
    assert_eq!(in_front.firings(), [(enemy(1), 0), (player(1), 0), (player(1), 1)]);
}
