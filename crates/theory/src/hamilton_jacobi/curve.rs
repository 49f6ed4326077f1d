//! Is a curve q(t) a motion? (DP-B16)

use super::HamiltonJacobiError;
use crate::exact::tidy;
use crate::{Answer, Function};
use rattleback_mechanics::System;
use rattleback_mechanics::engine::{MassForm, euler_lagrange};
use rattleback_symbolic::{Expr, Symbol, inverse, prove_all_zero, substitute_all};

/// What is true of a curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// φ^s along the curve.
    pub constraints: Vec<Expr>,
    /// Does it obey the constraints?
    pub admissible: Answer,
    /// λ_s along the curve: the best reactions.
    pub reactions: Vec<Expr>,
    /// Does it obey the nonholonomic equations?
    pub motion: Answer,
    /// Does it obey the equations without constraints too?
    pub free: Answer,
    /// The energy along the curve.
    pub energy: Expr,
    /// Is the energy constant?
    pub conserved: Answer,
}

impl Curve {
    /// Tests a curve in coordinates: one function of t for each of them.
    pub fn of(system: &System, curve: &[Expr]) -> Result<Self, HamiltonJacobiError> {
        if system.has_groups() || system.order() > 1 {
            return Err(HamiltonJacobiError::NotNatural(
                "curves are tested in coordinates, for Lagrangians in positions and velocities",
            ));
        }
        let frame = system.frame();
        let t = Symbol::time();
        let mut known: Vec<(Symbol, Expr)> = Vec::new();
        for (q, e) in frame.base().iter().zip(curve) {
            let rate = e.diff(&t);
            known.push((q.jet(2), rate.diff(&t)));
            known.push((q.jet(1), rate));
            known.push((q.clone(), e.clone()));
        }
        let along =
            |f: &[Expr]| -> Vec<Expr> { substitute_all(f, &known).iter().map(tidy).collect() };
        let MassForm { mass, bias } =
            euler_lagrange(frame, system.lagrangian(), 1, system.force(), &[]);
        let accelerations: Vec<Expr> = frame
            .fibre()
            .iter()
            .map(|y| y.derivative().into())
            .collect();
        let sides: Vec<Expr> = mass
            .apply(&accelerations)
            .iter()
            .zip(&bias)
            .map(|(m, b)| m + b)
            .collect();
        let unbalanced = along(&sides);
        let constraints = along(&system.constraints().residuals(frame));
        let a = system.constraints().forms();
        let forms = rattleback_symbolic::Matrix::new(a.rows(), a.cols(), {
            let entries = along(a.entries());
            let columns = a.cols();
            move |i, j| entries[i * columns + j].clone()
        });
        let mut reactions = Vec::new();
        let mut left = unbalanced.clone();
        if forms.rows() > 0 {
            let gram = inverse(&(&forms * &forms.transpose()).map(tidy))?.solution;
            reactions = gram
                .apply(&forms.apply(&unbalanced))
                .iter()
                .map(tidy)
                .collect();
            let push = forms.transpose().apply(&reactions);
            left = unbalanced.iter().zip(&push).map(|(u, p)| u - p).collect();
        }
        let energy = along(&[system.energy()]).swap_remove(0);
        let zero = |f: &[Expr], what: Function| Answer::vanish(f, prove_all_zero(f), what);
        let both = [constraints.clone(), left].concat();
        Ok(Self {
            admissible: zero(&constraints, Function::ConstraintsOnCurve),
            motion: zero(&both, Function::EquationsOnCurve),
            free: zero(&unbalanced, Function::FreeEquationsOnCurve),
            conserved: zero(&[energy.diff(&t)], Function::EnergyRate),
            constraints,
            reactions,
            energy,
        })
    }
}
