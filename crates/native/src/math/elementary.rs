//! Functions of one or two numbers over many, four at a time.
#![allow(unsafe_code)]

pub(super) use super::trigonometric::ROUNDER;
/// A choice between values that are both known, never a branch.
pub(super) use std::hint::select_unpredictable as select;

/// A function of N numbers.
///
/// The same formula serves one place and four, so that scalar code, wide code and every backend agree to
/// the last bit.
pub(crate) trait Elementary<const N: usize>: Copy {
    /// The formula, to be `#[inline(always)]` and without a branch, so that four go side by side.
    fn formula(self, x: [f64; N]) -> f64;
    /// The standard library's function, where fused multiply-add would be slow or the formula does not
    /// hold.
    fn library(self, x: [f64; N]) -> f64;
    /// Does the formula hold here?
    #[inline(always)]
    fn holds(self, _x: [f64; N]) -> bool {
        true
    }
}

/// The value of the function at each place.
pub(crate) fn each<const N: usize, E: Elementary<N>>(f: E, x: [&[f64]; N], y: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    {
        // Not inlined, so that four places and not groups of four are put side by side.
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        fn wide<const N: usize, E: Elementary<N>>(f: E, x: [&[f64; 4]; N], y: &mut [f64; 4]) {
            four(f, x, y);
        }
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        fn narrow<const N: usize, E: Elementary<N>>(f: E, x: [&f64; N], y: &mut f64) {
            *y = f.formula(x.map(|x| *x));
        }
        if super::has_wide() {
            // SAFETY: the processor has what the function needs.
            let wide = |x: [&_; N], y: &mut _| unsafe { wide(f, x, y) };
            // SAFETY: the same.
            let narrow = |x: [&_; N], y: &mut _| unsafe { narrow(f, x, y) };
            groups(x, y, wide, narrow);
            correct(f, x, y, |x| !f.holds(x));
        } else {
            correct(f, x, y, |_| true);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let narrow = |x: [&f64; N], y: &mut _| *y = f.formula(x.map(|x| *x));
        groups(x, y, |x: [&_; N], y: &mut _| four(f, x, y), narrow);
        correct(f, x, y, |x| !f.holds(x));
    }
}

#[inline(always)]
fn groups<const N: usize>(
    x: [&[f64]; N],
    y: &mut [f64],
    wide: impl Fn([&[f64; 4]; N], &mut [f64; 4]),
    narrow: impl Fn([&f64; N], &mut f64),
) {
    let fours = x.map(|x| x.as_chunks::<4>().0);
    let (results, rest) = y.as_chunks_mut::<4>();
    let done = 4 * results.len();
    for (k, y) in results.iter_mut().enumerate() {
        wide(fours.map(|x| &x[k]), y);
    }
    for (k, y) in rest.iter_mut().enumerate() {
        narrow(x.map(|x| &x[done + k]), y);
    }
}

/// Four places side by side.
#[inline(always)]
fn four<const N: usize, E: Elementary<N>>(f: E, x: [&[f64; 4]; N], y: &mut [f64; 4]) {
    for k in 0..4 {
        // Plain loops: a closure would be compiled without the caller's instructions.
        let mut place = [0.0; N];
        for i in 0..N {
            place[i] = x[i][k];
        }
        y[k] = f.formula(place);
    }
}

/// The standard library's value where it is wanted.
#[inline(always)]
fn correct<const N: usize, E: Elementary<N>>(
    f: E,
    x: [&[f64]; N],
    y: &mut [f64],
    wanted: impl Fn([f64; N]) -> bool,
) {
    for (k, y) in y.iter_mut().enumerate() {
        let place = x.map(|x| x[k]);
        if wanted(place) {
            *y = f.library(place);
        }
    }
}

/// ln 2 in two parts, the first with so few bits that its product with an exponent is exact.
pub(super) const LN_2: [f64; 2] = [0.693147180559663, 2.8235290563031577e-13];

/// 2^k for an integer k that is the exponent of a normal number.
#[inline(always)]
pub(super) fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k + ROUNDER).to_bits().wrapping_add(1023)) << 52)
}

/// a + b and what rounding took from it, for |a| ≥ |b| or a = 0.
#[inline(always)]
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, (a - s) + b)
}

/// The polynomial with these coefficients, the lowest first, by fours to keep the chain short.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    let square = x * x;
    let mut k = (N - 1) / 4 * 4;
    let mut value = cubic(c, k, x, square);
    while k > 0 {
        k -= 4;
        value = value.mul_add(square * square, cubic(c, k, x, square));
    }
    value
}

/// c_k + c_(k+1) x + c_(k+2) x² + c_(k+3) x³, as far as there are coefficients.
#[inline(always)]
fn cubic<const N: usize>(c: &[f64; N], k: usize, x: f64, square: f64) -> f64 {
    match N - k {
        1 => c[k],
        2 => c[k + 1].mul_add(x, c[k]),
        3 => c[k + 2].mul_add(square, c[k + 1].mul_add(x, c[k])),
        _ => (c[k + 3].mul_add(x, c[k + 2])).mul_add(square, c[k + 1].mul_add(x, c[k])),
    }
}
