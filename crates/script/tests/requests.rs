//! The three kinds of request, the four patterns of play and the helpers.

mod desk;

use desk::{P1, P2, P3, answer_with, done, give, reason, refused, replays, script, start};
use script::{Answer, Card, Face, Mistake, Opts, Outcome, Rejection, Seat, Status, Table, Visibility};
use selector::{Choice, Response, Selector, Value};

fn join(values: &[Value]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
}

fn ask(seat: Seat, title: &str, choices: &[&str]) -> Selector {
    Selector::select(seat, title).offer(choices.iter().copied())
}

#[test]
fn a_single_request_returns_the_selection_of_its_player() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let picked = table.request_single(ask(P1, "Choose Action", &["attack", "defend", "skip"])).await?;
        done(join(&picked))
    }
    let mut live = start(&script(play), 2);
    assert_eq!(live.waiting(), Some((1, vec![P1])));
    assert_eq!(live.open(P2), None);
    give(&mut live, P1, ["attack"]);
    assert_eq!(reason(&live), "attack");
    replays(&live);
}

#[test]
fn a_freeform_request_returns_what_was_said() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let said = table.request_single(Selector::action(P1, "Say")).await?;
        done(join(&said))
    }
    let mut live = start(&script(play), 2);
    let mut answer = answer_with(&live, P1, Vec::<Value>::new());
    answer.response.selection = Value::object([("name", "north".into())]);
    live.submit(&answer).unwrap();
    assert_eq!(reason(&live), "[object]");
    replays(&live);
}

/// Pattern 1: players take turns, and each turn's answer decides the next.
async fn turns(table: Table) -> Result<Outcome, Mistake> {
    let mut said = Vec::new();
    for seat in table.seats().into_iter().cycle().take(4) {
        said.extend(table.request_single(ask(seat, "Your turn", &["a", "b"])).await?);
    }
    done(join(&said))
}

#[test]
fn in_turns_only_the_right_player_can_act() {
    let mut live = start(&script(turns), 2);
    for (seat, other) in [(P1, P2), (P2, P1), (P1, P2), (P2, P1)] {
        let mut wrong = answer_with(&live, seat, ["a"]);
        wrong.seat = other;
        refused(&mut live, "command/wrong_actor", |it| it.submit(&wrong));
        wrong.response.actor = None;
        refused(&mut live, "command/not_asked", |it| it.submit(&wrong));
        give(&mut live, seat, ["a"]);
        replays(&live);
    }
    assert_eq!(reason(&live), "a+a+a+a");
}

/// Pattern 2: all choose, then all is carried out together.
async fn together(table: Table) -> Result<Outcome, Mistake> {
    let selectors = table.seats().into_iter().rev().map(|it| ask(it, "Choose Card", &["x", "y", "z"])).collect();
    let responses = table.request_many(selectors).await?;
    let line = |it: &Response| format!("{}={}", it.actor.clone().unwrap_or_default(), join(it.items().unwrap()));
    done(responses.iter().map(line).collect::<Vec<_>>().join(" "))
}

