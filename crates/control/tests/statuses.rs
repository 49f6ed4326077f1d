//! What becomes of problems that have no slope where a search begins, no least cost, no minimum, no way to their goal.

mod common;

use common::{cost, near, posed, problem, solved, tried};
use rattleback_control::optimal::{
    Extremum, Limit, Reach, Request, Scheme, Status, TableTrouble, solve,
};

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

/// A momentum in coordinates that do not matter is the rate of a function, whose change is known from the start.
#[test]
fn momenta_tie_the_end_to_the_start() {
    let excluded = |text: &str| Reach::of(&problem(text), &posed(text).unwrap()).excluded;
    let pair = |start: &str, goal: &str| {
        format!(
            "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on (x: 1, y: -1)\ncost u^2\nstart {start}\ngoal {goal}\ntime 0 .. 2\n"
        )
    };
    let still = "x = 0, y = 0, x' = 0, y' = 0";
    let moving = "x = 0, y = 0, x' = 1, y' = 0";
    for (start, goal) in [
        (still, "x = 1, y = 1"),
        (still, "x >= 1, y >= 0"),
        (moving, "x = 1, y = -1"),
    ] {
        let why = excluded(&pair(start, goal)).unwrap_or_else(|| panic!("{goal}"));
        assert!(why.to_string().contains("no control changes"), "{why}");
    }
    for (start, goal) in [
        (still, "x = 1, y = -1"),
        (still, "x = 1"),
        (moving, "x = 1, y = 1"),
    ] {
        assert!(excluded(&pair(start, goal)).is_none(), "{start}; {goal}");
    }
    // The attitude of a beanie is −1/3 of its shape, up to full turns.
    let beanie = |attitude: &str| {
        format!(
            "system a\ngroup G : SO(2) velocity w\ncoord psi : angle\nkinetic w^2/2 + (w + psi')^2/4\ncontrol u on psi\ncost u^2/2\n\
                 start psi = 0, psi' = 0, w = 0\ngoal psi = 1, psi' = 0, w = 0, G = rotation({attitude})\ntime 0 .. 1\n"
        )
    };
    assert!(excluded(&beanie("0.5")).is_some());
    for attitude in ["-1/3", "2*pi - 1/3"] {
        assert!(excluded(&beanie(attitude)).is_none(), "{attitude}");
    }
}

/// No search is a proof: a goal is refused before anything is tried only where it is proven that no state satisfies it.
#[test]
fn impossible_goals_are_refused_by_proof_alone() {
    let goal = |goal: &str| {
        posed(&format!(
            "{PLANE}cost u^2 + v^2\ngoal {goal}\ntime 0 .. 1\n"
        ))
    };
    for impossible in [
        "x = 1, 2*x = 3",
        "x^2 + y^2 = 1, x + y = 5",
        "x^2 + y^2 = -1",
    ] {
        assert!(goal(impossible).is_err(), "{impossible}");
    }
    // Needles that searches miss: a root far off, and one where everything near leads away from it.
    for possible in [
        "exp(-(x - 300)^2) = 1",
        "sin(x)*exp(-x^2/50) = 0.99",
        "(x^2 + 1)*(tanh(50*(x - 20)) - 1) + 2 = 2",
    ] {
        assert!(goal(possible).is_ok(), "{possible}");
    }
}

/// The catenary of length 4 between heights 1 and 3 at distance 1 (COPS): Hermite-Simpson gains from pulses between its points.
#[test]
fn a_scheme_whose_meshes_disagree_gives_way() {
    let chain = "system a\nstate x, e, l\ncontrol u\nrate x' = u\nrate e' = x*sqrt(1 + u^2)\nrate l' = sqrt(1 + u^2)\n\
                 terminal e\nstart x = 1\ngoal x = 3, l = 4\ntime 0 .. 1\n";
    let s = tried(chain, &Request::default());
    assert_eq!((s.status, s.scheme), (Status::Solved, Scheme::Gauss4));
    near(cost(&s), 5.068480107, 1e-6);
}

