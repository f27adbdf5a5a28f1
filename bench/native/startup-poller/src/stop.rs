#[cfg(target_os = "linux")]
use std::collections::HashSet;
use std::fs::File;
use std::io::{Error, Result as IoResult, Write};
use std::thread;
use std::time::Duration;

#[cfg(target_os = "linux")]
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getpgrp, getpid, getppid, kill_process};

const INTERVAL: Duration = Duration::from_millis(1);

const ENDED: &str = "it has ended, expected it to live";

/// Appends the memory of the server's processes to the record as a line of JSON, then kills them.
pub fn stop(record: &str) -> Result<(), String> {
    let failed = |error| format!("Cannot measure the memory of the server: {error}");
    let mut server = processes_of_server().map_err(failed)?;
    if server.is_empty() {
        return Err(failed(Error::other(ENDED)));
    }
    let (bytes, source) = memory_of(&server).map_err(failed)?;
    let line = format!("{{\"memoryBytes\":{bytes},\"memorySource\":\"{source}\"}}");
    File::options()
        .append(true)
        .create(true)
        .open(record)
        .and_then(|mut file| writeln!(file, "{line}"))
        .map_err(|error| format!("Cannot write {record:?}: {error}"))?;
    while !server.is_empty() {
        for process in server {
            // It may have ended by itself since it was seen.
            let _ = kill_process(process.pid, Signal::KILL);
        }
        thread::sleep(INTERVAL);
        server = processes_of_server().map_err(failed)?;
    }
    Ok(())
}

/// A living process: what has ended and waits for its parent is none.
struct Process {
    pid: Pid,
    #[cfg(not(target_os = "linux"))]
    resident_bytes: u64,
}

/// Returns what lives in our process group, or descends from it, beside its leader, which is hyperfine or the launcher above
/// it; hyperfine, which has started us; and ourselves.
fn processes_of_server() -> IoResult<Vec<Process>> {
    let ours = [Some(getpid()), getppid(), Some(getpgrp())];
    let mut group = members(getpgrp())?;
    group.retain(|process| !ours.contains(&Some(process.pid)));
    Ok(group)
}

#[cfg(target_os = "linux")]
fn members(group: Pid) -> IoResult<Vec<Process>> {
    let living = living()?;
    let mut inside: HashSet<Pid> = living
        .iter()
        .filter(|process| process.group == Some(group))
        .map(|process| process.pid)
        .collect();
    // What has left the group descends from what is in it.
    loop {
        let before = inside.len();
        for process in &living {
            if process
                .parent
                .is_some_and(|parent| inside.contains(&parent))
            {
                inside.insert(process.pid);
            }
        }
        if inside.len() == before {
            return Ok(inside.into_iter().map(|pid| Process { pid }).collect());
        }
    }
}

#[cfg(target_os = "linux")]
struct Living {
    pid: Pid,
    parent: Option<Pid>,
    group: Option<Pid>,
}

/// Returns all processes that have not ended.
#[cfg(target_os = "linux")]
fn living() -> IoResult<Vec<Living>> {
    let id = |text: &str| text.parse().ok().and_then(Pid::from_raw);
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        // What is no process, or ends while it is looked at, is none.
        let Ok(stat) = std::fs::read(entry?.path().join("stat")) else {
            continue;
        };
        // The kernel may cut a name inside of a character.
        let stat = String::from_utf8_lossy(&stat);
        // The second field is a name in parentheses, and a name may hold anything (proc_pid_stat(5)).
        let Some(((pid, _), (_, fields))) = stat.split_once(' ').zip(stat.rsplit_once(") ")) else {
            continue;
        };
        let mut rest = fields.split(' ');
        let (state, parent, group) = (rest.next(), rest.next(), rest.next());
        if let (Some(pid), false) = (id(pid), matches!(state, Some("Z" | "X"))) {
            found.push(Living {
                pid,
                parent: parent.and_then(id),
                group: group.and_then(id),
            });
        }
    }
    Ok(found)
}

/// Returns the memory of processes together: proportional where the system lets that be read, else resident.
#[cfg(target_os = "linux")]
fn memory_of(processes: &[Process]) -> IoResult<(u64, &'static str)> {
    let sum = |file: &str, key: &str| -> IoResult<u64> {
        let mut kibibytes = Vec::new();
        for process in processes {
            kibibytes.extend(kibibytes_of(process, file, key)?);
        }
        if kibibytes.is_empty() {
            return Err(Error::other(ENDED));
        }
        Ok(kibibytes.iter().sum::<u64>() * 1024)
    };
    sum("smaps_rollup", "Pss:")
        .map(|bytes| (bytes, "pss"))
        .or_else(|_| Ok((sum("status", "VmRSS:")?, "rss")))
}

/// Returns what a file of a process says in kibibytes; none where it has ended since it was seen.
#[cfg(target_os = "linux")]
fn kibibytes_of(Process { pid }: &Process, file: &str, key: &str) -> IoResult<Option<u64>> {
    let text = match std::fs::read_to_string(format!("/proc/{pid}/{file}")) {
        Ok(text) => text,
        Err(error) => {
            return match Errno::from_io_error(&error) {
                Some(Errno::NOENT | Errno::SRCH) => Ok(None),
                _ => Err(error),
            };
        }
    };
    // What waits for its parent has no memory any more.
    let Some(line) = text.lines().find_map(|line| line.strip_prefix(key)) else {
        return Ok(None);
    };
    let kibibytes = line
        .trim()
        .strip_suffix(" kB")
        .and_then(|it| it.parse().ok());
    kibibytes
        .map(Some)
        .ok_or_else(|| Error::other(format!("/proc/{pid}/{file} has no {key} in kB")))
}

#[cfg(not(target_os = "linux"))]
fn members(group: Pid) -> IoResult<Vec<Process>> {
    let columns = ["-axo", "pid=,pgid=,rss=,state="];
    let output = std::process::Command::new("ps").args(columns).output()?;
    let parse = |line: &str| {
        let mut fields = line.split_whitespace();
        let pid = Pid::from_raw(fields.next()?.parse().ok()?)?;
        let is_member = fields.next()? == group.to_string();
        let resident_bytes = fields.next()?.parse::<u64>().ok()? * 1024;
        let is_alive = !fields.next()?.starts_with('Z');
        (is_member && is_alive).then_some(Process {
            pid,
            resident_bytes,
        })
    };
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(parse)
        .collect())
}

#[cfg(not(target_os = "linux"))]
fn memory_of(processes: &[Process]) -> IoResult<(u64, &'static str)> {
    Ok((
        processes.iter().map(|process| process.resident_bytes).sum(),
        "rss",
    ))
}
