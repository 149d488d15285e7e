//! Finds by play what cannot be proven: games that freeze, never end or hit a limit, cards and actions nobody uses.
//! Every finding that happened in one game comes with the seed and the commands that show it again.

use std::{collections::BTreeSet, sync::Arc};

use engine::{
    Command, Control, EntityId, Log, Match, PlayerId, Record, Setup, Sink, Waiting,
    fault::Limit,
    state::{MatchState, Pause},
};
use parity_scale_codec::{Decode, Encode};
use ruleset::{ActionId, DefId, Ruleset, sort::Sort};

/// A game of more commands than this does not end.
const COMMANDS_MAX: usize = 20_000;

/// Something found by play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable, such as `play/endless`.
    pub code: &'static str,
    pub message: String,
    /// The game that shows it.
    pub replay: Option<Replay>,
}

/// A game up to where it went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    pub seed: u64,
    pub commands: Vec<Command>,
}

impl Replay {
    /// The match as it stands after the commands.
    pub fn run(&self, ruleset: &Arc<Ruleset>) -> Option<Match> {
        let (mut live, _) = Match::start(ruleset.clone(), &setup(ruleset, self.seed), &mut ()).ok()?;
        for command in &self.commands {
            live.submit(command, &mut ()).ok()?;
        }
        Some(live)
    }

    /// The match as it is stored, to be gone through or explained.
    pub fn log_bytes(&self, ruleset: &Arc<Ruleset>) -> Option<Vec<u8>> {
        let (mut live, mut log, _) = Log::start(ruleset, setup(ruleset, self.seed)).ok()?;
        for command in &self.commands {
            // The last command may be the one that was refused.
            if log.submit(&mut live, command).is_err() {
                break;
            }
        }
        Some(log.encode())
    }

    /// The commands in bytes, to be kept in a report.
    pub fn to_hex(&self) -> String {
        self.commands.encode().iter().map(|it| format!("{it:02x}")).collect()
    }

    /// Reads what [`Replay::to_hex`] wrote.
    pub fn from_hex(seed: u64, hex: &str) -> Option<Self> {
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        Some(Self { seed, commands: Decode::decode(&mut bytes?.as_slice()).ok()? })
    }
}

/// What turned up in all games together.
#[derive(Default)]
struct Seen {
    actions: BTreeSet<ActionId>,
    cards: BTreeSet<DefId>,
    n_decisions: u64,
}

impl Sink for Seen {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        let card = match record {
            Record::Pushed(frame, _) if frame.action.is_some() => frame.source,
            Record::Created { event, card, .. } if event.is_some() => *card,
            _ => return,
        };
        self.cards.extend(state.ent(card).map(|it| it.def));
    }
}

impl Seen {
    /// Where nobody can act, to be chosen is to be played.
    fn note_choice(&mut self, live: &Match, command: &Command) {
        let Command::Answer { input, values, .. } = command else { return };
        let program = live.ruleset().program();
        let rule = live.state().ask(*input).and_then(|it| program.ask(it.ask));
        if program.actions.is_empty() && rule.is_some_and(|it| it.choice_type.sort == Sort::Card) {
            let chosen = values.iter().filter_map(|it| live.state().ent(EntityId::from(*it)));
            self.cards.extend(chosen.map(|it| it.def));
        }
    }
}

/// Plays so many random games, telling after each how many are done.
pub fn trial(ruleset: &Arc<Ruleset>, n_games: u64, done: impl FnMut(u64)) -> Vec<Finding> {
    counted_trial(ruleset, n_games, done).0
}

/// The same, with the number of decisions that were looked at.
pub fn counted_trial(ruleset: &Arc<Ruleset>, n_games: u64, mut done: impl FnMut(u64)) -> (Vec<Finding>, u64) {
    let mut seen = Seen::default();
    let mut found: Vec<Finding> = Vec::new();
    for seed in 0..n_games {
        if let Some(finding) = play(ruleset, seed, &mut seen) {
            // One example of each is enough to mend it.
            if !found.iter().any(|it| (it.code, &it.message) == (finding.code, &finding.message)) {
                found.push(finding);
            }
        }
        done(seed + 1);
    }
    if n_games > 0 {
        found.extend(unused(ruleset, n_games, &seen));
    }
    (found, seen.n_decisions)
}

