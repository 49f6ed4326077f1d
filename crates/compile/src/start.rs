//! The start state of a model: positions as stated, velocities completed by the constraints.

use crate::staged::{EvaluationError, Staged};
use rattleback_geometry::LieGroup;
use rattleback_language::{ConstraintKind, Model, Span, Values};
use rattleback_mechanics::{Equations, System};
use rattleback_numeric::{determinant, independent_rows, solve_scaled};
use rattleback_symbolic::{Expr, Matrix, Symbol, Tape};

/// A start state that cannot be.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StartError {
    /// A stated value is no finite number.
    #[error("the start value of `{name}` is not a finite number")]
    NotFinite {
        /// Which one.
        name: String,
        /// Where it is stated.
        span: Option<Span>,
    },
    /// The stated state breaks a constraint.
    #[error("the start state breaks this constraint by {residual}")]
    Violated {
        /// By how much.
        residual: f64,
        /// Which constraint of the model, from 0.
        constraint: usize,
        /// Is it a constraint on positions that the positions break?
        by_position: bool,
        /// Where the constraint stands.
        span: Span,
    },
    /// A start element does not lie on its group.
    #[error(
        "the start value of `{name}` is no element of its group: it misses a relation of the group by {residual}"
    )]
    NotInGroup {
        /// Which factor.
        name: String,
        /// By how much.
        residual: f64,
        /// Where it is stated.
        span: Option<Span>,
    },
    /// A start value for a multiplier that the system does not have.
    #[error(
        "there is no multiplier `{name}`: the system has {constraints} independent constraints"
    )]
    NoMultiplier {
        /// Which one.
        name: String,
        /// How many there are.
        constraints: usize,
        /// Where it is stated.
        span: Span,
    },
    /// Stated values that break an assumption of the model.
    #[error("the start state breaks the assumption `{assumption}` of the model")]
    Assumption {
        /// As the model writes it.
        assumption: String,
        /// Where it stands.
        span: Span,
    },
    /// A parameter value is no finite number.
    #[error("the value of the parameter `{name}` is not a finite number")]
    Parameter {
        /// Which one.
        name: String,
        /// Where it is declared.
        span: Span,
    },
    /// A velocity is stated that the Lagrangian, linear in it, determines otherwise.
    #[error(
        "the start velocity `{name}` is {stated}, but the equations are of first order and determine it: {determined}"
    )]
    Determined {
        /// Which one.
        name: String,
        /// What is stated.
        stated: f64,
        /// What it is.
        determined: f64,
        /// Where it is stated.
        span: Option<Span>,
    },
    /// Something could not be evaluated at the start state.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// Numbers for everything that equations need at the start.
#[derive(Clone, Debug)]
pub struct StartState {
    /// The start time.
    pub time: f64,
    /// Parameters and controls, in the order of `constants`.
    pub constants: Vec<Symbol>,
    /// Their values; a control is 0.
    pub constant_values: Vec<f64>,
    ambient: Vec<Symbol>,
    ambient_values: Vec<f64>,
}

const TOLERANCE: f64 = 1e-9;

impl StartState {
    /// Works out the start state: stated values, 0 and identities for other positions, and for
    /// velocities left out the ones of least kinetic energy that satisfy the constraints.
    pub fn of(model: &Model, system: &System) -> Result<Self, StartError> {
        let values = Values::of(model);
        let mut state = Self {
            time: model
                .time
                .as_ref()
                .and_then(|h| values.number(&h.from))
                .unwrap_or(0.0),
            constants: Vec::new(),
            constant_values: Vec::new(),
            ambient: Vec::new(),
            ambient_values: Vec::new(),
        };
        state.set_constants(model, &values)?;
        state.set_positions(model, system, &values)?;
        state.check_groups(model, system)?;
        state.check_positions(model)?;
        state.set_velocities(model, system, &values)?;
        state.set_rest(model, system, &values)?;
        state.check_assumptions(model)?;
        Ok(state)
    }

