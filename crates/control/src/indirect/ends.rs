//! What holds at the ends and on the way: conditions with multipliers, transversality, free numbers.

use super::IndirectError;
use super::field::Field;
use rattleback_compile::StartState;
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_lie::Group;
use rattleback_mechanics::optimality::Objective;
use rattleback_mechanics::{
    Condition, ConditionKind, Given, Origin, Problem, Relation, Stage, at_start,
};
use rattleback_numeric::independent_rows;
use rattleback_symbolic::{Expr, Rational, Symbol, substitute_all};

/// One end of a stretch: where its values stand, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment(pub(super) usize);

/// A condition that vanishes, with the moment it is about.
#[derive(Clone, Debug)]
struct Held {
    value: Expr,
    origin: Option<Origin>,
}

/// The conditions at all moments as one program with derivatives.
///
/// Moments 2k and 2k + 1 are the first and last node of stretch k. With Λ = φ + ν·E, φ the cost at the end and E all
/// conditions on states:
///
/// ```text
/// E = 0,    p(0) = Λ_x(0),    p(T) = −Λ_x(T),    p⁻ = p⁺ − Λ_x on the way,
/// Λ_θ − Σ (H t_θ at the last − H t_θ at the first node of each stretch) − ∫ H_θ dt = 0
/// ```
pub(super) struct Ends {
    program: Interpreter,
    derivatives: Derivatives,
    /// How many multipliers there are.
    pub(super) multipliers: usize,
    /// The times of the moments, in θ.
    times: Interpreter,
    time_slopes: Derivatives,
    /// How many residuals there are: the conditions first, then relations of groups, then transversality.
    pub(super) residuals: usize,
    /// How many relations of groups there are.
    pub(super) relations: usize,
    /// Conditions that follow from others and are left out.
    pub(super) dropped: Vec<Origin>,
    /// Inequalities at the end that are taken to be active, with the place of their multipliers.
    pub(super) active: Vec<(Origin, usize)>,
    /// Inequalities at the end that are not, and the room that they have.
    inactive: Vec<Origin>,
    rooms: Interpreter,
}

impl Field {
    /// The symbols of y at a moment.
    pub(super) fn at(&self, moment: Moment) -> Vec<Symbol> {
        let name = |s: String| Symbol::variable(&format!("{s} at {}", moment.0));
        let moving = self.equations.state.iter().map(|s| name(s.to_string()));
        let gathered = self.free.iter().map(|s| name(format!("integral by {s}")));
        moving
            .chain(gathered)
            .chain([name("cost".into())])
            .collect()
    }

    /// State and costate, and the model's velocities, at a moment.
    fn renaming(&self, moment: Moment) -> Vec<(Symbol, Expr)> {
        let there = self.at(moment);
        let states = self.equations.state.iter().cloned();
        let states: Vec<(Symbol, Expr)> = states.zip(there.iter().map(Expr::from)).collect();
        let fibre = self.system.frame().fibre().iter().cloned();
        let hidden = fibre.filter(|y| !self.equations.state.contains(y));
        let fibre: Vec<Symbol> = self.system.frame().fibre().to_vec();
        let velocity = |y: Symbol| {
            let a = fibre.iter().position(|f| *f == y)?;
            let value = &self.steering.velocity[a];
            (value.as_symbol() != Some(&y)).then(|| (y, value.substitute(&states)))
        };
        let hidden: Vec<(Symbol, Expr)> = hidden.filter_map(velocity).collect();
        states.into_iter().chain(hidden).collect()
    }

    /// ρ^i_A ∂f/∂z^i, then ∂f/∂w, at a moment.
    fn differential(&self, f: &Expr, moment: Moment) -> Vec<Expr> {
        let there = self.at(moment);
        let frame = &self.steering.frame;
        let (base, rest) = there[..self.states].split_at(frame.base().len());
        let renaming = self.renaming(moment);
        let gradient = f.gradient(base);
        let sections = (0..frame.rank()).map(|a| {
            let column = substitute_all(&frame.anchor().column(a), &renaming);
            Expr::sum(column.iter().zip(&gradient).map(|(r, g)| r * g))
        });
        sections.chain(f.gradient(rest)).collect()
    }

