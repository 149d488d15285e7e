//! Every card of duel is explained once: in `docs/duel-explained.md`, which this test writes and keeps.
//! Random games are played until each card has met a question that is about it.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use engine::{
    EntityId, Match,
    explain::{Considered, Part, Requirement, Truth, Verdict},
    view::Viewer as Eyes,
};
use host::{HostedMatch as _, Question, RuledMatch, Viewer};
use ruleset::{ActionId, AttrId, DefId};
use testkit::{
    contract::{Dice, random_command},
    games,
};

/// More games than this are not played.
const GAMES_MAX: u64 = 12;

/// More lines of an answer are not shown.
const LINES_MAX: usize = 24;

/// What was asked about a card, and the answer. A better kind of question replaces a worse one.
struct Told {
    rank: u8,
    seed: u64,
    version: u32,
    question: String,
    answer: String,
}

type Page = BTreeMap<DefId, Told>;

fn def(live: &Match, card: EntityId) -> Option<DefId> {
    live.state().ent(card).map(|it| it.def).filter(|it| it.is_some())
}

/// How much a verdict says of a card.
fn rank(it: &Considered) -> Option<u8> {
    match it.verdict {
        Verdict::Taken(_) => Some(5),
        Verdict::Unmet(_) | Verdict::UsedUp { .. } | Verdict::Dropped(_) => Some(4),
        Verdict::Filtered(_) | Verdict::Lost | Verdict::Spent => Some(3),
        Verdict::Elsewhere => None,
    }
}

struct Reporter {
    seed: u64,
    page: Page,
}

impl Reporter {
    fn ask(&mut self, hosted: &RuledMatch, about: DefId, rank: u8, shown: String, question: &Question) {
        if self.page.get(&about).is_some_and(|it| it.rank >= rank) {
            return;
        }
        let Ok(told) = hosted.explain(Viewer::Judge, question) else { return };
        let lines: Vec<String> = told.to_string().lines().map(str::to_owned).collect();
        let mut answer = lines.iter().take(LINES_MAX).cloned().collect::<Vec<_>>().join("\n");
        if lines.len() > LINES_MAX {
            let _ = write!(answer, "\n  ... and {} lines more", lines.len() - LINES_MAX);
        }
        let (seed, version) = (self.seed, hosted.version());
        self.page.insert(about, Told { rank, seed, version, question: shown, answer });
    }

    /// The rules of cards that an accepted command made somebody consider.
    fn triggers(&mut self, hosted: &RuledMatch, considered: &[Considered]) {
        let program = hosted.live().ruleset().program();
        for it in considered {
            let (Some(about), Some(rank)) = (def(hosted.live(), it.source), rank(it)) else { continue };
            let rule = program.text.rules[it.rule.index()].id.clone();
            if rule.is_empty() {
                continue;
            }
            let question = Question::Trigger { event: it.event.0, of: Some(rule.clone()) };
            self.ask(hosted, about, rank, format!("trigger {} {rule}", it.event.0), &question);
        }
    }

    /// Numbers that a card on the table makes what they are.
    fn values(&mut self, hosted: &RuledMatch) {
        let live = hosted.live();
        let attrs = &live.ruleset().program().text.attrs;
        let eyes = |card: EntityId| hosted.look(Viewer::Judge, |eyes| eyes.handle(card)).flatten();
        for entity in (0..live.state().ents.len()).map(EntityId::at).filter(|it| def(live, *it).is_some()) {
            for (i, attr) in attrs.iter().enumerate().filter(|it| matches!(&*it.1.id, "attack" | "max_health" | "cost"))
            {
                let Some(story) = live.explain_value(entity, AttrId::at(i)) else { continue };
                for part in &story.parts {
                    let (Part::AuraAdds { source, .. } | Part::AuraSets { source, .. } | Part::AddedBy { source, .. }) =
                        part
                    else {
                        continue;
                    };
                    let (Some(about), Some(handle)) = (def(live, *source), eyes(entity)) else { continue };
                    let question = Question::Value { of: format!("c{handle}"), attribute: attr.id.clone() };
                    self.ask(hosted, about, 4, format!("value c{handle}.{}", attr.id), &question);
                }
            }
        }
    }

