//! The games that are measured, how a match of them begins, and the dice that choose.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use compiler::library::{Both, Folders, Memory};
use engine::{Match, PlayerId, Setup, Waiting};
use ruleset::Ruleset;

/// The folders in which games are looked for: those of the bench, then the shelf.
fn folders() -> Folders {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots: [PathBuf; 2] = [own.join("games"), own.join("../../games")];
    Folders::new(roots)
}

/// Compiles a game; panics with all its mistakes.
#[track_caller]
pub fn load(name: &str) -> Arc<Ruleset> {
    match compiler::compile(name, &folders()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(mistakes) => panic!("{}", compiler::render(&mistakes)),
    }
}

/// Compiles a document that is written here; panics with all its mistakes.
#[track_caller]
pub fn parse(text: &str) -> Arc<Ruleset> {
    let memory = Memory::default().with("table", text);
    match compiler::compile("table", &Both(&memory, &folders())) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(mistakes) => panic!("{}", compiler::render(&mistakes)),
    }
}

/// A match for as many as can play, with ready-made decks: every seat has the next one, and with every seed they change
/// seats.
pub fn setup(ruleset: &Ruleset, seed: u64) -> Setup {
    let program = ruleset.program();
    let deck = |seat: u64| {
        let at = seed.wrapping_add(seat).checked_rem(program.decks.len() as u64).unwrap_or(0) as usize;
        let cards = program.decks.get(at).map_or(&[][..], |it| &it.cards);
        cards.iter().flat_map(|(def, n)| std::iter::repeat_n(*def, usize::from(*n))).collect()
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Setup { seed: key, decks: (0..u64::from(program.players.max)).map(deck).collect() }
}

/// A match of a seed at its first decision, for simulation: it keeps nothing to take back.
pub fn begin(ruleset: &Arc<Ruleset>, seed: u64) -> Match {
    let (live, _) =
        Match::start(ruleset.clone(), &setup(ruleset, seed), &mut ()).expect("ready-made decks are legal; qed");
    live.fork()
}

/// The first player a match waits for; none when it is over.
pub fn asked(live: &Match) -> Option<PlayerId> {
    match live.waiting() {
        Waiting::Priority(window) => Some(window.holder),
        Waiting::Inputs(inputs) => {
            let open = inputs.iter().filter_map(|it| live.state().ask(*it));
            let seats = open.fold(0, |acc, it| acc | (it.seats & !it.closed));
            live.state().players().find(|it| seats & it.bit() != 0)
        }
        Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => None,
    }
}

/// A small generator for choices; never used by a game.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of a seed.
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
}
