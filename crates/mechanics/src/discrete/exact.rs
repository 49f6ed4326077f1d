//! Exact discrete Lagrangians of oscillators and free motions: the action along the solution between two points
//! (DP-A2).

use super::error::DiscreteError;
use super::lagrangian::DiscreteLagrangian;
use crate::engine::hessian;
use crate::system::System;
use rattleback_symbolic::{Expr, Sign, Symbol, simplify, substitute_all};

impl DiscreteLagrangian {
    /// ∫₀ʰ L dt along the solution with q(0) = q₀, q(h) = q₁, where L is quadratic with constant coefficients
    /// and its coordinates do not meet in the second derivatives.
    ///
    /// With L = a v²/2 + b qv − k q²/2 + d v + e q + c for one coordinate, ω² = k/a and u = q − e/k this is
    ///
    /// ```text
    /// aω/(2 sin ωh) ((u₀² + u₁²) cos ωh − 2u₀u₁) + b/2 (q₁² − q₀²) + d (q₁ − q₀) + (c + e²/2k) h
    /// ```
    ///
    /// with hyperbolic functions for k/a < 0, and for k = 0 a (q₁ − q₀)²/2h + e h (q₀ + q₁)/2 − e²h³/24a + ….
    pub fn exact(
        system: &System,
        h: &Symbol,
        start: &[Symbol],
        end: &[Symbol],
    ) -> Result<Self, DiscreteError> {
        let parts = Quadratic::of(system)?;
        let h = Expr::from(h);
        let mut terms = vec![parts.constant.clone() * &h];
        for i in 0..start.len() {
            let (from, to) = (Expr::from(&start[i]), Expr::from(&end[i]));
            terms.push(parts.one(i, &from, &to, &h)?);
        }
        let value = simplify(&Expr::sum(terms));
        Ok(DiscreteLagrangian::new(start, end, value))
    }
}

/// The coefficients of a quadratic Lagrangian whose coordinates do not meet.
struct Quadratic {
    inertia: Vec<Expr>,
    mixed: Vec<Expr>,
    stiffness: Vec<Expr>,
    drift: Vec<Expr>,
    load: Vec<Expr>,
    constant: Expr,
}

impl Quadratic {
    fn of(system: &System) -> Result<Self, DiscreteError> {
        let no = |why: &'static str| DiscreteError::NotExact { why };
        let (q, v) = (system.frame().base(), system.frame().fibre());
        if system.has_groups() || !system.constraints().is_empty() {
            return Err(no("the model has group factors or constraints"));
        }
        if system.force().iter().any(|f| !f.is_zero()) {
            return Err(no("the model has forces"));
        }
        let all: Vec<Symbol> = q.iter().chain(v).cloned().collect();
        let time = Symbol::time();
        let l = system.lagrangian();
        let second = hessian(l, &all);
        let moves = |e: &Expr| e.contains_any(&all) || e.contains(&time);
        if second.entries().iter().any(moves) || l.contains(&time) {
            return Err(no(
                "its equations are not linear with constant coefficients",
            ));
        }
        let n = q.len();
        let meets = |i: usize, j: usize| i % n != j % n && !second[(i, j)].is_zero();
        if (0..2 * n).any(|i| (0..2 * n).any(|j| meets(i, j))) {
            return Err(no("its coordinates are coupled"));
        }
        let origin: Vec<(Symbol, Expr)> = all.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let slopes = |s: &[Symbol]| substitute_all(&l.gradient(s), &origin);
        let diagonal =
            |r: usize, c: usize| (0..n).map(|i| second[(r + i, c + i)].clone()).collect();
        let minus = |all: Vec<Expr>| all.iter().map(|e| -e).collect();
        Ok(Quadratic {
            inertia: diagonal(n, n),
            mixed: diagonal(0, n),
            stiffness: minus(diagonal(0, 0)),
            drift: slopes(v),
            load: slopes(q),
            constant: l.substitute(&origin),
        })
    }

    /// The part of one coordinate, without the constant.
    fn one(&self, i: usize, q0: &Expr, q1: &Expr, h: &Expr) -> Result<Expr, DiscreteError> {
        let (a, k, e) = (&self.inertia[i], &self.stiffness[i], &self.load[i]);
        let boundary = &self.mixed[i] / 2 * (q1.powi(2) - q0.powi(2)) + &self.drift[i] * (q1 - q0);
        if k.is_zero() {
            let free = a * (q1 - q0).powi(2) / (2 * h);
            let fall = e * h * (q0 + q1) / 2 - e.powi(2) * h.powi(3) / (24 * a);
            return Ok(free + fall + boundary);
        }
        let square = k / a;
        let (omega, swings) = match square.sign() {
            Sign::Positive => (square.sqrt(), true),
            Sign::Negative => ((-square).sqrt(), false),
            _ => {
                let why = "whether its coordinates swing or run away depends on the parameters: `assume` it";
                return Err(DiscreteError::NotExact { why });
            }
        };
        let turn = &omega * h;
        let (sine, cosine) = match swings {
            true => (turn.sin(), turn.cos()),
            false => (turn.sinh(), turn.cosh()),
        };
        let (u0, u1) = (q0 - e / k, q1 - e / k);
        let swing = ((u0.powi(2) + u1.powi(2)) * cosine - 2 * &u0 * &u1) / sine;
        Ok(a * omega / 2 * swing + boundary + e.powi(2) / (2 * k) * h)
    }
}
