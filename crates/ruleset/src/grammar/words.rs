//! The words a `ref` can begin with, and the properties that can stand behind a dot.
//! Lowering and the reference pages read the same tables.

use crate::{
    instr::{Instr, Prop},
    sort::{Sort, Type},
};

/// A word that means something without being declared.
#[derive(Debug)]
pub struct RefWord {
    pub name: &'static str,
    /// Where it is known.
    pub known: Known,
    pub ty: Type,
    pub(crate) code: &'static [Instr],
    pub doc: &'static str,
    /// An effect that uses it.
    pub example: &'static str,
}

/// Where a word is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Everywhere.
    Everywhere,
    /// Where a card acts: in its abilities, and in actions with a card as principal.
    WithCard,
    /// In reactions and delayed rules, which answer an event.
    WithEvent,
    /// Everywhere but in what the game itself does: set-up, steps, state checks, end conditions.
    WithCause,
}

impl Known {
    /// The sentence the reference says it with.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::WithCard => "in abilities of cards, and in actions with a principal",
            Self::WithEvent => "in reactions and delayed rules",
            Self::WithCause => "everywhere but in set-up, steps, state checks and end conditions",
        }
    }
}

/// A property of a card, player or event.
#[derive(Debug)]
pub struct Property {
    pub name: &'static str,
    /// What has it.
    pub of: &'static [Sort],
    pub ty: Type,
    pub(crate) prop: Prop,
    pub doc: &'static str,
    /// An effect that uses it.
    pub example: &'static str,
}

const fn word(
    name: &'static str,
    known: Known,
    code: &'static [Instr],
    ty: Type,
    doc: &'static str,
    example: &'static str,
) -> RefWord {
    RefWord { name, known, ty, code, doc, example }
}

const fn property(
    name: &'static str,
    of: &'static [Sort],
    prop: Prop,
    ty: Type,
    doc: &'static str,
    example: &'static str,
) -> Property {
    Property { name, of, ty, prop, doc, example }
}

const PLAYERS: Type = Type::list(Sort::Player);
const EVENT: Type = Type::one(Sort::Event);
/// What is a card for certain, or may be one.
const CARDS: &[Sort] = &[Sort::Card, Sort::Entity];

