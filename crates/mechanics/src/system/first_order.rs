//! Lagrangians that are linear in some velocities: the Euler-Lagrange equations then determine these velocities
//! themselves, not their rates.
//!
//! In velocities v the equations are W v' + b(z, v) = 0. Along the kernel k_i of W the rates drop out and relations
//!
//!   φ_i(z, v) = k_i · b(z, v) = 0
//!
//! are left. For L = a_i(q) q'^i − V(q) these are all equations, da(q', ·) = dV with the two-form da. Where the
//! pairing k_i · ∂b/∂v · k_j (da on the kernel) is regular the relations determine as many velocities as there are
//! of them, and their derivatives with the other equations determine the rates of the rest.

use super::System;
use crate::engine::{MassForm, euler_lagrange};
use crate::equations::Stage;
use crate::error::MechanicsError;
use crate::formulation::Form;
use crate::restriction::Restriction;
use rattleback_geometry::{Independence, Redundant, Section, independent_rows};
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, substitute_all, uncounted};

/// How a Lagrangian that is linear in some velocities determines the motion.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    /// The velocities: of the frame, or of the frame of the constraint distribution.
    velocities: Vec<Symbol>,
    /// The velocities that the relations determine, by their places.
    determined: Vec<usize>,
    /// The rows of W that are independent.
    kept: Vec<usize>,
    mass: Matrix,
    bias: Vec<Expr>,
    /// φ_i, which vanish along motions.
    relations: Vec<Expr>,
    /// ∂φ_i/∂v.
    slopes: Matrix,
    /// The two-form on the kernel of the Hessian; regular.
    pairing: Matrix,
    /// Is the kernel spanned by the directions of the determined velocities themselves?
    pub(crate) is_split: bool,
}

impl FirstOrder {
    /// The two-form da on the kernel of the velocity Hessian, whose determinant is not zero.
    pub fn pairing(&self) -> &Matrix {
        &self.pairing
    }

    /// What vanishes along motions, in positions and velocities, as many as velocities are determined.
    pub fn relations(&self) -> &[Expr] {
        &self.relations
    }

    /// Is the Lagrangian linear in all velocities, so that positions alone determine the motion?
    pub fn is_complete(&self) -> bool {
        self.kept.is_empty()
    }

    /// The velocities that follow from the rest of the state.
    pub fn determined(&self) -> Vec<Symbol> {
        let place = |&i: &usize| self.velocities[i].clone();
        self.determined.iter().map(place).collect()
    }

    /// The velocities that are free at a start.
    pub fn free(&self) -> Vec<Symbol> {
        let is_free = |(i, _): &(usize, &Symbol)| !self.determined.contains(i);
        let free = self.velocities.iter().enumerate().filter(is_free);
        free.map(|(_, v)| v.clone()).collect()
    }

    /// φ(z, v) = 0 for the determined velocities, in which it is linear.
    pub fn solve(&self) -> Stage {
        let unknowns = self.determined();
        let rows: Vec<usize> = (0..self.relations.len()).collect();
        let rest: Vec<_> = unknowns.iter().map(|w| (w.clone(), Expr::zero())).collect();
        let at_rest = substitute_all(&self.relations, &rest);
        Stage::Linear {
            matrix: self.slopes.select(&rows, &self.determined),
            rhs: at_rest.iter().map(|e| -e).collect(),
            unknowns,
        }
    }

    /// W v' = −b in the rows that say something of rates, and dφ/dt = 0 in place of the others.
    pub(crate) fn rates(&self, system: &System, velocity: &[Expr]) -> Stage {
        let v = &self.velocities;
        let still = |s: &Symbol| v.contains(s);
        let drift = system.frame().rates_along(velocity, &self.relations, still);
        let k = self.kept.len();
        let matrix = Matrix::new(v.len(), v.len(), |i, j| match self.kept.get(i) {
            Some(&row) => self.mass[(row, j)].clone(),
            None => self.slopes[(i - k, j)].clone(),
        });
        let pushed = self.kept.iter().map(|&row| -&self.bias[row]);
        Stage::Linear {
            unknowns: v.iter().map(Symbol::derivative).collect(),
            matrix,
            rhs: pushed.chain(drift.iter().map(|e| -e)).collect(),
        }
    }
}

