//! Questions: `ask`, `confirm`, `choose_mode`, `ask_together`, and what reactions and abilities ask for.

use alloc::{string::ToString, vec::Vec};

use super::{Lower, scope::Answered};
use crate::{
    ids::{AskId, CodePtr},
    instr::Instr,
    program::{AskMode, AskRule, Domain, InputKind, Slot, TimeoutPolicy},
    sort::{Sort, Type},
    term::Term,
    text::AskText,
    violation::Code,
};

impl<'a> Lower<'a> {
    pub(super) fn ask(&mut self, term: &Term) -> Option<()> {
        let id = self.ask_rule(term)?;
        self.emit(Instr::Ask(id));
        Some(())
    }

    fn ask_rule(&mut self, term: &Term) -> Option<AskId> {
        self.forbid_waiting(term, "a question");
        let choices = term.get("choices")?;
        let players = self.players_code(term.get("players").or_else(|| term.get("player")));
        let n_vars = self.scope.vars.len();
        let asked = self.take_reg();
        self.scope.bind("asked", super::scope::Binding::Reg(asked), Type::PLAYER);
        let sort = self.infer(choices).map_or(Sort::Card, |it| it.sort);
        let mode = match (term.get("players").is_some(), term.flag("any")) {
            (true, true) => AskMode::Any,
            (true, false) => AskMode::Many,
            _ => AskMode::One,
        };
        let single = is_single(term);
        let ty = match mode {
            AskMode::One => Type { sort, many: !single },
            AskMode::Many | AskMode::Any => Type::one(Sort::Answers),
        };
        // Putting in order means naming all; the engine lowers the bounds to what there is.
        let all = term.text_at("kind") == Some("order_select");
        let (min, max) = if all { (i32::MAX, i32::MAX) } else { (i32::from(!term.flag("optional")), 1) };
        self.check_counts(term, max);
        let rule = AskRule {
            kind: input_kind(term.text_at("kind")),
            mode,
            players,
            choices: self.pure(|it| it.value(choices, Type::list(sort))),
            choice_type: Type { sort, many: !single },
            min: self.bound(term, "min", min),
            max: self.bound(term, "max", max),
            optional: term.flag("optional"),
            revisable: term.flag("revisable"),
            lenient: term.flag("lenient"),
            no_auto: term.flag("noAuto"),
            cell: 0,
            asked,
            deadline_ms: self.deadline(term),
            until_deadline: self.optional_code(term, "untilDeadline", Type::BOOL),
            on_timeout: timeout(term.text_at("onTimeout")),
            default: self.optional_code(term, "default", Type::list(sort)),
            fill: self.optional_code(term, "fill", Type::list(sort)),
        };
        self.scope.vars.truncate(n_vars);
        self.scope.next_reg = asked;
        let cell = self.scope.bind_cell(term.text_at("as")?, ty);
        self.scope.answers.push(Answered { name: term.text_at("as")?.to_string(), sort, single });
        Some(self.add_ask(AskRule { cell, ..rule }, ask_text(term)))
    }

    /// Reports numbers of choices that nobody can make; only those that stand there can be judged before they are played.
    fn check_counts(&mut self, term: &Term, max_unless_said: i32) {
        for key in ["count", "min", "max"] {
            self.int_in(term, key, 0..=i64::from(i32::MAX));
        }
        let max = term.get("max").map_or(Some(i64::from(max_unless_said)), Term::int);
        if let (Some(min), Some(max)) = (term.get("min"), max)
            && term.get("count").is_none()
            && min.int().is_some_and(|it| it > max)
        {
            self.report(min.place, Code::OutOfRange, alloc::format!("min is above max, which is {max}"));
        }
    }

    fn deadline(&mut self, term: &Term) -> CodePtr {
        // Only what stands there as a number can be judged before it is played.
        self.int_in(term, "deadlineMs", 0..=i64::from(u32::MAX));
        self.optional_code(term, "deadlineMs", Type::INT)
    }

    fn optional_code(&mut self, term: &Term, key: &str, ty: Type) -> CodePtr {
        term.get(key).map_or(CodePtr::NONE, |it| self.pure(|this| this.value(it, ty)))
    }

    fn add_ask(&mut self, rule: AskRule, text: AskText) -> AskId {
        let id = AskId::at(self.program.asks.len());
        self.program.asks.push(rule);
        self.program.text.asks.push(text);
        id
    }

    fn players_code(&mut self, players: Option<&Term>) -> CodePtr {
        self.pure(|it| match players {
            Some(players) => it.value(players, Type::list(Sort::Player)),
            None => {
                it.emit(Instr::You);
                it.emit(Instr::ListOf(1));
            }
        })
    }

