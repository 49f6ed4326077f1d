//! Methods of integration by name.

use rattleback_mechanics::discrete::Rule;
use std::fmt;
use std::str::FromStr;

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Taylor series of an order that suits the tolerance.
    Taylor,
    /// Dormand and Prince's explicit Runge-Kutta method of order 8.
    Dop853,
    /// Dormand and Prince's explicit Runge-Kutta method of order 5.
    Dopri5,
    /// The classical Runge-Kutta method.
    Rk4,
    /// Gauss collocation with this many stages, of twice that order.
    Gauss(u8),
    /// Radau IIA of order 5.
    Radau5,
    /// Stoermer and Verlet.
    Verlet,
    /// Yoshida's composition of this order.
    Yoshida(u8),
    /// Suzuki's composition of this order.
    Suzuki(u8),
    /// Munthe-Kaas of order 4, on the group.
    MuntheKaas4,
    /// Munthe-Kaas over Dormand and Prince's method of order 8, on the group.
    MuntheKaas8,
    /// Commutator-free of order 4, on the group.
    CommutatorFree4,
    /// The map of the discrete system that a rule makes of the Lagrangian.
    Variational(Rule),
    /// A variational map in the time in which a reduced nonholonomic system is Hamiltonian.
    ChaplyginSymplectic,
    /// From node to node by a map; no choice of the user's.
    Iteration,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 29] = [
        Method::Taylor,
        Method::Dop853,
        Method::Dopri5,
        Method::Rk4,
        Method::Gauss(1),
        Method::Gauss(2),
        Method::Gauss(3),
        Method::Gauss(4),
        Method::Radau5,
        Method::Verlet,
        Method::Yoshida(4),
        Method::Yoshida(6),
        Method::Yoshida(8),
        Method::Suzuki(4),
        Method::Suzuki(6),
        Method::Suzuki(8),
        Method::MuntheKaas4,
        Method::MuntheKaas8,
        Method::CommutatorFree4,
        Method::Variational(Rule::Left),
        Method::Variational(Rule::Right),
        Method::Variational(Rule::Midpoint),
        Method::Variational(Rule::Trapezoid),
        Method::Variational(Rule::Gauss(2)),
        Method::Variational(Rule::Gauss(3)),
        Method::Variational(Rule::Gauss(4)),
        Method::Variational(Rule::Lobatto(2)),
        Method::Variational(Rule::Lobatto(3)),
        Method::ChaplyginSymplectic,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Taylor => "taylor",
            Method::Dop853 => "dop853",
            Method::Dopri5 => "dopri5",
            Method::Rk4 => "rk4",
            Method::Gauss(1) => "gauss2",
            Method::Gauss(2) => "gauss4",
            Method::Gauss(3) => "gauss6",
            Method::Gauss(_) => "gauss8",
            Method::Radau5 => "radau5",
            Method::Verlet => "verlet",
            Method::Yoshida(4) => "yoshida4",
            Method::Yoshida(6) => "yoshida6",
            Method::Yoshida(_) => "yoshida8",
            Method::Suzuki(4) => "suzuki4",
            Method::Suzuki(6) => "suzuki6",
            Method::Suzuki(_) => "suzuki8",
            Method::MuntheKaas4 => "munthe-kaas4",
            Method::MuntheKaas8 => "munthe-kaas8",
            Method::CommutatorFree4 => "commutator-free4",
            Method::Variational(Rule::Left) => "variational-left",
            Method::Variational(Rule::Right) => "variational-right",
            Method::Variational(Rule::Midpoint) => "variational-midpoint",
            Method::Variational(Rule::Trapezoid) => "variational-trapezoid",
            Method::Variational(Rule::Gauss(2)) => "variational-gauss4",
            Method::Variational(Rule::Gauss(3)) => "variational-gauss6",
            Method::Variational(Rule::Gauss(_)) => "variational-gauss8",
            Method::Variational(Rule::Lobatto(2)) => "variational-lobatto4",
            Method::Variational(Rule::Lobatto(_)) => "variational-lobatto6",
            Method::ChaplyginSymplectic => "chaplygin-symplectic",
            Method::Iteration => "iteration",
        }
    }

    /// Does it choose its own steps?
    pub fn is_adaptive(self) -> bool {
        matches!(
            self,
            Method::Taylor | Method::Dop853 | Method::Dopri5 | Method::Radau5 | Method::MuntheKaas8
        )
    }

    /// Does it follow several members of an ensemble in the lanes of one vector? Others follow them side by side.
    pub(crate) fn has_lanes(self) -> bool {
        matches!(self, Method::Taylor | Method::Dop853)
    }

    /// Does it need positions and momenta?
    pub fn needs_momenta(self) -> bool {
        matches!(
            self,
            Method::Verlet | Method::Yoshida(_) | Method::Suzuki(_)
        )
    }

    /// Does it solve equations with the Jacobian of the field?
    pub fn needs_jacobian(self) -> bool {
        matches!(self, Method::Gauss(_) | Method::Radau5) || self.needs_momenta()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No method has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method `{0}`")]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;
    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let wanted = if name == "midpoint" { "gauss2" } else { name };
        Method::ALL
            .into_iter()
            .find(|m| m.name() == wanted)
            .ok_or_else(|| UnknownMethod(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_read_back() {
        for m in Method::ALL {
            assert_eq!(m.name().parse(), Ok(m));
        }
        assert_eq!("midpoint".parse(), Ok(Method::Gauss(1)));
        assert!("rk5".parse::<Method>().is_err());
    }
}
