//! Structure functions C^D_AB of a frame, stored sparsely.

use rattleback_symbolic::Expr;
use std::collections::BTreeMap;

/// The functions C^D_AB = -C^D_BA with [e_A, e_B] = C^D_AB e_D; only A < B and nonzero ones are kept.
#[derive(Clone, Debug, Default)]
pub struct StructureFunctions(BTreeMap<(usize, usize, usize), Expr>);

impl StructureFunctions {
    /// Sets C^D_AB (and with it C^D_BA = -C^D_AB).
    pub fn set(&mut self, a: usize, b: usize, d: usize, c: Expr) {
        let (key, value) = if a < b {
            ((a, b, d), c)
        } else {
            ((b, a, d), -c)
        };
        if value.is_zero() || a == b {
            self.0.remove(&key);
        } else {
            self.0.insert(key, value);
        }
    }

    /// From constants: the entries `(a, b, d, c)` mean [e_a, e_b] = c e_d + …
    pub fn from_constants(entries: &[(usize, usize, usize, i64)]) -> Self {
        let mut all = Self::default();
        for &(a, b, d, c) in entries {
            all.set(a, b, d, c.into());
        }
        all
    }

    /// C^D_AB.
    pub fn get(&self, a: usize, b: usize, d: usize) -> Expr {
        let (key, sign) = if a < b {
            ((a, b, d), 1)
        } else {
            ((b, a, d), -1)
        };
        self.0.get(&key).map_or_else(Expr::zero, |c| sign * c)
    }

    /// All nonzero C^D_AB with A < B, as (A, B, D, C).
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, usize, &Expr)> {
        self.0.iter().map(|(&(a, b, d), c)| (a, b, d, c))
    }

    /// Do all sections commute?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same functions with the opposite sign.
    pub fn negated(&self) -> Self {
        Self(self.0.iter().map(|(k, c)| (*k, -c)).collect())
    }

    pub(crate) fn extend_shifted(&mut self, other: &Self, by: usize) {
        let shift = |(a, b, d): &(usize, usize, usize)| (a + by, b + by, d + by);
        self.0
            .extend(other.0.iter().map(|(k, c)| (shift(k), c.clone())));
    }

    /// The nonzero terms of X^A Y^B C^D_AB, as (D, term).
    pub fn contract(&self, x: &[Expr], y: &[Expr]) -> Vec<(usize, Expr)> {
        self.iter()
            .map(|(a, b, d, c)| (d, c * (&x[a] * &y[b] - &x[b] * &y[a])))
            .filter(|(_, term)| !term.is_zero())
            .collect()
    }
}
