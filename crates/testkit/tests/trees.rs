//! Pure code that has the form of a tree is run as one; it must give what the code itself gives.

use std::sync::Arc;

use engine::{
    EntityId, EventNo, Match, PlayerId,
    eval::{Cx, Who, eval},
    scratch::Machine,
};
use ruleset::{CodePtr, NULL, Program, Ruleset, tree::Trees};
use testkit::{
    contract::{Dice, random_command},
    games, scenario,
};

/// How many commands are given in each match, and how often each tree is tried in between.
const COMMANDS: usize = 12;
const TRIES: usize = 2;

/// Something a variable might hold: a card or player, a small number, nothing.
fn value(live: &Match, dice: &mut Dice) -> i64 {
    match dice.below(8) {
        0 => NULL,
        1 => dice.below(9) as i64 - 4,
        _ => dice.below(live.state().ents.len() + 1) as i64,
    }
}

fn somebody(live: &Match, dice: &mut Dice) -> Who {
    let card = EntityId::from(value(live, dice));
    let moves = live.state().ent(card).map(|it| it.moves.wrapping_add(u16::from(dice.below(3) == 0)));
    Who {
        this_moves: moves.filter(|_| dice.below(2) == 0),
        event: EventNo(dice.below(9) as u32),
        cause: EventNo(dice.below(9) as u32),
        subject: EntityId::from(value(live, dice)),
        subject_left: dice.below(2) == 0,
        ..Who::card(card, PlayerId(dice.below(2) as u8))
    }
}

fn machine(live: &Match, dice: &mut Dice) -> Machine {
    let mut machine = Machine::with_fuel(1_000_000);
    machine.locals = (0..6).map(|_| value(live, dice)).collect();
    machine.regs = std::array::from_fn(|_| value(live, dice));
    machine.push(value(live, dice));
    machine
}

/// Runs every tree of a program and the code it stands for, with the same variables; gives how many there are.
#[track_caller]
fn check(live: &Match, program: &Program, bare: &Program, dice: &mut Dice) -> usize {
    let places = (0..program.code.len()).map(CodePtr::at).filter(|it| program.trees.root(*it).is_some());
    let mut n = 0;
    for code in places {
        n += 1;
        for _ in 0..TRIES {
            let (who, machine) = (somebody(live, dice), machine(live, dice));
            let run = |program| {
                let cx = Cx::new(program, live.state(), live.derived(), who);
                eval(&cx, &mut machine.clone(), code)
            };
            assert_eq!(run(program), run(bare), "{}, code at {code:?}, {who:?}, {machine:?}", program.text.id);
        }
    }
    n
}

fn play(mut live: Match, seed: u64) -> usize {
    let ruleset: Arc<Ruleset> = live.ruleset().clone();
    let mut bare = ruleset.program().clone();
    bare.trees = Trees::default();
    let mut dice = Dice::new(seed);
    let mut n = 0;
    for _ in 0..COMMANDS {
        n += check(&live, ruleset.program(), &bare, &mut dice);
        let Some(command) = random_command(&live, &mut dice) else { break };
        live.submit(&command, &mut ()).expect("was offered; qed");
    }
    n
}

#[test]
fn trees_give_what_the_code_gives_in_every_game() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        for seed in 0..3 {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
            let (live, _) = Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
            assert!(play(live, seed) > 0, "{name} has no tree at all");
        }
    }
}

#[test]
fn trees_give_what_the_code_gives_at_every_table_of_the_rulings() {
    let mut n = 0;
    for (_, table) in scenario::tables_of_rulings() {
        n += play(table.live, 1);
    }
    assert!(n > 10_000, "only {n} trees were run");
}
