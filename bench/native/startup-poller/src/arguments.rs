use std::collections::HashMap;
use std::ffi::OsString;

/// Arguments of the form `--name value`, and what comes after `--`.
pub struct Arguments {
    values: HashMap<String, OsString>,
    pub rest: Vec<OsString>,
}

impl Arguments {
    /// Takes arguments apart; a name that is not among `known`, or comes without a value, is an error.
    pub fn parse(
        mut arguments: impl Iterator<Item = OsString>,
        known: &[&str],
    ) -> Result<Self, String> {
        let mut values = HashMap::new();
        while let Some(name) = arguments.next() {
            if name == "--" {
                break;
            }
            let Some(name) = name.to_str().filter(|name| known.contains(name)) else {
                return Err(format!(
                    "Cannot use {name:?}: there is no such option, expected one of {}",
                    known.join(", ")
                ));
            };
            let value = arguments
                .next()
                .ok_or(format!("Cannot use \"{name}\": it has no value"))?;
            values.insert(name.to_owned(), value);
        }
        let rest = arguments.collect();
        Ok(Self { values, rest })
    }

    pub fn optional(&mut self, name: &str) -> Option<OsString> {
        self.values.remove(name)
    }

    pub fn required(&mut self, name: &str) -> Result<OsString, String> {
        self.optional(name)
            .ok_or(format!("Cannot go on without \"{name}\""))
    }

    pub fn text(&mut self, name: &str) -> Result<String, String> {
        self.required(name)?
            .into_string()
            .map_err(|value| format!("Cannot use {value:?} as \"{name}\": it is not UTF-8"))
    }
}
