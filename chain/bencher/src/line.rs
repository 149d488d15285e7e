//! A line above points: what a call weighs by the size of its component.

/// A base and a slope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub base: u64,
    pub slope: u64,
}

impl Line {
    /// The line with the slope between the first and the last point, raised until no point lies
    /// above it.
    pub fn above(points: &[(u32, u64)]) -> Self {
        let (Some(&(low, least)), Some(&(high, most))) = (points.first(), points.last()) else {
            return Self::default();
        };
        let run = u64::from(high.saturating_sub(low));
        let slope = most.saturating_sub(least).div_ceil(run.max(1));
        let slope = if run == 0 { 0 } else { slope };
        let over = |&(x, y): &(u32, u64)| y.saturating_sub(slope.saturating_mul(x.into()));
        Self { base: points.iter().map(over).max().unwrap_or(0), slope }
    }

    /// The value at a point.
    pub fn at(self, x: u32) -> u64 {
        self.slope.saturating_mul(x.into()).saturating_add(self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[track_caller]
    fn check(points: &[(u32, u64)], base: u64, slope: u64) {
        let line = Line::above(points);
        assert_eq!(line, Line { base, slope });
        assert!(points.iter().all(|&(x, y)| line.at(x) >= y));
    }

    #[test]
    fn no_point_lies_above_the_line() {
        check(&[], 0, 0);
        check(&[(0, 7)], 7, 0);
        check(&[(0, 10), (10, 30)], 10, 2);
        check(&[(0, 10), (5, 40), (10, 30)], 30, 2);
        check(&[(1, 30), (10, 10)], 30, 0);
    }
}
