//! Is the nonholonomic motion also vakonomic, and from which data? (VE-C08 to C11, C13 to C17, C19
//! to C21, C26, C30)

mod cases;
mod cells;
mod comparison;
mod constrained_hamilton;
mod lagrangian;
mod prolongation;
mod series;
mod strata;

pub use comparison::Comparison;
pub use constrained_hamilton::ConstrainedHamilton;
pub use lagrangian::MultiplierFree;
pub use prolongation::{Admissible, Outcome};
pub use strata::{Search, Stratum};

use crate::distribution::involutive;
use crate::finding::search::{CutShort, Exhausted};
use crate::{
    Absence, Answer, Case, Effort, Evidence, Function, Gap, Named, Point, Reason, Theorem,
};
use rattleback_geometry::{Distribution, NoValue, vanish_on};
use rattleback_mechanics::{MechanicsError, Quantity, System};
use rattleback_symbolic::{Enclosure, Expr, LinearError, Rational, Role, Symbol, prove_all_zero};

/// Why the two motions could not be compared.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EquivalenceError {
    /// The system has no constraint.
    #[error("there are no constraints: both motions are the free one")]
    Unconstrained,
    /// Vakonomic motion is compared for Lagrangians in positions and velocities.
    #[error("the Lagrangian has derivatives beyond velocities")]
    HigherOrder,
    /// The equations of motion are not there.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// A linear problem has no exact answer.
    #[error(transparent)]
    Linear(#[from] LinearError),
    /// A function has no value at generic points.
    #[error(transparent)]
    NoValue(#[from] NoValue),
    /// The time is over.
    #[error("the effort is used up")]
    Effort,
    /// The formulas have become too long.
    #[error("the conditions on the multipliers have become too long")]
    TooLarge,
}

/// For which motions the two principles agree; states of rest are left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Every nonholonomic motion is vakonomic for suitable initial multipliers.
    Conditional,
    /// Some are, others are not.
    Partial,
    /// None is.
    None,
    /// Not decided.
    Undecided,
}

impl Class {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Conditional => "conditional",
            Class::Partial => "partial",
            Class::None => "none",
            Class::Undecided => "undecided",
        }
    }
}

/// Why a system is conditionally variational.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The constraints are holonomic: any multiplier will do.
    Integrable,
    /// The reaction vanishes: μ = 0.
    ReactionFree,
    /// The gyroscopic force vanishes: μ is the momentum along the fibre.
    GyroFree,
    /// Neither, yet a multiplier exists.
    Mixed,
}

impl Kind {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Integrable => "integrable",
            Kind::ReactionFree => "reaction-free",
            Kind::GyroFree => "gyro-free",
            Kind::Mixed => "mixed",
        }
    }
}

/// The comparison of nonholonomic and vakonomic motion.
#[derive(Clone, Debug)]
pub struct Equivalence {
    /// For which motions they agree.
    pub class: Class,
    /// Is it known for which motions they agree? The evidence for the class.
    pub claim: Answer,
    /// Is every nonholonomic motion vakonomic?
    pub every: Answer,
    /// Why every motion agrees, where it does.
    pub kind: Option<Kind>,
    /// All initial multipliers, as functions of the state: where every motion agrees.
    pub admissible: Option<Admissible>,
    /// The families of motions that agree, where not all do.
    pub strata: Vec<Stratum>,
    /// Are the families all there are? Where none was found and the class is open, what is in the way.
    pub complete: Answer,
    /// Special values of the parameters for which more motions may agree.
    pub cases: Vec<Case>,
    /// A state whose motion is not vakonomic, where not all are.
    pub counterexample: Vec<(Symbol, Rational)>,
    /// Is the constraint distribution integrable?
    pub integrable: Answer,
    /// Does the reaction vanish on every motion (VE-C15, R2)?
    pub reaction_free: Answer,
    /// Is the momentum along the complement a multiplier (VE-C15, R1; the reading with C = 0)?
    pub gyro_free: Answer,
    /// Momenta p_a − μ_s A^s_a of cyclic coordinates, constant along every vakonomic motion: they give
    /// the multipliers without integration (VE-C13).
    pub charges: Vec<Quantity>,
    /// The Lagrangian without multipliers, for abelian Chaplygin systems.
    pub multiplier_free: Option<MultiplierFree>,
    /// The constrained Hamilton equations on the base, for Chaplygin systems.
    pub constrained_hamilton: Option<ConstrainedHamilton>,
    /// The objects that the answer is about.
    pub comparison: Comparison,
}

