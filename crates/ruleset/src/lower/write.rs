//! Writes: what applying an event changes.

use alloc::format;

use super::{Lower, params::param};
use crate::{
    grammar::{Class, Op, OpSpec, find_op},
    ids::{AttrId, CodePtr, EventTypeId, StepId, ZoneId},
    instr::{Duration, Instr, Modify, ModifyWhat, Position},
    names::Space,
    sort::{Sort, Type},
    term::Term,
    violation::Code,
};

const ENTITY: Type = Type::one(Sort::Entity);
const PLAYERS: Type = Type::list(Sort::Player);

impl<'a> Lower<'a> {
    /// Lowers a list of writes as a piece of code of its own.
    pub(super) fn write_code(&mut self, terms: Option<&Term>) -> CodePtr {
        terms.map_or(CodePtr::NONE, |terms| self.chunk(Instr::End, |it| it.writes(terms)))
    }

    fn writes(&mut self, terms: &Term) {
        let n_vars = self.scope.vars.len();
        terms.one_or_many().iter().for_each(|it| self.nested(it.place, |this| this.write(it)));
        self.scope.vars.truncate(n_vars);
    }

    fn write(&mut self, term: &Term) {
        let Some(name) = term.get("op") else {
            return self.report(term.place, Code::MissingKey, format!("a write needs `op`, found {}", term.noun()));
        };
        let text = name.text().unwrap_or_default();
        match find_op(text, Class::Write) {
            Some(spec) => {
                self.check_params(term, spec);
                self.write_op(term, spec);
            }
            None => self.report_op(name, text, Class::Write),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn write_op(&mut self, term: &Term, spec: &OpSpec) -> Option<()> {
        match spec.op {
            Op::SetAttribute => self.set_attribute(term),
            Op::ChangeAttribute => self.attribute_write(term, "by", Instr::AddAttr),
            Op::Move => self.move_card(term),
            Op::Create => self.create(term),
            Op::Shuffle => self.shuffle(term),
            Op::Arrange => self.push(term, &[("cards", Type::list(Sort::Card))], Instr::Arrange),
            Op::Modify => self.modify(term),
            Op::Unmodify => self.unmodify(term),
            Op::SetController => {
                self.push(term, &[("target", Type::CARD), ("player", Type::PLAYER)], Instr::SetControl)
            }
            Op::Reveal => self.push(term, &[("target", Type::CARD), ("to", PLAYERS)], Instr::Reveal),
            Op::Fact => self.fact(term),
            Op::Eliminate => self.push(term, &[("player", Type::PLAYER)], Instr::Eliminate),
            Op::EndGame => self.end_game(term),
            Op::ExtraTurn => self.push(term, &[("player", Type::PLAYER)], Instr::ExtraTurn),
            Op::SkipStep => self.skip_step(term),
            Op::PreventEvent => self.push(term, &[("event", Type::one(Sort::Event))], Instr::PreventEvent),
            Op::IfWrite => self.branch(term, Self::writes),
            Op::ForEachWrite => self.for_each(term, Self::writes),
            Op::LetWrite => self.assign(term),
            Op::SetWrite => self.reassign(term),
            _ => None,
        }
    }

    /// Pushes some parameters, then one instruction.
    fn push(&mut self, term: &Term, params: &[(&str, Type)], instr: Instr) -> Option<()> {
        for (name, want) in params {
            self.value(param(term, name)?, *want);
        }
        self.emit(instr);
        Some(())
    }

    /// A link that is named here takes a card or player, everything else a number.
    fn set_attribute(&mut self, term: &Term) -> Option<()> {
        let named = term.text_at("attribute").filter(|it| self.scope.find(it).is_none());
        let Some((id, holds)) = named.and_then(|it| self.link(it)) else {
            return self.attribute_write(term, "value", Instr::SetAttr);
        };
        self.value(param(term, "target")?, ENTITY);
        self.emit(Instr::Const(i32::from(id.0)));
        self.note_write(param(term, "target")?, param(term, "attribute")?);
        self.value(param(term, "value")?, Type::one(holds));
        self.emit(Instr::SetAttr);
        Some(())
    }

    /// Pushes whose attribute, which, and a number; then writes it.
    fn attribute_write(&mut self, term: &Term, number: &str, instr: Instr) -> Option<()> {
        self.value(param(term, "target")?, ENTITY);
        self.value(param(term, "attribute")?, ATTRIBUTE);
        self.note_write(param(term, "target")?, param(term, "attribute")?);
        self.number_or_value(param(term, number)?, Type::INT);
        self.emit(instr);
        Some(())
    }

    /// The attribute of a name that holds a card or player, and which of them.
    pub(super) fn link(&self, name: &str) -> Option<(AttrId, Sort)> {
        let id = AttrId(self.names.find(Space::Attribute, name)?);
        let rule = self.program.attr(id).filter(|it| it.is_link())?;
        Some((id, rule.holds))
    }

    fn move_card(&mut self, term: &Term) -> Option<()> {
        let target = term.get("target")?;
        self.value(target, Type::CARD);
        match term.get("player") {
            Some(player) => self.value(player, Type::PLAYER),
            None => {
                self.emit(Instr::Null);
            }
        }
        let to = term.get("to")?;
        let known =
            to.text().filter(|it| self.scope.find(it).is_none()).and_then(|it| self.names.find(Space::Zone, it));
        match known {
            Some(zone) => self.emit(Instr::Move(ZoneId(zone), position(term))),
            None => {
                self.value(to, Type::one(Sort::Zone));
                self.emit(Instr::MoveTo(position(term)))
            }
        };
        Some(())
    }

    fn create(&mut self, term: &Term) -> Option<()> {
        let params = [
            ("card", Type::CARD),
            ("of", Type::one(Sort::Def)),
            ("to", Type::one(Sort::Zone)),
            ("player", Type::PLAYER),
        ];
        self.push(term, &params, Instr::Create(position(term)))
    }

    fn shuffle(&mut self, term: &Term) -> Option<()> {
        match term.get("player") {
            Some(player) => self.value(player, Type::PLAYER),
            None => {
                self.emit(Instr::You);
            }
        }
        let zone = ZoneId(self.name(term.get("zone")?, Space::Zone)?);
        self.emit(Instr::Shuffle(zone));
        Some(())
    }

    fn modify(&mut self, term: &Term) -> Option<()> {
        self.value(term.get("target")?, ENTITY);
        let keyword = Type::one(Sort::Keyword);
        let Some((key, what)) = modify_form(term) else {
            self.report(term.place, Code::MissingKey, "modify needs `add`, `set`, `grant`, `lose` or `loseAbility`");
            return None;
        };
        if matches!(what, ModifyWhat::Grant | ModifyWhat::Lose) {
            self.value(term.get(key)?, keyword);
            self.emit(Instr::Const(0));
        } else if what == ModifyWhat::Mute {
            self.muted(term.get(key)?);
            self.emit(Instr::Const(0));
        } else {
            let Some(attribute) = term.get("attribute") else {
                self.report(term.place, Code::MissingKey, "modify needs a parameter: attribute");
                return None;
            };
            self.value(attribute, ATTRIBUTE);
            self.note_write(term.get("target")?, attribute);
            self.number_or_value(term.get(key)?, Type::INT);
        }
        let duration = match term.text_at("duration") {
            Some("turn") => Duration::Turn,
            Some("your_turn") => Duration::YourTurn,
            Some("source") => Duration::Source,
            _ => Duration::Permanent,
        };
        self.emit(Instr::Modify(Modify { what, duration }));
        Some(())
    }

    /// The ability a card loses; nothing for all of them.
    fn muted(&mut self, ability: &Term) {
        if ability.text() == Some("all") && self.names.find(Space::Ability, "all").is_none() {
            self.emit(Instr::Null);
        } else {
            self.value(ability, Type::one(Sort::Ability));
        }
    }

    fn unmodify(&mut self, term: &Term) -> Option<()> {
        self.value(term.get("target")?, ENTITY);
        match term.get("source") {
            Some(source) => self.value(source, Type::CARD),
            None => {
                self.emit(Instr::Null);
            }
        }
        self.emit(Instr::Unmodify);
        Some(())
    }

    fn fact(&mut self, term: &Term) -> Option<()> {
        let kind = EventTypeId(self.name(term.get("event")?, Space::Event)?);
        let empty = Term::empty(term.place);
        self.event_fields(term, term.get("with").unwrap_or(&empty), kind, false);
        self.emit(Instr::Fact(kind));
        Some(())
    }

    fn end_game(&mut self, term: &Term) -> Option<()> {
        match term.get("winners") {
            Some(winners) => self.value(winners, PLAYERS),
            None => {
                self.emit(Instr::ListOf(0));
            }
        }
        let reason = self.reason(term.text_at("reason")?, term);
        self.emit(Instr::Const(i32::from(reason)));
        self.emit(Instr::EndGame);
        Some(())
    }

    /// The number of a reason for which a game ends, and whether somebody can win for it.
    pub(super) fn reason(&mut self, text: &str, ending: &Term) -> u16 {
        let reasons = &mut self.program.text.reasons;
        let at = reasons.iter().position(|it| it == text).unwrap_or_else(|| {
            reasons.push(text.into());
            reasons.len().saturating_sub(1)
        });
        let reason = u16::try_from(at).unwrap_or(u16::MAX);
        if ending.get("winners").is_some() {
            self.winnable.push(reason);
        }
        reason
    }

    fn skip_step(&mut self, term: &Term) -> Option<()> {
        self.value(term.get("player")?, Type::PLAYER);
        let step = StepId(self.name(term.get("step")?, Space::Step)?);
        self.emit(Instr::SkipStep(step));
        Some(())
    }
}

const ATTRIBUTE: Type = Type::one(Sort::Attribute);

/// What a modifier or continuous effect does, by the key that says it.
pub(super) fn modify_form(term: &Term) -> Option<(&'static str, ModifyWhat)> {
    let forms = [
        ("add", ModifyWhat::Add),
        ("set", ModifyWhat::Set),
        ("grant", ModifyWhat::Grant),
        ("lose", ModifyWhat::Lose),
        ("loseAbility", ModifyWhat::Mute),
    ];
    forms.into_iter().find(|it| term.get(it.0).is_some())
}

fn position(term: &Term) -> Position {
    if term.text_at("position") == Some("bottom") { Position::Bottom } else { Position::Top }
}
