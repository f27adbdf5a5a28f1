use std::io;
use std::time::Duration;

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

/// Keeps this thread busy until it has used so much more processor time, however often it is interrupted.
pub fn burn(duration: Duration) {
    let end = thread_time() + duration;
    while thread_time() < end {}
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
