//! Methods of integration by name: those that follow vector fields, and those that follow what a system itself is made of.

use rattleback_integrate::{Method as OfFields, methods};
use rattleback_mechanics::discrete::Rule;
use std::fmt;
use std::str::FromStr;

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// One that follows vector fields, with what it says of itself in its file.
    Field(OfFields),
    /// The map of the discrete system that a rule makes of the Lagrangian.
    Variational(Rule),
    /// A variational map in the time in which a reduced nonholonomic system is Hamiltonian.
    ChaplyginSymplectic,
    /// From node to node by a map; no choice of the user's.
    Iteration,
}

/// The rules of variational methods, with the names of these.
const RULES: [(Rule, &str); 9] = [
    (Rule::Left, "variational-left"),
    (Rule::Right, "variational-right"),
    (Rule::Midpoint, "variational-midpoint"),
    (Rule::Trapezoid, "variational-trapezoid"),
    (Rule::Gauss(2), "variational-gauss4"),
    (Rule::Gauss(3), "variational-gauss6"),
    (Rule::Gauss(4), "variational-gauss8"),
    (Rule::Lobatto(2), "variational-lobatto4"),
    (Rule::Lobatto(3), "variational-lobatto6"),
];

impl Method {
    /// Taylor series of an order that suits the tolerance.
    pub const TAYLOR: Method = Method::Field(methods::TAYLOR);
    /// Dormand and Prince's explicit Runge-Kutta method of order 8.
    pub const DOP853: Method = Method::Field(methods::DOP853);
    /// Dormand and Prince's explicit Runge-Kutta method of order 5.
    pub const DOPRI5: Method = Method::Field(methods::DOPRI5);
    /// Radau IIA of order 5.
    pub const RADAU5: Method = Method::Field(methods::RADAU5);

    /// All that can be chosen.
    pub fn all() -> impl Iterator<Item = Method> {
        let variational = RULES.iter().map(|(rule, _)| Method::Variational(*rule));
        methods::all()
            .map(Method::Field)
            .chain(variational)
            .chain([Method::ChaplyginSymplectic])
    }

    /// The name to ask for it by.
    pub fn name(self) -> &'static str {
        match self {
            Method::Field(method) => method.name,
            Method::Variational(rule) => {
                let named = RULES.iter().find(|(r, _)| *r == rule);
                named.map_or("variational", |(_, name)| name)
            }
            Method::ChaplyginSymplectic => "chaplygin-symplectic",
            Method::Iteration => "iteration",
        }
    }

    /// Does it choose its own steps?
    pub fn is_adaptive(self) -> bool {
        self.is_field_method(|m| m.adaptive)
    }

    /// Does it follow several members of an ensemble in the lanes of one vector? Others follow them side by side.
    pub(crate) fn has_lanes(self) -> bool {
        self.is_field_method(|m| m.lanes)
    }

    /// Does it need positions and momenta?
    pub fn needs_momenta(self) -> bool {
        self.is_field_method(|m| m.needs.momenta)
    }

    /// Is it symplectic where there are momenta, but follows every field?
    pub(crate) fn likes_momenta(self) -> bool {
        self.is_field_method(|m| m.symplectic && !m.needs.momenta)
    }

    /// May it solve equations with the Jacobian of the field? Where H is not T(p) + V(q) those in momenta do.
    pub fn needs_jacobian(self) -> bool {
        self.is_field_method(|m| m.needs.jacobian || m.needs.momenta)
    }

    fn is_field_method(self, is: impl FnOnce(OfFields) -> bool) -> bool {
        matches!(self, Method::Field(method) if is(method))
    }
}

impl From<OfFields> for Method {
    fn from(method: OfFields) -> Self {
        Method::Field(method)
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
        let is_asked = |m: &Method| match m {
            Method::Field(method) => method.name == name || method.aliases.contains(&name),
            other => other.name() == name,
        };
        Method::all()
            .find(is_asked)
            .ok_or_else(|| UnknownMethod(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_read_back() {
        for m in Method::all() {
            assert_eq!(m.name().parse(), Ok(m));
        }
        assert_eq!("midpoint".parse(), Ok(Method::Field(methods::GAUSS_2)));
        assert!("rk5".parse::<Method>().is_err());
    }

    /// What a method says of itself in its file is what the program goes by.
    #[test]
    fn methods_for_fields_are_those_of_the_list() {
        let of_fields: Vec<&str> = methods::all().map(|m| m.name).collect();
        let all: Vec<&str> = Method::all().map(Method::name).collect();
        assert_eq!(all[..of_fields.len()], of_fields);
        assert_eq!(all.len(), of_fields.len() + RULES.len() + 1);
        let which = |is: fn(Method) -> bool| -> Vec<&str> {
            Method::all().filter(|m| is(*m)).map(Method::name).collect()
        };
        let adaptive = ["taylor", "dop853", "dopri5", "radau5", "munthe-kaas8"];
        assert_eq!(which(Method::is_adaptive), adaptive);
        assert_eq!(which(Method::has_lanes), ["taylor", "dop853"]);
        assert_eq!(
            which(Method::likes_momenta),
            ["gauss2", "gauss4", "gauss6", "gauss8"]
        );
    }
}
