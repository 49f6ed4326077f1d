//! Sines and cosines of four arguments in 256-bit registers.
//!
//! x = q·π/2 + r with |r| ≤ π/4, q the nearest integer, π/2 in three parts. The first subtraction is
//! exact under fused multiply-add; the second keeps its rounding error, so r is known to about twice the
//! working precision and the result to less than one unit in the last place.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

/// Beyond this the standard library takes over: the three parts of π/2 no longer suffice.
const LARGEST: f64 = 1e9;

const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// π/2 to working precision, and what that leaves over.
const HALF_PI: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123233995736766e-17,
    -1.4973849048591698e-33,
];
/// Adding this rounds to an integer, which then stands in the low bits.
const ROUNDER: f64 = 6755399441055744.0; // 2^52 + 2^51

/// (sin r − r)/r³ in powers of r², minimax on |r| ≤ π/4 to 2^-58 of sin r.
const SINE: [f64; 6] = [
    -0.16666666666666632,
    0.008333333333322486,
    -0.0001984126982985337,
    2.755731370506526e-06,
    -2.505075988934895e-08,
    1.5896886473933696e-10,
];
/// (cos r − 1 + r²/2)/r⁴ in powers of r², minimax on |r| ≤ π/4 to 2^-64.
const COSINE: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887447,
    2.4801587289666912e-05,
    -2.7557314399269566e-07,
    2.087572899498942e-09,
    -1.135991737498777e-11,
];

/// # Safety
/// All three pointers are valid for `count` numbers; the processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn packed(x: *const f64, s: *mut f64, c: *mut f64, count: usize) {
    let mut k = 0;
    while k < count {
        // SAFETY: k + 4 ≤ count.
        unsafe {
            let (sine, cosine) = four(_mm256_loadu_pd(x.add(k)));
            _mm256_storeu_pd(s.add(k), sine);
            _mm256_storeu_pd(c.add(k), cosine);
        }
        k += 4;
    }
}

/// # Safety
/// All three pointers are valid for `count` numbers; the processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn scattered(x: *const f64, s: *mut f64, c: *mut f64, count: usize) {
    let mut k = 0;
    while k + 4 <= count {
        // SAFETY: k + 4 ≤ count.
        unsafe {
            let y = _mm256_set_pd(*x.add(k + 3), *x.add(k + 2), *x.add(k + 1), *x.add(k));
            let (sine, cosine) = four(y);
            _mm256_storeu_pd(s.add(k), sine);
            _mm256_storeu_pd(c.add(k), cosine);
        }
        k += 4;
    }
    let rest = count - k;
    if rest == 0 {
        return;
    }
    // SAFETY: k + rest = count.
    unsafe {
        let at = |i: usize| if i < rest { *x.add(k + i) } else { 0.0 };
        let (sine, cosine) = four(_mm256_set_pd(0.0, at(2), at(1), at(0)));
        store(s.add(k), sine, rest);
        store(c.add(k), cosine, rest);
    }
}

/// Writes the first one to three numbers.
///
/// # Safety
/// `to` is valid for `count` numbers, `count` at most 3.
#[target_feature(enable = "avx2,fma")]
unsafe fn store(to: *mut f64, x: __m256d, count: usize) {
    let low = _mm256_castpd256_pd128(x);
    // SAFETY: by this function's contract.
    unsafe {
        match count {
            1 => _mm_store_sd(to, low),
            2 => _mm_storeu_pd(to, low),
            _ => {
                _mm_storeu_pd(to, low);
                _mm_store_sd(to.add(2), _mm256_extractf128_pd::<1>(x));
            }
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
