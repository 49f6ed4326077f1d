//! Rules that make a discrete Lagrangian of a continuous one.

use super::quadrature::{Station, gauss, lobatto};
use rattleback_symbolic::{Expr, Rational};
use std::fmt;
use std::str::FromStr;

/// A quadrature of the action along a polynomial, L_d = h Σ b_i L(q(c_i h), q'(c_i h)) (DP-A1).
///
/// ```
/// use rattleback_mechanics::discrete::Rule;
/// assert_eq!("gauss4".parse(), Ok(Rule::Gauss(2)));
/// assert_eq!((Rule::Lobatto(3).order(), Rule::Lobatto(3).to_string()), (6, "lobatto6".into()));
/// assert!("simpson".parse::<Rule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// L at the beginning of the step: symplectic Euler.
    Left,
    /// L at its end: the adjoint of the former.
    Right,
    /// L at the middle: the implicit midpoint rule.
    Midpoint,
    /// The mean of both ends: Störmer-Verlet, and RATTLE with constraints.
    Trapezoid,
    /// Galerkin: a polynomial of degree s, s Gauss points, order 2s.
    Gauss(u32),
    /// Galerkin: a polynomial of degree s, s + 1 Lobatto points, order 2s.
    Lobatto(u32),
}

/// No rule has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{0}`; the rules are {names}", names = Rule::ALL.map(|r| r.to_string()).join(", "))]
pub struct UnknownRule(pub String);

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 9] = [
        Rule::Left,
        Rule::Right,
        Rule::Midpoint,
        Rule::Trapezoid,
        Rule::Gauss(2),
        Rule::Gauss(3),
        Rule::Gauss(4),
        Rule::Lobatto(2),
        Rule::Lobatto(3),
    ];

    /// The order of convergence of its map.
    pub fn order(self) -> u32 {
        match self {
            Rule::Left | Rule::Right => 1,
            Rule::Midpoint | Rule::Trapezoid => 2,
            Rule::Gauss(s) | Rule::Lobatto(s) => 2 * s,
        }
    }

    /// Is the map its own inverse with the step reversed?
    pub fn is_symmetric(self) -> bool {
        !matches!(self, Rule::Left | Rule::Right)
    }

    /// The degree of the polynomial that the path of a step is.
    pub fn degree(self) -> usize {
        match self {
            Rule::Gauss(s) | Rule::Lobatto(s) => s as usize,
            _ => 1,
        }
    }

    /// The points c_i and weights b_i of the quadrature over [0, 1].
    pub fn stations(self) -> Vec<Station> {
        let at = |place: Expr| {
            vec![Station {
                place,
                weight: Expr::one(),
            }]
        };
        match self {
            Rule::Left => at(Expr::zero()),
            Rule::Right => at(Expr::one()),
            Rule::Midpoint => gauss(1),
            Rule::Trapezoid => lobatto(1),
            Rule::Gauss(s) => gauss(s),
            Rule::Lobatto(s) => lobatto(s),
        }
    }

    /// Where the path of a step is controlled, besides its beginning: the last one is the end.
    pub(super) fn controls(self) -> Vec<Expr> {
        match self {
            Rule::Lobatto(s) => lobatto(s).into_iter().skip(1).map(|p| p.place).collect(),
            _ => {
                let s = self.degree() as i64;
                (1..=s).map(|j| Expr::from(&Rational::new(j, s))).collect()
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Left => f.write_str("left"),
            Rule::Right => f.write_str("right"),
            Rule::Midpoint => f.write_str("midpoint"),
            Rule::Trapezoid => f.write_str("trapezoid"),
            Rule::Gauss(s) => write!(f, "gauss{}", 2 * s),
            Rule::Lobatto(s) => write!(f, "lobatto{}", 2 * s),
        }
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let found = Rule::ALL.into_iter().find(|r| r.to_string() == name);
        found.ok_or_else(|| UnknownRule(name.into()))
    }
}
