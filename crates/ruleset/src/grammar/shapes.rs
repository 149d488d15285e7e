//! What each object of a document may hold.

use super::{
    Kind::{
        self, Any, Body, Bool, Condition, Conditions, Effects, Id, Int, List, Map, Name, Object, OneOrMany, Selector,
        Text, Type, Value, Word, Writes,
    },
    Shape, opt, req,
};

const NAMES: Kind = OneOrMany(&Name);

/// A ruleset document.
pub static RULESET: Shape = Shape {
    name: "ruleset",
    doc: "One document of a ruleset; documents are linked by `include`, later ones override earlier ones by name.",
    fields: &[
        opt("$schema", Text, "The JSON Schema, for completion in an editor."),
        opt("id", Text, "The ruleset's name for machines."),
        opt("name", Text, "The ruleset's name for people."),
        opt("version", Text, "The ruleset's version."),
        opt("description", Text, "What kind of game it is."),
        opt("include", List(&Text), "Documents this one builds on."),
        opt("players", Object(&PLAYERS), "How many can play."),
        opt("zones", List(&Object(&ZONE)), "Where cards can be."),
        opt("attributes", List(&Object(&ATTRIBUTE)), "Numbers that cards and players have."),
        opt("resources", List(&Object(&RESOURCE)), "Numbers that players have and pay with."),
        opt("cardTypes", List(&Object(&CARD_TYPE)), "Kinds of cards."),
        opt("keywords", List(&Object(&KEYWORD)), "Words that bring abilities with them."),
        opt("cards", List(&Object(&CARD)), "The cards."),
        opt("events", List(&Object(&EVENT)), "What can happen."),
        opt("define", List(&Object(&DEFINE)), "Named conditions, expressions and effect lists."),
        opt("reactions", List(&Object(&REACTION)), "Rules of the game itself that answer events."),
        opt("turnStructure", Object(&TURN_STRUCTURE), "Phases, steps and where players may act."),
        opt("actions", List(&Object(&ACTION)), "What players can do."),
        opt("stateChecks", List(&Object(&STATE_CHECK)), "What is put right before anybody acts."),
        opt("setup", Effects, "What happens before the first turn."),
        opt("endConditions", List(&Object(&END_CONDITION)), "When the game is over."),
        opt("decks", List(&Object(&DECK)), "Ready-made decks."),
        opt("directMoves", List(&Object(&DIRECT_MOVE)), "Moves by hand that need no action."),
        opt("policy", Object(&POLICY), "How the game is played."),
        opt("limits", Map(&Int), "Limits, by name: those of the reference, under `Limits`."),
        opt("ui", Any, "For clients."),
    ],
};

static PLAYERS: Shape = Shape {
    name: "players",
    doc: "How many can play.",
    fields: &[
        opt("min", Int, "The fewest players (2)."),
        opt("max", Int, "The most players (2)."),
        opt("deckZone", Name, "The zone a player's deck is put into (`deck`)."),
    ],
};

static ZONE: Shape = Shape {
    name: "zone",
    doc: "A kind of zone.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("owner", Word(&["player", "shared"]), "Whether every player has one (`player`)."),
        opt("visibility", Word(&["all", "owner", "none"]), "Who can see into it (`all`)."),
        opt("capacity", Int, "How many cards it holds."),
        opt(
            "overflow",
            Text,
            "Where a card goes that does not fit: a zone, or `reject` (the default). Zones may send on in a circle: a card that finds all of them full does not move.",
        ),
        opt("active", Bool, "Whether abilities work here unless they say otherwise."),
        opt("resets", Bool, "Whether cards that come here become what is printed on them."),
        opt(
            "layout",
            Word(&["fan", "row", "grid", "slots", "pile", "list", "none"]),
            "How clients lay out its cards; without it zones of one player fan, hidden ones pile, others are a row.",
        ),
        opt("area", Word(&["near", "centre", "side"]), "Where clients show it (`near`; what all share, `centre`)."),
        opt("ui", Any, "For clients."),
    ],
};