    fn bound(&mut self, term: &Term, key: &str, default: i32) -> CodePtr {
        let exact = term.get("count").filter(|_| key == "max" || !term.flag("optional"));
        let value = exact.or_else(|| term.get(key)).cloned();
        // `min` alone raises the upper bound with it, `max` alone lowers the lower one.
        let other = (key == "max").then(|| term.get("min")).flatten().filter(|_| value.is_none()).cloned();
        self.pure(|it| {
            match (value, other) {
                (Some(value), _) => it.value(&value, Type::INT),
                (None, Some(min)) => {
                    it.value(&min, Type::INT);
                    it.emit(Instr::Const(default));
                    it.emit(Instr::Math(crate::instr::Math::Max));
                }
                (None, None) => {
                    it.emit(Instr::Const(default));
                }
            };
        })
    }

    pub(super) fn confirm(&mut self, term: &Term) -> Option<()> {
        let cell = self.yes_or_no(term)?;
        self.emit(Instr::Local(cell));
        self.emit(Instr::Null);
        self.emit(Instr::Math(crate::instr::Math::Ne));
        let unless = self.emit(Instr::JumpUnless(CodePtr::NONE));
        self.in_block(|it| it.effects_or_nothing(term.get("then").unwrap_or(&Term::nothing(term.place))));
        let over = self.emit(Instr::Jump(CodePtr::NONE));
        self.land(unless);
        if let Some(other) = term.get("else") {
            self.in_block(|it| it.effects(other));
        }
        self.land(over);
        Some(())
    }

    /// Asks yes or no; the cell is null for no.
    fn yes_or_no(&mut self, term: &Term) -> Option<u16> {
        self.forbid_waiting(term, "a question");
        let cell = self.scope.cells(1);
        let rule = AskRule {
            kind: InputKind::Confirm,
            players: self.players_code(term.get("player")),
            choices: self.pure(|it| {
                it.emit(Instr::Const(1));
                it.emit(Instr::ListOf(1));
            }),
            choice_type: Type::one(Sort::Bool),
            min: self.constant_code(0),
            max: self.constant_code(1),
            optional: true,
            cell,
            ..self.plain_ask()
        };
        let id = self.add_ask(rule, ask_text(term));
        self.emit(Instr::Ask(id));
        Some(cell)
    }

    fn plain_ask(&self) -> AskRule {
        AskRule {
            kind: InputKind::TargetSelect,
            mode: AskMode::One,
            players: CodePtr::NONE,
            choices: CodePtr::NONE,
            choice_type: Type::INT,
            min: CodePtr::NONE,
            max: CodePtr::NONE,
            optional: false,
            revisable: false,
            lenient: false,
            no_auto: false,
            cell: 0,
            asked: 0,
            deadline_ms: CodePtr::NONE,
            until_deadline: CodePtr::NONE,
            on_timeout: TimeoutPolicy::Decline,
            default: CodePtr::NONE,
            fill: CodePtr::NONE,
        }
    }

    fn constant_code(&mut self, value: i32) -> CodePtr {
        self.pure(|it| {
            it.emit(Instr::Const(value));
        })
    }

    /// Modes are chosen by their names, so one of two with the same name could never be.
    pub(super) fn check_mode_ids(&mut self, modes: &[Term]) {
        let mut seen = alloc::vec::Vec::new();
        for mode in modes {
            let id = mode.text_at("id").unwrap_or_default();
            if seen.contains(&id) {
                self.report(mode.place, Code::DuplicateName, alloc::format!("modes has this name twice: {id}"));
            }
            seen.push(id);
        }
    }

    pub(super) fn choose_mode(&mut self, term: &Term) -> Option<()> {
        self.forbid_waiting(term, "a question");
        let modes = term.list_at("modes");
        if let Some(none) = term.get("modes").filter(|_| modes.is_empty()) {
            self.report(none.place, Code::MissingKey, "there is no mode to choose");
        }
        self.check_mode_ids(modes);
        self.check_counts(term, 1);
        let mut text = ask_text(term);
        for mode in modes {
            let words = mode.text_at("text").or_else(|| mode.text_at("id")).unwrap_or_default();
            text.modes.push(words.to_string());
            text.mode_ids.push(mode.text_at("id").unwrap_or_default().to_string());
        }
        let cell = self.scope.cells(1);
        let rule = AskRule {
            kind: InputKind::ModePick,
            players: self.players_code(term.get("player")),
            choices: self.pure(|it| it.open_modes(modes)),
            choice_type: Type::list(Sort::Int),
            min: self.bound(term, "min", 1),
            max: self.bound(term, "max", 1),
            cell,
            ..self.plain_ask()
        };
        let id = self.add_ask(rule, text);
        self.emit(Instr::Ask(id));
        for (i, mode) in modes.iter().enumerate() {
            self.emit(Instr::LocalList(cell));
            self.emit(Instr::Const(i32::try_from(i).unwrap_or(i32::MAX)));
            self.emit(Instr::Contains);
            let unless = self.emit(Instr::JumpUnless(CodePtr::NONE));
            self.in_block(|it| it.effects(mode.get("effects").unwrap_or(&Term::nothing(mode.place))));
            self.land(unless);
        }
        Some(())
    }

