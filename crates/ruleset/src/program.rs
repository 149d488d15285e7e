//! What a checked ruleset is lowered to: tables of small numbers and one arena of code.
//! Never stored and never hashed; the engine reads it, `lower` writes it.

use alloc::{string::String, vec::Vec};

use crate::{
    NULL,
    clause::Clauses,
    ids::{
        AbilityId, ActionId, AskId, AttrId, CodePtr, DefId, EventTypeId, KeywordId, PhaseId, RuleId, SelectId, StepId,
        TypeId, ZoneId,
    },
    instr::{Instr, ModifyWhat},
    limits::Limits,
    op::Ops,
    place::Place,
    reads::Reads,
    sort::{Sort, Type},
    stakes::Stakes,
    text::Text,
};

pub use crate::select::{Rank, SeatIs, SeatRule, Select, SelectOrder, Source};

/// The most players a match can have.
pub const PLAYERS_MAX: usize = 16;

/// Everything the engine needs to play a ruleset.
#[derive(Clone, Debug)]
pub struct Program {
    pub code: Vec<Instr>,
    pub longs: Vec<i64>,
    /// What the pure code was lowered from.
    pub clauses: Clauses,
    /// The code as it is run.
    pub ops: Ops,
    pub events: Vec<EventType>,
    pub rules: Vec<Rule>,
    pub before: Vec<RuleIndex>,
    pub after: Vec<RuleIndex>,
    /// Continuous effects, in order.
    pub auras: Vec<RuleId>,
    /// The same for each attribute, and for each keyword, that some of them change.
    pub(crate) attr_auras: Vec<Vec<RuleId>>,
    pub(crate) keyword_auras: Vec<Vec<RuleId>>,
    pub actions: Vec<ActionRule>,
    pub zones: Vec<ZoneRule>,
    pub attrs: Vec<AttrRule>,
    pub defs: Vec<CardDef>,
    pub keywords: Vec<KeywordRule>,
    pub phases: Vec<PhaseRule>,
    pub steps: Vec<StepRule>,
    pub asks: Vec<AskRule>,
    pub timers: Vec<TimerRule>,
    pub selects: Vec<Select>,
    pub checks: Vec<StateCheck>,
    pub ends: Vec<EndRule>,
    pub setup: CodePtr,
    pub setup_cells: u16,
    pub players: PlayersRule,
    pub policy: Policy,
    /// What players play for.
    pub stakes: Option<Stakes>,
    pub limits: Limits,
    pub decks: Vec<Deck>,
    /// How many attributes an entity has room for.
    pub stride: u16,
    /// Whether there is an action that can be taken in answer to something, or in another's turn.
    pub has_responses: bool,
    /// How many zone instances a match has.
    pub n_zones: u16,
    /// The kind of each zone instance, and whose it is.
    pub instances: Vec<(ZoneId, Option<u8>)>,
    /// What being in each zone instance means.
    pub places: Vec<Place>,
    /// Whether some card can have a rule that listens.
    pub has_listeners: bool,
    /// Whether some attribute links cards or players.
    pub has_links: bool,
    pub text: Text,
}

/// The event types every match has, whatever its ruleset declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BuiltIn {
    /// The match begins; runs the set-up list.
    GameStart,
    /// A turn begins.
    TurnStart,
    /// A turn ends.
    TurnEnd,
    /// Another phase begins.
    PhaseChanged,
    /// A step begins; runs its `onStart` list.
    StepStart,
    /// A step ends; runs its `onEnd` list.
    StepEnd,
    /// An event did not happen.
    EventPrevented,
    /// An event could not be carried out.
    EventFailed,
    /// A question had no legal answer.
    NoLegalChoice,
    /// A card changed zones.
    CardMoved,
    /// A card came into being.
    CardCreated,
    /// A player left the game.
    PlayerEliminated,
    /// What was paid for a prevented action came back.
    CostRefunded,
    /// The host or a moderator stepped in.
    ControlUsed,
    /// A reaction of a card is carried out; recorded only where a rule answers it.
    AbilityTriggered,
    /// The match is over.
    GameEnded,
}

