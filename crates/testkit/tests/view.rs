//! What viewers may know.

use engine::{
    PlayerId,
    view::{FieldView, Projector, Viewer},
};
use testkit::{games, scenario::Table};

fn table() -> Table {
    let setup = "step: main1\np1 hand: Squire#1, Archer#2\np1 deck: Knight#3\np2 hand: Raider#4\np2 battlefield: Scholar#5\np1: mana=3";
    Table::set(games::load("skirmish"), setup).expect("the table can be set; qed")
}

const VIEWERS: [Viewer; 4] =
    [Viewer::Player(PlayerId(0)), Viewer::Player(PlayerId(1)), Viewer::Spectator, Viewer::Judge];

/// How many cards a viewer sees in each zone that has any.
fn seen(table: &Table, viewer: Viewer) -> Vec<(String, u32, usize)> {
    let program = table.live.ruleset().program();
    let view = Projector::new(table.live.ruleset(), viewer).view(&table.live);
    let zones = view.zones.iter().filter(|it| it.count > 0);
    zones
        .map(|it| {
            (
                format!("{}{}", program.text.zones[it.zone.index()].id, it.seat.map_or(0, |s| s.0 + 1)),
                it.count,
                it.cards.len(),
            )
        })
        .collect()
}

#[test]
fn ruling_78_zones_show_cards_to_whom_they_say() {
    let row = |name: &str, count, cards| (name.to_owned(), count, cards);
    let table = table();
    let own = seen(&table, VIEWERS[0]);
    assert_eq!(own, [row("deck1", 1, 0), row("hand1", 2, 2), row("hand2", 1, 0), row("battlefield0", 1, 1)]);
    let other = seen(&table, VIEWERS[1]);
    assert_eq!(other, [row("deck1", 1, 0), row("hand1", 2, 0), row("hand2", 1, 1), row("battlefield0", 1, 1)]);
}

#[test]
fn ruling_81_spectators_see_what_is_public_and_judges_see_all() {
    let table = table();
    let visible = |viewer| seen(&table, viewer).iter().map(|it| it.2).sum::<usize>();
    assert_eq!(VIEWERS.map(visible), [3, 2, 1, 5]);
}

/// The fields of the first event of a name, as each viewer sees them.
fn fields(events: &[engine::view::EventView], table: &Table, name: &str) -> Vec<FieldView> {
    let texts = &table.live.ruleset().program().text.events;
    let found = events.iter().find(|it| texts[it.kind.index()].fact == name);
    found.map(|it| it.fields.clone()).unwrap_or_else(|| panic!("nobody told of {name}"))
}

#[test]
fn ruling_76_a_drawn_card_is_known_to_its_owner_only() {
    let ruleset = games::load("skirmish");
    let setup = "step: declare_attackers\np1 battlefield: Archer#1\np2 battlefield: Scholar#2\np2 deck: Squire#3";
    for (viewer, knows) in VIEWERS.into_iter().zip([false, true, false, true]) {
        let mut table = Table::set(ruleset.clone(), setup).expect("the table can be set; qed");
        let mut projector = Projector::new(&ruleset, viewer);
        projector.view(&table.live);
        let attack = table.live.legal(PlayerId(0), 8).remove(0);
        table.live.submit(&attack, &mut projector).expect("is legal; qed");
        let drawn = fields(&projector.events, &table, "CardDrawn");
        assert_eq!(drawn[0], FieldView::Player(PlayerId(1)));
        assert_eq!(matches!(drawn[1], FieldView::Card(_)), knows, "{viewer:?} {drawn:?}");
        let numbers: Vec<u32> = projector.events.iter().map(|it| it.seq).collect();
        assert_eq!(numbers, (1..=u32::try_from(numbers.len()).unwrap()).collect::<Vec<_>>(), "numbers without gaps");
    }
}

#[test]
fn ruling_77_a_card_that_hides_comes_back_as_another() {
    let ruleset = games::parse(HIDE_AND_SEEK);
    let mut table = Table::set(ruleset.clone(), "p1 battlefield: Fox#1").expect("the table can be set; qed");
    let mut projector = Projector::new(&ruleset, Viewer::Player(PlayerId(1)));
    let handle = |projector: &mut Projector, table: &Table| {
        projector.view(&table.live).zones.iter().flat_map(|it| it.cards.clone()).map(|it| it.handle).collect::<Vec<_>>()
    };
    let before = handle(&mut projector, &table);
    for action in ["hide", "show"] {
        let commands = table.live.legal(PlayerId(0), 8);
        let names = &ruleset.program().text.actions;
        let command = commands
            .iter()
            .find(|it| matches!(it, engine::Command::Act { action: id, .. } if names[id.index()].label.id == action));
        table.live.submit(command.expect("is legal; qed"), &mut projector).expect("is legal; qed");
    }
    let after = handle(&mut projector, &table);
    assert_eq!((before, after), (vec![1], vec![2]));
}

#[test]
fn ruling_77_questions_name_cards_by_handles_that_hiding_changes() {
    let ruleset = games::parse(HIDE_AND_SEEK);
    let mut table = Table::set(ruleset.clone(), "p1 battlefield: Fox#1").expect("the table can be set; qed");
    let mut face = Projector::new(&ruleset, Viewer::Player(PlayerId(0)));
    let mut ids = Vec::new();
    for action in ["hide", "show", "hide"] {
        let decision = face.decision(&table.live).expect("p1 may act; qed");
        let offer = decision.options.choices.iter().find(|it| it.id == Some(action.into())).expect("is legal; qed");
        let inner = &offer.nested.as_ref().expect("the card is chosen; qed").choices[0];
        ids.push(inner.id.clone().expect("every choice has an id; qed"));
        let title = |it: &selector::Choice| it.title.clone().expect("every choice has a title; qed");
        let answer = selector::Response::to(&decision, [selector::Value::nested(title(offer), [title(inner)])]);
        let command = face.answer(&table.live, &answer).expect("is offered; qed");
        table.live.submit(&command, &mut face).expect("is offered; qed");
    }
    assert_eq!(ids, ["c1", "h1", "c2"].map(selector::Label::from));
}

/// A fox goes into a hidden zone and comes back.
const HIDE_AND_SEEK: &str = r#"{
  "include": ["std/deck"],
  "cardTypes": [{ "id": "animal" }],
  "cards": [{ "id": "fox", "name": "Fox", "type": "animal" }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] },
  "actions": [
    { "id": "hide", "timing": "instant", "targets": [{ "id": "card", "selector": { "zone": "battlefield", "count": 1 } }],
      "effects": [{ "op": "move_zone", "target": "card", "to": "deck" }] },
    { "id": "show", "timing": "instant", "targets": [{ "id": "card", "selector": { "zone": "deck", "controller": "self", "count": 1 } }],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] }
  ]
}"#;
