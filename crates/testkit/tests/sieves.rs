//! Selectors and actions are looked at through sieves and in ways of their own where that is faster; it must give
//! what the general way gives, and selectors cost the same.

use std::sync::Arc;

use engine::{
    Match, PlayerId,
    act::Judge,
    eval::{Cx, Who, eval},
    fault::Fault,
    scratch::Machine,
};
use ruleset::{
    CodePtr, DraftId, Program, Ruleset,
    instr::Instr,
    program::Way,
    sieve::{Decides, Sieve},
};
use testkit::{
    contract::{Dice, random_command},
    games, scenario,
};

/// How many commands are given in each match.
const COMMANDS: usize = 20;

/// The same program without anything that makes it faster to look at.
fn general(program: &Program) -> Program {
    let mut general = program.clone();
    general.has_responses = true;
    for select in &mut general.selects {
        (select.sieve, select.way, select.lie) = (Sieve::default(), Way::General, None);
    }
    for action in &mut general.actions {
        (action.is_crossed, action.gate) = (false, Decides::Each);
        action.slots.iter_mut().for_each(|it| (it.decides, it.draft) = (Decides::Each, DraftId::NONE));
    }
    general
}

/// What a player could do, and whether a window stops for him.
fn actions(live: &Match, program: &Program, player: PlayerId) -> (Result<Vec<engine::legal::Offer>, Fault>, bool) {
    let mut machine = Machine::default();
    let mut judge = Judge::new(program, live.state(), live.derived(), player, &mut machine);
    (judge.offers(), judge.may_act() == Ok(true))
}

/// What the code of a selector finds for a player, and what it costs.
fn found(live: &Match, program: &Program, player: PlayerId, code: CodePtr) -> (Result<Vec<i64>, Fault>, u32) {
    let mut machine = Machine::with_fuel(1_000_000);
    machine.reset(1_000_000);
    machine.locals = (0..6).collect();
    let cx = Cx::new(program, live.state(), live.derived(), Who::player(player));
    let list = eval(&cx, &mut machine, code);
    (list.map(|it| machine.items(it).to_vec()), machine.spent())
}

/// The pieces of pure code that end with what a selector finds.
fn searches(program: &Program) -> impl Iterator<Item = CodePtr> + '_ {
    let pieces = program.code.split_inclusive(|it| matches!(it, Instr::Return | Instr::End));
    let mut at = 0;
    let starts = pieces.map(move |piece| {
        at += piece.len();
        (CodePtr::at(at - piece.len()), piece)
    });
    starts.filter(|(_, piece)| matches!(piece, [.., Instr::Select(_), Instr::Return])).map(|it| it.0)
}

#[track_caller]
fn check(live: &Match, fast: &Program, general: &Program) {
    for player in live.state().players() {
        let name = &fast.text.id;
        assert_eq!(actions(live, fast, player), actions(live, general, player), "{name}, {player:?}");
        for code in searches(fast) {
            let (fast, general) = (found(live, fast, player, code), found(live, general, player, code));
            assert_eq!(fast, general, "{name}, {player:?}, code at {code:?}");
        }
    }
}

/// Plays a while at random and looks at everything both ways; gives how many sieves the ruleset has.
fn play(mut live: Match, seed: u64) -> usize {
    let ruleset: Arc<Ruleset> = live.ruleset().clone();
    let (fast, general) = (ruleset.program(), general(ruleset.program()));
    let mut dice = Dice::new(seed);
    for _ in 0..COMMANDS {
        check(&live, fast, &general);
        let Some(command) = random_command(&live, &mut dice) else { break };
        live.submit(&command, &mut ()).expect("was offered; qed");
    }
    fast.selects.iter().filter(|it| it.sieve.is_some()).count()
}

#[test]
fn sieves_let_through_what_conditions_let_through_in_every_game() {
    let mut n = 0;
    for name in games::playable() {
        let ruleset = games::load(&name);
        for seed in 0..3 {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
            let (live, _) = Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
            n += play(live, seed);
        }
    }
    assert!(n > 100, "only {n} sieves were looked through");
}

#[test]
fn sieves_let_through_what_conditions_let_through_at_every_table_of_the_rulings() {
    let mut n = 0;
    for (_, table) in scenario::tables_of_rulings() {
        n += play(table.live, 1);
    }
    assert!(n > 100, "only {n} sieves were looked through");
}
