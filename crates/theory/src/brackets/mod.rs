//! The bracket of the constrained system: is it Poisson, and what does its failure mean?
//! (NG-B1 to B7, S1, N4; DP-B6; HJ-C09)

mod dirac_structure;

pub use dirac_structure::DiracStructure;

use crate::distribution::{distribution, involutive};
use crate::exact::Settle;
use crate::{Answer, Case, DistributionReport, Effort, Evidence, Function, Named, Reason, Theorem};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::{FrameMomenta, Jacobiator};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// The almost-Poisson bracket of (q, P), P the momenta of a frame Z of D, and its Jacobiator
///
/// ```text
/// {q^i, P_a} = Z_a^i,   {P_a, P_b} = −⟨p, [Z_a, Z_b]⟩,   Jac(P_a, P_b, q^i) = (pr_⊥ [Z_a, Z_b])^i
/// ```
///
/// so that the Jacobi identity holds exactly where D is closed under brackets.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{BracketReport, Effort};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = BracketReport::of(&knife, Effort::unlimited());
/// assert!(found.poisson.is_refuted());
/// assert_eq!((found.rank, found.dimension), (4, 5));
/// ```
#[derive(Clone, Debug)]
pub struct BracketReport {
    /// Does the Jacobi identity hold?
    pub poisson: Answer,
    /// Positions and frame momenta.
    pub coordinates: Vec<Symbol>,
    /// Their brackets.
    pub matrix: Matrix,
    /// The Hamiltonian in them, so that f' = {f, H}.
    pub hamiltonian: Option<Expr>,
    /// The rank of the bracket, 2 rank D.
    pub rank: usize,
    /// The dimension dim Q + rank D of the constrained phase space.
    pub dimension: usize,
    /// The nonzero Jac(P_a, P_b, q^i), by positions in `coordinates`.
    pub jacobiators: Vec<(Symbol, Symbol, Symbol, Expr)>,
    /// Functions that commute with everything: the integrals of the constraints.
    pub casimirs: Vec<Expr>,
    /// Special values of parameters at which it is Poisson.
    pub cases: Vec<Case>,
    /// Is the Dirac structure {(u, p) : u ∈ H, p − u⌟ω ∈ H°}, of dimension dim Q + rank D, closed?
    pub dirac_closed: Answer,
}

impl BracketReport {
    /// Judges a system.
    pub fn of(system: &System, effort: Effort) -> Self {
        let momenta = match FrameMomenta::of(system) {
            Ok(momenta) => momenta,
            Err(e) => return Self::open(&Reason::failed(e)),
        };
        let bracket = momenta.bracket();
        let (n, k) = (system.frame().rank(), momenta.momenta().len());
        let settle = Settle::new(system);
        let (poisson, jacobiators) = judged(system, &momenta, &settle, effort);
        let (casimirs, special) = DistributionReport::of(system, effort)
            .map(|d| (d.integrals, d.cases))
            .unwrap_or_default();
        let poisson_if = |integrable: Case| Case {
            condition: integrable.condition,
            then: "D is integrable, so that the bracket is Poisson".into(),
        };
        Self {
            dirac_closed: match &poisson {
                Answer::Proven(_) => Answer::proven(Theorem::DiracClosed),
                other => other.clone(),
            },
            poisson,
            coordinates: bracket.coordinates.clone(),
            matrix: bracket.matrix.map(|e| settle.apply(e)),
            hamiltonian: Some(settle.apply(momenta.hamiltonian())),
            rank: 2 * k,
            dimension: n + k,
            jacobiators,
            casimirs,
            cases: special.into_iter().map(poisson_if).collect(),
        }
    }

    fn open(why: &Reason) -> Self {
        Self {
            poisson: Answer::undecided(why.clone()),
            coordinates: Vec::new(),
            matrix: Matrix::zeros(0, 0),
            hamiltonian: None,
            rank: 0,
            dimension: 0,
            jacobiators: Vec::new(),
            casimirs: Vec::new(),
            cases: Vec::new(),
            dirac_closed: Answer::undecided(why.clone()),
        }
    }
}

/// Components with more nodes are shown as they come.
const LONG: usize = 150;

type Component = (Symbol, Symbol, Symbol, Expr);

fn judged(
    system: &System,
    momenta: &FrameMomenta,
    settle: &Settle,
    effort: Effort,
) -> (Answer, Vec<Component>) {
    if system.constraints().is_empty() {
        return (Answer::proven(Theorem::CotangentBracket), Vec::new());
    }
    let closed = match distribution(system) {
        Ok(d) => involutive(&d),
        Err(e) => return (Answer::failed(e), Vec::new()),
    };
    let off = match closed.by(Theorem::JacobiatorVanishes) {
        Answer::Refuted(off) => off,
        other => return (other, Vec::new()),
    };
    let components = Jacobiator::of(system).map_or_else(
        |_| Vec::new(),
        |jacobiator| components(system, momenta, &jacobiator, settle, effort),
    );
    let shown = components.iter().find_map(|c| {
        let of: Vec<String> = [&c.0, &c.1, &c.2].map(ToString::to_string).to_vec();
        let value = std::slice::from_ref(&c.3);
        let what = Function::Jacobiator.with("of", of);
        match Answer::vanish(value, system.prove_zero(value), what) {
            Answer::Refuted(point) => Some(point),
            _ => None,
        }
    });
    let shown = shown.unwrap_or_else(|| Evidence::theorem(Theorem::JacobiatorOffD, [off]));
    (Answer::refuted(shown), components)
}

/// All nonzero Jac(P_a, P_b, z^i).
fn components(
    system: &System,
    momenta: &FrameMomenta,
    j: &Jacobiator,
    settle: &Settle,
    effort: Effort,
) -> Vec<Component> {
    let p = momenta.momenta();
    let mut all = Vec::new();
    for a in 0..p.len() {
        for b in a + 1..p.len() {
            let values = j.with_positions(a, b);
            for (z, value) in system.frame().base().iter().zip(values) {
                if effort.is_spent() {
                    return all;
                }
                let value = if value.node_count() < LONG {
                    settle.apply(&value)
                } else {
                    value
                };
                if !value.is_zero() {
                    all.push((p[a].clone(), p[b].clone(), z.clone(), value));
                }
            }
        }
    }
    all
}
