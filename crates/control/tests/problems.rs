//! The worked problems of docs/control-problems.md, against closed forms, other schemes and what must hold of them.

mod common;

use common::{cost, discrete, near, solved, tried};
use rattleback_control::optimal::{Request, Scheme, Solution, Status};

fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    std::fs::read_to_string(format!("{folder}/{name}.mech")).expect("a worked problem")
}

fn on(name: &str, n: usize) -> Solution {
    let request = Request {
        nodes: Some(n),
        ..Request::default()
    };
    let s = tried(&example(name), &request);
    assert_eq!(s.status, Status::Solved);
    s
}

/// Bryson and Denham: 4/(9ℓ), held by the wall between 1/3 and 2/3.
#[test]
fn a_wall_holds_the_mass() {
    let s = tried(&example("slit"), &Request::default());
    near(cost(&s), 4.0, 1e-6);
    for (t, x) in s.trajectory.times.iter().zip(&s.trajectory.states) {
        assert!(x[0] <= 1.0 / 9.0 + 1e-8);
        let held = (0.34..0.66).contains(t);
        assert!(!held || x[0] > 1.0 / 9.0 - 1e-5, "{t}: {x:?}");
    }
}

/// An oscillator from x = 4: half a turn about 1, half a turn about −1.
#[test]
fn the_shortest_time_of_an_oscillator() {
    let s = on("bang", 150);
    near(cost(&s), std::f64::consts::TAU, 1e-2);
    let path = &s.trajectory;
    for (t, u) in path.times.iter().zip(&path.controls) {
        let share = t / cost(&s);
        if (0.05..0.45).contains(&share) {
            near(u[0], 1.0, 1e-4);
        }
        if (0.55..0.95).contains(&share) {
            near(u[0], -1.0, 1e-4);
        }
    }
}

/// A swing-up that another scheme finds too.
#[test]
fn the_acrobot_swings_up() {
    let text = example("acrobot");
    let s = solved(&text);
    near(cost(&s), 77.75462, 1e-5);
    near(cost(&discrete(&text, Scheme::Gauss6, 160)), cost(&s), 1e-4);
}

/// The car stays clear of the post, and inside of its steering.
#[test]
fn a_car_with_a_trailer_parks() {
    let s = on("parking", 40);
    for x in &s.trajectory.states {
        let gap = |px: f64, py: f64| (px - 1.0).powi(2) + (py - 0.75).powi(2);
        assert!(gap(x[0], x[1]) >= 0.25 - 1e-6);
        assert!(gap(x[0] - x[3].cos(), x[1] - x[3].sin()) >= 0.25 - 1e-6);
        assert!(x[4].abs() <= 0.6 + 1e-8);
    }
    near(cost(&s), 5.48884, 2e-2);
}

/// Rotor, wheels, heading and speeds end as they began, one metre on.
#[test]
fn a_gait_repeats_itself() {
    let s = on("gait", 40);
    near(cost(&s), 0.00521245, 1e-3);
    let (first, last) = (&s.trajectory.states[0], &s.trajectory.states[40]);
    assert!((last[0] - first[0] - 1.0).abs() < 1e-8);
    for i in 1..first.len() {
        assert!((last[i] - first[i]).abs() < 1e-7, "{i}: {first:?} {last:?}");
    }
}

/// The ball comes back, turned by a right angle, and never spins.
#[test]
fn a_ball_is_turned_by_rolling_it() {
    let s = on("ball_turn", 40);
    near(cost(&s), 15.31634, 1e-3);
    let last = &s.trajectory.states[40];
    for (i, known) in [0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        .iter()
        .enumerate()
    {
        assert!((last[i] - known).abs() < 1e-7, "{last:?}");
    }
}
