//! Sums over the steps of a sequence of nodes, made stationary: Newton's method on their block-tridiagonal Hessian
//! (DP-A3, A17, CG-E10, G4).

use super::error::ActionError;
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_numeric::{
    ArrowError, ArrowFactors, ArrowMatrix, Dense, Inertia, Ldlt, triangle_place,
};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// A function of two nodes x₀, x₁ and of what belongs to the step between them: multipliers, controls, costates.
#[derive(Clone, Debug)]
pub struct StageFunction {
    /// x₀.
    pub before: Vec<Symbol>,
    /// What belongs to the step.
    pub inner: Vec<Symbol>,
    /// x₁.
    pub after: Vec<Symbol>,
    /// The function; the symbol t is the time of the first node.
    pub value: Expr,
}

/// A function of the last node and of multipliers there.
#[derive(Clone, Debug)]
pub struct EndFunction {
    /// x_N.
    pub node: Vec<Symbol>,
    /// Multipliers of conditions at the end.
    pub inner: Vec<Symbol>,
    /// The function.
    pub value: Expr,
}

/// Σ_k W(x_k, w_k, x_{k+1}) + E(x_N, ν), compiled with first and second derivatives.
pub struct Chain {
    stage: Compiled,
    end: Option<Compiled>,
    /// Components of a node, of what belongs to a step, and of what belongs to the end.
    sizes: (usize, usize, usize),
}

/// A sequence of nodes with what belongs to its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// x₀, …, x_N.
    pub nodes: Vec<Vec<f64>>,
    /// w₀, …, w_{N−1}.
    pub inner: Vec<Vec<f64>>,
    /// ν.
    pub end: Vec<f64>,
}

/// A sequence that makes a sum stationary.
#[derive(Clone, Debug, PartialEq)]
pub struct Stationary {
    /// The sequence.
    pub sequence: Sequence,
    /// The sum.
    pub value: f64,
    /// The signs of the eigenvalues of the Hessian in the unknowns.
    pub inertia: Inertia,
    /// The largest entry of the gradient.
    pub residual: f64,
    /// How many steps Newton's method took.
    pub iterations: usize,
}

struct Compiled {
    derivatives: Derivatives,
    run: Interpreter,
}

impl Compiled {
    fn new(
        inputs: &[Symbol],
        constants: &[(Symbol, f64)],
        value: &Expr,
    ) -> Result<Self, MissingInput> {
        let mut constants = constants.to_vec();
        constants.retain(|(s, _)| !inputs.contains(s));
        let program = Program::new(inputs, &constants, &[], std::slice::from_ref(value))?;
        let derivatives = program.with_second_derivatives(1..inputs.len());
        Ok(Self {
            run: Interpreter::new(derivatives.program.clone()),
            derivatives,
        })
    }

    /// Value, gradient and Hessian by rows.
    fn at(&self, inputs: &[f64]) -> Result<(f64, Vec<f64>, Vec<f64>), ActionError> {
        let found = self.run.values(&[inputs, &[1.0]].concat());
        let found = found.map_err(|_| ActionError::NotFinite)?;
        if found.iter().any(|x| !x.is_finite()) {
            return Err(ActionError::NotFinite);
        }
        let parts = self.derivatives.split(&found);
        let n = inputs.len() - 1;
        let mut gradient = vec![0.0; n];
        for ((_, j), x) in self.derivatives.jacobian.iter().zip(parts.jacobian) {
            gradient[j] = *x;
        }
        let mut hessian = vec![0.0; n * n];
        for ((i, j), x) in self.derivatives.hessian.iter().zip(parts.hessian) {
            hessian[i * n + j] = *x;
            hessian[j * n + i] = *x;
        }
        Ok((parts.values[0], gradient, hessian))
    }
}

/// Value, gradient and Hessian of a sum in its unknowns.
struct Expansion {
    value: f64,
    gradient: Vec<f64>,
    hessian: ArrowMatrix,
}

/// Newton's steps at most, and halvings of one.
const MOST_STEPS: usize = 60;
const MOST_HALVINGS: usize = 30;
/// A step of this part of the unknowns is the last.
const LAST_STEP: f64 = 1e-12;
/// Matrices with more rows are not factored at once.
const LARGE: usize = 1500;
/// Near the end, where rounding of the gradient hides progress, shorter steps than this are taken undamped.
const NEAR: f64 = 1e-6;

