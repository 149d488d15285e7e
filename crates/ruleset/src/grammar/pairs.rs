//! Keys that only mean something beside others, or not beside others: written where they do nothing, they are refused.

/// When a key of an object or operation does something.
#[derive(Debug)]
pub struct Pair {
    /// The object or operation, by its name.
    pub of: &'static str,
    pub keys: &'static [&'static str],
    pub beside: Beside,
}

/// What must stand beside a key.
#[derive(Clone, Copy, Debug)]
pub enum Beside {
    /// This key.
    Needs(&'static str),
    /// None of these keys, which would count instead.
    Not(&'static [&'static str]),
    /// A key with this word; the flag says whether that is its default.
    Word(&'static str, &'static str, bool),
}

use Beside::{Needs, Not, Word};

const fn pair(of: &'static str, keys: &'static [&'static str], beside: Beside) -> Pair {
    Pair { of, keys, beside }
}

/// All of them.
#[rustfmt::skip]
pub static PAIRS: &[Pair] = &[
    pair("ask", &["any"], Needs("players")),
    pair("ask", &["player"], Not(&["players"])),
    pair("ask", &["max"], Not(&["count"])),
    pair("ask", &["default"], Word("onTimeout", "default", false)),
    pair("ask", &["untilDeadline"], Needs("deadlineMs")),
    pair("choose_mode", &["min", "max"], Not(&["count"])),
    pair("modify", &["set"], Not(&["add"])),
    pair("modify", &["grant"], Not(&["add", "set"])),
    pair("modify", &["lose"], Not(&["add", "set", "grant"])),
    pair("modify", &["loseAbility"], Not(&["add", "set", "grant", "lose"])),
    pair("modify", &["attribute"], Not(&["grant", "lose", "loseAbility"])),
    pair("ability", &["affects"], Not(&["when"])),
    pair("ability", &["attribute", "add", "set", "grant", "lose"], Needs("affects")),
    pair("ability", &["set"], Not(&["add"])),
    pair("ability", &["grant"], Not(&["add", "set"])),
    pair("ability", &["lose"], Not(&["add", "set", "grant"])),
    pair("ability", &["attribute"], Not(&["grant", "lose"])),
    pair("ability", &["timing", "canPrevent", "preventionConditions"], Needs("when")),
    pair("ability", &["targets", "costs", "effects", "optional", "prompt", "limiters", "triggers"], Not(&["affects"])),
    pair("limiters", &["oncePerTurn"], Not(&["maxPerTurn"])),
    pair("param", &["of"], Word("type", "ability", false)),
    pair("param", &["modes"], Word("type", "mode", false)),
    pair("param", &["min", "max"], Word("type", "int", true)),
    pair("define", &["type"], Word("kind", "value", false)),
    pair("action", &["refundOnPrevent"], Needs("costs")),
    pair("event", &["fanOut"], Needs("subject")),
    pair("zone", &["overflow"], Needs("capacity")),
    pair("selector", &["players"], Not(&["zone"])),
    pair("selector", &["stack"], Not(&["zone", "players"])),
    pair("selector", &["definitions"], Not(&["zone", "players", "stack"])),
    pair("selector", &["from"], Not(&["zone", "players", "stack", "definitions"])),
    pair("selector", &["controller"], Not(&["owner", "players"])),
    pair("selector", &["owner"], Not(&["players"])),
    pair("selector", &["type", "keyword", "card"], Not(&["players", "stack", "definitions"])),
    pair("selector", &["lowest"], Not(&["highest"])),
    pair("selector", &["min", "max"], Not(&["count"])),
];
