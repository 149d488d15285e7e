//! `snapstack check`: everything that is wrong with a ruleset, what is odd about it, and what random play finds.
//! The exit code tells: 0 for nothing, 1 for mistakes, 2 for what is only worth a look.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result};
use compiler::{Checked, Diagnostic, Severity};
use host::trial::{Effort, Finding, trial};
use ruleset::Ruleset;
use serde_json::{Value, json};

use crate::games;

/// Checks a ruleset: lists all its mistakes at once, or what is worth a look.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game (a folder with a ruleset.json below the folder of games), or the path of that folder.
    pub game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    pub games: PathBuf,
    /// How many random games to look for freezes, endless games, limits, and cards and actions nobody uses. So many
    /// are played with every number of seats, and as many again in which players also give up, are silent until their
    /// clock runs out, and lose their connection.
    #[arg(long, default_value_t = 0)]
    pub play: u64,
    /// After how many commands a random game counts as endless.
    #[arg(long, default_value_t = host::trial::COMMANDS_MAX)]
    pub commands_max: usize,
    /// A folder for the games that show what random play found, to be gone through with `snapstack step`.
    #[arg(long, requires = "play")]
    pub save_replay: Option<PathBuf>,
    /// How to tell: text for people, json or sarif for machines.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How findings are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One object with all findings.
    Json,
    /// SARIF 2.1.0, for code review tools.
    Sarif,
}

/// What was found.
#[derive(Default)]
struct Report {
    diagnostics: Vec<Diagnostic>,
    findings: Vec<Finding>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if games::scripts().iter().any(|it| it.name == args.game) {
        say!(
            "{} is a script: its rules are Rust, so what can be checked of them was checked when it was built",
            args.game
        );
        return Ok(ExitCode::SUCCESS);
    }
    let (name, folder) = games::locate(&args.game, &args.games);
    games::check_known(&name, &folder)?;
    let mut report = Report::default();
    match compiler::check(&name, &games::library(&folder)) {
        Ok(Checked { ruleset, warnings }) => {
            report.diagnostics = warnings;
            let ruleset = Arc::new(ruleset);
            let effort = Effort { n_games: args.play, commands_max: args.commands_max };
            let total = effort.total(&ruleset);
            report.findings = trial(&ruleset, effort, |done| progress(done, total));
            if let Some(folder) = &args.save_replay {
                save_replays(folder, &args.game, &ruleset, &report.findings)?;
            }
            if args.format == Format::Text {
                describe(&args.game, ruleset.program(), &ruleset);
            }
        }
        Err(mistakes) => report.diagnostics = mistakes,
    }
    match args.format {
        Format::Text => report.tell(),
        Format::Json => say!("{:#}", report.json()),
        Format::Sarif => say!("{:#}", report.sarif()),
    }
    Ok(report.exit_code())
}

/// Writes a stored match for every finding that happened in one.
fn save_replays(folder: &Path, game: &str, ruleset: &Arc<Ruleset>, findings: &[Finding]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (i, finding) in findings.iter().enumerate() {
        let Some(log) = finding.replay.as_ref().and_then(|it| it.log_bytes(ruleset)) else { continue };
        let path = folder.join(format!("{}-{}.log", i + 1, finding.code.replace('/', "-")));
        std::fs::write(&path, log).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("  {}: go through it with `snapstack step {game} {}`", finding.code, path.display());
    }
    Ok(())
}

fn progress(done: u64, all: u64) {
    if done.is_multiple_of(100) {
        eprintln!("  played {done} of {all} games");
    }
}

fn describe(game: &str, program: &ruleset::Program, ruleset: &ruleset::Ruleset) {
    say!("{game}: no mistakes");
    say!(
        "  {} cards, {} actions, {} event types, {} rules",
        program.defs.len(),
        program.actions.len(),
        program.events.len(),
        program.rules.len()
    );
    say!("  rules    {}", ruleset::hash::to_hex(&ruleset.rules_hash()));
    say!("  document {}", ruleset::hash::to_hex(&ruleset.document_hash()));
}

impl Report {
    fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }

    fn exit_code(&self) -> ExitCode {
        match (self.is_broken(), self.diagnostics.is_empty() && self.findings.is_empty()) {
            (true, _) => ExitCode::from(1),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::from(2),
        }
    }

    fn tell(&self) {
        if self.is_broken() {
            return say_part!("{}", compiler::render(&self.diagnostics));
        }
        for it in &self.diagnostics {
            say_part!("{it}");
        }
        for it in &self.findings {
            say!("warning[{}]: {}", it.code, it.message);
            if let Some(replay) = &it.replay {
                say!(
                    "  shown by the game of seed {} with {} seats after {} commands (`--format json` has them)",
                    replay.seed,
                    replay.seats,
                    replay.commands.len()
                );
            }
        }
    }

    fn json(&self) -> Value {
        let diagnostic = |it: &Diagnostic| {
            json!({ "code": it.code, "severity": it.severity.as_str(), "message": it.message, "file": it.file,
                    "line": it.line, "column": it.column, "hint": it.hint, "source": it.source })
        };
        let finding = |it: &Finding| {
            let replay = it.replay.as_ref();
            json!({ "code": it.code, "severity": "warning", "message": it.message,
                    "seed": replay.map(|r| r.seed), "seats": replay.map(|r| r.seats), "commands": replay.map(|r| r.to_hex()) })
        };
        let mut all: Vec<Value> = self.diagnostics.iter().map(diagnostic).collect();
        all.extend(self.findings.iter().map(finding));
        json!({ "sound": !self.is_broken(), "findings": all })
    }

    fn sarif(&self) -> Value {
        let placed = |it: &Diagnostic| {
            json!({ "ruleId": it.code, "level": it.severity.as_str(), "message": { "text": it.message },
                    "locations": [{ "physicalLocation": { "artifactLocation": { "uri": it.file },
                        "region": { "startLine": it.line.max(1), "startColumn": it.column.max(1) } } }] })
        };
        let unplaced =
            |it: &Finding| json!({ "ruleId": it.code, "level": "warning", "message": { "text": it.message } });
        let mut results: Vec<Value> = self.diagnostics.iter().map(placed).collect();
        results.extend(self.findings.iter().map(unplaced));
        json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
                "runs": [{ "tool": { "driver": { "name": "snapstack check", "version": env!("CARGO_PKG_VERSION") } }, "results": results }] })
    }
}
