//! The differential of the exponential, trivialised on the right, and its inverse.
//!
//! Both are polynomials in ad_x, because ad_x fulfils one (see [`Spectrum`]).

use crate::error::ChartError;
use crate::law::{LARGEST, Law, Spectrum};
use crate::scalar::Scalar;

/// The coefficients of ad, ad², ad³, ad⁴ beside 1.
type Polynomial<S> = [Option<S>; 4];

/// dexp_x y = Σ ad_x^j y/(j + 1)!.
pub(crate) fn dexp<S: Scalar>(law: impl Law, x: &[S], y: &[S], out: &mut [S]) {
    apply(law, dexp_polynomial(law, x), x, y, out);
}

/// dexp_x⁻¹ y = Σ B_j ad_x^j y/j!, with B_1 = −1/2.
pub(crate) fn dexp_inverse<S: Scalar>(
    law: impl Law,
    x: &[S],
    y: &[S],
    out: &mut [S],
) -> Result<(), ChartError> {
    let polynomial = dexp_inverse_polynomial(law, x)?;
    apply(law, polynomial, x, y, out);
    Ok(())
}

/// With u = −θ² for ad²: the even part is 1 + u c₃, the odd part ad c₂, and for double roots their
/// slopes dc₂/du = (c₃ − 2c₄)/2 and dc₃/du = (c₄ − 3c₅)/2 come in.
fn dexp_polynomial<S: Scalar>(law: impl Law, x: &[S]) -> Polynomial<S> {
    if law.spectrum() == Spectrum::Abelian {
        return [None, None, None, None];
    }
    let angle = law.angle(x);
    let c = |k: u32| S::stumpff(k, &angle);
    if law.spectrum() == Spectrum::Simple {
        return [Some(c(2)), Some(c(3)), None, None];
    }
    let (c3, c4) = (c(3), c(4));
    let third = (c3.clone() - c4.clone() * S::ratio(2, 1)) * S::half();
    let fourth = (c4 - c(5) * S::ratio(3, 1)) * S::half();
    let square = angle.square();
    let first = c(2) + square.clone() * &third;
    let second = c3 + square * &fourth;
    [Some(first), Some(second), Some(third), Some(fourth)]
}

/// 1 − ad/2 + β ad², and for double roots (β − θ²β') ad² − β' ad⁴.
fn dexp_inverse_polynomial<S: Scalar>(law: impl Law, x: &[S]) -> Result<Polynomial<S>, ChartError> {
    if law.spectrum() == Spectrum::Abelian {
        return Ok([None, None, None, None]);
    }
    let angle = law.angle(x);
    // sin(θ/2)/(θ/2) stands below.
    if S::stumpff(1, &(angle.clone() * S::half())).is_negligible() {
        return Err(ChartError::FullTurn);
    }
    let (first, second) = (S::ratio(-1, 2), S::cotangent_defect(&angle));
    if law.spectrum() == Spectrum::Simple {
        return Ok([Some(first), Some(second), None, None]);
    }
    let slope = S::cotangent_defect_slope(&angle);
    let second = second - angle.square() * &slope;
    Ok([Some(first), Some(second), None, Some(-slope)])
}

/// out = y + Σ coefficient_k ad_x^k y.
fn apply<S: Scalar>(law: impl Law, polynomial: Polynomial<S>, x: &[S], y: &[S], out: &mut [S]) {
    out.clone_from_slice(y);
    let Some(highest) = polynomial.iter().rposition(Option::is_some) else {
        return;
    };
    let zero = || [(); LARGEST].map(|()| S::zero());
    let (mut power, mut next, n) = (zero(), zero(), law.dimension());
    power[..n].clone_from_slice(y);
    for coefficient in &polynomial[..=highest] {
        law.bracket(x, &power[..n], &mut next[..n]);
        std::mem::swap(&mut power, &mut next);
        if let Some(c) = coefficient {
            for (out, p) in out.iter_mut().zip(&power) {
                *out = out.clone() + c.clone() * p;
            }
        }
    }
}
