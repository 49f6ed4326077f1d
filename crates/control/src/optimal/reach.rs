//! What can be said of a goal before anything is solved: accessibility, and invariants that exclude it.
//!
//! A function I that no control changes has the same value at the end as at the start. The goal is excluded where
//! I(end) − I(start) has a sign wherever the goal's conditions hold: unknown end values that a condition determines are
//! put in exactly, what is left of equations, inequalities and bounds are facts that the proof of the sign may use.
//!
//! An invariant that is the rate of a function F, as a momentum in coordinates that do not matter is, fixes F along the way:
//! F(end) − F(start) = I(start)·(duration). At rest a beanie's shape then decides its attitude.
//!
//! Free numbers are chosen: what holds for their guess alone excludes nothing.

use super::posed::{Bounded, Posed, Requirement, Stop};
use rattleback_mechanics::{Problem, at_start};
use rattleback_symbolic::{Assumptions, Expr, Fact, Rational, Role, Sign, Symbol};
use rattleback_theory::Effort;
use rattleback_theory::control::ControlReport;

/// What brackets of drift and controls tell of a problem.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Do they span all directions at generic states? None where it is not decided.
    pub accessible: Option<bool>,
    /// Why the goal cannot be reached.
    pub excluded: Option<Excluded>,
    /// Functions of the state at the end that vanish there, whatever the controls do.
    pub implied: Vec<Expr>,
}

/// A function that no control changes has another value at the goal.
#[derive(Clone, Debug)]
pub struct Excluded {
    /// The function.
    pub invariant: Expr,
    /// Its value at the start, where that is fixed.
    pub at_start: Option<f64>,
    /// Its value at the goal, where that is fixed.
    pub at_goal: Option<f64>,
    /// Behind how many steps of a map; its value at the start is then the one that it has there.
    pub steps: Option<usize>,
}

impl std::fmt::Display for Excluded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no control changes {}, which ", self.invariant)?;
        if let (Some(n), Some(a)) = (self.steps, self.at_start) {
            write!(f, "is {a} after {n} steps")?;
            return match self.at_goal {
                Some(b) => write!(f, " and {b} at the goal"),
                None => write!(f, ", and nowhere where the goal's conditions hold"),
            };
        }
        match (self.at_start, self.at_goal) {
            (Some(a), Some(b)) => write!(f, "is {a} at the start and {b} at the goal"),
            (Some(a), None) => write!(
                f,
                "is {a} at the start, and nowhere where the goal's conditions hold"
            ),
            _ => write!(
                f,
                "has no value that both the start and the goal's conditions allow"
            ),
        }
    }
}

/// By how much the values of an invariant must differ, beside their size: far above rounding.
const APART: f64 = 1e-9;

impl Reach {
    /// Judges a problem with controls.
    pub fn of(problem: &Problem, posed: &Posed) -> Self {
        if posed.plant.is_map {
            return Self::in_steps(problem, posed).unwrap_or_default();
        }
        let problem = &problem.unchosen();
        let Ok(report) = ControlReport::of(&problem.steered(), Effort::default()) else {
            return Self::default();
        };
        let mut invariants = (report.invariants.iter()).filter(|i| posed.holds_for_all(i));
        let ends = EndsOf::new(problem, posed, &posed.goal);
        let kept = invariants.clone().flat_map(|i| {
            let drift = Drift::of(problem, &ends, i);
            [ends.kept(problem, i), drift.and_then(|d| d.kept(&ends))]
        });
        Self {
            implied: kept.flatten().collect(),
            accessible: report.accessible.decided(),
            excluded: invariants.find_map(|i| {
                excludes(problem, &ends, i).or_else(|| drifts_past(problem, &ends, i))
            }),
        }
    }
}

impl Posed {
    /// Is a function that stays as it is for general values of the free numbers one for all of them? A polynomial in them is.
    fn holds_for_all(&self, invariant: &Expr) -> bool {
        let known = |s: &Symbol| self.constants.iter().any(|(c, _)| c == s);
        let symbols = invariant.free_symbols().into_iter();
        let mut open = symbols.filter(|s| s.role() == Role::Constant && !known(s));
        open.all(|s| invariant.coefficients(&s).is_ok())
    }
}

/// Start and end of a problem in exact numbers and symbols for what they leave open.
pub(super) struct EndsOf<'a> {
    posed: &'a Posed,
    /// The state at the start.
    pub start: Vec<(Symbol, Expr)>,
    /// The state at the end, as far as it is determined.
    pub end: Vec<(Symbol, Expr)>,
    /// Equations at the end that determine no value.
    equations: Vec<Expr>,
    /// What holds at the end beside that.
    facts: Vec<Fact>,
}

