//! Algebraic Riccati equations, continuous and discrete, by structured doubling.

use crate::complex::Complex;
use crate::dense::Dense;
use crate::eigen::Eigen;
use crate::error::{NotFinite, SingularMatrix};
use crate::ldlt::Ldlt;
use crate::lyapunov::{lyapunov, stein};
use crate::reachable::{Reachable, margin};
use crate::schur::SchurError;
use crate::twofold::Fine;

/// Doubling converges quadratically, and linearly at worst.
const MOST_DOUBLINGS: usize = 80;
/// Newton's steps at most, and those that may bring nothing before it is given up.
const MOST_REFINEMENTS: usize = 60;
const MOST_IN_VAIN: usize = 3;
/// Where this part of an equation is left, its solution is known beyond the last digit of doubles.
const EXACT: f64 = 1e-28;
/// How often another shift is tried where one meets an eigenvalue.
const MOST_SHIFTS: usize = 6;

/// How time goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// x' = A x + B u.
    Continuous,
    /// x_{k+1} = A x_k + B u_k.
    Discrete,
}

/// A linear plant.
#[derive(Clone, Copy, Debug)]
pub struct Plant<'a> {
    /// A, n×n.
    pub a: &'a Dense,
    /// B, n×m.
    pub b: &'a Dense,
    /// How time goes on.
    pub time: Time,
}

/// The cost ∫ or Σ of xᵀQx + 2xᵀNu + uᵀRu.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    /// Q, symmetric.
    pub state: &'a Dense,
    /// R, symmetric and positive.
    pub control: &'a Dense,
    /// N, where there is one.
    pub cross: Option<&'a Dense>,
}

/// The regulator u = −K x that costs least among those that bring x to 0.
///
/// ```
/// use rattleback_numeric::{Dense, Plant, Regulator, Time, Weights};
/// // x'' = u, ∫ x² + u²: K = (1, √2).
/// let (a, b) = (Dense::of_rows(2, 2, &[0.0, 1.0]), Dense::of_rows(2, 1, &[0.0, 1.0]));
/// let (q, r) = (Dense::of_rows(2, 2, &[1.0]), Dense::identity(1));
/// let plant = Plant { a: &a, b: &b, time: Time::Continuous };
/// let found = Regulator::of(plant, Weights { state: &q, control: &r, cross: None })?;
/// assert!((found.gain[(0, 1)] - 2.0_f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), rattleback_numeric::RiccatiError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regulator {
    /// K.
    pub gain: Dense,
    /// X: from x the cost is xᵀ X x.
    pub cost: Dense,
    /// The eigenvalues of A − B K.
    pub modes: Vec<Complex>,
    /// What X leaves of the equation, as a part of the largest of its terms.
    pub residual: f64,
    /// How many doublings it took.
    pub doublings: usize,
}

/// Why there is no regulator.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RiccatiError {
    /// The sizes of the matrices do not fit together.
    #[error("the matrices of the plant and of the cost do not fit together")]
    Shape,
    /// An entry is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The cost of the controls is not positive.
    #[error("the weight of the controls is not positive definite")]
    ControlWeight,
    /// No control moves a mode that does not die out by itself.
    #[error("no control moves the mode {mode}, which does not die out by itself")]
    Unstabilisable {
        /// The eigenvalue.
        mode: Complex,
        /// How well it is moved ([`margin`]): 0 up to rounding.
        margin: f64,
    },
    /// A mode seems to die out by itself, but so slowly beside the entries of the plant that rounding decides.
    #[error(
        "no control moves the mode {mode}, and whether it dies out is lost in rounding beside the largest entries: choose units in which they are of like size"
    )]
    Lost {
        /// The eigenvalue.
        mode: Complex,
    },
    /// The cost does not see a mode that neither grows nor dies out, so that nothing is gained by moving it.
    #[error("the cost does not see the mode {mode}, which neither grows nor dies out")]
    Unseen {
        /// The eigenvalue.
        mode: Complex,
    },
    /// The iteration did not come to a regulator.
    #[error("no stabilising solution was found: {residual:.1e} of the Riccati equation is left")]
    NotConverged {
        /// What is left of the equation.
        residual: f64,
    },
    /// The cheapest loop does not die out.
    #[error(
        "the loop of least cost does not die out: the real part of a mode, or its modulus less 1, is {growth:.1e}, which is none beyond rounding"
    )]
    Neutral {
        /// That of the worst mode.
        growth: f64,
    },
    /// Eigenvalues were not found.
    #[error(transparent)]
    Schur(#[from] SchurError),
}

