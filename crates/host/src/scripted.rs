//! A match of a scripted game, behind the face of all matches.

use parity_scale_codec::Encode as _;
use script::{Answer, Match, Mode, Progress, Record, Rejection as Common, Script, Seat, Status, Viewer};
use selector::{Kind, Options, Pick, Response, Value};
use view::{Constraints, Need, OnTimeout, Outcome, Page, PendingInput, Prompt, Told, View};

use crate::{
    asking,
    game::ReloadError,
    hosted::{Clock, Control, HostedMatch, LogPart, OpenRequest, Waiting},
    playing::{Asked, Play, Query},
    refused::Refused,
    rejection::Rejection,
    ruled::RuledMatch,
    ruled_prompt, ruled_refine, scripted_view,
};

/// A match of a scripted game.
pub struct ScriptedMatch(pub Match);

impl ScriptedMatch {
    /// A copy of how a match stood at a version, from its record, as a viewer may imagine it.
    pub fn branch(
        script: &Script,
        bytes: &[u8],
        version: u32,
        viewer: Viewer,
        seed: [u8; 32],
    ) -> Result<Box<dyn HostedMatch>, ReloadError> {
        let record = Record::read(bytes).map_err(ReloadError::Record)?;
        let after = |n: &usize| {
            let transitions = record.transitions.iter().take(*n).cloned().collect();
            Match::replay(script, &Record { header: record.header.clone(), transitions }).map_err(ReloadError::Record)
        };
        let lengths: Vec<usize> = (0..=record.transitions.len()).collect();
        let at = lengths.partition_point(|n| after(n).is_ok_and(|it| *n == 0 || it.version() < version));
        let then = after(&at)?;
        if then.version() != version {
            return Err(ReloadError::NoSuchVersion { version, last: after(&record.transitions.len())?.version() });
        }
        Self(then).resample(viewer, seed).map_err(ReloadError::Resample)
    }
}

impl ScriptedMatch {
    /// What a player is asked.
    fn prompt(&self, seat: Seat) -> Option<PendingInput> {
        let open = self.0.open(seat)?;
        let refs = asking::with_refs(&open.selector);
        let selector = asking::wire(&refs, |offset| ruled_prompt::cursor(self.0.version(), offset));
        let text = title(&open.selector);
        let drafted = |it: &Response| {
            let picks = asking::picks(&refs, &it.selection).ok()?;
            let id = |it: &Pick| refs.options.choices.get(it.choice as usize).map(|it| asking::choice(it).id);
            let pick = |it: view::Ref| match it {
                view::Ref::Number(number) => view::Pick::Number(number),
                other => view::Pick::Named(other.to_string()),
            };
            picks.iter().map(|it| id(it).map(pick)).collect::<Option<Vec<_>>>()
        };
        Some(PendingInput {
            input_id: format!("i{}", self.0.n_asked(seat)),
            for_player_ids: self.0.asked_seats().iter().map(Seat::to_string).collect(),
            kind: kind(&selector).to_owned(),
            constraints: Constraints { selector: Some(selector), may_pass: false, actions: Vec::new() },
            expires_at: None,
            on_timeout: OnTimeout::First,
            need: if open.mode == Mode::Any { Need::Any } else { Need::All },
            is_concurrent: open.mode.is_concurrent(),
            is_revisable: open.mode == Mode::ManyConfirmed,
            draft: open.draft.as_ref().and_then(drafted),
            source: None,
            prompt: Prompt { text, ..Prompt::default() },
        })
    }

    /// Refuses a name that is not that of the question a seat is asked.
    fn check_name(&self, seat: Seat, name: &str) -> Result<(), Refused> {
        let digits = name.strip_prefix('i').filter(|it| !it.starts_with(['0', '+']));
        let number = digits.and_then(|it| it.parse::<u32>().ok());
        match number {
            Some(number) if number == self.0.n_asked(seat) => Ok(()),
            Some(number) if (1..self.0.n_asked(seat)).contains(&number) => {
                Err(Common::TooLate { current: self.0.version() }.into())
            }
            Some(_) | None => Err(Refused::from(Common::UnknownInput).at("/inputId")),
        }
    }

