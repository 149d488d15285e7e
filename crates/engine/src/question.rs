//! Every decision as a selector: open questions, and priority as a choice among actions.
//! A client, bot or terminal that can answer selectors can play every game.

use alloc::{format, string::String, vec::Vec};

use ruleset::{
    ActionId,
    program::{AskMode, Slot},
    sort::Sort,
    text::Label as Named,
};
use selector::{Choice, Refusal, Response, Selector, Value};

use crate::{
    command::Command,
    ids::{EntityId, EventNo, InputNo, PlayerId},
    matches::{Match, Waiting},
    state::{Ask, AskKind, Status},
    view::{Projector, Viewer},
};

/// How many ways to take one action are listed in a question. Others are as legal: an answer that names one is judged
/// like any command.
const OFFERS_MAX: usize = 4096;

/// An open question as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingInput {
    pub id: InputNo,
    pub kind: AskKind,
    /// The row it resumes.
    pub resumes: EventNo,
    /// All who are asked.
    pub players: Vec<PlayerId>,
    pub prompt: String,
    /// What is a legal answer.
    pub selector: Selector,
    pub deadline_ms: u32,
}

/// Why an answer to a selector is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// This player has nothing to decide.
    NothingToDecide,
    /// The answer does not fit the selector.
    Refused(Refusal),
}

impl Projector {
    /// The player whose projector this is.
    pub fn player(&self) -> PlayerId {
        if let Viewer::Player(player) = self.viewer { player } else { PlayerId::NONE }
    }

    /// An open question, with what this player may answer; none if they are not asked.
    pub fn pending(&mut self, live: &Match, input: InputNo) -> Option<PendingInput> {
        let ask = *live.state().ask(input)?;
        let is_asked = ask.seats & !ask.closed & self.player().bit() != 0;
        is_asked.then(|| self.put_question(live, &ask)).flatten()
    }

    /// A question that this player has answered, as long as he may still answer something else.
    pub fn replaceable(&mut self, live: &Match, input: InputNo) -> Option<PendingInput> {
        let ask = *live.state().ask(input)?;
        let rule = live.ruleset().program().ask(ask.ask)?;
        let has_answered = ask.seats & ask.closed & self.player().bit() != 0;
        let may_change = rule.mode == AskMode::Many && !rule.revisable;
        (has_answered && may_change).then(|| self.put_question(live, &ask)).flatten()
    }

    fn put_question(&mut self, live: &Match, ask: &Ask) -> Option<PendingInput> {
        self.sync_rows(live.state());
        let (player, input) = (self.player(), ask.no);
        let program = live.ruleset().program();
        let prompt = program.text.asks.get(ask.ask.index()).map(|it| it.prompt.clone()).unwrap_or_default();
        let choices = live.choices(player, input)?;
        let (min, max) = (clamp(choices.min), clamp(choices.max));
        let offered = choices.values.iter().enumerate().map(|(i, it)| self.choice(live, i, *it, ask));
        let title = if prompt.is_empty() { String::from(ask.kind.as_str()) } else { prompt.clone() };
        let selector = Selector::select(player_id(player), title).offer(offered).between(min, max);
        let top = live.state().top().map_or(EventNo::NONE, |it| it.event);
        let players = live.state().players().filter(|it| ask.seats & it.bit() != 0).collect();
        Some(PendingInput {
            id: input,
            kind: ask.kind,
            resumes: top,
            players,
            prompt,
            selector,
            deadline_ms: ask.deadline_ms,
        })
    }

    fn choice(&self, live: &Match, at: usize, value: i64, ask: &Ask) -> Choice {
        let program = live.ruleset().program();
        let sort = program.ask(ask.ask).map_or(Sort::Event, |it| it.choice_type.sort);
        let modes = program.text.asks.get(ask.ask.index()).map_or(&[][..], |it| &it.modes);
        let mode = usize::try_from(value).ok().and_then(|it| modes.get(it));
        match (sort, mode) {
            (Sort::Bool, _) => Choice::from("yes").with_id("yes"),
            (Sort::Int, Some(words)) => Choice::from(words.as_str()).with_id(self.mode_id(live, value, ask)),
            (Sort::Event, _) if ask.ask.is_none() => self.trigger_choice(live, at, value),
            (Sort::Card | Sort::Entity, _) if self.is_hidden(live, value) => hidden_choice(at),
            (Sort::Int, None) => Choice::from(value).with_id(value),
            _ => Choice::from(self.name(live, value, sort)).with_id(self.ref_id(live, value, sort)),
        }
    }

