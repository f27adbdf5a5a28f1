use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(1);

/// How long one attempt waits: a request that got lost in a server not yet ready is asked again.
const PATIENCE_SECONDS: u64 = 5;

/// Reads the right answer and removes its file, so that the server cannot read it. Spawns the server and asks it once a
/// millisecond, over a connection of its own, until it answers right. The first time is at random within a millisecond:
/// in steps from the spawn, two servers that get ready in one step would always take equally long. So every time is late
/// by half a millisecond on average.
pub fn start(
    (path, header): (&str, &str),
    body_file: &str,
    timeout: &str,
    (program, arguments): (&str, &[&str]),
) -> Result<(), String> {
    let body =
        fs::read(body_file).map_err(|error| format!("Cannot read {body_file:?}: {error}"))?;
    fs::remove_file(body_file).map_err(|error| format!("Cannot remove {body_file:?}: {error}"))?;
    let timeout = timeout
        .parse()
        .map(Duration::from_secs)
        .map_err(|error| format!("Cannot wait {timeout:?} s: {error}"))?;
    // A new one for each start: what was open on another does not concern this server.
    let port = TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .map_err(|error| format!("Cannot find a free port: {error}"))?
        .port();
    let url = format!("http://127.0.0.1:{port}{path}");
    let (name, value) = header
        .split_once(": ")
        .ok_or(format!("Cannot send {header:?}: expected \"Name: value\""))?;
    let request = minreq::get(&url)
        .with_follow_redirects(false)
        .with_header(name, value);
    let mut server = Command::new(program)
        .args(arguments)
        .env("PORT", port.to_string())
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("Cannot start {program:?}: {error}"))?;
    thread::sleep(INTERVAL.mul_f64(at_random()));
    wait_for(&request, &body, timeout, &mut server).map_err(|(what, came)| {
        let bytes = body.len();
        format!("Cannot reach \"{url}\"{what}: {came}, expected status 200 and the {bytes} bytes of {body_file:?}")
    })
}

/// Returns a number at random from 0 to 1, from the keys of a new hash map.
fn at_random() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

/// Returns at the first right answer; else until when there was none, and what came instead.
fn wait_for(
    request: &minreq::Request,
    body: &[u8],
    timeout: Duration,
    server: &mut Child,
) -> Result<(), (String, String)> {
    let begin = Instant::now();
    let mut came = "no answer".to_owned();
    loop {
        let attempt = Instant::now();
        let left = timeout.saturating_sub(begin.elapsed()).as_secs() + 1;
        let request = request.clone().with_timeout(left.min(PATIENCE_SECONDS));
        match request.send() {
            Ok(answer) if answer.status_code == 200 && answer.as_bytes() == body => return Ok(()),
            Ok(answer) => {
                let bytes = answer.as_bytes().len();
                came = format!("status is {}, with {bytes} bytes", answer.status_code);
            }
            // An attempt that the end of the time cut short tells less than the one before.
            Err(error) if begin.elapsed() < timeout => came = error.to_string(),
            Err(_) => {}
        }
        if let Ok(Some(status)) = server.try_wait() {
            return Err((String::new(), format!("the server ended with {status}")));
        }
        if begin.elapsed() >= timeout {
            return Err((format!(" within {} s", timeout.as_secs()), came));
        }
        thread::sleep(INTERVAL.saturating_sub(attempt.elapsed()));
    }
}
