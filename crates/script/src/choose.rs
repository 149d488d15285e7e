//! Ready-made requests: choose anything, cards, yes or no, a player.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use selector::{Amount, Choice, Label, Selector, Value};

use crate::mistake::Mistake;
use crate::request::{Answered, Mode};
use crate::seat::Seat;
use crate::table::Table;
use crate::world::Card;

/// How something is chosen; a text alone is the title, and asks for one choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opts {
    title: String,
    amount: Amount,
    no_auto: bool,
}

impl Opts {
    /// One choice under this title.
    pub fn titled(title: impl Into<String>) -> Self {
        Opts { title: title.into(), amount: Amount::default(), no_auto: false }
    }

    /// Exactly so many.
    #[must_use]
    pub fn exactly(mut self, count: u32) -> Self {
        self.amount = Amount { count: Some(count), ..Amount::default() };
        self
    }

    /// At least and at most so many.
    #[must_use]
    pub fn between(mut self, min: u32, max: u32) -> Self {
        self.amount = Amount { min: Some(min), max: Some(max), count: None };
        self
    }

    /// Asks even if only one answer is possible, where not asking would tell a secret.
    #[must_use]
    pub fn always_asked(mut self) -> Self {
        self.no_auto = true;
        self
    }

    /// The selector that asks a player to choose.
    pub fn selector<C: Into<Choice>>(&self, seat: Seat, choices: impl IntoIterator<Item = C>) -> Selector {
        let mut selector = Selector::select(seat, self.title.as_str()).offer(choices);
        selector.options.amount = self.amount;
        selector.no_auto = self.no_auto;
        selector
    }
}

impl From<&str> for Opts {
    fn from(title: &str) -> Self {
        Opts::titled(title)
    }
}

impl From<String> for Opts {
    fn from(title: String) -> Self {
        Opts::titled(title)
    }
}

impl Table {
    /// Lets a player choose, and returns what he picked.
    pub async fn choose<C: Into<Choice>>(
        &self,
        seat: Seat,
        choices: impl IntoIterator<Item = C>,
        opts: impl Into<Opts>,
    ) -> Result<Vec<Value>, Mistake> {
        let selector = opts.into().selector(seat, choices);
        self.request_single(selector).await
    }

    /// Lets a player choose a card; none if there is none, or if he may choose none and does.
    pub async fn choose_card(
        &self,
        seat: Seat,
        cards: &[Card],
        opts: impl Into<Opts>,
    ) -> Result<Option<Card>, Mistake> {
        Ok(self.choose_cards(seat, cards, opts).await?.first().copied())
    }

    /// Lets a player choose cards, in the order in which he picks them.
    pub async fn choose_cards(&self, seat: Seat, cards: &[Card], opts: impl Into<Opts>) -> Result<Vec<Card>, Mistake> {
        let selector = self.card_selector(seat, cards, &opts.into());
        Ok(picked(&self.ask_one(selector).await?, cards))
    }

    /// Asks a player a question.
    pub async fn choose_yes_no(&self, seat: Seat, title: impl Into<Opts>) -> Result<bool, Mistake> {
        let answered = self.ask_one(title.into().selector(seat, ["yes", "no"])).await?;
        Ok(answered.picks.first().is_some_and(|it| it.choice == 0))
    }

    /// Lets a player choose a player; none if there is none, or if he may choose none and does.
    pub async fn choose_player(
        &self,
        seat: Seat,
        players: &[Seat],
        opts: impl Into<Opts>,
    ) -> Result<Option<Seat>, Mistake> {
        let selector = opts.into().selector(seat, players.iter().map(|it| Choice::from(String::from(*it))));
        Ok(picked(&self.ask_one(selector).await?, players).first().copied())
    }

    /// Lets several players choose cards at the same time; the answers come in the order of the seats given.
    pub async fn choose_cards_together(
        &self,
        offers: &[(Seat, Vec<Card>)],
        opts: impl Into<Opts>,
    ) -> Result<Vec<(Seat, Vec<Card>)>, Mistake> {
        let opts = opts.into();
        let selectors = offers.iter().map(|(seat, cards)| self.card_selector(*seat, cards, &opts)).collect();
        let answers = self.request(Mode::Many, selectors).await?;
        Ok(offers.iter().zip(&answers).map(|((seat, cards), it)| (*seat, picked(it, cards))).collect())
    }

    /// Lets whoever is first choose cards.
    pub async fn choose_cards_first(
        &self,
        offers: &[(Seat, Vec<Card>)],
        opts: impl Into<Opts>,
    ) -> Result<(Seat, Vec<Card>), Mistake> {
        let opts = opts.into();
        let selectors = offers.iter().map(|(seat, cards)| self.card_selector(*seat, cards, &opts)).collect();
        let answers = self.request(Mode::Any, selectors).await?;
        let answer = answers.first().ok_or(Mistake::Stuck)?;
        let of_actor = |it: &&(Seat, Vec<Card>)| answer.response.actor.as_deref() == Some(&String::from(it.0));
        let (seat, cards) = offers.iter().find(of_actor).ok_or(Mistake::Stuck)?;
        Ok((*seat, picked(answer, cards)))
    }

    /// Offers cards under the names the player has for them; those he cannot see are told apart by their place.
    fn card_selector(&self, seat: Seat, cards: &[Card], opts: &Opts) -> Selector {
        let choice = |(number, card): (u32, &Card)| match self.name_for(seat, *card) {
            Some((id, face)) => Choice::from(face.name.as_str()).with_id(id),
            None => Choice::from(format!("hidden card {number}")).with_id(Label::from(format!("h{number}"))),
        };
        opts.selector(seat, (1..).zip(cards).map(choice))
    }
}

/// What the picks of an answer mean.
fn picked<T: Copy>(answer: &Answered, offered: &[T]) -> Vec<T> {
    answer.picks.iter().filter_map(|it| offered.get(it.choice as usize).copied()).collect()
}
