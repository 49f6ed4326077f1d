//! What a linear map cannot reach, exactly.
//!
//! In x_{k+1} = A x_k + B u_k + c a covector w with w A^j B = 0 for all j < N sees no control in N steps, and
//! w·x_N = w A^N x_0 + Σ_{j<N} w A^j c is known from the start. That j < n is enough, for n states, is the theorem of Cayley
//! and Hamilton.

use super::posed::Posed;
use super::reach::{EndsOf, Excluded, Reach};
use rattleback_mechanics::Problem;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, nullspace};

/// The most products of numbers, whose digits grow with each step.
const PRODUCTS: usize = 100_000;

/// A map with numbers as coefficients.
struct LinearMap {
    /// A, B and c; the controls are columns of B.
    a: Matrix,
    b: Matrix,
    c: Vec<Expr>,
}

impl LinearMap {
    /// None where the map is not linear in state and controls, or its coefficients are no rational numbers.
    fn of(posed: &Posed, ends: &EndsOf) -> Option<Self> {
        let plant = &posed.plant;
        let state = plant.state_symbols();
        let next: Vec<Expr> = plant.rates.iter().map(|e| ends.valued(e)).collect();
        let slopes = |by: &[Symbol]| Matrix::new(next.len(), by.len(), |i, j| next[i].diff(&by[j]));
        let (a, b) = (slopes(&state), slopes(&plant.controls));
        let all = state.iter().chain(&plant.controls);
        let zeros: Vec<(Symbol, Expr)> = all.map(|s| (s.clone(), Expr::zero())).collect();
        let c: Vec<Expr> = next.iter().map(|e| e.substitute(&zeros)).collect();
        let mut numbers = a.entries().iter().chain(b.entries()).chain(&c);
        let linear = next.len() == state.len() && numbers.all(|e| e.as_number().is_some());
        linear.then_some(Self { a, b, c })
    }

    /// A basis of the covectors that see no control in so many steps.
    fn blind(&self, steps: usize) -> Option<Vec<Vec<Expr>>> {
        let n = self.a.rows();
        let mut rows: Vec<Vec<Expr>> = (0..self.b.cols()).map(|j| self.b.column(j)).collect();
        let mut last = rows.clone();
        for _ in 1..steps.min(n) {
            last = last.iter().map(|v| self.a.apply(v)).collect();
            rows.extend(last.iter().cloned());
        }
        Some(nullspace(&Matrix::from_rows(&rows)).ok()?.basis)
    }

    /// w A^N, and Σ_{j<N} w A^j c.
    fn after(&self, covector: &[Expr], steps: usize) -> (Vec<Expr>, Expr) {
        let back = self.a.transpose();
        let (mut w, mut sum) = (covector.to_vec(), Expr::zero());
        for _ in 0..steps {
            sum += dot(&w, &self.c);
            w = back.apply(&w);
        }
        (w, sum)
    }
}

impl Reach {
    /// Judges a plant in steps; says nothing of one that is not linear.
    pub(super) fn in_steps(problem: &Problem, posed: &Posed) -> Option<Self> {
        let ends = EndsOf::new(problem, posed, &posed.goal);
        let map = LinearMap::of(posed, &ends)?;
        let steps = posed.steps();
        let n = map.a.rows();
        if steps * n * n > PRODUCTS {
            return None;
        }
        let mut found = Self::default();
        let state: Vec<Expr> = posed.plant.state_symbols().iter().map(Expr::from).collect();
        for w in map.blind(steps)? {
            let (before, sum) = map.after(&w, steps);
            let at = |of: &[(Symbol, Expr)], w: &[Expr]| {
                let values: Vec<Expr> = of.iter().map(|(_, x)| x.clone()).collect();
                dot(w, &values)
            };
            let known = at(&ends.start, &before) + sum;
            let after = ends.valued(&at(&ends.end, &w));
            let invariant = dot(&w, &state);
            let excluded = ends.differ(invariant.clone(), &known, &after);
            found.excluded = found.excluded.or(excluded.map(|e| Excluded {
                steps: Some(steps),
                ..e
            }));
            if known.as_number().is_some() {
                found.implied.push(invariant - known);
            }
        }
        Some(found)
    }
}
