//! Explanations: what made a number what it is, as data that comes to the same number; and what will happen, as far as
//! one can know.

use engine::{
    Command, EntityId, Match, PlayerId, Waiting,
    explain::{Part, ValueStory},
};
use host::{
    ExplainError, Explanation, HostedMatch as _, Question, RuledMatch, Seat, Viewer,
    view::{Payload, Told, View},
};
use ruleset::{ActionId, AttrId, sort::Sort};
use testkit::{
    contract::{Dice, random_command, random_game},
    games,
    scenario::Table,
};

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

/// A match of duel some commands into a random game.
fn duel(seed: u64, n_commands: usize) -> RuledMatch {
    let ruleset = games::load("duel");
    let mut live = RuledMatch::start(&ruleset, games::setup(&ruleset, seed, 2)).expect("decks are legal; qed");
    let mut dice = Dice::new(seed + 1);
    for _ in 0..n_commands {
        let Some(command) = random_command(live.live(), &mut dice) else { break };
        live.carry_out(&command).expect("is offered; qed");
    }
    live
}

/// Plays random games of duel and looks at them whenever somebody may act.
fn watch_duel(n_games: u64, mut look: impl FnMut(&RuledMatch, Seat)) {
    let ruleset = games::load("duel");
    for seed in 0..n_games {
        let mut live = RuledMatch::start(&ruleset, games::setup(&ruleset, seed, 2)).expect("decks are legal; qed");
        let mut dice = Dice::new(seed + 1);
        while let Some(command) = random_command(live.live(), &mut dice) {
            if let Some(holder) = live.live().state().head.window.map(|it| Seat(it.holder.0)) {
                look(&live, holder);
            }
            live.carry_out(&command).expect("is offered; qed");
        }
    }
}

/// An action as a question, everything called as the player calls it.
fn asked(live: &RuledMatch, seat: Seat, action: ActionId, targets: &[Vec<i64>]) -> Option<Question> {
    let program = live.live().ruleset().program();
    let slots = &program.actions[action.index()].slots;
    let word = |at: usize, value: i64| {
        let sort = slots.get(at).map_or(Sort::Entity, |it| it.ty.sort);
        if sort == Sort::Ability {
            return Some(program.text.abilities[usize::try_from(value).ok()?].id.clone());
        }
        live.look(Viewer::Seat(seat), |eyes| eyes.wire_id(live.live(), value, sort))
    };
    let single = targets.iter().all(|it| it.len() == 1);
    let targets: Option<Vec<String>> = targets.iter().enumerate().map(|(at, it)| word(at, *it.first()?)).collect();
    let action = program.text.actions[action.index()].label.id.clone();
    Some(Question::If { action, targets: targets.filter(|_| single)? })
}

/// What happens to a viewer if a command is carried out and nobody responds.
fn done(live: &RuledMatch, viewer: Viewer, command: &Command) -> (Vec<Told>, View) {
    let mut world = live.copy();
    let n_before = u32::try_from(world.events(viewer, 0).len()).unwrap_or(u32::MAX);
    world.carry_out(command).expect("is offered; qed");
    let rows = world.live().state().stack.len().max(1);
    while let Waiting::Priority(window) = world.live().waiting()
        && world.live().state().stack.len() >= rows
    {
        world.carry_out(&Command::Pass { player: window.holder }).expect("he may act; qed");
    }
    (world.events(viewer, n_before), world.view(viewer))
}

/// Whether an event is one that was expected: what is told of it is so.
fn is_expected(event: &Told, expected: &Told) -> bool {
    let open = Payload::Text("hidden".to_owned());
    let (event, expected) = (&event.event, &expected.event);
    let told = expected.payload.iter().filter(|it| *it.1 != open);
    event.kind == expected.kind && told.clone().all(|(name, value)| event.payload.get(name) == Some(value))
}

