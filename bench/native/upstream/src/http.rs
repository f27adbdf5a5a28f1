//! The part of HTTP/1.1 that is needed: requests without a body, one after the other on a connection.

use std::io;

use memchr::memmem::Finder;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Duration, Instant, sleep, sleep_until, timeout_at};

/// Returns the next connection.
pub async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((connection, _)) => return connection,
            // One connection less, or none of the descriptors left: the others go on.
            Err(error) => {
                eprintln!("{error}");
                sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

/// What a request asks for.
pub struct Request {
    pub method: String,
    /// With its query.
    pub target: String,
    /// The client closes the connection after the answer.
    pub is_last: bool,
}

/// Reads requests from one connection.
pub struct Reader {
    buffer: Vec<u8>,
    filled: usize,
    header_end: Finder<'static>,
}

impl Reader {
    pub fn new() -> Self {
        Self {
            buffer: vec![0; 4 * 1024],
            filled: 0,
            header_end: Finder::new(b"\r\n\r\n"),
        }
    }

    /// Returns the next request; none at the end of the connection, and where what came is no request.
    pub async fn next(&mut self, connection: &mut TcpStream) -> io::Result<Option<Request>> {
        loop {
            if let Some(at) = self.header_end.find(&self.buffer[..self.filled]) {
                let end = at + self.header_end.needle().len();
                let request = parse(&self.buffer[..at]);
                self.buffer.copy_within(end..self.filled, 0);
                self.filled -= end;
                return Ok(request);
            }
            if self.filled == self.buffer.len() {
                // A header may have up to 64 KiB; most have a hundredth of that.
                if self.filled >= 64 * 1024 {
                    return Ok(None);
                }
                self.buffer.resize(2 * self.filled, 0);
            }
            match connection.read(&mut self.buffer[self.filled..]).await? {
                0 => return Ok(None),
                read => self.filled += read,
            }
        }
    }

    /// Waits for so long, and tells whether the client is still there; what it sends meanwhile is kept.
    pub async fn is_there_after(&mut self, connection: &mut TcpStream, time: Duration) -> bool {
        let end = Instant::now() + time;
        while self.filled < self.buffer.len() {
            let read = connection.read(&mut self.buffer[self.filled..]);
            match timeout_at(end, read).await {
                Err(_) => return true,
                Ok(Ok(read @ 1..)) => self.filled += read,
                Ok(_) => return false,
            }
        }
        sleep_until(end).await;
        true
    }

    /// Waits until the client has closed the connection; what it sends meanwhile is lost.
    pub async fn until_closed(&mut self, connection: &mut TcpStream) {
        while let Ok(1..) = connection.read(&mut self.buffer).await {}
    }
}

fn parse(header: &[u8]) -> Option<Request> {
    let mut lines = std::str::from_utf8(header).ok()?.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let closes = |line: &str| {
        line.split_once(':').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("connection") && value.trim().eq_ignore_ascii_case("close")
        })
    };
    Some(Request {
        method: method.to_owned(),
        target: target.to_owned(),
        is_last: version == "HTTP/1.0" || lines.any(closes),
    })
}

/// Returns the bytes of an answer; after the last one, the connection is closed.
pub fn answer(status: &str, content_type: &str, body: &str, is_last: bool) -> String {
    let close = if is_last { "connection: close\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n{close}\r\n{body}",
        body.len()
    )
}
