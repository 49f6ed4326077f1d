//! The Hamiltonian field of a control problem in numbers: rates of state and costate with their derivatives.

use super::IndirectError;
use rattleback_compile::StartState;
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_mechanics::optimality::Steering;
use rattleback_mechanics::{Equations, Form, Problem, System};
use rattleback_numeric::Ldlt;
use rattleback_symbolic::{Expr, Symbol, checkpoint};

/// y' = F(t, y, θ) for y = (state, costate, c, J): c' = ∂H/∂θ and J' = C beside Hamilton's equations.
pub(super) struct Field {
    pub(super) system: System,
    pub(super) steering: Steering,
    pub(super) equations: Equations,
    /// Parameters that are not optimised, with their values.
    pub(super) constants: Vec<(Symbol, f64)>,
    /// The free numbers θ.
    pub(super) free: Vec<Symbol>,
    /// How many entries the state has, positions first.
    pub(super) states: usize,
    /// How many costates there are.
    pub(super) costates: usize,
    rates: Interpreter,
    derivatives: Derivatives,
    slopes: Interpreter,
    /// Controls and multipliers, −K_uu bordered by relations, then H.
    outputs: Interpreter,
    memory: Vec<[f64; 1]>,
    values: Vec<f64>,
}

impl Field {
    pub(super) fn of(problem: &Problem) -> Result<(Self, StartState), IndirectError> {
        let system = problem.steered();
        let equations = system.equations(Form::Optimality)?;
        let steering = system.steering()?;
        let start = StartState::of(problem, &system)?;
        let free = problem.free.clone();
        let constants = start.constants.iter().cloned();
        let constants = constants.zip(start.constant_values.iter().copied());
        let constants: Vec<(Symbol, f64)> = constants.filter(|(s, _)| !free.contains(s)).collect();
        let joined = steering.joined();
        let mut rates = equations.rates.clone();
        rates.extend(joined.gradient(&free));
        rates.push(steering.cost.clone());
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(equations.state.iter().cloned())
            .chain(free.iter().cloned())
            .collect();
        let program = Program::new(&inputs, &constants, &equations.stages, &rates)?;
        let shown: Vec<Expr> = steering
            .unknowns()
            .iter()
            .map(Expr::from)
            .chain(choice_matrix(&steering))
            .chain([steering.hamiltonian()])
            .collect();
        let outputs = Program::new(&inputs, &constants, &equations.stages, &shown)?;
        let derivatives = program.with_derivatives(0..inputs.len());
        let costates = steering.momenta.len() + steering.adjoints.len();
        let field = Self {
            states: equations.state.len() - costates,
            costates,
            slopes: Interpreter::new(derivatives.program.clone()),
            values: vec![0.0; derivatives.program.outputs.len()],
            rates: Interpreter::new(program),
            outputs: Interpreter::new(outputs),
            memory: Vec::new(),
            derivatives,
            system,
            steering,
            equations,
            constants,
            free,
        };
        Ok((field, start))
    }

    /// The number of entries of y.
    pub(super) fn size(&self) -> usize {
        self.states + self.costates + self.free.len() + 1
    }

    fn inputs(&self, t: f64, y: &[f64], theta: &[f64]) -> Vec<f64> {
        let moving = &y[..self.states + self.costates];
        [&[t], moving, theta].concat()
    }

    /// F.
    pub(super) fn rates(&mut self, t: f64, y: &[f64], theta: &[f64]) -> Option<Vec<f64>> {
        checkpoint();
        let found = self.rates.values(&self.inputs(t, y, theta)).ok()?;
        found.iter().all(|v| v.is_finite()).then_some(found)
    }

    /// F with ∂F/∂t, ∂F/∂y and ∂F/∂θ, by rows of (t, y, θ).
    pub(super) fn slopes(
        &mut self,
        t: f64,
        y: &[f64],
        theta: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        checkpoint();
        let inputs = self.inputs(t, y, theta);
        self.slopes
            .run(&inputs, &mut self.values, &mut self.memory)
            .ok()?;
        let parts = self.derivatives.split(&self.values);
        let (n, moving) = (self.size(), self.states + self.costates);
        let columns = 1 + n + theta.len();
        let mut matrix = vec![0.0; n * columns];
        for ((i, j), value) in self.derivatives.jacobian.iter().zip(parts.jacobian) {
            // c and J do not enter.
            let place = if j <= moving { j } else { j + n - moving };
            matrix[i * columns + place] = *value;
        }
        let finite = parts.values.iter().chain(&matrix).all(|v| v.is_finite());
        finite.then(|| (parts.values.to_vec(), matrix))
    }

    /// Controls (and multipliers of relations), and the Hamiltonian.
    pub(super) fn shown(&mut self, t: f64, y: &[f64], theta: &[f64]) -> Option<(Vec<f64>, f64)> {
        let mut found = self.outputs.values(&self.inputs(t, y, theta)).ok()?;
        let h = found.pop()?;
        found.truncate(self.steering.unknowns().len());
        Some((found, h))
    }

    /// Is −K_uu positive on the directions of the controls that relations leave (Legendre)?
    pub(super) fn is_convex(&mut self, t: f64, y: &[f64], theta: &[f64]) -> Option<bool> {
        let found = self.outputs.values(&self.inputs(t, y, theta)).ok()?;
        let (n, m) = (self.steering.controls.len(), self.steering.relations.len());
        let size = n + m;
        let matrix = &found[size..size + size * size];
        // Rows of relations are Φ, their columns −Φ: symmetric with the sign of the columns changed.
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, false) => -matrix[i * size + j],
            _ => matrix[i * size + j],
        };
        if size == 0 {
            return Some(true);
        }
        let inertia = Ldlt::new(size).factor(entry).ok()?;
        match inertia.zero {
            0 => Some(inertia.positive == n && inertia.negative == m),
            _ => None,
        }
    }
}

/// The slopes of −K_u and φ by u and μ, by rows.
fn choice_matrix(steering: &Steering) -> Vec<Expr> {
    let unknowns = steering.unknowns();
    let rows = steering.stationarity();
    rows.iter().flat_map(|e| e.gradient(&unknowns)).collect()
}
