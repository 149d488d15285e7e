//! A match of a scripted game: takes answers, refuses bad ones without a trace, and can be restored from its record.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use parity_scale_codec::Encode;
use selector::{Response, Value};

use crate::closed::{Closed, chain};
use crate::codec::{Hash, Packed, hash_of};
use crate::event::show;
use crate::limits::AUTO_RUN_MAX;
use crate::mistake::Mistake;
use crate::open::{Open, OpenView, Part};
use crate::outcome::Outcome;
use crate::record::{Auto, Entry, Header, Record, RecordError, Transition};
use crate::rejection::Rejection;
use crate::request::{Answered, Mode};
use crate::run::{Effects, Run, StandIns, Step};
use crate::scripts::{Script, Setup};
use crate::seat::{Crowd, Seat, Viewer, viewers};
use crate::view::{EventView, OutcomeView, View};

/// An answer as a player gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub seat: Seat,
    /// The request that is answered.
    pub input: u32,
    /// The version of the match the answer was made for, its `branchId`.
    pub version: u32,
    pub response: Response,
    /// Whether the answer is final, where a request asks for that.
    pub confirm: bool,
}

/// What an accepted request led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The version of the match after it.
    pub version: u32,
    /// Whether the match went on; not if it waits for further answers to the same request.
    pub moved: bool,
}

/// How a match stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It waits for answers.
    Playing,
    /// A moderator paused it.
    Paused,
    /// A moderator ended it.
    Killed,
    /// The game made a mistake.
    Broken(Mistake),
    /// It is over.
    Over(Outcome),
}

/// A match.
pub struct Match {
    pub(crate) script: Script,
    pub(crate) setup: Setup,
    pub(crate) stand_ins: StandIns,
    pub(crate) run: Run,
    pub(crate) record: Record,
    /// The automatic answers of what is being carried out.
    pub(crate) autos: Vec<Auto>,
    /// What happened, for each viewer.
    pub(crate) tales: Vec<Vec<EventView>>,
    pub(crate) status: Status,
    pub(crate) open: Option<Open>,
    pub(crate) closed: Vec<Closed>,
    pub(crate) version: u32,
    pub(crate) next_input: u32,
    /// How often each seat was asked something.
    pub(crate) asked: Vec<u32>,
    pub(crate) chain: Hash,
    pub(crate) out: Crowd,
    /// Nothing before so many closed requests can be taken back.
    pub(crate) undo_floor: usize,
    /// From which closed request on another epoch of random numbers holds.
    pub(crate) epochs: Vec<(usize, u32)>,
    pub(crate) last_epoch: u32,
}

impl Match {
    /// Begins a match and plays until somebody has to answer.
    pub fn start(script: &Script, setup: Setup) -> Result<Self, Rejection> {
        script.check(&setup)?;
        Ok(Self::begin(script, setup, StandIns::new()))
    }

    pub(crate) fn begin(script: &Script, setup: Setup, stand_ins: StandIns) -> Self {
        let mut header = Header::new(script, setup.clone());
        header.stand_ins = stand_ins.iter().map(|(id, it)| (*id, (**it).clone())).collect();
        let mut live = Match {
            run: Run::new(script, &setup, stand_ins.clone()),
            tales: alloc::vec![Vec::new(); viewers(setup.n_seats).count()],
            chain: hash_of(&header),
            record: Record { header, transitions: Vec::new() },
            script: script.clone(),
            setup,
            stand_ins,
            autos: Vec::new(),
            status: Status::Playing,
            open: None,
            closed: Vec::new(),
            version: 0,
            next_input: 1,
            asked: Vec::new(),
            out: Crowd::NONE,
            undo_floor: 0,
            epochs: Vec::new(),
            last_epoch: 0,
        };
        let (step, effects) = live.run.step(None);
        live.chain = chain(&live.chain, &[], effects.told.last().map_or(&[], |it| it));
        live.tell_effects(effects);
        live.settle(step);
        live.keep(Entry::Start);
        live
    }

    /// The game it is a match of.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// How many sit at the table.
    pub fn n_seats(&self) -> u8 {
        self.setup.n_seats
    }