static ATTRIBUTE: Shape = Shape {
    name: "attribute",
    doc: "A number that cards or players have, or a link to another card or player.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt(
            "holds",
            Word(&["int", "card", "player", "entity"]),
            "What it holds (`int`); a link is empty at first, and is cut when its card comes to a zone that resets.",
        ),
        opt("on", OneOrMany(&Word(&["card", "player"])), "Who has it (`card`)."),
        opt("min", Int, "It never goes below."),
        opt("max", Int, "It never goes above."),
        opt("start", Int, "What players start with (0)."),
        opt(
            "show",
            Word(&["always", "nonzero", "never"]),
            "When clients show it (cards: `nonzero`, players: `always`).",
        ),
        opt("labels", Map(&Text), "What its values are called, by the value: suits, colours."),
        opt("ui", Any, "For clients."),
    ],
};

static RESOURCE: Shape = Shape {
    name: "resource",
    doc: "A number that players have; an attribute of players that starts at 0 and never goes below.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("min", Int, "It never goes below (0)."),
        opt("max", Int, "It never goes above."),
        opt("start", Int, "What players start with (0)."),
        opt(
            "show",
            Word(&["always", "nonzero", "never"]),
            "When clients show it (cards: `nonzero`, players: `always`).",
        ),
        opt("labels", Map(&Text), "What its values are called, by the value: suits, colours."),
        opt("ui", Any, "For clients."),
    ],
};

static CARD_TYPE: Shape = Shape {
    name: "cardType",
    doc: "A kind of card.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("attributes", Map(&Int), "Values its cards have unless they say otherwise."),
        opt("abilities", List(&Object(&ABILITY)), "Abilities all its cards have."),
        opt("ui", Any, "For clients."),
    ],
};

static KEYWORD: Shape = Shape {
    name: "keyword",
    doc: "A word that brings abilities with it.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("text", Text, "What it means."),
        opt("abilities", List(&Object(&ABILITY)), "Abilities cards with it have."),
        opt("ui", Any, "For clients."),
    ],
};

static CARD: Shape = Shape {
    name: "card",
    doc: "A card.",
    fields: &[
        req("id", Id, "Its name for machines."),
        opt("name", Text, "Its name for people."),
        opt("text", Text, "What is printed on it."),
        req("type", Name, "Its card type."),
        opt("attributes", Map(&Int), "Its numbers."),
        opt("keywords", List(&Name), "Its keywords."),
        opt("abilities", List(&Object(&ABILITY)), "Its abilities."),
        opt("token", Bool, "Whether it can only be created, never put in a deck."),
        opt("ui", Any, "For clients."),
    ],
};

/// The event a rule answers.
pub static WHEN: Shape = Shape {
    name: "when",
    doc: "The event a rule answers.",
    fields: &[
        req("eventType", Name, "The event type, by the name of the intent or of the fact."),
        opt(
            "filters",
            Map(&Value),
            "What its fields must be: a value, `self`, `controller`, `opponent`, or a condition on `it`.",
        ),
        opt("status", Word(&["applied", "prevented"]), "`prevented` answers its prevention instead."),
    ],
};

static LIMITERS: Shape = Shape {
    name: "limiters",
    doc: "How often a rule may act.",
    fields: &[
        opt("oncePerTurn", Bool, "Once in a turn."),
        opt("oncePerSource", Bool, "Once for each cause in a chain of events."),
        opt("maxPerEvent", Int, "So often for one event."),
        opt("maxPerTurn", Int, "So often in a turn."),
    ],
};

static REACTION: Shape = Shape {
    name: "reaction",
    doc: "A rule of the game that answers an event.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("text", Text, "What it says."),
        opt("timing", Word(&["before", "after", "pre", "post"]), "Before or after the event (`after`)."),
        req("when", Object(&WHEN), "The event it answers."),
        opt("conditions", Conditions, "What must hold, when it is found and when it resolves."),
        opt("optional", Bool, "Whether its controller may decline."),
        opt("prompt", Text, "What its controller is asked."),
        opt("targets", List(&Object(&TARGET)), "What its controller chooses."),
        req("effects", Effects, "What it does."),
        opt("limiters", Object(&LIMITERS), "How often it may act."),
        opt("priority", Int, "Higher ones resolve first (0)."),
        opt("canPrevent", Bool, "Whether it may prevent events (true)."),
        opt("preventionConditions", Conditions, "What must hold for it to prevent."),
        opt("triggers", Word(&["immediate", "deferred"]), "`deferred` holds triggers back until the list is done."),
        opt("ui", Any, "For clients."),
    ],
};

