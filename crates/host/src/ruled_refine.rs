//! What can fill the next slot of a submit that is being prepared, or what else a question takes.

use engine::{Command, InputNo, Match, PlayerId, view::Projector};
use script::{Rejection as Common, Seat, Viewer};
use selector::{Selector, Value};
use view::{Choice, Page};

use crate::{
    asking::{self, PAGE_MAX},
    hosted::Clock,
    numbering::Named,
    playing::{Asked, Query},
    refused::Refused,
    ruled::RuledMatch,
    ruled_play::{self, Bound},
    ruled_prompt,
};

impl RuledMatch {
    /// A question as a player is asked it, in the words of the contract.
    pub(crate) fn prompt(&self, seat: Seat, input: InputNo) -> Option<Asked> {
        let question = self.question(seat, input)?;
        let name = self.numbering().name(seat.0, input.0)?;
        let version = self.version_now();
        let look = |eyes: &mut Projector| ruled_prompt::question(self.live(), eyes, name, &question, version);
        let mut prompt = self.look(Viewer::Seat(seat), look)?;
        let (_, refs) = self.question_for(seat, input.0).ok()?;
        prompt.draft = self.drafted(seat, input, &refs);
        let clock = (question.deadline_ms > 0).then_some(Clock::Input(input.0));
        Some(Asked { input: prompt, clock })
    }

    /// What a player has answered to a question that is still open, by Refs.
    fn drafted(&self, seat: Seat, input: InputNo, refs: &Selector) -> Option<Vec<view::Pick>> {
        let player = PlayerId(seat.0);
        let is_theirs = |it: &&engine::state::Answer| it.input == input && it.player == player;
        let values = &self.live().state().answers.iter().find(is_theirs)?.values;
        let choices = self.live().choices(player, input)?.values;
        let places = values.iter().map(|value| choices.iter().position(|it| it == value));
        let id = |it: usize| refs.options.choices.get(it).map(|it| asking::choice(it).id);
        let pick = |it: view::Ref| match it {
            view::Ref::Number(number) => view::Pick::Number(number),
            other => view::Pick::Named(other.to_string()),
        };
        Some(places.map(|it| it.and_then(id).map_or(view::Pick::Blank(()), pick)).collect())
    }

    /// The next page of what a player can choose. Changes nothing and is told to nobody.
    pub fn refine_by_refs(&self, seat: Seat, query: &Query) -> Result<Page, Refused> {
        self.check_running()?;
        let input = match self.numbering().input(seat.0, &query.input) {
            Named::Known(input) => input,
            Named::Gone => return Err(Common::TooLate { current: self.version_now() }.into()),
            Named::Never => return Err(Refused::from(Common::UnknownInput).at("/inputId")),
        };
        let (_, selector) = self.question_for(seat, input)?;
        if !self.is_window(input) {
            return of_question(&selector, query, self.version_now());
        }
        let look = |eyes: &mut Projector| {
            eyes.sync_rows(self.live().state());
            of_action(self.live(), eyes, query, self.version_now())
        };
        self.look(Viewer::Seat(seat), look).ok_or(Common::UnknownPlayer)?
    }
}

/// What else a question takes beside what is drafted; or what is in one of its groups.
pub fn of_question(selector: &Selector, query: &Query, version: u32) -> Result<Page, Refused> {
    let bounds = selector.bounds();
    let wire = asking::wire(selector, |_| String::new());
    let (options, min, max) = match &query.at {
        None => (&selector.options.choices, bounds.min, bounds.max),
        Some(group) => {
            let name = group.to_string();
            let is_it = |it: &&selector::Choice| it.id.as_ref().is_some_and(|id| id.to_string() == name);
            let nested = selector.options.choices.iter().find(is_it).and_then(|it| it.nested.as_ref());
            let nested = nested.ok_or_else(|| Refused::unknown_name("/at", &name))?;
            (&nested.choices, nested.bounds().min, nested.bounds().max)
        }
    };
    let picked: Vec<String> = query.draft.selection.iter().map(name_of).collect();
    let is_free = |it: &Choice| query.at.is_some() || !picked.contains(&it.id.to_string());
    let choices = options.iter().map(asking::choice).filter(is_free).collect();
    let is_complete = asking::picks(selector, &Value::List(query.draft.selection.clone())).is_ok();
    let page = Page { min, max, range: wire.range, is_complete, ..Page::default() };
    if page.range.is_some() {
        return Ok(page);
    }
    cut(page, choices, query, version)
}

