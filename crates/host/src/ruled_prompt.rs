//! How a decision of a ruleset is put to a player: what he reads, and what a client lights up.

use engine::{Match, question::PendingInput};
use ruleset::text::Label;
use selector::{Choice, Selector};

use crate::{hosted::Prompt, ui};

/// The prompt of a question.
pub fn question(live: &Match, pending: &PendingInput) -> Prompt {
    let text = &live.ruleset().program().text;
    let ask = live.state().ask(pending.id).and_then(|it| text.asks.get(it.ask.index()));
    let words = if pending.prompt.is_empty() { pending.kind.as_str().to_owned() } else { pending.prompt.clone() };
    let mut highlights = Vec::new();
    pending.selector.options.choices.iter().for_each(|it| collect(it, &mut highlights));
    Prompt { text: words, hint: String::new(), highlights, ui: ask.and_then(|it| it.ui.as_ref()).map(ui::value) }
}

/// The prompt of somebody who may act: what his step, or else his phase, says to new players.
pub fn priority(live: &Match, selector: &Selector) -> Prompt {
    let program = live.ruleset().program();
    let step = live.state().head.step;
    let phase = program.step(step).and_then(|it| program.text.phases.get(it.phase.index()));
    let labels: Vec<&Label> = program.text.steps.get(step.index()).into_iter().chain(phase).collect();
    let hint = labels.iter().map(|it| it.hint.clone()).find(|it| !it.is_empty()).unwrap_or_default();
    let name = labels.first().map_or_else(String::new, |it| it.name.clone());
    let cue = labels.iter().find_map(|it| it.ui.as_ref()).map(ui::value);
    let mut highlights = Vec::new();
    selector.options.choices.iter().for_each(|it| collect(it, &mut highlights));
    Prompt { text: name, hint, highlights, ui: cue }
}

/// The names of cards, players and rows of the stack among choices.
fn collect(choice: &Choice, into: &mut Vec<String>) {
    let id = choice.id.as_ref().map(ToString::to_string).unwrap_or_default();
    let is_thing = |it: &str| {
        let digits = it.strip_prefix(['c', 'p', 'e']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    for id in id.split('+').filter(|it| is_thing(it)) {
        if !into.iter().any(|it| it == id) {
            into.push(id.to_owned());
        }
    }
    let inner = choice.nested.iter().flat_map(|it| &it.choices);
    inner.for_each(|it| collect(it, into));
}
