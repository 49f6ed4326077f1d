//! States made of group elements and of coordinates on lines.

use crate::field::Fault;
use rattleback_lie::{Group, Trivialization};

/// Beyond this angle a step winds the exponential up so far that its inverse breaks down (at 2π).
const LARGEST_ANGLE: f64 = 6.0;

/// The factors of a state: group elements at given places, all other components on lines.
///
/// Velocities of the space are listed as the body velocities of the groups, one after the other,
/// and then the rates of the lines.
///
/// ```
/// use rattleback_integrate::group::{Group, Space};
/// // A rotation matrix and its body velocity.
/// let space = Space::new(12, &[(Group::SO3, 0)])?;
/// let mut state = [
///     1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1e-3, 1.0, //
///     0.1, 0.2, 0.3,
/// ];
/// assert!(space.distance(&state) > 9e-4);
/// space.project(&mut state)?;
/// assert!(space.distance(&state) < 1e-15);
/// assert_eq!(state[9..], [0.1, 0.2, 0.3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    dimension: usize,
    factors: Vec<Factor>,
    lines: Vec<usize>,
    /// The dimension of the product of the groups.
    group_dimension: usize,
}

/// A group element in the state, and its velocity among the velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Factor {
    group: Group,
    place: usize,
    velocity: usize,
}

impl Factor {
    fn element<'a>(&self, x: &'a [f64]) -> &'a [f64] {
        &x[self.place..self.place + self.group.coordinates()]
    }

    fn element_mut<'a>(&self, x: &'a mut [f64]) -> &'a mut [f64] {
        &mut x[self.place..self.place + self.group.coordinates()]
    }

    fn velocity<'a>(&self, xi: &'a [f64]) -> &'a [f64] {
        &xi[self.velocity..self.velocity + self.group.dimension()]
    }

    fn velocity_mut<'a>(&self, xi: &'a mut [f64]) -> &'a mut [f64] {
        &mut xi[self.velocity..self.velocity + self.group.dimension()]
    }
}

/// Why group elements do not fit into a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    /// An element reaches beyond the end of the state.
    #[error("the group element at {place} reaches beyond the {dimension} components of the state")]
    Outside {
        /// Where the element begins.
        place: usize,
        /// The number of state components.
        dimension: usize,
    },
    /// Two elements overlap.
    #[error("two group elements share state component {0}")]
    Overlap(usize),
}

impl Space {
    /// The space of states with `dimension` components and these group elements, each with the
    /// place of its first component.
    pub fn new(dimension: usize, elements: &[(Group, usize)]) -> Result<Self, SpaceError> {
        let mut taken = vec![false; dimension];
        let (mut factors, mut group_dimension) = (Vec::new(), 0);
        for &(group, place) in elements {
            let outside = SpaceError::Outside { place, dimension };
            let end = place.checked_add(group.coordinates()).ok_or(outside)?;
            let components = taken.get_mut(place..end).ok_or(outside)?;
            if let Some(shared) = components.iter().position(|&taken| taken) {
                return Err(SpaceError::Overlap(place + shared));
            }
            // A vector group is nothing but lines.
            if group.angular_velocities() > 0 {
                components.fill(true);
                factors.push(Factor {
                    group,
                    place,
                    velocity: group_dimension,
                });
                group_dimension += group.dimension();
            }
        }
        Ok(Space {
            dimension,
            factors,
            lines: (0..dimension).filter(|&k| !taken[k]).collect(),
            group_dimension,
        })
    }

    /// The number of state components.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The dimension of the space, which is the number of its velocities.
    pub fn velocities(&self) -> usize {
        self.group_dimension + self.lines.len()
    }

    /// Whether there are group elements at all.
    pub fn has_groups(&self) -> bool {
        !self.factors.is_empty()
    }

    /// Replaces each group element by the nearest one of its group.
    pub fn project(&self, x: &mut [f64]) -> Result<(), Fault> {
        self.factors
            .iter()
            .try_for_each(|f| f.group.project(f.element_mut(x)))
            .map_err(|_| Fault::Singular)
    }

