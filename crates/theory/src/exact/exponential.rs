//! Functions N with d ln N given: in closed form or by quadrature, with the periods of ln N.

use super::period::{Period, around};
use super::potential::{OneForm, PotentialError};
use crate::Deadline;
use rattleback_geometry::{Quadrature, in_coordinates};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

/// By how much the logarithm of a function changes around circles, where it does.
#[derive(Clone, Debug, Default)]
pub struct Periods {
    /// Around which circle, and by how much.
    pub exact: Vec<(Symbol, Expr)>,
    /// The same as a number, for the values of the parameters that the words tell.
    pub numeric: Vec<(Symbol, f64, String)>,
    /// Circles for which that is not known, and why.
    pub undecided: Vec<(Symbol, String)>,
}

impl Periods {
    /// Do all of them vanish, so that the function is single valued? `None` where that is not decided.
    pub fn vanish(&self) -> Option<bool> {
        if !self.exact.is_empty() || !self.numeric.is_empty() {
            return Some(false);
        }
        self.undecided.is_empty().then_some(true)
    }
}

/// N with d ln N = ω.
#[derive(Clone, Debug)]
pub(crate) struct Exponential {
    /// N, or the integral that it is.
    pub value: Result<Expr, Quadrature>,
    /// The periods of ln N.
    pub periods: Periods,
}

impl OneForm<'_> {
    /// N with d ln N = ω: in closed form where one is found, else as a quadrature.
    pub(crate) fn exponential(
        &self,
        hints: &[Expr],
        deadline: Deadline,
    ) -> Result<Exponential, PotentialError> {
        match self.potential(hints, deadline) {
            Ok(f) => {
                let periods = self.circles.iter().map(|s| (s.clone(), f.period(s)));
                Ok(Exponential {
                    value: Ok(f.exponential(&Expr::one())),
                    periods: Periods {
                        exact: periods.filter(|(_, p)| !vanishes(p)).collect(),
                        ..Periods::default()
                    },
                })
            }
            // A form that is closed can be integrated, whether or not its potential has a name.
            Err(e @ (PotentialError::NoClosedForm | PotentialError::OutOfTime)) => {
                let integral = self.quadrature(deadline).ok_or(e)?;
                Ok(Exponential {
                    periods: self.periods(&integral),
                    value: Err(integral),
                })
            }
            Err(e) => Err(e),
        }
    }

    /// ∮ ω around each circle through the base point.
    fn periods(&self, integral: &Quadrature) -> Periods {
        let mut found = Periods::default();
        let Some(form) = in_coordinates(self.frame, self.components) else {
            return found;
        };
        for (s, component) in integral.coordinates.iter().zip(&form) {
            if !self.circles.contains(s) {
                continue;
            }
            let others: Vec<(Symbol, Expr)> = integral
                .base
                .iter()
                .filter(|(b, _)| b != s)
                .cloned()
                .collect();
            match around(&component.substitute(&others), s, self.near) {
                Period::Zero => {}
                Period::Exact(change) => found.exact.push((s.clone(), change)),
                Period::Number { change, at } => found.numeric.push((s.clone(), change, at)),
                Period::Undecided(why) => found.undecided.push((s.clone(), why)),
            }
        }
        found
    }
}

fn vanishes(e: &Expr) -> bool {
    prove_zero(e).is_proven()
}