impl Chain {
    /// Compiles a sum; without a function of the end the last node is held.
    pub fn new(
        stage: &StageFunction,
        end: Option<&EndFunction>,
        constants: &[(Symbol, f64)],
    ) -> Result<Self, MissingInput> {
        let time = [Symbol::time()];
        let inputs = [&time, &stage.before[..], &stage.inner, &stage.after].concat();
        let compiled_end = match end {
            Some(end) => {
                let inputs = [&time, &end.node[..], &end.inner].concat();
                Some(Compiled::new(&inputs, constants, &end.value)?)
            }
            None => None,
        };
        Ok(Self {
            stage: Compiled::new(&inputs, constants, &stage.value)?,
            end: compiled_end,
            sizes: (
                stage.before.len(),
                stage.inner.len(),
                end.map_or(0, |e| e.inner.len()),
            ),
        })
    }

    /// The sum and its gradient by all nodes, those at the ends too (DP-A3).
    pub fn gradient(&self, x: &Sequence, h: f64) -> Result<(f64, Vec<Vec<f64>>), ActionError> {
        let (n, m, _) = self.sizes;
        let mut slopes = vec![vec![0.0; n]; x.nodes.len()];
        let mut sum = 0.0;
        for k in 0..x.inner.len() {
            let (value, gradient, _) = self.stage.at(&self.inputs(x, k, h))?;
            sum += value;
            for i in 0..n {
                slopes[k][i] += gradient[i];
                slopes[k + 1][i] += gradient[n + m + i];
            }
        }
        Ok((sum, slopes))
    }

    /// The Hessian of one term, in x_k, w_k and x_{k+1}; times are multiples of 1.
    pub fn stage_hessian(&self, x: &Sequence, k: usize) -> Result<Dense, ActionError> {
        let (n, m, _) = self.sizes;
        let (_, _, second) = self.stage.at(&self.inputs(x, k, 1.0))?;
        Ok(Dense::of_rows(2 * n + m, 2 * n + m, &second))
    }

    /// The Hessian of the function of the end in x_N; zero where there is none.
    pub fn end_hessian(&self, x: &Sequence) -> Result<Dense, ActionError> {
        let (n, _, e) = self.sizes;
        let Some(end) = &self.end else {
            return Ok(Dense::zeros(n, n));
        };
        let steps = x.inner.len();
        let inputs = [&[steps as f64], &x.nodes[steps][..], &x.end].concat();
        let (_, _, second) = end.at(&inputs)?;
        Ok(Dense::of_rows(n + e, n + e, &second).part((0, 0), n, n))
    }

    fn inputs(&self, x: &Sequence, k: usize, h: f64) -> Vec<f64> {
        let t = [k as f64 * h];
        [&t, &x.nodes[k][..], &x.inner[k], &x.nodes[k + 1]].concat()
    }

    /// The sizes of the blocks: w_k with x_{k+1}, and ν at last.
    fn blocks(&self, steps: usize) -> Vec<usize> {
        let (n, m, e) = self.sizes;
        let last = match self.end {
            Some(_) => m + n + e,
            None => m,
        };
        let mut sizes = vec![m + n; steps];
        sizes[steps - 1] = last;
        if last == 0 {
            sizes.pop();
        }
        sizes
    }

    fn expansion(&self, x: &Sequence, h: f64) -> Result<Expansion, ActionError> {
        let (n, m, e) = self.sizes;
        let steps = x.inner.len();
        let sizes = self.blocks(steps);
        let mut hessian = ArrowMatrix::new(&sizes, 0);
        let starts: Vec<usize> = sizes
            .iter()
            .scan(0, |sum, s| {
                *sum += s;
                Some(*sum - s)
            })
            .collect();
        let mut gradient = vec![0.0; sizes.iter().sum()];
        let mut sum = 0.0;
        for k in 0..steps {
            let (value, slopes, second) = self.stage.at(&self.inputs(x, k, h))?;
            sum += value;
            let all = 2 * n + m;
            let moves_end = k + 1 < steps || self.end.is_some();
            // The unknowns of the stage that are not x_k: w_k, then x_{k+1} where it is free.
            let own = m + if moves_end { n } else { 0 };
            if own > 0 {
                for i in 0..own {
                    gradient[starts[k] + i] += slopes[n + i];
                    for j in 0..=i {
                        hessian.diagonal_mut(k)[triangle_place(i, j)] +=
                            second[(n + i) * all + n + j];
                    }
                }
            }
            if k > 0 {
                let size = sizes[k - 1];
                for i in 0..n {
                    gradient[starts[k - 1] + m + i] += slopes[i];
                    for j in 0..=i {
                        hessian.diagonal_mut(k - 1)[triangle_place(m + i, m + j)] +=
                            second[i * all + j];
                    }
                }
                if own > 0 {
                    for i in 0..own {
                        for j in 0..n {
                            hessian.lower_mut(k - 1)[i * size + m + j] += second[(n + i) * all + j];
                        }
                    }
                }
            }
        }
        if let Some(end) = &self.end {
            let k = steps - 1;
            let inputs = [&[steps as f64 * h], &x.nodes[steps][..], &x.end].concat();
            let (value, slopes, second) = end.at(&inputs)?;
            sum += value;
            for i in 0..n + e {
                gradient[starts[k] + m + i] += slopes[i];
                for j in 0..=i {
                    hessian.diagonal_mut(k)[triangle_place(m + i, m + j)] +=
                        second[i * (n + e) + j];
                }
            }
        }
        Ok(Expansion {
            value: sum,
            gradient,
            hessian,
        })
    }

