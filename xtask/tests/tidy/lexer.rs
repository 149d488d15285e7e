//! Takes Rust apart as far as tidy needs: code without comments and texts, and its words.

/// Returns the code with comments and the insides of texts blanked out; lines stay where they are.
pub fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while !rest.is_empty() {
        let n_skipped = skipped_len(rest);
        let (skipped, after) = rest.split_at(n_skipped);
        code.extend(
            skipped
                .chars()
                .map(|it| if it == '\n' { '\n' } else { ' ' }),
        );
        let n_kept = if n_skipped > 0 { 0 } else { kept_len(after) };
        let (kept, after) = after.split_at(n_kept);
        code.push_str(kept);
        rest = after;
    }
    code
}

/// Returns the code before the first test module.
pub fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]").next().unwrap_or(code)
}

/// Returns the identifiers with the number of their line.
pub fn identifiers(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_inside = |it: char| it.is_alphanumeric() || it == '_';
    (1..).zip(code.lines()).flat_map(move |(line, text)| {
        let words = text.split(move |it: char| !is_inside(it));
        words.filter(|it| !it.is_empty()).map(move |it| (line, it))
    })
}

/// How much of the start is a comment, a text or a character.
fn skipped_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_len(rest);
    }
    raw_text_len(rest)
        .or_else(|| text_len(rest))
        .or_else(|| character_len(rest))
        .unwrap_or(0)
}

/// How much of the start is a word or one other character.
fn kept_len(rest: &str) -> usize {
    let word = rest
        .find(|it: char| !it.is_alphanumeric() && it != '_')
        .unwrap_or(rest.len());
    word.max(rest.chars().next().map_or(0, char::len_utf8))
}

fn block_comment_len(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        let step = here.chars().next().map_or(1, char::len_utf8);
        let (change, step) = match here {
            _ if here.starts_with("/*") => (1, 2),
            _ if here.starts_with("*/") => (-1, 2),
            _ => (0, step),
        };
        (depth, at) = (depth + change, at + step);
        if depth == 0 {
            break;
        }
    }
    at
}

fn raw_text_len(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let n_hashes = after.len() - after.trim_start_matches('#').len();
    let inside = after[n_hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(n_hashes));
    let n_inside = inside.find(&end).map_or(inside.len(), |it| it + end.len());
    Some(rest.len() - inside.len() + n_inside)
}

fn text_len(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|it| {
        let is_end = it == '"' && !escaped;
        escaped = it == '\\' && !escaped;
        is_end
    });
    Some(end.map_or(rest.len(), |it| it + 2))
}

/// A character in quotes; a lifetime has no second quote where one would be.
fn character_len(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        let end = escape.char_indices().skip(1).find(|(_, it)| *it == '\'')?.0;
        return Some(end + 3);
    }
    let first = inside.chars().next()?.len_utf8();
    inside[first..].starts_with('\'').then_some(first + 2)
}

#[test]
fn comments_and_texts_are_no_code() {
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let code = code_only(source);
        let words: Vec<_> = identifiers(&code).map(|(_, it)| it).collect();
        assert_eq!(words, expected);
        assert_eq!(code.lines().count(), source.lines().count());
    }
    check("let a = 1; // f64\nlet b", &["let", "a", "1", "let", "b"]);
    check("/* f64 /* std */ é */ a", &["a"]);
    check(r#"a("f64 \" std\\") b"#, &["a", "b"]);
    check("a(r#\"f64 \" std\"#) b", &["a", "b"]);
    check("for_x r x br_y", &["for_x", "r", "x", "br_y"]);
    check(r"'a' '\'' '\u{1}' b 'é' &'life c", &["b", "life", "c"]);
}
