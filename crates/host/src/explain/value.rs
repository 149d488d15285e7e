//! What made a number what it is, told.

use engine::{
    EntityId,
    explain::Part,
    state::{Lasts, Status},
};
use ruleset::{
    AttrId, RuleId,
    sort::{Sort, Type},
};

use super::{Asked, ExplainError, Explanation, Names as _, Reason, names};

/// What made an attribute of a card or player what it is.
pub fn explain(asked: &Asked<'_>, of: &str, attribute: &str) -> Result<Explanation, ExplainError> {
    let (live, eyes) = (asked.live, asked.eyes);
    let unknown = |it: &str| ExplainError::UnknownName(it.to_owned());
    let labels = &live.ruleset().program().text.attrs;
    let attr = labels.iter().position(|it| it.id == attribute).map(AttrId::at).ok_or_else(|| unknown(attribute))?;
    let named = eyes.read_id(live, of).map(EntityId::from);
    let entity = named.or_else(|| names::card(live, eyes, eyes.player(), of)).ok_or_else(|| unknown(of))?;
    let is_seen = eyes.viewer.sees_card(live.ruleset().program(), live.state(), entity);
    let story = live.explain_value(entity, attr).filter(|_| is_seen).ok_or_else(|| unknown(attribute))?;
    let is_player = live.state().ent(entity).is_some_and(|it| it.status == Status::Player);
    let told = Told { names: names::Seen { live, eyes }, asked, is_player };
    let reasons = story.parts.iter().map(|it| Reason::plain(told.part(it), None)).collect();
    let name = told.names.name(entity.into(), Type::one(Sort::Entity));
    let answer = format!("{attribute} of {name} is {}", story.value);
    Ok(Explanation { answer, code: "value".to_owned(), reasons, expected: None })
}

struct Told<'a> {
    names: names::Seen<'a>,
    asked: &'a Asked<'a>,
    is_player: bool,
}

impl Told<'_> {
    fn part(&self, part: &Part) -> String {
        match *part {
            Part::Printed(value) if self.is_player => format!("{value} to begin with"),
            Part::Printed(value) => format!("{value} printed"),
            Part::Base(value) => format!("{value} without what lasts"),
            Part::SetBy { source, value, lasts, .. } => {
                format!("{value}, set by {}{}", self.source(source), self.lasts(lasts))
            }
            Part::AuraSets { rule, source, value } => format!("{value}, set by {}", self.aura(rule, source)),
            Part::AddedBy { source, value, lasts, .. } => {
                format!("{value:+} by {}{}", self.source(source), self.lasts(lasts))
            }
            Part::AuraAdds { rule, source, value } => format!("{value:+} by {}", self.aura(rule, source)),
            Part::HeldAt(value) => format!("{value}, held by its bounds"),
        }
    }

    fn source(&self, source: EntityId) -> String {
        if source.is_none() { "the game".to_owned() } else { self.names.name(source.into(), Type::CARD) }
    }

    /// A continuous effect by its name and its card. What comes from a hidden card would tell which it is.
    fn aura(&self, rule: RuleId, source: EntityId) -> String {
        if source.is_some() && self.asked.eyes.handle(source).is_none() {
            return "something hidden".to_owned();
        }
        let label = self.asked.live.ruleset().program().text.rules.get(rule.index());
        let name = label.map(|it| it.id.as_str()).filter(|it| !it.is_empty()).unwrap_or("an effect");
        format!("{name} of {}", self.source(source))
    }

    fn lasts(&self, lasts: Lasts) -> String {
        match lasts {
            Lasts::Permanent => String::new(),
            Lasts::Turn => " this turn".to_owned(),
            Lasts::TurnOf(player) => format!(" until the turn of {}", engine::question::player_id(player)),
            Lasts::Source => " while it is in play".to_owned(),
        }
    }
}
