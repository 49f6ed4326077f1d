//! What becomes of problems that have no slope where a search begins, no least cost, no minimum, no way to their goal.

mod common;

use common::{cost, near, posed, problem, solved, tried};
use rattleback_control::optimal::{Extremum, Limit, Reach, Request, Status};

const PLAIN: &str = "system a\nstate x\ncontrol u\nrate x' = u\n";
const PLANE: &str =
    "system a\nstate x, y\ncontrol u\ncontrol v\nrate x' = u\nrate y' = v\nstart x = 0, y = 0\n";

#[test]
fn goals_without_a_slope_where_the_search_begins() {
    let s = solved(&format!("{PLAIN}cost u^2\ngoal x^2 = 1\ntime 0 .. 1\n"));
    near(cost(&s), 1.0, 1e-9);
    // The nearest points of the hyperbola.
    let s = solved(&format!(
        "{PLANE}cost u^2 + v^2\ngoal x*y = 1\ntime 0 .. 1\n"
    ));
    near(cost(&s), 2.0, 1e-9);
    let s = solved(
        "system a\ncoord th : angle\nkinetic th'^2/2\ncontrol u on th\ncost u^2/2\ngoal cos(th) = -1/2, th' = 0\ntime 0 .. 1\n",
    );
    near(
        cost(&s),
        6.0 * (2.0 * std::f64::consts::FRAC_PI_3).powi(2),
        1e-7,
    );
}

#[test]
fn a_condition_without_a_slope_where_it_holds_is_no_redundant_one() {
    let text = format!("{PLAIN}cost u^2\nstart x = 1\ngoal x^2 = 0\ntime 0 .. 1\n");
    assert!(posed(&text).unwrap().remarks.is_empty());
    let s = tried(&text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 1.0, 1e-3);
}

#[test]
fn conditions_that_follow_from_others_are_dropped() {
    let text =
        format!("{PLANE}cost u^2 + v^2\ngoal x = 1, y = 2, x + y = 3, x*y = 2\ntime 0 .. 1\n");
    let p = posed(&text).unwrap();
    assert_eq!((p.remarks.len(), p.goal.requirements.len()), (2, 2));
    near(cost(&solved(&text)), 5.0, 1e-9);
}

#[test]
fn pulses_attain_no_least_cost() {
    for running in ["u^2", "1 + u^2"] {
        let text = format!(
            "system a\nstate x\ncontrol u\nrate x' = u^3\ncost {running}\ngoal x = 1\ntime 0 .. 1\n"
        );
        let s = tried(&text, &Request::default());
        assert_eq!(s.status, Status::Unbounded, "{running}");
        assert!(matches!(s.limit, Limit::Pulses(_)), "{:?}", s.limit);
    }
    // Cheapest at once: an impulse at the start.
    let text = format!("{PLAIN}cost (1 + t)*sqrt(1 + u^2)\ngoal x = 2\ntime 0 .. 1\n");
    let s = tried(&text, &Request::default());
    assert_eq!(s.status, Status::Unbounded);
}

#[test]
fn a_thin_layer_is_no_pulse() {
    // x = sinh(1000 (1 − t))/sinh 1000: J = 1000 coth 1000.
    let text = format!("{PLAIN}cost u^2 + 1e6*x^2\nstart x = 1\ngoal x = 0\ntime 0 .. 1\n");
    let s = tried(&text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 1000.0, 1e-4);
}

#[test]
fn a_goal_behind_a_wall_is_infeasible() {
    let text = "system a\nstate x\ncontrol u\nrate x' = x*u\ncost u^2/2\nstart x = 1\ngoal x = -1\ntime 0 .. 1\n";
    let s = tried(text, &Request::default());
    assert_eq!(s.status, Status::Infeasible);
}

/// A cost that falls without end along a direction of negative curvature, from a stationary path.
#[test]
fn saddles_are_left_downhill() {
    let text = |more: &str, until: f64| {
        format!("{PLANE}cost u^2 + v^2 - x^2{more}\ngoal y = 1\ntime 0 .. {until:?}\n")
    };
    assert_eq!(
        tried(&text("", 4.0), &Request::default()).status,
        Status::Unbounded
    );
    // Before the first focal point at π/2 the straight path is the minimum.
    let s = solved(&text("", 1.0));
    near(cost(&s), 1.0, 1e-9);
    assert_eq!(s.extremum, Extremum::Minimum);
    // A well to both sides of it.
    let s = solved(&text(" + x^4", 4.0));
    assert_eq!(s.extremum, Extremum::Minimum);
    assert!(cost(&s) < 0.25 - 0.1, "{}", cost(&s));
}

