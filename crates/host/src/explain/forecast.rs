//! What will happen if somebody does something: it is done in worlds that might be, and told is what they agree on.
//! The true world is none of them, so nothing is told that he could not know.

use std::{collections::BTreeMap, fmt};

use engine::{Budget, Command, PlayerId, view::FieldView};
use ruleset::ActionId;
use script::Viewer;
use serde::{Deserialize, Serialize};
use view::{Payload, Ref, Told};

use super::{ExplainError, Explanation, legality};
use crate::{HostedMatch as _, names, ruled::RuledMatch, telling};

/// In how many worlds it is tried.
const WORLDS: u32 = 24;

/// What all worlds have in common, and what they have not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Expected {
    pub worlds: u32,
    /// What happens in all of them, in this order; a field that differs is hidden.
    pub events: Vec<Told>,
    /// Values that change in the same way in all of them, as `p1.health 20 -> 18`.
    pub changes: Vec<String>,
    /// What happens in some, and in how many.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub perhaps: Vec<Likely>,
}

/// Something that happens in some worlds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Likely {
    pub text: String,
    pub worlds: u32,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in &self.events {
            writeln!(f, "  {}", it.text)?;
        }
        for it in &self.changes {
            writeln!(f, "  {it}")?;
        }
        for it in &self.perhaps {
            writeln!(f, "  perhaps ({} of {}): {}", it.worlds, self.worlds, it.text)?;
        }
        Ok(())
    }
}

/// What came of it in one world.
struct World {
    events: Vec<Told>,
    changes: BTreeMap<String, String>,
}

/// What will happen if a player takes an action.
pub fn explain(
    hosted: &RuledMatch,
    viewer: Viewer,
    player: PlayerId,
    action: ActionId,
    targets: Vec<Vec<i64>>,
) -> Result<Explanation, ExplainError> {
    let command = Command::Act { player, action, targets: targets.clone() };
    if hosted.live().fork().submit(&command, &mut ()).is_err() {
        let why_not = hosted.look(viewer, |eyes| legality::explain(hosted.live(), eyes, player, action, &targets));
        return why_not.ok_or(ExplainError::NotAllowed)?;
    }
    let worlds: Vec<World> = (0..WORLDS).filter_map(|it| imagine(hosted, viewer, &command, it)).collect();
    let expected = agree(&worlds);
    let name = &hosted.live().ruleset().program().text.actions[action.index()].label.id;
    let answer = format!(
        "if {} takes {name}, in {} worlds that might be:",
        engine::question::player_id(player),
        expected.worlds
    );
    Ok(Explanation { answer, code: "expected".to_owned(), reasons: Vec::new(), expected: Some(expected) })
}

/// Does it in one world that might be, and lets all pass until somebody has to decide something else.
fn imagine(hosted: &RuledMatch, viewer: Viewer, command: &Command, n: u32) -> Option<World> {
    let mut seed = [0x45; 32];
    seed[..4].copy_from_slice(&n.to_le_bytes());
    let budget = hosted.live().budget();
    if budget.is_spent() {
        return None;
    }
    let mut world = hosted.resampled(viewer, seed)?;
    let before = look(budget, &world, viewer);
    let n_before = u32::try_from(world.events(viewer, 0).len()).unwrap_or(u32::MAX);
    carry_out(budget, &mut world, command)?;
    let rows = world.live().state().stack.len();
    // What was announced is carried out if nobody responds.
    for _ in 0..64 {
        let engine::Waiting::Priority(window) = world.live().waiting() else { break };
        if world.live().state().stack.len() < rows.max(1) {
            break;
        }
        carry_out(budget, &mut world, &Command::Pass { player: window.holder })?;
    }
    let after = look(budget, &world, viewer);
    Some(World { events: world.events(viewer, n_before), changes: changes(&before, &after) })
}

/// Looks at a world that was imagined; the request it was imagined for pays.
fn look(budget: &Budget, world: &RuledMatch, viewer: Viewer) -> BTreeMap<String, String> {
    world.allow(budget.left());
    let seen = values(world, viewer);
    budget.go_on(world.live().budget());
    seen
}

/// Carries out a command in a world that was imagined; the request it was imagined for pays.
fn carry_out(budget: &Budget, world: &mut RuledMatch, command: &Command) -> Option<()> {
    world.carry_out(command).ok()?;
    let limit = world.live().ruleset().program().limits.work_per_command_max;
    budget.charge(u64::from(limit.saturating_sub(world.live().work_left())));
    (!budget.is_spent()).then_some(())
}

/// Every value the viewer sees, by whose it is.
fn values(hosted: &RuledMatch, viewer: Viewer) -> BTreeMap<String, String> {
    let live = hosted.live();
    let program = live.ruleset().program();
    let Some(view) = hosted.look(viewer, |eyes| eyes.view(live)) else { return BTreeMap::new() };
    let mut all = BTreeMap::new();
    let mut add = |of: &str, values: &engine::view::Values| {
        let value = |(attr, field): &(ruleset::AttrId, FieldView)| {
            let called = names::of_field(program, field, ruleset::sort::Sort::Int);
            let called = called.map_or_else(|| "nothing".to_owned(), |it| it.to_string());
            (format!("{of}.{}", names::named(&program.text.attrs, attr.index())), called)
        };
        all.extend(values.iter().map(value));
    };
    (0..).zip(&view.players).for_each(|(seat, it)| add(&Ref::Player(seat).to_string(), it));
    for card in view.zones.iter().flat_map(|it| &it.cards) {
        let name = program.text.defs.get(card.def.index()).map_or("?", |it| it.name.as_str());
        add(&format!("{name} ({})", Ref::Card(card.handle)), &card.values);
    }
    let zone = |it: &engine::view::ZoneView| {
        let owner = it.seat.and_then(names::player).map_or(String::new(), |it| format!(" of {it}"));
        (format!("cards in {}{owner}", names::named(&program.text.zones, it.zone.index())), it.count.to_string())
    };
    all.extend(view.zones.iter().map(zone));
    all
}

