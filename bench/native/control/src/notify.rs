use http_body_util::Full;
use hyper::body::Bytes;
use hyper::http::Error;
use hyper::{Method, Response, StatusCode};

use crate::answer::refuse;
use crate::upstream::{Failure, Upstream};

/// Accepts a notification at once, and calls the upstream for it afterwards. What fails is not tried again.
pub fn accept(
    upstream: &Upstream,
    method: &Method,
    id: &str,
) -> Result<Response<Full<Bytes>>, Error> {
    if method != Method::POST {
        return refuse(StatusCode::METHOD_NOT_ALLOWED);
    }
    let (upstream, path) = (upstream.clone(), format!("/check/{id}"));
    tokio::spawn(async move {
        if let Err(Failure::Other(error)) = upstream.get(&path).await {
            eprintln!("{error}");
        }
    });
    refuse(StatusCode::ACCEPTED)
}
