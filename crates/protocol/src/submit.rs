//! What a submit means: the request in one form becomes what a match is asked.

use host::{HandMove, Play, Refused};
use selector::Value as Plain;
use serde_json::{Map, Value};
use view::{PendingInput, Ref};

use crate::{
    request::{self, ActionSubmit, Answers, InputSubmit, RequestError},
    short_form::{self, Places},
};

/// How many bytes of `metadata` a request may carry.
pub const METADATA_BYTES_MAX: usize = 4096;
/// How many bytes an answer of free form may have.
pub const FREE_BYTES_MAX: usize = 4096;

/// A command as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted<T> {
    pub command_id: Option<String>,
    /// The version it was made for.
    pub version: Option<u32>,
    /// Who the request says the sender is.
    pub player: Option<String>,
    pub what: T,
}

/// An action, and where its slots stand in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub play: Play,
    pub places: Places,
}

/// Reads a command whose only short form is that of its version.
pub fn plain<T: serde::de::DeserializeOwned>(mut fields: Map<String, Value>) -> Result<T, RequestError> {
    short_form::known_version(&mut fields)?;
    request::read(fields)
}

/// Reads an action in any of its forms.
pub fn action(fields: Map<String, Value>) -> Result<Submitted<Action>, RequestError> {
    let (fields, places) = short_form::action(fields)?;
    let it: ActionSubmit = request::read(fields)?;
    check_metadata(&it)?;
    let (command_id, version, player) = (it.command_id.clone(), it.branch_id, it.player_id.clone());
    let play = match it.action_type.as_str() {
        "direct_manipulation" => Play::Move(hand_move(it)?),
        kind => {
            check_no_hand(&it)?;
            match kind {
                "pass" | "end_turn" if !it.targets.is_empty() => return Err(Refused::unknown_field("/targets")),
                "pass" => Play::Pass,
                "end_turn" => Play::EndTurn,
                _ => Play::Act { action: it.action_type, targets: it.targets },
            }
        }
    };
    Ok(Submitted { command_id, version, player, what: Action { play, places } })
}

fn check_metadata(it: &ActionSubmit) -> Result<(), RequestError> {
    let size = it.metadata.as_ref().and_then(|it| serde_json::to_vec(it).ok()).map_or(0, |it| it.len());
    let is_fine = size <= METADATA_BYTES_MAX;
    let message = format!("metadata has at most {METADATA_BYTES_MAX} bytes, got: {size}");
    if is_fine { Ok(()) } else { Err(Refused::new("request/too_large", message).at("/metadata")) }
}

/// Refuses the fields of a move by hand beside another action.
fn check_no_hand(it: &ActionSubmit) -> Result<(), RequestError> {
    let fields = [
        ("/action", it.action.is_some()),
        ("/cardId", it.card_id.is_some()),
        ("/cardIds", it.card_ids.is_some()),
        ("/from", it.from.is_some()),
        ("/to", it.to.is_some()),
    ];
    fields.iter().find(|it| it.1).map_or(Ok(()), |it| Err(Refused::unknown_field(it.0)))
}

fn hand_move(it: ActionSubmit) -> Result<HandMove, RequestError> {
    let cards = match (it.card_id, it.card_ids) {
        (Some(_), Some(_)) => return Err(Refused::unknown_field("/cardIds")),
        (Some(card), None) => vec![card],
        (None, Some(cards)) => cards,
        (None, None) => return Err(Refused::missing_field("/cardId", "a move by hand is about a card")),
    };
    match it.action.as_deref() {
        Some("move_card" | "move_cards") => {
            let from = it.from.ok_or_else(|| Refused::missing_field("/from", "where the card lies"))?;
            let to = it.to.ok_or_else(|| Refused::missing_field("/to", "where the card goes"))?;
            Ok(HandMove::Cards { cards, from, to, targets: it.targets })
        }
        Some("reorder") if it.from.is_none() && it.to.is_none() => Ok(HandMove::Order { cards }),
        Some("reorder") => Err(Refused::unknown_field(if it.from.is_some() { "/from" } else { "/to" })),
        Some(_) => Err(Refused::wrong_type("/action", "a move by hand is move_card or reorder")),
        None => Err(Refused::missing_field("/action", "a move by hand is move_card or reorder")),
    }
}

