//! A Postgres of one's own, for a test: started in a temporary folder, reached through a socket there, gone afterwards.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A running Postgres.
pub struct PrivatePostgres {
    folder: TempDir,
}

/// Where Debian keeps the programs of Postgres.
const FOLDER: &str = "/usr/lib/postgresql";

fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir(FOLDER).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        versions.map(|it| it.path().join("bin").join(name)).filter(|it| it.exists()).collect();
    found.sort();
    found.pop().unwrap_or_else(|| PathBuf::from(name))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|it| it.stdout.starts_with(b"0\n"))
}

/// Postgres does not run as root, so root lends it to the user its package made.
fn command(name: &str) -> Command {
    if !is_root() {
        return Command::new(program(name));
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program(name));
    command
}

fn succeed(mut command: Command) -> Output {
    let hint = "Postgres is needed; install it with: apt-get install postgresql";
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} did not start: {error}; {hint}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed; {hint}\n{out}{err}");
    output
}

impl PrivatePostgres {
    /// Makes a database and starts its server.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("pg").tempdir().expect("a temporary folder can be made");
        if is_root() {
            let mut chown = Command::new("chown");
            chown.arg("postgres").arg(folder.path());
            succeed(chown);
        }
        let it = Self { folder };
        let mut initdb = command("initdb");
        initdb.arg("-D").arg(it.data()).args(["-U", "snapstack", "-A", "trust", "--no-instructions", "-E", "UTF8"]);
        succeed(initdb);
        it.go();
        it
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the server, again after [`Self::kill`].
    pub fn go(&self) {
        let socket = self.folder.path().display();
        let mut start = command("pg_ctl");
        let options = format!("-c listen_addresses= -c max_connections=50 -k {socket}");
        start
            .arg("-D")
            .arg(self.data())
            .arg("-l")
            .arg(self.folder.path().join("log"))
            .args(["-w", "-o", &options, "start"]);
        // What it leaves running must not hold on to a pipe of ours.
        start.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let status = start.status().expect("pg_ctl can be run; install it with: apt-get install postgresql");
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        assert!(status.success(), "Postgres did not start: {log}");
    }

    /// Ends the server as a lost machine would.
    pub fn kill(&self) {
        let _ = self.stop("immediate");
    }

    fn stop(&self, mode: &str) -> std::io::Result<Output> {
        command("pg_ctl").arg("-D").arg(self.data()).args(["-m", mode, "-w", "stop"]).output()
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where a client finds it.
    pub fn url(&self) -> String {
        format!("host={} user=snapstack dbname=postgres", self.folder.path().display())
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        let _ = self.stop("immediate");
    }
}