    /// The Hamiltonian at a moment, with the solves before it.
    fn hamiltonian_at(&self, moment: Moment, time: &Expr) -> (Vec<Stage>, Expr) {
        let mut renaming = self.renaming(moment);
        renaming.push((Symbol::time(), time.clone()));
        let mut stages = Vec::new();
        for stage in &self.equations.stages {
            let unknown = |u: &Symbol| Symbol::variable(&format!("{u} solved at {}", moment.0));
            let renamed: Vec<Symbol> = stage.unknowns().iter().map(unknown).collect();
            let pairs = stage.unknowns().iter().cloned();
            renaming.extend(pairs.zip(renamed.iter().map(Expr::from)));
            let mut stage = stage.map(|all| substitute_all(all, &renaming));
            let (Stage::Linear { unknowns, .. } | Stage::Implicit { unknowns, .. }) = &mut stage;
            *unknowns = renamed;
            stages.push(stage);
        }
        (stages, self.steering.hamiltonian().substitute(&renaming))
    }
}

/// What is asked of a problem, before it is compiled.
pub(super) struct Asked {
    pub(super) stretches: usize,
    /// The times of the first node of each stretch and of the end.
    pub(super) times: Vec<Expr>,
    held: Vec<Held>,
    plain: Vec<Expr>,
    terminal: Expr,
    inequalities: Vec<(Origin, Expr)>,
}

impl Asked {
    pub(super) fn of(
        problem: &Problem,
        field: &Field,
        start: &StartState,
    ) -> Result<Self, IndirectError> {
        let horizon = problem.horizon.as_ref().ok_or(IndirectError::NoHorizon)?;
        let mut vias: Vec<(f64, &rattleback_mechanics::Via)> = Vec::new();
        for via in &problem.vias {
            let time = problem
                .values
                .number(&via.time)
                .ok_or(IndirectError::NoHorizon)?;
            vias.push((time, via));
        }
        vias.sort_by(|a, b| a.0.total_cmp(&b.0));
        let stretches = vias.len() + 1;
        let mut times = vec![horizon.from.clone()];
        times.extend(vias.iter().map(|(_, v)| v.time.clone()));
        times.push(horizon.to.clone());
        let mut asked = Self {
            stretches,
            times,
            held: Vec::new(),
            plain: Vec::new(),
            terminal: Expr::zero(),
            inequalities: Vec::new(),
        };
        asked.start(problem, field, start)?;
        for (k, (_, via)) in vias.iter().enumerate() {
            for condition in &via.conditions {
                asked.condition(field, condition, Moment(2 * k + 1))?;
            }
        }
        let last = Moment(2 * stretches - 1);
        for condition in &problem.goals {
            asked.condition(field, condition, last)?;
        }
        let terminal = Expr::sum(problem.terminals.iter().cloned());
        let terminal = terminal.substitute(&field.system.auxiliary_jets());
        asked.terminal = asked.at(field, &terminal, last);
        Ok(asked)
    }

    /// An expression of the model at a moment; `start(…)` at the first one.
    fn at(&self, field: &Field, e: &Expr, moment: Moment) -> Expr {
        // Velocities under moving constraints contain the time themselves.
        let at = |moment: Moment| {
            let time = (Symbol::time(), self.times[moment.0.div_ceil(2)].clone());
            let known = field.renaming(moment).into_iter();
            let pair = [time.clone()];
            let known = known.map(move |(s, value)| (s, value.substitute(&pair)));
            known.chain([time]).collect::<Vec<(Symbol, Expr)>>()
        };
        let mut pairs = at(moment);
        let first = at(Moment(0)).into_iter();
        pairs.extend(first.map(|(s, value)| (at_start(&s), value)));
        e.substitute(&pairs)
    }

