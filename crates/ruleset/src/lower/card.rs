//! Card types, keywords and cards.

use alloc::{format, vec::Vec};

use super::Lower;
use crate::{
    ids::{KeywordId, RuleId, TypeId},
    names::Space,
    program::{AttrRule, CardDef, KeywordRule},
    term::Term,
    violation::Code,
};

impl<'a> Lower<'a> {
    pub(super) fn lower_cards(&mut self) {
        let type_rules: Vec<Vec<RuleId>> = self.root.list_at("cardTypes").iter().map(|it| self.abilities(it)).collect();
        for term in self.root.list_at("keywords") {
            let rules = self.abilities(term);
            self.program.keywords.push(KeywordRule { rules });
        }
        for term in self.root.list_at("cards") {
            self.lower_card(term, &type_rules);
        }
    }

    fn abilities(&mut self, term: &'a Term) -> Vec<RuleId> {
        term.list_at("abilities").iter().flat_map(|it| self.lower_ability(it, false)).collect()
    }

    fn lower_card(&mut self, term: &'a Term, type_rules: &[Vec<RuleId>]) {
        let card_type = term.get("type").and_then(|it| self.name(it, Space::CardType));
        let type_at = card_type.map_or(usize::MAX, usize::from);
        let type_term = self.root.list_at("cardTypes").get(type_at);
        let mut printed = alloc::vec![0; usize::from(self.program.stride)];
        for column in self.program.links(false) {
            if let Some(slot) = printed.get_mut(usize::from(column)) {
                *slot = AttrRule::EMPTY;
            }
        }
        for source in [type_term, Some(term)].into_iter().flatten() {
            self.print_attributes(source, &mut printed);
        }
        let keywords: Vec<KeywordId> =
            term.list_at("keywords").iter().filter_map(|it| self.name(it, Space::Keyword).map(KeywordId)).collect();
        let mut rules: Vec<RuleId> = type_rules.get(type_at).cloned().unwrap_or_default();
        for keyword in &keywords {
            rules.extend(self.program.keywords.get(keyword.index()).map_or(&[][..], |it| &it.rules));
        }
        rules.extend(self.abilities(term));
        rules.sort();
        rules.dedup();
        let card_type = card_type.map_or(TypeId::NONE, TypeId);
        self.program.defs.push(CardDef { card_type, printed, keywords, rules, is_token: term.flag("token") });
    }

    fn print_attributes(&mut self, source: &Term, printed: &mut [i32]) {
        for entry in source.get("attributes").map_or(&[][..], Term::entries) {
            let Some(attr) = self.names.find(Space::Attribute, &entry.key) else {
                let name = Term { place: entry.place, kind: crate::term::TermKind::Text(entry.key.clone()) };
                self.report_unknown(&name, Space::Attribute, &entry.key);
                continue;
            };
            let Some(rule) = self.program.attrs.get(usize::from(attr)) else {
                continue;
            };
            let (on_cards, min, max, column) = (rule.on_cards, rule.min, rule.max, usize::from(rule.column));
            let is_link = rule.is_link();
            let value = entry.value.int().and_then(|it| i32::try_from(it).ok());
            match value {
                _ if is_link => self.report(
                    entry.place,
                    Code::WrongType,
                    format!("a link to a card or player is not printed: {}", entry.key),
                ),
                _ if !on_cards => self.report(
                    entry.place,
                    Code::WrongType,
                    format!("only players have this attribute: {}", entry.key),
                ),
                // What is no number was reported as that.
                _ if entry.value.int().is_none() => {}
                Some(value) if value >= min && value <= max => {
                    if let Some(slot) = printed.get_mut(column) {
                        *slot = value;
                    }
                }
                _ => self.report(
                    entry.value.place,
                    Code::OutOfRange,
                    format!("{} must be between {min} and {max}", entry.key),
                ),
            }
        }
    }
}
