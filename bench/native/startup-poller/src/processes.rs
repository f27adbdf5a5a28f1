//! Which processes a group has, and how much memory each.

use std::io::{Error, Result};

/// A living process: what has ended and waits for its parent is none.
pub struct Process {
    pub pid: i32,
    #[cfg(not(target_os = "linux"))]
    resident_bytes: u64,
}

/// The memory of some processes.
pub struct Memory {
    pub bytes: u64,
    /// "pss": what processes share is counted once. "rss": counted for each of them.
    pub source: &'static str,
}

/// Returns the living processes of a group.
#[cfg(target_os = "linux")]
pub fn members(group: i32) -> Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(pid) = entry?
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        // One that ends while it is looked at is not there.
        let Ok(text) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
            continue;
        };
        // The second field is a name in parentheses, and a name may hold anything (proc_pid_stat(5)).
        let Some((_, fields)) = text.rsplit_once(')') else {
            continue;
        };
        let fields: Vec<_> = fields.split_whitespace().collect();
        if let [state, _, pgrp, ..] = fields[..]
            && !["Z", "X"].contains(&state)
            && pgrp.parse() == Ok(group)
        {
            found.push(Process { pid });
        }
    }
    Ok(found)
}

/// Returns the memory of processes together: proportional where the system lets that be read, else resident.
#[cfg(target_os = "linux")]
pub fn memory_of(processes: &[Process]) -> Result<Memory> {
    let sum = |file: &str, key: &str| -> Result<u64> {
        let each = processes.iter().map(|Process { pid }| {
            let text = std::fs::read_to_string(format!("/proc/{pid}/{file}"))?;
            let line = text.lines().find_map(|line| line.strip_prefix(key));
            let number = line.and_then(|line| line.split_whitespace().next());
            let kibibytes = number.and_then(|number| number.parse::<u64>().ok());
            kibibytes.ok_or_else(|| Error::other(format!("/proc/{pid}/{file} has no {key}")))
        });
        Ok(each.sum::<Result<u64>>()? * 1024)
    };
    sum("smaps_rollup", "Pss:")
        .map(|bytes| Memory {
            bytes,
            source: "pss",
        })
        .or_else(|_| {
            sum("status", "VmRSS:").map(|bytes| Memory {
                bytes,
                source: "rss",
            })
        })
}

/// Returns the living processes of a group.
#[cfg(not(target_os = "linux"))]
pub fn members(group: i32) -> Result<Vec<Process>> {
    let columns = ["-axo", "pid=,pgid=,rss=,state="];
    let output = std::process::Command::new("ps").args(columns).output()?;
    if !output.status.success() {
        return Err(Error::other("ps failed"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .lines()
        .filter_map(|line| parse_line(line, group))
        .collect())
}

#[cfg(not(target_os = "linux"))]
fn parse_line(line: &str, group: i32) -> Option<Process> {
    let mut fields = line.split_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let pgid: i32 = fields.next()?.parse().ok()?;
    let resident_bytes = fields.next()?.parse::<u64>().ok()? * 1024;
    let is_alive = !fields.next()?.starts_with('Z');
    (pgid == group && is_alive).then_some(Process {
        pid,
        resident_bytes,
    })
}

/// Returns the memory of processes together.
#[cfg(not(target_os = "linux"))]
pub fn memory_of(processes: &[Process]) -> Result<Memory> {
    let bytes = processes.iter().map(|process| process.resident_bytes).sum();
    Ok(Memory {
        bytes,
        source: "rss",
    })
}
