//! What must hold for any bytes: a ruleset is refused or plays, a command is refused or accepted, and nothing panics.

use std::{fs, path::PathBuf, sync::Arc};

use engine::{Command, Match, audit::audit};
use parity_scale_codec::Decode;
use ruleset::Ruleset;

use crate::{
    contract::{Dice, random_command},
    games, hostile,
};

/// The committed inputs of a target, by the name of its folder.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    paths.sort();
    paths.iter().filter_map(|it| fs::read(it).ok()).collect()
}

/// Compiles any bytes, and plays what compiles.
pub fn compile_any(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = hostile::outcome(&text);
}

/// Plays a game with commands read from any bytes: some legal, some made up.
pub fn submit_any(ruleset: &Arc<Ruleset>, bytes: &[u8]) {
    let seed = bytes.iter().take(4).fold(0, |acc, it| acc << 8 | u64::from(*it));
    let setup = games::setup(ruleset, seed, ruleset.program().players.max);
    let (mut live, _) = Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
    let mut dice = Dice::new(seed);
    let mut rest = bytes.get(4..).unwrap_or_default();
    while let Some((choice, after)) = rest.split_first() {
        rest = after;
        let made_up = if choice % 4 == 0 { Command::decode(&mut rest).ok() } else { None };
        let Some(command) = made_up.or_else(|| random_command(&live, &mut dice)) else { return };
        submit(&mut live, &command);
    }
}

/// A refused command changes nothing, an accepted one leaves a sound state.
fn submit(live: &mut Match, command: &Command) {
    let before = live.encode();
    if live.submit(command, &mut ()).is_err() {
        assert!(live.encode() == before, "a refused command changed the match: {command:?}");
    }
    assert_eq!(audit(live.ruleset().program(), live.state()), Ok(()), "{command:?}");
}

/// Another input made from those there are: bytes flipped, parts cut, doubled, swapped or taken from another.
pub fn mutate(inputs: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = dice.pick(inputs).clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        let len = dice.below(40).min(bytes.len() - at);
        match dice.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 => drop(bytes.drain(at..at + len)),
            2 => {
                let part = bytes[at..at + len].to_vec();
                bytes.splice(at..at, part);
            }
            3 => {
                let other = dice.pick(inputs);
                let from = dice.below(other.len() + 1);
                let part = other[from..(from + len).min(other.len())].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let words = ["\"", "{", "}", "[", "]", ",", "-1", "99999999999", "null", "true", "\"op\":", "\"self\""];
                bytes.splice(at..at, dice.pick(&words).bytes());
            }
            _ => swap_words(&mut bytes, dice),
        }
    }
    bytes
}

/// Exchanges two quoted words, so that the text stays JSON and means something else.
fn swap_words(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let words: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    if words.len() > 1 {
        let (a, b) = (*dice.pick(&words), *dice.pick(&words));
        *bytes = text.replacen(&format!("\"{a}\""), &format!("\"{b}\""), 1).into_bytes();
    }
}
