//! The control problem as a constrained variational problem of second order: the controls eliminated (AC-C35 to C38,
//! CG-B1, B2, D3).

use super::{Objective, Solve, Steering};
use crate::equations::Quantity;
use crate::{Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, solve, substitute_all};

/// L̃(z, y, y') = C(z, y, u(z, y, y')), with the equations that no control enters as constraints Φ(z, y, y') = 0.
#[derive(Clone, Debug)]
pub struct SecondOrder {
    /// L̃.
    pub lagrangian: Expr,
    /// Φ.
    pub constraints: Vec<Expr>,
    /// The controls as functions of position, velocity and acceleration.
    pub controls: Vec<(Symbol, Expr)>,
    /// Functions that must not vanish: the minor of the control forms that was inverted.
    pub condition: Expr,
}

impl System {
    /// The second-order problem of a system with as many independent control forms as controls, and no auxiliary
    /// states; none where the forms are dependent or the controls do not enter linearly.
    pub fn second_order(&self) -> Option<SecondOrder> {
        let Some(Objective::Cost(_)) = self.objective() else {
            return None;
        };
        if !self.auxiliary.is_empty() || self.order() > 1 {
            return None;
        }
        let steering = self.steering().ok()?;
        SecondOrder::of(self, &steering)
    }

    /// L̃ and Φ by name, for reading.
    pub(super) fn second_order_quantities(&self) -> Vec<Quantity> {
        let Some(problem) = self.second_order() else {
            return Vec::new();
        };
        let single = problem.constraints.len() == 1;
        let name = |i: usize| match single {
            true => "second_order_constraint".to_owned(),
            false => format!("second_order_constraint{}", i + 1),
        };
        let constraints = problem.constraints.into_iter().enumerate();
        let constraints = constraints.map(|(i, phi)| Quantity::stated(name(i), phi));
        let lagrangian = Quantity::stated("second_order_lagrangian", problem.lagrangian);
        std::iter::once(lagrangian).chain(constraints).collect()
    }
}

impl SecondOrder {
    fn of(system: &System, steering: &Steering) -> Option<Self> {
        let Solve {
            unknowns,
            matrix,
            rhs,
        } = steering.solve.as_ref()?;
        let u = &steering.controls;
        let still: Vec<_> = u.iter().map(|u| (u.clone(), Expr::zero())).collect();
        let slopes: Vec<Vec<Expr>> = rhs.iter().map(|f| f.gradient(u)).collect();
        if u.is_empty() || slopes.iter().flatten().any(|e| e.contains_any(u)) {
            return None;
        }
        // E = M a − f(u = 0) = B u.
        let a: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let free = substitute_all(rhs, &still);
        let pushed: Vec<Expr> = matrix
            .apply(&a)
            .iter()
            .zip(&free)
            .map(|(m, f)| m - f)
            .collect();
        let rows = independent(system, &slopes, u.len())?;
        let pick =
            |of: &[usize]| -> Vec<Vec<Expr>> { of.iter().map(|&i| slopes[i].clone()).collect() };
        let minor = Matrix::from_rows(&pick(&rows));
        let right: Vec<Expr> = rows.iter().map(|&i| pushed[i].clone()).collect();
        let found = solve(&minor, &Matrix::column_vector(&right)).ok()?;
        let values = found.solution.column(0);
        let controls: Vec<(Symbol, Expr)> = u.iter().cloned().zip(values.clone()).collect();
        let rest = (0..rhs.len()).filter(|i| !rows.contains(i));
        let constraints = rest.map(|i| &pushed[i] - dot(&slopes[i], &values));
        Some(Self {
            lagrangian: steering.cost.substitute(&controls),
            constraints: constraints.collect(),
            condition: rattleback_symbolic::determinant(&minor).ok()?,
            controls,
        })
    }

    /// The problem as a Lagrangian of second order on the system's frame, whose form `higher-order` is that of the
    /// papers; for systems without velocity constraints.
    pub fn system(&self, system: &System) -> Option<System> {
        if system.is_constrained() {
            return None;
        }
        let factors: Vec<Factor> = system.factors().to_vec();
        let lagrangian = self.lagrangian.clone();
        let mut of_second_order = System::on_frame(
            system.name(),
            system.frame().clone(),
            factors,
            lagrangian,
            2,
        );
        for phi in &self.constraints {
            of_second_order = of_second_order.with_jet_constraint(phi.clone(), 2);
        }
        Some(of_second_order.with_names(system.names()))
    }
}

/// As many rows as there are controls, with an invertible minor: the first such.
fn independent(system: &System, slopes: &[Vec<Expr>], count: usize) -> Option<Vec<usize>> {
    let mut kept: Vec<usize> = Vec::new();
    for i in 0..slopes.len() {
        let rows: Vec<Vec<Expr>> = kept
            .iter()
            .chain([&i])
            .map(|&k| slopes[k].clone())
            .collect();
        if system.generic_rank(&Matrix::from_rows(&rows)) == Ok(rows.len()) {
            kept.push(i);
        }
        if kept.len() == count {
            return Some(kept);
        }
    }
    None
}

/// The Lagrangian submanifold Σ_L of T\*TD (CG-B3), by position z, velocity w, acceleration w' and the momenta γ of z:
///
/// ```text
/// z' = V,   μ_i = L_z^i − γ_j ∂V^j/∂z^i,   μ_A = L_w^A − γ_j ∂V^j/∂w^A,   γ_A = L_w'^A
/// ```
///
/// whose implicit dynamics are (γ_i, γ_A)' = (μ_i, μ_A).
#[derive(Clone, Debug)]
pub struct Submanifold {
    /// z, w, w' and the γ of z: the parameters.
    pub parameters: Vec<Symbol>,
    /// (z, w), then (γ_i, γ_A), then their rates: a point of TT\*D.
    pub immersion: Vec<Expr>,
}

impl System {
    /// Σ_L of a fully actuated problem in coordinates; none where equations without controls remain, or groups occur.
    pub fn submanifold(&self) -> Option<Submanifold> {
        let problem = self.second_order()?;
        let steering = self.steering().ok()?;
        if !problem.constraints.is_empty() || self.has_groups() {
            return None;
        }
        let z = steering.frame.base().to_vec();
        let w: Vec<Symbol> = steering.states.iter().map(|(s, ..)| s.clone()).collect();
        let rates = steering.solve.as_ref()?.unknowns.clone();
        let gamma = &steering.momenta;
        let carried = gamma.iter().zip(&steering.velocity);
        let carried = Expr::sum(carried.map(|(p, v)| Expr::from(p) * v));
        let l = &problem.lagrangian - carried;
        let of = |all: &[Symbol]| -> Vec<Expr> { all.iter().map(Expr::from).collect() };
        let immersion = [
            of(&z),
            of(&w),
            of(gamma),
            l.gradient(&rates),
            steering.velocity.clone(),
            of(&rates),
            l.gradient(&z),
            l.gradient(&w),
        ];
        Some(Submanifold {
            parameters: [z, w, rates, gamma.clone()].concat(),
            immersion: immersion.concat(),
        })
    }
}