    /// The numbers of the modes whose conditions hold.
    fn open_modes(&mut self, modes: &[Term]) {
        self.emit(Instr::ListOf(0));
        for (i, mode) in modes.iter().enumerate() {
            self.conditions(mode.get("conditions"));
            let unless = self.emit(Instr::JumpUnless(CodePtr::NONE));
            self.emit(Instr::Const(i32::try_from(i).unwrap_or(i32::MAX)));
            self.emit(Instr::ListOf(1));
            self.emit(Instr::Union);
            self.land(unless);
        }
    }

    pub(super) fn ask_together(&mut self, term: &Term) -> Option<()> {
        let mut ids = Vec::new();
        for ask in term.get("asks")?.one_or_many() {
            if ask.text_at("op") != Some("ask") {
                self.report(ask.place, Code::MisplacedOp, "only questions are asked together");
                return None;
            }
            self.check_params(ask, crate::grammar::find_op("ask", crate::grammar::Class::Effect)?);
            ids.push(self.ask_rule(ask)?);
        }
        let n = u8::try_from(ids.len()).ok()?;
        self.emit(Instr::AskTogether(*ids.first()?, n));
        Some(())
    }

    /// What a reaction or ability asks before it does anything: whether, and what for.
    pub(super) fn ask_targets(&mut self, term: &Term, slots: &[Slot], slots_at: u16, names: &[alloc::string::String]) {
        let optional = term.flag("optional");
        if optional
            && slots.is_empty()
            && let Some(cell) = self.yes_or_no(term)
        {
            self.decline_unless_set(cell);
        }
        let targets = term.list_at("targets");
        for (i, slot) in slots.iter().enumerate() {
            let cell = slots_at.saturating_add(u16::try_from(i).unwrap_or(u16::MAX));
            self.ask_slot(term, targets.get(i).unwrap_or(term), slot, cell, optional);
            if let Some(name) = names.get(i) {
                self.scope.bind(name, super::scope::Binding::Cell(cell), slot.ty);
            }
        }
    }

    /// Asks for a slot unless whoever put this on the stack has filled it.
    fn ask_slot(&mut self, term: &Term, target: &Term, slot: &Slot, cell: u16, optional: bool) {
        let Domain::Select(select) = slot.domain else {
            return;
        };
        self.emit(Instr::Local(cell));
        self.emit(Instr::Null);
        self.emit(Instr::Math(crate::instr::Math::Eq));
        let filled = self.emit(Instr::JumpUnless(CodePtr::NONE));
        let min = if optional { 0 } else { i32::from(slot.min) };
        let rule = AskRule {
            players: self.players_code(None),
            choices: self.pure(|it| {
                it.emit(Instr::Select(select));
            }),
            choice_type: slot.ty,
            min: self.constant_code(min),
            max: self.constant_code(i32::from(slot.max)),
            optional,
            cell,
            ..self.plain_ask()
        };
        let mut text = ask_text(term);
        if let Some(prompt) = target.text_at("prompt") {
            text.prompt = prompt.to_string();
        }
        let id = self.add_ask(rule, text);
        self.emit(Instr::Ask(id));
        if optional {
            self.decline_unless_set(cell);
        }
        self.land(filled);
    }

    fn decline_unless_set(&mut self, cell: u16) {
        self.emit(Instr::Local(cell));
        self.emit(Instr::Null);
        self.emit(Instr::Math(crate::instr::Math::Ne));
        let go_on = self.emit(Instr::JumpIf(CodePtr::NONE));
        self.emit(Instr::Decline);
        self.land(go_on);
    }
}

/// Whether at most one thing is chosen, so that the variable is the thing itself.
fn is_single(term: &Term) -> bool {
    if term.text_at("kind") == Some("order_select") {
        return false;
    }
    let literal = |key: &str| term.get(key).map(|it| it.int().is_some_and(|n| n <= 1));
    literal("count").unwrap_or_else(|| literal("max").unwrap_or_else(|| literal("min").unwrap_or(true)))
}

fn input_kind(word: Option<&str>) -> InputKind {
    match word {
        Some("order_select") => InputKind::OrderSelect,
        Some("mode_pick") => InputKind::ModePick,
        Some("pay_cost") => InputKind::PayCost,
        _ => InputKind::TargetSelect,
    }
}

fn timeout(word: Option<&str>) -> TimeoutPolicy {
    match word {
        Some("default") => TimeoutPolicy::Default,
        Some("first") => TimeoutPolicy::First,
        Some("random") => TimeoutPolicy::Random,
        Some("concede") => TimeoutPolicy::Concede,
        _ => TimeoutPolicy::Decline,
    }
}

fn ask_text(term: &Term) -> AskText {
    let prompt = term.text_at("prompt").or_else(|| term.text_at("text")).or_else(|| term.text_at("name"));
    AskText { prompt: prompt.unwrap_or_default().to_string(), ui: term.get("ui").cloned(), ..AskText::default() }
}
