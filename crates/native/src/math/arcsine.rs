//! The arcsine and arccosine, to less than 0.7 units in the last place.
//!
//! arcsin r = r + w with w = r³·B(r²) for r ≤ ½; beyond, arcsin x = π/2 − 2 arcsin √((1 − x)/2), and the
//! root keeps its error.

use super::elementary::{Elementary, polynomial, select, sum};

/// (arcsin r − r)/r³ in powers of r², minimax on r ≤ ½ to 2^-59 of arcsin r.
const HIGHER: [f64; 13] = [
    0.16666666666666763,
    0.0749999999997022,
    0.04464285717516366,
    0.030381942681469678,
    0.022372215723233,
    0.017351598920051867,
    0.013980975972984313,
    0.011397653435062431,
    0.01078723624101122,
    0.0036802961814038845,
    0.021770357131178145,
    -0.02108724279345783,
    0.032683263072703084,
];

/// π/2 to working precision, and what that leaves over.
const RIGHT_ANGLE: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17];

#[derive(Clone, Copy)]
pub(crate) struct Arcsine;

impl Elementary<1> for Arcsine {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let (steep, r, w) = parts(x.abs());
        let angles = select(steep, 1.0, 0.0);
        let times = select(steep, -2.0, 1.0);
        combine(angles, times, r, w).copysign(x)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.asin()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Arccosine;

impl Elementary<1> for Arccosine {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let (steep, r, w) = parts(x.abs());
        let sign = 1f64.copysign(x);
        // 2 arcsin r, π − 2 arcsin r, or π/2 ∓ arcsin r.
        let angles = select(steep, 1.0 - sign, 1.0);
        let times = select(steep, 2.0 * sign, -sign);
        combine(angles, times, r, w)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.acos()
    }
}

/// Whether the root is taken; r and w.
#[inline(always)]
fn parts(size: f64) -> (bool, f64, f64) {
    let steep = size > 0.5;
    let z = select(steep, 0.5 * (1.0 - size), size * size);
    let root = z.sqrt();
    // The least number keeps 0 from being divided by 0.
    let root_rest = (-root).mul_add(root, z) / (2.0 * root + f64::MIN_POSITIVE);
    let r = select(steep, root, size);
    let rest = select(steep, root_rest, 0.0);
    (steep, r, (r * z).mul_add(polynomial(&HIGHER, z), rest))
}

/// So many right angles, and so many times r + w.
#[inline(always)]
fn combine(angles: f64, times: f64, r: f64, w: f64) -> f64 {
    let (high, low) = sum(angles * RIGHT_ANGLE[0], times * r);
    high + (low + times.mul_add(w, angles * RIGHT_ANGLE[1]))
}
