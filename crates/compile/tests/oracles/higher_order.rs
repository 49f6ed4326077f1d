//! Ostrogradsky momenta and equations of order above two.

use crate::run::{Question, Route, route};
use rattleback_mechanics::engine::{MassForm, euler_lagrange, ostrogradsky_momenta};
use rattleback_symbolic::{Expr, Symbol};

pub fn answer(q: &Question) -> Option<Vec<Route>> {
    let case = q.case;
    let system = &case.system;
    Some(match q.row.quantity.as_str() {
        "ostrogradsky_momenta" => {
            let levels = ostrogradsky_momenta(system.frame(), system.lagrangian(), system.order());
            vec![route("recursion", case.values_of(&levels.concat()))]
        }
        "higher_order_rate" => {
            let rate = |n: &String| case.rate(case.motion_form(), n);
            vec![route("engine", q.row.names.iter().map(rate).collect())]
        }
        "euler_lagrange_residual" => vec![route("operator", residual(q))],
        _ => return None,
    })
}

/// −(d/dt p_0 − ∂L/∂q), with the highest jet at a stated value.
fn residual(q: &Question) -> Vec<f64> {
    let system = &q.case.system;
    let (frame, order) = (system.frame(), system.order());
    let MassForm { mass, bias } =
        euler_lagrange(frame, system.lagrangian(), order, system.force(), &[]);
    let top: Vec<Symbol> = frame
        .fibre()
        .iter()
        .map(|y| y.jet(y.order() + 2 * order - 1))
        .collect();
    let mut case = crate::case::Case::new(q.source, &[]);
    for s in &top {
        case.know(
            s.clone(),
            q.row.all[format!("jet{}", s.order()).as_str()]
                .as_f64()
                .expect("a jet"),
        );
    }
    let highest: Vec<Expr> = top.iter().map(Expr::from).collect();
    let all: Vec<Expr> = mass
        .apply(&highest)
        .iter()
        .zip(&bias)
        .map(|(m, b)| -(m + b))
        .collect();
    case.values_of(&all)
}
