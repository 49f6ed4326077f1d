//! Sines and cosines of many numbers, four at a time.
#![allow(unsafe_code)]

use super::trigonometric::*;

/// Are there 256-bit registers with fused multiply-add?
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_wide() -> bool {
    // The standard library caches the answer.
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

/// Four sines and four cosines for every four numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn sincos(x: &[f64], y: &mut [f64]) {
    #[target_feature(enable = "avx2,fma")]
    fn wide(x: &[f64], y: &mut [f64]) {
        groups(x, y);
    }
    if has_wide() {
        // SAFETY: the processor has what the function needs.
        unsafe { wide(x, y) };
        return;
    }
    // Without fused multiply-add the reduction below would be slow.
    for (x, y) in x.chunks(4).zip(y.chunks_exact_mut(8)) {
        let (sines, cosines) = y.split_at_mut(4);
        for ((x, s), c) in x.iter().zip(sines).zip(cosines) {
            (*s, *c) = x.sin_cos();
        }
    }
}

/// Four sines and four cosines for every four numbers.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn sincos(x: &[f64], y: &mut [f64]) {
    groups(x, y);
}

#[inline(always)]
fn groups(x: &[f64], y: &mut [f64]) {
    for (x, y) in x.chunks(4).zip(y.chunks_exact_mut(8)) {
        let mut four = [0.0; 4];
        four[..x.len()].copy_from_slice(x);
        // Plain loops: a closure would be compiled without the caller's instructions.
        let (mut sines, mut cosines) = ([0.0; 4], [0.0; 4]);
        for k in 0..4 {
            (sines[k], cosines[k]) = one(four[k]);
        }
        y[..4].copy_from_slice(&sines);
        y[4..].copy_from_slice(&cosines);
        for (k, &x) in x.iter().enumerate() {
            if x.is_nan() || x.abs() > LARGEST {
                (y[k], y[k + 4]) = x.sin_cos();
            }
        }
    }
}

/// Sine and cosine of one number of moderate size, without a branch, so that four go side by side.
#[inline(always)]
fn one(x: f64) -> (f64, f64) {
    let size = x.abs();
    let shifted = size.mul_add(TWO_OVER_PI, ROUNDER);
    let (q, quadrant) = (shifted - ROUNDER, shifted.to_bits());
    let (r, e) = reduced(size, q);
    let z = r * r;
    let half = 0.5 * r;
    // w = 1 − r²/2 rounded, and what that lost
    let w = (-half).mul_add(r, 1.0);
    let lost = (-half).mul_add(r, 1.0 - w);
    // sin(r + e) = r + (r³·S(z) + e·w)
    let sine = r + (r * z).mul_add(polynomial(&SINE, z), e * w);
    // cos(r + e) = w + (z²·C(z) + lost − r·e)
    let rest = (-r).mul_add(e, lost);
    let cosine = w + (z * z).mul_add(polynomial(&COSINE, z), rest);
    // Odd quadrants swap; the second bit of q negates the sine, that of q + 1 the cosine.
    let swap = quadrant & 1 == 1;
    let (s, c) = if swap { (cosine, sine) } else { (sine, cosine) };
    let sine_sign = sign(quadrant) ^ (x.to_bits() & (1 << 63));
    (
        f64::from_bits(s.to_bits() ^ sine_sign),
        f64::from_bits(c.to_bits() ^ sign(quadrant.wrapping_add(1))),
    )
}

/// The second bit as a sign.
#[inline(always)]
fn sign(bits: u64) -> u64 {
    (bits << 62) & (1 << 63)
}

/// x − q·π/2 = r + e
#[inline(always)]
fn reduced(x: f64, q: f64) -> (f64, f64) {
    let [p1, p2, p3] = HALF_PI;
    let r1 = (-q).mul_add(p1, x);
    let product = q * p2;
    let product_error = q.mul_add(p2, -product);
    let r = r1 - product;
    let back = r - r1;
    let sum_error = (r1 - (r - back)) - (product + back);
    (r, (-q).mul_add(p3, sum_error - product_error))
}

/// A polynomial of degree five in z, by halves to keep the chain short.
#[inline(always)]
fn polynomial(c: &[f64; 6], z: f64) -> f64 {
    let z2 = z * z;
    let low = c[1].mul_add(z, c[0]);
    let middle = c[3].mul_add(z, c[2]);
    let high = c[5].mul_add(z, c[4]);
    high.mul_add(z2, middle).mul_add(z2, low)
}
