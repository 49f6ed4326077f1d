//! Chaplygin reduction: the system on the quotient by a fibre that the constraints determine and nothing depends on.

use crate::error::MechanicsError;
use crate::fibre::{candidates, fibre_identity, names_of, symmetry_fibre};
use crate::system::{Factor, System};
use rattleback_geometry::{Frame, Quotient, Section, Subframe};
use rattleback_symbolic::{Expr, LinearError, Matrix, Symbol, Verdict, dot, substitute_all};

/// The reduced system on the base: TQ = D ⊕ V with V the fibre directions, and the horizontal lifts
/// h_α ∈ D of the base velocities (HJ-C27 to C30, DP-B12 to B14, VE-C12, C18).
///
/// The base may be a group, or have one as a factor; then e_α act as its frame says and [e_α, e_β] = c^γ_αβ e_γ.
#[derive(Clone, Debug)]
pub struct Chaplygin {
    /// The factors that are fibre; those that are held on a slice where the fibre is made of orbits.
    pub fibre: Vec<usize>,
    /// The orbits that are fibre, where it is not made of factors: then everything is at points of a slice.
    pub orbits: Option<Orbits>,
    /// Base positions r: one for each velocity where the base has coordinates only.
    pub base: Vec<Symbol>,
    /// The frame of the base.
    pub frame: Frame,
    /// Horizontal lifts as ambient sections; their velocities are the base velocities.
    pub sections: Subframe,
    /// The reduced Lagrangian l(r, r') = L on D.
    pub lagrangian: Expr,
    /// The energy on D, in the base velocities.
    pub energy: Expr,
    /// p_A = ∂L/∂y^A on D, in the base velocities and all positions.
    pub covector: Vec<Expr>,
    /// Ξ_αβ = −⟨p, [h_α, h_β] − c^γ_αβ h_γ⟩ with p on D, in the base velocities.
    pub gyroscopic: Matrix,
    /// The connection form's coefficients: fibre velocity s'^a = −A^a_α r'^α.
    pub connection: Matrix,
    /// The curvature −A([h_α, h_β])^a: one antisymmetric matrix per fibre velocity.
    pub curvature: Vec<Matrix>,
    /// The force on the base: ⟨F, h_α⟩, and ⟨p, ∂h_α/∂t⟩ of lifts that turn with time.
    pub force: Vec<Expr>,
    /// Functions that must not vanish.
    pub conditions: Vec<Expr>,
    /// How the fibre was found.
    pub notes: Vec<String>,
}

/// The orbits that are the fibre, and the slice across them on which everything is written.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// The names of the fields.
    pub fields: Vec<String>,
    /// The positions that are held on the slice.
    pub held: Vec<(Symbol, Expr)>,
    /// Where the orbit of a point meets the slice: the base positions there, in the positions of the point. Nothing
    /// where that takes more than straight lines.
    pub met: Option<Vec<(Symbol, Expr)>>,
}

/// A time in which a reduced system is Hamiltonian: dτ = f dt on the base across these factors.
#[derive(Clone, Debug, PartialEq)]
pub struct ChaplyginTime {
    /// The factors that are fibre.
    pub fibre: Vec<usize>,
    /// f, a function on the base without zeros.
    pub multiplier: Expr,
}

/// Why a choice of fibre gives no reduction.
#[derive(Clone, Debug)]
pub enum NoReduction {
    /// The fibre has another dimension than there are constraints.
    Dimension {
        /// The names of its factors.
        fibre: Vec<String>,
        /// Its dimension.
        dimension: usize,
        /// How many constraints there are.
        constraints: usize,
    },
    /// The constraints do not determine the velocities of the fibre.
    NotDetermined {
        /// The names of its factors.
        fibre: Vec<String>,
        /// What the solver says.
        error: LinearError,
    },
    /// The constraints were not solved for the velocities of the fibre; that does not say that they cannot be.
    NotSolved {
        /// The names of its factors.
        fibre: Vec<String>,
        /// What the solver says.
        error: LinearError,
    },
    /// Something on the base is not shown to be the same all along the fibre: refuted, or not decided.
    SeesFibre {
        /// What.
        what: Seeing,
        /// Along which factor.
        factor: String,
        /// Its derivatives along that factor.
        slopes: Vec<Expr>,
        /// Do they vanish?
        verdict: Verdict,
    },
    /// No factors could be held to make a slice across the orbits.
    NoSlice,
    /// The orbits were not found to be transversal to D along the slice.
    AlongSlice {
        /// What the solver says.
        error: LinearError,
    },
}