impl BuiltIn {
    /// All of them, in the order of their numbers.
    pub const ALL: [BuiltIn; 16] = [
        Self::GameStart,
        Self::TurnStart,
        Self::TurnEnd,
        Self::PhaseChanged,
        Self::StepStart,
        Self::StepEnd,
        Self::EventPrevented,
        Self::EventFailed,
        Self::NoLegalChoice,
        Self::CardMoved,
        Self::CardCreated,
        Self::PlayerEliminated,
        Self::CostRefunded,
        Self::ControlUsed,
        Self::AbilityTriggered,
        Self::GameEnded,
    ];

    /// Its number among the event types.
    pub fn id(self) -> EventTypeId {
        EventTypeId(self as u16)
    }
}

/// A declared event type.
#[derive(Clone, Debug)]
pub struct EventType {
    pub fields: Vec<Type>,
    /// The field that holds whom it concerns, one or many.
    pub subject: Option<u8>,
    /// The selector that fills an empty subject.
    pub fan_out: SelectId,
    pub preventable: bool,
    /// Whether applying it records a fact of this type by itself.
    pub has_fact: bool,
    /// True for a subject on which it has no effect.
    pub skip_when: CodePtr,
    /// False when it cannot be carried out, for costs above all.
    pub requires: CodePtr,
    pub apply: CodePtr,
    pub effects: CodePtr,
    /// Variables of its frame, fields included.
    pub cells: u16,
    /// Whether something looks for it on the stack while it happens.
    pub needs_row: bool,
    /// Whether it may write an attribute to somebody who cannot have it.
    pub may_miss: bool,
    /// Whether applying it may turn out to be impossible although what it requires holds.
    pub may_fail: bool,
}

impl EventType {
    /// Whether it changes nothing itself, concerns nobody and requires nothing.
    pub fn is_bare(&self) -> bool {
        self.apply.is_none() && self.subject.is_none() && self.requires.is_none()
    }
}

/// When a rule acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timing {
    /// Above an event that is about to happen.
    Before,
    /// After something happened.
    After,
    /// When its controller activates it.
    Activated,
    /// As long as its source is there.
    Continuous,
}

/// A reaction, an activated ability or a continuous effect.
#[derive(Clone, Debug)]
pub struct Rule {
    pub timing: Timing,
    pub ability: AbilityId,
    pub event: EventTypeId,
    /// Whether it belongs to the ruleset and not to a card.
    pub global: bool,
    /// Whether it only concerns events whose subject is its own card.
    pub by_subject: bool,
    /// Whether it answers each subject of an event on its own.
    pub per_subject: bool,
    /// Bit per kind of zone in which a card's rule works.
    pub active_in: u64,
    /// What the event must be like; tested when it is found.
    pub filter: CodePtr,
    /// What must hold; tested when it is found and again when it resolves.
    pub conditions: CodePtr,
    /// What must hold for its `prevent` to work.
    pub prevention: CodePtr,
    pub effects: CodePtr,
    /// Where its effects go on once its targets are known.
    pub body: CodePtr,
    /// What is paid when it resolves, or when it is activated.
    pub costs: CodePtr,
    /// Whether its controller may decline.
    pub optional: bool,
    pub slots: Vec<Slot>,
    pub cells: u16,
    /// Where its own slots begin among the variables.
    pub slots_at: u16,
    pub priority: i16,
    pub limiter: Limiter,
    pub aura: Option<Aura>,
    /// The keyword it comes with.
    pub keyword: KeywordId,
    /// Whether a continuous effect can hand it out, so that its holders are looked for each time.
    pub scan: bool,
    /// For a rule that is made during the game and waits.
    pub delay: Option<DelayRule>,
}

