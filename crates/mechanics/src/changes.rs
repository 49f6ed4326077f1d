//! What a field on the configuration space changes of a system: nothing, where it is a symmetry.

use crate::System;
use crate::phase::tangent_lift;
use rattleback_geometry::Subframe;
use rattleback_symbolic::{Expr, Symbol, dot};

impl System {
    /// How a function of positions and velocities changes along a field that is lifted to the state.
    pub fn change_along(&self, field: &[Expr], e: &Expr) -> Expr {
        let frame = self.frame();
        tangent_lift(frame, field).apply(frame, frame.fibre(), e)
    }

    /// How a field, which may move with time, changes the Lagrangian: (ξ_TQ + ∂ξ/∂t ∂/∂y)\[L\].
    pub fn change_of_lagrangian(&self, field: &[Expr]) -> Expr {
        let frame = self.frame();
        let time = Symbol::time();
        let mut lift = tangent_lift(frame, field);
        for (moved, e) in lift.fibre.iter_mut().zip(field) {
            *moved += e.diff(&time);
        }
        lift.apply(frame, frame.fibre(), self.lagrangian())
    }

    /// The constraint forms on the brackets of a field with the admissible velocities X₀ + v^a e_a and with time.
    pub fn changes_of_constraints(&self, sections: &Subframe, field: &[Expr]) -> Vec<Expr> {
        let frame = self.frame();
        let forms = self.constraints().forms();
        let time = Symbol::time();
        let columns = (0..sections.rank()).map(|a| sections.basis.column(a));
        let mut moved: Vec<Expr> = columns
            .flat_map(|e| forms.apply(&frame.bracket(field, &e)))
            .collect();
        let unsteady = field.iter().any(|e| e.contains(&time));
        if unsteady || !self.constraints().is_linear() {
            let drift = frame.bracket(field, &sections.drift);
            let drift: Vec<Expr> = drift
                .iter()
                .zip(field)
                .map(|(d, e)| d - e.diff(&time))
                .collect();
            moved.extend(forms.apply(&drift));
        }
        moved
    }

    /// How a field changes the force and the rates of auxiliary states: (£_ξ F)(e_A) = ξ\[F_A\] − F(\[ξ, e_A\]).
    pub fn changes_of_forces(&self, field: &[Expr]) -> Vec<Expr> {
        let frame = self.frame();
        let lift = tangent_lift(frame, field);
        let along = |e: &Expr| lift.apply(frame, frame.fibre(), e);
        let moved = |a: usize| {
            let turned = frame.bracket(field, &frame.basis(a));
            along(&self.force()[a]) - dot(self.force(), &turned)
        };
        let rates = self.auxiliary().iter().map(|(_, rate)| along(rate));
        (0..frame.rank()).map(moved).chain(rates).collect()
    }
}
