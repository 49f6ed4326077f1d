//! Functions given by the integral of a closed one-form, worked out by numbers.

mod gauss_kronrod;

use crate::program::{Interpreter, Program};
use gauss_kronrod::{NODES, Stopped, integrate};
use rattleback_geometry::Quadrature;
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// The error that is asked for, relative to the integral of the integrand's size.
const TOLERANCE: f64 = 1e-13;

/// Why an integral has no value.
#[derive(Debug, Clone, thiserror::Error)]
pub enum QuadratureError {
    /// A symbol without a value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// A path of the wrong shape.
    #[error("a point has {expected} coordinates, not {found}")]
    Shape {
        /// The coordinates of the quadrature.
        expected: usize,
        /// Those that were given.
        found: usize,
    },
    /// No path that was tried stays where the integrand is regular.
    #[error(
        "the path from the base point meets a zero of {pole}, where the integrand is singular; choose a point on the same side of it"
    )]
    Singular {
        /// What vanishes.
        pole: String,
    },
    /// The integrand is not finite.
    #[error("the integrand is not finite on the path from the base point")]
    NotFinite,
    /// Bisection did not help.
    #[error("the integral did not converge: its error stays at {error:.3e}")]
    Divergent {
        /// The estimate.
        error: f64,
    },
}

/// A quadrature as programs: N = factor · exp ∫ ω.
///
/// ```
/// use rattleback_compile::CompiledQuadrature;
/// use rattleback_geometry::Quadrature;
/// use rattleback_symbolic::{Expr, Symbol};
/// let x = Symbol::variable("x");
/// let form = [Expr::from(&x).powi(2).exp()];
/// let n = Quadrature::new(Expr::one(), &[x.clone()], &form, &[(x, Expr::zero())]);
/// let n = CompiledQuadrature::new(&n, &[]).unwrap();
/// let at_one = n.at(&[1.0], &[]).unwrap();
/// assert!((at_one.ln() - 1.4626517459071816).abs() < 1e-12);
/// ```
pub struct CompiledQuadrature {
    coordinates: usize,
    constants: usize,
    /// Along which axes the path goes, first to last.
    order: Vec<usize>,
    /// ω, then the poles.
    form: Interpreter,
    poles: Vec<String>,
    factor: Interpreter,
    base: Interpreter,
}

impl CompiledQuadrature {
    /// Compiles a quadrature whose parameters are these.
    pub fn new(quadrature: &Quadrature, constants: &[Symbol]) -> Result<Self, QuadratureError> {
        let q = &quadrature.coordinates;
        let inputs = [q.as_slice(), constants].concat();
        let compiled = |outputs: &[Expr]| -> Result<Interpreter, MissingInput> {
            Ok(Interpreter::new(
                Program::new(&inputs, &[], &[], outputs)?.optimized(),
            ))
        };
        let start: Vec<Expr> = q
            .iter()
            .map(|s| {
                let known = quadrature.base.iter().find(|(b, _)| b == s);
                known.map_or_else(Expr::zero, |p| p.1.clone())
            })
            .collect();
        let legs: Vec<usize> = quadrature
            .legs
            .iter()
            .filter_map(|l| q.iter().position(|s| *s == l.coordinate))
            .collect();
        let silent = (0..q.len()).filter(|i| !legs.contains(i));
        Ok(Self {
            coordinates: q.len(),
            constants: constants.len(),
            order: silent.chain(legs.iter().copied()).collect(),
            form: compiled(&[quadrature.form.as_slice(), &quadrature.poles].concat())?,
            poles: quadrature.poles.iter().map(ToString::to_string).collect(),
            factor: compiled(std::slice::from_ref(&quadrature.factor))?,
            base: compiled(&start)?,
        })
    }

