//! The search for solutions, step by step: in the coordinates themselves, part by part, in other
//! coordinates, and from first integrals.

use super::action_angle::ActionAngle;
use super::change::Change;
use super::chaplygin::{self, ChaplyginRoute};
use super::separation::{Separated, levi_civita, separate};
use super::solution::{Candidate, Method, Solution, names};
use super::{HamiltonJacobiError, Setting};
use super::{blocks, curvilinear, elimination, forces, integrals, linear_change};
use crate::exact::tidy;
use crate::{Answer, Effort};
use rattleback_mechanics::phase::CanonicalPhaseSpace;
use rattleback_mechanics::{Quantity, System};
use rattleback_symbolic::{Expr, Symbol};

/// Changes of coordinates and parts within each other.
const DEPTH: usize = 5;

/// What a search may use.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Constants of the solution, the energy first.
    pub(crate) names: Vec<Symbol>,
    /// Names that new coordinates must not have.
    pub(crate) taken: Vec<String>,
    depth: usize,
    pub(crate) effort: Effort,
}

impl Context {
    pub(crate) fn new(names: Vec<Symbol>, effort: Effort) -> Self {
        let taken = names.iter().map(|s| s.name().to_string()).collect();
        Self {
            names,
            taken,
            depth: 0,
            effort,
        }
    }

    /// For a part of the problem.
    pub(crate) fn inside(&self, names: Vec<Symbol>, taken: Vec<String>) -> Self {
        Self {
            names,
            taken,
            depth: self.depth + 1,
            effort: self.effort,
        }
    }

    /// A coordinate under a name that nothing has.
    fn fresh(&self, base: &str) -> Symbol {
        let mut name = base.to_string();
        while self.taken.contains(&name) {
            name.push('_');
        }
        Symbol::variable(&name)
    }
}

/// What a search found, on the way as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) separable: Option<Answer>,
    pub(crate) separated: Option<Separated>,
    pub(crate) action_angle: Option<ActionAngle>,
    pub(crate) chaplygin: Option<ChaplyginRoute>,
    pub(crate) solutions: Vec<Solution>,
}

/// Looks for a complete family; what comes first is easier to read.
pub(crate) fn run(system: &System, context: &Context) -> Result<Found, HamiltonJacobiError> {
    let setting = Setting::of(system)?;
    let mut found = Found::default();
    let mut context = context.clone();
    context.taken.extend(names(system));
    let symbols = rattleback_symbolic::free_symbols(std::slice::from_ref(system.lagrangian()));
    context
        .taken
        .extend(symbols.iter().map(|s| s.name().to_string()));
    let context = &context;
    if system.is_forced() {
        found.forced(system, &setting, context)?;
        return Ok(found.sorted());
    }
    found.direct(system, &setting, context)?;
    if found.goes_on(context) && context.depth < DEPTH {
        found.by_parts(system, &setting, context);
        if found.goes_on(context) {
            found.in_other_coordinates(system, &setting, context);
        }
    }
    if found.goes_on(context) {
        let families = integrals::families(system, &setting, &context.names, context.effort);
        for candidate in families {
            if found.goes_on(context) {
                // What is too large to certify is no solution.
                found.certify(system, &setting, candidate, None).ok();
            }
        }
    }
    Ok(found.sorted())
}

impl Found {
    pub(crate) fn is_complete(&self) -> bool {
        self.solutions.iter().any(|s| s.complete.is_proven())
    }

    /// Complete families only if there are any, those that pass the strong test first.
    fn sorted(mut self) -> Self {
        if self.is_complete() {
            self.solutions.retain(|s| s.complete.is_proven());
        }
        self.solutions
            .sort_by_key(|s| !s.verification.strong.is_proven());
        self
    }

    /// With an external force: its potential joins the system; else its own families, and those of
    /// independent parts.
    fn forced(
        &mut self,
        system: &System,
        setting: &Setting,
        context: &Context,
    ) -> Result<(), HamiltonJacobiError> {
        if let Some((folded, potential)) = forces::folded(system) {
            let inner = context.inside(context.names.clone(), context.taken.clone());
            *self = run(&folded, &inner)?;
            for s in &mut self.solutions {
                let note =
                    format!("the force that depends on positions has the potential {potential}");
                s.notes.insert(0, note);
            }
            return Ok(());
        }
        let names = &context.names;
        for candidate in forces::families(system, setting, names, context.effort) {
            if self.goes_on(context) {
                self.certify(system, setting, candidate, None)?;
            }
        }
        if self.goes_on(context) && context.depth < DEPTH {
            self.by_parts(system, setting, context);
        }
        Ok(())
    }

    /// The parts of a sum, each by itself.
    fn by_parts(&mut self, system: &System, setting: &Setting, context: &Context) {
        if let Some((candidate, change)) = blocks::solve(system, context) {
            self.certify(system, setting, candidate, change).ok();
        }
    }

