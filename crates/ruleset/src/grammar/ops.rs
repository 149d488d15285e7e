//! Every operation with its parameters.

use super::{
    Class::{Effect, Value as V, Write},
    Field,
    Kind::{
        self, Any, Bool, Condition, Conditions, Effects, Id, Int, List, Map, Name, Object, Text, Value, Word, Writes,
    },
    MODE, OpSpec, op, opt, req,
    shapes::WHEN,
};

/// The operations the engine itself knows; everything else is defined in a ruleset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Op {
    // Values, by the names of the table below.
    Add, Sub, Mul, Div, Mod, Min, Max, Neg, Abs, And, Or, Not, Eq, Ne, Lt, Le, Gt, Ge,
    IfValue, Count, Exists, Contains, First, Last, Union, Sum, Highest, Lowest, Attribute, BaseAttribute,
    HasKeyword, HasType, HasAbility, CanActivateAbility, IsCard, InZone, NextPlayer, Opponents, Random, AnswerOf, OriginOf, EventIs,
    Range, Room, AbilitiesOf, ModeIs,
    // Effects.
    Sequence, If, ForEach, Repeat, Let, Set, Group, Emit, Ask, Confirm, ChooseMode, AskTogether, Wait, RunAbility,
    PayAbility, Prevent, Amend, Replace, Delay, Stop,
    // Writes.
    SetAttribute, ChangeAttribute, Move, Create, Shuffle, Arrange, Modify, Unmodify, SetController, Reveal,
    Fact, Eliminate, EndGame, ExtraTurn, SkipStep, PreventEvent, IfWrite, ForEachWrite, LetWrite, SetWrite,
}

