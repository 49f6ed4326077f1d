//! Riccati and Lyapunov equations, and what controls can reach.

mod random;

use proptest::prelude::*;
use random::{dense, matrix, orthogonal};
use rattleback_numeric::{
    Complex, Dense, Eigen, LyapunovError, Plant, Reachable, Regulator, RiccatiError, Sampled, Time,
    Weights, lyapunov, margin, stein,
};

fn weights<'a>(state: &'a Dense, control: &'a Dense) -> Weights<'a> {
    Weights {
        state,
        control,
        cross: None,
    }
}

/// M Mᵀ + 1.
fn positive(m: &Dense) -> Dense {
    &(m * &m.transposed()) + &Dense::identity(m.rows())
}

fn growth(time: Time, modes: &[Complex]) -> f64 {
    let of = |mode: &Complex| match time {
        Time::Continuous => mode.re,
        Time::Discrete => mode.modulus() - 1.0,
    };
    modes.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn scalar_equations_in_closed_form() {
    // x' = a x + b u: X = (a + √(a² + b² q/r)) r/b².
    for (a, b, q, r) in [
        (1.0, 2.0, 3.0, 0.5),
        (-4.0, 0.1, 1.0, 1.0),
        (3.0, 1.0, 0.0, 2.0),
    ] {
        let [a_, b_, q_, r_] = [a, b, q, r].map(|x: f64| Dense::of_rows(1, 1, &[x]));
        let plant = Plant {
            a: &a_,
            b: &b_,
            time: Time::Continuous,
        };
        let found = Regulator::of(plant, weights(&q_, &r_)).unwrap();
        let g = b * b / r;
        // The form without cancellation.
        let root = (a * a + g * q).sqrt();
        let exact = if a > 0.0 {
            (a + root) / g
        } else {
            q / (root - a)
        };
        assert!((found.cost[(0, 0)] - exact).abs() < 1e-13 * exact.abs());
        // x ← a x + b u: X = q + a² X/(1 + g X).
        let plant = Plant {
            time: Time::Discrete,
            ..plant
        };
        let found = Regulator::of(plant, weights(&q_, &r_)).unwrap();
        let p = 1.0 - a * a - g * q;
        let root = (p * p + 4.0 * g * q).sqrt();
        let exact = if p < 0.0 {
            (root - p) / (2.0 * g)
        } else {
            2.0 * q / (root + p)
        };
        let off = (found.cost[(0, 0)] - exact).abs();
        assert!(off < 1e-13 * exact.abs(), "{off:e}");
        assert!(growth(Time::Discrete, &found.modes) < 0.0);
    }
}

#[test]
fn what_cannot_be_held_is_named() {
    // Two carts side by side, the force on the first alone.
    let a = Dense::of_rows(3, 3, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    let b = Dense::of_rows(3, 1, &[0.0, 1.0, 0.0]);
    let (q, r) = (Dense::identity(3), Dense::identity(1));
    for time in [Time::Continuous, Time::Discrete] {
        let found = Regulator::of(Plant { a: &a, b: &b, time }, weights(&q, &r));
        match (time, found) {
            (Time::Continuous, Err(RiccatiError::Unstabilisable { mode, margin })) => {
                assert!((mode.re - 0.5).abs() < 1e-12 && margin < 1e-14);
            }
            // In discrete time the lone mode dies out.
            (Time::Discrete, Ok(found)) => assert!(found.residual < 1e-13),
            (_, other) => panic!("{time:?}: {other:?}"),
        }
    }
    // A spring that the cost does not see swings for ever.
    let a = Dense::of_rows(2, 2, &[0.0, 1.0, -4.0, 0.0]);
    let b = Dense::of_rows(2, 1, &[0.0, 1.0]);
    let plant = Plant {
        a: &a,
        b: &b,
        time: Time::Continuous,
    };
    let blind = Dense::zeros(2, 2);
    match Regulator::of(plant, weights(&blind, &r)) {
        Err(RiccatiError::Unseen { mode }) => assert!((mode.im.abs() - 2.0).abs() < 1e-12),
        other => panic!("{other:?}"),
    }
    let negative = r.scaled(-1.0);
    let refused = Regulator::of(plant, weights(&blind, &negative));
    assert_eq!(refused.err(), Some(RiccatiError::ControlWeight));
    let refused = Regulator::of(plant, weights(&q, &r));
    assert_eq!(refused.err(), Some(RiccatiError::Shape));
}

#[test]
fn an_unstable_mode_that_the_cost_does_not_see_is_still_held() {
    // Without a cost of the state the cheapest regulator mirrors the unstable modes.
    let a = Dense::of_rows(2, 2, &[3.0, 1.0, 0.0, -2.0]);
    let b = Dense::of_rows(2, 1, &[1.0, 1.0]);
    let plant = Plant {
        a: &a,
        b: &b,
        time: Time::Continuous,
    };
    let found = Regulator::of(plant, weights(&Dense::zeros(2, 2), &Dense::identity(1))).unwrap();
    let mut modes: Vec<f64> = found.modes.iter().map(|m| m.re).collect();
    modes.sort_by(f64::total_cmp);
    assert!(
        (modes[0] + 3.0).abs() < 1e-10 && (modes[1] + 2.0).abs() < 1e-10,
        "{modes:?}"
    );
}

#[test]
fn equations_without_a_single_solution_are_refused() {
    let centre = Dense::of_rows(2, 2, &[0.0, 1.0, -1.0, 0.0]);
    let one = Dense::identity(2);
    assert_eq!(lyapunov(&centre, &one), Err(LyapunovError::Singular));
    assert_eq!(stein(&one, &one), Err(LyapunovError::Singular));
}

/// SciPy's values, made by `scripts/crosscheck/riccati.py`.
mod scipy {
    include!("random/scipy.rs");
}

#[test]
fn scipy_finds_the_same() {
    for case in scipy::CASES {
        let (n, m) = (case.n, case.m);
        let a = Dense::of_rows(n, n, case.a);
        let b = Dense::of_rows(n, m, case.b);
        let (q, r) = (Dense::of_rows(n, n, case.q), Dense::of_rows(m, m, case.r));
        let same = |found: &Dense, exact: &[f64], tolerance: f64| {
            let exact = Dense::of_rows(found.rows(), found.columns(), exact);
            let off = (found - &exact).norm() / exact.norm();
            assert!(off < tolerance, "{off:e}");
        };
        for (time, exact) in [(Time::Continuous, case.care), (Time::Discrete, case.dare)] {
            let plant = Plant { a: &a, b: &b, time };
            let found = Regulator::of(plant, weights(&q, &r)).unwrap();
            same(&found.cost, exact, 1e-9);
        }
        same(
            &rattleback_numeric::exponential(&a).unwrap(),
            case.exponential,
            1e-12,
        );
        same(&lyapunov(&a, &q).unwrap(), case.lyapunov, 1e-10);
        same(&stein(&a, &q).unwrap(), case.stein, 1e-10);
        let values = Eigen::of(&a).unwrap().values;
        for &(re, im) in case.eigenvalues {
            let near = |l: &Complex| (*l - Complex::new(re, im)).modulus() < 1e-10;
            assert!(values.iter().any(near), "{re} {im}");
        }
    }
}

fn plants() -> impl Strategy<Value = (Dense, Dense, Dense, Dense, Dense)> {
    (1..7usize, 1..4usize).prop_flat_map(|(n, m)| {
        (
            matrix(n, n),
            matrix(n, m),
            matrix(n, n),
            matrix(m, m),
            matrix(n, m),
        )
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(60))]

    #[test]
    fn regulators_hold_random_plants((a, b, q, r, cross) in plants(), discrete in any::<bool>()) {
        let time = if discrete { Time::Discrete } else { Time::Continuous };
        // Q − N R⁻¹ Nᵀ stays positive.
        let (q, r) = (positive(&q), positive(&r));
        let cross = cross.scaled(0.1 / (1.0 + cross.norm()));
        let with = Weights { state: &q, control: &r, cross: Some(&cross) };
        let reached = Reachable::of(&a, &b).unwrap();
        // Plants that are hardly moved have costs beyond all measure.
        prop_assume!(reached.taken > 1e-2 && reached.rank() == a.rows());
        let found = Regulator::of(Plant { a: &a, b: &b, time }, with).unwrap();
        prop_assert!(found.residual < 1e-10, "{:e}", found.residual);
        prop_assert!(growth(time, &found.modes) < 0.0);
        // The cost of the closed loop from x is xᵀ X x: Lyapunov's equation, without cross terms and with the gain.
        let k = &found.gain;
        let closed = (&a - &(&b * k)).transposed();
        let spent = &(&k.transposed() * &r) * k;
        let mixed = &(&cross * k) + &(&cross * k).transposed();
        let rate = (&(&q + &spent) - &mixed).symmetrised();
        let cost = match time {
            Time::Continuous => lyapunov(&closed, &rate),
            Time::Discrete => stein(&closed, &rate),
        }.unwrap();
        let off = (&cost - &found.cost).norm() / found.cost.norm();
        prop_assert!(off < 1e-7, "{off:e}");
    }

    #[test]
    fn lyapunov_solutions_solve(a in dense(1..10), m in matrix(9, 9)) {
        let n = a.rows();
        let q = m.part((0, 0), n, n);
        if let Ok(x) = lyapunov(&a, &q) {
            let left = &(&(&a * &x) + &(&x * &a.transposed())) + &q;
            prop_assert!(left.norm() < 1e-11 * (1.0 + a.norm() * x.norm()));
        }
        if let Ok(x) = stein(&a, &q) {
            let left = &(&(&(&a * &x) * &a.transposed()) - &x) + &q;
            prop_assert!(left.norm() < 1e-11 * (1.0 + a.norm() * a.norm() * x.norm()));
        }
    }

    /// A plant with a part that controls cannot move, hidden by a turn of the coordinates.
    #[test]
    fn modes_out_of_reach_are_found(
        (moved, b) in (1..5usize).prop_flat_map(|n| (matrix(n, n), matrix(n, 2))),
        alone in dense(1..4),
        seed in any::<u64>(),
    ) {
        let within = Reachable::of(&moved, &b).unwrap();
        prop_assume!(within.is_clear() && within.rank() == moved.rows());
        let (r, s) = (moved.rows(), alone.rows());
        let n = r + s;
        let u = orthogonal(n, seed);
        let block = Dense::new(n, n, |i, j| match (i < r, j < r) {
            (true, true) => moved[(i, j)],
            (false, false) => alone[(i - r, j - r)],
            (true, false) => 0.3,
            (false, true) => 0.0,
        });
        let a = &(&u * &block) * &u.transposed();
        let b = &u * &Dense::new(n, 2, |i, j| if i < r { b[(i, j)] } else { 0.0 });
        let found = Reachable::of(&a, &b).unwrap();
        prop_assert_eq!(found.rank(), r);
        let exact = Eigen::of(&alone).unwrap();
        let sum = |values: &[Complex]| values.iter().fold(Complex::default(), |s, l| s + *l);
        prop_assert!((sum(&found.modes) - sum(&exact.values)).modulus() < 1e-9);
        for mode in &found.modes {
            prop_assert!(margin(&a, &b, *mode) < 1e-5);
        }
    }

    /// Sampling twice as often and taking two steps is sampling once.
    #[test]
    fn held_controls_compose(a in dense(1..6), h in 0.01..1.0f64) {
        let b = Dense::new(a.rows(), 1, |i, _| 1.0 / (1.0 + i as f64));
        let (whole, half) = (Sampled::of(&a, &b, h).unwrap(), Sampled::of(&a, &b, h / 2.0).unwrap());
        prop_assert!((&whole.a - &(&half.a * &half.a)).norm() < 1e-12 * (1.0 + whole.a.norm()));
        let twice = &(&half.a * &half.b) + &half.b;
        prop_assert!((&whole.b - &twice).norm() < 1e-12 * (1.0 + whole.a.norm()));
    }
}

/// Four growing modes and one control that hardly reaches one of them: gains of 1e5 from an equation whose condition costs
/// doubles five digits. The reference has 60 digits.
#[test]
fn gains_of_a_badly_conditioned_plant_have_all_their_digits() {
    let a = Dense::of_rows(
        4,
        4,
        &[
            0.57965, 0.397948, 0.792231, -2.291658, //
            0.944494, 2.11677, 0.987752, -0.496668, //
            2.289654, 0.927562, 2.231114, 1.179714, //
            -0.095604, -1.419083, 0.335131, 0.77424,
        ],
    );
    let b = Dense::of_rows(4, 1, &[-0.147379, -1.068292, 1.089351, -0.491121]);
    let q = Dense::of_rows(
        4,
        4,
        &[
            0.234191438596,
            -0.400436296126,
            -0.0981964431246,
            -0.287027075359, //
            -0.400436296126,
            1.09278170859,
            -0.233201206191,
            0.384836313122, //
            -0.0981964431246,
            -0.233201206191,
            0.661811061363,
            0.0102486385582, //
            -0.287027075359,
            0.384836313122,
            0.0102486385582,
            0.616714560295,
        ],
    );
    let r = Dense::of_rows(1, 1, &[0.025629]);
    let plant = Plant {
        a: &a,
        b: &b,
        time: Time::Continuous,
    };
    let weights = Weights {
        state: &q,
        control: &r,
        cross: None,
    };
    let found = Regulator::of(plant, weights).unwrap();
    let expected = [
        -55184.417636078935,
        -61664.36979460482,
        -54875.1951779692,
        28927.610495045643,
    ];
    for (k, expected) in expected.into_iter().enumerate() {
        let error = (found.gain[(0, k)] - expected).abs();
        assert!(error <= 1e-14 * f64::abs(expected), "{error}");
    }
}

/// p² + 2p + 1 = 0 has the root -1 twice: the loop of one state stands still.
#[test]
fn a_neutral_loop_of_one_state_is_none() {
    let one = |x: f64| Dense::of_rows(1, 1, &[x]);
    let (a, b, q, r) = (one(-1.0), one(1.0), one(-1.0), one(1.0));
    let plant = Plant {
        a: &a,
        b: &b,
        time: Time::Continuous,
    };
    let found = Regulator::of(plant, weights(&q, &r));
    assert!(
        matches!(found, Err(RiccatiError::Neutral { .. })),
        "{found:?}"
    );
}
