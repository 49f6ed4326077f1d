//! Equilibria and steady motions: exact where their equations can be solved, with the conditions under which they are.

mod domain;
mod movers;
mod setting;
mod solve;

use crate::finding::search::{Search, Searched};
use crate::stability::Ground;
use crate::steady::{
    Relation, Stability, SteadyState, at_values, neutral_value, rate_at_start, start_value,
    stated_value, with_least_rates,
};
use crate::{Absence, Answer, Effort, Evidence, Gap, Named, Phrase, Reason};
use domain::{Domain, Inside};
use movers::movers;
use rattleback_mechanics::{Problem, System};
use rattleback_symbolic::{Expr, Symbol, enclose};
use setting::{Mover, Setting, Starts, gauge};
use solve::Solution;
use std::borrow::Cow;

/// Longer Lagrangians have equations that nobody solves.
const LONGEST: usize = 1_500;

/// The equilibria and steady motions of a problem under the laws of its controls, which are 0 where there is none.
#[derive(Clone, Debug)]
pub struct EquilibriumReport {
    /// All that were found, equilibria first.
    pub found: Vec<SteadyState>,
    /// Are there no other equilibria?
    pub exhaustive: Answer,
    /// Are there no other steady motions along these symmetries?
    pub steady_exhaustive: Option<Answer>,
    /// The symmetries that were asked about.
    pub symmetries: Vec<String>,
    /// What vanishes for the values of the parameters and not in general: then all is for these values.
    pub special: Vec<Expr>,
}

impl EquilibriumReport {
    /// Solves for equilibria, then for steady motions along the declared symmetries and the cyclic coordinates, or
    /// those that a search finds where there are none.
    pub fn of(problem: &Problem, effort: Effort) -> Self {
        let moving = match problem.inputs.is_empty() {
            true => Cow::Borrowed(&problem.system),
            false => Cow::Owned(problem.driven()),
        };
        let system: &System = &moving;
        if let Some(gap) = obstacle(system) {
            return Self {
                found: Vec::new(),
                exhaustive: Answer::undecided(gap),
                steady_exhaustive: None,
                symmetries: Vec::new(),
                special: Vec::new(),
            };
        }
        let start = |z: &Symbol| start_value(problem, z);
        let movers = movers(system, &start, effort.part(3));
        let fields = movers.iter().map(|m| m.field.clone());
        let ground = Ground::new(problem, system, fields.collect(), effort);
        let subject = Subject {
            ground: &ground,
            movers: &movers,
            domain: Domain::of(system),
        };
        let general = subject.report(&[], effort.part(2));
        if general.special.is_empty() {
            return general;
        }
        let here = subject.report(problem.values.pairs(), effort);
        Self {
            special: general.special,
            ..here
        }
    }
}

/// What is solved for.
struct Subject<'a> {
    ground: &'a Ground<'a>,
    movers: &'a [Mover],
    domain: Domain,
}

