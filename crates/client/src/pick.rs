//! Reads an answer from lines of text: choices are numbered, groups are asked one after the other.

use selector::{Choice, Kind, Options, Response, Selector, Value};

/// Where lines come from and go to.
pub trait Console {
    /// Why a line could not be had.
    type Error;

    /// Shows a line.
    fn show(&mut self, line: &str);

    /// Asks for a line.
    fn ask(&mut self, prompt: &str) -> Result<String, Self::Error>;
}

/// Shows what can be answered and reads what is picked.
pub fn read_response<C: Console>(console: &mut C, selector: &Selector) -> Result<Response, C::Error> {
    let title = selector.title.as_ref().map(ToString::to_string).unwrap_or_default();
    let selection = read_selection(console, &format!("{}: {title}", selector.actor), &selector.options)?;
    Ok(Response { selection, ..Response::to(selector, Vec::<Value>::new()) })
}

/// The choices of a line of numbers; or the first word that is none of them.
fn pick_numbers<'c>(line: &str, choices: &'c [Choice]) -> Result<Vec<&'c Choice>, String> {
    let words = line.split(|it: char| it.is_whitespace() || it == ',').filter(|it| !it.is_empty());
    let find = |it: &str| it.parse::<usize>().ok().and_then(|n| choices.get(n.checked_sub(1)?));
    words.map(|it| find(it).ok_or_else(|| it.to_owned())).collect()
}

/// Lists choices and reads their numbers.
fn read_selection<C: Console>(console: &mut C, title: &str, options: &Options) -> Result<Value, C::Error> {
    if options.kind == Kind::Action {
        let line = console.ask(&format!("{title} > "))?;
        return Ok(Value::List(line.split_whitespace().map(Value::from).collect()));
    }
    let bounds = options.bounds();
    for (number, choice) in (1..).zip(&options.choices) {
        let mark = if choice.exclusive { " (alone)" } else { "" };
        let more = if choice.nested.is_some() { " ..." } else { "" };
        console.show(&format!("  {number} {}{more}{mark}", name(choice)));
    }
    let picked = loop {
        let line = console.ask(&format!("{title} ({}-{}) > ", bounds.min, bounds.max))?;
        match pick_numbers(&line, &options.choices) {
            Ok(picked) => break picked,
            Err(word) => console.show(&format!("  {word} is not among 1-{}", options.choices.len())),
        }
    };
    let mut values = Vec::new();
    for choice in picked {
        let inside = match &choice.nested {
            Some(nested) => Some(read_selection(console, &name(choice), nested)?),
            None => None,
        };
        values.push(choice.picked(inside));
    }
    Ok(Value::List(values))
}

fn name(choice: &Choice) -> String {
    choice.title.as_ref().or(choice.id.as_ref()).map(ToString::to_string).unwrap_or_default()
}
