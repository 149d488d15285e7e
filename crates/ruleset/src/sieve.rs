//! Conditions that say which of many are meant, as rows of comparisons with one side known beforehand.
//!
//! A filter of a selector is asked of every candidate, and so is what an action requires of what fills a slot. Most of
//! them compare something of the candidate with something that is the same for all of them: its price with what a
//! player has, the turn it came with the turn it is. Where a tree is nothing but such comparisons, all of which must
//! hold, it gets a [`Sieve`]: a [`Row`] for each of them, with what of the candidate is looked at on the left and the
//! rest on the right. The engine works out the right side once and then looks at candidates one by one.
//!
//! A sieve is another way to say what a tree says, and costs what the tree costs; what is no such tree has none.
//! Whatever may cost something of its own, as continuous effects do, is never worked out beforehand, so that it makes
//! no difference to limits whether there is a sieve.

use alloc::vec::Vec;

use crate::{
    ids::{AttrId, TypeId},
    instr::{Instr, Math, Prop},
    program::{ActionRule, ActionTiming, Domain, Program, SeatRule, Select, Source, Way},
    tree::{Node, NodeId, Operand, Root},
};

/// A condition that comes to more comparisons than this has no sieve.
pub const ROWS_MAX: usize = 4;

/// What is looked at of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Which one it is.
    Itself,
    /// The attribute in a column, which only modifiers change.
    Column(u16, AttrId),
    /// Since when it is where it is.
    Since,
    /// Whether it is of a type.
    Type(TypeId),
    /// What an instruction makes of it.
    Unary(Instr),
    /// Nothing: the comparison comes to the same for all.
    Fixed(Operand),
}

/// A comparison that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub look: Look,
    pub math: Math,
    /// The same for all candidates.
    pub with: Operand,
    /// What it costs to come this far: a whole condition with its first comparison, the others nothing.
    pub fuel: u32,
}

impl Row {
    /// Whether it asks only if both sides are the same, for which "nothing" is not 0.
    #[inline]
    pub fn is_equality(&self) -> bool {
        matches!(self.math, Math::Eq | Math::Ne)
    }
}

/// Some rows of a program, all of which must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sieve {
    first: u32,
    len: u8,
    /// What it costs if all of them hold.
    fuel: u32,
}

impl Sieve {
    /// Whether there is one.
    #[inline]
    pub fn is_some(self) -> bool {
        self.len > 0
    }

    /// What it costs if a candidate passes.
    #[inline]
    pub fn fuel(self) -> u32 {
        self.fuel
    }
}

/// What must hold as soon as a slot of an action is filled, or before any is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decides {
    /// Nothing.
    Nothing,
    /// What a sieve says of what fills it, or of nobody.
    Sieve(Sieve),
    /// Preconditions and costs, each on its own.
    #[default]
    Each,
}

impl Program {
    /// The rows of a sieve.
    #[inline]
    pub fn rows_of(&self, sieve: Sieve) -> &[Row] {
        let first = usize::try_from(sieve.first).unwrap_or(usize::MAX);
        self.sieve_rows.get(first..first.saturating_add(usize::from(sieve.len))).unwrap_or_default()
    }

    /// Makes sieves of all filters and of all that slots of actions decide, where they can be one.
    pub(crate) fn plant_sieves(&mut self) {
        for i in 0..self.selects.len() {
            let rows = self.selects.get(i).and_then(|it| self.filter_rows(it));
            let sieve = self.keep_rows(rows.unwrap_or_default());
            if let Some(select) = self.selects.get_mut(i) {
                select.sieve = sieve;
            }
            let way = self.selects.get(i).map_or(Way::General, |it| self.way_of(it));
            let lie = self.selects.get(i).filter(|it| self.is_whole(it)).and_then(|it| self.lie_of(it));
            if let Some(select) = self.selects.get_mut(i) {
                (select.way, select.lie) = (way, lie);
            }
        }
        self.has_responses = self.actions.iter().any(|it| it.timing != ActionTiming::Sorcery);
        for action in &mut self.actions {
            let own = self.events.get(action.event.index()).map_or(0, |it| it.cells);
            action.cells = own.max(u16::try_from(action.slots.len()).unwrap_or(u16::MAX));
        }
        for i in 0..self.actions.len() {
            let found = self.actions.get(i).and_then(|it| self.gate_rows(it));
            let gate = self.decides_by(found);
            if let Some(action) = self.actions.get_mut(i) {
                action.gate = gate;
            }
        }
        for (i, at) in self.slots() {
            let found = self.actions.get(i).and_then(|it| self.slot_rows(it, at));
            let decides = self.decides_by(found);
            if let Some(slot) = self.actions.get_mut(i).and_then(|it| it.slots.get_mut(at)) {
                slot.decides = decides;
            }
        }
    }

