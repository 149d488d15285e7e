//! What a player submits to a match of a ruleset: Refs become a command, a refusal is told in the player's own words.

use std::collections::BTreeMap;

use engine::{Command, EntityId, InputNo, Match, PlayerId, Rejection as Rules, view::Projector};
use ruleset::{
    ActionId, RuleId,
    program::{ActionRule, Slot},
    sort::Sort,
    text::Label,
};
use script::{Progress, Rejection as Common, Seat, Viewer};
use selector::{Selector, Value};
use view::{Kind, Ref};

use crate::{
    asking, explain::legality, manipulation, names, numbering::Named, playing::Play, refused::Refused,
    ruled::RuledMatch,
};

impl RuledMatch {
    /// Carries out what a player submits, made for a version if it names one.
    pub fn play_by_refs(&mut self, seat: Seat, version: Option<u32>, play: &Play) -> Result<Progress, Refused> {
        self.check_running()?;
        let player = self.check_seat(seat)?;
        if let Play::Answer { input, selection, is_draft } = play {
            return self.answer_by_refs(seat, version, input, selection, *is_draft);
        }
        version.map_or(Ok(()), |it| self.check_version(it))?;
        let read = self.look(Viewer::Seat(seat), |eyes| {
            eyes.sync_rows(self.live().state());
            read(self.live(), eyes, player, play)
        });
        let command = read.ok_or(Common::UnknownPlayer)??;
        self.carry_out_for(seat, &command)
    }

    /// Carries out a command; a refusal names the slot and the condition as the player knows them.
    fn carry_out_for(&mut self, seat: Seat, command: &Command) -> Result<Progress, Refused> {
        // Judged on the match itself: what is refused has changed nothing.
        match self.try_command(command) {
            Ok(progress) => Ok(progress),
            Err(why) => {
                let words = |eyes: &mut Projector| refusal(self.live(), eyes, command, why);
                Err(self.look(Viewer::Seat(seat), words).unwrap_or_else(|| crate::Rejection::from(why).into()))
            }
        }
    }

    fn answer_by_refs(
        &mut self,
        seat: Seat,
        version: Option<u32>,
        name: &str,
        selection: &Value,
        is_draft: bool,
    ) -> Result<Progress, Refused> {
        let input = match self.numbering().input(seat.0, name) {
            Named::Known(input) => input,
            Named::Gone => return Err(Common::TooLate { current: self.version_now() }.into()),
            Named::Never => return Err(Refused::from(Common::UnknownInput).at("/inputId")),
        };
        let (player, selector) = self.question_for(seat, input)?;
        if !self.is_concurrent(input) {
            version.map_or(Ok(()), |it| self.check_version(it))?;
        }
        if self.is_window(input) {
            let message = "a window is answered by an action, or by pass";
            return Err(Refused::new("command/not_a_question", message).at("/inputId"));
        }
        let rule = self.draft_rule(InputNo(input));
        if is_draft && rule.is_none() {
            return Err(Refused::new("answer/no_drafts", "this question takes no drafts").at("/isDraft"));
        }
        let choices = self.live().choices(player, InputNo(input)).ok_or(Common::NotAsked)?;
        let value = |at: u32| choices.values.get(usize::try_from(at).ok()?).copied();
        let is_lenient = is_draft && rule.is_some_and(|it| it.lenient);
        let values: Vec<i64> = if is_lenient {
            lenient(&selector, selection)?.into_iter().map(|it| it.and_then(value).unwrap_or(ruleset::NULL)).collect()
        } else {
            let selector = if is_draft { crate::ruled::incomplete(&selector) } else { selector };
            asking::picks(&selector, selection)?.iter().filter_map(|it| value(it.choice)).collect()
        };
        let command = Command::Answer { player, input: InputNo(input), values, confirm: !is_draft };
        self.carry_out_for(seat, &command)
    }
}

