//! The numbers that coefficients are computed in: one, or four members of an ensemble at once.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several numbers side by side.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many numbers stand side by side.
    const LANES: usize;

    /// The same number in every lane.
    fn splat(x: f64) -> Self;

    /// The number in one lane.
    fn lane(self, lane: usize) -> f64;

    /// Changes the number in one lane.
    fn set_lane(&mut self, lane: usize, x: f64);

    /// `f` of each pair of lanes.
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut result = self;
        (0..Self::LANES).for_each(|l| result.set_lane(l, f(self.lane(l), other.lane(l))));
        result
    }
}

impl Number for f64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn set_lane(&mut self, _: usize, x: f64) {
        *self = x;
    }
}

/// Four numbers side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Lanes(pub [f64; 4]);

impl Number for Lanes {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(x: f64) -> Lanes {
        Lanes([x; 4])
    }

    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        self.0[lane]
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, x: f64) {
        self.0[lane] = x;
    }
}

impl Neg for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn neg(self) -> Lanes {
        let a = self.0;
        Lanes([-a[0], -a[1], -a[2], -a[3]])
    }
}

macro_rules! by_lanes {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for Lanes {
            type Output = Lanes;

            // Written out, since a closure is compiled for the least processor.
            #[inline(always)]
            fn $method(self, other: Lanes) -> Lanes {
                let (a, b) = (self.0, other.0);
                Lanes([a[0] $op b[0], a[1] $op b[1], a[2] $op b[2], a[3] $op b[3]])
            }
        }
    )*};
}

by_lanes!(Add add +, Sub sub -, Mul mul *, Div div /);
