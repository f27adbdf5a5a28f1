use mysql_async::prelude::Queryable;
use serde::Serialize;

use crate::database::{Database, Failure};

const QUERY: &str = "SELECT email, first, last, city, county, age FROM users WHERE email = ?";

#[derive(Serialize)]
pub struct User {
    email: String,
    first: Option<String>,
    last: Option<String>,
    city: Option<String>,
    county: Option<String>,
    age: Option<i32>,
}

type Columns = (
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<i32>,
);

/// The table of users.
pub struct Users {
    database: Database,
}

impl Users {
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    pub async fn find(&self, email: String) -> Result<Option<User>, Failure> {
        let query = self.database.run(|mut connection| async move {
            connection
                .exec_first::<Columns, _, _>(QUERY, (email,))
                .await
        });
        let columns = query.await?;
        Ok(columns.map(|(email, first, last, city, county, age)| User {
            email,
            first,
            last,
            city,
            county,
            age,
        }))
    }
}
