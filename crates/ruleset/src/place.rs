//! What being in a zone means for a card, worked out for each instance, since cards move often.

use crate::{
    ids::ZoneId,
    program::{AttrRule, Program, Visibility, ZoneRule},
};

/// What being in a zone instance means for a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose it is.
    pub seat: Option<u8>,
    /// The bit of its kind in a set of kinds.
    pub kind_bit: u64,
    /// Whether abilities work there unless they say otherwise.
    pub active: bool,
    /// Whether cards that come there become what is printed on them.
    pub resets: bool,
    /// Whether nobody sees into it.
    pub hidden: bool,
    /// The players who see into it, a bit each.
    pub seen_by: u16,
}

impl Place {
    fn new(kind: ZoneId, rule: &ZoneRule, seat: Option<u8>) -> Self {
        let seen_by = match rule.visibility {
            Visibility::All => u16::MAX,
            Visibility::Owner => seat.map_or(0, |it| 1_u16.checked_shl(u32::from(it)).unwrap_or(0)),
            Visibility::None => 0,
        };
        let hidden = rule.visibility == Visibility::None;
        let kind_bit = 1_u64.checked_shl(u32::from(kind.0)).unwrap_or(0);
        Self { seat, kind_bit, active: rule.active, resets: rule.resets, hidden, seen_by }
    }
}

impl Program {
    /// What being in a zone instance means.
    #[inline]
    pub fn place(&self, instance: u16) -> Option<&Place> {
        self.places.get(usize::from(instance))
    }

    /// Works out what being in each zone instance means.
    pub(crate) fn find_places(&mut self) {
        let place = |it: &(ZoneId, Option<u8>)| self.zone(it.0).map(|rule| Place::new(it.0, rule, it.1));
        self.places = self.instances.iter().filter_map(place).collect();
        self.has_links = self.attrs.iter().any(AttrRule::is_link);
    }
}
