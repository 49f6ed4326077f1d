//! Taylor series of functions along a flow, with starting values modulo a prime, for ranks, or enclosed, for
//! values that are certain.

use super::field::Residues;
use super::interval::Interval;
pub(crate) use rattleback_symbolic::{Element as Residue, Scalar};
use rattleback_symbolic::{Expr, Rational, Symbol, enclose, substitute_all};

/// Functions along a flow.
pub(crate) struct Flow {
    flow: rattleback_symbolic::Flow,
    /// Symbols and functions whose starting values are asked for.
    pub(crate) given: Vec<Expr>,
}

impl Flow {
    /// Functions of the state of `rates` (a symbol and its rate each) and of time; `None` if a
    /// function in them has no series.
    pub(crate) fn new(functions: &[Expr], rates: &[(Symbol, Expr)]) -> Option<Self> {
        let flow = rattleback_symbolic::Flow::new(functions, rates)?;
        let given = flow.given().to_vec();
        Some(Self { flow, given })
    }

    /// Starting values modulo a prime: `on` parametrises redundant coordinates. `None` at a pole.
    pub(crate) fn residues(&self, on: &[(Symbol, Expr)], point: u64) -> Option<Vec<Residue>> {
        Residues::new(&self.given, on)?.at(point)
    }

    /// Starting values at a point, enclosed.
    pub(crate) fn values(
        &self,
        on: &[(Symbol, Expr)],
        at: &[(Symbol, Rational)],
    ) -> Option<Vec<Interval>> {
        let point: Vec<(Symbol, Expr)> = at.iter().map(|(s, r)| (s.clone(), r.into())).collect();
        let numbers = substitute_all(&substitute_all(&self.given, on), &point);
        numbers.iter().map(|e| enclose(e).map(Interval)).collect()
    }

    /// Does it take square roots, of which residues know one branch?
    pub(crate) fn has_roots(&self) -> bool {
        self.flow.has_roots()
    }

    /// The series of the functions up to an order, from starting values of what is given.
    pub(crate) fn series<S: Scalar>(&self, start: &[S], order: usize) -> Option<Vec<Vec<S>>> {
        self.flow.series(start, order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives of a function along x' = y, y' = -sin(x) + t y, by formulas.
    #[test]
    fn series_are_repeated_derivatives() {
        let [x, y] = ["x", "y"].map(Symbol::variable);
        let t = Symbol::time();
        let [ex, ey, et] = [&x, &y, &t].map(Expr::from);
        let rates = [(x.clone(), ey.clone()), (y.clone(), &et * &ey - ex.sin())];
        let f = (1 + ex.cos().powi(2)).sqrt() * ey.exp() / (2 + &et * &ex)
            + (1 + &ex * &ex).log()
            + ex.atan() * ey.cosh()
            + (&ex * &et).tanh()
            + ex.pow(&(&ey + 2));
        let at: Vec<(Symbol, Rational)> = [(&x, 3), (&y, -2), (&t, 1)]
            .map(|(s, n)| (s.clone(), Rational::new(n, 7)))
            .to_vec();
        let point: Vec<(Symbol, f64)> = at.iter().map(|(s, r)| (s.clone(), r.to_f64())).collect();
        let flow = Flow::new(std::slice::from_ref(&f), &rates).expect("a flow");
        let start = flow.values(&[], &at).expect("values");
        let series = flow.series(&start, 4).expect("a series");
        let (mut derivative, mut factorial) = (f, 1.0);
        for (k, found) in series[0].iter().enumerate() {
            let value = derivative.evaluate(&point).expect("a number") / factorial;
            let (found, room) = (found.0, 1e-12 * (1.0 + value.abs()));
            assert!(found.low - room <= value && value <= found.high + room);
            assert!(found.high - found.low < 1e-9, "order {k}: {found}");
            let along = rates.iter().map(|(s, r)| derivative.diff(s) * r);
            derivative = Expr::sum(along) + derivative.diff(&t);
            factorial *= (k + 1) as f64;
        }
    }

    /// An integral has no coefficient but its value, in every field.
    #[test]
    fn integrals_stay_constant() {
        let [x, y] = ["x", "y"].map(Symbol::variable);
        let [ex, ey] = [&x, &y].map(Expr::from);
        let rates = [(x.clone(), ey.clone()), (y.clone(), -ex.sin())];
        let energy = ey.powi(2) / 2 - ex.cos();
        let other = ey.powi(2) - ex.cos();
        let flow = Flow::new(&[energy, other], &rates).expect("a flow");
        let start = flow.residues(&[], 5).expect("a point");
        let series = flow.series(&start, 5).expect("a series");
        assert!(series[0][1..].iter().all(|c| c.is_zero()));
        assert!(!series[1][1..].iter().all(|c| c.is_zero()));
    }
}
