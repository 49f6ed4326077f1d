//! Hamiltonization: a change of time and momenta that makes the reduced motion Hamiltonian
//! (HJ-C34 to C37, C40; VE-C24, C25).

mod odometer;
mod routh;
mod test;

pub use test::{Hamiltonization, conformal_defect};

use crate::chaplygin::{ChaplyginReport, Choice, NoReduction, Reduction};
use crate::distribution::{distribution, involutive};
use crate::finding::search::{CutShort, Exhausted, Search, Searched};
use crate::regularity::without_motion;
use crate::{Absence, Answer, Case, Effort, Evidence, Gap, Named, Reason, Theorem};
use rattleback_mechanics::fibre::{MOST_FIBRES, candidates};
use rattleback_mechanics::phase::CanonicalPhaseSpace;
use rattleback_mechanics::{ChaplyginTime, System};
use rattleback_symbolic::{Expr, Symbol};

/// Is the motion Hamiltonian after a change of time, and if not as it stands, then after a lift, a
/// Routh reduction or with another group?
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, HamiltonizationReport};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = HamiltonizationReport::of(&knife, Effort::unlimited());
/// assert!(found.claim.is_proven());
/// let phi = Expr::from(&knife.frame().base()[2]);
/// assert_eq!(found.direct.unwrap().multiplier, phi.cos());
/// ```
#[derive(Clone, Debug)]
pub struct HamiltonizationReport {
    /// Is the judged reduction Hamiltonian after a change of time?
    pub claim: Answer,
    /// Multiplier and Hamiltonian, if it is.
    pub direct: Option<Hamiltonization>,
    /// Hamiltonizations of other reductions: by a lift, by Routh reduction, with another group.
    pub found: Vec<Found>,
    /// Special values of parameters.
    pub cases: Vec<Case>,
}

/// A Hamiltonization besides the judged one.
#[derive(Clone, Debug)]
pub struct Found {
    /// How the reduction came about, in a word: `group`, `odometer`, `routh`, `odometer, routh`.
    pub by: String,
    /// The same in a sentence.
    pub how: String,
    /// The fibre.
    pub fibre: Vec<String>,
    /// Rates of the odometers that were added.
    pub odometers: Vec<(Symbol, Expr)>,
    /// Conserved momenta of the coordinates that were eliminated.
    pub ignored: Vec<Symbol>,
    /// What the momenta stand for after that: P_α − c_ψ a^ψ_α in the momenta before it.
    pub shifted: Vec<(Symbol, Expr)>,
    /// The Hamiltonization.
    pub hamiltonization: Hamiltonization,
}

impl HamiltonizationReport {
    /// Judges the declared reduction, or any; searches further where that is not enough.
    pub fn of(system: &System, effort: Effort) -> Self {
        if system.constraints().is_empty() {
            return Self::unconstrained(system);
        }
        if system.is_forced() {
            return Self::open(Answer::undecided(Gap::ExternalForce));
        }
        // On a degenerate Lagrangian there is no motion to speak of.
        if let Some(claim) = without_motion(system) {
            return Self::open(claim);
        }
        let chaplygin = ChaplyginReport::of(system, effort);
        let mut report = match &chaplygin.reduction {
            Some(reduction) => Self::judged(reduction, effort),
            None => Self::open(Answer::undecided(match &chaplygin.claim {
                Answer::Undecided(why) => Reason::because(Gap::NoReduction, why.clone()),
                Answer::Proven(shown) | Answer::Refuted(shown) => {
                    Reason::although(Gap::NoReduction, shown.clone())
                }
            })),
        };
        if chaplygin.reduction.is_none()
            && let Some(leafwise) = Self::integrable(system)
        {
            return leafwise;
        }
        if report.direct.is_none() && ChaplyginReport::scope(system).is_ok() {
            let judged = chaplygin.reduction.as_ref().map(|r| r.fibre.clone());
            let mut exhaustive = Search::of(Searched::Fibres, effort);
            report.found = search(system, judged.as_deref(), &mut exhaustive);
            if chaplygin.choice == Choice::Found {
                report.take_any(exhaustive.finish());
            }
        }
        report
    }