    /// The version of the match, its `branchId`: grows with every accepted change.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// How the match stands.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        if let Status::Over(outcome) = &self.status { Some(outcome) } else { None }
    }

    /// The number of the open request, and those who can answer it.
    pub fn waiting(&self) -> Option<(u32, Vec<Seat>)> {
        let open = self.open.as_ref().filter(|_| self.status == Status::Playing)?;
        let can = |it: &Seat| !self.out.has(Viewer::Seat(*it)) && self.may_answer(open, *it).is_ok();
        Some((open.id, open.seats().filter(can).collect()))
    }

    /// Those without whose answer the match cannot go on; in a race, all who can answer.
    pub fn missing(&self) -> Vec<Seat> {
        let open = self.open.as_ref().filter(|_| self.status == Status::Playing);
        let missing = open.map_or(Vec::new(), |it| it.view().missing);
        let missing = missing.iter().filter_map(|it| Seat::from_name(it));
        missing.filter(|it| !self.out.has(Viewer::Seat(*it))).collect()
    }

    /// What a player is asked; none if it is others' turn.
    pub fn open(&self, seat: Seat) -> Option<OpenView> {
        let open = self.open.as_ref().filter(|_| self.status == Status::Playing)?;
        let at = self.may_answer(open, seat).ok()?;
        let selector = open.request.selectors.get(at)?.clone();
        let draft = open.part(at).map(|it| it.answered.response.clone());
        Some(OpenView { id: open.id, mode: open.request.mode, selector, draft })
    }

    fn may_answer(&self, open: &Open, seat: Seat) -> Result<usize, Rejection> {
        let (at, _) = open.part_of(seat).ok_or(Rejection::NotAsked)?;
        if open.part(at).is_some_and(|it| it.is_final) {
            return Err(Rejection::AlreadyAnswered);
        }
        if self.out.has(Viewer::Seat(seat)) {
            return Err(Rejection::NotAsked);
        }
        Ok(at)
    }

    /// Takes an answer, or refuses it without changing anything.
    pub fn submit(&mut self, answer: &Answer) -> Result<Progress, Rejection> {
        let (at, answered) = self.judge(answer)?;
        let selection = Packed(answered.response.selection.clone());
        let before = self.version;
        let Some(open) = &mut self.open else { return Err(Rejection::UnknownInput) };
        let is_final = answer.confirm && open.request.mode == Mode::ManyConfirmed;
        open.put(at, Some(Part { answered, is_final }));
        self.close_if_complete();
        let Answer { seat, input, confirm, .. } = *answer;
        self.keep(Entry::Answer { input, seat, selection, confirm });
        Ok(self.progress(before))
    }

    /// Checks everything that can be wrong with an answer, in a fixed order.
    fn judge(&self, answer: &Answer) -> Result<(usize, Answered), Rejection> {
        self.check_playing()?;
        self.check_seat(answer.seat)?;
        if let Some(claimed) = answer.response.actor.as_ref().filter(|it| **it != answer.seat.to_string()) {
            return Err(Rejection::WrongActor { claimed: claimed.clone() });
        }
        let current = self.version;
        let open = self.open.as_ref().ok_or(Rejection::Broken)?;
        if answer.input == 0 || answer.input > open.id {
            return Err(Rejection::UnknownInput);
        }
        if answer.input < open.id {
            return Err(Rejection::TooLate { current });
        }
        let at = self.may_answer(open, answer.seat)?;
        // Answers to one request at the same time do not wait for each other.
        let may_be_older = open.request.mode.is_concurrent() && answer.version < current;
        if answer.version != current && !may_be_older {
            return Err(Rejection::Stale { current });
        }
        let selector = open.request.selectors.get(at).ok_or(Rejection::NotAsked)?;
        let answered = Answered::read(selector, &answer.response, true).map_err(Rejection::Refused)?;
        Ok((at, answered))
    }

    pub(crate) fn check_playing(&self) -> Result<(), Rejection> {
        match &self.status {
            Status::Playing => Ok(()),
            Status::Paused => Err(Rejection::MatchPaused),
            Status::Killed => Err(Rejection::MatchKilled),
            Status::Broken(_) => Err(Rejection::Broken),
            Status::Over(_) => Err(Rejection::MatchOver),
        }
    }

    pub(crate) fn check_seat(&self, seat: Seat) -> Result<(), Rejection> {
        if seat.0 < self.setup.n_seats { Ok(()) } else { Err(Rejection::UnknownPlayer) }
    }

    pub(crate) fn progress(&self, before: u32) -> Progress {
        Progress { version: self.version, moved: self.version != before }
    }

    /// Goes on if nothing is missing any more.
    pub(crate) fn close_if_complete(&mut self) {
        if let Some(open) = self.open.take_if(|it| it.is_complete()) {
            let step = self.close(&open);
            self.version = self.version.saturating_add(1);
            self.settle(step);
        }
    }

    /// Hands the game its answers.
    fn close(&mut self, open: &Open) -> Step {
        let answers = open.answers();
        let (step, effects) = self.run.step(Some(answers.clone()));
        let (version, before) = (self.version, self.chain);
        self.chain = chain(&before, &answers, effects.told.last().map_or(&[], |it| it));
        let (rolled, learned) = (effects.rolled, effects.learned);
        self.closed.push(Closed { answers, version, chain: before, rolled, learned });
        self.tell_effects(effects);
        step
    }

    /// Opens what the game asks, answers what is forced, and goes on until somebody must answer.
    pub(crate) fn settle(&mut self, mut step: Step) {
        for _ in 0..AUTO_RUN_MAX {
            let request = match step {
                Step::Asks(request) => request,
                Step::Ended(outcome) => return self.end(outcome),
                Step::Broken(mistake) => return self.break_down(mistake),
            };
            let mut open = Open::new(self.next_input, request);
            self.next_input = self.next_input.saturating_add(1);
            self.autos.extend(open.fill(self.out));
            if !open.is_complete() {
                self.count_asked(&open);
                self.open = Some(open);
                return;
            }
            step = self.close(&open);
        }
        self.break_down(Mistake::ForcedLoop);
    }

    fn count_asked(&mut self, open: &Open) {
        self.asked.resize(usize::from(self.setup.n_seats), 0);
        for seat in open.seats() {
            self.asked.get_mut(usize::from(seat.0)).into_iter().for_each(|it| *it = it.saturating_add(1));
        }
    }

    /// How often a seat was asked something: what it calls the question that is open.
    pub fn n_asked(&self, seat: Seat) -> u32 {
        self.asked.get(usize::from(seat.0)).copied().unwrap_or(0)
    }

    /// All who are asked what is open.
    pub fn asked_seats(&self) -> Vec<Seat> {
        self.open.iter().flat_map(Open::seats).collect()
    }

    /// Ends the match. Who left has not won.
    pub(crate) fn end(&mut self, mut outcome: Outcome) {
        outcome.winners.retain(|it| !self.out.has(Viewer::Seat(*it)));
        let winners = outcome.winners.iter().map(|it| it.to_string().into()).collect();
        let fields = [("winners", Value::List(winners)), ("reason", outcome.reason.as_str().into())];
        self.tell_all("ended", "the match is over, won by {winners}: {reason}", &fields);
        self.open = None;
        self.status = Status::Over(outcome);
    }

    fn break_down(&mut self, mistake: Mistake) {
        let fields = [("code", mistake.code().into()), ("mistake", mistake.to_string().into())];
        self.tell_all("broken", "the game cannot go on: {mistake}", &fields);
        self.open = None;
        self.status = Status::Broken(mistake);
    }

    /// Tells everybody the same.
    pub(crate) fn tell_all(&mut self, kind: &str, text: &str, fields: &[(&str, Value)]) {
        let fields = fields.iter().map(|(name, it)| (String::from(*name), it.clone())).collect();
        let event = show(kind, Some(text), fields);
        let told = self.tales.iter().map(|_| alloc::vec![event.clone()]).collect();
        self.tell_effects(Effects { told, rolled: false, learned: Crowd::NONE });
    }

    fn tell_effects(&mut self, effects: Effects) {
        for (tale, told) in self.tales.iter_mut().zip(effects.told) {
            for mut event in told {
                event.seq = u32::try_from(tale.len()).unwrap_or(u32::MAX).saturating_add(1);
                tale.push(event);
            }
        }
    }

    /// Writes down what was accepted.
    pub(crate) fn keep(&mut self, entry: Entry) {
        let autos = core::mem::take(&mut self.autos);
        let hash = self.hash();
        self.record.transitions.push(Transition { entry, autos, hash });
    }

    /// The hash of everything that decides how the match goes on.
    pub fn hash(&self) -> Hash {
        let part = |it: &Part| (Packed(it.answered.response.to_value()), it.is_final);
        let parts = |it: &Open| (it.id, it.parts.iter().map(|it| it.as_ref().map(part)).collect::<Vec<_>>());
        let status = match &self.status {
            Status::Playing => (0_u8, None, String::new()),
            Status::Paused => (1, None, String::new()),
            Status::Killed => (2, None, String::new()),
            Status::Broken(mistake) => (3, None, mistake.to_string()),
            Status::Over(outcome) => (4, Some(outcome), String::new()),
        };
        hash_of(&(self.chain, self.version, self.next_input, self.out, status, self.open.as_ref().map(parts)))
    }

    /// The record of the match.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The record as bytes; [`Match::restore`] reads them.
    pub fn log_bytes(&self) -> Vec<u8> {
        self.record.encode()
    }

    /// The answers that led here, automatic ones included, in order.
    pub fn answers(&self) -> impl Iterator<Item = &Response> {
        self.closed.iter().flat_map(|it| &it.answers).map(|it| &it.response)
    }

    /// Plays a match again from its record.
    pub fn restore(script: &Script, bytes: &[u8]) -> Result<Self, RecordError> {
        Self::replay(script, &Record::read(bytes)?)
    }

    /// Plays a match again, and says where it leads elsewhere.
    pub fn replay(script: &Script, record: &Record) -> Result<Self, RecordError> {
        record.check(script)?;
        let stand_ins = record.header.stand_ins.iter().map(|(id, it)| (*id, Arc::new(it.clone()))).collect();
        let mut live = Self::begin(script, record.header.setup.clone(), stand_ins);
        for (transition, it) in record.transitions.iter().enumerate() {
            if (it.entry == Entry::Start) != (transition == 0) {
                return Err(RecordError::MisplacedStart { transition });
            }
            live.apply(&it.entry).map_err(|why| RecordError::BadEntry { transition, why })?;
            if live.record.transitions.last() != Some(it) {
                return Err(RecordError::Diverged { transition });
            }
        }
        Ok(live)
    }

    /// Does again what was accepted once.
    fn apply(&mut self, entry: &Entry) -> Result<(), Rejection> {
        let version = self.version;
        match entry {
            Entry::Start => Ok(()),
            Entry::Answer { input, seat, selection, confirm } => {
                let title = self.open(*seat).and_then(|it| it.selector.title);
                let selection = selection.0.clone();
                let response = Response { actor: None, title, selection, is_user_response: true };
                let answer = Answer { seat: *seat, input: *input, version, response, confirm: *confirm };
                self.submit(&answer).map(drop)
            }
            Entry::Withdraw { seat, .. } | Entry::Undo { seat } => self.undo(*seat, version).map(drop),
            Entry::Takeback { to, agreed } => {
                let agreed: Vec<Seat> =
                    (0..self.setup.n_seats).map(Seat).filter(|it| agreed.has(Viewer::Seat(*it))).collect();
                self.takeback(*to, &agreed, version).map(drop)
            }
            Entry::Control(control) => self.control(control.clone()).map(drop),
        }
    }

    /// The match as a viewer sees it.
    pub fn view(&self, viewer: Viewer) -> View {
        let shared = self.run.table.0.lock();
        View {
            branch_id: self.version,
            values: shared.world.values_view(),
            players: shared.world.seats_view(self.out),
            zones: shared.world.zones_view(viewer),
            stack: Vec::new(),
            waiting: self.open.iter().map(Open::view).collect(),
            is_paused: matches!(self.status, Status::Paused | Status::Broken(_)),
            outcome: self.outcome_view(),
        }
    }

    /// How the match ended, as everybody sees it.
    pub fn outcome_view(&self) -> Option<OutcomeView> {
        match &self.status {
            Status::Over(outcome) => Some(outcome.view()),
            Status::Killed => Some(OutcomeView { winners: Vec::new(), reason: "killed".into() }),
            Status::Playing | Status::Paused | Status::Broken(_) => None,
        }
    }

    /// What happened after an event, as a viewer saw it happen.
    pub fn events(&self, viewer: Viewer, after: u32) -> &[EventView] {
        let place = viewers(self.setup.n_seats).position(|it| it == viewer);
        let tale = place.and_then(|it| self.tales.get(it)).map_or(&[][..], |it| it);
        tale.get(after as usize..).unwrap_or_default()
    }
}
