//! Why a motion ended early: which expression, when, in which state, and what to try.

use rattleback_compile::program::Interpreter;
use rattleback_compile::{EvaluationError, Motion, RegularKind};
use rattleback_integrate::{DriveError, Fault};
use rattleback_mechanics::Form;
use rattleback_symbolic::Expr;

use super::culprit::culprit;
use super::feature::Missed;
use super::rank;
use super::watch::{Barrier, Lost};

/// Formulas longer than this are named but not written out.
const LONGEST: usize = 160;
/// A condition below this fails; one below the other is likely to, where the way is barred.
const FAILING: f64 = 1e-6;
const SMALL: f64 = 0.1;
/// So many widths off, something narrow is near.
const NEAR: f64 = 1e3;
/// State components that a message names.
const MOST: usize = 12;

/// The whole story of a failed motion that began at `start`, in a frame of the constraints that
/// needs `of_frame` not to vanish.
pub(super) fn explain(
    motion: &Motion,
    of_frame: &[Expr],
    start: (f64, &[f64]),
    error: &DriveError,
    barrier: Option<&Barrier>,
    missed: Option<&Missed>,
) -> String {
    if let (DriveError::Barred { t, state }, Some(Barrier::Breach(done))) = (error, barrier) {
        return broken(motion, done, *t, state);
    }
    let Some(Told {
        what,
        t,
        state,
        advice,
    }) = told(motion, error, barrier)
    else {
        return error.to_string();
    };
    let mut message = format!("{what} at t = {t}");
    if let DriveError::Barred { .. } = error {
        if let Some((_, said)) = condition(motion, *t, state, SMALL) {
            message += &format!("; {said}");
        }
        let state = place(motion, state);
        return format!("{message}\n  state: {state}\n  help: {advice}");
    }
    let beyond = match error {
        DriveError::Fault { .. } => beyond(motion, *t, state),
        _ => None,
    };
    let (at, x) = beyond.as_ref().map_or((*t, state), |(at, x)| (*at, x));
    let failing = condition(motion, at, x, FAILING);
    let help = match &failing {
        Some((e, _)) if of_frame.contains(e) => format!(
            "the frame of the constraints ends there, the motion need not: try ‹form {}›",
            Form::LagrangeDAlembert
        ),
        _ => advice.into(),
    };
    let causes = [
        missed.and_then(|missed| narrow(missed, error)),
        failing.map(|(_, said)| said),
        rank::lost(motion, start, (at, x)),
        fastest(motion, at, x),
        culprit(motion, start, (at, x)),
    ];
    for cause in causes.into_iter().flatten() {
        message += &format!("; {cause}");
    }
    format!(
        "{message}\n  state: {}\n  help: {help}",
        place(motion, state)
    )
}

/// A failure in words.
struct Told<'a> {
    what: String,
    t: &'a f64,
    state: &'a [f64],
    advice: &'static str,
}

/// What a failure is, where, and what to try; nothing where it speaks for itself.
fn told<'a>(motion: &Motion, error: &'a DriveError, barrier: Option<&Barrier>) -> Option<Told<'a>> {
    let (what, t, state, advice) = match error {
        DriveError::Barred { t, state } => {
            let (what, advice) = barred(barrier, motion);
            (what, t, state, advice)
        }
        DriveError::StepUnderflow { t, h, state } => (
            format!(
                "the step size fell to {h:.1e}: the motion comes to a singularity, or passes one more closely than its \
                 numbers resolve,"
            ),
            t,
            state,
            "end before it with ‹until›, or loosen ‹rtol›",
        ),
        DriveError::Stalled { t, h, state } => (
            format!(
                "the steps have shrunk to {h:.1e} and do not grow again: the motion comes to a singularity, or \
                 the system is stiff,"
            ),
            t,
            state,
            "end before it with ‹until›, try ‹method radau5› if the system is stiff, or loosen ‹rtol›",
        ),
        DriveError::Fault { t, state, fault } => (
            match fault {
                // Which one is told below, by name.
                Fault::NotFinite(_) => "the equations have no finite value".into(),
                _ => fault.to_string(),
            },
            t,
            state,
            match fault {
                Fault::NotConverged => "try a smaller ‹step›, or another ‹method›",
                Fault::LongStep | Fault::LongTurn => "try a smaller ‹step›",
                _ => "start elsewhere with ‹set›, or end before it with ‹until›",
            },
        ),
        DriveError::TooManySteps { t, state, steps } => (
            format!("{steps} steps were not enough"),
            t,
            state,
            "try ‹method radau5› if the system is stiff, loosen ‹rtol›, or allow more with ‹max-steps›",
        ),
        _ => return None,
    };
    Some(Told {
        what,
        t,
        state,
        advice,
    })
}

/// What is too narrow for steps, where they have become too short in front of it.
fn narrow(missed: &Missed, error: &DriveError) -> Option<String> {
    let (DriveError::StepUnderflow { t, .. } | DriveError::Stalled { t, .. }) = error else {
        return None;
    };
    let Missed { time, width, .. } = missed;
    ((t - time).abs() <= NEAR * width).then(|| {
        format!(
            "what {} does at t = {time} is too narrow to be stepped through",
            missed.name()
        )
    })
}