impl Rule {
    /// Whether the cards that have it are kept in a list, as it is not found from an event's own subject.
    pub fn listens(&self) -> bool {
        match self.timing {
            Timing::Before | Timing::After => !self.by_subject && !self.scan,
            Timing::Continuous => true,
            Timing::Activated => false,
        }
    }
}

/// What a rule that is made during the game keeps until its event comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayRule {
    /// The first of its variables that keep a value, and how many do.
    pub kept_at: u16,
    pub n_kept: u16,
    /// How often it acts; 0 for every time.
    pub times: u16,
    /// Whether it waits until the end of the turn only.
    pub this_turn: bool,
}

/// How often a rule may act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limiter {
    pub per_turn: Option<u16>,
    pub per_event: Option<u16>,
    pub per_source: Option<u16>,
}

/// What a continuous effect changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aura {
    pub what: ModifyWhat,
    /// The attribute or keyword.
    pub of: u16,
    /// Whether it concerns the candidate in register 0.
    pub affects: CodePtr,
    pub value: CodePtr,
    /// Whether it is the same from all cards of one player, unless one looks at itself.
    pub is_alike: bool,
}

/// The rules that listen to one event type, by how they are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleIndex {
    /// Found from the event's own subject.
    pub subject: Vec<RuleId>,
    /// Found from the cards that have them.
    pub listeners: Vec<RuleId>,
    /// Always found.
    pub global: Vec<RuleId>,
}

impl RuleIndex {
    /// Whether nothing listens.
    pub fn is_empty(&self) -> bool {
        self.subject.is_empty() && self.listeners.is_empty() && self.global.is_empty()
    }
}

/// How an action gets onto the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTiming {
    /// Others may respond.
    Stack,
    /// Resolves at once.
    AtOnce,
    /// As `Stack`, but only for the active player with nothing on the stack.
    Sorcery,
}

/// An action players can take.
#[derive(Clone, Debug)]
pub struct ActionRule {
    pub timing: ActionTiming,
    pub event: EventTypeId,
    pub slots: Vec<Slot>,
    /// Whether one of them takes a list.
    pub takes_many: bool,
    /// How many variables it has, slots included.
    pub cells: u16,
    /// The slot whose card is "self" in this action.
    pub principal: Option<u8>,
    pub preconditions: Vec<Precondition>,
    pub costs: CodePtr,
    /// The slots the costs look at, a bit each.
    pub cost_slots: u32,
    pub refund: bool,
    /// The slot whose cards wait while others respond; none if it takes no cards.
    pub waiting: Option<u8>,
    /// Where they wait; none if they stay where they are.
    pub waits_in: ZoneId,
    /// The kinds of zone from which they go there, a bit each.
    pub waits_from: u64,
    /// Where they go if the action is prevented; none for back to where they were.
    pub prevented_to: ZoneId,
    /// The slot that holds an ability's name, whose own slots follow the declared ones.
    pub ability: Option<u8>,
    /// Kinds of hidden zone the cards it is about can come from, for windows that must not tell what is in them.
    pub hidden_zones: u64,
    /// Where its effects move the principal, for drag and drop.
    pub moves_to: ZoneId,
}

/// One thing that must hold to take an action.
#[derive(Clone, Copy, Debug)]
pub struct Precondition {
    pub code: CodePtr,
    /// The slots it looks at, a bit each; it says nothing before they are filled.
    pub slots: u32,
}

/// What a slot takes.
#[derive(Clone, Debug)]
pub struct Slot {
    pub ty: Type,
    pub domain: Domain,
    pub min: u16,
    pub max: u16,
    /// The slots its candidates depend on, a bit each.
    pub depends: u32,
    /// Whether what can fill it, and what is decided by that, looks at no other slot; for a slot of an action.
    pub is_alone: bool,
}

