//! How the cost of a decision grows with the cards in play, with few continuous effects and with many.

use std::{sync::Arc, time::Instant};

use engine::{Match, Moves, Setup};
use ruleset::{DefId, Ruleset};

use crate::{
    games::{self, Dice},
    median, playout,
};

/// How many cards are in play.
const SIZES: [usize; 5] = [10, 32, 100, 316, 1000];

/// The fixed number of continuous effects, and one to how many cards where they grow.
const AURAS: usize = 4;

/// A table of pawns and banners on which one pawn after the other can be poked.
const TABLE: &str = r#"{
  "id": "table", "name": "Table", "version": "1.0.0",
  "players": { "min": 1, "max": 1, "deckZone": "field" },
  "limits": { "instructionsPerStep": 10000000, "workPerCommand": 100000000 },
  "zones": [{ "id": "field", "owner": "shared", "active": true }],
  "attributes": [{ "id": "power" }, { "id": "pokes" }],
  "cardTypes": [{ "id": "piece" }],
  "cards": [
    { "id": "pawn", "type": "piece", "attributes": { "power": 1 } },
    {
      "id": "banner", "type": "piece",
      "abilities": [{ "id": "Rally", "affects": { "zone": "field", "card": "pawn" }, "attribute": "power", "add": 1 }]
    }
  ],
  "events": [
    {
      "id": "Poke", "fact": "Poked", "fields": { "card": "card" }, "subject": "card",
      "apply": [{ "op": "change_attribute", "target": "card", "attribute": "pokes", "by": 1 }]
    }
  ],
  "turnStructure": { "phases": [{ "id": "turn", "steps": [{ "id": "main", "mandatory": true }] }] },
  "actions": [
    {
      "id": "poke_one", "timing": "sorcery",
      "targets": [{ "id": "card", "selector": { "zone": "field", "where": { "op": "gt", "a": { "ref": "it.power" }, "b": 0 }, "count": 1 } }],
      "effects": [{ "op": "poke", "card": "card" }]
    }
  ],
  "stateChecks": [
    {
      "id": "weary", "forEach": { "zone": "field", "where": { "op": "gt", "a": { "ref": "it.pokes" }, "b": 1000000 } },
      "emit": [{ "op": "poke", "card": "it" }]
    }
  ]
}"#;

/// Prints a table of times and how they grow.
pub fn report() {
    let ruleset = games::parse(TABLE);
    println!("\none decision (list all moves, play one) by cards in play, in us");
    println!("  cards    {AURAS} auras   one aura to ten cards");
    let rows = SIZES.map(|n| (n, time(&ruleset, n, AURAS), time(&ruleset, n, n / 10)));
    for (n, fixed, growing) in rows {
        println!("  {n:>5} {:>10.2} {:>10.2}", fixed / 1000.0, growing / 1000.0);
    }
    let slope = |of: fn(&(usize, f64, f64)) -> f64| {
        let (first, last) = (&rows[0], &rows[rows.len() - 1]);
        (of(last) / of(first)).ln() / (last.0 as f64 / first.0 as f64).ln()
    };
    let (fixed, growing) = (slope(|it| it.1), slope(|it| it.2));
    println!(
        "  grows like n^{fixed:.2} with a fixed number of auras (target: at most 1.0), n^{growing:.2} with growing ones (1.2)"
    );
}

fn table(ruleset: &Arc<Ruleset>, n_cards: usize, n_auras: usize) -> Match {
    let (pawn, banner) = (DefId(0), DefId(1));
    let deck = (0..n_cards).map(|it| if it < n_auras { banner } else { pawn }).collect();
    let setup = Setup { seed: [0; 32], decks: vec![deck] };
    Match::start(ruleset.clone(), &setup, &mut ()).expect("the table is legal; qed").0.fork()
}

/// The time of one decision in nanoseconds.
fn time(ruleset: &Arc<Ruleset>, n_cards: usize, n_auras: usize) -> f64 {
    let mut live = table(ruleset, n_cards, n_auras);
    let (mut moves, mut dice) = (Moves::default(), Dice::new(1));
    let n = u32::try_from(4000 / (n_cards * n_auras.max(1)).max(1)).unwrap_or(0).max(4);
    let rounds = (0..7).map(|_| {
        let start = Instant::now();
        for _ in 0..n {
            let at = playout::choose_among(&live, &mut dice, &mut moves, 4096).expect("it never ends; qed");
            live.play(&moves, at, &mut ()).expect("was offered; qed");
        }
        start.elapsed().as_nanos() as f64 / f64::from(n)
    });
    median(rounds.collect())
}
