//! The formulations, one file each: short compositions around the engine.

mod almost_poisson;
mod chaplygin;
mod hamel;
mod hamilton_dalembert;
mod hamiltonian;
mod lagrange;
mod newton;
mod projection;
mod vakonomic;

pub(crate) use hamel::symplectic_block;

use crate::{Chaplygin, Equations, MechanicsError, System, first_order};
use std::fmt;
use std::str::FromStr;

/// A formulation of the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Euler-Lagrange equations without constraints.
    EulerLagrange,
    /// Newton's law with the Levi-Civita connection of the kinetic energy.
    Newton,
    /// Lagrange-d'Alembert with multipliers.
    LagrangeDAlembert,
    /// The equations projected orthogonally on the constraint distribution.
    Projection,
    /// The unconstrained field projected along the reaction forces.
    ProjectionPrinciple,
    /// Hamel's equations in a frame of the distribution.
    Hamel,
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
    /// Equations of order above two.
    HigherOrder,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 15] = [
        Form::EulerLagrange,
        Form::Newton,
        Form::LagrangeDAlembert,
        Form::Projection,
        Form::ProjectionPrinciple,
        Form::Hamel,
        Form::HamiltonDAlembert,
        Form::Distributional,
        Form::Hamiltonian,
        Form::AlmostPoisson,
        Form::Vakonomic,
        Form::Chaplygin,
        Form::EulerPoincare,
        Form::LagrangePoincare,
        Form::HigherOrder,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::EulerLagrange => "euler-lagrange",
            Form::Newton => "newton",
            Form::LagrangeDAlembert => "lagrange-dalembert",
            Form::Projection => "projection",
            Form::ProjectionPrinciple => "projection-principle",
            Form::Hamel => "hamel",
            Form::HamiltonDAlembert => "hamilton-dalembert",
            Form::Distributional => "distributional",
            Form::Hamiltonian => "hamiltonian",
            Form::AlmostPoisson => "almost-poisson",
            Form::Vakonomic => "vakonomic",
            Form::Chaplygin => "chaplygin",
            Form::EulerPoincare => "euler-poincare",
            Form::LagrangePoincare => "lagrange-poincare",
            Form::HigherOrder => "higher-order",
        }
    }

    /// The formulation that fits a system when none is asked for.
    pub fn default_for(system: &System) -> Self {
        if system.order() > 1 {
            Form::HigherOrder
        } else if !system.constraints().is_empty() {
            match system.first_order() {
                // Multipliers would need the rates of velocities that have none.
                Some(_) => Form::Hamel,
                None => Form::LagrangeDAlembert,
            }
        } else if !system.has_groups() {
            Form::EulerLagrange
        } else if system.has_coordinates() {
            Form::LagrangePoincare
        } else {
            Form::EulerPoincare
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

impl System {
    /// The equations of motion in a formulation.
    pub fn equations(&self, form: Form) -> Result<Equations, MechanicsError> {
        self.applies(form)?;
        let mut equations = self.formulate(form)?;
        for f in self.known_rank_drop() {
            if !equations.conditions.contains(f) {
                equations.conditions.push(f.clone());
            }
        }
        let moved = self.names().moved();
        let used = moved.iter().filter(|m| equations.names(&m.instead));
        let notes: Vec<String> = used.map(ToString::to_string).collect();
        equations.notes.extend(notes);
        Ok(equations)
    }

    /// Is the formulation meant for this system? Cheaper than deriving it.
    pub fn applies(&self, form: Form) -> Result<(), MechanicsError> {
        if self.first_order().is_some() {
            return self.require_velocities(form);
        }
        match form {
            Form::HigherOrder => self.require_free(form),
            Form::EulerLagrange | Form::EulerPoincare | Form::LagrangePoincare => {
                self.require_free(form)?;
                self.require_first_order(form)
            }
            Form::LagrangeDAlembert | Form::Hamel | Form::Hamiltonian | Form::Vakonomic => {
                self.require_first_order(form)
            }
            Form::ProjectionPrinciple => {
                self.require_first_order(form)?;
                self.require_invertible(form)
            }
            Form::Newton | Form::Projection => {
                self.require_first_order(form)?;
                self.require_natural(form)
            }
            Form::AlmostPoisson => {
                self.require_first_order(form)?;
                self.require_linear(form)
            }
            Form::HamiltonDAlembert => {
                self.require_first_order(form)?;
                self.require_linear(form)?;
                self.require_invertible(form)
            }
            Form::Distributional => {
                self.require_first_order(form)?;
                self.require_linear(form)?;
                self.require_natural(form)
            }
            Form::Chaplygin => {
                self.require_first_order(form)?;
                Chaplygin::of(self).map(|_| ())
            }
        }
    }

    fn formulate(&self, form: Form) -> Result<Equations, MechanicsError> {
        if let Some(first) = self.first_order() {
            return first_order::equations(self, first, form);
        }
        match form {
            Form::EulerLagrange
            | Form::EulerPoincare
            | Form::LagrangePoincare
            | Form::HigherOrder => lagrange::unconstrained(self, form),
            Form::LagrangeDAlembert => lagrange::with_multipliers(self),
            Form::Newton => newton::newton(self),
            Form::Projection => newton::orthogonal_projection(self),
            Form::ProjectionPrinciple => projection::projection_principle(self),
            Form::Hamel => hamel::hamel(self),
            Form::Distributional => hamel::distributional(self),
            Form::HamiltonDAlembert => hamilton_dalembert::hamilton_dalembert(self),
            Form::Hamiltonian => hamiltonian::hamiltonian(self),
            Form::AlmostPoisson => almost_poisson::almost_poisson(self),
            Form::Vakonomic => vakonomic::vakonomic(self),
            Form::Chaplygin => chaplygin::chaplygin(self),
        }
    }
}
