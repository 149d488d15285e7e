//! Programs that run side by side and are stopped together, by Ctrl-C at the latest.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::run::succeeds;

/// How often the programs are looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// How many pauses a program has to start, and how many to end once it is asked to.
const PATIENCE: u32 = 600;

/// Programs that are stopped together.
pub struct Running {
    children: Vec<(String, Child)>,
    interrupted: Receiver<()>,
}

impl Running {
    /// Takes over what Ctrl-C does: from now on it stops the programs, the last one first.
    pub fn until_interrupted() -> Result<Self> {
        let (interrupt, interrupted) = channel();
        let pass_on = move || {
            // Nobody listens any more if this program is about to end.
            let _ = interrupt.send(());
        };
        ctrlc::set_handler(pass_on)?;
        Ok(Self { children: Vec::new(), interrupted })
    }

    /// Starts a program. A Ctrl-C in the terminal reaches this program and not that one, so that
    /// all end in order.
    pub fn start(&mut self, command: &mut Command) -> Result<()> {
        let shown = command.get_program().display().to_string();
        let child = command.process_group(0).spawn().with_context(|| format!("cannot start {shown}"))?;
        self.children.push((shown, child));
        Ok(())
    }

    /// Waits until something is true, as long as all programs run.
    pub fn wait_until(&mut self, is_true: impl Fn() -> bool) -> Result<()> {
        for _ in 0..PATIENCE {
            if is_true() {
                return Ok(());
            }
            ensure!(!self.pause()?, "interrupted");
        }
        bail!("nothing happens")
    }

    /// Waits for Ctrl-C; it is an error if a program ends before.
    pub fn wait(mut self) -> Result<()> {
        while !self.pause()? {}
        eprintln!("\nstopping");
        Ok(())
    }

    /// Lets a moment pass and says whether there was a Ctrl-C in it.
    fn pause(&mut self) -> Result<bool> {
        let is_interrupted = self.interrupted.recv_timeout(PAUSE).is_ok();
        for (shown, child) in &mut self.children {
            if let Some(status) = child.try_wait()? {
                bail!("{shown} has ended: {status}");
            }
        }
        Ok(is_interrupted)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for (_, child) in self.children.iter_mut().rev() {
            stop(child);
        }
    }
}

/// Asks a program to end, so that it can clean up, and ends it if it does not.
fn stop(child: &mut Child) {
    succeeds(Command::new("kill").arg(child.id().to_string()));
    for _ in 0..PATIENCE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(PAUSE);
    }
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}
