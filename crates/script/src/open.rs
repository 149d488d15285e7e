//! The request that is open: who is asked, and what has been answered so far.

use alloc::string::ToString;
use alloc::vec::Vec;

use selector::{Response, Selector};

use crate::codec::Packed;
use crate::record::Auto;
use crate::request::{Answered, Mode, Request};
use crate::seat::{Crowd, Seat, Viewer};
use crate::view::WaitView;

/// An answer to a part of the open request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub answered: Answered,
    /// Whether the player cannot change it any more.
    pub is_final: bool,
}

/// The open request.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub id: u32,
    pub request: Request,
    /// One for each selector.
    pub parts: Vec<Option<Part>>,
}

/// The open request as one who is asked sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenView {
    pub id: u32,
    pub mode: Mode,
    pub selector: Selector,
    /// What he has answered so far and may still replace.
    pub draft: Option<Response>,
}

impl Open {
    /// A request nobody has answered.
    pub fn new(id: u32, request: Request) -> Self {
        let parts = request.selectors.iter().map(|_| None).collect();
        Open { id, request, parts }
    }

    /// The part that a player is asked.
    pub fn part_of(&self, seat: Seat) -> Option<(usize, &Selector)> {
        let name = seat.to_string();
        self.request.selectors.iter().enumerate().find(|(_, it)| it.actor == name)
    }

    /// What was answered to a selector.
    pub fn part(&self, at: usize) -> Option<&Part> {
        self.parts.get(at).and_then(Option::as_ref)
    }

    /// Writes down what was answered to a selector, or that it was taken back.
    pub fn put(&mut self, at: usize, part: Option<Part>) {
        self.parts.get_mut(at).into_iter().for_each(|it| it.clone_from(&part));
    }

    /// Those who answered a part themselves.
    pub fn users(&self) -> Crowd {
        let own = self.parts.iter().flatten().filter(|it| it.answered.response.is_user_response);
        own.filter_map(|it| Seat::from_name(it.answered.response.actor.as_deref()?)).collect()
    }

    /// Says whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        match self.request.mode {
            Mode::Single | Mode::Many => self.parts.iter().all(Option::is_some),
            Mode::ManyConfirmed => self.parts.iter().all(|it| it.as_ref().is_some_and(|it| it.is_final)),
            Mode::Any => self.parts.iter().any(Option::is_some),
        }
    }

    /// Answers what needs no player: forced selections, and the least answer for those who left.
    pub fn fill(&mut self, out: Crowd) -> Vec<Auto> {
        let forced = |it: &Selector| it.auto_response();
        let mut autos = self.fill_where(|_| true, forced);
        let left = |it: Seat| out.has(Viewer::Seat(it));
        let all_left = self.seats().all(left);
        if self.request.mode != Mode::Any || all_left {
            autos.extend(self.fill_where(left, least));
        }
        autos
    }

    /// Answers for everybody who has not.
    pub fn fill_all(&mut self) -> Vec<Auto> {
        self.parts.iter_mut().flatten().for_each(|it| it.is_final = true);
        self.fill_where(|_| true, least)
    }

    fn fill_where(&mut self, who: impl Fn(Seat) -> bool, how: impl Fn(&Selector) -> Option<Response>) -> Vec<Auto> {
        let mut autos = Vec::new();
        for (selector, part) in self.request.selectors.iter().zip(&mut self.parts) {
            let Some(seat) = Seat::from_name(&selector.actor).filter(|it| part.is_none() && who(*it)) else { continue };
            let answered = how(selector).and_then(|it| Answered::read(selector, &it, false).ok());
            let Some(answered) = answered else { continue };
            let selection = Packed(answered.response.selection.clone());
            autos.push(Auto { input: self.id, seat, selection });
            *part = Some(Part { answered, is_final: true });
            if self.request.mode == Mode::Any {
                break;
            }
        }
        autos
    }

    /// All who are asked.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        self.request.selectors.iter().filter_map(|it| Seat::from_name(&it.actor))
    }

    /// The answers, in the order of the selectors.
    pub fn answers(&self) -> Vec<Answered> {
        self.parts.iter().flatten().map(|it| it.answered.clone()).collect()
    }

    /// The request as everybody sees it.
    pub fn view(&self) -> WaitView {
        let missing = self.request.selectors.iter().zip(&self.parts);
        let missing = missing.filter(|(_, it)| it.as_ref().is_none_or(|it| !self.counts(it)));
        WaitView {
            input_id: self.id,
            kind: self.request.mode.as_str().into(),
            players: self.request.selectors.iter().map(|it| it.actor.clone()).collect(),
            missing: missing.map(|(it, _)| it.actor.clone()).collect(),
        }
    }

    fn counts(&self, part: &Part) -> bool {
        part.is_final || self.request.mode != Mode::ManyConfirmed
    }
}

/// The answer of somebody who is not there: as little as possible.
fn least(selector: &Selector) -> Option<Response> {
    selector.auto_response().or_else(|| selector.make_response(&mut |_| 0))
}
