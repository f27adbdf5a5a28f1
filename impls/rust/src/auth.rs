use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::error::ErrorUnauthorized;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{Error, FromRequest, HttpRequest, web};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde::Deserialize;

/// Verifies bearer tokens that were signed with one secret.
pub struct Verifier {
    key: DecodingKey,
    validation: Validation,
}

impl Verifier {
    pub fn new(secret: &str) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.validate_nbf = true;
        Self {
            key: DecodingKey::from_secret(secret.as_bytes()),
            validation,
        }
    }
}

/// The claims of a verified token. A handler that takes them answers 401 to any other request.
#[derive(Deserialize)]
pub struct Claims {
    pub email: String,
}

impl FromRequest for Claims {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(verified_claims(request).ok_or_else(|| ErrorUnauthorized("Unauthorized")))
    }
}

fn verified_claims(request: &HttpRequest) -> Option<Claims> {
    let verifier = request.app_data::<web::Data<Verifier>>()?;
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let token = header.strip_prefix("Bearer ")?;
    let data = decode(token, &verifier.key, &verifier.validation).ok()?;
    Some(data.claims)
}
