//! The author's mistakes in a selector, all at once.
//!
//! Nothing here looks at an answer: a selector that passes can be answered.

use alloc::vec::Vec;
use core::fmt;

use crate::label::Label;
use crate::limits::{CHOICES_MAX, GROUP_DEPTH_MAX};
use crate::selector::{Choice, Kind, Options, Selector};

/// One mistake of the author and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The choice that is wrong: one index per level; empty for the selector itself.
    pub path: Vec<u32>,
    /// What is wrong with it.
    pub kind: ViolationKind,
}

/// What is wrong with a selector or a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The minimum is above the maximum.
    MinAboveMax {
        /// The minimum.
        min: u32,
        /// The maximum.
        max: u32,
    },
    /// So many picks are asked for that an exclusive choice would have to be one of them.
    ExclusiveForced,
    /// The choice has neither a title nor an id, so no answer can mean it.
    Nameless,
    /// A title or an id is a fraction or beyond 64 bits.
    NotAnInteger,
    /// Groups stand inside each other too deep.
    TooDeep,
    /// There are too many choices.
    TooManyChoices,
}

impl Selector {
    /// Reports every mistake of the author; an empty list means that the selector can be asked.
    #[must_use]
    pub fn check(&self) -> Vec<Violation> {
        let mut checker = Checker::default();
        checker.check_label(self.title.as_ref());
        checker.check_options(&self.options);
        checker.violations
    }
}

#[derive(Default)]
struct Checker {
    path: Vec<u32>,
    n_choices: u32,
    violations: Vec<Violation>,
}

impl Checker {
    fn report(&mut self, kind: ViolationKind) {
        self.violations.push(Violation {
            path: self.path.clone(),
            kind,
        });
    }

    fn check_options(&mut self, options: &Options) {
        match options.kind {
            Kind::Select => self.check_select(options),
            Kind::Action => (),
        }
    }

    fn check_select(&mut self, options: &Options) {
        self.check_amount(options);
        for (index, choice) in (0..).zip(&options.choices) {
            self.n_choices = self.n_choices.saturating_add(1);
            if self.n_choices > CHOICES_MAX {
                // Reported once: whoever offers too much does not want one line per choice.
                if self.n_choices == CHOICES_MAX.saturating_add(1) {
                    self.report(ViolationKind::TooManyChoices);
                }
                return;
            }
            self.path.push(index);
            self.check_choice(choice);
            self.path.pop();
        }
    }

    fn check_amount(&mut self, options: &Options) {
        let asked = options.amount.asked();
        if asked.min > asked.max {
            self.report(ViolationKind::MinAboveMax {
                min: asked.min,
                max: asked.max,
            });
        }
        let n_together = options.choices.iter().filter(|it| !it.exclusive).count();
        let min = options.bounds().min;
        if min > 1 && u32::try_from(n_together).is_ok_and(|it| it < min) {
            self.report(ViolationKind::ExclusiveForced);
        }
    }

    fn check_choice(&mut self, choice: &Choice) {
        self.check_label(choice.title.as_ref());
        self.check_label(choice.id.as_ref());
        if choice.title.is_none() && choice.id.is_none() {
            self.report(ViolationKind::Nameless);
        }
        let Some(nested) = &choice.nested else { return };
        if self.path.len() > GROUP_DEPTH_MAX as usize {
            return self.report(ViolationKind::TooDeep);
        }
        self.check_options(nested);
    }

    fn check_label(&mut self, label: Option<&Label>) {
        if matches!(label, Some(Label::Decimal(_))) {
            self.report(ViolationKind::NotAnInteger);
        }
    }
}

impl ViolationKind {
    /// Returns the code that programs compare; it never changes.
    pub fn code(self) -> &'static str {
        match self {
            ViolationKind::MinAboveMax { .. } => "selector/min_above_max",
            ViolationKind::ExclusiveForced => "selector/exclusive_forced",
            ViolationKind::Nameless => "selector/nameless_choice",
            ViolationKind::NotAnInteger => "selector/not_an_integer",
            ViolationKind::TooDeep => "selector/too_deep",
            ViolationKind::TooManyChoices => "selector/too_many_choices",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViolationKind::MinAboveMax { min, max } => {
                write!(f, "the minimum is above the maximum: {min} > {max}")
            }
            ViolationKind::ExclusiveForced => {
                f.write_str("more picks are asked for than the choices that can be combined")
            }
            ViolationKind::Nameless => f.write_str("a choice needs a title or an id"),
            ViolationKind::NotAnInteger => f.write_str("titles and ids are texts or integers"),
            ViolationKind::TooDeep => write!(f, "groups can nest to: {GROUP_DEPTH_MAX}"),
            ViolationKind::TooManyChoices => write!(f, "more choices than: {CHOICES_MAX}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in &self.path {
            write!(f, "choices[{index}].")?;
        }
        self.kind.fmt(f)
    }
}

impl core::error::Error for Violation {}
