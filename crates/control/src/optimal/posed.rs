//! The problem that a model poses, ready to be transcribed: ends, bounds, horizon, numbers to choose.

use super::error::{PoseError, Trouble};
use super::extract::Trajectory;
use super::node::Node;
use super::plant::{Kind, Plant, StartValues};
use super::roots;
use super::tolerance::{ON_BOUND, ROUNDED_TIME};
use rattleback_lie::Retraction;
use rattleback_mechanics::{Bound, Condition, ConditionKind, Origin, Problem, Relation, at_start};
use rattleback_symbolic::{Expr, Role, Symbol, substitute_all};

/// What holds at one time: `value = 0`, or `value ≥ 0`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// In the state there, values at the start, free numbers.
    pub value: Expr,
    /// Is it an equation?
    pub equal: bool,
    /// Which statement.
    pub origin: Origin,
}

/// A group factor is a given element.
#[derive(Clone, Debug)]
pub struct Attitude {
    /// Which factor.
    pub factor: usize,
    /// The entries.
    pub entries: Vec<Expr>,
    /// Which statement.
    pub origin: Origin,
}

/// Conditions at a time.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Equations and inequalities.
    pub requirements: Vec<Requirement>,
    /// Group elements.
    pub attitudes: Vec<Attitude>,
}

/// What a simple bound is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// A direction of the state: a coordinate or a component.
    State(usize),
    /// A control.
    Control(usize),
    /// A free number.
    Free(usize),
}

/// A bound on a variable.
#[derive(Clone, Debug)]
pub struct SimpleBound {
    /// On what.
    pub on: Bounded,
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
    /// Which statement.
    pub origin: Origin,
}

/// An inequality along the path: `lower ≤ value ≤ upper`.
#[derive(Clone, Debug)]
pub struct PathBound {
    /// The value.
    pub value: Expr,
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
    /// Does it contain controls?
    pub on_controls: bool,
    /// Which statement.
    pub origin: Origin,
}

/// Something that the reader should know.
#[derive(Clone, Debug)]
pub struct Remarked {
    /// What.
    pub text: String,
    /// About which statement.
    pub origin: Option<Origin>,
}

/// The problem.
#[derive(Clone, Debug)]
pub struct Posed {
    /// What is steered.
    pub plant: Plant,
    /// The values of parameters.
    pub constants: Vec<(Symbol, f64)>,
    /// The numbers to choose, with their guesses.
    pub free: Vec<(Symbol, f64)>,
    /// The start.
    pub start: StartValues,
    /// Directions of the state (sections, then components) that have the start's value.
    pub fixed: Vec<bool>,
    /// Equations at the start beside these.
    pub start_rows: Vec<Expr>,
    /// The end.
    pub goal: Stop,
    /// The times on the way with their conditions, in their order.
    pub vias: Vec<(Expr, Stop, Origin)>,
    /// Start of the horizon.
    pub from: Expr,
    /// End of the horizon.
    pub to: Expr,
    /// The step of the model, for maps.
    pub step: Option<f64>,
    /// Bounds on variables.
    pub simple: Vec<SimpleBound>,
    /// Inequalities along the path.
    pub paths: Vec<PathBound>,
    /// Symbols for values at the start, with what they are there.
    pub copies: Vec<(Symbol, Expr)>,
    /// A state at the end that satisfies the goal: positions, then components.
    pub end: Vec<f64>,
    /// The first iterate, in time: symbol and expression.
    pub guesses: Vec<(Symbol, Expr)>,
    /// What the reader should know.
    pub remarks: Vec<Remarked>,
    /// By which map the velocity of an interval moves group elements, where velocities are staggered.
    pub retraction: Retraction,
}

