//! The map of a variational method on the state of a motion.

use super::base_step::in_varied;
use super::chaplygin::{self, ChaplyginMap, ReducedMap};
use super::error::SimulationError;
use super::method::Method;
use super::options::Options;
use crate::discrete::CompiledStep;
use rattleback_compile::Motion;
use rattleback_integrate::Fault;
use rattleback_integrate::variational::StepMap;
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Reading, Rule};
use rattleback_mechanics::{Form, System};
use rattleback_symbolic::{Expr, Symbol};

/// The map of a discrete principle.
#[derive(Clone)]
pub(crate) enum AnyMap {
    /// By a rule.
    Rule(CompiledStep, u32),
    /// By a rule on the base.
    Reduced(Box<ReducedMap>, u32),
    /// In Chaplygin time.
    Chaplygin(Box<ChaplyginMap>, u32),
}

impl AnyMap {
    /// The map that a method steps by; none for the methods of vector fields. `step` is signed. Of the momenta that
    /// the motion keeps, those that the steps do not keep are no longer called conserved.
    pub(crate) fn of(
        system: &System,
        motion: &mut Motion,
        method: Method,
        options: &Options,
        step: f64,
    ) -> Result<Option<Self>, SimulationError> {
        let map = Self::stepping(system, motion, method, options, step)?;
        if map.is_some() {
            judge_momenta(system, motion, method, options);
        }
        Ok(map)
    }

    fn stepping(
        system: &System,
        motion: &Motion,
        method: Method,
        options: &Options,
        step: f64,
    ) -> Result<Option<Self>, SimulationError> {
        Ok(match method {
            Method::Variational(rule) if motion.form == Form::Chaplygin => {
                let map = ReducedMap::of(system, motion, discretization(rule, options))?;
                Some(Self::Reduced(Box::new(map), rule.order()))
            }
            Method::Variational(rule) => {
                let map = by_rule(system, motion, rule, options)?;
                Some(Self::Rule(map, rule.order()))
            }
            Method::ChaplyginSymplectic => {
                let time = options.chaplygin_time.as_ref().ok_or_else(|| {
                    let why = "no Hamiltonization of the system is known".into();
                    SimulationError::Method {
                        method: Box::new(method),
                        why,
                    }
                })?;
                let map = ChaplyginMap::of(system, motion, time, options, step)?;
                let order = chaplygin::rule(time, system).order();
                Some(Self::Chaplygin(Box::new(map), order))
            }
            _ => None,
        })
    }

    /// The order of convergence.
    pub(super) fn order(&self) -> u32 {
        match self {
            Self::Rule(_, order) | Self::Reduced(_, order) | Self::Chaplygin(_, order) => *order,
        }
    }
}

impl StepMap for AnyMap {
    fn dimension(&self) -> usize {
        match self {
            Self::Rule(map, _) => map.dimension(),
            Self::Reduced(map, _) => map.dimension(),
            Self::Chaplygin(map, _) => map.dimension(),
        }
    }

    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
        match self {
            Self::Rule(map, _) => map.advance(t, x, h, next),
            Self::Reduced(map, _) => map.advance(t, x, h, next),
            Self::Chaplygin(map, _) => map.advance(t, x, h, next),
        }
    }

    fn give(&mut self, given: &[f64]) {
        match self {
            Self::Rule(map, _) => map.give(given),
            Self::Reduced(map, _) => map.give(given),
            Self::Chaplygin(map, _) => map.give(given),
        }
    }

    fn restart(&mut self) {
        match self {
            Self::Rule(map, _) => map.restart(),
            Self::Reduced(map, _) => map.restart(),
            Self::Chaplygin(map, _) => map.restart(),
        }
    }

    fn evaluations(&self) -> u64 {
        match self {
            Self::Rule(map, _) => map.evaluations(),
            Self::Reduced(map, _) => map.evaluations(),
            Self::Chaplygin(map, _) => map.evaluations(),
        }
    }
}