    /// An answer in the words of the script.
    fn response(&self, seat: Seat, input: &str, selection: &Value) -> Result<Response, Refused> {
        self.check_name(seat, input)?;
        let Some(open) = self.0.open(seat) else {
            // Says what else is wrong: the match is over, or the seat has answered for good.
            let (response, version) = (Response::default(), self.0.version());
            let number = self.0.waiting().map_or(1, |it| it.0);
            let probe = Answer { seat, input: number, version, response, confirm: true };
            let why = self.0.fork().submit(&probe).err().unwrap_or(Common::NotAsked);
            return Err(why.into());
        };
        let selection = if open.selector.options.kind == Kind::Action {
            selection.clone()
        } else {
            let picks = asking::picks(&asking::with_refs(&open.selector), selection)?;
            picked(&open.selector.options, &picks)
        };
        let title = open.selector.title.clone();
        Ok(Response { actor: None, title, selection, is_user_response: true })
    }
}

/// Picks under the script's own names of the choices.
fn picked(options: &Options, picks: &[Pick]) -> Value {
    let item = |it: &Pick| {
        let choice = options.choices.get(it.choice as usize)?;
        Some(choice.picked(choice.nested.as_ref().map(|nested| picked(nested, &it.nested))))
    };
    Value::List(picks.iter().filter_map(item).collect())
}

/// How a question is shown.
fn kind(selector: &view::Selector) -> &'static str {
    let is_yes_no = |it: &view::Choice| matches!(it.id, view::Ref::Yes | view::Ref::No);
    match selector {
        it if it.range.is_some() => "number",
        it if it.kind.is_some() => "text",
        it if it.choices.len() == 2 && it.choices.iter().all(is_yes_no) => "confirm",
        it if it.choices.iter().any(|it| it.id.is_thing()) => "target_select",
        _ => "mode_pick",
    }
}

impl HostedMatch for ScriptedMatch {
    fn game(&self) -> &str {
        &self.0.script().name
    }

    fn n_seats(&self) -> u8 {
        self.0.n_seats()
    }

    fn version(&self) -> u32 {
        self.0.version()
    }

    fn waiting(&self) -> Waiting {
        match (self.0.status(), self.0.outcome_view()) {
            (_, Some(it)) => Waiting::Over(Outcome { winners: it.winners, reason: it.reason }),
            (Status::Broken(mistake), None) => Waiting::Paused(mistake.to_string()),
            (Status::Paused, None) => Waiting::Paused("a moderator".to_owned()),
            (_, None) => Waiting::Answers(self.0.missing()),
        }
    }

    fn open(&self, seat: Seat) -> Vec<OpenRequest> {
        let request = self.0.open(seat).map(|it| OpenRequest {
            input_id: it.id,
            text: title(&it.selector),
            kind: it.mode.as_str().to_owned(),
            is_concurrent: it.mode.is_concurrent(),
            selector: it.selector,
            draft: it.draft,
            deadline_ms: None,
        });
        request.into_iter().collect()
    }

    fn submit(&mut self, answer: &Answer) -> Result<Progress, Rejection> {
        Ok(self.0.submit(answer)?)
    }

    fn undo(&mut self, seat: Seat, version: u32) -> Result<Progress, Rejection> {
        Ok(self.0.undo(seat, version)?)
    }

    fn takeback(&mut self, to: u32, agreed: &[Seat], version: u32) -> Result<Progress, Rejection> {
        Ok(self.0.takeback(to, agreed, version)?)
    }

