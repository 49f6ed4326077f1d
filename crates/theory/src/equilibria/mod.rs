//! Equilibria and steady motions: exact where their equations can be solved, with the conditions under which they are.

mod relation;
mod setting;
mod solve;

pub use relation::Relation;

use crate::finding::search::{Search, Searched};
use crate::stability::{Judged, Stability};
use crate::symmetry::is_symmetry;
use crate::{Absence, Answer, Effort, Evidence, Gap, Named, Phrase, Reason, SymmetryReport};
use rattleback_mechanics::{NamedSection, Problem, System};
use rattleback_symbolic::{Expr, Symbol, enclose};
use setting::{Mover, Setting};
use solve::Solution;

/// Longer Lagrangians are not searched for symmetries.
const SEARCHED: usize = 400;
/// Longer Lagrangians have equations that nobody solves.
const LONGEST: usize = 1_500;

/// A state of rest, or one that symmetries carry along; a family where something is free.
#[derive(Clone, Debug)]
pub struct SteadyState {
    /// Symmetries with their rates; none for an equilibrium.
    pub carried: Vec<(NamedSection, Expr)>,
    /// Positions that are determined.
    pub positions: Vec<(Symbol, Expr)>,
    /// Velocities.
    pub velocities: Vec<(Symbol, Expr)>,
    /// Positions and rates that are free.
    pub free: Vec<Symbol>,
    /// Free positions that the formulas put at the start: symmetries carry them anywhere else.
    pub gauge: Vec<(Symbol, Expr)>,
    /// What must hold for it to be real.
    pub conditions: Vec<Relation>,
    /// What must not vanish on it.
    pub nonzero: Vec<Expr>,
    /// Positions and velocities as exact constants, for the values of the parameters and free ones from the start;
    /// none where the conditions fail there.
    pub values: Option<Vec<(Symbol, Expr)>>,
    /// What is known of its stability there.
    pub stability: Stability,
}

impl SteadyState {
    /// Is nothing moving?
    pub fn is_equilibrium(&self) -> bool {
        self.carried.is_empty()
    }
}

/// The equilibria and steady motions of a problem with its controls at rest.
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
}