impl Posed {
    /// The problem that a model poses.
    pub fn of(problem: &Problem) -> Result<Self, PoseError> {
        if !problem.has_ends() {
            return Err(PoseError::about(Trouble::NoEnds));
        }
        let horizon = problem
            .horizon
            .as_ref()
            .ok_or_else(|| PoseError::about(Trouble::NoTime))?;
        let plant = Plant::of(problem)?;
        let (constants, depend) = numbers(problem);
        let free = problem.free.iter().map(|f| {
            let guess = problem.values.number(&Expr::from(f)).unwrap_or(1.0);
            (f.clone(), guess)
        });
        let free: Vec<(Symbol, f64)> = free.collect();
        let start = plant.start(problem)?;
        let guesses = problem.guesses.iter();
        let guesses = guesses.map(|g| (g.symbol.clone(), g.value.clone()));
        let step = horizon.step.as_ref().and_then(|h| problem.values.number(h));
        let mut posed = Self {
            fixed: vec![true; plant.directions()],
            start_rows: Vec::new(),
            goal: Stop::default(),
            vias: Vec::new(),
            from: horizon.from.substitute(&depend),
            to: horizon.to.substitute(&depend),
            step,
            simple: Vec::new(),
            paths: Vec::new(),
            copies: Vec::new(),
            end: start.state.clone(),
            guesses: guesses.collect(),
            remarks: Vec::new(),
            retraction: Retraction::Cayley,
            constants,
            free,
            start,
            plant,
        };
        posed.rewrite(&depend);
        posed.check_effect(problem)?;
        posed.set_horizon(problem)?;
        posed.set_start(problem, &depend);
        posed.goal = posed.stop(&problem.goals, &depend)?;
        for via in &problem.vias {
            let stop = posed.stop(&via.conditions, &depend)?;
            posed
                .vias
                .push((via.time.substitute(&depend), stop, via.origin));
        }
        posed.set_vias()?;
        posed.set_copies();
        posed.set_bounds(problem, &depend)?;
        super::settle::settle(problem, &mut posed)?;
        posed.check_bounds_at_ends()?;
        Ok(posed)
    }

    /// Parameters that follow from free numbers are put in everywhere.
    fn rewrite(&mut self, depend: &[(Symbol, Expr)]) {
        if depend.is_empty() {
            return;
        }
        let plant = &mut self.plant;
        let one = |e: &mut Expr| *e = e.substitute(depend);
        one(&mut plant.cost);
        one(&mut plant.terminal);
        plant.velocity.iter_mut().for_each(one);
        plant.rates.iter_mut().for_each(one);
        plant.holonomic.iter_mut().for_each(one);
        plant.equalities.iter_mut().for_each(|(e, _)| one(e));
        plant.known.iter_mut().for_each(|(_, e)| one(e));
        let stages = plant.stages.iter();
        plant.stages = stages
            .map(|s| s.map(|all| substitute_all(all, depend)))
            .collect();
    }

    /// A value with the numbers of the parameters and the guesses of free ones.
    pub fn number(&self, e: &Expr) -> Option<f64> {
        let all: Vec<(Symbol, f64)> = self.constants.iter().chain(&self.free).cloned().collect();
        let (symbols, values): (Vec<Symbol>, Vec<f64>) = all.into_iter().unzip();
        let tape = rattleback_symbolic::Tape::new(&symbols, std::slice::from_ref(e)).ok()?;
        tape.evaluate(&values)
            .first()
            .copied()
            .filter(|v| v.is_finite())
    }

    /// Is each control between two numbers?
    pub fn has_bounded_controls(&self) -> bool {
        let is_bounded = |i: usize| {
            let mut all = self.simple.iter();
            let width = |b: &SimpleBound| b.upper - b.lower;
            all.any(|b| b.on == Bounded::Control(i) && width(b).is_finite())
        };
        (0..self.plant.controls.len()).all(is_bounded)
    }

    /// How many steps a map makes over the horizon.
    pub fn steps(&self) -> usize {
        let ends = [self.number(&self.from), self.number(&self.to)];
        let count = match (ends, self.step) {
            ([Some(a), Some(b)], Some(h)) if h > 0.0 => ((b - a) / h).round(),
            ([Some(a), Some(b)], _) => (b - a).round(),
            _ => 1.0,
        };
        (count as usize).max(1)
    }