    /// Positions, velocities and auxiliary states at the start: as stated, else as always; what is free is not held.
    fn start(
        &mut self,
        problem: &Problem,
        field: &Field,
        start: &StartState,
    ) -> Result<(), IndirectError> {
        let first = Moment(0);
        let numbers = start.state_of(&field.equations)?;
        let there = field.at(first);
        let is_action = matches!(field.system.objective(), Some(Objective::Action));
        let given = |s: &Symbol| problem.start.get(s).map(|stated| stated.given);
        let value_of = |s: &Symbol, number: f64| match problem.start.get(s) {
            Some(stated) if stated.given == Given::Stated => stated.value.clone(),
            _ => exact(number),
        };
        for factor in field.system.factors() {
            let entries = &field.system.frame().base()[factor.base.clone()];
            let free = entries.iter().any(|s| given(s) == Some(Given::Free));
            let symbols = &there[factor.base.clone()];
            let values: Vec<Expr> = entries
                .iter()
                .zip(&numbers[factor.base.clone()])
                .map(|(s, x)| value_of(s, *x))
                .collect();
            let here: Vec<Expr> = symbols.iter().map(Expr::from).collect();
            match factor.group {
                None if free => {}
                None => self.hold(&here[0] - &values[0], None),
                Some(group) => {
                    self.plain.extend(group.relations(&here));
                    if !free {
                        for value in relative(group, &values, &here) {
                            self.hold(value, None);
                        }
                    }
                }
            }
        }
        let renaming = field.renaming(first);
        let fibre = field.system.frame().fibre();
        let hidden = fibre.iter().any(|y| !field.equations.state.contains(y)) && !is_action;
        let some_free = fibre.iter().any(|y| given(y) == Some(Given::Free));
        if hidden && some_free {
            for y in fibre.iter().filter(|y| given(y) == Some(Given::Stated)) {
                let velocity = Expr::from(y).substitute(&renaming);
                let value = value_of(y, 0.0);
                self.hold(velocity - value, None);
            }
        }
        let base = field.system.frame().base().len();
        for (i, (s, ..)) in field.steering.states.iter().enumerate() {
            let place = base + i;
            let in_frame = hidden && problem.start.get(s).is_none() && !is_auxiliary(field, s);
            let is_free = match given(s) {
                Some(Given::Free) => true,
                Some(_) => false,
                None => is_action || in_frame && some_free,
            };
            if !is_free {
                let value = value_of(s, numbers[place]);
                self.hold(Expr::from(&there[place]) - value, None);
            }
        }
        Ok(())
    }

    fn hold(&mut self, value: Expr, origin: Option<Origin>) {
        self.held.push(Held { value, origin });
    }

    fn condition(
        &mut self,
        field: &Field,
        c: &Condition,
        moment: Moment,
    ) -> Result<(), IndirectError> {
        match &c.kind {
            ConditionKind::Scalar {
                left,
                relation,
                right,
            } => {
                let gap = (left - right).substitute(&field.system.auxiliary_jets());
                let value = self.at(field, &gap, moment);
                // Derivatives from the order of the Lagrangian on are first guesses.
                if value
                    .free_symbols()
                    .iter()
                    .any(|s| field.steering.controls.contains(s))
                {
                    return Ok(());
                }
                match relation {
                    Relation::Equal => self.hold(value, Some(c.origin)),
                    Relation::GreaterOrEqual | Relation::Greater => {
                        self.inequalities.push((c.origin, value));
                    }
                    Relation::LessOrEqual | Relation::Less => {
                        self.inequalities.push((c.origin, -value));
                    }
                    Relation::NotEqual => {}
                }
            }
            ConditionKind::Element { factor, entries } => {
                let found = field.system.factors().iter().find(|f| f.name == *factor);
                let Some((factor, group)) = found.and_then(|f| Some((f, f.group?))) else {
                    return Ok(());
                };
                let symbols = &field.at(moment)[factor.base.clone()];
                let here: Vec<Expr> = symbols.iter().map(Expr::from).collect();
                let target: Vec<Expr> = entries.iter().map(|e| self.at(field, e, moment)).collect();
                for value in relative(group, &target, &here) {
                    self.hold(value, Some(c.origin));
                }
            }
        }
        Ok(())
    }

