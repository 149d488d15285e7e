//! The answer to `GET /matches/{id}/actions`: the open window, with the words of the catalogue.

use std::collections::BTreeMap;

use protocol::bodies::{ActionBody, ActionsBody, TargetBody};
use view::{Action, Catalogue, Choice, Offer, PendingInput, Ref, View};

/// What a player can do now.
pub fn actions(catalogue: &Catalogue, view: &View, window: Option<&PendingInput>) -> ActionsBody {
    let offers = window.map_or(&[][..], |it| &it.constraints.actions);
    let find = |id: &str| catalogue.actions.iter().find(|it| it.id == id);
    let mut actions: Vec<ActionBody> = offers.iter().filter_map(|it| Some(action(find(&it.id)?, it, view))).collect();
    if window.is_some_and(|it| it.constraints.may_pass) {
        actions.push(pass());
    }
    ActionsBody { actions, branch_id: view.branch_id, input_id: window.map(|it| it.input_id.clone()) }
}

/// Passing, as an action.
fn pass() -> ActionBody {
    ActionBody {
        id: "pass".to_owned(),
        name: "Pass".to_owned(),
        description: "Do nothing now; if all pass, the game goes on.".to_owned(),
        cost: None,
        targets: BTreeMap::new(),
        ui: None,
        choices: Vec::new(),
        is_lazy: false,
    }
}

fn action(it: &Action, offer: &Offer, view: &View) -> ActionBody {
    let mut costs: Vec<&String> = offer.choices.iter().filter_map(|it| it.cost.as_ref()).collect();
    costs.dedup();
    let has_cost = !costs.is_empty();
    let same = if let [only] = costs.as_slice() { Some((*only).clone()) } else { None };
    let targets = it.slots.iter().enumerate().map(|(at, slot)| {
        let is_first = at == 0;
        let choices = if is_first { offer.choices.as_slice() } else { &[] };
        let affordable = (is_first && has_cost).then(|| "affordable".to_owned());
        let playable = is_first.then(|| "playable".to_owned());
        let constraints = affordable.into_iter().chain(playable).collect();
        (slot.id.clone(), TargetBody { selector: place_of(choices, view), count: slot.max, constraints })
    });
    ActionBody {
        id: it.id.clone(),
        name: it.name.clone(),
        description: it.text.clone(),
        cost: offer.cost.clone().or(same),
        targets: targets.collect(),
        ui: it.ui.clone(),
        choices: offer.choices.clone(),
        is_lazy: offer.is_lazy,
    }
}

/// Where all of some choices are: the zone, `players`, or `any`.
fn place_of(choices: &[Choice], view: &View) -> String {
    let place = |it: &Choice| {
        let id = it.id.to_string();
        let zone = view.zones.iter().find(|zone| zone.1.cards.contains(&id)).map(|it| it.0.as_str());
        let zone = zone.map(|it| it.split('@').next().unwrap_or(it));
        zone.or_else(|| matches!(it.id, Ref::Player(_)).then_some("players"))
    };
    let mut places: Vec<Option<&str>> = choices.iter().map(place).collect();
    places.sort_unstable();
    places.dedup();
    if let [Some(only)] = places.as_slice() { (*only).to_owned() } else { "any".to_owned() }
}