static ABILITY: Shape = Shape {
    name: "ability",
    doc: "What a card can do: a reaction (`when`), an activated ability, or a continuous effect (`affects`).",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("text", Text, "What it says."),
        opt("timing", Word(&["before", "after", "pre", "post"]), "For a reaction: before or after the event."),
        opt("when", Object(&WHEN), "For a reaction: the event it answers."),
        opt("conditions", Conditions, "What must hold."),
        opt("optional", Bool, "For a reaction: whether its controller may decline."),
        opt("prompt", Text, "What its controller is asked."),
        opt("targets", List(&Object(&TARGET)), "What its controller chooses."),
        opt(
            "costs",
            Effects,
            "What is paid when it is activated, or when it answers an event; its targets are not known then.",
        ),
        opt("effects", Effects, "What it does."),
        opt("limiters", Object(&LIMITERS), "How often it may act."),
        opt("priority", Int, "Higher ones resolve first (0)."),
        opt("canPrevent", Bool, "Whether it may prevent events (true)."),
        opt("preventionConditions", Conditions, "What must hold for it to prevent."),
        opt("activeIn", List(&Name), "The zones in which it works (the active ones)."),
        opt("triggers", Word(&["immediate", "deferred"]), "`deferred` holds triggers back until the list is done."),
        opt("affects", Selector, "For a continuous effect: whom it concerns (`self` for the card itself)."),
        opt("attribute", Name, "For a continuous effect: the attribute it changes."),
        opt("add", Value, "For a continuous effect: what it adds."),
        opt("set", Value, "For a continuous effect: what it sets."),
        opt("grant", Name, "For a continuous effect: the keyword it gives."),
        opt("lose", Name, "For a continuous effect: the keyword it takes."),
        opt("ui", Any, "For clients."),
    ],
};

static TARGET: Shape = Shape {
    name: "target",
    doc: "A slot of an action or ability.",
    fields: &[
        req("id", Id, "Its name."),
        req("selector", Selector, "What can fill it; `count`, or `min` and `max`, say how many."),
        opt("prompt", Text, "Of a reaction or ability: what the player is asked."),
    ],
};

static PARAM: Shape = Shape {
    name: "param",
    doc: "A parameter of an action.",
    fields: &[
        req("id", Id, "Its name."),
        opt("type", Word(&["int", "ability", "mode"]), "What it is (`int`)."),
        opt("of", Name, "For an ability: the slot of the card that has it."),
        opt("min", Int, "The smallest number (0)."),
        opt("max", Int, "The largest number, which a number needs."),
        opt("modes", List(&Object(&PARAM_MODE)), "For a mode: the ways to go, such as other costs; see `mode_is`."),
    ],
};

static PARAM_MODE: Shape = Shape {
    name: "paramMode",
    doc: "One way to take an action.",
    fields: &[
        req("id", Id, "Its name."),
        opt("text", Text, "What the player reads."),
        opt("conditions", Conditions, "When it can be chosen."),
    ],
};

static ACTION: Shape = Shape {
    name: "action",
    doc: "What a player can do.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("description", Text, "What it does."),
        opt("hint", Text, "A word for new players."),
        opt(
            "timing",
            Word(&["stack", "instant", "sorcery"]),
            "`stack` (the default): it waits on the stack, and others may respond before it is carried out. `instant`: it is carried out at once, and nobody can respond. `sorcery`: like `stack`, and only in the player's own turn while the stack is empty. When it may be taken otherwise is said by windows and preconditions.",
        ),
        opt("event", Name, "The name of its event (its id in PascalCase)."),
        opt(
            "principal",
            Name,
            "The slot of the card that is `self` (the first, if that is one card; else `self` is the player who acts).",
        ),
        opt("preconditions", Conditions, "What must hold."),
        opt("costs", Effects, "What is paid at once."),
        opt("targets", List(&Object(&TARGET)), "What the player chooses."),
        opt("params", List(&Object(&PARAM)), "Further choices."),
        req("effects", Effects, "What it does."),
        opt("triggers", Word(&["immediate", "deferred"]), "`deferred` holds triggers back until the list is done."),
        opt("preventable", Bool, "Whether it can be prevented (true)."),
        opt("refundOnPrevent", Bool, "Whether what was paid comes back when it is prevented."),
        opt(
            "waitsIn",
            Name,
            "The public zone in which the card it is about, or each of several, waits while others respond (that of the policy, for cards from a hidden zone). A card that is still there when the action is over goes back to where it was. An action of a player who is out of the game is dropped, as if it was prevented.",
        ),
        opt("preventedTo", Name, "The zone that card goes to if the action is prevented (back to where it was)."),
        opt("ui", Any, "For clients."),
    ],
};

