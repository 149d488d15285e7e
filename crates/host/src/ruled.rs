//! A match of a ruleset, behind the face of all matches: keeps the log, and what every viewer may know.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use engine::{
    Command, EntityId, InputNo, Log, Match, PlayerId, Record, Setup, Sink,
    log::{Recorder, Transition},
    question::{AnswerError, PendingInput},
    state::MatchState,
    view::Projector,
};
use parity_scale_codec::Encode as _;
use ruleset::{
    Hash, Ruleset,
    program::{AskMode, AskRule},
};
use script::{Answer, Progress, Rejection as Common, Seat, Viewer};
use selector::{Pick, Response, Selector, Value};
use view::{Page, Told, View};

use crate::{
    asking,
    explain::{ExplainError, Explanation, Question},
    game::ReloadError,
    hosted::{Clock, Control, HostedMatch, LogPart, OpenRequest, Waiting},
    numbering::{Named, Numbering},
    playing::{Asked, Play, Query},
    refused::Refused,
    rejection::Rejection,
    ruled_event, ruled_prompt, ruled_view,
    tale::Tale,
};

/// Marks the number of a decision that is no question of the rules: to act or to pass.
const PRIORITY: u32 = 1 << 31;

/// How many states of the past stay in memory: each is as large as the match itself, a server holds thousands of
/// matches, and the log knows them all.
const MARKS_KEPT: usize = 1;

/// A match of a ruleset.
pub struct RuledMatch {
    live: Match,
    log: Log,
    viewers: Vec<Viewer>,
    /// One for each viewer. Looking gives names to cards, so even a look needs the projector to itself.
    projectors: Mutex<Vec<Projector>>,
    /// What happened, for each viewer.
    tales: Vec<Tale>,
    /// The engine's version at which each version of this match began.
    branches: Vec<u32>,
    /// The transition that last set a timer.
    timer_since: u32,
    /// What each seat calls its questions.
    numbering: Numbering,
}

/// Hands records to the log and to all viewers.
struct Fan<'m> {
    recorder: &'m mut Recorder,
    /// Whether a timer was set.
    has_timer: bool,
    projectors: &'m mut [Projector],
}

impl Sink for Fan<'_> {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        self.has_timer |= matches!(record, Record::TimerSet(Some(_)));
        self.recorder.record(state, record);
        self.projectors.iter_mut().for_each(|it| it.record(state, record));
    }
}

/// The engine's name of a viewer.
pub(crate) fn engine_viewer(viewer: Viewer) -> engine::view::Viewer {
    match viewer {
        Viewer::Seat(seat) => engine::view::Viewer::Player(PlayerId(seat.0)),
        Viewer::Spectator => engine::view::Viewer::Spectator,
        Viewer::Judge => engine::view::Viewer::Judge,
    }
}

impl RuledMatch {
    /// Begins a match and plays until somebody has to decide.
    pub fn start(ruleset: &Arc<Ruleset>, setup: Setup) -> Result<Self, Rejection> {
        let n_seats = u8::try_from(setup.decks.len()).unwrap_or(u8::MAX);
        Self::start_for(ruleset, setup, script::viewers(n_seats).collect())
    }

    /// Begins a match that only some watch; to all others it shows nothing.
    pub fn start_for(ruleset: &Arc<Ruleset>, setup: Setup, viewers: Vec<Viewer>) -> Result<Self, Rejection> {
        let mut hosted = Self::empty(ruleset, setup, viewers)?;
        hosted.begin();
        Ok(hosted)
    }

    fn empty(ruleset: &Arc<Ruleset>, setup: Setup, viewers: Vec<Viewer>) -> Result<Self, Rejection> {
        let live = Match::empty(ruleset.clone(), &setup)?;
        let projectors = viewers.iter().map(|it| Projector::new(ruleset, engine_viewer(*it))).collect();
        let log = Log::new(engine::log::Header::new(ruleset, setup));
        let tales = vec![Tale::default(); viewers.len()];
        Ok(Self {
            live,
            log,
            viewers,
            projectors: Mutex::new(projectors),
            tales,
            branches: vec![0],
            timer_since: 0,
            numbering: Numbering::default(),
        })
    }