impl From<SingularMatrix> for RiccatiError {
    fn from(_: SingularMatrix) -> Self {
        RiccatiError::NotConverged { residual: f64::NAN }
    }
}

impl Regulator {
    /// Solves the Riccati equation of the plant and the cost, in units of the state in which their entries are of one size.
    pub fn of(plant: Plant<'_>, weights: Weights<'_>) -> Result<Regulator, RiccatiError> {
        let Equation { a, g, q, .. } = Equation::new(plant, weights)?;
        let d = units(&a, &g, &q);
        let by_rows = |m: &Dense| Dense::new(m.rows(), m.columns(), |i, j| m[(i, j)] * d[i]);
        let n = plant.a.rows();
        let found = Self::in_units(
            Plant {
                a: &Dense::new(n, n, |i, j| plant.a[(i, j)] * (d[j] / d[i])),
                b: &Dense::new(n, plant.b.columns(), |i, j| plant.b[(i, j)] / d[i]),
                time: plant.time,
            },
            Weights {
                state: &by_rows(&by_rows(weights.state).transposed()).transposed(),
                control: weights.control,
                cross: weights.cross.map(by_rows).as_ref(),
            },
        )?;
        let (gain, cost) = (found.gain, found.cost);
        Ok(Regulator {
            gain: Dense::new(gain.rows(), n, |i, j| gain[(i, j)] / d[j]),
            cost: Dense::new(n, n, |i, j| cost[(i, j)] / (d[i] * d[j])),
            ..found
        })
    }

    fn in_units(plant: Plant<'_>, weights: Weights<'_>) -> Result<Regulator, RiccatiError> {
        let equation = Equation::new(plant, weights)?;
        equation.check_modes(plant)?;
        let (x, doublings) = equation.seen_by_all()?.solve()?;
        let fine = equation.refine(x)?;
        let x = fine.rounded();
        let gain = &equation.gain(&fine)? + &equation.by_cross;
        let closed = Eigen::of(&(plant.a - &(plant.b * &gain)))?;
        let growth = closed.values.iter().map(|mode| equation.growth(mode));
        let growth = growth.fold(f64::NEG_INFINITY, f64::max);
        let residual = equation.relative_residual(&x)?;
        if residual.is_nan() || residual > SMALL_RESIDUAL {
            return Err(RiccatiError::NotConverged { residual });
        }
        let size = plant.a.norm() + (plant.b * &gain).norm();
        if growth > NEUTRAL * size {
            return Err(RiccatiError::NotConverged { residual });
        }
        if growth >= -NEUTRAL * size {
            return Err(RiccatiError::Neutral { growth });
        }
        Ok(Regulator {
            gain,
            cost: x,
            modes: closed.values,
            residual,
            doublings,
        })
    }
}