#[test]
fn simultaneous_answers_lead_to_the_same_match_in_every_order() {
    let picks = [(P1, "x"), (P2, "y"), (P3, "z")];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut hashes = Vec::new();
    for order in orders {
        let mut live = start(&script(together), 3);
        for at in order {
            let (seat, pick) = picks[at];
            give(&mut live, seat, [pick]);
            replays(&live);
        }
        // The answers come in the order of the selectors, whatever order they arrived in.
        assert_eq!(reason(&live), "p3=z p2=y p1=x");
        assert_eq!(live.version(), 1);
        hashes.push(live.hash());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
}

#[test]
fn nobody_sees_a_simultaneous_answer_before_all_are_in() {
    let mut live = start(&script(together), 3);
    let seen = |it: &script::Match| (it.view(script::Viewer::Seat(P2)), it.open(P2), it.version());
    give(&mut live, P1, ["x"]);
    let one = seen(&live);
    // Not what was answered, nor how often it was changed.
    give(&mut live, P1, ["y"]);
    give(&mut live, P1, ["z"]);
    assert_eq!(seen(&live), one);
    assert_eq!(live.events(script::Viewer::Seat(P2), 0), []);
    assert_eq!(one.0.waiting[0].missing, ["p3", "p2"]);
}

#[test]
fn a_player_may_replace_his_part_until_the_last_answer_arrives() {
    let mut live = start(&script(together), 3);
    let early = live.version();
    assert!(!give(&mut live, P1, ["x"]).moved);
    assert_eq!(live.open(P1).unwrap().draft.unwrap().items().unwrap(), ["x".into()]);
    give(&mut live, P1, ["y"]);
    give(&mut live, P2, ["x"]);
    assert_eq!(live.version(), early, "parts do not move the version");
    assert!(give(&mut live, P3, ["x"]).moved);
    assert_eq!(reason(&live), "p3=x p2=x p1=y");
    let late = Answer { seat: P1, input: 1, version: early, response: Response::default(), confirm: true };
    refused(&mut live, "command/match_over", |it| it.submit(&late));
}

#[test]
fn a_confirmed_answer_is_final_and_a_draft_does_not_count() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let selectors = table.seats().into_iter().map(|it| ask(it, "Deck", &["x", "y"])).collect();
        let responses = table.request_many_confirmed(selectors).await?;
        done(responses.iter().map(|it| join(it.items().unwrap())).collect::<Vec<_>>().join(" "))
    }
    let mut live = start(&script(play), 2);
    for seat in [P1, P2] {
        let draft = Answer { confirm: false, ..answer_with(&live, seat, ["x"]) };
        live.submit(&draft).unwrap();
    }
    assert_eq!(live.view(script::Viewer::Spectator).waiting[0].missing, ["p1", "p2"]);
    give(&mut live, P1, ["y"]);
    replays(&live);
    let again = Answer { seat: P1, input: 1, version: 0, response: Response::default(), confirm: true };
    refused(&mut live, "command/already_answered", |it| it.submit(&again));
    give(&mut live, P2, ["x"]);
    assert_eq!(reason(&live), "y x");
}

/// Pattern 3: whoever is first takes a card from the middle, until none is left.
async fn draft(table: Table) -> Result<Outcome, Mistake> {
    let mut cards = vec!["red", "green", "blue", "white"];
    let mut taken = Vec::new();
    while cards.len() > 1 {
        let selectors = table.seats().into_iter().map(|it| ask(it, "Draft Card", &cards)).collect();
        let response = table.request_any(selectors).await?;
        let card = join(response.items().unwrap());
        cards.retain(|it| *it != card);
        taken.push(format!("{}:{card}", response.actor.unwrap_or_default()));
    }
    done(taken.join(" "))
}

#[test]
fn in_a_draft_the_first_answer_wins_and_the_late_one_gets_a_conflict() {
    let mut live = start(&script(draft), 2);
    let (first, late) = (answer_with(&live, P2, ["red"]), answer_with(&live, P1, ["red"]));
    live.submit(&first).unwrap();
    let why = refused(&mut live, "command/too_late", |it| it.submit(&late));
    assert_eq!(why.conflict(), Some(1));
    // Who loads the match again sees what is left.
    let titles: Vec<String> = live
        .open(P1)
        .unwrap()
        .selector
        .options
        .choices
        .iter()
        .map(|it| it.title.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(titles, ["green", "blue", "white"]);
    give(&mut live, P1, ["green"]);
    give(&mut live, P1, ["blue"]);
    assert_eq!(reason(&live), "p2:red p1:green p1:blue");
    replays(&live);
}

/// Pattern 4: one player or several, as the game stands.
async fn sharing(table: Table) -> Result<Outcome, Mistake> {
    if table.choose_yes_no(P1, "Share?").await? {
        let selectors = table.seats().into_iter().map(|it| ask(it, "Shared", &["a", "b"])).collect();
        let n = table.request_many(selectors).await?.len();
        return done(format!("{n} shared"));
    }
    table.request_single(ask(P1, "Alone", &["a", "b"])).await?;
    done("alone")
}

#[test]
fn a_game_may_ask_one_or_many_as_it_stands() {
    let mut live = start(&script(sharing), 2);
    give(&mut live, P1, ["yes"]);
    give(&mut live, P2, ["a"]);
    give(&mut live, P1, ["b"]);
    assert_eq!(reason(&live), "2 shared");
    let mut live = start(&script(sharing), 2);
    give(&mut live, P1, ["no"]);
    assert_eq!(live.open(P2), None);
    give(&mut live, P1, ["b"]);
    assert_eq!(reason(&live), "alone");
}

#[test]
fn an_older_branch_id_is_accepted_only_for_a_part_of_the_open_request() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        table.request_single(ask(P1, "First", &["a", "b"])).await?;
        together(table).await
    }
    let mut live = start(&script(play), 2);
    give(&mut live, P1, ["a"]);
    let part = Answer { version: 0, ..answer_with(&live, P1, ["x"]) };
    live.submit(&part).expect("the very request is open for the actor");
    let ahead = Answer { version: 7, ..answer_with(&live, P2, ["x"]) };
    refused(&mut live, "request/stale_version", |it| it.submit(&ahead));
}

