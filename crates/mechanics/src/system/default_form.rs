//! The formulation that fits a system.

use super::System;
use crate::formulation::Form;

impl System {
    /// Does the system have what a formulation is named for? Without it some are another name for the same equations.
    pub fn has_own(&self, form: Form) -> bool {
        match form {
            Form::EulerPoincare => self.has_groups() && !self.has_coordinates(),
            Form::LagrangePoincare => self.has_groups() && self.has_coordinates(),
            Form::HigherOrder => self.order() > 1,
            _ => true,
        }
    }
}

impl Form {
    /// The formulation that fits a system when none is asked for.
    pub fn default_for(system: &System) -> Self {
        if system.is_discrete_lagrangian() {
            Form::Map
        } else if system.is_kinematic() {
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
