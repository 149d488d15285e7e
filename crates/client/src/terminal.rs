//! A client for any game in any terminal: tells what happens, draws the table, and reads lines.
//!
//! It listens to the server and to the player at the same time, so that whoever thinks about his move hears that the
//! other asks to go back, that he has left, or that the connection is lost.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use host::{sketch, telling};
use protocol::{TakebackBody, TakebackEnd};
use serde_json::json;
use tokio::sync::mpsc;
use view::PendingInput;

use crate::{
    error::ClientError,
    pick::Picked,
    seat::{Link, Seat},
    stage::Stage,
};

/// Where lines are shown.
pub trait Screen: Send + Sync {
    /// Shows a line.
    fn show(&self, line: &str);

    /// Shows that a line is waited for.
    fn prompt(&self, text: &str);
}

/// How playing ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The match is over; how it ended.
    Over(String),
    /// The player has had enough, and may come back.
    Left,
}

/// What can be typed at any time.
pub const HELP: [&str; 7] = [
    "a number      picks what stands beside it; several are separated by spaces; a name does as well",
    "back          leaves a choice half-way",
    "look          shows the table and your choices again",
    "undo          takes your last answer back; if that needs the others, they are asked; agrees if you are asked",
    "refuse        if you are asked to go back, or ask no longer",
    "concede       gives the match up",
    "quit          leaves the terminal; the match goes on, and you can come back",
];

/// How long nothing happens before a player who was interrupted is asked again: what is told in several messages is not
/// interrupted itself.
const LULL: Duration = Duration::from_millis(50);

/// Plays until the match is over, the player leaves, or his lines end.
pub async fn play(
    seat: &mut Seat,
    lines: &mut mpsc::Receiver<String>,
    screen: &Arc<dyn Screen>,
) -> Result<End, ClientError> {
    let told = screen.clone();
    seat.watch(move |link| match link {
        Link::Lost => told.show("! the connection is lost; trying to come back ..."),
        Link::Back => told.show("! the connection is back"),
    });
    let mut sitting = Sitting {
        screen: screen.clone(),
        question: None,
        takeback: None,
        waits_for: None,
        is_behind: false,
        gives_up: false,
    };
    loop {
        if let Some(end) = sitting.show_news(seat) {
            return Ok(End::Over(end));
        }
        sitting.show_question(seat);
        tokio::select! {
            () = tokio::time::sleep(LULL), if sitting.is_interrupted() => sitting.prompt(),
            line = lines.recv() => match line {
                Some(line) if !line.trim().eq_ignore_ascii_case("quit") => sitting.read(seat, &line).await?,
                Some(_) | None => return Ok(End::Left),
            },
            heard = seat.wait() => match heard {
                // The player decides when he has waited long enough.
                Err(ClientError::Unreachable(_)) => {
                    screen.show("! there is still no connection; trying on (quit leaves)");
                }
                heard => heard?,
            },
        }
    }
}

/// Somebody at a terminal.
struct Sitting {
    screen: Arc<dyn Screen>,
    /// What he is asked, and how far he has answered.
    question: Option<(PendingInput, Stage)>,
    /// What he was last told about going back.
    takeback: Option<TakebackBody>,
    /// Whom he was last told to wait for.
    waits_for: Option<String>,
    /// Whether something was shown after what he is asked.
    is_behind: bool,
    /// Whether he has said once that he concedes.
    gives_up: bool,
}

impl Sitting {
    /// Shows what happened; gives how the match ended once it has.
    fn show_news(&mut self, seat: &mut Seat) -> Option<String> {
        let mut news: Vec<String> = seat.mirror.take_news().iter().filter_map(telling::tell).collect();
        news.extend(seat.mirror.ended.take().map(|(end, by)| format!("! {}", settled(end, by.as_deref()))));
        let open = seat.mirror.takeback.clone().filter(|it| self.takeback.as_ref() != Some(it));
        news.extend(open.map(|it| asked(&it, &seat.mirror.viewer)));
        self.takeback.clone_from(&seat.mirror.takeback);
        news.iter().for_each(|it| self.screen.show(it));
        self.is_behind |= !news.is_empty();
        let outcome = seat.mirror.view.outcome.as_ref()?;
        let who = match outcome.winners.as_slice() {
            [] => "nobody".to_owned(),
            winners if winners.contains(&seat.mirror.viewer) => "you".to_owned(),
            winners => winners.join(" and "),
        };
        Some(format!("{who} won ({})", outcome.reason))
    }

