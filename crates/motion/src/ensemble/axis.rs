//! What is varied: every value of a list, or a number drawn at random.

use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution as _;

/// A quantity that takes every value of a list: one axis of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is varied.
    pub name: String,
    /// Its values.
    pub values: AxisValues,
}

/// The values of an axis. A range is not written out: it may be as long as an ensemble.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisValues {
    /// Equal steps, both ends included.
    Range {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
        /// How many there are.
        count: usize,
    },
    /// These.
    List(Vec<f64>),
}

impl AxisValues {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            AxisValues::Range { count, .. } => *count,
            AxisValues::List(values) => values.len(),
        }
    }

    /// The value with this number, which is less than their count.
    pub fn value(&self, number: usize) -> f64 {
        match self {
            AxisValues::Range { from, to, count } => {
                // Divided last: what is exact in binary stays so.
                let (done, all) = (number as f64, (count.max(&2) - 1) as f64);
                (from * (all - done) + to * done) / all
            }
            AxisValues::List(values) => values[number],
        }
    }
}

/// A quantity that is drawn at random for each member.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What is varied.
    pub name: String,
    /// How it is distributed.
    pub distribution: Distribution,
}

/// A distribution of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The normal distribution with this mean and standard deviation.
    Normal(f64, f64),
    /// The uniform distribution between these ends.
    Uniform(f64, f64),
    /// The exponential of a normal distribution.
    LogNormal(f64, f64),
}

impl Distribution {
    /// One number.
    pub(super) fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        // Whoever made it has seen to it that deviations are not negative.
        let normal = |random: &mut ChaCha8Rng| -> f64 { rand_distr::StandardNormal.sample(random) };
        match self {
            Distribution::Normal(mean, deviation) => mean + deviation * normal(random),
            Distribution::LogNormal(mu, sigma) => (mu + sigma * normal(random)).exp(),
            Distribution::Uniform(from, to) => {
                let share: f64 = rand_distr::StandardUniform.sample(random);
                from + (to - from) * share
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_their_mean_and_spread() {
        use rand_chacha::rand_core::SeedableRng;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut moments = |d: Distribution| {
            let all: Vec<f64> = (0..20_000).map(|_| d.draw(&mut random)).collect();
            let mean = all.iter().sum::<f64>() / 2e4;
            let spread = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2e4;
            (mean, spread)
        };
        let (mean, spread) = moments(Distribution::Normal(3.0, 2.0));
        assert!((mean - 3.0).abs() < 0.06 && (spread - 4.0).abs() < 0.2);
        let (mean, spread) = moments(Distribution::Uniform(-1.0, 2.0));
        assert!((mean - 0.5).abs() < 0.03 && (spread - 0.75).abs() < 0.03);
    }
}
