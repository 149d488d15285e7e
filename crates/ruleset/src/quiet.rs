//! Which events and lists are quiet: nobody answers them, they cannot fail, and they cost little. The engine carries
//! these out at once, without a plan that could be dropped.

use alloc::vec::Vec;

use crate::{
    ids::{CodePtr, EventTypeId, SelectId},
    instr::Instr,
    program::{BuiltIn, EventType, Program, SeatRule, Select, Source},
};

/// The most instructions a quiet list or a piece of its code has.
const LENGTH_MAX: u8 = 32;

/// The most selectors in a quiet list.
const SELECTS_MAX: u8 = 2;

/// What is quiet in a program.
#[derive(Clone, Debug, Default)]
pub struct Quiet {
    /// By place in the code: whether the list goes on quietly from there to its end.
    lists: Vec<bool>,
    /// By place in the code: the same, and nothing in it changes places.
    payments: Vec<bool>,
    /// By place in the code: whether all that is paid from there to the end can be paid, whatever was paid before.
    free: Vec<bool>,
    /// By event type: whether nobody answers it, neither before nor after it happens, and its fields hold one each.
    told: Vec<bool>,
    /// By event type: whether it is unanswered and only changes values and places.
    events: Vec<bool>,
    /// With more cards and players than this, a quiet event could cost more than a share of a step.
    pub entities_max: usize,
}

impl Quiet {
    /// Whether a list goes on quietly from a place to its end.
    #[inline]
    pub fn is_list(&self, at: CodePtr) -> bool {
        self.lists.get(at.index()).copied().unwrap_or(false)
    }

    /// Whether a list goes on quietly to its end and moves no card, as costs do that can be paid on the spot.
    #[inline]
    pub fn is_payment(&self, at: CodePtr) -> bool {
        self.payments.get(at.index()).copied().unwrap_or(false)
    }

    /// Whether all that is paid from a place to the end of a list can be paid, whatever was paid before.
    #[inline]
    pub fn is_free(&self, at: CodePtr) -> bool {
        self.free.get(at.index()).copied().unwrap_or(false)
    }

    /// Whether no rule of the ruleset answers an event, and to tell of it takes no more than its fields.
    #[inline]
    pub fn is_told(&self, event: EventTypeId) -> bool {
        self.told.get(event.index()).copied().unwrap_or(false)
    }

    /// Whether an event is unanswered and only changes values and places.
    #[inline]
    pub fn is_event(&self, event: EventTypeId) -> bool {
        self.events.get(event.index()).copied().unwrap_or(false)
    }
}

/// What a list has used up of what a quiet one may have, counted from its end.
#[derive(Clone, Copy, Default)]
struct Used {
    length: u8,
    selects: u8,
}

fn has_single_fields(event: &EventType) -> bool {
    event.fields.iter().all(|it| !it.many)
}

/// How many parts a step has that may each cost the same: checks, judges, and twice the event itself.
pub const SHARES: u32 = 4;

/// With how many cards and players a quiet event costs no more than its share of a step: its fields, what it requires
/// and what it changes are one list each, with a look at everybody for every selector.
fn entities_max(instructions_per_step: u32) -> usize {
    let list = instructions_per_step.checked_div(SHARES.saturating_mul(3)).unwrap_or(0);
    let looks = list.checked_div(u32::from(LENGTH_MAX)).unwrap_or(0).saturating_sub(1);
    usize::try_from(looks.checked_div(u32::from(SELECTS_MAX)).unwrap_or(0)).unwrap_or(0)
}

impl Program {
    /// Works out what is quiet.
    pub(crate) fn find_quiet(&mut self) {
        let ids = || (0..self.events.len()).map(EventTypeId::at);
        let unanswered: Vec<bool> = ids().map(|it| self.is_unanswered(it)).collect();
        let is = |of: &[bool], id: EventTypeId| of.get(id.index()).copied().unwrap_or(false);
        let moves_unheard = is(&unanswered, BuiltIn::CardMoved.id());
        let sets = |it: Instr| matches!(it, Instr::SetAttr | Instr::AddAttr);
        let moves = |it: Instr| moves_unheard && matches!(it, Instr::Move(..));
        let quiet_events = |writes: &[bool]| -> Vec<bool> {
            let applies = |it: &EventType| it.apply.is_none() || writes.get(it.apply.index()).copied().unwrap_or(false);
            self.events.iter().zip(&unanswered).map(|(it, quiet)| *quiet && applies(it) && self.is_plain(it)).collect()
        };
        let setting = quiet_events(&self.quiet_ends(sets));
        let events = quiet_events(&self.quiet_ends(|it| sets(it) || moves(it)));
        let emits = |it: Instr, of: &[bool]| if let Instr::Emit(emit) = it { is(of, emit.kind) } else { false };
        let payments = self.quiet_ends(|it| emits(it, &setting));
        let lists = self.quiet_ends(|it| emits(it, &events));
        let entities_max = entities_max(self.limits.instructions_per_step_max);
        let told = self.events.iter().zip(&unanswered).map(|(it, quiet)| *quiet && has_single_fields(it)).collect();
        let free = self.free_ends();
        self.quiet = Quiet { lists, payments, free, told, events, entities_max };
    }

