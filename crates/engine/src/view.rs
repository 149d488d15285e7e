//! What one viewer may know: the table as he sees it, and what happens as he sees it happen.
//! Everything is an allow-list: what is not named here is not shown.

use alloc::{sync::Arc, vec::Vec};

use ruleset::{
    AbilityId, ActionId, AttrId, DefId, EventTypeId, KeywordId, NULL, PhaseId, Program, RuleId, Ruleset, StepId,
    ZoneId,
    program::{BuiltIn, Visibility},
    sort::Sort,
};

#[cfg(feature = "planted-leaks")]
use crate::leaks::{self, Leak};
use crate::{
    attribute,
    budget::Budget,
    derived::Derived,
    eval::Cx,
    handles::Handles,
    ids::{EntityId, EventNo, InputNo, PlayerId},
    matches::Match,
    memory::Memory,
    record::{Record, Sink},
    scratch::Machine,
    state::{AskKind, Frame, FrameKind, MatchState, NO_ZONE, Outcome, Stage, Status},
};

mod rows;
use rows::{abilities, is_same_set, keywords};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A player: public things and his own.
    Player(PlayerId),
    /// A spectator: public things only.
    Spectator,
    /// A judge: everything.
    Judge,
}

impl Viewer {
    fn is(self, player: PlayerId) -> bool {
        match self {
            Self::Player(own) => own == player,
            Self::Spectator => false,
            Self::Judge => true,
        }
    }

    /// Whether the viewer can see into a zone instance.
    pub fn sees_zone(self, program: &Program, zone: u16) -> bool {
        let Some((kind, seat)) = program.zone_of(zone).filter(|_| zone != NO_ZONE) else { return self == Self::Judge };
        match program.zone(kind).map(|it| it.visibility) {
            Some(Visibility::All) => true,
            Some(Visibility::Owner) => seat.is_some_and(|it| self.is(PlayerId(it))),
            Some(Visibility::None) | None => self == Self::Judge,
        }
    }

    /// Whether the viewer can see a card where it is now.
    pub fn sees_card(self, program: &Program, state: &MatchState, card: EntityId) -> bool {
        let Some(ent) = state.ent(card) else { return false };
        match ent.status {
            Status::Player => true,
            Status::Unborn => self == Self::Judge,
            Status::Card => {
                let shown = if let Self::Player(own) = self { ent.seen & own.bit() != 0 } else { false };
                shown || self.sees_zone(program, ent.zone)
            }
        }
    }
}

/// The attributes of a card or player as a viewer sees them.
pub type Values = Vec<(AttrId, FieldView)>;

/// A card a viewer can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardView {
    /// What the viewer calls it; a card that comes back from hiding gets another.
    pub handle: u32,
    pub def: DefId,
    pub owner: PlayerId,
    pub controller: PlayerId,
    /// Where it lies in its zone, from the bottom.
    pub place: u32,
    /// Effective values of its attributes.
    pub values: Values,
    /// Its keywords; none if they are those printed on it.
    pub keywords: Option<Vec<KeywordId>>,
    /// Its activated abilities; none if they are those printed on it.
    pub abilities: Option<Vec<AbilityId>>,
}

/// A zone as a viewer sees it: how many cards, and those he can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneView {
    pub zone: ZoneId,
    pub seat: Option<PlayerId>,
    pub count: u32,
    /// From the bottom.
    pub cards: Vec<CardView>,
}

/// A row of the stack as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemView {
    /// The number of the event that opened it.
    pub row: u32,
    pub is_reaction: bool,
    /// The rule that reacts, if the viewer may know it.
    pub rule: Option<RuleId>,
    /// The action that was taken.
    pub action: ActionId,
    /// What fills its slots, in their order.
    pub targets: Vec<Vec<FieldView>>,
    /// Whether what answers it before it happens was looked for.
    pub is_past_before: bool,
    pub event_type: EventTypeId,
    pub controller: PlayerId,
    pub source: Option<u32>,
}

/// An open question as a viewer sees it: that it is open, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitView {
    pub input: InputNo,
    pub kind: AskKind,
    pub players: Vec<PlayerId>,
    /// Whether the viewer himself is asked; only then may he see what can be answered.
    pub is_mine: bool,
}

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    pub phase: PhaseId,
    pub step: StepId,
    pub active: PlayerId,
    pub turn: u32,
    pub priority: Option<PlayerId>,
    pub players: Vec<Values>,
    pub zones: Vec<ZoneView>,
    pub stack: Vec<ItemView>,
    pub waits: Vec<WaitView>,
    pub outcome: Option<Outcome>,
}

