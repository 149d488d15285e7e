//! The state of a match: flat rows of plain numbers that clone fast. Only `fold` writes them.

use alloc::vec::Vec;

use parity_scale_codec::{Decode, Encode};
use ruleset::{
    AbilityId, AskId, DefId, Program, RuleId, StepId, TimerId, ZoneId,
    program::{AttrRule, InputKind, PLAYERS_MAX, Rule},
    sort::Sort,
};

pub use crate::frame::{Frame, FrameKind, Stage};
use crate::ids::{EntityId, EventNo, InputNo, PlayerId};

/// The streams of random numbers: one for each seat and one for all.
pub const STREAMS: usize = PLAYERS_MAX + 1;

/// The whole state of a match.
#[derive(Debug, PartialEq, Eq, Encode, Decode)]
pub struct MatchState {
    pub head: Head,
    pub ents: Vec<Entity>,
    /// Values by entity and column, without modifiers.
    pub attrs: Vec<i32>,
    /// Effective values when an entity last left an active zone.
    pub last: Vec<i32>,
    pub zones: Vec<ZoneRow>,
    pub mods: Vec<Modifier>,
    pub counts: Vec<(LimitKey, u16)>,
    pub stack: Vec<Frame>,
    /// Variables of the rows on the stack.
    pub cells: Vec<i64>,
    pub groups: Vec<GroupRow>,
    pub notes: Vec<Note>,
    pub paid: Vec<Paid>,
    pub asks: Vec<Ask>,
    pub answers: Vec<Answer>,
    pub held: Vec<Held>,
    /// Rules that wait for an event to come.
    pub delays: Vec<Delay>,
    /// What gave or took abilities of cards that became what is printed on them, until the stack is empty: what a
    /// card does when it leaves is decided by what it was.
    pub parted: Vec<Modifier>,
    /// Turns that were given and are still to be taken, the first first.
    pub extra_turns: Vec<PlayerId>,
    pub skips: Vec<(PlayerId, StepId)>,
}

/// Names every field once, so that a copy can be made anew or written over an old one.
macro_rules! clone_fields {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),* }
            }

            fn clone_from(&mut self, from: &Self) {
                $(self.$field.clone_from(&from.$field);)*
            }
        }
    };
}
pub(crate) use clone_fields;

clone_fields!(MatchState {
    head,
    ents,
    attrs,
    last,
    zones,
    mods,
    counts,
    stack,
    cells,
    groups,
    notes,
    paid,
    asks,
    answers,
    held,
    delays,
    parted,
    extra_turns,
    skips,
});

/// What there is one of.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Head {
    /// The secret all random numbers come from.
    pub key: [u8; 32],
    /// Grows when a takeback passes a random number, so that it does not come again.
    pub epoch: u32,
    pub rng: [u32; STREAMS],
    pub n_players: u8,
    pub alive: u16,
    pub connected: u16,
    pub turn: u32,
    pub active: PlayerId,
    /// Who had the last turn that was no extra turn: play goes on after them.
    pub regular: PlayerId,
    /// Whether the next turn is an extra one.
    pub extra_next: bool,
    pub step: StepId,
    pub flow: Flow,
    /// Whether the active player wants no more optional windows in this turn.
    pub ending: bool,
    pub window: Option<Window>,
    pub timer: Option<Timer>,
    pub paused: Option<Pause>,
    pub outcome: Option<Outcome>,
    pub next_event: u32,
    pub next_input: u32,
    pub next_mod: u32,
    pub next_group: u32,
    /// Grows with every accepted command.
    pub version: u32,
    pub root: EventNo,
    pub facts_in_root: u32,
    /// The last thing that happened: what state checks find is caused by it.
    pub last_fact: EventNo,
    pub idle_steps: u32,
    pub check_rounds: u32,
    /// How many random numbers were taken, and how often something hidden was shown.
    pub rolls: u32,
    pub reveals: u32,
    /// Whether the world changed since state checks last found nothing.
    pub dirty: bool,
}

/// What the turn does next when nothing is on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Flow {
    /// Run the set-up.
    Setup,
    /// Begin a turn.
    TurnStart,
    /// Announce another phase.
    PhaseChange,
    /// Begin a step.
    StepStart,
    /// Let players act.
    Window,
    /// End the step.
    StepEnd,
    /// Go to the next step, or to the end of the turn.
    NextStep,
    /// End the turn.
    TurnEnd,
    /// Go to the next player.
    NextTurn,
}

/// A card or player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Entity {
    pub def: DefId,
    /// The zone instance it is in.
    pub zone: u16,
    pub below: EntityId,
    pub above: EntityId,
    pub owner: PlayerId,
    pub controller: PlayerId,
    /// The turn it came to where it is.
    pub since: u32,
    /// How often it changed zones.
    pub moves: u16,
    /// How often it had when it last left an active zone.
    pub left: u16,
    /// The players who have been shown it where it is now.
    pub seen: u16,
    pub status: Status,
    pub created: bool,
}

