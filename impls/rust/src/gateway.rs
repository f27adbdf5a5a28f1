use std::time::Duration;

use actix_web::error::{ErrorBadGateway, ErrorGatewayTimeout};
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{Error, HttpResponse, get, web};

pub struct Upstream {
    client: reqwest::Client,
    url: String,
}

impl Upstream {
    pub fn new(url: String) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(5))
            .build()?;
        Ok(Self { client, url })
    }

    /// Notifies of an id, and reads the answer, so that the connection can be used again.
    pub async fn check(&self, id: &str) -> Result<(), reqwest::Error> {
        let url = format!("{}/check/{id}", self.url);
        self.client.get(url).send().await?.bytes().await?;
        Ok(())
    }
}

#[get("/gateway/{id}")]
pub async fn pass_on(
    id: web::Path<String>,
    upstream: web::Data<Upstream>,
) -> Result<HttpResponse, Error> {
    let url = format!("{}/items/{id}", upstream.url);
    let response = upstream.client.get(url).send().await.map_err(refuse)?;
    let status = StatusCode::from_u16(response.status().as_u16()).map_err(ErrorBadGateway)?;
    let mut answer = HttpResponse::build(status);
    if let Some(content_type) = response.headers().get("content-type") {
        answer.insert_header((CONTENT_TYPE, content_type.as_bytes()));
    }
    Ok(answer.body(response.bytes().await.map_err(refuse)?))
}

/// Says that the upstream failed, not how.
fn refuse(error: reqwest::Error) -> Error {
    if error.is_timeout() {
        ErrorGatewayTimeout("")
    } else {
        ErrorBadGateway("")
    }
}
