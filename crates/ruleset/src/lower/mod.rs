//! From the linked document to a program: resolves names, checks types and writes code, in one pass
//! that reports every mistake it meets. Nothing of the program is kept if there was one.

mod action;
mod ask;
mod card;
mod clause;
mod declare;
mod delay;
mod effect;
mod event;
mod expr;
mod finder;
mod game;
mod nesting;
mod owner;
mod params;
mod path;
mod rule;
mod scope;
mod select;
mod shadow;
mod stakes;
mod turn;
mod unused;
mod write;

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use crate::{
    assemble::Passes,
    clause::{Clause, Clauses},
    grammar::RULESET,
    ids::{CodePtr, EventTypeId, SelectId, ZoneId},
    instr::Instr,
    limits::Limits,
    names::{Names, Space},
    op::Ops,
    program::{OnLimit, PlayersRule, Policy, Program, ReactionOrder, Select},
    shape,
    sort::Type,
    term::{Place, Term},
    text::Text,
    violation::{Code, Violation},
};
use scope::{Scope, Unit};

/// The most instructions a program may have; definitions that multiply each other end here.
const CODE_MAX: usize = 1 << 19;

/// Lowers a linked document.
pub(crate) fn lower(root: &Term) -> Result<Program, Vec<Violation>> {
    let mut lower = Lower::new(root);
    shape::check(root, &RULESET, &mut lower.violations);
    lower.run();
    lower.violations.sort_by_key(|it| (it.place, it.code));
    lower.violations.dedup();
    if lower.violations.is_empty() { Ok(lower.program) } else { Err(lower.violations) }
}

/// A field of a declared event type.
#[derive(Clone, Debug)]
struct FieldDecl {
    name: String,
    ty: Type,
    optional: bool,
    /// Whether the event creates the card in this field.
    new: bool,
}

/// What lowering knows about an event type besides its row.
#[derive(Clone, Debug, Default)]
struct EventDecl {
    id: String,
    fields: Vec<FieldDecl>,
    /// The event type that is what happens, where it is another one.
    fact: Option<EventTypeId>,
    /// Whether it does something itself, so that it is more than a name for what others do.
    is_intent: bool,
}

struct Lower<'a> {
    root: &'a Term,
    program: Program,
    names: Names,
    events: Vec<EventDecl>,
    /// Event types by the name of the operation that emits them.
    event_ops: BTreeMap<String, EventTypeId>,
    defines: BTreeMap<&'a str, &'a Term>,
    /// What is being lowered, for mistakes that have no term of their own.
    at: Place,
    /// Definitions being expanded, to find circles.
    expanding: Vec<&'a str>,
    /// Definitions that were expanded somewhere.
    used: BTreeSet<&'a str>,
    scope: Scope,
    code: Vec<Instr>,
    /// What the code was lowered from, as far as that is kept.
    clauses: Vec<Clause>,
    n_clauses: usize,
    /// The reasons for which the game can end so that somebody wins.
    winnable: Vec<u16>,
    /// All costs, with the places to report them at.
    cost_lists: Vec<(Place, CodePtr)>,
    /// The event whose writes are being lowered.
    applied: EventTypeId,
    /// Writes whose attribute and target are fields, and what is emitted to such events.
    field_writes: Vec<owner::FieldWrite>,
    emitted: Vec<owner::Emitted>,
    /// How often a definition was expanded, in all and by the outermost use being lowered.
    n_expanded: u32,
    n_expanded_here: u32,
    /// Where the definitions being expanded are used by rules.
    outermost_use: Option<Place>,
    /// How many values, effects and writes are being lowered, each in the one before it.
    nesting: u16,
    violations: Vec<Violation>,
}

impl<'a> Lower<'a> {
    fn new(root: &'a Term) -> Self {
        Self {
            root,
            program: empty_program(),
            names: Names::default(),
            events: Vec::new(),
            event_ops: BTreeMap::new(),
            defines: BTreeMap::new(),
            at: root.place,
            expanding: Vec::new(),
            used: BTreeSet::new(),
            scope: Scope::new(Unit::System),
            code: Vec::new(),
            clauses: Vec::new(),
            n_clauses: 0,
            winnable: Vec::new(),
            cost_lists: Vec::new(),
            applied: EventTypeId::NONE,
            field_writes: Vec::new(),
            emitted: Vec::new(),
            n_expanded: 0,
            n_expanded_here: 0,
            outermost_use: None,
            nesting: 0,
            violations: Vec::new(),
        }
    }

