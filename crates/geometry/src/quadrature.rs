//! Functions given by the integral of a closed one-form along a path.

use crate::Frame;
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Function, Kind, Symbol, inverse, postorder};

/// A positive function N with d ln N known and closed:
///
/// ```text
/// N(q) = factor(q) · exp ∫ ω,   the integral along any path from the base point to q
/// ```
///
/// `legs` write the integral along the coordinate axes, one after the other.
///
/// ```
/// use rattleback_geometry::Quadrature;
/// use rattleback_symbolic::{Expr, Symbol};
/// let q = ["x", "y"].map(Symbol::variable);
/// let [x, y] = [0, 1].map(|i| Expr::from(&q[i]));
/// // d(x·∫exp(s²)ds from 0 to y) is not written down, its derivative by y alone is.
/// let form = [Expr::zero(), y.powi(2).exp()];
/// let base = q.iter().map(|s| (s.clone(), Expr::zero())).collect::<Vec<_>>();
/// let n = Quadrature::new(x, &q, &form, &base);
/// assert_eq!(n.legs.len(), 1);
/// assert_eq!(n.legs[0].coordinate, q[1]);
/// assert_eq!(n.legs[0].integrand, Expr::from(&n.legs[0].dummy).powi(2).exp());
/// ```
#[derive(Clone, Debug)]
pub struct Quadrature {
    /// The part in closed form.
    pub factor: Expr,
    /// The coordinates q.
    pub coordinates: Vec<Symbol>,
    /// ω by its components along the coordinates.
    pub form: Vec<Expr>,
    /// Where every path begins.
    pub base: Vec<(Symbol, Expr)>,
    /// ∫ ω along the axes, in the order in which they are gone along.
    pub legs: Vec<Leg>,
    /// Functions whose zeros no path may meet.
    pub poles: Vec<Expr>,
}

/// The integral along one axis: coordinates of earlier legs are at the end point, those of later legs at
/// the base point.
#[derive(Clone, Debug)]
pub struct Leg {
    /// The coordinate, and upper limit.
    pub coordinate: Symbol,
    /// The lower limit.
    pub from: Expr,
    /// The variable of integration.
    pub dummy: Symbol,
    /// What is integrated.
    pub integrand: Expr,
}

/// All orders of so many axes are tried, to find short integrands.
const MOST_ORDERED: usize = 4;

impl Quadrature {
    /// The integral of a closed one-form from a base point. Every coordinate has a value there.
    pub fn new(
        factor: Expr,
        coordinates: &[Symbol],
        form: &[Expr],
        base: &[(Symbol, Expr)],
    ) -> Self {
        let legs = orders(form)
            .into_iter()
            .map(|order| legs(coordinates, form, base, &order))
            .min_by_key(|legs| legs.iter().map(|l| l.integrand.node_count()).sum::<usize>())
            .unwrap_or_default();
        Self {
            factor,
            coordinates: coordinates.to_vec(),
            form: form.to_vec(),
            base: base.to_vec(),
            legs,
            poles: singularities(coordinates, form),
        }
    }

    /// d ln N, along the coordinates.
    pub fn logarithmic_derivative(&self) -> Vec<Expr> {
        self.coordinates
            .iter()
            .zip(&self.form)
            .map(|(q, w)| self.factor.diff(q) / &self.factor + w)
            .collect()
    }
}

/// ω by components along the coordinates, ω_i = ω_A (ρ^-1)^A_i; `None` where the coordinates are redundant.
pub fn in_coordinates(frame: &Frame, form: &[Expr]) -> Option<Vec<Expr>> {
    if frame.base().len() != frame.rank() {
        return None;
    }
    let coframe = inverse(frame.anchor()).ok()?.solution;
    Some(coframe.transpose().apply(form).iter().map(tidy).collect())
}

/// Orders of the axes along which the form has a component.
fn orders(form: &[Expr]) -> Vec<Vec<usize>> {
    let axes: Vec<usize> = (0..form.len()).filter(|&i| !form[i].is_zero()).collect();
    if axes.len() > MOST_ORDERED {
        return vec![axes.iter().rev().copied().collect(), axes];
    }
    let mut all = vec![Vec::new()];
    for _ in 0..axes.len() {
        all = all
            .iter()
            .flat_map(|order: &Vec<usize>| {
                axes.iter()
                    .filter(|i| !order.contains(i))
                    .map(|&i| [order.as_slice(), &[i]].concat())
            })
            .collect();
    }
    all
}

