//! The backend of `impls/rust`, which burns BURN_NANOSECONDS of processor time with each request besides.

#[path = "../../../../impls/rust/src/auth.rs"]
mod auth;
mod burn;
#[path = "../../../../impls/rust/src/users.rs"]
mod users;

use std::env;
use std::time::Duration;

use actix_web::dev::Service;
use actix_web::{App, HttpServer, web};
use sqlx::mysql::MySqlPoolOptions;

use auth::Verifier;

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let burnt = Duration::from_nanos(env::var("BURN_NANOSECONDS")?.parse()?);
    let pool = MySqlPoolOptions::new()
        .max_connections(env::var("DB_POOL_MAX")?.parse()?)
        .acquire_timeout(Duration::from_secs(5))
        // The pool pings a connection when it comes back; once more before each query is a round trip too many.
        .test_before_acquire(false)
        .connect(&env::var("DATABASE_URL")?)
        .await?;
    let pool = web::Data::new(pool);
    let verifier = web::Data::new(Verifier::new(&env::var("JWT_SECRET")?));
    let address = (env::var("HOST")?, env::var("PORT")?.parse()?);

    HttpServer::new(move || {
        App::new()
            .app_data(pool.clone())
            .app_data(verifier.clone())
            .wrap_fn(move |request, app| {
                burn::burn(burnt);
                app.call(request)
            })
            .service(users::current_user)
    })
    .shutdown_timeout(5)
    .bind(address)?
    .run()
    .await?;
    Ok(())
}