/// What must not see the fibre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeing {
    /// l.
    Lagrangian,
    /// Ξ.
    GyroscopicForm,
    /// The external force, of which a Chaplygin structure says nothing.
    Force,
}

impl Seeing {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Seeing::Lagrangian => "the reduced Lagrangian",
            Seeing::GyroscopicForm => "the gyroscopic force",
            Seeing::Force => "the force",
        }
    }
}

impl From<NoReduction> for MechanicsError {
    fn from(none: NoReduction) -> Self {
        let refuted = |why| MechanicsError::NotChaplygin { why };
        let open = |why| MechanicsError::ReductionNotDerived { why };
        match none {
            NoReduction::Dimension {
                fibre,
                dimension,
                constraints,
            } => refuted(format!(
                "the fibre ({}) has {dimension} dimensions, but there are {constraints} constraints",
                fibre.join(", ")
            )),
            NoReduction::NotDetermined { fibre, .. } => refuted(format!(
                "the constraints do not determine the velocities of the fibre ({})",
                fibre.join(", ")
            )),
            NoReduction::NotSolved { fibre, error } => open(format!(
                "the velocities of the fibre ({}): {error}",
                fibre.join(", ")
            )),
            NoReduction::NoSlice => open(
                "no coordinates or group factors could be held to make a slice across the orbits"
                    .into(),
            ),
            NoReduction::AlongSlice { error } => open(format!(
                "the orbits are not transversal to D along the slice: {error}"
            )),
            NoReduction::SeesFibre {
                what,
                factor,
                verdict,
                ..
            } => {
                let what_sees = format!("{} depends on the fibre `{factor}`", what.words());
                match (what, verdict) {
                    (Seeing::Force, Verdict::Refuted { .. }) => open(what_sees),
                    (_, Verdict::Refuted { .. }) => refuted(what_sees),
                    _ => open(format!("whether {what_sees} is not decided")),
                }
            }
        }
    }
}

impl Chaplygin {
    /// The structure with the declared fibre, the one of the declared symmetries, or the best of the factors that may
    /// be one, in this order. The force has to be the same along the fibre.
    pub fn of(system: &System) -> Result<Self, MechanicsError> {
        let fail = |why: &str| MechanicsError::NotChaplygin { why: why.into() };
        if system.constraints().is_empty() {
            return Err(fail("it has no constraints"));
        }
        if !system.constraints().is_linear() {
            return Err(fail("its constraints are not linear in the velocities"));
        }
        if !system.fibre().is_empty() {
            return Self::with_force(system, system.fibre(), "declared");
        }
        if let Some(fibre) = symmetry_fibre(system) {
            return Self::with_force(system, &fibre, "of the declared symmetries");
        }
        let found = candidates(system);
        let found = found
            .iter()
            .filter_map(|fibre| Self::with_force(system, fibre, "cyclic").ok());
        // That none of these is one does not say that there is none.
        let mut best = found.min_by_key(|c| c.defects(system)).ok_or_else(|| {
            MechanicsError::ReductionNotDerived {
                why: "no set of cyclic coordinates is a fibre that the constraints determine; declare `fibre`, or \
                      as many symmetries as there are constraints"
                    .into(),
            }
        })?;
        if !system.symmetries().is_empty() {
            let names = system.symmetries().iter().map(|s| s.name.as_str());
            best.notes.push(format!(
                "the declared symmetries ({}) do not move just the coordinates of a fibre of dimension {}; the fibre is one of cyclic coordinates",
                names.collect::<Vec<_>>().join(", "),
                system.constraints().len()
            ));
        }
        Ok(best)
    }

