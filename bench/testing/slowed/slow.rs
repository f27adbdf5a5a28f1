use std::env;
use std::hint::black_box;
use std::sync::LazyLock;

use actix_web::dev::{Service, ServiceRequest};

static STEPS: LazyLock<u64> = LazyLock::new(|| {
    let steps = env::var("BURN_STEPS").expect("BURN_STEPS is not set");
    steps.parse().expect("BURN_STEPS is no number")
});

/// Multiplies so many times before each request, each time what came of the last: a step of MurmurHash3's mixer, which no
/// compiler can take several of at once.
pub fn slow<S: Service<ServiceRequest>>(request: ServiceRequest, app: &S) -> S::Future {
    let mut product = black_box(3_u64);
    for _ in 0..*STEPS {
        product = (product ^ (product >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    }
    black_box(product);
    app.call(request)
}
