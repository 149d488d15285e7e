//! Numbers for operators, as Prometheus reads them.

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct Outcome {
    /// `ok`, or the code of the refusal.
    pub code: String,
}

/// The numbers of a server.
pub struct Metrics {
    registry: Registry,
    pub rooms: Gauge,
    pub sockets: Gauge,
    pub transitions: Counter,
    pub requests: Family<Outcome, Counter>,
    pub commit_seconds: Histogram,
    pub clock_late_seconds: Histogram,
    pub slow_readers: Counter,
    pub damaged: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
        let mut it = Self {
            registry: Registry::with_prefix("snapstack"),
            rooms: Gauge::default(),
            sockets: Gauge::default(),
            transitions: Counter::default(),
            requests: Family::default(),
            commit_seconds: Histogram::new(bounds),
            clock_late_seconds: Histogram::new(bounds),
            slow_readers: Counter::default(),
            damaged: Counter::default(),
        };
        it.register();
        it
    }
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("rooms", "Matches in memory", self.rooms.clone());
        registry.register("sockets", "Open sockets", self.sockets.clone());
        registry.register("transitions", "Transitions stored", self.transitions.clone());
        registry.register("requests", "Requests to matches by what became of them", self.requests.clone());
        registry.register("commit_seconds", "How long a commit took", self.commit_seconds.clone());
        let late = "How late clocks that ran out were carried out, stored and told";
        registry.register("clock_late_seconds", late, self.clock_late_seconds.clone());
        registry.register("slow_readers", "Sockets cut off because they read too slowly", self.slow_readers.clone());
        registry.register("damaged", "Matches found damaged", self.damaged.clone());
    }

    /// Counts a request.
    pub fn count(&self, code: &str) {
        self.requests.get_or_create(&Outcome { code: code.to_owned() }).inc();
    }

    /// All numbers, as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes everything; qed");
        text
    }
}