const VALUES: Kind = List(&Value);

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
    opt(
        "fill",
        Value,
        "What takes the place of what is left out of a draft, and of what is missing when time runs out.",
    ),
    opt("noAuto", Bool, "Whether to ask even if there is only one answer."),
    opt("prompt", Text, "What the player reads."),
    opt("deadlineMs", Value, "Milliseconds to answer; 0 for as long as it takes."),
    opt("untilDeadline", Condition, "With `deadlineMs`: whether to wait for it even if all have answered."),
    opt("onTimeout", Word(&["decline", "default", "first", "random", "concede"]), "What happens then (`decline`)."),
    opt("default", Value, "The answer for `default`."),
    req("as", Id, "The variable that gets the answer."),
    opt("ui", Any, "For clients."),
];

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
    op("range", Op::Range, V, &[req("from", Value, "The first."), req("to", Value, "The last.")], "All whole numbers from one to another, as a list; to let a player choose a number.", r#"{"op":"range","from":0,"to":{"ref":"turn"}}"#),
    op("room", Op::Room, V, &[req("zone", Value, "The zone."), opt("player", Value, "Whose (`self`).")], "How many more cards a zone takes.", r#"{"op":"room","zone":"hand"}"#),
    op("abilities_of", Op::AbilitiesOf, V, &[req("target", Value, "The card.")], "The names of a card's activated abilities.", r#"{"op":"abilities_of","target":"self"}"#),
    op("mode_is", Op::ModeIs, V, &[req("param", Name, "A parameter of the action, of type `mode`."), req("mode", Name, "One of its modes.")], "Whether the action is taken this way.", r#"{"op":"mode_is","param":"way","mode":"cheap"}"#),

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
    op("run_ability", Op::RunAbility, Effect, &[req("source", Value, "The card that has it."), req("ability", Value, "The ability's name."), opt("as", Value, "The card that acts as if it were its own (`source`).")], "Does what an ability does.", r#"{"op":"run_ability","source":"self","ability":"Strike"}"#),
    op("pay_ability", Op::PayAbility, Effect, &[req("source", Value, "The card."), req("ability", Value, "The ability's name.")], "Pays what an ability costs; in costs only.", r#"{"op":"pay_ability","source":"self","ability":"Strike"}"#),
    op("prevent", Op::Prevent, Effect, &[opt("whole", Bool, "Prevents all of it, not only this card's share.")], "In a before-reaction: prevents the event.", r#"{"op":"prevent"}"#),
    op("amend", Op::Amend, Effect, &[req("field", Name, "The field."), req("value", Value, "Its new value.")], "In a before-reaction: changes a field of the event.", r#"{"op":"amend","field":"amount","value":1}"#),
    op("replace", Op::Replace, Effect, &[req("with", Effects, "What happens instead.")], "In a before-reaction: something else happens instead.", r#"{"op":"replace","with":[]}"#),
    op("delay", Op::Delay, Effect, &[
        opt("id", Name, "Its name in logs."),
        opt("text", Text, "What it says."),
        opt("timing", Word(&["before", "after", "pre", "post"]), "Before or after the event (`after`)."),
        req("when", Object(&WHEN), "The event it waits for."),
        opt("conditions", Conditions, "What must hold, when it is found and when it resolves."),
        req("effects", Effects, "What it does then. Variables have the values they have now (lists are not kept: use `for_each` around it); `event` is what it waited for."),
        opt("times", Int, "How often (1); 0 for every time."),
        opt("until", Word(&["game", "turn"]), "How long it waits (`game`: for ever)."),
    ], "Waits for an event that comes later, such as the next card played or the end of this turn.", r#"{"op":"delay","when":{"eventType":"TurnEnd"},"effects":[]}"#),
    op("stop", Op::Stop, Effect, &[], "Ends the list.", r#"{"op":"stop"}"#),

    op("set_attribute", Op::SetAttribute, Write, &[req("target", Value, "A card or player."), req("attribute", Value, "The attribute."), req("value", Value, "Its new value.")], "Sets an attribute.", r#"{"op":"set_attribute","target":"target","attribute":"power","value":1}"#),
    op("change_attribute", Op::ChangeAttribute, Write, &[req("target", Value, "A card or player."), req("attribute", Value, "The attribute."), req("by", Value, "The difference.")], "Changes an attribute.", r#"{"op":"change_attribute","target":"target","attribute":"power","by":-1}"#),
    op("move", Op::Move, Write, &[req("target", Value, "The card."), req("to", Value, "The zone."), opt("player", Value, "Whose zone (the owner's; a shared zone keeps the controller)."), opt("position", Word(&["top", "bottom"]), "Where in the zone (`top`).")], "Moves a card and records `CardMoved`.", r#"{"op":"move","target":"card","to":"hand"}"#),
    op("create", Op::Create, Write, &[req("card", Value, "The reserved card."), req("of", Value, "Its definition."), req("to", Value, "The zone."), req("player", Value, "Whose it is."), opt("position", Word(&["top", "bottom"]), "Where in the zone (`top`).")], "Brings a card into being and records `CardCreated`.", r#"{"op":"create","card":"card","of":"of","to":"hand","player":"player"}"#),
    op("shuffle", Op::Shuffle, Write, &[req("zone", Name, "The zone."), opt("player", Value, "Whose.")], "Puts a zone in random order.", r#"{"op":"shuffle","zone":"deck","player":"player"}"#),
    op("arrange", Op::Arrange, Write, &[req("cards", Value, "The cards; the last ends on top.")], "Puts cards on top of their zone in this order.", r#"{"op":"arrange","cards":"cards"}"#),
    op("modify", Op::Modify, Write, &[req("target", Value, "A card or player."), opt("attribute", Value, "The attribute."), opt("add", Value, "What is added."), opt("set", Value, "What it is set to."), opt("grant", Value, "The keyword it gets."), opt("lose", Value, "The keyword it loses."), opt("loseAbility", Value, "The ability it loses; `all` for all that is printed on it, keywords too."), opt("duration", Word(&["permanent", "turn", "your_turn", "source"]), "How long (`permanent`): until the end of the turn, until your next turn, while its source is in play.")], "Adds a modifier.", r#"{"op":"modify","target":"target","attribute":"power","add":1,"duration":"turn"}"#),
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
