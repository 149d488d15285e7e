//! The context of a game: everything a game may know and do. Owns nothing but the way to the table.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use selector::{LabelRef, Response, Selector, Value};
use spin::Mutex;

use crate::event::Event;
use crate::face::Face;
use crate::limits::WORK_PER_ANSWER_MAX;
use crate::mistake::Mistake;
use crate::request::{Answered, Mode, Request};
use crate::seat::{Crowd, Seat, Viewer};
use crate::world::{Card, Visibility, World, ZoneId};

/// What a game and its match share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub world: World,
    /// Those who have left.
    pub out: Crowd,
    /// What was asked and not yet taken by the match.
    pub asked: Option<Request>,
    /// Whether a request waits for its answers.
    pub is_waiting: bool,
    /// What was answered and not yet taken by the game.
    pub answers: Option<Vec<Answered>>,
    /// How many more calls the game may make before the next answer.
    pub work: u32,
}

/// The table a game is played at.
///
/// All calls can be made from anywhere in the game. Handles of cards and zones belong to one table; a handle that is
/// not there is a [`Mistake`], which `?` hands on.
#[derive(Clone, Debug)]
pub struct Table(
    // The lock is never contended: game and match take turns. It is there so that a match can move between threads.
    pub(crate) Arc<Mutex<Shared>>,
);

impl Table {
    pub(crate) fn new(world: World) -> Self {
        let shared = Shared {
            world,
            out: Crowd::NONE,
            asked: None,
            is_waiting: false,
            answers: None,
            work: WORK_PER_ANSWER_MAX,
        };
        Table(Arc::new(Mutex::new(shared)))
    }

    fn with<T>(&self, act: impl FnOnce(&mut World) -> Result<T, Mistake>) -> Result<T, Mistake> {
        let mut shared = self.0.lock();
        shared.work = shared.work.checked_sub(1).ok_or(Mistake::TooMuchWork)?;
        act(&mut shared.world)
    }

    /// Writes what cannot be refused; a game that has used up its work writes nothing more, so that it cannot grow
    /// without end, and is stopped at its next call that can.
    fn write(&self, act: impl FnOnce(&mut World)) {
        let mut shared = self.0.lock();
        if let Some(left) = shared.work.checked_sub(1) {
            shared.work = left;
            act(&mut shared.world);
        }
    }

    /// The seats, in order.
    pub fn seats(&self) -> Vec<Seat> {
        (0..self.0.lock().world.n_seats).map(Seat).collect()
    }

    /// The seats from one on, in order of turns.
    pub fn seats_from(&self, first: Seat) -> Vec<Seat> {
        let mut seats = self.seats();
        let n = usize::from(first.0).min(seats.len());
        seats.rotate_left(n);
        seats
    }

    /// The next seat in order.
    pub fn next_seat(&self, seat: Seat) -> Seat {
        self.seats_from(seat).get(1).copied().unwrap_or(seat)
    }

    /// Says whether a player is still there. Who left is answered for, so a game need not ask.
    pub fn is_in(&self, seat: Seat) -> bool {
        !self.0.lock().out.has(Viewer::Seat(seat))
    }

    /// Lays out a zone that belongs to nobody.
    pub fn add_zone(&self, name: &str, visibility: Visibility) -> Result<ZoneId, Mistake> {
        self.with(|it| it.add_zone(name, None, visibility))
    }

    /// Lays out a zone of a player.
    pub fn add_own_zone(&self, name: &str, owner: Seat, visibility: Visibility) -> Result<ZoneId, Mistake> {
        self.with(|it| it.add_zone(name, Some(owner), visibility))
    }

    /// Puts a new card on top of a zone.
    pub fn add_card(&self, zone: ZoneId, face: Face) -> Result<Card, Mistake> {
        self.with(|it| it.add_card(zone, face))
    }

    /// The cards of a zone, from the bottom.
    pub fn cards(&self, zone: ZoneId) -> Result<Vec<Card>, Mistake> {
        self.with(|it| it.cards(zone))
    }

    /// What a card is. A game that keeps handles instead of faces lets bots think about what could be.
    pub fn face(&self, card: Card) -> Result<Arc<Face>, Mistake> {
        self.with(|it| it.face(card))
    }

    /// What a card is called.
    pub fn name(&self, card: Card) -> Result<String, Mistake> {
        self.face(card).map(|it| it.name.clone())
    }

    /// A number printed on a card; 0 if it is not there.
    pub fn value(&self, card: Card, name: &str) -> Result<i64, Mistake> {
        self.face(card).map(|it| it.values.get(name).copied().unwrap_or(0))
    }

    /// Where a card lies.
    pub fn zone_of(&self, card: Card) -> Result<ZoneId, Mistake> {
        self.with(|it| it.zone_of(card))
    }

    /// Puts a card on top of a zone.
    pub fn move_card(&self, card: Card, to: ZoneId) -> Result<(), Mistake> {
        self.with(|it| it.move_card(card, to, true))
    }

    /// Puts a card under a zone.
    pub fn move_under(&self, card: Card, to: ZoneId) -> Result<(), Mistake> {
        self.with(|it| it.move_card(card, to, false))
    }

