//! What a viewer calls things of a match of a ruleset, and what people read for them.

use engine::{
    EntityId, EventNo, Match, PlayerId,
    state::Status,
    view::{FieldView, Projector},
};
use ruleset::{Program, sort::Sort, text::Label};
use view::{Kind, Ref};

/// A seat as it is called outside; none for nobody.
pub fn player(player: PlayerId) -> Option<String> {
    (!player.is_none()).then(|| Ref::Player(player.0).to_string())
}

/// The id of something in a table of names.
pub fn named(labels: &[Label], at: usize) -> String {
    labels.get(at).map_or_else(|| at.to_string(), |it| it.id.clone())
}

/// The id and name of something a ruleset names, by what kind of thing it is.
fn label(program: &Program, sort: Sort, at: usize) -> Option<(Kind, String, String)> {
    let text = &program.text;
    let of = |kind: Kind, labels: &[Label]| labels.get(at).map(|it| (kind, it.id.clone(), it.name.clone()));
    match sort {
        Sort::Zone => of(Kind::Zone, &text.zones),
        Sort::Attribute | Sort::Resource => of(Kind::Attribute, &text.attrs),
        Sort::Keyword => of(Kind::Keyword, &text.keywords),
        Sort::Def => of(Kind::Def, &text.defs),
        Sort::CardType => of(Kind::Type, &text.types),
        Sort::Ability => of(Kind::Ability, &text.abilities),
        Sort::Phase => of(Kind::Phase, &text.phases),
        Sort::Step => of(Kind::Step, &text.steps),
        Sort::EventType => text.events.get(at).map(|it| (Kind::Event, it.id.clone(), it.id.clone())),
        Sort::Int
        | Sort::Bool
        | Sort::Card
        | Sort::Player
        | Sort::Entity
        | Sort::Event
        | Sort::Answers
        | Sort::Origin => None,
    }
}

/// The bare name of something a ruleset names.
pub fn name_in(program: &Program, sort: Sort, number: i64) -> Option<String> {
    label(program, sort, usize::try_from(number).ok()?).map(|it| it.1)
}

/// What a field of a view is called.
pub fn of_field(program: &Program, field: &FieldView, sort: Sort) -> Option<Ref> {
    Some(match field {
        FieldView::Nothing | FieldView::List(_) => return None,
        FieldView::Hidden => Ref::Unknown,
        FieldView::Card(handle) => Ref::Card(*handle),
        FieldView::Player(it) => Ref::Player(it.0),
        FieldView::Event(number) => Ref::Event(*number),
        FieldView::Plain(number) => of_number(program, *number, sort),
    })
}

fn of_number(program: &Program, number: i64, sort: Sort) -> Ref {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    match label(program, sort, at) {
        Some((kind, id, _)) => Ref::Named(kind, id),
        None if sort == Sort::Bool => {
            if number == 1 {
                Ref::Yes
            } else {
                Ref::No
            }
        }
        None => Ref::Number(number),
    }
}

/// What a viewer calls something that can be chosen, at its place among the choices.
pub fn of_value(live: &Match, eyes: &Projector, value: i64, sort: Sort, at: usize) -> Ref {
    let program = live.ruleset().program();
    match sort {
        Sort::Card | Sort::Player | Sort::Entity => {
            let entity = EntityId::from(value);
            let place = || Ref::Hidden(u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1));
            match live.state().ent(entity).map(|it| it.status) {
                Some(Status::Player) => Ref::Player(PlayerId::from(value).0),
                Some(Status::Card) if eyes.viewer.sees_card(program, live.state(), entity) => {
                    eyes.handle(entity).map_or_else(place, Ref::Card)
                }
                Some(Status::Card | Status::Unborn) | None => place(),
            }
        }
        Sort::Event => eyes.row_of(EventNo::from(value)).map_or(Ref::Unknown, Ref::Event),
        Sort::Int
        | Sort::Bool
        | Sort::Zone
        | Sort::Attribute
        | Sort::Resource
        | Sort::Keyword
        | Sort::Def
        | Sort::CardType
        | Sort::EventType
        | Sort::Ability
        | Sort::Phase
        | Sort::Step
        | Sort::Answers
        | Sort::Origin => of_number(program, value, sort),
    }
}

/// What people read for something a viewer calls so.
pub fn title(live: &Match, eyes: &Projector, id: &Ref) -> String {
    let program = live.ruleset().program();
    match id {
        Ref::Card(handle) => card_name(live, eyes, *handle).unwrap_or_else(|| id.to_string()),
        Ref::Hidden(place) => format!("hidden card {place}"),
        Ref::Unknown => "a hidden card".to_owned(),
        Ref::Event(row) => {
            let frame = eyes.event_of(*row).and_then(|it| live.state().frame(it));
            let rule = frame.and_then(|it| program.text.rules.get(it.rule.index())).map(|it| it.name.clone());
            let kind = frame.and_then(|it| program.text.events.get(it.etype.index())).map(|it| it.id.clone());
            rule.or(kind).unwrap_or_else(|| id.to_string())
        }
        Ref::Named(kind, name) => {
            let labels = match kind {
                Kind::Zone => &program.text.zones,
                Kind::Def => &program.text.defs,
                Kind::Ability => &program.text.abilities,
                Kind::Type => &program.text.types,
                Kind::Keyword => &program.text.keywords,
                Kind::Attribute => &program.text.attrs,
                Kind::Phase => &program.text.phases,
                Kind::Step => &program.text.steps,
                Kind::Mode | Kind::Action | Kind::Text | Kind::Event => return name.clone(),
            };
            labels.iter().find(|it| it.id == *name).map_or_else(|| name.clone(), |it| it.name.clone())
        }
        Ref::Player(_) | Ref::Yes | Ref::No | Ref::Number(_) => id.to_string(),
    }
}

/// What is printed on a card, also if it went into hiding right away.
pub fn def_of(live: &Match, eyes: &Projector, handle: u32) -> Option<ruleset::DefId> {
    let seen = || eyes.met().get(usize::try_from(handle.checked_sub(1)?).ok()?).copied();
    eyes.card(handle).or_else(seen).and_then(|it| live.state().ent(it)).map(|it| it.def)
}

fn card_name(live: &Match, eyes: &Projector, handle: u32) -> Option<String> {
    let def = def_of(live, eyes, handle)?;
    live.ruleset().program().text.defs.get(def.index()).map(|it| it.name.clone())
}
