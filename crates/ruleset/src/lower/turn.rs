//! What steps do when they begin and end.

use super::{
    Lower,
    scope::{Scope, Unit},
};
use crate::{names::Space, term::Term};

impl<'a> Lower<'a> {
    pub(super) fn lower_turn(&mut self) {
        let phases = self.root.get("turnStructure").map_or(&[][..], |it| it.list_at("phases"));
        for step in phases.iter().flat_map(|it| it.list_at("steps")) {
            self.lower_step(step);
        }
    }

    fn lower_step(&mut self, step: &Term) {
        let Some(id) = step.text_at("id").and_then(|it| self.names.find(Space::Step, it)) else {
            return;
        };
        // The frame of a step event holds its three fields first.
        let scope = || {
            let mut scope = Scope::new(Unit::System);
            scope.cells(3);
            scope
        };
        let (on_start, start_cells) = self.in_scope(scope(), |it| it.effect_code(step.get("onStart")));
        let (on_end, end_cells) = self.in_scope(scope(), |it| it.effect_code(step.get("onEnd")));
        if let Some(row) = self.program.steps.get_mut(usize::from(id)) {
            row.on_start = on_start;
            row.on_start_cells = start_cells;
            row.on_end = on_end;
            row.on_end_cells = end_cells;
        }
    }
}
