//! Where a nonzero value in a prime field is a proof: functions between which there is no relation but those that
//! the field knows.

use super::field::Field;
use super::residues::Residues;
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::{Expr, Function, Role, Symbol, free_symbols, postorder, substitute_all};

/// Roots beyond which their products are too many to be looked at.
const MOST_ROOTS: usize = 5;
/// Points at which a product of radicands is looked at: one that is no square has a root at half of them.
const POINTS: u64 = 48;

/// Is a combination of these functions that does not vanish in a prime field certainly not zero?
///
/// It is so for rational functions of symbols, of sines, cosines and exponentials of polynomials (different monomials
/// are independent: Lindemann and Weierstrass for numbers, Ax for functions), of square roots of them of which no
/// product is a square, and of logarithms of different symbols, or of one inverse function. Otherwise a relation may
/// be there that the field does not know, such as 2 atan x = atan(2x/(1 − x²)).
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, residues_are_faithful};
/// let x = Expr::from(Symbol::variable("x"));
/// assert!(residues_are_faithful(&[x.sin() / (1 + x.cos()), (1 + &x * &x).sqrt(), x.log()]));
/// assert!(!residues_are_faithful(&[2 * x.atan(), (2 * &x / (1 - &x * &x)).atan()]));
/// assert!(!residues_are_faithful(&[(&x * &x + 2 * &x + 1).sqrt()]));
/// ```
pub fn residues_are_faithful(functions: &[Expr]) -> bool {
    let nodes = postorder(functions, |_| true);
    let mut seen = Seen::default();
    nodes.iter().all(|e| seen.takes(e)) && seen.is_independent(&nodes)
}

/// What was met.
#[derive(Default)]
struct Seen {
    /// Logarithms of single symbols.
    logarithms: Set<Expr>,
    /// Other inverse functions.
    inverses: Set<Expr>,
    /// Bases of square roots.
    radicands: Vec<Expr>,
    /// Is there a function of a number?
    transcendental_number: bool,
}

impl Seen {
    /// Takes note of a node; is it of a kind whose relations are known?
    fn takes(&mut self, e: &Expr) -> bool {
        match e.kind() {
            Kind::Undefined => false,
            Kind::Product(factors) => factors.iter().all(|(base, exponent)| {
                if exponent.is_integer() {
                    return true;
                }
                let is_new = !self.radicands.contains(base);
                if is_new {
                    self.radicands.push(base.clone());
                }
                (exponent + exponent).is_integer() && self.radicands.len() <= MOST_ROOTS
            }),
            Kind::Function(f, arguments) => self.takes_function(e, *f, arguments),
            _ => true,
        }
    }

    fn takes_function(&mut self, e: &Expr, f: Function, arguments: &[Expr]) -> bool {
        let is_number = arguments.iter().all(|a| a.free_symbols().is_empty());
        match f {
            Function::Sin
            | Function::Cos
            | Function::Sinh
            | Function::Cosh
            | Function::Tanh
            | Function::Exp => {
                self.transcendental_number |= arguments.iter().any(has_number_part);
                arguments.iter().all(is_polynomial)
            }
            Function::Log if matches!(arguments[0].kind(), Kind::Symbol(_)) => {
                self.logarithms.insert(e.clone());
                true
            }
            _ => {
                self.inverses.insert(e.clone());
                !is_number && arguments.iter().all(is_rational)
            }
        }
    }

    /// Are all of them independent of each other?
    fn is_independent(&self, nodes: &[Expr]) -> bool {
        let pi_is_a_number = nodes.iter().any(uses_pi_as_number);
        let one_inverse = match self.inverses.len() {
            0 => true,
            1 => self.logarithms.is_empty() && self.radicands.is_empty(),
            _ => false,
        };
        one_inverse
            && !(self.transcendental_number && pi_is_a_number)
            && are_independent_roots(&self.radicands)
    }
}

/// A polynomial in symbols and π, with reciprocals of symbols.
fn is_polynomial(e: &Expr) -> bool {
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    nodes.iter().all(|n| match n.kind() {
        Kind::Product(factors) => factors.iter().all(|(base, r)| {
            r.is_integer() && (r.is_positive() || matches!(base.kind(), Kind::Symbol(_)))
        }),
        Kind::Function(..) | Kind::Undefined => false,
        _ => true,
    })
}

/// Without functions and roots.
fn is_rational(e: &Expr) -> bool {
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    nodes.iter().all(|n| match n.kind() {
        Kind::Product(factors) => factors.iter().all(|(_, r)| r.is_integer()),
        Kind::Function(..) | Kind::Undefined | Kind::Pi => false,
        _ => true,
    })
}