    /// A trigger that waits for its player to put it in order, by its rule and the card that has it.
    fn trigger_choice(&self, live: &Match, at: usize, value: i64) -> Choice {
        let (program, held) = (live.ruleset().program(), &live.state().held);
        let frame = held.iter().find(|it| i64::from(it.frame.event) == value).map(|it| it.frame);
        let rule = frame.and_then(|it| program.text.rules.get(it.rule.index()));
        let rule = rule.map_or_else(String::new, |it| it.name.clone());
        let source = frame.map(|it| i64::from(it.source)).filter(|it| !self.is_hidden(live, *it));
        let title = match source {
            Some(card) => format!("{rule} ({})", self.name(live, card, Sort::Card)),
            None => rule,
        };
        let rule = frame.and_then(|it| program.text.rules.get(it.rule.index())).map(|it| it.id.as_str());
        let whose = source.map(|it| format!("@{}", self.wire_id(live, it, Sort::Card))).unwrap_or_default();
        let rule = rule.filter(|it| !it.is_empty()).map_or_else(|| format!("{}", at.saturating_add(1)), String::from);
        Choice::from(title).with_id(format!("ability:{rule}{whose}"))
    }

    /// The Ref of a mode of a question.
    fn mode_id(&self, live: &Match, value: i64, ask: &Ask) -> String {
        let text = live.ruleset().program().text.asks.get(ask.ask.index());
        let at = usize::try_from(value).unwrap_or(usize::MAX);
        let id = text.and_then(|it| it.mode_ids.get(at)).filter(|it| !it.is_empty());
        id.map_or_else(|| format!("mode:{value}"), |it| format!("mode:{it}"))
    }

    /// The Ref of something that can be chosen: what a ruleset names has its kind before it.
    fn ref_id(&self, live: &Match, value: i64, sort: Sort) -> String {
        let text = &live.ruleset().program().text;
        let at = usize::try_from(value).unwrap_or(usize::MAX);
        let named = |kind: &str, labels: &[Named]| labels.get(at).map(|it| format!("{kind}:{}", it.id));
        let id = match sort {
            Sort::Def => named("def", &text.defs),
            Sort::Ability => named("ability", &text.abilities),
            Sort::Zone => named("zone", &text.zones),
            Sort::Keyword => named("keyword", &text.keywords),
            Sort::Attribute | Sort::Resource => named("attribute", &text.attrs),
            Sort::CardType => named("type", &text.types),
            Sort::Phase => named("phase", &text.phases),
            Sort::Step => named("step", &text.steps),
            Sort::EventType => text.events.get(at).map(|it| format!("event:{}", it.id)),
            Sort::Card
            | Sort::Player
            | Sort::Entity
            | Sort::Event
            | Sort::Int
            | Sort::Bool
            | Sort::Answers
            | Sort::Origin => None,
        };
        id.unwrap_or_else(|| self.wire_id(live, value, sort))
    }

    /// Whether a player may not know which card this is.
    fn is_hidden(&self, live: &Match, value: i64) -> bool {
        !self.viewer.sees_card(live.ruleset().program(), live.state(), EntityId::from(value))
    }

    /// What a player may decide now, as one selector: an open question, or his actions and passing.
    pub fn decision(&mut self, live: &Match) -> Option<Selector> {
        self.sync_rows(live.state());
        match live.waiting() {
            Waiting::Inputs(inputs) => inputs.into_iter().find_map(|it| Some(self.pending(live, it)?.selector)),
            Waiting::Priority(window) if window.holder == self.player() => Some(self.priority(live).0),
            Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => None,
        }
    }

