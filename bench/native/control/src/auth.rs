use hyper::header::HeaderValue;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde::Deserialize;

/// Verifies bearer tokens that were signed with one secret.
pub struct Verifier {
    key: DecodingKey,
    validation: Validation,
}

#[derive(Deserialize)]
struct Claims {
    email: String,
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

    /// Returns the email that the token of an `Authorization` header names, if the token is valid now.
    pub fn email_in(&self, header: &HeaderValue) -> Option<String> {
        let token = header.to_str().ok()?.strip_prefix("Bearer ")?;
        let claims = decode::<Claims>(token, &self.key, &self.validation).ok()?;
        Some(claims.claims.email)
    }
}
