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

/// A game of more commands than this does not end, unless a trial says otherwise.
pub const COMMANDS_MAX: usize = 20_000;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many games for every number of seats: as many undisturbed, and as many with disturbances.
    pub n_games: u64,
    /// A game of more commands than this does not end.
    pub commands_max: usize,
}

impl Effort {
    /// So many games of each kind.
    pub fn games(n_games: u64) -> Self {
        Self { n_games, commands_max: COMMANDS_MAX }
    }

    /// How many games that is for a ruleset.
    pub fn total(self, ruleset: &Ruleset) -> u64 {
        self.n_games * seats(ruleset).count() as u64 * Manner::ALL.len() as u64
    }
}

/// How the players of a game behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Everybody answers at random.
    Steady,
    /// Players also give up, are silent until their clock runs out, and lose and find their connection.
    Disturbed,
}

impl Manner {
    const ALL: [Manner; 2] = [Self::Steady, Self::Disturbed];
}

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
    /// How many play.
    pub seats: u8,
    pub commands: Vec<Command>,
}

impl Replay {
    /// The match as it stands after the commands.
    pub fn run(&self, ruleset: &Arc<Ruleset>) -> Option<Match> {
        let (mut live, _) = Match::start(ruleset.clone(), &ready_made(ruleset, self.seed, self.seats), &mut ()).ok()?;
        for command in &self.commands {
            live.submit(command, &mut ()).ok()?;
        }
        Some(live)
    }

    /// The match as it is stored, to be gone through or explained.
    pub fn log_bytes(&self, ruleset: &Arc<Ruleset>) -> Option<Vec<u8>> {
        let (mut live, mut log, _) = Log::start(ruleset, ready_made(ruleset, self.seed, self.seats)).ok()?;
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
    pub fn from_hex(seed: u64, seats: u8, hex: &str) -> Option<Self> {
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        Some(Self { seed, seats, commands: Decode::decode(&mut bytes?.as_slice()).ok()? })
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

/// Plays random games with every number of seats, telling after each how many are done.
pub fn trial(ruleset: &Arc<Ruleset>, effort: Effort, done: impl FnMut(u64)) -> Vec<Finding> {
    counted_trial(ruleset, effort, done).0
}

/// The same, with the number of decisions that were looked at.
pub fn counted_trial(ruleset: &Arc<Ruleset>, effort: Effort, mut done: impl FnMut(u64)) -> (Vec<Finding>, u64) {
    let mut seen = Seen::default();
    let mut found: Vec<Finding> = Vec::new();
    let kinds: Vec<(u8, Manner)> = seats(ruleset).flat_map(|it| Manner::ALL.map(|manner| (it, manner))).collect();
    let games = (0..effort.n_games).flat_map(|seed| kinds.iter().map(move |it| (seed, *it)));
    for (n, (seed, (seats, manner))) in (1..).zip(games) {
        let game = Game { ruleset, seed, seats, manner, commands_max: effort.commands_max };
        if let Some(finding) = game.play(&mut seen) {
            // One example of each is enough to mend it.
            if !found.iter().any(|it| (it.code, &it.message) == (finding.code, &finding.message)) {
                found.push(finding);
            }
        }
        done(n);
    }
    if effort.n_games > 0 {
        found.extend(unused(ruleset, effort.total(ruleset), &seen));
    }
    (found, seen.n_decisions)
}

/// Every number of players the game allows.
fn seats(ruleset: &Ruleset) -> std::ops::RangeInclusive<u8> {
    let players = ruleset.program().players;
    players.min..=players.max
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

/// One game to be played.
struct Game<'r> {
    ruleset: &'r Arc<Ruleset>,
    seed: u64,
    seats: u8,
    manner: Manner,
    commands_max: usize,
}

impl Game<'_> {
    fn finding(&self, code: &'static str, message: impl Into<String>, commands: &[Command]) -> Option<Finding> {
        let replay = Replay { seed: self.seed, seats: self.seats, commands: commands.to_vec() };
        Some(Finding { code, message: message.into(), replay: Some(replay) })
    }

    fn play(&self, seen: &mut Seen) -> Option<Finding> {
        let mut commands = Vec::new();
        let mut dice = Dice(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut live = match Match::start(self.ruleset.clone(), &ready_made(self.ruleset, self.seed, self.seats), seen)
        {
            Ok((live, _)) => live.fork(),
            Err(why) => return self.finding("play/no_start", format!("a match does not begin: {why}"), &[]),
        };
        for _ in 0..self.commands_max {
            match live.waiting() {
                Waiting::Over(_) => return None,
                Waiting::Paused(pause) => return self.stands_still(&pause, &commands),
                Waiting::Inputs(_) | Waiting::Priority(_) | Waiting::Timer(_) => {}
            }
            let disturbance = if self.manner == Manner::Disturbed { disturb(&live, &mut dice) } else { None };
            let Some(command) = disturbance.or_else(|| choose(&live, &mut dice, seen)) else {
                return self.finding("play/broken", "somebody is asked who can do nothing", &commands);
            };
            commands.push(command.clone());
            seen.note_choice(&live, &command);
            if let Err(why) = live.submit(&command, seen) {
                return self.finding("play/broken", format!("what is offered is refused: {}", why.code()), &commands);
            }
        }
        self.finding("play/endless", format!("a game does not end in {} commands", self.commands_max), &commands)
    }

    fn stands_still(&self, pause: &Pause, commands: &[Command]) -> Option<Finding> {
        match pause {
            Pause::Limit(Limit::StepsWithoutDecision) => {
                self.finding("play/freeze", "nobody can do anything any more, and the game is not over", commands)
            }
            Pause::Limit(limit) => {
                self.finding("play/limit_hit", format!("the limit {} stops a game", limit.as_str()), commands)
            }
            other => self.finding("play/broken", format!("a game stands still: {other:?}"), commands),
        }
    }
}

/// Where the choices of a trial come from; a match has its own random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

/// Now and then something that is no answer: a clock runs out, a connection goes or comes back, a player gives up.
fn disturb(live: &Match, dice: &mut Dice) -> Option<Command> {
    let state = live.state();
    let players: Vec<PlayerId> = state.players().filter(|it| state.is_alive(*it)).collect();
    let player = *players.get(dice.below(players.len()))?;
    let is_connected = state.head.connected & player.bit() != 0;
    let control = match dice.below(100) {
        0..=1 => Control::Concede(player),
        2..=9 if is_connected => Control::Disconnect(player),
        2..=40 if !is_connected => Control::Reconnect(player),
        41..=55 => Control::Timeout(open_clock(live)?),
        _ => return None,
    };
    Some(Command::Control(control))
}

/// A question with a clock that runs.
fn open_clock(live: &Match) -> Option<engine::InputNo> {
    let has_clock = |it: &&engine::state::Ask| it.deadline_ms > 0;
    live.state().asks.iter().find(has_clock).map(|it| it.no)
}

/// A random command, and all actions that would have been legal.
fn choose(live: &Match, dice: &mut Dice, seen: &mut Seen) -> Option<Command> {
    if let Waiting::Timer(_) = live.waiting() {
        return Some(Command::Control(Control::Timer));
    }
    let player = live.state().players().find(|it| is_asked(live, *it))?;
    let legal = live.legal(player, 256);
    seen.n_decisions += 1;
    seen.actions
        .extend(legal.iter().filter_map(|it| if let Command::Act { action, .. } = it { Some(*action) } else { None }));
    let at = dice.below(legal.len());
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
