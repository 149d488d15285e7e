//! The duel uses the whole language, most of its cards say something, and random play uses every one of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

use compiler::{library::Folders, link_document};
use engine::{Match, Record, Sink, Waiting, state::MatchState};
use ruleset::{DefId, Term, grammar::OPS, snake, term::TermKind};
use testkit::{
    contract::{Dice, random_command},
    games,
};

fn document() -> Term {
    link_document("duel", &Folders::new([games::folder()])).expect("the duel links; qed")
}

/// What each name leads to: definitions and events, with the operations in them.
struct Names<'t> {
    bodies: BTreeMap<String, &'t Term>,
}

impl<'t> Names<'t> {
    fn new(root: &'t Term) -> Self {
        let mut bodies = BTreeMap::new();
        for event in root.list_at("events") {
            let id = event.text_at("id").unwrap_or_default();
            bodies.insert(snake(id), event);
            bodies.insert(id.to_owned(), event);
        }
        let named = root.list_at("define").iter().chain(root.list_at("keywords"));
        bodies.extend(named.filter_map(|it| Some((it.text_at("id")?.to_owned(), it))));
        Self { bodies }
    }

    /// The operations of the engine a term comes to, through all definitions, events and keywords.
    fn ops(&self, term: &Term, seen: &mut BTreeSet<String>, found: &mut BTreeSet<&'static str>) {
        match &term.kind {
            TermKind::Text(name) => {
                if let Some(op) = OPS.iter().find(|it| it.name == name) {
                    found.insert(op.name);
                }
                if let Some(body) = self.bodies.get(name).filter(|_| seen.insert(name.clone())) {
                    self.ops(body, seen, found);
                }
            }
            TermKind::List(items) => items.iter().for_each(|it| self.ops(it, seen, found)),
            TermKind::Map(entries) => {
                let shown = entries.iter().filter(|it| !matches!(&*it.key, "id" | "name" | "text" | "prompt"));
                shown.for_each(|it| self.ops(&it.value, seen, found));
            }
            TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) => {}
        }
    }

    fn of(&self, terms: &[&Term]) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        terms.iter().for_each(|it| self.ops(it, &mut BTreeSet::new(), &mut found));
        found
    }
}

/// The operations every card uses, and those of the rules themselves.
fn table(root: &Term) -> Vec<(String, String, BTreeSet<&'static str>)> {
    let names = Names::new(root);
    let mut rows = Vec::new();
    for card in root.list_at("cards") {
        let name = card.text_at("name").unwrap_or_default().to_owned();
        let text = card.text_at("text").unwrap_or_default().to_owned();
        let parts: Vec<&Term> = ["abilities", "keywords"].iter().filter_map(|it| card.get(it)).collect();
        rows.push((name, text, names.of(&parts)));
    }
    let rules = ["setup", "stateChecks", "reactions", "endConditions", "turnStructure", "actions"];
    let rules: Vec<&Term> = rules.iter().filter_map(|it| root.get(it)).collect();
    rows.push(("the rules".to_owned(), String::new(), names.of(&rules)));
    rows
}

fn page(rows: &[(String, String, BTreeSet<&'static str>)]) -> String {
    let mut out = String::from(
        "<!-- Made by `UPDATE_EXPECT=1 cargo nextest run -p testkit`; do not edit. -->\n\n# The cards of Duel\n\n\
         Which operations of the engine every card comes to, through definitions, events and keywords.\n\n\
         | Card | Text | Operations |\n|---|---|---|\n",
    );
    for (name, text, ops) in rows {
        let _ = writeln!(out, "| {name} | {text} | {} |", ops.iter().copied().collect::<Vec<_>>().join(" "));
    }
    out.push_str("\n## Who uses an operation\n\n| Operation | Cards |\n|---|---|\n");
    let all: BTreeSet<&str> = OPS.iter().map(|it| it.name).collect();
    for op in all {
        let users: Vec<&str> = rows.iter().filter(|it| it.2.contains(op)).map(|it| it.0.as_str()).collect();
        let _ = writeln!(out, "| `{op}` | {} |", users.join(", "));
    }
    out
}

#[test]
fn the_cards_of_the_duel_use_every_operation() {
    let root = document();
    let rows = table(&root);
    let path = games::folder().join("../docs/duel-cards.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, page(&rows)).expect("the docs folder can be written; qed");
    }
    assert!(fs::read_to_string(path).unwrap_or_default() == page(&rows), "docs/duel-cards.md is old: UPDATE_EXPECT=1");
    let used: BTreeSet<&str> = rows.iter().flat_map(|it| it.2.iter().copied()).collect();
    let unused: Vec<&str> = OPS.iter().map(|it| it.name).filter(|it| !used.contains(it)).collect();
    assert!(unused.is_empty(), "nothing in the duel uses {unused:?}");
    let plain = rows.iter().filter(|it| it.1.is_empty() && it.0 != "the rules").count();
    assert!(plain <= 8, "{plain} cards have no text");
}

/// Counts how often cards come to be played or created.
struct Uses(BTreeMap<DefId, u32>);

impl Sink for Uses {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        let card = match record {
            Record::Pushed(frame, _) if frame.action.is_some() => frame.source,
            Record::Created { event, card, .. } if event.is_some() => *card,
            _ => return,
        };
        if let Some(ent) = state.ent(card) {
            *self.0.entry(ent.def).or_default() += 1;
        }
    }
}

#[test]
fn random_play_uses_every_card() {
    let is_soak = std::env::var_os("SNAPSTACK_SOAK").is_some();
    let (n_games, least) = if is_soak { (10_000, 20) } else { (16, 1) };
    let ruleset = games::load("duel");
    let program = ruleset.program();
    let mut uses = Uses(BTreeMap::new());
    let (mut turns, mut wins) = (0, [0_u32; 2]);
    for seed in 0..n_games {
        let setup = games::setup(&ruleset, seed, 2);
        let (live, _) = Match::start(ruleset.clone(), &setup, &mut uses).expect("the decks are legal; qed");
        let mut live = live.fork();
        let mut dice = Dice::new(seed);
        while let Some(command) = random_command(&live, &mut dice) {
            live.submit(&command, &mut uses).expect("was offered; qed");
        }
        let Waiting::Over(outcome) = live.waiting() else { panic!("seed {seed} does not end: {:?}", live.waiting()) };
        turns += live.state().head.turn;
        for (deck, won) in wins.iter_mut().enumerate() {
            // With every seed the decks change seats.
            let seat = (deck as u64 + seed) % 2;
            *won += u32::from(outcome.winners >> seat & 1);
        }
    }
    println!("{n_games} games, {:.1} turns each, wins by deck {wins:?}", f64::from(turns) / n_games as f64);
    for (i, def) in program.text.defs.iter().enumerate() {
        let n = uses.0.get(&DefId::at(i)).copied().unwrap_or(0);
        println!("{:6} {}", n, def.name);
        assert!(n >= least, "{} is used {n} times in {n_games} games", def.name);
    }
}
