//! One user: from its connection to its answer, and what became of it.

use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::answer::{Answer, LONGEST, parse};

/// What all users share.
pub struct Burst {
    pub address: SocketAddr,
    pub begin: Instant,
    /// Of each user, from its connecting to its answer.
    pub patience: Duration,
    pub connected: Cell<u32>,
    pub peak_connected: Cell<u32>,
}

/// What happened to a user; times are microseconds since the burst began.
#[derive(Default)]
pub struct Visit {
    start: u128,
    /// Just before the request was written; none if it never connected.
    sent: Option<u128>,
    end: u128,
    /// Why there is no answer.
    failure: Option<String>,
    answer: Option<Answer>,
}

/// Body bytes that are reported; answers are shorter.
const REPORTED: usize = 64;

impl Visit {
    /// Returns the row: start, sent, end, failure, status, the first bytes of the body in hex.
    pub fn row(&self) -> String {
        let sent = self.sent.map_or("null".into(), |it| it.to_string());
        let failure = (self.failure.as_ref()).map_or("null".into(), |it| format!("{it:?}"));
        let answer = match &self.answer {
            None => "null,null".into(),
            Some(Answer { status, body }) => {
                let shown = &body[..body.len().min(REPORTED)];
                let hex: String = shown.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{status},\"{hex}\"")
            }
        };
        format!("[{},{sent},{},{failure},{answer}]", self.start, self.end)
    }
}

/// Visits once, and leaves.
pub async fn visit(burst: Rc<Burst>, request: String, source: Option<IpAddr>) -> Visit {
    let now = || burst.begin.elapsed().as_micros();
    let mut visit = Visit {
        start: now(),
        ..Visit::default()
    };
    let outcome = timeout(burst.patience, ask(&burst, &mut visit, &request, source)).await;
    if visit.sent.is_some() {
        burst.connected.set(burst.connected.get() - 1);
    }
    visit.end = now();
    match outcome {
        Ok(Ok(answer)) => visit.answer = Some(answer),
        Ok(Err(error)) => visit.failure = Some(class_of(&error, visit.sent.is_some())),
        Err(_) => visit.failure = Some(late(visit.sent.is_some())),
    }
    visit
}

async fn ask(
    burst: &Burst,
    visit: &mut Visit,
    request: &str,
    source: Option<IpAddr>,
) -> io::Result<Answer> {
    let now = || burst.begin.elapsed().as_micros();
    let mut connection = connect(burst.address, source).await?;
    burst.connected.set(burst.connected.get() + 1);
    burst
        .peak_connected
        .set(burst.peak_connected.get().max(burst.connected.get()));
    visit.sent = Some(now());
    connection.write_all(request.as_bytes()).await?;
    let mut received = Vec::new();
    loop {
        // Tens of thousands wait here, so that each has room only when there is something to read.
        connection.readable().await?;
        let mut part = [0; 1024];
        let read = match connection.try_read(&mut part) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            other => other?,
        };
        received.extend_from_slice(&part[..read]);
        match parse(&received, read == 0) {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) if read == 0 => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(None) if received.len() <= LONGEST => {}
            _ => return Err(ErrorKind::InvalidData.into()),
        }
    }
}

async fn connect(address: SocketAddr, source: Option<IpAddr>) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if let Some(source) = source {
        socket.bind(SocketAddr::new(source, 0))?;
    }
    socket.connect(address).await
}

/// Returns what became of a user that the system reported an error to.
fn class_of(error: &io::Error, was_connected: bool) -> String {
    // EMFILE and ENFILE of errno(3), which the standard library has no name for.
    if matches!(error.raw_os_error(), Some(23 | 24)) {
        return "out-of-descriptors".into();
    }
    match error.kind() {
        ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable => "out-of-ports".into(),
        ErrorKind::ConnectionRefused => "refused".into(),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "reset".into()
        }
        ErrorKind::UnexpectedEof => "closed".into(),
        ErrorKind::InvalidData => "not-http".into(),
        ErrorKind::TimedOut => late(was_connected),
        _ => format!("other: {error}"),
    }
}

fn late(was_connected: bool) -> String {
    (if was_connected {
        "timed-out"
    } else {
        "never-connected"
    })
    .into()
}
