//! The control: does the job of every scenario with boring parts, and does not change. Every published ratio
//! is a ratio to it, measured on the same machine at the same time.

mod answer;
mod auth;
mod database;
mod gateway;
mod notify;
mod upstream;
mod users;
mod visits;

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

use answer::{App, Stored};
use auth::Verifier;
use database::Database;
use upstream::Upstream;
use users::Users;
use visits::Visits;

const GRACE: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let stored = match env::var("DATABASE_URL") {
        Ok(database_url) => {
            let database = Database::new(&database_url, env::var("DB_POOL_MAX")?.parse()?)?;
            Some(Stored {
                verifier: Verifier::new(&env::var("JWT_SECRET")?),
                users: Users::new(database.clone()),
                visits: Visits::new(database),
            })
        }
        Err(_) => None,
    };
    let upstream = env::var("UPSTREAM_URL").ok().map(Upstream::new);
    let app = Arc::new(App { stored, upstream });
    let mut terminate = signal(SignalKind::terminate())?;
    let listener = TcpListener::bind((env::var("HOST")?, env::var("PORT")?.parse()?)).await?;
    let connections = GracefulShutdown::new();

    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => accepted?,
            _ = terminate.recv() => break,
        };
        stream.set_nodelay(true)?;
        let app = app.clone();
        let service = service_fn(move |request| {
            let app = app.clone();
            async move { app.answer(request).await }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        let connection = connections.watch(connection);
        // A client that goes away in the middle ends its own connection only.
        tokio::spawn(async move { connection.await.ok() });
    }
    drop(listener);
    let _ = timeout(GRACE, connections.shutdown()).await;
    Ok(())
}
