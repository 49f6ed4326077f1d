//! Tulczyjew's triple and implicit dynamics (AC-C21, C22, C25).

use super::chain::{Chain, chain_of};
use super::problem::Problem;
use crate::exact::tidy;
use crate::{Answer, Effort, Function, Named, Theorem};
use rattleback_geometry::Frame;
use rattleback_mechanics::phase::{CanonicalPhaseSpace, PhaseError};
use rattleback_mechanics::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, prove_all_zero, rank};

/// Four blocks of n components each.
pub type Blocks = [Vec<Expr>; 4];

/// κ(q, v, q', v') = (q, q', v, v') on TTQ.
pub fn kappa([q, v, dq, dv]: Blocks) -> Blocks {
    [q, dq, v, dv]
}

/// α(q, p, q', p') = (q, q', p', p), from TT*Q to T*TQ.
pub fn alpha([q, p, dq, dp]: Blocks) -> Blocks {
    [q, dq, dp, p]
}

/// The inverse of α.
pub fn alpha_inverse([q, dq, dp, p]: Blocks) -> Blocks {
    [q, p, dq, dp]
}

/// β(q, p, q', p') = (q, p, −p', q'), from TT*Q to T*T*Q.
pub fn beta([q, p, dq, dp]: Blocks) -> Blocks {
    [q, p, dp.iter().map(|e| -e).collect(), dq]
}

/// R(q, q', p, p̃) = (q, p̃, −p, q'), from T*TQ to T*T*Q; β = R∘α.
pub fn turned([q, dq, p, pt]: Blocks) -> Blocks {
    [q, pt, p.iter().map(|e| -e).collect(), dq]
}

/// The complete lift dq' ∧ dp + dq ∧ dp' of the canonical form, in (q, p, q', p').
pub fn lifted_form(n: usize) -> Matrix {
    let mut form = Matrix::zeros(4 * n, 4 * n);
    let mut set = |i: usize, j: usize| {
        form[(i, j)] = Expr::one();
        form[(j, i)] = Expr::from(-1);
    };
    for k in 0..n {
        set(2 * n + k, n + k);
        set(k, 3 * n + k);
    }
    form
}

/// The canonical form Σ dx ∧ dπ in (x, π) with 2n coordinates x.
pub fn canonical(n: usize) -> Matrix {
    let m = 2 * n;
    Matrix::new(2 * m, 2 * m, |i, j| match (i < m, j < m) {
        (true, false) if j == i + m => Expr::one(),
        (false, true) if i == j + m => Expr::from(-1),
        _ => Expr::zero(),
    })
}

/// N_L = α⁻¹(im dL) = {p = ∂L/∂v, p' = ∂L/∂q}, an implicit differential equation on T*Q.
#[derive(Clone, Debug)]
pub struct ImplicitDynamics {
    /// (q, v): the parameters of N_L.
    pub parameters: Vec<Symbol>,
    /// (q, p, q', p') on N_L.
    pub points: Blocks,
    /// Is N_L the graph of a Hamiltonian field, S = β⁻¹(im dH)?
    pub hamiltonian: Answer,
}

impl ImplicitDynamics {
    /// Of a first-order Lagrangian in coordinates.
    pub fn of(system: &System) -> Self {
        let frame = system.frame();
        let (q, v) = (frame.base(), frame.fibre());
        let values = |s: &[Symbol]| -> Vec<Expr> { s.iter().map(Expr::from).collect() };
        let l = system.lagrangian();
        let p: Vec<Expr> = l.gradient(v);
        let points = [values(q), p.clone(), values(v), l.gradient(q)];
        let hamiltonian = match CanonicalPhaseSpace::of(system) {
            Ok(space) => {
                let h = space.hamiltonian();
                let there: Vec<(Symbol, Expr)> = space.momenta().iter().cloned().zip(p).collect();
                let mut gaps = Vec::new();
                for (i, s) in space.momenta().iter().enumerate() {
                    gaps.push(h.diff(s).substitute(&there) - &points[2][i]);
                    gaps.push(-h.diff(&q[i]).substitute(&there) - &points[3][i]);
                }
                Answer::vanish(&gaps, prove_all_zero(&gaps), Function::HamiltonGap)
            }
            Err(PhaseError::Singular { .. }) => Answer::refuted(Theorem::SingularHessian),
            Err(e) => Answer::failed(e),
        };
        Self {
            parameters: [q, v].concat(),
            points,
            hamiltonian,
        }
    }

