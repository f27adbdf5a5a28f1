use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::http::Error;
use hyper::{Method, Response, StatusCode};

use crate::answer::refuse;
use crate::upstream::{Failure, Upstream};

/// Passes on what the upstream answers.
pub async fn pass_on(
    upstream: &Upstream,
    method: &Method,
    id: &str,
) -> Result<Response<Full<Bytes>>, Error> {
    if method != Method::GET {
        return refuse(StatusCode::METHOD_NOT_ALLOWED);
    }
    match upstream.get(&format!("/items/{id}")).await {
        Ok(answer) => {
            let mut response = Response::builder().status(answer.status());
            if let Some(content_type) = answer.headers().get(CONTENT_TYPE) {
                response = response.header(CONTENT_TYPE, content_type);
            }
            response.body(Full::new(answer.into_body()))
        }
        Err(Failure::TimedOut) => refuse(StatusCode::GATEWAY_TIMEOUT),
        Err(Failure::Other(error)) => {
            eprintln!("{error}");
            refuse(StatusCode::BAD_GATEWAY)
        }
    }
}