/// A field of an event as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldView {
    /// Nothing.
    Nothing,
    /// Something the viewer may not know.
    Hidden,
    /// A card, by its handle.
    Card(u32),
    /// A player.
    Player(PlayerId),
    /// A number, name or truth value.
    Plain(i64),
    /// An event the viewer was told of, by its number.
    Event(u32),
    /// Several.
    List(Vec<FieldView>),
}

/// Something that happened, as a viewer sees it. Numbered for him alone, without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    pub seq: u32,
    pub kind: EventTypeId,
    /// The reaction whose row it opens or ends, if it is about one.
    pub reaction: Option<Reacting>,
    pub fields: Vec<FieldView>,
    /// Whether it only waits on the stack yet: it opens a row.
    pub is_pending: bool,
    /// The player whose command began a chain with it.
    pub by: Option<PlayerId>,
    /// The number of the event whose row it ends.
    pub ends: Option<u32>,
    /// The number of what led to it, if the viewer was told of that.
    pub caused_by: Option<u32>,
    /// The atomic group it belongs to, counted for the viewer from 1.
    pub group: Option<u32>,
}

/// A reaction on the stack as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reacting {
    /// None if the viewer may not know which it is.
    pub rule: Option<RuleId>,
    pub source: FieldView,
    pub controller: PlayerId,
}

/// Turns records into what one viewer may know.
#[derive(Clone, Debug)]
pub struct Projector {
    ruleset: Arc<Ruleset>,
    pub viewer: Viewer,
    handles: Handles,
    memory: Memory,
    /// Whether cards may have come into sight or gone out of it since that was last looked at.
    stirred: bool,
    seq: u32,
    /// What the item being resolved has made happen; told when it is done, since only then is clear who sees what.
    queue: Vec<Queued>,
    /// The numbers of events the viewer was told of while the stack is not empty, to name causes by.
    told: Vec<(EventNo, u32)>,
    /// The newest event without a row, and what caused it.
    at_once: (EventNo, EventNo),
    /// The atomic groups the viewer was told of, in order.
    groups: Vec<u32>,
    /// The cards that events of the chain came from, to name what prevented something that waited longer.
    sources: Vec<(EventNo, EntityId)>,
    /// The rows of the stack the viewer was told of, which have not ended.
    rows: Vec<OpenRow>,
    /// What the view being made may still cost.
    budget: Budget,
    pub events: Vec<EventView>,
    /// The numbers of events that say that something was taken back; who hosts the match tells them.
    pub undone: Vec<u32>,
}

/// A row of the stack a viewer was told of.
#[derive(Clone, Debug)]
struct OpenRow {
    event: EventNo,
    /// The number of the event that opened it.
    seq: u32,
    kind: EventTypeId,
    reaction: Option<Reacting>,
}

/// Where an event comes from.
struct Origin {
    event: EventNo,
    cause: EventNo,
    is_pending: bool,
    /// Whose action it is.
    by: Option<PlayerId>,
}

impl Origin {
    fn fact(event: EventNo, cause: EventNo) -> Self {
        Self { event, cause, is_pending: false, by: None }
    }
}

/// Something that happened, with the cards the viewer could see before it.
#[derive(Clone, Debug)]
struct Queued {
    event: EventNo,
    cause: EventNo,
    is_pending: bool,
    by: Option<PlayerId>,
    kind: EventTypeId,
    /// The engine's number of its group; 0 for none.
    group: u32,
    /// The card by which it was prevented, if that is what it tells.
    preventer: EntityId,
    args: Vec<i64>,
    known: Vec<EntityId>,
}

/// The field of `EventPrevented` that names a group, and the one that names what prevented.
const PREVENTED_GROUP: usize = 2;
const PREVENTED_BY: usize = 3;
/// The field of `EventPrevented` and `EventFailed` that says for whom; nobody means for everybody.
const PREVENTED_TARGET: usize = 4;
const FAILED_TARGET: usize = 3;

