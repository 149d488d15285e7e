//! The language as tables: what each object of a document may hold, and every operation with its parameters.
//! Checking, the JSON Schema and the reference pages all read these tables, so they cannot disagree.

/// An object with named fields.
#[derive(Debug)]
pub struct Shape {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: &'static [Field],
}

/// One field of an object, or one parameter of an operation.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub doc: &'static str,
}

/// What may stand in a field.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// A name that is declared here.
    Id,
    /// A name that is declared elsewhere.
    Name,
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The type of a field or parameter, such as `card` or `card[]`.
    Type,
    /// Anything: for clients, never read by rules.
    Any,
    /// An expression.
    Value,
    /// A condition.
    Condition,
    /// A list of conditions that must all hold.
    Conditions,
    /// A list of effects.
    Effects,
    /// A list of writes.
    Writes,
    /// A selector.
    Selector,
    /// The body of a definition: a condition, expression or list of effects.
    Body,
    /// An object of a shape.
    Object(&'static Shape),
    /// A list.
    List(&'static Kind),
    /// A single item, or a list of them.
    OneOrMany(&'static Kind),
    /// An object whose keys are names.
    Map(&'static Kind),
}

/// What class an operation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Gives a value; conditions are values that are true or false.
    Value,
    /// Does something, one child event at a time.
    Effect,
    /// Changes the match; only in an event type's `apply` list.
    Write,
}

/// One operation of the language.
#[derive(Debug)]
pub struct OpSpec {
    pub name: &'static str,
    pub(crate) op: Op,
    pub class: Class,
    pub params: &'static [Field],
    pub doc: &'static str,
    pub example: &'static str,
}

/// The operations the engine itself knows; everything else is defined in a ruleset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Op {
    // Values, by the names of the table below.
    Add, Sub, Mul, Div, Mod, Min, Max, Neg, Abs, And, Or, Not, Eq, Ne, Lt, Le, Gt, Ge,
    IfValue, Count, Exists, Contains, First, Last, Union, Sum, Highest, Lowest, Attribute, BaseAttribute,
    HasKeyword, HasType, HasAbility, CanActivateAbility, IsCard, InZone, NextPlayer, Opponents, Random, AnswerOf, OriginOf, EventIs,
    // Effects.
    Sequence, If, ForEach, Repeat, Let, Set, Group, Emit, Ask, Confirm, ChooseMode, AskTogether, Wait, RunAbility,
    PayAbility, Prevent, Amend, Replace, Stop,
    // Writes.
    SetAttribute, ChangeAttribute, Move, Create, Shuffle, Arrange, Modify, Unmodify, SetController, Reveal,
    Fact, Eliminate, EndGame, ExtraTurn, SkipStep, PreventEvent, IfWrite, ForEachWrite, LetWrite, SetWrite,
}

const fn req(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, required: true, doc }
}

const fn opt(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, required: false, doc }
}

const fn op(
    name: &'static str,
    op: Op,
    class: Class,
    params: &'static [Field],
    doc: &'static str,
    example: &'static str,
) -> OpSpec {
    OpSpec { name, op, class, params, doc, example }
}

use Kind::{
    Any, Body, Bool, Condition, Conditions, Effects, Id, Int, List, Map, Name, Object, OneOrMany, Selector, Text, Type,
    Value, Word, Writes,
};

const NAMES: Kind = OneOrMany(&Name);
const VALUES: Kind = List(&Value);

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
        opt("limits", Map(&Int), "Limits, by name."),
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
        opt("overflow", Text, "Where a card goes that does not fit: a zone, or `reject` (the default)."),
        opt("active", Bool, "Whether abilities work here unless they say otherwise."),
        opt("resets", Bool, "Whether cards that come here become what is printed on them."),
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

static WHEN: Shape = Shape {
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
        opt("activeIn", List(&Name), "The zones in which it works."),
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
        opt("costs", Effects, "For an activated ability: what it costs."),
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
        opt("prompt", Text, "What the player is asked."),
    ],
};

