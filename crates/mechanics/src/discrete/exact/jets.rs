//! The action of linear systems of higher order: splines, and what is stretched besides.

use super::flow::Flow;
use super::{Ends, no_formula};
use crate::discrete::{DiscreteError, PhaseFlow};
use crate::equations::Stage;
use crate::system::System;
use rattleback_symbolic::{
    Expr, Matrix, Symbol, dot, inverse, normalize, simplify, substitute_all,
};

/// Levels and coordinates that meet, as a product: more have formulas that nobody reads.
const MANY: usize = 3;

/// Equations of Ostrogradsky that are linear with constant coefficients, z' = N z + f on z = (Q, P) with Q the jets of the
/// coordinates, and the linear part e·(q, …, q⁽ᵏ⁾) of L with its constant.
pub(super) struct Linear {
    matrix: Matrix,
    push: Vec<Expr>,
    load: Vec<Expr>,
    pub constant: Expr,
    coordinates: usize,
    order: usize,
}

impl Linear {
    pub fn of(system: &System) -> Result<Self, DiscreteError> {
        let flow = PhaseFlow::new(system, |s| Symbol::variable(&format!("p~{s}")))?;
        let rates = solved(&flow)?;
        let state = [&flow.positions[..], &flow.momenta].concat();
        let rows: Vec<Vec<Expr>> = rates.iter().map(|r| r.gradient(&state)).collect();
        let matrix = Matrix::from_rows(&rows).map(normalize);
        let l = system.lagrangian();
        let moves = |e: &Expr| e.contains_any(&state) || e.contains(&Symbol::time());
        if matrix.entries().iter().any(moves) || l.contains(&Symbol::time()) {
            return Err(no_formula(
                "its equations are not linear with constant coefficients",
            ));
        }
        let (n, order) = (system.frame().base().len(), system.order() as usize);
        let jets: Vec<Symbol> = (0..=order as u32)
            .flat_map(|i| system.frame().base().iter().map(move |s| s.jet(i)))
            .collect();
        let at_rest = |all: &[Symbol]| -> Vec<(Symbol, Expr)> {
            all.iter().map(|s| (s.clone(), Expr::zero())).collect()
        };
        let bent = l
            .gradient(&jets)
            .into_iter()
            .flat_map(|e| e.gradient(&jets));
        if bent.map(|e| normalize(&e)).any(|e| e.contains_any(&jets)) {
            return Err(no_formula("its Lagrangian is not quadratic"));
        }
        Ok(Self {
            push: substitute_all(&rates, &at_rest(&state)),
            load: substitute_all(&l.gradient(&jets), &at_rest(&jets)),
            constant: l.substitute(&at_rest(&jets)),
            matrix,
            coordinates: n,
            order,
        })
    }

    /// Coordinates that meet, directly or through others.
    pub fn blocks(&self) -> Vec<Vec<usize>> {
        let n = self.coordinates;
        let entries = |i: usize, j: usize| {
            let all =
                (0..2 * self.order).flat_map(move |a| (0..2 * self.order).map(move |b| (a, b)));
            all.map(move |(a, b)| &self.matrix[(a * n + i, b * n + j)])
        };
        super::quadratic::meeting(n, |i, j| entries(i, j).any(|e| !e.is_zero()))
    }

    /// ∫ L dt for coordinates that meet, without the constant: 2 L less its linear part is the rate of P·Q, so that it is
    /// ½ [P·Q] + ½ ∫ e·(q, …, q⁽ᵏ⁾) dt. The momenta at the start are those that lead to the end.
    pub fn action(&self, block: &[usize], ends: &Ends, h: &Expr) -> Result<Expr, DiscreteError> {
        let (n, k) = (self.coordinates, self.order);
        if k * block.len() > MANY {
            return Err(no_formula("too many of its derivatives are coupled"));
        }
        let of_block = |levels: std::ops::Range<usize>| -> Vec<usize> {
            levels
                .flat_map(|a| block.iter().map(move |i| a * n + i))
                .collect()
        };
        let (positions, all) = (of_block(0..k), of_block(0..2 * k));
        let flow = Flow::new(&self.matrix.select(&all, &all), h)?;
        let m = positions.len();
        let (q, p): (Vec<usize>, Vec<usize>) = ((0..m).collect(), (m..2 * m).collect());
        let push: Vec<Expr> = all.iter().map(|i| self.push[*i].clone()).collect();
        let [q0, q1] = ends;
        let added = |a: Vec<Expr>, b: Vec<Expr>| -> Vec<Expr> {
            a.into_iter().zip(b).map(|(a, b)| a + b).collect()
        };
        let everything: Vec<usize> = (0..2 * m).collect();
        let arrive = |rows: &[usize], by: &Matrix, next: &Matrix, p0: &[Expr]| -> Vec<Expr> {
            let moved = by.select(rows, &q).apply(q0);
            let carried = by.select(rows, &p).apply(p0);
            let pushed = next.select(rows, &everything).apply(&push);
            added(added(moved, carried), pushed)
        };
        let still = vec![Expr::zero(); m];
        let drifted = arrive(&q, &flow.moved, &flow.summed, &still);
        let missing: Vec<Expr> = q1.iter().zip(drifted).map(|(q, x)| q - x).collect();
        let back = inverse(&flow.moved.select(&q, &p))
            .map_err(|_| no_formula("the motions from a point do not spread over all directions"))?
            .solution
            .map(simplify);
        let p0 = back.apply(&missing);
        let p1 = arrive(&p, &flow.moved, &flow.summed, &p0);
        let first: Vec<usize> = (0..block.len()).collect();
        let mean = arrive(&first, &flow.summed, &flow.summed_twice, &p0);
        let load: Vec<Expr> = of_block(0..k + 1)
            .iter()
            .map(|i| self.load[*i].clone())
            .collect();
        let (own, derived) = load.split_at(block.len());
        let gained = dot(derived, q1) - dot(derived, q0);
        Ok((dot(q1, &p1) - dot(q0, &p0) + dot(own, &mean) + gained) / 2)
    }
}

/// The rates with q⁽ᵏ⁾ put in.
fn solved(flow: &PhaseFlow) -> Result<Vec<Expr>, DiscreteError> {
    let mut highest = Vec::new();
    for stage in &flow.stages {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = stage
        else {
            return Err(no_formula(
                "its equations are not linear with constant coefficients",
            ));
        };
        let inverse = inverse(matrix)
            .map_err(|_| no_formula("its Lagrangian does not determine the highest derivatives"))?;
        let found = inverse.solution.apply(rhs);
        highest.extend(unknowns.iter().cloned().zip(found));
    }
    Ok(substitute_all(&flow.rates, &highest))
}
