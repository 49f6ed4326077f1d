//! Reconstruction: the group element that goes with a reduced motion (AC-PR7).

use crate::field::Fault;
use rattleback_lie::{Group, Retraction, Trivialization};

/// g' = g ξ(t) (body) or g' = ξ(t) g (space), with ξ = ȳ − A(x) x' along a reduced motion.
///
/// A step of length h is g_{k+1} = g_k τ(θ), where θ' = dτ_θ⁻¹ ξ from θ = 0 is followed by the classical Runge-Kutta rule:
/// of order 4, and on the group whatever the step.
///
/// ```
/// use rattleback_integrate::group::{Group, Reconstruction};
/// use rattleback_lie::{Retraction, Trivialization};
/// // A steady turn by one radian.
/// let turn = Reconstruction { group: Group::SO2, side: Trivialization::Body, retraction: Retraction::Exponential };
/// let times: Vec<f64> = (0..=10).map(|k| f64::from(k) / 10.0).collect();
/// let path = turn.along(&times, &Group::SO2.identity(), |_| Ok(vec![1.0]))?;
/// assert!((path[10][0] - 1.0_f64.cos()).abs() < 1e-14);
/// // Had the base gone round a loop meanwhile, this would be left behind.
/// assert!((turn.holonomy(&path)[0] - 1.0_f64.cos()).abs() < 1e-14);
/// # Ok::<(), rattleback_integrate::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reconstruction {
    /// The group.
    pub group: Group,
    /// On which side ξ stands.
    pub side: Trivialization,
    /// The map from the algebra by which steps are made.
    pub retraction: Retraction,
}

impl Reconstruction {
    /// The elements at the times, from the first one on.
    pub fn along(
        &self,
        times: &[f64],
        start: &[f64],
        mut velocity: impl FnMut(f64) -> Result<Vec<f64>, Fault>,
    ) -> Result<Vec<Vec<f64>>, Fault> {
        let mut path = vec![start.to_vec()];
        for pair in times.windows(2) {
            let turn = self.step(pair[0], pair[1] - pair[0], &mut velocity)?;
            let g = &path[path.len() - 1];
            let next = match self.side {
                Trivialization::Body => self.group.product(g, &turn),
                Trivialization::Space => self.group.product(&turn, g),
            };
            path.push(next);
        }
        Ok(path)
    }

    /// τ(θ(h)).
    fn step(
        &self,
        t: f64,
        h: f64,
        velocity: &mut impl FnMut(f64) -> Result<Vec<f64>, Fault>,
    ) -> Result<Vec<f64>, Fault> {
        let (first, middle, last) = (velocity(t)?, velocity(t + h / 2.0)?, velocity(t + h)?);
        let at = |k: &[f64], part: f64| -> Vec<f64> { k.iter().map(|x| part * x).collect() };
        let rate = |theta: &[f64], xi: &[f64]| {
            let found = self
                .retraction
                .tangent_inverse(self.group, self.side, theta, xi);
            // A step that leaves the chart is too long.
            found.map_err(|_| Fault::NotConverged)
        };
        let a = first;
        let b = rate(&at(&a, h / 2.0), &middle)?;
        let c = rate(&at(&b, h / 2.0), &middle)?;
        let d = rate(&at(&c, h), &last)?;
        let mean = (a.iter().zip(&b)).zip(c.iter().zip(&d));
        let theta: Vec<f64> = mean
            .map(|((a, b), (c, d))| h / 6.0 * (a + 2.0 * (b + c) + d))
            .collect();
        match theta.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(Fault::NotFinite(i)),
            None => Ok(self.retraction.apply(self.group, &theta)),
        }
    }

    /// What a closed loop in the base leaves behind: g(0)⁻¹ g(T) in the body, g(T) g(0)⁻¹ in space.
    pub fn holonomy(&self, path: &[Vec<f64>]) -> Vec<f64> {
        let identity = self.group.identity();
        let (first, last) = (
            path.first().unwrap_or(&identity),
            path.last().unwrap_or(&identity),
        );
        let back = self.group.inverse(first);
        match self.side {
            Trivialization::Body => self.group.product(&back, last),
            Trivialization::Space => self.group.product(last, &back),
        }
    }
}
