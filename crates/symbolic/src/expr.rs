//! The expression type: a cheap handle on an interned node, with operators that read like mathematics.

use crate::build;
use crate::function::Function;
use crate::node::{Kind, Node, intern};
use crate::{Rational, Symbol};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use std::sync::Arc;

/// An exact, immutable real expression.
///
/// Equal expressions of the same canonical shape are the same node, so `==` is one comparison;
/// mathematical equality beyond that is decided by [`crate::prove_zero`].
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol};
/// let x = Expr::from(Symbol::variable("x"));
/// assert_eq!(&x + &x, 2 * &x);
/// assert_eq!((&x * &x).diff(&Symbol::variable("x")), 2 * &x);
/// ```
#[derive(Clone)]
pub struct Expr(pub(crate) Arc<Node>);

impl Expr {
    /// The number 0.
    pub fn zero() -> Self {
        Rational::ZERO.into()
    }
    /// The number 1.
    pub fn one() -> Self {
        Rational::ONE.into()
    }
    /// The circle constant.
    pub fn pi() -> Self {
        intern(Kind::Pi)
    }
    /// What division by zero gives.
    pub fn undefined() -> Self {
        intern(Kind::Undefined)
    }
    /// `n/d` as an expression.
    pub fn ratio(n: i64, d: i64) -> Self {
        Rational::new(n, d).into()
    }

    /// The node's shape, for code that walks expressions.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// Is it literally the number 0?
    pub fn is_zero(&self) -> bool {
        self.as_number().is_some_and(Rational::is_zero)
    }
    /// Is it literally the number 1?
    pub fn is_one(&self) -> bool {
        self.as_number().is_some_and(Rational::is_one)
    }
    /// Did a division by zero (or a root of a negative number) happen in it?
    pub fn is_undefined(&self) -> bool {
        matches!(self.kind(), Kind::Undefined)
    }
    /// The value, if it is a number.
    pub fn as_number(&self) -> Option<&Rational> {
        match self.kind() {
            Kind::Number(r) => Some(r),
            _ => None,
        }
    }
    /// The symbol, if it is one.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.kind() {
            Kind::Symbol(s) => Some(s),
            _ => None,
        }
    }
    /// The numeric factor and the rest: 3xy is (3, xy).
    pub fn split_coefficient(&self) -> (Rational, Expr) {
        match self.kind() {
            Kind::Number(r) => (r.clone(), Expr::one()),
            Kind::Scaled(c, e) => (c.clone(), e.clone()),
            _ => (Rational::ONE, self.clone()),
        }
    }

    /// The terms of a sum, its number last; of anything else the expression itself.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let x = Expr::from(Symbol::variable("x"));
    /// assert_eq!((2 * &x + 3).terms(), [2 * &x, 3.into()]);
    /// assert_eq!(x.terms(), [x.clone()]);
    /// ```
    pub fn terms(&self) -> Vec<Expr> {
        match self.kind() {
            Kind::Sum(c, items) => {
                let constant = (!c.is_zero()).then(|| Expr::from(c));
                let scaled = items.iter().map(|(t, c)| t * Expr::from(c));
                scaled.chain(constant).collect()
            }
            _ => vec![self.clone()],
        }
    }
    /// The bases of the factors with positive exponents, numbers left out: where one of them vanishes,
    /// the expression does.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let [a, x] = ["a", "x"].map(|n| Expr::from(Symbol::variable(n)));
    /// assert_eq!((3 * &a * x.powi(2) / (&a + &x)).numerator_factors(), [a, x]);
    /// ```
    pub fn numerator_factors(&self) -> Vec<Expr> {
        let (_, core) = self.split_coefficient();
        let mut factors: Vec<Expr> = match core.kind() {
            Kind::Product(factors) => factors
                .iter()
                .filter(|(_, r)| r.is_positive())
                .map(|(b, _)| b.clone())
                .collect(),
            _ => vec![core],
        };
        factors.retain(|f| f.as_number().is_none());
        factors
    }

    /// The sum of all items.
    pub fn sum(items: impl IntoIterator<Item = Expr>) -> Self {
        build::sum(items.into_iter().map(|e| (e, Rational::ONE)))
    }
    /// `Σ weight·item`.
    pub fn linear_combination(items: impl IntoIterator<Item = (Expr, Rational)>) -> Self {
        build::sum(items)
    }
    /// The product of all items.
    pub fn product(items: impl IntoIterator<Item = Expr>) -> Self {
        build::product(items.into_iter().map(|e| (e, Rational::ONE)))
    }
    /// `Π base^exponent`.
    pub fn power_product(items: impl IntoIterator<Item = (Expr, Rational)>) -> Self {
        build::product(items)
    }

    /// An integer power.
    pub fn powi(&self, n: i64) -> Self {
        self.powr(&n.into())
    }
    /// A rational power; the real branch.
    pub fn powr(&self, r: &Rational) -> Self {
        build::power(self, r)
    }
    /// Any power. One with a symbolic exponent has a value wherever it has one for the exponent's value:
    /// for negative bases where that is an integer, for the base 0 where it is positive.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let (x, n) = (Symbol::variable("x"), Symbol::constant("n"));
    /// let power = Expr::from(&x).pow(&Expr::from(&n));
    /// assert_eq!(power.diff(&x).to_string(), "n*x^(n - 1)");
    /// assert_eq!(power.evaluate(&[(x, -2.0), (n, 3.0)]), Ok(-8.0));
    /// ```
    pub fn pow(&self, exponent: &Expr) -> Self {
        Function::Power.apply(&[self.clone(), exponent.clone()])
    }
    /// The square root.
    pub fn sqrt(&self) -> Self {
        self.powr(&Rational::new(1, 2))
    }
    /// One over it.
    pub fn recip(&self) -> Self {
        self.powi(-1)
    }
}