    /// Each control is in the motion, in the cost, or in a bound together with something else: one that nothing depends
    /// on is a slip.
    fn check_effect(&self, problem: &Problem) -> Result<(), PoseError> {
        let plant = &self.plant;
        for c in &problem.controls {
            let u = &c.symbol;
            // Asked of the rates, not of the form: one that vanishes on the distribution pushes nothing.
            let mut direct = plant.velocity.iter().chain(&plant.rates);
            let moves = direct.any(|e| e.contains(u))
                || plant
                    .stages
                    .iter()
                    .any(|s| s.expressions().any(|e| e.contains(u)))
                || (problem.auxiliary.iter()).any(|a| a.update.expression().contains(u));
            let is_tied = || problem.bounds.iter().any(|b| self.ties(b, u));
            if !moves && !plant.cost.contains(u) && !is_tied() {
                return Err(PoseError::at(c.origin, Trouble::NoEffect(u.to_string())));
            }
        }
        Ok(())
    }

    /// Does a bound hold a control against something else that varies?
    fn ties(&self, bound: &Bound, u: &Symbol) -> bool {
        let sides = bound.lower.iter().chain(&bound.upper);
        let mut symbols: Vec<Symbol> = Vec::new();
        for e in sides.chain([&bound.expr]) {
            symbols.extend(e.free_symbols());
        }
        let constant = |s: &Symbol| self.constants.iter().any(|(c, _)| c == s);
        symbols.contains(u) && symbols.iter().any(|s| s != u && !constant(s))
    }

    fn set_horizon(&mut self, problem: &Problem) -> Result<(), PoseError> {
        let origin = problem
            .horizon
            .as_ref()
            .map_or(Origin::Horizon, |h| h.origin);
        let (from, to) = (self.number(&self.from), self.number(&self.to));
        match (from, to) {
            (Some(from), Some(to)) if to > from => Ok(()),
            (from, to) => Err(PoseError::at(
                origin,
                Trouble::EmptyTime {
                    from: from.unwrap_or(f64::NAN),
                    to: to.unwrap_or(f64::NAN),
                },
            )),
        }
    }

    /// Is the end of the horizon, or a time on the way, to be chosen?
    pub fn has_free_time(&self) -> bool {
        let is_free = |e: &Expr| self.free.iter().any(|(f, _)| e.contains(f));
        is_free(&self.to) || is_free(&self.from) || self.vias.iter().any(|(t, _, _)| is_free(t))
    }

    /// Conditions at a time as requirements.
    fn stop(
        &mut self,
        conditions: &[Condition],
        depend: &[(Symbol, Expr)],
    ) -> Result<Stop, PoseError> {
        let mut stop = Stop::default();
        for c in conditions {
            match &c.kind {
                ConditionKind::Scalar {
                    left,
                    relation,
                    right,
                } => {
                    let level = left.as_symbol().and_then(|s| self.plant.jet_level(s));
                    let is_guess = self.plant.kind == Kind::BoundaryValue
                        && level.is_some_and(|l| l >= self.plant.order)
                        && self.plant.form.is_none();
                    if is_guess {
                        self.remarks.push(Remarked {
                            text: format!("the end value of `{left}` is a first guess only: the curve chooses its derivatives of order {} and more", self.plant.order),
                            origin: Some(c.origin),
                        });
                        continue;
                    }
                    let value = match relation {
                        Relation::LessOrEqual | Relation::Less => right - left,
                        _ => left - right,
                    };
                    let value = value.substitute(depend);
                    stop.requirements.push(Requirement {
                        value: value.substitute(&self.plant.known),
                        equal: *relation == Relation::Equal,
                        origin: c.origin,
                    });
                }
                ConditionKind::Element { factor, entries } => {
                    let found = self.plant.factors().iter().position(|f| f.name == *factor);
                    let Some(factor) = found else { continue };
                    stop.attitudes.push(Attitude {
                        factor,
                        entries: substitute_all(entries, depend),
                        origin: c.origin,
                    });
                }
            }
        }
        Ok(stop)
    }

