//! Bounds on roots without roots: c√e ≤ r is c²e ≤ r² and r ≥ 0.
//!
//! A length has no slope where it vanishes, and that is where paths go: thrust that is off, the tip of a cone. Its square
//! has one.

use rattleback_symbolic::{Expr, Kind, Rational, Sign};

/// What says the same as `value ≥ 0`, both at least zero, where a root of what is never negative is taken from the rest; the
/// values of constants are asked for.
pub(super) fn squared(value: &Expr, constant: impl Fn(&Expr) -> Option<f64>) -> Option<[Expr; 2]> {
    let all: Vec<(Expr, Option<[Expr; 2]>)> = value
        .terms()
        .into_iter()
        .map(|t| (t.clone(), root(&t)))
        .collect();
    let mut roots = all.iter().filter_map(|(_, root)| root.as_ref());
    let ([factor, radicand], None) = (roots.next()?, roots.next()) else {
        return None;
    };
    let rest = all.iter().filter(|(_, root)| root.is_none());
    let rest = Expr::sum(rest.map(|(term, _)| term.clone()));
    let is_taken = constant(factor).is_some_and(|c| c < 0.0) && !rest.is_zero();
    is_taken.then(|| [rest.powi(2) - factor.powi(2) * radicand, rest])
}

/// c and e of c√e, where e is never negative.
fn root(term: &Expr) -> Option<[Expr; 2]> {
    let (_, core) = term.split_coefficient();
    let Kind::Product(factors) = core.kind() else {
        return None;
    };
    let is_root = |(base, exponent): &&(Expr, Rational)| {
        *exponent == Rational::new(1, 2)
            && base.as_symbol().is_none()
            && matches!(base.sign(), Sign::NonNegative | Sign::Positive)
    };
    let (base, _) = factors.iter().find(is_root)?;
    Some([term / base.sqrt(), base.clone()])
}

#[cfg(test)]
mod tests {
    use super::squared;
    use rattleback_symbolic::{Expr, Symbol};

    #[test]
    fn a_length_below_something_is_a_square_below_its_square() {
        let [x, y, z] = ["x", "y", "z"].map(|n| Expr::from(Symbol::variable(n)));
        let square = x.powi(2) + y.powi(2);
        let squared = |e: &Expr| squared(e, |c| c.as_number().map(|c| c.to_f64()));
        let [both, side] = squared(&(2 * &z - 3 * square.sqrt())).unwrap();
        assert_eq!((both, side), (4 * z.powi(2) - 9 * &square, 2 * &z));
        // A length above something says another thing, and what may be negative has its own domain.
        assert_eq!(squared(&(square.sqrt() - &z)), None);
        assert_eq!(squared(&(&z - (&x + &y).sqrt())), None);
        assert_eq!(squared(&(&z - square.sqrt() - (1 + &square).sqrt())), None);
        assert_eq!(squared(&(&z - &x * square.sqrt())), None);
        assert_eq!(squared(&z), None);
    }
}