#[test]
fn what_all_worlds_agree_on_happens_in_the_true_one() {
    let (mut n_events, mut n_changes, mut n_looks) = (0, 0, 0);
    watch_duel(4, |live, seat| {
        n_looks += 1;
        let acts = live.live().legal(PlayerId(seat.0), 64);
        let Some(command) = acts.get(n_looks % acts.len().max(1)).filter(|_| n_looks % 9 == 0) else { return };
        let Command::Act { action, targets, .. } = command else { return };
        let Some(question) = asked(live, seat, *action, targets) else { return };
        let told = live.explain(Viewer::Seat(seat), &question).unwrap_or_else(|it| panic!("{question:?}: {it}"));
        let expected = told.expected.unwrap_or_else(|| panic!("{question:?} is legal: {}", told.answer));
        assert_eq!(expected.worlds, 24, "what is legal for a player is legal in every world he cannot tell apart");
        let (events, view) = done(live, Viewer::Seat(seat), command);
        let mut left = events.iter();
        for it in &expected.events {
            assert!(left.any(|event| is_expected(event, it)), "{question:?}: {} did not happen: {events:?}", it.text);
        }
        for change in expected.changes.iter().filter_map(|it| it.strip_prefix(&format!("{seat}."))) {
            let (name, rest) = change.split_once(' ').expect("a name and a change; qed");
            let after = rest.split(" -> ").nth(1).expect("before and after; qed");
            let value = &view.players[&seat.to_string()].values[name];
            assert_eq!(value.to_string(), after, "{question:?}: {change}");
            n_changes += 1;
        }
        n_events += expected.events.len();
    });
    assert!(n_events > 50 && n_changes > 10, "{n_events} events, {n_changes} changes");
}

#[test]
fn what_cannot_be_known_is_told_as_open() {
    // Insight draws cards: that it does is sure, which ones is not.
    let (mut n_sure, mut n_open) = (0, 0);
    watch_duel(12, |live, seat| {
        let prompts = if n_sure < 4 { live.prompts(seat) } else { Vec::new() };
        let actions = prompts.iter().flat_map(|it| &it.input.constraints.actions);
        let mut spells = actions.filter(|it| it.id == "cast").flat_map(|it| &it.choices);
        let Some(insight) = spells.find(|it| it.title == "Insight") else { return };
        let question = Question::If { action: "cast".to_owned(), targets: vec![insight.id.to_string()] };
        let told = live.explain(Viewer::Seat(seat), &question).expect("is offered; qed");
        let expected = told.expected.expect("is legal; qed");
        let drawn: Vec<&Told> = expected.events.iter().filter(|it| it.event.kind == "CardDrawn").collect();
        n_sure += drawn.len();
        n_open += drawn.iter().filter(|it| it.text.contains("a hidden card")).count();
        let named = |it: &host::explain::Likely| it.text.contains(" draws ") && it.worlds < 24;
        assert!(drawn.is_empty() || expected.perhaps.iter().any(named), "which they may be is told: {expected:?}");
    });
    assert!(n_sure > 0 && n_open > 0, "{n_sure} sure, {n_open} open");
}

#[test]
fn a_player_asks_for_himself_only_and_by_names_he_knows() {
    let live = duel(1, 30);
    let (me, spectator) = (Viewer::Seat(Seat(0)), Viewer::Spectator);
    let ask = |viewer, question: &Question| live.explain(viewer, question).map_err(|it: ExplainError| it.code());
    let other = Question::WhyNot { action: "attack".to_owned(), targets: vec![], player: Some("p2".to_owned()) };
    assert_eq!(ask(me, &other), Err("explain/not_allowed"));
    assert!(ask(Viewer::Judge, &other).is_ok());
    let own = Question::WhyNot { action: "attack".to_owned(), targets: vec![], player: None };
    assert!(ask(me, &own).is_ok());
    assert_eq!(ask(spectator, &own), Err("explain/not_allowed"));
    let nothing = Question::WhyNot { action: "fly".to_owned(), targets: vec![], player: None };
    assert_eq!(ask(me, &nothing), Err("explain/unknown_action"));
    let hidden = Question::Value { of: "c999".to_owned(), attribute: "attack".to_owned() };
    assert_eq!(ask(me, &hidden), Err("explain/unknown_name"));
    let mana = Question::Value { of: "p2".to_owned(), attribute: "mana".to_owned() };
    assert!(ask(spectator, &mana).is_ok(), "what everybody sees, everybody may ask");
}

#[test]
fn an_explanation_is_read_back_from_what_is_sent() {
    let live = duel(2, 40);
    let question = r#"{ "ask": "why-not", "action": "summon" }"#;
    let question: Question = serde_json::from_str(question).expect("is a question; qed");
    let told = live.explain(Viewer::Judge, &question).expect("a judge may; qed");
    let sent = serde_json::to_string(&told).expect("is plain data; qed");
    assert_eq!(serde_json::from_str::<Explanation>(&sent).expect("can be read; qed"), told);
}

#[test]
fn games_that_are_code_explain_nothing() {
    let game = host::Game::Script(harvest::script());
    let live = game.start(&host::Start::seeded(1, 2)).expect("two can play; qed");
    let question = Question::Value { of: "p1".to_owned(), attribute: "score".to_owned() };
    assert_eq!(live.explain(Viewer::Judge, &question), Err(ExplainError::NotThere));
}
