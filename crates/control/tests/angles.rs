//! Controls that are angles: the path that is found has a continuous one, and a motion follows it.

mod common;

use common::{posed, problem, tried};
use rattleback_control::optimal::{Extremum, Request, Scheme, Solution, Status, replay};

/// A ship in a current that grows with the distance from the bank.
const SHIP: &str = "system ship\nstate x, y\ncontrol th\nrate x' = cos(th) - 0.8*y, y' = sin(th)\ncost 1\nfree T = 4\nbound 0.1 <= T <= 30\nstart x = 2.5, y = -1.2\ngoal x = -0.5, y = 0.3\ntime 0 .. T\n";
/// A bead on the wire of quickest descent.
const BEAD: &str = "system bead\nstate x, y, v\ncontrol th\nrate x' = v*sin(th), y' = v*cos(th), v' = 2*cos(th)\ncost 1\nfree T = 2\nbound 0.01 <= T <= 20\nstart x = 0, y = 0, v = 0\ngoal x = 3, y = 1\ntime 0 .. T\n";
/// A boat that is pushed in the direction of its engine.
const BOAT: &str = "system boat\nstate x, y, v, w\ncontrol th\nrate x' = v, y' = w, v' = cos(th), w' = sin(th)\ncost 1\nfree T = 3\nbound 0.1 <= T <= 20\nstart x = 0, y = 0, v = 0.5, w = -0.4\ngoal x = 2, y = 1, v = 0.3, w = 0.2\ntime 0 .. T\n";

fn check(text: &str, scheme: Scheme) -> Solution {
    let request = Request {
        scheme,
        ..Request::default()
    };
    let s = tried(text, &request);
    assert_eq!((s.status, s.extremum), (Status::Solved, Extremum::Minimum));
    for pair in s.trajectory.controls.windows(2) {
        assert!((pair[1][0] - pair[0][0]).abs() < 0.5, "{pair:?}");
    }
    let spread = s.trajectory.hamiltonian.iter().map(|h| h.abs());
    assert!(spread.fold(0.0, f64::max) < 1e-5);
    let off = replay(&posed(text).unwrap().plant, &problem(text), &s.trajectory);
    assert!(off.is_some_and(|r| r.error < 1e-5), "{off:?}");
    s
}

#[test]
fn a_steering_angle_makes_no_whole_turns() {
    for text in [SHIP, BEAD, BOAT] {
        for scheme in [Scheme::HermiteSimpson, Scheme::Gauss4] {
            let s = check(text, scheme);
            let first = s.trajectory.controls[0][0];
            assert!(first.abs() < 2.0 * std::f64::consts::PI, "{first}");
        }
    }
}

/// A guess that is turns away means the same path, on its own branch.
#[test]
fn the_branch_is_that_of_the_guess() {
    let own = check(BEAD, Scheme::HermiteSimpson);
    let away = check(&format!("{BEAD}guess th = 20\n"), Scheme::HermiteSimpson);
    assert!((own.cost.unwrap() - away.cost.unwrap()).abs() < 1e-9);
    let turns = (away.trajectory.controls[0][0] - own.trajectory.controls[0][0])
        / (2.0 * std::f64::consts::PI);
    assert!((turns - 3.0).abs() < 1e-6, "{turns}");
}
