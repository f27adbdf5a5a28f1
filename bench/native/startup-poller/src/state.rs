use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What `start` leaves for `stop`. Before the server is spawned there is the group alone.
#[derive(Serialize, Deserialize)]
pub struct State {
    /// The process group of the server and of all that it starts.
    pub group: i32,
    #[serde(flatten)]
    pub up: Option<Up>,
}

/// A server that has given its first right answer.
#[derive(Serialize, Deserialize)]
pub struct Up {
    pub pid: u32,
    /// From just before its spawning to the last byte of that answer.
    pub seconds: f64,
    pub attempts: u64,
}

impl State {
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read(path).map_err(|error| format!("Cannot read {path:?}: {error}"))?;
        serde_json::from_slice(&text).map_err(|error| format!("Cannot parse {path:?}: {error}"))
    }

    /// Replaces the file in one step: whoever reads it while this is interrupted sees the old or the new.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut staged = OsString::from(path);
        staged.push(".new");
        serde_json::to_vec(self)
            .map_err(std::io::Error::from)
            .and_then(|text| fs::write(&staged, text))
            .and_then(|()| fs::rename(&staged, path))
            .map_err(|error| format!("Cannot write {path:?}: {error}"))
    }
}
