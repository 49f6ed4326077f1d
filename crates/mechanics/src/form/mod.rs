//! The formulations, one file each: short compositions around the engine.

mod almost_poisson;
mod chaplygin;
mod first_order;
mod gibbs_appell;
mod hamel;
mod hamilton_dalembert;
mod hamiltonian;
mod lagrange;
mod manipulator;
mod map;
mod newton;
mod projection;
mod variational;

use hamel::named_matrix;

use crate::{Chaplygin, Equations, Form, MechanicsError, System};
use rattleback_symbolic::Expr;

impl System {
    /// The equations of motion in a formulation.
    pub fn equations(&self, form: Form) -> Result<Equations, MechanicsError> {
        self.applies(form)?;
        let mut equations = self.formulate(form)?;
        // The conditions of a control problem have the auxiliary states already, with costates.
        if form != Form::Optimality {
            self.join_auxiliary(&mut equations)?;
        }
        equations.state = self.located(&equations.state);
        for f in self.known_rank_drop() {
            let f = f.substitute(&equations.slice);
            if !equations.conditions.contains(&f) {
                equations.conditions.push(f);
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
        if self.is_discrete_lagrangian() && form == Form::Map {
            return self.check_two_points();
        }
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
                Chaplygin::of_any(self).map(|_| ())
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
            Form::Map => map::map(self),
            Form::Rates | Form::Optimality => Ok(Equations::new(
                form,
                self.positions(),
                Vec::new(),
                Expr::undefined(),
            )),
        }
    }
}
