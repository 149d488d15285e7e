//! What a registry asks of cards: content hashes, checked against bytes that were put together and
//! hashed by hand, and bounds.

use auto_battle::{
    Ability, Bounded, Card, CardHash, CardIndex, CardLink, CardSet, Effect, Pool, SetCard, SetFault, Target, Trigger,
    Violation, starter_index, starter_pool,
};
use parity_scale_codec::Encode;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[track_caller]
fn check(template_id: &str, hash: &str) {
    let linked = starter_pool().to_hash_links().unwrap();
    let index = starter_index(template_id).unwrap();
    assert_eq!(hex(&linked[usize::from(index.0)].hash().0), hash, "{template_id}");
}

#[test]
fn starter_cards_have_known_hashes() {
    check("goblin_scout", "a1e7a3ae4cbab0180f2822524f734cd3de6d85514292170fc273d3f659b4e3a2");
    check("zombie_soldier", "3bc2fd62d8d111f33f3a6daa4dd42bf987c3dcdbc2837eaaeec2797be5dc34f2");
    check("nurse_goblin", "952cc26f95e30e529f782001d822b00c461af80d6b380d0109278721ae83a129");
    check("zombie_breeder", "e2ee771dc713e1f16d56b905a6438cde400905ab8c88e19a3f571ee134776db5");
}

#[test]
fn the_starter_pool_links_back_from_its_hashes() {
    let pool = starter_pool();
    assert_eq!(Pool::link_hashes(&pool.to_hash_links().unwrap()), Ok(pool));
}

fn spawner<S>(attack: i32, card: S) -> Card<S> {
    let ability = Ability::new(Trigger::OnFaint, Effect::SpawnUnit { card });
    Card { attack, abilities: Bounded::try_from_iter([ability]).unwrap_or_default(), ..Card::default() }
}

#[test]
fn a_card_that_spawns_itself_says_so_with_a_marker() {
    let pool = Pool::check(vec![spawner(1, CardIndex(0))]).unwrap();
    let linked = pool.to_hash_links().unwrap();
    assert_eq!(linked, [spawner(1, CardLink::Itself)]);
    assert_eq!(Pool::link_hashes(&linked), Ok(pool));
}

#[test]
fn cards_that_spawn_each_other_have_no_hash() {
    let ring = vec![Card::default(), spawner(1, CardIndex(2)), spawner(2, CardIndex(1))];
    let pool = Pool::check(ring).unwrap();
    assert_eq!(pool.to_hash_links(), Err(CardIndex(1)));
}

#[test]
fn a_hash_that_is_not_in_the_list_is_refused() {
    let unknown = spawner(1, CardLink::Hash(CardHash([7; 32])));
    let violations = Pool::link_hashes(&[unknown]).unwrap_err();
    assert!(matches!(violations[..], [Violation::Card { card_idx: 0, .. }]));
    let twice = Pool::link_hashes(&[Card::default(), Card::default()]);
    assert_eq!(twice, Err(vec![Violation::DuplicateName { card_idx: 1 }]));
}

fn set_card(byte: u8, rarity: u8) -> SetCard {
    SetCard { card_hash: CardHash([byte; 32]), rarity }
}

#[test]
fn a_set_has_rising_hashes_and_some_weight() {
    assert!(CardSet::check(&[set_card(1, 0), set_card(2, 5)]).is_ok());
    let sorted = |cards: &[SetCard]| CardSet::check(cards).unwrap_err();
    let not_sorted = SetFault::NotSorted { card_idx: 1 };
    assert_eq!(sorted(&[set_card(2, 1), set_card(1, 1)]), not_sorted);
    assert_eq!(sorted(&[set_card(1, 1), set_card(1, 1)]), not_sorted);
    assert_eq!(sorted(&[set_card(1, 0)]), SetFault::NoWeight);
    assert_eq!(sorted(&[]), SetFault::NoWeight);
    let many: Vec<_> = (0..65).map(|byte| set_card(byte, 1)).collect();
    assert_eq!(sorted(&many), SetFault::TooManyCards);
}

#[test]
fn a_set_has_a_known_hash() {
    let linked = starter_pool().to_hash_links().unwrap();
    let hash = |name: &str| linked[usize::from(starter_index(name).unwrap().0)].hash();
    let mut cards = [
        SetCard { card_hash: hash("goblin_scout"), rarity: 3 },
        SetCard { card_hash: hash("zombie_spawn"), rarity: 0 },
    ];
    cards.sort();
    let set = CardSet::check(&cards).unwrap();
    let expected = "edfb6de2ddf3d38c145d6d482b2806d5f80eefda53d0bcf9ddefe035ee3b5262";
    assert_eq!(hex(&set.hash()), expected);
}

#[test]
fn variants_are_numbered_as_the_rules_list_them() {
    let triggers = [Trigger::OnStart, Trigger::OnSpawn, Trigger::AfterAnyAttack];
    assert_eq!(triggers.map(|it| it.encode()), [[0], [4], [8]]);
    let targets = [Target::SelfUnit, Target::AllyAhead, Target::LowestManaEnemy];
    assert_eq!(targets.map(|it| it.encode()), [[0], [9], [15]]);
    let destroy = Effect::<CardIndex>::Destroy { target: Target::FrontEnemy };
    assert_eq!(destroy.encode(), [3, 6]);
    let end = auto_battle::BattleResult::Draw;
    assert_eq!(auto_battle::Event::<auto_battle::UnitView>::BattleEnd { result: end }.encode(), [6, 2]);
    let nodes =
        [auto_battle::ConditionNode::SourceIsBack, auto_battle::ConditionNode::And, auto_battle::ConditionNode::Not];
    assert_eq!(nodes.map(|it| it.encode()), [[16], [17], [19]]);
}

#[test]
fn every_starter_card_can_be_registered() {
    for card in starter_pool().cards() {
        assert_eq!(card.check_registration(), Ok(()));
    }
}

#[test]
fn numbers_out_of_bounds_are_named() {
    use auto_battle::RegistrationFault as Fault;
    let card = Card::<CardIndex>::default();
    let hit = |amount| Effect::Damage { amount, target: Target::FrontEnemy };
    let hits = |amounts: [i32; 2]| Card {
        abilities: Bounded::try_from_iter(amounts.map(|it| Ability::new(Trigger::OnStart, hit(it)))).unwrap(),
        ..card
    };
    for (card, fault) in [
        (Card { attack: 100, ..card }, Fault::Attack),
        (Card { attack: -1, ..card }, Fault::Attack),
        (Card { health: 0, ..card }, Fault::Health),
        (Card { play_cost: -1, ..card }, Fault::PlayCost),
        (Card { pitch_value: 100, ..card }, Fault::PitchValue),
        (hits([1, 100]), Fault::Amount { ability: 1 }),
        (hits([-100, 1]), Fault::Amount { ability: 0 }),
    ] {
        assert_eq!(card.check_registration(), Err(fault));
    }
    assert_eq!(hits([-99, 99]).check_registration(), Ok(()));
}
