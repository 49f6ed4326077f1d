//! F̃ on positions and momenta, with its derivative.

use super::error::ActionError;
use super::exact::Sampled;
use rattleback_compile::program::{Fault, FaultKind, Interpreter, Program};
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{PhaseFlow, Step};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// A point of T*Q.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// q.
    pub q: Vec<f64>,
    /// p.
    pub p: Vec<f64>,
}

/// The map (q_k, p_k) to (q_{k+1}, p_{k+1}) of a discrete system with a step and parameters (DP-A5).
pub struct MomentumMap {
    source: Source,
    dimension: usize,
    from: f64,
    h: f64,
}

/// A step so short that nothing can happen inside, and how many shorter ones a step is looked at in, as parts of it.
const SHORT: f64 = 1.0 / 1024.0;
const PARTS: u32 = 16;

/// ∂q/∂p₀ after a part of a step.
pub(super) type Spread = (f64, Dense);

/// What a step is.
enum Source {
    /// The solution of the equations of a discrete principle.
    Equations(Box<Equations>),
    /// A piece of a continuous motion.
    Flow(Box<Sampled>),
}

/// The equations of a step.
struct Equations {
    map: Interpreter,
    slopes: Interpreter,
    /// How many unknowns have a guess among the inputs, behind the node.
    guesses: usize,
}

/// Where a step of a given Lagrangian is searched for if not at rest, which may be singular: so far away, beside 1 + |q|.
const AWAY: [f64; 3] = [1.0, 0.1, 10.0];

/// A step whose unknowns are positions with what a search for them begins at as further inputs, and how many these are.
fn with_guesses(step: &Step) -> (Step, usize) {
    let Some(Stage::Implicit { unknowns, .. }) = step.stages.first() else {
        return (step.clone(), 0);
    };
    if !step.from.is_empty() {
        return (step.clone(), 0);
    }
    let named = |u: &Symbol| Symbol::variable(&format!("{}~guess", u.name()));
    let guesses: Vec<Symbol> = unknowns.iter().map(named).collect();
    let both = unknowns.iter().zip(&guesses);
    let shift: Vec<(Symbol, Expr)> = both.map(|(u, g)| (u.clone(), Expr::from(u) + g)).collect();
    let shifted = |all: &[Expr]| substitute_all(all, &shift);
    let step = Step {
        inputs: [&step.inputs[..], &guesses].concat(),
        stages: step.stages.iter().map(|s| s.map(shifted)).collect(),
        next: shifted(&step.next),
        action: step.action.substitute(&shift),
        ..step.clone()
    };
    (step, guesses.len())
}

impl Equations {
    /// The values of the map, with the guess that led to them: that of rest or else, of those farther away, the one whose
    /// solution is next to the node.
    fn solved(&self, inputs: &[f64]) -> Result<(Vec<f64>, Vec<f64>), String> {
        let from = |guess: Vec<f64>| {
            let found = self.map.values(&[inputs, &guess].concat());
            found.map(|values| (values, guess))
        };
        let at_rest = from(vec![0.0; self.guesses]);
        let Err(fault) = at_rest else {
            return at_rest.map_err(why);
        };
        let q = &inputs[2..2 + (inputs.len() - 2) / 2];
        let moved = |values: &[f64]| {
            let moved = values.iter().zip(q).map(|(b, a)| (b - a).abs());
            moved.fold(0.0, f64::max)
        };
        let size = 1.0 + q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let away = AWAY.iter().flat_map(|part| [part * size, -part * size]);
        let away = away.flat_map(|x| (0..self.guesses).map(move |i| (i, x)));
        let guess = |(i, x): (usize, f64)| {
            let mut guess = vec![0.0; self.guesses];
            guess[i] = x;
            guess
        };
        let found = away.filter_map(|at| from(guess(at)).ok());
        let finite = found.filter(|(values, _)| values.iter().all(|x| x.is_finite()));
        let nearest = finite.min_by(|a, b| moved(&a.0).total_cmp(&moved(&b.0)));
        nearest.ok_or_else(|| why(fault))
    }

    fn slopes(&self, inputs: &[f64]) -> Result<Vec<f64>, String> {
        let (_, guess) = self.solved(inputs)?;
        let found = self.slopes.values(&[inputs, &guess].concat());
        found.map_err(why)
    }
}

