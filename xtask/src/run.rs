//! Starts other programs and says what failed in words that can be pasted into a shell.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Prepares the cargo that started this program, in the root of the workspace.
pub fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace::root()).args(args);
    forget_this_package(&mut command);
    command
}

/// What cargo said about this program to this program. Some build scripts look at it, and would
/// build half of a workspace anew whenever cargo is called from a shell again.
fn forget_this_package(command: &mut Command) {
    let is_about_package = |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|it| name.starts_with(it));
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_about_package) {
            command.env_remove(name);
        }
    }
}

/// Runs a program to its end with its output shown; an exit code other than 0 is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let line = show(command);
    eprintln!("  $ {line}");
    let status = command.stdin(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot start: {line}"))?;
    ensure!(status.success(), "failed ({status}): {line}");
    Ok(())
}

/// Runs a program without showing anything and says whether it succeeded.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).output().is_ok_and(|it| it.status.success())
}

/// Runs a program and returns the first line that it prints.
pub fn first_line(command: &mut Command) -> Result<String> {
    let line = show(command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start: {line}"))?;
    ensure!(output.status.success(), "failed ({}): {line}", output.status);
    let text = String::from_utf8(output.stdout)?;
    text.lines().next().map(Into::into).with_context(|| format!("printed nothing: {line}"))
}

/// Writes a command as a person would type it, with the variables it sets.
fn show(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let variables = variables.map(|(name, value)| format!("{}={}", name.display(), quote(value)));
    let program = command.get_program();
    // The path of this cargo says no more than its name; that of another one does.
    let is_this_cargo = std::env::var_os("CARGO").is_some_and(|it| it == program);
    let program = if is_this_cargo { "cargo".into() } else { quote(program) };
    let words = std::iter::once(program).chain(command.get_args().map(quote));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains([' ', '*', '$']) { format!("'{word}'") } else { word.into_owned() }
}
