//! The members of an ensemble: every point of a grid, several draws at each.

use super::axis::{Axis, Sample};
use super::error::EnsembleError;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Who the members are. A member's values depend on its number and the seed only.
#[derive(Clone, Debug)]
pub struct Members {
    axes: Vec<Axis>,
    samples: Vec<Sample>,
    draws: usize,
    count: usize,
    seed: u64,
}

impl Members {
    /// All points of the grid that the axes span, with `draws` random draws of the samples at each.
    pub fn new(
        axes: Vec<Axis>,
        samples: Vec<Sample>,
        draws: usize,
        seed: u64,
    ) -> Result<Self, EnsembleError> {
        let size = |text: &str| EnsembleError::Size(text.into());
        if axes.is_empty() && samples.is_empty() {
            return Err(size("nothing is varied: say ‹vary› or ‹sample›"));
        }
        if draws == 0 {
            return Err(size(
                "an ensemble has at least one member: -n must be positive",
            ));
        }
        let count = axes
            .iter()
            .try_fold(draws, |n, axis| n.checked_mul(axis.values.count()))
            .ok_or_else(|| size("the grid has more points than can be counted"))?;
        Ok(Self {
            axes,
            samples,
            draws,
            count,
            seed,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many quantities differ.
    pub fn varied(&self) -> usize {
        self.axes.len() + self.samples.len()
    }

    /// The names of what differs, in the order of the values.
    pub fn names(&self) -> Vec<String> {
        let axes = self.axes.iter().map(|a| a.name.clone());
        axes.chain(self.samples.iter().map(|s| s.name.clone()))
            .collect()
    }

    /// Gives what differs the model's own names, in the order of [`names`](Self::names).
    pub(super) fn rename<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let axes = self.axes.iter_mut().map(|axis| &mut axis.name);
        let samples = self.samples.iter_mut().map(|sample| &mut sample.name);
        for (name, new) in axes.chain(samples).zip(names) {
            new.clone_into(name);
        }
    }

    /// Writes the values of a member.
    pub fn values(&self, member: usize, values: &mut [f64]) {
        let (grid, drawn) = values.split_at_mut(self.axes.len());
        let mut rest = member / self.draws;
        // The last axis runs fastest.
        for (value, axis) in grid.iter_mut().zip(&self.axes).rev() {
            let count = axis.values.count();
            *value = axis.values.value(rest % count);
            rest /= count;
        }
        if drawn.is_empty() {
            return;
        }
        // A stream of its own for each member: its draws do not depend on who came before.
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(member as u64);
        for (value, sample) in drawn.iter_mut().zip(&self.samples) {
            *value = sample.distribution.draw(&mut random);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::axis::{AxisValues, Distribution};

    fn axis(name: &str, values: AxisValues) -> Axis {
        let name = name.into();
        Axis { name, values }
    }

    fn members(draws: usize) -> Members {
        let range = AxisValues::Range {
            from: 3.0,
            to: 5.0,
            count: 3,
        };
        let axes = vec![
            axis("m", AxisValues::List(vec![1.0, 2.0])),
            axis("l", range),
        ];
        let sample = Sample {
            name: "x".into(),
            distribution: Distribution::Uniform(0.0, 1.0),
        };
        Members::new(axes, vec![sample], draws, 1).unwrap()
    }

    #[test]
    fn every_point_of_the_grid_is_met() {
        let all = members(2);
        assert_eq!(all.count(), 12);
        let mut points = Vec::new();
        for member in 0..12 {
            let mut v = [0.0; 3];
            all.values(member, &mut v);
            points.push((v[0], v[1]));
        }
        assert_eq!(
            points[..4],
            [(1.0, 3.0), (1.0, 3.0), (1.0, 4.0), (1.0, 4.0)]
        );
        assert_eq!(points[11], (2.0, 5.0));
    }

    #[test]
    fn draws_depend_on_member_and_seed_only() {
        let (mut one, mut two) = ([0.0; 3], [0.0; 3]);
        members(5).values(17, &mut one);
        members(5).values(17, &mut two);
        assert_eq!(one, two);
        members(5).values(18, &mut two);
        assert_ne!(one[2], two[2]);
    }

    #[test]
    fn nothing_varied_is_refused() {
        assert!(Members::new(vec![], vec![], 3, 0).is_err());
        let axis = vec![axis("m", AxisValues::List(vec![1.0, 2.0]))];
        assert!(Members::new(axis, vec![], 0, 0).is_err());
    }
}