/// Every word; of two with one name the first that is known counts.
#[rustfmt::skip]
pub static REF_WORDS: &[RefWord] = &[
    word("self", Known::WithCard, &[Instr::This], Type::CARD, "The card that acts: the one that has the ability, or the principal of the action. Where a player is wanted, it is the player who acts.", r#"{"op":"move_card","card":"self","to":"hand"}"#),
    word("self", Known::Everywhere, &[Instr::You], Type::PLAYER, "The player who acts, where no card does.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"self"}}"#),
    word("you", Known::Everywhere, &[Instr::You], Type::PLAYER, "The player who acts; in set-up, steps and reactions of the game, the active player.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"you"}}"#),
    word("controller", Known::Everywhere, &[Instr::You], Type::PLAYER, "The same player as `you`: the controller of the ability.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"controller"}}"#),
    word("actor", Known::Everywhere, &[Instr::You], Type::PLAYER, "The same player as `you`: the one who takes the action.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"actor"}}"#),
    word("opponent", Known::Everywhere, &[Instr::You, Instr::Others], PLAYERS, "The other player, in a game for two. Where more can play it is only taken in place of a list, and means all others.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"opponent"}}"#),
    word("opponents", Known::Everywhere, &[Instr::You, Instr::Others], PLAYERS, "All other players who are still in the game, in turn order.", r#"{"op":"for_each","in":{"ref":"opponents"},"do":[{"op":"let","name":"cards","value":{"zone":"hand","owner":"it"}}]}"#),
    word("active_player", Known::Everywhere, &[Instr::Active], Type::PLAYER, "The player whose turn it is.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":"active_player"}}"#),
    word("turn", Known::Everywhere, &[Instr::Turn], Type::INT, "The number of the turn, counted over all players from 1.", r#"{"op":"repeat","times":{"op":"min","of":[{"ref":"turn"},3]},"do":[]}"#),
    word("current_phase", Known::Everywhere, &[Instr::PhaseNow], Type::one(Sort::Phase), "The phase of the turn.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"current_phase"},"b":"main"},"then":[]}"#),
    word("current_step", Known::Everywhere, &[Instr::StepNow], Type::one(Sort::Step), "The step of the turn.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"current_step"},"b":"main1"},"then":[]}"#),
    word("this_event", Known::Everywhere, &[Instr::OwnEvent], EVENT, "The event that is being carried out.", r#"{"op":"if","when":{"op":"exists","of":{"ref":"this_event.source"}},"then":[]}"#),
    word("cause", Known::WithCause, &[Instr::Cause], EVENT, "The event that led to this: what a reaction answers, what an ability or action responds to.", r#"{"op":"if","when":{"op":"event_is","event":{"ref":"cause"},"type":"MoveCard"},"then":[]}"#),
    word("event", Known::WithEvent, &[Instr::Cause], EVENT, "The event that is answered; `event.card` is one of its fields, if it has one of this name.", r#"{"op":"let","name":"moved","value":{"ref":"event.card"}}"#),
];

/// Every property. Attributes stand behind a dot, too, and come first where both have a name.
#[rustfmt::skip]
pub static PROPERTIES: &[Property] = &[
    property("owner", CARDS, Prop::Owner, Type::PLAYER, "The player a card belongs to.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":{"ref":"self.owner"}}}"#),
    property("controller", &[Sort::Card, Sort::Entity, Sort::Event], Prop::Controller, Type::PLAYER, "The player who controls a card, or made an event.", r#"{"op":"let","name":"cards","value":{"zone":"hand","owner":{"ref":"self.controller"}}}"#),
    property("zone", CARDS, Prop::Zone, Type::one(Sort::Zone), "The kind of zone a card is in.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"self.zone"},"b":"hand"},"then":[]}"#),
    property("definition", CARDS, Prop::Def, Type::one(Sort::Def), "What a card is printed as.", r#"{"op":"create_card","of":{"ref":"self.definition"},"to":"hand"}"#),
    property("type", CARDS, Prop::Type, Type::one(Sort::CardType), "The type of a card.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"self.type"},"b":"unit"},"then":[]}"#),
    property("since", CARDS, Prop::Since, Type::INT, "The turn in which a card came to its zone, or to the player who controls it.", r#"{"op":"if","when":{"op":"lt","a":{"ref":"self.since"},"b":{"ref":"turn"}},"then":[]}"#),
    property("created", CARDS, Prop::Created, Type::BOOL, "Whether a card was made during the game.", r#"{"op":"if","when":{"ref":"self.created"},"then":[]}"#),
    property("index", CARDS, Prop::Index, Type::INT, "The place of a card in its zone, counted from the bottom.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"self.index"},"b":0},"then":[]}"#),
    property("alive", &[Sort::Player], Prop::Alive, Type::BOOL, "Whether a player is still in the game.", r#"{"op":"if","when":{"ref":"active_player.alive"},"then":[]}"#),
    property("connected", &[Sort::Player], Prop::Connected, Type::BOOL, "Whether a player is connected.", r#"{"op":"if","when":{"ref":"active_player.connected"},"then":[]}"#),
    property("type", &[Sort::Event], Prop::EventType, Type::one(Sort::EventType), "The type of an event.", r#"{"op":"if","when":{"op":"eq","a":{"ref":"cause.type"},"b":"MoveCard"},"then":[]}"#),
    property("preventable", &[Sort::Event], Prop::Preventable, Type::BOOL, "Whether an event on the stack can be prevented.", r#"{"op":"if","when":{"ref":"cause.preventable"},"then":[]}"#),
    property("source", &[Sort::Event], Prop::Source, Type::CARD, "The card an event comes from.", r#"{"op":"if","when":{"op":"exists","of":{"ref":"cause.source"}},"then":[]}"#),
];
