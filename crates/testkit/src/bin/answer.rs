//! Answers one decision in each of many matches, and ends: what must come out is what a process that never
//! ended would have written.
//!
//! Standard input: the name of a game, then pairs of match and command. Standard output: pairs of records and match.

use std::io::{Read, Write};

use engine::{Command, Match, log::Recorder};
use parity_scale_codec::{Decode, Encode};
use testkit::games;

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("standard input can be read; qed");
    let (game, work) =
        <(String, Vec<(Vec<u8>, Command)>)>::decode(&mut bytes.as_slice()).expect("the test wrote it; qed");
    let ruleset = games::load(&game);
    let answers: Vec<(Vec<u8>, Vec<u8>)> = work
        .into_iter()
        .map(|(bytes, command)| {
            let mut live = Match::decode(ruleset.clone(), &bytes).expect("the match is sound; qed");
            let mut recorder = Recorder::default();
            live.submit(&command, &mut recorder).expect("the command is legal; qed");
            (recorder.bytes, live.encode())
        })
        .collect();
    std::io::stdout().write_all(&answers.encode()).expect("standard output can be written; qed");
}
