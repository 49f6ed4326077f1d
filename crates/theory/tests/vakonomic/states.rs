//! Admissible multipliers at single states.

use crate::check::judge;
use crate::models::*;
use crate::support::{Given, Numbers, close, given, rk4};
use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, Symbol, Tape};
use rattleback_theory::Effort;
use rattleback_theory::vakonomic::{Equivalence, Outcome};

/// A system, values of a state, and the dimension of the set of multipliers, if there are any.
type Row<'a> = (&'a str, &'a [(&'a str, i64, i64)], Option<usize>);

/// The sets of admissible initial multipliers (VE 4.2), decided exactly at one state.
#[test]
fn admissible_multipliers_at_states() {
    let table: &[Row] = &[
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 3, 2),
                ("phi'", 7, 10),
            ],
            Some(0),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 3, 2),
                ("phi'", 0, 1),
            ],
            Some(1),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 0, 1),
                ("phi'", 7, 10),
            ],
            Some(0),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 0, 1),
                ("phi'", 0, 1),
            ],
            Some(2),
        ),
        (PARTICLE, &[("x", 1, 2), ("x'", 4, 5), ("y'", 3, 5)], None),
        (
            PARTICLE,
            &[("x", 1, 2), ("x'", 4, 5), ("y'", 0, 1)],
            Some(0),
        ),
        (
            PARTICLE,
            &[("x", 1, 2), ("x'", 0, 1), ("y'", 3, 5)],
            Some(0),
        ),
        (
            HEISENBERG,
            &[("x", 1, 2), ("y", 1, 5), ("x'", 4, 5), ("y'", 3, 5)],
            Some(0),
        ),
        (
            CARRIAGE,
            &[("theta", 2, 5), ("psi1'", 3, 2), ("theta'", 7, 10)],
            Some(1),
        ),
        (
            CARRIAGE,
            &[("theta", 2, 5), ("psi1'", 3, 2), ("theta'", 0, 1)],
            Some(2),
        ),
        (
            SPHERE,
            &[
                ("theta", 1, 1),
                ("psi", 3, 10),
                ("phi", 1, 5),
                ("theta'", 1, 2),
                ("psi'", 7, 10),
                ("phi'", 2, 5),
            ],
            Some(0),
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 1, 2), ("theta'", 3, 10)],
            None,
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 1, 2), ("theta'", 0, 1)],
            Some(0),
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 0, 1), ("theta'", 3, 10)],
            Some(0),
        ),
    ];
    for (text, state, expected) in table {
        let g = given(text);
        let report = judge(&g);
        let point = frame_state(&g, &report, state);
        match (report.at(&point, Effort::unlimited()), expected) {
            (Outcome::Consistent(found), Some(dimension)) => {
                assert_eq!(found.dimension(), *dimension, "{} {state:?}", g.model.name);
            }
            (Outcome::Inconsistent { value, .. }, None) => assert!(value.excludes_zero()),
            (other, _) => panic!("{} {state:?}: {other:?}", g.model.name),
        }
    }
}

/// A state in the frame's velocities from one in the coordinates' velocities; the parameters at
/// their values. The frames of these systems have one base velocity each.
pub fn frame_state(
    g: &Given,
    report: &Equivalence,
    state: &[(&str, i64, i64)],
) -> Vec<(Symbol, Expr)> {
    let c = &report.comparison;
    let value = |name: &str| {
        let found = state.iter().find(|(n, ..)| *n == name);
        found.map_or_else(Expr::zero, |(_, n, d)| Expr::ratio(*n, *d))
    };
    let mut point: Vec<(Symbol, Expr)> = c
        .positions
        .iter()
        .map(|q| (q.clone(), value(q.name())))
        .collect();
    for p in &g.model.parameters {
        point.push((p.symbol.clone(), p.value.clone()));
    }
    let at: Vec<(Symbol, Expr)> = point.clone();
    for v in &c.velocities {
        // A coordinate whose velocity is a multiple of this one.
        let multiple = |i: usize| {
            let factor = c.velocity[i].diff(v);
            (c.velocity[i] == &factor * Expr::from(v) && !factor.is_zero()).then_some((i, factor))
        };
        let owner = (0..c.positions.len()).find_map(multiple);
        let (i, factor) = owner.unwrap_or_else(|| panic!("{v} is no velocity: {:?}", c.velocity));
        let given = value(&c.positions[i].derivative().to_string());
        point.push((v.clone(), given / factor.substitute(&at)));
    }
    point
}