#[test]
fn a_stale_branch_id_is_refused_with_the_current_one() {
    let mut live = start(&script(turns), 2);
    give(&mut live, P1, ["a"]);
    let stale = Answer { version: 0, ..answer_with(&live, P2, ["a"]) };
    let why = refused(&mut live, "request/stale_version", |it| it.submit(&stale));
    assert_eq!(why, Rejection::Stale { current: 1 });
    // Another client of the first player that has not heard of the answer.
    let response = Response { title: Some("Your turn".into()), ..Response::default() };
    let twice = Answer { seat: P1, input: 1, version: 0, response, confirm: true };
    assert_eq!(refused(&mut live, "command/too_late", |it| it.submit(&twice)).conflict(), Some(1));
}

/// What is forced, in each of the three kinds of request.
async fn forced(table: Table) -> Result<Outcome, Mistake> {
    let discard = |it: Seat| ask(it, "Discard Cards", &["card1", "card2"]).exactly(2);
    let one = table.request_single(discard(P1)).await?;
    let many = table.request_many(vec![discard(P1), ask(P2, "Choose", &["a", "b"])]).await?;
    let any = table.request_any(vec![ask(P1, "Race", &["a", "b"]), discard(P2)]).await?;
    done(format!("{} {} {}", join(&one), join(many[0].items().unwrap()), any.actor.unwrap_or_default()))
}

#[test]
fn forced_selections_answer_themselves_and_are_recorded_as_such() {
    let mut live = start(&script(forced), 2);
    // The single request went by; of the second only p2 is asked, who is not forced.
    assert_eq!(live.waiting(), Some((2, vec![P2])));
    give(&mut live, P2, ["b"]);
    assert_eq!(reason(&live), "card1+card2 card1+card2 p2");
    let own: Vec<bool> = live.answers().map(|it| it.is_user_response).collect();
    assert_eq!(own, [false, false, true, false]);
    let autos: Vec<usize> = live.record().transitions.iter().map(|it| it.autos.len()).collect();
    assert_eq!(autos, [2, 1]);
    replays(&live);
}

#[test]
fn a_client_cannot_say_that_its_answer_was_automatic() {
    let mut live = start(&script(sharing), 2);
    let mut answer = answer_with(&live, P1, ["no"]);
    answer.response.is_user_response = false;
    live.submit(&answer).unwrap();
    assert!(live.answers().all(|it| it.is_user_response));
}

#[test]
fn what_would_tell_a_secret_is_always_asked() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        table.choose(P1, ["only"], Opts::titled("Pick").always_asked()).await?;
        done("asked")
    }
    let live = start(&script(play), 2);
    assert_eq!(live.waiting(), Some((1, vec![P1])));
}

#[test]
fn a_game_that_refuses_a_forced_answer_is_stopped_and_not_repeated_for_ever() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        loop {
            let picked = table.choose(P1, ["a"], "Pick").await?;
            if join(&picked) == "b" {
                return done("never");
            }
        }
    }
    let live = start(&script(play), 2);
    assert_eq!(live.status(), &Status::Broken(Mistake::ForcedLoop));
}

