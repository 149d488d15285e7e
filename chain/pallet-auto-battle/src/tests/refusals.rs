//! Bad input: every call with every wrong origin, phase, index, hash, bound and balance is refused
//! with its own error, and nothing changes.

use auto_battle::{BattleResult, Bounded, Card, CardHash, CardLink, Effect, SetCard, ShopAction, Target, Trigger};
use frame::prelude::{BoundedVec, DispatchError, Dispatchable as _};
use frame::testing_prelude::{assert_noop, assert_ok};
use frame::token::fungible::Mutate as _;

use super::{lie_to_ten_wins, play_honest_round, play_turn, start, unknown_hash};
use crate::mock::{
    AccountId, AutoBattle, Balances, CREATOR, RuntimeCall, RuntimeOrigin, Test, UNIT, await_decision, on_chain, signed,
    starter_set_hash,
};
use crate::types::{CardOnChain, CardText, GhostBoardKey, SetMeta};
use crate::{Call, Error};

/// A player without money.
const POOR: AccountId = 50;

/// Prepares the chain, makes a call, and expects its refusal.
#[track_caller]
fn check(prepare: impl FnOnce(), who: AccountId, call: Call<Test>, expected: Error<Test>) {
    on_chain(|| {
        prepare();
        let call = RuntimeCall::AutoBattle(call);
        assert_noop!(call.dispatch(signed(who)).map_err(|it| it.error), DispatchError::from(expected));
    });
}

fn nothing() {}

fn shopping() {
    start(1);
}

fn fighting() {
    start(1);
    play_turn(1);
}

fn committed() {
    assert_ok!(AutoBattle::start_game(signed(1), starter_set_hash()));
}

fn over() {
    start(1);
    lie_to_ten_wins(1);
}

fn poor(amount: u128) -> impl FnOnce() {
    move || {
        Balances::set_balance(&POOR, amount);
    }
}

/// Every call that only a player with a run can make, with harmless arguments.
fn calls_of_a_run() -> Vec<Call<Test>> {
    vec![
        Call::pitch_shop_card { index: 0 },
        Call::buy_card { shop_index: 0 },
        Call::toggle_freeze { shop_index: 0 },
        Call::swap_board { a: 0, b: 1 },
        Call::pitch_board_unit { slot: 0 },
        Call::end_turn {},
        Call::play_turn { actions: BoundedVec::default() },
        Call::report_outcome { result: BattleResult::Draw },
        Call::forfeit {},
        Call::claim_prize { run: 1, min: 0 },
    ]
}

fn every_call() -> Vec<Call<Test>> {
    let mut calls = calls_of_a_run();
    calls.extend([
        Call::start_game { set_hash: unknown_hash() },
        Call::dispute_battle { target_player: 1, run: 1, round: 1 },
        Call::register_card { card_data: Card::default(), metadata: CardText::default() },
        Call::update_card_metadata { card_hash: CardHash::default(), metadata: CardText::default() },
        Call::create_set { cards: BoundedVec::default(), metadata: SetMeta::default() },
        Call::remove_set { set_hash: unknown_hash() },
        Call::update_set_metadata { set_hash: unknown_hash(), metadata: SetMeta::default() },
        Call::clean_ghost_boards { key: key(), older_than: 0 },
        Call::expire_game { target: 1 },
        Call::report_late { target_player: 1, run: 1 },
        Call::give_to_pool { set_hash: unknown_hash(), amount: UNIT },
        Call::update_set_display { set_hash: unknown_hash(), card_hash: CardHash::default(), text: None },
    ]);
    calls
}

fn key() -> GhostBoardKey {
    GhostBoardKey { set_hash: unknown_hash(), round: 1, wins: 0, losses: 0 }
}

#[test]
fn every_call_needs_a_signature() {
    let calls = every_call();
    assert_eq!(calls.len(), 22);
    for call in calls {
        on_chain(|| {
            for origin in [RuntimeOrigin::none(), RuntimeOrigin::root()] {
                let call = RuntimeCall::AutoBattle(call.clone());
                assert_noop!(call.dispatch(origin).map_err(|it| it.error), DispatchError::BadOrigin);
            }
        });
    }
}

#[test]
fn calls_of_a_run_need_a_run() {
    for call in calls_of_a_run() {
        check(nothing, 1, call, Error::NotInGame);
    }
    check(nothing, 1, Call::expire_game { target: 2 }, Error::NotInGame);
    check(nothing, 1, Call::report_late { target_player: 2, run: 1 }, Error::NotInGame);
}

