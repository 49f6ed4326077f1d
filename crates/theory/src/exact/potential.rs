//! Potentials of closed one-forms: logarithms of factors, polynomials and inverse tangents, with
//! constant coefficients that exact linear algebra finds.

use super::candidates::circular_coordinates;
use super::{constant_relations, factors_of, monomials, tidy};
use crate::{Answer, Effort, Evidence, Function, Named, Point, Reason};
use rattleback_geometry::{Frame, vanish_on};
use rattleback_symbolic::{Expr, Sign, Symbol, prove_all_zero, substitute_all};

/// A one-form, and what is known of the space on which it lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneForm<'a> {
    /// The frame that its components belong to.
    pub frame: &'a Frame,
    /// The components.
    pub components: &'a [Expr],
    /// Coordinates on circles.
    pub circles: &'a [Symbol],
    /// Redundant coordinates by free ones.
    pub on: &'a [(Symbol, Expr)],
    /// A point of interest, with values of the parameters.
    pub near: &'a [(Symbol, Expr)],
}

/// F with dF = ω, as Σ c_j ln b_j + R.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    /// Coefficients and bases of the logarithms.
    pub logarithms: Vec<(Expr, Expr)>,
    /// What is no logarithm.
    pub regular: Expr,
}

impl Potential {
    fn zero() -> Self {
        Self {
            logarithms: Vec::new(),
            regular: Expr::zero(),
        }
    }

    /// F itself.
    pub(crate) fn value(&self) -> Expr {
        let logs = self.logarithms.iter().map(|(c, b)| c * b.log());
        Expr::sum(logs) + &self.regular
    }

    /// e^(scale F), with powers instead of exponentials of logarithms.
    pub(crate) fn exponential(&self, scale: &Expr) -> Expr {
        let powers = self.logarithms.iter().map(|(c, b)| b.pow(&(c * scale)));
        let rest = if self.regular.is_zero() {
            Expr::one()
        } else {
            tidy(&(&self.regular * scale)).exp()
        };
        tidy(&(Expr::product(powers) * rest))
    }

    /// The change 2π ∂F/∂φ of F around a circle on which it is not single valued.
    pub(crate) fn period(&self, circle: &Symbol) -> Expr {
        // Powers of sines and cosines come back to themselves; a bare angle does not.
        let around: Expr = self.regular.diff(circle);
        let steady = !around.contains(circle);
        let zero = vec![(circle.clone(), Expr::zero())];
        let bare = if steady {
            around
        } else {
            let turn = vec![(circle.clone(), 2 * Expr::pi())];
            (self.regular.substitute(&turn) - self.regular.substitute(&zero)) / (2 * Expr::pi())
        };
        tidy(&(2 * Expr::pi() * bare))
    }
}

/// Why there is no potential.
#[derive(Clone, Debug)]
pub(crate) enum PotentialError {
    /// dω(e_a, e_b) does not vanish.
    NotClosed(Box<Point>),
    /// Closed, but the potential is not among the functions tried.
    NoClosedForm,
    /// Closedness could not be decided.
    Undecided(Reason),
    /// Closed, but no time was left to look for the potential.
    OutOfEffort,
}

/// dω(e_a, e_b) = e_a[ω_b] − e_b[ω_a] − c^d_ab ω_d for a < b.
fn exterior(frame: &Frame, form: &[Expr]) -> Vec<((usize, usize), Expr)> {
    let n = frame.rank();
    let along: Vec<Vec<Expr>> = (0..n).map(|a| frame.act_basis(a, form)).collect();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let bracket = (0..n).map(|d| frame.structure().get(a, b, d) * &form[d]);
            ((a, b), &along[a][b] - &along[b][a] - Expr::sum(bracket))
        })
        .collect()
}

