//! The start state of a problem: positions as stated or assembled, velocities completed by the constraints.

mod error;
mod least_energy;
pub(crate) mod parts;

pub use error::StartError;
pub(crate) use least_energy::bordered;

use crate::assembly::{Assembly, position_constraints};
use crate::staged::{EvaluationError, Staged};
use least_energy::least_energy;
use rattleback_geometry::LieGroup;
use rattleback_mechanics::problem::StatedConstraint;
use rattleback_mechanics::{ConstraintKind, Equations, Origin, Problem, Stage, System};
use rattleback_numeric::{determinant, independent_rows};
use rattleback_symbolic::{Expr, Matrix, Rational, Symbol, Tape, rounding, substitute_all};

/// Numbers for everything that equations need at the start.
#[derive(Clone, Debug)]
pub struct StartState {
    /// The start time.
    pub time: f64,
    /// Parameters and controls, in the order of `constants`.
    pub constants: Vec<Symbol>,
    /// Their values; a control has that of its law at the start, 0 where there is none.
    pub constant_values: Vec<f64>,
    ambient: Vec<Symbol>,
    ambient_values: Vec<f64>,
    /// How positions were found that the constraints determine; none where nothing had to be.
    assembly: Option<Assembly>,
}

/// Stated values have nine digits at least.
const TOLERANCE: f64 = 1e-9;
/// By how much the digits of several values together, and a curved constraint, exceed the first order.
const SEVERAL: f64 = 4.0;

/// By how much beside the values a search for positions begins, one after the other.
const NUDGES: [(i64, i64); 4] = [(0, 1), (1, 10), (-1, 3), (1, 1)];

impl StartState {
    /// Works out the start state: stated values, 0 and identities for other positions, and for
    /// velocities left out the ones of least kinetic energy that satisfy the constraints.
    pub fn of(problem: &Problem, system: &System) -> Result<Self, StartError> {
        let mut state = Self {
            time: problem
                .horizon
                .as_ref()
                .and_then(|h| problem.values.number(&h.from))
                .unwrap_or(0.0),
            constants: Vec::new(),
            constant_values: Vec::new(),
            ambient: Vec::new(),
            ambient_values: Vec::new(),
            assembly: None,
        };
        state.set_constants(problem, system)?;
        state.set_positions(problem, system)?;
        state.check_groups(problem, system)?;
        state.assemble(problem, system)?;
        state.check_positions(problem)?;
        state.set_velocities(problem, system)?;
        state.set_rest(problem, system)?;
        state.feed(problem)?;
        state.check_assumptions(problem)?;
        Ok(state)
    }

    /// Stated positions and velocities satisfy what the model assumes of them.
    fn check_assumptions(&self, problem: &Problem) -> Result<(), StartError> {
        for a in &problem.assumptions {
            let both = [a.lhs.clone(), a.rhs.clone()];
            let mut stated = problem.start.iter();
            if !stated.any(|s| both.iter().any(|e| e.contains(&s.symbol))) {
                continue;
            }
            if self.is_whole(a.unless_whole.as_ref()) {
                continue;
            }
            let sides = self.evaluate(&both).unwrap_or_default();
            let order = sides
                .first()
                .zip(sides.get(1))
                .and_then(|(l, r)| l.partial_cmp(r));
            if order.is_some_and(|order| !a.relation.holds(order)) {
                return Err(StartError::Assumption {
                    assumption: a.text.clone(),
                    origin: a.origin,
                });
            }
        }
        Ok(())
    }

    /// Is there an exponent, and is it whole at the start?
    fn is_whole(&self, exponent: Option<&Expr>) -> bool {
        let value = exponent.and_then(|e| self.evaluate(std::slice::from_ref(e)).ok());
        value.is_some_and(|value| value.iter().all(|x| x.fract() == 0.0))
    }

    /// The state of these equations at the start.
    pub fn state_of(&self, equations: &Equations) -> Result<Vec<f64>, EvaluationError> {
        let initial = &equations.initial;
        self.after(&initial.stages, &initial.values)
    }

