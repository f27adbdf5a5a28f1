use std::fs;
use std::io::{Error, Result};
use std::process::{Command, ExitCode};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, wait,
};
use signal_hook::consts::{SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Runs the command to its end, kills what it left behind, and returns its exit code. A command that a signal killed
/// ends the launcher by the same signal, or with 128 and its number where the launcher cannot end so.
pub fn launch(program: &str, arguments: &[String]) -> Result<ExitCode> {
    let harness = getppid();
    // The launcher survives what stops its group, because the command decides when to end. A handler is not inherited
    // by the command, as ignoring the signals would be.
    let mut signals = Signals::new([SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGTERM])?;
    set_child_subreaper(Some(getpid()))?;
    // This signal reaches a launcher that is frozen, too.
    set_parent_process_death_signal(Some(Signal::CONT))?;
    let child = match Command::new(program).args(arguments).spawn() {
        Ok(child) => Pid::from_child(&child),
        Err(error) => {
            eprintln!("Cannot start {program:?}: {error}");
            // What a shell returns for a command that it cannot start.
            return Ok(ExitCode::from(127));
        }
    };
    if signals.pending().any(|signal| signal == SIGTERM) {
        // It may have come before there was a command for it.
        kill(child, Signal::TERM);
    }
    let status = loop {
        if let Some(status) = reap(child)? {
            break status;
        }
        if getppid() != harness {
            kill(child, Signal::KILL);
        }
        signals.wait();
    };
    kill_rest()?;
    if let Some(signal) = status.terminating_signal() {
        // It returns where it does not know the signal, as a real-time one.
        let _ = emulate_default_handler(signal);
        return Ok(ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)));
    }
    let code = status.exit_status().unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Takes what is left of children that have ended, orphans among them, and returns how the command has ended, if it has.
fn reap(command: Pid) -> Result<Option<WaitStatus>> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == command => return Ok(Some(status)),
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Kills all descendants: the children of one that ended come here, and are killed in turn.
fn kill_rest() -> Result<()> {
    loop {
        for pid in children()? {
            kill(pid, Signal::KILL);
        }
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::CHILD) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

fn children() -> Result<Vec<Pid>> {
    let process = getpid();
    let text = fs::read_to_string(format!("/proc/{process}/task/{process}/children"))?;
    text.split_whitespace()
        .map(|pid| {
            let pid = pid.parse().map_err(Error::other)?;
            Pid::from_raw(pid).ok_or_else(|| Error::other("0 is no process"))
        })
        .collect()
}

fn kill(pid: Pid, signal: Signal) {
    // It may have ended by itself since it was seen.
    let _ = kill_process(pid, signal);
}
