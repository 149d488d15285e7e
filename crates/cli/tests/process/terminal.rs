//! Somebody at a terminal: types lines, and reads what the program shows.

use std::{
    io::{Read as _, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// How long anything may take before a test gives up. Nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody at a terminal.
pub struct Terminal {
    pub child: Child,
    keys: ChildStdin,
    shown: mpsc::Receiver<String>,
    /// All that was shown, and how much of it was waited for.
    pub read: String,
    seen: usize,
}

impl Terminal {
    /// Starts the program with these words.
    pub fn open(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client starts");
        let (keys, mut screen) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let (sender, shown) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = screen.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..n]).into_owned();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, shown, read: String::new(), seen: 0 }
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        writeln!(self.keys, "{line}").expect("the client reads");
    }

    /// Reads on until a text is shown; gives the line it stands in, as far as it is written.
    pub fn until(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.read[self.seen..].find(text) {
                let at = self.seen + at;
                self.seen = at + text.len();
                let start = self.read[..at].rfind('\n').map_or(0, |it| it + 1);
                let end = self.read[self.seen..].find('\n').map_or(self.read.len(), |it| self.seen + it);
                return self.read[start..end].to_owned();
            }
            let more = self.shown.recv_timeout(PATIENCE);
            self.read += &more.unwrap_or_else(|_| panic!("no {text:?} after:\n{}", self.read));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
