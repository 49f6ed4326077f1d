//! Conditions on the way, families of extremals, flat outputs and feedback.

mod common;

use common::{all_near, cost, near, posed, solved};
use rattleback_control::indirect::{Family, FamilyError};
use rattleback_control::optimal::{Feedback, NoFeedback, Request, Solution, Status, solve};
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, Problem};
use rattleback_symbolic::{Expr, Symbol};

const POINT: &str = "system point\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n";

/// An inequality on the way that holds the path is an equation, one that does not is nothing.
#[test]
fn inequalities_on_the_way() {
    let there_and_back = |via: &str| {
        solved(&format!(
            "{POINT}via 0.5: {via}\ngoal x = 0, x' = 0\ntime 0 .. 1\n"
        ))
    };
    // Twice from rest to rest: 6 d²/T³ each.
    let known = 2.0 * 6.0 * 0.3 * 0.3 / 0.125;
    near(cost(&there_and_back("x >= 0.3")), known, 1e-6);
    near(
        cost(&there_and_back("0.3 <= x, x <= 0.4, x' >= -1")),
        known,
        1e-6,
    );
    assert!(cost(&there_and_back("x >= -1")) < 1e-7);
    // With a free time of passage: late enough that the constraint holds the path once.
    let s = solved(&format!(
        "{POINT}free s = 0.4\nbound 0.1 <= s <= 0.9\nvia s: x >= 0.3\ngoal x = 0, x' = 0\ntime 0 .. 1\n"
    ));
    near(cost(&s), known, 1e-5);
    near(s.free[0], 0.5, 1e-3);
}

/// A plant in steps passes its nodes.
#[test]
fn conditions_at_nodes_of_a_map() {
    let text = |via: &str| {
        format!(
            "system m\nstate x\ncontrol u\nmap next(x) = x + u\ncost u^2\nvia {via}\ngoal x = 0\ntime 0 .. 4 step 1\n"
        )
    };
    for via in ["2: x = 1", "2: x >= 1"] {
        let s = solved(&text(via));
        near(cost(&s), 1.0, 1e-6);
        near(s.trajectory.states[2][0], 1.0, 1e-6);
    }
    // Node 1 of 4: one step up, three down.
    near(cost(&solved(&text("1: x = 1"))), 1.0 + 1.0 / 3.0, 1e-9);
}

fn problem(text: &str) -> Problem {
    let model = parse(&Source::new("test.mech", text))
        .model
        .expect("a model");
    Problem::for_form(&model, Some(Form::Optimality)).expect("a problem")
}

const COIN: &str = "system coin\nparam m = 2, J = 0.5\ncoord x, y\ncoord th : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2\n\
    constraint x'*sin(th) - y'*cos(th) = 0\nframe a = (th: 1/J)\nframe b = (x: cos(th)/m, y: sin(th)/m)\n\
    control u1 on (x: cos(th), y: sin(th))\ncontrol u2 on (th: 1)\ncost (u1^2/m^2 + u2^2/J^2)/2\n\
    start th = 0.2, th' = 0.8, x' = 0.25*cos(0.2), y' = 0.25*sin(0.2)\n";

fn zero(names: &[&str]) -> Vec<(Symbol, Expr)> {
    let all = names.iter();
    all.map(|n| (Symbol::variable(n), Expr::zero())).collect()
}

/// CG-B7, P-COIN-7: the closed-form family of the coin, found from nothing, and goals that it misses.
#[test]
fn vanishing_multipliers_of_the_coin() {
    let times: Vec<f64> = (0..=20).map(|k| f64::from(k) / 10.0).collect();
    let speed =
        |v: f64, th: f64| format!("th = {th}, th' = 1.2, x' = {v}*cos({th}), y' = {v}*sin({th})");
    let goal = format!(
        "{COIN}goal x = 0.47844862196264, y = 0.88126932434540, {}\ntime 0 .. 2\n",
        speed(0.85, 1.8)
    );
    let family = zero(&["p_x", "p_y"]);
    let found = Family::follow(&problem(&goal), &family, &[0.0; 5], &times).unwrap();
    assert!(found.miss() < 1e-9, "{:?}", found.misses);
    near(found.cost, 0.25, 1e-9);
    // u1 = c7/m and u2 = (c3 t + c4)/J as accelerations.
    for (t, u) in found.times.iter().zip(&found.controls) {
        all_near(u, &[0.3 * 2.0, (0.3 * t - 0.2) / 0.5 * 0.5], 1e-7);
    }
    // 8 constants meet 8 conditions: elsewhere something is left.
    let away = goal.replace("x = 0.478", "x = 0.978");
    let found = Family::follow(&problem(&away), &family, &[0.0; 5], &times).unwrap();
    assert!(found.miss() > 1e-2);
    let refused = Family::follow(&problem(&goal), &zero(&["p_th"]), &[0.0; 5], &times);
    assert!(
        matches!(&refused, Err(FamilyError::NotKept { name, .. }) if name == "p_th"),
        "{refused:?}"
    );
    let refused = Family::check(&problem(&goal), &zero(&["x"]));
    assert!(matches!(refused, Err(FamilyError::NoCostate { .. })));
    let free = goal.replace("start th = 0.2", "start th = free(0.2)");
    let refused = Family::check(&problem(&free), &family);
    assert!(matches!(refused, Err(FamilyError::NotTreated(_))));
}