/// What each item of a draft picks, if it can pick anything beside those before it.
fn lenient(selector: &Selector, selection: &Value) -> Result<Vec<Option<u32>>, Refused> {
    let items = selection.as_list();
    let items = items.ok_or_else(|| Refused::wrong_type("/answers/selection", "selection is a list of Refs"))?;
    let most = u32::try_from(selector.options.choices.len()).unwrap_or(u32::MAX);
    let selector = selector.clone().between(0, most);
    let mut kept: Vec<Value> = Vec::new();
    let mut picks = Vec::new();
    for item in items {
        kept.push(item.clone());
        let pick = asking::picks(&selector, &Value::List(kept.clone())).ok().and_then(|mut it| it.pop());
        if pick.is_none() {
            kept.pop();
        }
        picks.push(pick.map(|it| it.choice));
    }
    Ok(picks)
}

/// The command a submit means.
fn read(live: &Match, eyes: &Projector, player: PlayerId, play: &Play) -> Result<Command, Refused> {
    match play {
        Play::Pass => Ok(Command::Pass { player }),
        Play::EndTurn => Ok(Command::EndTurn { player }),
        Play::Act { action, targets } => {
            let bound = bind(live, eyes, action, targets)?;
            bound.check_names(targets)?;
            Ok(Command::Act { player, action: bound.action, targets: bound.values() })
        }
        Play::Move(it) => manipulation::read(live, eyes, it),
        Play::Answer { .. } => Err(Common::NotAsked.into()),
    }
}

/// An action with what fills its slots.
pub struct Bound {
    pub action: ActionId,
    /// The names of all slots, those of the ability it runs included, with what fills them; none if nothing is said.
    pub slots: Vec<(String, Slot, Option<Vec<i64>>)>,
}

impl Bound {
    /// What fills the slots, in order; nothing where nothing is said.
    pub fn values(&self) -> Vec<Vec<i64>> {
        self.slots.iter().map(|it| it.2.clone().unwrap_or_default()).collect()
    }

    /// Refuses names that are no slots.
    pub fn check_names(&self, targets: &BTreeMap<String, Vec<Ref>>) -> Result<(), Refused> {
        let stray = targets
            .keys()
            .find(|name| !self.slots.iter().any(|it| it.0 == **name || it.0.strip_suffix("Id") == Some(name.as_str())));
        stray.map_or(Ok(()), |it| Err(Refused::unknown_field(&format!("/targets/{it}"))))
    }
}

/// What fills a slot: `ability` also names a slot that is called `abilityId`.
fn given<'t>(targets: &'t BTreeMap<String, Vec<Ref>>, slot: &str) -> Option<&'t Vec<Ref>> {
    targets.get(slot).or_else(|| targets.get(slot.strip_suffix("Id")?))
}

/// The number of an action by its name.
pub fn action_id(live: &Match, name: &str) -> Result<ActionId, Refused> {
    let actions = &live.ruleset().program().text.actions;
    let at = actions.iter().position(|it| it.label.id == name).map(ActionId::at);
    at.ok_or_else(|| {
        Refused::new("command/unknown_action", format!("this game has no such action: {name}")).at("/actionType")
    })
}

/// Binds the slots of an action in order: what can fill one may depend on those before it.
pub fn bind(
    live: &Match,
    eyes: &Projector,
    name: &str,
    targets: &BTreeMap<String, Vec<Ref>>,
) -> Result<Bound, Refused> {
    let program = live.ruleset().program();
    let action = action_id(live, name)?;
    let (Some(rule), Some(text)) = (program.action(action), program.text.actions.get(action.index())) else {
        return Err(Rules::UnknownAction.into());
    };
    let mut bound = Bound { action, slots: Vec::new() };
    for ((slot, name), modes) in rule.slots.iter().zip(&text.slots).zip(&text.modes) {
        let values = read_slot(live, eyes, &bound, (slot, name, modes), targets)?;
        bound.slots.push((name.clone(), slot.clone(), values));
    }
    if let Some((ability, prefix)) = ability_of(live, rule, text, &bound) {
        let slots = program.rule(ability).map_or(&[][..], |it| &it.slots);
        let names = program.text.rule_slots.get(ability.index()).map_or(&[][..], |it| it);
        for (slot, name) in slots.iter().zip(names) {
            let name = format!("{prefix}.{name}");
            let values = read_slot(live, eyes, &bound, (slot, &name, &[]), targets)?;
            bound.slots.push((name, slot.clone(), values));
        }
    }
    Ok(bound)
}

