//! The schemes by which a path becomes numbers.

use rattleback_symbolic::Expr;
use std::fmt;
use std::str::FromStr;

/// How an interval is discretised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Scheme {
    /// Collocation at both ends and the middle, of order 4 (Lobatto IIIA).
    #[default]
    HermiteSimpson,
    /// The second-order discrete Lagrangian at the middle with both accelerations; on groups CG-F1.
    Midpoint,
    /// The second-order discrete Lagrangian at both ends with both accelerations.
    Trapezoid,
    /// Gauss collocation with 2 points.
    Gauss4,
    /// Gauss collocation with 3 points.
    Gauss6,
    /// Radau IIA collocation with 3 points.
    Radau5,
    /// The plant by its discrete Lagrangian, then the cost at the nodes: CG-F2.
    Variational,
    /// The map of a discrete-time plant.
    Map,
}

/// How velocities on intervals meet those that are given at the ends (trap T3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Ends {
    /// Half steps: of order 2 (CG-G7).
    #[default]
    HalfStep,
    /// The end velocities are those of the first and the last interval: of order 1.
    Node,
}

impl Ends {
    /// Whether an interval opens with a half step, whether and with which share of a step it closes, and which of its
    /// nodes have idle controls.
    pub(super) fn switches(self, k: usize, n: usize) -> [f64; 5] {
        let number = |b: bool| f64::from(u8::from(b));
        let (first, last) = (k == 0, k + 1 == n);
        match self {
            Ends::HalfStep => [number(first), 1.0, if last { 0.5 } else { 1.0 }, 0.0, 0.0],
            Ends::Node => [0.0, number(!last), 1.0, number(first), number(last)],
        }
    }
}

/// No scheme has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no scheme `{0}`; there are hermite-simpson, midpoint, trapezoid, variational, gauss4, gauss6 and radau5"
)]
pub struct UnknownScheme(pub String);

