//! Solutions from the base of a Chaplygin system: multiplier, Chaplygin Hamiltonian, separation, lift
//! (HJ-C38, C39).

use super::primitive::logarithmic;
use super::separation::{Separated, levi_civita, separate};
use super::solution::{Candidate, Method};
use crate::Answer;
use crate::exact::{tidy, tidy_all};
use rattleback_mechanics::{Chaplygin, Quantity, System};
use rattleback_symbolic::{
    Budget, Expr, Matrix, Symbol, determinant_within, dot, inverse, prove_all_zero,
};

/// The Chaplygin Hamiltonian H_C(r, P) = ½ f⁻² ḡ^αβ P_α P_β + V̄ and its separation.
#[derive(Clone, Debug)]
pub struct ChaplyginRoute {
    /// The multiplier f.
    pub multiplier: Expr,
    /// H_C, with momenta P_r.
    pub hamiltonian: Expr,
    /// The base coordinates.
    pub base: Vec<Symbol>,
    /// The momenta P_r = f p_r.
    pub momenta: Vec<Symbol>,
    /// Levi-Civita's test of H_C.
    pub separable: Answer,
    /// The separated equation H_C(r, dW) = E.
    pub separated: Option<Separated>,
}

/// `None` unless Ξ = dF ∧ Θ with f = exp F in closed form.
pub(crate) fn route(
    system: &System,
    names: &[Symbol],
) -> Option<(ChaplyginRoute, Option<Candidate>)> {
    let c = Chaplygin::on_coordinates(system)?;
    let k = c.sections.rank();
    let v = &c.sections.velocities;
    let metric = rattleback_mechanics::engine::hessian(&c.lagrangian, v).map(tidy);
    if metric.entries().iter().any(|e| e.contains_any(v)) {
        return None;
    }
    let upper = inverse(&metric).ok()?.solution.map(tidy);
    // C^γ_αβ: Ξ_αβ = C^γ_αβ P_γ, P = ḡ r'.
    let tensor = |a: usize, b: usize| -> Vec<Expr> {
        tidy_all(&upper.transpose().apply(&c.gyroscopic[(a, b)].gradient(v)))
    };
    let slope = trace_form(k, &tensor)?;
    // Principal minors of a metric are positive.
    let mut positive: Vec<Expr> = (0..k).map(|a| metric[(a, a)].clone()).collect();
    positive.extend(determinant_within(&metric, Budget::SMALL).map(|d| tidy(&d)));
    let multiplier = exponential(&slope, &c.base, &positive)?;
    let momenta: Vec<Symbol> = c
        .base
        .iter()
        .map(|r| system.names().reduced_momentum(r.name()))
        .collect();
    let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
    let rest: Vec<(Symbol, Expr)> = v.iter().map(|v| (v.clone(), Expr::zero())).collect();
    let potential = -c.lagrangian.substitute(&rest);
    let kinetic = dot(&upper.apply(&p), &p) / (2 * multiplier.powi(2));
    let hamiltonian = tidy(&(kinetic + potential));
    let separable = levi_civita(&hamiltonian, &c.base, &momenta);
    let separated = match separable.is_proven() {
        true => separate(&hamiltonian, &c.base, &momenta, names),
        false => None,
    };
    let candidate = separated.as_ref().map(|w| {
        // γ = hl^M(dW/f): g h_α ḡ^αβ W_β' / f.
        let slopes: Vec<Expr> = w.pieces.iter().map(|p| &p.momentum / &multiplier).collect();
        let raised = upper.apply(&slopes);
        let mass: Matrix = system.mass_matrix();
        let velocity = c.sections.basis.apply(&raised);
        Candidate {
            method: Method::Chaplygin,
            form: tidy_all(&mass.apply(&velocity)),
            constants: w.constants.clone(),
            integrals: integrals(w, &metric, v, &momenta, &multiplier),
            levels: None,
            notes: vec![format!(
                "lifted from the base with the multiplier f = {multiplier}"
            )],
        }
    });
    let found = ChaplyginRoute {
        base: c.base.clone(),
        multiplier,
        hamiltonian,
        momenta,
        separable,
        separated,
    };
    Some((found, candidate))
}

/// The constants of separation in the velocities: P = f ḡ r'.
fn integrals(
    w: &Separated,
    metric: &Matrix,
    v: &[Symbol],
    momenta: &[Symbol],
    f: &Expr,
) -> Vec<Quantity> {
    let values: Vec<Expr> = v.iter().map(Expr::from).collect();
    let known: Vec<(Symbol, Expr)> = momenta
        .iter()
        .cloned()
        .zip(metric.apply(&values).iter().map(|p| p * f))
        .collect();
    w.constants
        .iter()
        .zip(&w.integrals)
        .skip(1)
        .map(|(c, e)| Quantity::new(c.name(), tidy(&e.substitute(&known))))
        .collect()
}

/// F_α with C^γ_αβ = F_α δ^γ_β − F_β δ^γ_α, if the tensor is a pure trace.
fn trace_form(k: usize, tensor: &dyn Fn(usize, usize) -> Vec<Expr>) -> Option<Vec<Expr>> {
    if k < 2 {
        return Some(vec![Expr::zero(); k]);
    }
    let slope: Vec<Expr> = (0..k)
        .map(|a| {
            let trace = Expr::sum((0..k).filter(|b| *b != a).map(|b| tensor(a, b)[b].clone()));
            tidy(&(trace / (k as i64 - 1)))
        })
        .collect();
    let mut gaps = Vec::new();
    for a in 0..k {
        for b in a + 1..k {
            for (d, c) in tensor(a, b).iter().enumerate() {
                let mut pure = Expr::zero();
                if d == b {
                    pure += slope[a].clone();
                }
                if d == a {
                    pure -= slope[b].clone();
                }
                gaps.push(c - pure);
            }
        }
    }
    prove_all_zero(&gaps).is_proven().then_some(slope)
}

/// f with d ln f = F, coordinate by coordinate.
fn exponential(slope: &[Expr], r: &[Symbol], hints: &[Expr]) -> Option<Expr> {
    let curls = (0..r.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let curls: Vec<Expr> = curls
        .map(|(i, j)| slope[i].diff(&r[j]) - slope[j].diff(&r[i]))
        .collect();
    if prove_all_zero(&curls).is_refuted() {
        return None;
    }
    let mut f = Expr::one();
    for (i, u) in r.iter().enumerate() {
        let left = tidy(&(&slope[i] - f.diff(u) / &f));
        if r[..i].iter().any(|x| left.contains(x)) {
            return None;
        }
        f = tidy(&(f * logarithmic(&left, u, hints)?));
    }
    let gaps: Vec<Expr> = r
        .iter()
        .zip(slope)
        .map(|(u, s)| f.diff(u) / &f - s)
        .collect();
    prove_all_zero(&gaps).is_proven().then_some(f)
}
