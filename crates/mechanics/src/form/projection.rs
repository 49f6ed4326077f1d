//! The projection principle: the free field, pushed back into the constraints by reactions only.

use super::Form;
use super::newton::second_order;
use crate::engine::{MassForm, euler_lagrange};
use crate::equations::{Equations, Quantity, Stage};
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// Y = X_h − Σ μ_a ω♯(τ*φ_a) with ω♯(τ*φ) = −ι(k♯φ): free accelerations f, the directions
/// K = k♯Aᵀ, and μ from A(f + K μ) = −(A y + a)' at rest (NG-P1). Here μ_a = λ_a.
pub(super) fn projection_principle(system: &System) -> Result<Equations, MechanicsError> {
    let (frame, constraints) = (system.frame(), system.constraints());
    let MassForm { mass, bias } =
        euler_lagrange(frame, system.lagrangian(), 1, system.force(), &[]);
    let (n, m) = (frame.rank(), constraints.len());
    let a = constraints.forms();
    let entry = |name: String| system.names().on_page(&name);
    let free: Vec<Symbol> = (1..=n).map(|i| entry(format!("f[{i}]"))).collect();
    let column = |s: usize| (1..=n).map(move |i| format!("K[{i},{s}]")).map(entry);
    let push: Vec<Vec<Symbol>> = (1..=m).map(|s| column(s).collect()).collect();
    let lambda = system.multiplier_symbols();

    let mut equations = second_order(system, Form::ProjectionPrinciple);
    equations.notes.push(format!(
        "{} are the accelerations without the constraints, {} those that the multipliers add, each being 1",
        system.names().on_page("f").name(),
        system.names().on_page("K").name()
    ));
    equations.stages.push(Stage::Linear {
        unknowns: free.clone(),
        matrix: mass.clone(),
        rhs: bias.iter().map(|b| -b).collect(),
    });
    for (s, unknowns) in push.iter().enumerate() {
        equations.stages.push(Stage::Linear {
            unknowns: unknowns.clone(),
            matrix: mass.clone(),
            rhs: a.row(s).to_vec(),
        });
    }
    let values = |symbols: &[Symbol]| -> Vec<Expr> { symbols.iter().map(Expr::from).collect() };
    let (free, lambda_values) = (values(&free), values(&lambda));
    let push: Vec<Vec<Expr>> = push.iter().map(|p| values(p)).collect();
    let drift = constraints.rate_at_rest(frame);
    equations.stages.push(Stage::Linear {
        unknowns: lambda.clone(),
        matrix: Matrix::new(m, m, |s, r| dot(a.row(s), &push[r])),
        rhs: (0..m)
            .map(|s| -(&drift[s] + dot(a.row(s), &free)))
            .collect(),
    });
    for i in 0..n {
        let correction = (0..m).map(|s| &push[s][i] * &lambda_values[s]);
        let at = frame.base().len() + i;
        equations.rates[at] = &free[i] + Expr::sum(correction);
    }
    equations.multipliers = lambda
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&lambda_values);
    Ok(equations)
}
