//! Explanations: what made a number what it is, as data that comes to the same number.

use engine::{
    EntityId, Match,
    explain::{Part, ValueStory},
};
use ruleset::AttrId;
use testkit::{contract::random_game, games, scenario::Table};

fn attribute(live: &Match, name: &str) -> AttrId {
    let labels = &live.ruleset().program().text.attrs;
    AttrId::at(labels.iter().position(|it| it.id == name).expect("the attribute is declared; qed"))
}

fn story(table: &Table, card: u32, name: &str) -> ValueStory {
    table.live.explain_value(EntityId(card), attribute(&table.live, name)).expect("a card has it; qed")
}

#[test]
fn a_number_is_printed_changed_modified_and_shone_upon() {
    let setup =
        "p1 hand: Growth#1, Giant_Strength#2, Recruit#9\np1: mana=9\np1 battlefield: Bear_Cub#3, Banner_Bearer#4";
    let mut table = Table::set(games::load("duel"), setup).expect("the table can be set; qed");
    let bear = 5;
    assert_eq!(story(&table, bear, "attack").value, 3);
    table.play("p1 cast Growth#1 Growth Bear_Cub#3").expect("is legal; qed");
    table.play("p1 enchant Giant_Strength#2 Bear_Cub#3").expect("is legal; qed");
    let attack = story(&table, bear, "attack");
    assert_eq!(attack.value, 7, "2 printed, +1 Banner, +2 Growth, +2 Giant Strength");
    let added = |it: &Part| matches!(it, Part::AddedBy { value: 2, .. });
    let shone = |it: &&Part| matches!(it, Part::AuraAdds { .. });
    assert_eq!(attack.parts[..2], [Part::Printed(2), Part::Base(2)]);
    assert!(attack.parts.iter().any(added), "{attack:?}");
    assert_eq!(attack.parts.iter().filter(shone).count(), 2, "{attack:?}");
    // Growth healed the Bear Cub for good.
    assert_eq!(story(&table, bear, "health").parts[..2], [Part::Printed(3), Part::Base(5)]);
    assert_eq!(table.live.explain_value(EntityId(99), attribute(&table.live, "attack")), None);
    let link = attribute(&table.live, "attached_to");
    assert_eq!(table.live.explain_value(EntityId(bear), link), None, "a link is no number");
}

#[test]
fn the_parts_of_every_number_of_every_game_come_to_the_number() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let n_attrs = ruleset.program().attrs.len();
        random_game(&ruleset, 4, |live, _| {
            let everybody = (0..live.state().ents.len()).map(EntityId::at);
            for entity in everybody.filter(|it| live.state().ent(*it).is_some_and(|e| e.zone % 3 == 0)) {
                for attr in (0..n_attrs).map(AttrId::at) {
                    if let Some(story) = live.explain_value(entity, attr) {
                        assert_eq!(story.replay(), story.value, "{name}: {story:?}");
                    }
                }
            }
        });
    }
}