fn legs(
    coordinates: &[Symbol],
    form: &[Expr],
    base: &[(Symbol, Expr)],
    order: &[usize],
) -> Vec<Leg> {
    // An axis without a component changes nothing, so it is gone along before all others.
    let later = |k: usize| order[k + 1..].iter().map(|&i| &coordinates[i]);
    let at_base = |s: &Symbol| base.iter().find(|(b, _)| b == s).map(|p| p.1.clone());
    order
        .iter()
        .enumerate()
        .filter_map(|(k, &i)| {
            let coordinate = coordinates[i].clone();
            let dummy = dummy(form, &coordinate, coordinates);
            let mut there: Vec<(Symbol, Expr)> = later(k)
                .filter_map(|s| Some((s.clone(), at_base(s)?)))
                .collect();
            there.push((coordinate.clone(), Expr::from(&dummy)));
            let integrand = tidy(&form[i].substitute(&there));
            (!integrand.is_zero()).then(|| Leg {
                from: at_base(&coordinate).unwrap_or_else(Expr::zero),
                coordinate,
                dummy,
                integrand,
            })
        })
        .collect()
}

/// A name that the form does not use.
fn dummy(form: &[Expr], of: &Symbol, coordinates: &[Symbol]) -> Symbol {
    let taken: Vec<Symbol> = rattleback_symbolic::free_symbols(form);
    let free = |name: &str| !taken.iter().chain(coordinates).any(|s| s.name() == name);
    let plain = ["s", "u", "w"].iter().find(|n| free(n));
    match plain {
        Some(name) => Symbol::variable(name),
        None => Symbol::variable(&format!("{}_0", of.name())),
    }
}

/// Functions of the coordinates at whose zeros a form may be singular: denominators, and arguments of
/// logarithms and of roots.
pub fn singularities(coordinates: &[Symbol], form: &[Expr]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    let mut add = |e: &Expr| {
        if e.contains_any(coordinates) && !e.is_nonvanishing() && !found.contains(e) {
            found.push(e.clone());
        }
    };
    for node in postorder(form, |_| true) {
        match node.kind() {
            Kind::Product(factors) => factors
                .iter()
                .filter(|(_, r)| r.is_negative() || !r.is_integer())
                .for_each(|(b, _)| add(b)),
            Kind::Function(Function::Log | Function::Power, x) => add(&x[0]),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_follow_each_other() {
        let q = ["x", "y"].map(Symbol::variable);
        let [x, y] = [0, 1].map(|i| Expr::from(&q[i]));
        // d(x² y): along x at y = 1, then along y.
        let form = [2 * &x * &y, x.powi(2)];
        let base = [(q[0].clone(), Expr::zero()), (q[1].clone(), Expr::one())];
        let n = Quadrature::new(Expr::one(), &q, &form, &base);
        let total = Expr::sum(n.legs.iter().map(|leg| {
            let integrand = &leg.integrand;
            assert!(!integrand.contains(&leg.coordinate));
            // Polynomials of degree one at most: the midpoint rule is exact.
            let end = Expr::from(&leg.coordinate);
            let middle = (&end + &leg.from) / 2;
            (end - &leg.from) * integrand.substitute(&[(leg.dummy.clone(), middle)])
        }));
        assert!(rattleback_symbolic::prove_zero(&(total - x.powi(2) * y)).is_proven());
    }

    #[test]
    fn singularities_are_denominators_roots_and_logarithms() {
        let q = ["x", "y"].map(Symbol::variable);
        let [x, y] = [0, 1].map(|i| Expr::from(&q[i]));
        let form = [
            (1 + &x).log() / &y,
            (&x - 2).sqrt() + (1 + x.powi(2)).recip(),
        ];
        let found = singularities(&q, &form);
        for e in [1 + &x, y, &x - 2] {
            assert!(found.contains(&e), "{e} is not in {found:?}");
        }
        assert!(!found.contains(&(1 + x.powi(2))));
    }

    #[test]
    fn components_along_coordinates() {
        let q = ["x", "phi"].map(Symbol::variable);
        let phi = Expr::from(&q[1]);
        let b = rattleback_symbolic::Matrix::from_rows(&[
            vec![phi.cos(), Expr::zero()],
            vec![Expr::zero(), Expr::one()],
        ]);
        let y = ["u", "w"].map(Symbol::variable);
        let frame = Frame::coordinates(&q).changed(&b, &y, &[]).unwrap();
        let form = in_coordinates(&frame, &[phi.cos(), Expr::one()]).unwrap();
        assert_eq!(form, [Expr::one(), Expr::one()]);
    }
}
