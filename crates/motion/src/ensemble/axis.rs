//! What is varied, in words: `m=0.5:2:11`, `m=1,2,5`, `theta'~normal(0,1)`.

use super::error::EnsembleError;
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution as _;
use rattleback_language::{Model, Source, Values};

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
                let share = number as f64 / (count.max(&2) - 1) as f64;
                from * (1.0 - share) + to * share
            }
            AxisValues::List(values) => values[number],
        }
    }
}

/// The longest axis.
const LONGEST: usize = 100_000_000;

/// The finite value of an expression in numbers and the model's parameters, such as `pi/2`.
fn constant(model: &Model, text: &str) -> Option<f64> {
    let value = model.expression(&Source::new("--vary", text)).ok()?;
    let number = Values::of(model).number(value.as_scalar()?)?;
    number.is_finite().then_some(number)
}

impl Axis {
    /// Reads `NAME=FROM:TO:COUNT` (equal steps, both ends included) or `NAME=V1,V2,…`, with constant
    /// expressions for values.
    pub fn parse(model: &Model, text: &str) -> Result<Self, EnsembleError> {
        let bad = |why: &str| {
            EnsembleError::Text(format!(
                "`--vary {text}`: {why}; write NAME=FROM:TO:COUNT or NAME=V1,V2,…"
            ))
        };
        let (name, range) = text.split_once('=').ok_or_else(|| bad("there is no `=`"))?;
        let number = |s: &str| {
            constant(model, s).ok_or_else(|| bad(&format!("`{}` is not a number", s.trim())))
        };
        let parts: Vec<&str> = range.split(':').collect();
        let values = match parts[..] {
            [from, to, count] => {
                let (from, to) = (number(from)?, number(to)?);
                let whole = |n: &f64| n.fract() == 0.0 && (1.0..=LONGEST as f64).contains(n);
                let count = constant(model, count).filter(whole).ok_or_else(|| {
                    bad(&format!(
                        "the count is not a whole number from 1 to {LONGEST}"
                    ))
                })?;
                AxisValues::Range {
                    from,
                    to,
                    count: count as usize,
                }
            }
            [list] => AxisValues::List(list.split(',').map(number).collect::<Result<_, _>>()?),
            _ => return Err(bad("a range has three parts")),
        };
        Ok(Self {
            name: name.trim().into(),
            values,
        })
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

impl Sample {
    /// Reads `NAME~normal(MEAN,DEVIATION)`, `NAME~uniform(FROM,TO)` or `NAME~lognormal(MU,SIGMA)`, with
    /// constant expressions for numbers.
    pub fn parse(model: &Model, text: &str) -> Result<Self, EnsembleError> {
        let bad = |why: &str| {
            EnsembleError::Text(format!(
                "`--sample {text}`: {why}; write NAME~normal(MEAN,DEVIATION), NAME~uniform(FROM,TO) \
                 or NAME~lognormal(MU,SIGMA)"
            ))
        };
        let (name, law) = text.split_once('~').ok_or_else(|| bad("there is no `~`"))?;
        let (word, rest) = law.split_once('(').ok_or_else(|| bad("there is no `(`"))?;
        let inside = rest
            .trim()
            .strip_suffix(')')
            .ok_or_else(|| bad("there is no `)`"))?;
        let numbers: Vec<f64> = inside
            .split(',')
            .map(|s| constant(model, s))
            .collect::<Option<_>>()
            .ok_or_else(|| bad("its arguments are not numbers"))?;
        let [a, b] = numbers[..] else {
            return Err(bad("a distribution has two arguments"));
        };
        let distribution = match word.trim() {
            "normal" if b >= 0.0 => Distribution::Normal(a, b),
            "lognormal" if b >= 0.0 => Distribution::LogNormal(a, b),
            "normal" | "lognormal" => return Err(bad("the deviation is negative")),
            "uniform" if a <= b => Distribution::Uniform(a, b),
            "uniform" => return Err(bad("the ends are in the wrong order")),
            other => return Err(bad(&format!("there is no distribution `{other}`"))),
        };
        Ok(Self {
            name: name.trim().into(),
            distribution,
        })
    }
}

impl Distribution {
    /// One number.
    pub(super) fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        // Parsing has made sure that deviations are not negative.
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
pub(super) mod tests {
    use super::*;

    pub fn model() -> Model {
        let text = "system s\nparam m = 2\ncoord q\nkinetic m*q'^2/2\n";
        let parsed = rattleback_language::parse(&Source::new("s.mech", text));
        parsed.model.unwrap()
    }

    #[test]
    fn ranges_include_both_ends() {
        let all = |text: &str| -> Vec<f64> {
            let values = Axis::parse(&model(), text).unwrap().values;
            (0..values.count()).map(|k| values.value(k)).collect()
        };
        assert_eq!(Axis::parse(&model(), "m = 0.5:2:4").unwrap().name, "m");
        assert_eq!(all("m = 0.5:2:4"), [0.5, 1.0, 1.5, 2.0]);
        assert_eq!(all("theta'=1,2,5"), [1.0, 2.0, 5.0]);
        assert_eq!(all("m=3:4:1"), [3.0]);
        assert_eq!(all("m=0:2*m:1e1/5"), [0.0, 4.0]);
        assert_eq!(all("m=1/4,pi"), [0.25, std::f64::consts::PI]);
        for wrong in [
            "m",
            "m=",
            "m=1:2",
            "m=1:2:0",
            "m=1:2:1.5",
            "m=1:2:1e12",
            "m=1:q:2",
            "m=a:2:3",
            "m=1:inf:3",
            "m=1:2:3:4",
        ] {
            let text = Axis::parse(&model(), wrong).unwrap_err().to_string();
            assert!(text.contains("FROM:TO:COUNT"), "{text}");
        }
    }

    #[test]
    fn distributions_are_read() {
        let sample = Sample::parse(&model(), "theta' ~ normal(0, 0.5)").unwrap();
        assert_eq!(sample.name, "theta'");
        assert_eq!(sample.distribution, Distribution::Normal(0.0, 0.5));
        for wrong in [
            "m",
            "m~normal(1)",
            "m~normal(0,-1)",
            "m~uniform(2,1)",
            "m~gauss(0,1)",
        ] {
            assert!(Sample::parse(&model(), wrong).is_err(), "{wrong}");
        }
    }

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
