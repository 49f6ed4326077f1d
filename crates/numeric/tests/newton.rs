//! Newton's method on standard systems, and on those that have no solution.

use rattleback_numeric::{Guess, Newton, Outcome, Verdict, Workspace};

/// The outcome and the last point.
fn solve(
    n: usize,
    guess: Guess<'_>,
    mut equations: impl FnMut(&[f64], &mut [f64], &mut [f64]),
) -> (Outcome, Vec<f64>) {
    let mut memory = vec![0.0; Workspace::length(n)];
    let mut work = Workspace::of(n, &mut memory);
    let outcome = Newton::default().solve(guess, &mut work, |x, values| {
        let (jacobian, residual) = values.split_at_mut(n * n);
        equations(x, jacobian, residual);
        Ok::<(), ()>(())
    });
    (outcome.unwrap(), work.solution().to_vec())
}

#[track_caller]
fn assert_found(found: &(Outcome, Vec<f64>), expected: &[f64]) {
    assert_eq!(found.0.verdict, Verdict::Converged, "{found:?}");
    for (x, e) in found.1.iter().zip(expected) {
        assert!((x - e).abs() < 1e-12 * (1.0 + e.abs()), "{found:?}");
    }
}

/// Rosenbrock as equations: 10(y − x²), 1 − x.
#[test]
fn rosenbrock() {
    let equations = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        j.copy_from_slice(&[-20.0 * x[0], 10.0, -1.0, 0.0]);
        r.copy_from_slice(&[10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]);
    };
    assert_found(
        &solve(2, Guess::Given(&[-1.2, 1.0]), equations),
        &[1.0, 1.0],
    );
    assert_found(&solve(2, Guess::Zero, equations), &[1.0, 1.0]);
}

/// Powell's badly scaled function: 10⁴xy − 1, e^−x + e^−y − 1.0001.
#[test]
fn powell_badly_scaled() {
    let equations = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        let (a, b) = ((-x[0]).exp(), (-x[1]).exp());
        j.copy_from_slice(&[1e4 * x[1], 1e4 * x[0], -a, -b]);
        r.copy_from_slice(&[1e4 * x[0] * x[1] - 1.0, a + b - 1.0001]);
    };
    let found = solve(2, Guess::Given(&[0.0, 1.0]), equations);
    assert_eq!(found.0.verdict, Verdict::Converged, "{found:?}");
    assert!(
        (found.1[0] - 1.098_159_32e-5).abs() < 1e-12 && (found.1[1] - 9.106_146_74).abs() < 1e-7
    );
}

/// Broyden's tridiagonal function with 20 unknowns.
#[test]
fn broyden_tridiagonal() {
    let n = 20;
    let equations = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        j.fill(0.0);
        for i in 0..n {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            let after = if i + 1 < n { x[i + 1] } else { 0.0 };
            r[i] = (3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0;
            j[i * n + i] = 3.0 - 4.0 * x[i];
            if i > 0 {
                j[i * n + i - 1] = -1.0;
            }
            if i + 1 < n {
                j[i * n + i + 1] = -2.0;
            }
        }
    };
    let (outcome, _) = solve(n, Guess::Previous(&vec![-1.0; n]), equations);
    assert_eq!(outcome.verdict, Verdict::Converged);
    assert!(
        outcome.steps < 10 && outcome.residual < 1e-14,
        "{outcome:?}"
    );
}

/// atan x from far away needs damping: plain Newton diverges beyond 1.39.
#[test]
fn damping_saves_the_arctangent() {
    let equations = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        j[0] = 1.0 / (1.0 + x[0] * x[0]);
        r[0] = x[0].atan();
    };
    assert_found(&solve(1, Guess::Given(&[20.0]), equations), &[0.0]);
}

#[test]
fn a_linear_system_takes_one_step_and_one_to_see_it() {
    let equations = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        j.copy_from_slice(&[2.0, 1.0, 1.0, 3.0]);
        r.copy_from_slice(&[2.0 * x[0] + x[1] - 3.0, x[0] + 3.0 * x[1] - 4.0]);
    };
    let found = solve(2, Guess::Zero, equations);
    assert_found(&found, &[1.0, 1.0]);
    assert!(found.0.steps <= 3);
}

#[test]
fn failures_have_names() {
    // x² + 1 has no root: |r| ≥ 1.
    let none = |x: &[f64], j: &mut [f64], r: &mut [f64]| {
        (j[0], r[0]) = (2.0 * x[0], x[0] * x[0] + 1.0);
    };
    let (outcome, _) = solve(1, Guess::Given(&[0.7]), none);
    assert!(
        matches!(outcome.verdict, Verdict::Stalled | Verdict::Diverged),
        "{outcome:?}"
    );
    assert!(outcome.residual >= 1.0);
    // Its Jacobian vanishes at 0.
    let (outcome, x) = solve(1, Guess::Zero, none);
    assert_eq!(
        (outcome.verdict, x[0]),
        (Verdict::Singular { pivot: 0 }, 0.0)
    );
    // e^−x gets small, but there is no root to come to rest at.
    let (outcome, _) = solve(1, Guess::Zero, |x, j, r| {
        (j[0], r[0]) = (-(-x[0]).exp(), (-x[0]).exp());
    });
    assert_eq!(outcome.verdict, Verdict::Diverged, "{outcome:?}");
    // Not a number.
    let (outcome, _) = solve(1, Guess::Zero, |_, j, r| {
        (j[0], r[0]) = (f64::NAN, f64::NAN)
    });
    assert_eq!(outcome.verdict, Verdict::NotFinite);
    let (outcome, _) = solve(1, Guess::Zero, |_, j, r| (j[0], r[0]) = (1.0, f64::NAN));
    assert_eq!(outcome.verdict, Verdict::NotFinite);
    // A fault of the equations is handed on.
    let mut memory = vec![0.0; Workspace::length(1)];
    let mut work = Workspace::of(1, &mut memory);
    let fault = Newton::default().solve(Guess::Zero, &mut work, |_, _| Err("no value"));
    assert_eq!(fault, Err("no value"));
}

#[test]
fn a_double_root_is_found_slowly() {
    let (outcome, x) = solve(1, Guess::Given(&[1.0]), |x, j, r| {
        (j[0], r[0]) = (2.0 * x[0], x[0] * x[0]);
    });
    assert_eq!(outcome.verdict, Verdict::Converged, "{outcome:?}");
    assert!(x[0].abs() < 1e-7);
}

#[test]
fn nothing_to_solve_is_solved() {
    let (outcome, x) = solve(0, Guess::Zero, |_, _, _| {});
    assert_eq!((outcome.verdict, x.len()), (Verdict::Converged, 0));
}
