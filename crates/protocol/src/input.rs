//! `input.submit`: an answer to an open question, in full or in the short form.

use engine::{Command, InputNo, Match, view::Projector};
use ruleset::sort::Sort;
use serde_json::Value;

use crate::{
    error::RequestError,
    fields::{check_keys, check_top},
    value,
};

/// The keys of an answer that say what is chosen.
const CHOSEN: [&str; 6] = ["targets", "targetIds", "selection", "targetId", "target", "modes"];

/// The other keys an answer may have.
const BESIDE: [&str; 4] = ["activate", "confirm", "actor", "title"];

/// Reads `{inputId, answers: {...}}`; `activate` and `targetId` may also stand at the top.
pub fn input_submit(live: &Match, face: &mut Projector, request: &Value) -> Result<Command, RequestError> {
    face.settle(live.state());
    let player = face.player();
    let input = input_id(request)?;
    check_answer(request)?;
    let answers = request.get("answers").unwrap_or(request);
    let ask = live.state().ask(input).ok_or(RequestError::Rejected(engine::Rejection::UnknownInput))?;
    let sort = live.ruleset().program().ask(ask.ask).map_or(Sort::Event, |it| it.choice_type.sort);
    let confirm = answers.get("confirm").and_then(Value::as_bool).unwrap_or(true);
    let declined = answers.get("activate").and_then(Value::as_bool) == Some(false);
    let values = if declined { Ok(Vec::new()) } else { read_values(live, face, input, sort, answers) };
    Ok(Command::Answer { player, input, values: values?, confirm })
}

/// The question a request answers: a number, or `i5`.
pub fn input_id(request: &Value) -> Result<InputNo, RequestError> {
    let id = request.get("inputId").ok_or_else(|| RequestError::Malformed("inputId is missing".to_owned()))?;
    let number = id.as_u64().or_else(|| id.as_str()?.strip_prefix('i')?.parse().ok());
    let number = number.and_then(|it| u32::try_from(it).ok());
    number.map(InputNo).ok_or_else(|| RequestError::Malformed(format!("not an input id: {id}")))
}

/// Refuses what would be taken for another answer than it is meant to be: a word nobody knows, two that choose, or none,
/// for a yes would be a no then.
pub fn check_answer(request: &Value) -> Result<(), RequestError> {
    let malformed = |what: String| Err(RequestError::Malformed(what));
    let answers = request.get("answers").unwrap_or(request);
    let is_list = answers.is_array();
    if !answers.is_object() && !is_list {
        return malformed(format!("answers must be an object: {answers}"));
    }
    let is_of_answer = |key: &str| CHOSEN.contains(&key) || BESIDE.contains(&key);
    match request.get("answers") {
        Some(answers) => {
            check_keys(answers, "/answers", is_of_answer)?;
            check_top(request, |it| matches!(it, "inputId" | "answers"))?;
        }
        None => check_top(request, |it| it == "inputId" || is_of_answer(it))?,
    }
    let flags = ["activate", "confirm"].map(|it| (it, answers.get(it)));
    if let Some((key, _)) = flags.iter().find(|it| it.1.is_some_and(|flag| !flag.is_boolean())) {
        return malformed(format!("{key} must be true or false"));
    }
    let chosen: Vec<&str> = CHOSEN.into_iter().filter(|it| answers.get(it).is_some()).collect();
    match (chosen.as_slice(), answers.get("activate").and_then(Value::as_bool)) {
        ([], None) if !is_list => malformed(format!("there is no answer: one of {}, activate", CHOSEN.join(", "))),
        ([one, other, ..], _) => malformed(format!("there are two answers: {one} and {other}")),
        ([one], Some(false)) if answers.get(one) != Some(&Value::Array(Vec::new())) => {
            malformed(format!("activate declines, and {one} does not"))
        }
        ([] | [_], _) => Ok(()),
    }
}

fn read_values(
    live: &Match,
    face: &Projector,
    input: InputNo,
    sort: Sort,
    answers: &Value,
) -> Result<Vec<i64>, RequestError> {
    let list = Some(answers).filter(|it| it.is_array());
    let chosen = list.or_else(|| CHOSEN.iter().find_map(|it| answers.get(it)));
    match chosen {
        Some(Value::Array(items)) => items.iter().map(|it| read_choice(live, face, input, sort, it)).collect(),
        Some(item) => Ok(vec![read_choice(live, face, input, sort, item)?]),
        // A plain yes.
        None if answers.get("activate").and_then(Value::as_bool) == Some(true) => Ok(vec![1]),
        None => Ok(Vec::new()),
    }
}

/// One choice: by its name, or `h2` for the second of the choices where the player may not know which card that is.
fn read_choice(live: &Match, face: &Projector, input: InputNo, sort: Sort, value: &Value) -> Result<i64, RequestError> {
    let place = value.as_str().and_then(|it| it.strip_prefix('h')?.parse::<usize>().ok());
    match place {
        Some(place) => {
            let choices = live.choices(face.player(), input);
            let chosen = choices.and_then(|it| it.values.get(place.checked_sub(1)?).copied());
            chosen.ok_or_else(|| RequestError::UnknownName(value.as_str().unwrap_or_default().to_owned()))
        }
        None => value::read(live, face, sort, value),
    }
}
