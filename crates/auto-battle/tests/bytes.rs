//! Bytes from anywhere: decoding refuses what is out of bounds, and what it accepts can be played.

mod arbitrary;

use auto_battle::json::{Lines, Telling};
use auto_battle::{
    BattleResult, Bounded, Card, CardLink, CardSet, Condition, ConditionNode, Event, Fighter, LimitReason, Matchup,
    NoEvents, POOL_CARDS_MAX, Pool, Rng, Run, RunCard, STEPS_MAX, ShopAction, WORK_STEPS_MAX, WorkCounter,
    starter_deck, starter_pool,
};
use parity_scale_codec::{Decode, Encode, MaxEncodedLen};
use proptest::collection::vec;
use proptest::prelude::*;

type BoardBytes = Bounded<Card, 5>;
type BattleBytes = (Bounded<Card, POOL_CARDS_MAX>, BoardBytes, BoardBytes, u64);

/// Decodes a battle, checks it and fights it; whatever the bytes are, nothing breaks.
fn play_bytes(bytes: &[u8]) -> Option<auto_battle::Outcome> {
    let (pool, player, enemy, seed) = BattleBytes::decode(&mut &*bytes).ok()?;
    let pool = Pool::check(pool.to_vec()).ok()?;
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    let matchup = Matchup::new(&pool, &player, &enemy).ok()?;
    let mut counter = WorkCounter::default();
    let outcome = matchup.fight(seed, &mut counter);
    assert!(counter.steps <= WORK_STEPS_MAX);
    Some(outcome)
}

fn encode(battle: &arbitrary::ArbitraryBattle) -> Vec<u8> {
    let board = |cards: &[Card]| BoardBytes::try_from_iter(cards.iter().copied()).unwrap();
    let pool = battle.pool.cards().iter().copied();
    let pool: Bounded<Card, POOL_CARDS_MAX> = Bounded::try_from_iter(pool).unwrap();
    (pool, board(&battle.player), board(&battle.enemy), battle.seed).encode()
}

#[test]
fn every_battle_of_the_corpus_is_played_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let outcomes: Vec<_> = files.map(|path| play_bytes(&std::fs::read(path).unwrap())).collect();
    let n_played = outcomes.iter().flatten().count();
    assert!(n_played >= 30, "the corpus has battles that decode: {n_played}");
    assert!(n_played < outcomes.len(), "the corpus has bytes that do not");
}

#[test]
fn a_battle_that_would_never_end_is_a_draw_at_the_limit_of_steps() {
    let bytes = include_bytes!("data/worst.bin");
    let (pool, player, enemy, seed) = BattleBytes::decode(&mut &bytes[..]).unwrap();
    for card in pool.iter().chain(&player).chain(&enemy) {
        assert_eq!(card.check_registration(), Ok(()), "a chain would take it");
    }
    let pool = Pool::check(pool.to_vec()).unwrap();
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    let mut counter = WorkCounter::default();
    let matchup = Matchup::new(&pool, &player, &enemy).unwrap();
    let outcome = matchup.fight(seed, &mut counter);
    // Without the limit it would take 1 572 751 steps.
    assert_eq!(outcome.result, BattleResult::Draw);
    assert!((STEPS_MAX + 1..=WORK_STEPS_MAX).contains(&counter.steps), "{}", counter.steps);
    let mut events: Vec<Event> = Vec::new();
    matchup.fight(seed, &mut events);
    let reason = LimitReason::Step { current: 200_001, max: 200_000 };
    let told = Event::LimitExceeded { losing_team: None, reason };
    assert_eq!(events[events.len() - 2..], [told, Event::BattleEnd { result: BattleResult::Draw }]);
}

