//! Bounds, free numbers, conditions on the way, discrete time: problems with known solutions.

mod common;

use common::{all_near, cost, near, posed, solved, tried};
use rattleback_control::optimal::{Kind, PoseError, Request, Status, Trouble};

const POINT: &str = "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";

#[test]
fn bryson_and_denham() {
    let s = solved(&format!(
        "{POINT}cost u^2/2\nbound x <= 1/9\nstart x = 0, x' = 1\ngoal x = 0, x' = -1\ntime 0 .. 1\n"
    ));
    // 4/(9 l) with l = 1/9.
    near(cost(&s), 4.0, 1e-6);
}

#[test]
fn shortest_time_is_bang_bang() {
    let s = tried(
        &format!(
            "{POINT}free T = 3\ncost 1\nbound -1 <= u <= 1\ngoal x = 1, x' = 0\ntime 0 .. T\n"
        ),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(s.free[0], 2.0, 1e-4);
}

#[test]
fn a_free_time_with_effort() {
    // ∫ (1 + u²/2): J(T) = T + 6/T³, least at T⁴ = 18.
    let s = solved(&format!(
        "{POINT}free T = 1\ncost 1 + u^2/2\ngoal x = 1, x' = 0\ntime 0 .. T\n"
    ));
    let t = 18f64.powf(0.25);
    near(s.free[0], t, 1e-7);
    near(cost(&s), t + 6.0 / t.powi(3), 1e-9);
    assert!(s.trajectory.hamiltonian.iter().all(|h| h.abs() < 1e-6));
}

#[test]
fn points_on_the_way() {
    let s = solved(
        "system s\ncoord x\nlagrangian x''^2/2\nstart x = 0, x' = 0\nvia 1: x = 1\ngoal x = 0, x' = 0\ntime 0 .. 2\n",
    );
    // Symmetric: two cubics with x'(1) = 0, 6 each.
    near(cost(&s), 12.0, 1e-8);
    let middle = s
        .trajectory
        .times
        .iter()
        .position(|t| (t - 1.0).abs() < 1e-12)
        .unwrap();
    near(s.trajectory.states[middle][0], 1.0, 1e-9);
}

#[test]
fn free_start_values_and_numbers() {
    // The flattest throw that reaches x = 4 at height 0 after time 1: nothing to choose but the speed.
    let text = "system throw\nparam g = 10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nstart x = 0, y = 0, x' = free(1), y' = free(1)\ngoal x = 4, y = 0\nfree T = 1\nbound 0.1 <= T <= 5\nterminal start(x')^2/2 + start(y')^2/2\ntime 0 .. T\n";
    let p = posed(text).unwrap();
    assert_eq!(p.plant.kind, Kind::ParameterOptimisation);
    let s = solved(text);
    // At 45 degrees: v² = g x, T² = 2 x/g.
    near(cost(&s), 20.0, 1e-7);
    near(s.free[0], 0.8f64.sqrt(), 1e-6);
}

#[test]
fn a_map_with_a_quadratic_cost() {
    // x' = x + u, cost Σ u² + x²: from 1 to 0 in two steps, u0 + u1 = −1, x1 = 1 + u0: 2·(3/5)…
    let s = solved(
        "system m\nstate x\ncontrol u\nmap next(x) = x + u\ncost u^2 + x^2\nstart x = 1\ngoal x = 0\ntime 0 .. 2 step 1\n",
    );
    // u0² + 1 + (1 + u0)² + (1 + u0)² least at u0 = −2/3: 4/9 + 1 + 2/9.
    near(cost(&s), 5.0 / 3.0, 1e-9);
    all_near(
        &[s.trajectory.controls[0][0], s.trajectory.controls[1][0]],
        &[-2.0 / 3.0, -1.0 / 3.0],
        1e-8,
    );
}

#[test]
fn kinematic_models() {
    // Heisenberg: the shortest horizontal loop over area 1, length² = 4π.
    let s = tried(
        "system h\nstate x, y, z\nrate x' = u\nrate y' = v\nrate z' = (x*v - y*u)/2\ncontrol u\ncontrol v\ncost u^2 + v^2\ngoal x = 0, y = 0, z = 1\nguess x = cos(2*pi*t) - 1\nguess y = sin(2*pi*t)\ntime 0 .. 1\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 4.0 * std::f64::consts::PI, 1e-5);
}

#[test]
fn a_vakonomic_curve_is_the_same_problem() {
    let s = tried(
        "system h\ncoord x, y, z\nlagrangian (x'^2 + y'^2)/2\nconstraint z' = (x*y' - y*x')/2\ngoal x = 0, y = 0, z = 1\nguess x = cos(2*pi*t) - 1\nguess y = sin(2*pi*t)\nguess z = t\ntime 0 .. 1\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 2.0 * std::f64::consts::PI, 1e-5);
}

fn trouble(text: &str) -> Trouble {
    match posed(text) {
        Err(PoseError::Statement { trouble, .. }) => trouble,
        Err(e) => panic!("{e}"),
        Ok(_) => panic!("it can be posed"),
    }
}

#[test]
fn what_cannot_be_posed_is_told() {
    let ends = "goal x = 1\ntime 0 .. 1\n";
    assert_eq!(
        trouble(&format!("{POINT}cost u^2\ntime 0 .. 1\n")),
        Trouble::NoEnds
    );
    assert_eq!(
        trouble(&format!("{POINT}cost u^2\ngoal x = 1\n")),
        Trouble::NoTime
    );
    assert_eq!(trouble(&format!("{POINT}{ends}")), Trouble::NoCost);
    assert!(matches!(
        trouble(&format!("{POINT}cost u^2\nbound x >= 1/2\n{ends}")),
        Trouble::StartOutside(_)
    ));
    assert!(matches!(
        trouble(&format!("{POINT}cost u^2\nbound x <= 1/2\n{ends}")),
        Trouble::GoalOutside(_)
    ));
    assert!(matches!(
        trouble(&format!(
            "{POINT}cost u^2\ngoal x = 1, 2*x = 4\ntime 0 .. 1\n"
        )),
        Trouble::Contradiction(_)
    ));
    assert!(matches!(
        trouble(
            "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncontrol v\ncost u^2\nbound -1 <= v <= 1\ngoal x = 1\ntime 0 .. 1\n"
        ),
        Trouble::NoEffect(_)
    ));
}

/// The least fuel from rest to rest by 1 in T = 3 with forces up to 1: two pulses of the width (3 - sqrt 5)/2.
const FUEL: f64 = 0.763_932_022_500_210_3;

/// A control need not move anything: it may be paid for, and hold others by bounds.
#[test]
fn controls_that_act_in_the_cost_and_in_bounds_alone() {
    // min u² + max(u − 1/2, 0)² at the mean 1 of u: constant.
    let text = "system a\nstate x\ncontrol u\ncontrol s\nrate x' = u\ncost s^2 + u^2\nbound s >= u - 1/2\ngoal x = 1\ntime 0 .. 1\n";
    near(cost(&solved(text)), 1.25, 1e-7);
    let text = format!(
        "{POINT}control s\nbound -1 <= u <= 1\nbound -s <= u <= s\ncost s\ngoal x = 1, x' = 0\ntime 0 .. 3\n"
    );
    let s = tried(&text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), FUEL, 1e-5);
    // What is in the cost alone is at its own least value.
    let text = format!("{POINT}control s\ncost u^2 + (s - x)^2\ngoal x = 1, x' = 0\ntime 0 .. 1\n");
    near(cost(&solved(&text)), 12.0, 1e-7);
}

/// The slope of u² + v² <= g² vanishes where all three do, which is where searches begin and where the thrust is cut off.
#[test]
fn thrust_cones_are_feasible_from_their_tips() {
    let line = "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncontrol g\nbound u^2 <= g^2\nbound 0 <= g <= 1\ncost g\ngoal x = 1, x' = 0\ntime 0 .. 3\n";
    let plane = "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on x\ncontrol v on y\ncontrol g\nbound u^2 + v^2 <= g^2\nbound 0 <= g <= 1\ncost g\ngoal x = 0.6, y = 0.8, x' = 0, y' = 0\ntime 0 .. 3\n";
    for text in [line, plane] {
        let request = Request {
            nodes: Some(40),
            ..Request::default()
        };
        let s = tried(text, &request);
        assert_eq!(s.status, Status::Solved);
        near(cost(&s), FUEL, 1e-2);
    }
}

#[test]
fn what_cannot_be_reached_is_infeasible() {
    let text = format!("{POINT}cost u^2\nbound -1 <= u <= 1\ngoal x = 1, x' = 0\ntime 0 .. 1\n");
    let s = tried(
        &text,
        &Request {
            nodes: Some(20),
            ..Request::default()
        },
    );
    assert_eq!(s.status, Status::Infeasible);
    assert!(s.resisting.is_some());
}

#[test]
fn what_runs_away_is_unbounded() {
    // Slower is always cheaper.
    let text = format!("{POINT}free T = 1\ncost u^2\ngoal x = 1, x' = 0\ntime 0 .. T\n");
    let s = tried(
        &text,
        &Request {
            nodes: Some(20),
            ..Request::default()
        },
    );
    assert_eq!(s.status, Status::Unbounded);
}

#[test]
fn controls_that_nothing_determines_are_singular() {
    let s = tried(
        &format!("{POINT}cost x^2\nstart x = 1\ngoal x = 0\ntime 0 .. 1\n"),
        &Request {
            nodes: Some(20),
            ..Request::default()
        },
    );
    assert_eq!(s.status, Status::Singular);
}

/// Where controls jump the mesh is cut there, and the cost is known as well as elsewhere.
#[test]
fn jumps_of_controls_are_found_to_the_tolerance() {
    let check = |text: &str, exact: f64, within: f64, most: usize| {
        let s = tried(text, &Request::default());
        assert_eq!(s.status, Status::Solved, "{text}");
        let told = s.cost_error.unwrap();
        assert!(told <= within && !s.mesh_limit && s.nodes <= most, "{told}");
        let off = (cost(&s) - exact).abs() / exact;
        assert!(off <= 5.0 * told, "{off} is told as {told}");
    };
    let shortest = "bound -1 <= u <= 1\nfree T = 5\ncost 1\ngoal x = 0, x' = 0\ntime 0 .. T\n";
    check(
        &format!("{POINT}{shortest}start x = 1, x' = 1\n"),
        1.0 + 6f64.sqrt(),
        1e-6,
        1280,
    );
    // On a cusp of its least time, which the slightest help changes: that the solver's tolerances are worth much is told,
    // and coarser meshes are not solved to them, as costates are ten thousand times the cost.
    let oscillator = "system a\ncoord x\nlagrangian x'^2/2 - x^2/2\ncontrol u on x\n";
    check(
        &format!("{oscillator}{shortest}start x = 4, x' = 0\n"),
        2.0 * std::f64::consts::PI,
        1e-4,
        2560,
    );
    let point = "system a\nstate x\ncontrol u\nrate x' = u\ncost u^2\nstart x = 0\ngoal x = 0\ntime 0 .. 1\n";
    check(&format!("{point}via 0.25: x = 1\n"), 16.0 / 3.0, 1e-6, 1280);
    check(&format!("{point}via 0.5: x >= 1\n"), 4.0, 1e-6, 1280);
    check(
        &format!(
            "{POINT}cost u^2/2\nbound x <= 1/9\nstart x = 0, x' = 1\ngoal x = 0, x' = -1\ntime 0 .. 1\n"
        ),
        4.0,
        1e-6,
        1280,
    );
}

/// A time that is a hundred thousand times its guess is no time that runs away.
#[test]
fn a_guess_that_is_far_off_leaves_a_minimum_one() {
    let text = "system a\nfree T = 1\ncoord x\nkinetic x'^2/2\ncontrol u on x\nbound -1 <= u <= 1\ncost 1\n\
                goal x = 1e10, x' = 0\ntime 0 .. T\n";
    let s = tried(text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    assert!((cost(&s) - 2e5).abs() <= 1e-8 * 2e5, "{}", cost(&s));
}

/// The least time from rest or motion to rest at 0 under −a ≤ u ≤ b, in closed form.
fn least_time(x: f64, v: f64, a: f64, b: f64) -> f64 {
    // First one bound, then the other: x + v s + c s²/2 = (v + c s)²/(2 d).
    let ways = [(b, -a), (-a, b)].map(|(c, d)| {
        let (p, q, r) = (
            c / 2.0 - c * c / (2.0 * d),
            v - v * c / d,
            x - v * v / (2.0 * d),
        );
        // No number where this way does not lead there.
        let root = (q * q - 4.0 * p * r).sqrt();
        let times = [-1.0, 1.0].map(|sign| (-q + sign * root) / (2.0 * p));
        let whole = times.map(|s| (s, -(v + c * s) / d));
        let good = whole
            .iter()
            .filter(|(s, rest)| *s >= -1e-12 && *rest >= -1e-12);
        good.map(|(s, rest)| s + rest).fold(f64::INFINITY, f64::min)
    });
    ways[0].min(ways[1])
}

/// Where in its interval a control jumps is arbitrary, and meshes may agree by accident: what is told of the error holds
/// for any start and any bounds.
#[test]
fn the_error_of_jumping_controls_is_told() {
    for (x, v, a, b) in [
        (-2.1, -0.7, 1.3, 2.4),
        (0.9, 1.1, 1.7, 0.8),
        (-0.4, 0.0, 0.6, 2.0),
        (1.6, -1.2, 2.2, 1.1),
        (2.7, 0.3, 0.9, 0.9),
        (-1.3, 1.7, 2.6, 1.9),
        (0.5, -0.2, 1.1, 2.9),
        (-2.8, 0.6, 0.7, 1.4),
    ] {
        let text = format!(
            "{POINT}free T = 3\nbound 0.01 <= T <= 50\ncost 1\nbound {} <= u <= {b}\nstart x = {x}, x' = {v}\ngoal x = 0, x' = 0\ntime 0 .. T\n",
            -a
        );
        let s = tried(&text, &Request::default());
        assert_eq!(s.status, Status::Solved);
        let exact = least_time(x, v, a, b);
        let (off, told) = ((cost(&s) - exact).abs() / exact, s.cost_error.unwrap());
        assert!(
            told <= 1e-6 && off <= 3.0 * told + 1e-7,
            "{off} is told as {told}"
        );
        assert_eq!(s.trajectory.singular_arcs(), None);
    }
}

/// Along a bound on the speed the control follows from it: the arc is not singular, and the scheme not degenerate.
#[test]
fn a_bound_on_the_state_determines_the_control() {
    let text = format!(
        "{POINT}free T = 3\nbound 0.01 <= T <= 50\ncost 1\nbound -2 <= u <= 2\nbound x' <= 0.7\ngoal x = 1.5, x' = 0\ntime 0 .. T\n"
    );
    let s = tried(&text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 1.5 / 0.7 + 0.7 / 2.0, 1e-6);
    assert_eq!(s.trajectory.singular_arcs(), None);
}

/// Where a bound begins and ends to hold is arbitrary too: Bryson and Denham's problem with any bound, touched at one time
/// (l > 1/6) or held for a while.
#[test]
fn the_error_of_held_paths_is_told() {
    for l in [0.16583_f64, 0.08057, 0.031, 0.12, 0.2, 0.23] {
        let text = format!(
            "{POINT}bound x <= {l}\ncost u^2/2\nstart x = 0, x' = 1\ngoal x = 0, x' = -1\ntime 0 .. 1\n"
        );
        let s = tried(&text, &Request::default());
        assert_eq!(s.status, Status::Solved);
        let exact = match l <= 1.0 / 6.0 {
            true => 4.0 / (9.0 * l),
            false => 2.0 + 6.0 * (1.0 - 4.0 * l).powi(2),
        };
        let (off, told) = ((cost(&s) - exact).abs() / exact, s.cost_error.unwrap());
        assert!(off <= 2.0 * told, "{l}: {off} is told as {told}");
    }
}

/// Lengths have no slope where they vanish, which is where the first iterate and the end are; their squares have.
#[test]
fn lengths_are_bounded_up_to_where_they_vanish() {
    let thrust = "system a\nstate x, y\ncontrol u, v, w\nrate x' = u\nrate y' = v\nbound sqrt(u^2 + v^2) <= w\ncost w^2\ngoal x = 3, y = 4\ntime 0 .. 1\n";
    near(cost(&solved(thrust)), 25.0, 1e-6);
    let tip = "system a\nstate x, y, z\ncontrol u, v, w\nrate x' = u, y' = v, z' = w\nbound 2*sqrt(x^2 + y^2) <= 2*z\ncost (u^2 + v^2 + w^2)/2\nstart x = 1, y = 0, z = 1\ngoal x = 0, y = 0, z = 0\ntime 0 .. 1\n";
    near(cost(&solved(tip)), 1.0, 1e-6);
}