fn discretization(rule: Rule, options: &Options) -> Discretization {
    Discretization {
        rule,
        retraction: options.retraction,
        placement: options.placement,
        reading: Reading::Program,
    }
}

/// The step of a rule for a motion whose state is made of positions and velocities.
fn by_rule(
    system: &System,
    motion: &Motion,
    rule: Rule,
    options: &Options,
) -> Result<CompiledStep, SimulationError> {
    let refuse = |why: String| SimulationError::Method {
        method: Box::new(Method::Variational(rule)),
        why,
    };
    let how = discretization(rule, options);
    let discrete = DiscreteSystem::new(system, how).map_err(|e| refuse(e.to_string()))?;
    let is_free = system.constraints().holonomic().is_empty();
    let in_frame = motion.form == Form::Hamel && is_free;
    let sections = in_frame.then(|| system.sections()).transpose()?;
    let in_frame = sections.and_then(|sections| discrete.frame_step(sections));
    let step = in_frame.unwrap_or_else(|| discrete.step());
    // Time and step come first among its inputs.
    let names = &step.inputs[2..];
    let is_followed = |s: &Symbol| names.contains(s);
    if names.len() != motion.state.len() || !motion.state.iter().all(is_followed) {
        return Err(refuse(format!(
            "it follows positions and velocities, and the state of the form {} is another: leave ‹form› out",
            motion.form
        )));
    }
    let step = in_varied(step, motion);
    let (given, constants) = (motion.varied(), motion.constants());
    Ok(CompiledStep::new(&step, &motion.state, &given, constants)?)
}

/// Of the momenta that a motion keeps, steps keep those whose symmetry L_d has as well.
fn judge_momenta(system: &System, motion: &mut Motion, method: Method, options: &Options) {
    let discrete = match method {
        Method::Variational(rule) if motion.form != Form::Chaplygin => {
            let reading = Reading::Formula;
            let how = discretization(rule, options);
            DiscreteSystem::new(system, Discretization { reading, ..how }).ok()
        }
        _ => None,
    };
    let is_kept = |field: &[Expr]| {
        let kept = discrete.as_ref().map(|d| d.surely_keeps(system, field));
        matches!(kept, Some(Ok(true)))
    };
    for record in motion.records.iter_mut().filter(|r| r.conserved) {
        if let Some(i) = record.symmetry {
            record.conserved = is_kept(&system.symmetries()[i].components);
        }
    }
}

/// The principle of a variational method and what it keeps, for a summary.
pub(super) fn principle(system: &System, form: Form, method: Method) -> String {
    let Method::Variational(rule) = method else {
        return "a variational step on the base in Chaplygin time, d tau = f dt: symplectic in (r, p = f P, tau), \
                steps of equal length in tau, time and fibre reconstructed along them"
            .into();
    };
    let constraints = system.constraints();
    let forced = system.force().iter().any(|f| !f.is_zero());
    let nonholonomic = constraints.len() > constraints.holonomic().len();
    let (principle, kept) = match (nonholonomic, forced) {
        (true, _) if form == Form::Chaplygin => (
            "discrete Lagrange-d'Alembert on the base with the gyroscopic force",
            "has no constraints to keep, neither symplectic nor energy-conserving",
        ),
        (true, _) => (
            "discrete Lagrange-d'Alembert",
            "keeps velocity constraints at the nodes, neither symplectic nor energy-conserving",
        ),
        (false, true) => (
            "forced discrete Euler-Lagrange equations",
            "keeps momenta of symmetries of L_d that the force respects",
        ),
        (false, false) if !constraints.is_empty() => (
            "discrete Euler-Lagrange equations with constraints at the nodes",
            "symplectic, keeps momenta of symmetries of L_d",
        ),
        (false, false) => (
            "discrete Euler-Lagrange equations",
            "symplectic, keeps momenta of symmetries of L_d",
        ),
    };
    format!("{principle} of the rule {rule}: {kept}")
}