    /// Σ_L over the constraints N ⊂ TQ: p = ∂L/∂v − μ_s ∂φ^s/∂v and p' = ∂L/∂q − μ_s ∂φ^s/∂q, the vakonomic
    /// dynamics, in coordinates. The parameters are q, the velocities of a frame of the constraints and μ.
    pub fn constrained(system: &System) -> Result<Self, MechanicsError> {
        let frame = system.frame();
        let sections = system.sections()?;
        let (q, v) = (frame.base(), frame.fibre());
        let values = |s: &[Symbol]| -> Vec<Expr> { s.iter().map(Expr::from).collect() };
        let mu = system.variational_multipliers();
        let l = system.lagrangian() - dot(&values(&mu), &system.constraints().residuals(frame));
        let mut p = sections.restrict(frame, &[l.gradient(v), l.gradient(q)].concat());
        let dp = p.split_off(v.len());
        let parameters = [q, &sections.velocities, &mu].concat();
        Ok(Self {
            hamiltonian: is_open(&[values(q), p.clone()].concat(), &parameters),
            points: [values(q), p, sections.velocity(), dp],
            parameters,
        })
    }
}

/// The integrable part of an implicit equation (x(u), x'(u)): S_0 = S, S_{k+1} = S_k ∩ T τ(S_k), where
/// J(u) u' = x'(u) with J = ∂x/∂u can be solved by a field u' that stays in the part (AC-C20, C22).
pub fn integrable(parameters: &[Symbol], points: &Blocks, effort: Effort) -> Chain {
    let [x, p, dx, dp] = points;
    let (here, rates) = ([x.as_slice(), p].concat(), [dx.as_slice(), dp].concat());
    let slopes = Matrix::new(here.len(), parameters.len(), |i, j| {
        here[i].diff(&parameters[j])
    });
    let problem = Problem::new(Frame::coordinates(parameters), slopes, rates, Vec::new());
    let mut chain = chain_of(&problem, effort);
    // Where J is square it is no two-form for that.
    chain.form_rank = None;
    chain.claim = chain.claim.by(Theorem::FieldOfFinalSet);
    chain
}

impl ImplicitDynamics {
    /// The part of N_L through whose points motions pass.
    pub fn integrable(&self, effort: Effort) -> Chain {
        integrable(&self.parameters, &self.points, effort)
    }
}

impl HigherOrderDynamics {
    /// The part of Σ_L through whose points motions pass.
    pub fn integrable(&self, effort: Effort) -> Chain {
        integrable(&self.parameters, &self.points, effort)
    }
}

/// Is a map of full rank?
fn is_open(image: &[Expr], parameters: &[Symbol]) -> Answer {
    let slopes = Matrix::new(image.len(), parameters.len(), |i, j| {
        image[i].diff(&parameters[j])
    });
    match rank(&slopes) {
        Ok(found) if found.rank == image.len() => Answer::proven(Theorem::ProjectsOpenly),
        Ok(found) => Answer::refuted(
            Theorem::ProjectsThinly
                .with("rank", found.rank)
                .with("dimension", image.len()),
        ),
        Err(e) => Answer::failed(e),
    }
}

/// Σ_L of order k in T T*T^(k−1)Q, by the parameters (q, …, q^(k); p_0, …, p_{k−2}) (AC-C25).
#[derive(Clone, Debug)]
pub struct HigherOrderDynamics {
    /// The parameters.
    pub parameters: Vec<Symbol>,
    /// (x, π, x', π') with x = (q, …, q^(k−1)): π = (p_0, …, p_{k−2}, L_k), π' = (L_0, L_1 − p_0, …).
    pub points: Blocks,
}

impl HigherOrderDynamics {
    /// Of a Lagrangian of order k in coordinates q.
    pub fn of(q: &[Symbol], l: &Expr, order: u32) -> Self {
        let jet = |r: u32| -> Vec<Symbol> { q.iter().map(|s| s.jet(s.order() + r)).collect() };
        let momenta: Vec<Vec<Symbol>> = (0..order.saturating_sub(1))
            .map(|r| {
                q.iter()
                    .map(|s| Symbol::variable(&format!("p{r}_{}", s.name())))
                    .collect()
            })
            .collect();
        let values = |s: &[Symbol]| -> Vec<Expr> { s.iter().map(Expr::from).collect() };
        let mut x = Vec::new();
        let mut dx = Vec::new();
        let mut pi = Vec::new();
        let mut dpi = Vec::new();
        for r in 0..order {
            x.extend(values(&jet(r)));
            dx.extend(values(&jet(r + 1)));
            match momenta.get(r as usize) {
                Some(p) => pi.extend(values(p)),
                None => pi.extend(l.gradient(&jet(order))),
            }
            let slope = l.gradient(&jet(r));
            match r.checked_sub(1).and_then(|b| momenta.get(b as usize)) {
                Some(p) => dpi.extend(slope.iter().zip(values(p)).map(|(l, p)| tidy(&(l - p)))),
                None => dpi.extend(slope),
            }
        }
        let jets = (0..=order).flat_map(jet);
        Self {
            parameters: jets.chain(momenta.into_iter().flatten()).collect(),
            points: [x, pi, dx, dpi],
        }
    }
}
