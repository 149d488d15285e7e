//! Lines in, lines out: every line of the input has one line of the output, at once.

use std::io::{self, BufRead, ErrorKind, Write};

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
