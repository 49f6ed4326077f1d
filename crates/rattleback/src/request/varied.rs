//! What an ensemble varies, in words: `m=0.5:2:11`, `m=1,2,5`, `theta'~normal(0,1)`.

use crate::ensemble::{Axis, AxisValues, Distribution, EnsembleError, Members, Sample};
use crate::language::{Model, Source, Values};
use crate::mechanics::Varied;

/// What differs, found in the model by name, in the order of [`Members::names`].
pub fn varied(model: &Model, members: &Members) -> Result<Vec<Varied>, EnsembleError> {
    let names = members.names();
    let found = names.iter().map(|name| Varied::named(model, name));
    Ok(found.collect::<Result<_, _>>()?)
}

/// The longest axis.
const LONGEST: usize = 100_000_000;

/// The finite value of an expression in numbers and the model's parameters, such as `pi/2`.
fn constant(model: &Model, text: &str) -> Option<f64> {
    let value = model.expression(&Source::new("--vary", text)).ok()?;
    let number = Values::of(model).number(value.as_scalar()?)?;
    number.is_finite().then_some(number)
}

/// Reads `NAME=FROM:TO:COUNT` (equal steps, both ends included) or `NAME=V1,V2,…`, with constant
/// expressions for values.
pub fn axis(model: &Model, text: &str) -> Result<Axis, EnsembleError> {
    let bad = |why: &str| {
        EnsembleError::Text(format!(
            "`--vary {text}`: {why}; write NAME=FROM:TO:COUNT or NAME=V1,V2,…"
        ))
    };
    let (name, range) = text.split_once('=').ok_or_else(|| bad("there is no `=`"))?;
    let number =
        |s: &str| constant(model, s).ok_or_else(|| bad(&format!("`{}` is not a number", s.trim())));
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
    Ok(Axis {
        name: name.trim().into(),
        values,
    })
}

/// Reads `NAME~normal(MEAN,DEVIATION)`, `NAME~uniform(FROM,TO)` or `NAME~lognormal(MU,SIGMA)`, with
/// constant expressions for numbers.
pub fn sample(model: &Model, text: &str) -> Result<Sample, EnsembleError> {
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
    Ok(Sample {
        name: name.trim().into(),
        distribution,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let text = "system s\nparam m = 2\ncoord q\nkinetic m*q'^2/2\n";
        let parsed = crate::language::parse(&Source::new("s.mech", text));
        parsed.model.unwrap()
    }

    #[test]
    fn ranges_include_both_ends() {
        let all = |text: &str| -> Vec<f64> {
            let values = axis(&model(), text).unwrap().values;
            (0..values.count()).map(|k| values.value(k)).collect()
        };
        assert_eq!(axis(&model(), "m = 0.5:2:4").unwrap().name, "m");
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
            let text = axis(&model(), wrong).unwrap_err().to_string();
            assert!(text.contains("FROM:TO:COUNT"), "{text}");
        }
    }

    #[test]
    fn distributions_are_read() {
        let read = sample(&model(), "theta' ~ normal(0, 0.5)").unwrap();
        assert_eq!(read.name, "theta'");
        assert_eq!(read.distribution, Distribution::Normal(0.0, 0.5));
        for wrong in [
            "m",
            "m~normal(1)",
            "m~normal(0,-1)",
            "m~uniform(2,1)",
            "m~gauss(0,1)",
        ] {
            assert!(sample(&model(), wrong).is_err(), "{wrong}");
        }
    }
}