    /// N at a point, for these values of the parameters.
    ///
    /// The path goes along the axes; where that meets a pole, the axes in the opposite order and the straight
    /// line are tried.
    pub fn at(&self, point: &[f64], constants: &[f64]) -> Result<f64, QuadratureError> {
        let base = self.base_point(constants)?;
        self.check(point)?;
        let backward: Vec<usize> = self.order.iter().rev().copied().collect();
        let paths = [
            staircase(&base, point, &self.order),
            staircase(&base, point, &backward),
            vec![base.clone(), point.to_vec()],
        ];
        let mut refusal = None;
        for path in &paths {
            match self.along(path, constants) {
                Ok(integral) => {
                    let factor = value(&self.factor, &self.inputs(point, constants))?;
                    return Ok(factor * integral.exp());
                }
                Err(e) => _ = refusal.get_or_insert(e),
            }
        }
        Err(refusal.unwrap_or(QuadratureError::NotFinite))
    }

    /// The point at which N is its factor.
    pub fn base_point(&self, constants: &[f64]) -> Result<Vec<f64>, QuadratureError> {
        let inputs = self.inputs(&vec![0.0; self.coordinates], constants);
        let point = self.base.values(&inputs);
        let point = point.map_err(|_| QuadratureError::NotFinite)?;
        if self.constants == constants.len() && point.iter().all(|x| x.is_finite()) {
            return Ok(point);
        }
        Err(QuadratureError::NotFinite)
    }

    /// ∫ ω along the polygon with these corners.
    pub fn along(&self, corners: &[Vec<f64>], constants: &[f64]) -> Result<f64, QuadratureError> {
        corners.iter().try_for_each(|c| self.check(c))?;
        let mut signs = vec![None; self.poles.len()];
        let mut total = 0.0;
        for side in corners.windows(2) {
            total += self.side(&side[0], &side[1], constants, &mut signs)?;
        }
        Ok(total)
    }

    /// ∫ ω along a straight line. `signs` are those of the poles on the path so far.
    fn side(
        &self,
        from: &[f64],
        to: &[f64],
        constants: &[f64],
        signs: &mut [Option<bool>],
    ) -> Result<f64, QuadratureError> {
        let direction: Vec<f64> = from.iter().zip(to).map(|(a, b)| b - a).collect();
        if direction.iter().all(|d| *d == 0.0) {
            return Ok(0.0);
        }
        let n = self.coordinates;
        let mut inputs = vec![[0.0; NODES]; n + constants.len()];
        for (input, c) in inputs[n..].iter_mut().zip(constants) {
            *input = [*c; NODES];
        }
        let mut outputs = vec![[0.0; NODES]; n + self.poles.len()];
        let mut memory = Vec::new();
        let integrand = |t: &[f64; NODES]| {
            for i in 0..n {
                inputs[i] = t.map(|t| from[i] + t * direction[i]);
            }
            let faults = self.form.run_lanes(&inputs, &mut outputs, &mut memory);
            if faults.iter().any(Option::is_some) {
                return Err(QuadratureError::NotFinite);
            }
            self.check_signs(&outputs[n..], signs)?;
            let values: [f64; NODES] =
                std::array::from_fn(|k| (0..n).map(|i| outputs[i][k] * direction[i]).sum());
            match values.iter().all(|v| v.is_finite()) {
                true => Ok(values),
                false => Err(QuadratureError::NotFinite),
            }
        };
        integrate(integrand, 0.0, 1.0, TOLERANCE).map_err(|stopped| match stopped {
            Stopped::Integrand(e) => e,
            Stopped::Divergent(error) => QuadratureError::Divergent { error },
        })
    }

    /// A pole that changes its sign was crossed.
    fn check_signs(
        &self,
        poles: &[[f64; NODES]],
        signs: &mut [Option<bool>],
    ) -> Result<(), QuadratureError> {
        for ((values, sign), name) in poles.iter().zip(signs).zip(&self.poles) {
            for v in values {
                let positive = *sign.get_or_insert(*v > 0.0);
                let same = if positive { *v > 0.0 } else { *v < 0.0 };
                if !same {
                    return Err(QuadratureError::Singular { pole: name.clone() });
                }
            }
        }
        Ok(())
    }

