//! A condition told part by part: what it says, what it looks at and whether it holds, as far as a viewer may know.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use ruleset::{
    AbilityId, CodePtr, NULL, SelectId,
    clause::{Clause, Role},
    instr::{Instr, Sees},
    program::{Domain, Source},
    sort::{Sort, Type},
};

use crate::{
    ability,
    derived::is_live,
    eval::{self, Cx, Go, Who},
    fault::Fault,
    ids::EntityId,
    scratch::Machine,
    select,
    state::Status,
    view::Viewer,
};

/// How deep parts are told; what is deeper is told by what it comes to. A reader of a story has a stack, too.
const DEPTH_MAX: u8 = 24;

/// What a clause comes to, as a viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// One value.
    Value(i64),
    /// Several.
    List(Vec<i64>),
    /// It looks at what the viewer does not see.
    Hidden,
}

/// A clause and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What it says, in short.
    pub text: String,
    pub role: Role,
    pub ty: Type,
    pub seen: Seen,
    pub parts: Vec<Story>,
}

impl Story {
    /// Whether a condition holds; none if the viewer may not know.
    pub fn holds(&self) -> Option<bool> {
        if let Seen::Value(value) = self.seen { Some(value == 1) } else { None }
    }

    /// A condition that no ruleset wrote, because the engine itself asks for it.
    fn built_in(text: &str, holds: Option<bool>) -> Self {
        let seen = holds.map_or(Seen::Hidden, |it| Seen::Value(i64::from(it)));
        Self { text: text.to_string(), role: Role::Plain, ty: Type::BOOL, seen, parts: Vec::new() }
    }
}

/// What was run to find out whether something hidden is looked at.
struct Looked {
    n_run: u32,
}

/// Runs code once more, slowly, and tells what its parts come to.
pub(crate) struct Teller<'a> {
    pub cx: Cx<'a>,
    pub machine: Machine,
    pub viewer: Viewer,
    /// Whether something was looked at that the viewer does not see.
    hidden: bool,
    /// The registers whose values come from that, a bit each.
    hidden_regs: u32,
    /// How many clauses are being told, each a part of the one before it.
    depth: u8,
}

impl<'a> Teller<'a> {
    /// A teller who has the variables and registers of some code, and strength of his own.
    pub fn new(cx: Cx<'a>, machine: &Machine, viewer: Viewer) -> Self {
        let mut teller = Self::with_locals(cx, machine.locals().to_vec(), viewer);
        teller.machine.regs = machine.regs;
        teller
    }

    fn with_locals(cx: Cx<'a>, locals: Vec<i64>, viewer: Viewer) -> Self {
        let mut machine = Machine::with_fuel(cx.program.limits.instructions_per_step_max);
        machine.load(&locals);
        Self { cx, machine, viewer, hidden: false, hidden_regs: 0, depth: 0 }
    }

    /// Tells a piece of code that takes so many values; none if there is nothing to tell of it.
    pub fn tell(&mut self, code: CodePtr, takes: &[i64]) -> Option<Story> {
        let program = self.cx.program;
        let clause = program.clauses.of(code)?;
        takes.iter().for_each(|it| self.machine.push(*it));
        let mut story = self.clause(clause).ok()?;
        // The code as a whole says what its only part says.
        let only = if story.parts.len() == 1 { story.parts.pop() } else { None };
        Some(only.unwrap_or(story))
    }

    fn clause(&mut self, clause: &Clause) -> Result<Story, Fault> {
        let outer = core::mem::take(&mut self.hidden);
        self.depth = self.depth.saturating_add(1);
        let told = match clause.role {
            Role::All if self.tells_parts() => self.logic(clause, false),
            Role::Any if self.tells_parts() => self.logic(clause, true),
            Role::All | Role::Any | Role::Not | Role::Use | Role::Plain => self.plain(clause),
        };
        self.depth = self.depth.saturating_sub(1);
        self.hidden |= outer;
        told
    }

    fn tells_parts(&self) -> bool {
        self.depth < DEPTH_MAX
    }