    /// Moves the top cards of a zone, as many as there are up to a number.
    pub fn deal(&self, from: ZoneId, to: ZoneId, n: usize) -> Result<Vec<Card>, Mistake> {
        self.with(|it| it.deal(from, to, n))
    }

    /// Puts cards on top of a zone, one after the other.
    pub fn move_cards(&self, cards: &[Card], to: ZoneId) -> Result<(), Mistake> {
        self.with(|it| it.move_cards(cards, to))
    }

    /// Shows a card to some, until it moves.
    pub fn reveal(&self, card: Card, to: impl Into<Crowd>) -> Result<(), Mistake> {
        self.with(|it| it.reveal(card, to.into()))
    }

    /// Puts the cards of a zone into random order. Unless everybody sees them, their old handles are gone: nobody, not
    /// even the game, can follow a card through a shuffle.
    pub fn shuffle(&self, zone: ZoneId) -> Result<(), Mistake> {
        self.with(|it| it.shuffle(zone))
    }

    /// Takes a random number below a bound.
    pub fn random(&self, bound: u64) -> u64 {
        let mut shared = self.0.lock();
        shared.work = shared.work.saturating_sub(1);
        shared.world.dice.below(bound)
    }

    /// Tells what happens.
    pub fn tell(&self, event: Event) {
        self.write(|world| world.tell(event));
    }

    /// Writes a number or text of a player, which everybody sees.
    pub fn set(&self, seat: Seat, name: &str, value: impl Into<Value>) {
        self.write(|world| world.set(Some(seat), name, value.into()));
    }

    /// A number of a player; 0 if it was never written.
    pub fn get(&self, seat: Seat, name: &str) -> i64 {
        integer(self.0.lock().world.value(Some(seat), name))
    }

    /// Writes a number or text of the table, which everybody sees.
    pub fn set_shared(&self, name: &str, value: impl Into<Value>) {
        self.write(|world| world.set(None, name, value.into()));
    }

    /// A number of the table; 0 if it was never written.
    pub fn get_shared(&self, name: &str) -> i64 {
        integer(self.0.lock().world.value(None, name))
    }

    /// What a player calls a card he sees.
    pub(crate) fn name_for(&self, seat: Seat, card: Card) -> Option<(String, Arc<Face>)> {
        self.0.lock().world.name_for(Viewer::Seat(seat), card)
    }

    /// Asks one player and returns what he picked.
    pub async fn request_single(&self, selector: Selector) -> Result<Vec<Value>, Mistake> {
        let answered = self.ask_one(selector).await?;
        Ok(answered.response.items().map_or_else(|| alloc::vec![answered.response.selection.clone()], <[_]>::to_vec))
    }

    /// Asks several players at the same time and returns their answers in the order of the selectors, when all are in.
    pub async fn request_many(&self, selectors: Vec<Selector>) -> Result<Vec<Response>, Mistake> {
        self.request(Mode::Many, selectors).await.map(responses)
    }

    /// Like [`Table::request_many`], but every player must confirm his answer.
    pub async fn request_many_confirmed(&self, selectors: Vec<Selector>) -> Result<Vec<Response>, Mistake> {
        self.request(Mode::ManyConfirmed, selectors).await.map(responses)
    }

    /// Asks several players and returns the first answer; the others come too late.
    pub async fn request_any(&self, selectors: Vec<Selector>) -> Result<Response, Mistake> {
        self.request(Mode::Any, selectors).await.and_then(first).map(|it| it.response)
    }

    pub(crate) async fn ask_one(&self, selector: Selector) -> Result<Answered, Mistake> {
        self.request(Mode::Single, alloc::vec![selector]).await.and_then(first)
    }

    pub(crate) fn request(&self, mode: Mode, selectors: Vec<Selector>) -> Asking<'_> {
        Asking { table: self, request: Some(Request { mode, selectors }) }
    }
}

fn first(answers: Vec<Answered>) -> Result<Answered, Mistake> {
    answers.into_iter().next().ok_or(Mistake::Stuck)
}

fn responses(answers: Vec<Answered>) -> Vec<Response> {
    answers.into_iter().map(|it| it.response).collect()
}

fn integer(value: Option<Value>) -> i64 {
    match value.as_ref().and_then(Value::as_label) {
        Some(LabelRef::Integer(number)) => number,
        Some(LabelRef::Text(_) | LabelRef::Decimal(_)) | None => 0,
    }
}

/// A request that waits for its answers.
pub(crate) struct Asking<'t> {
    table: &'t Table,
    request: Option<Request>,
}

impl Future for Asking<'_> {
    type Output = Result<Vec<Answered>, Mistake>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let request = self.request.take();
        let mut shared = self.table.0.lock();
        let Some(request) = request else {
            return shared.answers.take().map_or(Poll::Pending, |it| Poll::Ready(Ok(it)));
        };
        if shared.is_waiting {
            return Poll::Ready(Err(Mistake::RequestOpen));
        }
        if let Err(mistake) = request.check(shared.world.n_seats) {
            return Poll::Ready(Err(mistake));
        }
        shared.is_waiting = true;
        shared.asked = Some(request);
        Poll::Pending
    }
}

impl From<Seat> for String {
    fn from(seat: Seat) -> Self {
        seat.to_string()
    }
}