static PARAM: Shape = Shape {
    name: "param",
    doc: "A parameter of an action.",
    fields: &[
        req("id", Id, "Its name."),
        opt("type", Word(&["int", "ability"]), "What it is (`int`)."),
        opt("of", Name, "For an ability: the slot of the card that has it."),
        opt("min", Int, "The smallest number."),
        opt("max", Int, "The largest number."),
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
        opt("timing", Word(&["stack", "instant", "sorcery"]), "Whether others may respond (`stack`)."),
        opt("event", Name, "The name of its event (its id in PascalCase)."),
        opt("principal", Name, "The slot that is `self` (the first)."),
        opt("preconditions", Conditions, "What must hold."),
        opt("costs", Effects, "What is paid at once."),
        opt("targets", List(&Object(&TARGET)), "What the player chooses."),
        opt("params", List(&Object(&PARAM)), "Further choices."),
        req("effects", Effects, "What it does."),
        opt("triggers", Word(&["immediate", "deferred"]), "`deferred` holds triggers back until the list is done."),
        opt("preventable", Bool, "Whether it can be prevented (true)."),
        opt("refundOnPrevent", Bool, "Whether what was paid comes back when it is prevented."),
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
        opt("text", Text, "What it means."),
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
        opt("undo", Bool, "Whether players may take back (true)."),
        opt("disconnectGraceMs", Int, "How long a player may be gone before he loses."),
    ],
};

/// The keys of a selector.
pub static SELECTOR: Shape = Shape {
    name: "selector",
    doc: "Finds cards, players or events.",
    fields: &[
        opt("zone", NAMES, "Cards in these zones; `any` for all."),
        opt("players", Word(&["all", "self", "opponent"]), "Players still in the game."),
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
        opt("order", Word(&["id", "top", "bottom", "turn"]), "In which order (`id`); players also in `turn` order."),
        opt("highest", Value, "Only those with the highest: an attribute, or an expression of `it`."),
        opt("lowest", Value, "Only those with the lowest: an attribute, or an expression of `it`."),
        opt("take", Value, "Only the first so many."),
        opt("random", Value, "Only so many at random; in effects only."),
        opt("count", Int, "For a slot: exactly so many."),
        opt("min", Int, "For a slot: at least so many."),
        opt("max", Int, "For a slot: at most so many."),
    ],
};

const AB: &[Field] = &[req("a", Value, "The left side."), req("b", Value, "The right side.")];
const OF: &[Field] = &[req("of", VALUES, "What to put together.")];
const OF_ONE: &[Field] = &[req("of", Value, "What it is applied to.")];
const OF_VALUE: &[Field] =
    &[req("of", Value, "A selector or list."), req("value", Value, "The value of each, as an expression of `it`.")];
const CARD_ABILITY: &[Field] = &[req("target", Value, "The card."), req("ability", Value, "The ability's name.")];
const ASK: &[Field] = &[
    opt(
        "kind",
        Word(&["target_select", "order_select", "mode_pick", "pay_cost"]),
        "How clients show it (`target_select`).",
    ),
    opt("player", Value, "Who is asked (`self`)."),
    opt("players", Value, "Several players: all must answer."),
    opt("any", Bool, "With `players`: the first answer is enough."),
    req("choices", Value, "What can be chosen: a selector or list; `asked` is the player who answers."),
    opt("min", Value, "At least so many (1)."),
    opt("max", Value, "At most so many (1)."),
    opt("count", Value, "Exactly so many."),
    opt("optional", Bool, "Whether the player may decline."),
    opt("revisable", Bool, "Whether an answer may be replaced until it is confirmed or all are in."),
    opt("lenient", Bool, "Whether what is not legal in a draft is left out instead of refused."),
    opt("noAuto", Bool, "Whether to ask even if there is only one answer."),
    opt("prompt", Text, "What the player reads."),
    opt("deadlineMs", Int, "Milliseconds to answer."),
    opt("onTimeout", Word(&["decline", "default", "first", "random", "concede"]), "What happens then (`decline`)."),
    opt("default", Value, "The answer for `default`."),
    req("as", Id, "The variable that gets the answer."),
    opt("ui", Any, "For clients."),
];

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

use Class::{Effect, Value as V, Write};

