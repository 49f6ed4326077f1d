//! The reduced system of a Chaplygin structure: base frame, lifts, metric, gyroscopic tensor
//! (HJ-C28 to C32, DP-B12, B13, VE-C18).

use crate::exact::{metric_inverse, tidy, tidy_all};
use crate::{Answer, Evidence, Function, Gap, Named, Reason, Theorem};
use rattleback_geometry::{Frame, Section, vanish_on};
use rattleback_mechanics::engine::hessian;
use rattleback_mechanics::fibre::{fibre_identity, names_of};
use rattleback_mechanics::phase::SymmetryAlgebra;
use rattleback_mechanics::{Chaplygin, NoReduction as Unreduced, Orbits, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, substitute_all};

/// Why a choice of fibre gives no reduction.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoReduction {
    /// It cannot, for a reason that is shown.
    #[error("{0}")]
    Refuted(Evidence),
    /// A step was not decided or is out of scope.
    #[error("{0}")]
    Undecided(Reason),
}

impl From<Unreduced> for NoReduction {
    fn from(none: Unreduced) -> Self {
        match none {
            Unreduced::Dimension {
                fibre,
                dimension,
                constraints,
            } => {
                let wrong = Theorem::FibreDimension
                    .with("fibre", fibre)
                    .with("dimension", dimension);
                Self::Refuted(wrong.with("constraints", constraints).into())
            }
            Unreduced::NotDetermined { fibre, error } => {
                let singular = Theorem::FibreNotDetermined.with("fibre", fibre);
                Self::Refuted(singular.with("error", error.to_string()).into())
            }
            // Not solved is not unsolvable.
            Unreduced::NotSolved { fibre, error } => {
                let gap = Gap::FibreVelocities.with("fibre", fibre);
                Self::Undecided(gap.with("error", error.to_string()).into())
            }
            Unreduced::NoSlice => Self::Undecided(Gap::NoSlice.into()),
            Unreduced::AlongSlice { error } => {
                let gap = Gap::OrbitsAlongSlice.with("error", error.to_string());
                Self::Undecided(gap.into())
            }
            Unreduced::SeesFibre {
                what,
                factor,
                slopes,
                verdict,
            } => {
                let name = Function::AlongFibre.with("factor", factor);
                let flat = Answer::vanish(&slopes, verdict, name);
                match flat.against(Theorem::NotProjectable.with("what", what.words())) {
                    Answer::Refuted(shown) => Self::Refuted(shown),
                    Answer::Undecided(why) => Self::Undecided(why),
                    // Only what is not proven is given.
                    Answer::Proven(_) => Self::Undecided(Gap::NoFibre.with("fibres", 1).into()),
                }
            }
        }
    }
}

/// TQ = D ⊕ V with V the fibre directions. With h_α ∈ D the lift of the base section e_α,
/// [e_α, e_β] = c^γ_αβ e_γ on the base:
///
/// ```text
/// ḡ_αβ = g(h_α, h_β),   P_α = ḡ_αβ r'^β,   H̄ = ½ ḡ^αβ P_α P_β + V̄,   hl(P) = g h_α ḡ^αβ P_β
/// Ξ_αβ = −⟨hl(P), [h_α, h_β] − c^γ_αβ h_γ⟩ = C^γ_αβ P_γ,   τ_α = C^β_αβ
/// r' = ∂H̄/∂P,   P_α' = −e_α[H̄] − c^γ_αβ P_γ r'^β + Ξ_αβ r'^β
/// ```
#[derive(Clone, Debug)]
pub struct Reduction {
    /// Names of the factors that make up the fibre.
    pub fibre: Vec<String>,
    /// The velocities of the fibre.
    pub fibre_velocities: Vec<Symbol>,
    /// The base with its frame; the base velocities are its fibre coordinates.
    pub base: Frame,
    /// h_α, as ambient sections.
    pub lifts: Vec<Section>,
    /// A with s'^a = −A^a_α r'^α.
    pub connection: Matrix,
    /// B^a_αβ = −A([h_α, h_β])^a: one matrix per fibre velocity.
    pub curvature: Vec<Matrix>,
    /// ḡ_αβ.
    pub metric: Matrix,
    /// ḡ^αβ.
    pub inverse_metric: Matrix,
    /// V̄.
    pub potential: Expr,
    /// l(r, r') = L on D.
    pub lagrangian: Expr,
    /// The symbols P_α.
    pub momenta: Vec<Symbol>,
    /// H̄(r, P).
    pub hamiltonian: Expr,
    /// hl(P), in the ambient frame; still with fibre positions in it.
    pub lift: Vec<Expr>,
    /// C^γ_αβ: one matrix per γ.
    pub tensor: Vec<Matrix>,
    /// Functions that must not vanish.
    pub conditions: Vec<Expr>,
    /// Positions that are held on a slice across the orbits, on which everything is written; empty where the
    /// fibre is made of factors.
    pub slice: Vec<(Symbol, Expr)>,
    /// Redundant coordinates of the base by free ones.
    pub on: Vec<(Symbol, Expr)>,
    /// Base coordinates on circles.
    pub circles: Vec<Symbol>,
    /// The start of the model, with values of its parameters.
    pub near: Vec<(Symbol, Expr)>,
}

