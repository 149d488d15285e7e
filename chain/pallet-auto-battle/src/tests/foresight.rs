//! Computing ahead: a player who guesses the randomness to come, computes what a run that starts now
//! would bring, and starts in the block that promises a prize.
//!
//! Such a player lies to nobody, so the profit says little by itself: good play earns something too.
//! It is compared with that of an honest player who is as good, in the same seasons: one who does the
//! same with dice of their own.

use auto_battle::Rng;
use frame::deps::frame_support::storage::{TransactionOutcome, with_transaction};
use frame::prelude::{DispatchError, H256, blake2_256};
use frame::traits::Randomness as _;

use super::strategies::{CHEAT, Comparison, n_seasons, start};
use super::{is_soak, plan, play_run, truth};
use crate::mock::{
    AutoBattle, System, Test, await_decision, hash_to_come, meet_easy_opponents, next_block, on_chain, session, signed,
    starter_set_hash,
};
use crate::{DrawnValues, Ending, ParentHashes, Stage};

/// What a player takes for the value that will decide what is committed in the running block.
type Guess = fn(&mut Rng) -> H256;

/// An honest player knows that nobody can know, and throws dice.
fn own_dice(rng: &mut Rng) -> H256 {
    H256(blake2_256(&rng.draw().to_le_bytes()))
}

/// The cheat takes what the chain shows: the newest value there is.
fn newest_value(_: &mut Rng) -> H256 {
    DrawnValues::<Test>::get(AutoBattle::slot_of(System::block_number())).unwrap().value
}

/// What nobody has: the value that is to come.
fn real_value(_: &mut Rng) -> H256 {
    let decider = System::block_number() + 2;
    let peeked = with_transaction(|| {
        for block in [decider - 1, decider] {
            System::initialize(&block, &hash_to_come(block - 1), &Default::default());
        }
        AutoBattle::keep_drawn_value();
        let value = DrawnValues::<Test>::get(AutoBattle::slot_of(decider)).unwrap().value;
        TransactionOutcome::Rollback(Ok::<_, DispatchError>(value))
    });
    peeked.unwrap()
}

/// How many blocks a player waits for a run that looks good.
const PATIENCE: u32 = 8;

/// Waits for a block in which a run would win by the guess, and plays it.
fn play_by(guess: Guess, rng: &mut Rng) {
    meet_easy_opponents();
    for _ in 0..PATIENCE {
        if foresees_prize(guess, rng) {
            break;
        }
        next_block();
    }
    start(CHEAT);
    play_run(CHEAT);
}

/// Would a run that starts in this block be won if the guesses were right?
fn foresees_prize(guess: Guess, rng: &mut Rng) -> bool {
    let foreseen = with_transaction(|| {
        AutoBattle::start_game(signed(CHEAT), starter_set_hash()).unwrap();
        decide_by(guess, rng);
        let ending = loop {
            if let Stage::Over(ending) = session(CHEAT).stage {
                break ending;
            }
            AutoBattle::play_turn(signed(CHEAT), plan(CHEAT)).unwrap();
            decide_by(guess, rng);
            AutoBattle::report_outcome(signed(CHEAT), truth(CHEAT)).unwrap();
        };
        TransactionOutcome::Rollback(Ok::<_, DispatchError>(ending == Ending::Won))
    });
    foreseen.unwrap()
}

/// Lets the blocks pass until the commit is decided, as if by what is guessed.
fn decide_by(guess: Guess, rng: &mut Rng) {
    let guessed = guess(rng);
    await_decision();
    DrawnValues::<Test>::mutate(AutoBattle::slot_of(System::block_number()), |it| it.as_mut().unwrap().value = guessed);
}

fn compare(n_seasons: u64, guess: Guess, other: Guess) -> Comparison {
    Comparison::of(n_seasons, |rng| play_by(guess, rng), |rng| play_by(other, rng))
}

#[test]
fn computing_ahead_earns_no_more_than_honest_play() {
    let compared = compare(n_seasons(), newest_value, own_dice);
    assert!(!compared.is_clear(), "computing ahead earns {} more than honest play", compared.lead());
}

#[test]
fn randomness_known_ahead_would_pay_and_be_noticed() {
    let n_seasons = if is_soak() { 100 } else { 16 };
    let compared = compare(n_seasons, real_value, own_dice);
    assert!(compared.is_clear());
    assert!(compared.totals()[0] > 0);
}

#[test]
fn the_value_that_is_to_come_is_what_comes() {
    on_chain(|| {
        let expected = real_value(&mut super::choices(1));
        await_decision();
        assert_eq!(newest_value(&mut super::choices(1)), expected);
        assert_ne!(ParentHashes::<Test>::random(b"another subject").0, expected);
    });
}
