//! What a match is played for: stakes go into a pot with the first transition, and come out of it with the last.
//!
//! Every ending goes through [`settle`], and every movement has a name made of the match, so that whatever else
//! happens in the same moment or after a restart, a pot is filled once and emptied once.

use host::{Game, Pot, Seat, Stakes, view::Outcome};
use storage::{AccountId, Entry, MatchId, MatchRow, Op, Posting, money};

use crate::detail::Detail;

/// What everybody at a table pays, if it is played for something: only people play for tokens, and only games the
/// operator offers, since whoever publishes rules could publish such that he wins.
pub fn entry(game: &Game, is_offered: bool, row: &MatchRow) -> u32 {
    let is_paid = is_offered && row.seats.iter().all(Option::is_some);
    game.policy().stakes.filter(|_| is_paid).map_or(0, |it| it.entry)
}

/// Fills the pot, with the first transition of a match.
pub fn enter(row: &MatchRow, at: i64) -> Option<Op> {
    let stake = i64::from(Detail::of(row).stake);
    let players: Vec<&AccountId> = row.seats.iter().flatten().collect();
    let sum = stake.saturating_mul(i64::try_from(players.len()).unwrap_or(i64::MAX));
    let paid = players.into_iter().map(|it| Posting { account: it.clone(), amount: -stake });
    let pot = Posting { account: money::pot(&row.id), amount: sum };
    let postings = paid.chain([pot]).collect();
    (stake > 0).then(|| Op::Post(Entry { id: format!("stake/{}", row.id), reason: "stake".to_owned(), postings, at }))
}

/// What becomes of the pot of a match that ended so; none if it was played for nothing.
pub fn pot_of(game: &Game, row: &MatchRow, outcome: &Outcome) -> Option<Pot> {
    let is_staked = Detail::of(row).stake > 0;
    // A stake of rules that have none any more goes back.
    is_staked.then(|| game.policy().stakes.as_ref().map_or(Pot::Refund, |it: &Stakes| it.pot(outcome)))
}

/// What became of a pot, in a word.
pub fn word(pot: Option<Pot>) -> &'static str {
    match pot {
        Some(Pot::Winner) => "paid",
        Some(Pot::Refund) => "refunded",
        Some(Pot::Burn) => "burned",
        None => "none",
    }
}

/// Empties the pot of a match: the only way out of it, for every ending.
pub fn settle(row: &MatchRow, pot: Option<Pot>, winners: &[String], at: i64) -> Option<Op> {
    let pot = pot?;
    let stake = i64::from(Detail::of(row).stake);
    let seats: Vec<(Seat, &AccountId)> = (0..).map(Seat).zip(row.seats.iter().flatten()).collect();
    let sum = stake.saturating_mul(i64::try_from(seats.len()).unwrap_or(i64::MAX));
    let mut postings = vec![Posting { account: money::pot(&row.id), amount: -sum }];
    match pot {
        Pot::Winner => {
            let won = seats.iter().filter(|it| winners.contains(&it.0.to_string())).map(|it| it.1);
            postings.extend(shares(sum, won.collect()));
        }
        Pot::Refund => postings.extend(seats.iter().map(|it| Posting { account: it.1.clone(), amount: stake })),
        Pot::Burn => postings.push(Posting { account: AccountId(money::BURNED.to_owned()), amount: sum }),
    }
    Some(Op::Post(Entry { id: entry_id(&row.id), reason: word(Some(pot)).to_owned(), postings, at }))
}

fn entry_id(id: &MatchId) -> String {
    format!("pot/{id}")
}

/// Equal shares of a pot; what cannot be shared goes to the first of them, so that nothing is lost.
fn shares(sum: i64, winners: Vec<&AccountId>) -> Vec<Posting> {
    let n_winners = i64::try_from(winners.len()).unwrap_or(i64::MAX).max(1);
    let (share, rest) = (sum / n_winners, sum % n_winners);
    let amount = |at: i64| share + i64::from(at < rest);
    (0..).zip(winners).map(|(at, it)| Posting { account: it.clone(), amount: amount(at) }).collect()
}
