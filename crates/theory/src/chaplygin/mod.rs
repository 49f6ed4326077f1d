//! Chaplygin structure: declared and judged, or found (HJ-C27 to C32, DP-B12 to B14, VE-C12, C18).

mod group;
mod reduction;

pub use group::FibreGroup;
pub use reduction::{NoReduction, Reduction};

use crate::exact::choices;
use crate::finding::search::{CutShort, Exhausted, Search, Searched};
use crate::symmetry::{UNKNOWNS, affine_symmetries, leave_alone};
use crate::{Answer, Effort, Evidence, Finding, Function, Gap, Named, Reason, Theorem};
use rattleback_mechanics::fibre::{candidates, symmetry_fibre};
use rattleback_mechanics::phase::SymmetryAlgebra;
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{Expr, Symbol, Verdict, determinant, dot, substitute_all};

/// What is known of a system's Chaplygin structure.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{ChaplyginReport, Effort};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = ChaplyginReport::of(&knife, Effort::unlimited());
/// assert!(found.claim.is_proven());
/// let group = found.group.unwrap();
/// assert!(group.name == "R" && group.abelian);
/// ```
#[derive(Clone, Debug)]
pub struct ChaplyginReport {
    /// Is there such a structure: the declared one, or any?
    pub claim: Answer,
    /// How the fibre was chosen.
    pub choice: Choice,
    /// The reduced system.
    pub reduction: Option<Reduction>,
    /// The group, where one acts along the fibre.
    pub group: Option<FibreGroup>,
    /// The self-tests of the reduction.
    pub checks: Vec<Finding>,
    /// Other fibres that work too.
    pub alternatives: Vec<Vec<String>>,
    /// Why the choice of a fibre was left before its end, where it was: nothing else may then be said of "the"
    /// reduced system, because another effort would choose another.
    pub(crate) cut: Option<CutShort>,
}

/// Where a fibre comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The model's `fibre` statement.
    Declared,
    /// The orbits of the model's symmetries.
    Symmetries,
    /// A search among coordinates and group factors.
    Found,
    /// The orbits of symmetries that a search found.
    FoundSymmetries,
}

impl Choice {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Choice::Declared => "declared fibre",
            Choice::Symmetries => "orbits of the declared symmetries",
            Choice::Found => "found among the coordinates",
            Choice::FoundSymmetries => "orbits of symmetries that were found",
        }
    }
}

impl ChaplyginReport {
    /// Judges the declared structure, or looks for one.
    pub fn of(system: &System, effort: Effort) -> Self {
        effort.shared(system, |effort| Self::afresh(system, effort))
    }

    fn afresh(system: &System, effort: Effort) -> Self {
        match Self::scope(system) {
            Ok(()) => {}
            Err(claim) => return Self::none(claim, Choice::Found),
        }
        if !system.fibre().is_empty() {
            return Self::judged(system, system.fibre(), Choice::Declared, effort);
        }
        if let Some(fibre) = symmetry_fibre(system) {
            return Self::judged(system, &fibre, Choice::Symmetries, effort);
        }
        if let Some(mut report) = Self::of_symmetries(system) {
            report.alternatives = alternatives(system, &[], effort);
            return report;
        }
        let all = candidates(system);
        let mut working = Vec::new();
        let mut refusal = None;
        let mut search = Search::of(Searched::Fibres, effort);
        for fibre in &all {
            if !search.goes_on() {
                break;
            }
            match Reduction::with_fibre(system, fibre) {
                Ok(reduction) => working.push((fibre.clone(), reduction)),
                Err(e) => refusal = Some(e),
            }
        }
        if let Err(why) = search.finish() {
            let mut report = Self::none(Answer::undecided(why.clone()), Choice::Found);
            report.cut = Some(why);
            return report;
        }
        let best = working
            .iter()
            .enumerate()
            .min_by_key(|(_, (_, r))| system.defects_of_fibre(&r.conditions, &r.connection))
            .map(|(i, _)| i);
        match best {
            Some(i) => {
                let (fibre, reduction) = working.swap_remove(i);
                let mut report = Self::with(system, &fibre, reduction, Choice::Found);
                report.alternatives = working.into_iter().map(|(_, r)| r.fibre).collect();
                report
            }
            None => {
                let mut search = Search::of(TRANSLATIONS_AND_ROTATIONS, effort);
                let along = Self::of_found_symmetries(system, &mut search);
                along
                    .unwrap_or_else(|| Self::not_found(system, refusal, search.finish(), all.len()))
            }
        }
    }

