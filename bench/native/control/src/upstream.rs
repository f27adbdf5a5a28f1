use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

use crate::answer::PATIENCE;

/// Why a call has no answer.
pub enum Failure {
    TimedOut,
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// The other service, called over connections that are kept.
#[derive(Clone)]
pub struct Upstream {
    client: Client<HttpConnector, Empty<Bytes>>,
    url: String,
}

impl Upstream {
    pub fn new(url: String) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            url,
        }
    }

    /// Returns what the service answers to one call, read whole.
    pub async fn get(&self, path: &str) -> Result<Response<Bytes>, Failure> {
        match timeout(PATIENCE, self.fetch(path)).await {
            Ok(fetched) => fetched.map_err(Failure::Other),
            Err(_) => Err(Failure::TimedOut),
        }
    }

    async fn fetch(
        &self,
        path: &str,
    ) -> Result<Response<Bytes>, Box<dyn std::error::Error + Send + Sync>> {
        let request = Request::get(format!("{}{path}", self.url)).body(Empty::new())?;
        let (head, body) = self.client.request(request).await?.into_parts();
        let bytes = body.collect().await?.to_bytes();
        Ok(Response::from_parts(head, bytes))
    }
}
