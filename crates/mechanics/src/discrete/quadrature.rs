//! Gauss and Lobatto quadrature over [0, 1] with exact points and weights.

use rattleback_symbolic::Expr;

/// A point of a quadrature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Station {
    /// c_i, the part of the step that has passed.
    pub place: Expr,
    /// b_i.
    pub weight: Expr,
}

/// 1/2 ± x with one weight each, in order.
fn symmetric(x: &Expr, weight: &Expr) -> [Station; 2] {
    [-x, x.clone()].map(|shift| Station {
        place: Expr::ratio(1, 2) + shift,
        weight: weight.clone(),
    })
}

fn station(place: Expr, n: i64, d: i64) -> Station {
    Station {
        place,
        weight: Expr::ratio(n, d),
    }
}

/// s Gauss points, exact for polynomials of degree 2s − 1; none are known here for s > 4.
pub(super) fn gauss(s: u32) -> Vec<Station> {
    let middle = Expr::ratio(1, 2);
    match s {
        1 => vec![station(middle, 1, 1)],
        2 => symmetric(&(Expr::from(3).sqrt() / 6), &Expr::ratio(1, 2)).to_vec(),
        3 => {
            let [low, high] = symmetric(&(Expr::from(15).sqrt() / 10), &Expr::ratio(5, 18));
            vec![low, station(middle, 4, 9), high]
        }
        4 => {
            // x² = 3/28 ± √30/70, b = 1/4 ∓ √30/72.
            let root = Expr::from(30).sqrt();
            let outer = (Expr::ratio(3, 28) + &root / 70).sqrt();
            let inner = (Expr::ratio(3, 28) - &root / 70).sqrt();
            let [a, d] = symmetric(&outer, &(Expr::ratio(1, 4) - &root / 72));
            let [b, c] = symmetric(&inner, &(Expr::ratio(1, 4) + &root / 72));
            vec![a, b, c, d]
        }
        _ => Vec::new(),
    }
}

/// s + 1 Lobatto points, exact for polynomials of degree 2s − 1; none are known here for s > 3.
pub(super) fn lobatto(s: u32) -> Vec<Station> {
    let (start, middle, end) = (Expr::zero(), Expr::ratio(1, 2), Expr::one());
    match s {
        1 => vec![station(start, 1, 2), station(end, 1, 2)],
        2 => vec![
            station(start, 1, 6),
            station(middle, 2, 3),
            station(end, 1, 6),
        ],
        3 => {
            let [low, high] = symmetric(&(Expr::from(5).sqrt() / 10), &Expr::ratio(5, 12));
            vec![station(start, 1, 12), low, high, station(end, 1, 12)]
        }
        _ => Vec::new(),
    }
}

/// The Lagrange polynomials on the nodes 0 and `controls`, without the one of 0, at a place: values and slopes.
pub(super) fn lagrange(controls: &[Expr], place: &Expr) -> Vec<(Expr, Expr)> {
    let nodes: Vec<Expr> = std::iter::once(Expr::zero())
        .chain(controls.iter().cloned())
        .collect();
    let polynomial = |j: usize| {
        let others = || (0..nodes.len()).filter(move |&k| k != j);
        let below = Expr::product(others().map(|k| &nodes[j] - &nodes[k]));
        let product = |skip: Option<usize>| {
            Expr::product(
                others()
                    .filter(|&k| Some(k) != skip)
                    .map(|k| place - &nodes[k]),
            )
        };
        let slope = Expr::sum(others().map(|k| product(Some(k))));
        (product(None) / &below, slope / below)
    };
    (1..nodes.len()).map(polynomial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{expand, prove_all_zero};

    /// Σ b_i c_i^k = 1/(k + 1).
    fn assert_exact(stations: &[Station], degree: i64) {
        let defects: Vec<Expr> = (0..=degree)
            .map(|k| {
                let terms = stations.iter().map(|s| &s.weight * s.place.powi(k));
                // Of the nested roots only even powers are left once the sum is expanded.
                expand(&(Expr::sum(terms) - Expr::ratio(1, k + 1)))
            })
            .collect();
        let verdict = prove_all_zero(&defects);
        assert!(verdict.is_proven(), "{}: {verdict:?}", stations.len());
    }

    #[test]
    fn quadratures_are_exact_as_far_as_they_should() {
        for s in 1..=4 {
            assert_exact(&gauss(s), 2 * i64::from(s) - 1);
        }
        for s in 1..=3 {
            assert_exact(&lobatto(s), 2 * i64::from(s) - 1);
        }
    }

    #[test]
    fn polynomials_interpolate() {
        let controls = [Expr::ratio(1, 3), Expr::ratio(2, 3), Expr::one()];
        let place = Expr::ratio(2, 7);
        // x³ and its slope.
        let basis = lagrange(&controls, &place);
        let cube = |f: fn(&(Expr, Expr)) -> &Expr| {
            let terms = basis.iter().zip(&controls).map(|(l, c)| f(l) * c.powi(3));
            Expr::sum(terms)
        };
        let defects = [
            cube(|l| &l.0) - place.powi(3),
            cube(|l| &l.1) - 3 * place.powi(2),
        ];
        assert!(prove_all_zero(&defects).is_proven());
    }
}
