//! Values of expressions modulo one prime, at points that share the values of their parameters.
//!
//! A value here is the image under a ring homomorphism: sine and cosine go to points of the circle,
//! square roots to roots. Functions without algebraic relations go to unrelated elements, so that a
//! relation may be missed, but what is found is proven afterwards anyway.

use rattleback_symbolic::Field;
pub(super) use rattleback_symbolic::{Element, Residues};

/// The field that all values lie in.
pub(super) const FIELD: Field = Field::SHARED;

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Expr, Symbol};

    #[test]
    fn identities_survive() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let zeros = [
            x.sin().powi(2) + x.cos().powi(2) - 1,
            (&x + 2 * &y).sin() - x.sin() * (2 * &y).cos() - x.cos() * (2 * &y).sin(),
            (&x / 2).cos().powi(2) * 2 - 1 - x.cos(),
            (&x + &y).exp() - x.exp() * y.exp(),
            x.cosh().powi(2) - x.sinh().powi(2) - 1,
            x.tanh().powi(2) + x.cosh().powi(-2) - 1,
            x.pow(&y) * x.pow(&(&y + 1)) - &x * x.pow(&(2 * &y)),
        ];
        let program = Residues::new(&zeros, &[]);
        assert_eq!(
            program.and_then(|mut p| p.at(3)),
            Some(vec![Element::ZERO; 7])
        );
    }

    #[test]
    fn parameters_stay_and_variables_move() {
        let (a, x) = (Symbol::constant("a").into(), Symbol::variable("x").into());
        let mut program = Residues::new(&[Expr::clone(&a), Expr::clone(&x)], &[]);
        let mut at = |k| program.as_mut().and_then(|p| p.at(k));
        let (first, second) = (at(0).unwrap_or_default(), at(1).unwrap_or_default());
        assert_eq!(first[0], second[0]);
        assert_ne!(first[1], second[1]);
    }

    /// What is sampled apart is put together: a name has one value in all programs.
    #[test]
    fn programs_agree_on_what_they_share() {
        let x = Expr::from(Symbol::variable("x"));
        let at = |e: Expr| Residues::new(&[e], &[]).and_then(|mut p| p.at(5));
        let [sine, cosine, half] = [x.sin(), x.cos(), (&x / 2).sin()].map(|e| at(e).map(|v| v[0]));
        let square = |a: Option<Element>| a.map(|a| FIELD.mul(a, a));
        let sum = square(sine)
            .zip(square(cosine))
            .map(|(a, b)| FIELD.add(a, b));
        assert_eq!(sum, Some(FIELD.one));
        // cos x = 1 - 2 sin²(x/2).
        let twice = square(half).map(|a| FIELD.add(a, a));
        assert_eq!(cosine, twice.map(|a| FIELD.sub(FIELD.one, a)));
        assert_eq!(
            at(&x * &x),
            at(x.clone()).map(|v| vec![FIELD.mul(v[0], v[0])])
        );
    }

    /// A parametrised coordinate has the value of what it stands for.
    #[test]
    fn redundant_coordinates_are_parametrised() {
        let [u, v, t] = ["u", "v", "t"].map(Symbol::variable);
        let et = Expr::from(&t);
        let on = [(u.clone(), et.cos()), (v.clone(), et.sin())];
        let circle = Expr::from(&u).powi(2) + Expr::from(&v).powi(2) - 1;
        let value = Residues::new(&[circle], &on).and_then(|mut p| p.at(0));
        assert_eq!(value, Some(vec![Element::ZERO]));
    }
}
