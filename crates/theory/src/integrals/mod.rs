//! First integrals: energy, integrals of the constraints, and polynomials in the velocities found by
//! ansatz with exact linear algebra (NG-N1 to N3, VE-C27, HJ-C03).

mod finder;

use crate::exact::Settle;
use crate::finding::search::{CutShort, Exhausted, Searched};
use crate::symmetry::{SymmetryReport, determinant_factors, of_symmetries};
use crate::{Answer, DistributionReport, Effort, Gap, MeasureReport, Reason};
use finder::Finder;
use rattleback_mechanics::System;
use rattleback_mechanics::engine::hessian;
use rattleback_mechanics::phase::FrameMomenta;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// Where an integral comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The energy.
    Energy,
    /// A function of positions that the constraints keep.
    Constraints,
    /// The momentum of a symmetry that the reaction happens to keep.
    Symmetry,
    /// The momentum of a symmetry that lies in D.
    HorizontalSymmetry,
    /// The momentum of a field of D that is no symmetry, though its momentum is kept.
    Gauge,
    /// Quadratic in the velocities.
    Quadratic,
    /// Of degree three in the velocities.
    Cubic,
    /// Of degree four in the velocities.
    Quartic,
    /// A constant of a solution of the Hamilton-Jacobi equation.
    HamiltonJacobi,
}

impl Origin {
    /// Was it found by an ansatz of some degree in the velocities?
    fn is_polynomial(&self) -> bool {
        matches!(self, Origin::Quadratic | Origin::Cubic | Origin::Quartic)
    }

    fn of_degree(degree: u64) -> Self {
        match degree {
            0..=2 => Origin::Quadratic,
            3 => Origin::Cubic,
            _ => Origin::Quartic,
        }
    }

    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Origin::Energy => "energy",
            Origin::Constraints => "constraints",
            Origin::Symmetry => "symmetry",
            Origin::HorizontalSymmetry => "horizontal symmetry",
            Origin::Gauge => "gauge momentum",
            Origin::Quadratic => "quadratic",
            Origin::Cubic => "cubic",
            Origin::Quartic => "quartic",
            Origin::HamiltonJacobi => "Hamilton-Jacobi",
        }
    }
}

/// A function that is constant along every motion.
#[derive(Clone, Debug)]
pub struct FirstIntegral {
    /// The function, in positions and ambient velocities.
    pub value: Expr,
    /// The same in positions and the momenta of the frame of D.
    pub canonical: Expr,
    /// Where it comes from.
    pub origin: Origin,
    /// The field of D whose momentum it is, if it is linear.
    pub field: Option<Vec<Expr>>,
    /// The bracket with the Hamiltonian vanishes.
    pub proof: Answer,
}

/// The integrals that were found.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, FirstIntegralReport, Origin};
/// // A gauge momentum: sqrt(1 + y²) x' is conserved, although no symmetry gives it.
/// let text = "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n";
/// let model = parse(&Source::new("particle.mech", text)).model.unwrap();
/// let particle = Problem::from_model(&model).unwrap().system;
/// let found = FirstIntegralReport::of(&particle, Effort::unlimited());
/// assert!(found.all.iter().any(|i| i.origin == Origin::Gauge));
/// ```
#[derive(Clone, Debug)]
pub struct FirstIntegralReport {
    /// Are there integrals besides the energy?
    pub claim: Answer,
    /// All that were found; the linear ones are independent of each other, the quadratic ones of all others.
    pub all: Vec<FirstIntegral>,
    /// The brackets of the integrals with each other.
    pub involution: Matrix,
    /// May the system be restricted to the levels of the linear integrals (NG-N3): are the brackets
    /// {f_a, f_b} of some of them invertible?
    pub levels: Answer,
    /// How many of them are functionally independent.
    pub independent: usize,
    /// How many would determine the motion up to time: dim Q + rank D − 1.
    pub enough: usize,
}

/// What is short enough for a further ansatz.
const SHORT: usize = 300;
/// A density that is short enough for one.
const DENSITY: usize = 60;
impl FirstIntegralReport {
    /// Looks for integrals by ansatz alone.
    pub(crate) fn by_ansatz(system: &System, effort: Effort) -> Self {
        Self::with_offers(system, effort, |_, _| Vec::new())
    }

    /// Looks for integrals by ansatz, then among functions that others offer where these are fewer than the degrees of
    /// freedom.
    pub(crate) fn with_offers(
        system: &System,
        effort: Effort,
        offers: impl FnOnce(&System, Effort) -> Vec<Expr>,
    ) -> Self {
        match search(system, effort, offers) {
            Ok(report) => report,
            Err(why) => Self {
                claim: Answer::undecided(why),
                all: Vec::new(),
                involution: Matrix::zeros(0, 0),
                levels: Answer::undecided(Gap::NoLevels),
                independent: 0,
                enough: 0,
            },
        }
    }
}