/// Has an argument a part free of symbols and of π?
fn has_number_part(e: &Expr) -> bool {
    match e.kind() {
        Kind::Number(_) => true,
        Kind::Sum(c, _) => !c.is_zero(),
        // Other sums may have one when they are multiplied out.
        Kind::Symbol(_) | Kind::Pi => false,
        Kind::Scaled(_, t) => has_number_part(t),
        Kind::Product(factors) => factors
            .iter()
            .any(|(b, _)| matches!(b.kind(), Kind::Sum(..))),
        _ => true,
    }
}

/// Does a node use π outside the arguments of sines and cosines, where it is a part of a turn?
fn uses_pi_as_number(e: &Expr) -> bool {
    let is_pi = |c: &Expr| matches!(c.kind(), Kind::Pi);
    match e.kind() {
        Kind::Product(factors) => factors.iter().any(|(b, _)| is_pi(b)),
        Kind::Sum(_, terms) => terms.iter().any(|(t, _)| is_pi(t)),
        _ => false,
    }
}

/// Is no product of some of these functions a square?
fn are_independent_roots(radicands: &[Expr]) -> bool {
    if radicands.is_empty() {
        return true;
    }
    // Parameters move as well, or their value at all points would be one.
    let moving: Vec<(Symbol, Expr)> = free_symbols(radicands)
        .into_iter()
        .filter(|s| s.role() == Role::Constant)
        .map(|s| {
            let name = format!("{s} at a point");
            (s, Expr::from(Symbol::variable(&name)))
        })
        .collect();
    let radicands = substitute_all(radicands, &moving);
    let nested = postorder(&radicands, |_| true)
        .iter()
        .any(|n| match n.kind() {
            Kind::Product(factors) => factors.iter().any(|(_, r)| !r.is_integer()),
            _ => false,
        });
    let Some(mut program) = Residues::new(&radicands, &[]).filter(|_| !nested) else {
        return false;
    };
    let field = Field::SHARED;
    let mut open: Map<usize, ()> = (1..1 << radicands.len()).map(|s| (s, ())).collect();
    for point in 0..POINTS {
        let Some(values) = program.at(point) else {
            continue;
        };
        open.retain(|subset, ()| {
            let chosen = values
                .iter()
                .enumerate()
                .filter(|(i, _)| subset >> i & 1 == 1);
            let product = chosen.fold(field.one, |p, (_, v)| field.mul(p, *v));
            product.is_zero() || field.is_square(product)
        });
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols() -> [Expr; 2] {
        ["x", "y"].map(|s| Expr::from(Symbol::variable(s)))
    }

    #[test]
    fn functions_without_hidden_relations_are_told() {
        let [x, y] = symbols();
        let a = Expr::from(Symbol::constant("a"));
        for known in [
            vec![(&x + &y).sin() * &a, (&x * &y + 1).exp() / (1 + x.cos())],
            vec![
                (1 + &x).sqrt(),
                (1 + &y * &a).sqrt(),
                (&x - &y).sqrt().recip(),
            ],
            vec![x.log(), y.log(), (&x * &a).sin()],
            vec![Expr::atan2(&y, &x), x.cos()],
            vec![(x.powi(-1) + &y).cos()],
        ] {
            assert!(residues_are_faithful(&known), "{known:?}");
        }
    }

    #[test]
    fn hidden_relations_are_feared() {
        let [x, y] = symbols();
        let u = Expr::from(Symbol::constant("u"));
        for hidden in [
            vec![2 * u.atan(), (2 * &u / (1 - &u * &u)).atan()],
            vec![(&u * (1 - &u * &u).sqrt()).asin(), u.asin()],
            vec![(&u + 2 * u.sqrt() + 1).sqrt()],
            vec![(&x * &x + 2 * &x + 1).sqrt()],
            vec![(1 + &x).sqrt(), (1 - &x).sqrt(), (1 - &x * &x).sqrt()],
            vec![(&x * &y + &x).log(), x.log(), (1 + &y).log()],
            vec![(&x / (1 + &x)).sin(), (1 + &x).recip().cos()],
            vec![x.asin().sin()],
            vec![(1 + &x).pow(&Expr::ratio(1, 3))],
            vec![Expr::from(1).exp() - Expr::pi()],
        ] {
            assert!(!residues_are_faithful(&hidden), "{hidden:?}");
        }
    }
}