    /// Does the state of these equations follow from the start: does that lie on their slice, if they have one?
    pub fn determines(&self, equations: &Equations) -> Result<bool, EvaluationError> {
        let (held, values): (Vec<Expr>, Vec<Expr>) = {
            let on = equations.initial.on.iter();
            on.map(|(s, e)| (Expr::from(s), e.clone())).unzip()
        };
        let near = |(x, c): (&f64, &f64)| (x - c).abs() <= TOLERANCE * x.abs().max(1.0);
        let (held, values) = (self.evaluate(&held)?, self.evaluate(&values)?);
        Ok(held.iter().zip(&values).all(near))
    }

    /// Values of expressions at the start, after systems that are solved there.
    pub fn after(&self, stages: &[Stage], e: &[Expr]) -> Result<Vec<f64>, EvaluationError> {
        let (symbols, values) = self.inputs();
        Staged::new(&symbols, stages, e)?.evaluate(&values)
    }

    /// The value of an ambient position, velocity, jet or multiplier.
    pub fn get(&self, s: &Symbol) -> Option<f64> {
        let i = self.ambient.iter().position(|x| x == s)?;
        Some(self.ambient_values[i])
    }

    /// Values of expressions at the start.
    pub fn evaluate(&self, e: &[Expr]) -> Result<Vec<f64>, EvaluationError> {
        let (symbols, values) = self.inputs();
        Ok(Tape::new(&symbols, e)?.evaluate(&values))
    }

    /// With further quantities that are known at the start; those that it has already keep their values.
    pub fn with(&self, further: impl IntoIterator<Item = (Symbol, f64)>) -> Self {
        let mut all = self.clone();
        for (s, value) in further {
            if all.get(&s).is_none() {
                all.set(&s, value);
            }
        }
        all
    }

    fn inputs(&self) -> (Vec<Symbol>, Vec<f64>) {
        let symbols = std::iter::once(Symbol::time())
            .chain(self.constants.iter().cloned())
            .chain(self.ambient.iter().cloned());
        let values = std::iter::once(self.time)
            .chain(self.constant_values.iter().copied())
            .chain(self.ambient_values.iter().copied());
        (symbols.collect(), values.collect())
    }

    fn set(&mut self, s: &Symbol, value: f64) {
        self.ambient.push(s.clone());
        self.ambient_values.push(value);
    }

    fn set_constants(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        for p in &problem.parameters {
            let value = problem
                .values
                .number(&Expr::from(&p.symbol))
                .or_else(|| problem.values.number(&p.value))
                .filter(|v| v.is_finite());
            let missing = || StartError::Parameter {
                name: p.symbol.name().into(),
                origin: p.origin,
            };
            self.constants.push(p.symbol.clone());
            self.constant_values.push(value.ok_or_else(missing)?);
        }
        // What is chosen is no constant.
        let chosen = system.objective().is_some();
        for c in problem.controls.iter().filter(|_| !chosen) {
            self.constants.push(c.symbol.clone());
            self.constant_values.push(0.0);
        }
        Ok(())
    }

    /// The controls at their laws.
    fn feed(&mut self, problem: &Problem) -> Result<(), StartError> {
        let first = problem.parameters.len();
        if self.constants.len() == first {
            return Ok(());
        }
        let laws: Vec<Expr> = problem
            .controls
            .iter()
            .map(|c| problem.law(&c.symbol))
            .collect();
        let values = self.evaluate(&laws)?;
        self.constant_values[first..].copy_from_slice(&values);
        Ok(())
    }

    /// What was solved for so that the constraints on positions hold.
    pub fn assembled(&self) -> Vec<(Symbol, f64)> {
        let free = self.assembly.iter().flat_map(Assembly::positions);
        free.filter_map(|z| Some((z.clone(), self.get(z)?)))
            .collect()
    }

    pub(crate) fn assembly(&self) -> Option<&Assembly> {
        self.assembly.as_ref()
    }