/// Powers of two d for which the Hamiltonian matrix of a regulator, [A G; Q Aᵀ], has rows and columns of one size where the
/// state is measured in them, x_i = d_i z_i: A_ij d_j/d_i, G_ij/(d_i d_j), Q_ij d_i d_j.
fn units(a: &Dense, g: &Dense, q: &Dense) -> Vec<f64> {
    let n = a.rows();
    let mut d = vec![1.0; n];
    for _ in 0..MOST_SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let others = || (0..n).filter(move |&j| j != i);
            let pushed: f64 = others().map(|j| a[(i, j)].abs() * d[j]).sum();
            let pushing: f64 = others().map(|j| a[(j, i)].abs() / d[j]).sum();
            let pushed = pushed + (0..n).map(|j| g[(i, j)].abs() / d[j]).sum::<f64>();
            let pushing = pushing + (0..n).map(|j| q[(i, j)].abs() * d[j]).sum::<f64>();
            let best = (pushed / pushing).sqrt();
            if !(best > 0.0 && best.is_finite()) {
                continue;
            }
            let best = best.log2().round().exp2();
            settled &= best == d[i];
            d[i] = best;
        }
        if settled {
            break;
        }
    }
    d
}

/// Sweeps over the units of a state.
const MOST_SWEEPS: usize = 40;

/// Modes that die out by no more than this part of what A and B K add up to do not, as far as doubles tell.
const NEUTRAL: f64 = 1e3 * f64::EPSILON;

/// A result with a larger part of its equation left is none.
const SMALL_RESIDUAL: f64 = 1e-8;

/// AᵀX + XA − XGX + Q = 0 or X = AᵀX(1 + GX)⁻¹A + Q, where cross terms have been taken into A and Q.
#[derive(Clone)]
struct Equation {
    a: Dense,
    b: Dense,
    g: Dense,
    q: Dense,
    r: Dense,
    /// R⁻¹Nᵀ: the gain that was taken into A.
    by_cross: Dense,
    time: Time,
}

/// The iterates of doubling: H → X.
struct Doubling {
    a: Dense,
    g: Dense,
    h: Dense,
}

impl Equation {
    /// A − B R⁻¹Nᵀ, B R⁻¹Bᵀ and Q − N R⁻¹Nᵀ.
    fn new(plant: Plant<'_>, weights: Weights<'_>) -> Result<Self, RiccatiError> {
        let (a, b) = (plant.a, plant.b);
        let (n, m) = (a.rows(), b.columns());
        let zero = Dense::zeros(n, m);
        let (q, r, cross) = (
            weights.state,
            weights.control,
            weights.cross.unwrap_or(&zero),
        );
        let shape = |d: &Dense, rows, columns| d.rows() == rows && d.columns() == columns;
        if !(shape(a, n, n)
            && shape(b, n, m)
            && shape(q, n, n)
            && shape(r, m, m)
            && shape(cross, n, m))
        {
            return Err(RiccatiError::Shape);
        }
        [a, b, q, r, cross].into_iter().try_for_each(Dense::check)?;
        let mut factors = Ldlt::new(m);
        let inertia = factors.factor(|i, j| r[(i, j)])?;
        if inertia.positive < m {
            return Err(RiccatiError::ControlWeight);
        }
        let weighted = |rows: &Dense| r.solve(&rows.transposed());
        let (by_cross, by_control) = (weighted(cross)?, weighted(b)?);
        Ok(Equation {
            a: a - &(b * &by_cross),
            g: (b * &by_control).symmetrised(),
            q: (q - &(cross * &by_cross)).symmetrised(),
            b: b.clone(),
            r: r.clone(),
            by_cross,
            time: plant.time,
        })
    }

    /// How fast a mode grows; negative where it dies out.
    fn growth(&self, mode: &Complex) -> f64 {
        match self.time {
            Time::Continuous => mode.re,
            Time::Discrete => mode.modulus() - 1.0,
        }
    }

    /// Refuses what no regulator can do.
    fn check_modes(&self, plant: Plant<'_>) -> Result<(), RiccatiError> {
        let reached = self.reachable(plant.a, plant.b)?;
        let lost = match self.time {
            Time::Continuous => reached.unstable_mode(),
            Time::Discrete => reached.unstable_discrete_mode(),
        };
        match lost {
            Some(mode) if self.growth(&mode) < 0.0 => return Err(RiccatiError::Lost { mode }),
            Some(mode) => {
                let margin = margin(plant.a, plant.b, mode);
                return Err(RiccatiError::Unstabilisable { mode, margin });
            }
            None => {}
        }
        match self.seen()?.neutral_mode(|mode| self.growth(mode)) {
            Some(mode) => Err(RiccatiError::Unseen { mode }),
            None => Ok(()),
        }
    }

