//! What somebody asks of a match, carried out on it.

use host::{Answer, Control, HostedMatch, Progress, Seat};
use protocol::submit::{self, Action};
use view::PendingInput;

use crate::error::ApiError;

/// What somebody asks of a match.
#[derive(Clone, Debug)]
pub enum Act {
    /// `action.submit`.
    Action {
        action: Action,
        /// The version it was made for.
        version: Option<u32>,
    },
    /// `input.submit`.
    Input { answer: submit::Answer, version: Option<u32> },
    /// An answer of a bot, or of a duel.
    Answer(Answer),
    /// Take back one's own last answer.
    Undo { version: Option<u32> },
    /// Go back to a version, as all agree; or say that one does not.
    Takeback { to: u32, version: Option<u32>, agree: bool },
    /// `system.control`.
    Control(Control),
}

/// Carries out what a player asks; a refusal changes nothing.
pub fn carry_out(
    live: &mut dyn HostedMatch,
    seat: Option<Seat>,
    agreed: &[Seat],
    act: &Act,
) -> Result<Progress, ApiError> {
    let player = || seat.ok_or_else(|| ApiError::forbidden("only who sits at the table can do this"));
    match act {
        Act::Action { action, version } => {
            let seat = player()?;
            let played = live.play(seat, *version, &action.play);
            played.map_err(|it| submit::place(it, &action.places).into())
        }
        Act::Input { answer, version } => {
            let seat = player()?;
            let play = answer.play(question(live, seat, answer).as_ref())?;
            Ok(live.play(seat, *version, &play)?)
        }
        Act::Answer(answer) => Ok(live.submit(answer)?),
        Act::Undo { version } => {
            let version = version.unwrap_or_else(|| live.version());
            Ok(live.undo(player()?, version)?)
        }
        Act::Takeback { to, version, .. } => {
            let version = version.unwrap_or_else(|| live.version());
            Ok(live.takeback(*to, agreed, version)?)
        }
        Act::Control(control) => Ok(live.control(control.clone())?),
    }
}

/// The question that is answered, where a short form has to know it.
fn question(live: &dyn HostedMatch, seat: Seat, answer: &submit::Answer) -> Option<PendingInput> {
    let is_short = answer.answers.selection.is_none() || answer.answers.title.is_some();
    let mut open = if is_short { live.prompts(seat) } else { Vec::new() }.into_iter();
    open.find(|it| it.input.input_id == answer.input).map(|it| it.input)
}