impl Equivalence {
    /// Compares the two motions of a constrained system.
    pub fn of(system: &System, effort: Effort) -> Result<Self, EquivalenceError> {
        if system.constraints().is_empty() {
            return Err(EquivalenceError::Unconstrained);
        }
        let comparison = Comparison::of(system)?;
        let mut report = Self {
            class: Class::Undecided,
            claim: Answer::undecided(Gap::NotLookedAt),
            every: Answer::undecided(Gap::NotLookedAt),
            kind: None,
            admissible: None,
            strata: Vec::new(),
            complete: Answer::undecided(Gap::NoFamiliesLookedFor),
            cases: Vec::new(),
            counterexample: Vec::new(),
            integrable: integrable(system, &comparison),
            reaction_free: vanish(&comparison, &comparison.reactions, Function::Reaction)
                .by(Theorem::NoReaction),
            gyro_free: vanish(
                &comparison,
                &comparison.defects(&comparison.momenta),
                Function::MomentumDefect,
            )
            .by(Theorem::MomentumIsMultiplier),
            charges: lagrangian::charges(system, &comparison.multipliers),
            multiplier_free: MultiplierFree::of(system),
            constrained_hamilton: ConstrainedHamilton::of(system),
            comparison,
        };
        report.classify(effort);
        if report.class == Class::Conditional
            || !report.claim.is_proven() && !report.every.is_refuted()
        {
            report.every = report.claim.clone();
        }
        Ok(report)
    }

    fn classify(&mut self, effort: Effort) {
        let c = &self.comparison;
        let m = c.multipliers.len();
        let generic = decide(c, effort);
        let free = match &generic {
            Outcome::Consistent(found) => found.directions.clone(),
            _ => Vec::new(),
        };
        let with = |point: Vec<Expr>, conditions: Vec<Expr>| Admissible {
            shown: None,
            point,
            directions: free.clone(),
            conditions,
        };
        let certain = [
            (&self.integrable, Kind::Integrable, vec![Expr::zero(); m]),
            (
                &self.reaction_free,
                Kind::ReactionFree,
                vec![Expr::zero(); m],
            ),
            (&self.gyro_free, Kind::GyroFree, c.momenta.clone()),
        ];
        let found = certain.into_iter().find(|(claim, ..)| claim.is_proven());
        if let Some((claim, kind, point)) = found {
            self.class = Class::Conditional;
            self.claim = claim.clone();
            self.kind = Some(kind);
            self.admissible = Some(with(point, c.conditions.clone()));
            return;
        }
        match generic {
            Outcome::Consistent(found) => {
                self.class = Class::Conditional;
                self.kind = Some(match found.dimension() == m {
                    true => Kind::Integrable,
                    false => Kind::Mixed,
                });
                let carried = Evidence::theorem(Theorem::MultipliersCarried, found.shown.clone());
                self.claim = Answer::proven(carried);
                self.admissible = Some(found);
            }
            Outcome::Inconsistent {
                residual,
                witness,
                value,
            } => {
                let shown = contradiction(residual.as_ref(), &witness, value);
                self.every = Answer::refuted(shown.clone());
                if let Some(residual) = &residual {
                    self.cases = cases::special(&self.comparison, residual, effort);
                }
                self.counterexample = witness;
                self.look_for_families(shown, effort);
            }
            Outcome::Solvable { dimension } => {
                self.class = Class::Conditional;
                self.kind = Some(match dimension == m {
                    true => Kind::Integrable,
                    false => Kind::Mixed,
                });
                self.claim = Answer::proven(Theorem::SeriesConsistent.with("dimension", dimension));
            }
            Outcome::Undecided { why } => {
                self.claim = Answer::undecided(why);
            }
        }
    }