    /// Which modes the cost sees.
    fn seen(&self) -> Result<Reachable, SchurError> {
        self.reachable(&self.a.transposed(), &self.q)
    }

    /// What B reaches under A. Flows over short steps are next to 1, and tell by what they differ from it.
    fn reachable(&self, a: &Dense, b: &Dense) -> Result<Reachable, SchurError> {
        match self.time {
            Time::Continuous => Reachable::of(a, b),
            Time::Discrete => {
                let by_step = a - &Dense::identity(a.rows());
                Ok(Reachable::of(&by_step, b)?.one_on())
            }
        }
    }

    /// The equation itself, or where a growing mode goes unseen one whose cost sees all: doubling finds the cheapest
    /// control, which would let that mode grow. Newton's steps lead back, and keep what they start from stable.
    fn seen_by_all(&self) -> Result<Equation, SchurError> {
        let grows = |mode: &Complex| self.growth(mode) > 0.0;
        let extra = match self.seen()?.modes.iter().any(grows) {
            true => self.q.norm().max(self.a.norm().powi(2) / self.g.norm()),
            false => 0.0,
        };
        Ok(Equation {
            q: &self.q + &Dense::identity(self.a.rows()).scaled(extra),
            ..self.clone()
        })
    }

    fn solve(&self) -> Result<(Dense, usize), RiccatiError> {
        let mut size = (self.g.norm() * self.q.norm()).sqrt().max(self.a.norm());
        if size == 0.0 {
            size = 1.0;
        }
        let mut last = None;
        for _ in 0..MOST_SHIFTS {
            let found = self.start(size).and_then(Doubling::run);
            match found {
                Ok(found) => return Ok(found),
                Err(singular) => last = Some(singular),
            }
            size *= 1.7;
        }
        Err(last.map_or(RiccatiError::Shape, RiccatiError::from))
    }

    /// A Cayley transform with shift γ makes the continuous equation a discrete one (Chu, Fan & Lin 2005).
    fn start(&self, gamma: f64) -> Result<Doubling, SingularMatrix> {
        let (a, g, q) = (&self.a, &self.g, &self.q);
        if self.time == Time::Discrete {
            let (a, g, h) = (a.clone(), g.clone(), q.clone());
            return Ok(Doubling { a, g, h });
        }
        let n = a.rows();
        let one = Dense::identity(n);
        let shifted = a - &one.scaled(gamma);
        let g_left = shifted.solve(g)?;
        // W = A_γᵀ + Q A_γ⁻¹ G.
        let w = &shifted.transposed() + &(q * &g_left);
        let w_inverse = w.solve(&one)?;
        let q_right = &(&w_inverse * q) * &shifted.solve(&one)?;
        Ok(Doubling {
            a: &one + &w_inverse.transposed().scaled(2.0 * gamma),
            g: (&g_left * &w_inverse).scaled(2.0 * gamma).symmetrised(),
            h: q_right.scaled(2.0 * gamma).symmetrised(),
        })
    }

    /// R⁻¹BᵀX, or (R + BᵀXB)⁻¹BᵀXA.
    fn gain(&self, x: &Fine) -> Result<Dense, SingularMatrix> {
        let b = Fine::from(&self.b);
        let bx = b.transposed().times(x);
        match self.time {
            Time::Continuous => self.r.solve(&bx.rounded()),
            Time::Discrete => {
                let weight = Fine::from(&self.r).plus(&bx.times(&b)).rounded();
                weight.solve(&bx.times(&Fine::from(&self.a)).rounded())
            }
        }
    }