    /// Times on the way in their order; those at an end join it.
    fn set_vias(&mut self) -> Result<(), PoseError> {
        let (from, to) = (self.number(&self.from), self.number(&self.to));
        let (from, to) = (from.unwrap_or(0.0), to.unwrap_or(1.0));
        let close = ROUNDED_TIME * (to - from);
        let mut inside: Vec<(f64, (Expr, Stop, Origin))> = Vec::new();
        for (time, stop, origin) in std::mem::take(&mut self.vias) {
            let t = self.number(&time).unwrap_or(f64::NAN);
            if (t - to).abs() <= close {
                self.goal.requirements.extend(stop.requirements);
                self.goal.attitudes.extend(stop.attitudes);
            } else if t > from + close && t < to {
                inside.push((t, (time, stop, origin)));
            } else {
                let outside = Trouble::ViaOutside { time: t, from, to };
                return Err(PoseError::at(origin, outside));
            }
        }
        inside.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (t, via) in inside {
            let last = self.vias.last_mut();
            let same = last.filter(|(time, _, _)| (number_of(time) - t).abs() <= close);
            match same {
                Some((_, stop, _)) => {
                    stop.requirements.extend(via.1.requirements);
                    stop.attitudes.extend(via.1.attitudes);
                }
                None => self.vias.push(via),
            }
        }
        Ok(())
    }

    /// The values at the start that something asks for.
    fn set_copies(&mut self) {
        let mut used: Vec<Symbol> = Vec::new();
        let mut look = |e: &Expr| used.extend(e.free_symbols());
        look(&self.plant.terminal);
        let vias = self.vias.iter().map(|(_, stop, _)| stop);
        for stop in vias.chain([&self.goal]) {
            stop.requirements.iter().for_each(|r| look(&r.value));
            stop.attitudes
                .iter()
                .for_each(|a| a.entries.iter().for_each(&mut look));
        }
        let state = self.plant.state_symbols();
        let state = state.iter().map(|s| (s.clone(), Expr::from(s)));
        let all = state.chain(self.plant.known.iter().cloned());
        for (symbol, value) in all {
            let copy = at_start(&symbol);
            if used.contains(&copy) && !self.copies.iter().any(|(c, _)| *c == copy) {
                self.copies.push((copy, value));
            }
        }
    }

    fn set_bounds(
        &mut self,
        problem: &Problem,
        depend: &[(Symbol, Expr)],
    ) -> Result<(), PoseError> {
        for b in &problem.bounds {
            let put = |e: &Expr| e.substitute(depend).substitute(&self.plant.known);
            let value = put(&b.expr);
            let side = |e: &Option<Expr>| e.as_ref().map(&put);
            let (lower, upper) = (side(&b.lower), side(&b.upper));
            let lower = lower.filter(|l| !self.without_root(&(&value - l), b.origin));
            let upper = upper.filter(|u| !self.without_root(&(u - &value), b.origin));
            if lower.is_none() && upper.is_none() {
                continue;
            }
            let constant = |e: &Option<Expr>, otherwise: f64| match e {
                None => Some(otherwise),
                Some(e) => match self.is_constant(e) {
                    true => self.number(e),
                    false => None,
                },
            };
            let numbers = (
                constant(&lower, f64::NEG_INFINITY),
                constant(&upper, f64::INFINITY),
            );
            let (Some(low), Some(high)) = numbers else {
                self.moving_bound(&value, [lower, upper], b.origin);
                continue;
            };
            if low > high {
                let empty = Trouble::EmptyBound {
                    lower: low,
                    upper: high,
                };
                return Err(PoseError::at(b.origin, empty));
            }
            let on = value.as_symbol().and_then(|s| self.bounded(s));
            match on {
                Some(on) => self.simple.push(SimpleBound {
                    on,
                    lower: low,
                    upper: high,
                    origin: b.origin,
                }),
                None => self.path(value, low, high, b.origin),
            }
        }
        Ok(())
    }