/// What stands in the way of a step, without the names of its unknowns, which are our own.
fn why(fault: Fault) -> String {
    match fault.kind {
        FaultKind::Singular(_) => "its equations are singular".into(),
        FaultKind::NotConverged(residual) => {
            format!("its equations are not solved, {residual:.3e} is left of them")
        }
    }
}

/// The second derivatives of L_d at a step, from the derivative of the map (DP-A5, A7, A8).
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// D₁D₁L_d.
    pub start: Dense,
    /// D₁D₂L_d, rows by the start.
    pub mixed: Dense,
    /// D₂D₂L_d.
    pub end: Dense,
}

impl MomentumMap {
    /// Compiles a step on positions and momenta, in coordinates.
    pub fn new(
        step: &Step,
        constants: &[(Symbol, f64)],
        from: f64,
        h: f64,
    ) -> Result<Self, ActionError> {
        let size = step.next.len();
        let (step, guesses) = with_guesses(step);
        let outputs = [&step.next[..], std::slice::from_ref(&step.action)].concat();
        let program = Program::new(&step.inputs, constants, &step.stages, &outputs)?;
        let map = Program::new(&step.inputs, constants, &step.stages, &step.next)?;
        Ok(Self {
            source: Source::Equations(Box::new(Equations {
                slopes: Interpreter::new(map.jacobian(2..2 + size)),
                map: Interpreter::new(program),
                guesses,
            })),
            dimension: size / 2,
            from,
            h,
        })
    }

