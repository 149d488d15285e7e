//! Why an action is legal or not, told.

use engine::{
    Match, PlayerId,
    explain::{Candidate, Check, Legality, Obstacle, Requirement, Truth},
    offer::Payment,
    question::player_id,
    view::Projector,
};
use ruleset::{
    ActionId,
    sort::{Sort, Type},
};

use super::{ExplainError, Explanation, Names as _, Reason, names::Seen};

/// How many candidates that do not fit are told of, one by one.
const CANDIDATES_MAX: usize = 12;

/// Why a player can take an action, or why not.
pub fn explain(
    live: &Match,
    eyes: &Projector,
    player: PlayerId,
    id: ActionId,
    targets: &[Vec<i64>],
) -> Result<Explanation, ExplainError> {
    let names = Seen { live, eyes };
    let teller = Teller { live, names, id };
    let legality = live.explain_action(eyes.viewer, player, id, targets);
    let legality = legality.ok_or_else(|| ExplainError::UnknownAction(id.0.to_string()))?;
    let reasons: Vec<Reason> = legality.checks.iter().map(|it| teller.check(it)).collect();
    let what = teller.action(targets);
    let (answer, code) = match legality.obstacle() {
        None => (format!("{} can {what}", player_id(player)), "legal".to_owned()),
        Some(check) => {
            let why = teller.summary(&legality, &reasons);
            (format!("{} cannot {what}: {why}", player_id(player)), check.rejection().code().to_owned())
        }
    };
    Ok(Explanation { answer, code, reasons, expected: None })
}

struct Teller<'a> {
    live: &'a Match,
    names: Seen<'a>,
    id: ActionId,
}

