//! A step that changes a momentum, enclosed.

use super::DiscreteError;
use super::step::pairs;
use super::system::{DiscreteSystem, expressions};
use crate::system::System;
use rattleback_symbolic::{
    Conditions, Expr, Rational, SolvedWitness, dot, free_symbols, nonzero_where, substitute_all,
};

/// The length of the step: so short that velocities of order one lead to the solution next to them.
const SHORT: i64 = 16;

impl DiscreteSystem {
    /// A step on which X(q₁)·p₁ ≠ X(q₀)·p₀ for certain. It is a step of a motion: positions and velocities at its
    /// beginning are on the constraints, and inner controls, reactions and the landing solve their equations, all of
    /// which an interval Newton step encloses.
    pub(super) fn counterexample(
        &self,
        system: &System,
        field: &[Expr],
    ) -> Result<Option<SolvedWitness>, DiscreteError> {
        let given = system.constraints();
        if given.positions().count() > given.holonomic().len() {
            // A solution may be on another component than positions are on.
            return Ok(None);
        }
        let (z, y) = (expressions(&self.z), expressions(&self.y));
        let here = self.chart.body(&z, &y);
        let momentum = self.continuous.gradient(&self.y);
        let p0 = substitute_all(&momentum, &pairs(&self.y, &here));
        let (solve, _, shift) = self.solve_step(&p0, &here);
        let positions = substitute_all(&self.next, &shift);
        let after = substitute_all(&self.after, &shift);
        let (land, arrived) = self.land(&momentum, &positions, &after);

        let mut there = self.at(&positions, &Expr::one());
        let ends = self.chart.body(&positions, &substitute_all(field, &there));
        there.extend(pairs(&self.y, &arrived));
        let p1 = substitute_all(&momentum, &there);
        let change = dot(&ends, &p1) - dot(&self.chart.body(&z, field), &p0);

        let allowed = self.forms.apply(&here);
        let begins = allowed.iter().zip(&self.offsets).map(|(l, a)| l + a);
        let begins = given.holonomic().iter().cloned().chain(begins);
        let stages = [solve, land];
        let rows = stages.iter().flat_map(|stage| stage.rows());
        let rows = rows.map(|(left, right)| left - right);
        let equations: Vec<Expr> = begins.chain(rows).collect();

        // On groups, with a step of one length.
        let mut at = system.on_groups.clone();
        at.push((self.h.clone(), Expr::ratio(1, SHORT)));
        let on_space: Vec<Expr> = z.iter().map(|z| z.substitute(&at)).collect();
        let on = Conditions {
            equations: substitute_all(&equations, &at),
            unknowns: stages.iter().flat_map(|s| s.unknowns().to_vec()).collect(),
            spare: [free_symbols(&on_space), self.y.clone()].concat(),
        };
        let found = nonzero_where(&change.substitute(&at), &on);
        Ok(found.map(|mut witness| {
            let length = Rational::new(1, SHORT);
            witness.point.push((self.h.clone(), length));
            witness
        }))
    }
}