    fn begin(&mut self) {
        let setup = self.log.header().setup.clone();
        let projectors = self.projectors.get_mut().unwrap_or_else(PoisonError::into_inner);
        let live = &mut self.live;
        let Ok(_) = self.log.keep(None, |recorder| {
            Ok::<_, Infallible>(live.begin(&setup, &mut Fan { recorder, has_timer: false, projectors }))
        });
        self.tell("");
        self.note_asked();
    }

    /// Plays a match again from its log.
    pub fn reload(ruleset: &Arc<Ruleset>, bytes: &[u8]) -> Result<Self, ReloadError> {
        Self::reload_until(ruleset, bytes, |_| false)
    }

    /// Plays a match again from its log, until it stands where it should.
    fn reload_until(
        ruleset: &Arc<Ruleset>,
        bytes: &[u8],
        is_there: impl Fn(&Self) -> bool,
    ) -> Result<Self, ReloadError> {
        let mut log = Log::read(bytes).map_err(ReloadError::Log)?;
        if log.header().rules != ruleset.rules_hash() {
            return Err(ReloadError::Log(engine::log::LogError::WrongRules));
        }
        let setup = log.header().setup.clone();
        let viewers = script::viewers(u8::try_from(setup.decks.len()).unwrap_or(u8::MAX)).collect();
        let mut hosted = Self::empty(ruleset, setup, viewers).map_err(ReloadError::Setup)?;
        for (transition, it) in log.transitions().enumerate() {
            if transition > 0 && is_there(&hosted) {
                break;
            }
            match it.command() {
                None => hosted.begin(),
                Some(command) => {
                    hosted.carry_out(&command).map_err(|why| ReloadError::Refused { transition, why })?;
                }
            }
            let is_same = hosted.log.header() == log.header() && hosted.log.transition(transition) == Some(it);
            if !is_same {
                return Err(ReloadError::Diverged { transition });
            }
        }
        // It tells the same, and its hashes are known.
        log.truncate(hosted.log.len());
        hosted.log = log;
        Ok(hosted)
    }

    /// A match as it stood at a version, from its log.
    pub fn reload_at(ruleset: &Arc<Ruleset>, bytes: &[u8], version: u32) -> Result<Self, ReloadError> {
        let then = Self::reload_until(ruleset, bytes, |it| it.version() == version)?;
        let last = then.version();
        if last == version { Ok(then) } else { Err(ReloadError::NoSuchVersion { version, last }) }
    }

    /// A copy of how a match stood at a version, from its log, as a viewer may imagine it (see
    /// [`HostedMatch::resample`]).
    pub fn branch(
        ruleset: &Arc<Ruleset>,
        bytes: &[u8],
        version: u32,
        viewer: Viewer,
        seed: [u8; 32],
    ) -> Result<Self, ReloadError> {
        let then = Self::reload_until(ruleset, bytes, |it| it.version() == version)?;
        let missing = ReloadError::NoSuchVersion { version, last: then.version() };
        let world = then.resampled(viewer, seed).filter(|it| it.version() == version);
        world.ok_or(missing)
    }

    /// The match with everything a viewer does not know dealt anew.
    pub(crate) fn resampled(&self, viewer: Viewer, seed: [u8; 32]) -> Option<Self> {
        let live = self.look(viewer, |eyes| self.live.resample(eyes, seed))?;
        Some(self.in_world(live, viewer))
    }

    /// The same match in a world that a viewer cannot tell from this one. What happened before is told to him and to
    /// spectators, who know less; to others something else has happened. Its log begins here and names no deck.
    fn in_world(&self, live: Match, viewer: Viewer) -> Self {
        let setup = Setup { seed: [0; 32], decks: Vec::new() };
        let header = engine::log::Header::new(self.live.ruleset(), setup);
        let knows = |it: &Viewer| *it == viewer || *it == Viewer::Spectator;
        let tales = self.viewers.iter().zip(&self.tales);
        Self {
            live,
            log: Log::new(header),
            viewers: self.viewers.clone(),
            projectors: Mutex::new(self.projectors().clone()),
            tales: tales.map(|(it, tale)| if knows(it) { tale.clone() } else { Tale::default() }).collect(),
            branches: self.branches.clone(),
            timer_since: self.timer_since,
            numbering: self.numbering.clone(),
        }
    }