fn excludes(problem: &Problem, ends: &EndsOf, invariant: &Expr) -> Option<Excluded> {
    let invariant = problem.values.at(invariant);
    let inner = invariant.substitute(&ends.posed.plant.known);
    let before = ends.valued(&inner.substitute(&ends.start));
    let after = ends.valued(&inner.substitute(&ends.end));
    ends.differ(invariant, &before, &after)
}

fn number(e: &Expr) -> Option<f64> {
    e.evaluate(&[]).ok().filter(|x| x.is_finite())
}

/// F = Σ c_i z_i with F' = I − c_0 along every motion, for I = Σ c_i z_i' + c_0 with numbers c: the change of F is known
/// from the start.
struct Drift {
    function: Expr,
    /// F at the start and at the end.
    before: Expr,
    after: Expr,
    /// F', and what F changes by.
    rate: Expr,
    change: Expr,
    /// What a full turn of an attitude changes F by.
    turn: Option<f64>,
}

impl Drift {
    fn of(problem: &Problem, ends: &EndsOf, invariant: &Expr) -> Option<Self> {
        let plant = &ends.posed.plant;
        let rate = ends.valued(&problem.values.at(invariant).substitute(&plant.known));
        let steady = ends.valued(&rate.substitute(&ends.start));
        let mut rest = rate.clone();
        let [mut before, mut after, mut function] = [(); 3].map(|()| Expr::zero());
        let mut turns = None;
        for factor in plant.factors() {
            let Some(v) = plant.velocity[factor.fibre.start].as_symbol().cloned() else {
                continue;
            };
            let slope = rate.diff(&v);
            // A velocity that two factors share is counted once.
            if slope.is_zero() || !rest.contains(&v) {
                continue;
            }
            let c = slope.as_number().cloned()?;
            rest = rest.substitute(&[(v, Expr::zero())]);
            let at = factor.base.start;
            if factor.group.is_none() {
                before += Expr::from(&c) * &ends.start[at].1;
                after += Expr::from(&c) * &ends.end[at].1;
                function += Expr::from(&c) * Expr::from(&plant.base()[at]);
                continue;
            }
            // An attitude in the plane: an angle up to full turns, for one factor at most.
            if factor.fibre.len() != 1 || turns.is_some() {
                return None;
            }
            let angle = |of: &[(Symbol, Expr)]| {
                let entries: Option<Vec<f64>> = of[factor.base.clone()]
                    .iter()
                    .map(|(_, e)| number(&ends.valued(e)))
                    .collect();
                let log = factor.group?.log(&entries?).ok()?;
                exact(*log.first()?)
            };
            before += Expr::from(&c) * angle(&ends.start)?;
            after += Expr::from(&c) * angle(&ends.end)?;
            let turned = Symbol::variable(&format!("angle of {}", factor.name));
            function += Expr::from(&c) * Expr::from(turned);
            turns = Some(c.to_f64().abs() * std::f64::consts::TAU);
        }
        // What else the invariant depends on must be no state: the number c_0.
        rest.as_number()?;
        let steady = steady - &rest;
        if function.is_zero() {
            return None;
        }
        let change = &steady * (&ends.posed.to - &ends.posed.from);
        Some(Self {
            function,
            before: ends.valued(&before),
            after: ends.valued(&after),
            rate: steady,
            change: ends.valued(&change),
            turn: turns,
        })
    }

    /// The function of the end that this makes vanish; none where the start is open or an attitude may turn.
    fn kept(self, ends: &EndsOf) -> Option<Expr> {
        let known = self.turn.is_none() && number(&self.before).and(number(&self.rate)).is_some();
        known.then(|| ends.valued(&self.function) - self.before - self.change)
    }
}

/// The goal that a drift leads past.
fn drifts_past(problem: &Problem, ends: &EndsOf, invariant: &Expr) -> Option<Excluded> {
    let drift = Drift::of(problem, ends, invariant)?;
    let after = drift.after - drift.change;
    let since = Expr::from(Symbol::time()) - &ends.posed.from;
    let function = drift.function - drift.rate * since;
    match drift.turn {
        None => ends.differ(function, &drift.before, &after),
        Some(turn) => {
            let (a, b) = (number(&drift.before)?, number(&after)?);
            let apart = b - a - turn * ((b - a) / turn).round();
            let is_apart = apart.abs() > APART * (1.0 + a.abs() + b.abs());
            is_apart.then_some(Excluded {
                invariant: function,
                at_start: Some(a),
                at_goal: Some(a + apart),
                steps: None,
            })
        }
    }
}