    /// The map of the exact discrete Lagrangian, which is the flow over a step (DP-A2): its L_d is the action along the
    /// motion, and what a search asks of it are boundary-value problems.
    pub fn exact(
        flow: &PhaseFlow,
        constants: &[(Symbol, f64)],
        from: f64,
        h: f64,
    ) -> Result<Self, ActionError> {
        Ok(Self {
            source: Source::Flow(Box::new(Sampled::new(flow, constants)?)),
            dimension: flow.positions.len(),
            from,
            h,
        })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The length of a step.
    pub fn step(&self) -> f64 {
        self.h
    }

    /// The time of the first node.
    pub fn begins(&self) -> f64 {
        self.from
    }

    /// Is it a continuous motion, sampled?
    pub fn is_exact(&self) -> bool {
        matches!(self.source, Source::Flow(_))
    }

    /// H at a node, for the exact map.
    pub fn energy(&self, node: &Node) -> Option<f64> {
        match &self.source {
            Source::Flow(flow) => flow.energy(self.from, node),
            Source::Equations(_) => None,
        }
    }

    fn time(&self, k: usize) -> f64 {
        self.from + k as f64 * self.h
    }

    /// The k-th step (from 0): the next node, and L_d of the step.
    pub fn advance(&self, k: usize, node: &Node) -> Result<(Node, f64), ActionError> {
        self.advance_over(k, node, self.h)
    }

    /// The same with a step of another length.
    pub fn advance_over(&self, k: usize, node: &Node, h: f64) -> Result<(Node, f64), ActionError> {
        self.advance_at(self.time(k), node, h).map_err(|e| match e {
            ActionError::NoStep { why, .. } => ActionError::NoStep { step: k + 1, why },
            e => e,
        })
    }

    /// The same from a time on.
    pub fn advance_at(&self, t: f64, node: &Node, h: f64) -> Result<(Node, f64), ActionError> {
        let no_step = |why: String| ActionError::NoStep { step: 1, why };
        let values = match &self.source {
            Source::Equations(equations) => {
                let inputs = [&[t, h], &node.q[..], &node.p[..]].concat();
                equations.solved(&inputs).map_err(no_step)?.0
            }
            Source::Flow(flow) => flow.advance(t, h, node).map_err(no_step)?,
        };
        if values.iter().any(|x| !x.is_finite()) {
            return Err(no_step("a value is not finite".into()));
        }
        let n = self.dimension;
        let next = Node {
            q: values[..n].to_vec(),
            p: values[n..2 * n].to_vec(),
        };
        Ok((next, values[2 * n]))
    }

    /// DF̃ of the k-th step by rows, positions before momenta.
    pub fn slopes(&self, k: usize, node: &Node) -> Result<Vec<f64>, ActionError> {
        self.slopes_over(k, node, self.h)
    }

    /// The same for a step of another length.
    pub(super) fn slopes_over(
        &self,
        k: usize,
        node: &Node,
        h: f64,
    ) -> Result<Vec<f64>, ActionError> {
        let no_step = |why: String| ActionError::NoStep { step: k + 1, why };
        match &self.source {
            Source::Equations(equations) => {
                let inputs = [&[self.time(k), h], &node.q[..], &node.p[..]].concat();
                equations.slopes(&inputs).map_err(no_step)
            }
            Source::Flow(flow) => flow.slopes(self.time(k), h, node).map_err(no_step),
        }
    }

    /// ∂q/∂p₀ on the way through the k-th step with the part of the step: at the steps of the integration of a
    /// continuous motion, for shorter steps of a discrete one (where they have a solution).
    pub(super) fn spreads_inside(&self, k: usize, node: &Node) -> Result<Vec<Spread>, ActionError> {
        let rows: Vec<(f64, Vec<f64>)> = match &self.source {
            Source::Equations(_) => {
                let parts = std::iter::once(SHORT)
                    .chain((1..=PARTS).map(|j| f64::from(j) / f64::from(PARTS)));
                let slopes = |part: f64| self.slopes_over(k, node, part * self.h).ok();
                parts.filter_map(|p| Some((p, slopes(p)?))).collect()
            }
            Source::Flow(flow) => flow
                .slopes_inside(self.time(k), self.h, node)
                .map_err(|why| ActionError::NoStep { step: k + 1, why })?,
        };
        let told = rows.iter().filter(|(part, _)| *part >= SHORT);
        Ok(told.map(|(part, m)| (*part, self.spread_of(m))).collect())
    }

    /// ∂q/∂p₀ after a part of the k-th step.
    pub(super) fn spread_after(
        &self,
        k: usize,
        node: &Node,
        part: f64,
    ) -> Result<Spread, ActionError> {
        let slopes = self.slopes_over(k, node, part * self.h)?;
        Ok((part, self.spread_of(&slopes)))
    }

    fn spread_of(&self, slopes: &[f64]) -> Dense {
        let n = self.dimension;
        Dense::of_rows(2 * n, 2 * n, slopes).part((0, n), n, n)
    }

    /// The Hessian of L_d at the k-th step from a node: with DF̃ = [[a, b], [c, d]] it is D₁D₂L_d = −b⁻¹,
    /// D₁D₁L_d = b⁻¹a and D₂D₂L_d = d b⁻¹. None where ∂q₁/∂p₀ is singular.
    pub fn blocks(&self, k: usize, node: &Node) -> Result<Option<Blocks>, ActionError> {
        let n = self.dimension;
        let all = Dense::of_rows(2 * n, 2 * n, &self.slopes(k, node)?);
        let (a, b, d) = (
            all.part((0, 0), n, n),
            all.part((0, n), n, n),
            all.part((n, n), n, n),
        );
        let Ok(inverse) = b.solve(&Dense::identity(n)) else {
            return Ok(None);
        };
        Ok(Some(Blocks {
            start: &inverse * &a,
            mixed: inverse.scaled(-1.0),
            end: &d * &inverse,
        }))
    }

    /// The step back: the node before, found by Newton's method on its positions and momenta (DP-A5).
    pub fn retreat(&self, k: usize, node: &Node, guess: &Node) -> Result<Node, ActionError> {
        let n = self.dimension;
        let wanted = [&node.q[..], &node.p[..]].concat();
        let of = |u: &[f64]| Node {
            q: u[..n].to_vec(),
            p: u[n..].to_vec(),
        };
        let start = [&guess.q[..], &guess.p[..]].concat();
        let found = super::search::solve(&start, |u, values| {
            let slopes = self.slopes(k, &of(u))?;
            let (next, _) = self.advance(k, &of(u))?;
            values[..4 * n * n].copy_from_slice(&slopes);
            let reached = next.q.iter().chain(&next.p).zip(&wanted);
            for (r, (x, w)) in values[4 * n * n..].iter_mut().zip(reached) {
                *r = x - w;
            }
            Ok(())
        })?;
        Ok(of(&found))
    }
}
