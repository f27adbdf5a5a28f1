use std::ffi::OsString;
use std::fs::{self, File};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{self, Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgrp, kill_process_group, setpgid};

use crate::answer::{Answer, ask};
use crate::arguments::Arguments;
use crate::state::{State, Up};

const INTERVAL: Duration = Duration::from_millis(1);

pub struct Options {
    url: String,
    address: SocketAddr,
    request: Vec<u8>,
    expected_path: PathBuf,
    timeout: Duration,
    state: PathBuf,
    log: PathBuf,
    command: Vec<OsString>,
}

impl Options {
    pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        const KNOWN: &[&str] = &[
            "--url",
            "--header",
            "--expect-file",
            "--timeout-seconds",
            "--state",
            "--log",
        ];
        let mut arguments = Arguments::parse(arguments, KNOWN)?;
        let url = arguments.text("--url")?;
        let (address, request) = request_for(&url, &arguments.text("--header")?)?;
        let timeout = arguments.text("--timeout-seconds")?;
        let timeout = timeout
            .parse()
            .ok()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .ok_or(format!("Cannot wait \"{timeout}\" s: it is no duration"))?;
        let options = Self {
            url,
            address,
            request,
            expected_path: arguments.required("--expect-file")?.into(),
            timeout,
            state: arguments.required("--state")?.into(),
            log: arguments.required("--log")?.into(),
            command: arguments.rest,
        };
        if options.command.is_empty() {
            return Err("Cannot start nothing: expected a command after \"--\"".to_owned());
        }
        Ok(options)
    }
}

fn request_for(url: &str, header: &str) -> Result<(SocketAddr, Vec<u8>), String> {
    let wrong = || format!("Cannot ask \"{url}\": expected http://HOST:PORT/PATH");
    let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let address = host.to_socket_addrs().ok().and_then(|mut all| all.next());
    let request =
        format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\n{header}\r\nconnection: close\r\n\r\n");
    Ok((address.ok_or_else(wrong)?, request.into_bytes()))
}

/// Spawns the server and waits for its first right answer; without one, ends it.
pub fn start(options: Options) -> Result<(), String> {
    let read =
        |path: &PathBuf| fs::read(path).map_err(|error| format!("Cannot read {path:?}: {error}"));
    let expected = read(&options.expected_path)?;
    let (log, log_too) = File::options()
        .append(true)
        .create(true)
        .open(&options.log)
        .and_then(|log| Ok((log.try_clone()?, log)))
        .map_err(|error| format!("Cannot write {:?}: {error}", options.log))?;

    // First the state, then the group of our own, then the server in it: whenever this process is killed,
    // the state names whatever is left of it. Who kills our caller's group does not reach this one.
    let group = process::id().cast_signed();
    let callers_group = getpgrp();
    State { group, up: None }.write(&options.state)?;
    setpgid(None, None).map_err(|error| format!("Cannot make a process group: {error}"))?;

    let begin = Instant::now();
    let mut child = Command::new(&options.command[0])
        .args(&options.command[1..])
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(log_too)
        .spawn()
        .map_err(|error| format!("Cannot start {:?}: {error}", options.command[0]))?;
    poll(&options, &expected, begin, &mut child)
        .and_then(|up| {
            State {
                group,
                up: Some(up),
            }
            .write(&options.state)
        })
        .inspect_err(|_| {
            // Not in the group that is killed, so that the failure can be told.
            let _ = setpgid(None, Some(callers_group));
            let _ = Pid::from_raw(group).map(|group| kill_process_group(group, Signal::KILL));
            let _ = child.wait();
        })
}

fn poll(
    options: &Options,
    expected: &[u8],
    begin: Instant,
    child: &mut Child,
) -> Result<Up, String> {
    let what = format!(
        "status 200 and the {} bytes of {:?}",
        expected.len(),
        options.expected_path
    );
    let mut attempts = 0;
    let mut came = "no answer".to_owned();
    loop {
        let attempt = Instant::now();
        attempts += 1;
        match ask(options.address, &options.request, begin + options.timeout) {
            Ok(answer) if answer.status == 200 && answer.body == expected => {
                let seconds = begin.elapsed().as_secs_f64();
                let pid = child.id();
                return Ok(Up {
                    pid,
                    seconds,
                    attempts,
                });
            }
            Ok(Answer { status, body }) => {
                came = format!("status is {status}, with {} bytes", body.len());
            }
            // An attempt that the end of the time cut short tells less than the one before.
            Err(error) if begin.elapsed() < options.timeout => came = error.to_string(),
            Err(_) => {}
        }
        let url = &options.url;
        if let Ok(Some(status)) = child.try_wait() {
            return Err(format!(
                "Cannot reach \"{url}\": the server ended with {status}, expected {what}"
            ));
        }
        if begin.elapsed() >= options.timeout {
            let seconds = options.timeout.as_secs_f64();
            return Err(format!(
                "Cannot reach \"{url}\" within {seconds} s: {came}, expected {what}"
            ));
        }
        thread::sleep(INTERVAL.saturating_sub(attempt.elapsed()));
    }
}
