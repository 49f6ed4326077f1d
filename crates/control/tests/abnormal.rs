//! Extremals on which the conditions depend on each other, whatever the cost, and others that only look like it.

mod common;

use common::{cost, near, tried};
use rattleback_control::optimal::{Extremum, Request, Solution, Status};

fn at_defaults(text: &str) -> Solution {
    let found = tried(text, &Request::default());
    assert_eq!(found.status, Status::Solved);
    found
}

/// The line x = 0 is rigid: where v > 0, z = ∫ x²v/2 stays zero along no other one. With Martinet's flat metric it is
/// normal too; where the metric changes across it, it is not, and the multipliers have no limit. The line of Engel's group
/// and that of Liu and Sussmann are of the same kind. Two squares that vanish leave one path alone.
#[test]
fn abnormal_extremals_are_named() {
    let plane = |rest: &str| {
        format!("system a\nstate x, y, z\ncontrol u, v\nrate x' = u\n{rest}time 0 .. 1\n")
    };
    let flat = "rate y' = v, z' = x^2*v/2\ncost (u^2 + v^2)/2\ngoal x = 0, y = 1, z = 0\n";
    let sloped = flat.replace("v^2)/2", "(1 + x)^2*v^2)/2");
    let liu = "rate y' = (1 - x)*v, z' = x^2*v\ncost (u^2 + v^2)/2\ngoal x = 0, y = 1, z = 0\n";
    let engel = "rate y' = v, z' = x*v, w' = x^2*v/2\nstate w\ncost (u^2 + (1 + x)^2*v^2)/2\ngoal x = 0, y = 1, z = 0, w = 0\n";
    for rest in [flat, &sloped, liu, engel] {
        let found = at_defaults(&plane(rest));
        near(cost(&found), 0.5, 1e-6);
        assert!(found.abnormal, "{rest}");
        assert_eq!(found.extremum, Extremum::Unknown, "{rest}");
    }
    let alone = "system a\nstate x, y\ncontrol u\nrate x' = u, y' = u^2\ncost (u - 1)^2\ngoal x = 0, y = 0\ntime 0 .. 1\n";
    let found = at_defaults(alone);
    near(cost(&found), 1.0, 1e-6);
    assert!(found.abnormal);
    // The same as a curve of the vakonomic problem.
    let curve = "system a\ncoord x, y, z\nlagrangian (x'^2 + y'^2)/2\nconstraint z' = x^2*y'/2\ngoal x = 0, y = 1, z = 0\ntime 0 .. 1\n";
    assert!(at_defaults(curve).abnormal);
}

/// Normal ones: conditions of very different size, one that hardly feels the controls, a stiff motion, a long chain, a
/// contact structure, and a path that passes where the controls lose a direction.
#[test]
fn normal_extremals_are_not_called_abnormal() {
    let texts = [
        "system a\nstate x, y\ncontrol u\nrate x' = 1e-9*u, y' = u - y\ncost u^2\ngoal x = 1e-9, y = 0\ntime 0 .. 1\n",
        "system a\nstate x, y\ncontrol u\nrate x' = u, y' = 1e-9*u^2\ncost u^2 + x^2\ngoal x = 1, y = 2e-9\ntime 0 .. 1\n",
        "system a\nstate x\ncontrol u\nrate x' = 2*sin(5*x) + u\ncost u^2\ngoal x = 0.9\ntime 0 .. 1\n",
        "system a\nstate a, b, c, d, e, f\ncontrol u\nrate a' = b, b' = c, c' = d, d' = e, e' = f, f' = u\ncost u^2\ngoal a = 1, b = 0, c = 0, d = 0, e = 0, f = 0\ntime 0 .. 1\n",
        "system a\nstate x, y, z\ncontrol u, v\nrate x' = u, y' = v, z' = (x*v - y*u)/2\ncost (u^2 + v^2)/2\ngoal x = 1, y = 0, z = 1\ntime 0 .. 1\n",
        "system a\nstate x, y, z\ncontrol u, v\nrate x' = u, y' = v, z' = x^2*v/2\ncost (u^2 + v^2)/2\ngoal x = 0, y = 1, z = 0.1\ntime 0 .. 1\n",
        // A velocity that the constraints give by the others is periodic with them: conditions that follow from others.
        include_str!("../../../docs/examples/gait.mech"),
        "system a\ncoord q : angle\nlagrangian q'^2/2 + 9.81*cos(q)\ncontrol u on q\ncost u^2/2\ngoal q = pi, q' = 0\ntime 0 .. 3\n",
    ];
    for text in texts {
        assert!(!at_defaults(text).abnormal, "{text}");
    }
}