    fn way_of(&self, select: &Select) -> Way {
        let (is_fixed, finds_all) = (!matches!(select.seat, SeatRule::In(_)), select.filter.is_none());
        let lies = matches!(select.source, Source::Zones(_)) && select.order.is_as_they_lie();
        let takes = select.rank.is_none() && select.random.is_none();
        if select.source == Source::Players && is_fixed && finds_all && !select.compares() {
            Way::Seats
        } else if lies && takes && finds_all && self.are_all_theirs(select) {
            Way::Whole
        } else if lies && is_fixed && !select.compares() && select.sieve.is_some() {
            Way::Sifted
        } else {
            Way::General
        }
    }

    fn decides_by(&mut self, rows: Option<Vec<Row>>) -> Decides {
        match rows {
            Some(rows) if rows.is_empty() => Decides::Nothing,
            Some(rows) => Decides::Sieve(self.keep_rows(rows)),
            None => Decides::Each,
        }
    }

    /// Every slot of every action.
    fn slots(&self) -> Vec<(usize, usize)> {
        let actions = self.actions.iter().enumerate();
        actions.flat_map(|(i, action)| (0..action.slots.len()).map(move |at| (i, at))).collect()
    }

    pub(crate) fn keep_rows(&mut self, rows: Vec<Row>) -> Sieve {
        let first = u32::try_from(self.sieve_rows.len()).unwrap_or(u32::MAX);
        let len = u8::try_from(rows.len()).unwrap_or(0);
        let fuel = rows.iter().fold(0_u32, |acc, it| acc.saturating_add(it.fuel));
        self.sieve_rows.extend(rows);
        Sieve { first, len, fuel }
    }

    fn filter_rows(&self, select: &Select) -> Option<Vec<Row>> {
        let root = self.trees.root(select.filter);
        let Node::Take(reg, rest) = self.trees.node(root.node)? else { return None };
        let candidate = Candidate { name: Operand::Reg(reg), is_this: false, are: kind_of(select.source) };
        let mut weaver = Weaver { program: self, candidate, rows: Vec::new() };
        weaver.add(Root { node: rest, ..root })?;
        Some(weaver.rows)
    }

    /// What is decided before any slot is filled; none where that cannot be said in rows.
    fn gate_rows(&self, action: &ActionRule) -> Option<Vec<Row>> {
        let conditions = action.preconditions.iter().filter(|it| it.slots == 0);
        let roots: Vec<Root> = conditions.map(|it| self.trees.root(it.code)).collect();
        // Costs are tried, not compared.
        if action.cost_slots == 0 && action.costs.is_some() {
            return None;
        }
        // There is no candidate: a variable that no action has.
        let nobody = Candidate { name: Operand::Local(u16::MAX), is_this: false, are: Kind::Any };
        self.rows_for(nobody, roots)
    }

    fn rows_for(&self, candidate: Candidate, roots: Vec<Root>) -> Option<Vec<Row>> {
        let mut weaver = Weaver { program: self, candidate, rows: Vec::new() };
        roots.into_iter().try_for_each(|it| weaver.add(it))?;
        Some(weaver.rows)
    }

    /// What is decided once a slot is filled; none where that cannot be said in rows.
    fn slot_rows(&self, action: &ActionRule, at: usize) -> Option<Vec<Row>> {
        let mut roots = Vec::new();
        for it in action.preconditions.iter().filter(|it| decides(it.slots, at)) {
            roots.push(self.trees.root(it.code));
        }
        if decides(action.cost_slots, at) && action.costs.is_some() {
            return None;
        }
        if roots.is_empty() {
            return Some(Vec::new());
        }
        let slot = action.slots.get(at).filter(|it| !it.ty.many)?;
        let are = if let Domain::Select(id) = slot.domain { kind_of(self.select(id)?.source) } else { Kind::Any };
        let is_this = action.principal.is_some_and(|it| usize::from(it) == at);
        let name = Operand::Local(u16::try_from(at).ok()?);
        self.rows_for(Candidate { name, is_this, are }, roots)
    }
}

