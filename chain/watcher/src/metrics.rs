//! What a watcher has done so far, as numbers that Prometheus can read.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Counts since the watcher was started; cheap to copy.
#[derive(Clone, Debug, Default)]
pub struct Metrics(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    finalised_block: AtomicU64,
    blocks: AtomicU64,
    honest_reports: AtomicU64,
    lies: AtomicU64,
    unknown_reports: AtomicU64,
    disputes_sent: AtomicU64,
    disputes_finalised: AtomicU64,
    disputes_failed: AtomicU64,
    suspects_left_out: AtomicU64,
    remembered_runs: AtomicU64,
    suspects: AtomicU64,
}

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A finalised block was looked at.
    Blocks,
    /// A report came out as it was claimed.
    HonestReports,
    /// A report did not.
    Lies,
    /// A report was made under rules that this watcher does not know.
    UnknownReports,
    /// A dispute was handed to the node.
    DisputesSent,
    /// A dispute was found in a finalised block, with success.
    DisputesFinalised,
    /// A dispute failed, or somebody else was faster; it is tried again while there is something to
    /// dispute.
    DisputesFailed,
    /// There was no room to keep a liar at hand, who is looked at again later.
    SuspectsLeftOut,
}

impl Metrics {
    /// Counts one more.
    pub fn count(&self, what: Count) {
        self.counter(what).fetch_add(1, Ordering::Relaxed);
    }

    /// How often something was counted.
    pub fn get(&self, what: Count) -> u64 {
        self.counter(what).load(Ordering::Relaxed)
    }

    /// Notes the newest finalised block.
    pub fn saw_block(&self, number: u64) {
        self.0.finalised_block.store(number, Ordering::Relaxed);
        self.count(Count::Blocks);
    }

    /// Notes how many runs the watcher remembers.
    pub fn remembers(&self, n_runs: usize) {
        self.0.remembered_runs.store(n_runs as u64, Ordering::Relaxed);
    }

    /// Notes how many accounts have a lie that no finalised block has seen disputed.
    pub fn suspects(&self, n_accounts: usize) {
        self.0.suspects.store(n_accounts as u64, Ordering::Relaxed);
    }

    fn counter(&self, what: Count) -> &AtomicU64 {
        match what {
            Count::Blocks => &self.0.blocks,
            Count::HonestReports => &self.0.honest_reports,
            Count::Lies => &self.0.lies,
            Count::UnknownReports => &self.0.unknown_reports,
            Count::DisputesSent => &self.0.disputes_sent,
            Count::DisputesFinalised => &self.0.disputes_finalised,
            Count::DisputesFailed => &self.0.disputes_failed,
            Count::SuspectsLeftOut => &self.0.suspects_left_out,
        }
    }

    /// All numbers in the text format of Prometheus.
    pub fn render(&self) -> String {
        let counters = [
            ("blocks_total", &self.0.blocks),
            ("honest_reports_total", &self.0.honest_reports),
            ("lies_total", &self.0.lies),
            ("unknown_reports_total", &self.0.unknown_reports),
            ("disputes_sent_total", &self.0.disputes_sent),
            ("disputes_finalised_total", &self.0.disputes_finalised),
            ("disputes_failed_total", &self.0.disputes_failed),
            ("suspects_left_out_total", &self.0.suspects_left_out),
        ];
        let gauges = [
            ("finalised_block", &self.0.finalised_block),
            ("remembered_runs", &self.0.remembered_runs),
            ("suspects", &self.0.suspects),
        ];
        let mut text = String::new();
        for (kind, values) in [("counter", &counters[..]), ("gauge", &gauges[..])] {
            for (name, value) in values {
                let value = value.load(Ordering::Relaxed);
                let _ = writeln!(text, "# TYPE watcher_{name} {kind}\nwatcher_{name} {value}");
            }
        }
        text
    }

    /// Answers every request at an address with the numbers.
    pub async fn serve(self, address: SocketAddr) -> Result<()> {
        let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
        loop {
            let (socket, _) = listener.accept().await?;
            // A client that breaks off does no harm.
            let _ = answer(socket, self.render()).await;
        }
    }
}

async fn answer(mut socket: TcpStream, body: String) -> std::io::Result<()> {
    // Whatever is asked, the answer is the same; what is read beyond this is not needed.
    let mut request = [0; 1024];
    let _ = tokio::time::timeout(std::time::Duration::from_secs(1), socket.read(&mut request)).await;
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await?;
    socket.write_all(body.as_bytes()).await
}

#[cfg(test)]
mod tests {
    use super::{Count, Metrics};

    #[test]
    fn every_number_is_told_with_its_type() {
        let metrics = Metrics::default();
        metrics.count(Count::Lies);
        metrics.count(Count::Lies);
        metrics.saw_block(7);
        let text = metrics.render();
        assert!(text.contains("# TYPE watcher_lies_total counter\nwatcher_lies_total 2\n"));
        assert!(text.contains("# TYPE watcher_finalised_block gauge\nwatcher_finalised_block 7\n"));
        assert_eq!(text.lines().count(), 22);
    }
}
