use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;

use crate::arguments::Arguments;
use crate::processes::{Memory, members, memory_of};
use crate::state::{State, Up};

const GRACE: Duration = Duration::from_secs(10);
const INTERVAL: Duration = Duration::from_millis(5);

pub struct Options {
    state: PathBuf,
    record: Option<PathBuf>,
}

impl Options {
    pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = Arguments::parse(arguments, &["--state", "--record"])?;
        Ok(Self {
            state: arguments.required("--state")?.into(),
            record: arguments.optional("--record").map(PathBuf::from),
        })
    }
}

/// Ends all processes that `start` left, after it has recorded their memory, and removes the state.
pub fn stop(options: Options) -> Result<(), String> {
    let state = State::read(&options.state)?;
    let recorded = match &options.record {
        Some(record) => measure(&state).and_then(|line| append(record, &line)),
        None => Ok(()),
    };
    end(state.group)?;
    // The group's id may soon be somebody else's: nothing is to be stopped by it twice.
    fs::remove_file(&options.state)
        .map_err(|error| format!("Cannot remove {:?}: {error}", options.state))?;
    recorded
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    seconds: f64,
    attempts: u64,
    memory_bytes: u64,
    memory_source: &'static str,
}

fn measure(state: &State) -> Result<String, String> {
    let Some(Up {
        pid,
        seconds,
        attempts,
    }) = state.up
    else {
        return Err("Cannot measure the memory of a server: it was never up".to_owned());
    };
    let failed = |error| format!("Cannot measure the memory of process {pid}: {error}");
    let processes = members(state.group).map_err(failed)?;
    if !processes
        .iter()
        .any(|process| process.pid.cast_unsigned() == pid)
    {
        return Err(format!(
            "Cannot measure the memory of process {pid}: it has ended, expected it to live"
        ));
    }
    let Memory { bytes, source } = memory_of(&processes).map_err(failed)?;
    let record = Record {
        seconds,
        attempts,
        memory_bytes: bytes,
        memory_source: source,
    };
    serde_json::to_string(&record).map_err(|error| error.to_string())
}

fn append(path: &Path, line: &str) -> Result<(), String> {
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| writeln!(file, "{line}"))
        .map_err(|error| format!("Cannot write {path:?}: {error}"))
}

fn end(group: i32) -> Result<(), String> {
    let lives = || match members(group) {
        Ok(processes) => Ok(!processes.is_empty()),
        Err(error) => Err(format!("Cannot look for process group {group}: {error}")),
    };
    let signal = |signal| {
        // Between looking and killing, the last one may have ended by itself.
        let _ = Pid::from_raw(group).map(|group| kill_process_group(group, signal));
    };
    if !lives()? {
        return Ok(());
    }
    signal(Signal::TERM);
    let deadline = Instant::now() + GRACE;
    while lives()? {
        if Instant::now() >= deadline {
            signal(Signal::KILL);
        }
        thread::sleep(INTERVAL);
    }
    Ok(())
}
