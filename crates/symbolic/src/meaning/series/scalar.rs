//! What coefficients of series may be.

use crate::{Element, Field, Rational};

/// What a series needs of its coefficients.
pub trait Scalar: Copy {
    /// An exact number; `None` where it has no image.
    fn of(r: &Rational) -> Option<Self>;
    /// a + b.
    fn plus(self, other: Self) -> Self;
    /// a·b.
    fn times(self, other: Self) -> Self;
    /// `None` for zero.
    fn inverse(self) -> Option<Self>;
    /// `None` where there is none.
    fn root(self) -> Option<Self>;

    /// A natural number.
    fn whole(n: usize) -> Option<Self> {
        Self::of(&Rational::from(i64::try_from(n).ok()?))
    }
    /// -a.
    fn negative(self) -> Option<Self> {
        Some(self.times(Self::of(&Rational::from(-1))?))
    }
}

impl Scalar for f64 {
    fn of(r: &Rational) -> Option<Self> {
        Some(r.to_f64())
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn inverse(self) -> Option<Self> {
        (self != 0.0).then(|| self.recip())
    }
    fn root(self) -> Option<Self> {
        (self >= 0.0).then(|| self.sqrt())
    }
}

/// Elements of [`Field::SHARED`].
impl Scalar for Element {
    fn of(r: &Rational) -> Option<Self> {
        Field::SHARED.rational(r)
    }
    fn plus(self, other: Self) -> Self {
        Field::SHARED.add(self, other)
    }
    fn times(self, other: Self) -> Self {
        Field::SHARED.mul(self, other)
    }
    fn inverse(self) -> Option<Self> {
        Field::SHARED.invert(self)
    }
    fn root(self) -> Option<Self> {
        Field::SHARED.square_root(self)
    }
}
