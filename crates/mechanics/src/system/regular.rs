//! Whether a system is regular, natural, free: what formulations ask before they are derived.

use super::{Regularity, System};
use crate::engine::hessian;
use crate::error::MechanicsError;
use crate::formulation::Form;
use rattleback_symbolic::{Expr, Symbol, Verdict, substitute_all};

impl System {
    /// An error if the velocity Hessian is proven to be singular where the motion needs its inverse. What is
    /// not decided is no error: the motion has checks of its own.
    pub fn check_regular(&self) -> Result<(), MechanicsError> {
        if self.is_discrete_lagrangian() {
            return self.check_two_points();
        }
        match self.regularity()? {
            Regularity::Degenerate { on } => Err(MechanicsError::Degenerate {
                on,
                origin: self.lagrangian_origin,
            }),
            Regularity::Regular | Regularity::Undecided { .. } => Ok(()),
        }
    }

    /// Is the velocity Hessian regular where the motion needs it: on the distribution for linear
    /// dynamics, in the highest derivatives for higher order? (HJ-C11, AC-C23) Judged at the values of
    /// the parameters where the system knows them.
    pub fn regularity(&self) -> Result<Regularity, MechanicsError> {
        // What is linear in velocities may determine them instead of their rates.
        if self.first_order().is_some() {
            return Ok(Regularity::Regular);
        }
        let (matrix, on) =
            if !self.jet_constraints.is_empty() || self.order > 1 && self.is_constrained() {
                let on = "highest derivatives and multipliers";
                (self.bordered_hessian(), on)
            } else if self.order > 1 {
                let top: Vec<Symbol> = self
                    .frame
                    .fibre()
                    .iter()
                    .map(|y| y.jet(y.order() + self.order - 1))
                    .collect();
                (hessian(&self.lagrangian, &top), "highest derivatives")
            } else if self.constraints.is_empty() {
                (self.mass_matrix(), "velocities")
            } else {
                let sections = self.sections()?;
                let restricted = sections
                    .restrict(&self.frame, std::slice::from_ref(&self.lagrangian))
                    .swap_remove(0);
                (
                    hessian(&restricted, &sections.velocities),
                    "velocities on the constraint distribution",
                )
            };
        let matrix = self.at_values(&matrix);
        Ok(match self.generic_rank(&matrix) {
            Ok(rank) if rank < matrix.rows() => Regularity::Degenerate { on },
            Ok(_) => Regularity::Regular,
            Err(open) => Regularity::Undecided {
                why: open.to_string(),
            },
        })
    }

    pub(crate) fn require_free(&self, form: Form) -> Result<(), MechanicsError> {
        match self.constraints.len() + self.jet_constraints.len() {
            0 => Ok(()),
            constraints => Err(MechanicsError::Constrained { form, constraints }),
        }
    }

    pub(crate) fn require_first_order(&self, form: Form) -> Result<(), MechanicsError> {
        match self.order {
            1 => Ok(()),
            order => Err(MechanicsError::HigherOrder { form, order }),
        }
    }

    /// Does p = ∂L/∂y determine y off the constraints too?
    pub(crate) fn has_invertible_momenta(&self) -> Result<bool, MechanicsError> {
        let mass = self.mass_matrix();
        match self.generic_rank(&mass) {
            Ok(rank) => Ok(rank == mass.rows()),
            Err(open) => Err(MechanicsError::Undecided {
                why: format!("whether the momenta determine the velocities: {open}"),
            }),
        }
    }

    pub(crate) fn require_invertible(&self, form: Form) -> Result<(), MechanicsError> {
        if self.constraints.is_empty() || self.has_invertible_momenta()? {
            Ok(())
        } else {
            Err(MechanicsError::NotInvertible { form })
        }
    }

    pub(crate) fn require_linear(&self, form: Form) -> Result<(), MechanicsError> {
        if self.constraints.is_linear() {
            Ok(())
        } else {
            Err(MechanicsError::AffineConstraints { form })
        }
    }

    /// L = ½ G(y, y) − V with G and V free of time and no term linear in the velocities.
    pub(crate) fn require_natural(&self, form: Form) -> Result<(), MechanicsError> {
        let not = |why: &str| {
            Err(MechanicsError::NotNatural {
                form,
                why: why.into(),
            })
        };
        let y = self.frame.fibre();
        if self.lagrangian.degree(y).is_none_or(|d| d > 2) && !self.hessian_is_free_of(y) {
            return not("it is not quadratic");
        }
        if self
            .mass_matrix()
            .entries()
            .iter()
            .any(|e| e.contains(&Symbol::time()))
        {
            return not("its metric depends on time");
        }
        let auxiliary: Vec<Symbol> = self.auxiliary.iter().map(|(z, _)| z.clone()).collect();
        let jets: Vec<Symbol> = auxiliary.iter().map(Symbol::derivative).collect();
        let entries = self.mass_matrix();
        let mut entries = entries.entries().iter();
        if entries.any(|e| e.contains_any(&auxiliary) || e.contains_any(&jets)) {
            return not("its metric depends on an auxiliary state");
        }
        let rest: Vec<_> = y.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let linear = substitute_all(&self.momenta(), &rest);
        match self.prove_zero(&linear) {
            Verdict::Proven { .. } => Ok(()),
            _ => not("it has a term linear in the velocities"),
        }
    }

    fn hessian_is_free_of(&self, y: &[Symbol]) -> bool {
        let third: Vec<Expr> = self
            .mass_matrix()
            .entries()
            .iter()
            .flat_map(|e| e.gradient(y))
            .filter(|e| !e.is_zero())
            .collect();
        third.is_empty() || matches!(self.prove_zero(&third), Verdict::Proven { .. })
    }
}