    /// How far the state is off the space: the largest violation of the equations of the groups.
    pub fn distance(&self, x: &[f64]) -> f64 {
        let distances = self.factors.iter().map(|f| f.group.distance(f.element(x)));
        distances.fold(
            0.0,
            |worst, d| if d > worst || d.is_nan() { d } else { worst },
        )
    }

    /// The velocity at x that the rates of its components come from: g⁻¹g' for each element.
    pub fn velocity(&self, x: &[f64], rates: &[f64], xi: &mut [f64]) {
        for f in &self.factors {
            f.group
                .nearest_velocity(f.element(x), f.element(rates), f.velocity_mut(xi));
        }
        for (xi, &k) in xi[self.group_dimension..].iter_mut().zip(&self.lines) {
            *xi = rates[k];
        }
    }

    /// next = x · exp(σ), on lines x + σ.
    pub fn displace(&self, x: &[f64], sigma: &[f64], next: &mut [f64]) {
        for f in &self.factors {
            f.group
                .times_exp(f.element(x), f.velocity(sigma), f.element_mut(next));
        }
        for (s, &k) in sigma[self.group_dimension..].iter().zip(&self.lines) {
            next[k] = x[k] + s;
        }
    }

    /// The coordinates of x in the chart around itself: 0 for groups, x on lines.
    pub(super) fn chart_origin(&self, x: &[f64], sigma: &mut [f64]) {
        sigma[..self.group_dimension].fill(0.0);
        for (s, &k) in sigma[self.group_dimension..].iter_mut().zip(&self.lines) {
            *s = x[k];
        }
    }

    /// The point with coordinates σ in the chart around x: x · exp(σ), on lines σ.
    pub(super) fn chart_point(&self, x: &[f64], sigma: &[f64], point: &mut [f64]) {
        for f in &self.factors {
            f.group
                .times_exp(f.element(x), f.velocity(sigma), f.element_mut(point));
        }
        for (s, &k) in sigma[self.group_dimension..].iter().zip(&self.lines) {
            point[k] = *s;
        }
    }

    /// σ' for a point that moves with velocity ξ and has coordinates σ in a chart.
    pub(super) fn chart_rate(
        &self,
        sigma: &[f64],
        xi: &[f64],
        rate: &mut [f64],
    ) -> Result<(), Fault> {
        for f in &self.factors {
            let (sigma, xi) = (f.velocity(sigma), f.velocity(xi));
            exponential_rate(f.group, sigma, xi, f.velocity_mut(rate))?;
        }
        rate[self.group_dimension..].copy_from_slice(&xi[self.group_dimension..]);
        Ok(())
    }
}

/// σ' where g(t) = g₀ exp(σ(t)) moves with the body velocity ξ: dexp⁻¹ on the left.
fn exponential_rate(
    group: Group,
    sigma: &[f64],
    xi: &[f64],
    rate: &mut [f64],
) -> Result<(), Fault> {
    if !group.is_abelian() && group.angle(sigma).abs() > LARGEST_ANGLE {
        return Err(Fault::NotConverged);
    }
    group
        .dexp_inverse(Trivialization::Body, sigma, xi, rate)
        .map_err(|_| Fault::NotConverged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_elements_that_do_not_fit() {
        let dimension = 12;
        let outside = |place| Err(SpaceError::Outside { place, dimension });
        assert_eq!(Space::new(dimension, &[(Group::SO3, 4)]), outside(4));
        assert_eq!(
            Space::new(dimension, &[(Group::SO3, usize::MAX)]),
            outside(usize::MAX)
        );
        let overlap = Space::new(dimension, &[(Group::SO2, 2), (Group::SU2, 5)]);
        assert_eq!(overlap, Err(SpaceError::Overlap(5)));
    }

    #[test]
    fn refuses_to_wind_up() {
        let mut rate = [0.0; 3];
        let fault = exponential_rate(Group::SO3, &[6.2, 0.0, 0.0], &[1.0; 3], &mut rate);
        assert_eq!(fault, Err(Fault::NotConverged));
    }

    #[test]
    fn vector_groups_are_lines() {
        let space = Space::new(7, &[(Group::R(3), 4), (Group::SU2, 0)]).unwrap();
        assert_eq!(
            (space.velocities(), space.lines.as_slice()),
            (6, &[4, 5, 6][..])
        );
    }
}