impl Subject<'_> {
    /// The report, in general or with `values` in the place of parameters.
    fn report(&self, values: &[(Symbol, Expr)], effort: Effort) -> EquilibriumReport {
        let here = !values.is_empty();
        let mut special = Vec::new();
        let mut search = Search::of(Searched::Branches, effort.part(2));
        let mut found = self.solved(&[], values, &mut search, &mut special);
        let exhaustive = closed(
            search,
            match here {
                true => Absence::OtherEquilibriaHere,
                false => Absence::OtherEquilibria,
            },
        );
        let mut steady_exhaustive = None;
        if !self.movers.is_empty() {
            let mut search = Search::of(Searched::Branches, effort);
            let steady = self.solved(self.movers, values, &mut search, &mut special);
            found.extend(self.carried_back(steady, values, effort));
            steady_exhaustive = Some(closed(
                search,
                match here {
                    true => Absence::OtherSteadyMotionsHere,
                    false => Absence::OtherSteadyMotions,
                },
            ));
        }
        if here {
            // Conditions on parameters are those of general ones.
            found
                .iter_mut()
                .for_each(|s| s.stability.conditions.clear());
        }
        let names = self.movers.iter().map(|m| m.field.name.clone());
        EquilibriumReport {
            found,
            exhaustive,
            steady_exhaustive,
            symmetries: names.collect(),
            special,
        }
    }

    /// The steady motions where nothing is turned or moved away, if more is known of them there than where the start is:
    /// the symmetries carry verdicts along.
    fn carried_back(
        &self,
        steady: Vec<SteadyState>,
        values: &[(Symbol, Expr)],
        effort: Effort,
    ) -> Vec<SteadyState> {
        let (problem, system) = (self.ground.problem, self.ground.system);
        let undecided = |all: &[SteadyState]| {
            let verdicts = all.iter().map(|s| &s.stability.stable);
            verdicts
                .filter(|v| matches!(v, Answer::Undecided(_)))
                .count()
        };
        let neutral = |z: &Symbol| neutral_value(system, z);
        let mut placed = gauge(system, self.movers, &neutral).into_iter();
        let is_there = placed.all(|(z, e)| start_value(problem, &z) == e);
        if undecided(&steady) == 0 || is_there {
            return steady;
        }
        let mut search = Search::of(Searched::Branches, effort);
        let back = self.solved_at(self.movers, &neutral, values, &mut search, &mut Vec::new());
        match back.len() == steady.len() && undecided(&back) < undecided(&steady) {
            true => back,
            false => steady,
        }
    }

    fn solved(
        &self,
        movers: &[Mover],
        values: &[(Symbol, Expr)],
        search: &mut Search,
        special: &mut Vec<Expr>,
    ) -> Vec<SteadyState> {
        let start = |z: &Symbol| start_value(self.ground.problem, z);
        self.solved_at(movers, &start, values, search, special)
    }

    /// With coordinates that symmetries move anywhere at this place.
    fn solved_at(
        &self,
        movers: &[Mover],
        place: &dyn Fn(&Symbol) -> Expr,
        values: &[(Symbol, Expr)],
        search: &mut Search,
        special: &mut Vec<Expr>,
    ) -> Vec<SteadyState> {
        let (problem, system) = (self.ground.problem, self.ground.system);
        let stated = |z: &Symbol| match values.is_empty() {
            true => stated_value(problem, z),
            false => start_value(problem, z),
        };
        let starts = Starts {
            gauge: place,
            tried: &stated,
        };
        let Some(setting) = Setting::of(system, movers, &starts, values, search) else {
            return Vec::new();
        };
        // On the line each turn of a sine is another state.
        let mut turning = setting.equations.angles.iter().map(|a| &a.coordinate);
        if let Some(line) = turning.find(|q| !system.circles().contains(q)) {
            search.leave_out(Gap::RepeatsOnTheLine.with("coordinate", line.to_string()));
        }
        let mut all = Vec::new();
        for solution in setting.equations.solve(search) {
            match solution.names_any(&setting.equations.multipliers) {
                true => search.leave_out(Gap::ByReactionsOnly),
                false => all.extend(self.steady_state(movers, &setting, &solution)),
            }
        }
        let assumed = setting.equations.assumed.borrow();
        let vanishes = |e: &&Expr| {
            let value = enclose(&problem.values.at(e));
            value.is_none_or(|v| !v.excludes_zero())
        };
        let tells = |e: &&Expr| !e.is_zero() && vanishes(e);
        special.extend(assumed.iter().filter(tells).cloned());
        all
    }
}

fn closed(search: Search, what: Absence) -> Answer {
    match search.finish() {
        Ok(done) => Answer::proven(Evidence::none(what, done, [])),
        Err(why) => Answer::undecided(Reason::from(why)),
    }
}

