//! What stands beside the equations of motion as vectors: constraints and the energy.

use super::ansatz::combination;
use super::dynamics::{Dynamics, Found};
use super::terms::signed;
use crate::document::Vector;
use crate::sheet::energy;
use crate::symbolic::{Expr, Kind, Symbol, prove_all_zero};

impl Dynamics<'_> {
    /// Constraints with three components.
    pub(super) fn constraints(&mut self, found: &[Found]) {
        let all = &self.problem.constraints;
        if all.len() != self.stated.residuals.len() {
            return;
        }
        let statements = all.last().map_or(0, |c| c.statement + 1);
        for statement in 0..statements {
            let places: Vec<usize> = (0..all.len())
                .filter(|&i| all[i].statement == statement)
                .collect();
            let value: Vec<Expr> = places.iter().map(|&i| all[i].expr.clone()).collect();
            let shown = places.iter().map(|&i| &self.stated.residuals[i]);
            let gaps: Vec<Expr> = shown.zip(&value).map(|(r, v)| r - v).collect();
            if places.len() != 3 || !prove_all_zero(&gaps).is_proven() {
                continue;
            }
            if let Some(sum) = self.constraint(found, &value) {
                self.form
                    .constraints
                    .push((sum, Vector::Scalar(Expr::zero())));
                self.form.replaced.extend(places);
            }
        }
    }

    /// What the factors add to a constraint as vectors, and the rest of it in components.
    fn constraint(&mut self, found: &[Found], value: &[Expr]) -> Option<Vector> {
        let velocities = found.iter().flat_map(|f| &f.atoms.turning.velocities);
        let at_rest: Vec<(Symbol, Expr)> = velocities.map(|s| (s.clone(), Expr::zero())).collect();
        let other: Vec<Expr> = value.iter().map(|e| e.substitute(&at_rest)).collect();
        let target: Vec<Expr> = value.iter().zip(&other).map(|(v, o)| v - o).collect();
        let mut candidates = Vec::new();
        for f in found {
            candidates.extend(f.atoms.in_space(&target, self.names));
        }
        let mut sum = signed(combination(&target, &candidates, &self.parameters())?);
        if let (Vector::Sum(all), true) = (&mut sum, other.iter().any(|e| !e.is_zero())) {
            all.insert(0, (false, Vector::Column(other)));
        }
        Some(sum)
    }

    /// ½ ω·J ω of each factor and what is left of the energy without it.
    pub(super) fn energy(&mut self, found: &[Found]) {
        let energy = &self.stated.energy;
        let parts = || found.iter().flat_map(|f| &f.energy);
        let symbols = parts().flat_map(|q| &q.of);
        let symbols = symbols.filter_map(|v| v.as_symbol().cloned());
        let at_rest: Vec<(Symbol, Expr)> = symbols.map(|s| (s, Expr::zero())).collect();
        let rest = energy.substitute(&at_rest);
        let sum = Expr::sum(parts().map(|q| q.value.clone()).chain([rest.clone()]));
        let mut terms: Vec<(bool, Vector)> = parts().map(|q| (false, q.vector.clone())).collect();
        let rest = energy::written(&rest, &self.stated.moving()).swap_remove(0);
        let (number, core) = rest.split_coefficient();
        let plain = !matches!(core.kind(), Kind::Sum(..));
        match number.is_negative() && plain {
            true => terms.push((true, Vector::Scalar(-&rest))),
            false if !rest.is_zero() => terms.push((false, Vector::Scalar(rest))),
            false => {}
        }
        if !found.is_empty() && prove_all_zero(&[energy - &sum]).is_proven() {
            self.form.energy = Some(Vector::Sum(terms));
        }
    }
}
