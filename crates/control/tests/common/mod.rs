//! Problems from texts, and comparisons with known digits.
#![allow(dead_code, reason = "each test file uses its part")]

use rattleback_control::optimal::{PoseError, Posed, Request, Scheme, Solution, Status, solve};
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, Problem};

pub fn posed(text: &str) -> Result<Posed, PoseError> {
    Posed::of(&problem(text))
}

pub fn problem(text: &str) -> Problem {
    let parsed = parse(&Source::new("a.mech", text));
    let model = parsed
        .model
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let costs = !model.costs.is_empty() || !model.terminals.is_empty();
    let is_curve = model.controls.is_empty() && !costs && model.forces.is_empty();
    let form = is_curve.then_some(Form::Vakonomic);
    Problem::for_form(&model, form).unwrap()
}

pub fn tried(text: &str, request: &Request) -> Solution {
    let solution = solve(posed(text).unwrap(), request, &()).unwrap().solution;
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

/// Solved with the mesh refined until the cost is known to 1e-9.
pub fn solved(text: &str) -> Solution {
    let request = Request {
        tolerance: 1e-9,
        ..Request::default()
    };
    let solution = tried(text, &request);
    assert_eq!(solution.status, Status::Solved);
    solution
}

/// The discrete problem of a scheme with n intervals.
pub fn discrete(text: &str, scheme: Scheme, n: usize) -> Solution {
    let request = Request {
        scheme,
        nodes: Some(n),
        ..Request::default()
    };
    let solution = tried(text, &request);
    assert_eq!(solution.status, Status::Solved);
    solution
}

pub fn cost(solution: &Solution) -> f64 {
    solution.cost.unwrap()
}

#[track_caller]
pub fn near(a: f64, b: f64, relative: f64) {
    let size = b.abs().max(1e-9);
    assert!((a - b).abs() <= relative * size, "{a} is not {b}");
}

#[track_caller]
pub fn all_near(a: &[f64], b: &[f64], absolute: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= absolute, "{a:?} is not {b:?}");
    }
}
