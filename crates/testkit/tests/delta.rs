//! `state.delta`: folding the deltas gives the view, for every viewer of every game at every step.

use host::{Game, HostedMatch, ViewDelta, Viewer, view::View};
use testkit::{games, hosted};

fn all_games() -> Vec<Game> {
    let rulesets = games::playable().into_iter().map(|it| Game::Ruleset(games::load(&it)));
    let secrets = Game::Ruleset(games::parse(include_str!("data/secrets.json")));
    rulesets.chain([secrets]).chain([harvest::script(), tricks::script()].map(Game::Script)).collect()
}

/// What one viewer has: his view as the deltas make it.
struct Client {
    viewer: Viewer,
    view: View,
    n_delta_bytes: usize,
    n_view_bytes: usize,
}

impl Client {
    fn update(&mut self, live: &dyn HostedMatch) {
        let view = live.view(self.viewer);
        let delta = ViewDelta::between(&self.view, &view);
        assert_eq!(delta.is_empty(), self.view == view, "a delta without a change, or a change without a delta");
        let text = serde_json::to_string(&delta).expect("deltas are plain data; qed");
        let read: ViewDelta = serde_json::from_str(&text).expect("what was written can be read; qed");
        assert_eq!(read, delta, "{text}");
        read.apply(&mut self.view);
        assert_eq!(self.view, view, "{text}");
        assert!(ViewDelta::between(&self.view, &view).is_empty());
        self.n_delta_bytes += text.len();
        self.n_view_bytes += serde_json::to_string(&view).map_or(0, |it| it.len());
    }
}

#[test]
fn folding_the_deltas_gives_the_view() {
    let n_seeds = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 200 } else { 2 };
    for (game, seed) in all_games().iter().flat_map(|it| (0..n_seeds).map(move |seed| (it, seed))) {
        let n_seats = *game.seats().end();
        let client = |viewer| Client { viewer, view: View::default(), n_delta_bytes: 0, n_view_bytes: 0 };
        let mut clients: Vec<Client> = script::viewers(n_seats).map(client).collect();
        hosted::random_match(game, seed, n_seats, |live, _| clients.iter_mut().for_each(|it| it.update(live)));
        let (deltas, views) =
            clients.iter().fold((0, 0), |acc, it| (acc.0 + it.n_delta_bytes, acc.1 + it.n_view_bytes));
        println!("{}: {:.1} % of the bytes of whole views", game.id(), 100.0 * deltas as f64 / views as f64);
        assert!(deltas * 2 < views, "{}: deltas are hardly smaller than views: {deltas} of {views}", game.id());
    }
}

/// A delta as JSON.
#[track_caller]
fn check(change: impl FnOnce(&mut View), expected: &str) {
    let value = |it: i64| selector::Value::Integer(it);
    let card = |id: &str| host::view::CardView {
        id: id.to_owned(),
        name: "Ant".to_owned(),
        values: [("cost".to_owned(), value(1))].into(),
    };
    let old = View {
        zones: vec![host::view::ZoneView {
            name: "hand".to_owned(),
            owner: Some("p1".to_owned()),
            count: 3,
            cards: ["c1", "c2", "c3"].map(card).to_vec(),
        }],
        ..View::default()
    };
    let mut new = old.clone();
    change(&mut new);
    let delta = ViewDelta::between(&old, &new);
    assert_eq!(serde_json::to_string(&delta).expect("deltas are plain data; qed"), expected);
    let mut folded = old;
    delta.apply(&mut folded);
    assert_eq!(folded, new);
}

#[test]
fn a_delta_names_what_changed_and_nothing_else() {
    check(|_| {}, "{}");
    check(|it| it.is_paused = true, r#"{"isPaused":true}"#);
    check(
        |it| {
            it.zones[0].cards.remove(1);
            it.zones[0].count = 2;
        },
        r#"{"zones":[{"name":"hand","owner":"p1","count":2,"gone":["c2"]}]}"#,
    );
    check(
        |it| {
            it.zones[0].cards[2].values.insert("cost".to_owned(), selector::Value::Integer(0));
        },
        r#"{"zones":[{"name":"hand","owner":"p1","changed":{"c3":{"cost":0}}}]}"#,
    );
    check(|it| it.zones[0].cards.swap(0, 2), r#"{"zones":[{"name":"hand","owner":"p1","order":["c3","c2","c1"]}]}"#);
    check(|it| drop(it.zones.pop()), r#"{"table":{"players":[],"zones":[]}}"#);
}
