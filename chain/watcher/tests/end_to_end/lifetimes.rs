//! Whether the transactions in the blocks of a chain live for ever.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use auto_battle_watcher::chain::{Account, Chain};

/// An era without an end, encoded.
const IMMORTAL: [u8; 1] = [0];

/// What transactions were seen in finalised blocks.
#[derive(Clone, Default)]
pub struct Lifetimes {
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    /// How many mortal transactions each account sent.
    mortal: BTreeMap<Account, u32>,
    /// Calls in transactions without an end.
    immortal: Vec<(Account, String)>,
}

impl Lifetimes {
    /// Looks at every finalised block for as long as the node answers.
    pub async fn count(self, chain: Chain) {
        let mut blocks = chain.client().stream_blocks().await.expect("the node answers");
        while let Some(Ok(block)) = blocks.next().await {
            let at = block.at().await.expect("a finalised block can be asked");
            for transaction in at.extrinsics().fetch().await.expect("it has a body").iter() {
                let transaction = transaction.expect("the metadata says how to read it");
                // An address is its kind and the account.
                let Some(&[_, ref account @ ..]) = transaction.address_bytes() else { continue };
                let sender = Account(account.try_into().expect("the address is an account"));
                let extensions = transaction.transaction_extensions().expect("it is signed");
                let era = extensions.iter().find(|it| it.name() == "CheckMortality").expect("it has an era");
                self.note(sender, era.bytes(), transaction.call_name());
            }
        }
    }

    fn note(&self, sender: Account, era: &[u8], call: &str) {
        let mut seen = self.seen.lock().expect("nobody panics while holding it");
        match era == IMMORTAL {
            true => seen.immortal.push((sender, call.into())),
            false => *seen.mortal.entry(sender).or_default() += 1,
        }
    }

    /// How many mortal transactions an account has sent.
    pub fn n_mortal(&self, sender: Account) -> u32 {
        let seen = self.seen.lock().expect("nobody panics while holding it");
        seen.mortal.get(&sender).copied().unwrap_or(0)
    }

    /// The transactions without an end: sender and call.
    pub fn immortal(&self) -> Vec<(Account, String)> {
        self.seen.lock().expect("nobody panics while holding it").immortal.clone()
    }
}
