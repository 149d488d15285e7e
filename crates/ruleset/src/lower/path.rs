//! `{"ref": "card.cost"}`: a variable or word, followed by attributes and properties.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Lower,
    scope::{Binding, Unit, Var},
};
use crate::{
    ids::AttrId,
    instr::{Instr, Prop},
    names::Space,
    sort::{Sort, Type},
};

/// What a card, player or event has besides attributes.
const PROPERTIES: [&str; 12] = [
    "owner",
    "controller",
    "zone",
    "definition",
    "type",
    "since",
    "created",
    "index",
    "alive",
    "connected",
    "preventable",
    "source",
];

/// The code of a path and the type it gives.
pub(super) type Resolved = (Vec<Instr>, Type);

impl Lower<'_> {
    /// Resolves a whole path; the error says which part nobody knows.
    pub(super) fn resolve_path(&self, text: &str) -> Result<Resolved, String> {
        let mut parts = text.split('.');
        let root = parts.next().unwrap_or_default();
        let (mut code, mut ty) = match root {
            "event" if !self.scope.event.is_empty() => {
                let Some(field) = parts.next() else {
                    return Ok((alloc::vec![Instr::Cause], Type::one(Sort::Event)));
                };
                let var = self.scope.field(field).ok_or_else(|| format!("the event has no such field: {field}"))?;
                (alloc::vec![load(&var)?], var.ty)
            }
            _ => self.root_word(root)?,
        };
        for part in parts {
            if ty.many {
                code.push(Instr::First);
                ty.many = false;
            }
            let (instr, next) = self.property(part, ty)?;
            code.push(instr);
            ty = next;
        }
        Ok((code, ty))
    }

    /// What a bare word stands for.
    pub(super) fn root_word(&self, word: &str) -> Result<Resolved, String> {
        if let Some(var) = self.scope.find(word) {
            return Ok((alloc::vec![load(&var)?], var.ty));
        }
        let one = |instr: Instr, ty: Type| Ok((alloc::vec![instr], ty));
        match word {
            "self" if self.scope.has_this => one(Instr::This, Type::CARD),
            "self" | "controller" | "you" | "actor" => one(Instr::You, Type::PLAYER),
            "opponent" | "opponents" => Ok((alloc::vec![Instr::You, Instr::Others], Type::list(Sort::Player))),
            "active_player" => one(Instr::Active, Type::PLAYER),
            "turn" => one(Instr::Turn, Type::INT),
            "current_phase" => one(Instr::PhaseNow, Type::one(Sort::Phase)),
            "current_step" => one(Instr::StepNow, Type::one(Sort::Step)),
            "this_event" => one(Instr::OwnEvent, Type::one(Sort::Event)),
            "cause" if !matches!(self.scope.unit, Unit::System) => one(Instr::Cause, Type::one(Sort::Event)),
            _ => Err(format!("no such variable: {word}")),
        }
    }

    /// What can stand behind a dot.
    pub(super) fn property_names(&self) -> Vec<String> {
        let attributes = self.names.all(Space::Attribute).into_iter();
        attributes.chain(PROPERTIES.iter().map(ToString::to_string)).collect()
    }

    fn property(&self, part: &str, of: Type) -> Result<(Instr, Type), String> {
        let prop = |prop: Prop, ty: Type| Ok((Instr::Prop(prop), ty));
        let attr = self.names.find(Space::Attribute, part);
        match (of.sort, part) {
            (Sort::Card | Sort::Player | Sort::Entity, _) if attr.is_some() => {
                let id = AttrId(attr.unwrap_or(u16::MAX));
                let holds = self.program.attr(id).map_or(Sort::Int, |it| it.holds);
                Ok((Instr::Attr(id), Type::one(holds)))
            }
            (Sort::Card | Sort::Entity, "owner") => prop(Prop::Owner, Type::PLAYER),
            (Sort::Card | Sort::Entity | Sort::Event, "controller") => prop(Prop::Controller, Type::PLAYER),
            (Sort::Card | Sort::Entity, "zone") => prop(Prop::Zone, Type::one(Sort::Zone)),
            (Sort::Card | Sort::Entity, "definition") => prop(Prop::Def, Type::one(Sort::Def)),
            (Sort::Card | Sort::Entity, "type") => prop(Prop::Type, Type::one(Sort::CardType)),
            (Sort::Card | Sort::Entity, "since") => prop(Prop::Since, Type::INT),
            (Sort::Card | Sort::Entity, "created") => prop(Prop::Created, Type::BOOL),
            (Sort::Card | Sort::Entity, "index") => prop(Prop::Index, Type::INT),
            (Sort::Player, "alive") => prop(Prop::Alive, Type::BOOL),
            (Sort::Player, "connected") => prop(Prop::Connected, Type::BOOL),
            (Sort::Event, "type") => prop(Prop::EventType, Type::one(Sort::EventType)),
            (Sort::Event, "preventable") => prop(Prop::Preventable, Type::BOOL),
            (Sort::Event, "source") => prop(Prop::Source, Type::CARD),
            _ => Err(format!("{} has no such attribute or property: {part}", of.sort.name())),
        }
    }
}

/// The instruction that pushes a variable.
fn load(var: &Var) -> Result<Instr, String> {
    Ok(match var.binding {
        Binding::Cell(cell) if var.ty.many || var.ty.sort == Sort::Answers => Instr::LocalList(cell),
        Binding::Cell(cell) => Instr::Local(cell),
        Binding::Live(field) if var.ty.many => Instr::LiveList(field),
        Binding::Live(field) => Instr::Live(field),
        Binding::Reg(reg) => Instr::Reg(reg),
        Binding::Const(crate::NULL) => Instr::Null,
        Binding::Const(value) => {
            Instr::Const(i32::try_from(value).map_err(|_| String::from("number is too large for a parameter"))?)
        }
    })
}
