//! `state.delta`: folding the patches gives the view, for every viewer of every game at every step.

use host::{Game, HostedMatch, Viewer};
use protocol::{Leaves, patch, view_hash};
use serde_json::Value;
use testkit::{games, hosted};

fn all_games() -> Vec<Game> {
    let rulesets = games::playable().into_iter().map(|it| Game::Ruleset(games::load(&it)));
    let secrets = Game::Ruleset(games::parse(include_str!("data/secrets.json")));
    rulesets.chain([secrets]).chain([harvest::script(), tricks::script()].map(Game::Script)).collect()
}

/// What one viewer has: the view as the patches make it.
struct Client {
    viewer: Viewer,
    sent: Leaves,
    view: Value,
    n_patch_bytes: usize,
    n_view_bytes: usize,
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

impl Client {
    fn update(&mut self, live: &dyn HostedMatch) {
        let view = live.view(self.viewer);
        let whole = serde_json::to_value(&view).expect("views are plain data; qed");
        assert!(!has_null(&whole), "a view has no null: {whole}");
        let change = self.sent.update(view);
        assert_eq!(change.is_none(), self.view == whole, "a patch without a change, or a change without a patch");
        if let Some(change) = change {
            self.n_patch_bytes += change.to_string().len();
            patch::apply(&mut self.view, &change);
            patch::apply(&mut self.view, &change);
        }
        assert_eq!(self.view, whole);
        assert_eq!(view_hash(&self.view), self.sent.hash(), "the hash is kept up leaf by leaf");
        self.n_view_bytes += whole.to_string().len();
    }
}

#[test]
fn folding_the_patches_gives_the_view() {
    let n_seeds = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 200 } else { 2 };
    for (game, seed) in all_games().iter().flat_map(|it| (0..n_seeds).map(move |seed| (it, seed))) {
        let n_seats = *game.seats().end();
        let client = |viewer| Client {
            viewer,
            sent: Leaves::default(),
            view: serde_json::json!({}),
            n_patch_bytes: 0,
            n_view_bytes: 0,
        };
        let mut clients: Vec<Client> = script::viewers(n_seats).map(client).collect();
        hosted::random_match(game, seed, n_seats, |live, _| clients.iter_mut().for_each(|it| it.update(live)));
        let (patches, views) =
            clients.iter().fold((0, 0), |acc, it| (acc.0 + it.n_patch_bytes, acc.1 + it.n_view_bytes));
        println!("{}: {:.1} % of the bytes of whole views", game.id(), 100.0 * patches as f64 / views as f64);
        assert!(patches * 2 < views, "{}: patches are hardly smaller than views: {patches} of {views}", game.id());
    }
}
