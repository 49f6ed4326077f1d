//! The constants of sine and cosine.
//!
//! x = q·π/2 + r with |r| ≤ π/4, q the nearest integer, π/2 in three parts. The first subtraction is
//! exact under fused multiply-add; the second keeps its rounding error, so r is known to about twice the
//! working precision and the result to less than one unit in the last place.

/// Beyond this the standard library takes over: the three parts of π/2 no longer suffice.
pub(crate) const LARGEST: f64 = 1e9;

/// 2/π
pub(crate) const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;

/// π/2 to working precision, and what that leaves over.
pub(crate) const HALF_PI: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123233995736766e-17,
    -1.4973849048591698e-33,
];

/// Adding 2^52 + 2^51 rounds to an integer, which then stands in the low bits.
pub(crate) const ROUNDER: f64 = 6755399441055744.0;

/// (sin r − r)/r³ in powers of r², minimax on |r| ≤ π/4 to 2^-58 of sin r.
pub(crate) const SINE: [f64; 6] = [
    -0.16666666666666632,
    0.008333333333322486,
    -0.0001984126982985337,
    2.755731370506526e-06,
    -2.505075988934895e-08,
    1.5896886473933696e-10,
];

/// (cos r − 1 + r²/2)/r⁴ in powers of r², minimax on |r| ≤ π/4 to 2^-64.
pub(crate) const COSINE: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887447,
    2.4801587289666912e-05,
    -2.7557314399269566e-07,
    2.087572899498942e-09,
    -1.135991737498777e-11,
];
