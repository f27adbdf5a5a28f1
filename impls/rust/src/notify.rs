use actix_web::{HttpResponse, post, rt, web};

use crate::gateway::Upstream;

/// Accepts a notification at once, and calls the upstream for it afterwards. A call that fails is not repeated.
#[post("/notify/{id}")]
pub async fn accept(id: web::Path<String>, upstream: web::Data<Upstream>) -> HttpResponse {
    rt::spawn(async move {
        if let Err(error) = upstream.check(&id).await {
            eprintln!("{error}");
        }
    });
    HttpResponse::Accepted().finish()
}