    fn run(&mut self) {
        self.declare_all();
        self.check_twins();
        self.check_twin_ids();
        self.check_shadows();
        self.lower_players();
        self.lower_events();
        self.lower_turn();
        self.lower_cards();
        self.lower_reactions();
        self.lower_actions();
        self.lower_game();
        self.check_costs();
        self.check_emitted();
        self.check_unused();
        self.index_rules();
        self.program.find_auras();
        self.program.find_reads();
        self.program.find_rows();
        self.program.find_places();
        self.program.find_slots();
        self.program.find_whole();
        self.program.assemble(Passes::ALL);
        self.check_playable();
    }

    fn report(&mut self, place: Place, code: Code, message: impl Into<String>) {
        self.violations.push(Violation::new(place, code, message));
    }

    fn report_unknown(&mut self, term: &Term, space: Space, name: &str) {
        let violation =
            Violation::new(term.place, Code::UnknownName, format!("no {} of this name: {name}", space.noun()));
        self.violations.push(violation.suggest(name, self.names.all(space)));
    }

    /// The number under a key, reporting one that is out of range.
    fn int_in(&mut self, term: &Term, key: &str, range: core::ops::RangeInclusive<i64>) -> Option<i64> {
        let value = term.int_at(key)?;
        if range.contains(&value) {
            return Some(value);
        }
        let place = term.get(key).map_or(term.place, |it| it.place);
        let (low, high) = (range.start(), range.end());
        self.report(place, Code::OutOfRange, format!("{key} must be between {low} and {high}: {value}"));
        None
    }

    /// The number of a name, reporting it where nobody declared it.
    fn name(&mut self, term: &Term, space: Space) -> Option<u16> {
        let name = term.text()?;
        let found = self.names.find(space, name);
        if found.is_none() {
            self.report_unknown(term, space, name);
        }
        found
    }

