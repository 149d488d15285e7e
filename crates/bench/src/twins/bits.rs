//! Sets of cards as bits of one number: walking them is the order of their numbers, which is that of the engine.

/// The members of a set, from the lowest on.
pub fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let at = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (at < 64).then_some(at)
    })
}

/// A set of one.
pub fn bit(card: u8) -> u64 {
    1 << card
}

/// A pile of cards, of which the last is on top.
#[derive(Clone, Copy, Debug)]
pub struct Pile {
    cards: [u8; 64],
    n: u8,
}

impl Pile {
    /// A pile of cards, from the bottom.
    pub fn new(from_bottom: &[u8]) -> Self {
        let mut cards = [0; 64];
        cards[..from_bottom.len()].copy_from_slice(from_bottom);
        Self { cards, n: from_bottom.len() as u8 }
    }

    /// Takes the top card.
    pub fn pop(&mut self) -> Option<u8> {
        self.n = self.n.checked_sub(1)?;
        Some(self.cards[self.n as usize])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.n.into()
    }

    /// Puts a card on top.
    pub fn push(&mut self, card: u8) {
        self.cards[self.n as usize] = card;
        self.n += 1;
    }

    /// Takes a card out, wherever it lies.
    pub fn remove(&mut self, card: u8) {
        let n = self.len();
        if let Some(at) = self.cards[..n].iter().position(|it| *it == card) {
            self.cards.copy_within(at + 1..n, at);
            self.n -= 1;
        }
    }

    /// The cards, from the bottom.
    pub fn cards(&self) -> &[u8] {
        &self.cards[..self.n as usize]
    }
}
