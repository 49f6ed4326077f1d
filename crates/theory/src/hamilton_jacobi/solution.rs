//! A family of solutions γ(q; constants), certified, with what follows from it (HJ-C24 to C26).

use super::motion::Motion;
use super::reality::is_real;
use super::{Change, HamiltonJacobiError, Setting, Verification};
use crate::exact::{tidy, tidy_all};
use crate::{Answer, Evidence, Function, Gap, Named, Theorem};
use rattleback_mechanics::{MassForm, Quantity, System};
use rattleback_symbolic::{
    Expr, Kind, Matrix, Rational, Symbol, determinant, postorder, solve, substitute_all,
};

/// How a family was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Classical separation of variables.
    Separation,
    /// Constant frame momenta, and a potential that splits along the frame.
    FrameSeparation,
    /// The energy equation solved for one component, ordinary equations for the others.
    Elimination,
    /// Separation of the Chaplygin Hamiltonian, lifted back.
    Chaplygin,
    /// The parts of a sum of systems, each by itself.
    Parts,
    /// First integrals solved for the momenta.
    Integrals,
    /// The balance of one coordinate with a force, solved.
    Forced,
}

impl Method {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Method::Separation => "separation of variables",
            Method::FrameSeparation => "separation along the frame of the distribution",
            Method::Elimination => "elimination with the energy",
            Method::Chaplygin => "separation of the Chaplygin Hamiltonian",
            Method::Parts => "separation into independent parts",
            Method::Integrals => "inversion of first integrals",
            Method::Forced => "the balance with the external force",
        }
    }
}

/// What a solver proposes, before it is certified.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) method: Method,
    /// γ in the ambient frame.
    pub(crate) form: Vec<Expr>,
    pub(crate) constants: Vec<Symbol>,
    /// Each constant as a function of positions and momenta of D, where it is known.
    pub(crate) integrals: Vec<Quantity>,
    /// The first integrals whose common levels γ parametrises, where it comes from such.
    pub(crate) levels: Option<Levels>,
    pub(crate) notes: Vec<String>,
}

/// Longer formulas are neither ordered for quadratures nor searched for turning points.
const READABLE: usize = 1200;

/// First integrals F_a(q, P), each proven, with F_a(q, γ) = c_a.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// F_a − c_a.
    pub(crate) functions: Vec<Expr>,
    /// The momenta P of the frame of D.
    pub(crate) momenta: Vec<Symbol>,
    /// Do they commute, so that dγ vanishes on D?
    pub(crate) closed: bool,
    /// Is F_a(q, γ) = c_a proven already, E = c_1 among them, and γ made from its values on the frame? Then it
    /// is closed on D as well.
    pub(crate) solved: bool,
}

impl Levels {
    /// ∂γ/∂c is the inverse of ∂F/∂P.
    fn complete(&self, s: &Setting) -> Option<Answer> {
        let (f, p) = (&self.functions, &self.momenta);
        let jacobian = Matrix::new(f.len(), p.len(), |a, b| f[a].diff(&p[b]));
        let det = determinant(&jacobian).ok()?;
        let det = [det];
        match Answer::vanish(&det, s.zero(&det), Function::IntegralDeterminant) {
            Answer::Refuted(point) => {
                let theorem = Theorem::IndependentIntegrals;
                Some(Answer::proven(Evidence::theorem(theorem, [point])))
            }
            _ => None,
        }
    }

    /// What the levels show.
    fn theorem(&self) -> Evidence {
        Theorem::LevelsOfIntegrals
            .with("functions", self.functions.clone())
            .into()
    }

    /// The levels of first integrals are carried along by the motion. If they are graphs, these pass the
    /// weak test, and the strong one if the integrals commute. What is decided stays.
    fn settle(&self, s: &Setting, v: &mut Verification) {
        let known: Vec<(Symbol, Expr)> = self
            .momenta
            .iter()
            .cloned()
            .zip(v.components.iter().cloned())
            .collect();
        let on_levels = substitute_all(&self.functions, &known);
        if !v.admissible.is_proven() || !s.zero(&on_levels).is_proven() {
            return;
        }
        let settled = |claim: &mut Answer| {
            if claim.decided().is_none() {
                *claim = Answer::proven(self.theorem());
            }
        };
        settled(&mut v.weak);
        if self.closed {
            settled(&mut v.closed);
            settled(&mut v.balanced);
            settled(&mut v.strong);
        }
    }
}

/// A place where the branch of a root ends.
#[derive(Clone, Debug)]
pub struct Turning {
    /// γ is real where this is not negative; the sign of the root flips where it vanishes.
    pub radicand: Expr,
    /// The rate of the radicand's root along the motion, which stays regular there.
    pub rate: Expr,
}

/// A certified family of solutions.
#[derive(Clone, Debug)]
pub struct Solution {
    /// How it was found.
    pub method: Method,
    /// The constants.
    pub constants: Vec<Symbol>,
    /// The coordinates that everything here is written in, if they are not those of the system.
    pub coordinates: Option<Change>,
    /// γ by components, with the names of the ambient velocities' positions.
    pub form: Vec<Quantity>,
    /// The certificate.
    pub verification: Verification,
    /// Is det ∂γ_a/∂c_b different from zero, so that every motion is reached?
    pub complete: Answer,
    /// That determinant, for as many constants as velocities.
    pub determinant: Option<Expr>,
    /// Constants as functions of positions and velocities: first integrals, proven.
    pub integrals: Vec<Quantity>,
    /// Where branches end.
    pub turning: Vec<Turning>,
    /// The motion by quadrature.
    pub motion: Option<Motion>,
    /// Remarks.
    pub notes: Vec<String>,
}