impl ActionRule {
    /// Notes how many variables it has, and which of its slots are filled whatever fills the others.
    fn find_slots(&mut self, own_cells: u16) {
        self.cells = own_cells.max(u16::try_from(self.slots.len()).unwrap_or(u16::MAX));
        for at in 0..self.slots.len() {
            let looks_at = self.preconditions.iter().map(|it| it.slots).chain([self.cost_slots]);
            let decides_alone = looks_at.filter(|it| decides(*it, at)).all(|it| it.count_ones() == 1);
            if let Some(slot) = self.slots.get_mut(at) {
                let is_fixed = !matches!(slot.domain, Domain::AbilitiesOf(_));
                slot.is_alone = slot.is_one() && !slot.ty.many && slot.depends == 0 && is_fixed && decides_alone;
            }
        }
    }
}

impl Slot {
    /// Whether it takes exactly one, as most do.
    #[inline]
    pub fn is_one(&self) -> bool {
        (self.min, self.max) == (1, 1)
    }
}

/// Whether something that looks at some slots, a bit each, can be asked once a slot is filled, and not before.
pub fn decides(slots: u32, at: usize) -> bool {
    let bit = u32::try_from(at).ok().and_then(|it| 1_u32.checked_shl(it)).unwrap_or(0);
    let known = bit.wrapping_mul(2).wrapping_sub(1);
    slots & bit != 0 && slots & !known == 0
}

/// Where the candidates of a slot come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A selector.
    Select(SelectId),
    /// The activated abilities of the card in another slot.
    AbilitiesOf(u8),
    /// The numbers from one to another.
    Range(i32, i32),
}

/// Who can see into a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    All,
    /// The player it belongs to.
    Owner,
    /// Nobody.
    None,
}

/// What happens to a card for which a zone has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// It stays where it is.
    Reject,
    /// It goes to another zone instead.
    Divert(ZoneId),
}

/// A kind of zone.
#[derive(Clone, Debug)]
pub struct ZoneRule {
    /// The number of its first instance; per-player zones have one for each seat.
    pub first: u16,
    pub per_player: bool,
    pub visibility: Visibility,
    pub capacity: u32,
    pub overflow: Overflow,
    /// Whether abilities work here unless they say otherwise.
    pub active: bool,
    /// Whether cards that come here become what is printed on them.
    pub resets: bool,
}

/// An attribute of cards, players or both.
#[derive(Clone, Debug)]
pub struct AttrRule {
    /// Its column in an entity's row.
    pub column: u16,
    pub min: i32,
    pub max: i32,
    /// What a player starts with.
    pub start: i32,
    pub on_cards: bool,
    pub on_players: bool,
    /// Whether some continuous effect changes it.
    pub has_auras: bool,
    /// A number, or the card or player it links to.
    pub holds: Sort,
}

impl AttrRule {
    /// How an empty link is stored.
    pub const EMPTY: i32 = -1;

    /// Whether it holds a card or player instead of a number.
    pub fn is_link(&self) -> bool {
        self.holds != Sort::Int
    }

    /// What code sees of a stored value.
    #[inline]
    pub fn shown(&self, stored: i32) -> i64 {
        if self.is_link() && stored < 0 { NULL } else { i64::from(stored) }
    }

    /// How a value is stored, within its bounds.
    pub fn stored(&self, value: i64) -> i32 {
        let number = match value {
            NULL if self.is_link() => Self::EMPTY,
            NULL => 0,
            _ => i32::try_from(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX))).unwrap_or(0),
        };
        self.bounded(number)
    }

    /// A number within its bounds.
    #[inline]
    pub fn bounded(&self, number: i32) -> i32 {
        number.max(self.min).min(self.max)
    }
}

/// A card definition.
#[derive(Clone, Debug)]
pub struct CardDef {
    pub card_type: TypeId,
    /// Attribute values by column.
    pub printed: Vec<i32>,
    pub keywords: Vec<KeywordId>,
    /// The rules of the card, its type and its own keywords, in order of declaration.
    pub rules: Vec<RuleId>,
    pub is_token: bool,
}

