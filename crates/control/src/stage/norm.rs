//! Sums and sizes of lists of numbers.

/// The sum of the magnitudes.
pub(super) fn total(values: &[f64]) -> f64 {
    values.iter().map(|v| v.abs()).sum()
}

/// a·b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest magnitude and where it stands.
pub(super) fn largest(values: &[f64]) -> (f64, usize) {
    let all = values.iter().enumerate();
    all.fold((0.0, 0), |(m, at), (i, v)| match v.abs() > m {
        true => (v.abs(), i),
        false => (m, at),
    })
}