    /// The structure where the base has coordinates only; none elsewhere.
    pub fn on_coordinates(system: &System) -> Option<Self> {
        let found = Self::of(system).ok()?;
        let is_base = |i: &usize| !found.fibre.contains(i);
        let coordinates = (0..system.factors().len())
            .filter(is_base)
            .all(|i| system.factors()[i].group.is_none());
        coordinates.then_some(found)
    }

    fn with_force(system: &System, fibre: &[usize], how: &str) -> Result<Self, MechanicsError> {
        let mut reduced = Self::with_fibre(system, fibre)?;
        let names = names_of(system, fibre).join(", ");
        reduced.notes.push(format!("fibre ({names}), {how}"));
        let force = reduced.force.clone();
        not_seen(system, fibre, Seeing::Force, &force)?;
        reduced.force = substitute_all(&force, &fibre_identity(system, fibre));
        Ok(reduced)
    }

    /// The structure for these factors as fibre. The force still has the fibre in it.
    pub fn with_fibre(system: &System, fibre: &[usize]) -> Result<Self, NoReduction> {
        Self::rewritten(system, fibre, <[Expr]>::to_vec)
    }

    /// [`Chaplygin::with_fibre`] with the connection written another way before anything is worked out from it.
    pub fn rewritten(
        system: &System,
        fibre: &[usize],
        rewrite: impl Fn(&[Expr]) -> Vec<Expr>,
    ) -> Result<Self, NoReduction> {
        let frame = system.frame();
        let quotient = quotient(system, fibre)?.rewritten(frame, rewrite);
        let lifts = &quotient.lifts;
        let restricted = lifts.restrict(frame, &[system.lagrangian().clone(), system.energy()]);
        let covector = lifts.restrict(frame, &system.momenta());
        let brackets = Brackets::of(frame, &quotient);
        let gyroscopic = brackets.map(|w| -dot(&covector, w));
        not_seen(system, fibre, Seeing::Lagrangian, &restricted[..1])?;
        not_seen(system, fibre, Seeing::GyroscopicForm, gyroscopic.entries())?;
        let force = lifts.restrict(frame, system.force());
        let turning = lifts.turning(frame, &covector);
        let force = (0..lifts.rank()).map(|a| dot(&force, &lifts.basis.column(a)) + &turning[a]);
        // What does not see the fibre is written at its identity.
        let identity = fibre_identity(system, fibre);
        let here = |e: &Expr| e.substitute(&identity);
        Ok(Self {
            fibre: fibre.to_vec(),
            base: quotient.base.base().to_vec(),
            lagrangian: here(&restricted[0]),
            energy: here(&restricted[1]),
            gyroscopic: gyroscopic.map(here),
            curvature: quotient
                .vertical
                .iter()
                .map(|&a| brackets.map(|w| -&w[a]))
                .collect(),
            force: force.collect(),
            covector,
            conditions: quotient.conditions,
            connection: quotient.connection,
            sections: quotient.lifts,
            frame: quotient.base,
            notes: Vec::new(),
            orbits: None,
        })
    }

    /// The factors of the base, placed in its frame.
    pub fn base_factors(&self, system: &System) -> Vec<Factor> {
        let mut ends = (0, 0);
        let kept = (0..system.factors().len()).filter(|i| !self.fibre.contains(i));
        kept.map(|i| {
            let factor = &system.factors()[i];
            let (base, fibre) = ends;
            ends = (base + factor.base.len(), fibre + factor.fibre.len());
            Factor {
                base: base..ends.0,
                fibre: fibre..ends.1,
                ..factor.clone()
            }
        })
        .collect()
    }