    /// A fibre that nobody declared is as good as any other: one that works answers the question, and a refutation
    /// for one of them is none for the others.
    fn take_any(&mut self, searched: Result<Exhausted, CutShort>) {
        let works = self.found.iter().position(|f| f.by == "group");
        if let Some(k) = works {
            let other = self.found.remove(k);
            let theorem = Theorem::OtherFibre.with("fibre", other.fibre);
            let how = other.hamiltonization.how.clone();
            self.claim = Answer::proven(Evidence::theorem(theorem, [how]));
            self.direct = Some(other.hamiltonization);
            self.cases.clear();
        } else if let Answer::Refuted(shown) = &self.claim {
            let shown = shown.clone();
            self.claim = match searched {
                Ok(done) => {
                    let none = Evidence::none(Absence::OtherHamiltonization, done, []);
                    Answer::refuted(Evidence::Parts(vec![shown, none]))
                }
                Err(why) => Answer::undecided(Reason::Gap {
                    gap: Gap::OtherFibres.into(),
                    shown: vec![shown],
                    behind: Some(Box::new(why.into())),
                }),
            };
        }
    }

    fn open(claim: Answer) -> Self {
        Self {
            claim,
            direct: None,
            found: Vec::new(),
            cases: Vec::new(),
        }
    }

    fn judged(reduction: &Reduction, effort: Effort) -> Self {
        let mut report = Self::open(Answer::undecided(Reason::out_of_effort()));
        match Hamiltonization::of(reduction, effort) {
            Ok(h) => {
                report.claim = Answer::proven(h.how.clone());
                report.direct = Some(h);
            }
            Err(obstruction) => {
                report.claim = *obstruction.claim;
                report.cases = obstruction.cases;
            }
        }
        report
    }

    /// On the leaves of an integrable distribution the motion is Hamiltonian as it is.
    fn integrable(system: &System) -> Option<Self> {
        ChaplyginReport::scope(system).ok()?;
        let closed = involutive(&distribution(system).ok()?);
        let leafwise = closed.by(Theorem::HamiltonianOnLeaves);
        leafwise.is_proven().then(|| Self::open(leafwise))
    }

    fn unconstrained(system: &System) -> Self {
        if system.is_forced() {
            return Self::open(Answer::undecided(Gap::ExternalForce));
        }
        match CanonicalPhaseSpace::of(system) {
            Ok(phase) => {
                let hamiltonian = crate::exact::tidy(phase.hamiltonian());
                let how = Evidence::from(Theorem::HamiltonianAlready);
                let mut report = Self::open(Answer::proven(how.clone()));
                report.direct = Some(Hamiltonization::trivial(
                    system.frame().base(),
                    phase.momenta(),
                    hamiltonian,
                    how,
                ));
                report
            }
            Err(e) => Self::open(Answer::failed(e)),
        }
    }
}

/// Why there is no time in which a system can be followed by a symplectic method.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoChaplyginTime {
    /// Nothing holds it.
    #[error(
        "the system has no constraints: it is Hamiltonian as it is, and variational-gauss4 or gauss4 are symplectic"
    )]
    Unconstrained,
    /// The only candidates for a multiplier fail.
    #[error("there is no Hamiltonization: {0}")]
    None(Evidence),
    /// A Hamiltonization is not known.
    #[error("no Hamiltonization was found: {0}")]
    Undecided(Reason),
    /// The multiplier is an integral.
    #[error("the multiplier f has no closed form, only an integral")]
    Quadrature,
    /// The motion is Hamiltonian on the leaves of its constraints, without a multiplier on a base.
    #[error(
        "the constraints are integrable: the motion is Hamiltonian on their leaves, without a change of time; write them as constraints on positions"
    )]
    Leaves,
    /// The base is no set of coordinates and group factors.
    #[error(
        "the reduced system is written on a slice across the orbits of its symmetries: take coordinates along the orbits as `fibre`"
    )]
    Slice,
    /// A fibre with groups in it.
    #[error("the fibre contains the group `{0}`, which is not reconstructed")]
    GroupFibre(String),
}

