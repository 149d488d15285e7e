//! `snapstack play`: any game in the terminal, against players who choose at random, or watched as it plays itself.

use std::{io::Write, path::PathBuf};

use anyhow::{Context, Result, bail};
use client::pick::{Console, read_response};
use host::{Answer, Control, Game, HostedMatch, Seat, Start, Viewer, Waiting, sketch, telling, view::Catalogue};

use crate::{games, lines::typed_line};

/// After how many commands a match is stopped unless asked otherwise: far longer than any game worth watching.
const COMMANDS_MAX: usize = 10_000;

/// Plays a game: a ruleset of the folder of games, or a scripted game.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game.
    pub game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
    /// Where the shuffles and the bots' choices come from; the same number gives the same match.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many play; the fewest the game allows without it.
    #[arg(long)]
    pub players: Option<u8>,
    /// The seats that are played from this terminal, as in p1,p3; the others choose at random.
    #[arg(long, value_delimiter = ',', default_value = "p1")]
    pub seats: Vec<String>,
    /// Nobody is asked: all choose at random, and what happens is told.
    #[arg(long)]
    pub auto: bool,
    /// After how many answers and timers a match that is not over is stopped.
    #[arg(long, default_value_t = COMMANDS_MAX)]
    pub commands_max: usize,
    /// Where to store the match once it is over or stopped, for `step`.
    #[arg(long)]
    pub save: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<()> {
    let game = games::find(&args.game, &args.games)?;
    let n_seats = args.players.unwrap_or(*game.seats().start());
    let live = start(&game, args.seed, n_seats)?;
    let own = if args.auto { Vec::new() } else { read_seats(&args.seats, n_seats)? };
    let catalogue = game.catalogue();
    let mut session = Session { live, catalogue, own, told: 0, dice: Dice(args.seed | 1) };
    let ended = session.play(args.commands_max)?;
    if let Some(path) = &args.save {
        std::fs::write(path, session.live.log_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if ended == Ended::Stopped {
        bail!("the match is not over after {} commands; `--commands-max` sets another limit", args.commands_max);
    }
    Ok(())
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The match is over.
    Over,
    /// The match took more commands than it may.
    Stopped,
}

fn start(game: &Game, seed: u64, n_seats: u8) -> Result<Box<dyn HostedMatch>> {
    game.start(&Start::seeded(seed, n_seats)).map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))
}

fn read_seats(names: &[String], n_seats: u8) -> Result<Vec<Seat>> {
    let read = |it: &String| Seat::from_name(it).filter(|it| it.0 < n_seats).with_context(|| format!("no seat: {it}"));
    names.iter().map(read).collect()
}

/// A match and who plays it.
struct Session {
    live: Box<dyn HostedMatch>,
    catalogue: Catalogue,
    own: Vec<Seat>,
    told: u32,
    dice: Dice,
}

impl Session {
    fn play(&mut self, commands_max: usize) -> Result<Ended> {
        for _ in 0..commands_max {
            self.tell();
            match self.live.waiting() {
                Waiting::Answers(seats) => self.decide(&seats)?,
                Waiting::Timer { .. } => drop(self.live.control(Control::Timer)?),
                Waiting::Paused(why) => bail!("the match stands still: {why}"),
                Waiting::Over(outcome) => {
                    let winners =
                        if outcome.winners.is_empty() { "nobody".into() } else { outcome.winners.join(" and ") };
                    say!("{winners} won ({}) at version {}", outcome.reason, self.live.version());
                    return Ok(Ended::Over);
                }
            }
        }
        Ok(Ended::Stopped)
    }

    /// Whose eyes the terminal looks through: those of its only player, or a judge's if nobody plays here.
    fn viewer(&self) -> Viewer {
        match self.own[..] {
            [] => Viewer::Judge,
            [only] => Viewer::Seat(only),
            _ => Viewer::Spectator,
        }
    }

    fn tell(&mut self) {
        for event in self.live.events(self.viewer(), self.told) {
            telling::tell(&event).iter().for_each(|it| say!("{it}"));
            self.told = event.sequence;
        }
    }

    /// Bots first, so that a person is asked last and knows that nobody else is waited for.
    fn decide(&mut self, seats: &[Seat]) -> Result<()> {
        let bot = seats.iter().find(|it| !self.own.contains(it));
        let answer = match (bot, seats.iter().find(|it| self.own.contains(it))) {
            (Some(seat), _) => self.live.make_answer(*seat, &mut |bound| self.dice.below(bound)),
            (None, Some(seat)) => Some(ask(&*self.live, &self.catalogue, *seat)?),
            (None, None) => None,
        };
        let answer = answer.context("the match waits for somebody who cannot answer")?;
        match self.live.submit(&answer) {
            Ok(_) => Ok(()),
            Err(why) if self.own.contains(&answer.seat) => {
                say!("  {why}");
                Ok(())
            }
            Err(why) => bail!("a legal answer was refused: {why} ({})", why.code()),
        }
    }
}

/// Shows a player his table and his choices, and reads what he picks.
fn ask(live: &dyn HostedMatch, catalogue: &Catalogue, seat: Seat) -> Result<Answer> {
    let open = live.open(seat).into_iter().next().context("nothing to answer")?;
    say!("\n{}", sketch(&live.view(Viewer::Seat(seat)), catalogue));
    let step = live.prompts(seat).into_iter().next().map(|it| it.input.prompt.text).unwrap_or_default();
    let title = if open.kind == "priority" { format!("{step}, your move") } else { open.text.clone() };
    let response = read_response(&mut Terminal, &open.selector, &format!("{seat}: {title}"))?;
    Ok(Answer { seat, input: open.input_id, version: live.version(), response, confirm: true })
}

/// The terminal.
struct Terminal;

impl Console for Terminal {
    type Error = anyhow::Error;

    fn show(&mut self, line: &str) {
        say!("{line}");
    }

    fn ask(&mut self, prompt: &str) -> Result<String> {
        say_part!("{prompt}");
        std::io::stdout().flush()?;
        typed_line()?.context("the input ended before the match")
    }
}

/// Where the choices of bots come from; a match has its own random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }
}
