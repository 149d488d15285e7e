//! What people read: texts belong to creators, sets may show cards their own way, moderators hide.

use auto_battle::Card;
use codec::Encode as _;
use frame::testing_prelude::{BuildStorage as _, TestState, assert_ok};

use super::prize_pools::make_set;
use crate::mock::{AutoBattle, CREATOR, RuntimeGenesisConfig, RuntimeOrigin, Test, last_event, on_chain, signed};
use crate::types::{CardOnChain, CardText, MetadataSubject, Text};
use crate::{Event, GenesisCard, GenesisSet, HiddenMetadata, SetDisplays, Sets};

fn text<const MAX: u32>(words: &str) -> Text<MAX> {
    words.as_bytes().to_vec().try_into().unwrap()
}

fn named(name: &str) -> CardText {
    CardText { name: text(name), ..CardText::default() }
}

fn card() -> CardOnChain {
    Card { attack: 7, health: 5, play_cost: 1, pitch_value: 1, ..Card::default() }
}

#[test]
fn registering_a_card_first_does_not_decide_what_a_set_calls_it() {
    on_chain(|| {
        assert_ok!(AutoBattle::register_card(signed(1), card(), named("Squatted")));
        let set_hash = make_set(2, &[(card().hash(), 1)]);
        let shown = || AutoBattle::view_card_text(set_hash, card().hash()).unwrap().name;
        assert_eq!(shown(), text::<64>("Squatted"));
        assert_ok!(AutoBattle::update_set_display(signed(2), set_hash, card().hash(), Some(named("Wolf"))));
        assert_eq!(last_event(), Event::SetDisplayUpdated { set_hash, card_hash: card().hash() });
        assert_eq!(shown(), text::<64>("Wolf"));
        assert_ok!(AutoBattle::update_set_display(signed(2), set_hash, card().hash(), Some(named("Old wolf"))));
        assert_eq!((shown(), SetDisplays::<Test>::get(set_hash).len()), (text::<64>("Old wolf"), 1));
        // The set says no more, so the creator's texts are shown again.
        assert_ok!(AutoBattle::update_set_display(signed(2), set_hash, card().hash(), None));
        assert_eq!(shown(), text::<64>("Squatted"));
        assert!(!SetDisplays::<Test>::contains_key(set_hash));
    });
}

#[test]
fn moderators_hide_texts_and_change_none() {
    on_chain(|| {
        assert_ok!(AutoBattle::register_card(signed(1), card(), named("Bad word")));
        let set_hash = make_set(2, &[(card().hash(), 1)]);
        let hide = |subject, hidden| {
            assert_ok!(AutoBattle::hide_metadata(RuntimeOrigin::root(), subject, hidden));
            assert_eq!(last_event(), Event::MetadataHidden { subject, hidden });
        };
        let shown = || AutoBattle::view_card_text(set_hash, card().hash()).map(|it| it.name);
        hide(MetadataSubject::Card(card().hash()), true);
        assert_eq!(shown(), None);
        assert_ok!(AutoBattle::update_set_display(signed(2), set_hash, card().hash(), Some(named("Wolf"))));
        assert_eq!(shown(), Some(text::<64>("Wolf")));
        hide(MetadataSubject::Set(set_hash), true);
        assert_eq!((shown(), AutoBattle::view_set_text(set_hash)), (None, None));
        hide(MetadataSubject::Card(card().hash()), false);
        assert_eq!(shown(), Some(text::<64>("Bad word")));
        // A removed set takes what was said about it along.
        assert_ok!(AutoBattle::remove_set(signed(2), set_hash));
        assert_eq!((HiddenMetadata::<Test>::iter().count(), SetDisplays::<Test>::iter().count()), (0, 0));
    });
}

#[test]
fn a_first_state_has_cards_and_sets_of_its_own() {
    let cards = vec![GenesisCard {
        creator: CREATOR,
        card: card().encode(),
        name: "Wolf".into(),
        description: String::new(),
        image_url: String::new(),
    }];
    let sets = vec![GenesisSet {
        creator: CREATOR,
        cards: vec![(card().hash().0.into(), 2)],
        name: "Wolves".into(),
        description: String::new(),
    }];
    let auto_battle = crate::GenesisConfig::<Test> { starter_creator: None, cards, sets };
    let json = serde_json::to_string(&auto_battle).unwrap();
    let auto_battle = serde_json::from_str(&json).unwrap();
    let genesis = RuntimeGenesisConfig { auto_battle, ..Default::default() };
    TestState::from(genesis.build_storage().unwrap()).execute_with(|| {
        assert_eq!(crate::Cards::<Test>::get(card().hash()), Some(card()));
        let (set_hash, set) = Sets::<Test>::iter().next().unwrap();
        assert_eq!((set.cards.len(), set.cards[0].rarity), (1, 2));
        assert_eq!(AutoBattle::view_set_text(set_hash).unwrap().name, text::<64>("Wolves"));
        AutoBattle::do_try_state().unwrap();
    });
}

/// A first state with one card of its own, beside the starter cards.
fn first_state_with(card: &CardOnChain, name: &str) -> TestState {
    let empty = String::new;
    let card = GenesisCard {
        creator: CREATOR,
        card: card.encode(),
        name: name.into(),
        description: empty(),
        image_url: empty(),
    };
    let auto_battle = crate::GenesisConfig { starter_creator: Some(CREATOR), cards: vec![card], sets: vec![] };
    TestState::from(RuntimeGenesisConfig { auto_battle, ..Default::default() }.build_storage().unwrap())
}

#[test]
fn a_first_state_may_have_long_names() {
    let name = "\u{e4}".repeat(32);
    first_state_with(&card(), &name).execute_with(|| {
        let meta = crate::CardMetadata::<Test>::get(card().hash()).unwrap();
        assert_eq!(meta.name, text::<64>(&name));
    });
}

/// Cut off in the middle of a letter it would not be UTF-8 any more.
#[test]
#[should_panic(expected = "short enough")]
fn a_first_state_has_no_text_that_must_be_cut() {
    first_state_with(&card(), &format!("x{}", "\u{e4}".repeat(32)));
}

#[test]
#[should_panic(expected = "there once")]
fn a_first_state_has_every_card_once() {
    let (starter, _) = crate::starter_cards()[0];
    first_state_with(&starter, "Again").execute_with(|| AutoBattle::do_try_state().unwrap());
}