impl Reduction {
    /// The reduction with these factors as fibre.
    pub fn with_fibre(system: &System, fibre: &[usize]) -> Result<Self, NoReduction> {
        let reduced = Chaplygin::rewritten(system, fibre, tidy_all)?;
        let moved = fibre.iter().map(|&i| system.factors()[i].fibre.clone());
        let moved = moved.flat_map(|range| system.frame().fibre()[range].to_vec());
        let fibre = Fibre {
            names: names_of(system, fibre),
            velocities: moved.collect(),
            held: fibre_identity(system, fibre),
            slice: Vec::new(),
            near: system.start_point().to_vec(),
        };
        Restricted::of(system, &reduced)?.on_base(system, reduced, fibre)
    }

    /// The reduction by a group that leaves the system alone and whose orbits are transversal to D, on the slice of
    /// [`Chaplygin::along_orbits`].
    pub fn along_orbits(system: &System, algebra: &SymmetryAlgebra) -> Result<Self, NoReduction> {
        let reduced = Chaplygin::along_orbits(system, algebra)?;
        let orbits = reduced.orbits.clone();
        let orbits = orbits.ok_or_else(|| NoReduction::Undecided(Gap::NoSlice.into()))?;
        let rate = |name: &String| Symbol::variable(name).derivative();
        let fibre = Fibre {
            velocities: orbits.fields.iter().map(rate).collect(),
            near: near(system, &orbits),
            slice: orbits.held.clone(),
            held: orbits.held,
            names: orbits.fields,
        };
        Restricted::of(system, &reduced)?.on_base(system, reduced, fibre)
    }

    /// dim of the base.
    pub fn rank(&self) -> usize {
        self.base.rank()
    }

    /// Ξ_αβ(r, P).
    pub fn gyroscopic(&self) -> Matrix {
        let n = self.rank();
        Matrix::new(n, n, |a, b| {
            Expr::sum((0..n).map(|c| &self.tensor[c][(a, b)] * Expr::from(&self.momenta[c])))
        })
    }

    /// τ_α = C^β_αβ (HJ-C32).
    pub fn trace(&self) -> Vec<Expr> {
        let n = self.rank();
        (0..n)
            .map(|a| tidy(&Expr::sum((0..n).map(|b| self.tensor[b][(a, b)].clone()))))
            .collect()
    }

    /// r'^α = ḡ^αβ P_β.
    pub fn velocities(&self) -> Vec<Expr> {
        let p: Vec<Expr> = self.momenta.iter().map(Expr::from).collect();
        self.inverse_metric.apply(&p)
    }

    /// The rates of the base coordinates and of P (HJ-C31).
    pub fn rates(&self) -> (Vec<Expr>, Vec<Expr>) {
        let v = self.velocities();
        let p: Vec<Expr> = self.momenta.iter().map(Expr::from).collect();
        let slope = self.base.differential(&self.hamiltonian);
        let bracket = self.base.gyroscopic(&v, &p);
        let turn = self.gyroscopic().apply(&v);
        let rates = (0..self.rank())
            .map(|a| &turn[a] - &slope[a] - &bracket[a])
            .collect();
        (self.base.anchored(&v), rates)
    }

    /// Does the gyroscopic force vanish, Ξ_αβ r'^β = 0? Exactly if C_γαβ + C_βαγ = 0 with the first index
    /// lowered (VE-C15 R1, C23); with two base coordinates exactly if Ξ = 0.
    pub fn is_gyroscopic_free(&self) -> Answer {
        let n = self.rank();
        let lowered = |c: usize, a: usize, b: usize| {
            Expr::sum((0..n).map(|d| &self.metric[(c, d)] * &self.tensor[d][(a, b)]))
        };
        let mut all = Vec::new();
        for a in 0..n {
            for b in 0..n {
                for c in b..n {
                    all.push(lowered(c, a, b) + lowered(b, a, c));
                }
            }
        }
        Answer::vanish(&all, self.prove_zero(&all), Function::GyroscopicForce)
    }

    /// Proves that functions on the base and its momenta vanish.
    pub fn prove_zero(&self, f: &[Expr]) -> Verdict {
        vanish_on(f, &self.on)
    }
}

