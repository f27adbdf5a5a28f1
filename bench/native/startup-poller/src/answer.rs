use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long one attempt waits: a request that got lost in a server not yet ready is asked again.
const PATIENCE: Duration = Duration::from_secs(5);

pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Sends a request over a connection of its own, and reads until the answer is complete.
pub fn ask(address: SocketAddr, request: &[u8], deadline: Instant) -> Result<Answer> {
    let deadline = deadline.min(Instant::now() + PATIENCE);
    let left = || match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(Error::from(ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut connection = TcpStream::connect_timeout(&address, left()?)?;
    connection.set_write_timeout(Some(left()?))?;
    connection.write_all(request)?;
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        connection.set_read_timeout(Some(left()?))?;
        let read = connection.read(&mut part)?;
        bytes.extend_from_slice(&part[..read]);
        if let Some(answer) = parse(&bytes, read == 0) {
            return Ok(answer);
        }
        if read == 0 {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
    }
}

/// Returns the answer when all of it is there; without a length, it ends with the connection (RFC 9112, 6.3).
fn parse(bytes: &[u8], ended: bool) -> Option<Answer> {
    let (head, body) = split_once(bytes, b"\r\n\r\n")?;
    let head = str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<_> = lines.filter_map(|line| line.split_once(':')).collect();
    let header = |name: &str| {
        let found = headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    };
    let body = if header("transfer-encoding").is_some() {
        join_chunks(body)?
    } else if let Some(length) = header("content-length") {
        body.get(..length.parse().ok()?)?.to_vec()
    } else if ended {
        body.to_vec()
    } else {
        return None;
    };
    Some(Answer { status, body })
}

fn join_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let (size, after) = split_once(rest, b"\r\n")?;
        let size = str::from_utf8(size).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(after.get(..size)?);
        rest = after.get(size..)?.strip_prefix(b"\r\n")?;
    }
}

fn split_once<'a>(bytes: &'a [u8], by: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(by.len()).position(|window| window == by)?;
    Some((&bytes[..at], &bytes[at + by.len()..]))
}
