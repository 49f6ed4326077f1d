//! The formulations by name.

use std::fmt;
use std::str::FromStr;

/// A formulation of the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Euler-Lagrange equations without constraints.
    EulerLagrange,
    /// Newton's law with the Levi-Civita connection of the kinetic energy.
    Newton,
    /// Newton's law by its matrices M, C, g, B, A.
    Manipulator,
    /// Lagrange-d'Alembert with multipliers.
    LagrangeDAlembert,
    /// The equations projected orthogonally on the constraint distribution.
    Projection,
    /// The unconstrained field projected along the reaction forces.
    ProjectionPrinciple,
    /// Hamel's equations in a frame of the distribution.
    Hamel,
    /// The Gibbs function differentiated by the accelerations of the distribution.
    GibbsAppell,
    /// Hamilton-d'Alembert on the velocity phase space.
    HamiltonDAlembert,
    /// The symplectic distribution (H, ϖ).
    Distributional,
    /// Constrained Hamilton equations.
    Hamiltonian,
    /// The almost-Poisson bracket on the constraint momenta.
    AlmostPoisson,
    /// Vakonomic (variational) equations.
    Vakonomic,
    /// Reduced Chaplygin equations.
    Chaplygin,
    /// Euler-Poincare equations on a group.
    EulerPoincare,
    /// Lagrange-Poincare equations on a product with a group.
    LagrangePoincare,
    /// Equations of order above two; with constraints those of the variational problem.
    HigherOrder,
    /// The necessary conditions of the control problem, in states and costates.
    Optimality,
    /// The rates of a model of states alone, as it states them.
    Rates,
    /// The map of a model of states alone, from node to node.
    Map,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 20] = [
        Form::EulerLagrange,
        Form::Newton,
        Form::Manipulator,
        Form::LagrangeDAlembert,
        Form::Projection,
        Form::ProjectionPrinciple,
        Form::Hamel,
        Form::GibbsAppell,
        Form::HamiltonDAlembert,
        Form::Distributional,
        Form::Hamiltonian,
        Form::AlmostPoisson,
        Form::Vakonomic,
        Form::Chaplygin,
        Form::EulerPoincare,
        Form::LagrangePoincare,
        Form::HigherOrder,
        Form::Optimality,
        Form::Rates,
        Form::Map,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::EulerLagrange => "euler-lagrange",
            Form::Newton => "newton",
            Form::Manipulator => "manipulator",
            Form::LagrangeDAlembert => "lagrange-dalembert",
            Form::Projection => "projection",
            Form::ProjectionPrinciple => "projection-principle",
            Form::Hamel => "hamel",
            Form::GibbsAppell => "gibbs-appell",
            Form::HamiltonDAlembert => "hamilton-dalembert",
            Form::Distributional => "distributional",
            Form::Hamiltonian => "hamiltonian",
            Form::AlmostPoisson => "almost-poisson",
            Form::Vakonomic => "vakonomic",
            Form::Chaplygin => "chaplygin",
            Form::EulerPoincare => "euler-poincare",
            Form::LagrangePoincare => "lagrange-poincare",
            Form::HigherOrder => "higher-order",
            Form::Optimality => "optimality",
            Form::Rates => "rates",
            Form::Map => "map",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No formulation has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no formulation `{0}`")]
pub struct UnknownForm(pub String);

impl FromStr for Form {
    type Err = UnknownForm;
    fn from_str(name: &str) -> Result<Self, UnknownForm> {
        Form::ALL
            .into_iter()
            .find(|f| f.name() == name)
            .ok_or_else(|| UnknownForm(name.into()))
    }
}
