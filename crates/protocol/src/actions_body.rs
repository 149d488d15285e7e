//! The answer to `GET /matches/{id}/actions`.

use std::collections::BTreeMap;

use host::{ActionView, actions::OptionView, view::View};
use selector::Value;
use serde::{Deserialize, Serialize};

/// The actions a player can take now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionsBody {
    pub actions: Vec<ActionBody>,
    /// The version they are for; a request gives it back as `knownVersion`.
    pub version: u32,
}

/// An action, and each way to begin it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionBody {
    pub id: String,
    pub name: String,
    pub description: String,
    /// `3 mana`; nothing where it is free or depends on what is chosen.
    pub cost: Option<String>,
    /// What has to be chosen, by slot.
    pub targets: BTreeMap<String, TargetBody>,
    pub timing: String,
    pub ui: Option<Value>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub hint: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub principal: Option<String>,
    pub options: Vec<OptionView>,
}

/// What can fill a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetBody {
    /// The zone the candidates are in, or `players`, or `any` where they differ.
    pub selector: String,
    pub count: u16,
    pub constraints: Vec<String>,
}

impl ActionsBody {
    /// The actions of a player who sees the table like this. Where he may act he may also let it be, so that whoever
    /// shows all of these shows everything.
    pub fn new(actions: Vec<ActionView>, view: &View, may_pass: bool) -> Self {
        let actions = actions.into_iter().map(|it| action(it, view));
        Self { actions: actions.chain(may_pass.then(pass)).collect(), version: view.branch_id }
    }
}

/// Letting it be, asked for like any action.
fn pass() -> ActionBody {
    ActionBody {
        id: "pass".to_owned(),
        name: "Pass".to_owned(),
        description: "Do nothing now; if all pass, the game goes on.".to_owned(),
        cost: None,
        targets: BTreeMap::new(),
        timing: "instant".to_owned(),
        ui: None,
        hint: String::new(),
        principal: None,
        options: vec![OptionView { principal: None, cost: None, slots: Vec::new() }],
    }
}

fn action(it: ActionView, view: &View) -> ActionBody {
    let targets = targets(&it, view);
    let mut costs: Vec<&str> = it.options.iter().filter_map(|it| Some(it.cost.as_ref()?.text.as_str())).collect();
    costs.sort_unstable();
    costs.dedup();
    let cost = if let [only] = costs.as_slice() { Some((*only).to_owned()).filter(|it| !it.is_empty()) } else { None };
    let ActionView { id, name, description, timing, hint, ui, principal, options } = it;
    ActionBody { id, name, description, cost, targets, timing, ui, hint, principal, options }
}

fn targets(action: &ActionView, view: &View) -> BTreeMap<String, TargetBody> {
    let mut slots: BTreeMap<String, (u16, Vec<&str>)> = BTreeMap::new();
    for option in &action.options {
        if let (Some(slot), Some(target)) = (&action.principal, &option.principal) {
            slots.entry(slot.clone()).or_insert((1, Vec::new())).1.push(&target.id);
        }
        for slot in &option.slots {
            let entry = slots.entry(slot.id.clone()).or_insert((slot.max, Vec::new()));
            entry.1.extend(slot.candidates.iter().map(|it| it.id.as_str()));
        }
    }
    let has_cost = action.options.iter().any(|it| it.cost.as_ref().is_some_and(|it| !it.parts.is_empty()));
    let constraints = |slot: &str| {
        let is_principal = action.principal.as_deref() == Some(slot);
        let affordable = (is_principal && has_cost).then_some("affordable");
        affordable.into_iter().chain(["playable"].into_iter().filter(|_| is_principal)).map(str::to_owned).collect()
    };
    let body = |(slot, (count, ids)): (String, (u16, Vec<&str>))| {
        let target = TargetBody { selector: place_of(&ids, view), count, constraints: constraints(&slot) };
        (slot, target)
    };
    slots.into_iter().map(body).collect()
}

/// Where all of some candidates are.
fn place_of(ids: &[&str], view: &View) -> String {
    let place = |id: &str| {
        let zone = view.zones.iter().find(|it| it.cards.iter().any(|it| it.id == id)).map(|it| it.name.as_str());
        zone.or_else(|| view.players.iter().any(|it| it.id == id).then_some("players"))
    };
    let mut places: Vec<Option<&str>> = ids.iter().map(|it| place(it)).collect();
    places.sort_unstable();
    places.dedup();
    if let [Some(only)] = places.as_slice() { (*only).to_owned() } else { "any".to_owned() }
}
