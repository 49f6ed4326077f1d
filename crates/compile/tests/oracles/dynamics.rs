//! Velocities, accelerations, multipliers, energies and momenta.

use crate::run::{Question, Route, route};
use rattleback_mechanics::Form;
use rattleback_mechanics::phase::{
    CanonicalPhaseSpace, ConstrainedPhaseSpace, FrameMomenta, MomentumConstraints,
    MomentumFunction, NonholonomicConnection, SymplecticDistribution,
};
use rattleback_symbolic::{Expr, Symbol, dot};

pub fn answer(q: &Question) -> Option<Vec<Route>> {
    let case = q.case;
    let names = &q.row.names;
    Some(match q.row.quantity.as_str() {
        "velocity" => {
            let y = case.system.frame().fibre();
            vec![route(
                "start",
                names
                    .iter()
                    .map(|n| case.known(&y[case.velocity(n)]))
                    .collect(),
            )]
        }
        "acceleration" => accelerations(q),
        "multipliers" => multipliers(q),
        "energy" => energies(q),
        "energy_rate" => {
            let energy = case.system.energy();
            vec![route(
                "along the motion",
                vec![case.value_of(&case.system.frame().rate(&energy))],
            )]
        }
        "frame_velocities" => {
            let v = &case.system.sections().unwrap().velocities;
            vec![route(
                "decomposed",
                v.iter().map(|s| case.known(s)).collect(),
            )]
        }
        "frame_rates" => frame_rates(q),
        "momenta" => frame_momenta(q),
        "momentum_rates" => momentum_rates(q),
        "coordinate_momenta" => {
            let p = case.system.momenta();
            vec![route(
                "Legendre",
                names
                    .iter()
                    .map(|n| case.value_of(&p[case.velocity(&n[2..])]))
                    .collect(),
            )]
        }
        "coordinate_momentum_rates" => {
            let rate = |n: &String| case.rate(Form::Hamiltonian, n);
            let field = MomentumConstraints::of(&case.system).unwrap().field();
            let fibre = case.values_of(&field.fibre);
            let at = |n: &String| fibre[case.velocity(n[2..].trim_end_matches('\''))];
            vec![
                route("Hamiltonian form", names.iter().map(rate).collect()),
                route("projected field", names.iter().map(at).collect()),
            ]
        }
        "observed" | "observed_rate" => {
            let value = |n: &String| {
                let name = n.trim_end_matches('\'');
                let o = case
                    .model
                    .observables
                    .iter()
                    .find(|o| o.name == name)
                    .expect("an observable");
                let e = o.value.as_scalar().expect("a scalar").clone();
                if n.ends_with('\'') {
                    case.value_of(&case.system.frame().rate(&e))
                } else {
                    case.value_of(&e)
                }
            };
            vec![route("observable", names.iter().map(value).collect())]
        }
        _ => return None,
    })
}

/// No force, no drift: the bracket formulations apply.
fn is_conservative(q: &Question) -> bool {
    let system = &q.case.system;
    system.order() == 1
        && system.constraints().is_linear()
        && system.force().iter().all(Expr::is_zero)
}

fn accelerations(q: &Question) -> Vec<Route> {
    let case = q.case;
    let names = &q.row.names;
    let y = case.system.frame().fibre();
    let engine = names
        .iter()
        .map(|n| case.known(&y[case.velocity(n)].derivative()));
    let mut routes = vec![route("engine", engine.collect())];
    if is_conservative(q) {
        let space = ConstrainedPhaseSpace::of(&case.system).unwrap();
        let projected = space.distributional_field(space.phase().energy());
        let values = case.values_of(&projected.fibre);
        let chosen = |values: &[f64]| names.iter().map(|n| values[case.velocity(n)]).collect();
        routes.push(route("X_h projected on H", chosen(&values)));
        let tangent =
            space.project_tangent(&space.phase().hamiltonian_field(space.phase().energy()));
        routes.push(route(
            "X_h projected on TD",
            chosen(&case.values_of(&tangent.field.fibre)),
        ));
        let h = SymplecticDistribution::of(&case.system).unwrap();
        let field = h.ambient(&h.field(h.energy()));
        routes.push(route(
            "Y_h in the frame",
            chosen(&case.values_of(&field.fibre)),
        ));
    }
    routes
}