    /// Tells every part, also those behind the one that decides.
    fn logic(&mut self, clause: &Clause, decides: bool) -> Result<Story, Fault> {
        let (mut real, mut known) = (!decides, Some(!decides));
        let mut parts = Vec::new();
        for part in clause.parts.iter().filter(|it| it.ty == Type::BOOL) {
            let story = self.clause(part)?;
            if (self.machine.pop() == 1) == decides {
                real = decides;
            }
            known = match (known, story.holds()) {
                (Some(it), _) if it == decides => known,
                (_, Some(it)) if it == decides => Some(decides),
                (_, None) => None,
                (_, Some(_)) => known,
            };
            parts.push(story);
        }
        self.machine.push(i64::from(real));
        self.hidden = known.is_none();
        let seen = known.map_or(Seen::Hidden, |it| Seen::Value(i64::from(it)));
        Ok(Story { text: clause.text.clone(), role: clause.role, ty: clause.ty, seen, parts })
    }

    /// Tells what runs as it is written; its parts are told on the way.
    fn plain(&mut self, clause: &Clause) -> Result<Story, Fault> {
        let mut parts = Vec::new();
        let mut pc = clause.start;
        while pc < clause.end {
            let mut parts_here = clause.parts.iter().filter(|_| self.tells_parts());
            let part = parts_here.find(|it| it.start == pc && it.end > pc);
            if let Some(part) = part {
                parts.push(self.clause(part)?);
                pc = part.end;
                continue;
            }
            let instr = self.cx.program.instr(pc);
            self.watch(instr);
            if let Instr::SetReg(reg) = instr {
                self.keep_secret(reg, clause.role);
            }
            if instr == Instr::CanActivate && self.tells_parts() {
                parts.extend(self.activation());
            }
            self.machine.spend(1)?;
            match eval::pure(&self.cx, &mut self.machine, instr)? {
                Go::On => pc = CodePtr(pc.0.saturating_add(1)),
                Go::To(to) => pc = to,
                Go::Return | Go::Effect => break,
            }
        }
        let seen = if self.hidden { Seen::Hidden } else { self.top(clause.ty) };
        Ok(Story { text: clause.text.clone(), role: clause.role, ty: clause.ty, seen, parts })
    }

    /// A register gets a value: what is hidden stays so wherever it is read. An argument of a definition is no part of
    /// what the definition says.
    fn keep_secret(&mut self, reg: u8, role: Role) {
        let bit = 1_u32.checked_shl(u32::from(reg)).unwrap_or(0);
        self.hidden_regs = if self.hidden { self.hidden_regs | bit } else { self.hidden_regs & !bit };
        if role == Role::Use {
            self.hidden = false;
        }
    }

    fn top(&self, ty: Type) -> Seen {
        let value = self.machine.below(0);
        if ty.many || ty.sort == Sort::Answers {
            return Seen::List(self.machine.items(value).to_vec());
        }
        Seen::Value(value)
    }

    /// What must hold so that an ability can be used, in the order of ruling 51.
    fn activation(&mut self) -> Vec<Story> {
        let cx = self.cx;
        let ability = AbilityId::from(self.machine.below(0));
        let card = EntityId::from(self.machine.below(1));
        if !self.sees(card.into()) {
            return Vec::new();
        }
        let Some(id) = ability::rule_of(cx.state, cx.program, card, ability) else {
            return alloc::vec![Story::built_in("it has the ability", Some(false))];
        };
        let Some(rule) = cx.program.rule(id) else { return Vec::new() };
        let controls = cx.state.ent(card).is_some_and(|it| it.controller == cx.you);
        let uses = ability::has_uses_left(cx.state, rule, id, card);
        let mut parts = alloc::vec![
            Story::built_in("you control it", Some(controls)),
            Story::built_in("its ability works where it is", Some(is_live(cx.program, cx.state, card, id))),
            Story::built_in("it was not used too often in this turn", Some(uses)),
        ];
        let inner = cx.seen_by(Who { cause: cx.cause, ..Who::card(card, cx.you) });
        let locals = alloc::vec![NULL; usize::from(rule.cells)];
        let mut teller = Teller::with_locals(inner, locals, self.viewer);
        teller.depth = self.depth;
        teller.machine.lower(self.machine.fuel);
        parts.extend(teller.tell(rule.conditions, &[]));
        for slot in rule.slots.iter().filter(|it| it.depends == 0 && it.min > 0) {
            let Domain::Select(select) = slot.domain else { continue };
            teller.watch(Instr::Count(select));
            let found = select::count(&inner, &mut teller.machine, select);
            let holds = found.ok().filter(|_| !teller.hidden).map(|it| it >= i64::from(slot.min));
            parts.push(Story::built_in("there is a target for it", holds));
        }
        let paid = super::trace::unpaid(&inner, &mut teller.machine, rule.costs, self.viewer);
        // Where too little is left, the code that is told runs out by itself.
        let _ = self.machine.spend(teller.machine.spent());
        parts.push(match paid {
            Ok(()) => Story::built_in("its costs can be paid", Some(true)),
            Err(unpaid) => Story {
                parts: unpaid.story.into_iter().collect(),
                ..Story::built_in("its costs can be paid", Some(false))
            },
        });
        parts
    }

