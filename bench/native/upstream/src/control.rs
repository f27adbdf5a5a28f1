//! The port of its own: `GET /counts`, `GET /ids` (calls of each id), `GET /arrivals` (when the first of each came),
//! `DELETE /counts`; `PUT /editions/<id>:<edition>,…`; `PUT /faults/<id>/<fault>` and `DELETE /faults`.

use std::io;
use std::rc::Rc;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::State;
use crate::counts::Counts;
use crate::http::{self, Reader};
use crate::service::Fault;

pub async fn accept(listener: TcpListener, state: Rc<State>) {
    loop {
        let connection = http::accept(&listener).await;
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
        let answer = http::answer(status, "application/json", &body, request.is_last);
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
            if let Some(list) = target.strip_prefix("/editions/") {
                for change in list.split(',') {
                    let (id, edition) = change.split_once(':')?;
                    let (id, edition) = (id.parse().ok()?, edition.parse().ok()?);
                    state.editions.borrow_mut().insert(id, edition);
                }
            } else {
                let (id, fault) = target.strip_prefix("/faults/")?.split_once('/')?;
                let fault = Fault::named(fault)?;
                state.faults.borrow_mut().insert(id.parse().ok()?, fault);
                state.counts.borrow_mut().misbehave();
            }
            Some("null".to_owned())
        }
        _ => None,
    }
}
