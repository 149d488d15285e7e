//! A player of any game who knows nothing but prompts and Refs: fills slots until a submit is complete.

use std::collections::BTreeMap;

use protocol::{SuccessBody, request::DraftBody};
use serde_json::{Value, json};
use view::{Choice, PendingInput, Ref, Selector};

use crate::{error::ClientError, seat::Seat};

/// A number below a bound.
pub type Below<'d> = &'d mut (dyn FnMut(u32) -> u32 + Send);

impl Seat {
    /// Answers a prompt at random.
    pub async fn play_at_random(&mut self, input: &PendingInput, below: Below<'_>) -> Result<SuccessBody, ClientError> {
        if let Some(selector) = &input.constraints.selector {
            return self.answer(input, random_selection(selector, below)).await;
        }
        let actions = &input.constraints.actions;
        let n = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        let Some(action) = actions.get(usize::try_from(below(n.saturating_add(1))).unwrap_or(usize::MAX)) else {
            return self.act("pass", &BTreeMap::new()).await;
        };
        let mut draft = DraftBody { action_type: Some(action.id.clone()), ..DraftBody::default() };
        loop {
            let page = self.choices(input, &draft).await?;
            let wanted = page.slot.clone().filter(|_| !page.is_complete);
            match wanted {
                None if page.is_complete => return self.act(&action.id, &draft.targets).await,
                Some(slot) if u64::from(page.min) <= page.choices.len() as u64 => {
                    draft.targets.insert(slot, some_of(&page.choices, page.min, page.max, below));
                }
                _ => return self.act("pass", &BTreeMap::new()).await,
            }
        }
    }
}

/// Different choices, at least so many and at most so many.
fn some_of(choices: &[Choice], min: u32, max: u32, below: Below<'_>) -> Vec<Ref> {
    pick(choices, min, max, below).iter().map(|it| it.id.clone()).collect()
}

fn pick<'c>(choices: &'c [Choice], min: u32, max: u32, below: Below<'_>) -> Vec<&'c Choice> {
    let mut left: Vec<&Choice> = choices.iter().collect();
    let most = max.min(u32::try_from(left.len()).unwrap_or(u32::MAX));
    let n = min + below(most.saturating_sub(min) + 1);
    let mut picked: Vec<&Choice> = Vec::new();
    while picked.len() < n as usize && !left.is_empty() {
        let at = below(u32::try_from(left.len()).unwrap_or(u32::MAX));
        picked.push(left.swap_remove(at as usize));
    }
    // What excludes everything else is picked alone.
    let alone = picked.iter().find(|it| it.exclusive && picked.len() > 1).copied();
    alone.filter(|_| min <= 1).map_or(picked, |it| vec![it])
}

/// A legal selection.
fn random_selection(selector: &Selector, below: Below<'_>) -> Value {
    if let Some([least, greatest, step]) = selector.range {
        let n = u32::try_from((greatest - least) / step + 1).unwrap_or(u32::MAX);
        let mut left: Vec<i64> = (0..n).map(|it| least + i64::from(it) * step).collect();
        let n = selector.min + below(selector.max.saturating_sub(selector.min) + 1);
        let mut number = || left.swap_remove(below(u32::try_from(left.len()).unwrap_or(1)) as usize);
        return (0..n).map(|_| json!(number())).collect();
    }
    pick(&selector.choices, selector.min, selector.max, below).into_iter().map(|it| picked(it, below)).collect()
}

/// A choice, with what is picked inside if it is a group.
fn picked(choice: &Choice, below: Below<'_>) -> Value {
    let Some(inner) = &choice.choices else { return json!(choice.id) };
    let (min, max) = (choice.min.unwrap_or(1), choice.max.unwrap_or(1));
    let selection: Value = pick(inner, min, max, below).into_iter().map(|it| picked(it, below)).collect();
    json!({ "id": choice.id, "selection": selection })
}
