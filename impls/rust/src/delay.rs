use std::time::Duration;

use actix_web::rt::time::sleep;
use actix_web::{Responder, get, web};
use serde::Serialize;

#[derive(Serialize)]
struct Delayed {
    delayed: u32,
}

#[get("/delay/{ms}")]
pub async fn answer_late(ms: web::Path<u32>) -> impl Responder {
    let delayed = ms.into_inner();
    sleep(Duration::from_millis(delayed.into())).await;
    web::Json(Delayed { delayed })
}
