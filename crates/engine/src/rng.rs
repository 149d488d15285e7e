//! Random numbers: a key, a stream and a position give one logical number, whatever happens inside it.
//! The stream is pinned by tests, because changing it is a change of every game.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::{
    ids::PlayerId,
    state::{Head, STREAMS},
};

/// The stream of a player, or of all where there is none.
pub fn stream_of(player: PlayerId) -> u8 {
    let public = u8::try_from(STREAMS.saturating_sub(1)).unwrap_or(u8::MAX);
    if player.is_none() { public } else { player.0.min(public) }
}

/// The generator of one logical random number; `ahead` are those taken but not folded yet.
pub fn generator(head: &Head, stream: u8, ahead: u32) -> ChaCha8Rng {
    let position = head.rng.get(usize::from(stream)).copied().unwrap_or(0).saturating_add(ahead);
    let mut rng = ChaCha8Rng::from_seed(head.key);
    // Each logical number has a stream of the cipher to itself, so rejected tries shift no other number.
    rng.set_stream((u64::from(stream) << 56) | (u64::from(head.epoch & 0x00ff_ffff) << 32) | u64::from(position));
    rng
}

/// A number below a bound, without favour; 0 for a bound of 0.
pub fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let Some(top) = u64::MAX.checked_rem(bound) else {
        return 0;
    };
    let limit = u64::MAX.saturating_sub(top);
    loop {
        let value = rng.next_u64();
        // Everything from the last incomplete round of the bound on would favour small results.
        if value < limit || top == bound.saturating_sub(1) {
            return value.checked_rem(bound).unwrap_or(0);
        }
    }
}

/// Puts a list into random order.
pub fn shuffle(rng: &mut ChaCha8Rng, items: &mut [i64]) {
    for i in (1..items.len()).rev() {
        let bound = u64::try_from(i).unwrap_or(u64::MAX).saturating_add(1);
        let j = usize::try_from(below(rng, bound)).unwrap_or(0);
        items.swap(i, j);
    }
}

/// How many outcomes of chance are tried.
const TRIES_MAX: u32 = 64;

/// Stands for chance while something is only tried, so that nobody learns what chance will bring: one try after the
/// other has every item first and every number once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Luck {
    run: u32,
    /// The most outcomes chance had at once.
    sides: u32,
}

impl Luck {
    /// Stands for [`shuffle`].
    pub fn mix(&mut self, items: &mut [i64]) {
        let first = self.below(u64::try_from(items.len()).unwrap_or(u64::MAX));
        items.rotate_left(usize::try_from(first).unwrap_or(0));
    }

    /// Stands for [`below`].
    pub fn below(&mut self, width: u64) -> u64 {
        self.sides = self.sides.max(u32::try_from(width).unwrap_or(u32::MAX));
        u64::from(self.run).checked_rem(width).unwrap_or(0)
    }

    /// Goes on to another try; false if there is none.
    pub fn turns(&mut self) -> bool {
        self.run = self.run.saturating_add(1);
        self.run < self.sides.min(TRIES_MAX)
    }

    /// Whether chance had a say.
    pub fn has_decided(self) -> bool {
        self.sides > 1
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{below, generator, shuffle, stream_of};
    use crate::{
        ids::PlayerId,
        matches::{Match, Setup},
        state::Head,
    };

    /// The head of a match with a known key.
    fn head(epoch: u32) -> Head {
        let ruleset = ruleset::Ruleset::check(ruleset::RawRuleset::new(one_step()));
        let setup = Setup { seed: [7; 32], decks: alloc::vec![Vec::new(), Vec::new()] };
        let live = Match::empty(alloc::sync::Arc::new(ruleset.expect("is sound")), &setup).expect("is legal");
        Head { epoch, ..live.state().head.clone() }
    }

    /// The smallest ruleset: one phase with one step.
    fn one_step() -> ruleset::Term {
        use ruleset::term::{Entry, Place, Term, TermKind};
        let map = |entries: Vec<(&str, Term)>| {
            let entry = |(key, value): (&str, Term)| Entry { key: key.into(), place: Place(0), value };
            Term::new(Place(0), TermKind::Map(entries.into_iter().map(entry).collect()))
        };
        let list = |items: Vec<Term>| Term::new(Place(0), TermKind::List(items));
        let text = |it: &str| Term::new(Place(0), TermKind::Text(it.into()));
        let step = map(alloc::vec![("id", text("act"))]);
        let phase = map(alloc::vec![("id", text("play")), ("steps", list(alloc::vec![step]))]);
        map(alloc::vec![("turnStructure", map(alloc::vec![("phases", list(alloc::vec![phase]))]))])
    }

    /// Six dice from a stream, each a logical number of its own.
    fn dice(head: &Head, stream: u8) -> Vec<u64> {
        (0..6).map(|ahead| below(&mut generator(head, stream, ahead), 6)).collect()
    }

    #[test]
    fn the_streams_are_pinned_because_changing_them_changes_every_game() {
        let (p1, p2, public) = (stream_of(PlayerId(0)), stream_of(PlayerId(1)), stream_of(PlayerId::NONE));
        let mut cards: Vec<i64> = (0..8).collect();
        shuffle(&mut generator(&head(0), p1, 0), &mut cards);
        let got = (dice(&head(0), p1), dice(&head(0), p2), dice(&head(0), public), dice(&head(1), p1), cards);
        let pinned = (
            alloc::vec![4, 4, 0, 1, 2, 5],
            alloc::vec![2, 0, 5, 3, 5, 4],
            alloc::vec![2, 2, 5, 0, 1, 5],
            alloc::vec![2, 5, 5, 0, 2, 1],
            alloc::vec![0, 7, 2, 1, 6, 5, 3, 4],
        );
        assert_eq!(got, pinned);
    }

    #[test]
    fn one_number_does_not_shift_the_next() {
        // However many tries a number takes inside, the next position starts afresh.
        let head = head(0);
        let first = below(&mut generator(&head, 0, 1), 1000);
        let mut greedy = generator(&head, 0, 0);
        (0..50).for_each(|_| {
            below(&mut greedy, 3);
        });
        assert_eq!(below(&mut generator(&head, 0, 1), 1000), first);
    }

    #[test]
    fn bounds_hold_at_their_edges() {
        let head = head(0);
        assert_eq!(below(&mut generator(&head, 0, 0), 0), 0);
        assert_eq!(below(&mut generator(&head, 0, 0), 1), 0);
        assert!((0..100).all(|it| below(&mut generator(&head, 0, it), u64::MAX) < u64::MAX));
        let mut seen: Vec<u64> = (0..200).map(|it| below(&mut generator(&head, 0, it), 5)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
}
