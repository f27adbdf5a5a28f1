use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::http::Error;
use hyper::{Method, Request, Response, StatusCode};

use crate::auth::Verifier;
use crate::gateway::Gateway;
use crate::users::Users;

pub struct App {
    /// Absent where there is no database.
    pub lookup: Option<Lookup>,
    /// Absent where there is no upstream.
    pub gateway: Option<Gateway>,
}

/// Half of the time in which contracts want an answer when what is behind the server is gone.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What the scenario `jwt-mysql` needs.
pub struct Lookup {
    pub verifier: Verifier,
    pub users: Users,
}

impl App {
    /// Answers the request of a scenario.
    pub async fn answer<B>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error> {
        let path = request.uri().path();
        if let (Some(id), Some(gateway)) = (path.strip_prefix("/gateway/"), &self.gateway)
            && !id.contains('/')
        {
            return gateway.answer(request.method(), id).await;
        }
        match (path, &self.lookup) {
            ("/" | "/hello", _) if request.method() != Method::GET => {
                refuse(StatusCode::METHOD_NOT_ALLOWED)
            }
            ("/", Some(lookup)) => lookup.answer(request).await,
            ("/hello", _) => reply("text/plain", Bytes::from_static(b"Hello, World!")),
            _ => refuse(StatusCode::NOT_FOUND),
        }
    }
}

impl Lookup {
    /// Answers with the record of the user that the token names.
    async fn answer<B>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error> {
        let header = request.headers().get(AUTHORIZATION);
        let Some(email) = header.and_then(|header| self.verifier.email_in(header)) else {
            return refuse(StatusCode::UNAUTHORIZED);
        };
        match self.users.find(email).await {
            Ok(Some(user)) => match serde_json::to_vec(&user) {
                Ok(body) => reply("application/json", body.into()),
                Err(error) => fail(&error),
            },
            Ok(None) => refuse(StatusCode::NOT_FOUND),
            Err(error) => fail(&error),
        }
    }
}

fn reply(content_type: &'static str, body: Bytes) -> Result<Response<Full<Bytes>>, Error> {
    Response::builder()
        .header(CONTENT_TYPE, HeaderValue::from_static(content_type))
        .body(Full::new(body))
}

pub fn refuse(status: StatusCode) -> Result<Response<Full<Bytes>>, Error> {
    Response::builder().status(status).body(Full::default())
}

fn fail(error: &dyn std::fmt::Display) -> Result<Response<Full<Bytes>>, Error> {
    eprintln!("{error}");
    refuse(StatusCode::SERVICE_UNAVAILABLE)
}
