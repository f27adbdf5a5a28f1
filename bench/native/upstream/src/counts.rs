//! What the service counts.

use std::collections::HashMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The calls of one id.
struct Calls {
    count: u32,
    /// Since the counts were cleared.
    first: Duration,
}

/// Counts since the last [`Counts::clear`], but for faults; what is open now stays open.
pub struct Counts {
    since: Instant,
    /// Calls of `/items` and `/check`.
    received: u64,
    /// Those of `/check/<id>`, without a delay of their own.
    checks: u64,
    /// Those whose answer was written whole, to a caller that waited for it.
    answered: u64,
    /// Calls that are neither answered nor given up by the caller.
    open: u64,
    peak_open: u64,
    /// Connections that were accepted.
    connections: u64,
    open_connections: u64,
    peak_connections: u64,
    /// By how much answers of `/check/<id>` were later than they were to be, in all.
    late: Duration,
    /// Commands to answer wrongly, since the process began: whoever clears the counts cannot hide one.
    faults: u64,
    per_id: HashMap<u64, Calls>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            received: 0,
            checks: 0,
            answered: 0,
            open: 0,
            peak_open: 0,
            connections: 0,
            open_connections: 0,
            peak_connections: 0,
            late: Duration::ZERO,
            faults: 0,
            per_id: HashMap::new(),
        }
    }
}

impl Counts {
    pub fn clear(&mut self) {
        *self = Self {
            open: self.open,
            peak_open: self.open,
            open_connections: self.open_connections,
            peak_connections: self.open_connections,
            faults: self.faults,
            ..Self::default()
        };
    }

    pub fn connected(&mut self) {
        self.connections += 1;
        self.open_connections += 1;
        self.peak_connections = self.peak_connections.max(self.open_connections);
    }

    pub fn disconnected(&mut self) {
        self.open_connections -= 1;
    }

    pub fn begin(&mut self, id: u64, is_check: bool) {
        self.received += 1;
        self.checks += u64::from(is_check);
        self.open += 1;
        self.peak_open = self.peak_open.max(self.open);
        let first = self.since.elapsed();
        let calls = self.per_id.entry(id).or_insert(Calls { count: 0, first });
        calls.count += 1;
    }

    pub fn end(&mut self, is_answered: bool) {
        self.open -= 1;
        self.answered += u64::from(is_answered);
    }

    pub fn be_late(&mut self, by: Duration) {
        self.late += by;
    }

    pub fn misbehave(&mut self) {
        self.faults += 1;
    }

    pub fn totals(&self) -> String {
        format!(
            r#"{{"received":{},"checks":{},"answered":{},"open":{},"peakOpen":{},"connections":{},"openConnections":{},"peakConnections":{},"lateMicros":{},"faults":{}}}"#,
            self.received,
            self.checks,
            self.answered,
            self.open,
            self.peak_open,
            self.connections,
            self.open_connections,
            self.peak_connections,
            self.late.as_micros(),
            self.faults,
        )
    }

    pub fn per_id(&self) -> String {
        self.by_id(|calls| u128::from(calls.count))
    }

    /// When the first call of each id came, and what time it is, in microseconds since the counts were cleared.
    pub fn arrivals(&self) -> String {
        format!(
            r#"{{"nowMicros":{},"firstMicros":{}}}"#,
            self.since.elapsed().as_micros(),
            self.by_id(|calls| calls.first.as_micros())
        )
    }

    fn by_id(&self, value: fn(&Calls) -> u128) -> String {
        let mut text = String::from("{");
        for (index, (id, calls)) in self.per_id.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(text, r#"{comma}"{id}":{}"#, value(calls));
        }
        text.push('}');
        text
    }
}
