//! Where functions come in pieces: roots of what touches zero, inverse functions at their turning points.
//!
//! A function that is analytic on a connected set and not zero at one of its points is zero almost nowhere on it. A root
//! of a square, asin(sin y) or atan(1/y) is analytic on pieces only, and an identity may hold on one of them alone.

use crate::function::Function;
use crate::node::Kind;
use crate::walk::{free_symbols, postorder};
use crate::{Expr, Matrix, Rational, Sign, generic_rank, normalize, simplify};

/// A place between two pieces of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What vanishes there.
    pub at: Expr,
    /// The function that is not analytic there.
    pub of: Expr,
}

/// The places of codimension one at which some part of the expressions is defined on both sides, or cut off by a pole
/// inside an inverse function, without being analytic.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, cuts};
/// let y = Expr::from(Symbol::variable("y"));
/// let at = |e: &Expr| -> Vec<Expr> { cuts(&[e.clone()]).into_iter().map(|c| c.at).collect() };
/// assert_eq!(at(&y.cos().powi(2).sqrt()), [y.cos()]);
/// assert_eq!(at(&y.recip().atan()), [y.clone()]);
/// assert!(at(&(1 + y.powi(2)).sqrt()).is_empty());
/// ```
pub fn cuts(all: &[Expr]) -> Vec<Cut> {
    gathered(all, breaks)
}

/// The places of codimension one that some part of the expressions may jump at: it has values on both sides, which need
/// not meet there. Those of angles between two functions, of functions of what has a pole, and of roots beside a
/// denominator.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, jumps};
/// let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
/// let at = |e: &Expr| -> Vec<Expr> { jumps(&[e.clone()]).into_iter().map(|c| c.at).collect() };
/// assert_eq!(at(&Expr::atan2(&y, &x)), [y.clone()]);
/// assert_eq!(at(&(&x * x.powi(2).sqrt().recip())), [x.clone()]);
/// assert!(at(&(x.powi(2).sqrt() + y.recip())).is_empty());
/// ```
pub fn jumps(all: &[Expr]) -> Vec<Cut> {
    gathered(all, leaps)
}

/// The places that `breaks` finds for some part of the expressions, each once.
fn gathered(all: &[Expr], breaks: fn(&Expr) -> Vec<Expr>) -> Vec<Cut> {
    let mut found: Vec<Cut> = Vec::new();
    for of in postorder(all, |_| true) {
        for at in breaks(&of) {
            let known = |c: &Cut| c.at == at || c.at == -&at;
            if !found.iter().any(known) {
                found.push(Cut { at, of: of.clone() });
            }
        }
    }
    found
}

/// What vanishes where this node, as a function of its arguments, may jump.
fn leaps(node: &Expr) -> Vec<Expr> {
    match node.kind() {
        // Beside a positive function an angle stays in front; where both vanish it may turn back.
        Kind::Function(Function::Atan2, x) if x[1].sign() != Sign::Positive => {
            let factors = factored(&x[0]).into_iter().map(|(w, _)| w);
            factors.filter(may_change_sign).collect()
        }
        Kind::Function(f, x) if !matches!(f, Function::Log | Function::Power) => {
            let divided = x.iter().filter(|u| has_denominator(u));
            divided.flat_map(poles).collect()
        }
        Kind::Product(factors)
            if factors.len() > 1 && factors.iter().any(|(_, r)| r.is_negative()) =>
        {
            let roots = factors.iter().filter(|(_, r)| !r.is_integer());
            roots.flat_map(|(b, r)| touching(b, Some(r))).collect()
        }
        _ => Vec::new(),
    }
}

/// Is anything divided by in an expression?
fn has_denominator(u: &Expr) -> bool {
    let divides = |e: &Expr| match e.kind() {
        Kind::Product(factors) => factors.iter().any(|(_, r)| r.is_negative()),
        _ => false,
    };
    postorder(std::slice::from_ref(u), |_| true)
        .iter()
        .any(divides)
}

