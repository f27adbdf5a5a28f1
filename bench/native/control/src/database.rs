use std::error::Error;

use mysql_async::{Conn, Opts, OptsBuilder, Pool, PoolConstraints, PoolOpts};
use tokio::time::timeout;

use crate::answer::PATIENCE;

pub type Failure = Box<dyn Error + Send + Sync>;

/// A pool of connections. Each prepares a statement once.
#[derive(Clone)]
pub struct Database {
    pool: Pool,
}

impl Database {
    pub fn new(url: &str, pool_max: usize) -> Result<Self, Failure> {
        // As many at least as at most: a connection that is idle for a moment is kept.
        let constraints = PoolConstraints::new(pool_max, pool_max).ok_or("DB_POOL_MAX is 0")?;
        let pool_options = PoolOpts::new()
            .with_constraints(constraints)
            // Resetting a connection that comes back would be a round trip, and forgets its statements.
            .with_reset_connection(false);
        let options = OptsBuilder::from_opts(Opts::from_url(url)?)
            .pool_opts(pool_options)
            // Over TCP, as everybody else, also where the database tells of a socket.
            .prefer_socket(false);
        Ok(Self {
            pool: Pool::new(options),
        })
    }

    /// Takes a connection of the pool, for the statement that `work` runs.
    pub async fn run<T, Work, Running>(&self, work: Work) -> Result<T, Failure>
    where
        T: Send + 'static,
        Work: FnOnce(Conn) -> Running + Send + 'static,
        Running: Future<Output = Result<T, mysql_async::Error>> + Send,
    {
        let pool = self.pool.clone();
        // In a task of its own: a query that was given up halfway would spoil its connection for the next.
        let query = tokio::spawn(async move { work(pool.get_conn().await?).await });
        Ok(timeout(PATIENCE, query).await???)
    }
}