#[test]
fn calls_of_the_shop_need_an_open_shop() {
    let n_shop_calls = 7;
    for call in calls_of_a_run().into_iter().take(n_shop_calls) {
        check(committed, 1, call.clone(), Error::SeedNotKnown);
        check(fighting, 1, call.clone(), Error::WrongPhase);
        check(over, 1, call, Error::WrongPhase);
    }
}

#[test]
fn reports_claims_and_forfeits_have_their_time() {
    let report = || Call::report_outcome { result: BattleResult::Victory };
    check(committed, 1, report(), Error::WrongPhase);
    check(shopping, 1, report(), Error::WrongPhase);
    check(over, 1, report(), Error::WrongPhase);
    let claim = || Call::claim_prize { run: 1, min: 0 };
    check(committed, 1, claim(), Error::WrongPhase);
    check(shopping, 1, claim(), Error::WrongPhase);
    check(fighting, 1, claim(), Error::WrongPhase);
    check(over, 1, Call::claim_prize { run: 2, min: 0 }, Error::WrongRun);
    let late = || {
        fighting();
        crate::mock::pass_blocks(20);
    };
    check(late, 1, report(), Error::ReportLate);
    let report_late = |run| Call::report_late { target_player: 1, run };
    check(fighting, 2, report_late(1), Error::NotLate);
    check(late, 2, report_late(2), Error::WrongRun);
    check(shopping, 2, report_late(1), Error::WrongPhase);
    let too_late = || {
        late();
        crate::mock::pass_blocks(20);
    };
    check(too_late, 2, report_late(1), Error::RunExpired);
    check(over, 1, Call::forfeit {}, Error::WrongPhase);
    check(shopping, 2, Call::expire_game { target: 1 }, Error::NotExpired);
    check(over, 2, Call::expire_game { target: 1 }, Error::NotExpired);
}

#[test]
fn slots_must_exist_and_hold_something() {
    check(shopping, 1, Call::pitch_shop_card { index: 5 }, Error::EmptySlot);
    check(shopping, 1, Call::buy_card { shop_index: 5 }, Error::EmptySlot);
    check(shopping, 1, Call::toggle_freeze { shop_index: 255 }, Error::EmptySlot);
    check(shopping, 1, Call::swap_board { a: 0, b: 5 }, Error::EmptySlot);
    check(shopping, 1, Call::swap_board { a: 5, b: 0 }, Error::EmptySlot);
    check(shopping, 1, Call::pitch_board_unit { slot: 0 }, Error::EmptySlot);
    check(shopping, 1, Call::pitch_board_unit { slot: 5 }, Error::EmptySlot);
    let actions = vec![ShopAction::ToggleFreeze { slot: 0 }, ShopAction::BuyCard { slot: 9 }];
    check(shopping, 1, Call::play_turn { actions: actions.try_into().unwrap() }, Error::EmptySlot);
}

#[test]
fn mana_and_board_have_limits() {
    check(shopping, 1, Call::buy_card { shop_index: 0 }, Error::NotEnoughMana);
    // A set whose one card costs nothing fills the board at once.
    let full = || {
        let free = Card { play_cost: 0, ..Card::default() };
        assert_ok!(AutoBattle::register_card(signed(2), free, CardText::default()));
        let set = vec![SetCard { card_hash: free.hash(), rarity: 1 }];
        assert_ok!(AutoBattle::create_set(signed(2), set.try_into().unwrap(), SetMeta::default()));
        let set_hash = crate::Sets::<Test>::iter_keys().find(|it| *it != starter_set_hash_of(CREATOR)).unwrap();
        assert_ok!(AutoBattle::start_game(signed(1), set_hash));
        await_decision();
        for slot in 0..5 {
            assert_ok!(AutoBattle::buy_card(signed(1), slot));
        }
        play_empty_round();
    };
    check(full, 1, Call::buy_card { shop_index: 0 }, Error::BoardFull);
}

fn starter_set_hash_of(creator: AccountId) -> frame::prelude::H256 {
    crate::Sets::<Test>::iter().find(|(_, it)| it.creator == creator).unwrap().0
}

/// Ends the turn and loses, so that the shop is full again.
fn play_empty_round() {
    assert_ok!(AutoBattle::end_turn(signed(1)));
    await_decision();
    assert_ok!(AutoBattle::report_outcome(signed(1), BattleResult::Defeat));
}

#[test]
fn a_run_starts_once_with_a_listed_set_and_with_money() {
    let set_hash = on_fresh_chain(starter_set_hash);
    let start_game = || Call::start_game { set_hash };
    check(shopping, 1, start_game(), Error::AlreadyInGame);
    check(over, 1, start_game(), Error::AlreadyInGame);
    check(nothing, 1, Call::start_game { set_hash: unknown_hash() }, Error::SetNotFound);
    let delisted = move || {
        start(2);
        assert_ok!(AutoBattle::remove_set(signed(CREATOR), set_hash));
    };
    check(delisted, 1, start_game(), Error::SetDelisted);
    // Neither fee nor bond; the fee, but not the bond.
    check(poor(5 * UNIT), POOR, start_game(), Error::CannotPay);
    check(poor(15 * UNIT), POOR, start_game(), Error::CannotPay);
}

