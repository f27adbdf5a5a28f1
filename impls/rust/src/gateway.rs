use std::time::Duration;

use actix_web::error::{ErrorBadGateway, ErrorGatewayTimeout};
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{Error, HttpResponse, get, web};
use reqwest::{Response, Url};

pub struct Upstream {
    client: reqwest::Client,
    url: Url,
}

impl Upstream {
    pub fn new(url: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let url = Url::parse(url)?;
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(5))
            .build()?;
        Ok(Self { client, url })
    }

    /// Calls for an id, encoded as a segment of the path.
    async fn call(&self, kind: &str, id: &str) -> Result<Response, reqwest::Error> {
        let mut url = self.url.clone();
        url.path_segments_mut()
            .expect("the address of a service has a path")
            .extend([kind, id]);
        self.client.get(url).send().await
    }

    /// Notifies of an id, and reads the answer, so that the connection can be used again.
    pub async fn check(&self, id: &str) -> Result<(), reqwest::Error> {
        self.call("check", id).await?.bytes().await?;
        Ok(())
    }
}

#[get("/gateway/{id}")]
pub async fn pass_on(
    id: web::Path<String>,
    upstream: web::Data<Upstream>,
) -> Result<HttpResponse, Error> {
    let response = upstream.call("items", &id).await.map_err(refuse)?;
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
