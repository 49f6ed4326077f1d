//! Square roots in closed form.

use rattleback_symbolic::{Expr, Kind, Rational};

/// A square root, with even powers taken out; the sign of what is taken out does not matter where
/// both roots are used.
pub(crate) fn square_root(e: &Expr) -> Expr {
    let (number, core) = e.split_coefficient();
    let factors = match core.kind() {
        Kind::Product(items) => items.to_vec(),
        _ => vec![(core, Rational::ONE)],
    };
    let half = Rational::new(1, 2);
    let (even, odd): (Vec<_>, Vec<_>) = factors
        .into_iter()
        .partition(|(_, r)| (r * &half).is_integer());
    let outside = Expr::power_product(even.into_iter().map(|(b, r)| (b, &r * &half)));
    outside * (Expr::power_product(odd) * Expr::from(number)).sqrt()
}