impl OneForm<'_> {
    /// Is it closed?
    fn check_closed(&self) -> Result<(), PotentialError> {
        for ((a, b), component) in exterior(self.frame, self.components) {
            let component = [component];
            let direction = |a: usize| {
                let velocity = self.frame.fibre()[a].to_string();
                velocity.trim_end_matches('\'').to_owned()
            };
            let what = Function::ExteriorDerivative
                .with("first", direction(a))
                .with("second", direction(b));
            match Answer::vanish(&component, vanish_on(&component, self.on), what) {
                Answer::Refuted(Evidence::Point(mut point)) => {
                    point.function = tidy(&component[0]);
                    return Err(PotentialError::NotClosed(Box::new(point)));
                }
                Answer::Undecided(why) => return Err(PotentialError::Undecided(why)),
                Answer::Proven(_) | Answer::Refuted(_) => {}
            }
        }
        Ok(())
    }

    /// The potential. `hints` are further expressions whose factors may occur in it. Logarithms are those
    /// of functions that are positive at the point of interest.
    pub(crate) fn potential(
        &self,
        hints: &[Expr],
        effort: Effort,
    ) -> Result<Potential, PotentialError> {
        self.check_closed()?;
        let (frame, form) = (self.frame, self.components);
        if prove_all_zero(&substitute_all(form, self.on)).is_proven() {
            return Ok(Potential::zero());
        }
        let bases = bases(form, hints, self.near);
        let no_further: Vec<Expr> = Vec::new();
        let polynomials = regular_parts(frame, form, self.circles);
        let tangents: Vec<Expr> = bases
            .iter()
            .flat_map(|b| quadratic_primitives(frame, b))
            .collect();
        for regular in [
            no_further,
            polynomials.clone(),
            [polynomials, tangents].concat(),
        ] {
            if effort.is_spent() {
                return Err(PotentialError::OutOfEffort);
            }
            if let Some(found) = combine(frame, form, &bases, &regular, self.on, effort) {
                return Ok(found);
            }
        }
        if effort.is_spent() {
            return Err(PotentialError::OutOfEffort);
        }
        Err(PotentialError::NoClosedForm)
    }
}

/// The most that are tried together.
const MOST_BASES: usize = 30;

/// Functions whose logarithms may occur: short factors first, those of the hints before those of the
/// form.
fn bases(form: &[Expr], hints: &[Expr], near: &[(Symbol, Expr)]) -> Vec<Expr> {
    let mut all: Vec<Expr> = Vec::new();
    let mut short = factors_of(&[form, hints].concat());
    short.retain(|b| b.node_count() <= 4);
    let long = hints.iter().take(1).cloned().collect::<Vec<_>>();
    for b in [
        short,
        factors_of(&long),
        factors_of(form),
        factors_of(hints),
    ]
    .concat()
    {
        let positive = if is_negative(&b, near) { -&b } else { b };
        if !all.contains(&positive) && !all.contains(&-&positive) {
            all.push(positive);
        }
    }
    all.truncate(MOST_BASES);
    all
}

/// The sign that the assumptions give, else the one at the point.
pub(crate) fn is_negative(b: &Expr, near: &[(Symbol, Expr)]) -> bool {
    match b.sign() {
        Sign::Negative | Sign::NonPositive => true,
        Sign::Positive | Sign::NonNegative => false,
        _ => value_at(b, near).is_some_and(|v| v < 0.0),
    }
}

/// The value at a point; symbols without a value there are taken as 2/3.
pub(super) fn value_at(e: &Expr, near: &[(Symbol, Expr)]) -> Option<f64> {
    let here = e.substitute(near);
    let free = here.free_symbols();
    let tape = rattleback_symbolic::Tape::new(&free, std::slice::from_ref(&here)).ok()?;
    tape.evaluate(&vec![2.0 / 3.0; free.len()]).first().copied()
}

/// ω as a constant combination of d ln b and dR.
fn combine(
    frame: &Frame,
    form: &[Expr],
    bases: &[Expr],
    regular: &[Expr],
    on: &[(Symbol, Expr)],
    effort: Effort,
) -> Option<Potential> {
    let logarithmic = bases.iter().map(|b| {
        let slope = frame.differential(b);
        slope.iter().map(|e| e / b).collect::<Vec<Expr>>()
    });
    let smooth = regular.iter().map(|r| frame.differential(r));
    // The form comes last, so that it is expressed by the others.
    let all: Vec<Vec<Expr>> = logarithmic.chain(smooth).chain([form.to_vec()]).collect();
    let last = all.len() - 1;
    let relations = constant_relations(&all, on, effort)?;
    let relation = relations.iter().find(|r| !r[last].is_zero())?;
    let scale = -relation[last].recip();
    let coefficient = |j: usize| tidy(&(&relation[j] * &scale));
    let logarithms = bases
        .iter()
        .enumerate()
        .map(|(j, b)| (coefficient(j), b.clone()))
        .filter(|(c, _)| !c.is_zero())
        .collect();
    let terms = regular
        .iter()
        .enumerate()
        .map(|(k, r)| coefficient(bases.len() + k) * r);
    Some(Potential {
        logarithms,
        regular: Expr::sum(terms),
    })
}

