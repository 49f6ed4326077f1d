//! Sums of rows with factors: what products of small dense matrices and elimination consist of.

/// How many rows are added at a time, so that each sum is read and written once for all of them.
const TOGETHER: usize = 4;

/// out ← out + Σ_k factor(k) row(k), over k below a number; rows are as long as `out` at least, and those whose factor
/// is zero are left out.
///
/// ```
/// use rattleback_numeric::combine;
/// let rows = [[1.0, 2.0], [3.0, 4.0]];
/// let mut out = [0.0; 2];
/// combine(&mut out, 2, |k| [10.0, 1.0][k], |k| &rows[k]);
/// assert_eq!(out, [13.0, 24.0]);
/// ```
#[inline]
pub fn combine<'r>(
    out: &mut [f64],
    count: usize,
    factor: impl Fn(usize) -> f64,
    row: impl Fn(usize) -> &'r [f64],
) {
    let n = out.len();
    let mut some = [(0.0, &[][..]); TOGETHER];
    let mut known = 0;
    for k in 0..count {
        let by = factor(k);
        if by == 0.0 {
            continue;
        }
        some[known] = (by, &row(k)[..n]);
        known += 1;
        if known == TOGETHER {
            add_four(out, some);
            known = 0;
        }
    }
    for (by, row) in &some[..known] {
        add_scaled(out, *by, row);
    }
}

/// out ← out + a p + b q + c r + d s, in blocks whose length is known beforehand: rows are short.
#[inline]
fn add_four(out: &mut [f64], [(a, p), (b, q), (c, r), (d, s)]: [(f64, &[f64]); TOGETHER]) {
    let (blocks, rest) = out.as_chunks_mut::<TOGETHER>();
    let split = |row| <[f64]>::as_chunks::<TOGETHER>(row);
    let ((p, p_rest), (q, q_rest), (r, r_rest), (s, s_rest)) =
        (split(p), split(q), split(r), split(s));
    for ((out, (p, q)), (r, s)) in blocks.iter_mut().zip(p.iter().zip(q)).zip(r.iter().zip(s)) {
        for i in 0..TOGETHER {
            out[i] += (a * p[i] + b * q[i]) + (c * r[i] + d * s[i]);
        }
    }
    let rows = p_rest.iter().zip(q_rest).zip(r_rest.iter().zip(s_rest));
    for (out, ((p, q), (r, s))) in rest.iter_mut().zip(rows) {
        *out += (a * p + b * q) + (c * r + d * s);
    }
}

/// y ← y + a x.
#[inline]
pub(crate) fn add_scaled(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// x·y, in four sums that do not wait for each other.
///
/// ```
/// assert_eq!(rattleback_numeric::inner(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
/// ```
#[inline]
pub fn inner(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (a, x_rest) = x[..n].as_chunks::<TOGETHER>();
    let (b, y_rest) = y[..n].as_chunks::<TOGETHER>();
    let mut sums = [0.0; TOGETHER];
    for (a, b) in a.iter().zip(b) {
        for i in 0..TOGETHER {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