/// The ability an action runs, with the name of the slot that holds it.
fn ability_of(
    live: &Match,
    rule: &ActionRule,
    text: &ruleset::text::ActionText,
    bound: &Bound,
) -> Option<(RuleId, String)> {
    let filled = |at: u8| bound.slots.get(usize::from(at))?.2.as_ref()?.first().copied();
    let at = rule.ability?;
    let ability = filled(at)?;
    let card = rule.principal.and_then(filled).map_or(EntityId::NONE, EntityId::from);
    let program = live.ruleset().program();
    let found = engine::ability::rule_of(live.state(), program, card, ruleset::AbilityId::from(ability))?;
    Some((found, text.slots.get(usize::from(at))?.clone()))
}

fn read_slot(
    live: &Match,
    eyes: &Projector,
    bound: &Bound,
    (slot, name, modes): (&Slot, &str, &[Label]),
    targets: &BTreeMap<String, Vec<Ref>>,
) -> Result<Option<Vec<i64>>, Refused> {
    let Some(given) = given(targets, name) else { return Ok(None) };
    let read = |(at, it): (usize, &Ref)| {
        let pointer = format!("/targets/{name}/{at}");
        read_ref(live, eyes, bound, (slot, modes), it).ok_or_else(|| Refused::unknown_name(&pointer, &it.to_string()))
    };
    given.iter().enumerate().map(read).collect::<Result<Vec<i64>, _>>().map(Some)
}

/// The value of a Ref in a slot, the slots before it being filled.
fn read_ref(live: &Match, eyes: &Projector, bound: &Bound, (slot, modes): (&Slot, &[Label]), it: &Ref) -> Option<i64> {
    let program = live.ruleset().program();
    let sort = slot.ty.sort;
    let number = |at: Option<usize>| at.and_then(|it| i64::try_from(it).ok());
    let labelled = |labels: &[Label], name: &str| number(labels.iter().position(|it| it.id == name));
    let takes = |sorts: &[Sort]| sorts.contains(&sort);
    match it {
        Ref::Named(Kind::Mode, name) => labelled(modes, name),
        // The bare name of a mode or ability is a short form.
        Ref::Named(Kind::Text, name) if !modes.is_empty() => labelled(modes, name),
        Ref::Named(Kind::Text, name) if takes(&[Sort::Ability]) => labelled(&program.text.abilities, name),
        Ref::Named(Kind::Ability, name) if takes(&[Sort::Ability]) => labelled(&program.text.abilities, name),
        Ref::Named(Kind::Zone, name) if takes(&[Sort::Zone]) => labelled(&program.text.zones, name),
        Ref::Named(Kind::Def, name) if takes(&[Sort::Def]) => labelled(&program.text.defs, name),
        Ref::Named(Kind::Keyword, name) if takes(&[Sort::Keyword]) => labelled(&program.text.keywords, name),
        Ref::Named(Kind::Type, name) if takes(&[Sort::CardType]) => labelled(&program.text.types, name),
        Ref::Named(..) | Ref::Unknown | Ref::Yes | Ref::No => None,
        Ref::Number(value) => Some(*value).filter(|_| takes(&[Sort::Int]) && modes.is_empty()),
        Ref::Event(row) => eyes.event_of(*row).map(i64::from).filter(|_| takes(&[Sort::Event])),
        Ref::Player(seat) => {
            let is_seat = *seat < live.state().head.n_players && takes(&[Sort::Player, Sort::Entity]);
            is_seat.then(|| PlayerId(*seat).into())
        }
        Ref::Card(handle) => eyes.card(*handle).map(i64::from).filter(|_| takes(&[Sort::Card, Sort::Entity])),
        Ref::Hidden(_) => {
            let found = live.candidates(eyes.player(), bound.action, &bound.values())?;
            let listed = crate::ruled_prompt::slot_choices(live, eyes, bound.action, bound.slots.len(), &found.values);
            listed.iter().find(|choice| choice.1.id == *it).map(|it| it.0)
        }
    }
}

