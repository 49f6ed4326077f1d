//! Discrete optimal control: the necessary conditions, and Bellman's equation along their solution (DP-A17, A18, C6).
//!
//! ```text
//! q_{k+1} = f(q_k, u_k)        p_k = D₁fᵀ p_{k+1} − D₁C        p_{k+1}·D₂f = D₂C
//! ```
//!
//! with the costate p = DS for S = −(cost to go), so that p_N = −Dφ and S^k(q) = max_u [S^{k+1}(f(q, u)) − C(q, u)].

use super::chain::{Chain, EndFunction, Sequence, StageFunction, Stationary};
use super::error::ActionError;
use rattleback_numeric::{Dense, Ldlt};
use rattleback_symbolic::{Expr, Symbol, dot};

/// A plant in steps with a cost.
#[derive(Clone, Debug)]
pub struct DiscretePlant {
    /// q.
    pub state: Vec<Symbol>,
    /// u.
    pub controls: Vec<Symbol>,
    /// f(q, u).
    pub map: Vec<Expr>,
    /// C(q, u), per step.
    pub cost: Expr,
    /// φ(q_N).
    pub terminal: Expr,
    /// What vanishes at q_N.
    pub goals: Vec<Expr>,
}

/// An extremal of a discrete control problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The least cost.
    pub cost: f64,
    /// q₀, …, q_N.
    pub path: Vec<Vec<f64>>,
    /// u₀, …, u_{N−1}.
    pub controls: Vec<Vec<f64>>,
    /// p₀, …, p_N with p_k = DS^k.
    pub costates: Vec<Vec<f64>>,
    /// The multipliers of the goals.
    pub multipliers: Vec<f64>,
    /// D²(cost to go) at the nodes, where the end is free.
    pub curvatures: Vec<Dense>,
    /// The feedback u = u_k − K_k (q − q_k), where the end is free.
    pub gains: Vec<Dense>,
    /// Is the control of each step a strict local maximum in Bellman's equation? For a given end: of the whole.
    pub is_maximal: bool,
    /// The largest entry of the conditions that is left.
    pub residual: f64,
    /// How many steps Newton's method took.
    pub iterations: usize,
}

impl DiscretePlant {
    /// Finds an extremal of so many steps from a state, beginning with the path of no control.
    pub fn optimum(
        &self,
        start: &[f64],
        steps: usize,
        constants: &[(Symbol, f64)],
    ) -> Result<Optimum, ActionError> {
        let (n, m, g) = (self.state.len(), self.controls.len(), self.goals.len());
        let chain = self.chain(constants)?;
        let guess = Sequence {
            nodes: vec![start.to_vec(); steps + 1],
            inner: vec![vec![0.0; m + n]; steps],
            end: vec![0.0; g],
        };
        let found = chain.stationary(&guess, 1.0)?;
        self.bellman(&chain, found)
    }

    /// Σ C + p·(q⁺ − f) + φ + ν·g, by blocks (u, p, q⁺).
    fn chain(&self, constants: &[(Symbol, f64)]) -> Result<Chain, ActionError> {
        let named = |what: &str, count: usize| -> Vec<Symbol> {
            let name = |i| Symbol::variable(&format!("{what}~{i}"));
            (0..count).map(name).collect()
        };
        // By number: x and x' have one name.
        let after = named("next", self.state.len());
        let costates = named("costate", self.state.len());
        let gaps = after.iter().zip(&self.map).map(|(q, f)| Expr::from(q) - f);
        let p: Vec<Expr> = costates.iter().map(Expr::from).collect();
        let stage = StageFunction {
            before: self.state.clone(),
            value: &self.cost + dot(&p, &gaps.collect::<Vec<_>>()),
            inner: [self.controls.clone(), costates].concat(),
            after,
        };
        let multipliers = named("goal", self.goals.len());
        let nu: Vec<Expr> = multipliers.iter().map(Expr::from).collect();
        let end = EndFunction {
            node: self.state.clone(),
            value: &self.terminal + dot(&nu, &self.goals),
            inner: multipliers,
        };
        Ok(Chain::new(&stage, Some(&end), constants)?)
    }

