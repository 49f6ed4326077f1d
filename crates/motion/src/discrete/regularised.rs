//! The boundary-value problem of a step in a form that stays regular as the step goes to zero (CG-E1 to E4, G8).
//!
//! The unknown is Q(u) = q⁽ᵏ⁾(hu). With the jet at the start given, the jet at the end says
//!
//! ```text
//! ⟨a_j, Q⟩ = z_j = h^{j−k} (q₂⁽ʲ⁾ − Σ_i hⁱ/i! q₁⁽ʲ⁺ⁱ⁾)        a_j(s) = (1 − s)^{k−j−1}/(k−j−1)!
//! ```
//!
//! and S = ∫₀¹ L du is stationary among such Q; the exact discrete Lagrangian is h S. Nothing divides by h once z is given.

use super::error::ActionError;
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_integrate::gauss_legendre;
use rattleback_numeric::{
    Damping, Dense, Guess, Inertia, Ldlt, Newton, Verdict, Workspace, largest_entry,
};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// So many Gauss points reach the last digits for steps of moderate length.
const NODES: usize = 24;
const MOST_STEPS: usize = 40;
const LAST_STEP: f64 = 1e-13;

/// A Lagrangian of order k in n coordinates, for steps of any length.
pub struct RegularElement {
    derivatives: Derivatives,
    run: Interpreter,
    n: usize,
    k: usize,
    /// Gauss points and weights on [0, 1].
    nodes: Vec<(f64, f64)>,
    /// ∫₀^{x_i} (x_i − s)^{m−1}/(m−1)! ℓ_l(s) ds for m = 1, …, k.
    integrals: Vec<Dense>,
    /// b_j at the nodes.
    basis: Dense,
    gamma: Dense,
}

/// The motion of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremal {
    /// S = ∫₀¹ L du; L_d^ex = h S.
    pub value: f64,
    /// q⁽ᵏ⁾ at the Gauss points, coordinates of a point together.
    pub highest: Vec<Vec<f64>>,
    /// The Gauss points.
    pub places: Vec<f64>,
    /// The signs of the second variation with its conditions: k n negative ones for a strict minimum.
    pub inertia: Inertia,
    /// How many steps Newton's method took.
    pub iterations: usize,
}

impl Extremal {
    /// Is it a strict minimum: no length inside the step is conjugate?
    ///
    /// ```
    /// use rattleback_motion::discrete::RegularElement;
    /// use rattleback_symbolic::{Expr, Symbol};
    /// // A spline, L = q''²/2, is the smoothest curve between its ends.
    /// let q = Symbol::variable("q");
    /// let jets: Vec<Vec<Symbol>> = (0..=2).map(|i| vec![q.jet(i)]).collect();
    /// let spline = RegularElement::new(&(Expr::from(q.jet(2)).powi(2) / 2), &jets, &[])?;
    /// let found = spline.between(0.5, &[0.3, -0.2], &[0.1, 0.4])?;
    /// assert!(found.is_minimum(2) && (0.5 * found.value - 3.36).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_minimum(&self, k: usize) -> bool {
        let n = self.highest.first().map_or(0, Vec::len);
        self.inertia.negative == k * n && self.inertia.zero == 0
    }
}

/// z of the jets at both ends (CG-E1). For short steps it loses digits: give z itself where it is known.
pub fn regular_data(k: usize, h: f64, start: &[f64], end: &[f64]) -> Vec<f64> {
    let n = start.len() / k;
    let z = |j: usize, a: usize| {
        (end[j * n + a] - coasting(k, h, start, j, a)) / h.powi((k - j) as i32)
    };
    (0..k * n).map(|i| z(i / n, i % n)).collect()
}

/// The jet at the end of a step by z: the inverse of [`regular_data`].
pub fn end_jet(k: usize, h: f64, start: &[f64], z: &[f64]) -> Vec<f64> {
    let n = start.len() / k;
    let end =
        |j: usize, a: usize| coasting(k, h, start, j, a) + h.powi((k - j) as i32) * z[j * n + a];
    (0..k * n).map(|i| end(i / n, i % n)).collect()
}

/// Derivative j of coordinate a at the end of a step along which the highest of the jet stays: Σ_i h^i/i! q^(j+i).
fn coasting(k: usize, h: f64, start: &[f64], j: usize, a: usize) -> f64 {
    let n = start.len() / k;
    let mut factor = 1.0;
    let mut reached = 0.0;
    for i in 0..k - j {
        reached += factor * start[(j + i) * n + a];
        factor *= h / (i + 1) as f64;
    }
    reached
}

