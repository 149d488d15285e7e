//! What a player may be called: something that others can see, and that changes nothing around it on their screens.

use unicode_properties::{GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory as _};

/// How many characters a nickname has at most.
pub const NICKNAME_MAX: usize = 32;

/// What is allowed, for who chose something else.
pub const ALLOWED: &str = "a nickname has 1 to 32 letters, digits, signs or emoji that can be seen, with single spaces \
                           between them; no control, invisible, private-use or unassigned characters";

/// Whether a player may be called so.
pub fn is_fine(text: &str) -> bool {
    let has_room = (1..=NICKNAME_MAX).contains(&text.chars().count());
    // A mark at the beginning would sit on whatever a client writes before the name.
    let begins_well = text.chars().next().is_some_and(|it| it.general_category_group() != Group::Mark);
    has_room && begins_well && text.split(' ').all(|word| !word.is_empty() && word.chars().all(is_seen))
}

/// Whether a character shows something; the one space between words is none of these.
fn is_seen(it: char) -> bool {
    let is_shown = match it.general_category_group() {
        Group::Letter | Group::Mark | Group::Number | Group::Punctuation | Group::Symbol => true,
        Group::Separator | Group::Other => false,
    };
    is_shown && it.general_category() != Category::EnclosingMark && !is_blank(it)
}

/// Letters, marks and signs by their category, of which nothing is seen: the joiner and selectors that Unicode calls
/// default-ignorable, fillers of Hangul, and the empty pattern of Braille.
fn is_blank(it: char) -> bool {
    matches!(it,
        '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::is_fine;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_fine(text), expected, "{}", text.escape_unicode());
    }

    #[test]
    fn names_of_all_languages_are_fine() {
        for text in ["Ann", "Ann the 2nd", "Zoë", "Jose\u{301}", "Łukasz", "李雷", "अमृता", "مريم", "🐉", "x_X-9!"]
        {
            check(text, true);
        }
    }

    #[test]
    fn what_is_not_seen_or_moves_what_is_around_it_is_refused() {
        let odd = [
            "A\u{7}",
            "A\u{9}B",
            "A\nB",
            "A\u{9b}", // control
            "A\u{200b}",
            "A\u{202e}B",
            "A\u{2066}B",
            "\u{feff}A",
            "A\u{ad}B",
            "A\u{200d}B",
            "A\u{e0041}", // format
            "A\u{e000}",
            "A\u{10fffd}", // private use
            "A\u{378}",
            "A\u{ffff}", // unassigned
            "A\u{2028}B",
            "A\u{a0}B",
            "A\u{3000}B", // other spaces
            "\u{3164}",
            "A\u{115f}",
            "A\u{2800}B",
            "A\u{fe0f}",
            "A\u{34f}B", // letters and signs that show nothing
            "\u{301}A",
            "A\u{20dd}", // marks that cover others
        ];
        for text in odd {
            check(text, false);
        }
    }

    #[test]
    fn spaces_stand_alone_and_between_words() {
        for text in ["", " ", " Ann", "Ann ", "Ann  B"] {
            check(text, false);
        }
    }

    #[test]
    fn thirty_two_characters_are_enough() {
        check(&"ü".repeat(32), true);
        check(&"a".repeat(33), false);
    }
}
