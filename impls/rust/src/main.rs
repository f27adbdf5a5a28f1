mod auth;
mod delay;
mod gateway;
mod notify;
mod users;
mod visits;

use std::env;
use std::time::Duration;

use actix_web::{App, HttpServer, get, web};
use sqlx::mysql::MySqlPoolOptions;

use auth::Verifier;
use gateway::Upstream;

#[get("/hello")]
async fn hello() -> &'static str {
    "Hello, World!"
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = MySqlPoolOptions::new()
        .max_connections(env::var("DB_POOL_MAX")?.parse()?)
        .acquire_timeout(Duration::from_secs(5))
        .connect(&env::var("DATABASE_URL")?)
        .await?;
    let pool = web::Data::new(pool);
    let verifier = web::Data::new(Verifier::new(&env::var("JWT_SECRET")?));
    let upstream = web::Data::new(Upstream::new(&env::var("UPSTREAM_URL")?)?);
    let address = (env::var("HOST")?, env::var("PORT")?.parse()?);

    HttpServer::new(move || {
        App::new()
            .app_data(pool.clone())
            .app_data(verifier.clone())
            .app_data(upstream.clone())
            .service(hello)
            .service(delay::answer_late)
            .service(gateway::pass_on)
            .service(notify::accept)
            .service(users::current_user)
            .service(visits::add_visit)
    })
    .shutdown_timeout(5)
    .bind(address)?
    .run()
    .await?;
    Ok(())
}
