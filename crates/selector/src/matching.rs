//! Gives every item of an answer a choice of its own.
//!
//! An item and a choice fit if their ids are equal, or, where one of them has no id, their titles;
//! a group must also accept what is picked inside. Taking the first choice that fits would make
//! the order of an answer count: a bare `Twin` could take the choice that a later `Twin` with an
//! id needs. So this is a bipartite matching with augmenting paths: a taken choice is given up if
//! its item has somewhere else to go.
//!
//! Choices lie in buckets by what they are known by. Within a bucket all leaves are alike to an
//! item, so a search visits each bucket once, and ordinary answers never search at all.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

use crate::label::{Label, LabelRef};
use crate::limits::GROUP_WORK;
use crate::refusal::Refusal;
use crate::resolve::{Pick, Work, resolve_group};
use crate::response::Item;
use crate::selector::{Choice, Options};
use crate::value::Value;

/// Why the items of an answer cannot all have a choice of their own.
pub(crate) enum Stuck {
    /// No choice is left for this item; a group of its name gives the inner reason.
    Unknown { index: u32, inner: Option<Refusal> },
    /// Only an exclusive choice is left for this item, but it is not the only item.
    Exclusive { index: u32 },
    /// The search was given up.
    OutOfWork,
}

/// Assigns a choice to every item, in the order of the items.
pub(crate) fn assign(
    options: &Options,
    values: &[Value],
    depth: u32,
    work: &mut Work,
) -> Result<Vec<Pick>, Stuck> {
    let n_steps = options.choices.len().saturating_add(values.len());
    work.spend(n_steps).map_err(|_| Stuck::OutOfWork)?;

    // One item more than there are choices is enough to be stuck on.
    let n_items_max = options.choices.len().saturating_add(1);
    let items: Vec<Item<'_>> = values.iter().take(n_items_max).map(Item::read).collect();
    let mut matching = Matching::new(options, &items, Offer::All, depth, work);
    matching.place_all()?;
    let has_exclusive = options.choices.iter().any(|it| it.exclusive);
    if items.len() < 2 || !has_exclusive {
        return Ok(matching.into_picks());
    }
    let answers = matching.answers;
    let mut matching = Matching::new(options, &items, Offer::Combinable, depth, work);
    matching.answers = answers;
    matching.place_all().map_err(|it| match it {
        Stuck::Unknown { index, .. } | Stuck::Exclusive { index } => Stuck::Exclusive { index },
        Stuck::OutOfWork => Stuck::OutOfWork,
    })?;
    Ok(matching.into_picks())
}

/// Which choices take part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    All,
    Combinable,
}

