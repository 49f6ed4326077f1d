//! The formulations, one file each: short compositions around the engine.

mod almost_poisson;
mod chaplygin;
mod gibbs_appell;
mod hamel;
mod hamilton_dalembert;
mod hamiltonian;
mod lagrange;
mod manipulator;
mod newton;
mod projection;
mod variational;

pub(crate) use hamel::symplectic_block;

use hamel::named_matrix;

use crate::{Chaplygin, Equations, MechanicsError, System, first_order};
use rattleback_symbolic::Expr;
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

    /// The formulation that fits a system when none is asked for.
    pub fn default_for(system: &System) -> Self {
        if system.is_kinematic() {
            match system.is_map() {
                true => Form::Map,
                false => Form::Rates,
            }
        } else if system.order() > 1 {
            Form::HigherOrder
        } else if !system.jet_constraints().is_empty() {
            Form::Vakonomic
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
        // The conditions of a control problem have the auxiliary states already, with costates.
        if form != Form::Optimality {
            self.join_auxiliary(&mut equations)?;
        }
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
        self.check_continuous()?;
        let works = || Form::default_for(self);
        if form == Form::Optimality {
            return match self.objective() {
                Some(_) => Ok(()),
                None => Err(MechanicsError::NoObjective),
            };
        }
        match (form, self.is_kinematic()) {
            (Form::Rates | Form::Map, false) => {
                return Err(MechanicsError::HasLagrangian {
                    form,
                    works: works(),
                });
            }
            (form, true) if form != works() => {
                return Err(MechanicsError::NoLagrangian {
                    what: form.to_string(),
                    works: works(),
                });
            }
            (_, true) => return Ok(()),
            (_, false) => {}
        }
        if self.first_order().is_some() {
            return self.require_velocities(form);
        }
        if !matches!(form, Form::Vakonomic | Form::HigherOrder) {
            self.require_affine(form)?;
        }
        match form {
            Form::Vakonomic | Form::LagrangeDAlembert | Form::Hamel => {
                match self.is_constrained() {
                    true => Ok(()),
                    false => self.require_first_order(form),
                }
            }
            Form::HigherOrder if self.order() > 1 => Ok(()),
            Form::HigherOrder => self.require_free(form),
            Form::Rates | Form::Map | Form::Optimality => self.require_free(form),
            Form::EulerLagrange | Form::EulerPoincare | Form::LagrangePoincare => {
                self.require_free(form)?;
                self.require_first_order(form)
            }
            Form::Hamiltonian => self.require_first_order(form),
            Form::ProjectionPrinciple => {
                self.require_first_order(form)?;
                self.require_invertible(form)
            }
            Form::Newton | Form::Manipulator | Form::Projection | Form::GibbsAppell => {
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
        if form == Form::Optimality {
            return crate::optimality::optimality(self);
        }
        if let Some(first) = self.first_order() {
            return first_order::equations(self, first, form);
        }
        match form {
            Form::Vakonomic => variational::variational(self, form),
            Form::HigherOrder if self.is_constrained() => variational::variational(self, form),
            Form::EulerLagrange
            | Form::EulerPoincare
            | Form::LagrangePoincare
            | Form::HigherOrder => lagrange::unconstrained(self, form),
            Form::LagrangeDAlembert => lagrange::with_multipliers(self),
            Form::Newton => newton::newton(self),
            Form::Manipulator => manipulator::manipulator(self),
            Form::Projection => newton::orthogonal_projection(self),
            Form::ProjectionPrinciple => projection::projection_principle(self),
            Form::Hamel => hamel::hamel(self),
            Form::GibbsAppell => gibbs_appell::gibbs_appell(self),
            Form::Distributional => hamel::distributional(self),
            Form::HamiltonDAlembert => hamilton_dalembert::hamilton_dalembert(self),
            Form::Hamiltonian => hamiltonian::hamiltonian(self),
            Form::AlmostPoisson => almost_poisson::almost_poisson(self),
            Form::Chaplygin => chaplygin::chaplygin(self),
            Form::Rates | Form::Map | Form::Optimality => Ok(Equations::new(
                form,
                self.positions(),
                Vec::new(),
                Expr::undefined(),
            )),
        }
    }
}