/// γ_ji = ⟨a_j, b_i⟩ with the orthonormal b_j = √(2d+1) P_d(1 − 2s), d = k − 1 − j: upper triangular (CG-E2).
pub fn gamma(k: usize) -> Dense {
    let nodes = gauss_legendre(k + 1);
    Dense::new(k, k, |j, i| {
        let product = |&(s, w): &(f64, f64)| w * kernel(k - j, 1.0 - s) * legendre(k - 1 - i, s);
        match i < j {
            true => 0.0,
            false => nodes.iter().map(product).sum(),
        }
    })
}

/// x^{m−1}/(m−1)!.
fn kernel(m: usize, x: f64) -> f64 {
    (1..m).fold(1.0, |product, i| product * x / i as f64)
}

/// √(2d+1) P_d(1 − 2s).
fn legendre(d: usize, s: f64) -> f64 {
    let x = 1.0 - 2.0 * s;
    let (mut before, mut p) = (0.0, 1.0);
    for i in 0..d {
        let i = i as f64;
        (before, p) = (p, ((2.0 * i + 1.0) * x * p - i * before) / (i + 1.0));
    }
    p * (2.0 * d as f64 + 1.0).sqrt()
}

impl RegularElement {
    /// Compiles a Lagrangian in these jets: all q, then all q', …, all q⁽ᵏ⁾.
    pub fn new(
        lagrangian: &Expr,
        jets: &[Vec<Symbol>],
        constants: &[(Symbol, f64)],
    ) -> Result<Self, MissingInput> {
        let inputs = jets.concat();
        let program = Program::new(&inputs, constants, &[], std::slice::from_ref(lagrangian))?;
        let derivatives = program.with_second_derivatives(0..inputs.len());
        let k = jets.len() - 1;
        let nodes = gauss_legendre(NODES);
        let lagrange = |l: usize, x: f64| -> f64 {
            let others = nodes.iter().enumerate().filter(|(i, _)| *i != l);
            others
                .map(|(_, (y, _))| (x - y) / (nodes[l].0 - y))
                .product()
        };
        let integral = |m: usize| {
            Dense::new(NODES, NODES, |i, l| {
                let x = nodes[i].0;
                let term = |&(u, w): &(f64, f64)| w * kernel(m, x - x * u) * lagrange(l, x * u);
                x * nodes.iter().map(term).sum::<f64>()
            })
        };
        Ok(Self {
            run: Interpreter::new(derivatives.program.clone()),
            n: jets.first().map_or(0, Vec::len),
            integrals: (1..=k).map(integral).collect(),
            basis: Dense::new(k, NODES, |j, i| legendre(k - 1 - j, nodes[i].0)),
            gamma: gamma(k),
            derivatives,
            nodes,
            k,
        })
    }

    /// The motion between two jets of order k − 1.
    pub fn between(&self, h: f64, start: &[f64], end: &[f64]) -> Result<Extremal, ActionError> {
        self.extremal(h, start, &regular_data(self.k, h, start, end))
    }

    /// The motion from a jet with regularised data, for h = 0 too: Newton's method from the polynomial that has them, which
    /// is the answer for splines.
    pub fn extremal(&self, h: f64, start: &[f64], z: &[f64]) -> Result<Extremal, ActionError> {
        let (n, k) = (self.n, self.k);
        let z = Dense::of_rows(k, n, z);
        let w = self.gamma.solve(&z).map_err(|_| ActionError::NotFinite)?;
        let mut q = vec![0.0; NODES * n];
        for i in 0..NODES {
            for a in 0..n {
                q[i * n + a] = (0..k).map(|j| w[(j, a)] * self.basis[(j, i)]).sum();
            }
        }
        let size = NODES * n + k * n;
        let mut memory = vec![0.0; Workspace::length(size)];
        let mut work = Workspace::of(size, &mut memory);
        let guess = [q, vec![0.0; k * n]].concat();
        let newton = Newton {
            residual: f64::INFINITY,
            last_step: LAST_STEP,
            most_steps: MOST_STEPS,
            damping: Damping::None,
        };
        let found = newton.solve(Guess::Given(&guess), &mut work, |x, values| {
            let (matrix, rest) = values.split_at_mut(size * size);
            self.stationarity(h, start, &w, x, matrix, rest)
        })?;
        let size_of = 1.0 + largest_entry(work.solution());
        match found.verdict {
            Verdict::Converged if found.last_step <= LAST_STEP * size_of => {}
            Verdict::Singular { .. } => return Err(ActionError::Conjugate),
            Verdict::NotFinite => return Err(ActionError::NotFinite),
            _ => {
                let residual = found.residual;
                return Err(ActionError::NotFound { residual });
            }
        }
        let q = work.solution()[..NODES * n].to_vec();
        let (value, _, hessian) = self.expansion(h, start, &q)?;
        let inertia = Ldlt::new(size)
            .factor(|r, c| self.bordered(&hessian, r, c))
            .map_err(|_| ActionError::Conjugate)?;
        Ok(Extremal {
            value,
            highest: q.chunks(n).map(<[f64]>::to_vec).collect(),
            places: self.nodes.iter().map(|(x, _)| *x).collect(),
            inertia,
            iterations: found.steps,
        })
    }