impl HamiltonizationReport {
    /// The time in which the motion is Hamiltonian, for a method that follows it there.
    pub fn chaplygin_time(&self, system: &System) -> Result<ChaplyginTime, NoChaplyginTime> {
        if system.constraints().is_empty() {
            return Err(NoChaplyginTime::Unconstrained);
        }
        let works = self.found.iter().find(|f| f.by == "group");
        let usable = self.direct.as_ref().or(works.map(|f| &f.hamiltonization));
        let Some(found) = usable else {
            return Err(match &self.claim {
                Answer::Proven(_) => NoChaplyginTime::Leaves,
                Answer::Refuted(why) => NoChaplyginTime::None(why.clone()),
                Answer::Undecided(why) => NoChaplyginTime::Undecided(why.clone()),
            });
        };
        if found.quadrature.is_some() {
            return Err(NoChaplyginTime::Quadrature);
        }
        let positions = |i: &usize| &system.frame().base()[system.factors()[*i].base.clone()];
        let is_fibre = |i: &usize| positions(i).iter().all(|z| !found.coordinates.contains(z));
        let fibre: Vec<usize> = (0..system.factors().len()).filter(is_fibre).collect();
        let group = fibre.iter().find(|&&i| system.factors()[i].group.is_some());
        if let Some(&i) = group {
            return Err(NoChaplyginTime::GroupFibre(
                system.factors()[i].name.clone(),
            ));
        }
        if Reduction::with_fibre(system, &fibre).is_err() {
            return Err(NoChaplyginTime::Slice);
        }
        Ok(ChaplyginTime {
            fibre,
            multiplier: found.multiplier.clone(),
        })
    }
}

/// All reductions that are tried: other fibres, Routh reductions of each, lifts by odometers.
fn search(system: &System, judged: Option<&[String]>, all: &mut Search) -> Vec<Found> {
    let effort = all.effort();
    let mut found: Vec<Found> = Vec::new();
    let fibres = candidates(system);
    if fibres.len() >= MOST_FIBRES {
        all.leave_out(Gap::MostFibres.with("most", MOST_FIBRES));
    }
    for fibre in fibres {
        if !all.goes_on() {
            return found;
        }
        if found.len() >= MOST {
            all.leave_out(Gap::NotAllFibres);
            return found;
        }
        let reduction = match Reduction::with_fibre(system, &fibre) {
            Ok(reduction) => reduction,
            Err(NoReduction::Refuted(_)) => continue,
            Err(NoReduction::Undecided(why)) => {
                all.leave_out(why);
                continue;
            }
        };
        let is_judged = judged == Some(reduction.fibre.as_slice());
        if !is_judged {
            match Hamiltonization::of(&reduction, effort) {
                Ok(h) => found.push(with_fibre(&reduction, h)),
                Err(obstruction) => {
                    if let Answer::Undecided(why) = *obstruction.claim {
                        all.leave_out(why);
                    }
                }
            }
        }
        found.extend(routh::search(&reduction, is_judged, effort));
    }
    if found.is_empty() {
        found.extend(odometer::search(system, effort));
    }
    found.truncate(MOST);
    found
}

fn with_fibre(reduction: &Reduction, hamiltonization: Hamiltonization) -> Found {
    Found {
        by: "group".into(),
        how: format!("with the fibre ({})", reduction.fibre.join(", ")),
        fibre: reduction.fibre.clone(),
        odometers: Vec::new(),
        ignored: Vec::new(),
        shifted: Vec::new(),
        hamiltonization,
    }
}

/// More is not informative.
const MOST: usize = 6;