fn on_fresh_chain<R>(look: impl FnOnce() -> R) -> R {
    crate::mock::new_test_ext(10, 1).execute_with(look)
}

#[test]
fn a_dispute_needs_a_report_and_a_bond() {
    let reported = || {
        start(1);
        play_honest_round(1);
    };
    let dispute = |target_player, run, round| Call::dispute_battle { target_player, run, round };
    check(nothing, 2, dispute(1, 1, 1), Error::ProofNotFound);
    check(fighting, 2, dispute(1, 1, 1), Error::ProofNotFound);
    check(reported, 2, dispute(1, 2, 1), Error::ProofNotFound);
    check(reported, 2, dispute(1, 1, 2), Error::ProofNotFound);
    check(reported, 2, dispute(3, 1, 1), Error::ProofNotFound);
    let and_poor = || {
        reported();
        poor(5 * UNIT)();
    };
    check(and_poor, POOR, dispute(1, 1, 1), Error::CannotPay);
}

#[test]
fn registered_cards_keep_to_their_bounds() {
    let register = |card_data: CardOnChain| Call::register_card { card_data, metadata: CardText::default() };
    let with = |effect| Card { abilities: one(effect), ..Card::default() };
    for card in [
        Card { attack: 100, ..Card::default() },
        Card { attack: -1, ..Card::default() },
        Card { health: 0, ..Card::default() },
        Card { health: 100, ..Card::default() },
        Card { play_cost: 100, ..Card::default() },
        Card { play_cost: -1, ..Card::default() },
        Card { pitch_value: 100, ..Card::default() },
        Card { pitch_value: -1, ..Card::default() },
        with(Effect::Damage { amount: 100, target: Target::SelfUnit }),
        with(Effect::Damage { amount: -100, target: Target::SelfUnit }),
        with(Effect::ModifyStats { health: 100, attack: 0, target: Target::SelfUnit }),
        with(Effect::ModifyStats { health: 0, attack: -100, target: Target::SelfUnit }),
    ] {
        check(nothing, 1, register(card), Error::CardOutOfBounds);
    }
    check(poor(UNIT), POOR, register(Card::default()), Error::CannotPay);
}

fn one(effect: Effect<CardLink>) -> Bounded<auto_battle::Ability<CardLink>, 4> {
    let ability = auto_battle::Ability::new(Trigger::OnStart, effect);
    Bounded::try_from_iter([ability]).unwrap()
}

#[test]
fn metadata_belongs_to_creators() {
    let card_hash = on_fresh_chain(|| crate::Cards::<Test>::iter_keys().next().unwrap());
    let set_hash = on_fresh_chain(starter_set_hash);
    let card = |card_hash| Call::update_card_metadata { card_hash, metadata: CardText::default() };
    let set = |set_hash| Call::update_set_metadata { set_hash, metadata: SetMeta::default() };
    check(nothing, 1, card(card_hash), Error::NotCreator);
    check(nothing, 1, card(CardHash::default()), Error::CardNotFound);
    check(nothing, 1, set(set_hash), Error::NotCreator);
    check(nothing, 1, set(unknown_hash()), Error::SetNotFound);
    check(nothing, 1, Call::remove_set { set_hash }, Error::NotCreator);
    check(nothing, 1, Call::remove_set { set_hash: unknown_hash() }, Error::SetNotFound);
    let delisted = move || {
        start(2);
        assert_ok!(AutoBattle::remove_set(signed(CREATOR), set_hash));
    };
    check(delisted, CREATOR, Call::remove_set { set_hash }, Error::SetDelisted);
}

