//! Random play from the table of every scenario of the rulings, with moderators who step in at random:
//! whatever happens, the state stays sound and the records lead to it.

use engine::{
    Command, Control, Match,
    audit::audit,
    log::{Recorder, borrowed, decode_records},
};
use testkit::{
    contract::{Dice, random_command},
    scenario,
};

/// How many commands are given at each table.
const COMMANDS: usize = 60;

/// What a host or moderator might do, legal or not.
fn interference(live: &Match, dice: &mut Dice) -> Command {
    let player = *dice.pick(&live.state().players().collect::<Vec<_>>());
    let state = live.state();
    let version = state.head.version.saturating_sub(u32::try_from(dice.below(4)).unwrap_or(0));
    let verbs = [
        Command::Control(Control::Pause),
        Command::Control(Control::Resume),
        Command::Control(Control::Timer),
        Command::Control(Control::Disconnect(player)),
        Command::Control(Control::Reconnect(player)),
        Command::Undo { player },
        Command::Takeback { to: version },
        Command::EndTurn { player },
        Command::Control(Control::Timeout(state.asks.first().map_or(engine::InputNo(0), |it| it.no))),
        Command::Control(Control::DropItem(state.stack.last().map_or(engine::EventNo(0), |it| it.event))),
        Command::Control(Control::DropItem(state.stack.first().map_or(engine::EventNo(0), |it| it.event))),
    ];
    let rare = [Command::Control(Control::Concede(player)), Command::Control(Control::Kick(player))];
    if dice.below(12) == 0 { dice.pick(&rare).clone() } else { dice.pick(&verbs).clone() }
}

/// The next command: mostly a legal one of a player, sometimes an interference.
fn next(live: &Match, dice: &mut Dice) -> Command {
    let own = if dice.below(5) == 0 { None } else { random_command(live, dice) };
    own.unwrap_or_else(|| interference(live, dice))
}

/// Gives a command to a match and to a copy that only sees the records; they must agree.
fn check_command(title: &str, live: &mut Match, folded: &mut Match, command: &Command) {
    let before = live.encode();
    let mut recorder = Recorder::default();
    if live.submit(command, &mut recorder).is_err() {
        assert_eq!(live.encode(), before, "{title}: a refused command changed the match: {command:?}");
        return;
    }
    folded.mark(command);
    for record in decode_records(recorder.bytes()).unwrap() {
        folded.fold(&borrowed(&record));
    }
    assert_eq!(folded.encode(), live.encode(), "{title}: records lead elsewhere after {command:?}");
    assert_eq!(audit(live.ruleset().program(), live.state()), Ok(()), "{title}: {command:?}");
    assert!(live.is_derived_sound(), "{title}: what is kept for speed is wrong after {command:?}");
    let invariant = engine::state::Pause::Invariant;
    assert_ne!(live.state().head.paused, Some(invariant), "{title}: the engine broke down after {command:?}");
}

#[test]
fn random_play_from_every_table_keeps_the_match_sound() {
    let seeds = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100 } else { 3 };
    let mut n_tables = 0;
    for (title, table) in scenario::tables_of_rulings() {
        n_tables += 1;
        for seed in 0..seeds {
            let mut live = Match::decode(table.live.ruleset().clone(), &table.live.encode()).expect("is sound; qed");
            let mut folded = live.clone();
            let mut dice = Dice::new(seed * 1000 + n_tables);
            for _ in 0..COMMANDS {
                let command = next(&live, &mut dice);
                check_command(&title, &mut live, &mut folded, &command);
            }
        }
    }
    assert!(n_tables > 100, "tables: {n_tables}");
}