fn name_of(value: &Value) -> String {
    value.field("id").map_or_else(|| value.to_string(), ToString::to_string)
}

fn of_action(live: &Match, eyes: &Projector, query: &Query, version: u32) -> Result<Page, Refused> {
    let Some(action) = &query.draft.action else {
        return Err(Refused::missing_field("/draft/actionType", "the draft names an action"));
    };
    let bound = ruled_play::bind(live, eyes, action, &query.draft.targets).map_err(in_draft)?;
    bound.check_names(&query.draft.targets).map_err(in_draft)?;
    let player = eyes.player();
    let command = Command::Act { player, action: bound.action, targets: bound.values() };
    let is_complete = live.is_legal(&command);
    let n_filled = bound.slots.iter().position(|it| it.2.is_none()).unwrap_or(bound.slots.len());
    let filled = bound.values().into_iter().take(n_filled).collect::<Vec<_>>();
    let paid = live.quote(player, bound.action, &filled).filter(|it| !it.is_empty());
    let cost = paid.map(|it| ruled_prompt::cost(live, eyes, &it));
    let page = Page { is_complete, cost, ..Page::default() };
    let Some(at) = open_slot(&bound, query)? else { return Ok(page) };
    let before: Vec<Vec<i64>> = bound.values().into_iter().take(at).collect();
    let Some(found) = live.candidates(player, bound.action, &before) else { return Ok(page) };
    let (name, picked) =
        bound.slots.get(at).map_or((String::new(), Vec::new()), |it| (it.0.clone(), it.2.clone().unwrap_or_default()));
    let listed = ruled_prompt::slot_choices(live, eyes, bound.action, at, &found.values);
    let choices = listed.into_iter().filter(|it| !picked.contains(&it.0)).map(|it| it.1).collect();
    let (min, max) = (u32::from(found.min), u32::from(found.max));
    cut(Page { slot: Some(name), min, max, ..page }, choices, query, version)
}

fn in_draft(refused: Refused) -> Refused {
    Refused { pointer: refused.pointer.map(|it| format!("/draft{it}")), ..refused }
}

/// The slot to list: the one that is named, else the first that is not filled, or not filled enough.
fn open_slot(bound: &Bound, query: &Query) -> Result<Option<usize>, Refused> {
    let is_open = |(_, slot, values): &(String, ruleset::program::Slot, Option<Vec<i64>>)| match values {
        None => true,
        Some(values) => values.len() < usize::from(slot.min),
    };
    let first = bound.slots.iter().position(is_open);
    let Some(name) = &query.slot else { return Ok(first) };
    let at = bound.slots.iter().position(|it| it.0 == *name);
    let at = at.ok_or_else(|| Refused::unknown_name("/slot", name))?;
    if first.is_some_and(|it| it < at) {
        return Err(Refused::new("request/slot_order", "the slots before this one must be filled first").at("/slot"));
    }
    Ok(Some(at))
}

/// Cuts a list to a page.
fn cut(page: Page, choices: Vec<Choice>, query: &Query, version: u32) -> Result<Page, Refused> {
    let wanted = query.find.as_ref().map(|it| it.to_lowercase());
    let is_found = |it: &Choice| wanted.as_ref().is_none_or(|part| it.title.to_lowercase().contains(part));
    let choices: Vec<Choice> = choices.into_iter().filter(is_found).collect();
    let offset = match &query.after {
        None => 0,
        Some(cursor) => {
            let (of, offset) = cursor.split_once('.').unwrap_or_default();
            let offset = offset.parse::<usize>().ok().filter(|_| of == version.to_string());
            offset
                .ok_or_else(|| Refused::new("request/stale_cursor", "this page is of another version").at("/after"))?
        }
    };
    let limit = query.limit.and_then(|it| usize::try_from(it).ok()).unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX);
    let end = offset.saturating_add(limit);
    let next = (end < choices.len()).then(|| ruled_prompt::cursor(version, end));
    Ok(Page { choices: choices.into_iter().skip(offset).take(limit).collect(), next, ..page })
}