impl System {
    /// How the motion is determined where the Lagrangian is linear in some velocities; none where it is linear in
    /// none, or where they are not determined. Judged at the values of the parameters where the system knows them.
    pub fn first_order(&self) -> Option<&FirstOrder> {
        let find = || uncounted(|| self.find_first_order()).ok().flatten();
        self.first_order.get_or_init(find).as_ref()
    }

    fn find_first_order(&self) -> Result<Option<FirstOrder>, MechanicsError> {
        if self.order > 1 || !self.jet_constraints.is_empty() || self.linear_part_is_zero()? {
            return Ok(None);
        }
        let (MassForm { mass, bias }, velocities) = self.in_free_velocities()?;
        let rows = self.independent(&mass)?;
        let is_proven = |dropped: &Redundant| dropped.verdict.is_proven();
        if rows.dropped.is_empty() || !rows.dropped.iter().all(is_proven) {
            return Ok(None);
        }
        let kernel = kernel(&rows, mass.rows());
        let relations = kernel.transpose().apply(&bias);
        let gradients: Vec<Vec<Expr>> = relations.iter().map(|f| f.gradient(&velocities)).collect();
        let slopes = Matrix::from_rows(&gradients);
        let pairing = &slopes * &kernel;
        if self.rank_at_values(&pairing)? < pairing.rows() {
            return Ok(None);
        }
        let Some(determined) = self.solvable(&slopes, &rows)? else {
            return Ok(None);
        };
        let first = FirstOrder {
            is_split: rows
                .dropped
                .iter()
                .all(|d| d.coefficients.iter().all(Expr::is_zero)),
            velocities,
            determined,
            kept: rows.kept,
            mass,
            bias,
            relations,
            slopes,
            pairing,
        };
        Ok(self.is_linear_in_determined(&first).then_some(first))
    }

    /// Has the Lagrangian no term linear in the velocities? Then there is no two-form.
    fn linear_part_is_zero(&self) -> Result<bool, MechanicsError> {
        let (l, v) = match self.constraints.is_empty() {
            true => (self.lagrangian.clone(), self.frame.fibre().to_vec()),
            false => {
                let sections = self.sections()?;
                let l = sections.restrict(&self.frame, std::slice::from_ref(&self.lagrangian));
                (l[0].clone(), sections.velocities.clone())
            }
        };
        let rest: Vec<_> = v.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let linear = substitute_all(&l.gradient(&v), &rest);
        Ok(linear.iter().all(Expr::is_zero))
    }

    /// The equations in velocities that no constraint restricts.
    fn in_free_velocities(&self) -> Result<(MassForm, Vec<Symbol>), MechanicsError> {
        let (frame, l, force) = (&self.frame, &self.lagrangian, &self.force);
        if self.constraints.is_empty() {
            let form = euler_lagrange(frame, l, 1, force, &[]);
            return Ok((form, frame.fibre().to_vec()));
        }
        let sections = self.sections()?;
        let form = Restriction::of(frame, sections, l, 1, force).equations();
        Ok((form, sections.velocities.clone()))
    }

    /// Velocities that the relations can be solved for, those off the kept rows first.
    fn solvable(
        &self,
        slopes: &Matrix,
        rows: &Independence,
    ) -> Result<Option<Vec<usize>>, MechanicsError> {
        let dropped = rows.dropped.iter().map(|d| d.row);
        let order: Vec<usize> = dropped.chain(rows.kept.iter().copied()).collect();
        let columns = slopes.transpose();
        let all: Vec<usize> = (0..columns.cols()).collect();
        let found = self.independent(&self.at_values(&columns.select(&order, &all)))?;
        let places = found.kept.iter().map(|&k| order[k]);
        Ok((found.kept.len() == slopes.rows()).then(|| places.collect()))
    }