    /// A bound whose sides move: value − lower ≥ 0 and upper − value ≥ 0.
    fn moving_bound(&mut self, value: &Expr, sides: [Option<Expr>; 2], origin: Origin) {
        let [lower, upper] = sides;
        if let Some(lower) = lower {
            self.path(value - lower, 0.0, f64::INFINITY, origin);
        }
        if let Some(upper) = upper {
            self.path(upper - value, 0.0, f64::INFINITY, origin);
        }
    }

    /// Bounds that say that something is not negative without the root in it; tells whether there are such.
    fn without_root(&mut self, value: &Expr, origin: Origin) -> bool {
        let constant = |e: &Expr| self.is_constant(e).then(|| self.number(e)).flatten();
        let Some([both, side]) = roots::squared(value, constant) else {
            return false;
        };
        self.path(both, 0.0, f64::INFINITY, origin);
        let (factor, core) = side.split_coefficient();
        match core.as_symbol().and_then(|s| self.bounded(s)) {
            Some(on) if factor.is_positive() => self.simple.push(SimpleBound {
                on,
                lower: 0.0,
                upper: f64::INFINITY,
                origin,
            }),
            _ if self.is_constant(&side) && self.number(&side).is_some_and(|r| r >= 0.0) => {}
            _ => self.path(side, 0.0, f64::INFINITY, origin),
        }
        true
    }

    fn path(&mut self, value: Expr, lower: f64, upper: f64, origin: Origin) {
        let on_controls = value.contains_any(&self.plant.controls)
            || self
                .plant
                .stages
                .iter()
                .any(|s| value.contains_any(s.unknowns()));
        self.paths.push(PathBound {
            on_controls,
            value,
            lower,
            upper,
            origin,
        });
    }

    fn is_constant(&self, e: &Expr) -> bool {
        let known = |s: &Symbol| self.constants.iter().any(|(c, _)| c == s);
        e.free_symbols().iter().all(known)
    }

    /// The variable that a symbol is.
    fn bounded(&self, s: &Symbol) -> Option<Bounded> {
        if let Some(i) = self.free.iter().position(|(f, _)| f == s) {
            return Some(Bounded::Free(i));
        }
        if let Some(i) = self.plant.controls.iter().position(|u| u == s) {
            return Some(Bounded::Control(i));
        }
        let rank = self.plant.system.frame().rank();
        let components = &self.plant.components;
        if let Some(i) = components.iter().position(|c| c.symbol == *s) {
            return Some(Bounded::State(rank + i));
        }
        let factors = self.plant.factors().iter();
        let mut coordinates = factors.filter(|f| f.group.is_none());
        let found = coordinates.find(|f| self.plant.base()[f.base.start] == *s)?;
        Some(Bounded::State(found.fibre.start))
    }

    /// Start and goal lie inside of the bounds on what they fix.
    fn check_bounds_at_ends(&self) -> Result<(), PoseError> {
        for b in &self.simple {
            let Bounded::State(i) = b.on else { continue };
            let (variables, _) = super::node::numbers(&self.plant, &self.start.state);
            let outside = |x: f64| (b.lower - x).max(x - b.upper);
            let size = b.lower.abs().min(b.upper.abs()).max(1.0);
            if self.fixed[i] && outside(variables[i]) > ON_BOUND * size {
                let by = outside(variables[i]);
                return Err(PoseError::at(b.origin, Trouble::StartOutside(by)));
            }
            if let Some(x) = self.fixed_at_end(i)
                && outside(x) > ON_BOUND * size
            {
                return Err(PoseError::at(b.origin, Trouble::GoalOutside(outside(x))));
            }
        }
        let is_fixed = self.fixed.iter().all(|f| *f);
        if is_fixed && self.start_rows.is_empty() {
            for b in self.paths.iter().filter(|b| !b.on_controls) {
                let Some(x) = self.value_at_start(&b.value) else {
                    continue;
                };
                let outside = (b.lower - x).max(x - b.upper);
                if outside > ON_BOUND * x.abs().max(1.0) {
                    return Err(PoseError::at(b.origin, Trouble::StartOutside(outside)));
                }
            }
        }
        Ok(())
    }

