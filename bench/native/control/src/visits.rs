use mysql_async::prelude::Queryable;
use serde::{Deserialize, Serialize};

use crate::database::{Database, Failure};

const INSERT: &str = "INSERT INTO visits (user, page, text) VALUES (?, ?, ?)";

#[derive(Deserialize)]
pub struct NewVisit {
    user: String,
    page: String,
    text: String,
}

#[derive(Serialize)]
pub struct Visit {
    pub id: u64,
    user: String,
    page: String,
    text: String,
}

/// The table of visits.
pub struct Visits {
    database: Database,
}

impl Visits {
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Adds a row, and returns it with its id once it is committed.
    pub async fn add(&self, NewVisit { user, page, text }: NewVisit) -> Result<Visit, Failure> {
        let adding = self.database.run(|mut connection| async move {
            connection.exec_drop(INSERT, (&user, &page, &text)).await?;
            let id = connection.last_insert_id();
            Ok((id, user, page, text))
        });
        let (id, user, page, text) = adding.await?;
        let id = id.ok_or("MySQL made no id")?;
        Ok(Visit {
            id,
            user,
            page,
            text,
        })
    }
}