/// A keyword and what it brings with it.
#[derive(Clone, Debug)]
pub struct KeywordRule {
    pub rules: Vec<RuleId>,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct PhaseRule {
    pub first: StepId,
}

/// A step.
#[derive(Clone, Debug)]
pub struct StepRule {
    pub phase: PhaseId,
    pub mandatory: bool,
    /// Whether players may act in it.
    pub window: bool,
    pub on_start: CodePtr,
    pub on_start_cells: u16,
    pub on_end: CodePtr,
    pub on_end_cells: u16,
}

/// How a client shows a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Choose cards, players or events.
    TargetSelect,
    /// Put things in order.
    OrderSelect,
    /// Choose what to do.
    ModePick,
    /// Choose how to pay.
    PayCost,
    /// Yes or no.
    Confirm,
}

/// Who answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskMode {
    /// One player.
    One,
    /// All of several, hidden from each other until complete.
    Many,
    /// Whoever of several is first.
    Any,
}

/// What happens when time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutPolicy {
    /// Nothing is chosen, if that is legal; else the first legal answer.
    Decline,
    /// The default answer of the question.
    Default,
    /// The first legal answer.
    First,
    /// A random legal answer.
    Random,
    /// The player loses.
    Concede,
}

/// A question an effect list can ask.
#[derive(Clone, Debug)]
pub struct AskRule {
    pub kind: InputKind,
    pub mode: AskMode,
    pub players: CodePtr,
    pub choices: CodePtr,
    pub choice_type: Type,
    pub min: CodePtr,
    pub max: CodePtr,
    pub optional: bool,
    pub revisable: bool,
    pub lenient: bool,
    pub no_auto: bool,
    /// Where the answer goes.
    pub cell: u16,
    /// The register that holds the player who answers.
    pub asked: u8,
    /// Milliseconds to answer, 0 for no limit.
    pub deadline_ms: CodePtr,
    /// Whether the time runs out even if all have answered.
    pub until_deadline: CodePtr,
    pub on_timeout: TimeoutPolicy,
    pub default: CodePtr,
    /// What takes the place of what is left out of a draft.
    pub fill: CodePtr,
}

/// A pause an effect list can make.
#[derive(Clone, Copy, Debug)]
pub struct TimerRule {
    pub ms: CodePtr,
}

/// Something that must be put right before anybody acts.
#[derive(Clone, Copy, Debug)]
pub struct StateCheck {
    /// Finds what it concerns; none means it concerns the game as a whole.
    pub each: SelectId,
    pub when: CodePtr,
    /// Emits one event; variable 0 is what was found.
    pub emit: CodePtr,
    pub cells: u16,
    /// What it looks at.
    pub reads: Reads,
    /// Whether it looks at nothing but what is each one's own, so that only who changed can be found anew.
    pub is_own: bool,
}

/// A condition under which the game is over.
#[derive(Clone, Copy, Debug)]
pub struct EndRule {
    pub when: CodePtr,
    /// The winners; an empty list means nobody won.
    pub winners: CodePtr,
    /// An index into the reasons of the text table.
    pub reason: u16,
    /// What it looks at.
    pub reads: Reads,
    /// The selector, if the condition is that it finds somebody, and it looks at nothing but what is each one's own.
    pub finds_own: SelectId,
}

/// How many can play, and where their decks go.
#[derive(Clone, Copy, Debug)]
pub struct PlayersRule {
    pub min: u8,
    pub max: u8,
    pub deck_zone: ZoneId,
}

/// A ready-made deck.
#[derive(Clone, Debug)]
pub struct Deck {
    pub id: String,
    pub cards: Vec<(DefId, u16)>,
}

/// In which order triggers of one set resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionOrder {
    /// The sorted list is the order of resolution.
    Resolve,
    /// The sorted list is the order of being put on the stack, so the last resolves first.
    ApnapStack,
}

