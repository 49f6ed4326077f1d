//! Costs of optimal control problems against the oracle tables.

use rattleback_control::optimal::{Posed, Request, Solution, Status, solve};
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, Problem};

fn solved(text: &str, request: &Request) -> Solution {
    let parsed = parse(&Source::new("a.mech", text));
    let model = parsed
        .model
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let form = model.controls.is_empty().then_some(Form::Vakonomic);
    let problem = Problem::for_form(&model, form).unwrap();
    let posed = Posed::of(&problem).unwrap();
    let solution = solve(posed, request, &()).unwrap().solution;
    eprintln!(
        "{:?} {:?} error {:?} n {} it {} opt {:.1e} inf {:.1e} {:?} {:?}",
        solution.status,
        solution.cost,
        solution.cost_error,
        solution.nodes,
        solution.iterations,
        solution.optimality,
        solution.infeasibility,
        solution.extremum,
        solution.seconds
    );
    solution
}

fn near(a: f64, b: f64, relative: f64) {
    assert!(
        (a - b).abs() <= relative * b.abs().max(1e-12),
        "{a} is not {b}"
    );
}

#[test]
fn the_double_integrator_has_its_closed_form() {
    let s = solved(
        "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nstart x = 0, x' = 0.4\ngoal x = 1.3, x' = -0.2\ntime 0 .. 1.7\n",
        &Request::default(),
    );
    assert_eq!(s.status, Status::Solved);
    near(s.cost.unwrap(), 1.66529615306, 1e-10);
    near(s.trajectory.controls[0][0], 1.99307958477, 1e-9);
}

#[test]
fn cart_pole() {
    let text = "system a\nparam M = 1, m = 0.3, l = 0.5, g = 9.81\ncoord x\ncoord th : angle\nkinetic M/2*x'^2 + m/2*(x'^2 + 2*x'*l*th'*cos(th) + l^2*th'^2)\npotential m*g*l*cos(th)\ncontrol u on x\ncost u^2/2\nstart x = 0, th = 0.2, x' = 0, th' = 0\ngoal x = 0.5, th = 0, x' = 0, th' = 0\ntime 0 .. 1.5\n";
    let s = solved(text, &Request::default());
    near(s.cost.unwrap(), 2.087576694340, 1e-6);
    near(s.trajectory.costates[0][0], 1.594536551327, 1e-5);
    near(s.trajectory.costates[0][3], -3.506299551766, 1e-5);
    near(s.trajectory.hamiltonian[0], 1.6452603195, 1e-5);
}
