//! Every link of the project's pages leads to a page, and to a heading of it.

mod documents;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The pages people read: those of the project's root and of `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut found = documents::files(&documents::project().join("docs"), "md");
    let root = fs::read_dir(documents::project()).expect("the project is there; qed").flatten().map(|it| it.path());
    found.extend(root.filter(|it| it.extension().is_some_and(|ext| ext == "md")));
    found
}

/// The text outside of code, where links are links.
fn prose(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// What stands in the round brackets of links.
fn links(text: &str) -> Vec<String> {
    let ends = prose(text);
    ends.split("](").skip(1).filter_map(|it| Some(it.split_once(')')?.0.to_owned())).collect()
}

/// The name a heading has in a link.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'))
        .collect::<String>();
    kept.replace(' ', "-")
}

fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter(|it| it.starts_with('#'));
    headings.map(|it| it.trim_start_matches('#')).any(|it| anchor(it) == wanted)
}

#[test]
fn every_link_leads_somewhere() {
    let mut lost = Vec::new();
    let mut n_links = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_default();
        for link in links(&text).into_iter().filter(|it| !it.contains("://") && !it.starts_with("mailto:")) {
            n_links += 1;
            let (file, heading) = link.split_once('#').map_or((link.as_str(), None), |it| (it.0, Some(it.1)));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap_or(Path::new("")).join(file) };
            if !target.exists() || heading.is_some_and(|it| !has_anchor(&target, it)) {
                lost.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(n_links > 50, "only {n_links} links were found");
    assert!(lost.is_empty(), "links that lead nowhere:\n{}", lost.join("\n"));
}