fn search(
    system: &System,
    effort: Effort,
    offers: impl FnOnce(&System, Effort) -> Vec<Expr>,
) -> Result<FirstIntegralReport, Reason> {
    if system.is_forced() {
        return Err(Gap::ExternalForce.into());
    }
    let time = Symbol::time();
    let forms = system.constraints().forms().entries();
    if std::iter::once(system.lagrangian())
        .chain(forms)
        .any(|e| e.contains(&time))
    {
        return Err(Gap::DependsOnTime.into());
    }
    let phase = FrameMomenta::of(system).map_err(Reason::failed)?;
    let mut found = Finder::new(system, &phase, effort);
    found.take(effort.shared(system, |effort| Polynomials::of(system, &phase, effort)));
    if !found.are_as_many_as_freedoms() {
        for f in offers(system, effort) {
            found.offer_in_velocities(&f);
        }
    }
    Ok(found.report())
}

/// The integrals that an ansatz gives, and how far was looked.
#[derive(Clone)]
struct Polynomials {
    all: Vec<FirstIntegral>,
    searched: Searched,
    end: Result<Exhausted, CutShort>,
}

impl Polynomials {
    /// Energy, integrals of the constraints, momenta, and polynomials up to degree four.
    fn of(system: &System, phase: &FrameMomenta, effort: Effort) -> Self {
        let mut found = Finder::new(system, phase, effort);
        found.offer(phase.hamiltonian().clone(), Origin::Energy);
        if let Ok(d) = DistributionReport::of(system, effort) {
            for f in d.integrals {
                found.offer(f, Origin::Constraints);
            }
        }
        // Those of other fields in D are found below, among all that are linear.
        let symmetries = SymmetryReport::of(system, effort).all;
        for m in of_symmetries(system, &symmetries, &Settle::new(system), &mut found.search) {
            if m.conserved.is_proven() {
                let new = found.offer(dot(phase.covector(), &m.components), Origin::Symmetry);
                if let (true, Some(last)) = (new, found.all.last_mut()) {
                    last.value = m.value;
                }
            }
        }
        let momenta: Vec<Expr> = phase.momenta().iter().map(Expr::from).collect();
        for weight in weights(system, phase) {
            let weighted: Vec<Expr> = momenta.iter().map(|p| p * &weight).collect();
            found.linear(&weighted, None);
        }
        // The same momenta by the ambient frame: simple coefficients there need not be simple along D. Without
        // constraints D is all, and its frame the ambient one.
        let nodes = |all: &[Expr]| all.iter().map(Expr::node_count).sum::<usize>();
        let plain = !system.has_groups()
            && !system.constraints().is_empty()
            && nodes(phase.covector()) < 5 * SHORT;
        let ambient = plain.then(|| system.momenta());
        if let Some(written) = &ambient {
            found.linear(phase.covector(), Some(written));
        }
        if !found.are_as_many_as_freedoms() {
            for weight in density(system, effort) {
                let weighted: Vec<Expr> = momenta.iter().map(|p| p * &weight).collect();
                found.linear(&weighted, None);
            }
        }
        found.quadratic(&momenta, &Expr::one(), None);
        if nodes(&found.flow) < SHORT {
            for factor in metric_factors(system, phase).iter().take(1) {
                found.quadratic(&momenta, &factor.recip(), None);
            }
            let holonomic = found.all.iter().any(|i| i.origin == Origin::Constraints);
            if let (Some(written), true) = (&ambient, holonomic) {
                found.quadratic(phase.covector(), &Expr::one(), Some(written));
            }
        }
        found.higher(3, Origin::Cubic);
        found.higher(4, Origin::Quartic);
        Self {
            searched: found.search.what(),
            all: found.all,
            end: found.search.finish(),
        }
    }
}

/// 1, and roots of the factors of the metric on D: gauge momenta have such coefficients.
fn weights(system: &System, phase: &FrameMomenta) -> Vec<Expr> {
    let mut all = vec![Expr::one()];
    for factor in metric_factors(system, phase) {
        let root = factor.sqrt();
        all.extend([root.recip(), root, factor.recip()]);
    }
    all
}

/// The density of an invariant measure and its inverse, if it is short: momenta of the motion in the time that the
/// density gives have it in their coefficients.
fn density(system: &System, effort: Effort) -> Vec<Expr> {
    let found = MeasureReport::of(system, effort).density;
    let useful = found.filter(|n| {
        n.node_count() < DENSITY && n.contains_any(system.frame().base()) && !n.is_undefined()
    });
    useful.map_or_else(Vec::new, |n| vec![n.recip(), n])
}

/// Two factors of the determinant of the metric on D, if it is short.
fn metric_factors(system: &System, phase: &FrameMomenta) -> Vec<Expr> {
    let sections = phase.sections();
    let l = sections.restrict(system.frame(), std::slice::from_ref(system.lagrangian()));
    determinant_factors(system, &hessian(&l[0], &sections.velocities))
}
