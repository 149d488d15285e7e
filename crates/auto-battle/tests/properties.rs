//! What holds for every legal battle and every run.

mod arbitrary;
mod table;

use std::collections::BTreeSet;

use arbitrary::ArbitraryBattle;
use auto_battle::{
    BattleResult, Card, Event, Fighter, InstanceId, LocalRun, Matchup, NoEvents, Pool, ShopAction, Team, UnitView,
    WORK_STEPS_MAX, WorkCounter,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn guests(cards: &[Card]) -> Vec<Fighter<'_>> {
    cards.iter().map(Fighter::Guest).collect()
}

fn matchup<'a>(pool: &'a Pool, player: &'a [Card], enemy: &'a [Card]) -> Matchup<'a> {
    Matchup::new(pool, &guests(player), &guests(enemy)).expect("arbitrary boards are legal")
}

fn fight(battle: &ArbitraryBattle) -> table::Fought {
    table::fight_in(&battle.pool, &battle.player, &battle.enemy, battle.seed)
}

/// The boards as a spectator has them who sees only the events.
struct Replay {
    player: Vec<UnitView>,
    enemy: Vec<UnitView>,
}

impl Replay {
    fn new(battle: &ArbitraryBattle) -> Self {
        let pool = &battle.pool;
        let start = matchup(pool, &battle.player, &battle.enemy);
        Self { player: start.player().to_vec(), enemy: start.enemy().to_vec() }
    }

    fn board(&mut self, team: Team) -> &mut Vec<UnitView> {
        match team {
            Team::Player => &mut self.player,
            Team::Enemy => &mut self.enemy,
        }
    }

    fn unit(&mut self, id: InstanceId) -> &mut UnitView {
        let board = self.board(id.team()).iter_mut();
        let mut found = board.filter(|it| it.instance_id == id);
        found.next().expect("events name only units on the board")
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::DamageTaken { target_instance_id, remaining_hp, team } => {
                assert_eq!(target_instance_id.team(), team);
                self.unit(target_instance_id).health = remaining_hp;
            }
            Event::AbilityDamage { target_instance_id, remaining_hp, .. } => {
                self.unit(target_instance_id).health = remaining_hp;
            }
            Event::AbilityModifyStats { target_instance_id, new_attack, new_health, .. } => {
                let unit = self.unit(target_instance_id);
                (unit.attack, unit.health) = (new_attack, new_health);
            }
            Event::UnitDeath { team, new_board_state } => {
                let board = self.board(team);
                let before = board.len();
                board.retain(|it| it.health > 0);
                assert!(board.len() < before, "somebody died");
                assert_eq!(*board, *new_board_state);
            }
            Event::UnitSpawn { team, spawned_unit, new_board_state } => {
                let board = self.board(team);
                let place = new_board_state.iter().position(|it| *it == spawned_unit);
                board.insert(place.expect("the spawned unit is on the board"), spawned_unit);
                assert_eq!(*board, *new_board_state);
            }
            Event::PhaseStart { .. }
            | Event::PhaseEnd { .. }
            | Event::AbilityTrigger { .. }
            | Event::Clash { .. }
            | Event::BattleEnd { .. }
            | Event::LimitExceeded { .. } => {}
        }
    }
}

