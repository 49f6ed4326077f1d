//! Sub-families of extremals on which some costates are prescribed, with what they leave unsatisfied (CG-B7).

use crate::Equations;
use rattleback_symbolic::{Expr, Role, Symbol, derivations, simplify, substitute_all};

/// Prescribed values of costates. They are consistent where the residuals vanish; else the family is smaller, and
/// boundary data in general position cannot be met.
#[derive(Clone, Debug)]
pub struct Ansatz {
    /// What is prescribed.
    pub prescribed: Vec<(Symbol, Expr)>,
    /// One for each: its rate by the equations of optimality less the derivative of the prescribed value, which must
    /// vanish along the family.
    pub residuals: Vec<Expr>,
    /// How many components of state and costate are left.
    pub dimension: usize,
}

impl Ansatz {
    /// The ansatz in equations of optimality without solves that are left, such as those of [`Equations::explicit`];
    /// none where a prescribed symbol is no part of the state, or a solve is left.
    pub fn of(equations: &Equations, prescribed: &[(Symbol, Expr)]) -> Option<Self> {
        let rate = |s: &Symbol| equations.rate(s).cloned();
        let known = |(s, _): &(Symbol, Expr)| rate(s).is_some();
        if !equations.stages.is_empty() || !prescribed.iter().all(known) {
            return None;
        }
        let residual = |(s, value): &(Symbol, Expr)| {
            let moved = derivations(std::slice::from_ref(value), |x| match x.role() {
                Role::Time => Expr::one(),
                _ => rate(x).unwrap_or_else(Expr::zero),
            });
            let gap = rate(s).map(|r| r - &moved[0]).unwrap_or_else(Expr::zero);
            simplify(&substitute_all(&[gap], prescribed)[0])
        };
        Some(Self {
            residuals: prescribed.iter().map(residual).collect(),
            dimension: equations.state.len() - prescribed.len(),
            prescribed: prescribed.to_vec(),
        })
    }

    /// Do the prescribed values hold along motions that start with them?
    pub fn is_consistent(&self) -> bool {
        self.residuals.iter().all(Expr::is_zero)
    }
}
