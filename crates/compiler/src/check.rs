//! A whole check of a ruleset: its mistakes, or what is sound but odd, each with its place in the source.

use std::collections::BTreeSet;

use ruleset::{
    RawRuleset, Ruleset, Term,
    lint::Warning,
    term::{Place, TermKind},
};

use crate::{
    Library,
    diagnostic::{Diagnostic, Severity},
    explain_all,
    link::Linker,
    read::Sources,
};

/// A sound ruleset and what is worth a look in it.
#[derive(Debug)]
pub struct Checked {
    pub ruleset: Ruleset,
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a ruleset and looks for what is sound but odd; or lists every mistake.
pub fn check(name: &str, library: &dyn Library) -> Result<Checked, Vec<Diagnostic>> {
    let mut linker = Linker::new(library);
    linker.include(name, None);
    let (root, sources, problems) = linker.finish();
    if !problems.is_empty() {
        return Err(problems);
    }
    let document = root.clone();
    let ruleset = Ruleset::check(RawRuleset::new(root)).map_err(|it| explain_all(&sources, it))?;
    let mut warnings: Vec<Diagnostic> =
        ruleset::lint::lint(ruleset.program()).into_iter().map(|it| locate(&document, &sources, it)).collect();
    let own = |place: Place| is_own(name, &sources.diagnostic(place, "", String::new()).file);
    let lost = unused_definitions(&document).into_iter().chain(unreachable_cards(&document));
    for (term, code, message) in lost.filter(|it| own(it.0.place)) {
        warnings.push(warning(&sources, term.place, code, message));
    }
    warnings.sort_by(|a, b| (&a.file, a.line, a.column, a.code).cmp(&(&b.file, b.line, b.column, b.code)));
    Ok(Checked { ruleset, warnings })
}

fn warning(sources: &Sources, place: Place, code: &'static str, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..sources.diagnostic(place, code, message) }
}

/// Whether a file belongs to the game itself and not to a library it includes, which others use, too.
fn is_own(name: &str, file: &str) -> bool {
    let folder = format!("/{name}/");
    file == format!("{name}.json") || file.contains(&folder) || file.starts_with(&folder[1..])
}

/// A finding of the linter at the place of what it is about.
fn locate(root: &Term, sources: &Sources, found: Warning) -> Diagnostic {
    let (section, id) = &found.about;
    let place = find(root, section, id).map_or(root.place, |it| it.place);
    warning(sources, place, found.code, found.message)
}

fn find<'t>(root: &'t Term, section: &str, id: &str) -> Option<&'t Term> {
    let named = |it: &&Term| it.text_at("id") == Some(id);
    let phases = || root.get("turnStructure").map_or(&[][..], |it| it.list_at("phases"));
    match section {
        "rules" => {
            let holders = ["cards", "keywords", "cardTypes"].into_iter().flat_map(|it| root.list_at(it));
            let abilities = holders.flat_map(|it| it.list_at("abilities"));
            root.list_at("reactions").iter().chain(abilities).find(named)
        }
        "phases" => phases().iter().find(named),
        "steps" => phases().iter().flat_map(|it| it.list_at("steps")).find(named),
        _ => root.list_at(section).iter().find(named),
    }
}

/// Every text in a term but those of one that is left out.
fn words<'t>(term: &'t Term, without: &Term, found: &mut BTreeSet<&'t str>) {
    if std::ptr::eq(term, without) {
        return;
    }
    match &term.kind {
        TermKind::Text(text) => drop(found.insert(text)),
        TermKind::List(items) => items.iter().for_each(|it| words(it, without, found)),
        TermKind::Map(entries) => entries.iter().for_each(|it| {
            found.insert(&it.key);
            words(&it.value, without, found);
        }),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) => {}
    }
}

type Lost<'t> = (&'t Term, &'static str, String);

/// Definitions whose name stands nowhere else.
fn unused_definitions(root: &Term) -> Vec<Lost<'_>> {
    let unused = |it: &&Term| {
        let mut found = BTreeSet::new();
        words(root, it, &mut found);
        it.text_at("id").is_some_and(|id| !found.contains(id))
    };
    let tell = |it: &Term| format!("nobody uses the definition {}", it.text_at("id").unwrap_or_default());
    let defines = root.list_at("define").iter().filter(unused);
    defines.map(|it| (it, "ruleset/unused_definition", tell(it))).collect()
}

/// Cards that are in no deck and that nothing speaks of, in a game with decks or of cards that can only be created.
fn unreachable_cards(root: &Term) -> Vec<Lost<'_>> {
    let has_decks = !root.list_at("decks").is_empty();
    let mut all = BTreeSet::new();
    words(root, &Term::empty(root.place), &mut all);
    // A ruleset that looks through all definitions can reach every card.
    let open = all.contains("definitions");
    let lost = |it: &&Term| {
        let mut found = BTreeSet::new();
        words(root, it, &mut found);
        let spoken = it.text_at("id").is_some_and(|id| found.contains(id));
        !open && !spoken && (has_decks || it.flag("token"))
    };
    let tell =
        |it: &Term| format!("no deck has the card {} and nothing makes it", it.text_at("id").unwrap_or_default());
    root.list_at("cards").iter().filter(lost).map(|it| (it, "ruleset/unreachable_card", tell(it))).collect()
}