/// Is it proven that no state at a stop satisfies its conditions?
pub(super) fn is_impossible(problem: &Problem, posed: &Posed, stop: &Stop) -> bool {
    let ends = EndsOf::new(problem, posed, stop);
    let never = |e: &Expr| match number(e) {
        Some(x) => x.abs() > APART,
        None => is_definite(e) || is_definite(&-e),
    };
    ends.equations.iter().any(never) || Assumptions::contradiction(&ends.facts).is_some()
}

impl<'a> EndsOf<'a> {
    pub fn new(problem: &Problem, posed: &'a Posed, stop: &Stop) -> Self {
        let state = posed.plant.state_symbols();
        let open = |kind: &str, i: usize| Expr::from(Symbol::variable(&format!("{kind} {i}")));
        let start = state.iter().enumerate().map(|(i, s)| {
            let is_open = posed.plant.is_free_at_start(problem, s) || !posed.is_fixed_at_start(i);
            let known = posed.start.state.get(i).copied().filter(|_| !is_open);
            (
                s.clone(),
                known.and_then(exact).unwrap_or_else(|| open("start", i)),
            )
        });
        let end = state
            .iter()
            .enumerate()
            .map(|(i, s)| (s.clone(), open("end", i)));
        let mut ends = Self {
            posed,
            start: start.collect(),
            end: end.collect(),
            equations: Vec::new(),
            facts: Vec::new(),
        };
        ends.meet(stop);
        ends
    }

    /// The function of the end that an invariant makes vanish; none where its value at the start is open.
    fn kept(&self, problem: &Problem, invariant: &Expr) -> Option<Expr> {
        let inner = (problem.values.at(invariant)).substitute(&self.posed.plant.known);
        let before = self.valued(&inner.substitute(&self.start));
        number(&before).map(|_| self.valued(&inner) - before)
    }

    /// Are two values of a function different wherever the facts hold?
    pub fn differ(&self, invariant: Expr, before: &Expr, after: &Expr) -> Option<Excluded> {
        let (at_start, at_goal) = (number(before), number(after));
        let size = at_start
            .map_or(0.0, f64::abs)
            .max(at_goal.map_or(0.0, f64::abs));
        let margin = exact(APART * (1.0 + size))?;
        let excluded = match (at_start, at_goal) {
            (Some(a), Some(b)) => (a - b).abs() > APART * (1.0 + size),
            _ => self.has_sign(&(after - before), &margin),
        };
        excluded.then_some(Excluded {
            invariant,
            at_start,
            at_goal,
            steps: None,
        })
    }

    /// An expression with the numbers of parameters.
    pub fn valued(&self, e: &Expr) -> Expr {
        let constants = self.posed.constants.iter();
        let pairs: Vec<(Symbol, Expr)> = constants
            .filter_map(|(s, x)| Some((s.clone(), exact(*x)?)))
            .collect();
        e.substitute(&pairs)
    }

    /// A condition at the end, in symbols of both ends.
    fn at_end(&self, e: &Expr) -> Expr {
        let copies = self.start.iter();
        let copies: Vec<(Symbol, Expr)> = (self.posed.copies.iter())
            .map(|(copy, value)| (copy.clone(), value.substitute(&self.start)))
            .chain(copies.map(|(s, x)| (at_start(s), x.clone())))
            .collect();
        self.valued(&e.substitute(&self.end).substitute(&copies))
    }

    /// Puts in what the goal determines; the rest of it, position constraints and bounds become facts.
    fn meet(&mut self, stop: &Stop) {
        let posed = self.posed;
        for a in &stop.attitudes {
            let factor = &posed.plant.factors()[a.factor];
            for (i, entry) in factor.base.clone().zip(&a.entries) {
                self.end[i].1 = self.at_end(entry);
            }
        }
        let holonomic = posed.plant.holonomic.iter().cloned();
        let equations = stop.requirements.iter().filter(|r| r.equal);
        let mut open: Vec<Expr> = equations
            .map(|r| r.value.clone())
            .chain(holonomic)
            .collect();
        // One determined value may make another condition linear.
        let mut before = usize::MAX;
        while open.len() < before {
            before = open.len();
            open.retain(|e| !self.eliminate(e));
        }
        for e in &open {
            let value = self.at_end(e);
            self.facts.push(Fact::new(value.clone(), Sign::NonNegative));
            self.facts.push(Fact::new(value.clone(), Sign::NonPositive));
            self.equations.push(value);
        }
        let unequal = stop.requirements.iter().filter(|r| !r.equal);
        let unequal: Vec<&Requirement> = unequal.collect();
        for r in unequal {
            self.facts
                .push(Fact::new(self.at_end(&r.value), Sign::NonNegative));
        }
        self.meet_bounds();
    }

