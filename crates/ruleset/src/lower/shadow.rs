//! Names of slots and variables: none may be a word that means something else already.

use alloc::format;

use super::Lower;
use crate::{
    grammar::REF_WORDS,
    names::same_name,
    term::{Entry, Place, Term, TermKind},
    violation::Code,
};

impl<'a> Lower<'a> {
    /// Reports slots, variables, parameters and fields that hide a word of the language.
    pub(super) fn check_shadows(&mut self) {
        self.shadows_in(self.root);
    }

    fn shadows_in(&mut self, term: &'a Term) {
        if let TermKind::List(items) = &term.kind {
            return items.iter().for_each(|it| self.shadows_in(it));
        }
        for entry in term.entries() {
            match entry.key.as_str() {
                // The card an ability is run as is no new name.
                "as" if term.text_at("op") != Some("run_ability") => {
                    self.report_shadow(entry.value.text(), entry.value.place)
                }
                "name" if term.text_at("op") == Some("let") => {
                    self.report_shadow(entry.value.text(), entry.value.place);
                }
                "targets" | "params" | "fields" => self.report_shadows(entry),
                _ => {}
            }
            // What clients read is no rule.
            if entry.key != "ui" {
                self.shadows_in(&entry.value);
            }
        }
    }

    /// The names of slots are ids of a list, those of parameters and fields keys.
    fn report_shadows(&mut self, entry: &'a Entry) {
        if let TermKind::List(slots) = &entry.value.kind {
            slots.iter().filter_map(|it| it.get("id")).for_each(|it| self.report_shadow(it.text(), it.place));
        }
        for field in entry.value.entries() {
            self.report_shadow(Some(&field.key), field.place);
        }
    }

    fn report_shadow(&mut self, name: Option<&str>, place: Place) {
        let Some(word) = name.and_then(|name| REF_WORDS.iter().find(|it| same_name(it.name, name))) else { return };
        let message = format!("this word means something already, choose another name: {}", word.name);
        self.report(place, Code::ReservedName, message);
    }
}