    fn look_for_families(&mut self, contradiction: Evidence, effort: Effort) {
        let c = &self.comparison;
        let search = strata::search(c, effort.part(2));
        let (mut good, bad): (Vec<_>, Vec<_>) = search
            .strata
            .into_iter()
            .partition(|s| prove_all_zero(&s.defects(c)).is_proven());
        if search.end.is_err() || !bad.is_empty() {
            good.extend(cells::search(c, effort.part(2)));
            good = strata::maximal(good);
        }
        for condition in search.cases {
            if self.cases.iter().all(|c| c.condition != condition) {
                self.cases.push(Case {
                    condition,
                    then: "more motions may agree".into(),
                });
            }
        }
        self.complete = match &search.end {
            Ok(done) => Answer::proven(Evidence::none(Absence::OtherFamilies, *done, [])),
            Err(why) => Answer::undecided(why.clone()),
        };
        if !good.is_empty() {
            self.class = Class::Partial;
            let carried = Evidence::from(Theorem::FamiliesCarried);
            self.claim = Answer::proven(Evidence::Parts(vec![carried, contradiction]));
            self.strata = good;
            return;
        }
        match search.end {
            Ok(done) if bad.is_empty() => {
                self.class = Class::None;
                let none = Evidence::none(Absence::CommonMotions, done, [contradiction]);
                self.claim = Answer::proven(none);
            }
            end => {
                self.class = Class::Undecided;
                let why = self.some_are_open(end);
                self.claim = Answer::undecided(why.clone());
                self.complete = Answer::undecided(why);
            }
        }
    }

    /// Not every motion is vakonomic, but whether some are is open.
    fn some_are_open(&self, end: Result<Exhausted, CutShort>) -> Reason {
        let gap = match self.comparison.is_time_dependent() {
            true => Gap::SomeTimedMotionsOpen,
            false => Gap::SomeMotionsOpen,
        };
        match end {
            Ok(_) => Reason::because(gap, Gap::FamilyNotCertified),
            Err(why) => Reason::because(gap, why),
        }
    }

    /// The multipliers with which the motion from one state is vakonomic (VE-C09): exact values for
    /// positions, velocities of the frame of D and parameters.
    pub fn at(&self, state: &[(Symbol, Expr)], effort: Effort) -> Outcome {
        prolongation::at_state(&self.comparison, state, effort)
    }
}

/// What M μ = 0 and its derivatives say at generic states: by formulas where these stay short, else by
/// Taylor series.
fn decide(c: &Comparison, effort: Effort) -> Outcome {
    match prolongation::generic(c, effort.part(2)) {
        Outcome::Undecided { why } => {
            series::outcome(c, effort).unwrap_or(Outcome::Undecided { why })
        }
        decided => decided,
    }
}

fn is_time_dependent(e: &Expr) -> bool {
    e.free_symbols().iter().any(|s| s.role() == Role::Time)
}

/// The conditions on μ contradict each other at a state: what would have to vanish there, if it has a formula.
fn contradiction(residual: Option<&Expr>, at: &[(Symbol, Rational)], value: Enclosure) -> Evidence {
    match residual {
        Some(residual) => Evidence::Point(Point {
            what: Function::MultiplierMisfit.into(),
            function: residual.clone(),
            which: 0,
            at: at.to_vec(),
            value,
        }),
        None => Theorem::ConditionsContradict
            .with("value", value)
            .with("at", at)
            .into(),
    }
}

/// Do functions of positions and velocities of D vanish?
fn vanish(c: &Comparison, f: &[Expr], what: Function) -> Answer {
    Answer::vanish(f, vanish_on(f, &c.on), what)
}

/// Is the ideal of the constraints closed? With constraints that are affine or depend on time it lives on
/// space and time, and it is closed exactly if E(φ) vanishes on D: M = 0.
fn integrable(system: &System, c: &Comparison) -> Answer {
    let constraints = system.constraints();
    let moving = constraints.forms().entries().iter().any(is_time_dependent);
    if moving || !constraints.is_linear() {
        return vanish(c, c.turning.entries(), Function::ConstraintsTurning)
            .by(Theorem::HolonomicIdeal);
    }
    match Distribution::annihilated_by(system.frame(), system.constraints().forms(), &c.on) {
        Ok(d) => involutive(&d)
            .renamed(Function::BracketOfDistribution)
            .by(Theorem::Holonomic),
        Err(e) => Answer::failed(e),
    }
}