    /// The value that the goal gives to a direction of the state alone.
    pub fn fixed_at_end(&self, direction: usize) -> Option<f64> {
        let rank = self.plant.system.frame().rank();
        let symbol = match direction.checked_sub(rank) {
            Some(i) => self.plant.components[i].symbol.clone(),
            None => {
                let mut factors = self.plant.factors().iter();
                let factor = factors.find(|f| f.fibre.contains(&direction))?;
                if factor.group.is_some() {
                    return None;
                }
                self.plant.base()[factor.base.start].clone()
            }
        };
        self.goal.requirements.iter().find_map(|r| {
            let rest = Expr::from(&symbol) - &r.value;
            let is_plain = r.equal && !rest.contains(&symbol) && self.is_constant(&rest);
            is_plain.then(|| self.number(&rest)).flatten()
        })
    }

    fn value_at_start(&self, e: &Expr) -> Option<f64> {
        let free: Vec<f64> = self.free.iter().map(|(_, x)| *x).collect();
        self.value_at(e, (self.start.time, &self.start.state), &free)
    }

    /// The cost at the end of a path, for these free numbers; none where it depends on more than the end.
    pub fn terminal_at(&self, path: &Trajectory, free: &[f64]) -> Option<f64> {
        let end = (*path.times.last()?, path.states.last()?.as_slice());
        self.value_at(&self.plant.terminal, end, free)
    }

    /// A function of time and state; none where it depends on more.
    fn value_at(&self, e: &Expr, (time, state): (f64, &[f64]), free: &[f64]) -> Option<f64> {
        let state = self.plant.state_symbols().into_iter().zip(state);
        let free = self.free.iter().map(|(s, _)| s.clone()).zip(free);
        let known = state.chain(free).map(|(s, x)| (s, *x));
        let all = self.constants.iter().cloned().chain(known);
        let (symbols, values): (Vec<Symbol>, Vec<f64>) =
            all.chain([(Symbol::time(), time)]).unzip();
        let tape = rattleback_symbolic::Tape::new(&symbols, std::slice::from_ref(e)).ok()?;
        tape.evaluate(&values).first().copied()
    }

    /// A state by symbols of its own.
    pub(super) fn node(&self, tag: &str) -> Node {
        Node::new(&self.plant, tag)
    }
}

fn number_of(e: &Expr) -> f64 {
    e.as_number().map_or(f64::NAN, |r| r.to_f64())
}

/// Values of symbols.
type Assigned<T> = Vec<(Symbol, T)>;

/// The numbers of parameters, and those that follow from free ones as expressions of them.
fn numbers(problem: &Problem) -> (Assigned<f64>, Assigned<Expr>) {
    let (mut constants, mut depend) = (Vec::new(), Vec::<(Symbol, Expr)>::new());
    for p in &problem.parameters {
        if problem.free.contains(&p.symbol) {
            continue;
        }
        let value = p.value.substitute(&depend);
        let is_open = |s: &Symbol| problem.free.contains(s);
        if value.free_symbols().iter().any(is_open) {
            depend.push((p.symbol.clone(), value));
        } else {
            let number = problem.values.number(&Expr::from(&p.symbol));
            let number = number.or_else(|| problem.values.number(&p.value));
            constants.push((p.symbol.clone(), number.unwrap_or(f64::NAN)));
        }
    }
    debug_assert!(constants.iter().all(|(s, _)| s.role() == Role::Constant));
    (constants, depend)
}
