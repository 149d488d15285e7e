//! Writes one [`Op`] inside a transaction.

use crate::{
    error::{CommitError, StorageError},
    money::{self, Entry},
    op::Op,
    rows::{Account, Audit, MatchId, MatchRow, RulesetRow, Session, Transition},
    sql::{Cell, Connection, SqlError, reads},
};

/// Why a list of operations stopped.
pub enum Stop {
    /// It is refused.
    Refused(CommitError),
    /// Writers got in each other's way; doing it again helps.
    Collided,
}

impl From<CommitError> for Stop {
    fn from(it: CommitError) -> Self {
        Self::Refused(it)
    }
}

impl From<StorageError> for Stop {
    fn from(it: StorageError) -> Self {
        Self::Refused(it.into())
    }
}

impl From<SqlError> for Stop {
    fn from(it: SqlError) -> Self {
        if it == SqlError::Collided { Self::Collided } else { StorageError::from(it).into() }
    }
}

/// Names what exists already if that is what a statement failed with.
fn unless_taken(result: Result<u64, SqlError>, name: impl FnOnce() -> CommitError) -> Result<u64, Stop> {
    match result {
        Err(SqlError::Taken) => Err(name().into()),
        other => Ok(other?),
    }
}

/// Writes one thing.
pub fn apply(connection: &mut dyn Connection, op: &Op) -> Result<(), Stop> {
    match op {
        Op::CreateMatch(row) => create_match(connection, row),
        Op::PutMatch(row) => put_match(connection, row),
        Op::Append { transition, due_at } => append(connection, transition, *due_at),
        Op::Truncate { match_id, n_transitions } => truncate(connection, match_id, *n_transitions),
        Op::CreateAccount(account) => create_account(connection, account),
        Op::PutAccount(account) => put_account(connection, account),
        Op::PutSession(session) => put_session(connection, session),
        Op::DeleteSession(hash) => {
            connection.execute("DELETE FROM sessions WHERE token_hash = $1", &[hash.into()])?;
            Ok(())
        }
        Op::PutRuleset(row) => put_ruleset(connection, row),
        Op::Audit(audit) => put_audit(connection, audit),
        Op::Post(entry) => post(connection, entry),
        Op::PutMeta(key, value) => {
            let sql = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2";
            connection.execute(sql, &[key.into(), value.into()])?;
            Ok(())
        }
    }
}

