//! The port of its own: `GET /counts`, `GET /ids` (calls of each id), `GET /arrivals` (when the first of each came),
//! `DELETE /counts`; `PUT /editions/<id>/<edition>`; `PUT /faults/<id>/<fault>` and `DELETE /faults`.

use std::io;
use std::rc::Rc;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::State;
use crate::counts::Counts;
use crate::http::{self, Reader};
use crate::service::Fault;

pub async fn accept(listener: TcpListener, state: Rc<State>) -> io::Result<()> {
    loop {
        let (connection, _) = listener.accept().await?;
        let state = state.clone();
        tokio::task::spawn_local(async move { converse(connection, &state).await.ok() });
    }
}

async fn converse(mut connection: TcpStream, state: &State) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = Reader::new();
    while let Some(request) = reader.next(&mut connection).await? {
        let (status, body) = match command(&request.method, &request.target, state) {
            Some(body) => ("200 OK", body),
            None => ("404 Not Found", "null".to_owned()),
        };
        let answer = http::answer(status, "application/json", &body);
        connection.write_all(answer.as_bytes()).await?;
        if request.is_last {
            break;
        }
    }
    Ok(())
}

/// Does what is asked for, and returns the body of the answer; none where it does not know that.
fn command(method: &str, target: &str, state: &State) -> Option<String> {
    let read = |what: fn(&Counts) -> String| Some(what(&state.counts.borrow()));
    match (method, target) {
        ("GET", "/counts") => read(Counts::totals),
        ("GET", "/ids") => read(Counts::per_id),
        ("GET", "/arrivals") => read(Counts::arrivals),
        ("DELETE", "/counts") => {
            state.counts.borrow_mut().clear();
            Some("null".to_owned())
        }
        ("DELETE", "/faults") => {
            state.faults.borrow_mut().clear();
            Some("null".to_owned())
        }
        ("PUT", _) => {
            let (what, rest) = target.strip_prefix('/')?.split_once('/')?;
            let (id, value) = rest.split_once('/')?;
            let id = id.parse().ok()?;
            match what {
                "editions" => {
                    let edition = value.parse().ok()?;
                    state.editions.borrow_mut().insert(id, edition);
                }
                "faults" => {
                    let fault = Fault::named(value)?;
                    state.faults.borrow_mut().insert(id, fault);
                }
                _ => return None,
            }
            Some("null".to_owned())
        }
        _ => None,
    }
}
