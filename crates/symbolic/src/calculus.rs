//! Derivations: partial and total derivatives are one algorithm with different rules for symbols.

use crate::hash::Map;
use crate::node::{Kind, MOVING, symbol_mask};
use crate::walk::postorder;
use crate::{Expr, Rational, Role, Symbol};

/// Applies the derivation X with `X(symbol) = rule(symbol)` to all expressions: linear, Leibniz,
/// chain rule. Symbols outside `mask` are constants.
fn derive(roots: &[Expr], mask: u64, rule: impl Fn(&Symbol) -> Expr) -> Vec<Expr> {
    let zero = Expr::zero();
    let mut done: Map<Expr, Expr> = Map::default();
    for e in postorder(roots, |e| e.0.mask & mask != 0) {
        let of = |c: &Expr| done.get(c).filter(|d| !d.is_zero());
        let value = match e.kind() {
            Kind::Symbol(s) => rule(s),
            Kind::Scaled(c, x) => match of(x) {
                Some(d) => Expr::linear_combination([(d.clone(), c.clone())]),
                None => zero.clone(),
            },
            Kind::Sum(_, terms) => Expr::linear_combination(
                terms
                    .iter()
                    .filter_map(|(t, c)| of(t).map(|d| (d.clone(), c.clone()))),
            ),
            Kind::Product(factors) => Expr::sum(
                (0..factors.len())
                    .filter_map(|i| of(&factors[i].0).map(|d| leibniz(factors, i, d))),
            ),
            Kind::Function(f, x) => {
                Expr::sum((0..x.len()).filter_map(|k| of(&x[k]).map(|d| f.derivative(k, x) * d)))
            }
            Kind::Number(_) | Kind::Pi | Kind::Undefined => zero.clone(),
        };
        done.insert(e, value);
    }
    roots
        .iter()
        .map(|e| match done.get(e) {
            Some(d) => d.clone(),
            None if e.is_undefined() => e.clone(),
            None => zero.clone(),
        })
        .collect()
}

/// Below this many symbols a pass for each of them is as quick as one pass for all.
const FEW: usize = 8;

/// The partial derivatives of `root` with respect to its own subexpressions that hold one of the
/// symbols, from the root down: one pass, however many symbols there are.
fn adjoints(root: &Expr, symbols: &[Symbol]) -> Map<Expr, Expr> {
    let mask = symbols.iter().fold(0, |m, s| m | symbol_mask(s));
    let mut shares: Map<Expr, Vec<(Expr, Rational)>> = Map::default();
    let mut done: Map<Expr, Expr> = Map::default();
    shares.insert(root.clone(), vec![(Expr::one(), Rational::ONE)]);
    for e in postorder(std::slice::from_ref(root), |e| e.0.mask & mask != 0)
        .into_iter()
        .rev()
    {
        let slope = Expr::linear_combination(shares.remove(&e).unwrap_or_default());
        let mut share = |child: &Expr, slope: Expr, c: Rational| {
            if child.0.mask & mask != 0 {
                shares.entry(child.clone()).or_default().push((slope, c));
            }
        };
        match e.kind() {
            Kind::Scaled(c, x) => share(x, slope.clone(), c.clone()),
            Kind::Sum(_, terms) => {
                for (t, c) in terms {
                    share(t, slope.clone(), c.clone());
                }
            }
            Kind::Product(factors) => {
                for (i, (base, _)) in factors.iter().enumerate() {
                    if base.0.mask & mask != 0 {
                        share(base, leibniz(factors, i, &slope), Rational::ONE);
                    }
                }
            }
            Kind::Function(f, x) => {
                for (k, argument) in x.iter().enumerate() {
                    share(argument, f.derivative(k, x) * &slope, Rational::ONE);
                }
            }
            Kind::Symbol(_) => {
                done.insert(e.clone(), slope);
                continue;
            }
            Kind::Number(_) | Kind::Pi | Kind::Undefined => {}
        }
    }
    done
}

/// The term of the product rule in which factor `i` is differentiated, `d` being its derivative.
fn leibniz(factors: &[(Expr, Rational)], i: usize, d: &Expr) -> Expr {
    let exponent = &factors[i].1;
    let others = factors.iter().enumerate().map(|(j, (b, r))| {
        let r = if j == i {
            r - &Rational::ONE
        } else {
            r.clone()
        };
        (b.clone(), r)
    });
    Expr::power_product(
        others.chain([(d.clone(), Rational::ONE), (exponent.into(), Rational::ONE)]),
    )
}

impl Expr {
    /// The partial derivative with respect to a symbol (a jet such as x' counts as its own symbol).
    pub fn diff(&self, s: &Symbol) -> Expr {
        diff_all(std::slice::from_ref(self), s).swap_remove(0)
    }

    /// The total time derivative: x to x', x' to x'', t to 1, constants to 0.
    pub fn total_derivative(&self) -> Expr {
        self.derivation(|s| match s.role() {
            Role::Variable => s.derivative().into(),
            Role::Time => Expr::one(),
            Role::Constant => Expr::zero(),
        })
    }

    /// The derivation `X(self)` of a vector field X given by its values on variables and time.
    pub fn derivation(&self, rule: impl Fn(&Symbol) -> Expr) -> Expr {
        derivations(std::slice::from_ref(self), rule).swap_remove(0)
    }

    /// The gradient in the given symbols.
    pub fn gradient(&self, symbols: &[Symbol]) -> Vec<Expr> {
        if symbols.len() < FEW || self.is_undefined() {
            return symbols.iter().map(|s| self.diff(s)).collect();
        }
        let slopes = adjoints(self, symbols);
        let slope = |s: &Symbol| {
            slopes
                .get(&Expr::from(s))
                .cloned()
                .unwrap_or_else(Expr::zero)
        };
        symbols.iter().map(slope).collect()
    }

    /// The Taylor coefficients in `s` about `at`, orders 0 to `order`.
    pub fn taylor(&self, s: &Symbol, at: &Expr, order: u32) -> Vec<Expr> {
        let mut derivative = self.clone();
        let mut factorial = Rational::ONE;
        (0..=order)
            .map(|k| {
                if k > 0 {
                    derivative = derivative.diff(s);
                    factorial = &factorial * &Rational::from(i64::from(k));
                }
                derivative.substitute(&[(s.clone(), at.clone())]) / Expr::from(&factorial)
            })
            .collect()
    }
}

/// [`Expr::diff`] for several expressions that share subexpressions.
pub fn diff_all(roots: &[Expr], s: &Symbol) -> Vec<Expr> {
    derive(roots, symbol_mask(s), |x| {
        if x == s { Expr::one() } else { Expr::zero() }
    })
}

/// [`Expr::derivation`] for several expressions that share subexpressions.
pub fn derivations(roots: &[Expr], rule: impl Fn(&Symbol) -> Expr) -> Vec<Expr> {
    derive(roots, MOVING, rule)
}