    /// Shows what he is asked, if that is new; or whom he waits for.
    fn show_question(&mut self, seat: &Seat) {
        let Some(input) = seat.mirror.asked() else {
            self.question = None;
            return self.show_wait(seat);
        };
        self.waits_for = None;
        if let Some((known, _)) = self.question.as_mut().filter(|it| is_same(&it.0, input)) {
            known.clone_from(input);
            return;
        }
        let stage = Stage::new(input, &seat.catalogue, &title(input));
        self.question = Some((input.clone(), stage));
        self.show_table(seat);
    }

    fn show_wait(&mut self, seat: &Seat) {
        let missing: Vec<&str> = seat.mirror.view.waiting.iter().map(String::as_str).collect();
        // The question is on its way.
        if missing.contains(&seat.mirror.viewer.as_str()) && seat.mirror.inputs.is_empty() {
            return;
        }
        let missing = if missing.is_empty() { "the game".to_owned() } else { missing.join(" and ") };
        if self.waits_for.as_ref() != Some(&missing) {
            self.screen.show(&format!("waiting for {missing} ... (undo, concede, help, quit)"));
            self.waits_for = Some(missing);
        }
    }

    /// Whether something was shown after what he is asked, so that he has to be asked again.
    fn is_interrupted(&self) -> bool {
        self.is_behind && self.question.is_some()
    }

    fn show_table(&mut self, seat: &Seat) {
        self.screen.show(&format!("\n{}", sketch(&seat.mirror.view, &seat.catalogue)));
        if let Some((input, stage)) = &self.question {
            let hint = Some(input.prompt.hint.as_str()).filter(|it| !it.is_empty());
            hint.iter().for_each(|it| self.screen.show(it));
            seconds_left(input).iter().for_each(|it| self.screen.show(&format!("you have {it} seconds")));
            stage.picker.choices().iter().for_each(|it| self.screen.show(it));
        }
        self.prompt();
    }

    fn prompt(&mut self) {
        self.is_behind = false;
        if let Some((_, stage)) = &self.question {
            self.screen.prompt(&format!("{} (help) > ", stage.prompt()));
        }
    }

    /// Carries out what he typed.
    async fn read(&mut self, seat: &mut Seat, line: &str) -> Result<(), ClientError> {
        let word = line.trim().to_lowercase();
        let gave_up = std::mem::take(&mut self.gives_up);
        let done = match word.as_str() {
            "help" | "?" => {
                HELP.iter().for_each(|it| self.screen.show(it));
                self.prompt();
                Ok(())
            }
            "look" => {
                self.show_table(seat);
                Ok(())
            }
            "undo" => self.undo(seat).await,
            "refuse" => self.refuse(seat).await,
            "concede" if gave_up => seat.submit("system.control", &json!({ "verb": "concede" })).await.map(drop),
            "concede" => {
                self.gives_up = true;
                self.screen.show("this gives the match up; type concede once more to do it");
                self.prompt();
                Ok(())
            }
            _ => self.answer(seat, line).await,
        };
        self.show_refusal(seat, done).await
    }

    /// What is refused is said, and changes nothing; what breaks ends it.
    async fn show_refusal(&mut self, seat: &mut Seat, done: Result<(), ClientError>) -> Result<(), ClientError> {
        match done {
            Err(error) if error.conflict().is_some() => {
                self.screen.show("  the match has moved on meanwhile; this is how it stands now");
                self.question = None;
                seat.look_again().await;
                Ok(())
            }
            Err(refused @ ClientError::Refused(_)) => {
                self.screen.show(&format!("  {refused}"));
                self.prompt();
                Ok(())
            }
            Err(ClientError::Unreachable(_)) => {
                self.screen.show("! no answer: look what became of it once the connection is back (quit leaves)");
                Ok(())
            }
            other => other,
        }
    }

