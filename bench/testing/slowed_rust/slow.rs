use std::sync::LazyLock;
use std::time::Duration;
use std::{env, io};

use actix_web::dev::{Service, ServiceRequest};

/// `struct timespec` of 64-bit Linux.
#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const CLOCK_THREAD_CPUTIME_ID: i32 = 3;

static BURNT: LazyLock<Duration> = LazyLock::new(|| {
    let nanoseconds = env::var("BURN_NANOSECONDS").expect("BURN_NANOSECONDS is not set");
    Duration::from_nanos(nanoseconds.parse().expect("BURN_NANOSECONDS is no number"))
});

/// Keeps this thread busy until it has used so much more processor time, however often it is interrupted.
pub fn slow<S: Service<ServiceRequest>>(request: ServiceRequest, app: &S) -> S::Future {
    let end = thread_time() + *BURNT;
    while thread_time() < end {}
    app.call(request)
}

fn thread_time() -> Duration {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: the pointer is to a timespec of our own, and the call keeps nothing.
    let result = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "{}", io::Error::last_os_error());
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}
