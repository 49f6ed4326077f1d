//! Equations on the constraint distribution without multipliers: Hamel and the symplectic
//! distribution (H, ϖ).

use super::Form;
use super::lagrange::state_and_rates;
use crate::SlotRole;
use crate::engine::{MassForm, ostrogradsky_momenta};
use crate::equations::{Equations, Quantity, Stage};
use crate::phase::symplectic_block;
use crate::pivots::{diagonal_columns, is_constant};
use crate::{MechanicsError, System};
use rattleback_geometry::Subframe;
use rattleback_symbolic::{Expr, Matrix, Sign, Symbol, dot, substitute_all};

/// (E) on the frame of the constraint distribution, in quasi-velocities y1, y2, … (NG-L5, CG-A5), for Lagrangians of
/// any order.
pub(super) fn hamel(system: &System) -> Result<Equations, MechanicsError> {
    let restricted = system.restricted()?;
    let MassForm { mass, bias } = restricted.equations();
    let rhs = bias.iter().map(|b| -b).collect();
    let momenta = ostrogradsky_momenta(&restricted.frame, &restricted.lagrangian, system.order());
    Ok(on_distribution(
        system,
        system.sections()?,
        Form::Hamel,
        (mass, rhs),
        &momenta,
    ))
}

/// ċ from (H, ϖ), ϖ = [[−B, A], [−A, 0]]: A ċ = B c − Z·∂h, with A = k(Z_a, Z_b) and
/// B = Σ c_i dα_i(Z_a, Z_b), α_i = k♭Z_i (NG-H6, H7 with the sign of erratum E9). A frame that turns
/// with time adds ⟨p, ∂Z_a/∂t⟩ − ∂⟨p, Z_a⟩/∂t at fixed c.
pub(super) fn distributional(system: &System) -> Result<Equations, MechanicsError> {
    let sections = system.sections()?;
    let frame = system.frame();
    let restricted = sections.restrict(frame, &[system.lagrangian().clone(), system.energy()]);
    let (l, h) = (&restricted[0], &restricted[1]);
    let metric = crate::engine::hessian(l, &sections.velocities);
    let b = symplectic_block(frame, sections, &system.momenta());
    let c: Vec<Expr> = sections.velocities.iter().map(Expr::from).collect();
    let force = sections.restrict(frame, system.force());
    let turning = sections.turning(frame, &sections.restrict(frame, &system.momenta()));
    let drift = frame.unsteady(&l.gradient(&sections.velocities), &sections.velocities);
    let rhs = (0..sections.rank())
        .map(|a| {
            let z = sections.basis.column(a);
            let slope = dot(&frame.anchored(&z), &h.gradient(frame.base()));
            dot(b.row(a), &c) - slope + dot(&force, &z) + &turning[a] - &drift[a]
        })
        .collect();
    let momenta = [l.gradient(&sections.velocities)];
    let dynamics = (metric.clone(), rhs);
    let mut equations = on_distribution(system, sections, Form::Distributional, dynamics, &momenta);
    equations.extras.extend(named_matrix("A", &metric));
    equations.extras.extend(named_matrix("B", &b));
    Ok(equations)
}

/// The entries of a matrix by name.
pub(super) fn named_matrix(name: &'static str, m: &Matrix) -> Vec<Quantity> {
    (0..m.rows())
        .flat_map(|i| (0..m.cols()).map(move |j| (i, j)))
        .map(|place| Quantity::in_matrix(name, place, m[place].clone()))
        .collect()
}

