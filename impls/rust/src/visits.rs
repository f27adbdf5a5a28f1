use actix_web::error::ErrorInternalServerError;
use actix_web::http::header::LOCATION;
use actix_web::{HttpResponse, Result, post, web};
use serde::{Deserialize, Serialize};
use sqlx::MySqlPool;

#[derive(Deserialize)]
pub struct NewVisit {
    user: String,
    page: String,
    text: String,
}

#[derive(Serialize)]
pub struct Visit {
    id: u64,
    user: String,
    page: String,
    text: String,
}

#[post("/visits")]
pub async fn add_visit(
    web::Json(NewVisit { user, page, text }): web::Json<NewVisit>,
    pool: web::Data<MySqlPool>,
) -> Result<HttpResponse> {
    let added = sqlx::query("INSERT INTO visits (user, page, text) VALUES (?, ?, ?)")
        .bind(&user)
        .bind(&page)
        .bind(&text)
        .execute(pool.get_ref())
        .await
        .map_err(|error| {
            eprintln!("{error}");
            ErrorInternalServerError("Internal Server Error")
        })?;
    let id = added.last_insert_id();
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("/visits/{id}")))
        .json(Visit {
            id,
            user,
            page,
            text,
        }))
}