    /// Notes whether an instruction is about to look at what the viewer does not see.
    fn watch(&mut self, instr: Instr) {
        let mut looked = Looked { n_run: 0 };
        let hides = match instr.sees() {
            Sees::Nothing => false,
            Sees::Card(below) => !self.sees(self.machine.below(usize::from(below))),
            Sees::Found(id) => self.searches_hidden(id, 0, &mut looked),
            Sees::Items(code) => {
                let items = self.machine.items(self.machine.below(0));
                !items.iter().all(|it| self.sees(*it)) || self.code_searches_hidden(code, 0, &mut looked)
            }
            Sees::Answers => self.viewer != Viewer::Judge,
            Sees::Register(reg) => self.is_secret(reg),
        };
        #[cfg(feature = "planted-leaks")]
        let hides = hides && !crate::leaks::is(crate::leaks::Leak::HiddenReason);
        self.hidden |= hides;
        // Where too little is left, the code that is told runs out by itself.
        let _ = self.machine.spend(looked.n_run);
    }

    fn is_secret(&self, reg: u8) -> bool {
        self.hidden_regs & 1_u32.checked_shl(u32::from(reg)).unwrap_or(0) != 0
    }

    /// Whether the viewer can look at a card; whatever is none can be looked at.
    fn sees(&self, value: i64) -> bool {
        let card = EntityId::from(value);
        let is_card = self.cx.state.ent(card).is_some_and(|it| it.status != Status::Player);
        !is_card || self.viewer.sees_card(self.cx.program, self.cx.state, card)
    }

    /// Whether a selector tells cards apart among which the viewer sees not all. How many there are is no secret.
    fn searches_hidden(&self, id: SelectId, depth: u8, looked: &mut Looked) -> bool {
        let (program, state) = (self.cx.program, self.cx.state);
        let Some(select) = program.select(id).filter(|_| depth < 8) else { return true };
        let codes = [select.filter, select.take, select.random, select.rank.map_or(CodePtr::NONE, |it| it.value)];
        if codes.iter().any(|it| self.code_searches_hidden(*it, depth.saturating_add(1), looked)) {
            return true;
        }
        if select.filter.is_none() && !select.compares() {
            return false;
        }
        match select.source {
            Source::Zones(mask) => select::instances(&self.cx, mask, select::wide_seats(&self.cx, select))
                .any(|(zone, _)| state.cards_in(zone).any(|it| !self.sees(it.into()))),
            Source::List(code) => {
                let mut machine = self.machine.clone();
                machine.restart(self.machine.fuel.saturating_sub(looked.n_run));
                let list = eval::eval(&self.cx, &mut machine, code);
                looked.n_run = looked.n_run.saturating_add(machine.spent());
                list.is_ok_and(|it| machine.items(it).iter().any(|it| !self.sees(*it)))
            }
            Source::Players | Source::Stack(_) | Source::Defs(_) => false,
        }
    }

    fn code_searches_hidden(&self, code: CodePtr, depth: u8, looked: &mut Looked) -> bool {
        if code.is_none() {
            return false;
        }
        let code = self.cx.program.code.get(code.index()..).unwrap_or_default();
        code.iter().take_while(|it| **it != Instr::Return).any(|it| match it.sees() {
            Sees::Found(id) => self.searches_hidden(id, depth, looked),
            Sees::Register(reg) => self.is_secret(reg),
            Sees::Items(code) => depth >= 8 || self.code_searches_hidden(code, depth.saturating_add(1), looked),
            // What is looked at here are the candidates, of which the selector's place says whether they are seen.
            Sees::Nothing | Sees::Card(_) | Sees::Answers => false,
        })
    }
}
