//! How deep rules may nest. Lowering, explaining and evaluating call themselves for what is nested, so the depth of a
//! ruleset is bounded here, once, and no caller runs out of stack on any machine.

use alloc::format;

use super::Lower;
use crate::{
    term::{Place, Term},
    violation::Code,
};

/// How deep values, effects and writes may stand in each other, with those of the definitions they use.
const NESTING_MAX: u16 = 96;

/// How deep code that is evaluated by itself may stand in other such code: selectors in selectors, sums in sums.
const PURE_DEPTH_MAX: u8 = 18;

/// How often definitions may be expanded.
pub(super) const EXPANSIONS_MAX: u32 = 300_000;

/// How many definitions one use of a definition may come to, those in each other included.
const EXPANSIONS_PER_USE_MAX: u32 = 5000;

/// How deep definitions may use each other.
const DEFINE_DEPTH_MAX: usize = 64;

impl<'a> Lower<'a> {
    /// Lowers a term that stands in others, unless it stands too deep.
    pub(super) fn nested(&mut self, place: Place, body: impl FnOnce(&mut Self)) {
        if self.nesting >= NESTING_MAX {
            let message = format!("nested more than {NESTING_MAX} deep, with the definitions that are used");
            return self.report_too_deep(place, message);
        }
        self.nesting = self.nesting.saturating_add(1);
        body(self);
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Whether code that stands on its own may stand here; reports it where it may not.
    pub(super) fn can_nest_pure(&mut self) -> bool {
        let fits = self.scope.pure_depth < PURE_DEPTH_MAX;
        if !fits {
            let message = format!("selectors and sums are nested more than {PURE_DEPTH_MAX} deep");
            self.report_too_deep(self.at, message);
        }
        fits
    }

    /// What is written in a definition is reported where the rules use it: the depth is theirs.
    fn report_too_deep(&mut self, place: Place, message: alloc::string::String) {
        let place = self.outermost_use.unwrap_or(place);
        if !self.violations.iter().any(|it| it.code == Code::TooDeep && it.place == place) {
            self.report(place, Code::TooDeep, message);
        }
    }

    /// Whether a definition may be expanded once more; reports it where it may not.
    pub(super) fn may_expand(&mut self, term: &Term, id: &'a str) -> bool {
        if self.expanding.len() >= DEFINE_DEPTH_MAX {
            let message = format!("definitions use each other more than {DEFINE_DEPTH_MAX} deep: {id}");
            self.report_too_deep(term.place, message);
            return false;
        }
        if self.expanding.contains(&id) {
            let circle = self.expanding.join(" > ");
            self.report(term.place, Code::RecursiveDefinition, format!("the definition uses itself: {circle} > {id}"));
            return false;
        }
        !self.is_full() && !self.has_expanded_enough(term)
    }

    /// Counts one more definition that is expanded; definitions that use each other several times grow without bound.
    fn has_expanded_enough(&mut self, term: &Term) -> bool {
        if self.expanding.is_empty() {
            self.n_expanded_here = 0;
        }
        self.n_expanded_here = self.n_expanded_here.saturating_add(1);
        self.n_expanded = self.n_expanded.saturating_add(1);
        let limits = [(self.n_expanded_here, EXPANSIONS_PER_USE_MAX), (self.n_expanded, EXPANSIONS_MAX)];
        for (n, limit) in limits {
            if n == limit {
                let message = format!("definitions are used more than {limit} times, those in each other included");
                self.report(self.outermost_use.unwrap_or(term.place), Code::TooLarge, message);
            }
        }
        limits.iter().any(|it| it.0 >= it.1)
    }
}