    fn is_linear_in_determined(&self, first: &FirstOrder) -> bool {
        let w = first.determined();
        let columns = first.slopes.transpose();
        let slopes = first.determined.iter().flat_map(|&i| columns.row(i));
        let curved: Vec<Expr> = slopes.flat_map(|e| e.gradient(&w)).collect();
        self.prove_zero(&curved).is_proven()
    }

    fn independent(&self, m: &Matrix) -> Result<Independence, MechanicsError> {
        independent_rows(m, &self.on_groups)
            .map_err(|e| MechanicsError::Distribution(e.to_string()))
    }

    /// A matrix at the values of the parameters where the system knows them.
    pub(crate) fn at_values(&self, m: &Matrix) -> Matrix {
        let values = self.constant_values();
        m.substitute(&values)
    }

    /// The values of the parameters that the system knows.
    pub fn constant_values(&self) -> Vec<(Symbol, Expr)> {
        let known = |(s, _): &&(Symbol, Expr)| s.role() == Role::Constant;
        self.near.iter().filter(known).cloned().collect()
    }

    fn rank_at_values(&self, m: &Matrix) -> Result<usize, MechanicsError> {
        self.generic_rank(&self.at_values(m))
            .map_err(|open| MechanicsError::Undecided {
                why: format!("whether velocities are determined: {open}"),
            })
    }

    /// The velocities of the model on a motion of first order: the solves, and what comes of them. Names of what
    /// is solved for are new, so that velocities that are given stay what they are.
    pub fn determined_velocities(&self) -> Option<(Vec<Stage>, Vec<Expr>)> {
        let first = self.first_order()?;
        let renamed = |v: &Symbol| Symbol::variable(&format!("{v} determined"));
        let pairs = first.determined().into_iter();
        let pairs: Vec<(Symbol, Expr)> = pairs.map(|v| (v.clone(), renamed(&v).into())).collect();
        let rename = |e: &[Expr]| substitute_all(e, &pairs);
        let velocity = self.free_velocity().ok()?;
        let mut stages = Vec::new();
        if !self.constraints.is_empty() {
            stages.push(Stage::on_subframe(
                self.sections().ok()?,
                &self.frame.velocity(),
            ));
        }
        if let Stage::Linear { matrix, rhs, .. } = first.solve().map(rename) {
            stages.push(Stage::Linear {
                unknowns: first.determined().iter().map(renamed).collect(),
                matrix,
                rhs,
            });
        }
        Some((stages, rename(&velocity)))
    }

    /// The ambient velocity in the velocities of a first-order system.
    pub(crate) fn free_velocity(&self) -> Result<Section, MechanicsError> {
        match self.constraints.is_empty() {
            true => Ok(self.frame.velocity()),
            false => Ok(self.sections()?.velocity()),
        }
    }

    /// Refuses formulations whose state has velocities or momenta that a first-order system does not have.
    pub(crate) fn require_velocities(&self, form: Form) -> Result<(), MechanicsError> {
        let works = Form::default_for(self);
        let is_free = matches!(
            form,
            Form::EulerLagrange | Form::EulerPoincare | Form::LagrangePoincare
        );
        match self.constraints.is_empty() {
            true if is_free => Ok(()),
            false if form == works => Ok(()),
            _ => Err(MechanicsError::FirstOrder { form, works }),
        }
    }
}

/// k_i = e_i − Σ c e_kept for every row i of W that is Σ c times the kept ones; as columns.
fn kernel(rows: &Independence, n: usize) -> Matrix {
    let mut kernel = Matrix::zeros(n, rows.dropped.len());
    for (column, dropped) in rows.dropped.iter().enumerate() {
        kernel[(dropped.row, column)] = Expr::one();
        for (&row, c) in rows.kept.iter().zip(&dropped.coefficients) {
            kernel[(row, column)] = -c;
        }
    }
    kernel
}