    /// The declared symmetries as a group of the right dimension whose orbits are no coordinate fibres.
    fn of_symmetries(system: &System) -> Option<Self> {
        let fields = system.symmetries();
        if fields.len() != system.constraints().len() {
            return None;
        }
        Self::along(system, fields, Choice::Symmetries)
    }

    /// Symmetries that are found, as many as there are constraints. In coordinates: a slice holds whole factors,
    /// and an orbit in a group factor is rarely all of it.
    fn of_found_symmetries(system: &System, search: &mut Search) -> Option<Self> {
        if system.has_groups() {
            return None;
        }
        let all = affine_symmetries(system, search);
        let numbers: Vec<usize> = (0..all.len()).collect();
        for set in choices(&numbers, system.constraints().len()) {
            if !search.goes_on() {
                return None;
            }
            let fields: Vec<NamedSection> = set.iter().map(|&i| all[i].clone()).collect();
            let report = Self::along(system, &fields, Choice::FoundSymmetries);
            if let Some(report) = report.filter(|r| r.reduction.is_some()) {
                return Some(report);
            }
        }
        None
    }

    /// The structure along the orbits of these fields: the reduced system is written on a slice across them.
    fn along(system: &System, fields: &[NamedSection], choice: Choice) -> Option<Self> {
        let algebra = SymmetryAlgebra::of(system, fields).ok()?;
        let matrix = algebra.transversality(system).ok()?;
        let names: Vec<String> = fields.iter().map(|f| f.name.clone()).collect();
        let det = [determinant(&matrix).ok()?];
        let tangent = Answer::vanish(&det, system.prove_zero(&det), Function::Transversality);
        let with = |theorem: Theorem| theorem.with("fields", names);
        let claim = match (leave_alone(system, fields).ok()?, tangent) {
            (Answer::Refuted(point), _) => {
                Answer::refuted(Evidence::theorem(with(Theorem::SymmetriesChange), [point]))
            }
            (_, Answer::Proven(zero)) => Answer::refuted(Evidence::theorem(
                with(Theorem::OrbitsNotTransversal),
                [zero],
            )),
            (Answer::Proven(alone), Answer::Refuted(across)) => {
                let parts = Evidence::Parts(vec![alone, across]);
                Answer::proven(Evidence::theorem(with(Theorem::OrbitsTransversal), [parts]))
            }
            (Answer::Undecided(why), _) | (_, Answer::Undecided(why)) => Answer::undecided(why),
        };
        let mut report = Self::none(claim, choice);
        if report.claim.is_proven() {
            report.group = Some(FibreGroup::of_algebra(&algebra, fields));
            match Reduction::along_orbits(system, &algebra) {
                Ok(reduction) => {
                    report.checks = checks(system, &reduction);
                    report.reduction = Some(reduction);
                }
                Err(e) => {
                    let unwritten = Theorem::OrbitsNotWritten.with("error", e.to_string());
                    report.claim = Answer::all(&[&report.claim, &Answer::proven(unwritten)]);
                }
            }
        }
        Some(report)
    }

    /// Is the connection of the reduction flat? Nothing where that is not decided.
    pub fn flat(&self, system: &System) -> Option<bool> {
        let reduction = self.reduction.as_ref()?;
        let curvature: Vec<Expr> = reduction
            .curvature
            .iter()
            .flat_map(|m| m.entries().to_vec())
            .collect();
        match system.prove_zero(&curvature) {
            Verdict::Proven { .. } => Some(true),
            Verdict::Refuted { .. } => Some(false),
            Verdict::Undecided { .. } => None,
        }
    }

    /// What keeps a system from being judged at all.
    pub(crate) fn scope(system: &System) -> Result<(), Answer> {
        if system.order() > 1 {
            return Err(Answer::undecided(Gap::ChaplyginOrder));
        }
        if system.constraints().is_empty() {
            return Err(Answer::refuted(Theorem::NothingToConnect));
        }
        if !system.constraints().is_linear() {
            return Err(Answer::refuted(Theorem::AffineConstraints));
        }
        let time = Symbol::time();
        let constraints = system.constraints();
        let timed = std::iter::once(system.lagrangian())
            .chain(constraints.forms().entries())
            .any(|e| e.contains(&time));
        if timed {
            return Err(Answer::undecided(Gap::DependsOnTime));
        }
        Ok(())
    }

    fn none(claim: Answer, choice: Choice) -> Self {
        Self {
            claim,
            choice,
            reduction: None,
            group: None,
            checks: Vec::new(),
            alternatives: Vec::new(),
            cut: None,
        }
    }

