//! What a run refuses, and what its host may do and when.

use auto_battle::{
    BattleResult, Bounded, Card, CardIndex, PendingBattle, Pool, Rejection, Rng, Run, RunCard, RunPhase, RunStep,
    ShopAction, draw_deck, starter_deck, starter_pool,
};

/// A pool of one card with these numbers.
fn pool(play_cost: i32, pitch_value: i32) -> Pool {
    let card = Card { play_cost, pitch_value, ..Card::default() };
    Pool::check(vec![card]).unwrap()
}

fn run(n_cards: u32) -> Run {
    let card = CardIndex(0);
    Run::new((1..=n_cards).map(|id| RunCard { id, card }).collect()).unwrap()
}

fn ids(run: &Run) -> [Option<u32>; 5] {
    run.shop().map(|it| it.card.map(|card| card.id))
}

#[test]
fn the_last_card_of_the_deck_comes_first() {
    let run = run(7);
    assert_eq!(ids(&run), [Some(7), Some(6), Some(5), Some(4), Some(3)]);
}

#[test]
fn a_deck_with_more_cards_than_a_run_can_hold_is_refused() {
    let deck = |n_cards| (1..=n_cards).map(|id| RunCard { id, card: CardIndex(0) }).collect();
    assert_eq!(Run::<7>::new(deck(8)), Err(Rejection::DeckTooLarge));
    assert!(Run::<7>::new(deck(7)).is_ok());
}

#[test]
fn buying_needs_a_card_then_mana_then_room() {
    let pool = pool(1, 1);
    let mut run = run(30);
    let buy = |run: &mut Run, slot| run.buy_card(&pool, slot);
    assert_eq!(buy(&mut run, 5), Err(Rejection::EmptySlot { slot: 5 }));
    assert_eq!(buy(&mut run, 0), Err(Rejection::NotEnoughMana { mana: 0, cost: 1 }));
    for _ in 0..5 {
        run.pitch_shop_card(&pool, 4).unwrap();
        buy(&mut run, 0).unwrap();
        let again = buy(&mut run, 0);
        assert_eq!(again, Err(Rejection::EmptySlot { slot: 0 }));
        run.end_turn().unwrap();
        run.report_result(BattleResult::Draw).unwrap();
        run.continue_after_battle().unwrap();
    }
    let before = run.clone();
    assert_eq!(buy(&mut run, 0), Err(Rejection::NotEnoughMana { mana: 0, cost: 1 }));
    assert_eq!(run, before);
    run.pitch_shop_card(&pool, 4).unwrap();
    let before = run.clone();
    assert_eq!(buy(&mut run, 0), Err(Rejection::BoardFull));
    assert_eq!(run, before, "the card is still in the shop");
}

#[test]
fn a_slot_bought_empty_stays_empty_until_the_next_shop() {
    let pool = pool(0, 0);
    let mut run = run(10);
    run.buy_card(&pool, 2).unwrap();
    assert_eq!(ids(&run)[2], None);
    assert_eq!(run.toggle_freeze(2), Err(Rejection::EmptySlot { slot: 2 }));
    assert_eq!(run.board()[0].unwrap().id, 8);
}

#[test]
fn a_frozen_card_stays_one_round_and_others_go_under_the_deck() {
    let mut run = run(7);
    run.toggle_freeze(1).unwrap();
    run.end_turn().unwrap();
    // Slot 4's card lies lowest.
    let deck: Vec<_> = run.deck().iter().map(|it| it.id).collect();
    assert_eq!(deck, [3, 4, 5, 7, 1, 2]);
    assert_eq!(ids(&run), [None, Some(6), None, None, None]);
    assert!(run.shop().iter().all(|it| !it.frozen));
}

#[test]
fn a_frozen_flag_outlives_a_card_that_is_bought_but_not_one_that_is_replaced() {
    let pool = pool(0, 0);
    let mut run = run(6);
    run.toggle_freeze(0).unwrap();
    run.buy_card(&pool, 0).unwrap();
    assert!(run.shop()[0].frozen);
    run.toggle_freeze(1).unwrap();
    run.pitch_shop_card(&pool, 1).unwrap();
    assert!(!run.shop()[1].frozen, "the deck gave a new card");
    run.toggle_freeze(2).unwrap();
    run.pitch_shop_card(&pool, 2).unwrap();
    assert!(run.shop()[2].frozen, "the deck was empty");
    assert_eq!(ids(&run)[2], None);
}

#[test]
fn mana_stops_at_the_limit_of_the_round() {
    let pool = pool(0, 2);
    let mut run = run(20);
    run.pitch_shop_card(&pool, 0).unwrap();
    run.pitch_shop_card(&pool, 0).unwrap();
    assert_eq!((run.mana(), run.mana_limit()), (3, 3));
}