    /// The same match as if it began here: nothing before can be taken back.
    pub fn afresh(&self, viewer: Viewer) -> Self {
        self.in_world(self.live.afresh(), viewer)
    }

    /// A world that differs in nothing a viewer may know, for tests of exactly that (see [`Match::twin`]); with what
    /// the cards of this one are called there. None for a viewer who does not watch.
    pub fn twin(
        &self,
        viewer: Viewer,
        seed: [u8; 32],
        met: &[EntityId],
        key: Option<[u8; 32]>,
    ) -> Option<(Self, engine::resample::Twin)> {
        let twin = self.look(viewer, |eyes| self.live.twin(eyes, seed, met, key))?;
        Some((self.in_world(twin.live.clone(), viewer), twin))
    }

    /// Every card a viewer has ever come to see, in order; again if it hid and came back.
    pub fn met(&self, viewer: Viewer) -> Vec<EntityId> {
        self.look(viewer, |eyes| eyes.met().to_vec()).unwrap_or_default()
    }

    /// The match itself.
    pub fn live(&self) -> &Match {
        &self.live
    }

    fn projectors(&self) -> MutexGuard<'_, Vec<Projector>> {
        // A projector is whole between any two calls, so one that panicked left nothing half done.
        self.projectors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks through the eyes of a viewer.
    pub fn look<T>(&self, viewer: Viewer, act: impl FnOnce(&mut Projector) -> T) -> Option<T> {
        let mut projectors = self.projectors();
        projectors.iter_mut().find(|it| it.viewer == engine_viewer(viewer)).map(act)
    }

    /// A copy to try things on, like [`HostedMatch::fork`], which can take back what came before.
    pub fn copy(&self) -> Self {
        self.with(self.live.clone())
    }

    fn with(&self, live: Match) -> Self {
        Self {
            live,
            log: self.log.clone(),
            viewers: self.viewers.clone(),
            projectors: Mutex::new(self.projectors().clone()),
            tales: self.tales.clone(),
            branches: self.branches.clone(),
            timer_since: self.timer_since,
            numbering: self.numbering.clone(),
        }
    }

    /// Submits a command, keeps it in the log and tells everybody.
    pub fn carry_out(&mut self, command: &Command) -> Result<Progress, Rejection> {
        Ok(self.try_command(command)?)
    }

    /// The same, with the engine's own reason for a refusal.
    pub(crate) fn try_command(&mut self, command: &Command) -> Result<Progress, engine::Rejection> {
        if let Command::Undo { .. } | Command::Takeback { .. } = command {
            self.remember_marks();
        }
        let before: Vec<InputNo> = self.live.state().asks.iter().map(|it| it.no).collect();
        let projectors = self.projectors.get_mut().unwrap_or_else(PoisonError::into_inner);
        let live = &mut self.live;
        let has_timer = self.log.keep(Some(command), |recorder| {
            let mut fan = Fan { recorder, has_timer: false, projectors };
            live.submit(command, &mut fan).map(|_| fan.has_timer)
        })?;
        if self.has_beginning() {
            self.live.trim_marks(MARKS_KEPT);
        }
        if has_timer {
            self.timer_since = u32::try_from(self.log.len()).unwrap_or(u32::MAX);
        }
        self.tell(&command.player().map_or("all".to_owned(), |it| Seat(it.0).to_string()));
        if let Command::Undo { .. } | Command::Takeback { .. } = command {
            self.numbering.forget();
        }
        // A part of a request that stays open moves nothing.
        let is_part = matches!(command, Command::Answer { .. } | Command::Undo { .. }) && !before.is_empty();
        let moved = !(is_part && before == self.live.state().asks.iter().map(|it| it.no).collect::<Vec<_>>());
        if moved {
            self.branches.push(self.live.state().head.version);
        }
        self.note_asked();
        Ok(Progress { version: self.version(), moved })
    }

    /// Whether the log tells the match from its beginning; that of an imagined world does not.
    fn has_beginning(&self) -> bool {
        self.log.transition(0).is_some_and(|it| it.command().is_none())
    }

