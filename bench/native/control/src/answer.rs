use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::http::Error;
use hyper::http::response::Builder;
use hyper::{Method, Request, Response, StatusCode};
use serde::Serialize;
use tokio::time::sleep;

use crate::auth::Verifier;
use crate::gateway;
use crate::notify;
use crate::upstream::Upstream;
use crate::users::Users;
use crate::visits::Visits;

/// The longest body that is read, in bytes.
const LONGEST_BODY: usize = 64 * 1024;

pub struct App {
    /// Absent where there is no database.
    pub stored: Option<Stored>,
    /// Absent where there is no upstream.
    pub upstream: Option<Upstream>,
}

/// Half of the time in which contracts want an answer when what is behind the server is gone.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What the scenarios `jwt-mysql` and `insert` need.
pub struct Stored {
    pub verifier: Verifier,
    pub users: Users,
    pub visits: Visits,
}

impl App {
    /// Answers the request of a scenario.
    pub async fn answer<B: Body>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error>
    where
        B::Error: std::error::Error + Send + Sync + 'static,
    {
        let path = request.uri().path();
        let parts = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        if let (Some((scenario, id)), Some(upstream)) = (parts, &self.upstream)
            && !id.contains('/')
        {
            match scenario {
                "gateway" => return gateway::pass_on(upstream, request.method(), id).await,
                "notify" => return notify::accept(upstream, request.method(), id),
                _ => {}
            }
        }
        if let Some(delay) = path.strip_prefix("/delay/").and_then(|it| it.parse().ok()) {
            return answer_late(request.method(), delay).await;
        }
        match (request.method(), path, &self.stored) {
            (&Method::GET, "/", Some(stored)) => stored.show_user(request).await,
            (&Method::GET, "/hello", _) => {
                reply("text/plain", Bytes::from_static(b"Hello, World!"))
            }
            (&Method::POST, "/visits", Some(stored)) => stored.add_visit(request).await,
            (_, "/" | "/hello" | "/visits", _) => refuse(StatusCode::METHOD_NOT_ALLOWED),
            _ => refuse(StatusCode::NOT_FOUND),
        }
    }
}

/// Answers after so many milliseconds.
async fn answer_late(method: &Method, delay: u32) -> Result<Response<Full<Bytes>>, Error> {
    if method != Method::GET {
        return refuse(StatusCode::METHOD_NOT_ALLOWED);
    }
    sleep(Duration::from_millis(delay.into())).await;
    json(Response::builder(), &Delayed { delayed: delay })
}

#[derive(Serialize)]
struct Delayed {
    delayed: u32,
}

impl Stored {
    /// Answers with the record of the user that the token names.
    async fn show_user<B>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error> {
        let header = request.headers().get(AUTHORIZATION);
        let Some(email) = header.and_then(|header| self.verifier.email_in(header)) else {
            return refuse(StatusCode::UNAUTHORIZED);
        };
        match self.users.find(email).await {
            Ok(Some(user)) => json(Response::builder(), &user),
            Ok(None) => refuse(StatusCode::NOT_FOUND),
            Err(error) => fail(&error),
        }
    }

    /// Answers with the row that the body was added as.
    async fn add_visit<B: Body>(&self, request: Request<B>) -> Result<Response<Full<Bytes>>, Error>
    where
        B::Error: std::error::Error + Send + Sync + 'static,
    {
        let body = Limited::new(request.into_body(), LONGEST_BODY);
        let Ok(body) = body.collect().await else {
            return refuse(StatusCode::BAD_REQUEST);
        };
        let Ok(visit) = serde_json::from_slice(&body.to_bytes()) else {
            return refuse(StatusCode::BAD_REQUEST);
        };
        match self.visits.add(visit).await {
            Ok(visit) => {
                let created = Response::builder()
                    .status(StatusCode::CREATED)
                    .header(LOCATION, format!("/visits/{}", visit.id));
                json(created, &visit)
            }
            Err(error) => fail(&error),
        }
    }
}

fn json(response: Builder, value: &impl Serialize) -> Result<Response<Full<Bytes>>, Error> {
    match serde_json::to_vec(value) {
        Ok(body) => response
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body.into()),
        Err(error) => fail(&error),
    }
}

fn reply(content_type: &'static str, body: Bytes) -> Result<Response<Full<Bytes>>, Error> {
    Response::builder()
        .header(CONTENT_TYPE, HeaderValue::from_static(content_type))
        .body(Full::new(body))
}

/// Answers with a status and no body.
pub fn refuse(status: StatusCode) -> Result<Response<Full<Bytes>>, Error> {
    Response::builder().status(status).body(Full::default())
}

fn fail(error: &dyn std::fmt::Display) -> Result<Response<Full<Bytes>>, Error> {
    eprintln!("{error}");
    refuse(StatusCode::SERVICE_UNAVAILABLE)
}