/// What a limit does to a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLimit {
    /// It waits for a moderator.
    Pause,
    /// It ends without a winner.
    Tie,
}

/// Choices a ruleset makes about how it is played.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub reaction_order: ReactionOrder,
    /// Whether players order their own simultaneous triggers.
    pub player_orders_triggers: bool,
    /// Whether a window opens again after each resolution.
    pub reopen_windows: bool,
    /// Whether windows stop only for players who really can act.
    pub stop_when_legal: bool,
    pub on_limit: OnLimit,
    pub undo: bool,
    /// Milliseconds a player may be gone before he loses; none for ever.
    pub disconnect_grace_ms: Option<u32>,
    /// Zones whose own cards a player may put in another order, a bit each.
    pub reorder_zones: u64,
}

impl Program {
    /// Works out what is the same for all slots of actions.
    pub(crate) fn find_slots(&mut self) {
        self.has_responses = self.actions.iter().any(|it| it.timing != ActionTiming::Sorcery);
        for action in &mut self.actions {
            let own = self.events.get(action.event.index()).map_or(0, |it| it.cells);
            action.find_slots(own);
        }
    }

    /// The instruction at a place; code that runs off the end just ends.
    #[inline]
    pub fn instr(&self, at: CodePtr) -> Instr {
        self.code.get(at.index()).copied().unwrap_or(Instr::End)
    }

    /// The declaration of an event type.
    #[inline]
    pub fn event(&self, id: EventTypeId) -> Option<&EventType> {
        self.events.get(id.index())
    }

    /// A rule.
    #[inline]
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.index())
    }

    /// An action.
    #[inline]
    pub fn action(&self, id: ActionId) -> Option<&ActionRule> {
        self.actions.get(id.index())
    }

    /// A card definition.
    #[inline]
    pub fn def(&self, id: DefId) -> Option<&CardDef> {
        self.defs.get(id.index())
    }

    /// A kind of zone.
    #[inline]
    pub fn zone(&self, id: ZoneId) -> Option<&ZoneRule> {
        self.zones.get(id.index())
    }

    /// A step.
    #[inline]
    pub fn step(&self, id: StepId) -> Option<&StepRule> {
        self.steps.get(id.index())
    }

    /// A question.
    pub fn ask(&self, id: AskId) -> Option<&AskRule> {
        self.asks.get(id.index())
    }

    /// A selector.
    #[inline]
    pub fn select(&self, id: SelectId) -> Option<&Select> {
        self.selects.get(id.index())
    }

    /// An attribute.
    #[inline]
    pub fn attr(&self, id: AttrId) -> Option<&AttrRule> {
        self.attrs.get(id.index())
    }

    /// The attribute that a card or player has in a column.
    pub fn attr_in(&self, column: u16, is_player: bool) -> Option<AttrId> {
        let has = |it: &AttrRule| it.column == column && if is_player { it.on_players } else { it.on_cards };
        self.attrs.iter().position(has).map(AttrId::at)
    }

    /// The columns in which cards, or players, have links.
    pub fn links(&self, of_players: bool) -> impl Iterator<Item = u16> + '_ {
        let has = move |it: &&AttrRule| it.is_link() && if of_players { it.on_players } else { it.on_cards };
        self.attrs.iter().filter(has).map(|it| it.column)
    }

    /// The kind of zone an instance belongs to, and whose it is.
    #[inline]
    pub fn zone_of(&self, instance: u16) -> Option<(ZoneId, Option<u8>)> {
        self.instances.get(usize::from(instance)).copied()
    }

    /// The activated ability of a name that a definition has.
    pub fn ability_of(&self, def: DefId, ability: AbilityId) -> Option<RuleId> {
        let named =
            |id: &&RuleId| self.rule(**id).is_some_and(|it| it.timing == Timing::Activated && it.ability == ability);
        self.def(def)?.rules.iter().find(named).copied()
    }
}
