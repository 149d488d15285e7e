//! What somebody asks of a match, carried out on it.

use host::{Answer, Control, HostedMatch, OpenRequest, Progress, Rejection, Seat, Viewer};
use protocol::RequestError;
use selector::Response;
use serde_json::Value;

use crate::error::ApiError;

/// What somebody asks of a match.
#[derive(Clone, Debug)]
pub enum Act {
    /// `action.submit`.
    Action(Value),
    /// `input.submit`.
    Input(Value),
    /// An answer of a bot.
    Answer(Answer),
    /// Take back one's own last answer.
    Undo {
        /// The version it was asked for.
        version: Option<u32>,
    },
    /// Go back to a version, as all agree; or say that one does not.
    Takeback { to: u32, version: Option<u32>, agree: bool },
    /// `system.control`.
    Control(Control),
}

fn stale(current: u32) -> ApiError {
    Rejection::Common(host::script::Rejection::Stale { current }).into()
}

fn check_version(live: &dyn HostedMatch, known: Option<u32>) -> Result<(), ApiError> {
    let current = live.version();
    if known.is_none_or(|it| it == current) { Ok(()) } else { Err(stale(current)) }
}

/// Carries out what a player asks; a refusal changes nothing.
pub fn carry_out(
    live: &mut dyn HostedMatch,
    seat: Option<Seat>,
    agreed: &[Seat],
    act: &Act,
) -> Result<Progress, ApiError> {
    let player = || seat.ok_or_else(|| ApiError::forbidden("only who sits at the table can do this"));
    match act {
        Act::Action(request) => action(live, player()?, request),
        Act::Input(request) => input(live, player()?, request),
        Act::Answer(answer) => Ok(live.submit(answer)?),
        Act::Undo { version } => {
            let version = version.unwrap_or_else(|| live.version());
            Ok(live.undo(player()?, version)?)
        }
        Act::Takeback { to, version, .. } => {
            let version = version.unwrap_or_else(|| live.version());
            Ok(live.takeback(*to, agreed, version)?)
        }
        Act::Control(control) => Ok(live.control(control.clone())?),
    }
}

fn action(live: &mut dyn HostedMatch, seat: Seat, request: &Value) -> Result<Progress, ApiError> {
    check_version(live, protocol::known_version(request))?;
    // A game that only asks has no actions.
    let ruled = live.as_ruled_mut().ok_or(RequestError::UnknownAction)?;
    let read = ruled.look(Viewer::Seat(seat), |eyes| protocol::action_submit(ruled.live(), eyes, request));
    let command = read.ok_or_else(|| ApiError::forbidden("there is no such seat"))??;
    Ok(ruled.carry_out(&command)?)
}

fn input(live: &mut dyn HostedMatch, seat: Seat, request: &Value) -> Result<Progress, ApiError> {
    let input = protocol::input_id(request)?.0;
    protocol::check_answer(request)?;
    let open = live.open(seat).into_iter().find(|it| it.input_id == input);
    let known = protocol::known_version(request);
    let answers = request.get("answers").unwrap_or(request);
    let selection = answers.get("selection").or_else(|| answers.as_array().map(|_| answers));
    let is_ruled = live.as_ruled().is_some();
    match (selection.or_else(|| targets(answers).filter(|_| !is_ruled)), open) {
        (Some(selection), open) => {
            let confirm = answers.get("confirm").and_then(Value::as_bool).unwrap_or(true);
            let version = known.unwrap_or_else(|| live.version());
            let response = response(selection, answers, open.as_ref())?;
            Ok(live.submit(&Answer { seat, input, version, response, confirm })?)
        }
        (None, open) => {
            // Answers to one request at the same time do not wait for each other.
            let is_concurrent = open.is_some_and(|it| it.is_concurrent);
            check_version(live, known.filter(|it| !(is_concurrent && *it < live.version())))?;
            let ruled = live.as_ruled_mut().ok_or_else(|| ApiError::malformed("answers.selection is missing"))?;
            let read = ruled.look(Viewer::Seat(seat), |eyes| protocol::input_submit(ruled.live(), eyes, request));
            let command = read.ok_or_else(|| ApiError::forbidden("there is no such seat"))??;
            Ok(ruled.carry_out(&command)?)
        }
    }
}

/// The short forms of a selection.
fn targets(answers: &Value) -> Option<&Value> {
    ["targets", "targetIds", "targetId", "target", "modes"].iter().find_map(|it| answers.get(it))
}

fn response(selection: &Value, answers: &Value, open: Option<&OpenRequest>) -> Result<Response, ApiError> {
    let list = if selection.is_array() { selection.clone() } else { Value::Array(vec![selection.clone()]) };
    let given = serde_json::json!({ "actor": answers.get("actor"), "title": answers.get("title"), "selection": list });
    let given: Response =
        serde_json::from_value(given).map_err(|error| ApiError::malformed(format!("not an answer: {error}")))?;
    let title = given.title.or_else(|| open.and_then(|it| it.selector.title.clone()));
    Ok(Response { title, is_user_response: true, ..given })
}
