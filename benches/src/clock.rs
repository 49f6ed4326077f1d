//! Processor time of this process: other programs on the machine do not count.

use rustix::time::{ClockId, clock_gettime};

/// Seconds so far.
pub fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds per call: the best of three batches that take about `budget` seconds each.
pub fn per_call(budget: f64, mut call: impl FnMut()) -> f64 {
    let begun = processor_seconds();
    call();
    let once = processor_seconds() - begun;
    let count = (budget / once.max(1e-7)).clamp(1.0, 1e7) as usize;
    (0..3).fold(f64::INFINITY, |best, _| {
        let begun = processor_seconds();
        (0..count).for_each(|_| call());
        best.min((processor_seconds() - begun) / count as f64)
    })
}
