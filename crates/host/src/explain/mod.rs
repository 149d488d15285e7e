//! Why things are as they are, for people and for clients: one question, one answer with its reasons, as text and as
//! data. A player is told nothing he may not know; how rules answered events is for judges.

mod forecast;
pub(crate) mod legality;
mod names;
mod reason;
mod trigger;
mod value;

use engine::{Match, PlayerId, view::Projector};
use ruleset::ActionId;
use script::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use forecast::{Expected, Likely};
pub use legality::explain as why_not;
pub use names::Names;
pub use reason::Reason;
pub use trigger::{trace, verdict};

use crate::ruled::RuledMatch;

/// What somebody wants to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    /// Why an action is legal now or not, with these in its first slots. Only judges ask for others than themselves.
    WhyNot {
        action: String,
        #[serde(default)]
        targets: Vec<String>,
        #[serde(default)]
        player: Option<String>,
    },
    /// Why rules answered an event or not; of one rule or card, or of all.
    Trigger {
        event: u32,
        #[serde(default)]
        of: Option<String>,
    },
    /// What made a number of a card or player what it is.
    Value { of: String, attribute: String },
    /// What will happen if an action is taken now.
    If {
        action: String,
        #[serde(default)]
        targets: Vec<String>,
    },
}

/// An answer, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The answer in a sentence.
    pub answer: String,
    /// Stable: for an action the code it would be refused with, or `legal`.
    pub code: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reasons: Vec<Reason>,
    /// What happens in every world that might be, and what may happen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Expected>,
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.answer)?;
        self.reasons.iter().try_for_each(|it| it.write(f, 1))?;
        self.expected.iter().try_for_each(|it| write!(f, "{it}"))
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExplainError {
    /// The game has no such action.
    #[error("the game has no such action: {0}")]
    UnknownAction(String),
    /// Nothing the viewer sees is called so.
    #[error("nothing is called so: {0}")]
    UnknownName(String),
    /// What the viewer may not ask.
    #[error("this is not yours to ask")]
    NotAllowed,
    /// The match has no such event.
    #[error("there was no such event: {0}")]
    UnknownEvent(u32),
    /// The answer costs more than the host allows.
    #[error("this costs more than a request may")]
    TooCostly,
    /// The log of the match cannot be read, or this kind of match explains nothing.
    #[error("this match cannot be explained")]
    NotThere,
}

impl ExplainError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownAction(_) => "explain/unknown_action",
            Self::UnknownName(_) => "explain/unknown_name",
            Self::NotAllowed => "explain/not_allowed",
            Self::UnknownEvent(_) => "explain/unknown_event",
            Self::TooCostly => crate::rejection::TOO_COSTLY,
            Self::NotThere => "explain/not_there",
        }
    }
}

impl RuledMatch {
    /// Answers a question of a viewer.
    pub fn explain(&self, viewer: Viewer, question: &Question) -> Result<Explanation, ExplainError> {
        self.live().budget().begin();
        let answer = self.answer_question(viewer, question)?;
        if self.live().budget().is_spent() { Err(ExplainError::TooCostly) } else { Ok(answer) }
    }

    fn answer_question(&self, viewer: Viewer, question: &Question) -> Result<Explanation, ExplainError> {
        match question {
            Question::WhyNot { action, targets, player } => self.ask(viewer, |asked| {
                let player = asked.player(viewer, player.as_deref())?;
                let (id, targets) = asked.begun(player, action, targets)?;
                legality::explain(asked.live, asked.eyes, player, id, &targets)
            }),
            Question::Value { of, attribute } => self.ask(viewer, |asked| value::explain(asked, of, attribute)),
            Question::If { action, targets } => {
                let (id, targets, player) = self.ask(viewer, |asked| {
                    let player = asked.player(viewer, None)?;
                    let (id, targets) = asked.begun(player, action, targets)?;
                    Ok((id, asked.completed(player, id, targets), player))
                })?;
                forecast::explain(self, viewer, player, id, targets)
            }
            Question::Trigger { event, of } => trigger::explain(self, viewer, *event, of.as_deref()),
        }
    }

    fn ask<T>(
        &self,
        viewer: Viewer,
        answer: impl FnOnce(&Asked<'_>) -> Result<T, ExplainError>,
    ) -> Result<T, ExplainError> {
        let looked = self.look(viewer, |eyes| {
            eyes.settle(self.live().state());
            answer(&Asked { live: self.live(), eyes })
        });
        looked.ok_or(ExplainError::NotAllowed)?
    }
}

/// A match as the one who asks sees it.
struct Asked<'a> {
    live: &'a Match,
    eyes: &'a Projector,
}

impl Asked<'_> {
    /// The player in question: the one who asks; for a judge whom he names, or who may act.
    fn player(&self, viewer: Viewer, named: Option<&str>) -> Result<PlayerId, ExplainError> {
        let named = named.map(|it| self.eyes.read_id(self.live, it).ok_or(ExplainError::UnknownName(it.to_owned())));
        let named = named.transpose()?.map(PlayerId::from);
        let head = &self.live.state().head;
        match viewer {
            Viewer::Seat(Seat(own)) if named.is_none_or(|it| it.0 == own) => Ok(PlayerId(own)),
            Viewer::Seat(_) | Viewer::Spectator => Err(ExplainError::NotAllowed),
            Viewer::Judge => Ok(named.or(head.window.map(|it| it.holder)).unwrap_or(head.active)),
        }
    }

    /// The beginning of an action, by its name and the names of what fills its first slots.
    fn begun(
        &self,
        player: PlayerId,
        action: &str,
        targets: &[String],
    ) -> Result<(ActionId, Vec<Vec<i64>>), ExplainError> {
        let actions = &self.live.ruleset().program().text.actions;
        let at = actions.iter().position(|it| it.label.id == action);
        let id = at.map(ActionId::at).ok_or_else(|| ExplainError::UnknownAction(action.to_owned()))?;
        let mut bound: Vec<Vec<i64>> = Vec::new();
        for target in targets {
            let value = names::read(self.live, self.eyes, player, id, bound.len(), target);
            bound.push(vec![value.ok_or_else(|| ExplainError::UnknownName(target.clone()))?]);
        }
        Ok((id, bound))
    }

    /// The slots that are left, each with the first that fits.
    fn completed(&self, player: PlayerId, id: ActionId, mut bound: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        while let Some(next) = self.live.candidates(player, id, &bound).filter(|it| !it.values.is_empty()) {
            bound.push(next.values.into_iter().take(usize::from(next.min)).collect());
        }
        bound
    }
}