    /// Bellman's equation to second order along an extremal, backward.
    fn bellman(&self, chain: &Chain, found: Stationary) -> Result<Optimum, ActionError> {
        let (n, m) = (self.state.len(), self.controls.len());
        let x = &found.sequence;
        let steps = x.inner.len();
        let controls: Vec<Vec<f64>> = x.inner.iter().map(|w| w[..m].to_vec()).collect();
        let mut costates: Vec<Vec<f64>> = x.inner.iter().map(|w| w[m..].to_vec()).collect();
        // p₀ = D₁fᵀ p₁ − D₁C is minus the derivative of the sum by q₀.
        let (_, slopes) = chain.gradient(x, 1.0)?;
        costates.insert(0, slopes[0].iter().map(|s| -s).collect());
        let free = self.goals.is_empty();
        let (mut gains, mut curvatures) = (Vec::new(), Vec::new());
        let mut is_maximal = match free {
            true => true,
            false => {
                // A strict minimum on the constraints: as many negative eigenvalues as those.
                let constraints = steps * n + self.goals.len();
                found.inertia.negative == constraints && found.inertia.zero == 0
            }
        };
        if free {
            let mut p = chain.end_hessian(x)?;
            curvatures.push(p.clone());
            for k in (0..steps).rev() {
                let w = chain.stage_hessian(x, k)?;
                let part = |i: usize, j: usize, r: usize, c: usize| w.part((i, j), r, c);
                // Order: q, u, p, q⁺.
                let fx = part(n + m, 0, n, n).scaled(-1.0);
                let fu = part(n + m, n, n, m).scaled(-1.0);
                let pfx = &p * &fx;
                let qxx = &part(0, 0, n, n) + &(&fx.transposed() * &pfx);
                let qux = &part(n, 0, m, n) + &(&fu.transposed() * &pfx);
                let quu = &part(n, n, m, m) + &(&fu.transposed() * &(&p * &fu));
                let bends = Bends::of(&quu);
                is_maximal &= bends == Bends::Up;
                let gain = quu.solve(&qux);
                let gain = gain.map_err(|_| bends.without(k + 1, is_maximal))?;
                p = (&qxx - &(&qux.transposed() * &gain)).symmetrised();
                gains.push(gain);
                curvatures.push(p.clone());
            }
            gains.reverse();
            curvatures.reverse();
        }
        Ok(Optimum {
            cost: found.value,
            path: x.nodes.clone(),
            multipliers: x.end.clone(),
            controls,
            costates,
            curvatures,
            gains,
            is_maximal,
            residual: found.residual,
            iterations: found.iterations,
        })
    }
}

/// How the cost to go bends with the controls of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bends {
    /// In all directions up: there is one best control.
    Up,
    /// Nowhere down, and in some direction not at all.
    Flat,
    /// In some direction down.
    Down,
}

impl Bends {
    fn of(weight: &Dense) -> Self {
        let m = weight.rows();
        match Ldlt::new(m).factor(|i, j| weight[(i, j)]) {
            Ok(signs) if signs.positive == m => Self::Up,
            Ok(signs) if signs.negative > 0 => Self::Down,
            _ => Self::Flat,
        }
    }

    /// Why a step has no best control, when those behind it have one or not.
    fn without(self, step: usize, behind: bool) -> ActionError {
        match self == Self::Down || !behind {
            true => ActionError::NoMaximum { step },
            false => ActionError::FreeDirection { step },
        }
    }
}

/// The finite-horizon regulator: P₀ and K₀ after so many steps back from a terminal weight (DP-A18),
///
/// ```text
/// P_k = Q + AᵀPA − (N + AᵀPB)(R + BᵀPB)⁻¹(Nᵀ + BᵀPA)
/// ```
pub fn regulator_of_steps(
    (a, b): (&Dense, &Dense),
    (q, r, cross): (&Dense, &Dense, &Dense),
    terminal: &Dense,
    steps: usize,
) -> Result<(Dense, Dense), ActionError> {
    let mut p = terminal.clone();
    let mut gain = Dense::zeros(b.columns(), a.rows());
    for step in 0..steps {
        let pa = &p * a;
        let weight = r + &(&b.transposed() * &(&p * b));
        let mixed = &cross.transposed() + &(&b.transposed() * &pa);
        let bends = Bends::of(&weight);
        let without = || bends.without(steps - step, true);
        if bends != Bends::Up {
            return Err(without());
        }
        gain = weight.solve(&mixed).map_err(|_| without())?;
        let kept = q + &(&a.transposed() * &pa);
        p = (&kept - &(&mixed.transposed() * &gain)).symmetrised();
    }
    Ok((p, gain))
}
