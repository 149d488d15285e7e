//! Battles that are kept and fought again.

use auto_battle::{
    Ability, BattleResult, BoardUnit, Bounded, Card, CardFault, CardIndex, Effect, Judgement, Matchup, MatchupError,
    NoEvents, Pool, SavedBattle, SavedBoard, Team, Trigger, WorkCounter, builtin_board, builtin_opponent,
    starter_index, starter_pool,
};
use parity_scale_codec::{Decode, Encode, MaxEncodedLen};

fn board(units: &[BoardUnit]) -> SavedBoard {
    Bounded::try_from_iter(units.iter().copied()).unwrap()
}

fn starter(name: &str) -> BoardUnit {
    BoardUnit::Starter(starter_index(name).unwrap())
}

#[test]
fn a_saved_battle_comes_out_as_the_battle_it_saves() {
    let pool = starter_pool();
    for round in 1..=12 {
        let enemy = builtin_opponent(round);
        for card in (0..35).map(CardIndex) {
            let player = [card, CardIndex(20), card];
            let matchup = Matchup::of_indices(&pool, &player, &enemy).unwrap();
            let expected = matchup.fight(u64::from(round), &mut NoEvents);
            let saved = SavedBattle {
                player: board(&player.map(BoardUnit::Pool)),
                enemy: builtin_board(round),
                seed: u64::from(round),
            };
            let mut work = WorkCounter::default();
            let outcome = saved.fight(&pool, &mut work).unwrap();
            assert_eq!((outcome.result, outcome.rng), (expected.result, expected.rng), "round {round}, {card:?}");
            let judgement = Judgement { result: expected.result, steps: work.steps, is_over_limit: false };
            assert_eq!(saved.judge(&pool), Ok(judgement), "round {round}, {card:?}");
        }
    }
}

#[test]
fn built_in_opponents_fight_boards_of_a_pool_without_starter_cards() {
    let weak = Pool::check(vec![Card::default()]).unwrap();
    let battle = SavedBattle { player: board(&[BoardUnit::default()]), enemy: builtin_board(1), seed: 1 };
    assert_eq!(battle.fight(&weak, &mut NoEvents).unwrap().result, BattleResult::Defeat);
}

#[test]
fn boards_that_cannot_fight_are_refused() {
    #[track_caller]
    fn check(player: &[BoardUnit], expected: MatchupError) {
        let battle = SavedBattle { player: board(player), enemy: SavedBoard::new(), seed: 1 };
        let pool = Pool::check(vec![Card::default()]).unwrap();
        assert_eq!(battle.fight(&pool, &mut NoEvents), Err(expected));
    }
    let unknown = |slot| MatchupError::UnknownCard { team: Team::Player, slot };
    check(&[BoardUnit::Pool(CardIndex(1))], unknown(0));
    check(&[starter("goblin_scout"), BoardUnit::Starter(CardIndex(35))], unknown(1));
    // What it spawns is in the starter pool only.
    check(&[starter("zombie_captain")], unknown(0));
}

#[test]
fn pools_are_checked_when_they_are_decoded() {
    let pool = starter_pool();
    assert_eq!(Pool::decode(&mut &pool.encode()[..]).unwrap(), pool);
    assert!(pool.encode().len() <= Pool::max_encoded_len());

    let spawn = Ability::new(Trigger::OnStart, Effect::SpawnUnit { card: CardIndex(7) });
    let lonely = Card { abilities: Bounded::try_from_iter([spawn]).unwrap(), ..Card::default() };
    assert!(Pool::check(vec![lonely]).is_err_and(|it| {
        it.contains(&auto_battle::Violation::Card { card_idx: 0, fault: CardFault::UnknownSpawn { ability: 0 } })
    }));
    assert!(Pool::decode(&mut &vec![lonely].encode()[..]).is_err());
    assert!(Pool::decode(&mut &vec![Card::<CardIndex>::default(); 65].encode()[..]).is_err());
}

#[test]
fn golden_battles_come_out_equal_when_they_are_saved() {
    let lines = auto_battle::json::Lines::new();
    for line in include_str!("data/battles.jsonl").lines() {
        let golden: serde_json::Value = serde_json::from_str(line).unwrap();
        let (pool, battle) = lines.saved_battle(line.as_bytes()).unwrap();
        let mut outcome = battle.fight(&pool, &mut NoEvents).unwrap();
        assert_eq!(serde_json::to_value(outcome.result).unwrap(), golden["result"]);
        assert_eq!(outcome.rng.draw(), golden["rngNext"]);
    }
}