/// What vanishes where this node, as a function of its arguments, is not analytic.
fn breaks(node: &Expr) -> Vec<Expr> {
    match node.kind() {
        Kind::Product(factors) => factors
            .iter()
            .filter(|(_, r)| !r.is_integer())
            .flat_map(|(b, r)| touching(b, Some(r)))
            .collect(),
        Kind::Function(Function::Power | Function::Log, x) => touching(&x[0], None),
        // The derivative is a multiple of (1 - u²)^(-1/2).
        Kind::Function(Function::Asin | Function::Acos, x) => touching(&(1 - &x[0] * &x[0]), None),
        Kind::Function(Function::Atan, x) => poles(&x[0]),
        Kind::Function(Function::Atan2, x) if is_curve(x) => {
            let factors = factored(&x[0]).into_iter().map(|(w, _)| w);
            factors.filter(may_change_sign).collect()
        }
        _ => Vec::new(),
    }
}

/// Factors w of u = w^k … with even k: there u comes back from zero, and u^r is |w|^(k r).
fn touching(u: &Expr, r: Option<&Rational>) -> Vec<Expr> {
    let even = |k: &Rational| k.as_integer().is_some_and(|k| k % 2 == 0);
    let smooth = |k: &Rational| r.is_some_and(|r| even(&(k * r)));
    factored(u)
        .into_iter()
        .filter(|(w, k)| even(k) && !smooth(k) && may_change_sign(w))
        .map(|(w, _)| w)
        .collect()
}

/// Factors of the denominator of u.
fn poles(u: &Expr) -> Vec<Expr> {
    let factors = factored(u).into_iter().filter(|(_, k)| k.is_negative());
    factors.map(|(w, _)| w).filter(may_change_sign).collect()
}

/// A factor that vanishes on a set of codimension one: a simple one that has both signs, as far as is known.
fn may_change_sign(w: &Expr) -> bool {
    // What may not be zero may still be on either side of it.
    w.as_number().is_none() && matches!(w.sign(), Sign::Unknown | Sign::NonZero)
}

/// Do two functions draw a curve only, so that a ray in their plane cuts it?
fn is_curve(pair: &[Expr]) -> bool {
    let symbols = free_symbols(pair);
    let rows: Vec<Vec<Expr>> = pair.iter().map(|e| e.gradient(&symbols)).collect();
    symbols.is_empty() || generic_rank(&Matrix::from_rows(&rows)) != Ok(2)
}

/// Bases and exponents of a product: as it is written for reading, and in lowest terms with squares brought out.
fn factored(u: &Expr) -> Vec<(Expr, Rational)> {
    let mut all = factors(&simplify(u));
    let mut lowest: Vec<(Expr, Rational)> = Vec::new();
    for (w, k) in factors(&normalize(u)) {
        for (v, j) in factors(&simplify(&w)).into_iter().flat_map(squares) {
            let power = &j * &k;
            match lowest.iter_mut().find(|(known, _)| *known == v) {
                Some((_, sum)) => *sum = &*sum + &power,
                None => lowest.push((v, power)),
            }
        }
    }
    all.extend(lowest);
    all
}

fn factors(u: &Expr) -> Vec<(Expr, Rational)> {
    let (_, core) = u.split_coefficient();
    match core.kind() {
        Kind::Product(all) => all.to_vec(),
        _ => vec![(core, Rational::ONE)],
    }
}

