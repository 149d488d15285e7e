//! `{"ref": "card.cost"}`: a variable or word, followed by attributes and properties.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Lower,
    scope::{Binding, Unit, Var},
};
use crate::{
    grammar::{Known, PROPERTIES, REF_WORDS, RefWord},
    ids::AttrId,
    instr::Instr,
    names::Space,
    sort::{Sort, Type},
};

/// The code of a path and the type it gives.
pub(super) type Resolved = (Vec<Instr>, Type);

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// A word that is neither a variable nor in the table.
    Word(String),
    /// A field that the answered event does not have.
    Field(String),
    /// What is behind a dot, and of what.
    Property(String, Sort),
    /// A property of several things.
    OfMany(String),
    /// A property of the one opponent, in a game that may have several.
    OfOpponents,
    /// A parameter whose number is too large to be built in.
    TooLarge,
}

impl Lower<'_> {
    /// Resolves a whole path; the error says why it leads nowhere.
    pub(super) fn resolve_path(&self, text: &str) -> Result<Resolved, Lost> {
        let mut parts = text.split('.').peekable();
        let root = parts.next().unwrap_or_default();
        let field = if root == "event" && !self.scope.event.is_empty() { parts.next() } else { None };
        let mut of = field.unwrap_or(root);
        let (mut code, mut ty) = match field {
            Some(name) => {
                let var = self.scope.field(name).ok_or_else(|| Lost::Field(name.to_string()))?;
                (alloc::vec![load(&var)?], var.ty)
            }
            None => self.root_word(root)?,
        };
        for part in parts {
            if ty.many {
                self.check_sole(of)?;
                code.push(Instr::First);
                ty.many = false;
            }
            let (instr, next) = self.property(part, ty)?;
            code.push(instr);
            (of, ty) = (part, next);
        }
        Ok((code, ty))
    }

    /// What a bare word stands for.
    pub(super) fn root_word(&self, word: &str) -> Result<Resolved, Lost> {
        if let Some(var) = self.scope.find(word) {
            return Ok((alloc::vec![load(&var)?], var.ty));
        }
        let found = self.words_here().find(|it| it.name == word);
        found.map(|it| (it.code.to_vec(), it.ty)).ok_or_else(|| Lost::Word(word.to_string()))
    }

    /// The words that mean something in the code being lowered.
    fn words_here(&self) -> impl Iterator<Item = &'static RefWord> + '_ {
        REF_WORDS.iter().filter(|it| match it.known {
            Known::Everywhere => true,
            Known::WithCard => self.scope.has_this,
            Known::WithEvent => !self.scope.event.is_empty(),
            Known::WithCause => !matches!(self.scope.unit, Unit::System),
        })
    }

    /// Every variable and word that is known here.
    pub(super) fn known_words(&self) -> Vec<String> {
        let mut names: Vec<String> = self.scope.vars.iter().map(|it| it.name.clone()).collect();
        names.extend(self.words_here().map(|it| it.name.to_string()));
        let mut seen = Vec::new();
        names.retain(|it| {
            let is_new = !seen.contains(it);
            seen.push(it.clone());
            is_new
        });
        names
    }

    /// What can stand behind a dot, after something of a sort.
    pub(super) fn known_properties(&self, of: Sort) -> Vec<String> {
        let is_had =
            |it: &String| self.names.find(Space::Attribute, it).is_some_and(|id| self.has_attribute(of, AttrId(id)));
        let attributes = self.names.all(Space::Attribute).into_iter().filter(is_had);
        let properties = PROPERTIES.iter().filter(|it| it.of.contains(&of)).map(|it| it.name.to_string());
        attributes.chain(properties).collect()
    }

    /// Whether a word means the one opponent of a game for two.
    pub(super) fn is_sole_opponent(&self, word: &str) -> bool {
        word == "opponent" && self.scope.find(word).is_none() && self.program.players.max <= 2
    }

    fn check_sole(&self, word: &str) -> Result<(), Lost> {
        match word {
            _ if self.is_sole_opponent(word) => Ok(()),
            "opponent" if self.scope.find(word).is_none() => Err(Lost::OfOpponents),
            _ => Err(Lost::OfMany(word.to_string())),
        }
    }

    /// Whether something of a sort can have an attribute.
    pub(super) fn has_attribute(&self, of: Sort, id: AttrId) -> bool {
        self.program
            .attr(id)
            .is_some_and(|it| (it.on_cards && Sort::Card.fits(of)) || (it.on_players && Sort::Player.fits(of)))
    }

    fn property(&self, part: &str, of: Type) -> Result<(Instr, Type), Lost> {
        let attr = self.names.find(Space::Attribute, part).map(AttrId);
        if let Some(id) = attr.filter(|it| self.has_attribute(of.sort, *it)) {
            let holds = self.program.attr(id).map_or(Sort::Int, |it| it.holds);
            return Ok((Instr::Attr(id), Type::one(holds)));
        }
        let found = PROPERTIES.iter().find(|it| it.name == part && it.of.contains(&of.sort));
        found.map(|it| (Instr::Prop(it.prop), it.ty)).ok_or_else(|| Lost::Property(part.to_string(), of.sort))
    }
}

/// The instruction that pushes a variable.
fn load(var: &Var) -> Result<Instr, Lost> {
    Ok(match var.binding {
        Binding::Cell(cell) if var.ty.many || var.ty.sort == Sort::Answers => Instr::LocalList(cell),
        Binding::Cell(cell) => Instr::Local(cell),
        Binding::Live(field) if var.ty.many => Instr::LiveList(field),
        Binding::Live(field) => Instr::Live(field),
        Binding::Reg(reg) => Instr::Reg(reg),
        Binding::Const(crate::NULL) => Instr::Null,
        Binding::Const(value) => Instr::Const(i32::try_from(value).map_err(|_| Lost::TooLarge)?),
    })
}