    /// Stated positions and velocities satisfy what the model assumes of them.
    fn check_assumptions(&self, model: &Model) -> Result<(), StartError> {
        for a in &model.assumptions {
            let both = [a.lhs.clone(), a.rhs.clone()];
            let mut stated = model.start.iter();
            if !stated.any(|s| both.iter().any(|e| e.contains(&s.symbol))) {
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
                    span: a.span,
                });
            }
        }
        Ok(())
    }

    /// The state of these equations at the start.
    pub fn state_of(&self, equations: &Equations) -> Result<Vec<f64>, EvaluationError> {
        let (symbols, values) = self.inputs();
        let initial = &equations.initial;
        Staged::new(&symbols, &initial.stages, &initial.values)?.evaluate(&values)
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

    fn set_constants(&mut self, model: &Model, values: &Values) -> Result<(), StartError> {
        for p in &model.parameters {
            let value = values
                .number(&Expr::from(&p.symbol))
                .filter(|v| v.is_finite());
            let missing = || StartError::Parameter {
                name: p.symbol.name().into(),
                span: p.span,
            };
            self.constants.push(p.symbol.clone());
            self.constant_values.push(value.ok_or_else(missing)?);
        }
        for c in &model.controls {
            self.constants.push(c.symbol.clone());
            self.constant_values.push(0.0);
        }
        Ok(())
    }

    fn stated(model: &Model, values: &Values, s: &Symbol) -> Result<Option<f64>, StartError> {
        let Some(assignment) = model.start.get(s) else {
            return Ok(None);
        };
        let not_finite = || StartError::NotFinite {
            name: s.to_string(),
            span: Some(assignment.span),
        };
        values
            .number(&assignment.value)
            .filter(|v| v.is_finite())
            .ok_or_else(not_finite)
            .map(Some)
    }

    fn set_positions(
        &mut self,
        model: &Model,
        system: &System,
        values: &Values,
    ) -> Result<(), StartError> {
        for factor in system.factors() {
            let positions = &system.frame().base()[factor.base.clone()];
            let identity = factor
                .group
                .map_or_else(|| vec![Expr::zero()], |g| g.identity());
            for (s, neutral) in positions.iter().zip(identity) {
                let neutral = neutral.as_number().map_or(0.0, |r| r.to_f64());
                self.set(s, Self::stated(model, values, s)?.unwrap_or(neutral));
            }
        }
        Ok(())
    }

    /// Group elements must satisfy the relations of their group, orientation included.
    fn check_groups(&self, model: &Model, system: &System) -> Result<(), StartError> {
        for factor in system.factors() {
            let Some(group) = factor.group else { continue };
            let entries = &system.frame().base()[factor.base.clone()];
            let element = group.element(entries);
            let mut misses = self.evaluate(&group.relations(&element))?;
            if let Some(n) = group.matrix_size() {
                let matrix = Matrix::new(n, n, |i, j| element[n * i + j].clone());
                let numbers = self.evaluate(matrix.entries())?;
                misses.push(determinant(&mut numbers.clone(), n) - 1.0);
            }
            let residual = misses
                .into_iter()
                .fold(0.0, |m: f64, r| if r.abs() > m.abs() { r } else { m });
            if residual.is_nan() || residual.abs() > TOLERANCE {
                let span = entries
                    .iter()
                    .find_map(|z| model.start.get(z))
                    .map(|a| a.span);
                return Err(StartError::NotInGroup {
                    name: factor.name.clone(),
                    residual,
                    span,
                });
            }
        }
        Ok(())
    }

    /// Position constraints must hold at the start.
    fn check_positions(&self, model: &Model) -> Result<(), StartError> {
        for (i, c) in model.constraints.iter().enumerate() {
            if c.kind == ConstraintKind::Holonomic {
                let residual = self.evaluate(std::slice::from_ref(&c.expr))?[0];
                if residual.is_nan() || residual.abs() > TOLERANCE {
                    return Err(StartError::Violated {
                        residual,
                        constraint: i,
                        by_position: true,
                        span: c.span,
                    });
                }
            }
        }
        Ok(())
    }

    /// Minimises ½ W_ff y_f y_f over the velocities left out, subject to A_f y_f = −(a + A_s y_s).
    fn set_velocities(
        &mut self,
        model: &Model,
        system: &System,
        values: &Values,
    ) -> Result<(), StartError> {
        let fibre = system.frame().fibre();
        let stated: Vec<Option<f64>> = fibre
            .iter()
            .map(|y| Self::stated(model, values, y))
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
                        span: model.start.get(&fibre[i]).map(|a| a.span),
                    });
                }
            }
            y = determined;
        }
        fibre.iter().zip(&y).for_each(|(s, v)| self.set(s, *v));
        self.check_velocities(model, system)
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

    fn check_velocities(&self, model: &Model, system: &System) -> Result<(), StartError> {
        let scale = 1.0
            + system
                .frame()
                .fibre()
                .iter()
                .filter_map(|s| self.get(s))
                .fold(0.0, |m: f64, v| m.max(v.abs()));
        for (i, c) in model.constraints.iter().enumerate() {
            let velocity_level = match c.kind {
                ConstraintKind::Holonomic => system.frame().rate(&c.expr),
                _ => c.expr.clone(),
            };
            let residual = self.evaluate(&[velocity_level])?[0];
            if residual.is_nan() || residual.abs() > TOLERANCE * scale {
                return Err(StartError::Violated {
                    residual,
                    constraint: i,
                    by_position: false,
                    span: c.span,
                });
            }
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
    fn set_rest(
        &mut self,
        model: &Model,
        system: &System,
        values: &Values,
    ) -> Result<(), StartError> {
        for k in 1..2 * system.order() - 1 {
            for y in system.frame().fibre() {
                let jet = y.jet(y.order() + k);
                let value = Self::stated(model, values, &jet)?.unwrap_or(0.0);
                self.set(&jet, value);
            }
        }
        let constraints = system.constraints().len();
        let multipliers = system.variational_multipliers();
        for stated in &model.start.multipliers {
            let name = stated.symbol.name();
            if multipliers.iter().all(|mu| mu.name() != name) {
                let name = name.to_owned();
                return Err(StartError::NoMultiplier {
                    name,
                    constraints,
                    span: stated.span,
                });
            }
        }
        for mu in multipliers {
            let stated = model
                .start
                .multipliers
                .iter()
                .find(|m| m.symbol.name() == mu.name());
            let value = stated.and_then(|m| values.number(&m.value)).unwrap_or(0.0);
            self.set(&mu, value);
        }
        Ok(())
    }
}

/// The x of least ½ xᵀ W x with A x = −r, rows of A that add nothing left out; `None` if W is
/// degenerate there.
fn least_energy(
    a: &[Vec<f64>],
    r: &[f64],
    weight: impl Fn(usize, usize) -> f64,
) -> Option<Vec<f64>> {
    let n = a.first()?.len();
    let mut kept = Vec::new();
    independent_rows(&mut a.concat(), n, &mut kept);
    let rows: Vec<&Vec<f64>> = kept.iter().map(|&s| &a[s]).collect();
    let rhs: Vec<f64> = kept.iter().map(|&s| r[s]).collect();
    let (m, size) = (rows.len(), n + rows.len());
    let mut matrix = vec![0.0; size * size];
    let mut x = vec![0.0; size];
    for i in 0..n {
        for j in 0..n {
            matrix[i * size + j] = weight(i, j);
        }
    }
    for k in 0..m {
        for j in 0..n {
            matrix[(n + k) * size + j] = rows[k][j];
            matrix[j * size + n + k] = rows[k][j];
        }
        x[n + k] = -rhs[k];
    }
    solve_scaled(&mut matrix, &mut x).ok()?;
    x.truncate(n);
    Some(x)
}
