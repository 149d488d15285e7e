//! A client for any game in any terminal: tells what happens, draws the table, and reads numbers.

use host::sketch;

use crate::{error::ClientError, pick, pick::Console, seat::Seat};

/// Plays until the match is over; gives the text of how it ended.
pub async fn play<C: Console<Error = ClientError>>(seat: &mut Seat, console: &mut C) -> Result<String, ClientError> {
    loop {
        seat.mirror.take_news().iter().for_each(|it| console.show(&it.text));
        if let Some(outcome) = &seat.mirror.view.outcome {
            let winners = if outcome.winners.is_empty() { "nobody".to_owned() } else { outcome.winners.join(" and ") };
            return Ok(format!("{winners} won ({})", outcome.reason));
        }
        let Some(input) = seat.mirror.inputs.first().cloned().filter(|it| it.draft.is_none()) else {
            seat.wait().await?;
            continue;
        };
        console.show(&format!("\n{}", sketch(&seat.mirror.view)));
        let response = pick::read_response(console, &input.constraints.selector)?;
        match seat.answer(&input, &response).await {
            Ok(_) => {}
            Err(error) if error.conflict().is_some() => {
                console.show("  the match has moved on meanwhile; this is how it stands now");
                seat.hang_up();
                seat.wait().await?;
            }
            Err(refused @ ClientError::Refused(_)) => console.show(&format!("  {refused}")),
            Err(error) => return Err(error),
        }
    }
}
