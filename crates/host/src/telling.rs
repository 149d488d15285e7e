//! Events in words for those who play: the sentence of an event, and its cue, where the ruleset says nothing itself.

use std::collections::BTreeMap;

use engine::{Control, EventNo, InputNo, PlayerId};
use view::{
    Level, Payload, Status, Told,
    template::{self, Filling},
};

/// A verb without what it is about, to be known by its number, and what it is called.
const VERBS: [(Control, &str); 11] = [
    (Control::Concede(PlayerId(0)), "concede"),
    (Control::Timeout(InputNo(0)), "timeout"),
    (Control::Timer, "timer"),
    (Control::Disconnect(PlayerId(0)), "disconnect"),
    (Control::Reconnect(PlayerId(0)), "reconnect"),
    (Control::Pause, "pause"),
    (Control::Resume, "resume"),
    (Control::DropItem(EventNo(0)), "drop_item"),
    (Control::Void, "void"),
    (Control::Kick(PlayerId(0)), "kick"),
    (Control::SetResult(0), "set_result"),
];

/// What a verb of the host or a moderator is called, by its number.
pub fn verb(number: i64) -> Option<&'static str> {
    VERBS.iter().find(|it| it.0.number() == number).map(|it| it.1)
}

/// The sentences of the engine's own events.
const SENTENCES: [(&str, &str); 15] = [
    ("GameStart", "The match begins."),
    ("TurnStart", "Turn {turn}: {player}."),
    ("TurnEnd", "The turn of {player} ends."),
    ("PhaseChanged", "{to}."),
    ("StepStart", "{step} begins."),
    ("StepEnd", "{step} ends."),
    ("EventPrevented", "{eventType} does not happen{by, select, hidden {} other { because of {by}}}."),
    ("EventFailed", "{eventType} cannot be carried out: {reason}."),
    ("NoLegalChoice", "{player} has nothing to choose."),
    ("CardMoved", "{card} goes from {from} to {to}."),
    ("CardCreated", "{card} comes into being in {to}."),
    ("PlayerEliminated", "{player} is out."),
    ("CostRefunded", "{player} gets back what was paid."),
    ("AbilityTriggered", "{source}: {ability}."),
    ("GameEnded", "The match is over, won by {winners}: {reason}."),
];

/// What the host or a moderator did, by the verb.
const CONTROLS: [(&str, &str); 11] = [
    ("concede", "{player} concedes."),
    ("timeout", "The time to answer is up."),
    ("timer", "The pause is over."),
    ("disconnect", "{player} has lost the connection."),
    ("reconnect", "{player} is back."),
    ("pause", "A moderator lets the match stand still."),
    ("resume", "The match goes on."),
    ("drop_item", "A moderator takes something from the stack."),
    ("void", "The match does not count any more."),
    ("kick", "{player} is out."),
    ("set_result", "A moderator ends the match."),
];

/// The sentence of an event: the ruleset's own, or one made of its name and fields.
pub fn words(
    kind: &str,
    status: Status,
    template: &str,
    payload: &BTreeMap<String, Payload>,
    filling: &dyn Fn(&Payload) -> Filling,
) -> String {
    let find = |table: &[(&'static str, &'static str)], key: &str| table.iter().find(|it| it.0 == key).map(|it| it.1);
    let verb = payload.get("verb").and_then(Payload::text).filter(|_| kind == "ControlUsed");
    let own = Some(template).filter(|it| !it.is_empty() && status != Status::Pending);
    let sentence = own.or_else(|| find(&CONTROLS, verb?)).or_else(|| find(&SENTENCES, kind));
    match sentence {
        Some(sentence) => template::fill(sentence, &|name| payload.get(name).map(filling)),
        None => plain(kind, status, payload, filling),
    }
}

/// An event without a sentence of its own: who, what, and with what.
fn plain(
    kind: &str,
    status: Status,
    payload: &BTreeMap<String, Payload>,
    filling: &dyn Fn(&Payload) -> Filling,
) -> String {
    let shown = |it: &Payload| template::fill("{it}", &|_| Some(filling(it)));
    let who = payload.get("player").map(|it| format!("{}: ", shown(it))).unwrap_or_default();
    let fields = payload.iter().filter(|it| *it.0 != "player");
    let details: Vec<String> = fields.map(|(name, it)| format!(" {name} {}", shown(it))).collect();
    let waits = if status == Status::Pending { " (on the stack)" } else { "" };
    format!("{who}{}{waits}{}", words_of(kind, ' '), details.join(","))
}

/// The sentence of an event of the engine; nothing for others, which are told by their name and fields.
pub fn sentence(kind: &str) -> String {
    SENTENCES.iter().find(|it| it.0 == kind).map(|it| it.1.to_owned()).unwrap_or_default()
}

