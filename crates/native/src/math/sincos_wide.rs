//! Sines and cosines of four arguments in 256-bit registers.
#![allow(unsafe_code)]

use super::trigonometric::*;
use std::arch::x86_64::*;

/// Four sines and four cosines for every four numbers.
#[target_feature(enable = "avx2,fma")]
pub(super) fn groups(x: &[f64], y: &mut [f64]) {
    for (x, y) in x.chunks(4).zip(y.chunks_exact_mut(8)) {
        // One by one: a wide read over several narrow writes would wait for all of them to arrive.
        let at = |k: usize| x.get(k).copied().unwrap_or(0.0);
        let (sine, cosine) = four(_mm256_set_pd(at(3), at(2), at(1), at(0)));
        // SAFETY: there is room for eight numbers.
        unsafe {
            _mm256_storeu_pd(y.as_mut_ptr(), sine);
            _mm256_storeu_pd(y[4..].as_mut_ptr(), cosine);
        }
    }
}

/// Sines and cosines of four numbers.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn four(x: __m256d) -> (__m256d, __m256d) {
    let sign = _mm256_set1_pd(-0.0);
    let size = _mm256_andnot_pd(sign, x);
    let (s, c) = nonnegative(size);
    let s = _mm256_xor_pd(s, _mm256_and_pd(sign, x));
    // Also true for NaN.
    let outside = _mm256_cmp_pd::<_CMP_NLE_UQ>(size, _mm256_set1_pd(LARGEST));
    if _mm256_movemask_pd(outside) != 0 {
        return with_standard(x, s, c);
    }
    (s, c)
}

/// Replaces what is out of range by the standard library's values.
#[cold]
#[target_feature(enable = "avx2,fma")]
fn with_standard(x: __m256d, s: __m256d, c: __m256d) -> (__m256d, __m256d) {
    let (mut xs, mut ss, mut cs) = ([0.0f64; 4], [0.0; 4], [0.0; 4]);
    // SAFETY: arrays of four numbers.
    unsafe {
        _mm256_storeu_pd(xs.as_mut_ptr(), x);
        _mm256_storeu_pd(ss.as_mut_ptr(), s);
        _mm256_storeu_pd(cs.as_mut_ptr(), c);
    }
    for k in 0..4 {
        if xs[k].is_nan() || xs[k].abs() > LARGEST {
            (ss[k], cs[k]) = xs[k].sin_cos();
        }
    }
    // SAFETY: arrays of four numbers.
    unsafe { (_mm256_loadu_pd(ss.as_ptr()), _mm256_loadu_pd(cs.as_ptr())) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn nonnegative(x: __m256d) -> (__m256d, __m256d) {
    let one = _mm256_set1_pd(1.0);
    let half = _mm256_set1_pd(0.5);
    let [p1, p2, p3] = HALF_PI.map(|p| _mm256_set1_pd(p));
    let rounder = _mm256_set1_pd(ROUNDER);
    let shifted = _mm256_fmadd_pd(x, _mm256_set1_pd(TWO_OVER_PI), rounder);
    let q = _mm256_sub_pd(shifted, rounder);
    let quadrant = _mm256_castpd_si256(shifted);

    // r + e = x − q·(p1 + p2 + p3)
    let r1 = _mm256_fnmadd_pd(q, p1, x);
    let product = _mm256_mul_pd(q, p2);
    let product_error = _mm256_fmsub_pd(q, p2, product);
    let r = _mm256_sub_pd(r1, product);
    let back = _mm256_sub_pd(r, r1);
    let sum_error = _mm256_sub_pd(
        _mm256_sub_pd(r1, _mm256_sub_pd(r, back)),
        _mm256_add_pd(product, back),
    );
    let e = _mm256_fnmadd_pd(q, p3, _mm256_sub_pd(sum_error, product_error));

    let z = _mm256_mul_pd(r, r);
    let z2 = _mm256_mul_pd(z, z);
    let half_z = _mm256_mul_pd(half, z);

    // sin(r + e) = r + (r³·S(z) + e·(1 − z/2))
    let tail = _mm256_fnmadd_pd(half_z, e, e);
    let sine = _mm256_add_pd(
        r,
        _mm256_fmadd_pd(_mm256_mul_pd(r, z), polynomial(SINE, z, z2), tail),
    );
    // cos(r + e) = w + ((1 − w − z/2) + (z²·C(z) − r·e)), w = 1 − z/2 rounded
    let w = _mm256_sub_pd(one, half_z);
    let lost = _mm256_sub_pd(_mm256_sub_pd(one, w), half_z);
    let rest = _mm256_fnmadd_pd(r, e, lost);
    let cosine = _mm256_add_pd(w, _mm256_fmadd_pd(z2, polynomial(COSINE, z, z2), rest));

    // Odd quadrants swap; the second bit of q negates the sine, that of q + 1 the cosine.
    let swap = _mm256_castsi256_pd(_mm256_slli_epi64::<63>(quadrant));
    let second_bit = _mm256_set1_epi64x(2);
    let sign_of = |q| {
        let bit = _mm256_and_si256(q, second_bit);
        _mm256_castsi256_pd(_mm256_slli_epi64::<62>(bit))
    };
    let next = _mm256_add_epi64(quadrant, _mm256_set1_epi64x(1));
    (
        _mm256_xor_pd(_mm256_blendv_pd(sine, cosine, swap), sign_of(quadrant)),
        _mm256_xor_pd(_mm256_blendv_pd(cosine, sine, swap), sign_of(next)),
    )
}

/// A polynomial of degree five in z, by halves to keep the chain short.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn polynomial(c: [f64; 6], z: __m256d, z2: __m256d) -> __m256d {
    let [c0, c1, c2, c3, c4, c5] = c.map(|c| _mm256_set1_pd(c));
    let low = _mm256_fmadd_pd(c1, z, c0);
    let middle = _mm256_fmadd_pd(c3, z, c2);
    let high = _mm256_fmadd_pd(c5, z, c4);
    _mm256_fmadd_pd(_mm256_fmadd_pd(high, z2, middle), z2, low)
}