    fn is_unanswered(&self, event: EventTypeId) -> bool {
        let is_silent = |it: &[crate::program::RuleIndex]| it.get(event.index()).is_none_or(|it| it.is_empty());
        is_silent(&self.before) && is_silent(&self.after)
    }

    /// Whether an event concerns one or nobody, needs no row, and leads to nothing else.
    fn is_plain(&self, event: &EventType) -> bool {
        let is_bare = event.fan_out.is_none() && event.skip_when.is_none() && event.effects.is_none();
        let requires = event.requires.is_none() || self.is_light(event.requires);
        is_bare && requires && !event.needs_row && has_single_fields(event)
    }

    /// For every place of the code whether the list there, up to its `End`, has nothing but values and what may be.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not known to be quiet is not")]
    fn quiet_ends(&self, may_be: impl Fn(Instr) -> bool) -> Vec<bool> {
        let mut quiet = alloc::vec![false; self.code.len()];
        let mut behind: Option<Used> = None;
        for (instr, slot) in self.code.iter().zip(&mut quiet).rev() {
            behind = match *instr {
                Instr::End => Some(Used::default()),
                Instr::Select(id) | Instr::Count(id) if self.is_light_select(id) => {
                    behind.map(|it| Used { selects: it.selects.saturating_add(1), ..it })
                }
                it if self.is_light_instr(it) || may_be(it) => behind,
                _ => None,
            };
            behind = behind.map(|it| Used { length: it.length.saturating_add(1), ..it });
            behind = behind.filter(|it| it.length <= LENGTH_MAX && it.selects <= SELECTS_MAX);
            *slot = behind.is_some();
        }
        quiet
    }

    /// For every place of the code whether the list there goes on to its end, past nothing that requires something.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not known to be free is not")]
    fn free_ends(&self) -> Vec<bool> {
        let mut free = alloc::vec![false; self.code.len()];
        for (at, instr) in self.code.iter().enumerate().rev() {
            let is_free = |at: usize| free.get(at).copied().unwrap_or(false);
            let goes_on = match *instr {
                Instr::End => true,
                Instr::Jump(to) => to.index() > at && is_free(to.index()),
                Instr::Emit(emit) => {
                    let demands = self.event(emit.kind).is_none_or(|it| it.requires.is_some());
                    !demands && is_free(at.saturating_add(1))
                }
                // What is paid with does not matter, nor what changes it.
                it => (matches!(it, Instr::Attr(_)) || self.is_light_instr(it)) && is_free(at.saturating_add(1)),
            };
            if let Some(slot) = free.get_mut(at) {
                *slot = goes_on;
            }
        }
        free
    }

    /// Whether pure code is short and goes straight on, at most past some of itself.
    fn is_light(&self, code: CodePtr) -> bool {
        let code = self.code.get(code.index()..).unwrap_or_default();
        let head = code.iter().take(usize::from(LENGTH_MAX));
        let end = head.clone().position(|it| *it == Instr::Return);
        let is_light = |it: &Instr| {
            self.is_light_instr(*it) || matches!(it, Instr::Jump(_) | Instr::JumpIf(_) | Instr::JumpUnless(_))
        };
        end.is_some_and(|end| head.take(end).all(is_light))
    }

    /// Whether an instruction only looks at what lies at hand, which no continuous effect changes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not known to be light is not")]
    fn is_light_instr(&self, instr: Instr) -> bool {
        use Instr::{
            Abs, Active, Attr, Cause, Const, First, HasType, Last, ListOf, Local, Long, Math, Neg, NextPlayer, Not,
            Null, PhaseNow, Prop, Reg, SetReg, Size, StepNow, This, Turn, You,
        };
        match instr {
            Attr(attr) => self.attr(attr).is_some_and(|it| !it.has_auras),
            Const(_) | Long(_) | Null | Local(_) | Reg(_) | SetReg(_) | This | You | Cause | Turn | Active
            | PhaseNow | StepNow | Prop(_) | HasType(_) | NextPlayer | Math(_) | Neg | Abs | Not | First | Last
            | Size | ListOf(_) => true,
            _ => false,
        }
    }

    fn is_light_select(&self, id: SelectId) -> bool {
        let Some(Select { source, seat, filter, rank, take, random, .. }) = self.select(id) else { return false };
        let is_near = matches!(source, Source::Zones(_) | Source::Players) && rank.is_none() && random.is_none();
        let seat = if let SeatRule::In(code) = seat { *code } else { CodePtr::NONE };
        is_near && [seat, *filter, *take].into_iter().all(|it| it.is_none() || self.is_light(it))
    }
}
