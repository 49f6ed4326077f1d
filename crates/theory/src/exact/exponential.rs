//! Functions N with d ln N given: in closed form or by quadrature, with the periods of ln N.

use super::broken::{Circle, circle};
use super::hole::{holes, unlocated};
use super::period::{EnclosedPeriod, Period, around};
use super::potential::{OneForm, Potential, PotentialError};
use crate::Effort;
use rattleback_geometry::{Quadrature, in_coordinates, singularities};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

/// A closed way on which the logarithm of a function may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Once around the circle of a coordinate.
    Circle(Symbol),
    /// Around the place where two coordinates have these values and the form is singular.
    Axis([(Symbol, Expr); 2]),
    /// Around zeros of a function at which the form is singular.
    Zeros(Expr),
}

impl std::fmt::Display for Loop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loop::Circle(s) => write!(f, "the circle of {s}"),
            Loop::Axis([(x, a), (y, b)]) => write!(f, "the axis {x} = {a}, {y} = {b}"),
            Loop::Zeros(e) => write!(f, "the zeros of {e}"),
        }
    }
}

/// By how much the logarithm of a function changes on closed ways, where it does.
#[derive(Clone, Debug, Default)]
pub struct Periods {
    /// On which way, and by how much.
    pub exact: Vec<(Loop, Expr)>,
    /// The same as a number that is enclosed, for some values of the parameters.
    pub numeric: Vec<(Loop, EnclosedPeriod)>,
    /// Ways for which that is not known, and why.
    pub undecided: Vec<(Loop, String)>,
    /// Circles that poles cut, with what vanishes there: no closed way goes around them, and on each piece between
    /// the poles the function has a constant factor of its own.
    pub broken: Vec<(Symbol, Vec<Expr>)>,
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
        effort: Effort,
    ) -> Result<Exponential, PotentialError> {
        match self.potential(hints, effort) {
            Ok(f) => Ok(Exponential {
                value: Ok(f.exponential(&Expr::one())),
                periods: self.periods_of(&f),
            }),
            // A form that is closed can be integrated, whether or not its potential has a name.
            Err(e @ (PotentialError::NoClosedForm | PotentialError::OutOfEffort)) => {
                let integral = self.quadrature(effort).ok_or(e)?;
                Ok(Exponential {
                    periods: self.periods(&integral),
                    value: match integral.legs.is_empty() {
                        true => Ok(integral.factor),
                        false => Err(integral),
                    },
                })
            }
            Err(e) => Err(e),
        }
    }

    /// By how much a potential changes around the circles that no pole cuts.
    fn periods_of(&self, f: &Potential) -> Periods {
        let mut found = Periods::default();
        for s in self.circles {
            let change = f.period(s);
            if vanishes(&change) {
                continue;
            }
            let q = self.frame.base();
            let form = in_coordinates(self.frame, self.components);
            let form = form.unwrap_or_else(|| self.components.to_vec());
            let poles = singularities(q, &form);
            let way = Loop::Circle(s.clone());
            match circle(s, &form, &poles, &[], self.near) {
                Circle::Whole => found.exact.push((way, change)),
                Circle::Cut(poles) => found.broken.push((s.clone(), poles)),
                Circle::Unknown(pole) => found.undecided.push((way, maybe_cut(&pole))),
            }
        }
        found
    }

    /// ∮ ω around each circle through the base point, and around each place where ω is singular.
    fn periods(&self, integral: &Quadrature) -> Periods {
        let mut found = Periods::default();
        let Some(form) = in_coordinates(self.frame, self.components) else {
            return found;
        };
        let (q, base) = (&integral.coordinates, &integral.base);
        let others = |moving: &[&Symbol]| -> Vec<(Symbol, Expr)> {
            let fixed = base.iter().filter(|(b, _)| !moving.contains(&b));
            fixed.cloned().collect()
        };
        let poles = singularities(q, &form);
        for (s, component) in q.iter().zip(&form) {
            if self.circles.contains(s) {
                if let Circle::Cut(poles) = circle(s, &form, &poles, base, self.near) {
                    found.broken.push((s.clone(), poles));
                    continue;
                }
                let integrand = component.substitute(&others(&[s]));
                let period = around(&integrand, s, self.near);
                found.add(Loop::Circle(s.clone()), period);
            }
        }
        let angle = Symbol::variable("loop");
        for pole in unlocated(q, &poles) {
            let why = "not all its zeros are known, and a loop around one may have a period".into();
            found.add(Loop::Zeros(pole.clone()), Period::Undecided(why));
        }
        for hole in holes(q, &poles, base) {
            let [i, j] = hole.plane;
            let here: Vec<Expr> = form
                .iter()
                .map(|w| w.substitute(&others(&[&q[i], &q[j]])))
                .collect();
            let period = around(&hole.along_circle(q, &here, &angle), &angle, self.near);
            let [x, y] = hole.centre;
            found.add(Loop::Axis([(q[i].clone(), x), (q[j].clone(), y)]), period);
        }
        found
    }
}

impl Periods {
    fn add(&mut self, way: Loop, period: Period) {
        match period {
            Period::Zero => {}
            Period::Exact(change) => self.exact.push((way, change)),
            Period::Number(found) => self.numeric.push((way, found)),
            Period::Undecided(why) => self.undecided.push((way, why)),
        }
    }
}

fn maybe_cut(pole: &Expr) -> String {
    format!(
        "zeros of {pole} may cut it: between them there is a density, and a closed way may not exist"
    )
}

fn vanishes(e: &Expr) -> bool {
    prove_zero(e).is_proven()
}
