use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::http::Error;
use hyper::{Method, Request, Response, StatusCode};

use crate::auth::Verifier;
use crate::users::Users;

pub struct App {
    pub verifier: Verifier,
    pub users: Users,
}

impl App {
    /// Answers `GET /` with the record of the user that the token names.
    pub async fn answer<B>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error> {
        if request.uri().path() != "/" {
            return refuse(StatusCode::NOT_FOUND);
        }
        if request.method() != Method::GET {
            return refuse(StatusCode::METHOD_NOT_ALLOWED);
        }
        let header = request.headers().get(AUTHORIZATION);
        let Some(email) = header.and_then(|header| self.verifier.email_in(header)) else {
            return refuse(StatusCode::UNAUTHORIZED);
        };
        match self.users.find(email).await {
            Ok(Some(user)) => match serde_json::to_vec(&user) {
                Ok(body) => Response::builder()
                    .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
                    .body(Full::from(body)),
                Err(error) => fail(&error),
            },
            Ok(None) => refuse(StatusCode::NOT_FOUND),
            Err(error) => fail(&error),
        }
    }
}

fn refuse(status: StatusCode) -> Result<Response<Full<Bytes>>, Error> {
    Response::builder().status(status).body(Full::default())
}

fn fail(error: &dyn std::fmt::Display) -> Result<Response<Full<Bytes>>, Error> {
    eprintln!("{error}");
    refuse(StatusCode::SERVICE_UNAVAILABLE)
}