impl Entity {
    /// Whether it left play since it had moved so often: what is known of it then is what it was when it left.
    pub fn has_left_since(&self, moves: u16) -> bool {
        self.moves.wrapping_sub(self.left) < self.moves.wrapping_sub(moves)
    }
}

/// Whether an entity is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Status {
    /// A player.
    Player,
    /// A card in a zone.
    Card,
    /// A number kept for a card that may come.
    Unborn,
}

/// The number of no zone instance.
pub const NO_ZONE: u16 = u16::MAX;

/// One instance of a zone: a list of cards linked through their rows, the bottom first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ZoneRow {
    pub bottom: EntityId,
    pub top: EntityId,
    pub len: u32,
}

impl ZoneRow {
    /// How many cards are in it.
    #[inline]
    pub fn size(&self) -> usize {
        usize::try_from(self.len).unwrap_or(0)
    }
}

/// Something that changes an attribute or keyword of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Modifier {
    pub no: u32,
    pub target: EntityId,
    pub source: EntityId,
    pub what: ModKind,
    /// The attribute or keyword.
    pub of: u16,
    pub value: i32,
    pub lasts: Lasts,
}

/// What a modifier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ModKind {
    /// Adds to an attribute.
    Add,
    /// Sets an attribute.
    Set,
    /// Gives a keyword.
    Grant,
    /// Takes a keyword.
    Lose,
    /// Takes an ability, or all that is printed.
    Mute,
}

/// How long a modifier lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Lasts {
    /// Until the card is reset.
    Permanent,
    /// Until the end of the turn.
    Turn,
    /// Until the next turn of a player.
    TurnOf(PlayerId),
    /// While its source is in an active zone.
    Source,
}

/// What is counted for a limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub struct LimitKey {
    pub rule: RuleId,
    pub holder: EntityId,
    pub scope: LimitScope,
}

/// Within what it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum LimitScope {
    /// A turn.
    Turn(u32),
    /// What one event on the stack led to.
    Event(EventNo),
    /// What one entity caused in one chain.
    Source(EntityId, EventNo),
}

/// Why something did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Reason {
    /// It was not prevented.
    None,
    /// A rule prevented it.
    Prevented,
    /// All it aimed at was gone.
    Fizzled,
    /// What it requires did not hold.
    Impossible,
    /// Its group was prevented.
    Group,
    /// A moderator dropped it.
    Dropped,
    /// Something else took its place.
    Replaced,
}

impl Reason {
    /// How events name it. Rules and clients compare these numbers: they stay as they are.
    pub fn number(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Prevented => 1,
            Self::Fizzled => 2,
            Self::Impossible => 3,
            Self::Group => 4,
            Self::Dropped => 5,
            Self::Replaced => 6,
        }
    }
}

/// A group that is being resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GroupRow {
    pub no: u32,
    pub parent: u32,
    pub required: bool,
}

/// What a before-reaction changed for one subject of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Note {
    pub event: EventNo,
    pub entity: EntityId,
    /// The field, or [`Note::SKIP`].
    pub field: u8,
    pub value: i64,
}

impl Note {
    /// The event passes this subject by.
    pub const SKIP: u8 = u8::MAX;
    /// The same, since something else takes its place.
    pub const REPLACED: u8 = u8::MAX - 1;
    /// How often the subject had moved when rules came before the event, to know whether it is still there.
    pub const PLACE: u8 = u8::MAX - 2;

    /// Whether the event passes its subject by.
    pub fn skips(&self) -> bool {
        matches!(self.field, Self::SKIP | Self::REPLACED)
    }

    /// Whether it gives a field of the event another value.
    pub fn amends(&self) -> bool {
        self.field < Self::PLACE
    }
}

/// What was paid for an action that gives it back when it is prevented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Paid {
    pub event: EventNo,
    pub entity: EntityId,
    pub what: Payment,
}

impl Paid {
    /// Whether a card or player paid this by a value of its own.
    pub fn is_value_of(&self, entity: EntityId) -> bool {
        self.entity == entity && matches!(self.what, Payment::Value { .. })
    }
}

/// What was paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Payment {
    /// A value went down by an amount.
    Value { column: u16, amount: i32 },
    /// A card went from one zone instance to another.
    Card { from: u16, to: u16 },
    /// The same for the card an action is about, which waits there.
    Waits { from: u16, to: u16 },
}

/// An open question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Ask {
    pub no: InputNo,
    pub ask: AskId,
    pub kind: AskKind,
    /// Those who are asked.
    pub seats: u16,
    /// Those whose answer is final.
    pub closed: u16,
    pub min: u16,
    pub max: u16,
    pub deadline_ms: u32,
}