    fn emit(&mut self, instr: Instr) -> CodePtr {
        let at = CodePtr::at(self.code.len());
        if self.is_full() {
            if !self.violations.iter().any(|it| it.code == Code::TooLarge) {
                self.report(self.at, Code::TooLarge, format!("the rules come to more than {CODE_MAX} instructions"));
            }
        } else {
            self.note_slot_use(instr);
            if instr.is_effect() && !matches!(instr, Instr::Set(_) | Instr::Store(_) | Instr::GroupStart { .. }) {
                self.scope.finders.clear();
            }
            self.code.push(instr);
        }
        at
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn note_slot_use(&mut self, instr: Instr) {
        let slot = match instr {
            Instr::Local(cell) | Instr::LocalList(cell) => cell,
            Instr::This => self.scope.principal,
            _ => return,
        };
        if slot < self.scope.n_slots {
            self.scope.read_slots |= 1_u32.checked_shl(u32::from(slot)).unwrap_or(0);
        }
    }

    fn is_full(&self) -> bool {
        self.code.len().saturating_add(self.program.code.len()) >= CODE_MAX
    }

    fn here(&self) -> CodePtr {
        CodePtr::at(self.code.len())
    }

    /// Makes the jump at a place go to the next instruction.
    fn land(&mut self, jump: CodePtr) {
        let here = self.here();
        match self.code.get_mut(jump.index()) {
            Some(Instr::Emit(emit)) => emit.otherwise = here,
            Some(instr) => retarget(instr, |_| here),
            None => {}
        }
    }

    /// Lowers a piece of code that stands on its own and ends with `end`.
    fn chunk(&mut self, end: Instr, body: impl FnOnce(&mut Self)) -> CodePtr {
        let outer = core::mem::take(&mut self.code);
        body(self);
        self.emit(end);
        let inner = core::mem::replace(&mut self.code, outer);
        let base = self.program.code.len();
        self.program.code.extend(inner.into_iter().map(|mut it| {
            retarget(&mut it, |to| CodePtr::at(to.index().saturating_add(base)));
            it
        }));
        CodePtr::at(base)
    }

    /// Lowers code in a scope of its own, and gives how many cells it needs.
    fn in_scope<T>(&mut self, scope: Scope, body: impl FnOnce(&mut Self) -> T) -> (T, u16) {
        let outer = core::mem::replace(&mut self.scope, scope);
        let value = body(self);
        let inner = core::mem::replace(&mut self.scope, outer);
        (value, inner.cells)
    }

    /// Lowers code whose variables end with it; their cells are not used again, since frames keep them.
    fn in_block(&mut self, body: impl FnOnce(&mut Self)) {
        let n_vars = self.scope.vars.len();
        let next_reg = self.scope.next_reg;
        body(self);
        self.scope.vars.truncate(n_vars);
        self.scope.next_reg = next_reg;
    }

    fn add_select(&mut self, select: Select, place: Place) -> SelectId {
        let id = SelectId::at(self.program.selects.len());
        if id.is_none() {
            self.report(place, Code::TooLarge, "too many selectors");
        }
        self.program.selects.push(select);
        id
    }

    /// The bit of a kind of zone in a mask.
    fn zone_bit(zone: u16) -> u64 {
        1_u64.checked_shl(u32::from(zone)).unwrap_or(0)
    }

    /// The zones in which abilities work unless they say otherwise.
    fn active_zones(&self) -> u64 {
        let zones = self.program.zones.iter().enumerate().filter(|it| it.1.active);
        zones.fold(0, |acc, it| acc | Self::zone_bit(u16::try_from(it.0).unwrap_or(u16::MAX)))
    }
}

/// Where an instruction may go on.
fn aim_of(mut instr: Instr) -> Option<CodePtr> {
    let mut aim = None;
    retarget(&mut instr, |to| {
        aim = Some(to);
        to
    });
    aim
}

/// Gives an instruction that goes elsewhere another aim.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "operations and instructions of the other classes are not for this place"
)]
fn retarget(instr: &mut Instr, aim: impl FnOnce(CodePtr) -> CodePtr) {
    match instr {
        Instr::Jump(to) | Instr::JumpIf(to) | Instr::JumpUnless(to) => *to = aim(*to),
        Instr::Next { done, .. } | Instr::Loop { done, .. } => *done = aim(*done),
        Instr::Emit(emit) if emit.otherwise.is_some() => emit.otherwise = aim(emit.otherwise),
        _ => {}
    }
}

fn empty_program() -> Program {
    Program {
        code: Vec::new(),
        longs: Vec::new(),
        clauses: Clauses::default(),
        ops: Ops::default(),
        has_responses: false,
        events: Vec::new(),
        rules: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        auras: Vec::new(),
        attr_auras: Vec::new(),
        keyword_auras: Vec::new(),
        actions: Vec::new(),
        zones: Vec::new(),
        attrs: Vec::new(),
        defs: Vec::new(),
        keywords: Vec::new(),
        phases: Vec::new(),
        steps: Vec::new(),
        asks: Vec::new(),
        timers: Vec::new(),
        selects: Vec::new(),
        checks: Vec::new(),
        ends: Vec::new(),
        setup: CodePtr::NONE,
        setup_cells: 0,
        players: PlayersRule { min: 2, max: 2, deck_zone: ZoneId::NONE },
        policy: DEFAULT_POLICY,
        stakes: None,
        limits: Limits::DEFAULT,
        decks: Vec::new(),
        stride: 0,
        n_zones: 0,
        instances: Vec::new(),
        places: Vec::new(),
        has_listeners: false,
        has_links: false,
        text: Text::default(),
    }
}

/// How a game is played that says nothing about it.
const DEFAULT_POLICY: Policy = Policy {
    reaction_order: ReactionOrder::Resolve,
    player_orders_triggers: false,
    reopen_windows: false,
    stop_when_legal: false,
    on_limit: OnLimit::Pause,
    undo: true,
    disconnect_grace_ms: None,
    reorder_zones: 0,
};
