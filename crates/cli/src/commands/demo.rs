//! `snapstack demo`: two players who know nothing but the rules play a match, told line by line.

use std::{path::PathBuf, sync::Arc, thread, time::Duration};

use anyhow::{Result, bail};
use compiler::library::Folders;
use engine::{Command, Control, Match, PlayerId, Setup, Waiting, view::Viewer};
use host::{Narrator, board};
use ruleset::Ruleset;

/// Shows a match between two players who choose at random among what is legal.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game.
    #[arg(long, default_value = "skirmish")]
    pub game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
    /// Where the shuffles and choices come from; the same number shows the same match.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Milliseconds to wait after each decision.
    #[arg(long, default_value_t = 0)]
    pub pace: u64,
    /// After how many decisions a match that is not over is stopped.
    #[arg(long, default_value_t = 10_000)]
    pub commands_max: usize,
}

pub fn run(args: &Args) -> Result<()> {
    let ruleset = match compiler::compile(&args.game, &Folders::new([args.games.clone()])) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(mistakes) => {
            say_part!("{}", compiler::render(&mistakes));
            bail!("{} cannot be played; put its mistakes right first", args.game)
        }
    };
    let n_players = ruleset.program().players.min;
    let mut narrator = Narrator::new(ruleset.clone(), n_players);
    let setup = ready_made(&ruleset, args.seed, n_players);
    let (mut live, _) =
        Match::start(ruleset, &setup, &mut narrator).map_err(|it| anyhow::anyhow!("{it} ({})", it.code()))?;
    say!("{} with seed {}: every line is an event of the log\n", args.game, args.seed);
    let mut choices = Choices(args.seed | 1);
    let mut turn = 0;
    let mut n_commands = 0;
    while let Some(command) = decide(&live, &mut choices) {
        tell(&mut narrator);
        if n_commands == args.commands_max {
            bail!("the match is not over after {n_commands} decisions; `--commands-max` sets another limit");
        }
        n_commands += 1;
        if live.state().head.turn != turn {
            turn = live.state().head.turn;
            say!("\n--- turn {turn} ---\n{}", board(&live, Viewer::Judge));
        }
        live.submit(&command, &mut narrator).map_err(|it| anyhow::anyhow!("an offered command was refused: {it}"))?;
        thread::sleep(Duration::from_millis(args.pace));
    }
    tell(&mut narrator);
    say!("\n{}", board(&live, Viewer::Judge));
    finish(&live)
}

fn tell(narrator: &mut Narrator) {
    for line in narrator.lines.drain(..) {
        say!("{line}");
    }
}

fn finish(live: &Match) -> Result<()> {
    let Waiting::Over(outcome) = live.waiting() else { bail!("the match stands still: {:?}", live.waiting()) };
    let winners: Vec<String> = live
        .state()
        .players()
        .filter(|it| outcome.winners & it.bit() != 0)
        .map(|it| format!("p{}", it.0 + 1))
        .collect();
    let winners = if winners.is_empty() { "nobody".to_owned() } else { winners.join(" and ") };
    say!(
        "{winners} won after {} turns and {} decisions; state {}",
        live.state().head.turn,
        live.state().head.version,
        ruleset::hash::to_hex(&live.hash())
    );
    Ok(())
}

/// The first ready-made deck for every seat.
fn ready_made(ruleset: &Ruleset, seed: u64, n_players: u8) -> Setup {
    let deck = ruleset.program().decks.first().map_or(&[][..], |it| &it.cards);
    let cards: Vec<_> = deck.iter().flat_map(|(def, n)| std::iter::repeat_n(*def, usize::from(*n))).collect();
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Setup { seed: key, decks: vec![cards; usize::from(n_players)] }
}

/// Somebody's decision; none when the match is over or stands still.
fn decide(live: &Match, choices: &mut Choices) -> Option<Command> {
    let player = match live.waiting() {
        Waiting::Timer(_) => return Some(Command::Control(Control::Timer)),
        Waiting::Priority(window) => window.holder,
        Waiting::Inputs(inputs) => {
            let ask = live.state().ask(*inputs.first()?)?;
            live.state().players().find(|it| ask.seats & !ask.closed & it.bit() != 0)?
        }
        Waiting::Paused(_) | Waiting::Over(_) => return None,
    };
    choose(live, player, choices)
}

/// Anything legal, but passing only now and then: a match in which nobody acts is dull to watch.
fn choose(live: &Match, player: PlayerId, choices: &mut Choices) -> Option<Command> {
    let legal = live.legal(player, 256);
    let acts = legal.iter().filter(|it| !matches!(it, Command::Pass { .. })).count();
    let pool = if acts > 0 && choices.below(4) > 0 { acts } else { legal.len() };
    legal.into_iter().nth(choices.below(pool))
}

/// Where the choices of the demonstration come from; a match has its own random numbers.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }
}
