//! The calls: each is counted, then answered, late or badly where that was asked for.

use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::State;
use crate::http::{self, Reader, Request};
use crate::item::{Item, item};

/// How long `/check` takes.
const CHECK: Duration = Duration::from_millis(100);
/// How long a slow body takes.
const SLOW: Duration = Duration::from_secs(4);

/// How a call of an id goes wrong, on command.
#[derive(Clone, Copy)]
pub enum Fault {
    /// No answer, while the connection stays open.
    Hang,
    /// The body comes byte by byte.
    Slow,
    /// The connection is reset in place of an answer.
    Reset,
    /// The connection is closed in the middle of the body.
    Short,
}

impl Fault {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "hang" => Some(Self::Hang),
            "slow" => Some(Self::Slow),
            "reset" => Some(Self::Reset),
            "short" => Some(Self::Short),
            _ => None,
        }
    }
}

pub async fn accept(listener: TcpListener, state: Rc<State>) {
    loop {
        let connection = http::accept(&listener).await;
        let state = state.clone();
        tokio::task::spawn_local(async move {
            state.counts.borrow_mut().connected();
            // A caller that goes away in the middle ends its own connection only.
            converse(connection, &state).await.ok();
            state.counts.borrow_mut().disconnected();
        });
    }
}

async fn converse(mut connection: TcpStream, state: &State) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = Reader::new();
    while let Some(request) = reader.next(&mut connection).await? {
        let Some(call) = call_of(&request) else {
            let answer = http::answer("404 Not Found", "text/plain", "", request.is_last);
            connection.write_all(answer.as_bytes()).await?;
            if request.is_last {
                break;
            }
            continue;
        };
        state.counts.borrow_mut().begin(call.id, call.is_check);
        let is_answered = answer(&mut connection, &mut reader, &call, state).await;
        state.counts.borrow_mut().end(is_answered);
        if call.is_last || !is_answered {
            break;
        }
    }
    Ok(())
}

/// What a call asks for.
struct Call {
    id: u64,
    delay: Duration,
    /// `/check/<id>`, without a delay of its own.
    is_check: bool,
    /// The connection is closed after the answer.
    is_last: bool,
}

/// Returns what a request asks for; none where it is no call.
fn call_of(request: &Request) -> Option<Call> {
    if request.method != "GET" {
        return None;
    }
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let (id, standard) = match path.strip_prefix("/items/") {
        Some(id) => (id, Duration::ZERO),
        None => (path.strip_prefix("/check/")?, CHECK),
    };
    let asked = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("delay="));
    let delay = match asked {
        Some(milliseconds) => Duration::from_millis(milliseconds.parse().ok()?),
        None => standard,
    };
    Some(Call {
        id: id.parse().ok()?,
        delay,
        is_check: standard == CHECK && asked.is_none(),
        is_last: request.is_last,
    })
}

/// Tells whether the answer was written, whole and unbroken, to a caller that waited for it.
async fn answer(
    connection: &mut TcpStream,
    reader: &mut Reader,
    &Call {
        id,
        delay,
        is_check,
        is_last,
    }: &Call,
    state: &State,
) -> bool {
    let begin = Instant::now();
    if !delay.is_zero() && !reader.is_there_after(connection, delay).await {
        return false;
    }
    if is_check {
        let late = begin.elapsed().saturating_sub(delay);
        state.counts.borrow_mut().be_late(late);
    }
    let fault = state.faults.borrow().get(&id).copied();
    let edition = state.editions.borrow().get(&id).copied().unwrap_or(0);
    let Item {
        status,
        content_type,
        body,
    } = item(&state.key, id, edition);
    let text = http::answer(status, content_type, &body, is_last);
    let bytes = text.as_bytes();
    let body_begin = bytes.len() - body.len();
    match fault {
        None => connection.write_all(bytes).await.is_ok(),
        Some(Fault::Hang) => {
            reader.until_closed(connection).await;
            false
        }
        Some(Fault::Slow) => {
            let (header, body) = bytes.split_at(body_begin);
            let pause = SLOW / body.len() as u32;
            if connection.write_all(header).await.is_err() {
                return false;
            }
            for byte in body {
                sleep(pause).await;
                if connection.write_all(&[*byte]).await.is_err() {
                    return false;
                }
            }
            true
        }
        Some(Fault::Reset) => {
            // Without lingering, closing it sends a reset.
            connection.set_zero_linger().ok();
            false
        }
        Some(Fault::Short) => {
            let half = body_begin + body.len() / 2;
            connection.write_all(&bytes[..half]).await.ok();
            false
        }
    }
}
