//! Twin worlds: a piece of a match is recorded, the cards that stay hidden from a viewer in it are exchanged, the same
//! commands are played again, and every byte the viewer receives must be the same. What differs is a secret told.

use std::{collections::BTreeMap, sync::Arc};

use engine::{Command, EntityId, Match, PlayerId, resample::Renaming, state::MatchState};
use host::{HandMove, HostedMatch as _, Play, Question, RuledMatch, Seat, Viewer, view::Ref};
use protocol::Leaves;
use ruleset::{Ruleset, ZoneId, sort::Sort};

use crate::{
    contract::{Dice, random_command},
    games,
};

/// How many commands are played before a piece is recorded, at most.
const BEFORE_MAX: usize = 60;

/// How many commands a recorded piece has, at most.
const PIECE_MAX: usize = 24;

/// How many commands a player is offered, at most; what the viewer does is named by its place among them.
const OFFERS_MAX: usize = 64;

/// What was found in some pairs of worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs that were compared to their end.
    pub n_same: u64,
    /// Pairs in which a command of another player was not legal in the other world.
    pub n_discarded: u64,
    /// Pairs in which no card could be exchanged; they prove nothing and count as neither.
    pub n_idle: u64,
    /// How many cards were something else in the other world, all pairs together.
    pub n_changed: u64,
    /// How many commands were compared.
    pub n_steps: u64,
    /// Pairs whose dice to come were others, too.
    pub n_rekeyed: u64,
}

impl Tally {
    /// Adds what was found elsewhere.
    pub fn add(&mut self, other: Tally) {
        self.n_same += other.n_same;
        self.n_discarded += other.n_discarded;
        self.n_idle += other.n_idle;
        self.n_changed += other.n_changed;
        self.n_steps += other.n_steps;
        self.n_rekeyed += other.n_rekeyed;
    }

    /// How many of a hundred pairs were discarded.
    pub fn discard_percent(&self) -> f64 {
        100.0 * self.n_discarded as f64 / (self.n_same + self.n_discarded).max(1) as f64
    }
}

/// A difference between what a viewer is told in two worlds that he should not be able to tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The first channel that differs.
    pub channel: String,
    pub here: String,
    pub there: String,
}

/// A command as it was given.
#[derive(Clone, Debug)]
enum Given {
    /// By the viewer, who names it by its place among what he is offered.
    Own(usize),
    /// By somebody else, the host, or the viewer where nothing is chosen.
    Other(Command),
}

/// A piece of a match as it was recorded.
struct Piece {
    start: RuledMatch,
    given: Vec<Given>,
    /// What the viewer was told at the start and after each command.
    told: Vec<Vec<String>>,
    /// The cards he came to see.
    met: Vec<EntityId>,
    /// Whether no random number was taken.
    is_still: bool,
}

/// What the channels of a [`Listener`] are called.
const CHANNELS: [&str; 9] =
    ["view", "events", "delta", "requests", "prompts", "waiting", "version", "refusals", "explanations"];

/// What will happen is asked at one of so many steps: it takes longer than all the rest.
const FORECAST_EVERY: usize = 8;

/// Listens to all that reaches one viewer.
struct Listener {
    viewer: Viewer,
    last: Leaves,
    n_events: u32,
}

impl Listener {
    fn new(live: &RuledMatch, viewer: Viewer) -> Self {
        let n_events = u32::try_from(live.events(viewer, 0).len()).unwrap_or(u32::MAX);
        Self { viewer, last: Leaves::new(live.view(viewer)), n_events }
    }