    /// Actions nested by action and then by target, and passing; with the commands in the order of their leaves.
    fn priority(&self, live: &Match) -> (Selector, Vec<Command>) {
        let player = self.player();
        let program = live.ruleset().program();
        let commands = self.commands(live);
        let mut choices: Vec<Choice> = Vec::new();
        for (i, text) in program.text.actions.iter().enumerate() {
            let of_action = |it: &&Command| matches!(it, Command::Act { action, .. } if action.index() == i);
            let targets: Vec<&[Vec<i64>]> = commands.iter().filter(of_action).map(targets_of).collect();
            if !targets.is_empty() {
                let sorts = program.actions.get(i).map_or(&[][..], |it| &it.slots).iter().map(|it| it.ty.sort);
                let slots: Vec<SlotNames<'_>> = sorts.zip(text.modes.iter().map(Vec::as_slice)).collect();
                choices.push(self.branch(live, &text.label, &slots, &targets, 0));
            }
        }
        choices.push(Choice::from("Pass").with_id("pass"));
        (Selector::select(player_id(player), "Priority").offer(choices), commands)
    }

    /// What the player can do, action by action, each with what fills it in an order the player may know.
    fn commands(&self, live: &Match) -> Vec<Command> {
        let program = live.ruleset().program();
        let mut commands = live.legal_by_action(self.player(), OFFERS_MAX);
        commands.sort_by_cached_key(|it| {
            let Command::Act { action, targets, .. } = it else { return (usize::MAX, Vec::new()) };
            let sorts = program.action(*action).map_or(&[][..], |it| &it.slots).iter().map(|it| it.ty.sort);
            let sorts = sorts.chain(core::iter::repeat(Sort::Entity));
            let rank = |(values, sort): (&Vec<i64>, Sort)| -> Vec<(bool, i64)> {
                values.iter().map(|it| self.rank(*it, sort)).collect()
            };
            (action.index(), targets.iter().zip(sorts).map(rank).collect())
        });
        commands
    }

    /// Where something stands in a list for this viewer: cards by the names the viewer has for them, since the order of
    /// their numbers tells what is hidden; those without one last.
    pub fn rank(&self, value: i64, sort: Sort) -> (bool, i64) {
        let is_card = matches!(sort, Sort::Card | Sort::Entity);
        let handle = self.handle(EntityId::from(value)).filter(|_| is_card);
        handle.map_or((is_card, value), |it| (false, i64::from(it)))
    }