/// Monomials and bare coordinates in the variables that the form contains or points along.
fn regular_parts(frame: &Frame, form: &[Expr], circles: &[Symbol]) -> Vec<Expr> {
    let along: Vec<Symbol> = frame
        .base()
        .iter()
        .filter(|s| {
            let direction = frame.differential(&Expr::from(*s));
            let used = direction
                .iter()
                .zip(form)
                .any(|(d, w)| !d.is_zero() && !w.is_zero());
            used || form.iter().any(|w| w.contains(s))
        })
        .cloned()
        .collect();
    let circular = circular_coordinates(frame, form, circles);
    let mut all: Vec<Expr> = along.iter().map(Expr::from).collect();
    for m in monomials(&along, |s| circular.contains(s), 3, 80) {
        if m.as_number().is_none() && !all.contains(&m) {
            all.push(m);
        }
    }
    all
}

/// For b = αx² + βx + γ with constant coefficients: a primitive of 1/b besides logarithms of b.
fn quadratic_primitives(frame: &Frame, b: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    for x in frame.base().iter().filter(|x| b.contains(x)) {
        let Ok(c) = b.coefficients(x) else { continue };
        if c.len() != 3 || !c.iter().all(Expr::is_constant) {
            continue;
        }
        let slope = 2 * &c[2] * x + &c[1];
        let gap = tidy(&(4 * &c[2] * &c[0] - c[1].powi(2)));
        match gap.sign() {
            Sign::Negative => {
                let root = (-gap).sqrt();
                found.push(((&slope - &root) / (&slope + &root)).log());
            }
            _ => found.push((slope / gap.sqrt()).atan()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on<'a>(frame: &'a Frame, components: &'a [Expr]) -> OneForm<'a> {
        OneForm {
            frame,
            components,
            circles: &[],
            on: &[],
            near: &[],
        }
    }

    fn check(names: &[&str], form: impl Fn(&[Expr]) -> Vec<Expr>) -> Potential {
        let q: Vec<Symbol> = names.iter().map(|n| Symbol::variable(n)).collect();
        let z: Vec<Expr> = q.iter().map(Expr::from).collect();
        let frame = Frame::coordinates(&q);
        let omega = form(&z);
        let found = on(&frame, &omega).potential(&[], Effort::unlimited());
        let found = found.expect("a potential");
        let slope = frame.differential(&found.value());
        let defect: Vec<Expr> = slope.iter().zip(&omega).map(|(a, b)| a - b).collect();
        assert!(prove_all_zero(&defect).is_proven(), "{defect:?}");
        found
    }

    #[test]
    fn logarithms_powers_and_exponentials() {
        let f = check(&["x", "phi"], |z| vec![Expr::zero(), -z[1].tan()]);
        assert_eq!(
            f.exponential(&Expr::one()),
            Expr::from(Symbol::variable("phi")).cos()
        );
        check(&["x", "y"], |z| {
            let r = 1 + z[0].powi(2) + z[1].powi(2);
            vec![-2 * &z[0] / &r, -2 * &z[1] / &r]
        });
        let k = Expr::from(Symbol::constant("k"));
        check(&["s", "x"], |z| vec![&k + &z[1], z[0].clone()]);
        check(&["x"], |z| vec![(3 + &z[0]) / (1 + z[0].powi(2))]);
    }

    #[test]
    fn a_snakeboard_density() {
        let [m, r, j] = ["m", "r", "J0"].map(|n| Expr::from(Symbol::constant(n)));
        check(&["phi"], |z| {
            let mr2 = &m * r.powi(2);
            vec![&mr2 * z[0].cos() / z[0].sin() / (&mr2 - &j * z[0].sin().powi(2))]
        });
    }

    #[test]
    fn forms_that_are_not_closed() {
        let q = ["x", "y"].map(Symbol::variable);
        let form = [Expr::zero(), Expr::from(&q[0])];
        let frame = Frame::coordinates(&q);
        let found = on(&frame, &form).potential(&[], Effort::unlimited());
        assert!(matches!(found, Err(PotentialError::NotClosed { .. })));
    }
}
