//! Jacobi's solution of the discrete Hamilton-Jacobi equation (DP-A13 to A15).

use super::error::ActionError;
use super::map::{MomentumMap, Node};
use rattleback_numeric::{Guess, Lu, Newton, Verdict, Workspace, determinant};

/// S₀, DS₀ and D²S₀ by rows, at a point.
pub type Initial<'a> = dyn Fn(&[f64]) -> (f64, Vec<f64>, Vec<f64>) + 'a;

/// Where the motions begin whose action is taken.
pub enum Data<'a> {
    /// At one point, with any momentum; the guess is the momentum that the search begins with.
    Point {
        /// q₀.
        q: &'a [f64],
        /// The first guess of p₀.
        guess: &'a [f64],
    },
    /// Anywhere, with the momentum DS₀: a function that writes S₀, DS₀ and D²S₀ by rows; the guess is the foot
    /// point that the search begins with.
    Cauchy {
        /// S₀ and its derivatives at a point.
        initial: &'a Initial<'a>,
        /// The first guess of q₀.
        guess: &'a [f64],
    },
}

/// S_d^k at a point, with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// S.
    pub value: f64,
    /// DS = p_k.
    pub slope: Vec<f64>,
    /// D²S by rows.
    pub curvature: Vec<f64>,
    /// The nodes of the motion, from the start to the point.
    pub path: Vec<Node>,
    /// The steps (from 1) inside which neighbouring motions meet.
    pub caustics: Vec<usize>,
}

/// By how much the forms of the discrete Hamilton-Jacobi equation fail at a point (DP-A14).
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// S^{k+1}(f) − S^k(q) − DS^{k+1}(f)·f + H⁺(q, DS^{k+1}(f)); none where H⁺ has no value.
    pub right: Option<f64>,
    /// S^{k+1}(f) − S^k(q) + DS^k(q)·q + H⁻(DS^k(q), f); none where H⁻ has no value.
    pub left: Option<f64>,
    /// S^{k+1}(f) − S^k(q) − L_d(q, f).
    pub lagrangian: f64,
}

/// A motion of k steps with the derivative of its end by what it begins with.
struct Ray {
    nodes: Vec<Node>,
    action: f64,
    /// ∂(q_k, p_k)/∂u by rows.
    spread: Vec<f64>,
    /// The sign of det ∂q_j/∂u at each node.
    signs: Vec<f64>,
}

impl Data<'_> {
    /// The node that the unknowns stand for, its derivative by them, and S₀.
    fn begin(&self, u: &[f64]) -> (Node, Vec<f64>, f64) {
        let n = u.len();
        let identity = |i: usize, j: usize| f64::from(u8::from(i == j));
        let block = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n * n).map(|k| f(k / n, k % n)).collect()
        };
        match self {
            Data::Point { q, .. } => {
                let node = Node {
                    q: q.to_vec(),
                    p: u.to_vec(),
                };
                (node, [block(&|_, _| 0.0), block(&identity)].concat(), 0.0)
            }
            Data::Cauchy { initial, .. } => {
                let (value, slope, curvature) = initial(u);
                let node = Node {
                    q: u.to_vec(),
                    p: slope,
                };
                (node, [block(&identity), curvature].concat(), value)
            }
        }
    }

    fn guess(&self) -> &[f64] {
        match self {
            Data::Point { guess, .. } | Data::Cauchy { guess, .. } => guess,
        }
    }
}

impl MomentumMap {
    /// S_d^k at a point: the motion is found by Newton's method on what it begins with (DP-A13).
    pub fn action(&self, steps: usize, data: &Data<'_>, at: &[f64]) -> Result<Action, ActionError> {
        let n = self.dimension();
        if steps == 0 && matches!(data, Data::Point { .. }) {
            return Err(ActionError::NoSteps);
        }
        let mut memory = vec![0.0; Workspace::length(n)];
        let mut work = Workspace::of(n, &mut memory);
        let size = at.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let newton = Newton::beside(size);
        let outcome = newton.solve(Guess::Given(data.guess()), &mut work, |u, values| {
            let ray = self.ray(steps, data, u)?;
            values[..n * n].copy_from_slice(&ray.spread[..n * n]);
            for ((r, q), wanted) in values[n * n..].iter_mut().zip(&ray.end().q).zip(at) {
                *r = q - wanted;
            }
            Ok::<(), ActionError>(())
        })?;
        match outcome.verdict {
            Verdict::Converged => {}
            Verdict::Singular { .. } => return Err(ActionError::Conjugate),
            _ => {
                return Err(ActionError::NotFound {
                    residual: outcome.residual,
                });
            }
        }
        let ray = self.ray(steps, data, work.solution())?;
        Ok(Action {
            value: ray.action,
            slope: ray.end().p.clone(),
            curvature: ray.curvature()?,
            caustics: ray.caustics(),
            path: ray.nodes,
        })
    }

    fn ray(&self, steps: usize, data: &Data<'_>, u: &[f64]) -> Result<Ray, ActionError> {
        let (node, mut spread, mut action) = data.begin(u);
        let n = self.dimension();
        let mut signs = vec![sign(&spread, n)];
        let mut nodes = vec![node];
        for k in 0..steps {
            let slopes = self.slopes(k, &nodes[k])?;
            let (next, l) = self.advance(k, &nodes[k])?;
            spread = product(&slopes, &spread, 2 * n, n);
            signs.push(sign(&spread, n));
            action += l;
            nodes.push(next);
        }
        Ok(Ray {
            nodes,
            action,
            spread,
            signs,
        })
    }