    /// Moves positions that are not stated onto the constraints that they break, from their values or from beside
    /// them. What cannot be moved is left for [`StartState::check_positions`].
    fn assemble(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        let g = position_constraints(problem);
        let all: Vec<Expr> = g.iter().map(|(g, _)| g.clone()).collect();
        let holds = |at: &Self| -> Result<bool, EvaluationError> {
            for e in &all {
                if at.miss(e)?.is_some() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        if all.is_empty() || holds(self)? {
            return Ok(());
        }
        let Some(assembly) = Assembly::of(problem, system) else {
            return Ok(());
        };
        for (over, under) in NUDGES {
            let nudge = Rational::from(over) / Rational::from(under);
            let mut assembly = assembly.clone();
            assembly.nudge = nudge;
            if let Some(mut found) = self.assembled_by(assembly, &g)
                && holds(&found)?
            {
                std::mem::swap(self, &mut found);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The state with positions on the constraints, where the search for them comes to an end.
    fn assembled_by(&self, mut assembly: Assembly, g: &[(Expr, Origin)]) -> Option<Self> {
        let (symbols, values) = self.inputs();
        let free = assembly.positions().count();
        assembly = assembly.measured(self.size(), &[]);
        let slopes = substitute_all(&assembly.slopes(g), &assembly.begun());
        let mut slopes = Tape::new(&symbols, &slopes).ok()?.evaluate(&values);
        assembly = assembly.measured(self.size(), &slopes);
        independent_rows(&mut slopes, free, &mut assembly.rows);
        let found: Vec<Expr> = assembly.found().into_iter().map(|(_, e)| e).collect();
        let solve = Staged::new(&symbols, &[assembly.stage(g)], &found).ok()?;
        let values = solve.evaluate(&values).ok()?;
        let mut state = self.clone();
        for (z, value) in assembly.positions().zip(values) {
            let place = state.ambient.iter().position(|s| s == z)?;
            state.ambient_values[place] = value;
        }
        state.assembly = Some(assembly);
        Some(state)
    }

    /// The largest of the positions.
    fn size(&self) -> f64 {
        let values = self.ambient_values.iter();
        values.fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    /// An assembly with the constraints that are independent in its positions at this state, so that it stays where it is
    /// if nothing is changed; none where no constraint can be met by them.
    pub(crate) fn ranked(&self, mut assembly: Assembly, g: &[(Expr, Origin)]) -> Option<Assembly> {
        let (symbols, values) = self.inputs();
        let free = assembly.positions().count();
        let mut slopes = Tape::new(&symbols, &assembly.slopes(g))
            .ok()?
            .evaluate(&values);
        assembly = assembly.measured(self.size(), &slopes);
        assembly.nudge = Rational::from(0);
        assembly.rows.clear();
        independent_rows(&mut slopes, free, &mut assembly.rows);
        (!assembly.rows.is_empty()).then_some(assembly)
    }

    fn stated(problem: &Problem, s: &Symbol) -> Result<Option<f64>, StartError> {
        let Some(assignment) = problem.start.get(s) else {
            return Ok(None);
        };
        let not_finite = || StartError::NotFinite {
            name: s.to_string(),
            origin: Some(assignment.origin),
        };
        problem
            .values
            .number(&assignment.value)
            .filter(|v| v.is_finite())
            .ok_or_else(not_finite)
            .map(Some)
    }

    /// Auxiliary states and positions.
    fn set_positions(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        for (z, neutral) in parts::neutral_positions(system) {
            let neutral = neutral.as_number().map_or(0.0, |r| r.to_f64());
            self.set(&z, Self::stated(problem, &z)?.unwrap_or(neutral));
        }
        Ok(())
    }

    /// Group elements must satisfy the relations of their group, orientation included.
    fn check_groups(&self, problem: &Problem, system: &System) -> Result<(), StartError> {
        for factor in system.factors() {
            let Some(group) = factor.group else { continue };
            let entries = &system.frame().base()[factor.base.clone()];
            let mut misses = self.evaluate(&parts::relations(system, factor))?;
            if let Some(n) = group.matrix_size() {
                let mut numbers = self.evaluate(&group.element(entries))?;
                misses.push(determinant(&mut numbers, n) - 1.0);
            }
            let residual = misses
                .into_iter()
                .fold(0.0, |m: f64, r| if r.abs() > m.abs() { r } else { m });
            if residual.is_nan() || residual.abs() > TOLERANCE {
                let origin = entries
                    .iter()
                    .find_map(|z| problem.start.get(z))
                    .map(|a| a.origin);
                return Err(StartError::NotInGroup {
                    name: factor.name.clone(),
                    residual,
                    origin,
                });
            }
        }
        Ok(())
    }

    /// The residual of a constraint at the start where it is more than the digits of the values explain: e differs by
    /// Σ |z ∂e/∂z| times the part by which all values z may be off. A change of units changes both sides alike.
    fn miss(&self, e: &Expr) -> Result<Option<f64>, EvaluationError> {
        let symbols = e.free_symbols();
        let values: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        let found = self.evaluate(&[vec![e.clone()], values, e.gradient(&symbols)].concat())?;
        let residual = found[0];
        let (values, slopes) = found[1..].split_at(symbols.len());
        let sizes = values.iter().zip(slopes).map(|(z, d)| (z * d).abs());
        // An exponent of a negative number has no slope.
        let size: f64 = sizes.filter(|size| size.is_finite()).sum();
        let at: Vec<(Symbol, f64)> = symbols.into_iter().zip(values.iter().copied()).collect();
        let explained = SEVERAL * TOLERANCE * size;
        let allowed = explained + rounding(&at, e).unwrap_or(0.0);
        // What is beyond all numbers is explained by none.
        let holds = residual.is_finite() && residual.abs() <= allowed;
        Ok((!holds).then_some(residual))
    }

    /// Position constraints must hold at the start.
    fn check_positions(&self, problem: &Problem) -> Result<(), StartError> {
        for c in &problem.constraints {
            if c.kind == ConstraintKind::Holonomic
                && let Some(residual) = self.miss(&c.expr)?
            {
                return Err(StartError::Violated {
                    residual,
                    by_position: true,
                    origin: c.origin,
                });
            }
        }
        Ok(())
    }

    /// Minimises ½ W_ff y_f y_f over the velocities left out, subject to A_f y_f = −(a + A_s y_s).
    fn set_velocities(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        let fibre = system.frame().fibre();
        let stated: Vec<Option<f64>> = fibre
            .iter()
            .map(|y| Self::stated(problem, y))
            .collect::<Result<_, _>>()?;
        let mut y: Vec<f64> = stated.iter().map(|v| v.unwrap_or(0.0)).collect();
        let free: Vec<usize> = (0..y.len()).filter(|&i| stated[i].is_none()).collect();
        let constraints = system.constraints();
        if !constraints.is_empty() && !free.is_empty() {
            let at = |e: &[Expr], y: &[f64]| {
                let mut probe = self.clone();
                fibre.iter().zip(y).for_each(|(s, v)| probe.set(s, *v));
                probe.evaluate(e)
            };
            let n = fibre.len();
            let forms = at(constraints.forms().entries(), &y)?;
            let residual = at(&constraints.residuals(system.frame()), &y)?;
            let mass = at(system.mass_matrix().entries(), &y)?;
            let a: Vec<Vec<f64>> = forms
                .chunks(n)
                .map(|row| free.iter().map(|&j| row[j]).collect())
                .collect();
            let weight = |i: usize, j: usize| mass[free[i] * n + free[j]];
            let euclidean = |i: usize, j: usize| f64::from(u8::from(i == j));
            let found = least_energy(&a, &residual, weight)
                .or_else(|| least_energy(&a, &residual, euclidean));
            for (k, value) in found.into_iter().flatten().enumerate() {
                y[free[k]] = value;
            }
        }
        if let Some(determined) = self.determined(system, &y)? {
            let scale = determined.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
            for (i, &value) in determined.iter().enumerate() {
                let differs = |s: &f64| (s - value).abs() > TOLERANCE * scale;
                if let Some(stated) = stated[i].filter(differs) {
                    return Err(StartError::Determined {
                        name: fibre[i].to_string(),
                        stated,
                        determined: value,
                        origin: problem.start.get(&fibre[i]).map(|a| a.origin),
                    });
                }
            }
            y = determined;
        }
        if !system.jet_constraints().is_empty() {
            y = self.on_jet_constraints(system, 0, &stated, y)?;
        }
        fibre.iter().zip(&y).for_each(|(s, v)| self.set(s, *v));
        self.check_velocities(problem, system)
    }

    /// The derivatives y^(i), as stated where they are, nearest to the given ones under which the constraints of the
    /// variational problem keep holding: d^(i−r+1) φ/dt^(i−r+1) = 0 for those of order r ≤ i + 1, by Newton's method.
    fn on_jet_constraints(
        &self,
        system: &System,
        level: u32,
        stated: &[Option<f64>],
        mut values: Vec<f64>,
    ) -> Result<Vec<f64>, StartError> {
        let frame = system.frame();
        let jets = parts::jets(system, level);
        let mut conditions = Vec::new();
        for (s, c) in system.variational_constraints().into_iter().enumerate() {
            if c.order <= level + 1 {
                let times = level + 1 - c.order;
                conditions.push((s, (0..times).fold(c.expr, |phi, _| frame.rate(&phi))));
            }
        }
        let free: Vec<usize> = (0..jets.len()).filter(|&i| stated[i].is_none()).collect();
        let unknowns: Vec<Symbol> = free.iter().map(|&i| jets[i].clone()).collect();
        let misses: Vec<Expr> = conditions.iter().map(|(_, e)| e.clone()).collect();
        let slopes: Vec<Expr> = misses.iter().flat_map(|e| e.gradient(&unknowns)).collect();
        let at = |e: &[Expr], values: &[f64]| {
            let mut probe = self.clone();
            jets.iter().zip(values).for_each(|(s, v)| probe.set(s, *v));
            probe.evaluate(e)
        };
        let euclidean = |i: usize, j: usize| f64::from(u8::from(i == j));
        for _ in 0..MOST_STEPS {
            let residual = at(&misses, &values)?;
            if free.is_empty() || residual.iter().all(|r| r.abs() <= f64::EPSILON) {
                break;
            }
            let rows = at(&slopes, &values)?;
            let rows: Vec<Vec<f64>> = rows.chunks(free.len()).map(<[f64]>::to_vec).collect();
            let Some(step) = least_energy(&rows, &residual, euclidean) else {
                break;
            };
            free.iter().zip(&step).for_each(|(&i, x)| values[i] += x);
            let size = values.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
            if step.iter().all(|x| x.abs() <= f64::EPSILON * size) {
                break;
            }
        }
        let size = values.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
        let places = conditions.iter().map(|(s, _)| *s);
        for (s, residual) in places.zip(at(&misses, &values)?) {
            if residual.is_nan() || residual.abs() > TOLERANCE * size {
                let constraint = system.kept_constraints().get(s).copied().unwrap_or(s);
                return Err(StartError::Violated {
                    residual,
                    by_position: false,
                    origin: Origin::Constraint(constraint),
                });
            }
        }
        Ok(values)
    }

    /// The velocities as the equations determine them where the Lagrangian is linear in some.
    fn determined(&self, system: &System, y: &[f64]) -> Result<Option<Vec<f64>>, StartError> {
        let Some((stages, velocity)) = system.determined_velocities() else {
            return Ok(None);
        };
        let mut probe = self.clone();
        let fibre = system.frame().fibre().iter();
        fibre.zip(y).for_each(|(s, v)| probe.set(s, *v));
        let (symbols, values) = probe.inputs();
        let found = Staged::new(&symbols, &stages, &velocity)?.evaluate(&values)?;
        Ok(Some(found))
    }

    fn check_velocities(&self, problem: &Problem, system: &System) -> Result<(), StartError> {
        let of_velocities = |c: &&StatedConstraint| c.kind != ConstraintKind::HigherOrder;
        for c in problem.constraints.iter().filter(of_velocities) {
            if let Some(residual) = self.miss(&parts::on_velocities(system, c))? {
                return Err(StartError::Violated {
                    residual,
                    by_position: false,
                    origin: c.origin,
                });
            }
        }
        Ok(())
    }

    /// Costates of a control problem, or momenta of a discrete Lagrangian: as stated, else 0.
    fn set_costates(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        let momenta = system.state_momenta();
        let costates = match system.objective() {
            _ if !momenta.is_empty() => momenta,
            Some(_) => system.costate_symbols(),
            None => return Ok(()),
        };
        for stated in &problem.start.momenta {
            if !costates.contains(&stated.symbol) {
                return Err(StartError::NoCostate {
                    name: stated.symbol.to_string(),
                    there_are: costates.iter().map(Symbol::to_string).collect(),
                    origin: stated.origin,
                });
            }
        }
        for p in costates {
            let value = Self::stated(problem, &p)?.unwrap_or(0.0);
            self.set(&p, value);
        }
        Ok(())
    }

    /// Constraints that are independent in these velocities at the start.
    pub(crate) fn independent_rows(&self, forms: &Matrix, columns: &[usize]) -> Vec<usize> {
        let Ok(values) = self.evaluate(forms.entries()) else {
            return (0..forms.rows()).collect();
        };
        let mut rows: Vec<f64> = values
            .chunks(forms.cols().max(1))
            .flat_map(|row| columns.iter().map(|&j| row[j]))
            .collect();
        let mut kept = Vec::new();
        independent_rows(&mut rows, columns.len(), &mut kept);
        kept
    }

    /// Does the metric determine these velocities where the constraints do not?
    pub(crate) fn has_regular_completion(
        &self,
        system: &System,
        columns: &[usize],
        rows: &[usize],
    ) -> bool {
        let n = system.frame().rank();
        let evaluated = (
            self.evaluate(system.mass_matrix().entries()),
            self.evaluate(system.constraints().forms().entries()),
        );
        let (Ok(mass), Ok(forms)) = evaluated else {
            return false;
        };
        let a: Vec<Vec<f64>> = rows
            .iter()
            .map(|&s| columns.iter().map(|&j| forms[s * n + j]).collect())
            .collect();
        let weight = |i: usize, j: usize| mass[columns[i] * n + columns[j]];
        least_energy(&a, &vec![0.0; a.len()], weight).is_some()
    }

    /// Higher jets and vakonomic multipliers: as stated, else 0.
    fn set_rest(&mut self, problem: &Problem, system: &System) -> Result<(), StartError> {
        for k in parts::levels(system) {
            let jets = parts::jets(system, k);
            let stated = jets.iter().map(|jet| Self::stated(problem, jet));
            let stated: Vec<Option<f64>> = stated.collect::<Result<_, _>>()?;
            let mut found: Vec<f64> = stated.iter().map(|v| v.unwrap_or(0.0)).collect();
            if system.is_constrained() {
                found = self.on_jet_constraints(system, k, &stated, found)?;
            }
            jets.iter().zip(found).for_each(|(s, v)| self.set(s, v));
        }
        let multipliers = parts::multipliers(system);
        for stated in &problem.start.multipliers {
            if !multipliers.contains(&stated.symbol) {
                return Err(StartError::NoMultiplier {
                    name: stated.symbol.to_string(),
                    constraints: system.variational_constraints().len(),
                    origin: stated.origin,
                });
            }
        }
        self.set_costates(problem, system)?;
        for mu in multipliers {
            let stated = problem.start.multiplier(&mu);
            let value = stated.and_then(|m| problem.values.number(&m.value));
            let value = value.unwrap_or(0.0);
            self.set(&mu, value);
        }
        Ok(())
    }
}

/// Steps of Newton's method towards the constraints; near them it doubles the digits.
const MOST_STEPS: usize = 50;