/// What a choice is known by. An item looks into two buckets at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    /// Choices with this id.
    Id(LabelRef<'a>),
    /// Choices with this title and some id.
    TitleBesideId(LabelRef<'a>),
    /// Choices with this title and no id.
    TitleAlone(LabelRef<'a>),
}

impl<'a> Key<'a> {
    fn of_choice(choice: &'a Choice) -> impl Iterator<Item = Key<'a>> {
        let id = choice.id.as_ref().map(|it| Key::Id(it.as_ref()));
        let wrap = if id.is_some() {
            Key::TitleBesideId
        } else {
            Key::TitleAlone
        };
        let title = choice.title.as_ref().map(Label::as_ref).map(wrap);
        id.into_iter().chain(title)
    }

    fn of_item(item: &Item<'a>) -> impl Iterator<Item = Key<'a>> {
        let known_by_id = item.id.map(Key::Id);
        let alone = item.title.map(Key::TitleAlone);
        let beside_id = item
            .title
            .filter(|_| item.id.is_none())
            .map(Key::TitleBesideId);
        known_by_id.into_iter().chain(alone).chain(beside_id)
    }
}

/// Choices that are known by the same key, in their order.
#[derive(Default)]
struct Bucket {
    leaves: Vec<u32>,
    groups: Vec<u32>,
    /// How many leaves at the front are taken. A taken choice never becomes free again.
    n_leaves_taken: usize,
    /// The same for groups.
    n_groups_taken: usize,
    /// The search that has been through the leaves.
    searched: u32,
}

/// A choice during the matching.
#[derive(Clone, Copy, Default)]
struct Slot {
    taken_by: Option<u32>,
    /// The search that reached this choice, and the item from which it did.
    searched: u32,
    reached_from: u32,
}

struct Matching<'a, 'w> {
    options: &'a Options,
    items: &'a [Item<'a>],
    depth: u32,
    work: &'w mut Work,
    buckets: BTreeMap<Key<'a>, Bucket>,
    slots: Vec<Slot>,
    /// The choice of each item placed so far.
    placed: Vec<Option<u32>>,
    /// What each group said to each item that was tried on it. Asking twice would double the work
    /// with every level of nesting.
    answers: BTreeMap<(u32, u32), Result<Vec<Pick>, Refusal>>,
    n_searches: u32,
}

impl<'a, 'w> Matching<'a, 'w> {
    fn new(
        options: &'a Options,
        items: &'a [Item<'a>],
        offer: Offer,
        depth: u32,
        work: &'w mut Work,
    ) -> Self {
        Matching {
            options,
            items,
            depth,
            work,
            buckets: fill_buckets(options, offer),
            slots: vec![Slot::default(); options.choices.len()],
            placed: vec![None; items.len()],
            answers: BTreeMap::new(),
            n_searches: 0,
        }
    }

    fn place_all(&mut self) -> Result<(), Stuck> {
        for (index, _) in (0..).zip(self.items) {
            if !self.place(index).map_err(|_| Stuck::OutOfWork)? {
                return Err(Stuck::Unknown {
                    index,
                    inner: self.explain(index),
                });
            }
        }
        Ok(())
    }

    /// Finds a choice for one more item, moving the items before it where that helps.
    fn place(&mut self, first: u32) -> Result<bool, Refusal> {
        self.n_searches = self.n_searches.saturating_add(1);
        let mut queue = VecDeque::from([first]);
        while let Some(index) = queue.pop_front() {
            if let Some(choice) = self.find_free(index)? {
                self.reach(choice, index);
                self.take_back_along(choice);
                return Ok(true);
            }
            for choice in self.list_taken(index)? {
                if let Some(owner) = self.reach(choice, index) {
                    queue.push_back(owner);
                }
            }
        }
        Ok(false)
    }

    /// Returns the first free choice that fits: a group, if the item picks inside one.
    fn find_free(&mut self, index: u32) -> Result<Option<u32>, Refusal> {
        let Some(item) = self.items.get(index as usize) else {
            return Ok(None);
        };
        if item.selection.is_some() {
            for key in Key::of_item(item) {
                if let Some(group) = self.free_group(key, index)? {
                    return Ok(Some(group));
                }
            }
        }
        Ok(Key::of_item(item).find_map(|key| self.free_leaf(key)))
    }

    fn free_leaf(&mut self, key: Key<'a>) -> Option<u32> {
        let bucket = self.buckets.get_mut(&key)?;
        skip_taken(&bucket.leaves, &mut bucket.n_leaves_taken, &self.slots)
    }

    fn free_group(&mut self, key: Key<'a>, index: u32) -> Result<Option<u32>, Refusal> {
        let Some(bucket) = self.buckets.get_mut(&key) else {
            return Ok(None);
        };
        skip_taken(&bucket.groups, &mut bucket.n_groups_taken, &self.slots);
        let mut position = bucket.n_groups_taken;
        while let Some(group) = self.group_at(key, position) {
            if is_free(&self.slots, group) && self.accepts(group, index)? {
                return Ok(Some(group));
            }
            self.work.spend(1)?;
            position = position.saturating_add(1);
        }
        Ok(None)
    }

    fn group_at(&self, key: Key<'a>, position: usize) -> Option<u32> {
        self.buckets.get(&key)?.groups.get(position).copied()
    }

    /// Lists the choices that fit but are taken, and that this search has not reached yet.
    fn list_taken(&mut self, index: u32) -> Result<Vec<u32>, Refusal> {
        let Some(item) = self.items.get(index as usize) else {
            return Ok(Vec::new());
        };
        let (mut taken, mut groups) = (Vec::new(), Vec::new());
        for key in Key::of_item(item) {
            let Some(bucket) = self.buckets.get_mut(&key) else {
                continue;
            };
            if item.selection.is_some() {
                groups.extend_from_slice(&bucket.groups);
            }
            if bucket.searched != self.n_searches {
                bucket.searched = self.n_searches;
                taken.extend_from_slice(&bucket.leaves);
            }
        }
        self.work.spend(taken.len().saturating_add(groups.len()))?;
        for group in groups {
            if self.accepts(group, index)? {
                taken.push(group);
            }
        }
        Ok(taken)
    }

    /// Notes from where a choice was reached, and returns the item that holds it; none if it is
    /// free or this search knows it already.
    fn reach(&mut self, choice: u32, index: u32) -> Option<u32> {
        let slot = self.slots.get_mut(choice as usize)?;
        if slot.searched == self.n_searches {
            return None;
        }
        slot.searched = self.n_searches;
        slot.reached_from = index;
        slot.taken_by
    }

    /// Gives a free choice to the item that reached it, that item's old choice to the item before,
    /// and so on back to the item that had none.
    fn take_back_along(&mut self, free: u32) {
        let mut next = Some(free);
        while let Some(choice) = next {
            let Some(slot) = self.slots.get_mut(choice as usize) else {
                return;
            };
            let index = slot.reached_from;
            slot.taken_by = Some(index);
            let Some(placed) = self.placed.get_mut(index as usize) else {
                return;
            };
            next = placed.replace(choice);
        }
    }

    fn accepts(&mut self, group: u32, index: u32) -> Result<bool, Refusal> {
        self.work.spend(GROUP_WORK)?;
        if let Some(answer) = self.answers.get(&(index, group)) {
            return Ok(answer.is_ok());
        }
        let Some(answer) = self.ask(group, index) else {
            return Ok(false);
        };
        // A search that ran out of work inside must not pass for a group that said no.
        self.work.spend(1)?;
        let is_accepted = answer.is_ok();
        self.answers.insert((index, group), answer);
        Ok(is_accepted)
    }

    fn ask(&mut self, group: u32, index: u32) -> Option<Result<Vec<Pick>, Refusal>> {
        let choice = self.options.choices.get(group as usize)?;
        let item = self.items.get(index as usize)?;
        let nested = choice.nested.as_ref()?;
        Some(resolve_group(
            choice,
            nested,
            item,
            self.depth.saturating_add(1),
            self.work,
        ))
    }

    /// Returns what the first group of the item's name has against it.
    fn explain(&mut self, index: u32) -> Option<Refusal> {
        let item = self.items.get(index as usize)?;
        let groups = Key::of_item(item).filter_map(|it| self.buckets.get(&it)?.groups.first());
        let group = *groups.min()?;
        let known = self.answers.remove(&(index, group));
        known.or_else(|| self.ask(group, index))?.err()
    }

    fn into_picks(mut self) -> Vec<Pick> {
        let placed = core::mem::take(&mut self.placed);
        let mut pick = |index, choice| {
            let inside = self.answers.remove(&(index, choice));
            Pick {
                choice,
                nested: inside.and_then(Result::ok).unwrap_or_default(),
            }
        };
        (0..)
            .zip(placed)
            .filter_map(|(index, choice)| Some(pick(index, choice?)))
            .collect()
    }
}

fn fill_buckets(options: &Options, offer: Offer) -> BTreeMap<Key<'_>, Bucket> {
    let mut buckets = BTreeMap::<_, Bucket>::new();
    for (number, choice) in (0..).zip(&options.choices) {
        if choice.exclusive && offer == Offer::Combinable {
            continue;
        }
        for key in Key::of_choice(choice) {
            let bucket = buckets.entry(key).or_default();
            let list = match choice.nested {
                Some(_) => &mut bucket.groups,
                None => &mut bucket.leaves,
            };
            list.push(number);
        }
    }
    buckets
}

fn is_free(slots: &[Slot], choice: u32) -> bool {
    slots
        .get(choice as usize)
        .is_some_and(|it| it.taken_by.is_none())
}

/// Advances over the taken choices at the front of a list and returns the first free one.
fn skip_taken(list: &[u32], n_taken: &mut usize, slots: &[Slot]) -> Option<u32> {
    let found = list
        .iter()
        .skip(*n_taken)
        .position(|it| is_free(slots, *it));
    *n_taken = found.map_or(list.len(), |it| n_taken.saturating_add(it));
    list.get(*n_taken).copied()
}
