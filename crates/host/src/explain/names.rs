//! What things are called in an explanation: as the viewer calls them, or as the whole story calls them.

use engine::{EntityId, Match, PlayerId, view::Projector};
use ruleset::{
    ActionId, NULL,
    sort::{Sort, Type},
};

use crate::Narrator;

/// Gives values their names.
pub trait Names {
    /// One value of a type.
    fn name(&self, value: i64, ty: Type) -> String;
}

impl Names for Narrator {
    fn name(&self, value: i64, ty: Type) -> String {
        self.value(value, ty)
    }
}

/// Names as one viewer knows them.
pub struct Seen<'a> {
    pub live: &'a Match,
    pub eyes: &'a Projector,
}

impl Names for Seen<'_> {
    fn name(&self, value: i64, ty: Type) -> String {
        let text = &self.live.ruleset().program().text;
        let id = self.eyes.wire_id(self.live, value, ty.sort);
        match ty.sort {
            _ if value == NULL => "nothing".to_owned(),
            Sort::Card | Sort::Player | Sort::Entity => self.entity(EntityId::from(value), id),
            Sort::Bool => (value == 1).to_string(),
            Sort::Event => {
                let row = self.live.state().stack.iter().find(|it| i64::from(it.event) == value);
                row.and_then(|it| text.events.get(it.etype.index())).map_or(id, |it| it.id.clone())
            }
            Sort::Int | Sort::Answers | Sort::Origin => value.to_string(),
            Sort::Zone
            | Sort::Attribute
            | Sort::Resource
            | Sort::Keyword
            | Sort::Def
            | Sort::CardType
            | Sort::EventType
            | Sort::Ability
            | Sort::Phase
            | Sort::Step => Narrator::new(self.live.ruleset().clone(), 0).value(value, ty),
        }
    }
}

impl Seen<'_> {
    /// A card by its name and the viewer's handle for it.
    fn entity(&self, entity: EntityId, id: String) -> String {
        let program = self.live.ruleset().program();
        let def = self.live.state().ent(entity).map(|it| it.def).filter(|it| it.is_some());
        match def.and_then(|it| program.text.defs.get(it.index())) {
            Some(label) if self.eyes.handle(entity).is_some() => format!("{} ({id})", label.name),
            Some(_) => "a hidden card".to_owned(),
            None => id,
        }
    }
}

/// What somebody means who fills a slot of an action: by the viewer's id, by the name of a card, mode or ability, or a
/// number.
pub fn read(
    live: &Match,
    eyes: &Projector,
    player: PlayerId,
    action: ActionId,
    slot: usize,
    word: &str,
) -> Option<i64> {
    let program = live.ruleset().program();
    let sort = program.action(action)?.slots.get(slot).map(|it| it.ty.sort);
    let modes = program.text.actions.get(action.index()).and_then(|it| it.modes.get(slot)).map_or(&[][..], |it| it);
    let label = |it: &ruleset::text::Label| it.id == word || it.name.eq_ignore_ascii_case(word);
    if let Some(mode) = modes.iter().position(label) {
        return i64::try_from(mode).ok();
    }
    match sort {
        Some(Sort::Ability) => program.text.abilities.iter().position(label).and_then(|it| i64::try_from(it).ok()),
        Some(Sort::Int) => word.parse().ok(),
        _ => eyes.read_id(live, word).or_else(|| card(live, eyes, player, word).map(i64::from)),
    }
}

/// A card the viewer sees, by its name; those of the player in question first.
pub fn card(live: &Match, eyes: &Projector, player: PlayerId, word: &str) -> Option<EntityId> {
    let (program, state) = (live.ruleset().program(), live.state());
    let wanted = word.replace('_', " ");
    let is_it = |it: &EntityId| {
        let label = state.ent(*it).and_then(|it| program.text.defs.get(it.def.index()));
        label.is_some_and(|it| it.name.eq_ignore_ascii_case(&wanted) || it.id == word) && eyes.handle(*it).is_some()
    };
    let zones = (0..state.zones.len()).filter_map(|it| u16::try_from(it).ok());
    let found: Vec<EntityId> = zones.flat_map(|it| state.cards_in(it)).filter(is_it).collect();
    let own = found.iter().find(|it| state.ent(**it).is_some_and(|it| it.controller == player));
    own.or(found.first()).copied()
}
