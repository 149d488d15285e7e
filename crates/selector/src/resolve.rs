//! What an answer means: which choice each item picks, or why the answer is refused.
//!
//! The order of the checks is fixed: title, existence (groups recursively), exclusive, count.

use alloc::vec::Vec;

use crate::label::{Label, LabelRef};
use crate::limits::{GROUP_DEPTH_MAX, WORK_MAX};
use crate::matching::{self, Stuck};
use crate::refusal::Refusal;
use crate::response::{Item, Response};
use crate::selector::{Choice, Kind, Options, Selector};
use crate::value::Value;

/// The choice that one item of an answer picks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The place of the choice among the choices.
    pub choice: u32,
    /// What is picked inside, if the choice is a group that picks.
    pub nested: Vec<Pick>,
}

impl Selector {
    /// Says whether an answer is legal, and if not, why.
    ///
    /// The actor is not looked at: who may answer is known to the host.
    pub fn validate(&self, response: &Response) -> Result<(), Refusal> {
        self.resolve(response).map(drop)
    }

    /// Returns the choice that each item of a legal answer picks, in the order of the answer.
    ///
    /// An item that could mean several choices gets one that leaves room for the other items:
    /// a group if it picks inside, else a choice without an id before one with an id, and the
    /// first of equals. A freeform answer picks nothing.
    pub fn resolve(&self, response: &Response) -> Result<Vec<Pick>, Refusal> {
        check_title(
            self.title.as_ref(),
            response.title.as_ref().map(Label::as_ref),
        )?;
        let mut work = Work { left: WORK_MAX };
        resolve_options(&self.options, &response.selection, 0, &mut work)
    }
}

/// What one validation may still cost.
pub(crate) struct Work {
    left: u32,
}

impl Work {
    /// Pays for some steps; without effect once everything is spent.
    pub(crate) fn spend(&mut self, n_steps: usize) -> Result<(), Refusal> {
        let n_steps = u32::try_from(n_steps).unwrap_or(u32::MAX);
        let left = self.left.checked_sub(n_steps);
        self.left = left.unwrap_or(0);
        left.map(drop).ok_or(Refusal::TooLarge)
    }
}

/// Resolves what is picked inside a group.
pub(crate) fn resolve_group(
    group: &Choice,
    nested: &Options,
    item: &Item<'_>,
    depth: u32,
    work: &mut Work,
) -> Result<Vec<Pick>, Refusal> {
    check_title(group.title.as_ref(), item.title)?;
    let selection = item.selection.unwrap_or(&Value::Null);
    if nested.kind == Kind::Action && item.selection.is_none() {
        // Naming the group is not yet an answer inside it, however free that answer is.
        return Err(Refusal::Count {
            min: 0,
            max: u32::MAX,
            got: None,
        });
    }
    resolve_options(nested, selection, depth, work)
}

fn check_title(expected: Option<&Label>, got: Option<LabelRef<'_>>) -> Result<(), Refusal> {
    if expected.map(Label::as_ref) == got {
        return Ok(());
    }
    Err(Refusal::Title {
        expected: expected.cloned(),
        got: got.map(LabelRef::to_label),
    })
}

fn resolve_options(
    options: &Options,
    selection: &Value,
    depth: u32,
    work: &mut Work,
) -> Result<Vec<Pick>, Refusal> {
    if depth > GROUP_DEPTH_MAX {
        return Err(Refusal::TooDeep);
    }
    match options.kind {
        Kind::Action => selection.check_freeform().map(|()| Vec::new()),
        Kind::Select => resolve_select(options, selection, depth, work),
    }
}

fn resolve_select(
    options: &Options,
    selection: &Value,
    depth: u32,
    work: &mut Work,
) -> Result<Vec<Pick>, Refusal> {
    let bounds = options.bounds();
    let refuse_count = |got| Refusal::Count {
        min: bounds.min,
        max: bounds.max,
        got,
    };
    let items = selection.as_list().ok_or_else(|| refuse_count(None))?;
    let picks = matching::assign(options, items, depth, work).map_err(|it| match it {
        Stuck::Unknown { index, inner } => {
            let item = items.get(index as usize).unwrap_or(&Value::Null);
            Refusal::not_in_choices(index, item, inner)
        }
        Stuck::Exclusive { index } => Refusal::Exclusive { index },
        Stuck::OutOfWork => Refusal::TooLarge,
    })?;
    let n_items = u32::try_from(items.len()).unwrap_or(u32::MAX);
    if bounds.contains(n_items) {
        Ok(picks)
    } else {
        Err(refuse_count(Some(n_items)))
    }
}
