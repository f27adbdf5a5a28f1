//! Times how long a server takes from its spawning to its first right answer.
//!
//! `start` spawns it, asks every millisecond over a connection of its own, and ends, the server alive, as soon as
//! the right answer is there; `stop` reads the memory of the server's processes, then ends them. Between
//! the two, and when `start` was interrupted, the state file says what there is to stop.

mod answer;
mod arguments;
mod processes;
mod start;
mod state;
mod stop;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: startup-poller start --url URL --header 'Name: value' --expect-file BODY --timeout-seconds N
                            --state STATE --log LOG -- COMMAND [ARGUMENT]...
       startup-poller stop --state STATE [--record RECORD]";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let verb = arguments.next().unwrap_or_default();
    let outcome = match verb.to_str() {
        Some("start") => start::Options::parse(arguments).map(start::start),
        Some("stop") => stop::Options::parse(arguments).map(stop::stop),
        _ => Err(format!(
            "Cannot do {verb:?}: there is no such command, expected start or stop"
        )),
    };
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(message)) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
