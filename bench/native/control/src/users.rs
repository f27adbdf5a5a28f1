use std::error::Error;

use mysql_async::prelude::Queryable;
use mysql_async::{Opts, OptsBuilder, Pool, PoolConstraints, PoolOpts};
use serde::Serialize;
use tokio::time::timeout;

use crate::answer::PATIENCE;

type Failure = Box<dyn Error + Send + Sync>;

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

/// The table of users, behind a pool of connections.
pub struct Users {
    pool: Pool,
}

impl Users {
    pub fn new(database_url: &str, pool_max: usize) -> Result<Self, Failure> {
        // As many at least as at most: a connection that is idle for a moment is kept.
        let constraints = PoolConstraints::new(pool_max, pool_max).ok_or("DB_POOL_MAX is 0")?;
        let pool_options = PoolOpts::new()
            .with_constraints(constraints)
            // Resetting a connection that comes back would be a round trip, and forgets its statements.
            .with_reset_connection(false);
        let options = OptsBuilder::from_opts(Opts::from_url(database_url)?)
            .pool_opts(pool_options)
            // Over TCP, as everybody else, also where the database tells of a socket.
            .prefer_socket(false);
        Ok(Self {
            pool: Pool::new(options),
        })
    }

    /// Looks a user up by a statement that each connection prepares once.
    pub async fn find(&self, email: String) -> Result<Option<User>, Failure> {
        let pool = self.pool.clone();
        // In a task of its own: a query that was given up halfway would spoil its connection for the next.
        let query = tokio::spawn(async move {
            let mut connection = pool.get_conn().await?;
            connection
                .exec_first::<Columns, _, _>(QUERY, (email,))
                .await
        });
        let columns = timeout(PATIENCE, query).await???;
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
