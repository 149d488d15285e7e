//! Computing ahead: a player who guesses the hashes to come, computes what a run that starts now
//! would bring, and starts when he likes what he sees.
//!
//! He lies to nobody, so what he earns says little by itself: good play earns something too. He is
//! compared with an honest player who is as good, in the same seasons: one who does the same with
//! dice of his own.

use auto_battle::Rng;
use frame::deps::frame_support::storage::{TransactionOutcome, with_transaction};
use frame::prelude::{DispatchError, H256, blake2_256, frame_system};

use super::strategies::{CHEAT, n_seasons, profit, start};
use super::{is_soak, plan, play_run, truth};
use crate::mock::{AutoBattle, System, Test, hash_to_come, next_block, session, signed, starter_set_hash};
use crate::{Ending, Stage};

/// What a player takes for the hash of the running block, which will decide what is committed in it.
type Guess = fn(&mut Rng) -> H256;

/// An honest player knows that he cannot know, and throws dice.
fn own_dice(rng: &mut Rng) -> H256 {
    H256(blake2_256(&rng.draw().to_le_bytes()))
}

/// The cheat takes what the chain shows him: the newest hash there is.
fn newest_hash(_: &mut Rng) -> H256 {
    System::block_hash(System::block_number() - 1)
}

/// What nobody has: the hash that is to come.
fn real_hash(_: &mut Rng) -> H256 {
    hash_to_come(System::block_number())
}

/// How many blocks a player waits for a run that he likes.
const PATIENCE: u32 = 8;

/// Waits for a block in which a run would win by the guess, and plays it.
fn play_by(guess: Guess, rng: &mut Rng) {
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
        end_block_by(guess, rng);
        let ending = loop {
            if let Stage::Over(ending) = session(CHEAT).stage {
                break ending;
            }
            AutoBattle::play_turn(signed(CHEAT), plan(CHEAT)).unwrap();
            end_block_by(guess, rng);
            AutoBattle::report_outcome(signed(CHEAT), truth(CHEAT)).unwrap();
        };
        TransactionOutcome::Rollback(Ok::<_, DispatchError>(ending == Ending::Won))
    });
    foreseen.unwrap()
}

/// Ends the block as if its hash were what is guessed.
fn end_block_by(guess: Guess, rng: &mut Rng) {
    let (number, guessed) = (System::block_number(), guess(rng));
    next_block();
    frame_system::BlockHash::<Test>::insert(number, guessed);
}

/// What two players earned in the same seasons, in thousandths of a unit.
struct Comparison {
    profits: Vec<(i64, i64)>,
}

impl Comparison {
    fn of(n_seasons: u64, guess: Guess, other: Guess) -> Self {
        let earn = |season, guess| profit(season, |rng| play_by(guess, rng));
        let compared = Self { profits: (0..n_seasons).map(|it| (earn(it, guess), earn(it, other))).collect() };
        let ([one, other], error) = (compared.totals(), compared.error());
        println!("{n_seasons} seasons: {one} and {other} thousandths of a unit, error {error}");
        compared
    }

    fn totals(&self) -> [i64; 2] {
        [self.profits.iter().map(|it| it.0).sum(), self.profits.iter().map(|it| it.1).sum()]
    }

    /// How much more the first earned than the second.
    fn lead(&self) -> i64 {
        let [one, other] = self.totals();
        one - other
    }

    /// The standard error of the lead.
    fn error(&self) -> i64 {
        let (n_seasons, lead) = (self.profits.len() as i64, self.lead());
        let squares: i64 = self.profits.iter().map(|(one, other)| (one - other).pow(2)).sum();
        ((n_seasons * squares - lead.pow(2)) / (n_seasons - 1)).isqrt()
    }

    /// Is the lead more than luck gives once in seven hundred times?
    fn is_clear(&self) -> bool {
        self.lead() > 3 * self.error()
    }
}

#[test]
fn computing_ahead_does_not_pay_and_earns_no_more_than_honest_play() {
    let compared = Comparison::of(n_seasons(), newest_hash, own_dice);
    assert!(!compared.is_clear(), "computing ahead earns {} more than honest play", compared.lead());
    let [cheat, honest] = compared.totals();
    assert!(cheat <= 0, "computing ahead pays {cheat} thousandths of a unit");
    assert!(honest <= 0, "honest play pays {honest} thousandths of a unit");
}

#[test]
fn a_hash_known_ahead_would_pay_and_be_noticed() {
    let n_seasons = if is_soak() { 100 } else { 12 };
    let compared = Comparison::of(n_seasons, real_hash, own_dice);
    assert!(compared.is_clear());
    assert!(compared.totals()[0] > 0);
}
