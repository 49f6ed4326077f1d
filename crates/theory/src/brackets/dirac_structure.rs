//! The Dirac structure of a constrained system (NG-S1).

use rattleback_mechanics::phase::{FrameMomenta, PhaseError};
use rattleback_mechanics::{BracketMatrix, System};
use rattleback_symbolic::{Expr, Verdict, dot};

/// {(u, α) : u ∈ H, α − u⌟ω ∈ H°} on the constrained momentum space: the graph {(Π α, α)} of its bivector,
/// of dimension dim Q + rank D and isotropic for ⟨α, v⟩ + ⟨β, u⟩.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::DiracStructure;
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let structure = DiracStructure::of(&knife).unwrap();
/// assert_eq!(structure.pairs().len(), 5);
/// assert!(structure.check_isotropic().is_proven());
/// assert!(structure.check_motion().is_proven());
/// assert!(structure.is_closed().is_refuted());
/// ```
#[derive(Clone, Debug)]
pub struct DiracStructure {
    bracket: BracketMatrix,
    hamiltonian: Expr,
    flow: Vec<Expr>,
    system: System,
}

impl DiracStructure {
    /// For systems with linear constraints and L quadratic in the velocities.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let momenta = FrameMomenta::of(system)?;
        // The motion by its own equations: q' = Z v, P' = −Z[H] + {P, P} v.
        let (frame, sections) = (system.frame(), momenta.sections());
        let p = momenta.momenta();
        let v = momenta.velocities();
        let slope = frame.differential(momenta.hamiltonian());
        let n = frame.base().len();
        let matrix = &momenta.bracket().matrix;
        let positions = frame.anchored(&sections.basis.apply(v));
        let rates = (0..p.len()).map(|a| {
            let turn = (0..p.len()).map(|b| &matrix[(n + a, n + b)] * &v[b]);
            Expr::sum(turn) - dot(&sections.basis.column(a), &slope)
        });
        Ok(Self {
            bracket: momenta.bracket().clone(),
            hamiltonian: momenta.hamiltonian().clone(),
            flow: positions.into_iter().chain(rates).collect(),
            system: system.clone(),
        })
    }

    /// A basis (u, α): the fields of the coordinates (q, P) with their differentials.
    pub fn pairs(&self) -> Vec<(Vec<Expr>, Vec<Expr>)> {
        let n = self.bracket.coordinates.len();
        let unit = |k: usize| -> Vec<Expr> { (0..n).map(|i| i64::from(i == k).into()).collect() };
        (0..n)
            .map(|k| (self.bracket.matrix.column(k), unit(k)))
            .collect()
    }

    /// Is ⟨α, v⟩ + ⟨β, u⟩ = 0 for all pairs?
    pub fn check_isotropic(&self) -> Verdict {
        let pairs = self.pairs();
        let mut all = Vec::new();
        for (u, alpha) in &pairs {
            for (v, beta) in &pairs {
                all.push(dot(alpha, v) + dot(beta, u));
            }
        }
        self.system.prove_zero(&all)
    }

    /// Does it contain the motion, (X, dH) with X = Π dH?
    pub fn check_motion(&self) -> Verdict {
        let image = self.bracket.field(&self.hamiltonian);
        let gap: Vec<Expr> = image.iter().zip(&self.flow).map(|(a, b)| a - b).collect();
        self.system.prove_zero(&gap)
    }

    /// Is it closed under the Courant bracket? Exactly if the bracket is Poisson, that is, if D is
    /// integrable.
    pub fn is_closed(&self) -> Verdict {
        self.bracket.is_poisson(self.system.parametrization())
    }
}
