//! Hamilton-Jacobi theory, classical and nonholonomic: verify a one-form, generate the equations,
//! solve them, and integrate the motion (HJ-C13 to C26, C38, C39; DP-B2, B3, B8 to B11, B15, B16).

mod action;
mod action_angle;
mod chaplygin;
mod curve;
mod elimination;
mod equations;
mod motion;
mod primitive;
mod separation;
mod setting;
mod solution;
mod verification;

pub use action::{characteristic_function, principal_function};
pub use action_angle::{Action, ActionAngle};
pub use chaplygin::ChaplyginRoute;
pub use curve::Curve;
pub use equations::{Characteristics, Equations};
pub use motion::{Motion, Quadrature};
pub use separation::{Piece, Separated, levi_civita, separate};
pub use setting::Setting;
pub use solution::{Method, Solution, Turning};
pub use verification::{ReducedReading, Verification, from_generating_function};

use crate::exact::tidy;
use crate::scope::uncontrolled;
use crate::{Claim, Deadline};
use rattleback_mechanics::phase::{CanonicalPhaseSpace, PhaseError};
use rattleback_mechanics::{MechanicsError, Quantity, System};
use rattleback_symbolic::{Expr, LinearError, Symbol, free_symbols};
use solution::{Candidate, names};

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
    pub separable: Option<Claim>,
    /// Its pieces.
    pub separated: Option<Separated>,
    /// Actions and frequencies of the pieces.
    pub action_angle: Option<ActionAngle>,
    /// The Chaplygin Hamiltonian and its separation.
    pub chaplygin: Option<ChaplyginRoute>,
    /// Certified families of solutions, complete ones first.
    pub solutions: Vec<Solution>,
    /// Was a complete solution found?
    pub claim: Claim,
}

impl HamiltonJacobi {
    /// Studies the equation of a system with its controls at rest, and the given one-forms (name and
    /// ambient components).
    pub fn of(
        system: &System,
        forms: &[(String, Vec<Expr>)],
        deadline: Deadline,
    ) -> Result<Self, HamiltonJacobiError> {
        let system = &uncontrolled(system);
        let setting = Setting::of(system)?;
        let all: Vec<usize> = (0..setting.rank()).collect();
        let orthogonal = setting.orthogonal(system, &all)?;
        let constants = fresh(system, forms, setting.rank() + 2);
        let mut report = Self {
            equations: Equations::of(&setting, &constants[0]),
            characteristics: Characteristics::of(&orthogonal, &constants[0]),
            given: Vec::new(),
            separable: None,
            separated: None,
            action_angle: None,
            chaplygin: None,
            solutions: Vec::new(),
            claim: Claim::undecided("not looked for"),
            setting,
        };
        for (name, form) in forms {
            report.given.push(Named {
                name: name.clone(),
                verification: Verification::in_setting(system, &report.setting, form)?,
            });
        }
        report.solve(system, &orthogonal, &constants, deadline)?;
        Ok(report)
    }

    fn solve(
        &mut self,
        system: &System,
        orthogonal: &Setting,
        constants: &[Symbol],
        deadline: Deadline,
    ) -> Result<(), HamiltonJacobiError> {
        if system.force().iter().any(|f| !f.is_zero()) {
            self.claim = Claim::undecided(
                "families are looked for without external forces; given one-forms are tested with them",
            );
            return Ok(());
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        if system.constraints().is_empty() {
            candidates.extend(self.classical(system, constants)?);
        }
        candidates.extend(elimination::along_frame(orthogonal, constants));
        if !deadline.passed() {
            candidates.extend(elimination::one_variable(system, &self.setting, constants)?);
        }
        if !deadline.passed()
            && let Some((route, candidate)) = chaplygin::route(system, constants)
        {
            self.chaplygin = Some(route);
            candidates.extend(candidate);
        }
        for candidate in candidates {
            if deadline.passed() {
                break;
            }
            // One complete family per method says it all.
            let known = |s: &Solution| s.method == candidate.method && s.complete.is_proven();
            if self.solutions.iter().any(known) {
                continue;
            }
            let found = Solution::certify(system, &self.setting, candidate)?;
            self.solutions.extend(found);
        }
        if self.solutions.iter().any(|s| s.complete.is_proven()) {
            self.solutions.retain(|s| s.complete.is_proven());
        }
        self.claim = match self.solutions.first() {
            Some(s) if s.complete.is_proven() => Claim::proven(format!(
                "a complete solution was found by {} and passes the {} test",
                s.method.name(),
                match s.verification.strong.is_proven() {
                    true => "strong",
                    false => "weak",
                }
            )),
            Some(_) => Claim::undecided("solutions were found, but no complete family"),
            None if deadline.passed() => Claim::undecided("the time budget is used up"),
            None => Claim::undecided("neither separation nor elimination led to a solution"),
        };
        Ok(())
    }

    /// Separation of H in the coordinates themselves.
    fn classical(
        &mut self,
        system: &System,
        constants: &[Symbol],
    ) -> Result<Option<Candidate>, HamiltonJacobiError> {
        if system.has_groups() {
            return Ok(None);
        }
        let canonical = CanonicalPhaseSpace::of(system)?;
        let h = tidy(canonical.hamiltonian());
        let (q, p) = (system.frame().base(), canonical.momenta());
        let separable = levi_civita(&h, q, p);
        let separated = match separable.is_proven() {
            true => separate(&h, q, p, constants),
            false => None,
        };
        self.separable = Some(separable);
        self.action_angle = separated.as_ref().map(ActionAngle::of);
        self.separated = separated;
        let in_velocities: Vec<(Symbol, Expr)> = p.iter().cloned().zip(system.momenta()).collect();
        let integral =
            |(c, e): (&Symbol, &Expr)| Quantity::new(c.name(), tidy(&e.substitute(&in_velocities)));
        Ok(self.separated.as_ref().map(|s| Candidate {
            method: Method::Separation,
            form: s.pieces.iter().map(|p| p.momentum.clone()).collect(),
            integrals: s
                .constants
                .iter()
                .zip(&s.integrals)
                .skip(1)
                .map(integral)
                .collect(),
            constants: s.constants.clone(),
            notes: Vec::new(),
        }))
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