/// How a question is shown; mirrors the kinds of the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum AskKind {
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

impl From<InputKind> for AskKind {
    fn from(kind: InputKind) -> Self {
        match kind {
            InputKind::TargetSelect => Self::TargetSelect,
            InputKind::OrderSelect => Self::OrderSelect,
            InputKind::ModePick => Self::ModePick,
            InputKind::PayCost => Self::PayCost,
            InputKind::Confirm => Self::Confirm,
        }
    }
}

impl AskKind {
    /// The kind's name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TargetSelect => "target_select",
            Self::OrderSelect => "order_select",
            Self::ModePick => "mode_pick",
            Self::PayCost => "pay_cost",
            Self::Confirm => "confirm",
        }
    }
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Origin {
    /// The player gave it for good.
    Confirmed,
    /// The player gave it and could still have changed it.
    Draft,
    /// Time ran out.
    Default,
    /// There was only one.
    Automatic,
}

/// One player's answer to an open question.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Answer {
    pub input: InputNo,
    pub player: PlayerId,
    pub origin: Origin,
    pub values: Vec<i64>,
}

/// A trigger that waits until a list is done, or until its player ordered it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Held {
    /// The row that holds it back.
    pub holder: EventNo,
    pub frame: Frame,
    pub cells: Vec<i64>,
}

/// A rule that was made during the game and waits for its event.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Delay {
    pub what: DelayHead,
    /// The values its variables keep.
    pub kept: Vec<i64>,
}

/// What a waiting rule is, besides the values it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DelayHead {
    /// Numbered together with modifiers.
    pub no: u32,
    pub rule: RuleId,
    pub controller: PlayerId,
    pub source: EntityId,
    pub source_moves: u16,
    /// How often it will act; 0 for every time.
    pub left: u16,
}

/// A chance for players to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Window {
    /// What is responded to; none in an idle window.
    pub responds_to: EventNo,
    pub holder: PlayerId,
    pub passed: u16,
    /// Whether the one who acted is asked too.
    pub with_actor: bool,
}

impl Window {
    /// A window in which a player may act first while nothing is on the stack.
    pub fn idle(holder: PlayerId) -> Self {
        Self { responds_to: EventNo::NONE, holder, passed: 0, with_actor: true }
    }
}

/// A pause the host ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Timer {
    pub timer: TimerId,
    pub ms: u32,
}