/// What bars the way, and what to try.
fn barred(barrier: Option<&Barrier>, motion: &Motion) -> (String, &'static str) {
    const ELSEWHERE: &str = "end before it with ‹until›, or start elsewhere with ‹set›";
    const MULTIPLIERS: &str = "the motion may go on: try ‹form lagrange-dalembert› ‹method taylor›, or end before it with ‹until›";
    let lost = match barrier {
        Some(Barrier::Lost(loss)) => &loss.what,
        _ => {
            let what = "the state is too far off the constraints to be moved back, after the step that begins";
            return (
                what.into(),
                "try a smaller ‹rtol› or ‹step›, or another ‹form›",
            );
        }
    };
    let advice = match motion.has_moving_frame() {
        true => MULTIPLIERS,
        false => ELSEWHERE,
    };
    (lost_kind(lost), advice)
}

/// What is not regular, in words that go on with a place.
fn lost_kind(lost: &RegularKind) -> String {
    match lost {
        RegularKind::Constraints => {
            "the constraints lose their rank, and with it what they determine,".into()
        }
        RegularKind::Frame => "the frame of the constraints ends".into(),
        RegularKind::Condition(c) => {
            format!("`{}` must not vanish, but does", short(&c.to_string()))
        }
        RegularKind::Solve(unknowns) => {
            let names: Vec<String> = unknowns.iter().map(ToString::to_string).collect();
            format!(
                "the equations for {} are singular",
                short(&names.join(", "))
            )
        }
    }
}

/// The story of a motion on which something has no finite value, though its rates have.
pub(super) fn lost(motion: &Motion, lost: &Lost) -> String {
    let Lost {
        name,
        value,
        time,
        state,
        singular,
    } = lost;
    if let Some(singular) = singular {
        let said = condition(motion, *time, state, FAILING).map(|(_, said)| format!("; {said}"));
        return format!(
            "{} at t = {time}, where `{name}` has no value{}\n  state: {}\n  help: start elsewhere with ‹set›, or state \
             constraints that are independent there",
            lost_kind(singular),
            said.unwrap_or_default(),
            place(motion, state)
        );
    }
    format!(
        "`{name}` is {value} at t = {time}, which is no finite value\n  state: {}\n  help: start elsewhere with ‹set›, \
         end before it with ‹until›, or try another ‹form›",
        place(motion, state)
    )
}

/// The story of a motion that leaves what the model assumes.
pub(super) fn broken(motion: &Motion, done: &str, time: f64, state: &[f64]) -> String {
    format!(
        "the motion {done} at t = {time}: beyond, its equations need not hold\n  state: {}\n  help: end before it \
         with ‹until›, start elsewhere with ‹set›, or change what the model asks for",
        place(motion, state)
    )
}

fn inputs(t: f64, state: &[f64]) -> Vec<f64> {
    std::iter::once(t).chain(state.iter().copied()).collect()
}

/// A motion ends before the place where the equations have no value: that place, along the last rates.
fn beyond(motion: &Motion, t: f64, state: &[f64]) -> Option<(f64, Vec<f64>)> {
    let rates = Interpreter::new(motion.rates().ok()?);
    let slope = rates.values(&inputs(t, state)).ok()?;
    let ahead = |h: f64| -> Vec<f64> { state.iter().zip(&slope).map(|(x, v)| x + h * v).collect() };
    let steps = (1..12).rev().map(|k| 10f64.powi(-k) * (1.0 + t.abs()));
    let mut places = steps.map(|h| (t + h, ahead(h)));
    let all_finite = |values: Vec<f64>| values.iter().all(|v| v.is_finite());
    places.find(|(t, x)| !rates.values(&inputs(*t, x)).is_ok_and(all_finite))
}

/// A condition of the equations that fails, its value below a bound, and what is to be said of it.
fn condition<'a>(
    motion: &'a Motion,
    t: f64,
    state: &[f64],
    below: f64,
) -> Option<(&'a Expr, String)> {
    let conditions = motion.program(&motion.conditions).ok()?;
    let values = Interpreter::new(conditions)
        .values(&inputs(t, state))
        .ok()?;
    let all = motion.conditions.iter().zip(values);
    let (e, v) = all.min_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))?;
    (v.abs() < below).then(|| {
        let formula = short(&e.to_string());
        let said = format!("`{formula}` must not vanish, but is {v:.3e} there");
        (e, said)
    })
}

/// A solve without a solution, or the rate that is not finite or the fastest.
fn fastest(motion: &Motion, t: f64, state: &[f64]) -> Option<String> {
    let rates = Interpreter::new(motion.rates().ok()?);
    let values = match rates.values(&inputs(t, state)) {
        Err(fault) => return Some(EvaluationError::of(fault, rates.program()).to_string()),
        Ok(values) => values,
    };
    let size = |k: usize| {
        let relative = values[k].abs() / (1.0 + state[k].abs());
        if relative.is_nan() {
            f64::INFINITY
        } else {
            relative
        }
    };
    let worst = (0..values.len()).max_by(|&i, &j| size(i).total_cmp(&size(j)))?;
    let (name, value) = (&motion.state[worst], values[worst]);
    Some(format!("the rate of `{name}` is {value:.3e} there"))
}

pub(super) fn short(formula: &str) -> String {
    if formula.chars().count() <= LONGEST {
        return formula.into();
    }
    let head: String = formula.chars().take(LONGEST).collect();
    format!("{head}…")
}

/// The nearest number with seven significant digits: small values are not 0.
fn seven_digits(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(x)
}

fn place(motion: &Motion, state: &[f64]) -> String {
    let all = motion.state.iter().zip(state);
    let mut names: Vec<String> = all
        .take(MOST)
        .map(|(s, v)| format!("{s} = {:?}", seven_digits(*v)))
        .collect();
    if state.len() > MOST {
        names.push(format!("and {} more", state.len() - MOST));
    }
    names.join(", ")
}