/// What is in the way of these equations.
fn obstacle(system: &System) -> Option<Phrase<Gap>> {
    let time = Symbol::time();
    let constraints = system.constraints();
    let timed = std::iter::once(system.lagrangian())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets())
        .chain(constraints.holonomic())
        .chain(system.force())
        .any(|e| e.contains(&time));
    let terms = system.lagrangian().node_count();
    let massless = system.mass_matrix().entries().iter().all(Expr::is_zero);
    let nonlinear = system.is_constrained() && constraints.is_empty();
    match () {
        () if system.order() > 1 => Some(Gap::HigherDerivatives.into()),
        () if timed => Some(Gap::DependsOnTime.into()),
        () if massless => Some(Gap::NotQuadratic.into()),
        () if !system.auxiliary().is_empty() => Some(Gap::AuxiliaryStates.into()),
        () if nonlinear => Some(Gap::NonlinearConstraints.into()),
        () if terms > LONGEST => Some(Gap::LongEquationNotSolved.with("terms", terms)),
        () => None,
    }
}

/// What must hold for a solution inside the domain to be real, and what must not vanish on it.
fn conditions(
    solution: &Solution,
    inside: Inside,
    named: &dyn Fn(&Expr) -> Expr,
) -> (Vec<Relation>, Vec<Expr>) {
    let conditions = solution.conditions.iter().map(|r| Relation {
        greater: named(&r.greater),
        less: named(&r.less),
        or_equal: r.or_equal,
    });
    let mut conditions: Vec<Relation> = conditions.collect();
    let new = |r: &Relation| !r.follows_from(&conditions);
    let further: Vec<Relation> = inside.relations.into_iter().filter(new).collect();
    conditions.extend(further);
    let mut nonzero: Vec<Expr> = solution.nonzero.iter().map(named).collect();
    nonzero.extend(inside.nonzero);
    (conditions, nonzero)
}

/// Positions by gauge that symmetries move together with the velocities y: along a field f these change by −y^A [f, e_A].
fn placed(system: &System, movers: &[Mover], state: &SteadyState) -> Vec<(Symbol, Expr)> {
    let frame = system.frame();
    let at = [&state.positions[..], &state.gauge].concat();
    let here = |e: &Expr| crate::exact::tidy(&e.substitute(&at));
    let turns = |m: &&Mover| {
        let moving = state.velocities.iter().enumerate();
        let mut change = vec![Expr::zero(); frame.rank()];
        for (a, (_, y)) in moving.filter(|(_, (_, y))| !y.is_zero()) {
            let bracket = frame.bracket(&m.field.components, &frame.basis(a));
            let changed = change.iter_mut().zip(bracket);
            changed.for_each(|(sum, c)| *sum = &*sum + y * c);
        }
        !change.iter().all(|e| here(e).is_zero())
    };
    let (turning, shifting): (Vec<&Mover>, Vec<&Mover>) = movers.iter().partition(turns);
    let moved = |z: &&(Symbol, Expr)| {
        let mut factors = system.factors().iter();
        let factor = factors.find(|f| frame.base()[f.base.clone()].contains(&z.0));
        let moved_by = |all: &[&Mover]| {
            let parts = all
                .iter()
                .flat_map(|m| factor.map(|f| &m.field.components[f.fibre.clone()]));
            parts.flatten().any(|c| !here(c).is_zero())
        };
        // What a field shifts that leaves the velocities alone may be anywhere.
        moved_by(&turning) && !moved_by(&shifting)
    };
    state.gauge.iter().filter(moved).cloned().collect()
}

/// Positions that a solution determines, and those that it leaves free.
fn placed_positions(
    system: &System,
    setting: &Setting,
    solution: &Solution,
) -> (Vec<(Symbol, Expr)>, Vec<Symbol>) {
    let (mut positions, mut free) = (Vec::new(), Vec::new());
    for z in system.frame().base() {
        let by_gauge = setting.gauge.iter().any(|(g, _)| g == z);
        let mut known = solution.angles.iter().chain(&solution.solved);
        match known.find(|(q, _)| q == z) {
            Some((_, e)) if !by_gauge => positions.push((z.clone(), e.clone())),
            _ => free.push(z.clone()),
        }
    }
    (positions, free)
}