/// w^k with the square of a symbol, of a sine or cosine of a half angle, or of their sum or difference taken out of a
/// sum w, as in 1 - cos x = 2 sin(x/2)²; else w^k itself.
fn squares((w, k): (Expr, Rational)) -> Vec<(Expr, Rational)> {
    if !matches!(w.kind(), Kind::Sum(..)) {
        return vec![(w, k)];
    }
    let half = |e: &Expr| match e.kind() {
        Kind::Function(Function::Sin | Function::Cos, x) => Some(&x[0] / 2),
        _ => None,
    };
    let nodes = postorder(std::slice::from_ref(&w), |_| true);
    let circular = nodes.iter().filter_map(half).flat_map(|half| {
        let (sine, cosine) = (half.sin(), half.cos());
        [&sine + &cosine, &sine - &cosine, sine, cosine]
    });
    let symbols = w.free_symbols();
    for root in symbols.iter().map(Expr::from).chain(circular) {
        let rest = factors(&normalize(&(&w / root.powi(2))));
        if rest.iter().all(|(_, j)| !j.is_negative()) {
            let square = (root, &Rational::from(2) * &k);
            let rest = rest.into_iter().map(|(v, j)| (v, &j * &k));
            return std::iter::once(square).chain(rest).collect();
        }
    }
    vec![(w, k)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;

    fn at(e: &Expr) -> Vec<Expr> {
        let found = cuts(std::slice::from_ref(e));
        found.into_iter().map(|c| c.at).collect()
    }

    #[test]
    fn roots_of_squares_come_in_pieces() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        assert_eq!(at(&x.powi(2).sqrt()), std::slice::from_ref(&x));
        assert_eq!(at(&(1 - y.sin().powi(2)).sqrt()), [y.cos()]);
        assert_eq!(at(&(1 - y.cos().powi(2)).sqrt()), [y.sin()]);
        assert_eq!(at(&(1 + x.powi(-2)).sqrt()), std::slice::from_ref(&x));
        assert_eq!(at(&(x.powi(2) + 2 * &x * &y + y.powi(2)).sqrt()), [&x + &y]);
        assert_eq!(at(&(1 - x.cos()).sqrt()), [(&x / 2).sin()]);
        assert_eq!(at(&(1 + x.cos()).sqrt()), [(&x / 2).cos()]);
        let apart = Expr::from(Symbol::variable("x").with_sign(Sign::NonZero));
        assert_eq!(
            at(&apart.powi(2).sqrt().recip()),
            std::slice::from_ref(&apart)
        );
        assert_eq!(at(&(2 * x.powi(2) - 1).acos()), std::slice::from_ref(&x));
        assert_eq!(at(&x.powi(2).log()), std::slice::from_ref(&x));
        assert_eq!(at(&x.sin().asin()), [x.cos()]);
        assert_eq!(at(&x.tan().atan()), [x.cos()]);
        assert_eq!(at(&Expr::atan2(&x.sin(), &x.cos())), [x.sin()]);
    }

    #[test]
    fn values_that_need_not_meet() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let at = |e: &Expr| -> Vec<Expr> {
            let found = jumps(std::slice::from_ref(e));
            found.into_iter().map(|c| c.at).collect()
        };
        for e in [
            x.recip().atan(),
            x.recip().tanh(),
            (1 + x.recip().exp()).recip(),
            x.powi(2).sqrt() / &x,
            Expr::atan2(&(&x * 2), &y),
            Expr::atan2(&x, &y) / 1000,
            Expr::atan2(&x, &x.powi(2)),
        ] {
            assert_eq!(at(&e), std::slice::from_ref(&x), "{e}");
        }
        assert_eq!(at(&x.tan().atan()), [x.cos()]);
        for e in [
            x.recip(),
            (x.powi(2) + y.powi(2)).sqrt().recip(),
            x.powi(2).sqrt() * &y,
            Expr::atan2(&x, &(1 + y.powi(2))),
            x.cos().acos(),
            x.log(),
        ] {
            assert_eq!(at(&e), [], "{e}");
        }
    }

    #[test]
    fn what_is_analytic_has_no_cut() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let r2 = x.powi(2) + y.powi(2);
        for e in [
            r2.sqrt(),
            (1 - &r2).sqrt(),
            x.powi(4).sqrt(),
            (1 + x.powi(2)).log(),
            r2.log(),
            x.log(),
            x.atan(),
            (&x / 3).asin(),
            Expr::atan2(&y, &x),
            (2 + x.cos()).sqrt(),
            (x.tan() + x.recip()).sin(),
            (2 * Expr::from(Symbol::constant("g")) * &x).sqrt(),
        ] {
            assert_eq!(at(&e), [], "{e}");
        }
    }
}