fn with_feedback(text: &str) -> (Solution, Feedback) {
    let found = solve(posed(text).unwrap(), &Request::default(), &()).unwrap();
    assert_eq!(found.solution.status, Status::Solved);
    let posed = &found.transcriber.posed;
    let path = &found.solution.trajectory;
    let feedback = Feedback::along(posed, path, &found.solution.free).unwrap();
    (found.solution, feedback)
}

/// Of a linear system the gains are those of the algebraic equation, all along.
#[test]
fn gains_of_a_linear_system_are_constant() {
    let (s, feedback) = with_feedback(&format!("{POINT}goal x = 1, x' = 0\ntime 0 .. 1\n"));
    // x'' = u with sizes 1, 3/2 and 6: K = (6, 6√((2/3)² + 2/6)).
    let sizes = (&feedback.sizes.0, &feedback.sizes.1);
    all_near(sizes.0, &[1.0, 1.5], 1e-6);
    all_near(sizes.1, &[6.0], 1e-6);
    let known = [6.0, 6.0 * (4.0_f64 / 9.0 + 1.0 / 3.0).sqrt()];
    assert_eq!(feedback.gains.len(), s.trajectory.times.len());
    for k in &feedback.gains {
        all_near(k, &known, 1e-4);
    }
    assert_eq!(feedback.directions, ["x", "x'"]);
}

/// Where the open loop falls the closed one does not: on coordinates, on groups on both sides, with constraints.
#[test]
fn the_closed_loop_ends_nearer() {
    let pendulum = "system p\ncoord q : angle\nlagrangian q'^2/2 - 4*cos(q)\ncontrol u on q\ncost u^2/2\nstart q = pi\ngoal q = 0, q' = 0\ntime 0 .. 4\n";
    let body = |side: &str| {
        format!(
            "system b\ngroup R : SO(3) velocity w{side}\nkinetic (w[1]^2 + w[2]^2 + w[3]^2)/2\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\n\
             cost (u1^2 + u2^2 + u3^2)/2\nstart w = [1, 0.5, -0.5]\ngoal R = rotation([0, 0, 1], 1.5), w = [0, 0, 1]\ntime 0 .. 5\n"
        )
    };
    let coin =
        format!("{COIN}goal x = 0.5, y = 1, th = 1.5, th' = 0, x' = 0, y' = 0\ntime 0 .. 6\n");
    for text in [pendulum, &body(""), &body(" space"), &coin] {
        let (_, feedback) = with_feedback(text);
        let (open, closed) = feedback.worst();
        let (open, closed) = (open.unwrap_or(f64::INFINITY), closed.unwrap());
        assert!(
            closed < 0.3 * open && closed < 0.02,
            "{open} {closed} {text}"
        );
    }
}

/// What has no feedback says so.
#[test]
fn what_cannot_be_fed_back_is_told() {
    let of = |text: &str| {
        let found = solve(posed(text).unwrap(), &Request::default(), &()).unwrap();
        let path = &found.solution.trajectory;
        Feedback::along(&found.transcriber.posed, path, &found.solution.free)
    };
    let map = "system m\nstate x\ncontrol u\nmap next(x) = x + u\ncost u^2\ngoal x = 1\ntime 0 .. 4 step 1\n";
    assert!(matches!(of(map), Err(NoFeedback::Map)));
    let curve = "system c\ncoord x\nlagrangian x'^2/2\nforce (x: -x)\ngoal x = 1\ntime 0 .. 1\n";
    assert!(matches!(of(curve), Err(NoFeedback::NoControls)));
    let ring = "system p\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = 1\ncontrol u on (x: -y, y: x)\ncost u^2/2\nstart x = 1, y = 0\ngoal x = 0, y = 1, x' = 0, y' = 0\ntime 0 .. 1\n";
    assert!(matches!(of(ring), Err(NoFeedback::Holonomic)));
}
