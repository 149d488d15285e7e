//! A list of at most `N` items that lives in place, without an allocator.
//!
//! It owns the bound and nothing else: what the items mean is for the types around it.

use core::ops::{Deref, DerefMut};

/// A list of at most `N` items; a longer one cannot be built.
#[derive(Clone, Copy)]
pub struct Bounded<T, const N: usize> {
    items: [T; N],
    len: usize,
}

/// A list did not take an item because it was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl<T: Default, const N: usize> Bounded<T, N> {
    /// Makes an empty list.
    pub fn new() -> Self {
        Self { items: core::array::from_fn(|_| T::default()), len: 0 }
    }

    /// Collects a list, or says that there are more than `N` items.
    pub fn try_from_iter(items: impl IntoIterator<Item = T>) -> Result<Self, Full> {
        let mut list = Self::new();
        items.into_iter().try_for_each(|it| list.push(it))?;
        Ok(list)
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) -> Result<(), Full> {
        let slot = self.items.get_mut(self.len).ok_or(Full)?;
        *slot = item;
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    /// Inserts an item at an index, or at the end if the index is beyond it.
    pub fn insert(&mut self, idx: usize, item: T) -> Result<(), Full> {
        let idx = idx.min(self.len);
        self.push(item)?;
        if let Some(tail) = self.get_mut(idx..) {
            tail.rotate_right(1);
        }
        Ok(())
    }

    /// Takes the last item off.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.last_mut().map(core::mem::take)?;
        self.len = self.len.saturating_sub(1);
        Some(item)
    }
}

impl<T, const N: usize> Bounded<T, N> {
    /// Makes a list at compile time from a full array, of which the first `len` items count.
    pub(crate) const fn from_array(items: [T; N], len: usize) -> Self {
        Self { items, len: if len > N { N } else { len } }
    }

    /// Shortens the list to its first `len` items.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Makes a list of the same length from what each item becomes.
    pub fn map<U: Default>(mut self, mut change: impl FnMut(T) -> U) -> Bounded<U, N>
    where
        T: Default,
    {
        let items = self.iter_mut().map(|it| change(core::mem::take(it)));
        // Both lists have the same bound.
        Bounded::try_from_iter(items).unwrap_or_default()
    }

    /// Is the list at its bound?
    pub fn is_full(&self) -> bool {
        self.len >= N
    }
}

impl<T: Default, const N: usize> Default for Bounded<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for Bounded<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

impl<T, const N: usize> DerefMut for Bounded<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.items.get_mut(..self.len).unwrap_or_default()
    }
}

impl<T: core::fmt::Debug, const N: usize> core::fmt::Debug for Bounded<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Bounded<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Bounded<T, N> {}

impl<'a, T, const N: usize> IntoIterator for &'a Bounded<T, N> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
