//! A prompt as a terminal asks it, list by list: a question in one go, an action first and then slot by slot.

use protocol::request::DraftBody;
use selector::{Amount, Choice as RawChoice, Kind, Label, Selector as Raw, Value as Plain};
use serde_json::{Value, json};
use view::{Catalogue, Choice, PendingInput, Ref, Selector, SelectorType};

use crate::{
    error::ClientError,
    pick::{Picked, Picker},
    seat::Seat,
};

/// How many numbers of a range are listed.
const NUMBERS_MAX: i64 = 200;

/// Where a player stands in answering a prompt.
#[derive(Clone, Debug)]
pub struct Stage {
    pub picker: Picker,
    /// The first list, to go back to.
    first: Picker,
    /// The action that is being filled, once one is picked, and the slot that is asked.
    draft: DraftBody,
    slot: Option<String>,
}

impl Stage {
    /// Begins to answer a prompt that is called so.
    pub fn new(input: &PendingInput, catalogue: &Catalogue, title: &str) -> Self {
        let selector = match &input.constraints.selector {
            Some(selector) => question(selector),
            None => window(input, catalogue),
        };
        let picker = Picker::new(&selector, title);
        Self { first: picker.clone(), picker, draft: DraftBody::default(), slot: None }
    }

    /// What is asked, and what can be typed.
    pub fn prompt(&self) -> String {
        let prompt = self.picker.prompt();
        let is_begun = self.draft.action_type.is_some() && !self.picker.is_inside();
        if is_begun { prompt.replacen(']', ", back]", 1) } else { prompt }
    }

    /// Takes a line; `back` leaves an action half-way.
    pub fn pick(&mut self, line: &str) -> Picked {
        if self.draft.action_type.is_some() && line.trim().eq_ignore_ascii_case("back") {
            self.begin_again();
            return Picked::More;
        }
        self.picker.pick(line)
    }

    fn begin_again(&mut self) {
        (self.picker, self.draft, self.slot) = (self.first.clone(), DraftBody::default(), None);
    }

    /// Takes what was picked from a list; says whether the prompt is answered by it.
    pub async fn take(&mut self, seat: &mut Seat, input: &PendingInput, picked: &Plain) -> Result<bool, ClientError> {
        if input.constraints.selector.is_some() {
            return seat.answer(input, selection(picked)).await.map(|_| true);
        }
        let refs = refs(picked);
        match (&self.slot, refs.first()) {
            (Some(slot), _) => drop(self.draft.targets.insert(slot.clone(), refs)),
            (None, Some(Ref::Named(view::Kind::Action, action))) if action == "pass" => {
                return seat.act("pass", &self.draft.targets).await.map(|_| true);
            }
            (None, Some(Ref::Named(view::Kind::Action, action))) => self.draft.action_type = Some(action.clone()),
            (None, _) => {}
        }
        let page = seat.choices(input, &self.draft).await;
        let done = match page {
            Ok(page) => match page.slot.filter(|it| !self.draft.targets.contains_key(it)) {
                Some(slot) => {
                    let (min, max) = (Some(page.min), Some(page.max));
                    let mut list = Raw::select("", slot.as_str()).offer(page.choices.iter().map(raw));
                    list.options.amount = Amount { min, max, count: None };
                    self.picker = Picker::new(&list, &slot);
                    self.slot = Some(slot);
                    return Ok(false);
                }
                None => {
                    let action = self.draft.action_type.clone().unwrap_or_default();
                    seat.act(&action, &self.draft.targets.clone()).await.map(|_| true)
                }
            },
            Err(error) => Err(error),
        };
        if done.is_err() {
            self.begin_again();
        }
        done
    }
}

/// A question as one list.
fn question(it: &Selector) -> Raw {
    let numbers = it.range.map(|[least, greatest, step]| {
        (0..NUMBERS_MAX).map(move |n| least + n * step).take_while(move |it| *it <= greatest).map(RawChoice::from)
    });
    let mut raw = Raw::select("", it.title.as_str()).offer(it.choices.iter().map(raw));
    raw = raw.offer(numbers.into_iter().flatten());
    raw.options.amount = Amount { min: Some(it.min), max: Some(it.max), count: None };
    if it.kind == Some(SelectorType::Action) {
        raw.options.kind = Kind::Action;
    }
    raw
}

/// The actions of a window, and passing, as one list.
fn window(input: &PendingInput, catalogue: &Catalogue) -> Raw {
    let name =
        |id: &str| catalogue.actions.iter().find(|it| it.id == id).map_or_else(|| id.to_owned(), |it| it.name.clone());
    let actions = input.constraints.actions.iter();
    let actions = actions.map(|it| RawChoice::from(name(&it.id)).with_id(format!("action:{}", it.id)));
    let pass = input.constraints.may_pass.then(|| RawChoice::from("Pass").with_id("action:pass"));
    Raw::select("", "Priority").offer(actions.chain(pass))
}

fn raw(it: &Choice) -> RawChoice {
    let id = if let Ref::Number(number) = it.id { Label::from(number) } else { Label::from(it.id.to_string()) };
    let title = it.cost.as_ref().map_or_else(|| it.title.clone(), |cost| format!("{} ({cost})", it.title));
    let mut choice = match &it.choices {
        Some(inner) => RawChoice::group(title, inner.iter().map(raw)),
        None => RawChoice::from(title),
    };
    choice = choice.with_id(id).with_amount(Amount { min: it.min, max: it.max, count: None });
    if it.exclusive { choice.exclusive() } else { choice }
}

/// What was picked, by Refs alone.
fn selection(picked: &Plain) -> Value {
    let item = |it: &Plain| {
        let id = it.field("id").or_else(|| it.field("title")).unwrap_or(it);
        let id = serde_json::to_value(id).unwrap_or_default();
        match it.field("selection") {
            Some(inner) => json!({ "id": id, "selection": selection(inner) }),
            None => id,
        }
    };
    picked
        .as_list()
        .map_or_else(|| serde_json::to_value(picked).unwrap_or_default(), |it| it.iter().map(item).collect())
}

fn refs(picked: &Plain) -> Vec<Ref> {
    serde_json::from_value(selection(picked)).unwrap_or_default()
}
