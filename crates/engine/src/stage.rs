//! Sets a table: a match that begins in the middle, for scenarios, puzzles and studies.
//! What it sets goes through records like everything else.

use alloc::{sync::Arc, vec::Vec};

use ruleset::{AttrId, DefId, Ruleset, StepId, ZoneId};

use crate::{
    ids::{EntityId, EventNo, PlayerId},
    matches::{Match, Progress, Setup},
    record::{Record, Sink},
    rejection::Rejection,
    state::{Flow, MatchState},
};

/// A card on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub def: DefId,
    pub owner: PlayerId,
    pub zone: ZoneId,
    pub values: Vec<(AttrId, i32)>,
}

/// Where a staged match stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub seed: [u8; 32],
    pub n_players: u8,
    pub turn: u32,
    pub active: PlayerId,
    pub step: StepId,
    /// Cards, each on top of those before it in its zone.
    pub cards: Vec<Placed>,
    pub players: Vec<(PlayerId, AttrId, i32)>,
}

impl Match {
    /// Begins a match at a table that was set, with the players about to act in a step.
    pub fn staged<S: Sink>(ruleset: Arc<Ruleset>, stage: &Stage, sink: &mut S) -> Result<(Self, Progress), Rejection> {
        let decks = (0..stage.n_players).map(|_| Vec::new()).collect();
        let mut live = Self::empty(ruleset.clone(), &Setup { seed: stage.seed, decks })?;
        let program = ruleset.program();
        if program.step(stage.step).is_none() || stage.active.0 >= stage.n_players {
            return Err(Rejection::UnknownPlayer);
        }
        // Cards lay there before this turn began.
        let before = stage.turn.saturating_sub(1);
        let mut put = |live: &mut Match, record: Record<&[i64]>| {
            live.fold(&record);
            sink.record(live.state(), &record);
        };
        put(&mut live, Record::Flowed { turn: before, active: stage.active, step: stage.step, flow: Flow::Window });
        for (i, placed) in stage.cards.iter().enumerate() {
            let card = EntityId::at(i.saturating_add(usize::from(stage.n_players)));
            let to = MatchState::instance(program, placed.zone, placed.owner);
            put(&mut live, Record::Reserved(card));
            let event = EventNo::NONE;
            put(
                &mut live,
                Record::Created { event, cause: event, card, def: placed.def, owner: placed.owner, to, on_top: true },
            );
            for (attr, value) in &placed.values {
                let column = program.attr(*attr).map_or(u16::MAX, |it| it.column);
                let value = crate::intent::clamp_column(program, card, live.state(), column, *value);
                put(&mut live, Record::AttrSet { entity: card, column, value });
            }
        }
        for (player, attr, value) in &stage.players {
            let column = program.attr(*attr).map_or(u16::MAX, |it| it.column);
            let value = crate::intent::clamp_column(program, (*player).into(), live.state(), column, *value);
            put(&mut live, Record::AttrSet { entity: (*player).into(), column, value });
        }
        put(&mut live, Record::Flowed { turn: stage.turn, active: stage.active, step: stage.step, flow: Flow::Window });
        let progress = live.resume(sink);
        Ok((live, progress))
    }
}
