//! The answer that needs no player: when everything on offer must be picked.

use crate::response::Response;
use crate::selector::{Kind, Selector};

impl Selector {
    /// Answers for the player if only one answer is possible and asking would be idle.
    ///
    /// That is: the selector picks from choices, none of which is a group, and asks for all of
    /// them. The answer keeps the order of the choices and is not marked as the player's own. A
    /// selector no answer can satisfy gets none here either, because the answer is validated like
    /// any other.
    pub fn auto_response(&self) -> Option<Response> {
        let options = &self.options;
        let is_flat = options.choices.iter().all(|it| it.nested.is_none());
        let is_forced = options.bounds().min as usize >= options.choices.len();
        if self.no_auto || options.kind == Kind::Action || !is_flat || !is_forced {
            return None;
        }
        let response = Response::to(self, options.choices.iter().map(|it| it.picked(None)));
        self.validate(&response).is_ok().then_some(response)
    }
}
