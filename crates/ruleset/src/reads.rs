//! What a state check or end condition looks at, so that it is asked again only when some of that has changed.
//! Whatever is not known to look at little counts as looking at everything.

use crate::{
    ids::{CodePtr, SelectId},
    instr::{Instr, Looks, Prop},
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
            let is_own = check.when.is_none() && self.is_own(check.each);
            if let Some(check) = self.checks.get_mut(i) {
                (check.reads, check.is_own) = (reads, is_own);
            }
        }
        for i in 0..self.ends.len() {
            let Some(end) = self.ends.get(i).copied() else { continue };
            let (reads, finds_own) = (self.code_reads(end.when, 0), self.finds_own(end.when));
            if let Some(end) = self.ends.get_mut(i) {
                (end.reads, end.finds_own) = (reads, finds_own);
            }
        }
    }

    /// The selector of a condition that only says that it finds somebody by what is his own.
    fn finds_own(&self, when: CodePtr) -> SelectId {
        let code = self.code.get(when.index()..).unwrap_or_default();
        let [Instr::Any(id), Instr::Return, ..] = code else { return SelectId::NONE };
        if self.is_own(*id) { *id } else { SelectId::NONE }
    }

    /// Whether a selector looks at every one of a zone, or at every player, and at each on his own: at no order, no
    /// other one and nothing that all share. Then only who changed can be found that was not found before.
    fn is_own(&self, id: SelectId) -> bool {
        let Some(select) = self.select(id) else { return false };
        let each = matches!(select.source, Source::Zones(_) | Source::Players) && select.seat == SeatRule::Any;
        let filter = self.code.get(select.filter.index()..).unwrap_or_default();
        let mut filter = filter.iter().take_while(|it| **it != Instr::Return);
        each && !select.compares() && select.filter.is_some() && filter.all(|it| self.is_own_instr(*it, select.reg))
    }

    /// The only card or player such code gets hold of is the candidate: no link, owner or other variable.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here may look at others")]
    fn is_own_instr(&self, instr: Instr, candidate: u8) -> bool {
        match instr {
            Instr::Reg(reg) | Instr::SetReg(reg) => reg == candidate,
            Instr::Const(_) | Instr::Math(_) | Instr::Neg | Instr::Abs | Instr::Not => true,
            Instr::Jump(_) | Instr::JumpIf(_) | Instr::JumpUnless(_) => true,
            Instr::Attr(attr) => self.attr(attr).is_some_and(|it| !it.has_auras && !it.is_link()),
            Instr::Prop(Prop::Zone | Prop::Def | Prop::Type | Prop::Created | Prop::Since) | Instr::HasType(_) => true,
            _ => false,
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

    fn instr_reads(&self, instr: Instr, depth: u8) -> Reads {
        match instr.traits().looks {
            Looks::Nothing => Reads::NONE,
            Looks::Flow => Reads::FLOW,
            // Continuous effects may look at anything.
            Looks::Attribute(attr) => match self.attr(attr) {
                Some(rule) if !rule.has_auras => Reads::column(rule.column),
                Some(_) | None => Reads::ALL,
            },
            Looks::Cards => Reads::CARDS,
            Looks::Players => Reads::PLAYERS,
            Looks::Selector(id) => self.select_reads(id, depth),
            Looks::Code(_) | Looks::Stack | Looks::World | Looks::Anything => Reads::ALL,
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
            Source::List(_) => Reads::CARDS,
            Source::Defs(_) => Reads::NONE,
            Source::Stack(_) => Reads::ALL,
        };
        let seat = match select.seat {
            SeatRule::Any | SeatRule::In(_) => Reads::NONE,
            SeatRule::You | SeatRule::Others => Reads::FLOW,
        };
        select.codes().into_iter().fold(source.with(seat), |acc, it| acc.with(self.code_reads(it, depth)))
    }
}
