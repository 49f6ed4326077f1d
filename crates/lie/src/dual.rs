//! Numbers with a derivative: tangent maps of everything that is written over a scalar.

use crate::Scalar;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// x + ε v with ε² = 0.
///
/// ```
/// use rattleback_lie::{Scalar, Tangent};
/// let x = Tangent { value: 2.0, slope: 1.0 };
/// assert_eq!((x.clone() * &x).slope, 4.0);
/// assert_eq!(x.sin().slope, 2.0_f64.cos());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tangent<S> {
    /// x.
    pub value: S,
    /// v.
    pub slope: S,
}

impl<S: Scalar> Tangent<S> {
    /// f(x + εv) = f(x) + ε f'(x) v.
    fn through(&self, value: S, derivative: S) -> Self {
        Self {
            value,
            slope: derivative * &self.slope,
        }
    }
}

/// Tf(x)·v for a map of lists.
pub fn tangent_map<S: Scalar>(
    map: impl Fn(&[Tangent<S>]) -> Vec<Tangent<S>>,
    x: &[S],
    v: &[S],
) -> Vec<S> {
    let at = x.iter().zip(v).map(|(x, v)| Tangent {
        value: x.clone(),
        slope: v.clone(),
    });
    let image = map(&at.collect::<Vec<_>>());
    image.into_iter().map(|y| y.slope).collect()
}

impl<S: Scalar> Neg for Tangent<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            slope: -self.slope,
        }
    }
}

impl<S: Scalar> Add<&Self> for Tangent<S> {
    type Output = Self;
    fn add(self, y: &Self) -> Self {
        Self {
            value: self.value + &y.value,
            slope: self.slope + &y.slope,
        }
    }
}

impl<S: Scalar> Sub<&Self> for Tangent<S> {
    type Output = Self;
    fn sub(self, y: &Self) -> Self {
        Self {
            value: self.value - &y.value,
            slope: self.slope - &y.slope,
        }
    }
}

impl<S: Scalar> Mul<&Self> for Tangent<S> {
    type Output = Self;
    fn mul(self, y: &Self) -> Self {
        Self {
            slope: self.slope * &y.value + self.value.clone() * &y.slope,
            value: self.value * &y.value,
        }
    }
}

impl<S: Scalar> Div<&Self> for Tangent<S> {
    type Output = Self;
    fn div(self, y: &Self) -> Self {
        let value = self.value / &y.value;
        Self {
            slope: (self.slope - value.clone() * &y.slope) / &y.value,
            value,
        }
    }
}

macro_rules! by_value {
    ($($operator:ident $name:ident),*) => {$(
        impl<S: Scalar> $operator for Tangent<S> {
            type Output = Self;
            fn $name(self, y: Self) -> Self {
                self.$name(&y)
            }
        }
    )*};
}

by_value!(Add add, Sub sub, Mul mul, Div div);

impl<S: Scalar> Scalar for Tangent<S> {
    fn ratio(n: i64, d: i64) -> Self {
        Self {
            value: S::ratio(n, d),
            slope: S::zero(),
        }
    }
    fn sqrt(&self) -> Self {
        let root = self.value.sqrt();
        self.through(root.clone(), S::half() / &root)
    }
    fn sin(&self) -> Self {
        self.through(self.value.sin(), self.value.cos())
    }
    fn cos(&self) -> Self {
        self.through(self.value.cos(), -self.value.sin())
    }
    fn atan2(&self, x: &Self) -> Self {
        let (y, square) = (&self.value, self.value.square() + x.value.square());
        let turn = x.value.clone() * &self.slope - y.clone() * &x.slope;
        Self {
            value: y.atan2(&x.value),
            slope: turn / square,
        }
    }

    /// dc_k/dθ = θ (k c_{k+2} − c_{k+1}).
    fn stumpff(order: u32, angle: &Self) -> Self {
        let theta = &angle.value;
        let further = S::ratio(i64::from(order), 1) * S::stumpff(order + 2, theta);
        let slope = (further - S::stumpff(order + 1, theta)) * theta;
        angle.through(S::stumpff(order, theta), slope)
    }
    fn cotangent_defect(angle: &Self) -> Self {
        let theta = &angle.value;
        let slope = S::ratio(2, 1) * theta * S::cotangent_defect_slope(theta);
        angle.through(S::cotangent_defect(theta), slope)
    }
    /// With x = θ²: x β'' = (β² − 5β')/2 + x β β', and β''(0) = 1/15120.
    fn cotangent_defect_slope(angle: &Self) -> Self {
        let theta = &angle.value;
        let (beta, slope) = (S::cotangent_defect(theta), S::cotangent_defect_slope(theta));
        let x = theta.square();
        let second = match x.is_negligible() {
            true => S::ratio(1, 15120),
            false => {
                let rest = beta.square() - S::ratio(5, 1) * &slope;
                rest * S::half() / &x + beta * &slope
            }
        };
        angle.through(slope, S::ratio(2, 1) * theta * second)
    }
    fn is_negligible(&self) -> bool {
        self.value.is_negligible() && self.slope.is_negligible()
    }
    fn is_known_below(&self, other: &Self) -> bool {
        self.value.is_known_below(&other.value)
    }
}
