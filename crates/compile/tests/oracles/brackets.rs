//! Brackets, Jacobiators and ranks.

use crate::case::Case;
use crate::phase_space::numerical_rank;
use crate::run::{Question, Route, parts, route};
use rattleback_mechanics::phase::{
    DiracBracket, FrameMomenta, Jacobiator, MomentumConstraints, SymplecticDistribution,
    VelocityBrackets,
};
use rattleback_symbolic::{Expr, Symbol, dot};

pub fn answer(q: &Question) -> Option<Vec<Route>> {
    let system = &q.case.system;
    let sign = q.oracle.sign("bracket_sign");
    let signed = |routes: Vec<Route>| {
        routes
            .into_iter()
            .map(|r| route(r.name, r.values.iter().map(|v| sign * v).collect()))
            .collect()
    };
    Some(match q.row.quantity.as_str() {
        "bracket_PP" | "bracket_fg" => signed(pairs(q)),
        "bracket_vv" | "bracket_vq" => {
            let mut routes = pairs(q);
            routes.push(velocity_brackets(q));
            signed(routes)
        }
        "bracket_qp" | "bracket_pp_qp" => {
            let bracket = MomentumConstraints::of(system).unwrap().bracket();
            let at = |n: &String| {
                let p = parts(n);
                let e = bracket.bracket(&canonical(q.case, p[0]), &canonical(q.case, p[1]));
                q.case.value_of(&e)
            };
            let dirac = DiracBracket::of(system).unwrap();
            let nested = |n: &String| {
                let p = parts(n);
                q.case
                    .value_of(&dirac.bracket(&function(q, p[0]), &function(q, p[1])))
            };
            signed(vec![
                route("on momenta", q.row.names.iter().map(at).collect()),
                route("Dirac", q.row.names.iter().map(nested).collect()),
            ])
        }
        "jacobiator_q" | "jacobiator_P" | "jacobiator_p" => jacobiators(q),
        "poisson_rank" => {
            let bracket = FrameMomenta::of(system).unwrap().bracket().clone();
            let values = q.case.values_of(bracket.matrix.entries());
            let numeric = numerical_rank(&values, bracket.matrix.cols()) as f64;
            let exact = bracket.symplectic_space(&[]).unwrap().rank() as f64;
            let dimension = bracket.coordinates.len() as f64;
            vec![
                route("at the point", vec![numeric, dimension]),
                route("generic", vec![exact, dimension]),
            ]
        }
        _ => return None,
    })
}

/// A coordinate or coordinate momentum on T*Q.
fn canonical(case: &Case, name: &str) -> Expr {
    if name.starts_with("p_") {
        Symbol::variable(name).into()
    } else {
        case.position(name)
    }
}

/// A named function on TQ: a position, a velocity, a momentum, a frame momentum, or f and g.
fn function(q: &Question, name: &str) -> Expr {
    let (case, system) = (q.case, &q.case.system);
    if let Some(text) = q.row.text(name) {
        return case.function(text, q.source);
    }
    if let Some(a) = name.strip_prefix('P').and_then(|a| a.parse::<usize>().ok()) {
        let z = system.sections().unwrap().basis.column(a - 1);
        return dot(&system.momenta(), &z);
    }
    if let Some(p) = name.strip_prefix("p_") {
        return system.momenta()[case.velocity(p)].clone();
    }
    if name.ends_with('\'') || name.contains('[') {
        return Expr::from(&system.frame().fibre()[case.velocity(name)]);
    }
    case.position(name)
}

/// Brackets of two named functions, on D in the frame and by Dirac's formula.
fn pairs(q: &Question) -> Vec<Route> {
    let (case, system) = (q.case, &q.case.system);
    let dirac = DiracBracket::of(system).unwrap();
    let h = SymplecticDistribution::of(system).unwrap();
    let each = |bracket: &dyn Fn(&Expr, &Expr) -> Expr| -> Vec<f64> {
        let at = |n: &String| {
            let p = parts(n);
            case.value_of(&bracket(&function(q, p[0]), &function(q, p[1])))
        };
        q.row.names.iter().map(at).collect()
    };
    let mut routes = vec![
        route("Dirac", each(&|f, g| dirac.bracket(f, g))),
        route(
            "on D",
            each(&|f, g| h.bracket(&h.restrict(f), &h.restrict(g))),
        ),
    ];
    if q.row.quantity == "bracket_PP" {
        let frame = FrameMomenta::of(system).unwrap();
        let momentum = |n: &str| Expr::from(&frame.momenta()[n[1..].parse::<usize>().unwrap() - 1]);
        let at = |n: &String| {
            let p = parts(n);
            case.value_of(&frame.bracket().bracket(&momentum(p[0]), &momentum(p[1])))
        };
        routes.push(route(
            "structure tensor",
            q.row.names.iter().map(at).collect(),
        ));
    }
    routes
}

fn velocity_brackets(q: &Question) -> Route {
    let case = q.case;
    let brackets = VelocityBrackets::of(&case.system).unwrap();
    let at = |n: &String| {
        let p = parts(n);
        let a = case.velocity(p[0]);
        if p[1].ends_with('\'') {
            case.value_of(&brackets.velocity_velocity[(a, case.velocity(p[1]))])
        } else {
            // {y, z} = −{z, y}.
            -case.value_of(&brackets.position_velocity[(case.position_index(p[1]), a)])
        }
    };
    route("closed form", q.row.names.iter().map(at).collect())
}

fn jacobiators(q: &Question) -> Vec<Route> {
    let (case, system) = (q.case, &q.case.system);
    let sign = q.oracle.jacobiator_sign();
    let over = |value: &dyn Fn(&[&str]) -> f64| -> Vec<f64> {
        q.row
            .names
            .iter()
            .map(|n| sign * value(&parts(n)))
            .collect()
    };
    let dirac = DiracBracket::of(system).unwrap();
    let nested = over(&|p| {
        let [f, g, h] = [0, 1, 2].map(|i| function(q, p[i]));
        case.value_of(&dirac.jacobiator(&f, &g, &h))
    });
    let mut routes = vec![route("nested Dirac brackets", nested)];
    if q.row.quantity == "jacobiator_p" {
        return routes;
    }
    let frame = FrameMomenta::of(system).unwrap();
    let on_frame = |n: &str| match n.strip_prefix('P').and_then(|a| a.parse::<usize>().ok()) {
        Some(a) => Expr::from(&frame.momenta()[a - 1]),
        None => case.position(n),
    };
    routes.push(route(
        "nested brackets of (z, P)",
        over(&|p| {
            let [f, g, h] = [0, 1, 2].map(|i| on_frame(p[i]));
            case.value_of(&frame.bracket().jacobiator(&f, &g, &h))
        }),
    ));
    let formula = Jacobiator::of(system).unwrap();
    let index = |n: &str| n[1..].parse::<usize>().unwrap() - 1;
    routes.push(route(
        "closed form",
        over(&|p| {
            let (a, b) = (index(p[0]), index(p[1]));
            if q.row.quantity == "jacobiator_P" {
                case.value_of(&formula.with_momenta(a, b, index(p[2])))
            } else {
                case.value_of(&formula.with_positions(a, b)[case.position_index(p[2])])
            }
        }),
    ));
    routes
}