    /// Everything that reaches the viewer now, channel by channel.
    fn hear(&mut self, live: &RuledMatch, step: usize) -> Vec<String> {
        let view = live.view(self.viewer);
        let events = live.events(self.viewer, self.n_events);
        self.n_events += u32::try_from(events.len()).unwrap_or(u32::MAX);
        let text_of_view = serde_json::to_string(&view);
        let delta = (self.last.update(view), self.last.hash());
        let text = |it: serde_json::Result<String>| it.expect("views are plain data; qed");
        let mut told =
            vec![text(text_of_view), text(serde_json::to_string(&events)), text(serde_json::to_string(&delta))];
        let Viewer::Seat(seat) = self.viewer else {
            told.extend([String::new(), String::new()]);
            told.extend([format!("{:?}", live.waiting()), live.version().to_string()]);
            return told;
        };
        told.push(text(serde_json::to_string(&live.open(seat))));
        let prompts: Vec<_> = live.prompts(seat).into_iter().map(|it| it.input).collect();
        told.push(text(serde_json::to_string(&prompts)));
        told.extend([format!("{:?}", live.waiting()), live.version().to_string()]);
        told.push(refusals(live, seat, step));
        told.push(explanations(live, seat, step));
        told
    }
}

/// What a player is told when he asks why things are as they are.
fn explanations(live: &RuledMatch, seat: Seat, step: usize) -> String {
    let program = live.live().ruleset().program();
    let viewer = Viewer::Seat(seat);
    let cards: Vec<String> = live.view(viewer).zones.into_values().flat_map(|it| it.cards).collect();
    let card = cards.get(step % cards.len().max(1)).cloned();
    let (actions, attrs) = (&program.text.actions, &program.text.attrs);
    let Some(action) = actions.get(step % actions.len().max(1)).map(|it| it.label.id.clone()) else {
        return String::new();
    };
    let targets = card.iter().filter(|_| !step.is_multiple_of(3)).cloned().collect();
    let mut questions = vec![Question::WhyNot { action, targets, player: None }];
    let attribute = attrs.get(step % attrs.len().max(1)).map(|it| it.id.clone());
    questions.extend(card.zip(attribute).map(|(of, attribute)| Question::Value { of, attribute }));
    let actions: Vec<_> = live.prompts(seat).into_iter().flat_map(|it| it.input.constraints.actions).collect();
    if let Some(offer) = actions.get(step % actions.len().max(1)).filter(|_| step % FORECAST_EVERY == 3) {
        let first = offer.choices.first().map(|it| it.id.to_string());
        questions.push(Question::If { action: offer.id.clone(), targets: first.into_iter().collect() });
    }
    let told = questions.iter().map(|it| match live.explain(viewer, it) {
        Ok(told) => serde_json::to_string(&told).expect("explanations are plain data; qed") + &told.to_string(),
        Err(why) => why.to_string(),
    });
    told.collect::<Vec<_>>().join("\n")
}

/// What a player is told when he asks for what he may not do.
fn refusals(live: &RuledMatch, seat: Seat, step: usize) -> String {
    let actions = &live.live().ruleset().program().text.actions;
    let Some(action) = actions.get(step % actions.len().max(1)) else { return String::new() };
    let cards: Vec<String> = live.view(Viewer::Seat(seat)).zones.into_values().flat_map(|it| it.cards).collect();
    let card = cards.get(step % cards.len().max(1)).cloned().unwrap_or_else(|| "c1".to_owned());
    let card: Ref = card.parse().expect("cards are called by Refs; qed");
    let targets = action.slots.iter().map(|it| (it.clone(), vec![card.clone()])).collect();
    let plays = [
        Play::Act { action: action.label.id.clone(), targets },
        Play::Move(HandMove::Cards {
            cards: vec![card.clone()],
            from: "hand".to_owned(),
            to: "deck".to_owned(),
            targets: BTreeMap::new(),
        }),
        Play::Move(HandMove::Order { cards: vec![card] }),
    ];
    let told: Vec<String> = plays.iter().map(|it| refusal(live, seat, it)).collect();
    told.join("\n")
}

/// The text of a refusal, or that there is none.
fn refusal(live: &RuledMatch, seat: Seat, play: &Play) -> String {
    match live.copy().play(seat, None, play) {
        Ok(_) => "accepted".to_owned(),
        Err(why) => format!("{why:?}"),
    }
}

