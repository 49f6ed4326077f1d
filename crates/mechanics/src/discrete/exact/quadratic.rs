//! The coefficients of a quadratic Lagrangian.

use super::{Ends, no_formula};
use crate::discrete::DiscreteError;
use crate::engine::hessian;
use crate::system::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, normalize, substitute_all};

/// Numbers below n in groups of those that meet, directly or through others.
pub(super) fn meeting(n: usize, meet: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for i in 0..n {
        let touches = |j: &usize| meet(i, *j) || meet(*j, i);
        let (near, mut apart): (Vec<_>, Vec<_>) = blocks
            .into_iter()
            .partition(|block| block.iter().any(touches));
        let mut joined = near.concat();
        joined.push(i);
        joined.sort_unstable();
        apart.push(joined);
        blocks = apart;
    }
    blocks
}

/// L = ½ v·Mv + q·Bv − ½ q·Kq + d·v + e·q + c.
pub(super) struct Quadratic {
    /// M.
    pub inertia: Matrix,
    /// B.
    mixed: Matrix,
    /// K.
    pub stiffness: Matrix,
    /// d.
    drift: Vec<Expr>,
    /// e.
    pub load: Vec<Expr>,
    /// c.
    pub constant: Expr,
}

impl Quadratic {
    pub(super) fn of(system: &System) -> Result<Self, DiscreteError> {
        let (q, v) = (system.frame().base(), system.frame().fibre());
        if system.has_groups() || !system.constraints().is_empty() {
            return Err(no_formula("the model has group factors or constraints"));
        }
        if system.force().iter().any(|f| !f.is_zero()) {
            return Err(no_formula("the model has forces"));
        }
        let all: Vec<Symbol> = q.iter().chain(v).cloned().collect();
        let time = Symbol::time();
        let l = system.lagrangian();
        let second = hessian(l, &all).map(normalize);
        let moves = |e: &Expr| e.contains_any(&all) || e.contains(&time);
        if second.entries().iter().any(moves) || l.contains(&time) {
            return Err(no_formula(
                "its equations are not linear with constant coefficients",
            ));
        }
        let n = q.len();
        let origin: Vec<(Symbol, Expr)> = all.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let slopes = |s: &[Symbol]| substitute_all(&l.gradient(s), &origin);
        let part = |r: usize, c: usize| Matrix::new(n, n, |i, j| second[(r + i, c + j)].clone());
        Ok(Quadratic {
            inertia: part(n, n),
            mixed: part(0, n),
            stiffness: part(0, 0).map(|e| -e),
            drift: slopes(v),
            load: slopes(q),
            constant: l.substitute(&origin),
        })
    }

    /// Coordinates that meet, directly or through others.
    pub(super) fn blocks(&self) -> Vec<Vec<usize>> {
        meeting(self.load.len(), |i, j| {
            let all = [&self.inertia, &self.mixed, &self.stiffness];
            all.iter().any(|m| !m[(i, j)].is_zero())
        })
    }

    /// The part of some coordinates, without the constant.
    pub(super) fn select(&self, block: &[usize]) -> Self {
        let square = |m: &Matrix| m.select(block, block);
        let list = |all: &[Expr]| block.iter().map(|i| all[*i].clone()).collect();
        Quadratic {
            inertia: square(&self.inertia),
            mixed: square(&self.mixed),
            stiffness: square(&self.stiffness),
            drift: list(&self.drift),
            load: list(&self.load),
            constant: Expr::zero(),
        }
    }

    /// B − Bᵀ, which no function of the positions takes away: M v' = (B − Bᵀ) v − K q + e.
    pub(super) fn gyroscopic(&self) -> Matrix {
        (&self.mixed - &self.mixed.transpose()).map(normalize)
    }

    pub(super) fn is_gyroscopic(&self) -> bool {
        self.gyroscopic().entries().iter().any(|e| !e.is_zero())
    }

    /// [½ q·Bq + d·q], whose rate is the part of L with the symmetric part of B and with d.
    pub(super) fn boundary(&self, [q0, q1]: &Ends) -> Expr {
        let at = |q: &[Expr]| dot(q, &self.mixed.apply(q)) / 2 + dot(&self.drift, q);
        at(q1) - at(q0)
    }
}
