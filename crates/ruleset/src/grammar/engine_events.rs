//! What the engine's own event types mean, for the reference; which fields they have is declared in `lower`.

use crate::program::BuiltIn;

/// An event type every game has.
#[derive(Debug)]
pub struct EngineEvent {
    pub kind: BuiltIn,
    pub doc: &'static str,
    /// Every field with what it says.
    pub fields: &'static [(&'static str, &'static str)],
    /// A `when` that answers it.
    pub example: &'static str,
}

const fn event(
    kind: BuiltIn,
    doc: &'static str,
    fields: &'static [(&'static str, &'static str)],
    example: &'static str,
) -> EngineEvent {
    EngineEvent { kind, doc, fields, example }
}

const TURN_OF: (&str, &str) = ("player", "The player whose turn it is.");
const TURN: &[(&str, &str)] = &[TURN_OF, ("turn", "The number of the turn.")];
const STEP: &[(&str, &str)] = &[("phase", "The phase."), ("step", "The step."), TURN_OF];

/// Every event type of the engine, in the order of their numbers.
#[rustfmt::skip]
pub static ENGINE_EVENTS: &[EngineEvent] = &[
    event(BuiltIn::GameStart, "The match begins; the `setup` list is carried out.", &[], r#"{"eventType":"GameStart"}"#),
    event(BuiltIn::TurnStart, "A turn begins.", TURN, r#"{"eventType":"TurnStart","filters":{"player":"you"}}"#),
    event(BuiltIn::TurnEnd, "A turn ends.", TURN, r#"{"eventType":"TurnEnd","filters":{"player":"you"}}"#),
    event(BuiltIn::PhaseChanged, "Another phase begins.", &[("from", "The phase that ended."), ("to", "The phase that begins."), TURN_OF], r#"{"eventType":"PhaseChanged","filters":{"to":"main"}}"#),
    event(BuiltIn::StepStart, "A step begins; its `onStart` list is carried out.", STEP, r#"{"eventType":"StepStart","filters":{"step":"main1"}}"#),
    event(BuiltIn::StepEnd, "A step ends; its `onEnd` list is carried out.", STEP, r#"{"eventType":"StepEnd","filters":{"step":"main1"}}"#),
    event(BuiltIn::EventPrevented, "An event was prevented, for everybody it concerns or for one of them.", &[("event", "The event that did not happen."), ("eventType", "Its type."), ("group", "The number of the atomic group it was lost with."), ("by", "The event that prevented it."), ("target", "Whom it would have concerned."), ("reason", "The number of the reason."), ("source", "The card the event came from.")], r#"{"eventType":"EventPrevented","filters":{"eventType":"MoveCard"}}"#),
    event(BuiltIn::EventFailed, "An event could not be carried out.", &[("event", "The event that failed."), ("eventType", "Its type."), ("reason", "The number of the reason."), ("target", "Whom it would have concerned."), ("source", "The card the event came from.")], r#"{"eventType":"EventFailed","filters":{"eventType":"MoveCard"}}"#),
    event(BuiltIn::NoLegalChoice, "A question had no legal answer, and was not asked.", &[("player", "The player who would have been asked.")], r#"{"eventType":"NoLegalChoice","filters":{"player":"you"}}"#),
    event(BuiltIn::CardMoved, "A card changed zones; `ZoneMoved` is another name for it.", &[("card", "The card."), ("from", "The zone it left."), ("to", "The zone it came to."), ("player", "The player whose zone it came to.")], r#"{"eventType":"CardMoved","filters":{"to":"battlefield"}}"#),
    event(BuiltIn::CardCreated, "A card came into being.", &[("card", "The card."), ("to", "The zone it came to."), ("player", "The player whose zone that is.")], r#"{"eventType":"CardCreated","filters":{"to":"battlefield"}}"#),
    event(BuiltIn::PlayerEliminated, "A player left the game.", &[("player", "The player.")], r#"{"eventType":"PlayerEliminated"}"#),
    event(BuiltIn::CostRefunded, "What was paid for a prevented action came back.", &[("event", "The action that was prevented."), ("player", "The player who had paid.")], r#"{"eventType":"CostRefunded","filters":{"player":"you"}}"#),
    event(BuiltIn::ControlUsed, "The host or a moderator stepped in, or a player gave up.", &[("verb", "The number of the verb: 0 concede, 1 timeout, 2 timer, 3 disconnect, 4 reconnect, 5 pause, 6 resume, 7 drop_item, 8 void, 9 kick, 10 set_result."), ("player", "The player it is about.")], r#"{"eventType":"ControlUsed","filters":{"verb":3}}"#),
    event(BuiltIn::AbilityTriggered, "A reaction of a card is carried out; told only where a rule answers it.", &[("source", "The card."), ("ability", "The ability.")], r#"{"eventType":"AbilityTriggered","filters":{"ability":"Strike"}}"#),
    event(BuiltIn::GameEnded, "The match is over.", &[("winners", "The players who won; empty if nobody did."), ("reason", "The number of the reason.")], r#"{"eventType":"GameEnded"}"#),
];