proptest! {
    #[test]
    fn any_bytes_are_a_battle_or_refused(bytes in vec(any::<u8>(), 0..600)) {
        play_bytes(&bytes);
    }

    #[test]
    fn a_battle_survives_its_encoding(battle in arbitrary::battle()) {
        let bytes = encode(&battle);
        let (pool, player, enemy, seed) = BattleBytes::decode(&mut &bytes[..]).unwrap();
        prop_assert_eq!(&pool[..], battle.pool.cards());
        prop_assert_eq!(&player[..], &battle.player[..]);
        prop_assert_eq!(&enemy[..], &battle.enemy[..]);
        prop_assert_eq!(seed, battle.seed);
        prop_assert!(play_bytes(&bytes).is_some());
    }

    #[test]
    fn a_damaged_battle_is_a_battle_or_refused(
        battle in arbitrary::battle(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = encode(&battle);
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        play_bytes(&bytes);
    }

    #[test]
    fn any_bytes_are_a_run_that_can_be_played_or_refused(
        bytes in vec(any::<u8>(), 80..300),
        slot in any::<u8>(),
    ) {
        let pool = starter_pool();
        if let Ok(mut run) = Run::<64>::decode(&mut &bytes[..]) {
            for action in every_action(slot) {
                let _ = run.act(&pool, action);
            }
            let _ = run.end_turn();
            let _ = run.report_result(auto_battle::BattleResult::Draw);
            let _ = run.continue_after_battle();
            let again = Run::<64>::decode(&mut &run.encode()[..]);
            // A deck grows past its bound only by what the shop gives back.
            prop_assert!(again.is_ok() || run.deck().len() > 64);
        }
    }

    #[test]
    fn cards_survive_json(card in arbitrary::card(4)) {
        let text = serde_json::to_string(&card).unwrap();
        prop_assert_eq!(serde_json::from_str::<Card>(&text).unwrap(), card);
    }

    #[test]
    fn any_text_is_answered_with_an_object(text in "\\PC{0,200}") {
        let lines = Lines::new();
        for answer in [lines.battle(text.as_bytes(), Telling::Events), lines.run(text.as_bytes())] {
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            prop_assert!(answer.is_object());
        }
    }

    #[test]
    fn any_nodes_are_one_tree_within_bounds_or_refused(kinds in vec(0..20_u8, 0..10)) {
        // Variants 17 to 19 are the connectives; the others need no bytes if they are below 1.
        let nodes: Vec<_> = kinds
            .iter()
            .map(|kind| match kind {
                0..=9 => ConditionNode::SourceIsFront,
                10..=13 => ConditionNode::And,
                14..=16 => ConditionNode::Or,
                _ => ConditionNode::Not,
            })
            .collect();
        let mut rest = nodes.iter();
        let depth = depth(&mut rest);
        let is_tree = depth.is_some_and(|it| it <= 3) && rest.next().is_none() && nodes.len() <= 7;
        prop_assert_eq!(Condition::from_nodes(&nodes).is_ok(), is_tree);
    }
}

/// The levels below the root of the tree that starts here, by plain recursion.
fn depth(nodes: &mut std::slice::Iter<'_, ConditionNode>) -> Option<usize> {
    let node = nodes.next()?;
    let mut deepest = 0;
    for _ in 0..node.arity() {
        deepest = deepest.max(depth(nodes)? + 1);
    }
    Some(deepest)
}

fn every_action(slot: u8) -> [ShopAction; 5] {
    [
        ShopAction::PitchShopCard { slot: slot % 6 },
        ShopAction::BuyCard { slot: slot / 6 % 6 },
        ShopAction::ToggleFreeze { slot: slot / 36 },
        ShopAction::SwapBoard { a: slot % 5, b: slot / 5 % 6 },
        ShopAction::PitchBoardUnit { slot: slot % 7 },
    ]
}

#[test]
fn lists_beyond_their_bound_are_refused_before_they_are_read() {
    // A compact length of 2^30 - 1 and nothing behind it.
    let bytes = [0xfe, 0xff, 0xff, 0xff];
    assert!(BoardBytes::decode(&mut &bytes[..]).is_err());
    assert!(Run::<64>::decode(&mut &bytes[..]).is_err());
    assert!(CardSet::decode(&mut &bytes[..]).is_err());
    let eight = vec![ConditionNode::None; 8].encode();
    assert!(Condition::decode(&mut &eight[..]).is_err());
    assert!(Condition::decode(&mut &Vec::<ConditionNode>::new().encode()[..]).is_err());
}

#[test]
fn the_longest_values_are_as_long_as_declared() {
    let leaf = Condition::leaf(ConditionNode::SourceHealthGreaterThan { value: 1 });
    let pair = leaf.and(&leaf).unwrap();
    let widest = pair.or(&pair).unwrap();
    assert_eq!(widest.nodes().len(), 7);
    // Four leaves of five bytes and three connectives of one; the bound allows seven of five.
    assert_eq!(widest.encode().len(), 1 + 4 * 5 + 3);
    assert_eq!(Condition::max_encoded_len(), 1 + 7 * 5);

    let full = Run::<105>::new(starter_deck()).unwrap();
    assert!(full.encode().len() <= Run::<105>::max_encoded_len());
    assert_eq!(Run::<105>::decode(&mut &full.encode()[..]), Ok(full));
    assert!(Run::<104>::new(starter_deck()).is_err());
    assert_eq!(RunCard::max_encoded_len(), 5);
    assert!(Card::<CardLink>::max_encoded_len() < 1024);
    assert!(Event::<auto_battle::UnitView>::max_encoded_len() < 256);
}

#[test]
fn a_random_stream_at_zero_is_refused() {
    assert!(Rng::decode(&mut &[0; 4][..]).is_err());
    let mut rng = Rng::from_seed(7);
    rng.draw();
    assert_eq!(Rng::decode(&mut &rng.encode()[..]), Ok(rng));
}

#[test]
fn a_battle_of_no_units_is_played() {
    let empty = Matchup::of_indices(&starter_pool(), &[], &[]).unwrap().fight(0, &mut NoEvents);
    assert_eq!(empty.rounds, 0);
}