/// Every operation of the engine.
#[rustfmt::skip]
pub static OPS: &[OpSpec] = &[
    op("add", Op::Add, V, OF, "The sum.", r#"{"op":"add","of":[1,{"ref":"self.power"}]}"#),
    op("sub", Op::Sub, V, AB, "The difference.", r#"{"op":"sub","a":5,"b":2}"#),
    op("mul", Op::Mul, V, OF, "The product.", r#"{"op":"mul","of":[2,3]}"#),
    op("div", Op::Div, V, AB, "The quotient, rounded down; 0 for a divisor of 0.", r#"{"op":"div","a":7,"b":2}"#),
    op("mod", Op::Mod, V, AB, "The remainder; 0 for a divisor of 0.", r#"{"op":"mod","a":7,"b":2}"#),
    op("min", Op::Min, V, OF, "The smallest.", r#"{"op":"min","of":[10,{"ref":"turn"}]}"#),
    op("max", Op::Max, V, OF, "The largest.", r#"{"op":"max","of":[0,-1]}"#),
    op("neg", Op::Neg, V, OF_ONE, "The negative.", r#"{"op":"neg","of":3}"#),
    op("abs", Op::Abs, V, OF_ONE, "The size without sign.", r#"{"op":"abs","of":-3}"#),
    op("and", Op::And, V, &[req("of", Conditions, "What must hold.")], "All hold.", r#"{"op":"and","of":[true,true]}"#),
    op("or", Op::Or, V, &[req("of", Conditions, "What may hold.")], "At least one holds.", r#"{"op":"or","of":[true,false]}"#),
    op("not", Op::Not, V, &[req("of", Condition, "What must not hold.")], "It does not hold.", r#"{"op":"not","of":false}"#),
    op("eq", Op::Eq, V, AB, "Equal.", r#"{"op":"eq","a":1,"b":1}"#),
    op("ne", Op::Ne, V, AB, "Not equal.", r#"{"op":"ne","a":1,"b":2}"#),
    op("lt", Op::Lt, V, AB, "Less.", r#"{"op":"lt","a":1,"b":2}"#),
    op("le", Op::Le, V, AB, "Less or equal.", r#"{"op":"le","a":1,"b":1}"#),
    op("gt", Op::Gt, V, AB, "Greater.", r#"{"op":"gt","a":2,"b":1}"#),
    op("ge", Op::Ge, V, AB, "Greater or equal.", r#"{"op":"ge","a":2,"b":2}"#),
    op("if", Op::IfValue, V, &[req("when", Condition, "What decides."), req("then", Value, "If it holds."), req("else", Value, "If not.")], "One of two values.", r#"{"op":"if","when":true,"then":1,"else":2}"#),
    op("count", Op::Count, V, OF_ONE, "How many a selector finds or a list has.", r#"{"op":"count","of":{"zone":"hand","controller":"self"}}"#),
    op("exists", Op::Exists, V, OF_ONE, "Whether a selector finds any, a list has any, or a thing is there.", r#"{"op":"exists","of":{"zone":"hand"}}"#),
    op("contains", Op::Contains, V, &[req("list", Value, "A selector or list."), req("item", Value, "What to look for.")], "Whether it is among them.", r#"{"op":"contains","list":{"zone":"hand"},"item":"self"}"#),
    op("first", Op::First, V, OF_ONE, "The first of a list.", r#"{"op":"first","of":{"zone":"hand"}}"#),
    op("last", Op::Last, V, OF_ONE, "The last of a list.", r#"{"op":"last","of":{"zone":"hand"}}"#),
    op("union", Op::Union, V, OF, "All of several lists, each once.", r#"{"op":"union","of":[{"zone":"hand"},{"zone":"deck"}]}"#),
    op("sum", Op::Sum, V, OF_VALUE, "The sum of a value over a list.", r#"{"op":"sum","of":{"zone":"hand"},"value":1}"#),
    op("highest", Op::Highest, V, OF_VALUE, "The highest value over a list.", r#"{"op":"highest","of":{"zone":"hand"},"value":1}"#),
    op("lowest", Op::Lowest, V, OF_VALUE, "The lowest value over a list.", r#"{"op":"lowest","of":{"zone":"hand"},"value":1}"#),
    op("attribute", Op::Attribute, V, &[req("of", Value, "A card or player."), req("attribute", Value, "The attribute.")], "The value of an attribute with all that changes it.", r#"{"op":"attribute","of":"self","attribute":"power"}"#),
    op("base_attribute", Op::BaseAttribute, V, &[req("of", Value, "A card or player."), req("attribute", Value, "The attribute.")], "The value of an attribute without what changes it.", r#"{"op":"base_attribute","of":"self","attribute":"power"}"#),
    op("has_keyword", Op::HasKeyword, V, &[req("target", Value, "The card."), req("keyword", Value, "The keyword.")], "Whether a card has a keyword.", r#"{"op":"has_keyword","target":"self","keyword":"swift"}"#),
    op("has_type", Op::HasType, V, &[req("target", Value, "The card."), req("type", Value, "The card type.")], "Whether a card is of a type.", r#"{"op":"has_type","target":"self","type":"unit"}"#),
    op("has_ability", Op::HasAbility, V, CARD_ABILITY, "Whether a card has an activated ability.", r#"{"op":"has_ability","target":"self","ability":"Strike"}"#),
    op("can_activate_ability", Op::CanActivateAbility, V, CARD_ABILITY, "Whether its controller could activate it now: zone, conditions, limiters, costs and targets.", r#"{"op":"can_activate_ability","target":"self","ability":"Strike"}"#),
    op("is_card", Op::IsCard, V, &[req("target", Value, "The card."), req("card", Value, "The definition.")], "Whether a card is of a definition.", r#"{"op":"is_card","target":"self","card":"squire"}"#),
    op("in_zone", Op::InZone, V, &[req("target", Value, "The card."), req("zone", Value, "The zone.")], "Whether a card is in a zone.", r#"{"op":"in_zone","target":"self","zone":"hand"}"#),
    op("next_player", Op::NextPlayer, V, OF_ONE, "The next player in turn order.", r#"{"op":"next_player","of":"self"}"#),
    op("opponents", Op::Opponents, V, OF_ONE, "The other players.", r#"{"op":"opponents","of":"self"}"#),
    op("random", Op::Random, V, &[req("min", Value, "The lowest."), req("max", Value, "The highest.")], "A random number; in effects and writes only.", r#"{"op":"random","min":1,"max":6}"#),
    op("answer_of", Op::AnswerOf, V, &[req("answers", Value, "What several players answered."), req("player", Value, "Whose answer.")], "What a player answered.", r#"{"op":"answer_of","answers":"picks","player":"self"}"#),
    op("origin_of", Op::OriginOf, V, &[req("answers", Value, "What several players answered."), req("player", Value, "Whose answer.")], "Where a player's answer came from: `confirmed`, `draft`, `default` or `automatic`.", r#"{"op":"origin_of","answers":"picks","player":"self"}"#),
    op("event_is", Op::EventIs, V, &[req("event", Value, "The event."), req("type", Value, "The event type.")], "Whether an event is of a type.", r#"{"op":"event_is","event":"target","type":"PlayCard"}"#),

    op("sequence", Op::Sequence, Effect, &[req("effects", Effects, "What happens."), opt("triggers", Word(&["immediate", "deferred"]), "`deferred` holds triggers back until all is done.")], "One after the other.", r#"{"op":"sequence","effects":[]}"#),
    op("if", Op::If, Effect, &[req("when", Condition, "What decides."), req("then", Effects, "If it holds."), opt("else", Effects, "If not.")], "Does one or the other.", r#"{"op":"if","when":true,"then":[]}"#),
    op("for_each", Op::ForEach, Effect, &[req("in", Value, "A selector or list, taken once at the beginning."), opt("as", Id, "The name of each (`it`)."), req("do", Effects, "What happens for each.")], "Does something for each.", r#"{"op":"for_each","in":{"zone":"hand"},"do":[]}"#),
    op("repeat", Op::Repeat, Effect, &[req("times", Value, "How often."), req("do", Effects, "What happens.")], "Does something several times.", r#"{"op":"repeat","times":2,"do":[]}"#),
    op("let", Op::Let, Effect, &[req("name", Id, "The variable."), req("value", Value, "Its value.")], "Names a value for the rest of the list.", r#"{"op":"let","name":"n","value":1}"#),
    op("set", Op::Set, Effect, &[req("name", Name, "A variable that `let` named."), req("value", Value, "Its new value.")], "Changes a variable.", r#"{"op":"set","name":"n","value":2}"#),
    op("group", Op::Group, Effect, &[req("events", Effects, "The members."), opt("optional", Bool, "In another group: whether it may be lost alone.")], "An atomic group: all of it happens or nothing.", r#"{"op":"group","events":[]}"#),
    op("emit", Op::Emit, Effect, &[req("event", Name, "The event type."), opt("with", Map(&Value), "Its fields.")], "Puts an event on the stack.", r#"{"op":"emit","event":"Ping","with":{}}"#),
    op("ask", Op::Ask, Effect, ASK, "Asks one or several players.", r#"{"op":"ask","choices":{"zone":"hand"},"as":"card"}"#),
    op("confirm", Op::Confirm, Effect, &[opt("player", Value, "Who is asked (`self`)."), opt("prompt", Text, "What the player reads."), req("then", Effects, "If yes."), opt("else", Effects, "If no."), opt("ui", Any, "For clients.")], "Asks yes or no.", r#"{"op":"confirm","then":[]}"#),
    op("choose_mode", Op::ChooseMode, Effect, &[opt("player", Value, "Who is asked (`self`)."), opt("count", Value, "How many modes (1)."), opt("min", Value, "At least so many."), opt("max", Value, "At most so many."), opt("prompt", Text, "What the player reads."), req("modes", List(&Object(&MODE)), "The modes."), opt("ui", Any, "For clients.")], "Asks how to go on.", r#"{"op":"choose_mode","modes":[{"id":"a","effects":[]}]}"#),
    op("ask_together", Op::AskTogether, Effect, &[req("asks", Effects, "The questions, each an `ask`.")], "Asks several questions at once, answered in any order.", r#"{"op":"ask_together","asks":[{"op":"ask","choices":{"zone":"hand"},"as":"card"}]}"#),
    op("wait", Op::Wait, Effect, &[req("timer", Id, "The timer's name."), req("ms", Value, "Milliseconds.")], "Waits for the host.", r#"{"op":"wait","timer":"pause","ms":900}"#),
    op("run_ability", Op::RunAbility, Effect, &[req("source", Value, "The card."), req("ability", Value, "The ability's name.")], "Does what an ability does.", r#"{"op":"run_ability","source":"self","ability":"Strike"}"#),
    op("pay_ability", Op::PayAbility, Effect, &[req("source", Value, "The card."), req("ability", Value, "The ability's name.")], "Pays what an ability costs; in costs only.", r#"{"op":"pay_ability","source":"self","ability":"Strike"}"#),
    op("prevent", Op::Prevent, Effect, &[opt("whole", Bool, "Prevents all of it, not only this card's share.")], "In a before-reaction: prevents the event.", r#"{"op":"prevent"}"#),
    op("amend", Op::Amend, Effect, &[req("field", Name, "The field."), req("value", Value, "Its new value.")], "In a before-reaction: changes a field of the event.", r#"{"op":"amend","field":"amount","value":1}"#),
    op("replace", Op::Replace, Effect, &[req("with", Effects, "What happens instead.")], "In a before-reaction: something else happens instead.", r#"{"op":"replace","with":[]}"#),
    op("stop", Op::Stop, Effect, &[], "Ends the list.", r#"{"op":"stop"}"#),

    op("set_attribute", Op::SetAttribute, Write, &[req("target", Value, "A card or player."), req("attribute", Value, "The attribute."), req("value", Value, "Its new value.")], "Sets an attribute.", r#"{"op":"set_attribute","target":"target","attribute":"power","value":1}"#),
    op("change_attribute", Op::ChangeAttribute, Write, &[req("target", Value, "A card or player."), req("attribute", Value, "The attribute."), req("by", Value, "The difference.")], "Changes an attribute.", r#"{"op":"change_attribute","target":"target","attribute":"power","by":-1}"#),
    op("move", Op::Move, Write, &[req("target", Value, "The card."), req("to", Value, "The zone."), opt("player", Value, "Whose zone (the owner's; a shared zone keeps the controller)."), opt("position", Word(&["top", "bottom"]), "Where in the zone (`top`).")], "Moves a card and records `CardMoved`.", r#"{"op":"move","target":"card","to":"hand"}"#),
    op("create", Op::Create, Write, &[req("card", Value, "The reserved card."), req("of", Value, "Its definition."), req("to", Value, "The zone."), req("player", Value, "Whose it is."), opt("position", Word(&["top", "bottom"]), "Where in the zone (`top`).")], "Brings a card into being and records `CardCreated`.", r#"{"op":"create","card":"card","of":"of","to":"hand","player":"player"}"#),
    op("shuffle", Op::Shuffle, Write, &[req("zone", Name, "The zone."), opt("player", Value, "Whose.")], "Puts a zone in random order.", r#"{"op":"shuffle","zone":"deck","player":"player"}"#),
    op("arrange", Op::Arrange, Write, &[req("cards", Value, "The cards; the last ends on top.")], "Puts cards on top of their zone in this order.", r#"{"op":"arrange","cards":"cards"}"#),
    op("modify", Op::Modify, Write, &[req("target", Value, "A card or player."), opt("attribute", Value, "The attribute."), opt("add", Value, "What is added."), opt("set", Value, "What it is set to."), opt("grant", Value, "The keyword it gets."), opt("lose", Value, "The keyword it loses."), opt("duration", Word(&["permanent", "turn", "source"]), "How long (`permanent`).")], "Adds a modifier.", r#"{"op":"modify","target":"target","attribute":"power","add":1,"duration":"turn"}"#),
    op("unmodify", Op::Unmodify, Write, &[req("target", Value, "A card or player."), opt("source", Value, "Only those from this card.")], "Drops modifiers.", r#"{"op":"unmodify","target":"target"}"#),
    op("set_controller", Op::SetController, Write, &[req("target", Value, "The card."), req("player", Value, "Who gets it.")], "Gives a card to another player.", r#"{"op":"set_controller","target":"target","player":"player"}"#),
    op("reveal", Op::Reveal, Write, &[req("target", Value, "The card."), req("to", Value, "Who sees it.")], "Shows a card.", r#"{"op":"reveal","target":"card","to":{"players":"all"}}"#),
    op("fact", Op::Fact, Write, &[req("event", Name, "The event type."), opt("with", Map(&Value), "Its fields.")], "Records that something happened.", r#"{"op":"fact","event":"Pinged","with":{}}"#),
    op("eliminate", Op::Eliminate, Write, &[req("player", Value, "Who.")], "Takes a player out of the game.", r#"{"op":"eliminate","player":"player"}"#),
    op("end_game", Op::EndGame, Write, &[opt("winners", Value, "Who wins; nobody where it is left out."), req("reason", Text, "Why.")], "Ends the game.", r#"{"op":"end_game","reason":"time"}"#),
    op("extra_turn", Op::ExtraTurn, Write, &[req("player", Value, "Who.")], "Gives a player a turn after this one.", r#"{"op":"extra_turn","player":"player"}"#),
    op("skip_step", Op::SkipStep, Write, &[req("player", Value, "Who."), req("step", Name, "The step.")], "The player skips the next such step.", r#"{"op":"skip_step","player":"player","step":"main"}"#),
    op("prevent_event", Op::PreventEvent, Write, &[req("event", Value, "The event.")], "Flags an event on the stack as prevented.", r#"{"op":"prevent_event","event":"target"}"#),
    op("if", Op::IfWrite, Write, &[req("when", Condition, "What decides."), req("then", Writes, "If it holds."), opt("else", Writes, "If not.")], "Writes one or the other.", r#"{"op":"if","when":true,"then":[]}"#),
    op("for_each", Op::ForEachWrite, Write, &[req("in", Value, "A selector or list."), opt("as", Id, "The name of each (`it`)."), req("do", Writes, "What is written for each.")], "Writes something for each.", r#"{"op":"for_each","in":{"zone":"hand"},"do":[]}"#),
    op("let", Op::LetWrite, Write, &[req("name", Id, "The variable."), req("value", Value, "Its value.")], "Names a value for the rest of the list.", r#"{"op":"let","name":"n","value":1}"#),
    op("set", Op::SetWrite, Write, &[req("name", Name, "A variable that `let` named."), req("value", Value, "Its new value.")], "Changes a variable.", r#"{"op":"set","name":"n","value":2}"#),
];

/// The operation of a name in a class.
pub fn find_op(name: &str, class: Class) -> Option<&'static OpSpec> {
    OPS.iter().find(|it| it.name == name && it.class == class)
}
