//! The service that the scenarios with an upstream call. `GET /items/<id>` is answered at once, `GET /check/<id>`
//! after 100 ms; both after `?delay=<ms>` where that is given. The body follows from the id, its edition and
//! `UPSTREAM_KEY`.
//!
//! One thread, so that it takes little of a small machine and its limit is easy to tell. Every call is counted; a
//! port of its own, `CONTROL_PORT`, reads the counts and commands editions and faults (see `control.rs`), so that
//! neither is counted. SIGTERM ends the process by its default action.

mod control;
mod counts;
mod http;
mod item;
mod service;

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;

use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use counts::Counts;
use service::Fault;

/// Connections that may wait to be accepted: more than any server's pool opens at once.
const BACKLOG: u32 = 4096;

/// What all connections share; there is one thread only.
pub struct State {
    /// Bodies depend on it, so that they cannot be known beforehand.
    key: String,
    counts: RefCell<Counts>,
    /// Of each id that was changed; all others are in edition 0.
    editions: RefCell<HashMap<u64, u32>>,
    faults: RefCell<HashMap<u64, Fault>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let host = env::var("HOST")?;
    let port_of = |name: &str| -> Result<SocketAddr, Box<dyn Error>> {
        Ok(SocketAddr::new(host.parse()?, env::var(name)?.parse()?))
    };
    let (service, control) = (port_of("PORT")?, port_of("CONTROL_PORT")?);
    let state = Rc::new(State {
        key: env::var("UPSTREAM_KEY")?,
        counts: RefCell::default(),
        editions: RefCell::default(),
        faults: RefCell::default(),
    });
    let work = async move {
        // The service listens first: whoever reaches the control can call it.
        let service = listen(service)?;
        let control = listen(control)?;
        tokio::task::spawn_local(control::accept(control, state.clone()));
        service::accept(service, state).await;
        Ok::<_, io::Error>(())
    };
    let runtime = Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, work)?;
    Ok(())
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // It comes back on the port that it had, after it was killed.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