    /// ∂S/∂Q_i + Σ_j μ_j b_j(x_i) w_i = 0 and ⟨b_j, Q⟩ = w_j for x = (Q, μ), with their slopes by rows.
    fn stationarity(
        &self,
        h: f64,
        start: &[f64],
        w: &Dense,
        x: &[f64],
        matrix: &mut [f64],
        rest: &mut [f64],
    ) -> Result<(), ActionError> {
        let (n, k) = (self.n, self.k);
        let (q, multipliers) = x.split_at(NODES * n);
        let (_, gradient, hessian) = self.expansion(h, start, q)?;
        for (i, g) in gradient.iter().enumerate() {
            let (node, a) = (i / n, i % n);
            let push: f64 = (0..k)
                .map(|j| self.nodes[node].1 * self.basis[(j, node)] * multipliers[j * n + a])
                .sum();
            rest[i] = g + push;
        }
        for j in 0..k {
            for a in 0..n {
                let reached: f64 = (0..NODES)
                    .map(|i| self.nodes[i].1 * self.basis[(j, i)] * q[i * n + a])
                    .sum();
                rest[NODES * n + j * n + a] = reached - w[(j, a)];
            }
        }
        let size = x.len();
        for (place, entry) in matrix.iter_mut().enumerate() {
            *entry = self.bordered(&hessian, place / size, place % size);
        }
        Ok(())
    }

    /// The second derivatives, bordered by the conditions on Q.
    fn bordered(&self, hessian: &Dense, r: usize, c: usize) -> f64 {
        let n = self.n;
        let border = |i: usize, j: usize| {
            let (node, a) = (i / n, i % n);
            let (row, b) = (j / n, j % n);
            let weight = self.nodes[node].1 * self.basis[(row, node)];
            if a == b { weight } else { 0.0 }
        };
        match (r < NODES * n, c < NODES * n) {
            (true, true) => hessian[(r, c)],
            (true, false) => border(r, c - NODES * n),
            (false, true) => border(c, r - NODES * n),
            (false, false) => 0.0,
        }
    }

    /// Σ_i w_i L at the nodes, with its derivatives by the values of Q there.
    fn expansion(
        &self,
        h: f64,
        start: &[f64],
        q: &[f64],
    ) -> Result<(f64, Vec<f64>, Dense), ActionError> {
        let (n, k) = (self.n, self.k);
        let all = (k + 1) * n;
        let mut gradient = vec![0.0; NODES * n];
        let mut hessian = Dense::zeros(NODES * n, NODES * n);
        let mut sum = 0.0;
        for (i, &(x, weight)) in self.nodes.iter().enumerate() {
            // d q⁽ʲ⁾(x_i)/d Q_l.
            let reach = |j: usize, l: usize| -> f64 {
                match j == k {
                    true => f64::from(u8::from(l == i)),
                    false => h.powi((k - j) as i32) * self.integrals[k - j - 1][(i, l)],
                }
            };
            let mut jet = vec![0.0; all];
            for j in 0..=k {
                for a in 0..n {
                    let mut value: f64 = (0..NODES).map(|l| reach(j, l) * q[l * n + a]).sum();
                    let mut factor = 1.0;
                    for m in j..k {
                        value += factor * start[m * n + a];
                        factor *= h * x / (m - j + 1) as f64;
                    }
                    jet[j * n + a] = value;
                }
            }
            jet.push(1.0);
            let found = self.run.values(&jet).map_err(|_| ActionError::NotFinite)?;
            if found.iter().any(|x| !x.is_finite()) {
                return Err(ActionError::NotFinite);
            }
            let parts = self.derivatives.split(&found);
            sum += weight * parts.values[0];
            let slopes = self.derivatives.jacobian.iter().zip(parts.jacobian);
            for ((_, c), slope) in slopes {
                let (j, a) = (c / n, c % n);
                for l in 0..NODES {
                    gradient[l * n + a] += weight * slope * reach(j, l);
                }
            }
            let second = self.derivatives.hessian.iter().zip(parts.hessian);
            for ((r, c), value) in second {
                for (r, c) in [(r, c), (c, r)]
                    .into_iter()
                    .take(if r == c { 1 } else { 2 })
                {
                    let ((j, a), (m, b)) = ((r / n, r % n), (c / n, c % n));
                    for l in 0..NODES {
                        let left = weight * value * reach(j, l);
                        if left != 0.0 {
                            for o in 0..NODES {
                                hessian[(l * n + a, o * n + b)] += left * reach(m, o);
                            }
                        }
                    }
                }
            }
        }
        Ok((sum, gradient, hessian))
    }
}