static EVENT: Shape = Shape {
    name: "event",
    doc: "A type of event.",
    fields: &[
        req("id", Id, "Its name, as an order: `HealCard`."),
        opt(
            "fact",
            Text,
            "Its name once it happened: `CardHealed`. Another event type here means that one is what happens; `none` means nothing of its own.",
        ),
        opt("doc", Text, "What it means, for authors."),
        opt(
            "text",
            Text,
            "The sentence players read when it happened, with its fields in braces: `{target} takes {amount}.` MessageFormat: placeholders, `plural` and `select`.",
        ),
        opt(
            "level",
            Word(&["story", "detail", "step"]),
            "How closely one has to look to care (`detail`); a log shows `story`.",
        ),
        opt("cue", Name, "How clients show it, in a word: `hit`."),
        opt(
            "fields",
            Map(&Type),
            "Its fields with their types; a `?` behind a type means it may be left out, `newCard` is a card the event creates.",
        ),
        opt("subject", Name, "The field that says whom it concerns."),
        opt("fanOut", Selector, "Whom it concerns when the subject is left out."),
        opt("preventable", Bool, "Whether it can be prevented (true)."),
        opt("skipWhen", Condition, "When it has no effect on a subject."),
        opt("requires", Condition, "What must hold to carry it out."),
        opt("apply", Writes, "What it changes."),
        opt("effects", Effects, "What it leads to."),
        opt("ui", Any, "For clients."),
    ],
};

static DEFINE: Shape = Shape {
    name: "define",
    doc: "A named condition, expression or list of effects, used like an operation.",
    fields: &[
        req("id", Id, "Its name."),
        opt("text", Text, "What it means."),
        req("kind", Word(&["condition", "value", "effects"]), "What it stands for."),
        opt("type", Type, "For a value: its type (`int`)."),
        opt("params", Map(&Any), "Its parameters: a type, or `{type, default}`."),
        req("body", Body, "What it stands for."),
    ],
};

static STEP: Shape = Shape {
    name: "step",
    doc: "A step of a phase.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        opt("mandatory", Bool, "Whether no player can jump over it."),
        opt("onStart", Effects, "What happens when it begins."),
        opt("onEnd", Effects, "What happens when it ends."),
        opt("hint", Text, "A word for new players."),
        opt("ui", Any, "For clients."),
    ],
};

static PHASE: Shape = Shape {
    name: "phase",
    doc: "A phase of a turn.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        req("steps", List(&Object(&STEP)), "Its steps."),
        opt("hint", Text, "A word for new players."),
        opt("ui", Any, "For clients."),
    ],
};

static WINDOW: Shape = Shape {
    name: "priorityWindow",
    doc: "A step in which players may act.",
    fields: &[req("phase", Name, "The phase."), req("step", Name, "The step.")],
};

static TURN_STRUCTURE: Shape = Shape {
    name: "turnStructure",
    doc: "Phases, steps and where players may act.",
    fields: &[
        req("phases", List(&Object(&PHASE)), "The phases of a turn."),
        opt("priorityWindows", List(&Object(&WINDOW)), "Where players may act (everywhere)."),
    ],
};

static STATE_CHECK: Shape = Shape {
    name: "stateCheck",
    doc: "What is put right before anybody acts, everything found at once.",
    fields: &[
        req("id", Id, "Its name."),
        opt("forEach", Selector, "Whom it concerns, as `it`."),
        opt("when", Condition, "When it concerns the game as a whole."),
        req("emit", Effects, "The one event that follows."),
    ],
};

static AT: Shape = Shape {
    name: "at",
    doc: "The event at which an end condition is judged.",
    fields: &[req("eventType", Name, "The event type."), opt("filters", Map(&Value), "What its fields must be.")],
};

static END_CONDITION: Shape = Shape {
    name: "endCondition",
    doc: "When the game is over.",
    fields: &[
        req("id", Id, "Its name, which is also the reason given."),
        req("when", Condition, "What must hold."),
        opt("at", Object(&AT), "Judged only at this event; always where it is left out."),
        opt("winners", Value, "Who wins; nobody where it is left out."),
    ],
};

static DECK: Shape = Shape {
    name: "deck",
    doc: "A ready-made deck.",
    fields: &[
        req("id", Id, "Its name."),
        opt("name", Text, "What players call it."),
        req("cards", Map(&Int), "How many of each card."),
    ],
};

