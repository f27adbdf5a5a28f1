//! What hyperfine runs to time a start: `start` ends, the server alive, at the server's first right answer;
//! `stop`, after the timing, records the memory of the server's processes and kills them.
//!
//! The server stays in the process group of hyperfine: whoever ends that group leaves nothing behind.

mod start;
mod stop;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: startup-poller start PATH HEADER EXPECTED_BODY_FILE TIMEOUT_SECONDS COMMAND [ARGUMENT]...
       startup-poller stop RECORD_FILE

HEADER is a line \"Name: value\". The server listens on 127.0.0.1, on the port that PORT tells it.";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["start", path, header, body, timeout, program, ref rest @ ..] => {
            start::start((path, header), body, timeout, (program, rest))
        }
        ["stop", record] => stop::stop(record),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
