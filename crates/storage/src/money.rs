//! Double-entry money: what leaves one pocket enters another, under a name that is booked once.

use crate::rows::AccountId;

/// Where tokens come from. The only pocket that may hold less than nothing.
pub const MINT: &str = "$mint";
/// Where burned tokens lie.
pub const BURNED: &str = "$burned";

/// One side of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    pub account: AccountId,
    /// What it gains; what it loses is below nothing.
    pub amount: i64,
}

/// A movement of money. Its postings add up to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The same entry again changes nothing; another under the same name is refused.
    pub id: String,
    pub reason: String,
    pub postings: Vec<Posting>,
    pub at: i64,
}

impl Entry {
    /// Moves an amount from a pocket to another.
    pub fn transfer(id: &str, reason: &str, from: &AccountId, to: &AccountId, amount: i64, at: i64) -> Self {
        let lose = Posting { account: from.clone(), amount: amount.saturating_neg() };
        let gain = Posting { account: to.clone(), amount };
        Self { id: id.to_owned(), reason: reason.to_owned(), postings: vec![lose, gain], at }
    }

    /// Whether nothing appears and nothing vanishes.
    pub fn is_balanced(&self) -> bool {
        let sum = self.postings.iter().try_fold(0_i64, |acc, it| acc.checked_add(it.amount));
        sum == Some(0)
    }

    /// Whether it says the same, whenever it was said.
    pub fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && self.reason == other.reason && self.postings == other.postings
    }
}

/// Whether a pocket may hold less than nothing.
pub fn may_owe(account: &AccountId) -> bool {
    account.0 == MINT
}

/// The pocket that holds the stakes of a match.
pub fn pot(match_id: &crate::MatchId) -> AccountId {
    AccountId(format!("$pot/{match_id}"))
}
