//! Many users at once: each opens a connection of its own, sends one request, and leaves with the answer, or when its
//! patience is over. `burst <address> <paths> <patience ms> <sources> <output>`: `paths` has a line for each user;
//! users come from so many addresses of 127.0.0.0/8, named by the first and their number (`127.0.0.2+4`), or from
//! wherever the system says (`-`), because an address has a limited number of ports.
//!
//! One thread, so that it takes little of a small machine. It writes `output` at the end: what happened to each user,
//! in the order of the paths.

mod answer;
mod user;

use std::cell::Cell;
use std::env;
use std::error::Error;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::task::LocalSet;

use user::{Burst, Visit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [address, paths, patience, sources, output] = arguments.as_slice() else {
        return Err("expected an address, a file of paths, patience, sources and an output".into());
    };
    let address: SocketAddr = address.parse()?;
    let patience = Duration::from_millis(patience.parse()?);
    let sources = sources_of(sources)?;
    let paths = fs::read_to_string(paths)?;
    let requests: Vec<_> = paths.lines().map(|path| request(path, address)).collect();
    // Created when the users are about to come: whoever started this may wait for it.
    fs::write(output, "")?;

    let burst = Rc::new(Burst {
        address,
        begin: Instant::now(),
        patience,
        connected: Cell::default(),
        peak_connected: Cell::default(),
    });
    let (all, users) = (burst.clone(), LocalSet::new());
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let visits = users.block_on(&runtime, async move {
        let coming: Vec<_> = requests
            .into_iter()
            .enumerate()
            .map(|(index, request)| {
                let source = (!sources.is_empty()).then(|| sources[index % sources.len()]);
                tokio::task::spawn_local(user::visit(all.clone(), request, source))
            })
            .collect();
        let mut visits = Vec::with_capacity(coming.len());
        for visit in coming {
            visits.push(visit.await?);
        }
        Ok::<_, tokio::task::JoinError>(visits)
    })?;
    Ok(fs::write(output, report(&burst, &visits))?)
}

/// Returns the addresses that `127.0.0.2+4` stands for; none for `-`.
fn sources_of(text: &str) -> Result<Vec<IpAddr>, Box<dyn Error>> {
    let Some((first, count)) = text.split_once('+') else {
        return Ok(Vec::new());
    };
    let first: Ipv4Addr = first.parse()?;
    Ok((0..count.parse()?)
        .map(|index| IpAddr::V4(Ipv4Addr::from_bits(first.to_bits() + index)))
        .collect())
}

fn request(path: &str, address: SocketAddr) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: */*\r\n\r\n")
}

/// Returns the report as JSON: a row of six for each user.
fn report(burst: &Burst, visits: &[Visit]) -> String {
    let rows: Vec<_> = visits.iter().map(Visit::row).collect();
    format!(
        "{{\"peakConnected\":{},\"users\":[\n{}\n]}}\n",
        burst.peak_connected.get(),
        rows.join(",\n")
    )
}
