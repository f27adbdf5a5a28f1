use http_body_util::{BodyExt, Empty, Full};
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::http::Error;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

use crate::answer::{PATIENCE, refuse};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Passes on what the upstream answers, over connections that are kept.
pub struct Gateway {
    client: Client<HttpConnector, Empty<Bytes>>,
    upstream_url: String,
}

impl Gateway {
    pub fn new(upstream_url: String) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            upstream_url,
        }
    }

    pub async fn answer(&self, method: &Method, id: &str) -> Result<Response<Full<Bytes>>, Error> {
        if method != Method::GET {
            return refuse(StatusCode::METHOD_NOT_ALLOWED);
        }
        match timeout(PATIENCE, self.fetch(id)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                eprintln!("{error}");
                refuse(StatusCode::BAD_GATEWAY)
            }
            Err(_) => refuse(StatusCode::GATEWAY_TIMEOUT),
        }
    }

    async fn fetch(&self, id: &str) -> Result<Response<Full<Bytes>>, Failure> {
        let uri = format!("{}/items/{id}", self.upstream_url);
        let request = Request::get(uri).body(Empty::new())?;
        let (head, body) = self.client.request(request).await?.into_parts();
        let bytes = body.collect().await?.to_bytes();
        let mut response = Response::builder().status(head.status);
        if let Some(content_type) = head.headers.get(CONTENT_TYPE) {
            response = response.header(CONTENT_TYPE, content_type);
        }
        Ok(response.body(Full::new(bytes))?)
    }
}