impl PartialEq for Expr {
    fn eq(&self, o: &Self) -> bool {
        Arc::ptr_eq(&self.0, &o.0)
    }
}
impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Expr {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

/// The canonical order: by content hash, the same on every run. Printers have their own order.
impl Ord for Expr {
    fn cmp(&self, o: &Self) -> Ordering {
        let address = |e: &Expr| Arc::as_ptr(&e.0) as usize;
        self.0
            .hash
            .cmp(&o.0.hash)
            .then_with(|| address(self).cmp(&address(o)))
    }
}

impl From<Rational> for Expr {
    fn from(r: Rational) -> Self {
        intern(Kind::Number(r))
    }
}
impl From<&Rational> for Expr {
    fn from(r: &Rational) -> Self {
        r.clone().into()
    }
}
impl From<i64> for Expr {
    fn from(n: i64) -> Self {
        Rational::from(n).into()
    }
}
impl From<Symbol> for Expr {
    fn from(s: Symbol) -> Self {
        intern(Kind::Symbol(s))
    }
}
impl From<&Symbol> for Expr {
    fn from(s: &Symbol) -> Self {
        s.clone().into()
    }
}
impl From<&Expr> for Expr {
    fn from(e: &Expr) -> Self {
        e.clone()
    }
}

fn add(a: &Expr, b: &Expr) -> Expr {
    build::sum([(a.clone(), Rational::ONE), (b.clone(), Rational::ONE)])
}
fn sub(a: &Expr, b: &Expr) -> Expr {
    build::sum([(a.clone(), Rational::ONE), (b.clone(), Rational::MINUS_ONE)])
}
fn mul(a: &Expr, b: &Expr) -> Expr {
    build::product([(a.clone(), Rational::ONE), (b.clone(), Rational::ONE)])
}
fn div(a: &Expr, b: &Expr) -> Expr {
    build::product([(a.clone(), Rational::ONE), (b.clone(), Rational::MINUS_ONE)])
}

macro_rules! operators {
    ($($op:ident $f:ident),*) => {$(
        impl $op for Expr { type Output = Expr; fn $f(self, o: Expr) -> Expr { $f(&self, &o) } }
        impl $op<&Expr> for Expr { type Output = Expr; fn $f(self, o: &Expr) -> Expr { $f(&self, o) } }
        impl $op<Expr> for &Expr { type Output = Expr; fn $f(self, o: Expr) -> Expr { $f(self, &o) } }
        impl $op for &Expr { type Output = Expr; fn $f(self, o: &Expr) -> Expr { $f(self, o) } }
        impl $op<i64> for Expr { type Output = Expr; fn $f(self, o: i64) -> Expr { $f(&self, &o.into()) } }
        impl $op<i64> for &Expr { type Output = Expr; fn $f(self, o: i64) -> Expr { $f(self, &o.into()) } }
        impl $op<Expr> for i64 { type Output = Expr; fn $f(self, o: Expr) -> Expr { $f(&self.into(), &o) } }
        impl $op<&Expr> for i64 { type Output = Expr; fn $f(self, o: &Expr) -> Expr { $f(&self.into(), o) } }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

macro_rules! symbol_operators {
    ($($op:ident $f:ident),*) => {$(
        impl $op<Symbol> for Expr { type Output = Expr; fn $f(self, o: Symbol) -> Expr { $f(&self, &o.into()) } }
        impl $op<&Symbol> for Expr { type Output = Expr; fn $f(self, o: &Symbol) -> Expr { $f(&self, &o.into()) } }
        impl $op<&Symbol> for &Expr { type Output = Expr; fn $f(self, o: &Symbol) -> Expr { $f(self, &o.into()) } }
    )*};
}
symbol_operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        build::sum([(self.clone(), Rational::MINUS_ONE)])
    }
}
impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        -&self
    }
}
impl AddAssign for Expr {
    fn add_assign(&mut self, o: Expr) {
        *self = add(self, &o);
    }
}
impl SubAssign for Expr {
    fn sub_assign(&mut self, o: Expr) {
        *self = sub(self, &o);
    }
}
impl MulAssign for Expr {
    fn mul_assign(&mut self, o: Expr) {
        *self = mul(self, &o);
    }
}
impl std::iter::Sum for Expr {
    fn sum<I: Iterator<Item = Expr>>(items: I) -> Expr {
        Expr::sum(items)
    }
}
impl std::iter::Product for Expr {
    fn product<I: Iterator<Item = Expr>>(items: I) -> Expr {
        Expr::product(items)
    }
}
