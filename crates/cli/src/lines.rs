//! Lines in, lines out: every line of the input has one line of the output, at once.

use std::io::{self, BufRead, ErrorKind, Write};

/// Writes to standard output; whoever reads may stop early, and then there is nothing left to do.
pub fn write_out(text: std::fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    if out.write_fmt(text).and_then(|()| out.flush()).is_err_and(|it| it.kind() == ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
}

/// Prints a line, and ends quietly when nobody reads any more.
macro_rules! say {
    () => { $crate::lines::write_out(format_args!("\n")) };
    ($($part:tt)*) => { $crate::lines::write_out(format_args!("{}\n", format_args!($($part)*))) };
}

/// Prints without ending the line.
macro_rules! say_part {
    ($($part:tt)*) => { $crate::lines::write_out(format_args!($($part)*)) };
}

/// The next line somebody types; none at the end. What is no text is said to be none, and the next line counts.
pub fn typed_line() -> io::Result<Option<String>> {
    loop {
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match String::from_utf8(line) {
            Ok(line) => return Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned())),
            Err(_) => say!("This is not UTF-8 text; type it again."),
        }
    }
}

/// Answers standard input on standard output, line by line, until it ends.
///
/// A blank line is a line and gets its answer too, so that the n-th answer belongs to the n-th line.
/// Whoever reads the answers may stop early.
pub fn answer_stdin(answer: impl FnMut(&[u8]) -> String) -> anyhow::Result<()> {
    match answer_lines(io::stdin().lock(), io::stdout().lock(), answer) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

fn answer_lines(
    mut input: impl BufRead,
    mut output: impl Write,
    mut answer: impl FnMut(&[u8]) -> String,
) -> io::Result<()> {
    let mut line = Vec::new();
    // Bytes and not text: a line that is not UTF-8 is a bad line, not the end.
    while input.read_until(b'\n', &mut line)? > 0 {
        let mut text = answer(line.trim_ascii_end());
        text.push('\n');
        output.write_all(text.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