/// State (z, v, …, v^(2k-2)) with z' = ρ(X₀ + v^a e_a) and v^(2k-1) from `mass v^(2k-1) = rhs`; the multipliers
/// follow from the motion.
fn on_distribution(
    system: &System,
    sections: &Subframe,
    form: Form,
    (matrix, rhs): (Matrix, Vec<Expr>),
    momenta: &[Vec<Expr>],
) -> Equations {
    let (frame, order) = (system.frame(), system.order());
    let jets = |i: u32| {
        sections
            .velocities
            .iter()
            .map(move |v| v.jet(v.order() + i))
    };
    let velocities: Vec<Symbol> = (0..2 * order - 1).flat_map(jets).collect();
    let (state, rates) = state_and_rates(
        system,
        SlotRole::FrameVelocity,
        &velocities,
        &sections.velocity(),
    );
    let on_d = sections.jet_pairs(frame, 2 * order - 1);
    let mut equations = Equations::new(form, state, rates, system.energy().substitute(&on_d));
    equations.stages.push(Stage::Linear {
        unknowns: jets(2 * order - 1).collect(),
        matrix,
        rhs,
    });
    equations.initial.stages = Stage::jets_on_subframe(frame, sections, 2 * order - 1);
    let named = momenta.iter().enumerate().flat_map(|(i, level)| {
        let symbols = sections.velocities.iter().zip(level);
        symbols.map(move |(v, p)| Quantity::new(reduced_momentum(system, v, i), p.clone()))
    });
    equations.momenta = named.collect();
    attach_reactions(system, sections, &mut equations);
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(sections.basis.clone());
    equations
}

/// P_y1 of a velocity of the distribution, P_y1_1 of its derivative, ….
fn reduced_momentum(system: &System, v: &Symbol, level: usize) -> String {
    let symbol = system.names().reduced_momentum(v.name());
    match level {
        0 => symbol.name().into(),
        _ => format!("{}_{level}", symbol.name()),
    }
}

/// λ from the motion: Aᵀ λ = E, with E_A what (E) of the free system leaves over on y^(i) = Y_i, in as many equations as
/// there are multipliers ([`left_inverse`]).
fn attach_reactions(system: &System, sections: &Subframe, equations: &mut Equations) {
    let (frame, constraints, order) = (system.frame(), system.constraints(), system.order());
    if constraints.is_empty() {
        return;
    }
    let MassForm { mass, bias } =
        crate::engine::euler_lagrange(frame, system.lagrangian(), order, system.force(), &[]);
    let on_d = sections.jet_pairs(frame, 2 * order);
    let n = frame.rank();
    let highest: Vec<Expr> = on_d[on_d.len() - n..].iter().map(|p| p.1.clone()).collect();
    let lhs: Vec<Expr> = substitute_all(&[mass.entries(), &bias].concat(), &on_d);
    let imbalance: Vec<Expr> = (0..n)
        .map(|a| dot(&lhs[a * n..(a + 1) * n], &highest) + &lhs[n * n + a])
        .collect();
    let a = constraints.forms();
    let weights = left_inverse(a, &mass);
    let lambda = system.multiplier_symbols();
    equations.stages.push(Stage::Linear {
        unknowns: lambda.clone(),
        matrix: &weights * &a.transpose(),
        rhs: weights.apply(&imbalance),
    });
    let values: Vec<Expr> = lambda.iter().map(Expr::from).collect();
    equations.multipliers = lambda
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&values);
}

/// W with W Aᵀ regular wherever A has full rank: the rows of columns on which A is diagonal and constant, where there are such, else
/// A D with D the inverse masses of the velocities, so that forces and moments are not added up; where masses may vanish
/// they are left out.
fn left_inverse(a: &Matrix, mass: &Matrix) -> Matrix {
    let by_constants =
        |columns: &Vec<usize>| (0..a.rows()).all(|row| is_constant(&a[(row, columns[row])]));
    if let Some(columns) = diagonal_columns(a).filter(by_constants) {
        let picked = |row: usize, j: usize| Expr::from(i64::from(columns[row] == j));
        return Matrix::new(a.rows(), a.cols(), picked);
    }
    let masses: Vec<&Expr> = (0..a.cols()).map(|j| &mass[(j, j)]).collect();
    match masses.iter().all(|m| m.sign() == Sign::Positive) {
        true => Matrix::new(a.rows(), a.cols(), |row, j| &a[(row, j)] / masses[j]),
        false => a.clone(),
    }
}
