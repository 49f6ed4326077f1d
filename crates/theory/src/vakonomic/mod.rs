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

use crate::claim::point;
use crate::scope::uncontrolled;
use crate::verdict::claim;
use crate::{Case, Claim, Effort};
use rattleback_geometry::{Distribution, NoValue};
use rattleback_mechanics::{MechanicsError, Quantity, System};
use rattleback_symbolic::{Expr, LinearError, Rational, Role, Symbol, Verdict, prove_all_zero};

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
    pub claim: Claim,
    /// Is every nonholonomic motion vakonomic?
    pub every: Claim,
    /// Why every motion agrees, where it does.
    pub kind: Option<Kind>,
    /// All initial multipliers, as functions of the state: where every motion agrees.
    pub admissible: Option<Admissible>,
    /// The families of motions that agree, where not all do.
    pub strata: Vec<Stratum>,
    /// Are the families all there are? Where none was found and the class is open, what is in the way.
    pub complete: Claim,
    /// Special values of the parameters for which more motions may agree.
    pub cases: Vec<Case>,
    /// A state whose motion is not vakonomic, where not all are.
    pub counterexample: Vec<(Symbol, Rational)>,
    /// Is the constraint distribution integrable?
    pub integrable: Claim,
    /// Does the reaction vanish on every motion (VE-C15, R2)?
    pub reaction_free: Claim,
    /// Is the momentum along the complement a multiplier (VE-C15, R1; the reading with C = 0)?
    pub gyro_free: Claim,
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
    /// Compares the two motions of a constrained system, its controls at rest.
    pub fn of(system: &System, effort: Effort) -> Result<Self, EquivalenceError> {
        if system.constraints().is_empty() {
            return Err(EquivalenceError::Unconstrained);
        }
        let system = &uncontrolled(system);
        let comparison = Comparison::of(system)?;
        let mut report = Self {
            class: Class::Undecided,
            claim: Claim::undecided("not looked at"),
            every: Claim::undecided("not looked at"),
            kind: None,
            admissible: None,
            strata: Vec::new(),
            complete: Claim::undecided("no families were looked for"),
            cases: Vec::new(),
            counterexample: Vec::new(),
            integrable: integrable(system, &comparison),
            reaction_free: claim(
                zero(&comparison, &comparison.reactions),
                "the reaction vanishes on every motion, so that μ = 0 is a multiplier",
            ),
            gyro_free: claim(
                zero(&comparison, &comparison.defects(&comparison.momenta)),
                "the momentum along the fibre is a multiplier: M p = 0 and X(p) = λ − N p",
            ),
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
                self.claim = Claim::proven(
                    "the affine set of multipliers solves M μ = 0 and is carried along by μ' = λ − N μ",
                );
                self.admissible = Some(found);
            }
            Outcome::Inconsistent {
                residual,
                witness,
                value,
            } => {
                self.every = Claim::refuted(format!(
                    "at {} the conditions on μ contradict each other by {value}",
                    point(&witness)
                ));
                self.counterexample = witness;
                if let Some(residual) = residual {
                    self.cases = cases::special(&self.comparison, &residual, effort);
                }
                self.look_for_families(value, effort);
            }
            Outcome::Solvable { dimension } => {
                self.class = Class::Conditional;
                self.kind = Some(match dimension == m {
                    true => Kind::Integrable,
                    false => Kind::Mixed,
                });
                self.claim = Claim::proven(
                    "at generic states the Taylor coefficients of M μ = 0 are consistent (their ranks modulo a prime), up to the order where they add nothing",
                );
            }
            Outcome::Undecided { why } => {
                self.claim = Claim::undecided(why);
            }
        }
    }

    fn look_for_families(&mut self, value: f64, effort: Effort) {
        let c = &self.comparison;
        let search = strata::search(c, effort.part(2));
        let (mut good, bad): (Vec<_>, Vec<_>) = search
            .strata
            .into_iter()
            .partition(|s| prove_all_zero(&s.defects(c)).is_proven());
        if search.open.is_some() || !bad.is_empty() {
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
        self.complete = match &search.open {
            None => Claim::proven(
                "every other branch of M μ = 0 and its derivatives ends at rest or in a contradiction",
            ),
            Some(why) => Claim::undecided(why.clone()),
        };
        let at = point(&self.counterexample);
        if !good.is_empty() {
            self.class = Class::Partial;
            self.claim = Claim::proven(format!(
                "the listed families are carried along by the motion with their multipliers; at {at} the conditions on μ contradict each other by {value}"
            ));
            self.strata = good;
            return;
        }
        match search.open {
            None if bad.is_empty() => {
                self.class = Class::None;
                self.claim = Claim::proven(format!(
                    "every branch of M μ = 0 and its derivatives ends at rest or in a contradiction, for example by {value} at {at}"
                ));
            }
            open => {
                self.class = Class::Undecided;
                let why = open.unwrap_or_else(|| "a family could not be certified".into());
                let why = match self.comparison.is_time_dependent() {
                    true => format!("the motion depends on time, and {why}"),
                    false => why,
                };
                let why =
                    format!("not every motion is vakonomic, but whether some are is open: {why}");
                self.claim = Claim::undecided(why.clone());
                self.complete = Claim::undecided(why);
            }
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

fn zero(c: &Comparison, f: &[Expr]) -> Verdict {
    prove_all_zero(&c.freed(f))
}

/// Is the ideal of the constraints closed? With constraints that are affine or depend on time it lives on
/// space and time, and it is closed exactly if E(φ) vanishes on D: M = 0.
fn integrable(system: &System, c: &Comparison) -> Claim {
    let constraints = system.constraints();
    let moving = constraints.forms().entries().iter().any(is_time_dependent);
    if moving || !constraints.is_linear() {
        return claim(
            zero(c, c.turning.entries()),
            "the forms of the constraints generate a closed ideal on space and time, so that they are holonomic",
        );
    }
    match Distribution::annihilated_by(system.frame(), system.constraints().forms(), &c.on) {
        Ok(d) => claim(
            d.is_involutive(),
            "the distribution is closed under brackets, so that the constraints are holonomic",
        ),
        Err(e) => Claim::undecided(e.to_string()),
    }
}
