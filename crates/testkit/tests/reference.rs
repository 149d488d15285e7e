//! Random rulesets against an interpreter so small that it is obviously right: stack order, prevention,
//! limiters and atomic groups.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use engine::{Match, PlayerId, Record, Setup, Sink, state::MatchState};
use ruleset::{Ruleset, program::BuiltIn};
use testkit::{contract::Dice, games};

/// Writes down what happened, by name.
struct Facts {
    ruleset: Arc<Ruleset>,
    names: Vec<String>,
}

impl Sink for Facts {
    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        let Record::Happened { kind, args, .. } = record else { return };
        let texts = &self.ruleset.program().text.events;
        if *kind == BuiltIn::EventPrevented.id() {
            self.names.push(format!("-{}", texts[usize::try_from(args[1]).unwrap()].id));
        } else if kind.index() >= BuiltIn::ALL.len() {
            self.names.push(texts[kind.index()].fact.clone());
        }
    }
}

/// Plays the one action of a ruleset and gives what happened.
fn play(json: &str) -> Vec<String> {
    let ruleset = games::compile(json).unwrap_or_else(|it| panic!("{}\n{json}", compiler::render(&it)));
    let setup = Setup { seed: [0; 32], decks: vec![vec![], vec![]] };
    let (mut live, _) = Match::start(ruleset.clone(), &setup, &mut ()).unwrap();
    let mut facts = Facts { ruleset, names: Vec::new() };
    let act = live.legal(PlayerId(0), 1).remove(0);
    live.submit(&act, &mut facts).unwrap();
    let until_done = facts
        .names
        .iter()
        .position(|it| it == "Go" || it == "-Go")
        .unwrap_or_else(|| panic!("never done: {:?}", facts.names));
    facts.names.truncate(until_done);
    facts.names
}

fn document(events: &str, reactions: &str, effects: &str) -> String {
    format!(
        r#"{{ "turnStructure": {{ "phases": [{{ "id": "play", "steps": [{{ "id": "act" }}] }}] }},
              "events": [{events}], "reactions": [{reactions}],
              "actions": [{{ "id": "go", "timing": "instant", "effects": [{effects}] }}] }}"#
    )
}

/// A rule of the random language.
#[derive(Clone, Debug)]
struct Rule {
    before: bool,
    on: usize,
    priority: i64,
    /// What it emits, always events of higher numbers, so that everything ends.
    emits: Vec<usize>,
    prevents: bool,
    per_turn: bool,
    per_event: Option<usize>,
}

/// A random game of events that lead to events.
#[derive(Debug)]
struct Chain {
    /// What each event leads to before it has happened.
    effects: Vec<Vec<usize>>,
    rules: Vec<Rule>,
}

impl Chain {
    fn random(dice: &mut Dice) -> Self {
        let n = 3 + dice.below(5);
        let higher = |dice: &mut Dice, from: usize| -> Vec<usize> {
            if from + 1 >= n {
                return Vec::new();
            }
            (0..dice.below(3)).map(|_| from + 1 + dice.below(n - from - 1)).collect()
        };
        let effects = (0..n).map(|i| if dice.below(2) == 0 { higher(dice, i) } else { Vec::new() }).collect();
        let rules = (0..dice.below(7))
            .map(|_| {
                let on = dice.below(n);
                let before = dice.below(2) == 0;
                Rule {
                    before,
                    on,
                    priority: dice.below(3) as i64 - 1,
                    emits: higher(dice, on),
                    prevents: before && dice.below(3) == 0,
                    per_turn: dice.below(4) == 0,
                    per_event: (dice.below(4) == 0).then_some(1),
                }
            })
            .collect();
        Self { effects, rules }
    }

