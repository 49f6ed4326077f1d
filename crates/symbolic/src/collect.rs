//! Expressions as polynomials in chosen symbols: degrees and coefficients.

use crate::hash::Map;
use crate::node::{Kind, symbol_mask};
use crate::walk::postorder;
use crate::{Expr, Symbol};

/// The expression is no polynomial in the symbol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a polynomial in `{0}`")]
pub struct NotPolynomial(pub Symbol);

fn add(a: &mut Vec<Expr>, b: &[Expr], factor: &Expr) {
    if a.len() < b.len() {
        a.resize(b.len(), Expr::zero());
    }
    for (x, y) in a.iter_mut().zip(b) {
        *x = &*x + y * factor;
    }
}

fn multiply(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    let mut terms: Vec<Vec<Expr>> = vec![Vec::new(); a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            terms[i + j].push(x * y);
        }
    }
    terms.into_iter().map(Expr::sum).collect()
}

impl Expr {
    /// The coefficients of a polynomial in `s`, constant first. Only `s` is expanded.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let (x, a) = (Symbol::variable("x"), Expr::from(Symbol::constant("a")));
    /// let p = (Expr::from(&x) + &a).powi(2);
    /// assert_eq!(p.coefficients(&x).unwrap(), [a.powi(2), 2 * &a, Expr::one()]);
    /// ```
    pub fn coefficients(&self, s: &Symbol) -> Result<Vec<Expr>, NotPolynomial> {
        let mask = symbol_mask(s);
        let mut done: Map<Expr, Vec<Expr>> = Map::default();
        for e in postorder(std::slice::from_ref(self), |e| e.0.mask & mask != 0) {
            let of = |c: &Expr| done.get(c).cloned().unwrap_or_else(|| vec![c.clone()]);
            let value = match e.kind() {
                Kind::Symbol(x) if x == s => vec![Expr::zero(), Expr::one()],
                Kind::Scaled(c, x) => of(x).into_iter().map(|k| k * Expr::from(c)).collect(),
                Kind::Sum(c, terms) => {
                    let mut all = vec![c.into()];
                    for (t, c) in terms {
                        add(&mut all, &of(t), &c.into());
                    }
                    all
                }
                Kind::Product(factors) => {
                    let mut all = vec![Expr::one()];
                    for (b, r) in factors {
                        let base = of(b);
                        match r.as_integer() {
                            Some(k) if k >= 0 && base.len() > 1 => {
                                for _ in 0..k {
                                    all = multiply(&all, &base);
                                }
                            }
                            _ if base.len() == 1 => {
                                let power = base[0].powr(r);
                                all.iter_mut().for_each(|c| *c = &*c * &power);
                            }
                            _ => return Err(NotPolynomial(s.clone())),
                        }
                    }
                    all
                }
                Kind::Function(f, x) => {
                    if x.iter().any(|a| of(a).len() > 1) {
                        return Err(NotPolynomial(s.clone()));
                    }
                    vec![f.apply(&x.iter().map(|a| of(a).swap_remove(0)).collect::<Vec<_>>())]
                }
                _ => vec![e.clone()],
            };
            done.insert(e, trim(value));
        }
        Ok(done.remove(self).unwrap_or_else(|| vec![self.clone()]))
    }

    /// The degree as a polynomial in all of `symbols` together; `None` if it is no polynomial.
    /// An upper bound: cancellation that only expansion would show is not looked for.
    pub fn degree(&self, symbols: &[Symbol]) -> Option<u64> {
        let mask = symbols.iter().fold(0, |m, s| m | symbol_mask(s));
        let mut done: Map<Expr, u64> = Map::default();
        for e in postorder(std::slice::from_ref(self), |e| e.0.mask & mask != 0) {
            let of = |c: &Expr| done.get(c).copied().unwrap_or(0);
            let degree = match e.kind() {
                Kind::Symbol(s) => u64::from(symbols.contains(s)),
                Kind::Scaled(_, x) => of(x),
                Kind::Sum(_, terms) => terms.iter().map(|(t, _)| of(t)).max().unwrap_or(0),
                Kind::Product(factors) => {
                    let mut total = 0u64;
                    for (b, r) in factors {
                        let d = of(b);
                        if d > 0 {
                            let k = r.as_integer().and_then(|k| u64::try_from(k).ok())?;
                            total = total.saturating_add(d.saturating_mul(k));
                        }
                    }
                    total
                }
                Kind::Function(_, x) if x.iter().all(|a| of(a) == 0) => 0,
                Kind::Function(..) => return None,
                _ => 0,
            };
            done.insert(e, degree);
        }
        Some(done.get(self).copied().unwrap_or(0))
    }
}

fn trim(mut c: Vec<Expr>) -> Vec<Expr> {
    while c.len() > 1 && c.last().is_some_and(Expr::is_zero) {
        c.pop();
    }
    c
}
