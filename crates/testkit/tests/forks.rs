//! Whoever plays many games uses one match and one log again: what was played on them before leaves no trace.

use engine::{
    Log, Match, Moves,
    log::{Header, Recorder},
};
use testkit::{
    contract::{Dice, begin, list},
    games,
};

/// The most moves that are listed for one decision.
const MOVES_MAX: usize = 200;

/// Plays some moves on two matches that should be the same.
#[track_caller]
fn check(table: &mut Match, fork: &mut Match, dice: &mut Dice) {
    let (mut moves, mut same) = (Moves::default(), Moves::default());
    for _ in 0..6 {
        assert_eq!(table.hash(), fork.hash(), "another state");
        assert!(table.is_derived_sound());
        if !list(fork, MOVES_MAX, &mut moves) {
            return;
        }
        assert!(list(table, MOVES_MAX, &mut same));
        assert_eq!(moves.len(), same.len(), "other moves");
        let at = dice.below(moves.len());
        let (mut ours, mut theirs) = (Recorder::default(), Recorder::default());
        assert_eq!(table.play(&same, at, &mut ours), fork.play(&moves, at, &mut theirs), "another answer");
        assert_eq!(ours, theirs, "other records");
        assert_eq!(table.work_left(), fork.work_left(), "other work");
    }
}

#[test]
fn a_match_that_is_written_over_goes_on_like_a_fork() {
    let rulesets: Vec<_> = games::with_actions().iter().map(|it| games::load(it)).collect();
    // What was played on it is always another game, left in the middle.
    let mut table = begin(rulesets.last().expect("there are games; qed"), 1);
    for (seed, ruleset) in (1..).zip(&rulesets) {
        let (mut live, mut dice, mut moves) = (begin(ruleset, seed), Dice::new(seed), Moves::default());
        for _ in 0..30 {
            table.fork_from(&live);
            check(&mut table, &mut live.fork(), &mut dice);
            if !list(&live, MOVES_MAX, &mut moves) {
                break;
            }
            live.play(&moves, dice.below(moves.len()), &mut ()).expect("was offered; qed");
        }
    }
}

#[test]
fn a_match_that_is_written_over_cannot_take_back_what_came_before() {
    let (mut live, mut moves, mut dice) = (begin(&games::load("skirmish"), 3), Moves::default(), Dice::new(3));
    let mut n_undone = 0;
    while list(&live, MOVES_MAX, &mut moves) {
        live.play(&moves, dice.below(moves.len()), &mut ()).expect("was offered; qed");
        for player in live.state().players() {
            let undo = engine::Command::Undo { player };
            let mut table = live.clone();
            table.fork_from(&live);
            n_undone += u32::from(live.clone().submit(&undo, &mut ()).is_ok());
            table.submit(&undo, &mut ()).expect_err("a fork has nothing to take back");
        }
    }
    assert!(n_undone > 0, "the match itself could take nothing back, either");
}

#[test]
fn a_cleared_log_is_as_good_as_a_new_one() {
    let ruleset = games::load("bench-duel");
    let header = Header::new(&ruleset, games::setup(&ruleset, 0, 2));
    let mut used = Log::new(header.clone());
    for seed in 0..3 {
        used.clear();
        let mut new = Log::new(header.clone());
        let (mut one, mut two, mut moves) = (begin(&ruleset, seed), begin(&ruleset, seed), Moves::default());
        let mut dice = Dice::new(seed);
        while list(&one, MOVES_MAX, &mut moves) {
            let at = dice.below(moves.len());
            used.play(&mut one, &moves, at).expect("was offered; qed");
            new.play(&mut two, &moves, at).expect("was offered; qed");
        }
        used.seal();
        assert_eq!(used, new);
        assert_eq!(used.hash(), new.hash(), "another hash");
    }
}