    /// Compiles: conditions that are dependent at the guess are left out, inequalities that are met there with room.
    pub(super) fn compile(
        mut self,
        field: &Field,
        guess: &[Vec<f64>],
        theta: &[f64],
    ) -> Result<Ends, IndirectError> {
        let moments: Vec<Moment> = (0..2 * self.stretches).map(Moment).collect();
        let nodes: Vec<Symbol> = moments.iter().flat_map(|m| field.at(*m)).collect();
        let inputs: Vec<Symbol> = nodes.iter().chain(&field.free).cloned().collect();
        let point: Vec<f64> = guess
            .concat()
            .into_iter()
            .chain(theta.iter().copied())
            .collect();
        let at_guess = |all: &[Expr]| -> Result<Vec<f64>, IndirectError> {
            let program = Program::new(&inputs, &field.constants, &[], all)?;
            Interpreter::new(program)
                .values(&point)
                .map_err(|_| IndirectError::NotFinite)
        };
        let first_active = self.held.len();
        let (inactive, rooms) = self.hold_active(at_guess)?;
        let mut kept = Vec::new();
        let (slopes, columns) = self.slopes(field, &moments);
        independent_rows(&mut at_guess(&slopes)?, columns, &mut kept);
        let is_kept = |i: &usize| kept.contains(i);
        let dropped = (0..self.held.len()).filter(|i| !is_kept(i));
        let dropped: Vec<Origin> = dropped.filter_map(|i| self.held[i].origin).collect();
        let active = kept.iter().enumerate();
        let active = active.filter(|(_, i)| **i >= first_active);
        let active = active
            .filter_map(|(place, &i)| Some((self.held[i].origin?, place)))
            .collect();
        let held: Vec<Expr> = kept.iter().map(|&i| self.held[i].value.clone()).collect();
        let nu: Vec<Symbol> = (0..held.len())
            .map(|i| Symbol::variable(&format!("multiplier {i}")))
            .collect();
        let joined = held.iter().zip(&nu).map(|(e, n)| e * Expr::from(n));
        let lambda = &self.terminal + Expr::sum(joined);
        let (stages, residuals) = self.residuals(field, &held, &lambda);
        let rooms = Program::new(&inputs, &field.constants, &[], &rooms)?;
        let inputs: Vec<Symbol> = inputs.iter().chain(&nu).cloned().collect();
        let program = Program::new(&inputs, &field.constants, &stages, &residuals)?;
        let derivatives = program.with_derivatives(0..inputs.len());
        let times = Program::new(&field.free, &field.constants, &[], &self.times)?;
        let time_slopes = times.with_derivatives(0..field.free.len());
        Ok(Ends {
            program: Interpreter::new(derivatives.program.clone()),
            derivatives,
            multipliers: nu.len(),
            times: Interpreter::new(time_slopes.program.clone()),
            time_slopes,
            residuals: residuals.len(),
            relations: self.plain.len(),
            dropped,
            active,
            inactive,
            rooms: Interpreter::new(rooms),
        })
    }

    /// Holds inequalities that have no room at the guess; gives the others, with what their room is.
    fn hold_active(
        &mut self,
        at_guess: impl Fn(&[Expr]) -> Result<Vec<f64>, IndirectError>,
    ) -> Result<(Vec<Origin>, Vec<Expr>), IndirectError> {
        let all = std::mem::take(&mut self.inequalities);
        let sides: Vec<Expr> = all.iter().map(|(_, e)| e.clone()).collect();
        let rooms = at_guess(&sides)?;
        let (active, inactive): (Vec<_>, Vec<_>) = all
            .into_iter()
            .zip(rooms)
            .partition(|(_, room)| *room <= ACTIVE);
        for ((origin, value), _) in active {
            self.hold(value, Some(origin));
        }
        Ok(inactive.into_iter().map(|(side, _)| side).unzip())
    }

    /// The slopes of what is held, by rows, along the independent directions of the states at all moments, and θ; and how
    /// many columns that makes.
    fn slopes(&self, field: &Field, moments: &[Moment]) -> (Vec<Expr>, usize) {
        let rows = self.held.iter().flat_map(|h| {
            let along = moments
                .iter()
                .flat_map(|m| field.differential(&h.value, *m));
            along
                .chain(h.value.gradient(&field.free))
                .collect::<Vec<_>>()
        });
        let columns = moments.len() * field.costates + field.free.len();
        (rows.collect(), columns)
    }