/// The start of the model carried to the slice, where that is known; else its parameters alone, unless it lies there.
fn near(system: &System, orbits: &Orbits) -> Vec<(Symbol, Expr)> {
    let (start, positions) = (system.start_point(), system.frame().base());
    let there = |held: &(Symbol, Expr)| start.contains(held);
    if orbits.met.is_none() && orbits.held.iter().all(there) {
        return start.to_vec();
    }
    let parameters = start.iter().filter(|(s, _)| !positions.contains(s));
    let met = orbits.met.iter().flatten();
    let met: Vec<(Symbol, Expr)> = met
        .map(|(s, e)| (s.clone(), tidy(&e.substitute(start))))
        .collect();
    let known = |(_, e): &(Symbol, Expr)| !e.contains_any(positions);
    let met = match met.iter().all(known) {
        true => met,
        false => Vec::new(),
    };
    parameters.cloned().chain(met).collect()
}

/// What the fibre is called, and where it is cut.
struct Fibre {
    names: Vec<String>,
    velocities: Vec<Symbol>,
    /// Where the fibre is cut.
    held: Vec<(Symbol, Expr)>,
    /// The same if that is more than a choice of the origin.
    slice: Vec<(Symbol, Expr)>,
    near: Vec<(Symbol, Expr)>,
}

/// What is left of the system on the lifts, possibly with fibre positions in it.
struct Restricted {
    metric: Matrix,
    potential: Expr,
    /// C_δαβ with lower first index: Ξ_αβ = C_δαβ r'^δ.
    gyroscopic: Vec<Matrix>,
}

impl Restricted {
    /// For a Lagrangian that is quadratic in the base velocities.
    fn of(system: &System, reduced: &Chaplygin) -> Result<Self, NoReduction> {
        let (v, lagrangian) = (&reduced.sections.velocities, &reduced.lagrangian);
        let rest: Vec<(Symbol, Expr)> = v.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let metric = hessian(lagrangian, v);
        if metric.entries().iter().any(|e| e.contains_any(v)) {
            return Err(NoReduction::Undecided(Gap::NotQuadratic.into()));
        }
        let linear = substitute_all(&lagrangian.gradient(v), &rest);
        if !system.prove_zero(&linear).is_proven() {
            return Err(NoReduction::Undecided(Gap::LinearTerm.into()));
        }
        Ok(Self {
            potential: -lagrangian.substitute(&rest),
            gyroscopic: v
                .iter()
                .map(|s| reduced.gyroscopic.map(|e| e.diff(s)))
                .collect(),
            metric,
        })
    }

    /// Everything at the identity of the fibre, where the base is all that is left.
    fn on_base(
        self,
        system: &System,
        reduced: Chaplygin,
        fibre: Fibre,
    ) -> Result<Reduction, NoReduction> {
        let here = |e: &Expr| tidy(&e.substitute(&fibre.held));
        let base = &reduced.frame;
        let n = base.rank();
        let metric = self.metric.map(here);
        let upper = metric_inverse(&metric)
            .map_err(|e| {
                let gap = Gap::ReducedMetric.with("error", e.to_string());
                NoReduction::Undecided(gap.into())
            })?
            .map(tidy);
        let lower: Vec<Matrix> = self.gyroscopic.iter().map(|m| m.map(here)).collect();
        let tensor: Vec<Matrix> = (0..n)
            .map(|c| {
                Matrix::new(n, n, |a, b| {
                    tidy(&Expr::sum(
                        (0..n).map(|d| &lower[d][(a, b)] * &upper[(d, c)]),
                    ))
                })
            })
            .collect();
        let momenta: Vec<Symbol> = base
            .fibre()
            .iter()
            .map(|v| system.names().reduced_momentum(v.name()))
            .collect();
        let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
        let velocities = upper.apply(&p);
        let potential = here(&self.potential);
        let kinetic = dot(&p, &velocities) / 2;
        let known: Vec<(Symbol, Expr)> = base
            .fibre()
            .iter()
            .cloned()
            .zip(velocities.iter().cloned())
            .collect();
        let base_coordinates = base.base().to_vec();
        let lifts = (0..n).map(|a| reduced.sections.basis.column(a));
        let is_base = |s: &Symbol| base_coordinates.contains(s);
        let on = system.parametrization().iter();
        let circles = system.circles().iter();
        Ok(Reduction {
            fibre: fibre.names,
            fibre_velocities: fibre.velocities,
            lift: tidy_all(&substitute_all(&reduced.covector, &known)),
            lifts: lifts.collect(),
            connection: reduced.connection,
            curvature: reduced.curvature.iter().map(|b| b.map(tidy)).collect(),
            lagrangian: here(&reduced.lagrangian),
            hamiltonian: tidy(&(kinetic + &potential)),
            conditions: reduced.conditions,
            on: on.filter(|(s, _)| is_base(s)).cloned().collect(),
            circles: circles.filter(|s| is_base(s)).cloned().collect(),
            near: fibre.near,
            slice: fibre.slice,
            inverse_metric: upper,
            base: reduced.frame,
            metric,
            potential,
            momenta,
            tensor,
        })
    }
}
