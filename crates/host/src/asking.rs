//! Questions in the words of the contract: every choice under a Ref, long lists in pages, and answers read back.

use selector::{Choice as RawChoice, Kind, Label, LabelRef, Options, Pick as Picked, Response, Selector as Raw, Value};
use view::{Choice, Ref, Selector, SelectorType};

use crate::refused::Refused;

/// How many choices a prompt or page lists at most.
pub const PAGE_MAX: usize = 200;

/// A selector whose choices all have a Ref as their id, unique within their list.
pub fn with_refs(selector: &Raw) -> Raw {
    Raw { options: options_with_refs(&selector.options), ..selector.clone() }
}

fn options_with_refs(options: &Options) -> Options {
    let mut used: Vec<String> = Vec::new();
    let mut named = |it: &RawChoice| {
        let id = match (&it.id, it.title.as_ref()) {
            (Some(id), _) => id.to_string(),
            (None, Some(title)) => ref_of_title(title),
            (None, None) => "text:".to_owned(),
        };
        let n_before = used.iter().filter(|it| **it == id).count();
        used.push(id.clone());
        let id = if n_before == 0 { id } else { format!("{id}#{}", n_before + 1) };
        let nested = it.nested.as_ref().map(options_with_refs);
        let number = it.id.as_ref().or(it.title.as_ref()).and_then(whole).filter(|_| n_before == 0);
        let label = number.map_or_else(|| Label::from(id.as_str()), Label::from);
        RawChoice { nested, ..it.clone().with_id(label) }
    };
    Options { choices: options.choices.iter().map(&mut named).collect(), ..options.clone() }
}

/// The Ref of a choice that only has a title.
fn ref_of_title(title: &Label) -> String {
    let text = title.to_string();
    match text.parse::<Ref>() {
        Ok(Ref::Player(_) | Ref::Yes | Ref::No) => text,
        _ if whole(title).is_some() => text,
        _ => format!("text:{text}"),
    }
}

fn whole(label: &Label) -> Option<i64> {
    if let LabelRef::Integer(number) = label.as_ref() { Some(number) } else { None }
}

/// `[least, greatest, step]`, if the choices are numbers at equal distances.
fn range(options: &Options) -> Option<[i64; 3]> {
    let plain = |it: &RawChoice| it.nested.is_none() && !it.exclusive;
    let numbers: Vec<i64> = options
        .choices
        .iter()
        .map(|it| it.id.as_ref().and_then(whole).filter(|number| plain(it) && is_called(it, *number)))
        .collect::<Option<_>>()?;
    let [first, second, ..] = numbers.as_slice() else { return None };
    let step = second.checked_sub(*first).filter(|it| *it > 0)?;
    let is_even = numbers.windows(2).all(|it| it[1].checked_sub(it[0]) == Some(step));
    is_even.then(|| [*first, numbers.last().copied().unwrap_or(*first), step])
}

fn is_called(choice: &RawChoice, number: i64) -> bool {
    choice.title.as_ref().is_none_or(|it| whole(it) == Some(number))
}

/// A selector as clients read it; a long list is cut, and `next` says where `choices.query` goes on.
pub fn wire(selector: &Raw, cursor: impl Fn(usize) -> String) -> Selector {
    let bounds = selector.bounds();
    let range = range(&selector.options);
    let all = selector.options.choices.iter().filter(|_| range.is_none());
    let choices: Vec<Choice> = all.take(PAGE_MAX).map(choice).collect();
    let is_lazy = range.is_none() && selector.options.choices.len() > PAGE_MAX;
    Selector {
        title: selector.title.as_ref().map(ToString::to_string).unwrap_or_default(),
        kind: (selector.options.kind == Kind::Action).then_some(SelectorType::Action),
        min: bounds.min,
        max: bounds.max,
        next: is_lazy.then(|| cursor(choices.len())),
        choices,
        range,
        ordered: false,
        blank: false,
        is_lazy,
    }
}