    fn residuals(&self, field: &Field, held: &[Expr], lambda: &Expr) -> (Vec<Stage>, Vec<Expr>) {
        let last = 2 * self.stretches - 1;
        let (states, all) = (field.states, field.states + field.costates);
        let mut residuals: Vec<Expr> = held.iter().chain(&self.plain).cloned().collect();
        for k in 0..2 * self.stretches {
            let there = field.at(Moment(k));
            let costates: Vec<Expr> = there[states..all].iter().map(Expr::from).collect();
            let slopes = field.differential(lambda, Moment(k));
            match k {
                0 => {
                    residuals.extend(costates.iter().zip(&slopes).map(|(p, s)| p - s));
                    residuals.extend(there[all..].iter().map(Expr::from));
                }
                _ if k == last => {
                    residuals.extend(costates.iter().zip(&slopes).map(|(p, s)| p + s));
                }
                // The last node of a stretch against the first of the next.
                _ if k % 2 == 1 => {
                    let next = field.at(Moment(k + 1));
                    let jump = costates.iter().zip(&slopes).zip(&next[states..all]);
                    residuals.extend(jump.map(|((p, s), n)| p + s - Expr::from(n)));
                    let equal = there[..states].iter().chain(&there[all..]);
                    let other = next[..states].iter().chain(&next[all..]);
                    residuals.extend(equal.zip(other).map(|(a, b)| Expr::from(a) - Expr::from(b)));
                }
                _ => {}
            }
        }
        let mut stages = Vec::new();
        let moves = |e: &Expr| e.contains_any(&field.free);
        for (i, theta) in field.free.iter().enumerate() {
            let mut terms = vec![lambda.diff(theta)];
            for k in 0..2 * self.stretches {
                let time = &self.times[k.div_ceil(2)];
                if !moves(time) {
                    continue;
                }
                let (solves, h) = field.hamiltonian_at(Moment(k), time);
                if i == 0 || !field.free[..i].iter().any(|t| time.contains(t)) {
                    stages.extend(solves);
                }
                let term = h * time.diff(theta);
                terms.push(if k % 2 == 1 { -term } else { term });
            }
            terms.push(-Expr::from(&field.at(Moment(last))[all + i]));
            residuals.push(Expr::sum(terms));
        }
        (stages, residuals)
    }
}

/// An inequality at the end with less room than this holds with equality.
const ACTIVE: f64 = 1e-6;

impl Ends {
    /// Residuals and their derivatives by rows of (values at all moments, θ, ν).
    pub(super) fn evaluate(&self, inputs: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let values = self.program.values(inputs).ok()?;
        let parts = self.derivatives.split(&values);
        let mut matrix = vec![0.0; self.residuals * inputs.len()];
        self.derivatives
            .jacobian
            .expand(parts.jacobian, &mut matrix);
        let finite = parts.values.iter().chain(&matrix).all(|v| v.is_finite());
        finite.then(|| (parts.values.to_vec(), matrix))
    }

    /// An inequality at the end that was taken to hold with room and does not.
    pub(super) fn broken(&self, inputs: &[f64]) -> Option<Origin> {
        let known = inputs.len() - self.multipliers;
        let rooms = self.rooms.values(&inputs[..known]).ok()?;
        let place = rooms.iter().position(|room| *room < 0.0)?;
        self.inactive.get(place).copied()
    }

    /// The times between stretches, the ends included, and their derivatives by θ, by rows.
    pub(super) fn times(&self, theta: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let values = self.times.values(theta).ok()?;
        let parts = self.time_slopes.split(&values);
        let mut slopes = vec![0.0; parts.values.len() * theta.len()];
        self.time_slopes
            .jacobian
            .expand(parts.jacobian, &mut slopes);
        Some((parts.values.to_vec(), slopes))
    }
}

/// Coordinates of g₀⁻¹g that vanish at g₀ and are regular there.
pub(super) fn relative(group: Group, target: &[Expr], here: &[Expr]) -> Vec<Expr> {
    let h = group.product(&group.inverse(target), here);
    let back = group.inverse(&h);
    let odd: Vec<Expr> = h.iter().zip(&back).map(|(a, b)| (a - b) / 2).collect();
    group.vee(&odd)
}

fn is_auxiliary(field: &Field, s: &Symbol) -> bool {
    field.system.auxiliary().iter().any(|(z, _)| z == s)
}

/// A floating-point number as an expression.
fn exact(x: f64) -> Expr {
    let digits: Result<Rational, _> = format!("{x}").parse();
    digits.map_or_else(|_| Expr::undefined(), Expr::from)
}