    /// What X leaves of the equation, and the size of its largest term; and A with the loop closed, C = A − B K.
    ///
    /// CᵀX + XC + KᵀRK + Q, or CᵀXC − X + KᵀRK + Q: Joseph's form, in which an error of K counts by its square.
    fn residual(&self, x: &Fine) -> Result<(Dense, f64, Dense), SingularMatrix> {
        let k = Fine::from(&self.gain(x)?);
        let [a, b, q, r] = [&self.a, &self.b, &self.q, &self.r].map(Fine::from);
        let closed = a.minus(&b.times(&k));
        let xc = x.times(&closed);
        let moved = match self.time {
            Time::Continuous => xc.plus(&xc.transposed()),
            Time::Discrete => closed.transposed().times(&xc).minus(x),
        };
        let spent = k.transposed().times(&r).times(&k);
        let left = moved.plus(&spent).plus(&q).rounded().symmetrised();
        let (x, closed) = (x.rounded(), closed.rounded());
        let taken_apart = match self.time {
            Time::Continuous => x.norm() * closed.norm(),
            Time::Discrete => x.norm(),
        };
        let size = taken_apart.max(spent.rounded().norm()).max(self.q.norm());
        Ok((left, size, closed))
    }

    fn relative_residual(&self, x: &Dense) -> Result<f64, SingularMatrix> {
        let (left, size, _) = self.residual(&Fine::from(x))?;
        Ok(if size == 0.0 { 0.0 } else { left.norm() / size })
    }

    /// Newton's steps (Kleinman, Hewer), each a Lyapunov equation for what is left; the best of them. The first may
    /// lead away before the others lead down. What is left is known with twice the digits, or else they would end at the
    /// rounding of large terms, however badly the equation is conditioned.
    fn refine(&self, x: Dense) -> Result<Fine, SingularMatrix> {
        let mut x = Fine::from(&x);
        let (mut best, mut least, mut in_vain) = (x.clone(), f64::INFINITY, 0);
        for _ in 0..MOST_REFINEMENTS {
            let (left, size, closed) = self.residual(&x)?;
            let part = if size == 0.0 { 0.0 } else { left.norm() / size };
            if part < least {
                (best, least, in_vain) = (x.clone(), part, 0);
            } else {
                in_vain += 1;
            }
            if least <= EXACT || in_vain > MOST_IN_VAIN {
                break;
            }
            let closed = closed.transposed();
            let correction = match self.time {
                Time::Continuous => lyapunov(&closed, &left),
                Time::Discrete => stein(&closed, &left),
            };
            let Ok(correction) = correction else { break };
            x = x.plus(&Fine::from(&correction.symmetrised()));
        }
        Ok(best)
    }
}

impl Doubling {
    /// Doubles the time that H looks ahead until nothing is added.
    fn run(mut self) -> Result<(Dense, usize), SingularMatrix> {
        for k in 1..=MOST_DOUBLINGS {
            let before = self.h.clone();
            self.double()?;
            let added = (&self.h - &before).norm();
            if !added.is_finite() || added <= f64::EPSILON * self.h.norm() {
                return Ok((self.h, k));
            }
        }
        Ok((self.h, MOST_DOUBLINGS))
    }

    /// A ← A(1 + GH)⁻¹A, G ← G + AG(1 + HG)⁻¹Aᵀ, H ← H + AᵀH(1 + GH)⁻¹A.
    fn double(&mut self) -> Result<(), SingularMatrix> {
        let Doubling { a, g, h } = &*self;
        let middle = &Dense::identity(a.rows()) + &(g * h);
        let (inner_a, inner_g) = (middle.solve(a)?, middle.solve(g)?);
        *self = Doubling {
            g: (g + &(&(a * &inner_g) * &a.transposed())).symmetrised(),
            h: (h + &(&(&a.transposed() * h) * &inner_a)).symmetrised(),
            a: a * &inner_a,
        };
        Ok(())
    }
}