    /// Finds out again how the match stood before each of the last commands.
    fn remember_marks(&mut self) {
        if self.has_beginning()
            && let Ok(live) = self.log.fold(self.live.ruleset(), self.log.len())
        {
            live.budget().allow(self.live.budget().allowed());
            self.live = live;
        }
    }

    /// Takes from the projectors what they have to tell; `by` is who took something back, if that is what happened.
    fn tell(&mut self, by: &str) {
        let projectors = self.projectors.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (projector, tale) in projectors.iter_mut().zip(&mut self.tales) {
            projector.sync_rows(self.live.state());
            let mut events = std::mem::take(&mut projector.events).into_iter().peekable();
            for sequence in std::mem::take(&mut projector.undone) {
                while let Some(event) = events.next_if(|it| it.seq < sequence) {
                    tale.push(&ruled_event::told(&self.live, projector, &event));
                }
                tale.push(&ruled_event::undone(by, sequence));
            }
            for event in events {
                tale.push(&ruled_event::told(&self.live, projector, &event));
            }
        }
    }

    /// Notes what every seat is asked now, under numbers of its own.
    fn note_asked(&mut self) {
        for seat in 0..self.n_seats() {
            let player = PlayerId(seat);
            let asks = self.live.state().asks.iter().filter(|it| it.seats & player.bit() != 0).map(|it| it.no.0);
            let window = self.priority().filter(|it| it.1 == player).map(|it| it.0);
            let open: Vec<u32> = asks.chain(window).collect();
            self.numbering.note(seat, &open);
        }
    }

    pub(crate) fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    pub(crate) fn version_now(&self) -> u32 {
        self.version()
    }

    /// Whether a decision is to act or to pass.
    pub(crate) fn is_window(&self, input: u32) -> bool {
        input & PRIORITY != 0
    }

    /// The question a player is asked, as a selector whose choices have Refs; for a window one without choices.
    pub(crate) fn question_for(&self, seat: Seat, input: u32) -> Result<(PlayerId, Selector), Rejection> {
        let player = self.check_seat(seat)?;
        self.check_input(input)?;
        if self.is_window(input) {
            let is_mine = self.priority().is_some_and(|it| it.1 == player);
            let window = Selector::select(seat, "Priority");
            return if is_mine { Ok((player, window)) } else { Err(Common::NotAsked.into()) };
        }
        let question = self.question(seat, InputNo(input)).ok_or_else(|| self.not_open_for(player, input))?;
        Ok((player, asking::with_refs(&ruled_prompt::answers(&self.live, &question))))
    }

    /// What happened, as a viewer was told it.
    fn tale(&self, viewer: Viewer) -> Option<&Tale> {
        let place = self.viewers.iter().position(|it| *it == viewer);
        place.and_then(|it| self.tales.get(it))
    }

    pub(crate) fn check_seat(&self, seat: Seat) -> Result<PlayerId, Rejection> {
        let known = seat.0 < self.n_seats();
        if known { Ok(PlayerId(seat.0)) } else { Err(Common::UnknownPlayer.into()) }
    }

    pub(crate) fn check_running(&self) -> Result<(), Rejection> {
        let head = &self.live.state().head;
        match head.outcome {
            Some(it) if it.why == engine::state::Why::Void => Err(Common::MatchKilled.into()),
            Some(_) => Err(Common::MatchOver.into()),
            None if head.paused.is_some() => Err(Common::MatchPaused.into()),
            None => Ok(()),
        }
    }

    pub(crate) fn check_version(&self, version: u32) -> Result<(), Rejection> {
        let current = self.version();
        if version == current { Ok(()) } else { Err(Common::Stale { current }.into()) }
    }

    /// The number of the decision whether to act, while it is open. It counts what moved the match and not every
    /// command, which would tell how often others changed their minds.
    fn priority(&self) -> Option<(u32, PlayerId)> {
        let head = &self.live.state().head;
        let window = head.window.filter(|_| self.live.state().asks.is_empty())?;
        Some((PRIORITY | self.version(), window.holder))
    }

    pub(crate) fn is_concurrent(&self, input: u32) -> bool {
        let ask = self.live.state().ask(InputNo(input));
        let mode = ask.and_then(|it| self.live.ruleset().program().ask(it.ask)).map(|it| it.mode);
        mode.is_some_and(|it| it != AskMode::One)
    }