/// Sines and cosines that are unknowns by their angles again.
fn angles_back(setting: &Setting) -> Vec<(Symbol, Expr)> {
    let angles = setting.equations.angles.iter();
    angles
        .flat_map(|a| {
            let q = Expr::from(&a.coordinate);
            [(a.cosine.clone(), q.cos()), (a.sine.clone(), q.sin())]
        })
        .collect()
}

impl Subject<'_> {
    /// A solution as a state; nothing for a steady motion that is at rest.
    fn steady_state(
        &self,
        movers: &[Mover],
        setting: &Setting,
        solution: &Solution,
    ) -> Option<SteadyState> {
        let system = self.ground.system;
        let put = |e: &Expr| {
            let e = e.substitute(&solution.solved);
            crate::exact::tidy(&e)
        };
        let rates: Vec<Expr> = movers.iter().map(|m| put(&m.speed())).collect();
        if !movers.is_empty() && rates.iter().all(Expr::is_zero) {
            return None;
        }
        let frame = system.frame();
        let (positions, mut free) = placed_positions(system, setting, solution);
        let back = angles_back(setting);
        let named = |e: &Expr| crate::exact::tidy(&e.substitute(&back));
        let angles: Vec<(Symbol, Expr)> = positions
            .iter()
            .map(|(z, e)| (z.clone(), named(e)))
            .collect();
        let velocity = setting
            .velocity
            .iter()
            .map(|y| named(&put(&y.substitute(&angles))));
        let velocities: Vec<(Symbol, Expr)> = frame.fibre().iter().cloned().zip(velocity).collect();
        if !movers.is_empty() && velocities.iter().all(|(_, y)| y.is_zero()) {
            return None;
        }
        let used = |s: &Symbol| rates.iter().any(|r| r.contains(s));
        free.extend(
            movers
                .iter()
                .filter(|m| used(&m.rate))
                .map(|m| m.rate.clone()),
        );
        let carried = movers.iter().zip(&rates).filter(|(_, r)| !r.is_zero());
        let carried = carried.map(|(m, r)| (m.field.clone(), named(r))).collect();
        let inside = self.domain.at(&angles)?;
        let (conditions, nonzero) = conditions(solution, inside, &named);
        let state = SteadyState {
            carried,
            positions: angles,
            velocities,
            free,
            gauge: setting.gauge.clone(),
            placed: Vec::new(),
            conditions,
            nonzero,
            values: None,
            judged_at: Vec::new(),
            stability: Stability::open(Gap::NotLookedAt),
        };
        let mut state = with_least_rates(system, state);
        state.placed = placed(system, movers, &state);
        state.values = at_values(self.ground.problem, &state);
        state.judged_at = self.judged_at(&state);
        state.stability = Stability::of(self.ground, &state);
        Some(state)
    }

    /// Rates that the start gives, and coordinates that symmetries do not move anywhere.
    fn judged_at(&self, state: &SteadyState) -> Vec<(Symbol, Expr)> {
        let (problem, system) = (self.ground.problem, self.ground.system);
        let start = |z: &Symbol| start_value(problem, z);
        let moved = gauge(system, self.movers, &start);
        let plain = system.factors().iter().filter(|f| f.group.is_none());
        let coordinates: Vec<&Symbol> = plain
            .flat_map(|f| &system.frame().base()[f.base.clone()])
            .collect();
        let given = |s: &Symbol| match system.frame().base().contains(s) {
            false => rate_at_start(problem, state, s),
            true if moved.iter().any(|(z, _)| z == s) => None,
            true => coordinates.contains(&s).then(|| start(s)),
        };
        let free = state.free.iter();
        free.filter_map(|s| Some((s.clone(), given(s)?))).collect()
    }
}
