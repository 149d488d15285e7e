//! Makes one decision in each of many matches, and ends: what must come out is what a process that never ended
//! would have written.
//!
//! Standard input: the name of a game, then pairs of match and dice. Standard output: a [`Step`] for each, none for
//! a match that is over.

use std::io::{Read, Write};

use engine::{Match, log::Recorder};
use parity_scale_codec::{Decode, Encode};
use testkit::{
    contract::{Dice, random_command},
    games,
    relay::Step,
};

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("standard input can be read; qed");
    let (game, work) = <(String, Vec<(Vec<u8>, Dice)>)>::decode(&mut bytes.as_slice()).expect("the test wrote it; qed");
    let ruleset = games::load(&game);
    let steps: Vec<Option<Step>> = work
        .into_iter()
        .map(|(bytes, mut dice)| {
            let mut live = Match::decode(ruleset.clone(), &bytes).expect("the match is sound; qed");
            let command = random_command(&live, &mut dice)?;
            let mut recorder = Recorder::default();
            live.submit(&command, &mut recorder).expect("the command is legal; qed");
            Some(Step { command, records: recorder.into_bytes(), bytes: live.encode(), dice })
        })
        .collect();
    std::io::stdout().write_all(&steps.encode()).expect("standard output can be written; qed");
}
