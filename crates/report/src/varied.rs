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
    let value = model.expression(&Source::new("vary", text)).ok()?;
    let number = Values::of(model).number(value.as_scalar()?)?;
    number.is_finite().then_some(number)
}

/// Reads `NAME=FROM:TO:COUNT` (equal steps, both ends included) or `NAME=V1,V2,…`, with constant
/// expressions for values.
pub fn axis(model: &Model, text: &str) -> Result<Axis, EnsembleError> {
    let bad = |why: &str| {
        EnsembleError::Text(format!(
            "`‹vary {text}›`: {why}; write NAME=FROM:TO:COUNT or NAME=V1,V2,…"
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
            "`‹sample {text}›`: {why}; write NAME~normal(MEAN,DEVIATION), NAME~uniform(FROM,TO) \
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