    fn check(&self, point: &[f64]) -> Result<(), QuadratureError> {
        match point.len() == self.coordinates {
            true => Ok(()),
            false => Err(QuadratureError::Shape {
                expected: self.coordinates,
                found: point.len(),
            }),
        }
    }

    fn inputs(&self, point: &[f64], constants: &[f64]) -> Vec<f64> {
        let mut all = [point, constants].concat();
        all.resize(self.coordinates + self.constants, f64::NAN);
        all
    }
}

fn value(program: &Interpreter, inputs: &[f64]) -> Result<f64, QuadratureError> {
    match program.values(inputs) {
        Ok(v) if v[0].is_finite() => Ok(v[0]),
        _ => Err(QuadratureError::NotFinite),
    }
}

/// The corners of the path along the axes in this order.
fn staircase(from: &[f64], to: &[f64], order: &[usize]) -> Vec<Vec<f64>> {
    let mut corner = from.to_vec();
    let mut corners = vec![corner.clone()];
    for &i in order {
        corner[i] = to[i];
        corners.push(corner.clone());
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ω = dG for G = x·exp(k x y) − 1/(x − 2), k a parameter.
    fn example() -> (CompiledQuadrature, impl Fn(f64, f64, f64) -> f64) {
        let q = ["x", "y"].map(Symbol::variable);
        let k = Symbol::constant("k");
        let [x, y] = [0, 1].map(|i| Expr::from(&q[i]));
        let g = &x * (Expr::from(&k) * &x * &y).exp() - (&x - 2).recip();
        let base: Vec<(Symbol, Expr)> = q.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let n = Quadrature::new(1 + y.powi(2), &q, &g.gradient(&q), &base);
        let exact = |x: f64, y: f64, k: f64| x * (k * x * y).exp() - 1.0 / (x - 2.0) - 0.5;
        (CompiledQuadrature::new(&n, &[k]).unwrap(), exact)
    }

    #[test]
    fn every_path_gives_the_same() {
        let (n, exact) = example();
        let (point, k) = (vec![1.2, -0.8], [0.7]);
        let around = vec![
            vec![0.0, 0.0],
            vec![-3.0, 2.0],
            vec![1.5, 1.5],
            point.clone(),
        ];
        let straight = vec![vec![0.0, 0.0], point.clone()];
        let value = exact(1.2, -0.8, 0.7);
        for path in [around, straight] {
            assert!((n.along(&path, &k).unwrap() - value).abs() < 1e-11);
        }
        let density = n.at(&point, &k).unwrap();
        assert!((density / 1.64 - value.exp()).abs() < 1e-11);
    }

    #[test]
    fn poles_are_not_crossed() {
        let (n, _) = example();
        let beyond = n.at(&[3.0, 0.1], &[0.7]);
        assert!(
            matches!(&beyond, Err(QuadratureError::Singular { pole }) if pole.contains('x')),
            "{beyond:?}"
        );
        assert!(matches!(
            n.at(&[1.0], &[0.7]),
            Err(QuadratureError::Shape { .. })
        ));
        assert!(n.at(&[1.0, 1.0], &[]).is_err());
    }

    #[test]
    fn another_order_of_the_axes_avoids_a_pole() {
        // ω = d(y/(1 + x y)) is singular on x y = −1: from (1, 1), first along x to −3, then to y = 0, meets it.
        let q = ["x", "y"].map(Symbol::variable);
        let [x, y] = [0, 1].map(|i| Expr::from(&q[i]));
        let g = &y / (1 + &x * &y);
        let base = [(q[0].clone(), Expr::one()), (q[1].clone(), Expr::one())];
        let n = Quadrature::new(Expr::one(), &q, &g.gradient(&q), &base);
        let n = CompiledQuadrature::new(&n, &[]).unwrap();
        let value = n.at(&[-3.0, 0.0], &[]).unwrap();
        assert!((value.ln() + 0.5).abs() < 1e-12, "{value}");
    }
}