    /// The sequence with its unknowns moved.
    fn moved(&self, x: &Sequence, step: &[f64], part: f64) -> Sequence {
        let (n, m, _) = self.sizes;
        let mut next = x.clone();
        let steps = x.inner.len();
        let mut deltas = step.iter().map(|d| part * d);
        let mut add = |to: &mut Vec<f64>| {
            to.iter_mut()
                .for_each(|x| *x -= deltas.next().unwrap_or(0.0))
        };
        debug_assert!(n > 0 || m > 0);
        for k in 0..steps {
            add(&mut next.inner[k]);
            if k + 1 < steps || self.end.is_some() {
                add(&mut next.nodes[k + 1]);
            }
        }
        add(&mut next.end);
        next
    }

    /// Makes the sum stationary from a guess; x₀ is held, and x_N where there is no function of the end. Times are
    /// multiples of h.
    pub fn stationary(&self, guess: &Sequence, h: f64) -> Result<Stationary, ActionError> {
        if guess.inner.is_empty() {
            return Err(ActionError::NoSteps);
        }
        let mut x = guess.clone();
        let mut here = self.expansion(&x, h)?;
        let mut factors = ArrowFactors::new(&here.hessian);
        let mut inertia = Inertia::default();
        for iteration in 0..=MOST_STEPS {
            let step;
            (inertia, step) = solved(&mut factors, &here)?;
            let length = largest(&step);
            let size = 1.0
                + x.nodes
                    .iter()
                    .chain(&x.inner)
                    .fold(0.0, |m: f64, v| m.max(largest(v)));
            if length <= LAST_STEP * size {
                let x = self.moved(&x, &step, 1.0);
                let there = self.expansion(&x, h)?;
                return Ok(Stationary {
                    sequence: x,
                    value: there.value,
                    inertia,
                    residual: largest(&there.gradient),
                    iterations: iteration,
                });
            }
            let before = largest(&here.gradient);
            let mut part = 1.0;
            let mut found = None;
            for _ in 0..MOST_HALVINGS {
                let trial = self.moved(&x, &step, part);
                if let Ok(there) = self.expansion(&trial, h)
                    && (largest(&there.gradient) < before || length <= NEAR * size)
                {
                    found = Some((trial, there));
                    break;
                }
                part /= 2.0;
            }
            let Some((next, there)) = found else {
                return Err(ActionError::NotFound { residual: before });
            };
            (x, here) = (next, there);
        }
        debug_assert!(inertia.zero == 0);
        Err(ActionError::NotFound {
            residual: largest(&here.gradient),
        })
    }
}

/// H⁻¹ g with the inertia of H. A singular block says nothing of the whole, which is factored at once then.
fn solved(
    factors: &mut ArrowFactors,
    here: &Expansion,
) -> Result<(Inertia, Vec<f64>), ActionError> {
    let mut step = here.gradient.clone();
    let found = factors.factor(&here.hessian);
    let found = found.and_then(|inertia| {
        factors.solve(&mut step).map_err(ArrowError::Singular)?;
        Ok(inertia)
    });
    match found {
        Ok(inertia) => Ok((inertia, step)),
        Err(ArrowError::NotFinite(_)) => Err(ActionError::NotFinite),
        Err(ArrowError::Singular(block)) => {
            let step = block.block + 1;
            solved_at_once(here).ok_or(ActionError::FreeDirection { step })
        }
    }
}

/// The same by the factors of the whole matrix; none where it is singular or large.
fn solved_at_once(here: &Expansion) -> Option<(Inertia, Vec<f64>)> {
    let n = here.gradient.len();
    if n > LARGE {
        return None;
    }
    let (mut unit, mut columns) = (vec![0.0; n], vec![0.0; n * n]);
    for (k, column) in columns.chunks_exact_mut(n).enumerate() {
        unit[k] = 1.0;
        here.hessian.multiply(&unit, column);
        unit[k] = 0.0;
    }
    let mut whole = Ldlt::new(n);
    let inertia = whole.factor(|i, j| columns[j * n + i]).ok()?;
    let mut step = here.gradient.clone();
    whole.solve(&mut step).ok()?;
    (inertia.zero == 0).then_some((inertia, step))
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}
