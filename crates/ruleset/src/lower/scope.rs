//! What names mean while one piece of code is lowered: variables, registers and what kind of code it is.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::finder::Finder;
use crate::{
    ids::{CodePtr, EventTypeId},
    names::same_name,
    sort::{Sort, Type},
};

/// What kind of code is being lowered; decides which words and operations make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// The effects or conditions of an action.
    Action,
    /// What an action or ability costs.
    Costs,
    /// A reaction that comes before an event.
    Before(EventTypeId),
    /// A reaction that comes after an event.
    After(EventTypeId),
    /// An activated ability.
    Activated,
    /// A continuous effect.
    Continuous,
    /// What an event leads to.
    EventEffects,
    /// What an event changes, and its conditions.
    Apply,
    /// What the game itself does: set-up, steps, checks, end conditions.
    System,
}

/// Where a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// In the frame.
    Cell(u16),
    /// In an evaluation register.
    Reg(u8),
    /// In the pending event.
    Live(u8),
    /// Known already.
    Const(i64),
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub name: String,
    pub binding: Binding,
    pub ty: Type,
    /// Whether `let` named it, so that `set` may change it.
    pub assignable: bool,
}

/// A variable with what several players answered.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub name: String,
    /// What they chose among.
    pub sort: Sort,
    /// Whether each of them chose one at most.
    pub single: bool,
}

/// The state of lowering one piece of code.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub unit: Unit,
    /// Whether there is a card called `self`.
    pub has_this: bool,
    pub vars: Vec<Var>,
    /// The fields of `event`.
    pub event: Vec<Var>,
    pub next_cell: u16,
    pub cells: u16,
    pub next_reg: u8,
    /// How deep in pure code, where nothing can be put into cells.
    pub pure_depth: u8,
    /// Whether groups are being collected, so that nothing may wait.
    pub in_group: bool,
    /// Events of the list being lowered that end it if they do not happen; none where it goes on in any case.
    pub fallible: Option<Vec<CodePtr>>,
    /// What finds the lists of parameters again, as long as nothing was done since they were found.
    pub finders: Vec<Finder>,
    /// Whether `prevent` is allowed.
    pub can_prevent: bool,
    /// The cell with the targets given to an ability, in actions that run one.
    pub extra: Option<u16>,
    /// The slots that were looked at, a bit each.
    pub read_slots: u32,
    /// The slot that is `self`.
    pub principal: u16,
    /// How many of the first cells are slots.
    pub n_slots: u16,
    /// Parameters with modes, and the names of these.
    pub modes: Vec<(String, Vec<String>)>,
    /// Variables with what several players answered, and what they chose among.
    pub answers: Vec<Answered>,
}

impl Scope {
    pub(super) fn new(unit: Unit) -> Self {
        Self {
            unit,
            has_this: false,
            vars: Vec::new(),
            event: Vec::new(),
            next_cell: 0,
            cells: 0,
            next_reg: 0,
            pure_depth: 0,
            in_group: false,
            fallible: None,
            finders: Vec::new(),
            can_prevent: false,
            extra: None,
            read_slots: 0,
            principal: 0,
            n_slots: 0,
            modes: Vec::new(),
            answers: Vec::new(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Var> {
        self.vars.iter().rev().find(|it| same_name(&it.name, name)).cloned()
    }

    pub(super) fn field(&self, name: &str) -> Option<Var> {
        self.event.iter().find(|it| same_name(&it.name, name)).cloned()
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding, ty: Type) {
        self.vars.push(Var { name: name.to_owned(), binding, ty, assignable: false });
    }

    /// Takes the next free cells of the frame.
    pub(super) fn cells(&mut self, n: u16) -> u16 {
        let first = self.next_cell;
        self.next_cell = self.next_cell.saturating_add(n);
        self.cells = self.cells.max(self.next_cell);
        first
    }

    /// Names the next free cell.
    pub(super) fn bind_cell(&mut self, name: &str, ty: Type) -> u16 {
        let cell = self.cells(1);
        self.bind(name, Binding::Cell(cell), ty);
        cell
    }

    /// Names the next free cell, to be changed later.
    pub(super) fn bind_let(&mut self, name: &str, ty: Type) -> u16 {
        let cell = self.bind_cell(name, ty);
        if let Some(var) = self.vars.last_mut() {
            var.assignable = true;
        }
        cell
    }
}