#[test]
fn the_mana_limit_grows_to_ten() {
    let mut run = run(0);
    let mut limits = Vec::new();
    for _ in 0..10 {
        limits.push(run.mana_limit());
        run.end_turn().unwrap();
        run.report_result(BattleResult::Draw).unwrap();
        run.continue_after_battle().unwrap();
    }
    assert_eq!(limits, [3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
    assert_eq!(run.lives(), 3, "draws cost nothing");
}

#[test]
fn numbers_of_any_size_saturate() {
    let pool = pool(i32::MIN, i32::MIN);
    let mut run = run(20);
    run.pitch_shop_card(&pool, 0).unwrap();
    run.pitch_shop_card(&pool, 0).unwrap();
    assert_eq!(run.mana(), i32::MIN);
    run.buy_card(&pool, 0).unwrap();
    assert_eq!(run.mana(), 0);
    run.buy_card(&pool, 1).unwrap();
    assert_eq!(run.mana(), i32::MAX);
}

#[test]
fn swapping_takes_any_two_slots_of_the_board() {
    let pool = pool(0, 0);
    let mut run = run(5);
    run.buy_card(&pool, 0).unwrap();
    run.swap_board(0, 4).unwrap();
    assert_eq!(run.board()[4].unwrap().id, 5);
    run.swap_board(4, 4).unwrap();
    assert_eq!(run.swap_board(0, 5), Err(Rejection::EmptySlot { slot: 5 }));
    assert_eq!(run.swap_board(9, 0), Err(Rejection::EmptySlot { slot: 9 }));
}

#[test]
fn a_pending_battle_has_the_board_without_gaps() {
    let pool = pool(0, 0);
    let mut run = run(5);
    run.buy_card(&pool, 0).unwrap();
    run.buy_card(&pool, 1).unwrap();
    run.swap_board(0, 3).unwrap();
    assert_eq!(run.pending_battle(), None);
    let pending = run.end_turn().unwrap();
    let board = Bounded::try_from_iter([CardIndex(0), CardIndex(0)]).unwrap();
    assert_eq!(pending, PendingBattle { board, round: 1 });
    assert_eq!(run.pending_battle(), Some(pending));
}

#[test]
fn a_battle_has_one_result_and_no_run_goes_on_without_it() {
    let mut run = run(5);
    let wrong = Rejection::WrongPhase { phase: RunPhase::Shop };
    assert_eq!(run.report_result(BattleResult::Victory), Err(wrong));
    assert_eq!(run.continue_after_battle(), Err(wrong));
    run.end_turn().unwrap();
    assert_eq!(run.continue_after_battle(), Err(Rejection::NoResult));
    run.report_result(BattleResult::Victory).unwrap();
    assert_eq!(run.pending_battle(), None);
    assert_eq!(run.report_result(BattleResult::Victory), Err(Rejection::ResultKnown));
    assert_eq!(run.wins(), 1);
    let wrong = Rejection::WrongPhase { phase: RunPhase::Battle };
    assert_eq!(run.end_turn(), Err(wrong));
    assert_eq!(run.act(&pool(0, 0), ShopAction::BuyCard { slot: 0 }), Err(wrong));
}

#[track_caller]
fn check_end(results: &[BattleResult], end: RunPhase) {
    let mut run = run(5);
    for &result in results {
        assert_eq!(run.phase(), RunPhase::Shop);
        run.end_turn().unwrap();
        run.report_result(result).unwrap();
        run.continue_after_battle().unwrap();
    }
    assert_eq!(run.phase(), end);
}

#[test]
fn ten_wins_end_a_run_and_so_do_three_defeats() {
    use BattleResult::{Defeat, Draw, Victory};
    check_end(&[Victory; 10], RunPhase::Victory);
    check_end(&[Defeat; 3], RunPhase::Defeat);
    check_end(&[Draw; 40], RunPhase::Shop);
    check_end(&[&[Defeat; 2][..], &[Victory; 10]].concat(), RunPhase::Victory);
    check_end(&[&[Victory; 9][..], &[Defeat; 3]].concat(), RunPhase::Defeat);
}

#[test]
fn a_card_that_the_pool_lacks_is_refused() {
    let empty = Pool::check(Vec::new()).unwrap();
    let mut run = run(5);
    let unknown = Rejection::UnknownCard { card: CardIndex(0) };
    assert_eq!(run.buy_card(&empty, 0), Err(unknown));
    assert_eq!(run.pitch_shop_card(&empty, 0), Err(unknown));
}

#[test]
fn a_deck_is_drawn_by_weight() {
    let deck = draw_deck(&[0, 3, 0, 1], 4000, &mut Rng::from_seed(1));
    let count = |idx| deck.iter().filter(|it| it.card == CardIndex(idx)).count();
    assert_eq!((count(0), count(2), count(1) + count(3)), (0, 0, 4000));
    assert!((2850..3150).contains(&count(1)), "three of four: {}", count(1));
    assert_eq!(deck.last().map(|it| it.id), Some(4000));
    assert_eq!(draw_deck(&[0, 0], 5, &mut Rng::from_seed(1)), []);
    assert_eq!(draw_deck(&[], 5, &mut Rng::from_seed(1)), []);
}

#[test]
fn steps_do_what_the_calls_of_their_names_do() {
    let pool = starter_pool();
    let mut deck = starter_deck();
    Rng::from_seed(42).shuffle(&mut deck);
    let mut called: Run = Run::new(deck).unwrap();
    let mut stepped = called.clone();

    called.act(&pool, ShopAction::PitchShopCard { slot: 1 }).unwrap();
    called.end_turn().unwrap();
    called.report_result(BattleResult::Defeat).unwrap();
    called.continue_after_battle().unwrap();
    for step in [
        RunStep::Act(ShopAction::PitchShopCard { slot: 1 }),
        RunStep::EndTurn,
        RunStep::Report(BattleResult::Defeat),
        RunStep::Continue,
    ] {
        stepped.step(&pool, step).unwrap();
    }

    assert_eq!(stepped, called);
    assert_eq!(stepped.step(&pool, RunStep::Continue), Err(Rejection::WrongPhase { phase: RunPhase::Shop }));
}