/// A refusal in the words of the player who gave the command.
fn refusal(live: &Match, eyes: &Projector, command: &Command, why: Rules) -> Refused {
    let program = live.ruleset().program();
    let text = if let Command::Act { action, .. } = command { program.text.actions.get(action.index()) } else { None };
    let rule = if let Command::Act { action, .. } = command { program.action(*action) } else { None };
    let name = |slot: u8| text.and_then(|it| it.slots.get(usize::from(slot))).cloned().unwrap_or_default();
    let refused = Refused { conflict: None, ..crate::Rejection::from(why).into() };
    match why {
        Rules::PreconditionFailed { .. } => {
            let told = if let Command::Act { player, action, targets } = command {
                legality::explain(live, eyes, *player, *action, targets).ok()
            } else {
                None
            };
            let message = told.map_or_else(|| refused.message.clone(), |it| it.answer);
            Refused { message: message.clone(), ..refused }.because(message, None)
        }
        Rules::IllegalTarget { slot, target } => {
            let sort = rule.and_then(|it| it.slots.get(usize::from(slot))).map_or(Sort::Entity, |it| it.ty.sort);
            let about = names::of_value(live, eyes, target, sort, 0);
            let at = place_of(command, slot, target);
            let message = format!("{} cannot fill {}", names::title(live, eyes, &about), name(slot));
            let pointer = format!("/targets/{}/{at}", name(slot));
            Refused { message: message.clone(), ..refused }.at(pointer).because(message, Some(about))
        }
        Rules::WrongTargetCount { slot, min, max, got } => {
            let message = format!("{} takes {min} to {max} targets, got: {got}", name(slot));
            Refused { message, ..refused }.at(format!("/targets/{}", name(slot)))
        }
        Rules::NotYourPriority { holder } => {
            let message = format!("{} may act now, not you", names::player(holder).unwrap_or_default());
            Refused { message, ..refused }
        }
        Rules::CannotPay
        | Rules::UnknownAction
        | Rules::UnknownPlayer
        | Rules::UnknownInput
        | Rules::NotAsked
        | Rules::AlreadyAnswered
        | Rules::InputPending
        | Rules::NotInWindow
        | Rules::NotAtThisTime
        | Rules::NotInChoices { .. }
        | Rules::IllegalReorder { .. }
        | Rules::WrongCount { .. }
        | Rules::NoSuchTimer
        | Rules::MatchOver
        | Rules::MatchPaused
        | Rules::NotPaused
        | Rules::NoSuchItem
        | Rules::CannotUndo
        | Rules::UndoForbidden
        | Rules::WrongPlayerCount { .. }
        | Rules::IllegalDeck { .. }
        | Rules::Broken => Refused { message: eyes.refusal(live, command, &why), ..refused },
    }
}

/// The place of a target among those of its slot.
fn place_of(command: &Command, slot: u8, target: i64) -> usize {
    let Command::Act { targets, .. } = command else { return 0 };
    targets.get(usize::from(slot)).and_then(|it| it.iter().position(|it| *it == target)).unwrap_or(0)
}

impl From<Rules> for Refused {
    fn from(it: Rules) -> Self {
        crate::Rejection::from(it).into()
    }
}
