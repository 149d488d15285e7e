//! What is wrong with a ruleset, where, and what to do about it.

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is loaded.
    Error,
    /// Worth a look.
    Warning,
}

impl Severity {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One finding, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// Stable, such as `ruleset/unknown_name`.
    pub code: &'static str,
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The line of the source it is about.
    pub source: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}:{}:{}: {}[{}]: {}",
            self.file,
            self.line,
            self.column,
            self.severity.as_str(),
            self.code,
            self.message
        )?;
        if !self.source.is_empty() {
            let number = self.line.to_string();
            // Tabs keep their width, so that the mark stands under what it means.
            let indent: String = self
                .source
                .chars()
                .take(self.column.saturating_sub(1))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            writeln!(f, "{number} | {}", self.source)?;
            writeln!(f, "{:width$} | {indent}^", "", width = number.len())?;
        }
        if let Some(hint) = &self.hint {
            writeln!(f, "  help: {hint}")?;
        }
        Ok(())
    }
}

/// All findings as one text.
pub fn render(diagnostics: &[Diagnostic]) -> String {
    let mut out: String = diagnostics.iter().map(ToString::to_string).collect();
    let n = diagnostics.len();
    out.push_str(&format!("{n} mistake{}: nothing was loaded\n", if n == 1 { "" } else { "s" }));
    out
}

/// The option nearest to what was written, if one is near enough to be meant.
pub fn nearest<'o>(found: &str, options: &'o [String]) -> Option<&'o String> {
    // `drawPile` and `draw_pile` are as near as can be.
    let folded = |it: &str| it.to_lowercase().replace('_', "");
    let scored = options.iter().map(|it| (strsim::damerau_levenshtein(&folded(found), &folded(it)), it));
    let (distance, best) = scored.min_by_key(|it| it.0)?;
    (distance <= found.chars().count().max(3) / 2).then_some(best)
}