    fn json(&self) -> String {
        let emit = |list: &[usize]| {
            list.iter().map(|it| format!(r#"{{ "op": "emit", "event": "E{it}" }}"#)).collect::<Vec<_>>()
        };
        let events: Vec<String> = self
            .effects
            .iter()
            .enumerate()
            .map(|(i, it)| format!(r#"{{ "id": "E{i}", "effects": [{}] }}"#, emit(it).join(",")))
            .collect();
        let rules: Vec<String> = self.rules.iter().enumerate().map(|(i, rule)| {
            let mut effects = emit(&rule.emits);
            if rule.prevents { effects.insert(0, r#"{ "op": "prevent" }"#.to_owned()) }
            let timing = if rule.before { "before" } else { "after" };
            let mut limits = Vec::new();
            if rule.per_turn { limits.push(r#""oncePerTurn": true"#.to_owned()) }
            if let Some(n) = rule.per_event { limits.push(format!(r#""maxPerEvent": {n}"#)) }
            format!(r#"{{ "id": "r{i}", "timing": "{timing}", "priority": {}, "when": {{ "eventType": "E{}" }}, "limiters": {{ {} }}, "effects": [{}] }}"#,
                rule.priority, rule.on, limits.join(","), effects.join(","))
        }).collect();
        document(&events.join(","), &rules.join(","), r#"{ "op": "emit", "event": "E0" }"#)
    }
}

/// The obvious interpreter: resolving an event is a function that calls itself.
#[derive(Default)]
struct Reference {
    facts: Vec<String>,
    /// How often rules acted in this turn.
    used: BTreeMap<usize, usize>,
}

impl Reference {
    /// The rules that answer now, the first to resolve first; each is counted as it is found.
    fn find(&mut self, chain: &Chain, on: usize, before: bool) -> Vec<usize> {
        let mut found: Vec<usize> =
            (0..chain.rules.len()).filter(|i| chain.rules[*i].on == on && chain.rules[*i].before == before).collect();
        found.retain(|i| !(chain.rules[*i].per_turn && self.used.get(i).copied().unwrap_or(0) > 0));
        found.sort_by_key(|i| (-chain.rules[*i].priority, *i));
        found.iter().for_each(|i| *self.used.entry(*i).or_default() += 1);
        found
    }

    fn resolve(&mut self, chain: &Chain, event: usize) {
        let mut prevented = false;
        for rule in self.find(chain, event, true) {
            // Whoever comes too late to prevent has not been used.
            if chain.rules[rule].prevents && prevented {
                *self.used.entry(rule).or_default() -= 1;
            }
            prevented |= chain.rules[rule].prevents;
            chain.rules[rule].emits.iter().for_each(|it| self.resolve(chain, *it));
        }
        if prevented {
            return self.facts.push(format!("-E{event}"));
        }
        chain.effects[event].iter().for_each(|it| self.resolve(chain, *it));
        self.facts.push(format!("E{event}"));
        for rule in self.find(chain, event, false) {
            chain.rules[rule].emits.iter().for_each(|it| self.resolve(chain, *it));
        }
    }
}

#[test]
fn chains_of_events_resolve_as_the_reference_says() {
    let n = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 20_000 } else { 300 };
    for seed in 0..n {
        let chain = Chain::random(&mut Dice::new(seed));
        let mut reference = Reference::default();
        reference.resolve(&chain, 0);
        assert_eq!(play(&chain.json()), reference.facts, "seed {seed}: {chain:#?}");
    }
}

/// A random atomic group.
#[derive(Debug)]
enum Group {
    Leaf { event: usize, optional: bool, prevented: bool },
    Inner { optional: bool, members: Vec<Group> },
}

impl Group {
    fn random(dice: &mut Dice, depth: usize, next: &mut usize) -> Self {
        if depth == 0 || dice.below(3) == 0 {
            *next += 1;
            return Self::Leaf { event: *next - 1, optional: dice.below(4) == 0, prevented: dice.below(8) == 0 };
        }
        let members = (0..1 + dice.below(3)).map(|_| Self::random(dice, depth - 1, next)).collect();
        Self::Inner { optional: dice.below(3) == 0, members }
    }

    fn json(&self, out: &mut String) {
        match self {
            Self::Leaf { event, optional, .. } => {
                write!(out, r#"{{ "op": "emit", "event": "E{event}", "optional": {optional} }}"#).unwrap()
            }
            Self::Inner { optional, members } => {
                write!(out, r#"{{ "op": "group", "optional": {optional}, "events": ["#).unwrap();
                for (i, member) in members.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    member.json(out);
                }
                out.push_str("] }");
            }
        }
    }

    /// All leaves in order.
    fn leaves(&self) -> Vec<(usize, bool)> {
        match self {
            Self::Leaf { event, prevented, .. } => vec![(*event, *prevented)],
            Self::Inner { members, .. } => members.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// Whether it is lost: a leaf that is prevented, a group with a needed member that is lost.
    fn is_lost(&self) -> bool {
        match self {
            Self::Leaf { prevented, .. } => *prevented,
            Self::Inner { members, .. } => members.iter().any(|it| !it.is_optional() && it.is_lost()),
        }
    }

    fn is_optional(&self) -> bool {
        match self {
            Self::Leaf { optional, .. } | Self::Inner { optional, .. } => *optional,
        }
    }

    /// The leaves that happen, all or none of each group.
    fn survivors(&self) -> Vec<usize> {
        match self {
            _ if self.is_lost() => Vec::new(),
            Self::Leaf { event, .. } => vec![*event],
            Self::Inner { members, .. } => members.iter().flat_map(Self::survivors).collect(),
        }
    }
}

#[test]
fn nested_groups_happen_whole_or_not_at_all_and_only_after_all_were_asked() {
    let n = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 20_000 } else { 300 };
    let mut n_lost = 0;
    for seed in 0..n {
        let mut dice = Dice::new(seed);
        let mut next = 0;
        let members = (0..1 + dice.below(3)).map(|_| Group::random(&mut dice, 7, &mut next)).collect();
        let group = Group::Inner { optional: false, members };
        let leaves = group.leaves();
        let events: Vec<String> =
            (0..next).flat_map(|i| [format!(r#"{{ "id": "E{i}" }}"#), format!(r#"{{ "id": "Saw{i}" }}"#)]).collect();
        // Before each member something is seen to happen, and some members are prevented.
        let reactions: Vec<String> = leaves.iter().map(|(i, prevented)| {
            let prevent = if *prevented { r#", { "op": "prevent" }"# } else { "" };
            format!(r#"{{ "id": "b{i}", "timing": "before", "when": {{ "eventType": "E{i}" }}, "effects": [{{ "op": "emit", "event": "Saw{i}" }}{prevent}] }}"#)
        }).collect();
        let mut effects = String::new();
        group.json(&mut effects);
        let facts = play(&document(&events.join(","), &reactions.join(","), &effects));
        let asked: Vec<String> = leaves.iter().map(|it| format!("Saw{}", it.0)).collect();
        assert_eq!(facts[..asked.len()], asked, "seed {seed}: something happened before the last member was asked");
        let survivors = group.survivors();
        let outcome: Vec<String> = leaves
            .iter()
            .map(|it| if survivors.contains(&it.0) { format!("E{}", it.0) } else { format!("-E{}", it.0) })
            .collect();
        assert_eq!(facts[asked.len()..], outcome, "seed {seed}: {group:#?}");
        n_lost += usize::from(survivors.is_empty());
    }
    assert!(n_lost > 0 && n_lost < n as usize, "the random groups are all alike");
}