/// One choice as clients read it.
pub fn choice(it: &RawChoice) -> Choice {
    let id = it.id.as_ref().map(ToString::to_string).unwrap_or_default();
    let number = it.id.as_ref().and_then(whole).map(Ref::Number);
    let id = number.unwrap_or_else(|| id.parse().unwrap_or(Ref::Named(view::Kind::Text, id)));
    let title = it.title.as_ref().or(it.id.as_ref()).map(ToString::to_string).unwrap_or_default();
    let bounds = it.nested.as_ref().map(Options::bounds);
    Choice {
        exclusive: it.exclusive,
        choices: it.nested.as_ref().map(|it| it.choices.iter().map(choice).collect()),
        min: bounds.map(|it| it.min),
        max: bounds.map(|it| it.max),
        ..Choice::new(id, title)
    }
}

/// What an answer picks from a selector whose choices have Refs.
pub fn picks(selector: &Raw, selection: &Value) -> Result<Vec<Picked>, Refused> {
    if selector.options.kind == Kind::Action {
        return Ok(Vec::new());
    }
    let Some(items) = selection.as_list() else {
        return Err(Refused::wrong_type("/answers/selection", "selection is a list of Refs"));
    };
    let items = named_items(&selector.options, items, "/answers/selection")?;
    let response = Response { title: selector.title.clone(), selection: Value::List(items), ..Response::default() };
    selector.resolve(&response).map_err(Refused::of_answer)
}

/// Items by the ids of the choices they mean; titles are short forms.
fn named_items(options: &Options, items: &[Value], place: &str) -> Result<Vec<Value>, Refused> {
    let item = |(at, it): (usize, &Value)| named_item(options, it, &format!("{place}/{at}"));
    items.iter().enumerate().map(item).collect()
}

fn named_item(options: &Options, item: &Value, place: &str) -> Result<Value, Refused> {
    if let Some(label) = item.as_label() {
        let wanted = Value::from(label.to_label());
        return Ok(match find(options, &wanted, place)? {
            Some(choice) => choice.picked(None),
            None => Value::object([("id", wanted)]),
        });
    }
    let Value::Object(fields) = item else {
        return Err(Refused::wrong_type(place, "a pick is a Ref, or an object with id and selection"));
    };
    if let Some(stray) = fields.keys().find(|it| !["id", "title", "selection"].contains(&it.as_str())) {
        return Err(Refused::unknown_field(&format!("{place}/{stray}")));
    }
    let Some(wanted) = item.field("id").or_else(|| item.field("title")) else {
        return Err(Refused::missing_field(&format!("{place}/id"), "a pick names what it picks by id"));
    };
    let Some(choice) = find(options, wanted, place)? else { return Ok(Value::object([("id", wanted.clone())])) };
    let inner = match (&choice.nested, item.field("selection")) {
        (Some(nested), Some(selection)) => {
            let place = format!("{place}/selection");
            let items =
                selection.as_list().ok_or_else(|| Refused::wrong_type(&place, "selection is a list of Refs"))?;
            Some(Value::List(named_items(nested, items, &place)?))
        }
        (None, Some(_)) => return Err(Refused::unknown_field(&format!("{place}/selection"))),
        (_, None) => None,
    };
    Ok(choice.picked(inner))
}

/// The choice of this Ref, else the only one of this title.
fn find<'o>(options: &'o Options, wanted: &Value, place: &str) -> Result<Option<&'o RawChoice>, Refused> {
    let is = |label: Option<&Label>| label.is_some_and(|it| it.to_string() == wanted.to_string());
    if let Some(choice) = options.choices.iter().find(|it| is(it.id.as_ref())) {
        return Ok(Some(choice));
    }
    let titled: Vec<&RawChoice> = options.choices.iter().filter(|it| is(it.title.as_ref())).collect();
    match titled.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        [..] => Err(Refused::ambiguous_title(place, &wanted.to_string())),
    }
}