static DIRECT_MOVE: Shape = Shape {
    name: "directMove",
    doc: "A move by hand that needs no action.",
    fields: &[req("op", Word(&["reorder"]), "What may be done."), req("zone", Name, "Where.")],
};

static ENDING: Shape = Shape {
    name: "ending",
    doc: "What becomes of the pot when the game ends for a reason.",
    fields: &[
        opt("won", Word(POT), "If somebody wins."),
        opt("nobody", Word(POT), "If nobody does; the pot cannot go to a winner then."),
    ],
};

/// What can become of a pot.
const POT: &[&str] = &["winner", "refund", "burn"];

static STAKES: Shape = Shape {
    name: "stakes",
    doc: "What players pay to play, and who gets it. Whatever way the game can end must be settled.",
    fields: &[
        req("entry", Int, "What every player pays into the pot."),
        req(
            "endings",
            Map(&Object(&ENDING)),
            "By reason: those of the rules, and `last_standing`, `disconnect`, `limit` and `moderator`, which pay the winner and refund otherwise where they are left out. A match that is void is refunded.",
        ),
    ],
};

static POLICY: Shape = Shape {
    name: "policy",
    doc: "How the game is played.",
    fields: &[
        opt(
            "reactionOrder",
            Word(&["resolve", "apnap_stack"]),
            "How a sorted set of triggers is read (`resolve`: first in the list resolves first).",
        ),
        opt(
            "triggerOrder",
            Word(&["automatic", "player"]),
            "Who orders simultaneous triggers of one player (`automatic`).",
        ),
        opt("priority", Word(&["once", "after_each_resolution"]), "When a response window opens (`once`)."),
        opt("stops", Word(&["public", "legal"]), "Whether a window stops by public information only (`public`)."),
        opt("onLimit", Word(&["pause", "tie"]), "What a limit does (`pause`)."),
        opt(
            "waitsIn",
            Name,
            "The public zone in which a card waits that is played from a hidden zone while others may respond (nowhere: it stays where it is).",
        ),
        opt("undo", Bool, "Whether players may take back (true)."),
        opt("disconnectGraceMs", Int, "How long a player may be gone before he loses."),
        opt("stakes", Object(&STAKES), "What players play for (nothing)."),
    ],
};

/// The keys of a selector.
pub static SELECTOR: Shape = Shape {
    name: "selector",
    doc: "Finds cards, players or events.",
    fields: &[
        opt("zone", NAMES, "Cards in these zones; `any` for all."),
        opt(
            "players",
            Word(&["all", "any", "self", "you", "opponent", "opponents"]),
            "Players still in the game: all (or `any`), the one who acts (`self` or `you`), or all others (`opponents` or `opponent`).",
        ),
        opt("stack", Value, "Events on the stack: an event type, or true for any."),
        opt("from", Value, "The items of a list."),
        opt("definitions", Value, "Card definitions: of a type, or true for all."),
        opt("controller", Value, "Whose they are: `self`, `opponent`, `any`, or players."),
        opt("owner", Value, "Whom they belong to: `self`, `opponent`, `any`, or players."),
        opt("type", Name, "Of this card type."),
        opt("keyword", Name, "With this keyword."),
        opt("card", Value, "Of this definition."),
        opt("where", Conditions, "What must hold of `it`."),
        opt("as", Id, "Another name for `it`."),
        opt("except", Value, "Without these."),
        opt(
            "order",
            Word(&["id", "top", "bottom", "turn"]),
            "In which order (`id`; `bottom` where the one who chooses cannot look); players also in `turn` order.",
        ),
        opt("highest", Value, "Only those with the highest: an attribute, or an expression of `it`."),
        opt("lowest", Value, "Only those with the lowest: an attribute, or an expression of `it`."),
        opt("take", Value, "Only the first so many."),
        opt("random", Value, "Only so many at random; in effects only."),
        opt("count", Int, "For a slot: exactly so many."),
        opt("min", Int, "For a slot: at least so many."),
        opt("max", Int, "For a slot: at most so many."),
    ],
};

/// A mode of `choose_mode`.
pub static MODE: Shape = Shape {
    name: "mode",
    doc: "One way to go on.",
    fields: &[
        req("id", Id, "Its name."),
        opt("text", Text, "What the player reads."),
        opt("conditions", Conditions, "When it can be chosen."),
        req("effects", Effects, "What it does."),
    ],
};
