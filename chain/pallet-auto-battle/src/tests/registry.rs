//! Cards and sets: what they are called, what they cost, when they go.

use auto_battle::{Card, CardHash, CardLink, Effect, SetCard, Trigger};
use frame::prelude::H256;
use frame::testing_prelude::assert_ok;
use frame::token::fungible::InspectHold as _;

use super::{play_honest_round, start};
use crate::genesis::{starter_cards, starter_set};
use crate::mock::{
    AutoBattle, Balances, CREATOR, PURSE, TREASURY, Test, UNIT, await_decision, last_event, on_chain, signed,
    starter_set_hash, wealth,
};
use crate::types::{CardOnChain, CardText, SetMeta, Text};
use crate::{CardCount, CardMetadata, Cards, Event, HoldReason, SetDeposits, SetGames, SetMetadata, SetPools, Sets};

fn text<const MAX: u32>(words: &str) -> Text<MAX> {
    words.as_bytes().to_vec().try_into().unwrap()
}

fn card(attack: i32) -> CardOnChain {
    Card { attack, health: 5, play_cost: 1, pitch_value: 1, ..Card::default() }
}

fn register(who: u64, card: CardOnChain) -> CardHash {
    assert_ok!(AutoBattle::register_card(signed(who), card, CardText::default()));
    card.hash()
}

fn create_set(who: u64, cards: &[(CardHash, u8)]) -> H256 {
    let cards: Vec<_> = cards.iter().map(|&(card_hash, rarity)| SetCard { card_hash, rarity }).collect();
    assert_ok!(AutoBattle::create_set(signed(who), cards.try_into().unwrap(), SetMeta::default()));
    let Event::SetCreated { set_hash, .. } = last_event() else { panic!("no set was made") };
    set_hash
}

fn deposit_of(who: u64) -> u128 {
    Balances::balance_on_hold(&HoldReason::SetDeposit.into(), &who)
}

#[test]
fn the_starter_cards_are_there_from_the_start() {
    on_chain(|| {
        assert_eq!(CardCount::<Test>::get(), 35);
        assert_eq!(starter_cards().len(), 35);
        let (card, starter) = starter_cards()[0];
        assert_eq!(Cards::<Test>::get(card.hash()), Some(card));
        assert_eq!(CardMetadata::<Test>::get(card.hash()).unwrap().name, text::<64>(starter.name));
        let set = Sets::<Test>::get(starter_set_hash()).unwrap();
        assert_eq!((set.creator, set.cards.to_vec()), (CREATOR, starter_set()));
        assert_eq!(set.cards.iter().filter(|it| it.rarity == 0).count(), 2);
        assert_eq!(starter_set_hash(), H256(crate::starter_set_hash()));
    });
}

#[test]
fn a_card_is_what_it_does_whatever_it_is_called() {
    on_chain(|| {
        let named = |name| CardText { name: text(name), ..CardText::default() };
        assert_ok!(AutoBattle::register_card(signed(1), card(7), named("Wolf")));
        assert_eq!(last_event(), Event::CardRegistered { who: 1, card_hash: card(7).hash() });
        assert_eq!(wealth(1), PURSE - 2 * UNIT);
        assert_eq!(wealth(TREASURY), PURSE + 2 * UNIT);

        // The same card again is no error, costs nothing and keeps its first texts.
        assert_ok!(AutoBattle::register_card(signed(2), card(7), named("Thief")));
        assert_eq!(wealth(2), PURSE);
        let meta = CardMetadata::<Test>::get(card(7).hash()).unwrap();
        assert_eq!((meta.name, meta.creator), (text::<64>("Wolf"), 1));
        assert_eq!(CardCount::<Test>::get(), 36);
    });
}

#[test]
fn creators_change_texts_for_nothing() {
    on_chain(|| {
        let card_hash = register(1, card(7));
        let before = wealth(1);
        let metadata = CardText { description: text("Howls."), image_url: text("ipfs://wolf"), ..CardText::default() };
        assert_ok!(AutoBattle::update_card_metadata(signed(1), card_hash, metadata));
        assert_eq!(last_event(), Event::CardMetadataUpdated { who: 1, card_hash });
        assert_eq!(CardMetadata::<Test>::get(card_hash).unwrap().description, text::<256>("Howls."));

        let set_hash = create_set(1, &[(card_hash, 1)]);
        let before_texts = wealth(1);
        let metadata = SetMeta { name: text("Wolves"), ..SetMeta::default() };
        assert_ok!(AutoBattle::update_set_metadata(signed(1), set_hash, metadata));
        assert_eq!(last_event(), Event::SetMetadataUpdated { who: 1, set_hash });
        assert_eq!(SetMetadata::<Test>::get(set_hash).unwrap().name, text::<64>("Wolves"));
        assert_eq!(wealth(1), before_texts);
        assert_eq!(before - before_texts, 3 * UNIT);
    });
}