#[test]
fn sets_are_complete_unique_and_can_be_drawn_from() {
    let plain: CardOnChain = Card { attack: 9, ..Card::default() };
    let spawner = Card { abilities: one(Effect::SpawnUnit { card: CardLink::Hash(plain.hash()) }), ..Card::default() };
    let registered = move || {
        for card in [plain, spawner] {
            assert_ok!(AutoBattle::register_card(signed(1), card, CardText::default()));
        }
    };
    let set = |cards: &[(CardHash, u8)]| {
        let cards = cards.iter().map(|&(card_hash, rarity)| SetCard { card_hash, rarity });
        Call::create_set { cards: cards.collect::<Vec<_>>().try_into().unwrap(), metadata: SetMeta::default() }
    };
    let (plain, spawner) = (plain.hash(), spawner.hash());
    check(registered, 1, set(&[(plain, 1), (plain, 1)]), Error::DuplicateCard);
    check(registered, 1, set(&[(plain, 1), (plain, 2)]), Error::DuplicateCard);
    check(registered, 1, set(&[]), Error::NoWeight);
    check(registered, 1, set(&[(plain, 0)]), Error::NoWeight);
    check(registered, 1, set(&[(spawner, 1)]), Error::SpawnNotInSet);
    check(nothing, 1, set(&[(plain, 1)]), Error::CardNotFound);
    let and_poor = |amount| {
        move || {
            registered();
            poor(amount)();
        }
    };
    // Neither fee nor deposit; the fee, but not the deposit.
    check(and_poor(2 * UNIT), POOR, set(&[(plain, 1)]), Error::CannotPay);
    check(and_poor(5 * UNIT), POOR, set(&[(plain, 1)]), Error::CannotPay);
    let twice = move || {
        registered();
        assert_ok!(RuntimeCall::AutoBattle(set(&[(plain, 1)])).dispatch(signed(2)));
    };
    check(twice, 1, set(&[(plain, 1)]), Error::SetExists);
}

#[test]
fn ghosts_are_cleaned_when_they_are_old() {
    check(nothing, 1, Call::clean_ghost_boards { key: key(), older_than: 0 }, Error::NothingToClean);
}

#[test]
fn gifts_go_to_sets_that_are_there_from_accounts_that_can_pay() {
    let set_hash = on_fresh_chain(starter_set_hash);
    let give = |set_hash| Call::give_to_pool { set_hash, amount: 2 * UNIT };
    check(nothing, 1, give(unknown_hash()), Error::SetNotFound);
    check(poor(UNIT), POOR, give(set_hash), Error::CannotPay);
}

#[test]
fn texts_are_utf_8() {
    let broken = || vec![0xFF, 0xFE].try_into().unwrap();
    let set_hash = on_fresh_chain(starter_set_hash);
    let card_hash = on_fresh_chain(|| crate::Sets::<Test>::get(starter_set_hash()).unwrap().cards[0].card_hash);
    let texts = [
        CardText { name: broken(), ..CardText::default() },
        CardText { description: vec![0xC3].try_into().unwrap(), ..CardText::default() },
        CardText { image_url: vec![0x80].try_into().unwrap(), ..CardText::default() },
    ];
    for metadata in texts {
        let register = Call::register_card { card_data: Card::default(), metadata: metadata.clone() };
        check(nothing, 1, register, Error::NotUtf8);
        let update = Call::update_card_metadata { card_hash, metadata: metadata.clone() };
        check(nothing, CREATOR, update, Error::NotUtf8);
        let display = Call::update_set_display { set_hash, card_hash, text: Some(metadata) };
        check(nothing, CREATOR, display, Error::NotUtf8);
    }
    let metadata = || SetMeta { name: broken(), ..SetMeta::default() };
    check(nothing, 1, Call::create_set { cards: BoundedVec::default(), metadata: metadata() }, Error::NotUtf8);
    check(nothing, CREATOR, Call::update_set_metadata { set_hash, metadata: metadata() }, Error::NotUtf8);
}

#[test]
fn a_set_shows_its_own_cards_as_its_creator_says() {
    let set_hash = on_fresh_chain(starter_set_hash);
    let card_hash = on_fresh_chain(|| crate::Sets::<Test>::get(starter_set_hash()).unwrap().cards[0].card_hash);
    let show = |set_hash, card_hash| Call::update_set_display { set_hash, card_hash, text: None };
    check(nothing, 1, show(set_hash, card_hash), Error::NotCreator);
    check(nothing, CREATOR, show(set_hash, CardHash::default()), Error::NotInSet);
    check(nothing, CREATOR, show(unknown_hash(), card_hash), Error::SetNotFound);
}

#[test]
fn only_moderators_hide_texts_and_only_of_what_is_there() {
    use crate::MetadataSubject;
    let hide = |subject| RuntimeCall::AutoBattle(Call::hide_metadata { subject, hidden: true });
    on_chain(|| {
        let set = MetadataSubject::Set(starter_set_hash());
        let refused = hide(set).dispatch(signed(CREATOR)).map_err(|it| it.error);
        assert_noop!(refused, DispatchError::BadOrigin);
        let by_root = |subject| hide(subject).dispatch(RuntimeOrigin::root()).map_err(|it| it.error);
        assert_noop!(by_root(MetadataSubject::Set(unknown_hash())), Error::<Test>::SetNotFound);
        assert_noop!(by_root(MetadataSubject::Card(CardHash::default())), Error::<Test>::CardNotFound);
        assert_ok!(by_root(set));
    });
}
