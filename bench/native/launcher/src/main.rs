//! Starts a command and stays above it: whatever the command starts is a descendant of the launcher, also a process
//! that left the group or the session, and one whose parent has ended. When the command has ended, the launcher kills
//! what is left, and ends as the command did. When the process that started the launcher is killed, all of it ends.
//!
//! Linux gives an orphan to the nearest ancestor that has asked for it (`PR_SET_CHILD_SUBREAPER`, since Linux 3.4,
//! without any privilege). Nothing else reaches a process that left its group, whose parent has ended and whose
//! environment is empty: a control group would, but its creation takes root, or a delegation that few machines have.

#[cfg(target_os = "linux")]
mod launch;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((program, arguments)) = arguments.split_first() else {
        eprintln!("Usage: launcher COMMAND [ARGUMENT]...");
        return ExitCode::FAILURE;
    };
    match launch::launch(program, arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("Cannot look after {program:?}: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!(
        "Cannot launch anything: this system gives orphans to its first process, expected Linux"
    );
    ExitCode::FAILURE
}