    /// No fibre was found; that others were not tried is said in any case.
    fn not_found(
        system: &System,
        refusal: Option<NoReduction>,
        searched: Result<Exhausted, CutShort>,
        tried: usize,
    ) -> Self {
        let why: Reason = match (&searched, refusal) {
            (Err(why @ (CutShort::Effort { .. } | CutShort::Cancelled)), _) => why.clone().into(),
            (_, Some(NoReduction::Undecided(why))) => why,
            // Symmetries are looked for in coordinates only.
            _ if system.has_groups() => Gap::NoFibre.with("fibres", tried).into(),
            _ => Gap::NoFibreNorFields
                .with("fibres", tried)
                .with("degree", AFFINE)
                .into(),
        };
        let mut report = Self::none(Answer::undecided(why), Choice::Found);
        report.cut = searched
            .err()
            .filter(|why| !matches!(why, CutShort::LeftOut(_)));
        report
    }

    fn judged(system: &System, fibre: &[usize], choice: Choice, effort: Effort) -> Self {
        let mut report = match Reduction::with_fibre(system, fibre) {
            Ok(reduction) => Self::with(system, fibre, reduction, choice),
            Err(NoReduction::Refuted(witness)) => Self::none(Answer::refuted(witness), choice),
            Err(NoReduction::Undecided(why)) => Self::none(Answer::undecided(why), choice),
        };
        report.alternatives = alternatives(system, fibre, effort);
        report
    }

    fn with(system: &System, fibre: &[usize], reduction: Reduction, choice: Choice) -> Self {
        let group = FibreGroup::of(system, fibre);
        let theorem = match &group {
            Some(g) => Theorem::GroupAlongFibre.with("group", g.name.clone()),
            None => Theorem::FibreDetermined.into(),
        };
        Self {
            claim: Answer::proven(theorem.with("fibre", reduction.fibre.clone())),
            choice,
            checks: checks(system, &reduction),
            reduction: Some(reduction),
            group,
            alternatives: Vec::new(),
            cut: None,
        }
    }
}

/// What is looked for where no coordinates are a fibre.
const TRANSLATIONS_AND_ROTATIONS: Searched = Searched::Fields {
    degree: AFFINE,
    unknowns: UNKNOWNS,
};

/// The degree of the coefficients of translations and rotations.
const AFFINE: usize = 1;

/// The fibres of factors that work, besides one.
fn alternatives(system: &System, besides: &[usize], effort: Effort) -> Vec<Vec<String>> {
    candidates(system)
        .iter()
        .take_while(|_| !effort.is_spent())
        .filter(|other| *other != besides)
        .filter_map(|other| Reduction::with_fibre(system, other).ok())
        .map(|r| r.fibre)
        .collect()
}

/// ⟨hl P, h_α⟩ = P_α, H on the lift is H̄, the brackets of lifts are vertical (HJ-C29, C30).
fn checks(system: &System, r: &Reduction) -> Vec<Finding> {
    let p: Vec<Expr> = r.momenta.iter().map(Expr::from).collect();
    let pairing: Vec<Expr> = r
        .lifts
        .iter()
        .zip(&p)
        .map(|(h, p)| dot(&r.lift, h) - p)
        .collect();
    let here: Vec<(Symbol, Expr)> = r.base.fibre().iter().cloned().zip(r.velocities()).collect();
    let lifted: Vec<Expr> = (0..system.frame().rank())
        .map(|i| {
            Expr::sum(
                r.lifts
                    .iter()
                    .zip(r.base.fibre())
                    .map(|(h, v)| &h[i] * Expr::from(v)),
            )
        })
        .collect();
    let ambient: Vec<(Symbol, Expr)> = system
        .frame()
        .fibre()
        .iter()
        .cloned()
        .zip(substitute_all(&lifted, &here))
        .collect();
    let ambient = [ambient, r.slice.clone()].concat();
    let energy = system.energy().substitute(&ambient) - &r.hamiltonian;
    let constraints = substitute_all(&system.constraints().residuals(system.frame()), &ambient);
    let check = |statement: &str, f: &[Expr], what: Function| {
        Finding::new(statement, Answer::vanish(f, system.prove_zero(f), what))
    };
    vec![
        check(
            "the lift of momenta is dual to the lift of velocities",
            &pairing,
            Function::LiftPairing,
        ),
        check(
            "the energy of a lifted motion is the reduced Hamiltonian",
            &[energy],
            Function::LiftedEnergy,
        ),
        check(
            "lifted motions satisfy the constraints",
            &constraints,
            Function::LiftedConstraints,
        ),
    ]
}