    /// How well S_d^k and S_d^{k+1}, each found on its own, fulfil the discrete Hamilton-Jacobi equations at the
    /// end of a motion.
    pub fn residuals(
        &self,
        steps: usize,
        data: &Data<'_>,
        action: &Action,
    ) -> Result<Residuals, ActionError> {
        let Some(here) = action.path.last() else {
            return Err(ActionError::NoSteps);
        };
        let (there, l) = self.advance(steps, here)?;
        let next = self.action(steps + 1, data, &there.q)?;
        let rise = next.value - action.value;
        let right = self.right_hamiltonian(steps, &here.q, &next.slope, &here.p);
        let left = self.left_hamiltonian(steps, &action.slope, &there.q, &here.q);
        Ok(Residuals {
            right: right.map(|h| rise - dot(&next.slope, &there.q) + h),
            left: left.map(|h| rise + dot(&action.slope, &here.q) + h),
            lagrangian: rise - l,
        })
    }

    /// H⁺(q, p₁) = p₁·q₁ − L_d with D₂L_d(q, q₁) = p₁, the momentum at the beginning being searched for (DP-A7).
    pub fn right_hamiltonian(&self, k: usize, q: &[f64], p1: &[f64], guess: &[f64]) -> Option<f64> {
        let n = self.dimension();
        let at = |p: &[f64]| Node {
            q: q.to_vec(),
            p: p.to_vec(),
        };
        let p0 = self.search(guess, |u, values| {
            let (slopes, (next, _)) = (self.slopes(k, &at(u))?, self.advance(k, &at(u))?);
            fill(values, &slopes, n, (n, n), &next.p, p1);
            Ok(())
        })?;
        let (next, l) = self.advance(k, &at(&p0)).ok()?;
        Some(dot(p1, &next.q) - l)
    }

    /// H⁻(p, q₁) = −p·q − L_d with −D₁L_d(q, q₁) = p, the position at the beginning being searched for (DP-A8).
    pub fn left_hamiltonian(&self, k: usize, p: &[f64], q1: &[f64], guess: &[f64]) -> Option<f64> {
        let n = self.dimension();
        let at = |q: &[f64]| Node {
            q: q.to_vec(),
            p: p.to_vec(),
        };
        let q = self.search(guess, |u, values| {
            let (slopes, (next, _)) = (self.slopes(k, &at(u))?, self.advance(k, &at(u))?);
            fill(values, &slopes, n, (0, 0), &next.q, q1);
            Ok(())
        })?;
        let (_, l) = self.advance(k, &at(&q)).ok()?;
        Some(-dot(p, &q) - l)
    }

    fn search(
        &self,
        guess: &[f64],
        evaluate: impl FnMut(&[f64], &mut [f64]) -> Result<(), ActionError>,
    ) -> Option<Vec<f64>> {
        let mut memory = vec![0.0; Workspace::length(guess.len())];
        let mut work = Workspace::of(guess.len(), &mut memory);
        let outcome = Newton::default().solve(Guess::Given(guess), &mut work, evaluate);
        let found = outcome.is_ok_and(|o| o.verdict == Verdict::Converged);
        found.then(|| work.solution().to_vec())
    }
}

/// A block of DF̃ as Jacobian, and what the values miss.
fn fill(
    values: &mut [f64],
    slopes: &[f64],
    n: usize,
    (row, column): (usize, usize),
    found: &[f64],
    wanted: &[f64],
) {
    for i in 0..n {
        for j in 0..n {
            values[i * n + j] = slopes[(row + i) * 2 * n + column + j];
        }
        values[n * n + i] = found[i] - wanted[i];
    }
}

impl Ray {
    fn end(&self) -> &Node {
        &self.nodes[self.nodes.len() - 1]
    }

    /// D²S = (∂p/∂u)(∂q/∂u)⁻¹, made symmetric.
    fn curvature(&self) -> Result<Vec<f64>, ActionError> {
        let n = self.end().q.len();
        let (q, p) = self.spread.split_at(n * n);
        // Rows of D²S solve (∂q/∂u)ᵀ x = row of ∂p/∂u.
        let mut lu = Lu::new(n);
        lu.factor(|i, j| q[j * n + i])
            .map_err(|_| ActionError::Conjugate)?;
        let mut rows = p.to_vec();
        rows.chunks_mut(n).for_each(|row| lu.solve(row));
        let symmetric = |k: usize| (rows[k] + rows[k % n * n + k / n]) / 2.0;
        Ok((0..n * n).map(symmetric).collect())
    }

    /// Where det ∂q_j/∂u changes its sign; at a point of the start it has none.
    fn caustics(&self) -> Vec<usize> {
        let steps = self.signs.windows(2).enumerate();
        let crossed = steps.filter(|(_, s)| s[0] * s[1] < 0.0);
        crossed.map(|(k, _)| k + 1).collect()
    }
}

/// The sign of the determinant of the first n rows.
fn sign(spread: &[f64], n: usize) -> f64 {
    let det = determinant(&mut spread[..n * n].to_vec(), n);
    if det == 0.0 { 0.0 } else { det.signum() }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A (rows × rows) times B (rows × columns), by rows.
fn product(a: &[f64], b: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| {
        (0..rows)
            .map(|k| a[i * rows + k] * b[k * columns + j])
            .sum()
    };
    (0..rows * columns)
        .map(|k| entry(k / columns, k % columns))
        .collect()
}