    /// A group of what can be chosen at one depth; a leaf where nothing is left to choose.
    fn branch(
        &self,
        live: &Match,
        label: &Named,
        slots: &[SlotNames<'_>],
        targets: &[&[Vec<i64>]],
        depth: usize,
    ) -> Choice {
        let title = label.name.as_str();
        let deeper = targets.iter().any(|it| it.len() > depth);
        if !deeper {
            return Choice::from(title).with_id(label.id.as_str());
        }
        let (sort, modes) = slots.get(depth).copied().unwrap_or((Sort::Entity, &[]));
        let mut inner = Vec::new();
        let mut rest = targets;
        while let Some(first) = rest.first() {
            let key = first.get(depth);
            let n = rest.iter().take_while(|it| it.get(depth) == key).count();
            let (same, after) = rest.split_at(n);
            rest = after;
            let label = self.target_label(live, modes, inner.len(), key.map_or(&[][..], |it| it), sort);
            inner.push(self.branch(live, &label, slots, same, depth.saturating_add(1)));
        }
        Choice::group(title, inner).with_id(label.id.as_str())
    }

    /// What fills a slot, as the viewer calls it; a card he cannot see by its place among what can be chosen.
    pub fn target_label(&self, live: &Match, modes: &[Named], at: usize, values: &[i64], sort: Sort) -> Named {
        let mode = values.first().and_then(|it| modes.get(usize::try_from(*it).ok()?));
        if let Some(mode) = mode {
            return mode.clone();
        }
        let cards = matches!(sort, Sort::Card | Sort::Entity);
        if cards && values.iter().any(|it| self.is_hidden(live, *it)) {
            let number = at.saturating_add(1);
            return Named { id: format!("h{number}"), name: format!("hidden card {number}"), ..Named::default() };
        }
        let names: Vec<String> = values.iter().map(|it| self.name(live, *it, sort)).collect();
        let ids: Vec<String> = values.iter().map(|it| self.wire_id(live, *it, sort)).collect();
        let shown = if names.is_empty() { String::from("nothing") } else { names.join(" and ") };
        Named { id: ids.join("+"), name: shown, ..Named::default() }
    }

    /// The command an answer to [`Projector::decision`] stands for.
    pub fn answer(&mut self, live: &Match, response: &Response) -> Result<Command, AnswerError> {
        self.sync_rows(live.state());
        let player = self.player();
        match live.waiting() {
            Waiting::Inputs(inputs) => {
                let pending =
                    inputs.into_iter().find_map(|it| self.pending(live, it)).ok_or(AnswerError::NothingToDecide)?;
                let picks = pending.selector.resolve(response).map_err(AnswerError::Refused)?;
                let choices = live.choices(player, pending.id).ok_or(AnswerError::NothingToDecide)?;
                let value =
                    |it: &selector::Pick| choices.values.get(usize::try_from(it.choice).unwrap_or(usize::MAX)).copied();
                let values = picks.iter().filter_map(value).collect();
                Ok(Command::Answer { player, input: pending.id, values, confirm: true })
            }
            Waiting::Priority(window) if window.holder == player => {
                let (selector, commands) = self.priority(live);
                match selector.resolve(response) {
                    Ok(picks) => {
                        let leaf = picks.first().map_or(0, |it| leaf_number(&selector.options.choices, it));
                        commands.into_iter().nth(leaf).ok_or(AnswerError::NothingToDecide)
                    }
                    // What is not listed may still be legal, where a list is long.
                    Err(refusal @ Refusal::NotInChoices { .. }) => {
                        let named = self.named_action(live, response).filter(|it| live.is_legal(it));
                        named.ok_or(AnswerError::Refused(refusal))
                    }
                    Err(refusal) => Err(AnswerError::Refused(refusal)),
                }
            }
            Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => {
                Err(AnswerError::NothingToDecide)
            }
        }
    }
}

impl Projector {
    /// The action an answer names by ids, listed or not.
    fn named_action(&self, live: &Match, response: &Response) -> Option<Command> {
        let program = live.ruleset().program();
        let id = |it: &Value| if let Some(Value::Text(id)) = it.field("id") { Some(id.clone()) } else { None };
        let mut at = only(response.items()?)?;
        let name = id(at)?;
        let action = ActionId::at(program.text.actions.iter().position(|it| it.label.id == name)?);
        let modes = program.text.actions.get(action.index()).map_or(&[][..], |it| &it.modes);
        let mut targets: Vec<Vec<i64>> = Vec::new();
        while let Some(inner) = at.field("selection") {
            let inner = only(inner.as_list()?)?;
            let slot = program.action(action)?.slots.get(targets.len());
            let modes = modes.get(targets.len()).map_or(&[][..], |it| it);
            targets.push(self.read_targets(live, &id(inner)?, slot, modes)?);
            at = inner;
        }
        Some(Command::Act { player: self.player(), action, targets })
    }

    /// What fills a slot, from the id of a choice: the ids of all of it.
    fn read_targets(&self, live: &Match, ids: &str, slot: Option<&Slot>, modes: &[Named]) -> Option<Vec<i64>> {
        let read = |id: &str| {
            let mode = modes.iter().position(|it| it.id == id).and_then(|it| i64::try_from(it).ok());
            mode.or_else(|| self.read_id(live, id)).or_else(|| id.parse().ok().filter(|_| slot.is_some()))
        };
        if ids.is_empty() { Some(Vec::new()) } else { ids.split('+').map(read).collect() }
    }
}

/// What the values of a slot are, and the names of its modes if it has any.
type SlotNames<'t> = (Sort, &'t [Named]);

/// The only one of some.
fn only(items: &[Value]) -> Option<&Value> {
    if let [one] = items { Some(one) } else { None }
}

/// A card the chooser cannot see, by its place among the choices.
fn hidden_choice(at: usize) -> Choice {
    let number = at.saturating_add(1);
    Choice::from(format!("hidden card {number}")).with_id(format!("h{number}"))
}