    /// What somebody can do with a card, and what he cannot.
    fn actions(&mut self, hosted: &RuledMatch) {
        let live = hosted.live();
        let Some(player) = live.state().head.window.map(|it| it.holder) else { return };
        let program = live.ruleset().program();
        for (card, about) in (0..live.state().ents.len()).map(EntityId::at).filter_map(|it| Some((it, def(live, it)?)))
        {
            if self.page.get(&about).is_some_and(|it| it.rank >= 3) {
                continue;
            }
            let Some(handle) = hosted.look(Viewer::Judge, |eyes| eyes.handle(card)).flatten() else { continue };
            for (i, text) in program.text.actions.iter().enumerate() {
                let told = live.explain_action(Eyes::Judge, player, ActionId::at(i), &[vec![card.into()]]);
                let told = told.expect("is there; qed");
                let (action, targets) = (text.label.id.clone(), vec![format!("c{handle}")]);
                let shown = |word: &str| format!("{word} {action} c{handle}");
                match told.obstacle().map(|it| &it.requirement) {
                    None if program.actions[i].slots.is_empty() => {}
                    None => self.ask(hosted, about, 3, shown("if"), &Question::If { action: action.clone(), targets }),
                    Some(Requirement::Cost { .. } | Requirement::Slot { n_chosen: 0, .. }) => {
                        let question = Question::WhyNot { action: action.clone(), targets, player: None };
                        self.ask(hosted, about, 2, shown("why-not"), &question);
                    }
                    Some(_) => {
                        let n_held = told.checks.iter().filter(|it| it.truth == Truth::Yes).count();
                        let question = Question::WhyNot { action: action.clone(), targets, player: None };
                        if n_held > 2 {
                            self.ask(hosted, about, 1, shown("why-not"), &question);
                        }
                    }
                }
            }
        }
    }
}

fn explained() -> (Page, std::sync::Arc<ruleset::Ruleset>) {
    let ruleset = games::load("duel");
    let mut reporter = Reporter { seed: 0, page: Page::new() };
    for seed in 0..GAMES_MAX {
        reporter.seed = seed;
        let viewers = vec![Viewer::Judge];
        let mut hosted =
            RuledMatch::start_for(&ruleset, games::setup(&ruleset, seed, 2), viewers).expect("decks are legal; qed");
        let mut dice = Dice::new(seed + 1);
        while let Some(command) = random_command(hosted.live(), &mut dice) {
            let traced = hosted.live().fork().submit_traced(&command, &mut ());
            hosted.carry_out(&command).expect("is offered; qed");
            reporter.triggers(&hosted, &traced.expect("is offered; qed").1);
            reporter.values(&hosted);
            reporter.actions(&hosted);
        }
        if ruleset
            .program()
            .defs
            .iter()
            .enumerate()
            .all(|it| reporter.page.get(&DefId::at(it.0)).is_some_and(|it| it.rank > 1))
        {
            break;
        }
    }
    (reporter.page, ruleset)
}

fn written(page: &Page, ruleset: &std::sync::Arc<ruleset::Ruleset>) -> String {
    let mut out = String::from(
        "# Every card of Duel, explained once\n\n\
         What `snapstack explain` says about each card, in a random game in which it mattered.\n\
         Written and kept by `UPDATE_EXPECT=1 cargo nextest run -p testkit --test explained`; \
         how to ask is told in `docs/explain.md`.\n",
    );
    for (def, told) in page {
        let label = &ruleset.program().text.defs[def.index()];
        let _ = writeln!(out, "\n## {}", label.name);
        if !label.text.is_empty() {
            let _ = writeln!(out, "\n> {}", label.text);
        }
        let Told { seed, version, question, answer, .. } = told;
        let _ = writeln!(out, "\nGame {seed}, version {version}: `{question}`\n\n```text\n{answer}\n```");
    }
    out
}

#[test]
fn every_card_of_duel_is_explained_as_the_page_says() {
    let (page, ruleset) = explained();
    let defs = (0..ruleset.program().defs.len()).map(DefId::at);
    let missing: Vec<String> = defs
        .filter(|it| !page.contains_key(it))
        .map(|it| ruleset.program().text.defs[it.index()].name.clone())
        .collect();
    assert!(missing.is_empty(), "never explained: {missing:?}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/duel-explained.md");
    let text = written(&page, &ruleset);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &text).expect("the page can be written; qed");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).position(|it| it.0 != it.1);
    assert!(kept == text, "run with UPDATE_EXPECT=1 if this is meant; first difference in line {differs:?}");
}
