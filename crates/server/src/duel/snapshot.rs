//! A duel at one moment, as one of the two may see it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use host::{
    Game, OpenRequest, Seat, Viewer,
    hosted::Clock,
    view::{Outcome, Told, View},
};
use storage::{AccountId, MatchId, MatchRow};

use super::track;
use crate::{
    app::App,
    detail::{self, Detail, EndDetail},
    error::ApiError,
    room::{Mail, Room, deadline},
};

/// A duel at one moment.
pub struct Snapshot {
    pub row: MatchRow,
    pub seat: Seat,
    pub view: View,
    /// What happened after the event asked for.
    pub events: Vec<Told>,
    /// The question for cards, while it can be answered.
    pub open: Option<OpenRequest>,
    /// When the time for it is up, in milliseconds since 1970.
    pub deadline: Option<i64>,
    pub version: u32,
    /// The cards laid so far, and whether that is final.
    pub own: Option<(Vec<String>, bool)>,
    pub outcome: Option<Outcome>,
}

/// How much of a duel is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All there is.
    Whole,
    /// What happened; the table only where that is told, too: when a round begins, and at the end.
    News,
}

/// A card of a player: what he calls it, and what it is.
pub struct InHand {
    pub handle: String,
    pub card: String,
}

impl Snapshot {
    /// Looks at a match as an account sees it, without what happened.
    pub async fn take(app: &Arc<App>, id: &MatchId, account: &AccountId) -> Result<Self, ApiError> {
        Self::take_after(app, id, account, u32::MAX, Depth::Whole).await
    }

    /// Looks at a match as an account sees it, with what happened after an event.
    pub async fn take_after(
        app: &Arc<App>,
        id: &MatchId,
        account: &AccountId,
        after: u32,
        depth: Depth,
    ) -> Result<Self, ApiError> {
        let found = Arc::new(Mutex::new(None));
        let letter = |reply| {
            let (found, account) = (found.clone(), account.clone());
            let look = move |room: &Room| {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Self::of(room, &account, after, depth);
            };
            Mail::Look { look: Box::new(look), reply }
        };
        app.hub.ask(app, id, letter).await?;
        let taken = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| ApiError::not_found("match"))
    }

    fn of(room: &Room, account: &AccountId, after: u32, depth: Depth) -> Option<Self> {
        let seat = room.seat_of(account)?;
        let table = room.table.as_ref()?;
        let live = table.live.as_ref()?;
        let viewer = Viewer::Seat(seat);
        let mut snapshot = Self {
            row: table.row.clone(),
            seat,
            events: live.events(viewer, after),
            open: None,
            deadline: None,
            version: live.version(),
            own: None,
            outcome: live.outcome(),
            view: View::default(),
        };
        let game = room.app.games.by_rules(&table.row.rules)?.game;
        let is_told = snapshot.outcome.is_some() || snapshot.events.iter().any(|it| track::begins_round(&game, it));
        if depth == Depth::Whole || is_told {
            snapshot.view = live.view(viewer);
            // The time is also up for one who has nothing more to answer.
            let clock = table.clocks.iter().map(|it| it.clock).find(|it| matches!(it, Clock::Input(_)));
            snapshot.deadline = clock.and_then(|it| deadline(&room.app, &table.clocks, it));
            snapshot.open = live.open(seat).into_iter().next();
            snapshot.own = live.as_ruled().and_then(|it| it.own_choice(seat));
        }
        Some(snapshot)
    }

    /// Health by seat.
    pub fn health(&self, game: &Game) -> BTreeMap<String, i64> {
        detail::health(game, &self.view)
    }

    /// How it ended, if it did.
    pub fn end(&self, game: &Game) -> Option<EndDetail> {
        Some(EndDetail::new(game, &self.view, self.outcome.clone()?))
    }

    /// All cards of the player, wherever they lie, in the order in which he got them.
    pub fn hand(&self) -> Vec<InHand> {
        let own = self.seat.to_string();
        let handles = self.view.zones_of(Some(&own)).flat_map(|it| &it.1.cards);
        let card = |it: &String| InHand {
            handle: it.clone(),
            card: self.view.cards.get(it).and_then(|it| it.def.clone()).unwrap_or_default(),
        };
        let mut cards: Vec<InHand> = handles.map(card).collect();
        // A player never loses sight of his own cards, so that he calls them the same from beginning to end.
        cards.sort_by_key(|it| it.handle.trim_start_matches('c').parse().unwrap_or(u32::MAX));
        cards
    }

    /// What the player and the other are called.
    pub fn nicknames(&self) -> (String, String) {
        let seats = Detail::of(&self.row).seats;
        let name = |at: usize| seats.get(at).map(|it| it.nickname.clone()).unwrap_or_default();
        let own = usize::from(self.seat.0);
        (name(own), (0..seats.len()).find(|it| *it != own).map(name).unwrap_or_default())
    }

    /// Whether the time to lay cards runs.
    pub fn is_preparing(&self) -> bool {
        self.open.is_some() || self.deadline.is_some()
    }

    /// How many cards are asked for, or were laid; 0 while that cannot be seen.
    pub fn slots(&self) -> u32 {
        let laid = || self.own.as_ref().map_or(0, |it| u32::try_from(it.0.len()).unwrap_or(0));
        self.open.as_ref().map_or_else(laid, |it| it.selector.bounds().max)
    }

    /// How much is in the pot.
    pub fn pot(&self) -> u64 {
        u64::from(Detail::of(&self.row).stake).saturating_mul(self.row.seats.len() as u64)
    }
}