/// Plays pairs of worlds from one recorded piece of a random match; an error is a secret told.
pub fn check(ruleset: &Arc<Ruleset>, seed: u64, viewer: Viewer, n_twins: u64) -> Result<Tally, Told> {
    let mut dice = Dice::new(seed.wrapping_mul(31).wrapping_add(7));
    let mut tally = Tally::default();
    let Some(piece) = record(ruleset, seed, viewer, &mut dice) else { return Ok(tally) };
    for n in 0..n_twins {
        tally.add(compare(&piece, viewer, n)?);
    }
    Ok(tally)
}

fn record(ruleset: &Arc<Ruleset>, seed: u64, viewer: Viewer, dice: &mut Dice) -> Option<Piece> {
    let n_seats = ruleset.program().players.max;
    let setup = games::setup(ruleset, seed, n_seats);
    let mut live = RuledMatch::start_for(ruleset, setup, vec![viewer]).expect("ready-made decks are legal; qed");
    for _ in 0..dice.below(BEFORE_MAX) {
        let command = random_command(live.live(), dice)?;
        live.carry_out(&command).expect("is offered; qed");
    }
    // Both worlds begin without anything to take back.
    let start = live.afresh(viewer);
    let mut here = start.copy();
    let n_met = here.met(viewer).len();
    let rolls = here.live().state().head.rolls;
    let mut listener = Listener::new(&here, viewer);
    let mut piece =
        Piece { given: Vec::new(), told: vec![listener.hear(&here, 0)], met: Vec::new(), is_still: true, start };
    for _ in 0..=dice.below(PIECE_MAX) {
        let Some(given) = choose(here.live(), viewer, dice) else { break };
        let command = command_here(here.live(), viewer, &given)?;
        let priced = priced_cards(here.live(), &command);
        if here.carry_out(&command).is_ok() {
            piece.met.extend(priced);
            piece.given.push(given);
            piece.told.push(listener.hear(&here, piece.given.len()));
        }
    }
    piece.met.extend(here.met(viewer).split_off(n_met));
    piece.is_still = here.live().state().head.rolls == rolls;
    Some(piece)
}

/// The cards whose price an action pays for all to see, before they are shown themselves: that much of them is told.
fn priced_cards(live: &Match, command: &Command) -> Vec<EntityId> {
    let Command::Act { action, targets, .. } = command else { return Vec::new() };
    let Some(rule) = live.ruleset().program().action(*action) else { return Vec::new() };
    let slots = rule.slots.iter().zip(targets).enumerate();
    let priced = slots.filter(|(at, (slot, _))| {
        rule.cost_slots & (1 << at) != 0 && matches!(slot.ty.sort, Sort::Card | Sort::Entity)
    });
    priced.flat_map(|(_, (_, values))| values.iter().map(|it| EntityId::from(*it))).collect()
}

/// What somebody does next; now and then the host or a hasty player.
fn choose(live: &Match, viewer: Viewer, dice: &mut Dice) -> Option<Given> {
    let command = random_command(live, dice)?;
    let Some(player) = command.player() else { return Some(Given::Other(command)) };
    match dice.below(24) {
        0 => Some(Given::Other(Command::Undo { player })),
        1 => Some(Given::Other(Command::EndTurn { player })),
        2 => Some(Given::Other(Command::Reorder { player, cards: turned_hand(live, player) })),
        _ if is_viewer(viewer, player) => {
            let place = live.legal(player, OFFERS_MAX).iter().position(|it| *it == command)?;
            Some(Given::Own(place))
        }
        _ => Some(Given::Other(command)),
    }
}

/// The cards of a player's hand from the other end.
fn turned_hand(live: &Match, player: PlayerId) -> Vec<EntityId> {
    let program = live.ruleset().program();
    let hand = program.text.zones.iter().position(|it| it.id == "hand").map_or(ZoneId::NONE, ZoneId::at);
    live.state().cards_down(MatchState::instance(program, hand, player)).collect()
}

fn is_viewer(viewer: Viewer, player: PlayerId) -> bool {
    viewer == Viewer::Seat(Seat(player.0))
}

