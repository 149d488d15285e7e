//! The runtime's wasm builds, executes and validates blocks, as a collator, a full node and a validator
//! of the relay chain would have it do. The relay chain is a state made up for each block.
//!
//! `cargo xtask soak` builds the wasm first.

mod machine;
mod relay;

use auto_battle::BattleResult;
use auto_battle_parachain_runtime::{AccountId, Balance, RuntimeCall, UNIT};
use frame::runtime::prelude::Sr25519Keyring;
use machine::Chain;
use pallet_auto_battle::{starter_set_hash, BattleView, Call, GameSession, Stage};

/// A run as the chain stores it.
type Session = GameSession<Balance, u32>;

fn player() -> AccountId {
    Sr25519Keyring::Bob.to_account_id()
}

fn session(chain: &mut Chain) -> Option<Session> {
    chain.ask("AutoBattleApi_session", &player())
}

fn pending_battle(chain: &mut Chain) -> Option<BattleView<AccountId>> {
    chain.ask("AutoBattleApi_pending_battle", &player())
}

/// Makes a block with a call of the player's.
fn play(chain: &mut Chain, call: Call<auto_battle_parachain_runtime::Runtime>) {
    let transaction = chain.sign(Sr25519Keyring::Bob, RuntimeCall::AutoBattle(call));
    chain.make_block(vec![transaction]);
}

/// Makes empty blocks until something is known; says how many it took.
fn wait_for<R>(chain: &mut Chain, mut ask: impl FnMut(&mut Chain) -> Option<R>) -> (R, u32) {
    for n_blocks in 0..30 {
        if let Some(found) = ask(chain) {
            return (found, n_blocks);
        }
        chain.make_block(vec![]);
    }
    panic!("the relay chain's randomness decides nothing");
}

#[test]
fn a_round_is_played_in_blocks_that_the_relay_chain_would_accept() {
    let mut chain = Chain::new("development");
    play(&mut chain, Call::start_game { set_hash: starter_set_hash().into() });
    let (_, n_blocks) = wait_for(&mut chain, |it| session(it).filter(|it| it.state.is_some()));
    // No output decides that a collator of the block of the commit could have known.
    assert_eq!(n_blocks, 8);
    play(&mut chain, Call::end_turn {});
    let (view, _) = wait_for(&mut chain, pending_battle);
    let pool: Option<auto_battle::Pool> = chain.ask("AutoBattleApi_pool", &starter_set_hash());
    let outcome = view.battle.fight(&pool.expect("the set is there"), &mut auto_battle::NoEvents);
    let result = outcome.expect("the battle can be fought").result;
    assert_ne!(result, BattleResult::Victory, "an empty board wins nothing");
    play(&mut chain, Call::report_outcome { result });
    let session = session(&mut chain).expect("the run goes on");
    assert!(matches!(session.stage, Stage::Shop));
    assert_eq!(session.n_reports(), 1);
    println!("the largest proof of a block had {} bytes", chain.largest_proof());
}

#[test]
fn a_liar_is_slashed_on_the_parachain() {
    let mut chain = Chain::new("local_testnet");
    play(&mut chain, Call::start_game { set_hash: starter_set_hash().into() });
    wait_for(&mut chain, |it| session(it).filter(|it| it.state.is_some()));
    play(&mut chain, Call::end_turn {});
    wait_for(&mut chain, pending_battle);
    play(&mut chain, Call::report_outcome { result: BattleResult::Victory });
    let dispute = |chain: &mut Chain, who| {
        let call = Call::dispute_battle { target_player: player(), run: 1, round: 1 };
        chain.sign(who, RuntimeCall::AutoBattle(call))
    };
    let money = |chain: &mut Chain, who: Sr25519Keyring| -> (Balance, Balance) {
        chain.ask("AutoBattleApi_money", &who.to_account_id())
    };
    let (first, second) = (Sr25519Keyring::Eve, Sr25519Keyring::Ferdie);
    let (had_first, had_second) = (money(&mut chain, first), money(&mut chain, second));
    let disputes = vec![dispute(&mut chain, first), dispute(&mut chain, second)];
    // The second comes too late, is left out of the block, and pays nothing.
    assert_eq!(chain.make_block(disputes), 1);
    assert_eq!(session(&mut chain), None);
    assert_eq!(money(&mut chain, first).0 - had_first.0, 2 * UNIT);
    assert_eq!(money(&mut chain, second), had_second);
}

#[test]
fn a_block_without_the_proof_of_randomness_is_refused() {
    let mut chain = Chain::new("development");
    chain.make_block(vec![]);
    chain.relay.withhold_randomness();
    assert!(!chain.can_make_block(), "a collator must not withhold an output they dislike");
}
