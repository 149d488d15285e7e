//! Reads an answer from lines of text: choices are numbered, groups are asked one after the other.

use selector::{Bounds, Choice, Kind, Options, Response, Selector, Value};

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
pub fn read_response<C: Console>(console: &mut C, selector: &Selector, title: &str) -> Result<Response, C::Error> {
    let mut picker = Picker::new(selector, title);
    loop {
        picker.choices().iter().for_each(|it| console.show(it));
        loop {
            let line = console.ask(&format!("{} > ", picker.prompt()))?;
            match picker.pick(&line) {
                Picked::More => break,
                Picked::Done(response) => return Ok(response),
                Picked::Wrong(why) => console.show(&format!("  {why}")),
            }
        }
    }
}

/// An answer in the making: what is picked inside a group is asked before what comes after it.
#[derive(Clone, Debug)]
pub struct Picker {
    selector: Selector,
    title: String,
    /// The groups that are open, the outermost first.
    levels: Vec<Level>,
}

/// One list of choices.
#[derive(Clone, Debug)]
struct Level {
    title: String,
    options: Options,
    /// What was picked and is not looked into yet, the last first.
    ahead: Vec<Choice>,
    /// The group that is looked into.
    inside: Option<Choice>,
    values: Vec<Value>,
}

/// What a line led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The next list is to be shown.
    More,
    /// The answer is complete.
    Done(Response),
    /// The line picks nothing, for this reason.
    Wrong(String),
}

impl Level {
    fn new(title: &str, options: &Options) -> Self {
        let title = title.to_owned();
        Self { title, options: options.clone(), ahead: Vec::new(), inside: None, values: Vec::new() }
    }
}

impl Picker {
    /// Begins an answer to a question that is called so.
    pub fn new(selector: &Selector, title: &str) -> Self {
        let levels = vec![Level::new(title, &selector.options)];
        Self { selector: selector.clone(), title: title.to_owned(), levels }
    }

    /// Whether a group is being looked into.
    pub fn is_inside(&self) -> bool {
        self.levels.len() > 1
    }

    /// Whether picking nothing is an answer now.
    pub fn takes_nothing(&self) -> bool {
        self.levels.last().is_some_and(|it| it.options.kind == Kind::Action || it.options.bounds().min == 0)
    }

    /// Forgets what was picked so far.
    pub fn begin_again(&mut self) {
        self.levels = vec![Level::new(&self.title, &self.selector.options)];
    }

    /// The list as lines.
    pub fn choices(&self) -> Vec<String> {
        let choices = self.levels.last().map_or(&[][..], |it| &it.options.choices);
        let line = |(number, choice): (usize, &Choice)| {
            let mark = if choice.exclusive { " (alone)" } else { "" };
            let more = if choice.nested.is_some() { " ..." } else { "" };
            format!("  {number} {}{more}{mark}", name(choice))
        };
        (1..).zip(choices).map(line).collect()
    }

    /// What is asked, and what can be typed.
    pub fn prompt(&self) -> String {
        let Some(level) = self.levels.last() else { return String::new() };
        if level.options.kind == Kind::Action {
            return format!("{} [any words]", level.title);
        }
        let back = if self.is_inside() { ", back" } else { "" };
        format!("{} [{}{back}]", level.title, how_many(level.options.bounds(), level.options.choices.len()))
    }

    /// Takes a line: numbers, or the name of a choice; `back` leaves all groups.
    pub fn pick(&mut self, line: &str) -> Picked {
        let line = line.trim();
        if self.is_inside() && line.eq_ignore_ascii_case("back") {
            self.begin_again();
            return Picked::More;
        }
        let Some(level) = self.levels.last_mut() else { return Picked::More };
        if level.options.kind == Kind::Action {
            level.values = line.split_whitespace().map(Value::from).collect();
            return self.go_on();
        }
        let picked = match find(line, &level.options.choices) {
            Ok(picked) => picked,
            Err(why) => return Picked::Wrong(why),
        };
        let (bounds, n_picked) = (level.options.bounds(), u32::try_from(picked.len()).unwrap_or(u32::MAX));
        if n_picked < bounds.min || n_picked > bounds.max {
            return Picked::Wrong(format!("pick {}, not {n_picked}", how_many(bounds, level.options.choices.len())));
        }
        level.ahead = picked.into_iter().rev().cloned().collect();
        self.go_on()
    }

    /// Looks into the next group, or closes those that are complete.
    fn go_on(&mut self) -> Picked {
        while let Some(level) = self.levels.last_mut() {
            match level.ahead.pop() {
                Some(choice) => match &choice.nested {
                    Some(nested) => {
                        let inner = Level::new(&name(&choice), nested);
                        level.inside = Some(choice);
                        self.levels.push(inner);
                        return Picked::More;
                    }
                    None => level.values.push(choice.picked(None)),
                },
                None => {
                    let values = Value::List(std::mem::take(&mut level.values));
                    self.levels.pop();
                    let Some(outer) = self.levels.last_mut() else { return self.done(values) };
                    outer.values.extend(outer.inside.take().map(|it| it.picked(Some(values))));
                }
            }
        }
        Picked::More
    }

    fn done(&mut self, selection: Value) -> Picked {
        self.begin_again();
        Picked::Done(Response { selection, ..Response::to(&self.selector, Vec::<Value>::new()) })
    }
}

/// How many of how many.
fn how_many(Bounds { min, max }: Bounds, n_choices: usize) -> String {
    let all = if n_choices == 1 { "1".to_owned() } else { format!("1-{n_choices}") };
    match (min, max) {
        (1, 1) => all,
        (0, _) => format!("up to {max} of {all}, or Enter for none"),
        (min, max) if min == max => format!("{min} of {all}"),
        (min, max) => format!("{min} to {max} of {all}"),
    }
}

/// The choices a line names; or why it names none.
fn find<'c>(line: &str, choices: &'c [Choice]) -> Result<Vec<&'c Choice>, String> {
    // A choice may be called 7 and be the first; a number is always its place.
    let is_number = line.chars().all(|it| it.is_ascii_digit() || it.is_whitespace() || it == ',');
    let is_called = |it: &&Choice| !is_number && name(it).eq_ignore_ascii_case(line);
    let called: Vec<&Choice> = choices.iter().filter(is_called).collect();
    match called.as_slice() {
        [only] => return Ok(vec![only]),
        [] => {}
        [..] => return Err(format!("there are several of these; say which by its number: {line}")),
    }
    let words = line.split(|it: char| it.is_whitespace() || it == ',').filter(|it| !it.is_empty());
    let number = |it: &str| it.parse::<usize>().ok().and_then(|n| choices.get(n.checked_sub(1)?));
    words.map(|it| number(it).ok_or_else(|| format!("{it} is not among 1-{}", choices.len()))).collect()
}

fn name(choice: &Choice) -> String {
    choice.title.as_ref().or(choice.id.as_ref()).map(ToString::to_string).unwrap_or_default()
}