fn command_here(live: &Match, viewer: Viewer, given: &Given) -> Option<Command> {
    match (given, viewer) {
        (Given::Own(at), Viewer::Seat(seat)) => live.legal(PlayerId(seat.0), OFFERS_MAX).into_iter().nth(*at),
        (Given::Own(_), Viewer::Spectator | Viewer::Judge) => None,
        (Given::Other(command), _) => Some(command.clone()),
    }
}

/// Plays a recorded piece in another world and compares all that is told.
fn compare(piece: &Piece, viewer: Viewer, n: u64) -> Result<Tally, Told> {
    let mut seed = [3; 32];
    seed[..8].copy_from_slice(&n.to_le_bytes());
    let key = piece.is_still.then_some([0x5a ^ seed[0]; 32]);
    let Some((mut there, twin)) = piece.start.twin(viewer, seed, &piece.met, key) else { return Ok(Tally::default()) };
    if twin.n_changed == 0 && twin.n_renamed == 0 {
        return Ok(Tally { n_idle: 1, ..Tally::default() });
    }
    let mut listener = Listener::new(&there, viewer);
    same(&piece.told[0], &listener.hear(&there, 0))?;
    for (step, (given, told)) in (1..).zip(piece.given.iter().zip(&piece.told[1..])) {
        let own = matches!(given, Given::Own(_));
        let command = match given {
            Given::Own(_) => command_here(there.live(), viewer, given),
            Given::Other(command) => Some(translate(there.live(), &twin.names, command)),
        };
        let refused = command.is_none_or(|it| there.carry_out(&it).is_err());
        if refused && own {
            return Err(Told { channel: "offers".to_owned(), here: format!("{given:?}"), there: "refused".to_owned() });
        }
        if refused {
            return Ok(Tally { n_discarded: 1, ..Tally::default() });
        }
        same(told, &listener.hear(&there, step))?;
    }
    let n_steps = piece.given.len() as u64;
    let n_rekeyed = u64::from(key.is_some());
    Ok(Tally { n_same: 1, n_changed: twin.n_changed as u64, n_steps, n_rekeyed, ..Tally::default() })
}

fn same(here: &[String], there: &[String]) -> Result<(), Told> {
    let at = here.iter().zip(there).position(|(here, there)| here != there);
    at.map_or(Ok(()), |at| {
        let (here, there) = (here[at].clone(), there[at].clone());
        Err(Told { channel: CHANNELS[at].to_owned(), here, there })
    })
}

/// A command about the cards that lie in the same places in the other world.
fn translate(live: &Match, names: &Renaming, command: &Command) -> Command {
    let program = live.ruleset().program();
    let value = |sort: Sort, it: &i64| match sort {
        Sort::Card | Sort::Entity => i64::from(names.of(EntityId::from(*it))),
        _ => *it,
    };
    match command {
        Command::Act { player, action, targets } => {
            let slots = program.action(*action).map_or(&[][..], |it| &it.slots);
            // Behind an action's own slots come those of an ability, which takes cards and players alike.
            let sort = |at: usize| slots.get(at).map_or(Sort::Entity, |it| it.ty.sort);
            let targets = targets.iter().enumerate();
            let targets = targets.map(|(at, them)| them.iter().map(|it| value(sort(at), it)).collect()).collect();
            Command::Act { player: *player, action: *action, targets }
        }
        Command::Answer { player, input, values, confirm } => {
            let ask = live.state().ask(*input).and_then(|it| program.ask(it.ask));
            let sort = ask.map_or(Sort::Event, |it| it.choice_type.sort);
            let values = values.iter().map(|it| value(sort, it)).collect();
            Command::Answer { player: *player, input: *input, values, confirm: *confirm }
        }
        Command::Reorder { player, cards } => {
            Command::Reorder { player: *player, cards: cards.iter().map(|it| names.of(*it)).collect() }
        }
        Command::Pass { .. }
        | Command::EndTurn { .. }
        | Command::Undo { .. }
        | Command::Takeback { .. }
        | Command::Control(_) => command.clone(),
    }
}
