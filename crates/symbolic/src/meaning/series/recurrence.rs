//! How the next coefficient of a series follows from those before.

use super::Scalar;
use crate::Rational;

/// One series; operands are places in the list.
pub(crate) enum Recurrence {
    Constant(Rational),
    /// A value that is given and does not move.
    Given(usize),
    /// A coordinate of the flow, or time, by its given start.
    Moving(usize),
    Sum(Rational, Vec<(usize, Rational)>),
    Product(usize, usize),
    Inverse(usize),
    Root(usize),
    /// y with y' = Σ slope·argument', starting as given.
    Chain {
        start: usize,
        links: Vec<Link>,
    },
}

/// slope·argument', or its opposite.
pub(crate) struct Link {
    pub(crate) argument: usize,
    pub(crate) slope: usize,
    pub(crate) negative: bool,
}

impl Recurrence {
    /// The coefficient of order k of the series `at`, those of lower order of all series being there, and
    /// that of order k of those before it.
    pub(crate) fn coefficient<S: Scalar>(
        &self,
        at: usize,
        k: usize,
        memory: &[Vec<S>],
        start: &[S],
    ) -> Option<S> {
        let zero = S::of(&Rational::ZERO)?;
        let convolve = |a: &[S], b: &[S], from: usize, to: usize| {
            (from..=to).fold(zero, |sum, i| sum.plus(a[i].times(b[k - i])))
        };
        Some(match self {
            Self::Constant(r) if k == 0 => S::of(r)?,
            Self::Given(g) | Self::Moving(g) | Self::Chain { start: g, .. } if k == 0 => start[*g],
            Self::Constant(_) | Self::Given(_) => zero,
            // What moves without a rate is time.
            Self::Moving(_) => match memory[at].get(k) {
                Some(known) => *known,
                None if k == 1 => S::whole(1)?,
                None => zero,
            },
            Self::Sum(c, terms) => {
                let mut sum = if k == 0 { S::of(c)? } else { zero };
                for (t, r) in terms {
                    sum = sum.plus(memory[*t][k].times(S::of(r)?));
                }
                sum
            }
            Self::Product(a, b) => convolve(&memory[*a], &memory[*b], 0, k),
            Self::Inverse(a) => {
                let first = memory[*a][0].inverse()?;
                match k {
                    0 => first,
                    _ => {
                        let sum = convolve(&memory[*a], &memory[at], 1, k);
                        sum.times(first).negative()?
                    }
                }
            }
            Self::Root(a) => match k {
                0 => memory[*a][0].root()?,
                _ => {
                    let inner = convolve(&memory[at], &memory[at], 1, k - 1).negative()?;
                    let twice = memory[at][0].plus(memory[at][0]);
                    memory[*a][k].plus(inner).times(twice.inverse()?)
                }
            },
            // k y_k = Σ_links Σ_i i·argument_i·slope_(k-i).
            Self::Chain { links, .. } => {
                let mut total = zero;
                for link in links {
                    let mut sum = zero;
                    for i in 1..=k {
                        let part = memory[link.argument][i].times(memory[link.slope][k - i]);
                        sum = sum.plus(part.times(S::whole(i)?));
                    }
                    total = total.plus(if link.negative { sum.negative()? } else { sum });
                }
                total.times(S::whole(k)?.inverse()?)
            }
        })
    }
}
