//! The exponential of a matrix, and what it says about plants whose controls are held.

use crate::dense::Dense;
use crate::eigen::balance;
use crate::error::NotFinite;

/// The coefficients of the Padé approximant of degree 13.
const PADE: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];
/// Up to this norm the approximant is good to round-off.
const REACH: f64 = 5.371_920_351_148_152;

/// exp A, by a Padé approximant of degree 13 with scaling and squaring (Higham 2005) of A in balanced units.
///
/// ```
/// use rattleback_numeric::{Dense, exponential};
/// let turn = exponential(&Dense::of_rows(2, 2, &[0.0, -1.0, 1.0, 0.0]))?;
/// assert!((turn[(1, 0)] - 1.0_f64.sin()).abs() < 1e-15);
/// # Ok::<(), rattleback_numeric::NotFinite>(())
/// ```
pub fn exponential(matrix: &Dense) -> Result<Dense, NotFinite> {
    matrix.check()?;
    let n = matrix.rows();
    let units = balance(matrix);
    let balanced = Dense::new(n, n, |i, j| matrix[(i, j)] * (units[j] / units[i]));
    let result = in_balance(&balanced)?;
    let result = Dense::new(n, n, |i, j| result[(i, j)] * (units[i] / units[j]));
    result.check()?;
    Ok(result)
}

fn in_balance(matrix: &Dense) -> Result<Dense, NotFinite> {
    let n = matrix.rows();
    let squarings = (matrix.column_norm() / REACH).log2().ceil().max(0.0);
    let a = matrix.scaled((-squarings).exp2());
    let a2 = &a * &a;
    let a4 = &a2 * &a2;
    let a6 = &a2 * &a4;
    let sum = |c: [f64; 4], constant: f64| {
        Dense::new(n, n, |i, j| {
            let unit = if i == j { constant } else { 0.0 };
            c[0] * a6[(i, j)] + c[1] * a4[(i, j)] + c[2] * a2[(i, j)] + c[3] * unit
        })
    };
    let b = PADE;
    let odd_high = &a6 * &sum([b[13], b[11], b[9], 0.0], 0.0);
    let odd = &a * &(&odd_high + &sum([b[7], b[5], b[3], b[1]], 1.0));
    let even_high = &a6 * &sum([b[12], b[10], b[8], 0.0], 0.0);
    let even = &even_high + &sum([b[6], b[4], b[2], b[0]], 1.0);
    // The denominator is well conditioned within the reach of the approximant.
    let Ok(mut result) = (&even - &odd).solve(&(&even + &odd)) else {
        return Err(NotFinite { entry: 0 });
    };
    for _ in 0..squarings as u32 {
        result = &result * &result;
    }
    Ok(result)
}

/// x_{k+1} = A x_k + B u_k: a plant whose control is held over each step.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// exp(h A).
    pub a: Dense,
    /// ∫₀ʰ exp(s A) ds B.
    pub b: Dense,
}

impl Sampled {
    /// The exact flow of x' = A x + B u over a step h with u held: exp(h [A B; 0 0]) = [A_d B_d; 0 1].
    ///
    /// ```
    /// use rattleback_numeric::{Dense, Sampled};
    /// // x'' = u.
    /// let (a, b) = (Dense::of_rows(2, 2, &[0.0, 1.0]), Dense::of_rows(2, 1, &[0.0, 1.0]));
    /// let sampled = Sampled::of(&a, &b, 0.5)?;
    /// assert_eq!(sampled.b.entries(), [0.125, 0.5]);
    /// # Ok::<(), rattleback_numeric::NotFinite>(())
    /// ```
    pub fn of(a: &Dense, b: &Dense, h: f64) -> Result<Sampled, NotFinite> {
        let (n, m) = (a.rows(), b.columns());
        let both = a.beside(b).scaled(h);
        let joint = Dense::new(n + m, n + m, |i, j| if i < n { both[(i, j)] } else { 0.0 });
        let flow = exponential(&joint)?;
        Ok(Sampled {
            a: flow.part((0, 0), n, n),
            b: flow.part((0, n), n, m),
        })
    }
}