proptest! {
    #[test]
    fn events_replay_to_the_final_boards(battle in arbitrary::battle()) {
        let fought = fight(&battle);
        let mut replay = Replay::new(&battle);
        fought.events.iter().for_each(|it| replay.apply(it));
        prop_assert_eq!(&replay.player[..], &fought.outcome.player[..]);
        prop_assert_eq!(&replay.enemy[..], &fought.outcome.enemy[..]);
    }

    #[test]
    fn a_battle_ends_once_with_its_result(battle in arbitrary::battle()) {
        let fought = fight(&battle);
        let result = fought.outcome.result;
        prop_assert_eq!(fought.events.last(), Some(&Event::BattleEnd { result }));
        prop_assert_eq!(fought.count(|it| matches!(it, Event::BattleEnd { .. })), 1);
        prop_assert!(fought.outcome.rounds <= 100);
    }

    #[test]
    fn ids_are_never_used_twice(battle in arbitrary::battle()) {
        let start = Replay::new(&battle);
        let fought = fight(&battle);
        let first = start.player.iter().chain(&start.enemy).map(|it| it.instance_id);
        let mut seen: BTreeSet<_> = first.collect();
        for event in &fought.events {
            if let Event::UnitSpawn { spawned_unit, team, .. } = event {
                prop_assert_eq!(spawned_unit.instance_id.team(), *team);
                prop_assert!(seen.insert(spawned_unit.instance_id));
            }
        }
    }

    #[test]
    fn the_work_of_a_battle_is_bounded(battle in arbitrary::battle()) {
        let mut counter = WorkCounter::default();
        matchup(&battle.pool, &battle.player, &battle.enemy).fight(battle.seed, &mut counter);
        prop_assert!(counter.steps <= WORK_STEPS_MAX);
    }

    #[test]
    fn watching_a_battle_does_not_change_it(battle in arbitrary::battle()) {
        let matchup = matchup(&battle.pool, &battle.player, &battle.enemy);
        let unseen = matchup.fight(battle.seed, &mut NoEvents);
        prop_assert_eq!(unseen, fight(&battle).outcome);
        prop_assert_eq!(unseen, matchup.fight(battle.seed, &mut NoEvents), "fought again");
    }

    /// The rules prefer the player only between entries of both teams, so with abilities on one
    /// side alone the sides can be exchanged.
    #[test]
    fn sides_can_be_exchanged_if_only_one_has_abilities(
        battle in arbitrary::battle(),
        plain in vec((-3..8_i32, 1..12_i32), 0..=5),
    ) {
        let plain: Vec<_> = plain.iter().map(|&(a, h)| table::unit(a, h, &[])).collect();
        let there = matchup(&battle.pool, &battle.player, &plain);
        let back = matchup(&battle.pool, &plain, &battle.player);
        let there = there.fight(battle.seed, &mut NoEvents);
        let back = back.fight(battle.seed, &mut NoEvents);
        prop_assert_eq!(there.result, exchanged(back.result));
        prop_assert_eq!(there.rng, back.rng);
        prop_assert_eq!(there.rounds, back.rounds);
        prop_assert_eq!(stats(&there.player), stats(&back.enemy));
        prop_assert_eq!(stats(&there.enemy), stats(&back.player));
    }

    #[test]
    fn a_run_keeps_its_board_through_battles_and_its_cards_unique(
        seed in any::<u64>(),
        actions in vec(action(), 0..120),
    ) {
        let mut local = LocalRun::with_deck_seed(seed);
        for action in actions {
            let before = local.clone();
            match action {
                Some(action) => {
                    if local.act(action).is_err() {
                        prop_assert_eq!(local.run(), before.run(), "refused actions change nothing");
                    }
                }
                None => {
                    let _ = local.end_turn();
                    prop_assert_eq!(local.run().board(), before.run().board());
                    let _ = local.continue_after_battle();
                }
            }
            let run = local.run();
            let shop = run.shop().iter().filter_map(|it| it.card);
            let board = run.board().iter().flatten().copied();
            let ids: Vec<_> = shop.chain(board).chain(run.deck().iter().copied()).collect();
            let unique: BTreeSet<_> = ids.iter().map(|it| it.id).collect();
            prop_assert_eq!(unique.len(), ids.len());
            prop_assert!(run.mana() >= 0 && run.mana() <= run.mana_limit());
        }
    }
}

fn action() -> impl Strategy<Value = Option<ShopAction>> {
    let slot = 0..6_u8;
    prop_oneof![
        4 => slot.clone().prop_map(|slot| Some(ShopAction::PitchShopCard { slot })),
        4 => slot.clone().prop_map(|slot| Some(ShopAction::BuyCard { slot })),
        1 => slot.clone().prop_map(|slot| Some(ShopAction::ToggleFreeze { slot })),
        1 => slot.clone().prop_map(|slot| Some(ShopAction::PitchBoardUnit { slot })),
        1 => (slot.clone(), slot).prop_map(|(a, b)| Some(ShopAction::SwapBoard { a, b })),
        2 => Just(None),
    ]
}

fn exchanged(result: BattleResult) -> BattleResult {
    match result {
        BattleResult::Victory => BattleResult::Defeat,
        BattleResult::Defeat => BattleResult::Victory,
        BattleResult::Draw => BattleResult::Draw,
    }
}

fn stats(board: &[UnitView]) -> Vec<(i32, i32)> {
    board.iter().map(|it| (it.attack, it.health)).collect()
}
