//! What every game must hold: random play ends, offers are accepted, refusals change nothing, replays are exact.

use std::sync::Arc;

use engine::{Command, Control, Log, Match, Moves, PlayerId, Waiting};
use parity_scale_codec::{Decode, Encode};
use ruleset::Ruleset;

use crate::games;

/// A small generator for choices of tests; never used by a game.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    /// One of some.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}

/// The players a match waits for.
pub fn asked(live: &Match) -> Vec<PlayerId> {
    match live.waiting() {
        Waiting::Priority(window) => vec![window.holder],
        Waiting::Inputs(inputs) => {
            let open = inputs.iter().filter_map(|it| live.state().ask(*it));
            let seats = open.fold(0, |acc, it| acc | (it.seats & !it.closed));
            live.state().players().filter(|it| seats & it.bit() != 0).collect()
        }
        Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => Vec::new(),
    }
}

/// A match of ready-made decks for as many as can play, at its first decision.
pub fn begin(ruleset: &Arc<Ruleset>, seed: u64) -> Match {
    let setup = games::setup(ruleset, seed, ruleset.program().players.max);
    Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed").0
}

/// Lists what the first who is asked can do, at most so much; false when nobody is.
pub fn list(live: &Match, limit: usize, moves: &mut Moves) -> bool {
    let Some(player) = asked(live).first().copied() else { return false };
    live.moves(player, limit, moves);
    !moves.is_empty()
}

/// A random legal command; none when the match is over or stands still.
pub fn random_command(live: &Match, dice: &mut Dice) -> Option<Command> {
    if let Waiting::Timer(_) = live.waiting() {
        return Some(Command::Control(Control::Timer));
    }
    let players = asked(live);
    if players.is_empty() {
        return None;
    }
    let player = *dice.pick(&players);
    let legal = live.legal(player, 64);
    assert!(!legal.is_empty(), "a player is asked who can do nothing: {player:?}");
    Some(dice.pick(&legal).clone())
}

/// Plays a random game to its end with a log.
pub fn random_game(ruleset: &Arc<Ruleset>, seed: u64, mut watch: impl FnMut(&Match, &Log)) -> (Match, Log) {
    let n = ruleset.program().players.max;
    let (mut live, mut log, _) =
        Log::start(ruleset, games::setup(ruleset, seed, n)).expect("ready-made decks are legal; qed");
    let mut dice = Dice::new(seed + 1);
    for _ in 0..20_000 {
        watch(&live, &log);
        let Some(command) = random_command(&live, &mut dice) else { break };
        log.submit(&mut live, &command)
            .unwrap_or_else(|it| panic!("an offered command was refused: {command:?}: {it}"));
    }
    (live, log)
}

/// Checks one random game against everything a game must hold.
pub fn check_game(ruleset: &Arc<Ruleset>, seed: u64) {
    let mut silent: Option<Match> = None;
    let (live, log) = random_game(ruleset, seed, |live, _| {
        refusals_change_nothing(live);
        encoding_is_exact(live);
        assert!(live.is_derived_sound(), "what is kept for speed does not fit the state");
        silent.get_or_insert_with(|| live.clone());
    });
    assert!(matches!(live.waiting(), Waiting::Over(_)), "random play does not end: {:?}", live.waiting());
    same_without_log(silent, &log, &live);
    let replayed = log.replay(ruleset).unwrap_or_else(|it| panic!("{it}"));
    assert!(replayed.encode() == live.encode(), "replaying the commands leads elsewhere");
    let read = Log::read(&parity_scale_codec::Encode::encode(&log)).unwrap_or_else(|it| panic!("{it}"));
    assert!(read == log, "the log is read as another one");
    let folded = log.fold(ruleset, log.len()).unwrap_or_else(|it| panic!("{it}"));
    assert!(folded.encode() == live.encode(), "folding the log leads elsewhere");
}

/// Commands that cannot be legal leave every byte as it was.
fn refusals_change_nothing(live: &Match) {
    let before = live.encode();
    let mut copy = live.clone();
    let nobody = PlayerId(15);
    let bad = [
        Command::Pass { player: nobody },
        Command::Act { player: PlayerId(0), action: ruleset::ActionId(9999), targets: vec![] },
        Command::Act { player: PlayerId(0), action: ruleset::ActionId(0), targets: vec![vec![-7], vec![99_999]] },
        Command::Answer { player: PlayerId(0), input: engine::InputNo(u32::MAX - 1), values: vec![1], confirm: true },
        Command::Control(Control::Timeout(engine::InputNo(u32::MAX - 1))),
        Command::Control(Control::Resume),
    ];
    for command in bad {
        assert!(copy.submit(&command, &mut ()).is_err(), "should be refused: {command:?}");
        assert!(copy.encode() == before, "a refused command changed the match: {command:?}");
    }
}

fn encoding_is_exact(live: &Match) {
    let bytes = live.encode();
    let back = Match::decode(live.ruleset().clone(), &bytes).expect("what was encoded can be decoded; qed");
    assert!(back.encode() == bytes, "what was encoded and decoded is encoded in another way");
}

/// The same commands lead to the same state when nobody keeps a log.
fn same_without_log(start: Option<Match>, log: &Log, end: &Match) {
    let Some(mut live) = start else { return };
    for command in log.commands() {
        live.submit(&command, &mut ()).expect("was legal with a log; qed");
    }
    assert!(live.encode() == end.encode(), "keeping a log changes the match");
}
