//! Sizes of vectors.

/// The largest entry; anything that is not a number counts as infinite.
pub fn largest_entry(r: &[f64]) -> f64 {
    r.iter().fold(0.0f64, |m, v| {
        if v.is_nan() {
            f64::INFINITY
        } else {
            m.max(v.abs())
        }
    })
}