fn create_match(connection: &mut dyn Connection, row: &MatchRow) -> Result<(), Stop> {
    let sql = "INSERT INTO matches
        (id, game, rules, status, seats, detail, created_at, updated_at, n_transitions, head, due_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let params = [
        (&row.id).into(),
        (&row.game).into(),
        (&row.rules).into(),
        row.status.as_str().into(),
        Cell::Text(reads::seats_to_text(&row.seats)),
        (&row.detail).into(),
        row.created_at.into(),
        row.updated_at.into(),
        0_i64.into(),
        (&row.genesis()).into(),
        Cell::Null,
    ];
    unless_taken(connection.execute(sql, &params), || CommitError::Exists(row.id.0.clone()))?;
    put_seats(connection, row)
}

fn put_match(connection: &mut dyn Connection, row: &MatchRow) -> Result<(), Stop> {
    let sql = "UPDATE matches SET status = $2, seats = $3, detail = $4, updated_at = $5 WHERE id = $1";
    let seats = Cell::Text(reads::seats_to_text(&row.seats));
    let params = [(&row.id).into(), row.status.as_str().into(), seats, (&row.detail).into(), row.updated_at.into()];
    if connection.execute(sql, &params)? == 0 {
        return Err(CommitError::NoSuchMatch(row.id.clone()).into());
    }
    put_seats(connection, row)
}

fn put_seats(connection: &mut dyn Connection, row: &MatchRow) -> Result<(), Stop> {
    connection.execute("DELETE FROM seats WHERE match_id = $1", &[(&row.id).into()])?;
    for (seat, account) in (0_i64..).zip(&row.seats) {
        if let Some(account) = account {
            let sql = "INSERT INTO seats (match_id, seat, account) VALUES ($1, $2, $3)";
            connection.execute(sql, &[(&row.id).into(), seat.into(), account.into()])?;
        }
    }
    Ok(())
}

/// Moves the head of the match on, which fences whoever thinks it is elsewhere, and adds the transition.
fn append(connection: &mut dyn Connection, it: &Transition, due_at: Option<i64>) -> Result<(), Stop> {
    let sql = "UPDATE matches SET n_transitions = $2 + 1, head = $3, updated_at = $4, due_at = $5
        WHERE id = $1 AND n_transitions = $2 AND head = $6";
    let id = Cell::from(&it.match_id);
    let params = [id.clone(), it.seq.into(), (&it.hash).into(), it.at.into(), due_at.into(), (&it.previous).into()];
    if connection.execute(sql, &params)? == 0 {
        return Err(misplaced(connection, it)?.into());
    }
    let sql = "INSERT INTO transitions
        (match_id, seq, command_id, request, command, events, note, at, previous, hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let params = [
        id,
        it.seq.into(),
        it.command_id.as_ref().into(),
        (&it.request).into(),
        (&it.command).into(),
        (&it.events).into(),
        (&it.note).into(),
        it.at.into(),
        (&it.previous).into(),
        (&it.hash).into(),
    ];
    let command_id = it.command_id.clone().unwrap_or_default();
    let taken = || CommitError::DuplicateCommand { match_id: it.match_id.clone(), command_id };
    unless_taken(connection.execute(sql, &params), taken)?;
    Ok(())
}

/// Why a transition is not the next one of its match.
fn misplaced(connection: &mut dyn Connection, it: &Transition) -> Result<CommitError, Stop> {
    if let Some(command_id) = &it.command_id
        && reads::command(connection, &it.match_id, command_id)?.is_some()
    {
        let (match_id, command_id) = (it.match_id.clone(), command_id.clone());
        return Ok(CommitError::DuplicateCommand { match_id, command_id });
    }
    let row = reads::match_row(connection, &it.match_id)?;
    let conflict = |row: MatchRow| CommitError::Conflict { match_id: row.id, n_transitions: row.n_transitions };
    Ok(row.map_or_else(|| CommitError::NoSuchMatch(it.match_id.clone()), conflict))
}

fn truncate(connection: &mut dyn Connection, id: &MatchId, n_transitions: u64) -> Result<(), Stop> {
    let Some(row) = reads::match_row(connection, id)? else {
        return Err(CommitError::NoSuchMatch(id.clone()).into());
    };
    let key = [Cell::from(id), n_transitions.into()];
    connection.execute("DELETE FROM transitions WHERE match_id = $1 AND seq >= $2", &key)?;
    let last = match n_transitions.checked_sub(1) {
        Some(seq) => reads::transitions(connection, id, seq, 1)?.pop(),
        None => None,
    };
    let head = last.map_or_else(|| row.genesis(), |it| it.hash);
    let sql = "UPDATE matches SET n_transitions = $2, head = $3 WHERE id = $1";
    connection.execute(sql, &[id.into(), n_transitions.into(), (&head).into()])?;
    Ok(())
}

fn account_params(it: &Account) -> [Cell; 5] {
    [(&it.id).into(), it.name.as_ref().into(), (&it.nickname).into(), it.password.as_ref().into(), (&it.role).into()]
}

fn create_account(connection: &mut dyn Connection, it: &Account) -> Result<(), Stop> {
    let sql = "INSERT INTO accounts (id, name, nickname, password, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    let mut params = account_params(it).to_vec();
    params.push(it.created_at.into());
    let taken = || CommitError::Exists(it.name.clone().unwrap_or_else(|| it.id.0.clone()));
    unless_taken(connection.execute(sql, &params), taken)?;
    Ok(())
}

fn put_account(connection: &mut dyn Connection, it: &Account) -> Result<(), Stop> {
    let sql = "UPDATE accounts SET name = $2, nickname = $3, password = $4, role = $5 WHERE id = $1";
    let taken = || CommitError::Exists(it.name.clone().unwrap_or_default());
    let n_rows = unless_taken(connection.execute(sql, &account_params(it)), taken)?;
    if n_rows == 0 { Err(CommitError::NoSuchAccount(it.id.clone()).into()) } else { Ok(()) }
}

fn put_session(connection: &mut dyn Connection, it: &Session) -> Result<(), Stop> {
    let sql = "INSERT INTO sessions (token_hash, account, created_at, expires_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (token_hash) DO UPDATE SET account = $2, created_at = $3, expires_at = $4";
    let params = [(&it.token_hash).into(), (&it.account).into(), it.created_at.into(), it.expires_at.into()];
    connection.execute(sql, &params)?;
    Ok(())
}

fn put_ruleset(connection: &mut dyn Connection, it: &RulesetRow) -> Result<(), Stop> {
    let sql = "INSERT INTO rulesets (hash, name, version, publisher, bytes, at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (hash) DO NOTHING";
    let RulesetRow { hash, name, version, publisher, bytes, at } = it;
    let params = [hash.into(), name.into(), version.into(), publisher.into(), bytes.into(), (*at).into()];
    connection.execute(sql, &params)?;
    Ok(())
}

fn put_audit(connection: &mut dyn Connection, it: &Audit) -> Result<(), Stop> {
    let sql = "INSERT INTO audit (account, match_id, verb, detail, at) VALUES ($1, $2, $3, $4, $5)";
    let match_id = it.match_id.as_ref().into();
    connection.execute(sql, &[(&it.account).into(), match_id, (&it.verb).into(), (&it.detail).into(), it.at.into()])?;
    Ok(())
}

/// Books an entry, unless it is booked.
fn post(connection: &mut dyn Connection, entry: &Entry) -> Result<(), Stop> {
    if !entry.is_balanced() {
        return Err(CommitError::Unbalanced(entry.id.clone()).into());
    }
    let sql = "INSERT INTO entries (id, reason, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING";
    if connection.execute(sql, &[(&entry.id).into(), (&entry.reason).into(), entry.at.into()])? == 0 {
        let booked = reads::entry(connection, &entry.id)?;
        let is_same = booked.is_some_and(|it| it.is_same(entry));
        return if is_same { Ok(()) } else { Err(CommitError::EntryDiffers(entry.id.clone()).into()) };
    }
    for (line, posting) in (0_i64..).zip(&entry.postings) {
        let sql = "INSERT INTO postings (entry, line, account, amount) VALUES ($1, $2, $3, $4)";
        let params = [(&entry.id).into(), line.into(), (&posting.account).into(), posting.amount.into()];
        connection.execute(sql, &params)?;
        move_balance(connection, posting)?;
    }
    Ok(())
}

fn move_balance(connection: &mut dyn Connection, posting: &money::Posting) -> Result<(), Stop> {
    let account = Cell::from(&posting.account);
    let sql = "INSERT INTO balances (account, balance) VALUES ($1, 0) ON CONFLICT (account) DO NOTHING";
    connection.execute(sql, std::slice::from_ref(&account))?;
    let floor = if money::may_owe(&posting.account) { i64::MIN } else { 0 };
    let balance = reads::balance(connection, &posting.account)?;
    let fits = balance.checked_add(posting.amount).is_some_and(|it| it >= floor);
    let sql = "UPDATE balances SET balance = balance + $2 WHERE account = $1 AND balance + $2 >= $3";
    let moved = fits && connection.execute(sql, &[account, posting.amount.into(), floor.into()])? == 1;
    if moved { Ok(()) } else { Err(CommitError::Insufficient { account: posting.account.clone(), balance }.into()) }
}
