//! End states of motions, by a plain fourth-order method with small steps.

use crate::case::Case;
use crate::data::{Oracle, Row, numbers};
use crate::run::{Report, route};
use rattleback_compile::Evaluator;
use rattleback_mechanics::engine::ostrogradsky_momenta;
use rattleback_mechanics::{Equations, Form};
use rattleback_symbolic::{Expr, Symbol, Tape};

const STEP: f64 = 1e-3;

pub fn check(oracle: &Oracle, row: &Row, text: &str, report: &mut Report) {
    let case = Case::new(text, &row.set());
    let vakonomic = row.text("form") == Some("vakonomic");
    let form = if vakonomic {
        Form::Vakonomic
    } else {
        case.motion_form()
    };
    let equations = case.equations(form);
    let mu0 = numbers(&row.all["mu0"]);
    let start: Vec<f64> = equations
        .state
        .iter()
        .map(|s| match s.name().strip_prefix("mu") {
            Some(k) if vakonomic && s.order() == 0 => mu0[k.parse::<usize>().unwrap() - 1],
            _ => case.known(s),
        })
        .collect();
    let end = flow(
        &case,
        &equations,
        start,
        row.all["t"].as_f64().expect("a time"),
    );
    let values = row
        .names
        .iter()
        .map(|n| named(&case, &equations, &end, n))
        .collect();
    report.compare(oracle, row, &[route("motion", values)], false);
}

/// The state after time t from the start time.
fn flow(case: &Case, equations: &Equations, start: Vec<f64>, t: f64) -> Vec<f64> {
    let evaluator = Evaluator::new(equations, &case.start.constants).unwrap();
    let rates = |time: f64, x: &[f64]| {
        evaluator
            .at(time, x, &case.start.constant_values)
            .unwrap()
            .rates
    };
    let steps = (t / STEP).ceil();
    let h = t / steps;
    let moved = |x: &[f64], k: &[f64], c: f64| -> Vec<f64> {
        x.iter().zip(k).map(|(x, k)| x + c * k).collect()
    };
    let mut x = start;
    for i in 0..steps as usize {
        let now = case.start.time + h * i as f64;
        let k1 = rates(now, &x);
        let k2 = rates(now + h / 2.0, &moved(&x, &k1, h / 2.0));
        let k3 = rates(now + h / 2.0, &moved(&x, &k2, h / 2.0));
        let k4 = rates(now + h, &moved(&x, &k3, h));
        for j in 0..x.len() {
            x[j] += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
        }
    }
    x
}

/// A named quantity at a state: a state component, a multiplier, a momentum or an observable.
fn named(case: &Case, equations: &Equations, state: &[f64], name: &str) -> f64 {
    if let Some(i) = equations.state.iter().position(|s| s.to_string() == name) {
        return state[i];
    }
    let evaluator = Evaluator::new(equations, &case.start.constants).unwrap();
    let at = evaluator
        .at(case.start.time, state, &case.start.constant_values)
        .unwrap();
    if let Some(i) = equations.multipliers.iter().position(|q| q.name == name) {
        return at.multipliers[i];
    }
    let e = function(case, name);
    let symbols = [&equations.state[..], &case.start.constants].concat();
    let values = [state, &case.start.constant_values].concat();
    let stray = || panic!("{name} is not a function of the state");
    Tape::new(&symbols, &[e])
        .unwrap_or_else(|_| stray())
        .evaluate(&values)[0]
}

fn function(case: &Case, name: &str) -> Expr {
    let system = &case.system;
    if let Some(o) = case.model.observables.iter().find(|o| o.name == name) {
        return o.value.as_scalar().expect("a scalar").clone();
    }
    if let Some(p) = name.strip_prefix("p_") {
        return system.momenta()[case.velocity(p)].clone();
    }
    // a1_2: the second component of the first Ostrogradsky momentum.
    if let Some((level, component)) = name.strip_prefix('a').and_then(|n| n.split_once('_')) {
        let levels = ostrogradsky_momenta(system.frame(), system.lagrangian(), system.order());
        return levels[level.parse::<usize>().unwrap()][component.parse::<usize>().unwrap() - 1]
            .clone();
    }
    // c1, y1: the velocities in the frame of D.
    let index = name.trim_start_matches(['c', 'y']).parse::<usize>();
    let sections = system.sections().expect("a frame").clone();
    let a = index.unwrap_or_else(|_| panic!("no quantity {name}")) - 1;
    let gram = &sections.basis.transpose() * &sections.basis;
    let paired = sections.basis.transpose().apply(&system.frame().velocity());
    let solved =
        rattleback_symbolic::solve(&gram, &rattleback_symbolic::Matrix::column_vector(&paired));
    let velocities: Vec<Expr> = solved.expect("independent fields").solution.column(0);
    debug_assert_eq!(velocities.len(), sections.velocities.len());
    let _: &[Symbol] = &sections.velocities;
    velocities[a].clone()
}