fn targets_of(command: &Command) -> &[Vec<i64>] {
    if let Command::Act { targets, .. } = command { targets } else { &[] }
}

/// How many leaves come before the one that was picked.
fn leaf_number(choices: &[Choice], pick: &selector::Pick) -> usize {
    let at = usize::try_from(pick.choice).unwrap_or(usize::MAX);
    let before: usize = choices.iter().take(at).map(n_leaves).sum();
    let inner = choices.get(at).and_then(|it| it.nested.as_ref());
    match (inner, pick.nested.first()) {
        (Some(options), Some(pick)) => before.saturating_add(leaf_number(&options.choices, pick)),
        _ => before,
    }
}

fn n_leaves(choice: &Choice) -> usize {
    choice.nested.as_ref().map_or(1, |it| it.choices.iter().map(n_leaves).sum())
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A seat as it is called outside: `p1`.
pub fn player_id(player: PlayerId) -> String {
    format!("p{}", u16::from(player.0).saturating_add(1))
}

impl Projector {
    /// A value as the viewer calls it: `p1`, a card `c4` by its handle, `ev12` a row of the stack,
    /// or the number itself. What the viewer cannot see is `hidden`.
    pub fn wire_id(&self, live: &Match, value: i64, sort: Sort) -> String {
        let hidden = || String::from("hidden");
        match sort {
            Sort::Event => self.row_of(EventNo::from(value)).map_or_else(hidden, |it| format!("ev{it}")),
            Sort::Card | Sort::Player | Sort::Entity => {
                let entity = EntityId::from(value);
                match live.state().ent(entity).map(|it| it.status) {
                    Some(Status::Player) => player_id(PlayerId::from(value)),
                    _ => self.handle(entity).map_or_else(hidden, |it| format!("c{it}")),
                }
            }
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
            | Sort::Origin => format!("{value}"),
        }
    }

    /// What a card, player or event is that the viewer calls so; the other way round from [`Projector::wire_id`].
    pub fn read_id(&self, live: &Match, text: &str) -> Option<i64> {
        let state = live.state();
        if let Some(row) = text.strip_prefix("ev") {
            return self.event_of(row.parse().ok()?).map(i64::from);
        }
        let (letter, digits) = text.split_at_checked(1)?;
        let number: u32 = digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
        let before = usize::try_from(number.checked_sub(1)?).ok()?;
        match letter {
            "p" => (before < usize::from(state.head.n_players)).then(|| PlayerId::at(before).into()),
            "c" => self.card(number).map(i64::from),
            _ => None,
        }
    }

    /// What a value is called for people.
    fn name(&self, live: &Match, value: i64, sort: Sort) -> String {
        let (program, state) = (live.ruleset().program(), live.state());
        let at = usize::try_from(value).unwrap_or(usize::MAX);
        let named = |labels: &[Named]| labels.get(at).map_or_else(|| format!("{value}"), |it| it.name.clone());
        match sort {
            Sort::Card | Sort::Player | Sort::Entity => {
                let def = state.ent(EntityId::from(value)).map_or(ruleset::DefId::NONE, |it| it.def);
                program.text.defs.get(def.index()).map_or_else(|| self.wire_id(live, value, sort), |it| it.name.clone())
            }
            Sort::Event => {
                let frame = state.frame(EventNo::from(value));
                let kind = frame.and_then(|it| program.text.events.get(it.etype.index()));
                kind.map_or_else(|| self.wire_id(live, value, sort), |it| it.id.clone())
            }
            Sort::Def => named(&program.text.defs),
            Sort::Ability => named(&program.text.abilities),
            Sort::Zone => named(&program.text.zones),
            Sort::Keyword => named(&program.text.keywords),
            Sort::Attribute | Sort::Resource => named(&program.text.attrs),
            Sort::CardType => named(&program.text.types),
            Sort::Phase => named(&program.text.phases),
            Sort::Step => named(&program.text.steps),
            Sort::EventType => program.text.events.get(at).map_or_else(|| format!("{value}"), |it| it.id.clone()),
            Sort::Int | Sort::Bool | Sort::Answers | Sort::Origin => format!("{value}"),
        }
    }
}
