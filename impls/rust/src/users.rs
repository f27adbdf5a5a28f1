use actix_web::error::{ErrorInternalServerError, ErrorNotFound};
use actix_web::{Result, get, web};
use serde::Serialize;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlPool, Row};

use crate::auth::Claims;

#[derive(Serialize)]
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
    sqlx::query("SELECT email, first, last, city, county, age FROM users WHERE email = ?")
        .bind(claims.email)
        .try_map(user)
        .fetch_optional(pool.get_ref())
        .await
        .map_err(|error| {
            eprintln!("{error}");
            ErrorInternalServerError("Internal Server Error")
        })?
        .map(web::Json)
        .ok_or_else(|| ErrorNotFound("Not Found"))
}

fn user(row: MySqlRow) -> sqlx::Result<User> {
    Ok(User {
        email: row.try_get("email")?,
        first: row.try_get("first")?,
        last: row.try_get("last")?,
        city: row.try_get("city")?,
        county: row.try_get("county")?,
        age: row.try_get("age")?,
    })
}
