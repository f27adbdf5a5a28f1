use actix_web::error::{ErrorInternalServerError, ErrorNotFound};
use actix_web::{Result, get, web};
use serde::Serialize;
use sqlx::{FromRow, MySqlPool};

use crate::auth::Claims;

#[derive(FromRow, Serialize)]
pub struct User {
    email: String,
    first: Option<String>,
    last: Option<String>,
    city: Option<String>,
    county: Option<String>,
    age: Option<i32>,
}

#[get("/")]
pub async fn current_user(claims: Claims, pool: web::Data<MySqlPool>) -> Result<web::Json<User>> {
    sqlx::query_as("SELECT email, first, last, city, county, age FROM users WHERE email = ?")
        .bind(claims.email)
        .fetch_optional(pool.get_ref())
        .await
        .map_err(|error| {
            eprintln!("{error}");
            ErrorInternalServerError("Internal Server Error")
        })?
        .map(web::Json)
        .ok_or_else(|| ErrorNotFound("Not Found"))
}