/// Every helper of the table once.
async fn helpers(table: Table) -> Result<Outcome, Mistake> {
    let hand = table.add_own_zone("hand", P1, Visibility::Owner)?;
    let cards = ["ace", "king", "ace"].map(|it| table.add_card(hand, Face::new(it)));
    let cards: Vec<Card> = cards.into_iter().collect::<Result<_, _>>()?;
    let mut said = vec![join(&table.choose(P1, ["north", "south"], "Where").await?)];
    let card = table.choose_card(P1, &cards, "Which").await?;
    said.push(card.map_or("none".to_owned(), |it| format!("{}", usize::from(it == cards[2]))));
    let several = table.choose_cards(P1, &cards, Opts::titled("Which two").exactly(2)).await?;
    said.push(several.iter().map(|it| table.name(*it)).collect::<Result<Vec<_>, _>>()?.join("+"));
    said.push(table.choose_yes_no(P2, "Really?").await?.to_string());
    let player = table.choose_player(P2, &[P1, P3], "Who").await?;
    said.push(player.map_or("nobody".to_owned(), |it| it.to_string()));
    let none = table.choose_card(P1, &cards, Opts::titled("Maybe").between(0, 1)).await?;
    said.push(format!("{}", none.is_none()));
    done(said.join(" "))
}

#[test]
fn the_helpers_return_what_they_are_about() {
    let mut live = start(&script(helpers), 3);
    give(&mut live, P1, ["south"]);
    // The third card is called like the first: its id tells them apart.
    let third = live.open(P1).unwrap().selector.options.choices[2].clone();
    give(&mut live, P1, [third.picked(None)]);
    give(&mut live, P1, ["king", "ace"]);
    give(&mut live, P2, ["no"]);
    give(&mut live, P2, ["p3"]);
    give(&mut live, P1, Vec::<Value>::new());
    assert_eq!(reason(&live), "south 1 king+ace false p3 true");
    replays(&live);
}

#[test]
fn nested_choices_come_back_as_they_were_picked() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let choices = [Choice::group("Dogma", ["Archery", "The Wheel"]), Choice::group("Meld", ["card-1"])];
        let picked = table.choose(P1, choices, "Choose Action").await?;
        let inside = picked[0].field("selection").and_then(Value::as_list).unwrap_or_default();
        done(format!("{} {}", picked[0], join(inside)))
    }
    let mut live = start(&script(play), 2);
    give(&mut live, P1, [Value::nested("Dogma", ["The Wheel"])]);
    assert_eq!(reason(&live), "Dogma The Wheel");
    replays(&live);
}

#[test]
fn a_record_keeps_only_what_was_meant() {
    let mut live = start(&script(turns), 2);
    let mut answer = answer_with(&live, P1, [Value::object([("title", "a".into()), ("junk", "x".repeat(999).into())])]);
    answer.response.is_user_response = true;
    live.submit(&answer).unwrap();
    assert_eq!(live.answers().next().unwrap().items().unwrap(), ["a".into()]);
}

#[test]
fn mistakes_of_the_author_are_reported_where_the_request_is_made() {
    #[track_caller]
    fn check(selectors: Vec<Selector>, code: &str) {
        let play = move |table: Table| {
            let selectors = selectors.clone();
            async move { table.request_many(selectors).await.map(|_| Outcome::won([], "fine")) }
        };
        let live = start(&script(play), 2);
        let Status::Broken(mistake) = live.status() else { panic!("{:?}", live.status()) };
        assert_eq!(mistake.code(), code);
    }
    check(vec![], "script/nobody_asked");
    check(vec![ask(P1, "t", &["a", "b"]), ask(P1, "u", &["a", "b"])], "script/asked_twice");
    check(vec![ask(P3, "t", &["a"])], "script/unknown_actor");
    check(vec![Selector::select("dennis", "t").offer(["a"])], "script/unknown_actor");
    check(vec![ask(P1, "t", &["a", "b"]).between(2, 1)], "script/bad_selector");
}

#[test]
fn a_game_cannot_wait_for_what_is_no_request() {
    async fn play(_: Table) -> Result<Outcome, Mistake> {
        std::future::pending::<()>().await;
        done("never")
    }
    assert_eq!(start(&script(play), 2).status(), &Status::Broken(Mistake::Stuck));
}