/// What of it is another after than before; what comes or goes is told by events.
fn changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let changed = new.iter().filter_map(|(name, value)| {
        let was = old.get(name).filter(|it| *it != value)?;
        Some((name.clone(), format!("{was} -> {value}")))
    });
    changed.collect()
}

fn agree(worlds: &[World]) -> Expected {
    let n_worlds = u32::try_from(worlds.len()).unwrap_or(u32::MAX);
    let Some((first, rest)) = worlds.split_first() else {
        return Expected { worlds: 0, events: Vec::new(), changes: Vec::new(), perhaps: Vec::new() };
    };
    let events = rest.iter().fold(first.events.clone(), |acc, it| common(&acc, &it.events));
    let events: Vec<Told> = events.into_iter().map(|it| Told { sequence: 0, ..it }).collect();
    let is_sure = |(name, change): &(&String, &String)| rest.iter().all(|it| it.changes.get(*name) == Some(*change));
    let (sure, _): (Vec<_>, Vec<_>) = first.changes.iter().partition(is_sure);
    let sure: BTreeMap<&String, &String> = sure.into_iter().collect();
    let mut perhaps: BTreeMap<String, u32> = BTreeMap::new();
    for world in worlds {
        let open = world.changes.iter().filter(|it| !sure.contains_key(it.0)).map(|(name, it)| format!("{name} {it}"));
        open.chain(rare(&world.events, &events)).for_each(|it| *perhaps.entry(it).or_default() += 1);
    }
    let mut perhaps: Vec<Likely> = perhaps.into_iter().map(|(text, worlds)| Likely { text, worlds }).collect();
    perhaps.sort_by(|a, b| b.worlds.cmp(&a.worlds).then_with(|| a.text.cmp(&b.text)));
    let changes = sure.into_iter().map(|(name, it)| format!("{name} {it}")).collect();
    Expected { worlds: n_worlds, events, changes, perhaps }
}

/// The events of a world that are more than all worlds have, or more is known of them than all worlds have.
fn rare(events: &[Told], agreed: &[Told]) -> Vec<String> {
    let mut left: Vec<&Told> = agreed.iter().collect();
    let mut more: Vec<String> = Vec::new();
    for it in events {
        let same = left.iter().position(|other| other.event.kind == it.event.kind && is_alike(other, it));
        let at = same.or_else(|| left.iter().position(|other| other.event.kind == it.event.kind));
        if let Some(at) = at {
            left.remove(at);
        }
        if same.is_none() && !more.contains(&it.text) {
            more.push(it.text.clone());
        }
    }
    more
}

/// The longest sequence of events that two have in common, by kind; of those, the one with most in common.
fn common(a: &[Told], b: &[Told]) -> Vec<Told> {
    let alike = |x: &Told, y: &Told| match (x.event.kind == y.event.kind, is_alike(x, y)) {
        (false, _) => 0,
        (true, false) => 2_u32,
        (true, true) => 3,
    };
    let mut best = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let alike = alike(&a[i], &b[j]);
            let both = if alike > 0 { best[i + 1][j + 1] + alike } else { 0 };
            best[i][j] = both.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let alike = alike(&a[i], &b[j]);
        if alike > 0 && best[i][j] == best[i + 1][j + 1] + alike {
            out.push(merged(&a[i], &b[j]));
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

/// Whether two events tell the same: a card has the same name in all worlds, and may be another one.
fn is_alike(a: &Told, b: &Told) -> bool {
    a.event.payload == b.event.payload && a.cards == b.cards
}

/// Whether the cards a field names are the same ones in both worlds.
fn is_same_card(a: &Told, b: &Told, value: &Payload) -> bool {
    match value {
        Payload::Text(name) => a.cards.get(name) == b.cards.get(name),
        Payload::List(items) => items.iter().all(|it| is_same_card(a, b, it)),
        Payload::Flag(_) | Payload::Number(_) => true,
    }
}

/// An event of two worlds, with what differs hidden.
fn merged(a: &Told, b: &Told) -> Told {
    let both = a.event.payload.iter().filter_map(|(name, value)| {
        let other = b.event.payload.get(name)?;
        let hidden = || Payload::Text(Ref::Unknown.to_string());
        let is_same = value == other && is_same_card(a, b, value);
        Some((name.clone(), if is_same { value.clone() } else { hidden() }))
    });
    let payload: BTreeMap<String, Payload> = both.collect();
    let cards: BTreeMap<String, String> =
        a.cards.iter().filter(|it| b.cards.get(it.0) == Some(it.1)).map(|it| (it.0.clone(), it.1.clone())).collect();
    let is_same = a.event.payload == payload;
    let text = if is_same { a.text.clone() } else { telling::plain_text(&a.event.kind, &payload, &cards) };
    let event = view::Event { payload, ..a.event.clone() };
    Told { event, cards, text, ..a.clone() }
}