    /// The reduced system as a forced one on the base: l with the force Ξ_αβ r'^β + F_α (HJ-C30).
    pub fn forced_system(&self, system: &System) -> System {
        let velocity: Vec<Expr> = self.sections.velocities.iter().map(Expr::from).collect();
        let turned = self.gyroscopic.apply(&velocity);
        let force = turned.iter().zip(&self.force).map(|(a, b)| a + b).collect();
        self.on_base(system, self.lagrangian.clone())
            .with_force(force)
    }

    /// The reduced system in the time τ with dτ = f dt, where that makes it Hamiltonian: without the gyroscopic force,
    /// L_C(r, w) = l(r, f w) with w = dr/dτ, whose Legendre transform is H_C(r, p) = H̄(r, p/f) (HJ-C34).
    pub fn in_chaplygin_time(&self, system: &System, f: &Expr) -> System {
        let velocities = &self.sections.velocities;
        let faster = velocities.iter().map(|v| (v.clone(), f * v));
        let faster: Vec<(Symbol, Expr)> = faster.collect();
        self.on_base(system, self.lagrangian.substitute(&faster))
    }

    fn on_base(&self, system: &System, lagrangian: Expr) -> System {
        let factors = self.base_factors(system);
        System::on_frame(system.name(), self.frame.clone(), factors, lagrangian, 1)
    }

    fn defects(&self, system: &System) -> [usize; 3] {
        system.defects_of_fibre(&self.conditions, &self.connection)
    }
}

/// The base across these factors.
fn quotient(system: &System, fibre: &[usize]) -> Result<Quotient, NoReduction> {
    let (frame, constraints) = (system.frame(), system.constraints());
    let factors = || fibre.iter().map(|&i| &system.factors()[i]);
    let vertical: Vec<usize> = factors().flat_map(|f| f.fibre.clone()).collect();
    let positions: Vec<Symbol> = factors()
        .flat_map(|f| frame.base()[f.base.clone()].to_vec())
        .collect();
    let fibre = names_of(system, fibre);
    if vertical.len() != constraints.len() {
        return Err(NoReduction::Dimension {
            fibre,
            dimension: vertical.len(),
            constraints: constraints.len(),
        });
    }
    let found = Quotient::across(frame, constraints.forms(), &vertical, &positions);
    found.map_err(|error| match error {
        LinearError::Singular { .. } => NoReduction::NotDetermined { fibre, error },
        _ => NoReduction::NotSolved { fibre, error },
    })
}

/// [h_α, h_β] − c^γ_αβ h_γ for α < β.
struct Brackets {
    rank: usize,
    above: Vec<Section>,
}

impl Brackets {
    fn of(frame: &Frame, quotient: &Quotient) -> Self {
        let rank = quotient.base.rank();
        let pairs = (0..rank).flat_map(|a| (a + 1..rank).map(move |b| (a, b)));
        let above = pairs.map(|(a, b)| quotient.vertical_bracket(frame, a, b));
        Self {
            rank,
            above: above.collect(),
        }
    }

    /// The antisymmetric matrix of a function of the brackets.
    fn map(&self, f: impl Fn(&Section) -> Expr) -> Matrix {
        let mut all = Matrix::zeros(self.rank, self.rank);
        let pairs = (0..self.rank).flat_map(|a| (a + 1..self.rank).map(move |b| (a, b)));
        for ((a, b), bracket) in pairs.zip(&self.above) {
            let value = f(bracket);
            all[(b, a)] = -&value;
            all[(a, b)] = value;
        }
        all
    }
}

/// Nothing on the base may see the fibre: invariance of L on D alone is not enough (DP-B13).
fn not_seen(
    system: &System,
    fibre: &[usize],
    what: Seeing,
    data: &[Expr],
) -> Result<(), NoReduction> {
    for &i in fibre {
        let factor = &system.factors()[i];
        for a in factor.fibre.clone() {
            let slopes = system.frame().act_basis(a, data);
            let verdict = system.prove_zero(&slopes);
            if !verdict.is_proven() {
                return Err(NoReduction::SeesFibre {
                    what,
                    factor: factor.name.clone(),
                    slopes,
                    verdict,
                });
            }
        }
    }
    Ok(())
}
