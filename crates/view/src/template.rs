//! Sentences with places: MessageFormat with placeholders, `plural` and `select`.
//!
//! `{target} takes {amount}.`, `{n, plural, =0 {no cards} one {a card} other {# cards}}`,
//! `{who, select, p1 {first} other {another}}`. A quote before a brace, `'{`, takes it as it is.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

/// What fills a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling {
    /// A number, which `plural` counts.
    Number(i64),
    /// Words.
    Text(String),
    /// Several, told as a list.
    List(Vec<String>),
}

/// How deep braces may lie in each other.
const DEPTH_MAX: u8 = 8;

/// A template with its places filled. A place that nothing fills stays empty, as does what is written wrongly.
pub fn fill(template: &str, filling: &dyn Fn(&str) -> Option<Filling>) -> String {
    fill_within(template, filling, None, 0)
}

fn fill_within(template: &str, filling: &dyn Fn(&str) -> Option<Filling>, count: Option<i64>, depth: u8) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '#', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(after) = from.strip_prefix('\'') {
            let quoted = after.chars().next().filter(|it| matches!(it, '{' | '}' | '#' | '\''));
            out.push(quoted.unwrap_or('\''));
            rest = after.get(quoted.map_or(0, char::len_utf8)..).unwrap_or_default();
        } else if let Some(after) = from.strip_prefix('#') {
            match count {
                Some(count) => out.push_str(&count.to_string()),
                None => out.push('#'),
            }
            rest = after;
        } else {
            let (place, after) = braced(from);
            if depth < DEPTH_MAX {
                out.push_str(&fill_place(place, filling, depth.saturating_add(1)));
            }
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// What stands in the braces a text begins with, and what comes after them.
fn braced(text: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    let mut is_quoted = false;
    for (at, it) in text.char_indices() {
        match it {
            _ if is_quoted => is_quoted = false,
            '\'' => is_quoted = true,
            '{' => depth = depth.saturating_add(1),
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let inner = text.get(1..at).unwrap_or_default();
                    return (inner, text.get(at.saturating_add(1)..).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    (text.get(1..).unwrap_or_default(), "")
}

fn fill_place(place: &str, filling: &dyn Fn(&str) -> Option<Filling>, depth: u8) -> String {
    let mut parts = place.splitn(3, ',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let value = filling(name);
    let (Some(form), Some(cases)) = (parts.next(), parts.next()) else {
        return value.map_or_else(String::new, shown);
    };
    let count = match &value {
        Some(Filling::Number(number)) => Some(*number),
        Some(Filling::List(items)) => i64::try_from(items.len()).ok(),
        Some(Filling::Text(_)) | None => None,
    };
    let wanted = match (form, count) {
        ("plural", Some(1)) => "one".to_owned(),
        ("plural", _) => "other".to_owned(),
        _ => value.map_or_else(String::new, shown),
    };
    let exact = count.map(|it| ["=", &it.to_string()].concat()).unwrap_or_default();
    let cases = cases_of(cases);
    let find = |key: &str| cases.iter().find(|it| it.0 == key).map(|it| it.1);
    let case = find(&exact).or_else(|| find(&wanted)).or_else(|| find("other"));
    case.map_or_else(String::new, |it| fill_within(it, filling, count, depth))
}

/// The cases of a plural or select, by their keys.
fn cases_of(text: &str) -> Vec<(&str, &str)> {
    let mut cases = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (key, from) = rest.split_at(at);
        let (inner, after) = braced(from);
        cases.push((key.trim(), inner));
        rest = after;
    }
    cases
}

fn shown(filling: Filling) -> String {
    match filling {
        Filling::Number(number) => number.to_string(),
        Filling::Text(text) => text,
        Filling::List(items) => match items.split_last() {
            None => "nothing".to_owned(),
            Some((only, [])) => only.clone(),
            Some((last, others)) => [others.join(", ").as_str(), " and ", last].concat(),
        },
    }
}

/// The names of the places in a template.
pub fn places(template: &str) -> Vec<String> {
    let names = core::cell::RefCell::new(Vec::new());
    let note = |name: &str| {
        names.borrow_mut().push(name.to_owned());
        None
    };
    fill(template, &note);
    names.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: &str) {
        let filling = |name: &str| match name {
            "one" => Some(Filling::Number(1)),
            "three" => Some(Filling::Number(3)),
            "zero" => Some(Filling::Number(0)),
            "card" => Some(Filling::Text("Hawk".to_owned())),
            "cards" => Some(Filling::List(["Hawk", "Ogre", "Bolt"].map(str::to_owned).to_vec())),
            "none" => Some(Filling::List(Vec::new())),
            _ => None,
        };
        assert_eq!(fill(template, &filling), expected);
    }

    #[test]
    fn places_are_filled() {
        check("{card} takes {three}.", "Hawk takes 3.");
        check("{cards}; {none}; {missing}.", "Hawk, Ogre and Bolt; nothing; .");
    }

    #[test]
    fn plural_and_select_choose_a_case() {
        let cards = "=0 {no cards} one {a card} other {# cards}";
        check(&["{zero, plural, ", cards, "}"].concat(), "no cards");
        check(&["{one, plural, ", cards, "}"].concat(), "a card");
        check(&["{three, plural, ", cards, "}"].concat(), "3 cards");
        check(&["{cards, plural, ", cards, "}"].concat(), "3 cards");
        check("{card, select, Hawk {a bird {three}} other {a beast}}", "a bird 3");
        check("{missing, select, Hawk {a bird} other {a beast}}", "a beast");
    }

    #[test]
    fn quotes_take_braces_as_they_are() {
        check("'{card'} isn't #1", "{card} isn't #1");
    }

    #[test]
    fn what_is_written_wrongly_breaks_nothing() {
        for text in ["{", "}", "{card", "{a, plural", "{a, plural, one", "{{{{{{{{{{{{{{{{{{{{", "'"] {
            fill(text, &|_| None);
        }
    }

    #[test]
    fn the_places_of_a_template_are_known() {
        assert_eq!(places("{card} takes {three} {n, plural, other {x}}"), ["card", "three", "n"]);
    }
}
