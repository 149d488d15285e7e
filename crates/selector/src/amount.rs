//! How many choices an answer must have.

/// The amounts as the author wrote them; each may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// The least number of picks.
    pub min: Option<u32>,
    /// The greatest number of picks.
    pub max: Option<u32>,
    /// The exact number of picks; wins over `min` and `max`, 0 included.
    pub count: Option<u32>,
}

/// The least and the greatest number of picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least number of picks.
    pub min: u32,
    /// The greatest number of picks.
    pub max: u32,
}

impl Amount {
    /// Fills in what the author left out: one pick, and never a maximum below the minimum.
    pub fn asked(self) -> Bounds {
        let (min, max) = match (self.count, self.min, self.max) {
            (Some(count), _, _) => (count, count),
            (None, None, None) => (1, 1),
            (None, Some(min), None) => (min, min.max(1)),
            (None, None, Some(max)) => (max.min(1), max),
            (None, Some(min), Some(max)) => (min, max),
        };
        Bounds { min, max }
    }
}

impl Bounds {
    /// Limits both bounds to what is on offer.
    pub fn clamp_to(self, n_choices: u32) -> Self {
        Bounds {
            min: self.min.min(n_choices),
            max: self.max.min(n_choices),
        }
    }

    /// Says whether this many picks are neither too few nor too many.
    pub fn contains(self, n_picks: u32) -> bool {
        (self.min..=self.max).contains(&n_picks)
    }
}