    /// Bounds along the path hold at its end, too.
    fn meet_bounds(&mut self) {
        let rank = self.posed.plant.system.frame().rank();
        let base = self.posed.plant.base().len();
        for b in &self.posed.simple {
            let value = match b.on {
                Bounded::State(i) if i >= rank => self.end[base + i - rank].1.clone(),
                Bounded::State(i) => {
                    let mut factors = self.posed.plant.factors().iter();
                    match factors.find(|f| f.fibre.contains(&i) && f.group.is_none()) {
                        Some(f) => self.end[f.base.start].1.clone(),
                        None => continue,
                    }
                }
                Bounded::Free(i) => Expr::from(&self.posed.free[i].0),
                Bounded::Control(_) => continue,
            };
            let side = |x: f64| x.is_finite().then(|| exact(x)).flatten();
            if let Some(lower) = side(b.lower) {
                self.facts
                    .push(Fact::new(&value - lower, Sign::NonNegative));
            }
            if let Some(upper) = side(b.upper) {
                self.facts
                    .push(Fact::new(upper - &value, Sign::NonNegative));
            }
        }
    }

    /// Solves an equation for an end value that it is linear in, with a number as coefficient.
    fn eliminate(&mut self, e: &Expr) -> bool {
        let value = self.at_end(e);
        let unknown = self.end.iter().filter_map(|(_, x)| x.as_symbol().cloned());
        let solved = unknown.into_iter().find_map(|s| {
            let parts = value.coefficients(&s).ok()?;
            let [rest, slope] = &parts[..] else {
                return None;
            };
            let slope = slope.as_number().filter(|c| !c.is_zero())?;
            let found = -rest / Expr::from(slope);
            (!found.contains(&s)).then_some((s, found))
        });
        let Some((s, found)) = solved else {
            return false;
        };
        let pair = [(s, found)];
        self.end
            .iter_mut()
            .for_each(|(_, x)| *x = x.substitute(&pair));
        true
    }

    /// Is a function positive, or negative, by more than a margin wherever the facts hold?
    fn has_sign(&self, e: &Expr, margin: &Expr) -> bool {
        let given = Assumptions::new(&self.facts);
        let tied: Vec<(Symbol, Expr)> = (e.free_symbols().into_iter())
            .map(|s| (s.clone(), Expr::from(given.apply(&s))))
            .collect();
        if is_definite(&(e - margin)) || is_definite(&(-e - margin)) {
            return true;
        }
        let e = e.substitute(&tied);
        if (&e - margin).sign() == Sign::Positive || (&e + margin).sign() == Sign::Negative {
            return true;
        }
        // Within the margin of zero, with everything else: a certificate that this cannot be.
        let near = [margin - &e, margin + &e].map(|x| Fact::new(x, Sign::NonNegative));
        let all: Vec<Fact> = self.facts.iter().cloned().chain(near).collect();
        Assumptions::contradiction(&all).is_some()
    }
}

/// Is a polynomial of second degree positive everywhere? By the pivots of xᵀQx with x = (symbols, 1).
fn is_definite(e: &Expr) -> bool {
    let symbols = e.free_symbols();
    let at_zero: Vec<(Symbol, Expr)> = symbols.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let number = |e: &Expr| e.substitute(&at_zero).as_number().cloned();
    // None is the last entry of x, the 1.
    let axes = || symbols.iter().map(Some).chain([None]);
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for first in axes() {
        let by_first = first.map_or_else(|| e.clone(), |s| e.diff(s));
        let mut row = Vec::new();
        for second in axes() {
            let entry = second.map_or_else(|| by_first.clone(), |s| by_first.diff(s));
            // Second derivatives must be numbers as they stand.
            let constant = first.and(second).is_none() || entry.as_number().is_some();
            let Some(x) = number(&entry).filter(|_| constant) else {
                return false;
            };
            let whole = first.or(second).is_none();
            row.push(&x * &Rational::new(1, if whole { 1 } else { 2 }));
        }
        rows.push(row);
    }
    for k in 0..rows.len() {
        let pivots = rows[k].clone();
        let Some(inverse) = pivots[k].recip().filter(|x| *x > Rational::from(0)) else {
            return false;
        };
        for row in &mut rows[k + 1..] {
            let part = &row[k] * &inverse;
            for (x, pivot) in row.iter_mut().zip(&pivots).skip(k) {
                *x = &*x - &(&part * pivot);
            }
        }
    }
    true
}

/// A double as the shortest decimal number that stands for it.
fn exact(x: f64) -> Option<Expr> {
    let text = x.is_finite().then(|| format!("{x:?}"))?;
    text.parse::<Rational>().ok().map(Expr::from)
}
