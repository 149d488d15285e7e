//! State checks that find a few cards at a glance, each of which leads to what was read ahead: a batch that comes and
//! goes at once, so that it is told of but never lies on the stack.

use ruleset::{deed::Deed, stroke::Leads, watch::Watch};

use super::{Direct, FACTS_MAX, MEMBERS_MAX, list::child};
use crate::{
    check, fold,
    ids::{EntityId, EventNo},
    list,
    record::{Record, Sink},
    scratch::RECORD_COST,
    state::{Frame, FrameKind, GroupRow, Stage},
};

/// What checks find.
struct Findings<'p> {
    /// The first so many of these, each with what it leads to.
    found: [Option<(EntityId, &'p Leads, &'p Deed)>; MEMBERS_MAX],
    n: usize,
    /// What it costs to look for them.
    cost: u32,
    /// How many variables their rows have.
    n_cells: u32,
}

impl<'p> Findings<'p> {
    /// Adds one to those from a place on, in order of their numbers; none if there are too many.
    fn add(&mut self, first: usize, one: EntityId, leads: &'p Leads, deed: &'p Deed) -> Option<()> {
        *self.found.get_mut(self.n)? = Some((one, leads, deed));
        let mut at = self.n;
        self.n = self.n.saturating_add(1);
        self.n_cells = self.n_cells.saturating_add(u32::try_from(deed.n_cells).unwrap_or(u32::MAX));
        // There are few of them.
        while at > first {
            let before = at.saturating_sub(1);
            if self.found.get(before)?.is_some_and(|it| it.0 < one) {
                break;
            }
            self.found.swap(before, at);
            at = before;
        }
        Some(())
    }
}

impl<'a, S: Sink> Direct<'a, S> {
    /// Puts right what checks find; false, before anything is touched, if that takes more than a glance.
    pub(super) fn put_right_at_once(&mut self) -> bool {
        if S::LOOKS {
            return false;
        }
        let mut findings = Findings { found: [None; MEMBERS_MAX], n: 0, cost: 0, n_cells: 0 };
        let is_plain = self.find_all_plainly(&mut findings).is_some();
        if !is_plain || findings.n == 0 || !self.can_bear(&findings) {
            return false;
        }
        self.owe(findings.cost.saturating_add(findings.n_cells));
        let root = EventNo(self.state.head.next_event);
        let parent = Frame { controller: self.state.head.active, ..Frame::blank(FrameKind::Group, root) };
        self.announce_batch(&parent, &findings);
        // What follows is a step of its own.
        let is_far = self.begin();
        debug_assert!(is_far, "a limit is nearer than it was");
        self.carry_out_batch(&parent, &findings);
        true
    }

    /// Adds what checks find, in the order in which they look; none where that takes more than a glance.
    fn find_all_plainly(&self, findings: &mut Findings<'a>) -> Option<()> {
        let changed = self.derived.changed().filter(|_| self.state.mods.is_empty())?;
        let program = self.program;
        for (check, (reads, watch)) in program.checks.iter().zip(&program.watches) {
            if self.derived.is_touched(*reads) {
                let watch = watch.as_ref().filter(|_| check.is_plain)?;
                let leads = program.strokes.leads(check.emit)?;
                self.find_plainly(watch, changed, (leads, leads.deed.as_ref()?), findings)?;
            }
        }
        Some(())
    }

    /// Adds what one check finds; none if that is too many.
    fn find_plainly(
        &self,
        watch: &Watch,
        changed: &[EntityId],
        (leads, deed): (&'a Leads, &'a Deed),
        findings: &mut Findings<'a>,
    ) -> Option<()> {
        let (first, mut n_looks) = (findings.n, 0_u32);
        for one in changed.iter().filter(|it| check::is_among(self.program, self.state, watch.among, **it)) {
            // Whoever only asks whether there is anybody is content with the first.
            n_looks = n_looks.saturating_add(u32::from(findings.n == first));
            if watch.holds(i64::from(self.state.base(self.program, *one, watch.column))) {
                findings.add(first, *one, leads, deed)?;
            }
        }
        // Up to the first check that finds something it is asked twice: whether anything is to be done, and what.
        let n_looks = if first == 0 { n_looks.saturating_mul(2) } else { n_looks };
        let looking = n_looks.saturating_mul(watch.fuel);
        let n_found = u32::try_from(findings.n.saturating_sub(first)).unwrap_or(u32::MAX);
        // All who are there are listed then, and each who is found leads to something.
        let n_there = if n_found > 0 { check::n_among(self.program, self.state, watch.among) } else { 0 };
        let listing = n_there.saturating_mul(watch.fuel.saturating_add(1));
        let leading = n_found.saturating_mul(u32::from(leads.size).saturating_add(1));
        findings.cost = findings.cost.saturating_add(looking).saturating_add(listing).saturating_add(leading);
        Some(())
    }

    /// Whether no limit is near, neither now nor once the batch is announced.
    fn can_bear(&self, findings: &Findings<'_>) -> bool {
        let limits = &self.program.limits;
        let n_records = u32::try_from(findings.n).unwrap_or(u32::MAX).saturating_add(3);
        let cost = n_records.saturating_mul(RECORD_COST).saturating_add(findings.n_cells).saturating_add(findings.cost);
        let is_far = self.spent().saturating_add(i64::from(cost)) <= self.spare;
        self.state.head.check_rounds < limits.check_rounds_max
            && self.depth_max() > MEMBERS_MAX
            && FACTS_MAX <= limits.facts_per_root_max
            && findings.cost <= self.share()
            && is_far
    }

    /// Tells of the rows of a batch.
    fn announce_batch(&mut self, parent: &Frame, findings: &Findings<'_>) {
        self.next_event = parent.event.0.saturating_add(1);
        let no = self.state.head.next_group;
        self.put(&Record::Checked);
        self.put(&Record::GroupOpened(GroupRow { no, parent: 0, required: false }));
        for (one, leads, deed) in findings.found.iter().flatten() {
            let row = list::child_row(parent, leads.emit, self.event_no());
            let member = Frame { kind: FrameKind::Member, group: no, required: false, ..row };
            fold::come(self.state, &member);
            if S::ON {
                self.hold(*one);
                self.keep_fields(&child(parent, row.event), deed, &leads.fields);
            }
            self.note_kept(deed.n_cells, |cells| Record::Pushed(member, cells));
        }
        let members = u16::try_from(findings.n).unwrap_or(u16::MAX);
        let controller = list::controller_row(parent, self.event_no(), no, members);
        fold::come(self.state, &controller);
        self.note(&Record::Pushed(controller, &[]));
    }

    /// All members of a batch happen, in order, as one, and its rows go.
    fn carry_out_batch(&mut self, parent: &Frame, findings: &Findings<'_>) {
        let members = u16::try_from(findings.n).unwrap_or(u16::MAX);
        (1..=members).for_each(|it| self.note(&Record::MemberNext(it)));
        self.note(&Record::Staged(Stage::Before));
        let mut event = parent.event;
        for (one, leads, deed) in findings.found.iter().flatten() {
            event = EventNo(event.0.saturating_add(1));
            let who = child(parent, event);
            self.hold(*one);
            self.keep_fields(&who, deed, &leads.fields);
            self.carry_out(&who, leads.emit.kind, deed);
        }
        fold::leave(self.state);
        (0..=members).for_each(|_| self.note(&Record::Popped));
    }

    /// Makes one who was found the only variable.
    fn hold(&mut self, one: EntityId) {
        let locals = &mut self.scratch.machine.locals;
        locals.clear();
        locals.push(one.into());
    }
}
