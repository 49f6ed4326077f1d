//! What the generators of a polynomial ring stand for.

use crate::{Expr, Rational};

/// How much the ring knows about the functions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Functions and inverses are opaque: only products are multiplied out.
    Plain,
    /// Sine and cosine of one argument satisfy Pythagoras; arguments stay as they are.
    Pythagoras,
    /// Arguments are split into independent angles too.
    Angles,
}

/// A generator: `Π base^exponent`, with exponents 1/d for roots.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    pub(crate) factors: Vec<(Expr, Rational)>,
}

impl Generator {
    pub(crate) fn plain(base: Expr) -> Self {
        Self {
            factors: vec![(base, Rational::ONE)],
        }
    }

    pub(crate) fn root(base: Expr, degree: i64) -> Self {
        Self {
            factors: vec![(base, Rational::new(1, degree))],
        }
    }
}

/// Generators tied by x² = ±(1 - y²) or a product of both: cosine and sine, or their hyperbolic kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) cosine: usize,
    pub(crate) sine: usize,
    pub(crate) hyperbolic: bool,
}