impl EquilibriumReport {
    /// Solves for equilibria, then for steady motions along the declared symmetries and the cyclic coordinates, or
    /// those that a search finds where there are none.
    pub fn of(problem: &Problem, effort: Effort) -> Self {
        let system = &problem.system;
        if let Some(gap) = obstacle(system) {
            return Self {
                found: Vec::new(),
                exhaustive: Answer::undecided(gap),
                steady_exhaustive: None,
                symmetries: Vec::new(),
            };
        }
        let mut search = Search::of(Searched::Branches, effort.part(3));
        let mut found = solved(problem, &[], &mut search);
        let exhaustive = closed(search, Absence::OtherEquilibria);
        let movers = movers(system, effort);
        let mut steady_exhaustive = None;
        if !movers.is_empty() {
            let mut search = Search::of(Searched::Branches, effort.part(2));
            found.extend(solved(problem, &movers, &mut search));
            steady_exhaustive = Some(closed(search, Absence::OtherSteadyMotions));
        }
        Self {
            found,
            exhaustive,
            steady_exhaustive,
            symmetries: movers.into_iter().map(|m| m.field.name).collect(),
        }
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

/// The symmetries along which steady motions are looked for.
fn movers(system: &System, effort: Effort) -> Vec<Mover> {
    let declared = system.symmetries().iter();
    let declared = declared.filter(|s| is_symmetry(system, s).is_proven());
    let mut fields: Vec<NamedSection> = declared.cloned().collect();
    for cyclic in system.cyclic() {
        if !fields.iter().any(|s| s.components == cyclic.components) {
            fields.push(cyclic);
        }
    }
    // Where symmetries are declared they are the ones that are meant.
    let searched = system.symmetries().is_empty() && system.lagrangian().node_count() <= SEARCHED;
    if searched {
        let found = SymmetryReport::of(system, effort.part(3)).all.into_iter();
        let found = found.map(|s| NamedSection {
            name: s.name,
            components: s.components,
        });
        fields = found
            .filter(|s| is_symmetry(system, s).is_proven())
            .collect();
    }
    fields.retain(|field| keeps_positions(system, field));
    let mut all: Vec<Mover> = Vec::new();
    for field in fields {
        let velocity = only_velocity(system, &field);
        let velocity = velocity.filter(|y| !all.iter().any(|m| m.rate == *y));
        let own = || Symbol::variable(&format!("rate_{}", field.name));
        let rate = velocity.unwrap_or_else(own);
        all.push(Mover { rate, field });
    }
    all
}

/// Does a field stay on the level of the position constraints?
fn keeps_positions(system: &System, field: &NamedSection) -> bool {
    system.constraints().holonomic().iter().all(|g| {
        let slopes = system.frame().differential(g);
        let along = slopes.iter().zip(&field.components).map(|(s, c)| s * c);
        crate::exact::tidy(&Expr::sum(along)).is_zero()
    })
}

/// The velocity of the one coordinate that a field moves with unit speed.
fn only_velocity(system: &System, field: &NamedSection) -> Option<Symbol> {
    let mut moved = field
        .components
        .iter()
        .enumerate()
        .filter(|(_, c)| c.is_one());
    let (along, _) = moved.next()?;
    if moved.next().is_some() {
        return None;
    }
    let mut plain = system.factors().iter().filter(|f| f.group.is_none());
    let found = plain.find(|f| f.fibre.start == along);
    found.map(|_| system.frame().fibre()[along].clone())
}

fn solved(problem: &Problem, movers: &[Mover], search: &mut Search) -> Vec<SteadyState> {
    let system = &problem.system;
    let start = |z: &Symbol| start_value(problem, z);
    let Some(setting) = Setting::of(system, movers, &start, search) else {
        return Vec::new();
    };
    // On the line each turn of a sine is another state.
    let mut turning = setting.equations.angles.iter().map(|a| &a.coordinate);
    if let Some(line) = turning.find(|q| !system.circles().contains(q)) {
        search.leave_out(Gap::RepeatsOnTheLine.with("coordinate", line.to_string()));
    }
    let mut all = Vec::new();
    for solution in setting.equations.solve(search) {
        match solution.names_multipliers() {
            true => search.leave_out(Gap::ByReactionsOnly),
            false => all.extend(steady_state(problem, movers, &setting, &solution)),
        }
    }
    all
}

/// A solution as a state; nothing for a steady motion that is at rest.
fn steady_state(
    problem: &Problem,
    movers: &[Mover],
    setting: &Setting,
    solution: &Solution,
) -> Option<SteadyState> {
    let system = &problem.system;
    let put = |e: &Expr| {
        let e = e.substitute(&solution.solved);
        crate::exact::tidy(&e)
    };
    let rates: Vec<Expr> = movers.iter().map(|m| put(&Expr::from(&m.rate))).collect();
    if !movers.is_empty() && rates.iter().all(Expr::is_zero) {
        return None;
    }
    let carried = movers.iter().zip(&rates).filter(|(_, r)| !r.is_zero());
    let carried = carried.map(|(m, r)| (m.field.clone(), r.clone())).collect();
    let frame = system.frame();
    let is_angle = |z: &Symbol| solution.angles.iter().find(|(q, _)| q == z);
    let mut positions = Vec::new();
    let mut free = Vec::new();
    for z in frame.base() {
        let by_gauge = setting.gauge.iter().any(|(g, _)| g == z);
        let plain = solution.solved.iter().find(|(s, _)| s == z);
        match (is_angle(z), plain) {
            _ if by_gauge => free.push(z.clone()),
            (Some((_, e)), _) => positions.push((z.clone(), e.clone())),
            (None, Some((_, e))) => positions.push((z.clone(), e.clone())),
            (None, None) => free.push(z.clone()),
        }
    }
    // Positions by angles again, where their sines and cosines are free.
    let back: Vec<(Symbol, Expr)> = setting
        .equations
        .angles
        .iter()
        .flat_map(|a| {
            let q = Expr::from(&a.coordinate);
            [(a.cosine.clone(), q.cos()), (a.sine.clone(), q.sin())]
        })
        .collect();
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
    let carried: Vec<(NamedSection, Expr)> = carried;
    let carried = carried.into_iter().map(|(f, r)| (f, named(&r))).collect();
    let conditions = solution.conditions.iter();
    let conditions = conditions.map(|r| Relation {
        greater: named(&r.greater),
        less: named(&r.less),
    });
    let mut state = SteadyState {
        carried,
        positions: angles,
        velocities,
        free,
        gauge: setting.gauge.clone(),
        conditions: conditions.collect(),
        nonzero: solution.nonzero.iter().map(named).collect(),
        values: None,
        stability: Stability::open(Gap::NotLookedAt),
    };
    state.values = at_values(problem, &state);
    state.stability = Stability::of(problem, &Judged::of(&state));
    Some(state)
}

/// The start value of a position or velocity, as an exact constant.
fn start_value(problem: &Problem, s: &Symbol) -> Expr {
    if let Some(stated) = problem.start.get(s) {
        return problem.values.at(&stated.value);
    }
    let system = &problem.system;
    let neutral = system.factors().iter().find_map(|factor| {
        let entries = &system.frame().base()[factor.base.clone()];
        let place = entries.iter().position(|z| z == s)?;
        Some(factor.group?.identity::<Expr>().swap_remove(place))
    });
    neutral.unwrap_or_else(Expr::zero)
}

/// The start value of what is free; a rate that is 0 there is taken as 1, so that a steady motion moves.
fn free_value(problem: &Problem, s: &Symbol) -> Expr {
    let value = start_value(problem, s);
    let position = problem.system.frame().base().contains(s);
    match !position && value.is_zero() {
        true => Expr::one(),
        false => value,
    }
}

/// A free rate that is a velocity of the state, as the start has it, where it moves there.
pub(crate) fn rate_at_start(problem: &Problem, state: &SteadyState, rate: &Symbol) -> Option<Expr> {
    let mut velocities = state.velocities.iter();
    let (y, _) = velocities.find(|(_, e)| e.as_symbol() == Some(rate))?;
    let value = start_value(problem, y);
    (!value.is_zero()).then_some(value)
}

/// Does the start move in a way that free rates could take, without saying which?
pub(crate) fn leaves_rates_open(problem: &Problem, state: &SteadyState) -> bool {
    let base = problem.system.frame().base();
    let open = |s: &&Symbol| !base.contains(s) && rate_at_start(problem, state, s).is_none();
    let open: Vec<&Symbol> = state.free.iter().filter(open).collect();
    let mut moved = state.velocities.iter();
    moved.any(|(y, e)| open.iter().any(|s| e.contains(s)) && !start_value(problem, y).is_zero())
}

/// Positions and velocities for the values of the parameters; none where a condition fails there.
fn at_values(problem: &Problem, state: &SteadyState) -> Option<Vec<(Symbol, Expr)>> {
    let given =
        |s: &Symbol| rate_at_start(problem, state, s).unwrap_or_else(|| free_value(problem, s));
    let free = state.free.iter().map(|s| (s.clone(), given(s)));
    let free: Vec<(Symbol, Expr)> = free.collect();
    let value = |e: &Expr| problem.values.at(&e.substitute(&free));
    let holds = |r: &Relation| enclose(&value(&r.difference())).is_some_and(|e| e.low > 0.0);
    let regular = |e: &Expr| enclose(&value(e)).is_some_and(|e| e.excludes_zero());
    if !state.conditions.iter().all(holds) || !state.nonzero.iter().all(regular) {
        return None;
    }
    let all = state.positions.iter().chain(&state.velocities);
    let known = all.map(|(s, e)| (s.clone(), value(e)));
    let mut all: Vec<(Symbol, Expr)> = known.collect();
    for pair in free {
        if !all.iter().any(|(s, _)| *s == pair.0) {
            all.push(pair);
        }
    }
    let real = all.iter().all(|(_, e)| enclose(e).is_some());
    real.then_some(all)
}
