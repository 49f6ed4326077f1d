//! Which part of the equations has no value where a motion ends, or has grown out of bounds.

use rattleback_compile::Motion;
use rattleback_compile::program::Interpreter;

/// A part that has grown this much is out of bounds.
const OUT_OF_BOUNDS: f64 = 1e4;
/// Of parts that have grown alike, up to this factor, the first is where it begins.
const ALIKE: f64 = 1e3;
/// Formulas longer than this are not shown.
const LONGEST: usize = 160;

/// Names the part, with its value.
pub(super) fn culprit(motion: &Motion, start: (f64, &[f64]), end: (f64, &[f64])) -> Option<String> {
    let (parts, program) = motion.parts().ok()?;
    let interpreter = Interpreter::new(program);
    let values = |(t, x): (f64, &[f64])| {
        let inputs: Vec<f64> = std::iter::once(t).chain(x.iter().copied()).collect();
        interpreter.values(&inputs).ok()
    };
    let (before, now) = (values(start)?, values(end)?);
    let broken = now.iter().position(|v| !v.is_finite());
    let found = broken.or_else(|| outgrown(&before, &now))?;
    let formula = parts[found].to_string();
    (formula.chars().count() <= LONGEST)
        .then(|| format!("`{formula}` is {} there", shown(now[found])))
}

fn shown(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.3e}")
    } else {
        value.to_string()
    }
}

/// The first part among those that have grown most.
fn outgrown(before: &[f64], now: &[f64]) -> Option<usize> {
    let growth: Vec<f64> = before
        .iter()
        .zip(now)
        .map(|(before, now)| now.abs() / (1.0 + before.abs()))
        .collect();
    let most = growth.iter().copied().fold(0.0, f64::max);
    let first = growth.iter().position(|g| *g >= most / ALIKE)?;
    (most >= OUT_OF_BOUNDS).then_some(first)
}