/// A turn by 150° about one axis alone is stationary by symmetry; all three torques together are faster (Betts).
#[test]
fn a_symmetric_path_is_left_for_a_shorter_one() {
    let s = tried(
        "system a\ngroup R : SO(3) velocity w\nkinetic (5621*w[1]^2 + 4547*w[2]^2 + 2364*w[3]^2)/2\n\
         control u1 on (w[1]: 50)\ncontrol u2 on (w[2]: 50)\ncontrol u3 on (w[3]: 50)\n\
         bound -1 <= u1 <= 1\nbound -1 <= u2 <= 1\nbound -1 <= u3 <= 1\nfree T = 30\nbound 10 <= T <= 100\ncost 1\n\
         start R = identity\ngoal R = rotation([1, 0, 0], 5*pi/6), w = [0, 0, 0]\ntime 0 .. T\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 28.6304, 1e-5);
}

/// The path of another model is no first iterate.
#[test]
fn a_guess_without_the_states_is_refused() {
    let p = posed(&format!("{PLAIN}cost u^2\ngoal x = 2\ntime 0 .. 1\n")).unwrap();
    let column = |name: &str| (name.to_owned(), vec![0.0, 1.0]);
    assert!(p.path_of(&[column("t"), column("x")]).is_ok());
    let trouble = p.path_of(&[column("t"), column("q"), column("u")]);
    assert_eq!(trouble, Err(TableTrouble::Missing("`x`".into())));
}

/// x + y and x' + y' are those of the start: half of the goal follows, and the rest determines the path.
#[test]
fn conditions_that_no_control_can_break_are_dropped() {
    let settled = |text: &str| {
        let (problem, mut posed) = (problem(text), posed(text).unwrap());
        let reach = Reach::of(&problem, &posed);
        posed.drop_implied(&problem, &reach.implied).unwrap();
        posed
    };
    let pair = |goal: &str| {
        let start = "start x = 0, y = 0, x' = 1, y' = -1";
        settled(&format!(
            "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on (x: 1, y: -1)\ncost u^2\n{start}\ngoal {goal}\ntime 0 .. 1\n"
        ))
    };
    let p = pair("x = 2, y = -2, x' = 1, y' = -1");
    assert_eq!((p.remarks.len(), p.goal.requirements.len()), (2, 2));
    let s = solve(p, &Request::default(), &()).unwrap().solution;
    assert_eq!((s.status, s.extremum), (Status::Solved, Extremum::Minimum));
    near(cost(&s), 12.0, 1e-6);
    assert_eq!(pair("x = 2, x' = 1").goal.requirements.len(), 2);
    // On a circle x = 3/5 leaves two points.
    let circle = "system a\nstate x, y\ncontrol u\nrate x' = -u*y\nrate y' = u*x\ncost u^2\nstart x = 1, y = 0\ngoal x = 0.6, y = 0.8\ntime 0 .. 1\n";
    assert_eq!(settled(circle).goal.requirements.len(), 2);
}

/// The larger k, the cheaper: 1/k².
#[test]
fn a_number_that_runs_away_has_no_least_cost() {
    let s = tried(
        "system a\nstate x\ncontrol u\nfree k = 1\nrate x' = k*u\ncost u^2\ngoal x = 1\ntime 0 .. 1\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Unbounded);
}

/// A cost without a value where the search begins says where, and is not called singular.
#[test]
fn a_cost_without_a_value_says_where() {
    for running in ["u^2 - log(x)", "u^2 + sqrt(x)", "u*log(u)"] {
        let s = tried(
            &format!("{PLAIN}cost {running}\nstart x = -1\ngoal x = 1\ntime 0 .. 1\n"),
            &Request::default(),
        );
        assert_eq!(s.status, Status::IterationLimit, "{running}");
        let resisting = s.resisting.unwrap();
        assert_eq!((resisting.by, resisting.time), (None, 0.0), "{running}");
    }
}

/// A path from −1 to 1 meets the pole of 1/x², where no path has a cost: meshes step over it, however small its share is.
#[test]
fn a_cost_without_a_limit_is_not_solved() {
    let across = |running: &str| {
        let text = format!("{PLAIN}cost {running}\nstart x = -1\ngoal x = 1\ntime 0 .. 1\n");
        tried(&text, &Request::default())
    };
    for running in [
        "u^2 + 1/x^2",
        "u^2 + 1e-7/x^2",
        "u^2 + 1e-11/x^2",
        "u^2 + 1/x^4",
    ] {
        let s = across(running);
        assert_eq!(s.status, Status::IterationLimit, "{running}");
        assert!(matches!(s.limit, Limit::Growth(_)), "{:?}", s.limit);
    }
    // |x|^(−1/2) has an integral, but each interval holds the passage where it is: the least cost is 5.855707.
    let s = across("u^2 + 1/(x^2)^(1/4)");
    assert_eq!(s.status, Status::IterationLimit);
    assert!(matches!(s.limit, Limit::Pole(_)), "{:?}", s.limit);
    // No pole on the way.
    let s = tried(
        &format!("{PLANE}cost u^2 + v^2 + 1/(x + 2)^2 + sqrt(u^2)\ngoal x = 1\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
}

/// Slopes ±1 cost nothing, and the path may be as near to 0 as it likes: the mean of the two is the only one that costs as
/// little as they tend to. So it is where bounds hold both, where they move a force, and where others mix them unevenly.
#[test]
fn means_of_controls_attain_no_least_cost() {
    let bounded = "bound -1 <= u <= 1\n";
    let force = "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";
    let wells = "cost x^2 + (u^2 - 1)^2\n";
    let uneven = "cost (x - t/2)^2 + (u^2 - 1)^2\ngoal x = 1/2\n";
    for (text, least) in [
        (format!("{PLAIN}{wells}goal x = 0\n"), 0.0),
        (
            format!("{PLAIN}{wells}bound -2 <= u <= 2\ngoal x = 0\n"),
            0.0,
        ),
        (
            format!("{PLAIN}{bounded}cost x^2 - u^2\ngoal x = 0\n"),
            -1.0,
        ),
        (format!("{force}{wells}goal x = 0, x' = 0\n"), 0.0),
        (format!("{PLAIN}{uneven}"), 0.0),
    ] {
        let s = tried(&format!("{text}time 0 .. 1\n"), &Request::default());
        assert_eq!(s.status, Status::Unbounded, "{text}");
        let Limit::Mean(cost) = s.limit else {
            panic!("{:?}: {text}", s.limit);
        };
        assert!((cost - least).abs() < 1e-6, "{cost}: {text}");
    }
    // A slope without end makes any path free, and none is steep enough.
    let s = tried(
        &format!("{PLAIN}cost x^2/(1 + u^2)\nstart x = 1\ngoal x = 0\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Unbounded);
    // Many paths cost nothing, and some of them need no mixing.
    for text in [
        format!("{PLAIN}cost (u^2 - 1)^2\ngoal x = 0\n"),
        format!("{force}cost (u^2 - 4)^2\ngoal x = 0, x' = 0\n"),
    ] {
        let s = tried(&format!("{text}time 0 .. 1\n"), &Request::default());
        assert_ne!(s.status, Status::Unbounded, "{text}");
    }
    // Steep enough all the way there is no mean to gain from.
    solved(&format!(
        "{PLAIN}cost x^2 + (u^2 - 1)^2\ngoal x = 1\ntime 0 .. 1/2\n"
    ));
}

/// Meshes agree on paths that other values of their own controls would make cheaper: x² − u² tends to −1, as part of the
/// state too.
#[test]
fn paths_that_needles_improve_are_not_solved() {
    let bounded = "bound -1 <= u <= 1\n";
    let s = tried(
        "system a\nstate x, y\ncontrol u\nrate x' = u\nrate y' = x^2 - u^2\nbound -1 <= u <= 1\nterminal y\ngoal x = 0\ntime 0 .. 1\n",
        &Request::default(),
    );
    assert_ne!(s.status, Status::Solved);
    let s = tried(
        &format!("{PLAIN}{bounded}cost x^2 - u^2\ngoal x = 0\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_ne!(s.status, Status::Solved);
    // One corner, which meshes hold beside its place: u = ±1 and a little more, s = p − t, least at p = 1/2.
    let s = tried(
        &format!("{PLAIN}cost (u^2 - 1)^2 + t*u\ngoal x = 0\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    let off = (cost(&s) + 0.254985730408347).abs() / cost(&s).abs();
    assert!(off <= s.cost_error.unwrap(), "{off} {:?}", s.cost_error);
}

/// Fuller: infinitely many switches in a finite time are attained, as bounded controls that H is linear in always are.
#[test]
fn infinitely_many_switches_are_attained() {
    let fuller = |more: &str| {
        format!(
            "system a\nstate x, v\ncontrol u\nrate x' = v\nrate v' = u\nbound -1 <= u <= 1\ncost x^2\nstart x = 1\ngoal x = 0, v = 0\n{more}\n"
        )
    };
    for more in [
        "time 0 .. 5",
        "time 0 .. 20",
        "free T = 4\nbound T <= 30\ntime 0 .. T",
    ] {
        let s = tried(&fuller(more), &Request::default());
        assert_eq!(s.status, Status::Solved, "{more}");
        near(cost(&s), 0.76401756, 2e-6);
    }
}

/// Later is cheaper, without end; a cost that vanishes at a time lets the path jump there.
#[test]
fn costs_that_tend_to_nothing_are_not_attained() {
    let s = tried(
        &format!("{PLAIN}free T = 2\ncost exp(-t)*u^2\ngoal x = 1\ntime 0 .. T\n"),
        &Request::default(),
    );
    assert_eq!((s.status, s.limit), (Status::Unbounded, Limit::Away));
    for from in ["0", "-1"] {
        let text = format!("{PLAIN}cost t^2*u^2\ngoal x = 1\ntime {from} .. 1\n");
        let s = tried(&text, &Request::default());
        assert_eq!(s.status, Status::Unbounded, "{from}");
        assert!(matches!(s.limit, Limit::Pulses(_)), "{:?}", s.limit);
    }
    // Nothing is to be done, and nothing it costs.
    let s = tried(
        &format!("{PLAIN}cost exp(-t)*u^2\ngoal x = 0\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
}

/// What a linear map cannot reach is known before anything is tried: w·x_N for w with w A^j B = 0.
#[test]
fn linear_maps_exclude_goals_out_of_their_reach() {
    let reach = |map: &str, start: &str, goal: &str, steps: usize| {
        let text = format!(
            "system a\nstate x, y\ncontrol u\n{map}\ncost u^2\nstart {start}\ngoal {goal}\ntime 0 .. {steps} step 1\n"
        );
        Reach::of(&problem(&text), &posed(&text).unwrap())
    };
    // x − y is halved at each step, and 3 is added: 4 becomes 5, then 5.5, then 5.75.
    let tied = "map next(x) = x/2 + u + 3\nmap next(y) = y/2 + u";
    let why = reach(tied, "x = 4, y = 0", "x = 1, y = 1", 3)
        .excluded
        .unwrap();
    assert_eq!(
        why.to_string().matches("5.75 after 3 steps").count(),
        1,
        "{why}"
    );
    let r = reach(tied, "x = 4, y = 0", "x = 6, y = 1/4", 3);
    assert!(r.excluded.is_none() && r.implied.len() == 1);
    assert!(
        reach(tied, "x = 4, y = 0", "x >= y + 6", 3)
            .excluded
            .is_some()
    );
    assert!(
        reach(tied, "x = free, y = 0", "x = 1, y = 1", 3)
            .excluded
            .is_none()
    );
    // One step is too few for two states, two are enough.
    let chain = "map next(x) = x + y\nmap next(y) = y + u";
    assert!(
        reach(chain, "x = 0, y = 0", "x = 1, y = 0", 1)
            .excluded
            .is_some()
    );
    assert!(
        reach(chain, "x = 0, y = 0", "x = 1, y = 0", 2)
            .excluded
            .is_none()
    );
    // Nothing is said of what is not linear.
    let curved = "map next(x) = x/2 + u\nmap next(y) = y/2 + x*u";
    assert!(
        reach(curved, "x = 4, y = 0", "x = 1, y = 1", 3)
            .excluded
            .is_none()
    );
}

/// A chain of ten integrators reaches any state: that controls hardly move the first one over a short time, and must be as
/// large as a hundred thousand million, is no contradiction.
#[test]
fn goals_that_controls_hardly_move_are_not_infeasible() {
    let names: Vec<String> = (0..10).map(|i| format!("x{i}")).collect();
    let rates = names.windows(2).map(|w| format!("{}' = {}", w[0], w[1]));
    let rates: Vec<String> = rates.chain(["x9' = u".to_owned()]).collect();
    let goals = names.iter().skip(1).map(|x| format!("{x} = 0"));
    let goals: Vec<String> = std::iter::once("x0 = 1".to_owned()).chain(goals).collect();
    for time in ["0.01", "1", "5"] {
        let text = format!(
            "system a\nstate {}\ncontrol u\nrate {}\ncost u^2/2\ngoal {}\ntime 0 .. {time}\n",
            names.join(", "),
            rates.join(", "),
            goals.join(", ")
        );
        let s = tried(&text, &Request::default());
        assert_ne!(s.status, Status::Infeasible, "{time}");
    }
}

/// What holds for the guess of a free number alone excludes nothing, and makes no condition follow from others.
#[test]
fn free_numbers_are_not_taken_at_their_guess() {
    let pair = |k: &str| {
        format!(
            "system a\nfree k = {k}\nstate x, y\ncontrol u\nrate x' = u, y' = k*u\ncost u^2/2 + k^2/2\ngoal x = 1, y = 2\ntime 0 .. 1\n"
        )
    };
    for k in ["1", "2"] {
        let text = pair(k);
        let reach = Reach::of(&problem(&text), &posed(&text).unwrap());
        assert!(reach.excluded.is_none(), "{k}");
        let mut posed = posed(&text).unwrap();
        posed.drop_implied(&problem(&text), &reach.implied).unwrap();
        assert_eq!(posed.goal.requirements.len(), 2, "{k}");
        near(cost(&solved(&text)), 2.5, 1e-9);
    }
    // Of y = k x it is known for all k that x = 1, y = 2 needs k = 2, and that x = 0 leaves y = 0.
    let text = pair("1").replace("goal x = 1, y = 2", "goal x = 0, y = 2");
    let reach = Reach::of(&problem(&text), &posed(&text).unwrap());
    assert!(reach.excluded.is_some());
}

/// On meshes that are halved 80 periods, and 160, look like a constant.
#[test]
fn functions_in_step_with_the_meshes_are_seen() {
    for (plant, optimum) in [
        (
            format!("{PLAIN}cost u^2*(2 + cos(160*pi*t))\n"),
            3f64.sqrt(),
        ),
        (
            "system a\nstate x\ncontrol u\nrate x' = u + sin(320*pi*t)^2\ncost u^2/2\n".into(),
            0.125,
        ),
    ] {
        let s = tried(
            &format!("{plant}goal x = 1\ntime 0 .. 1\n"),
            &Request::default(),
        );
        let told = s.cost_error.unwrap_or(f64::INFINITY);
        let off = (cost(&s) - optimum).abs() / optimum;
        assert!(
            s.status != Status::Solved || off <= told + 1e-9,
            "{off:.1e} {told:.1e}"
        );
    }
}

/// Positions that are kept on a constraint get to its other side by moving, or not at all.
#[test]
fn positions_do_not_leap_along_their_constraints() {
    let sphere = "system a\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint x^2 + y^2 + z^2 = 1\nstart x = 1, y = 0, z = 0\ngoal x = -1, y = 0, z = 0\ntime 0 .. 1\n";
    let s = tried(sphere, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), std::f64::consts::PI.powi(2) / 2.0, 1e-5);
    let branches = "system a\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint x^2 - y^2 = 1\nstart x = 1, y = 0\ngoal x = -1, y = 0\ntime 0 .. 1\n";
    assert_ne!(tried(branches, &Request::default()).status, Status::Solved);
}

/// A wall that is thinner than the distance of samples is no gap.
#[test]
fn bounds_are_looked_at_between_samples() {
    let text = format!(
        "{PLANE}cost (u^2 + v^2)/2\nbound 10000*(x - 0.494)^2 + y^2 >= 1/4\ngoal x = 1, y = 0\ntime 0 .. 1\n"
    );
    let s = tried(&text, &Request::default());
    assert!(s.status != Status::Solved || cost(&s) > 1.0);
}

/// Lengths in centimetres are as good as in metres: the least cost with a wall (Bryson and Denham) is 4 s².
#[test]
fn bounds_of_small_size_keep_their_digits() {
    for s in [0.1, 0.01, 1e-3, 3e-4] {
        let text = format!(
            "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nbound x <= {:?}\nstart x = 0, x' = {s:?}\ngoal x = 0, x' = {:?}\ntime 0 .. 1\n",
            s / 9.0,
            -s
        );
        let found = tried(&text, &Request::default());
        assert_eq!(found.status, Status::Solved, "{s}");
        near(cost(&found) / (4.0 * s * s), 1.0, 2e-5);
    }
}

/// A metric that is small somewhere, an oscillation that no coarse mesh follows, a cost whose integral does not depend on the path:
/// none of them has pulses that do better and better, or a goal that is out of reach.
#[test]
fn what_meshes_do_not_resolve_is_not_unattained() {
    let s = tried(
        &format!("{PLAIN}cost (x^2 + 0.001)*u^2\nstart x = -0.7\ngoal x = 1\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    // (∫ √(x² + a) dx)².
    let length = |x: f64| {
        let r = (x * x + 0.001f64).sqrt();
        (x * r + 0.001 * (x + r).ln()) / 2.0
    };
    near(cost(&s), (length(1.0) - length(-0.7)).powi(2), 1e-5);
    for text in [
        format!("{PLAIN}cost (x^2 + 1e-4)*u^2\nstart x = -1\ngoal x = 1\ntime 0 .. 1\n"),
        "system a\ncoord x\nlagrangian x'^2/2 - x^2/2\ncontrol u on x\ncost u^2/2\ngoal x = 1, x' = 0\ntime 0 .. 10000\n".into(),
        format!("{PLAIN}cost x^2*u^2\nstart x = -1\ngoal x = 1\nguess x = 2*t - 1\ntime 0 .. 1\n"),
        format!("{PLAIN}cost x*u\ngoal x = 2\ntime 0 .. 1\n"),
    ] {
        let s = tried(&text, &Request::default());
        let told = [Status::Unbounded, Status::Infeasible];
        assert!(!told.contains(&s.status), "{:?}: {text}", s.status);
    }
}

/// ∫ t^a u²: 1 − a for a < 1, which is approached as w^(1 − a) by a mesh that begins with an interval w.
#[test]
fn a_weight_that_vanishes_at_the_start_hides_the_cost() {
    let text = format!("{PLAIN}cost t^(9/10)*u^2\ngoal x = 1\ntime 0 .. 1\n");
    let s = tried(&text, &Request::default());
    let off = (cost(&s) - 0.1).abs() / cost(&s);
    let told = s.cost_error.unwrap_or(f64::INFINITY);
    assert!(
        s.status != Status::Solved || off <= told,
        "{off:.1e} {told:.1e}"
    );
}

/// Where the speed is at its bound no force of a sample is determined: their mean is.
#[test]
fn what_a_bound_on_the_state_leaves_open_is_no_degeneracy() {
    let text = "system a\nfree T = 5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on x\ncontrol v on y\nbound u^2 + v^2 <= 1\nbound x'^2 + y'^2 <= 0.49\ncost 1\ngoal x = 3, y = 2, x' = 0, y' = 0\ntime 0 .. T\n";
    let request = Request {
        nodes: Some(40),
        ..Request::default()
    };
    let s = tried(text, &request);
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), 13f64.sqrt() / 0.7 + 0.7, 1e-2);
}

/// An angle of thrust is free while there is none.
#[test]
fn what_does_not_act_is_no_degeneracy() {
    let text = "system a\nstate x, y, vx, vy\ncontrol g, a\nrate x' = vx, y' = vy, vx' = g*cos(a), vy' = g*sin(a)\nbound 0 <= g <= 1\ncost g\ngoal x = 0.6, y = 0.8, vx = 0, vy = 0\ntime 0 .. 3\n";
    let s = tried(text, &Request::default());
    assert!(
        matches!(s.status, Status::Solved | Status::Singular),
        "{:?}",
        s.status
    );
    near(cost(&s), 3.0 - 5f64.sqrt(), 1e-4);
}

/// The verdict is that of the same problem in other units: the farthest circle that a constant thrust reaches, in metres.
#[test]
fn units_make_no_problem_degenerate() {
    let text = "system a\nparam mu = 1.32712440018e20, Th = 3.781, AU = 1.495978707e11, m0 = 4535.9, md = 6.7e-5\nstate r, u, v\ncontrol phi\nrate r' = u, u' = v^2/r - mu/r^2 + Th*sin(phi)/(m0-md*t), v' = -u*v/r + Th*cos(phi)/(m0-md*t)\nterminal -r\nstart r = AU, u = 0, v = sqrt(mu/AU)\ngoal u = 0, v = sqrt(mu/r)\ntime 0 .. 16675200\n";
    let s = tried(text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    near(cost(&s), -2.281_027_75e11, 1e-6);
}

/// The second derivative of H vanishes at u = 0, where its only maximum is.
#[test]
fn a_quartic_determines_its_control() {
    let s = tried(
        &format!("{PLAIN}cost u^4\ngoal x = 0\ntime 0 .. 1\n"),
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(1.0 + cost(&s), 1.0, 1e-9);
}

/// Where one control alone reaches the goal the cost grows as the root of what conditions are relaxed by.
#[test]
fn costs_are_known_where_one_path_is_feasible() {
    let text = "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\nbound -1 <= u <= 1\ncost u^2\ngoal x = 1, x' = 0\ntime 0 .. 2\n";
    let s = tried(text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    let error = s.cost_error.unwrap();
    assert!(
        (cost(&s) - 2.0).abs() <= 2.0 * error,
        "{} ± {error}",
        cost(&s)
    );
    let text = "system a\nfree T = 2\nstate x, y\ncontrol th\nrate x' = 2 + cos(th), y' = sin(th)\ncost 1\ngoal x = 3, y = sqrt(3)\ntime 0 .. T\n";
    let s = tried(text, &Request::default());
    assert_eq!(s.status, Status::Solved);
    let error = s.cost_error.unwrap();
    assert!(
        (cost(&s) - 2.0).abs() <= 2.0 * error,
        "{} ± {error}",
        cost(&s)
    );
}