fn multipliers(q: &Question) -> Vec<Route> {
    let case = q.case;
    let sign = q.oracle.sign("multiplier_sign");
    let signed = |values: Vec<f64>| values.iter().map(|v| sign * v).collect();
    let count = q.row.names.len();
    let engine = (1..=count)
        .map(|s| case.known(&Symbol::variable(&format!("lambda{s}"))))
        .collect();
    let mut routes = vec![route("engine", signed(engine))];
    if is_conservative(q) {
        let space = ConstrainedPhaseSpace::of(&case.system).unwrap();
        let tangent =
            space.project_tangent(&space.phase().hamiltonian_field(space.phase().energy()));
        routes.push(route(
            "projection along reactions",
            signed(case.values_of(&tangent.multipliers)),
        ));
        let momenta = MomentumConstraints::of(&case.system).unwrap();
        routes.push(route(
            "on momenta",
            signed(case.values_of(&momenta.multipliers())),
        ));
    }
    routes
}

fn energies(q: &Question) -> Vec<Route> {
    let case = q.case;
    let mut routes = vec![route("energy", vec![case.value_of(&case.system.energy())])];
    if is_conservative(q) {
        let canonical = CanonicalPhaseSpace::of(&case.system).unwrap();
        routes.push(route(
            "Hamiltonian",
            vec![case.value_of(canonical.hamiltonian())],
        ));
        let frame = FrameMomenta::of(&case.system).unwrap();
        routes.push(route(
            "Hamiltonian on D",
            vec![case.value_of(frame.hamiltonian())],
        ));
    }
    routes
}

fn frame_rates(q: &Question) -> Vec<Route> {
    let case = q.case;
    let v = case.system.sections().unwrap().velocities.clone();
    let hamel = v
        .iter()
        .map(|s| case.rate(Form::Hamel, &s.derivative().to_string()))
        .collect();
    let connection = NonholonomicConnection::of(&case.system).unwrap();
    let mut routes = vec![
        route("Hamel", hamel),
        route("connection", case.values_of(&connection.accelerations())),
    ];
    if is_conservative(q) {
        let h = SymplecticDistribution::of(&case.system).unwrap();
        routes.push(route("Y_h", case.values_of(&h.field(h.energy()).rates)));
    }
    routes
}

fn frame_momenta(q: &Question) -> Vec<Route> {
    let case = q.case;
    let sections = case.system.sections().unwrap().clone();
    let paired =
        (0..sections.rank()).map(|a| dot(&case.system.momenta(), &sections.basis.column(a)));
    let frame = FrameMomenta::of(&case.system).unwrap();
    let covector = frame.covector();
    let again = (0..sections.rank()).map(|a| dot(covector, &sections.basis.column(a)));
    vec![
        route("paired", case.values_of(&paired.collect::<Vec<_>>())),
        route(
            "on the momentum space",
            case.values_of(&again.collect::<Vec<_>>()),
        ),
    ]
}

fn momentum_rates(q: &Question) -> Vec<Route> {
    let case = q.case;
    let sections = case.system.sections().unwrap().clone();
    let form = case.evaluate(Form::AlmostPoisson).1.rates;
    let tail = form[form.len() - sections.rank()..].to_vec();
    let equation = (0..sections.rank()).map(|a| {
        MomentumFunction::of(&case.system, &sections.basis.column(a))
            .unwrap()
            .rate
    });
    let equation: Vec<Expr> = equation.collect();
    let mut routes = vec![
        route("almost-Poisson", tail),
        route("momentum equation", case.values_of(&equation)),
    ];
    if is_conservative(q) {
        let frame = FrameMomenta::of(&case.system).unwrap();
        let field = frame.bracket().field(frame.hamiltonian());
        let values = case.values_of(&field);
        routes.push(route(
            "bracket with H",
            values[values.len() - sections.rank()..].to_vec(),
        ));
    }
    routes
}