    /// Says whether a request is open, gone, or never was.
    fn check_input(&self, input: u32) -> Result<(), Rejection> {
        let head = &self.live.state().head;
        let is_open =
            self.priority().is_some_and(|it| it.0 == input) || self.live.state().ask(InputNo(input)).is_some();
        let was_priority = input & PRIORITY != 0 && (input & !PRIORITY) <= self.version();
        let was_asked = input > 0 && input < head.next_input;
        match is_open {
            true => Ok(()),
            false if was_priority || was_asked => Err(Common::TooLate { current: self.version() }.into()),
            false => Err(Common::UnknownInput.into()),
        }
    }

    /// Checks everything that can be wrong with an answer, in the same order as for scripts.
    fn judge(&self, answer: &Answer) -> Result<Command, Rejection> {
        self.check_running()?;
        let player = self.check_seat(answer.seat)?;
        if let Some(claimed) = answer.response.actor.as_ref().filter(|it| **it != answer.seat.to_string()) {
            return Err(Common::WrongActor { claimed: claimed.clone() }.into());
        }
        self.check_input(answer.input)?;
        let is_open = self.open(answer.seat).iter().any(|it| it.input_id == answer.input);
        if self.is_spent() {
            return Err(Rejection::TooCostly);
        }
        if !is_open {
            return Err(self.not_open_for(player, answer.input));
        }
        let may_be_older = self.is_concurrent(answer.input) && answer.version < self.version();
        if !may_be_older {
            self.check_version(answer.version)?;
        }
        self.read(player, answer)
    }

    fn not_open_for(&self, player: PlayerId, input: u32) -> Rejection {
        let ask = self.live.state().ask(InputNo(input));
        let has_answered = ask.is_some_and(|it| it.closed & player.bit() != 0);
        if has_answered { Common::AlreadyAnswered.into() } else { Common::NotAsked.into() }
    }

    fn read(&self, player: PlayerId, answer: &Answer) -> Result<Command, Rejection> {
        let viewer = Viewer::Seat(answer.seat);
        let read = |error: AnswerError| match error {
            AnswerError::NothingToDecide => Rejection::from(Common::NotAsked),
            AnswerError::Refused(refusal) => Common::Refused(refusal).into(),
        };
        if answer.input & PRIORITY != 0 {
            let command = self.look(viewer, |it| it.answer(&self.live, &answer.response));
            return command.ok_or(Common::NotAsked)?.map_err(read);
        }
        let input = InputNo(answer.input);
        let pending = self.question(answer.seat, input).ok_or(Common::NotAsked)?;
        let choices = self.live.choices(player, input).ok_or(Common::NotAsked)?;
        let value = |it: &Pick| choices.values.get(usize::try_from(it.choice).ok()?).copied();
        let draft = self.draft_rule(input).filter(|_| !answer.confirm);
        if draft.is_some_and(|it| it.lenient) {
            let picks = lenient_picks(&pending.selector, &answer.response);
            let values = picks.iter().map(|it| it.as_ref().and_then(value).unwrap_or(ruleset::NULL)).collect();
            return Ok(Command::Answer { player, input, values, confirm: false });
        }
        let selector = if draft.is_some() { incomplete(&pending.selector) } else { pending.selector };
        let picks = selector.resolve(&answer.response).map_err(Common::Refused)?;
        let values = picks.iter().filter_map(value).collect();
        Ok(Command::Answer { player, input, values, confirm: answer.confirm })
    }

    /// The rule of a question whose answers may be drafts.
    pub(crate) fn draft_rule(&self, input: InputNo) -> Option<&AskRule> {
        let ask = self.live.state().ask(input)?;
        self.live.ruleset().program().ask(ask.ask).filter(|it| it.revisable)
    }

    /// The question as a player is asked it, or as he was and may still answer something else.
    pub(crate) fn question(&self, seat: Seat, input: InputNo) -> Option<PendingInput> {
        let ask =
            |eyes: &mut Projector| eyes.pending(&self.live, input).or_else(|| eyes.replaceable(&self.live, input));
        self.look(Viewer::Seat(seat), ask).flatten()
    }