    fn control(&mut self, control: Control) -> Result<Progress, Rejection> {
        use script::Control as Verb;
        Ok(self.0.control(match control {
            Control::Timer => {
                return Err(match self.0.outcome_view() {
                    Some(_) if *self.0.status() == Status::Killed => script::Rejection::MatchKilled.into(),
                    Some(_) => script::Rejection::MatchOver.into(),
                    None => Rejection::NoSuchTimer,
                });
            }
            Control::Concede(seat) => Verb::Concede(seat),
            Control::Kick(seat) => Verb::Kick(seat),
            Control::Timeout(input) => Verb::Timeout(input),
            Control::Disconnect(seat) => Verb::Disconnect(seat),
            Control::Reconnect(seat) => Verb::Reconnect(seat),
            Control::Pause => Verb::Pause,
            Control::Resume => Verb::Resume,
            // A script has no stack.
            Control::DropItem(_) => return Err(Rejection::Rules(engine::Rejection::NoSuchItem)),
            Control::Kill => Verb::Kill,
            Control::SetResult(winners) => Verb::SetResult(winners),
        })?)
    }

    fn view(&self, viewer: Viewer) -> View {
        View { viewer: viewer.to_string(), ..scripted_view::view(&self.0, viewer) }
    }

    fn prompts(&self, seat: Seat) -> Vec<Asked> {
        self.prompt(seat).map(|input| Asked { input, clock: None }).into_iter().collect()
    }

    fn printed(&self, def: &str, attribute: &str) -> i64 {
        let cards = &self.0.script().catalogue.cards;
        cards.iter().find(|it| it.id == def).and_then(|it| it.printed.get(attribute)).copied().unwrap_or(0)
    }

    fn input_of(&self, seat: Seat, name: &str) -> Option<u32> {
        self.check_name(seat, name).ok()?;
        self.0.waiting().map(|it| it.0)
    }

    fn refine(&self, seat: Seat, query: &Query) -> Result<Page, Refused> {
        self.check_name(seat, &query.input)?;
        let open = self.0.open(seat).ok_or(Common::NotAsked)?;
        ruled_refine::of_question(&asking::with_refs(&open.selector), query, self.0.version())
    }

    fn play(&mut self, seat: Seat, version: Option<u32>, play: &Play) -> Result<Progress, Refused> {
        let Play::Answer { input, selection, is_draft } = play else {
            let message = "this game has no actions: it only asks";
            return Err(Refused::new("command/unknown_action", message).at("/actionType"));
        };
        let response = self.response(seat, input, selection)?;
        let version = version.unwrap_or_else(|| self.0.version());
        let mode = self.0.open(seat).map(|it| it.mode);
        if *is_draft && mode != Some(Mode::ManyConfirmed) {
            return Err(Refused::new("answer/no_drafts", "this question takes no drafts").at("/isDraft"));
        }
        let number = self.0.open(seat).map_or(0, |it| it.id);
        let answer = Answer { seat, input: number, version, response, confirm: !is_draft };
        Ok(self.submit(&answer)?)
    }

    fn events(&self, viewer: Viewer, after: u32) -> Vec<Told> {
        self.0.events(viewer, after).iter().map(|it| scripted_view::told(&self.0, it)).collect()
    }

    fn clocks(&self) -> Vec<(Clock, u32)> {
        Vec::new()
    }

    fn disconnect_grace_ms(&self) -> Option<u32> {
        None
    }

    fn log_bytes(&self) -> Vec<u8> {
        self.0.log_bytes()
    }

    fn log_header(&self) -> Vec<u8> {
        self.0.record().header.encode()
    }

    fn log_since(&mut self, from: usize) -> Vec<LogPart> {
        let parts = self.0.record().transitions.iter().skip(from);
        parts.map(|it| LogPart { command: it.entry.encode(), events: (&it.autos, it.hash).encode() }).collect()
    }

    fn as_ruled(&self) -> Option<&RuledMatch> {
        None
    }

    fn as_ruled_mut(&mut self) -> Option<&mut RuledMatch> {
        None
    }

    fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }

    fn fork(&self) -> Box<dyn HostedMatch> {
        Box::new(ScriptedMatch(self.0.fork()))
    }

    fn resample(&self, viewer: Viewer, seed: [u8; 32]) -> Result<Box<dyn HostedMatch>, Rejection> {
        Ok(Box::new(ScriptedMatch(self.0.resample(viewer, seed)?)))
    }
}

fn title(selector: &selector::Selector) -> String {
    selector.title.as_ref().map_or_else(String::new, ToString::to_string)
}
