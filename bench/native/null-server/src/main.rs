//! Answers every request with the same few bytes: what a load generator reaches here, it reaches nowhere else.
//!
//! One thread per processor, each with an event loop of its own; connections are dealt out by turns, so that
//! no thread has more than one above its share. SIGTERM ends the process by its default action.

use std::error::Error;
use std::net::TcpStream;
use std::{env, thread};

use memchr::memmem::Finder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::LocalSet;

/// As long as the record of a user.
const BODY: &str = r#"{"email":"ada.lovelace.001815@example.com","first":"Ada","last":"Lovelace","city":"Nottingham","county":"Nottinghamshire","age":36}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let address = (env::var("HOST")?, env::var("PORT")?.parse::<u16>()?);
    let answer: &'static [u8] = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
        BODY.len()
    )
    .leak()
    .as_bytes();
    let workers: Vec<_> = (0..thread::available_parallelism()?.get())
        .map(|_| {
            let (sender, connections) = unbounded_channel();
            thread::spawn(move || serve(connections, answer));
            sender
        })
        .collect();

    event_loop()?.block_on(async {
        let listener = TcpListener::bind((address.0.as_str(), address.1)).await?;
        for worker in workers.iter().cycle() {
            let (connection, _) = listener.accept().await?;
            connection.set_nodelay(true)?;
            worker.send(connection.into_std()?)?;
        }
        Ok(())
    })
}

fn event_loop() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_io().build()
}

fn serve(mut connections: UnboundedReceiver<TcpStream>, answer: &'static [u8]) {
    let work = async {
        while let Some(connection) = connections.recv().await {
            tokio::task::spawn_local(async move {
                // A client that goes away in the middle ends its own connection only.
                let _ = converse(connection, answer).await;
            });
        }
    };
    LocalSet::new().block_on(&event_loop().expect("an event loop for each thread"), work);
}

/// Answers each GET at the end of its header, each POST at the end of its body. Another request, or one above 16 KiB,
/// ends the connection.
async fn converse(connection: TcpStream, answer: &'static [u8]) -> std::io::Result<()> {
    let mut connection = tokio::net::TcpStream::from_std(connection)?;
    let header_end = Finder::new(b"\r\n\r\n");
    let mut buffer = vec![0; 16 * 1024];
    let mut filled = 0;
    let mut answers = Vec::with_capacity(16 * answer.len());
    while filled < buffer.len() {
        let read = connection.read(&mut buffer[filled..]).await?;
        if read == 0 {
            break;
        }
        filled += read;
        // A client may send several requests at once, and parts of one.
        let mut begin = 0;
        while let Some(length) = header_end.find(&buffer[begin..filled]) {
            let header = &buffer[begin..begin + length];
            let body = match header {
                [b'G', b'E', b'T', b' ', ..] => 0,
                [b'P', b'O', b'S', b'T', b' ', ..] => body_length(header),
                _ => return Ok(()),
            };
            let end = begin + length + header_end.needle().len() + body;
            if filled < end {
                break;
            }
            answers.extend_from_slice(answer);
            begin = end;
        }
        connection.write_all(&answers).await?;
        answers.clear();
        buffer.copy_within(begin..filled, 0);
        filled -= begin;
    }
    Ok(())
}

/// Returns the length of the body that a header tells of, in bytes; 0 where it tells none.
fn body_length(header: &[u8]) -> usize {
    let header = String::from_utf8_lossy(header);
    let mut fields = header.lines().filter_map(|line| line.split_once(':'));
    fields
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(0)
}