/// The sphere that rolls without spinning has a line of multipliers along its velocity.
#[test]
fn sphere_without_spin() {
    let g = given(SPHERE);
    let report = judge(&g);
    let mut point = frame_state(
        &g,
        &report,
        &[
            ("theta", 1, 1),
            ("psi", 3, 10),
            ("phi", 1, 5),
            ("theta'", 1, 2),
            ("psi'", 7, 10),
        ],
    );
    let c = &report.comparison;
    let i = c
        .positions
        .iter()
        .position(|q| q.name() == "phi")
        .expect("phi");
    let spin = c
        .velocities
        .iter()
        .find(|v| c.velocity[i] == Expr::from(*v))
        .expect("a velocity");
    for (s, e) in &mut point {
        if s == spin {
            *e = Expr::ratio(-7, 10) * Expr::one().cos();
        }
    }
    let Outcome::Consistent(found) = report.at(&point, Effort::unlimited()) else {
        panic!("not consistent");
    };
    assert_eq!(found.dimension(), 1);
    let d: Vec<f64> = found.directions[0]
        .iter()
        .map(|e| e.evaluate(&[]).expect("a number"))
        .collect();
    assert!(close(
        d[1] / d[0],
        0.607055423125293 / 0.477953646505832,
        1e-12
    ));
}

/// On random systems the exact decision at a state agrees with least squares along the motion.
#[test]
fn exact_and_numerical_decisions_agree() {
    let mut numbers = Numbers::new(3);
    let mut integer = || (3.9 * numbers.next()) as i64;
    for round in 0..6 {
        let (a, b, c, d, e) = match round {
            0 => (0, 0, 0, 1, 2), // a closed form
            _ => (integer(), integer(), integer(), integer(), integer()),
        };
        let text = format!(
            "system random\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             potential {d}*x*y/5 + {e}*(x^2 + y^2)/7\nconstraint z' = ({a}*y + {b}*x*y)*x' + ({c}*x + 1)*y'\n\
             start x = 0.3, y = 0.4, x' = 0.7, y' = -0.5\n"
        );
        let g = given(&text);
        let report = judge(&g);
        let state = [("x", 3, 10), ("y", 4, 10), ("x'", 7, 10), ("y'", -5, 10)];
        let point = frame_state(&g, &report, &state);
        let exact = matches!(
            report.at(&point, Effort::unlimited()),
            Outcome::Consistent(_)
        );
        assert_eq!(exact, spread(&g, &report) < 1e-7, "round {round}: {text}");
    }
}

/// With one constraint: how far μ is from zero where it has to vanish, minimised over μ(0).
fn spread(g: &Given, report: &Equivalence) -> f64 {
    let c = &report.comparison;
    let names = [c.positions.clone(), c.velocities.clone()].concat();
    let size: Expr = c.turning.column(0).iter().map(|e| e.powi(2)).sum::<Expr>();
    let outputs = [
        c.rates.clone(),
        vec![c.reactions[0].clone(), c.transport[(0, 0)].clone(), size],
    ]
    .concat();
    let tape = Tape::new(&names, &outputs).expect("a tape");
    let start = rattleback_compile::StartState::of(&g.problem, &g.system).expect("a start");
    let equations = g.system.equations(Form::Hamel).expect("equations");
    let n = c.rates.len();
    let mut x = start.state_of(&equations).expect("a state");
    x.extend([0.0, 1.0]);
    // State, then the particular and the homogeneous solution of μ' = λ − N μ.
    let rates = |x: &[f64]| {
        let out = tape.evaluate(&x[..n]);
        let mut all = out[..n].to_vec();
        all.push(out[n] - out[n + 1] * x[n]);
        all.push(-out[n + 1] * x[n + 1]);
        all
    };
    let (mut pp, mut ph, mut hh) = (0.0, 0.0, 0.0);
    for _ in 0..40 {
        x = rk4(&rates, &x, 0.05, 10);
        let weight = tape.evaluate(&x[..n])[n + 2];
        pp += weight * x[n] * x[n];
        ph += weight * x[n] * x[n + 1];
        hh += weight * x[n + 1] * x[n + 1];
    }
    match hh > 0.0 {
        true => (pp - ph * ph / hh).max(0.0).sqrt(),
        false => 0.0,
    }
}
