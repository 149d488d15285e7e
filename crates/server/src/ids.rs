//! Names nobody can guess.

use storage::{AccountId, Hash, MatchId, chain};

/// Random bytes from the machine.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the machine gives random numbers; nothing can be kept secret without");
    bytes
}

/// A name for a match.
pub fn match_id() -> MatchId {
    MatchId(format!("m_{}", hex::encode(random::<16>())))
}

/// A name for an account.
pub fn account_id() -> AccountId {
    AccountId(format!("a_{}", hex::encode(random::<12>())))
}

/// A secret that lets its holder in.
pub fn token() -> String {
    format!("st_{}", hex::encode(random::<32>()))
}

/// What is kept of a token.
pub fn token_hash(token: &str) -> Hash {
    chain::hash_parts(&[b"token", token.as_bytes()])
}