    fn goes_on(&self, context: &Context) -> bool {
        !self.is_complete() && !context.effort.is_spent()
    }

    /// Separation, elimination and the Chaplygin Hamiltonian in the system's own coordinates.
    fn direct(
        &mut self,
        system: &System,
        setting: &Setting,
        context: &Context,
    ) -> Result<(), HamiltonJacobiError> {
        let constants = &context.names;
        let mut candidates: Vec<Candidate> = Vec::new();
        if system.constraints().is_empty() {
            candidates.extend(self.classical(system, constants)?);
        }
        let all: Vec<usize> = (0..setting.rank()).collect();
        let orthogonal = setting.orthogonal(system, &all)?;
        candidates.extend(elimination::along_frame(&orthogonal, constants));
        if !context.effort.is_spent() {
            candidates.extend(elimination::one_variable(system, setting, constants)?);
        }
        if !context.effort.is_spent()
            && let Some((route, candidate)) = chaplygin::route(system, constants)
        {
            self.chaplygin = Some(route);
            candidates.extend(candidate);
        }
        for candidate in candidates {
            if context.effort.is_spent() {
                break;
            }
            // One complete family per method says it all.
            let known = |s: &Solution| s.method == candidate.method && s.complete.is_proven();
            if !self.solutions.iter().any(known) {
                self.certify(system, setting, candidate, None)?;
            }
        }
        Ok(())
    }

    /// Keeps a candidate that passes, in the coordinates that it is written in.
    fn certify(
        &mut self,
        system: &System,
        setting: &Setting,
        candidate: Candidate,
        change: Option<Change>,
    ) -> Result<(), HamiltonJacobiError> {
        let found = match &change {
            None => Solution::certify(system, setting, candidate)?,
            Some(c) => match c.apply(system) {
                Some(turned) => Solution::certify(&turned, &Setting::of(&turned)?, candidate)?,
                None => None,
            },
        };
        self.solutions.extend(found.map(|s| Solution {
            coordinates: change,
            ..s
        }));
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
            levels: None,
            notes: Vec::new(),
        }))
    }

    /// Linear and curvilinear coordinates in which the Hamiltonian, or that of the base, may separate.
    fn in_other_coordinates(&mut self, system: &System, setting: &Setting, context: &Context) {
        let fresh = |base: &str| context.fresh(base);
        let effort = context.effort;
        let essential = || linear_change::essential(system, setting, &fresh);
        let linear = || linear_change::splitting(system, &fresh, effort);
        let curved = || curvilinear_change(system, self.chaplygin.as_ref(), &fresh, effort);
        let cyclic = || curvilinear::with_cyclic_angle(system, &fresh, effort);
        let searches: [&dyn Fn() -> Option<Change>; 4] = [&essential, &linear, &curved, &cyclic];
        let mut results = Vec::new();
        for search in searches {
            if effort.is_spent() {
                break;
            }
            let Some(change) = search() else { continue };
            let Some(turned) = change.apply(system) else {
                continue;
            };
            let inner = context.inside(context.names.clone(), context.taken.clone());
            let Ok(found) = run(&turned, &inner) else {
                continue;
            };
            let done = found.is_complete();
            results.push((change, found));
            if done {
                break;
            }
        }
        for (change, found) in results {
            for s in found.solutions {
                let coordinates = match &s.coordinates {
                    Some(next) => change.then(next),
                    None => change.clone(),
                };
                self.solutions.push(Solution {
                    coordinates: Some(coordinates),
                    ..s
                });
            }
            if self.is_complete() {
                self.action_angle = found.action_angle.or(self.action_angle.take());
            }
        }
    }
}

/// From H on all coordinates, or from the Chaplygin Hamiltonian on the base.
fn curvilinear_change(
    system: &System,
    route: Option<&ChaplyginRoute>,
    fresh: &dyn Fn(&str) -> Symbol,
    effort: Effort,
) -> Option<Change> {
    if system.has_groups() {
        return None;
    }
    let q = system.frame().base();
    let (h, base, momenta) = match route {
        Some(c) => (c.hamiltonian.clone(), c.base.clone(), c.momenta.clone()),
        None if system.constraints().is_empty() => {
            let canonical = CanonicalPhaseSpace::of(system).ok()?;
            let h = tidy(canonical.hamiltonian());
            (h, q.to_vec(), canonical.momenta().to_vec())
        }
        None => return None,
    };
    let change = curvilinear::separating(&h, &base, &momenta, fresh, effort)?;
    // The fibre keeps its coordinates.
    let coordinates = q.iter().map(|x| match base.iter().position(|b| b == x) {
        Some(i) => change.coordinates[i].clone(),
        None => x.clone(),
    });
    Some(Change {
        coordinates: coordinates.collect(),
        ..change
    })
}