/// Why a match stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Pause {
    /// A moderator paused it.
    Moderator,
    /// A limit was hit.
    Limit(crate::fault::Limit),
    /// The engine found its own state broken.
    Invariant,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Outcome {
    /// The winners, a bit each; nobody in a tie.
    pub winners: u16,
    pub why: Why,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Why {
    /// A reason of the ruleset, by its number.
    Rules(u16),
    /// All others are out.
    LastStanding,
    /// A limit was hit, and the ruleset wants no pause.
    Limit,
    /// A moderator decided.
    Moderator,
    /// A moderator declared it void.
    Void,
    /// All others are out, and the last of them because his connection was gone.
    Disconnected,
}

impl MatchState {
    /// Whether the match waits for somebody, or is over.
    pub fn is_stopped(&self) -> bool {
        let head = &self.head;
        head.window.is_some()
            || head.outcome.is_some()
            || head.paused.is_some()
            || head.timer.is_some()
            || !self.asks.is_empty()
    }

    /// An entity's row.
    #[inline]
    pub fn ent(&self, id: EntityId) -> Option<&Entity> {
        self.ents.get(id.index())
    }

    /// Whether a modifier keeps a rule of a card from working.
    pub fn is_muted(&self, card: EntityId, rule: &Rule) -> bool {
        is_muted_by(&self.mods, card, rule)
    }

    /// The same for a card as it was before it became what is printed on it.
    pub fn was_muted(&self, card: EntityId, rule: &Rule) -> bool {
        is_muted_by(&self.parted, card, rule)
    }

    /// The row on top of the stack.
    #[inline]
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The row of an event that is still on the stack.
    pub fn frame(&self, event: EventNo) -> Option<&Frame> {
        self.stack.iter().rev().find(|it| it.event == event)
    }

    /// The variables of a row.
    #[inline]
    pub fn cells_of(&self, frame: &Frame) -> &[i64] {
        let start = usize::try_from(frame.cells_at).unwrap_or(usize::MAX);
        let len = usize::try_from(frame.cells_len).unwrap_or(0);
        self.cells.get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// An open question.
    pub fn ask(&self, no: InputNo) -> Option<&Ask> {
        self.asks.iter().find(|it| it.no == no)
    }

    /// Whether a player is still in the game.
    pub fn is_alive(&self, player: PlayerId) -> bool {
        self.head.alive & player.bit() != 0
    }

    /// All players, in seat order.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.head.n_players).map(PlayerId)
    }

    /// The players still in the game, beginning with one and going round.
    #[inline]
    pub fn players_from(&self, first: PlayerId) -> impl Iterator<Item = PlayerId> + use<> {
        self.round_of(self.head.alive, first)
    }

    /// Some players, a bit each, beginning with one and going round.
    #[inline]
    fn round_of(&self, some: u16, first: PlayerId) -> impl Iterator<Item = PlayerId> + use<> {
        let n = self.head.n_players.max(1);
        let start = if first.0 < n { first.0 } else { first.0.checked_rem(n).unwrap_or(0) };
        // Those before him come last.
        let (some, before) = (u32::from(some), 1_u32.wrapping_shl(start.into()).wrapping_sub(1));
        let mut rest = u64::from(some & !before) | (u64::from(some & before) << u32::BITS);
        core::iter::from_fn(move || {
            let at = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (at < u64::BITS).then_some(PlayerId(u8::try_from(at & (u32::BITS - 1)).unwrap_or(0)))
        })
    }

    /// The player whose turn comes after another's.
    pub fn next_player(&self, after: PlayerId) -> PlayerId {
        let next = PlayerId(after.0.saturating_add(1));
        self.players_from(next).next().unwrap_or(after)
    }

    /// The cards of a zone instance, from the bottom.
    pub fn cards_in(&self, zone: u16) -> CardsUp<'_> {
        let bottom = self.zones.get(usize::from(zone)).map_or(EntityId::NONE, |it| it.bottom);
        CardsUp { state: self, next: bottom }
    }

    /// The cards of a zone instance, from the top.
    pub fn cards_down(&self, zone: u16) -> CardsDown<'_> {
        let top = self.zones.get(usize::from(zone)).map_or(EntityId::NONE, |it| it.top);
        CardsDown { state: self, next: top }
    }

    /// The kind of zone an entity is in.
    pub fn zone_kind(&self, program: &Program, id: EntityId) -> ZoneId {
        let zone = self.ent(id).map_or(NO_ZONE, |it| it.zone);
        if zone == NO_ZONE { ZoneId::NONE } else { program.zone_of(zone).map_or(ZoneId::NONE, |it| it.0) }
    }

    /// The value of a column without modifiers.
    #[inline]
    pub fn base(&self, program: &Program, id: EntityId, column: u16) -> i32 {
        let at = id.index().wrapping_mul(usize::from(program.stride)).wrapping_add(usize::from(column));
        self.attrs.get(at).copied().unwrap_or(0)
    }

    /// How a value is stored in an attribute; a link to somebody it cannot hold stays empty.
    pub fn stored(&self, rule: &AttrRule, value: i64) -> i32 {
        let stored = rule.stored(value);
        if rule.is_link() && !self.can_link(rule, stored) { AttrRule::EMPTY } else { stored }
    }

    /// Whether a stored link is empty or leads to somebody it can hold.
    pub fn can_link(&self, rule: &AttrRule, stored: i32) -> bool {
        let to = usize::try_from(stored).ok().and_then(|it| self.ents.get(it));
        let fits =
            |it: &Entity| rule.holds == Sort::Entity || (rule.holds == Sort::Player) == (it.status == Status::Player);
        stored == AttrRule::EMPTY || to.is_some_and(fits)
    }

    /// The number of a zone instance.
    #[inline]
    pub fn instance(program: &Program, zone: ZoneId, player: PlayerId) -> u16 {
        match program.zone(zone) {
            Some(rule) if rule.per_player => rule.first.saturating_add(u16::from(player.0)),
            Some(rule) => rule.first,
            None => NO_ZONE,
        }
    }
}

fn is_muted_by(mods: &[Modifier], card: EntityId, rule: &Rule) -> bool {
    mods.iter().any(|it| {
        let names = it.of == rule.ability.0 || (it.of == AbilityId::NONE.0 && rule.keyword.is_none());
        it.target == card && it.what == ModKind::Mute && names
    })
}

/// Walks the cards of a zone from the bottom.
pub struct CardsUp<'a> {
    state: &'a MatchState,
    next: EntityId,
}

impl Iterator for CardsUp<'_> {
    type Item = EntityId;

    #[inline]
    fn next(&mut self) -> Option<EntityId> {
        let id = self.next;
        self.next = self.state.ent(id)?.above;
        Some(id)
    }
}

/// Walks the cards of a zone from the top.
pub struct CardsDown<'a> {
    state: &'a MatchState,
    next: EntityId,
}

impl Iterator for CardsDown<'_> {
    type Item = EntityId;

    #[inline]
    fn next(&mut self) -> Option<EntityId> {
        let id = self.next;
        self.next = self.state.ent(id)?.below;
        Some(id)
    }
}
