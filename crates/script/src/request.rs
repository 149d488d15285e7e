//! What a game asks: selectors, and how many of them must be answered.

use alloc::string::ToString;
use alloc::vec::Vec;

use selector::{Choice, Kind, Options, Pick, Refusal, Response, Selector, Value};

use crate::mistake::Mistake;
use crate::seat::Seat;

/// How many of those who are asked must answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One player is asked.
    Single,
    /// All must answer; each can change his mind until the last answer arrives.
    Many,
    /// Like [`Mode::Many`], but an answer is a draft until its player confirms it, and final then.
    ManyConfirmed,
    /// The first answer counts.
    Any,
}

/// A request to some players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub mode: Mode,
    /// One for each player who is asked.
    pub selectors: Vec<Selector>,
}

/// A legal answer, and the choices it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// As it is recorded: only what counts, under the names of the choices.
    pub response: Response,
    pub picks: Vec<Pick>,
}

impl Mode {
    /// The mode's name in views.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Single => "single",
            Mode::Many | Mode::ManyConfirmed => "many",
            Mode::Any => "any",
        }
    }

    /// Says whether several players answer at the same time.
    pub fn is_concurrent(self) -> bool {
        match self {
            Mode::Single => false,
            Mode::Many | Mode::ManyConfirmed | Mode::Any => true,
        }
    }
}

impl Request {
    /// Finds the author's first mistake.
    pub fn check(&self, n_seats: u8) -> Result<(), Mistake> {
        if self.selectors.is_empty() {
            return Err(Mistake::NobodyAsked);
        }
        for (at, selector) in self.selectors.iter().enumerate() {
            let actor = &selector.actor;
            if Seat::from_name(actor).is_none_or(|it| it.0 >= n_seats || it.to_string() != *actor) {
                return Err(Mistake::UnknownActor(actor.clone()));
            }
            if self.selectors.iter().take(at).any(|it| it.actor == *actor) {
                return Err(Mistake::AskedTwice(actor.clone()));
            }
            if let Some(violation) = selector.check().into_iter().next() {
                return Err(Mistake::BadSelector(violation));
            }
        }
        Ok(())
    }
}

impl Answered {
    /// Reads an answer; what the client added that no choice asked for is left out.
    pub fn read(selector: &Selector, response: &Response, is_user: bool) -> Result<Self, Refusal> {
        let picks = selector.resolve(response)?;
        let selection = clean(&selector.options, &response.selection, &picks);
        let response = Response {
            actor: Some(selector.actor.clone()),
            title: selector.title.clone(),
            selection,
            is_user_response: is_user,
        };
        Ok(Answered { response, picks })
    }
}

/// The same picks under the names of the choices.
fn clean(options: &Options, selection: &Value, picks: &[Pick]) -> Value {
    if options.kind == Kind::Action {
        return selection.clone();
    }
    let items = selection.as_list().unwrap_or_default();
    let named = items.iter().zip(picks).filter_map(|(item, pick)| {
        let choice = options.choices.get(pick.choice as usize)?;
        Some(choice.picked(inside(choice, item, pick)))
    });
    Value::List(named.collect())
}

fn inside(choice: &Choice, item: &Value, pick: &Pick) -> Option<Value> {
    let selection = item.field("selection").unwrap_or(&Value::Null);
    choice.nested.as_ref().map(|it| clean(it, selection, &pick.nested))
}