impl Solution {
    /// Certifies a candidate; `None` unless at least the weak test holds.
    pub(crate) fn certify(
        system: &System,
        setting: &Setting,
        candidate: Candidate,
    ) -> Result<Option<Self>, HamiltonJacobiError> {
        let form = tidy_all(&candidate.form);
        let verification = match &candidate.levels {
            Some(levels) if levels.solved => {
                let energy = Expr::from(&candidate.constants[0]);
                Verification::assured(setting, &form, &energy, &levels.theorem())
            }
            levels => {
                let mut v = Verification::in_setting(system, setting, &form)?;
                if let (Some(levels), false) = (levels, v.strong.is_proven()) {
                    levels.settle(setting, &mut v);
                }
                v
            }
        };
        if !verification.weak.is_proven() {
            return Ok(None);
        }
        let integrals = conserved(system, candidate.integrals)?;
        if !is_real(system, setting, &form, &candidate.constants, &integrals) {
            return Ok(None);
        }
        let independent = candidate.levels.as_ref().and_then(|l| l.complete(setting));
        let (complete, determinant) = match independent {
            Some(claim) => (claim, None),
            None => complete(setting, &verification, &candidate.constants),
        };
        let length: usize = form.iter().map(Expr::node_count).sum();
        let readable = length < READABLE;
        let turning = match readable {
            true => turning(setting, &verification),
            false => Vec::new(),
        };
        Ok(Some(Self {
            form: names(system)
                .into_iter()
                .zip(form)
                .map(|(n, e)| Quantity::new(n, e))
                .collect(),
            coordinates: None,
            motion: readable
                .then(|| Motion::of(setting, &verification))
                .flatten(),
            method: candidate.method,
            constants: candidate.constants,
            integrals,
            notes: candidate.notes,
            verification,
            complete,
            determinant,
            turning,
        }))
    }
}

/// Keeps what is proven to be constant along all motions (HJ-C26).
fn conserved(
    system: &System,
    integrals: Vec<Quantity>,
) -> Result<Vec<Quantity>, HamiltonJacobiError> {
    let (frame, sections) = (system.frame(), system.sections()?);
    let MassForm { mass, bias } = system.restricted()?.equations();
    let minus: Vec<Expr> = bias.iter().map(|b| -b).collect();
    let rates = solve(&mass, &Matrix::column_vector(&minus))?
        .solution
        .column(0);
    let velocity = sections.velocity();
    let known: Vec<(Symbol, Expr)> = sections
        .velocities
        .iter()
        .map(Symbol::derivative)
        .zip(rates)
        .collect();
    let stays = |q: &Quantity| {
        let on_d = sections.restrict(frame, std::slice::from_ref(&q.value));
        let rate = frame.rates_along(&velocity, &on_d, |_| false);
        system
            .prove_zero(&substitute_all(&rate, &known))
            .is_proven()
    };
    Ok(integrals.into_iter().filter(stays).collect())
}

/// The dual of each ambient velocity, as a model writes it: x for dx, w[1] for a group.
pub(crate) fn names(system: &System) -> Vec<String> {
    system
        .frame()
        .fibre()
        .iter()
        .map(|y| y.name().to_string())
        .collect()
}

/// det ∂γ_a/∂c_b ≠ 0 (HJ-C25).
fn complete(s: &Setting, v: &Verification, constants: &[Symbol]) -> (Answer, Option<Expr>) {
    let k = s.rank();
    if constants.len() < k {
        let few = Theorem::TooFewConstants
            .with("constants", constants.len())
            .with("velocities", k);
        return (Answer::refuted(few), None);
    }
    let jacobian = Matrix::new(k, k, |a, b| v.components[a].diff(&constants[b]));
    let Ok(det) = determinant(&jacobian) else {
        return (Answer::undecided(Gap::NoDeterminant), None);
    };
    let det = tidy(&det);
    let functions = std::slice::from_ref(&det);
    let claim = match Answer::vanish(functions, s.zero(functions), Function::FamilyDeterminant) {
        Answer::Refuted(point) => {
            Answer::proven(Evidence::theorem(Theorem::CompleteFamily, [point]))
        }
        Answer::Proven(zero) => {
            Answer::refuted(Evidence::theorem(Theorem::IncompleteFamily, [zero]))
        }
        open => open,
    };
    (claim, Some(det))
}

/// The radicands of the square roots in γ, and the regular rate of each root along v:
/// (√r)' = v[r]/(2√r) in lowest terms (HJ-C24).
fn turning(s: &Setting, v: &Verification) -> Vec<Turning> {
    let half = Rational::new(1, 2);
    let mut found: Vec<Turning> = Vec::new();
    for node in postorder(&v.components, |_| true) {
        let items = match node.kind() {
            Kind::Product(items) => items.to_vec(),
            _ => continue,
        };
        for (base, r) in items {
            let is_root = !(&r / &Rational::ONE).is_integer() && (&r / &half).is_integer();
            let fixed = !s.frame.base().iter().any(|q| base.contains(q));
            if !is_root || fixed || found.iter().any(|t| t.radicand == base) {
                continue;
            }
            if base.is_nonvanishing() {
                continue;
            }
            let velocity: Vec<Expr> = v.velocity.iter().map(|q| q.value.clone()).collect();
            let rate = s
                .frame
                .act(&velocity, std::slice::from_ref(&base))
                .swap_remove(0);
            found.push(Turning {
                rate: tidy(&(rate / (2 * base.sqrt()))),
                radicand: base,
            });
        }
    }
    found
}
