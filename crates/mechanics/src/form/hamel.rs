//! Equations on the constraint distribution without multipliers: Hamel and the symplectic
//! distribution (H, ϖ).

use super::Form;
use crate::SlotRole;
use crate::engine::{MassForm, Sections, hamel as hamel_operator};
use crate::equations::{Equations, Quantity, Stage};
use crate::{MechanicsError, System};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol, diff_all, dot};

/// (E) with the projected bracket, in quasi-velocities y1, y2, … (NG-L5, CG-A5).
pub(super) fn hamel(system: &System) -> Result<Equations, MechanicsError> {
    let sections = system.sections()?;
    let MassForm { mass, bias } = hamel_operator(
        system.frame(),
        sections,
        system.lagrangian(),
        system.force(),
    );
    let rhs = bias.iter().map(|b| -b).collect();
    Ok(on_distribution(system, sections, Form::Hamel, mass, rhs))
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
    let turning = sections.turning(&sections.restrict(frame, &system.momenta()));
    let drift = diff_all(&l.gradient(&sections.velocities), &Symbol::time());
    let rhs = (0..sections.rank())
        .map(|a| {
            let z = sections.basis.column(a);
            let slope = dot(&frame.anchored(&z), &h.gradient(frame.base()));
            dot(b.row(a), &c) - slope + dot(&force, &z) + &turning[a] - &drift[a]
        })
        .collect();
    let mut equations =
        on_distribution(system, sections, Form::Distributional, metric.clone(), rhs);
    equations.extras.extend(named_matrix("A", &metric));
    equations.extras.extend(named_matrix("B", &b));
    Ok(equations)
}

/// B_ab = Z_a(p·Z_b) − Z_b(p·Z_a) − p·[Z_a, Z_b] with the quasi-velocities frozen.
pub(crate) fn symplectic_block(frame: &Frame, sections: &Sections, momenta: &[Expr]) -> Matrix {
    let p = sections.restrict(frame, momenta);
    let k = sections.rank();
    let z: Vec<Vec<Expr>> = (0..k).map(|a| sections.basis.column(a)).collect();
    let paired: Vec<Expr> = z.iter().map(|v| dot(&p, v)).collect();
    let slopes: Vec<Vec<Expr>> = z.iter().map(|v| frame.act(v, &paired)).collect();
    let mut b = Matrix::zeros(k, k);
    for i in 0..k {
        for j in i + 1..k {
            let value = &slopes[i][j] - &slopes[j][i] - dot(&p, &frame.bracket(&z[i], &z[j]));
            b[(j, i)] = -&value;
            b[(i, j)] = value;
        }
    }
    b
}

fn named_matrix(name: &str, m: &Matrix) -> Vec<Quantity> {
    (0..m.rows())
        .flat_map(|i| (0..m.cols()).map(move |j| (i, j)))
        .map(|(i, j)| Quantity::new(format!("{name}[{},{}]", i + 1, j + 1), m[(i, j)].clone()))
        .collect()
}

/// State (z, v) with z' = ρ(X₀ + v^a e_a) and v' from `mass v' = rhs`; the multipliers follow from
/// the motion through A Aᵀ λ = A (W y' + b).
fn on_distribution(
    system: &System,
    sections: &Sections,
    form: Form,
    mass: Matrix,
    rhs: Vec<Expr>,
) -> Equations {
    let frame = system.frame();
    let v = &sections.velocities;
    let velocity = sections.velocity();
    let state = system.positions().with(SlotRole::FrameVelocity, v.clone());
    let accelerations: Vec<Symbol> = v.iter().map(Symbol::derivative).collect();
    let rates = [
        frame.anchored(&velocity),
        accelerations.iter().map(Expr::from).collect(),
    ]
    .concat();
    let energy = sections.restrict(frame, &[system.energy()]).swap_remove(0);
    let mut equations = Equations::new(form, state, rates, energy);
    equations.stages.push(Stage::Linear {
        unknowns: accelerations,
        matrix: mass,
        rhs,
    });
    equations
        .initial
        .stages
        .push(sections.decompose(&frame.velocity()));
    equations.momenta = v
        .iter()
        .zip(
            sections
                .restrict(frame, &[system.lagrangian().clone()])
                .swap_remove(0)
                .gradient(v),
        )
        .map(|(v, p)| Quantity::new(system.names().reduced_momentum(v.name()).name(), p))
        .collect();
    attach_reactions(system, sections, &mut equations);
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(sections.basis.clone());
    equations
}

/// λ from the accelerations: A Aᵀ λ = A (W y' + b) on y = V.
fn attach_reactions(system: &System, sections: &Sections, equations: &mut Equations) {
    let (frame, constraints) = (system.frame(), system.constraints());
    let m = constraints.len();
    if m == 0 {
        return;
    }
    let MassForm { mass, bias } =
        crate::engine::euler_lagrange(frame, system.lagrangian(), 1, system.force(), &[]);
    let velocity = sections.velocity();
    let acceleration = frame.rates_along(&velocity, &velocity, |_| false);
    let lhs: Vec<Expr> = sections.restrict(frame, &[mass.entries(), &bias].concat());
    let n = frame.rank();
    let imbalance: Vec<Expr> = (0..n)
        .map(|a| dot(&lhs[a * n..(a + 1) * n], &acceleration) + &lhs[n * n + a])
        .collect();
    let a = constraints.forms();
    let lambda = system.multiplier_symbols();
    equations.stages.push(Stage::Linear {
        unknowns: lambda.clone(),
        matrix: a * &a.transpose(),
        rhs: a.apply(&imbalance),
    });
    let values: Vec<Expr> = lambda.iter().map(Expr::from).collect();
    equations.multipliers = lambda
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&values);
}