/// An event by its name and fields alone; cards by their definitions.
pub fn plain_text(kind: &str, payload: &BTreeMap<String, Payload>, cards: &BTreeMap<String, String>) -> String {
    let filling = |it: &Payload| filled(it, cards);
    plain(kind, Status::Applied, payload, &filling)
}

fn filled(it: &Payload, cards: &BTreeMap<String, String>) -> Filling {
    match it {
        Payload::Number(number) => Filling::Number(*number),
        Payload::Flag(flag) => Filling::Text(if *flag { "yes" } else { "no" }.to_owned()),
        Payload::Text(text) if text == "hidden" => Filling::Text("a hidden card".to_owned()),
        Payload::Text(text) => Filling::Text(cards.get(text).unwrap_or(text).clone()),
        Payload::List(items) => {
            let shown = |it: &Payload| template::fill("{it}", &|_| Some(filled(it, cards)));
            Filling::List(items.iter().map(shown).collect())
        }
    }
}

/// The cue of an event that has none of its own: `card_moved` for `CardMoved`.
pub fn cue(kind: &str) -> String {
    words_of(kind, '_')
}

/// `card moved` for `CardMoved`.
fn words_of(kind: &str, between: char) -> String {
    let mut words = String::new();
    for it in kind.chars() {
        if it.is_uppercase() && !words.is_empty() {
            words.push(between);
        }
        words.extend(it.to_lowercase());
    }
    words
}

/// What a terminal shows of an event; nothing for what the table shows anyway.
pub fn tell(it: &Told) -> Option<String> {
    let kind = it.event.kind.as_str();
    let is_news = match kind {
        // The table says which step it is, and the end of one is the beginning of the next.
        "StepStart" | "StepEnd" | "TurnEnd" | "GameEnded" => false,
        // A pause of the rules that ends is no news: what comes next is.
        "ControlUsed" => it.event.payload.get("verb").and_then(Payload::text) != Some("timer"),
        _ => {
            it.level != Level::Step
                || matches!(kind, "CardMoved" | "CardCreated" | "PhaseChanged" | "EventPrevented" | "EventFailed")
        }
    };
    let field = |name: &str| match it.event.payload.get(name) {
        Some(Payload::Text(text)) => text.clone(),
        Some(Payload::Number(number)) => number.to_string(),
        Some(Payload::Flag(_) | Payload::List(_)) | None => String::new(),
    };
    let line = match kind {
        "TurnStart" => format!("--- turn {}: {} ---", field("turn"), field("player")),
        "PhaseChanged" => format!("-- {}", field("to")),
        _ => it.text.clone(),
    };
    is_news.then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, status: Status, template: &str, fields: &[(&str, Payload)], expected: &str) {
        let payload = fields.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
        let filling = |it: &Payload| match it {
            Payload::Number(number) => Filling::Number(*number),
            other => Filling::Text(other.text().unwrap_or_default().to_owned()),
        };
        assert_eq!(words(kind, status, template, &payload, &filling), expected);
    }

    fn text(it: &str) -> Payload {
        Payload::Text(it.to_owned())
    }

    #[test]
    fn what_the_host_does_is_told_in_words() {
        let told = |verb: &str, expected: &str| {
            check("ControlUsed", Status::Applied, "", &[("player", text("p2")), ("verb", text(verb))], expected);
        };
        told("concede", "p2 concedes.");
        told("disconnect", "p2 has lost the connection.");
        told("timeout", "The time to answer is up.");
    }

    #[test]
    fn every_verb_has_a_number_of_its_own() {
        let mut numbers: Vec<i64> = VERBS.iter().map(|it| it.0.number()).collect();
        numbers.dedup();
        assert_eq!(numbers, (0..11).collect::<Vec<i64>>());
    }

    #[test]
    fn events_of_games_are_told_in_words() {
        let fields = [("card", text("Rhino")), ("player", text("p1")), ("amount", Payload::Number(3))];
        check("CardHealed", Status::Applied, "", &fields, "p1: card healed amount 3, card Rhino");
        check("HealCard", Status::Pending, "", &fields, "p1: heal card (on the stack) amount 3, card Rhino");
        check("CardHealed", Status::Applied, "{card} gains {amount}.", &fields, "Rhino gains 3.");
        check("TurnStart", Status::Applied, "", &[("player", text("p1")), ("turn", Payload::Number(3))], "Turn 3: p1.");
    }

    #[test]
    fn every_event_has_a_cue() {
        assert_eq!(cue("CardMoved"), "card_moved");
    }
}
