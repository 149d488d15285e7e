//! What players play for, and the check that a pot is never lost: every way the game can end says what becomes of it.

use alloc::{format, string::ToString, vec::Vec};

use super::Lower;
use crate::{
    stakes::{EndReason, Ending, Pot, Stakes},
    term::{Entry, Place, Term},
    violation::{Code, Violation},
};

/// The most a player can be asked to pay, so that no sum of pots is too large for a ledger.
const ENTRY_MAX: i64 = 1_000_000_000;

/// Endings that are no matter of the rules, and what becomes of the pot where a ruleset does not say.
const OTHER_ENDINGS: [(&str, EndReason); 4] = [
    ("last_standing", EndReason::LastStanding),
    ("disconnect", EndReason::Disconnected),
    ("limit", EndReason::Limit),
    ("moderator", EndReason::Moderator),
];

impl<'a> Lower<'a> {
    pub(super) fn stakes(&mut self) {
        let Some(term) = self.root.get("policy").and_then(|it| it.get("stakes")) else {
            return;
        };
        let entry = self.int_in(term, "entry", 1..=ENTRY_MAX).and_then(|it| u32::try_from(it).ok());
        let written = term.get("endings").map_or(&[][..], Term::entries);
        written.iter().for_each(|it| self.check_ending(it));
        let mut endings = self.endings_of_rules(term.place, written);
        endings.extend(OTHER_ENDINGS.map(|(name, reason)| (reason, other_ending(written, name))));
        self.program.stakes = entry.map(|entry| Stakes { entry, endings });
    }

    /// What becomes of the pot for every reason of the rules.
    fn endings_of_rules(&mut self, place: Place, written: &[Entry]) -> Vec<(EndReason, Ending)> {
        let reasons = self.program.text.reasons.clone();
        let mut endings = Vec::new();
        for (reason, name) in (0_u16..).zip(&reasons) {
            let entry = written.iter().find(|it| it.key == *name);
            let place = entry.map_or(place, |it| it.place);
            let pot = |key: &str| entry.and_then(|it| pot(&it.value, key));
            let (won, nobody) = (pot("won"), pot("nobody"));
            if won.is_none() && self.winnable.contains(&reason) {
                self.unsettled(place, name, "somebody wins");
            }
            if nobody.is_none() {
                self.unsettled(place, name, "nobody wins");
            }
            let (won, nobody) = (won.unwrap_or(Pot::Refund), nobody.unwrap_or(Pot::Refund));
            endings.push((EndReason::Rules(reason), Ending { won, nobody }));
        }
        endings
    }

    fn unsettled(&mut self, place: Place, reason: &str, when: &str) {
        let message = format!("nothing says what becomes of the pot when the game ends for `{reason}` and {when}");
        self.report(place, Code::UnsettledPot, message);
    }

    fn check_ending(&mut self, entry: &Entry) {
        if pot(&entry.value, "nobody") == Some(Pot::Winner) {
            let place = entry.value.get("nobody").map_or(entry.place, |it| it.place);
            let message = format!("where nobody wins, nobody can get the pot: {}", entry.key);
            self.report(place, Code::UnsettledPot, message);
        }
        let reasons = self.program.text.reasons.iter().map(ToString::to_string);
        let known: Vec<_> = reasons.chain(OTHER_ENDINGS.map(|it| it.0.to_string())).collect();
        if !known.contains(&entry.key) {
            let message = format!("the game does not end for this reason: {}", entry.key);
            self.violations.push(Violation::new(entry.place, Code::UnknownName, message).suggest(&entry.key, known));
        }
    }
}

/// What a ruleset says about an ending that is no matter of the rules: the winner is paid, else all get theirs back.
fn other_ending(written: &[Entry], name: &str) -> Ending {
    let entry = written.iter().find(|it| it.key == name);
    let pot = |key: &str| entry.and_then(|it| pot(&it.value, key));
    Ending { won: pot("won").unwrap_or(Pot::Winner), nobody: pot("nobody").unwrap_or(Pot::Refund) }
}

fn pot(term: &Term, key: &str) -> Option<Pot> {
    match term.text_at(key)? {
        "winner" => Some(Pot::Winner),
        "refund" => Some(Pot::Refund),
        "burn" => Some(Pot::Burn),
        _ => None,
    }
}