#[test]
fn a_time_that_is_the_goal_too() {
    // J = T + 6 T²/T³.
    let s = solved(
        "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\nfree T = 1\ncost 1 + u^2/2\ngoal x = T, x' = 0\ntime 0 .. T\n",
    );
    near(s.free[0], 6f64.sqrt(), 1e-6);
    near(cost(&s), 2.0 * 6f64.sqrt(), 1e-9);
}

#[test]
fn invariants_exclude_goals_that_say_part_of_the_state() {
    let circle = "system a\nstate x, y\ncontrol u\nrate x' = -u*y\nrate y' = u*x\ncost u^2\nstart x = 1, y = 0\n";
    let excluded = |goal: &str| {
        let text = format!("{circle}goal {goal}\ntime 0 .. 1\n");
        let problem = problem(&text);
        Reach::of(&problem, &posed(&text).unwrap()).excluded
    };
    for goal in [
        "x = 2",
        "x >= 2",
        "x = 2, y = 3",
        "y <= -1.5",
        "x = 1, y >= 1/2",
    ] {
        let why = excluded(goal).unwrap_or_else(|| panic!("{goal}"));
        assert!(why.to_string().contains("no control changes"), "{why}");
    }
    for goal in [
        "x = 0.6",
        "x = -1",
        "y >= 0.5",
        "x = 0.6, y = 0.8",
        "x + y = 1.2",
    ] {
        assert!(excluded(goal).is_none(), "{goal}");
    }
}

/// Two controls that do the same, at a cost that does not tell them apart, in discrete time.
#[test]
fn directions_that_nothing_determines_are_degenerate() {
    let s = tried(
        "system a\nstate x\ncontrol u\ncontrol v\nmap next(x) = x + u + v\ncost (u + v)^2\nstart x = 0\ngoal x = 1\ntime 0 .. 6 step 1\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Degenerate);
    // All points of a circle are as near: a direction of the problem's own is none of the discretisation.
    let s = tried(
        &format!("{PLANE}cost u^2 + v^2\ngoal x^2 + y^2 = 1\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 1.0, 1e-6);
}

/// A path on which all controls are abnormal: Martinet's straight line is the shortest one.
#[test]
fn abnormal_paths_are_solved_and_not_called_strict() {
    let s = solved(
        "system a\nstate x, y, z\ncontrol u\ncontrol v\nrate x' = u\nrate y' = v\nrate z' = y^2*u/2\ncost u^2 + v^2\ngoal x = 1, y = 0, z = 0\ntime 0 .. 1\n",
    );
    near(cost(&s), 1.0, 1e-9);
    assert_ne!(s.extremum, Extremum::Minimum);
}

#[test]
fn bounds_may_be_active_at_the_ends_of_path_and_time() {
    let point = "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n";
    let s = solved(&format!(
        "{point}bound 0 <= x <= 1\ngoal x = 1, x' = 0\ntime 0 .. 1\n"
    ));
    near(cost(&s), 6.0, 1e-8);
    // Slower is cheaper: J = 6/T³.
    let s = solved(&format!(
        "{point}free T = 1\nbound 0.5 <= T <= 3\ngoal x = 1, x' = 0\ntime 0 .. T\n"
    ));
    near(s.free[0], 3.0, 1e-7);
    near(cost(&s), 6.0 / 27.0, 1e-7);
}

/// Across the chart of Cayley, and to the other sheet of the double cover: 6 I θ²/T³.
#[test]
fn goals_half_a_turn_and_a_whole_turn_away() {
    let body = |group: &str, goal: &str| {
        format!(
            "system a\ngroup R : {group} velocity (p, q, r)\nkinetic (p^2 + q^2 + r^2)/2\ncontrol u1 on (p: 1)\ncontrol u2 on (q: 1)\ncontrol u3 on (r: 1)\n\
             cost (u1^2 + u2^2 + u3^2)/2\nstart R = identity, p = 0, q = 0, r = 0\ngoal R = {goal}, p = 0, q = 0, r = 0\ntime 0 .. 2\n"
        )
    };
    let pi = std::f64::consts::PI;
    let half = tried(
        &body("SO(3)", "rotation([1, 0, 0], pi)"),
        &Request::default(),
    );
    assert_eq!(half.status, Status::Solved);
    near(cost(&half), 6.0 * pi * pi / 8.0, 1e-6);
    let whole = tried(&body("SU(2)", "-identity"), &Request::default());
    assert_eq!(whole.status, Status::Solved);
    near(cost(&whole), 6.0 * 4.0 * pi * pi / 8.0, 1e-6);
}