    fn ask_requests(&self, seat: Seat) -> Vec<OpenRequest> {
        let questions = self.live.state().asks.iter().filter_map(|it| self.question(seat, it.no));
        let request = |it: PendingInput| OpenRequest {
            input_id: it.id.0,
            kind: it.kind.as_str().to_owned(),
            text: it.prompt.clone(),
            is_concurrent: self.is_concurrent(it.id.0),
            draft: self.draft(seat, &it),
            selector: it.selector,
            deadline_ms: Some(it.deadline_ms).filter(|it| *it > 0),
        };
        questions.map(request).collect()
    }

    fn state_asks(&self) -> Vec<InputNo> {
        self.live.state().asks.iter().map(|it| it.no).collect()
    }

    /// The cards a player has chosen so far in the question that is open, by their ids, and whether that is final.
    pub fn own_choice(&self, seat: Seat) -> Option<(Vec<String>, bool)> {
        let (state, player) = (self.live.state(), PlayerId(seat.0));
        let ask = state.asks.iter().find(|it| it.seats & player.bit() != 0)?;
        let answer = state.answers.iter().find(|it| it.input == ask.no && it.player == player)?;
        let text = &self.live.ruleset().program().text;
        let card = |it: &i64| Some(text.defs.get(state.ent(EntityId::from(*it))?.def.index())?.id.clone());
        Some((answer.values.iter().filter_map(card).collect(), ask.closed & player.bit() != 0))
    }

    /// What a player has answered to a question that is still open.
    fn draft(&self, seat: Seat, question: &PendingInput) -> Option<Response> {
        let player = PlayerId(seat.0);
        let is_his = |it: &&engine::state::Answer| it.input == question.id && it.player == player;
        let values = &self.live.state().answers.iter().find(is_his)?.values;
        let choices = self.live.choices(player, question.id)?.values;
        let places = values.iter().filter_map(|value| choices.iter().position(|it| it == value));
        let picks = places.filter_map(|it| Some(question.selector.options.choices.get(it)?.picked(None)));
        Some(Response { is_user_response: true, ..Response::to(&question.selector, picks) })
    }
}

/// The same choices for an answer that need not be complete yet.
pub(crate) fn incomplete(selector: &Selector) -> Selector {
    let max = selector.options.bounds().max;
    selector.clone().between(0, max)
}

/// What each item of a draft picks, if it can pick anything beside those before it.
fn lenient_picks(selector: &Selector, response: &Response) -> Vec<Option<Pick>> {
    let most = selector.options.choices.len();
    let selector = selector.clone().between(0, u32::try_from(most).unwrap_or(u32::MAX));
    let mut kept: Vec<Value> = Vec::new();
    let mut picks = Vec::new();
    for item in response.selection.as_list().unwrap_or_default().iter().take(most) {
        kept.push(item.clone());
        let answer =
            Response { title: selector.title.clone(), selection: Value::List(kept.clone()), ..response.clone() };
        let pick = selector.resolve(&answer).ok().and_then(|mut it| it.pop());
        if pick.is_none() {
            kept.pop();
        }
        picks.push(pick);
    }
    picks
}

impl HostedMatch for RuledMatch {
    fn game(&self) -> &str {
        &self.live.ruleset().program().text.id
    }

    fn n_seats(&self) -> u8 {
        self.live.state().head.n_players
    }