impl Teller<'_> {
    fn slot(&self, at: usize) -> (String, Type) {
        let program = self.live.ruleset().program();
        let text = program.text.actions.get(self.id.index()).and_then(|it| it.slots.get(at)).cloned();
        let ty = program.action(self.id).and_then(|it| it.slots.get(at)).map(|it| Type::one(it.ty.sort));
        (text.unwrap_or_else(|| format!("slot {}", at + 1)), ty.unwrap_or(Type::one(Sort::Entity)))
    }

    /// One that fills a slot, by name; modes have names of their own.
    fn filler(&self, slot: usize, value: i64) -> String {
        let modes = self.live.ruleset().program().text.actions.get(self.id.index()).and_then(|it| it.modes.get(slot));
        let mode = modes.zip(usize::try_from(value).ok()).and_then(|(it, at)| it.get(at));
        mode.map_or_else(|| self.names.name(value, self.slot(slot).1), |it| it.id.clone())
    }

    fn action(&self, targets: &[Vec<i64>]) -> String {
        let text = &self.live.ruleset().program().text;
        let name = text.actions.get(self.id.index()).map_or("", |it| &it.label.id);
        let filled = targets.iter().enumerate().flat_map(|(at, it)| it.iter().map(move |value| (at, *value)));
        let filled: Vec<String> = filled.map(|(at, value)| self.filler(at, value)).collect();
        if filled.is_empty() { name.to_owned() } else { format!("{name} {}", filled.join(" ")) }
    }

    /// The first thing that does not hold, with the innermost parts of it.
    fn summary(&self, legality: &Legality, reasons: &[Reason]) -> String {
        let first = legality.checks.iter().zip(reasons).find(|it| it.0.truth == Truth::No);
        let Some((check, reason)) = first else { return String::new() };
        let what = match &check.requirement {
            Requirement::Slot { slot, n_chosen: 0, .. } => {
                return format!("nothing can fill {}", self.slot(usize::from(*slot)).0);
            }
            Requirement::Slot { slot, .. } => format!("this cannot fill {}", self.slot(usize::from(*slot)).0),
            _ => check.rejection().to_string(),
        };
        let roots: Vec<String> = reason.roots().iter().filter(|it| **it != reason).map(|it| line(it)).collect();
        if roots.is_empty() { what } else { format!("{what}: {}", roots.join("; ")) }
    }

    /// What a precondition says, whether or not it can be judged yet.
    fn precondition(&self, index: u8) -> String {
        let program = self.live.ruleset().program();
        let code = program.action(self.id).and_then(|it| it.preconditions.get(usize::from(index))).map(|it| it.code);
        let clause = code.and_then(|it| program.clauses.of(it)).and_then(|it| it.parts.first());
        let number = format!("precondition {}", index + 1);
        clause.map_or_else(|| number.clone(), |it| format!("{number}: {}", it.text))
    }

    fn check(&self, check: &Check) -> Reason {
        let holds = match check.truth {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Unknown => None,
        };
        match &check.requirement {
            Requirement::Running { .. } => Reason::plain("the match goes on", holds),
            Requirement::NoQuestion => Reason::plain("no question waits for an answer", holds),
            Requirement::Priority { holder } => {
                let who = holder.map_or("nobody may act now".to_owned(), |it| format!("{} may act", player_id(it)));
                Reason { values: vec![who], ..Reason::plain("the player may act now", holds) }
            }
            Requirement::OwnTurn => Reason::plain("it is the player's own turn", holds),
            Requirement::EmptyStack => Reason::plain("nothing is on the stack", holds),
            Requirement::Precondition { index, story } => {
                let told = story.as_ref().map(|it| Reason::told(it, &self.names)).unwrap_or_default();
                Reason { text: self.precondition(*index), holds, ..told }
            }
            Requirement::Slot { slot, min, max, n_chosen, candidates } => {
                self.slot_reason(usize::from(*slot), (*min, *max), *n_chosen, candidates, holds)
            }
            Requirement::Cost { payments, unpaid } => {
                let story = unpaid.as_ref().and_then(|it| it.story.as_ref());
                let values = payments.iter().flatten().map(|it| self.payment(it)).collect();
                Reason { values, ..Reason::on("the costs can be paid", holds, story, &self.names) }
            }
        }
    }

    fn payment(&self, payment: &Payment) -> String {
        let program = self.live.ruleset().program();
        match *payment {
            Payment::Value { entity, attr, amount } => {
                let name = program.text.attrs.get(attr.index()).map_or("", |it| &it.id);
                let of = self.names.name(entity.into(), Type::one(Sort::Entity));
                format!("{amount} {name} of {of}")
            }
            Payment::Card { card, to } => {
                let zone = program.zone_of(to).and_then(|it| program.text.zones.get(it.0.index()));
                let zone = zone.map_or("", |it| &it.id);
                format!("{} to {zone}", self.names.name(card.into(), Type::CARD))
            }
        }
    }

    fn slot_reason(
        &self,
        slot: usize,
        (min, max): (u16, u16),
        n_chosen: u16,
        candidates: &[Candidate],
        holds: Option<bool>,
    ) -> Reason {
        let name = self.slot(slot).0;
        let fitting = candidates.iter().filter(|it| it.obstacle.is_none());
        let fitting: Vec<String> = fitting.map(|it| self.filler(slot, it.value)).collect();
        let text = match n_chosen {
            0 if min > 0 || max > 0 => format!("something can fill {name}"),
            _ => format!("{name} takes what is chosen"),
        };
        let mut values = Vec::new();
        if n_chosen > 0 && !(min..=max).contains(&n_chosen) {
            values.push(format!("{min} to {max}, got {n_chosen}"));
        }
        if !fitting.is_empty() {
            values.push(fitting.join(", "));
        }
        let misfits = candidates.iter().filter(|it| it.obstacle.is_some());
        let n_misfits = misfits.clone().count();
        let mut parts: Vec<Reason> = misfits.take(CANDIDATES_MAX).filter_map(|it| self.misfit(slot, it)).collect();
        if n_misfits > CANDIDATES_MAX {
            parts.push(Reason::plain(format!("and {} more", n_misfits - CANDIDATES_MAX), Some(false)));
        }
        Reason { text, holds, values, parts }
    }

    fn misfit(&self, slot: usize, candidate: &Candidate) -> Option<Reason> {
        let name = self.filler(slot, candidate.value);
        let told = |why: &str, story: Option<&engine::explain::Story>| {
            Reason::on(format!("{name}: {why}"), Some(false), story, &self.names)
        };
        Some(match candidate.obstacle.as_ref()? {
            Obstacle::NotThere => told("is not where this is chosen from", None),
            Obstacle::NotTheirs => told("belongs to the wrong player", None),
            Obstacle::Filter(story) => told("is not what is asked for", story.as_ref()),
            Obstacle::NotFirst => told("others come first", None),
            Obstacle::Repeated => told("is chosen twice", None),
            Obstacle::Precondition { index, story } => {
                told(&format!("precondition {} does not hold with it", index + 1), story.as_ref())
            }
            Obstacle::Cost => told("the costs cannot be paid with it", None),
            Obstacle::NoRest => told("nothing fits the slots behind it", None),
        })
    }
}

/// A reason in a line.
fn line(reason: &Reason) -> String {
    if reason.values.is_empty() {
        return reason.text.clone();
    }
    format!("{} ({})", reason.text, reason.values.join(", "))
}