/// A match with ready-made decks: every seat has the next one, and with every seed they change seats.
pub fn ready_made(ruleset: &Ruleset, seed: u64, n_players: u8) -> Setup {
    let decks = &ruleset.program().decks;
    let deck = |seat: u64| {
        let at = seed.wrapping_add(seat).checked_rem(decks.len() as u64).unwrap_or(0) as usize;
        let cards = decks.get(at).map_or(&[][..], |it| &it.cards);
        cards.iter().flat_map(|(def, n)| std::iter::repeat_n(*def, usize::from(*n))).collect()
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Setup { seed: key, decks: (0..u64::from(n_players)).map(deck).collect() }
}

/// As few players as the game allows, but somebody to play against.
fn setup(ruleset: &Ruleset, seed: u64) -> Setup {
    let players = ruleset.program().players;
    ready_made(ruleset, seed, players.min.max(2).min(players.max))
}

fn play(ruleset: &Arc<Ruleset>, seed: u64, seen: &mut Seen) -> Option<Finding> {
    let mut commands = Vec::new();
    let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let finding = |code, message: String, commands: &[Command]| {
        Some(Finding { code, message, replay: Some(Replay { seed, commands: commands.to_vec() }) })
    };
    let mut live = match Match::start(ruleset.clone(), &setup(ruleset, seed), seen) {
        Ok((live, _)) => live.fork(),
        Err(why) => return finding("play/no_start", format!("a match does not begin: {why}"), &[]),
    };
    for _ in 0..COMMANDS_MAX {
        match live.waiting() {
            Waiting::Over(_) => return None,
            Waiting::Paused(Pause::Limit(Limit::StepsWithoutDecision)) => {
                return finding(
                    "play/freeze",
                    "nobody can do anything any more, and the game is not over".to_owned(),
                    &commands,
                );
            }
            Waiting::Paused(Pause::Limit(limit)) => {
                return finding("play/limit_hit", format!("the limit {} stops a game", limit.as_str()), &commands);
            }
            Waiting::Paused(pause) => {
                return finding("play/broken", format!("a game stands still: {pause:?}"), &commands);
            }
            Waiting::Inputs(_) | Waiting::Priority(_) | Waiting::Timer(_) => {}
        }
        let Some(command) = choose(&live, &mut dice, seen) else {
            return finding("play/broken", "somebody is asked who can do nothing".to_owned(), &commands);
        };
        commands.push(command.clone());
        seen.note_choice(&live, &command);
        if let Err(why) = live.submit(&command, seen) {
            return finding("play/broken", format!("what is offered is refused: {}", why.code()), &commands);
        }
    }
    finding("play/endless", format!("a game does not end in {COMMANDS_MAX} commands"), &commands)
}

/// A random command, and all actions that would have been legal.
fn choose(live: &Match, dice: &mut u64, seen: &mut Seen) -> Option<Command> {
    if let Waiting::Timer(_) = live.waiting() {
        return Some(Command::Control(Control::Timer));
    }
    let player = live.state().players().find(|it| is_asked(live, *it))?;
    let legal = live.legal(player, 256);
    seen.n_decisions += 1;
    seen.actions
        .extend(legal.iter().filter_map(|it| if let Command::Act { action, .. } = it { Some(*action) } else { None }));
    *dice ^= *dice << 13;
    *dice ^= *dice >> 7;
    *dice ^= *dice << 17;
    let at = usize::try_from(*dice % legal.len().max(1) as u64).unwrap_or(0);
    legal.into_iter().nth(at)
}

fn is_asked(live: &Match, player: PlayerId) -> bool {
    match live.waiting() {
        Waiting::Priority(window) => window.holder == player,
        Waiting::Inputs(_) => live.state().asks.iter().any(|it| it.seats & !it.closed & player.bit() != 0),
        Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => false,
    }
}

/// Actions that were never legal, and cards of ready-made decks that nobody ever played.
fn unused(ruleset: &Ruleset, n_games: u64, seen: &Seen) -> Vec<Finding> {
    let program = ruleset.program();
    let plain = |code, message: String| Finding { code, message, replay: None };
    let actions = program.text.actions.iter().enumerate().filter(|it| !seen.actions.contains(&ActionId::at(it.0)));
    let actions = actions.map(|it| {
        plain("play/action_never_legal", format!("the action {} was never legal in {n_games} games", it.1.label.id))
    });
    let decks: BTreeSet<DefId> = program.decks.iter().flat_map(|it| it.cards.iter().map(|card| card.0)).collect();
    let cards = decks.into_iter().filter(|it| !seen.cards.contains(it));
    let cards = cards
        .filter_map(|it| program.text.defs.get(it.index()))
        .map(|it| plain("play/card_never_played", format!("the card {} was never played in {n_games} games", it.id)));
    actions.chain(cards).collect()
}