/// The outermost group that one is part of; 0 if it is none that stands or falls as one, as what state checks find.
fn atomic_group(state: &MatchState, group: u32) -> u32 {
    let row = |no: u32| state.groups.iter().find(|it| it.no == no);
    let mut at = row(group);
    while let Some(outer) = at.and_then(|it| row(it.parent)) {
        at = Some(outer);
    }
    at.filter(|it| it.required).map_or(0, |it| it.no)
}

impl Projector {
    /// A projector that has seen nothing yet.
    pub fn new(ruleset: &Arc<Ruleset>, viewer: Viewer) -> Self {
        Self {
            ruleset: ruleset.clone(),
            viewer,
            handles: Handles::default(),
            memory: Memory::default(),
            stirred: true,
            seq: 1,
            queue: Vec::new(),
            told: Vec::new(),
            at_once: (EventNo::NONE, EventNo::NONE),
            groups: Vec::new(),
            sources: Vec::new(),
            rows: Vec::new(),
            budget: Budget::default(),
            events: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The number of the event that opened the row of an event on the stack.
    pub fn row_of(&self, event: EventNo) -> Option<u32> {
        self.rows.iter().find(|it| it.event == event).map(|it| it.seq)
    }

    /// The event on the stack whose row was opened by an event of this number.
    pub fn event_of(&self, row: u32) -> Option<EventNo> {
        self.rows.iter().find(|it| it.seq == row).map(|it| it.event)
    }

    /// The card a viewer calls so.
    pub fn card(&self, handle: u32) -> Option<EntityId> {
        self.handles.card(handle)
    }

    /// What the viewer calls a card; none for one he cannot see.
    pub fn handle(&self, card: EntityId) -> Option<u32> {
        self.handles.get(card)
    }

    /// Every card the viewer has ever come to see, in order; again if it hid and came back.
    pub fn met(&self) -> &[EntityId] {
        self.handles.met()
    }

    /// Whether the viewer knows which card this is: he sees it, or he saw it go where it is.
    pub fn knows(&self, state: &MatchState, card: EntityId) -> bool {
        self.viewer.sees_card(self.ruleset.program(), state, card) || self.memory.knows(card)
    }

    /// The number of an event, if the viewer was told of it.
    fn number_of(&self, event: EventNo) -> Option<u32> {
        self.told.iter().rev().find(|it| event.is_some() && it.0 == event).map(|it| it.1)
    }

    fn say(&mut self, it: &Queued, fields: Vec<FieldView>) {
        let (seq, kind, is_pending) = (self.seq, it.kind, it.is_pending);
        let caused_by = self.number_of(it.event).or_else(|| self.number_of(it.cause));
        let group = self.group_number(it.group);
        let ends = self.end_row(it);
        let by = it.by.filter(|_| caused_by.is_none());
        self.events.push(EventView { seq, kind, reaction: None, fields, is_pending, by, ends, caused_by, group });
        if is_pending {
            self.rows.push(OpenRow { event: it.event, seq, kind, reaction: None });
        }
        self.told.push((it.event, seq));
        self.seq = self.seq.saturating_add(1);
    }

    /// What the viewer calls a group; the engine's own numbers count groups the viewer is not told of.
    fn group_number(&mut self, group: u32) -> Option<u32> {
        if group == 0 {
            return None;
        }
        let known = self.groups.iter().position(|it| *it == group);
        let at = known.unwrap_or_else(|| {
            self.groups.push(group);
            self.groups.len().saturating_sub(1)
        });
        u32::try_from(at).ok().map(|it| it.saturating_add(1))
    }

    /// The nearest event behind a cause that the viewer is told of.
    fn told_cause(&self, state: &MatchState, cause: EventNo) -> EventNo {
        let is_told = |it: EventNo| self.number_of(it).is_some() || self.queue.iter().any(|told| told.event == it);
        let behind = |it: EventNo| match self.at_once {
            (event, cause) if event == it && it.is_some() => Some(cause),
            _ => state.frame(it).map(|it| it.cause),
        };
        let mut at = cause;
        while !is_told(at)
            && let Some(cause) = behind(at)
        {
            at = cause;
        }
        at
    }

    /// Keeps something to be told, with what the viewer knows right now.
    fn enqueue(&mut self, state: &MatchState, from: Origin, kind: EventTypeId, args: &[i64]) {
        let cards = args.iter().map(|it| EntityId::from(*it));
        let program = self.ruleset.program();
        let known = cards.filter(|it| self.handles.get(*it).is_some() || self.viewer.sees_card(program, state, *it));
        let known = known.collect();
        let Origin { event, cause, is_pending, by } = from;
        let group = state.frame(cause).map_or(0, |it| atomic_group(state, it.group));
        let cause = self.told_cause(state, cause);
        let is_prevented = kind == BuiltIn::EventPrevented.id();
        let preventer = args.get(PREVENTED_BY).filter(|_| is_prevented).map(|it| EventNo::from(*it));
        let preventer = preventer.and_then(|it| self.sources.iter().rev().find(|known| known.0 == it));
        let preventer = preventer.map_or(EntityId::NONE, |it| it.1);
        self.queue.push(Queued { event, cause, is_pending, by, kind, group, preventer, args: args.to_vec(), known });
    }

    /// Tells what the item has made happen: a card is named if it was seen before or is seen after (ruling 76).
    /// Cards in sight get their names by it.
    pub fn settle(&mut self, state: &MatchState) {
        let queue = core::mem::take(&mut self.queue);
        for it in &queue {
            self.tell(state, it);
        }
        // A card that went into hiding is somebody else when it comes back (ruling 77).
        if core::mem::take(&mut self.stirred) {
            let visible = self.visible(state);
            let gone = self.handles.see(&visible);
            self.memory.lose(state, &gone);
        }
    }

    /// Where a chain begins and nothing else waits, nothing told before leads to anything more.
    fn forget_causes(&mut self, state: &MatchState, begun: &Frame) {
        let is_alone = state.stack.iter().all(|it| it.event == begun.event);
        if begun.cause.is_none() && is_alone {
            self.sources.clear();
            self.told.clear();
        }
    }

    /// All cards in sight, zone by zone from the bottom.
    fn visible(&self, state: &MatchState) -> Vec<EntityId> {
        let program = self.ruleset.program();
        let zones = (0..state.zones.len()).filter_map(|it| u16::try_from(it).ok());
        let cards = zones.flat_map(|it| state.cards_in(it));
        cards.filter(|it| self.viewer.sees_card(program, state, *it)).collect()
    }

    fn card_field(&mut self, state: &MatchState, card: EntityId, known: &[EntityId]) -> FieldView {
        if card.is_none() {
            return FieldView::Nothing;
        }
        if state.ent(card).is_some_and(|it| it.status == Status::Player) {
            return FieldView::Player(PlayerId::from(i64::from(card)));
        }
        let known = known.contains(&card)
            || self.handles.get(card).is_some()
            || self.viewer.sees_card(self.ruleset.program(), state, card);
        #[cfg(feature = "planted-leaks")]
        if !known && leaks::is(Leak::CardInEvent) {
            return FieldView::Plain(state.ent(card).map_or(NULL, |it| it.def.into()));
        }
        if known { FieldView::Card(self.handles.of(card)) } else { FieldView::Hidden }
    }

    fn field(&mut self, state: &MatchState, value: i64, sort: Sort, known: &[EntityId]) -> FieldView {
        if value == NULL {
            return FieldView::Nothing;
        }
        match sort {
            Sort::Card | Sort::Entity => self.card_field(state, EntityId::from(value), known),
            Sort::Player => FieldView::Player(PlayerId::from(value)),
            Sort::Int
            | Sort::Bool
            | Sort::Zone
            | Sort::Attribute
            | Sort::Resource
            | Sort::Keyword
            | Sort::CardType
            | Sort::EventType
            | Sort::Ability
            | Sort::Phase
            | Sort::Step => FieldView::Plain(value),
            Sort::Event if self.viewer != Viewer::Judge => {
                self.number_of(EventNo::from(value)).map_or(FieldView::Hidden, FieldView::Event)
            }
            // What a card is printed as tells which card it is; the engine's event numbers count what is hidden;
            // answers are their players'.
            Sort::Def | Sort::Event | Sort::Answers | Sort::Origin => {
                if self.viewer == Viewer::Judge {
                    FieldView::Plain(value)
                } else {
                    FieldView::Hidden
                }
            }
        }
    }

    fn tell(&mut self, state: &MatchState, it: &Queued) {
        if self.ruleset.program().event(it.kind).is_none() {
            return;
        }
        let mut fields = self.fields(state, it.kind, &it.args, &it.known);
        if it.kind == BuiltIn::EventPrevented.id() {
            let group = self.group_number(it.group).map_or(FieldView::Nothing, |it| FieldView::Plain(it.into()));
            fields.get_mut(PREVENTED_GROUP).into_iter().for_each(|it| *it = group.clone());
            let by = self.card_field(state, it.preventer, &it.known);
            let is_known = matches!(by, FieldView::Card(_) | FieldView::Player(_));
            fields.get_mut(PREVENTED_BY).filter(|_| is_known).into_iter().for_each(|it| *it = by.clone());
        }
        self.say(it, fields);
    }

    /// The fields of an event as the viewer sees them.
    fn fields(&mut self, state: &MatchState, kind: EventTypeId, args: &[i64], known: &[EntityId]) -> Vec<FieldView> {
        let ruleset = self.ruleset.clone();
        let Some(event) = ruleset.program().event(kind) else { return Vec::new() };
        let mut fields = Vec::new();
        for (i, ty) in event.fields.iter().enumerate() {
            let value = args.get(i).copied().unwrap_or(NULL);
            let is_subject = event.subject.is_some_and(|at| usize::from(at) == i);
            if ty.many && !is_subject {
                let (start, len) = crate::cells::span_of(value);
                let items = args.get(start..start.saturating_add(len)).unwrap_or_default();
                fields
                    .push(FieldView::List(items.iter().map(|item| self.field(state, *item, ty.sort, known)).collect()));
            } else {
                fields.push(self.field(state, value, ty.sort, known));
            }
        }
        fields
    }

    /// The table as the viewer sees it now. Where the budget of the match is spent by it, numbers are missing.
    pub fn view(&mut self, live: &Match) -> PlayerView {
        self.budget = live.budget().clone();
        let (state, derived) = (live.state(), live.derived());
        self.sync_rows(state);
        let head = &state.head;
        let ruleset = self.ruleset.clone();
        let cx = Cx::bare(ruleset.program(), state, derived);
        let view = PlayerView {
            phase: ruleset.program().step(head.step).map_or(PhaseId::NONE, |it| it.phase),
            step: head.step,
            active: head.active,
            turn: head.turn,
            priority: head.window.map(|it| it.holder),
            players: state.players().map(|it| self.values(&cx, it.into(), Status::Player)).collect(),
            zones: self.zones(state, derived),
            stack: self.stack(state),
            waits: self.waits(state),
            outcome: head.outcome,
        };
        live.budget().go_on(&self.budget);
        #[cfg(feature = "planted-leaks")]
        let view = self.tell_secrets(live, view);
        view
    }

    fn zones(&mut self, state: &MatchState, derived: &Derived) -> Vec<ZoneView> {
        let ruleset = self.ruleset.clone();
        let program = ruleset.program();
        let cx = Cx::bare(program, state, derived);
        let mut zones = Vec::new();
        for (i, row) in state.zones.iter().enumerate() {
            let instance = u16::try_from(i).unwrap_or(NO_ZONE);
            let Some((zone, seat)) = program.zone_of(instance) else { continue };
            if seat.is_some_and(|it| it >= state.head.n_players) {
                continue;
            }
            let cards = (0..).zip(state.cards_in(instance));
            let visible: Vec<(u32, EntityId)> =
                cards.filter(|it| self.viewer.sees_card(program, state, it.1)).collect();
            let cards = visible.into_iter().map(|(place, it)| self.card_view(&cx, place, it)).collect();
            zones.push(ZoneView { zone, seat: seat.map(PlayerId), count: row.len, cards });
        }
        zones
    }

    fn card_view(&mut self, cx: &Cx<'_>, place: u32, card: EntityId) -> CardView {
        let ent = cx.state.ent(card);
        let def = ent.and_then(|it| cx.program.def(it.def));
        CardView {
            place,
            keywords: keywords(cx, card).filter(|it| def.is_none_or(|def| !is_same_set(it, &def.keywords))),
            abilities: abilities(cx, card, def),
            handle: self.handles.of(card),
            def: ent.map_or(DefId::NONE, |it| it.def),
            owner: ent.map_or(PlayerId::NONE, |it| it.owner),
            controller: ent.map_or(PlayerId::NONE, |it| it.controller),
            values: self.values(cx, card, Status::Card),
        }
    }

    fn values(&mut self, cx: &Cx<'_>, entity: EntityId, status: Status) -> Values {
        let mut machine = Machine::with_fuel(cx.program.limits.instructions_per_step_max);
        self.budget.limit(&mut machine);
        let has = |it: &ruleset::program::AttrRule| if status == Status::Player { it.on_players } else { it.on_cards };
        let mut values = Vec::new();
        for (i, rule) in cx.program.attrs.iter().enumerate().filter(|it| has(it.1)) {
            let value = attribute::value(cx, &mut machine, entity, AttrId::at(i));
            values.push((AttrId::at(i), self.field(cx.state, value, rule.holds, &[])));
        }
        self.budget.settle(&machine);
        self.budget.charge(u64::try_from(values.len()).unwrap_or(u64::MAX));
        values
    }

    fn stack(&mut self, state: &MatchState) -> Vec<ItemView> {
        let mut items = Vec::new();
        for frame in &state.stack {
            let Some(row) = self.row_of(frame.event) else { continue };
            let reaction = (frame.kind == FrameKind::Trigger).then(|| self.reacting(state, frame));
            let source = match self.card_field(state, frame.source, &[]) {
                FieldView::Card(handle) => Some(handle),
                FieldView::Nothing
                | FieldView::Hidden
                | FieldView::Player(_)
                | FieldView::Plain(_)
                | FieldView::Event(_)
                | FieldView::List(_) => None,
            };
            items.push(ItemView {
                row,
                is_reaction: reaction.is_some(),
                rule: reaction.and_then(|it| it.rule),
                action: frame.action,
                targets: self.targets(state, frame),
                is_past_before: !matches!(frame.stage, Stage::Fresh | Stage::Announced),
                event_type: frame.etype,
                controller: frame.controller,
                source,
            });
        }
        items
    }

    fn waits(&self, state: &MatchState) -> Vec<WaitView> {
        let wait = |ask: &crate::state::Ask| WaitView {
            input: ask.no,
            kind: ask.kind,
            players: state.players().filter(|it| ask.seats & !ask.closed & it.bit() != 0).collect(),
            is_mine: state.players().any(|it| self.viewer.is(it) && ask.seats & it.bit() != 0),
        };
        state.asks.iter().map(wait).collect()
    }
}

impl Projector {
    /// A card moved, perhaps from one place the viewer cannot look into to another.
    fn moved(&mut self, state: &MatchState, origin: Origin, card: EntityId, from: u16, to: u16) {
        let ruleset = self.ruleset.clone();
        let program = ruleset.program();
        let place = |zone: u16| program.zone_of(zone).filter(|_| zone != NO_ZONE);
        let kind = |zone: u16| place(zone).map_or(NULL, |it| it.0.into());
        let seat = place(to).and_then(|it| it.1).map_or(NULL, i64::from);
        self.enqueue(state, origin, BuiltIn::CardMoved.id(), &[card.into(), kind(from), kind(to), seat]);
        if self.handles.get(card).is_none() && !self.viewer.sees_card(program, state, card) {
            self.memory.moved(program, state, card, from);
        }
        self.memory.note(state);
    }

    /// A card was shown to somebody.
    fn revealed(&mut self, state: &MatchState, card: EntityId) {
        if !self.viewer.sees_card(self.ruleset.program(), state, card) {
            self.memory.look(state.ent(card).map_or(NO_ZONE, |it| it.zone));
        }
    }

    /// A zone got another order: what goes into hiding by that is told first.
    fn mixed(&mut self, state: &MatchState, zone: u16) {
        self.settle(state);
        if !self.viewer.sees_zone(self.ruleset.program(), zone) {
            self.memory.mix(state, zone);
        }
        self.memory.note(state);
    }
}

#[cfg(feature = "planted-leaks")]
impl Projector {
    /// The view with a secret in it, if one is planted.
    fn tell_secrets(&self, live: &Match, mut view: PlayerView) -> PlayerView {
        let state = live.state();
        if leaks::is(Leak::Seed) {
            view.turn = view.turn.wrapping_add(u32::from(state.head.key.first().copied().unwrap_or(0)));
        }
        if leaks::is(Leak::OthersChoices) {
            let others = state.players().filter(|it| !self.viewer.is(*it));
            let n: usize = others.map(|it| live.legal(it, 64).len()).sum();
            view.turn = view.turn.wrapping_add(u32::try_from(n).unwrap_or(0));
        }
        if leaks::is(Leak::TopOfPile) {
            for (zone, row) in view.zones.iter_mut().zip(&state.zones) {
                let def = state.ent(row.top).map_or(0, |it| u32::from(it.def.0));
                zone.count = zone.count.wrapping_add(def);
            }
        }
        view
    }
}

/// An allow-list without a default: a new record must be placed here before it can reach anybody.
impl Sink for Projector {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        match *record {
            Record::Happened { event, kind, cause, args, .. } => {
                self.enqueue(state, Origin::fact(event, cause), kind, args);
            }
            Record::Moved { event, cause, card, from, to, .. } => {
                self.stirred = true;
                self.moved(state, Origin::fact(event, cause), card, from, to);
            }
            Record::Created { event, cause, card, to, owner, .. } => {
                self.stirred = true;
                // Cards of a deck were not made during the game: nobody is told.
                if event.is_some() {
                    let kind = self.ruleset.program().zone_of(to).filter(|_| to != NO_ZONE);
                    let kind = kind.map_or(NULL, |it| it.0.into());
                    let args = [card.into(), kind, owner.into()];
                    self.enqueue(state, Origin::fact(event, cause), BuiltIn::CardCreated.id(), &args);
                }
            }
            Record::Revealed { card, .. } => {
                self.stirred = true;
                self.revealed(state, card);
            }
            Record::Shuffled(zone, _) => {
                self.stirred = true;
                self.mixed(state, zone);
                self.memory.shuffled(state, zone);
            }
            Record::Ordered(zone, _) => self.mixed(state, zone),
            Record::Undone { .. } => {
                self.stirred = true;
                self.settle(state);
                self.memory.clear();
                self.rows.clear();
                self.sources.clear();
                self.told.clear();
                self.undone.push(self.seq);
                self.seq = self.seq.saturating_add(1);
            }
            // An item is done, or somebody must decide: what happened is told.
            Record::Pushed(frame, args) => {
                self.settle(state);
                self.forget_causes(state, &frame);
                self.sources.push((frame.event, frame.source));
                // Actions, and what the turn does that waits: what leads to more is told before what it leads to.
                let begins = frame.cause.is_none() && frame.etype.index() < BuiltIn::ALL.len();
                if frame.kind == FrameKind::Intent && (frame.action.is_some() || begins) {
                    let by = frame.action.is_some().then_some(frame.controller);
                    let from = Origin { event: frame.event, cause: frame.cause, is_pending: true, by };
                    self.enqueue(state, from, frame.etype, args);
                }
            }
            Record::AtOnce(frame, _) => {
                self.settle(state);
                self.forget_causes(state, &frame);
                self.sources.push((frame.event, frame.source));
                self.at_once = (frame.event, frame.cause);
            }
            Record::Popped
            | Record::At(_)
            | Record::Began(_)
            | Record::Asked(_)
            | Record::WindowSet(_)
            | Record::Ended(_) => self.settle(state),
            // How the machine works is nobody's business; what it does to the table is seen in the view.
            Record::Staged(_)
            | Record::Set(..)
            | Record::Stored(..)
            | Record::Amended(..)
            | Record::Noted(_)
            | Record::Prevented { .. }
            | Record::GroupOpened(_)
            | Record::MemberNext(_)
            | Record::Responded
            | Record::Deferring(_)
            | Record::SourceMoved(_)
            | Record::Paid(_)
            | Record::Answered { .. }
            | Record::Closed(_)
            | Record::Ending(_)
            | Record::Rolled(_)
            | Record::Counted(..)
            | Record::Held { .. }
            | Record::Released(_)
            | Record::Delayed(..)
            | Record::DelayUsed(_)
            | Record::DelayDropped(_)
            | Record::TimerSet(_)
            | Record::Paused(_)
            | Record::FlowSet(_)
            | Record::Suspended(_)
            | Record::Remembered(..)
            | Record::Flowed { .. }
            | Record::Checked
            | Record::Settled
            | Record::Connected(..)
            | Record::Accepted { .. }
            | Record::AttrSet { .. }
            | Record::Reserved(_)
            | Record::ModAdded(_)
            | Record::ModDropped(_)
            | Record::ControlSet { .. }
            | Record::Eliminated(_)
            | Record::TurnGiven(_)
            | Record::TurnTaken
            | Record::SkipAdded(..)
            | Record::SkipUsed(..) => {}
        }
    }
}
