//! What a state check or end condition looks at, so that it is asked again only when some of that has changed.
//! Whatever is not known to look at little counts as looking at everything.

use crate::{
    ids::{CodePtr, SelectId},
    instr::{Instr, Prop},
    program::{Program, SeatRule, Source},
};

/// How many columns of attributes are told apart.
const COLUMNS: u32 = 48;

/// How deep selectors within selectors are followed.
const DEPTH_MAX: u8 = 8;

/// A set of things that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads(u64);

impl Reads {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Everything, also what has no name here.
    pub const ALL: Self = Self(u64::MAX);
    /// All attributes of cards and players.
    pub const ATTRS: Self = Self((1 << COLUMNS) - 1);
    /// Where cards are and whose.
    pub const CARDS: Self = Self(1 << COLUMNS);
    /// Who is still in the game.
    pub const PLAYERS: Self = Self(1 << (COLUMNS + 1));
    /// The turn, the active player and the step.
    pub const FLOW: Self = Self(1 << (COLUMNS + 2));
    /// What only those look at that look at everything.
    pub const OTHER: Self = Self(1 << 63);

    /// The attribute in a column; columns beyond the last bit share it.
    pub fn column(column: u16) -> Self {
        Self(1_u64.checked_shl(u32::from(column).min(COLUMNS - 1)).unwrap_or(0))
    }

    /// What is in either set.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether both sets have something in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Program {
    /// Works out what checks and end conditions look at.
    pub(crate) fn find_reads(&mut self) {
        for i in 0..self.checks.len() {
            let Some(check) = self.checks.get(i).copied() else { continue };
            let reads = self.select_reads(check.each, 0).with(self.code_reads(check.when, 0));
            if let Some(check) = self.checks.get_mut(i) {
                check.reads = reads;
            }
        }
        for i in 0..self.ends.len() {
            let reads = self.ends.get(i).map_or(Reads::ALL, |it| self.code_reads(it.when, 0));
            if let Some(end) = self.ends.get_mut(i) {
                end.reads = reads;
            }
        }
    }

    fn code_reads(&self, code: CodePtr, depth: u8) -> Reads {
        if code.is_none() {
            return Reads::NONE;
        }
        let code = self.code.get(code.index()..).unwrap_or_default();
        let code = code.iter().take_while(|it| **it != Instr::Return);
        code.fold(Reads::NONE, |acc, it| acc.with(self.instr_reads(*it, depth)))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here may look at everything")]
    fn instr_reads(&self, instr: Instr, depth: u8) -> Reads {
        match instr {
            Instr::Const(_) | Instr::Long(_) | Instr::Null | Instr::Local(_) | Instr::LocalList(_) => Reads::NONE,
            Instr::Reg(_) | Instr::SetReg(_) | Instr::Math(_) | Instr::Neg | Instr::Abs | Instr::Not => Reads::NONE,
            Instr::Jump(_) | Instr::JumpIf(_) | Instr::JumpUnless(_) => Reads::NONE,
            Instr::Size | Instr::First | Instr::Last | Instr::Contains | Instr::ListOf(_) | Instr::Union => Reads::NONE,
            Instr::You | Instr::Turn | Instr::Active | Instr::PhaseNow | Instr::StepNow => Reads::FLOW,
            // Continuous effects may look at anything.
            Instr::Attr(attr) if self.auras.is_empty() => {
                self.attr(attr).map_or(Reads::ALL, |it| Reads::column(it.column))
            }
            Instr::Prop(Prop::Owner | Prop::Controller | Prop::Zone | Prop::Def | Prop::Type | Prop::Since) => {
                Reads::CARDS
            }
            Instr::HasType(_) => Reads::CARDS,
            Instr::Prop(Prop::Alive) => Reads::PLAYERS,
            Instr::Select(id) | Instr::Count(id) | Instr::Any(id) => self.select_reads(id, depth),
            _ => Reads::ALL,
        }
    }

    fn select_reads(&self, id: SelectId, depth: u8) -> Reads {
        if id.is_none() {
            return Reads::NONE;
        }
        let Some(select) = self.select(id).filter(|_| depth < DEPTH_MAX) else {
            return Reads::ALL;
        };
        let depth = depth.saturating_add(1);
        let source = match select.source {
            Source::Zones(_) => Reads::CARDS,
            Source::Players => Reads::PLAYERS.with(Reads::FLOW),
            Source::List(code) => self.code_reads(code, depth).with(Reads::CARDS),
            Source::Defs(_) => Reads::NONE,
            Source::Stack(_) => Reads::ALL,
        };
        let seat = match select.seat {
            SeatRule::Any => Reads::NONE,
            SeatRule::You | SeatRule::Others => Reads::FLOW,
            SeatRule::In(code) => self.code_reads(code, depth),
        };
        let rank = select.rank.map_or(Reads::NONE, |it| self.code_reads(it.value, depth));
        let rest = [select.filter, select.take, select.random].into_iter();
        rest.fold(source.with(seat).with(rank), |acc, it| acc.with(self.code_reads(it, depth)))
    }
}