/// Whether something that looks at some slots, a bit each, can be asked once a slot is filled, and not before.
pub fn decides(slots: u32, at: usize) -> bool {
    let bit = u32::try_from(at).ok().and_then(|it| 1_u32.checked_shl(it)).unwrap_or(0);
    let known = bit.wrapping_mul(2).wrapping_sub(1);
    slots & bit != 0 && slots & !known == 0
}

/// What all candidates are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cards,
    Players,
    Any,
}

fn kind_of(source: Source) -> Kind {
    match source {
        Source::Zones(_) => Kind::Cards,
        Source::Players => Kind::Players,
        Source::Stack(_) | Source::List(_) | Source::Defs(_) => Kind::Any,
    }
}

/// Who the rows are about.
#[derive(Clone, Copy)]
struct Candidate {
    /// The register or variable that holds it.
    name: Operand,
    /// Whether code may also call it "self".
    is_this: bool,
    are: Kind,
}

/// Makes rows of trees.
struct Weaver<'p> {
    program: &'p Program,
    candidate: Candidate,
    rows: Vec<Row>,
}

impl Weaver<'_> {
    /// Adds the rows of one condition.
    fn add(&mut self, root: Root) -> Option<()> {
        let first = self.rows.len();
        self.follow(root.node)?;
        self.rows.get_mut(first)?.fuel = root.size;
        (self.rows.len() <= ROWS_MAX).then_some(())
    }

    /// Follows a tree along the one way on which it can be true.
    fn follow(&mut self, mut id: NodeId) -> Option<()> {
        let one = Operand::Const(1);
        loop {
            let (math, a, b, yes, no) = match self.program.trees.node(id)? {
                Node::Test(math, a, b, yes, no) => (math, a, b, yes, no),
                Node::If(a, yes, no) => (Math::Eq, a, one, yes, no),
                Node::Leaf(Instr::Const(1)) => return Some(()),
                Node::Math(math, a, b) if flipped(math).is_some() => return self.compare(math, a, b),
                Node::Unary(Instr::Not, a) => return self.compare(Math::Ne, a, one),
                Node::Leaf(_) | Node::Unary(..) | Node::Math(..) => {
                    return self.compare(Math::Eq, Operand::Node(id), one);
                }
                Node::Take(..) => return None,
            };
            if self.is_false(no) {
                self.compare(math, a, b)?;
                id = yes;
            } else if self.is_false(yes) {
                self.compare(opposite(math)?, a, b)?;
                id = no;
            } else {
                return None;
            }
        }
    }

    fn is_false(&self, id: NodeId) -> bool {
        matches!(self.program.trees.node(id), Some(Node::Leaf(Instr::Const(value))) if value != 1)
    }

    fn compare(&mut self, math: Math, a: Operand, b: Operand) -> Option<()> {
        let flipped = flipped(math)?;
        let (look, math, with) = match (self.look(a), self.look(b)) {
            (Some(look), _) if self.is_fixed(b) => (look, math, b),
            (_, Some(look)) if self.is_fixed(a) => (look, flipped, a),
            _ if self.is_fixed(a) && self.is_fixed(b) => (Look::Fixed(a), math, b),
            _ => return None,
        };
        self.rows.push(Row { look, math, with, fuel: 0 });
        Some(())
    }

    /// What an operand looks at, if that is the candidate.
    fn look(&self, operand: Operand) -> Option<Look> {
        let (instr, of) = match operand {
            it if self.is_candidate(it) => return Some(Look::Itself),
            Operand::AttrOfReg(reg, attr) => (Instr::Attr(attr), Operand::Reg(reg)),
            Operand::AttrOfLocal(cell, attr) => (Instr::Attr(attr), Operand::Local(cell)),
            Operand::SinceOfReg(reg) => (Instr::Prop(Prop::Since), Operand::Reg(reg)),
            Operand::Node(id) => match self.program.trees.node(id)? {
                Node::Unary(instr, of) => (instr, of),
                Node::Leaf(_) | Node::Math(..) | Node::If(..) | Node::Test(..) | Node::Take(..) => return None,
            },
            Operand::Const(_) | Operand::Local(_) | Operand::Reg(_) => return None,
            Operand::Turn | Operand::You | Operand::AttrOfYou(_) | Operand::Size(_) => return None,
        };
        self.is_candidate(of).then(|| self.look_by(instr))
    }

    /// Whether an operand is the candidate, by its name or as "self".
    fn is_candidate(&self, operand: Operand) -> bool {
        let is_this = |id: NodeId| self.program.trees.node(id) == Some(Node::Leaf(Instr::This));
        let by_this = matches!(operand, Operand::Node(id) if is_this(id));
        operand == self.candidate.name || (by_this && self.candidate.is_this)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what else there is to see is seen by its instruction")]
    fn look_by(&self, instr: Instr) -> Look {
        if let Instr::Attr(attr) = instr
            && let Some(rule) = self.program.attr(attr)
        {
            let all_have = match self.candidate.are {
                Kind::Cards => rule.on_cards,
                Kind::Players => rule.on_players,
                Kind::Any => false,
            };
            if all_have && !rule.has_auras && !rule.is_link() {
                return Look::Column(rule.column, attr);
            }
        }
        match instr {
            Instr::Prop(Prop::Since) if self.candidate.are != Kind::Any => Look::Since,
            Instr::HasType(card_type) if self.candidate.are == Kind::Cards => Look::Type(card_type),
            _ => Look::Unary(instr),
        }
    }

    /// Whether an operand is the same for all candidates, and costs nothing of its own.
    fn is_fixed(&self, operand: Operand) -> bool {
        let is_steady = |it: AttrId| self.program.attr(it).is_some_and(|rule| !rule.has_auras);
        match operand {
            it if self.is_candidate(it) => false,
            Operand::Const(_) | Operand::Local(_) | Operand::Reg(_) => true,
            Operand::Turn | Operand::You | Operand::Size(_) => true,
            Operand::AttrOfLocal(cell, attr) => is_steady(attr) && self.candidate.name != Operand::Local(cell),
            Operand::AttrOfReg(reg, attr) => is_steady(attr) && self.candidate.name != Operand::Reg(reg),
            Operand::AttrOfYou(attr) => is_steady(attr),
            Operand::SinceOfReg(reg) => self.candidate.name != Operand::Reg(reg),
            Operand::Node(id) => match self.program.trees.node(id) {
                Some(Node::Leaf(Instr::Reg(reg))) => self.candidate.name != Operand::Reg(reg),
                Some(Node::Leaf(Instr::Local(cell))) => self.candidate.name != Operand::Local(cell),
                Some(Node::Leaf(_)) => true,
                Some(Node::Unary(Instr::Attr(attr), of)) => is_steady(attr) && self.is_fixed(of),
                Some(Node::Unary(Instr::HasKeyword(_), _)) => false,
                Some(Node::Unary(_, of)) => self.is_fixed(of),
                Some(Node::Math(_, a, b)) => self.is_fixed(a) && self.is_fixed(b),
                Some(Node::If(..) | Node::Test(..) | Node::Take(..)) | None => false,
            },
        }
    }
}

/// The comparison that says the same of both sides the other way round; none for what is no comparison.
fn flipped(math: Math) -> Option<Math> {
    match math {
        Math::Eq | Math::Ne => Some(math),
        Math::Lt => Some(Math::Gt),
        Math::Le => Some(Math::Ge),
        Math::Gt => Some(Math::Lt),
        Math::Ge => Some(Math::Le),
        Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => None,
    }
}

/// The comparison that holds where another does not.
fn opposite(math: Math) -> Option<Math> {
    match math {
        Math::Eq => Some(Math::Ne),
        Math::Ne => Some(Math::Eq),
        Math::Lt => Some(Math::Ge),
        Math::Le => Some(Math::Gt),
        Math::Gt => Some(Math::Le),
        Math::Ge => Some(Math::Lt),
        Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => None,
    }
}