impl Scheme {
    /// Those that can be asked for.
    pub const ALL: [Scheme; 7] = [
        Scheme::HermiteSimpson,
        Scheme::Midpoint,
        Scheme::Trapezoid,
        Scheme::Variational,
        Scheme::Gauss4,
        Scheme::Gauss6,
        Scheme::Radau5,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::HermiteSimpson => "hermite-simpson",
            Scheme::Midpoint => "midpoint",
            Scheme::Trapezoid => "trapezoid",
            Scheme::Variational => "variational",
            Scheme::Gauss4 => "gauss4",
            Scheme::Gauss6 => "gauss6",
            Scheme::Radau5 => "radau5",
            Scheme::Map => "map",
        }
    }

    /// The order of its cost in the step; none for a map, which is exact.
    pub fn order(self) -> Option<u32> {
        match self {
            Scheme::Midpoint | Scheme::Trapezoid | Scheme::Variational => Some(2),
            Scheme::HermiteSimpson | Scheme::Gauss4 => Some(4),
            Scheme::Radau5 => Some(5),
            Scheme::Gauss6 => Some(6),
            Scheme::Map => None,
        }
    }

    /// Its collocation, where it is one.
    pub(super) fn tableau(self) -> Option<Tableau> {
        let r = Expr::ratio;
        Some(match self {
            Scheme::HermiteSimpson => Tableau {
                points: vec![At::Start, At::Inside, At::End],
                nodes: vec![r(0, 1), r(1, 2), r(1, 1)],
                inner: vec![vec![r(5, 24), r(1, 3), r(-1, 24)]],
                weights: vec![r(1, 6), r(2, 3), r(1, 6)],
            },
            Scheme::Gauss4 => {
                let s = Expr::from(3).sqrt() / 6;
                Tableau {
                    points: vec![At::Inside; 2],
                    nodes: vec![r(1, 2) - &s, r(1, 2) + &s],
                    inner: vec![vec![r(1, 4), r(1, 4) - &s], vec![r(1, 4) + &s, r(1, 4)]],
                    weights: vec![r(1, 2), r(1, 2)],
                }
            }
            Scheme::Gauss6 => {
                let s = Expr::from(15).sqrt();
                Tableau {
                    points: vec![At::Inside; 3],
                    nodes: vec![r(1, 2) - &s / 10, r(1, 2), r(1, 2) + &s / 10],
                    inner: vec![
                        vec![r(5, 36), r(2, 9) - &s / 15, r(5, 36) - &s / 30],
                        vec![r(5, 36) + &s / 24, r(2, 9), r(5, 36) - &s / 24],
                        vec![r(5, 36) + &s / 30, r(2, 9) + &s / 15, r(5, 36)],
                    ],
                    weights: vec![r(5, 18), r(4, 9), r(5, 18)],
                }
            }
            Scheme::Radau5 => {
                let s = Expr::from(6).sqrt();
                let last = vec![(16 - &s) / 36, (16 + &s) / 36, r(1, 9)];
                Tableau {
                    points: vec![At::Inside; 3],
                    nodes: vec![(4 - &s) / 10, (4 + &s) / 10, r(1, 1)],
                    inner: vec![
                        vec![
                            (88 - 7 * &s) / 360,
                            (296 - 169 * &s) / 1800,
                            (-2 + 3 * &s) / 225,
                        ],
                        vec![
                            (296 + 169 * &s) / 1800,
                            (88 + 7 * &s) / 360,
                            (-2 - 3 * &s) / 225,
                        ],
                        last.clone(),
                    ],
                    weights: last,
                }
            }
            Scheme::Midpoint | Scheme::Trapezoid | Scheme::Variational | Scheme::Map => {
                return None;
            }
        })
    }

    /// Have the nodes controls of their own?
    pub(super) fn has_node_controls(self) -> bool {
        matches!(
            self,
            Scheme::HermiteSimpson | Scheme::Variational | Scheme::Map
        )
    }

    /// How many points inside of an interval have a state and controls.
    pub(super) fn inside(self) -> usize {
        let inside = |t: Tableau| t.points.iter().filter(|p| **p == At::Inside).count();
        self.tableau().map_or(0, inside)
    }

    /// How many controls an interval has beside those of points.
    pub(super) fn interval_controls(self) -> usize {
        match self {
            Scheme::Midpoint | Scheme::Trapezoid => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;
    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let mut all = Scheme::ALL.into_iter();
        all.find(|s| s.name() == name)
            .ok_or_else(|| UnknownScheme(name.into()))
    }
}

/// Where a point of a collocation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// At the node before.
    Start,
    /// Inside, with a state and controls of its own.
    Inside,
    /// At the node behind.
    End,
}

/// A collocation: x_j = x_0 + h Σ a_ji f_i at the points inside, x_1 = x_0 + h Σ b_i f_i at the end.
pub(super) struct Tableau {
    /// The points.
    pub points: Vec<At>,
    /// Their times, as shares of the interval.
    pub nodes: Vec<Expr>,
    /// The rows of points inside.
    pub inner: Vec<Vec<Expr>>,
    /// b.
    pub weights: Vec<Expr>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ b c^(q−1) = 1/q up to the order, and Σ_j a_ij = c_i.
    #[test]
    fn tableaux_have_their_order() {
        for scheme in Scheme::ALL {
            let (Some(t), Some(order)) = (scheme.tableau(), scheme.order()) else {
                continue;
            };
            let value = |e: &Expr| e.evaluate(&[]).unwrap();
            for q in 1..=order {
                let sum: f64 = (t.weights.iter().zip(&t.nodes))
                    .map(|(b, c)| value(b) * value(c).powi(q as i32 - 1))
                    .sum();
                assert!((sum - 1.0 / f64::from(q)).abs() < 1e-14, "{scheme} {q}");
            }
            let inside = t
                .points
                .iter()
                .zip(&t.nodes)
                .filter(|(p, _)| **p == At::Inside);
            for ((_, c), row) in inside.zip(&t.inner) {
                for q in 1..=t.points.len() as i32 {
                    let sum: f64 = (row.iter().zip(&t.nodes))
                        .map(|(a, c)| value(a) * value(c).powi(q - 1))
                        .sum();
                    let exact = value(c).powi(q) / f64::from(q);
                    assert!((sum - exact).abs() < 1e-14, "{scheme} {q}");
                }
            }
        }
    }
}