/// An answer as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub input: String,
    pub answers: Answers,
    pub is_draft: bool,
}

/// Reads an answer in any of its forms.
pub fn answer(fields: Map<String, Value>) -> Result<Submitted<Answer>, RequestError> {
    let it: InputSubmit = request::read(short_form::answer(fields)?)?;
    let says = [
        it.answers.selection.is_some(),
        it.answers.target_id.is_some() && it.answers.activate != Some(true),
        it.answers.activate.is_some(),
        it.answers.confirm.is_some(),
    ];
    match says.iter().filter(|it| **it).count() {
        0 => return Err(Refused::missing_field("/answers/selection", "there is no answer")),
        1 => {}
        _ => return Err(Refused::new("request/given_twice", "there are two answers").at("/answers")),
    }
    let (command_id, version, player) = (it.command_id, it.branch_id, it.player_id.or(it.answers.actor.clone()));
    let what = Answer { input: it.input_id, answers: it.answers, is_draft: it.is_draft };
    Ok(Submitted { command_id, version, player, what })
}

impl Answer {
    /// What the answer means to the question it is given to, which is there unless it has closed.
    pub fn play(&self, asked: Option<&PendingInput>) -> Result<Play, RequestError> {
        self.check_title(asked)?;
        let is_confirm = asked.is_some_and(|it| it.kind == "confirm");
        let text = |it: Ref| if let Ref::Number(number) = it { Plain::Integer(number) } else { it.to_string().into() };
        let one = |it: Ref| Plain::List(vec![text(it)]);
        let it = &self.answers;
        let selection = match (&it.selection, it.activate.or(it.confirm), &it.target_id) {
            (Some(selection), _, _) => selection.0.clone(),
            (None, Some(true), Some(target)) | (None, None, Some(target)) => one(target.clone()),
            (None, Some(yes), None) if is_confirm => one(if yes { Ref::Yes } else { Ref::No }),
            (None, Some(false), None) if it.activate.is_some() => Plain::List(Vec::new()),
            (None, _, _) => {
                let message = "this question is answered by what is picked, not by yes or no";
                return Err(Refused::new("answer/count", message).at("/answers/selection"));
            }
        };
        check_size(&selection)?;
        Ok(Play::Answer { input: self.input.clone(), selection, is_draft: self.is_draft })
    }

    fn check_title(&self, asked: Option<&PendingInput>) -> Result<(), RequestError> {
        let selector = asked.and_then(|it| it.constraints.selector.as_ref());
        match (&self.answers.title, selector) {
            (Some(title), Some(selector)) if title.to_string() != selector.title => {
                let message = format!("the question is another one: {}", selector.title);
                Err(Refused::new("answer/title", message).at("/answers/title"))
            }
            _ => Ok(()),
        }
    }
}

fn check_size(selection: &Plain) -> Result<(), RequestError> {
    let size = serde_json::to_vec(selection).map_or(usize::MAX, |it| it.len());
    let is_fine = size <= FREE_BYTES_MAX * 16;
    let message = format!("an answer is too large: {size} bytes");
    if is_fine { Ok(()) } else { Err(Refused::new("request/too_large", message).at("/answers/selection")) }
}

/// A refusal about a slot, at the place where the request gave it.
pub fn place(refused: Refused, places: &Places) -> Refused {
    let Some(pointer) = &refused.pointer else { return refused };
    let is_it = |it: &&(String, String)| {
        let slot = format!("/targets/{}", it.0);
        *pointer == slot || pointer.starts_with(&format!("{slot}/"))
    };
    let Some((slot, place)) = places.iter().find(is_it) else { return refused };
    let rest = pointer.strip_prefix(&format!("/targets/{slot}")).unwrap_or_default();
    // A single Ref is given without a list.
    let rest = if place.starts_with("/targets/") { rest } else { "" };
    let pointer = Some(format!("{place}{rest}"));
    Refused { pointer, ..refused }
}