#[test]
fn a_set_is_its_cards_in_any_order() {
    on_chain(|| {
        let (a, b) = (register(1, card(7)), register(1, card(8)));
        let forward = create_set(1, &[(a, 1), (b, 2)]);
        let cards = Sets::<Test>::get(forward).unwrap().cards;
        assert!(cards.is_sorted());
        assert_eq!(SetPools::<Test>::get(forward).unwrap().cards().len(), 2);

        assert_ok!(AutoBattle::remove_set(signed(1), forward));
        assert_eq!(create_set(2, &[(b, 2), (a, 1)]), forward);
        assert_ne!(create_set(1, &[(a, 2), (b, 1)]), forward);
    });
}

#[test]
fn a_card_that_spawns_itself_or_a_token_makes_a_set() {
    on_chain(|| {
        let token = card(1);
        let spawn = |link| {
            let ability = auto_battle::Ability::new(Trigger::OnFaint, Effect::SpawnUnit { card: link });
            Card { abilities: auto_battle::Bounded::try_from_iter([ability]).unwrap(), ..card(3) }
        };
        let cards = [token, spawn(CardLink::Itself), spawn(CardLink::Hash(token.hash()))];
        let hashes = cards.map(|it| register(1, it));
        let set_hash = create_set(1, &[(hashes[0], 0), (hashes[1], 1), (hashes[2], 1)]);

        assert_ok!(AutoBattle::start_game(signed(2), set_hash));
        await_decision();
        let deck = crate::mock::session(2).state.unwrap();
        let place = |hash| Sets::<Test>::get(set_hash).unwrap().cards.iter().position(|it| it.card_hash == hash);
        let token_place = place(hashes[0]).unwrap();
        assert!(deck.deck().iter().all(|it| usize::from(it.card.0) != token_place), "a token is never drawn");
        play_honest_round(2);
    });
}

#[test]
fn an_unused_set_goes_at_once_and_its_deposit_returns() {
    on_chain(|| {
        let card_hash = register(1, card(7));
        let set_hash = create_set(1, &[(card_hash, 1)]);
        assert_eq!((deposit_of(1), wealth(1)), (5 * UNIT, PURSE - 5 * UNIT));
        assert_ok!(AutoBattle::remove_set(signed(1), set_hash));
        assert_eq!(last_event(), Event::SetRemoved { set_hash });
        assert_eq!((deposit_of(1), Sets::<Test>::get(set_hash)), (0, None));
        assert_eq!((SetDeposits::<Test>::get(set_hash), SetPools::<Test>::get(set_hash)), (None, None));
    });
}

#[test]
fn a_used_set_goes_with_its_last_run() {
    on_chain(|| {
        let card_hash = register(1, card(7));
        let set_hash = create_set(1, &[(card_hash, 1)]);
        for who in [2, 3] {
            assert_ok!(AutoBattle::start_game(signed(who), set_hash));
        }
        await_decision();
        assert_ok!(AutoBattle::remove_set(signed(1), set_hash));
        assert_eq!(last_event(), Event::SetDelisted { set_hash });
        assert_eq!((deposit_of(1), SetGames::<Test>::get(set_hash)), (5 * UNIT, 2));
        // Runs that have begun go on.
        play_honest_round(2);
        AutoBattle::do_try_state().unwrap();

        assert_ok!(AutoBattle::forfeit(signed(3)));
        assert!(Sets::<Test>::contains_key(set_hash));
        assert_ok!(AutoBattle::forfeit(signed(2)));
        super::claim(2);
        assert!(!Sets::<Test>::contains_key(set_hash));
        assert_eq!(deposit_of(1), 0);
    });
}

#[test]
fn a_deck_holds_cards_as_often_as_they_are_likely() {
    on_chain(|| {
        let (common, rare) = (register(1, card(7)), register(1, card(8)));
        let set_hash = create_set(1, &[(common, 90), (rare, 10)]);
        let rare_place = Sets::<Test>::get(set_hash).unwrap().cards.iter().position(|it| it.card_hash == rare);
        let mut n_rare = 0;
        for who in 2..=9 {
            start(who);
            assert_ok!(AutoBattle::forfeit(signed(who)));
            assert_ok!(AutoBattle::start_game(signed(who), set_hash));
            await_decision();
            let state = crate::mock::session(who).state.unwrap();
            let cards = state.deck().iter().copied().chain(state.shop().iter().filter_map(|it| it.card));
            n_rare += cards.filter(|it| Some(usize::from(it.card.0)) == rare_place).count();
        }
        // 480 cards of which a tenth is rare.
        assert!((24..=76).contains(&n_rare), "{n_rare}");
    });
}