    async fn answer(&mut self, seat: &mut Seat, line: &str) -> Result<(), ClientError> {
        let Some((input, stage)) = &mut self.question else {
            if !line.trim().is_empty() {
                self.screen.show("you are not asked anything now (undo, concede, help, quit)");
            }
            return Ok(());
        };
        // An empty line is an answer only where nothing can be picked.
        if line.trim().is_empty() && !stage.picker.takes_nothing() {
            self.prompt();
            return Ok(());
        }
        match stage.pick(line) {
            Picked::Done(response) => {
                let input = input.clone();
                if stage.take(seat, &input, &response.selection).await? {
                    // The same may be asked again, and then the table is shown again.
                    self.question = None;
                    return Ok(());
                }
                self.show_choices();
                Ok(())
            }
            Picked::More => {
                self.show_choices();
                Ok(())
            }
            Picked::Wrong(why) => {
                self.screen.show(&format!("  {why}"));
                self.prompt();
                Ok(())
            }
        }
    }

    fn show_choices(&mut self) {
        if let Some((_, stage)) = &self.question {
            stage.picker.choices().iter().for_each(|it| self.screen.show(it));
        }
        self.prompt();
    }

    /// Agrees to going back if he is asked; else takes his last answer back, or asks the others to.
    async fn undo(&mut self, seat: &mut Seat) -> Result<(), ClientError> {
        if let Some(open) = self.takeback.clone().filter(|it| it.missing.contains(&seat.mirror.viewer)) {
            return seat.submit("takeback.submit", &json!(open.answers.agree)).await.map(drop);
        }
        let alone = seat.submit("undo.submit", &json!({})).await;
        let to = match (alone, seat.answered.last()) {
            (Err(refused), Some(to)) if refused.code() == "command/cannot_undo" => *to,
            (alone, _) => return alone.map(drop),
        };
        let asked = seat.submit("takeback.submit", &json!({ "to": to, "agree": true })).await?;
        if !asked.moved {
            self.screen.show("  others have gone on since then, so they are asked whether they agree");
        }
        Ok(())
    }

    async fn refuse(&mut self, seat: &mut Seat) -> Result<(), ClientError> {
        let Some(open) = self.takeback.clone() else {
            self.screen.show("nobody asks to go back");
            self.prompt();
            return Ok(());
        };
        seat.submit("takeback.submit", &json!(open.answers.refuse)).await.map(drop)
    }
}

/// Whether a player is asked the same, though it has another number since somebody came or went.
fn is_same(one: &PendingInput, two: &PendingInput) -> bool {
    one.kind == two.kind && one.prompt == two.prompt && one.constraints == two.constraints
}

/// What a question is called.
fn title(input: &PendingInput) -> String {
    let text = input.prompt.text.as_str();
    match (input.kind.as_str(), text) {
        ("priority", "") => "your move".to_owned(),
        ("priority", step) => format!("{step}, your move"),
        (_, "") => input.constraints.selector.as_ref().map_or_else(|| "choose".to_owned(), |it| it.title.clone()),
        (_, text) => text.to_owned(),
    }
}

/// What a takeback says to a player.
fn asked(it: &TakebackBody, viewer: &str) -> String {
    let TakebackBody { by, missing, .. } = it;
    if missing.iter().any(|it| it == viewer) {
        return format!("! {by} asks to take a move back: type undo to agree, or refuse; a move of yours refuses, too");
    }
    format!("! {by} asks to take a move back; {} may agree", missing.join(" and "))
}

fn settled(end: TakebackEnd, by: Option<&str>) -> String {
    let by = by.unwrap_or("somebody");
    match end {
        TakebackEnd::Agreed => "all agreed to take back".to_owned(),
        TakebackEnd::Refused => format!("{by} does not want to take back"),
        TakebackEnd::Withdrawn => format!("{by} does not ask to take back any more"),
        TakebackEnd::Overtaken => "the match went on, so nothing is taken back".to_owned(),
        TakebackEnd::Replaced => format!("{by} asks for something else"),
    }
}

/// How long he has to answer, if that is limited.
fn seconds_left(input: &PendingInput) -> Option<i64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let left = input.expires_at?.saturating_sub(i64::try_from(now.as_millis()).unwrap_or(i64::MAX));
    Some(left.max(0) / 1000)
}
