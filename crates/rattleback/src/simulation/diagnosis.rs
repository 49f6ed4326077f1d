//! Why a motion ended early: which expression, when, in which state, and what to try.

use rattleback_compile::program::Interpreter;
use rattleback_compile::{EvaluationError, Motion};
use rattleback_integrate::{DriveError, Fault};

/// Formulas longer than this are named but not written out.
const LONGEST: usize = 160;
/// State components that a message names.
const MOST: usize = 12;

/// The whole story of a failed motion.
pub(super) fn explain(motion: &Motion, error: &DriveError) -> String {
    let (what, t, state, advice) = match error {
        DriveError::StepUnderflow { t, h, state } => (
            format!("the step size fell to {h:.1e}: the motion comes to a singularity"),
            t,
            state,
            "end before it with --until, or loosen --rtol",
        ),
        DriveError::Fault { t, state, fault } => (
            fault.to_string(),
            t,
            state,
            match fault {
                Fault::NotConverged => "try a smaller --step, or another --method",
                _ => "start elsewhere with --set, or end before it with --until",
            },
        ),
        DriveError::TooManySteps { t, state, steps } => (
            format!("{steps} steps were not enough"),
            t,
            state,
            "try --method radau5 if the system is stiff, or loosen --rtol",
        ),
        other => return other.to_string(),
    };
    let mut message = format!("{what} at t = {t}");
    if let Some(cause) = cause(motion, *t, state) {
        message += &format!("; {cause}");
    }
    format!(
        "{message}\n  state: {}\n  help: {advice}",
        place(motion, state)
    )
}

/// A condition of the equations that fails, a solve without a solution, or the fastest rate.
fn cause(motion: &Motion, t: f64, state: &[f64]) -> Option<String> {
    let inputs: Vec<f64> = std::iter::once(t).chain(state.iter().copied()).collect();
    let conditions = motion.program(&motion.conditions).ok()?;
    if let Ok(values) = Interpreter::new(conditions).values(&inputs) {
        let all = motion.conditions.iter().zip(values);
        let smallest = all.min_by(|x, y| x.1.abs().total_cmp(&y.1.abs()));
        if let Some((e, v)) = smallest.filter(|(_, v)| v.abs() < 1e-6) {
            return Some(format!(
                "`{}` must not vanish, but is {v:.3e} there",
                short(&e.to_string())
            ));
        }
    }
    let rates = Interpreter::new(motion.rates().ok()?);
    match rates.values(&inputs) {
        Err(fault) => Some(EvaluationError::of(fault, rates.program()).to_string()),
        Ok(values) => {
            let worst = (0..values.len()).max_by(|&i, &j| {
                let size = |k: usize| {
                    let relative = values[k].abs() / (1.0 + state[k].abs());
                    if relative.is_nan() {
                        f64::INFINITY
                    } else {
                        relative
                    }
                };
                size(i).total_cmp(&size(j))
            })?;
            let (name, value) = (&motion.state[worst], values[worst]);
            Some(format!("the rate of `{name}` is {value:.3e} there"))
        }
    }
}

fn short(formula: &str) -> String {
    if formula.chars().count() <= LONGEST {
        return formula.into();
    }
    let head: String = formula.chars().take(LONGEST).collect();
    format!("{head}…")
}

fn place(motion: &Motion, state: &[f64]) -> String {
    let all = motion.state.iter().zip(state);
    let mut names: Vec<String> = all
        .take(MOST)
        .map(|(s, v)| format!("{s} = {v:.6}"))
        .collect();
    if state.len() > MOST {
        names.push(format!("and {} more", state.len() - MOST));
    }
    names.join(", ")
}
