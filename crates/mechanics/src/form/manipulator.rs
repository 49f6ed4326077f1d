//! The equations by their matrices, as robotics writes them.

use super::newton::{applied_force, newton};
use super::{Form, named_matrix};
use crate::engine::hessian;
use crate::equations::{Equations, Quantity};
use crate::{MechanicsError, System};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol, diff_all};

/// M y' + C(z, y) y + g = B u + Q + Aᵀλ, A y + a = 0: Newton's law with its parts as matrices.
///
/// C holds the Christoffel symbols of the frame, so that Ṁ − 2C is skew; g is dV, B u the controls that act linearly, Q
/// every other force. What vanishes altogether is left out.
pub(super) fn manipulator(system: &System) -> Result<Equations, MechanicsError> {
    let mut equations = newton(system)?;
    equations.form = Form::Manipulator;
    let frame = system.frame();
    let mass = hessian(system.lagrangian(), frame.fibre());
    let coriolis = christoffel(frame, &mass);
    let (push, other) = inputs(system);
    let slope: Vec<Expr> = applied_force(system)
        .iter()
        .zip(system.force())
        .map(|(all, force)| force - all)
        .collect();
    let parts = [
        named_matrix("M", &mass),
        named_matrix("C", &coriolis),
        named_vector("g", slope),
        named_matrix("B", &push),
        named_vector("Q", other),
        named_matrix("A", system.constraints().forms()),
    ];
    let says = |part: &Vec<Quantity>| part.iter().any(|q| !q.value.is_zero());
    equations.extras = parts.into_iter().filter(says).flatten().collect();
    Ok(equations)
}

/// C_DB = Γ_AB,D y^A with the lowered Christoffel symbols of the frame (CG-A4):
/// 2 Γ_AB,D = e_A(G_BD) + e_B(G_AD) − e_D(G_AB) + C^E_AB G_ED − C^E_AD G_EB − C^E_BD G_EA.
fn christoffel(frame: &Frame, metric: &Matrix) -> Matrix {
    let (y, n) = (frame.velocity(), frame.rank());
    let along = frame.act(&y, metric.entries());
    let momentum = metric.apply(&y);
    // slopes[(d, b)] = e_d(G_ab) y^a.
    let slopes: Vec<Vec<Expr>> = (0..n).map(|d| frame.act_basis(d, &momentum)).collect();
    // turned[b][d] = C^E_DA y^A G_EB.
    let turned: Vec<Vec<Expr>> = (0..n)
        .map(|b| frame.gyroscopic(&y, &metric.column(b)))
        .collect();
    // paired[b][d] = C^E_DB p_E.
    let unit = |b: usize| -> Vec<Expr> { (0..n).map(|a| i64::from(a == b).into()).collect() };
    let paired: Vec<Vec<Expr>> = (0..n)
        .map(|b| frame.gyroscopic(&unit(b), &momentum))
        .collect();
    Matrix::new(n, n, |d, b| {
        let terms = [
            along[b * n + d].clone(),
            slopes[b][d].clone(),
            -&slopes[d][b],
            -&turned[d][b],
            turned[b][d].clone(),
            paired[b][d].clone(),
        ];
        Expr::sum(terms) / 2
    })
}

/// B and Q of F = B u + Q, over the controls that the force is linear in.
fn inputs(system: &System) -> (Matrix, Vec<Expr>) {
    let force = system.force();
    let controls = system.feed().iter().map(|(u, _)| u);
    let linear: Vec<(&Symbol, Vec<Expr>)> = controls
        .map(|u| (u, diff_all(force, u)))
        .filter(|(_, column)| column.iter().any(|e| !e.is_zero()))
        .filter(|(_, column)| !system.feed().iter().any(|(u, _)| mentions(column, u)))
        .collect();
    let other = (0..force.len()).map(|a| {
        let pushed = linear.iter().map(|(u, column)| &column[a] * Expr::from(*u));
        &force[a] - Expr::sum(pushed)
    });
    let other = other.collect();
    let push = Matrix::new(force.len(), linear.len(), |a, k| linear[k].1[a].clone());
    (push, other)
}

fn mentions(column: &[Expr], u: &Symbol) -> bool {
    column.iter().any(|e| e.contains(u))
}

fn named_vector(name: &'static str, v: Vec<Expr>) -> Vec<Quantity> {
    v.into_iter()
        .enumerate()
        .map(|(i, e)| Quantity::in_vector(name, i, e))
        .collect()
}
