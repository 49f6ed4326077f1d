//! Hamilton-Jacobi theory, classical and nonholonomic: verify a one-form, generate the equations,
//! solve them, and integrate the motion (HJ-C13 to C26, C38, C39; DP-B2, B3, B8 to B11, B15, B16).

mod action;
mod action_angle;
mod blocks;
mod change;
mod chaplygin;
mod curve;
mod curvilinear;
mod elimination;
mod equations;
mod forces;
mod integrals;
mod killing;
mod linear_change;
mod motion;
mod primitive;
mod reality;
mod search;
mod separation;
mod setting;
mod solution;
mod verification;

pub use action::{characteristic_function, principal_function};
pub use action_angle::{Action, ActionAngle};
pub use change::Change;
pub use chaplygin::ChaplyginRoute;
pub use curve::Curve;
pub use equations::{Characteristics, Equations};
pub use motion::{Motion, Quadrature};
pub use separation::{Piece, Separated, levi_civita, separate};
pub use setting::Setting;
pub use solution::{Method, Solution, Turning};
pub use verification::{ReducedReading, Verification, from_generating_function};

use crate::{Answer, Effort, Evidence, Gap, Named as _, Reason, Theorem};
use rattleback_mechanics::phase::PhaseError;
use rattleback_mechanics::{MechanicsError, System};
use rattleback_symbolic::{Expr, LinearError, Symbol, free_symbols};
use search::Context;
use solution::names;

/// Why there is no Hamilton-Jacobi equation.
#[derive(Debug, Clone, thiserror::Error)]
pub enum HamiltonJacobiError {
    /// The theory here is for L = T − V.
    #[error("the Lagrangian is not kinetic minus potential energy: {0}")]
    NotNatural(&'static str),
    /// The constraints have a part free of velocities.
    #[error("the constraints have a part free of velocities")]
    Affine,
    /// The distribution is not there.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// A phase-space construction is not there.
    #[error(transparent)]
    Phase(#[from] PhaseError),
    /// A linear problem has no exact answer.
    #[error(transparent)]
    Linear(#[from] LinearError),
}

/// A one-form of the model and what is true of it.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The tests.
    pub verification: Verification,
}

/// Everything about the Hamilton-Jacobi equation of a system.
#[derive(Clone, Debug)]
pub struct HamiltonJacobi {
    /// The frame that the equations are written in.
    pub setting: Setting,
    /// The equations.
    pub equations: Equations,
    /// The reduced equation along characteristics, for rank 2.
    pub characteristics: Option<Characteristics>,
    /// The given one-forms.
    pub given: Vec<Named>,
    /// Does the Hamiltonian separate in these coordinates (unconstrained systems)?
    pub separable: Option<Answer>,
    /// Its pieces.
    pub separated: Option<Separated>,
    /// Actions and frequencies of the pieces.
    pub action_angle: Option<ActionAngle>,
    /// The Chaplygin Hamiltonian and its separation.
    pub chaplygin: Option<ChaplyginRoute>,
    /// Certified families of solutions, complete ones first.
    pub solutions: Vec<Solution>,
    /// Was a complete solution found?
    pub claim: Answer,
}

impl HamiltonJacobi {
    /// Studies the equation of a system and the given one-forms (name and ambient components).
    pub fn of(
        system: &System,
        forms: &[(String, Vec<Expr>)],
        effort: Effort,
    ) -> Result<Self, HamiltonJacobiError> {
        match forms.is_empty() {
            true => effort.shared(system, |effort| Self::afresh(system, forms, effort)),
            false => Self::afresh(system, forms, effort),
        }
    }

    fn afresh(
        system: &System,
        forms: &[(String, Vec<Expr>)],
        effort: Effort,
    ) -> Result<Self, HamiltonJacobiError> {
        let setting = Setting::of(system)?;
        let all: Vec<usize> = (0..setting.rank()).collect();
        let orthogonal = setting.orthogonal(system, &all)?;
        let constants = fresh(system, forms, 2 * setting.rank() + 4);
        let mut report = Self {
            equations: Equations::of(&setting, &constants[0]),
            characteristics: Characteristics::of(&orthogonal, &constants[0]),
            given: Vec::new(),
            separable: None,
            separated: None,
            action_angle: None,
            chaplygin: None,
            solutions: Vec::new(),
            claim: Answer::undecided(Gap::NotLookedAt),
            setting,
        };
        for (name, form) in forms {
            report.given.push(Named {
                name: name.clone(),
                verification: Verification::in_setting(system, &report.setting, form)?,
            });
        }
        report.solve(system, &constants, effort)?;
        Ok(report)
    }

    fn solve(
        &mut self,
        system: &System,
        constants: &[Symbol],
        effort: Effort,
    ) -> Result<(), HamiltonJacobiError> {
        let found = search::run(system, &Context::new(constants.to_vec(), effort))?;
        self.separable = found.separable;
        self.separated = found.separated;
        self.action_angle = found.action_angle;
        self.chaplygin = found.chaplygin;
        self.solutions = found.solutions;
        self.claim = match self.solutions.first() {
            Some(s) if s.complete.is_proven() => complete(s),
            Some(_) => Answer::undecided(Gap::NoCompleteFamily),
            None if effort.is_spent() => Answer::undecided(Reason::out_of_effort()),
            None if system.is_forced() => Answer::undecided(Gap::ForceNotBalanced),
            None => Answer::undecided(Gap::NoSolution),
        };
        Ok(())
    }
}

/// A family that passes a test and reaches every motion.
fn complete(s: &Solution) -> Answer {
    let v = &s.verification;
    let (test, passed) = match v.strong.is_proven() {
        true => ("strong", &v.strong),
        false => ("weak", &v.weak),
    };
    let theorem = Theorem::CompleteSolution
        .with("method", s.method.name())
        .with("test", test);
    match Answer::all(&[passed, &s.complete]) {
        Answer::Proven(parts) => Answer::proven(Evidence::theorem(theorem, [parts])),
        other => other,
    }
}

/// E, c1, c2, … under names that the system does not use.
fn fresh(system: &System, forms: &[(String, Vec<Expr>)], count: usize) -> Vec<Symbol> {
    let mut used: Vec<Expr> = vec![system.lagrangian().clone()];
    used.extend(system.constraints().forms().entries().iter().cloned());
    used.extend(forms.iter().flat_map(|(_, f)| f.iter().cloned()));
    let mut taken: Vec<String> = free_symbols(&used)
        .iter()
        .map(|s| s.name().to_string())
        .collect();
    taken.extend(names(system));
    let mut pick = |base: &str| {
        let mut name = base.to_string();
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        Symbol::constant(&name)
    };
    let mut all = vec![pick("E")];
    all.extend((1..count).map(|i| pick(&format!("c{i}"))));
    all
}
