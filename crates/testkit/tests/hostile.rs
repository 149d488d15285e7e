//! Rulesets made to do harm are refused when they are checked, or stopped by a limit; nothing panics.

use testkit::hostile::{cases, outcome};

#[test]
fn every_hostile_ruleset_is_refused_or_stopped_as_expected() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|it| {
            let found = outcome(&it.text);
            (found != it.becomes).then(|| format!("{}: {found}, expected {}", it.name, it.becomes))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
