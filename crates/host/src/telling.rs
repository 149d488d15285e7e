//! Events in words for those who play: what a log calls `CardMoved card=Rhino from=deck player=p1 to=hand`.
//!
//! Only for screens: what is stored, hashed and sent keeps the words of the rules.

use std::collections::BTreeMap;

use engine::{Control, EventNo, InputNo, PlayerId};
use script::view::{EventView, text_of};
use selector::Value;

/// A verb without what it is about, to be known by its number.
const VERBS: [Control; 11] = [
    Control::Concede(PlayerId(0)),
    Control::Timeout(InputNo(0)),
    Control::Timer,
    Control::Disconnect(PlayerId(0)),
    Control::Reconnect(PlayerId(0)),
    Control::Pause,
    Control::Resume,
    Control::DropItem(EventNo(0)),
    Control::Void,
    Control::Kick(PlayerId(0)),
    Control::SetResult(0),
];

/// An event as a player hears of it; none for what is no news to him. The text is that of the event, which stays where
/// a game has words of its own.
pub fn tell(kind: &str, fields: &BTreeMap<String, Value>, text: &str) -> Option<String> {
    let field = |name: &str| fields.get(name).map(text_of).unwrap_or_default();
    match kind {
        _ if text != EventView::plain_text(kind, fields) => Some(text.to_owned()),
        // The table says which step it is, and the end of one is the beginning of the next.
        "StepStart" | "StepEnd" | "TurnEnd" | "GameEnded" => None,
        "GameStart" => Some("the match begins".to_owned()),
        "TurnStart" => Some(format!("--- turn {}: {} ---", field("turn"), field("player"))),
        "PhaseChanged" => Some(format!("-- {}", field("to"))),
        "ControlUsed" => controlled(fields),
        _ => Some(plain(kind, fields)),
    }
}

/// An event of the game: who, what, and with what.
fn plain(kind: &str, fields: &BTreeMap<String, Value>) -> String {
    let who = fields.get("player").map(|it| format!("{}: ", text_of(it))).unwrap_or_default();
    let details = fields.iter().filter(|it| *it.0 != "player").map(|(name, it)| format!(" {name} {}", text_of(it)));
    let details: Vec<String> = details.collect();
    format!("{who}{}{}", words_of(kind), details.join(","))
}

/// `card moved` for `CardMoved`.
fn words_of(kind: &str) -> String {
    let mut words = String::new();
    for it in kind.chars() {
        if it.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(it.to_lowercase());
    }
    words
}

/// What the host or a moderator did.
fn controlled(fields: &BTreeMap<String, Value>) -> Option<String> {
    let Some(Value::Integer(number)) = fields.get("verb") else { return None };
    let verb = VERBS.iter().find(|it| it.number() == *number)?;
    let player = fields.get("player").map_or_else(|| "somebody".to_owned(), text_of);
    control_words(verb, &player)
}

fn control_words(verb: &Control, player: &str) -> Option<String> {
    Some(match verb {
        Control::Concede(_) => format!("{player} concedes"),
        Control::Timeout(_) => "the time to answer is up".to_owned(),
        // A pause of the rules that ends is no news: what comes next is.
        Control::Timer => return None,
        Control::Disconnect(_) => format!("{player} has lost the connection"),
        Control::Reconnect(_) => format!("{player} is back"),
        Control::Pause => "a moderator lets the match stand still".to_owned(),
        Control::Resume => "the match goes on".to_owned(),
        Control::DropItem(_) => "a moderator takes something from the stack".to_owned(),
        Control::Void => "the match does not count any more".to_owned(),
        Control::Kick(_) => format!("{player} is out"),
        Control::SetResult(_) => "a moderator ends the match".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, fields: &[(&str, Value)], expected: Option<&str>) {
        let fields = fields.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
        let text = EventView::plain_text(kind, &fields);
        assert_eq!(tell(kind, &fields, &text).as_deref(), expected, "{text}");
    }

    #[test]
    fn what_the_host_does_is_told_in_words() {
        let told = [
            (Control::Concede(PlayerId(1)), Some("p2 concedes")),
            (Control::Disconnect(PlayerId(1)), Some("p2 has lost the connection")),
            (Control::Reconnect(PlayerId(1)), Some("p2 is back")),
            (Control::Timer, None),
        ];
        for (verb, expected) in told {
            check("ControlUsed", &[("player", "p2".into()), ("verb", verb.number().into())], expected);
        }
        check(
            "ControlUsed",
            &[("verb", Control::Timeout(InputNo(7)).number().into())],
            Some("the time to answer is up"),
        );
    }

    #[test]
    fn every_verb_has_a_number_of_its_own() {
        let mut numbers: Vec<i64> = VERBS.iter().map(Control::number).collect();
        numbers.dedup();
        assert_eq!(numbers, (0..11).collect::<Vec<i64>>());
    }

    #[test]
    fn events_of_games_are_told_in_words() {
        let moved = [("card", "Rhino".into()), ("from", "deck".into()), ("player", "p1".into()), ("to", "hand".into())];
        check("CardMoved", &moved, Some("p1: card moved card Rhino, from deck, to hand"));
        check("TurnStart", &[("player", "p1".into()), ("turn", 3.into())], Some("--- turn 3: p1 ---"));
        check("StepEnd", &[("step", "main1".into())], None);
    }

    #[test]
    fn a_game_with_words_of_its_own_keeps_them() {
        assert_eq!(tell("Bid", &BTreeMap::new(), "p1 bids 0").as_deref(), Some("p1 bids 0"));
    }
}