    fn version(&self) -> u32 {
        u32::try_from(self.branches.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    fn allow(&self, work: u64) {
        self.live.budget().allow(work);
    }

    fn is_spent(&self) -> bool {
        self.live.budget().is_spent()
    }

    fn waiting(&self) -> Waiting {
        let state = self.live.state();
        match self.live.waiting() {
            engine::Waiting::Inputs(inputs) => {
                let asks = inputs.iter().filter_map(|it| state.ask(*it));
                let seats = asks.fold(0, |acc, it| acc | (it.seats & !it.closed));
                Waiting::Answers(state.players().filter(|it| seats & it.bit() != 0).map(|it| Seat(it.0)).collect())
            }
            engine::Waiting::Priority(window) => Waiting::Answers(vec![Seat(window.holder.0)]),
            engine::Waiting::Timer(timer) => Waiting::Timer { ms: timer.ms },
            engine::Waiting::Paused(engine::state::Pause::Moderator) => Waiting::Paused("a moderator".to_owned()),
            engine::Waiting::Paused(pause) => Waiting::Paused(format!("{pause:?}")),
            engine::Waiting::Over(outcome) => {
                Waiting::Over(ruled_view::outcome(self.live.ruleset().program(), outcome))
            }
        }
    }

    fn open(&self, seat: Seat) -> Vec<OpenRequest> {
        self.live.budget().begin();
        if self.check_running().is_err() || seat.0 >= self.n_seats() {
            return Vec::new();
        }
        let Some((input_id, _)) = self.priority().filter(|it| it.1.0 == seat.0) else {
            return self.ask_requests(seat);
        };
        let selector = self.look(Viewer::Seat(seat), |it| it.decision(&self.live)).flatten();
        let kind = "priority".to_owned();
        let text = "Priority".to_owned();
        let request = |selector| OpenRequest {
            input_id,
            kind,
            text,
            is_concurrent: false,
            selector,
            draft: None,
            deadline_ms: None,
        };
        selector.map(request).into_iter().collect()
    }

    fn submit(&mut self, answer: &Answer) -> Result<Progress, Rejection> {
        let command = self.judge(answer)?;
        self.carry_out(&command)
    }

    fn undo(&mut self, seat: Seat, version: u32) -> Result<Progress, Rejection> {
        self.check_running()?;
        let player = self.check_seat(seat)?;
        self.check_version(version)?;
        self.carry_out(&Command::Undo { player })
    }

    fn takeback(&mut self, to: u32, agreed: &[Seat], version: u32) -> Result<Progress, Rejection> {
        self.check_running()?;
        self.check_version(version)?;
        let head = &self.live.state().head;
        let here = self.live.state().players().filter(|it| head.alive & it.bit() != 0).map(|it| Seat(it.0));
        if let Some(missing) = here.into_iter().find(|it| !agreed.contains(it)) {
            return Err(Common::NoConsent { missing }.into());
        }
        let at = usize::try_from(to).ok().and_then(|it| self.branches.get(it)).copied();
        self.carry_out(&Command::Takeback { to: at.ok_or(Common::CannotUndo)? })
    }

    fn control(&mut self, control: Control) -> Result<Progress, Rejection> {
        use engine::Control as Verb;
        if let Err(over @ Rejection::Common(Common::MatchKilled | Common::MatchOver)) = self.check_running() {
            return Err(over);
        }
        let verb = match control {
            Control::Concede(seat) => Verb::Concede(self.check_seat(seat)?),
            Control::Kick(seat) => Verb::Kick(self.check_seat(seat)?),
            Control::Timeout(input) => {
                self.check_input(input)?;
                Verb::Timeout(InputNo(input))
            }
            Control::Timer => Verb::Timer,
            Control::Disconnect(seat) => Verb::Disconnect(self.check_seat(seat)?),
            Control::Reconnect(seat) => Verb::Reconnect(self.check_seat(seat)?),
            Control::Pause => Verb::Pause,
            Control::Resume => Verb::Resume,
            Control::DropItem(row) => {
                // Moderators name rows as judges see them.
                let event = self.look(Viewer::Judge, |eyes| eyes.event_of(row)).flatten();
                Verb::DropItem(event.ok_or(engine::Rejection::NoSuchItem)?)
            }
            Control::Kill => Verb::Void,
            Control::SetResult(winners) => {
                let players = winners.into_iter().map(|it| self.check_seat(it)).collect::<Result<Vec<_>, _>>()?;
                Verb::SetResult(players.iter().fold(0, |acc, it| acc | it.bit()))
            }
        };
        self.carry_out(&Command::Control(verb))
    }

    fn view(&self, viewer: Viewer) -> View {
        self.live.budget().begin();
        let view = self.look(viewer, |it| ruled_view::view(&self.live, it)).unwrap_or_default();
        let waiting = if let Waiting::Answers(seats) = self.waiting() { seats } else { Vec::new() };
        let waiting = waiting.iter().map(Seat::to_string).collect();
        View { branch_id: self.version(), viewer: viewer.to_string(), waiting, ..view }
    }

    fn prompts(&self, seat: Seat) -> Vec<Asked> {
        self.live.budget().begin();
        if self.check_running().is_err() || seat.0 >= self.n_seats() {
            return Vec::new();
        }
        if let Some((input, _)) = self.priority().filter(|it| it.1.0 == seat.0) {
            let name = self.numbering.name(seat.0, input).unwrap_or_default();
            let window = self.look(Viewer::Seat(seat), |eyes| ruled_prompt::window(&self.live, eyes, name));
            return window.map(|input| Asked { input, clock: None }).into_iter().collect();
        }
        self.state_asks().iter().filter_map(|it| self.prompt(seat, *it)).collect()
    }

    fn printed(&self, def: &str, attribute: &str) -> i64 {
        let program = self.live.ruleset().program();
        let def = program.text.defs.iter().position(|it| it.id == def).and_then(|it| program.defs.get(it));
        let attr = program.text.attrs.iter().position(|it| it.id == attribute).and_then(|it| program.attrs.get(it));
        let value = def.zip(attr).and_then(|(def, attr)| def.printed.get(usize::from(attr.column)));
        value.map_or(0, |it| i64::from(*it))
    }

    fn input_of(&self, seat: Seat, name: &str) -> Option<u32> {
        if let Named::Known(input) = self.numbering.input(seat.0, name) { Some(input) } else { None }
    }

    fn refine(&self, seat: Seat, query: &Query) -> Result<Page, Refused> {
        self.live.budget().begin();
        self.refine_by_refs(seat, query)
    }

    fn play(&mut self, seat: Seat, version: Option<u32>, play: &Play) -> Result<Progress, Refused> {
        self.play_by_refs(seat, version, play)
    }

    fn events(&self, viewer: Viewer, after: u32) -> Vec<Told> {
        self.tale(viewer).map(|it| it.after(after)).unwrap_or_default()
    }

    fn event_texts(&self, viewer: Viewer, after: u32) -> Vec<Arc<str>> {
        self.tale(viewer).map(|it| it.texts_after(after)).unwrap_or_default()
    }

    fn clocks(&self) -> Vec<(Clock, u32)> {
        let state = self.live.state();
        if self.check_running().is_err() {
            return Vec::new();
        }
        let timer = state.head.timer.map(|it| (Clock::Timer(self.timer_since), it.ms));
        let inputs = state.asks.iter().map(|it| (Clock::Input(it.no.0), it.deadline_ms)).filter(|it| it.1 > 0);
        let grace = self.disconnect_grace_ms().filter(|it| *it > 0);
        let gone = state.players().filter(|it| state.head.alive & !state.head.connected & it.bit() != 0);
        let grace = gone.filter_map(|it| Some((Clock::Grace(it.0), grace?)));
        timer.into_iter().chain(inputs).chain(grace).collect()
    }

    fn disconnect_grace_ms(&self) -> Option<u32> {
        self.live.ruleset().program().policy.disconnect_grace_ms
    }

    fn log_bytes(&self) -> Vec<u8> {
        self.log.encode()
    }

    fn log_header(&self) -> Vec<u8> {
        self.log.header().encode()
    }

    fn log_since(&mut self, from: usize) -> Vec<LogPart> {
        self.log.seal();
        let part = |(it, hash): (Transition<'_>, Hash)| LogPart {
            command: it.command_bytes().to_vec(),
            events: (it.records(), hash).encode(),
        };
        self.log.since(from).map(part).collect()
    }

    fn as_ruled(&self) -> Option<&RuledMatch> {
        Some(self)
    }

    fn as_ruled_mut(&mut self) -> Option<&mut RuledMatch> {
        Some(self)
    }

    fn hash(&self) -> [u8; 32] {
        self.live.hash()
    }

    fn fork(&self) -> Box<dyn HostedMatch> {
        Box::new(self.with(self.live.fork()))
    }

    fn explain(&self, viewer: Viewer, question: &Question) -> Result<Explanation, ExplainError> {
        RuledMatch::explain(self, viewer, question)
    }

    fn resample(&self, viewer: Viewer, seed: [u8; 32]) -> Result<Box<dyn HostedMatch>, Rejection> {
        let world = self.resampled(viewer, seed).ok_or(Common::CannotResample)?;
        Ok(Box::new(world))
    }
}
