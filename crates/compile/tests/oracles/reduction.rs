//! Connections, curvature, Chaplygin reduction and vakonomic motion.

use crate::case::Case;
use crate::run::{Question, Route, parts, route};
use rattleback_compile::{Evaluator, Staged};
use rattleback_mechanics::phase::{Gyroscopic, NormalForm, SubRiemannian};
use rattleback_mechanics::{Chaplygin, Form};
use rattleback_symbolic::{Expr, Matrix, Symbol};

pub fn answer(q: &Question) -> Option<Vec<Route>> {
    let case = q.case;
    let names = &q.row.names;
    let each = |value: &dyn Fn(&[&str]) -> f64| -> Vec<f64> {
        names.iter().map(|n| value(&parts(n))).collect()
    };
    Some(match q.row.quantity.as_str() {
        "connection" => {
            let c = case.connection();
            let at = |p: &[&str]| {
                case.value_of(
                    &c.connection().components()[(fibre(case, &c, p[0]), base(case, &c, p[1]))],
                )
            };
            vec![route("normal form", each(&at))]
        }
        "curvature" => {
            let c = case.connection();
            let b = if q.oracle.is_minus_ours("curvature") {
                c.bracket_curvature()
            } else {
                ours(&c)
            };
            let at = |p: &[&str]| {
                case.value_of(
                    &b[fibre(case, &c, p[0])][(base(case, &c, p[1]), base(case, &c, p[2]))],
                )
            };
            vec![route("brackets of lifts", each(&at))]
        }
        "prolonged_connection" => {
            let c = case.connection();
            let lifts = c.prolonged_lifts();
            let at = |p: &[&str]| {
                case.value_of(&lifts[base(case, &c, p[1])].fibre_velocity[fibre(case, &c, p[0])])
            };
            vec![route("prolonged lifts", each(&at))]
        }
        "reduced_metric" => {
            let (c, g) = gyroscopic(case);
            vec![route(
                "Hessian of L_c",
                each(&|p| square(case, &c, g.metric(), p)),
            )]
        }
        "fibre_momenta" => {
            let (c, g) = gyroscopic(case);
            vec![route(
                "pc",
                each(&|p| case.value_of(&g.fibre_momenta()[fibre(case, &c, p[0])])),
            )]
        }
        "gyroscopic" => gyroscopic_form(q),
        "gyroscopic_force" => {
            let (c, g) = gyroscopic(case);
            vec![route(
                "Λ r'",
                each(&|p| case.value_of(&g.gyroscopic_force()[base(case, &c, p[0])])),
            )]
        }
        "gyroscopic_force_reduced" => {
            let (c, g) = gyroscopic(case);
            vec![route(
                "Λ r'",
                each(&|p| case.value_of(&g.gyroscopic_force()[base(case, &c, p[0])])),
            )]
        }
        "gyroscopic_tensor" => {
            let (c, g) = gyroscopic(case);
            let f = g.tensor();
            vec![route(
                "∂Λ/∂r'",
                each(&|p| square(case, &c, &f[base(case, &c, p[0])], &p[1..])),
            )]
        }
        "reduced_momenta" | "reduced_hamiltonian" | "horizontal_lift_momenta" => chaplygin(q),
        "body_curvature" => vec![route("on the group", crate::reduction::body_curvature(q))],
        "vakonomic_acceleration" | "vakonomic_multiplier_rates" => vakonomic(q),
        _ => return None,
    })
}

/// Our curvature, −A([h, h]).
fn ours(c: &NormalForm) -> Vec<Matrix> {
    let flipped = |b: &Matrix| b.map(|e| -e);
    c.bracket_curvature().iter().map(flipped).collect()
}

fn base(case: &Case, c: &NormalForm, name: &str) -> usize {
    let velocity = case.velocity(name);
    c.connection()
        .base()
        .iter()
        .position(|&b| b == velocity)
        .unwrap_or_else(|| panic!("{name} is not in the base"))
}

fn fibre(case: &Case, c: &NormalForm, name: &str) -> usize {
    let velocity = case.velocity(name);
    c.connection()
        .fibre()
        .iter()
        .position(|&b| b == velocity)
        .unwrap_or_else(|| panic!("{name} is not in the fibre"))
}

fn square(case: &Case, c: &NormalForm, m: &Matrix, p: &[&str]) -> f64 {
    case.value_of(&m[(base(case, c, p[0]), base(case, c, p[1]))])
}

fn gyroscopic(case: &Case) -> (NormalForm, Gyroscopic) {
    let c = case.connection();
    let g = Gyroscopic::of(&case.system, &c).unwrap();
    (c, g)
}

/// Ξ of the reduction, and −Λ of the normal form; Λ where the page has that.
fn gyroscopic_form(q: &Question) -> Vec<Route> {
    let case = q.case;
    let (c, g) = gyroscopic(case);
    let sign = if q.oracle.is_minus_ours("gyroscopic") {
        1.0
    } else {
        -1.0
    };
    let lambda = q
        .row
        .names
        .iter()
        .map(|n| sign * square(case, &c, g.form(), &parts(n)));
    let reduced = Chaplygin::of(&case.system).unwrap();
    let at = |name: &str| reduced.base.iter().position(|r| r.name() == name).unwrap();
    let xi = q.row.names.iter().map(|n| {
        let p = parts(n);
        -sign * case.value_of(&reduced.gyroscopic[(at(p[0]), at(p[1]))])
    });
    vec![route("Λ", lambda.collect()), route("Ξ", xi.collect())]
}

fn chaplygin(q: &Question) -> Vec<Route> {
    let system = &q.case.system;
    let reduced = Chaplygin::of(system).unwrap();
    let momenta = reduced.momenta(system).unwrap();
    assert!(
        reduced.check_lift(system).unwrap().is_proven(),
        "{}: the lift fails its own test",
        system.name()
    );
    assert!(
        reduced.check_gyroscopic(system).is_proven(),
        "{}: the gyroscopic form fails its own test",
        system.name()
    );
    let gradient = reduced.lagrangian.gradient(&reduced.sections.velocities);
    let values = q.case.values_of(&gradient);
    let mut case = Case::new(q.source, &q.row.set());
    for (p, value) in momenta.momenta.iter().zip(&values) {
        case.know(p.clone(), *value);
    }
    match q.row.quantity.as_str() {
        "reduced_momenta" => vec![route("∂l/∂r'", values)],
        "reduced_hamiltonian" => vec![
            route("of P", vec![case.value_of(&momenta.hamiltonian)]),
            route("energy on the base", vec![case.value_of(&reduced.energy)]),
        ],
        _ => {
            let at = |n: &String| case.value_of(&momenta.lift[case.velocity(n)]);
            vec![route("hl", q.row.names.iter().map(at).collect())]
        }
    }
}

/// The curvature of the same constraints written on SE(2): body velocities (rotation, forward, side).
fn body_curvature(q: &Question) -> Vec<f64> {
    let text = "system body\nparam m = 3, R = 2/5, J = 3/5, I = 1/20, w = 7/10\n\
        coord psi1, psi2 : angle\ngroup g : SE(2) velocity (o, u, v)\n\
        kinetic m/2*(u^2 + v^2) + J/2*o^2 + I/2*(psi1'^2 + psi2'^2)\n\
        constraint u - R*psi1' = 0\nconstraint v = 0\nconstraint o - R/w*psi2' = 0\nfibre g\n\
        start psi1' = 3/2, psi2' = 9/10\n";
    let case = Case::new(text, &[]);
    let c = case.connection();
    let b = c.bracket_curvature();
    // The page orders (forward, side, rotation).
    let order = ["u", "v", "o"];
    let at = |n: &String| {
        let p = parts(n);
        let a = order[p[0].parse::<usize>().unwrap() - 1];
        case.value_of(&b[fibre(&case, &c, a)][(base(&case, &c, p[1]), base(&case, &c, p[2]))])
    };
    q.row.names.iter().map(at).collect()
}

fn vakonomic(q: &Question) -> Vec<Route> {
    let system = &q.case.system;
    let mut case = Case::new(q.source, &q.row.set());
    let mu0 = crate::data::numbers(&q.row.all["mu0"]);
    let mu: Vec<Symbol> = (1..=mu0.len())
        .map(|s| Symbol::variable(&format!("mu{s}")))
        .collect();
    for (s, value) in mu.iter().zip(&mu0) {
        case.know(s.clone(), *value);
    }
    // Engine: multipliers among the unknowns.
    let equations = case.equations(Form::Vakonomic);
    let state: Vec<f64> = equations.state.iter().map(|s| case.known(s)).collect();
    let evaluator = Evaluator::new(&equations, &case.start.constants).unwrap();
    let at = evaluator
        .at(case.start.time, &state, &case.start.constant_values)
        .unwrap();
    let rate = |n: &String| {
        let i = equations
            .state
            .iter()
            .position(|s| s.derivative().to_string() == *n);
        at.rates[i.unwrap_or_else(|| panic!("no rate {n}"))]
    };
    let engine = route("with multipliers", q.row.names.iter().map(rate).collect());

    // Canonical form: no multiplier, P = p − Aᵀμ.
    let canonical = SubRiemannian::of(system).unwrap();
    let initial = case.values_of(canonical.initial());
    let mut on_momenta = Case::new(q.source, &q.row.set());
    for (p, value) in canonical.momenta().iter().zip(initial) {
        on_momenta.know(p.clone(), value);
    }
    let rates = canonical.rates();
    let coordinates = &canonical.bracket().coordinates;
    let along = |e: &Expr| -> f64 {
        let slopes = e.gradient(coordinates);
        on_momenta.value_of(&rattleback_symbolic::dot(&slopes, &rates))
    };
    let values = q.row.names.iter().map(|n| match n.strip_prefix("mu") {
        Some(s) => {
            along(&canonical.multipliers()[s.trim_end_matches('\'').parse::<usize>().unwrap() - 1])
        }
        None => along(&canonical.velocity()[case.velocity(n)]),
    });
    let mut routes = vec![engine, route("canonical form", values.collect())];
    if q.row.quantity == "vakonomic_acceleration" {
        routes.push(split_form(q, &case, &mu));
    }
    routes
}

/// (2.6) of VE: the base accelerations from the split form, then the fibre.
fn split_form(q: &Question, case: &Case, mu: &[Symbol]) -> Route {
    let c = NormalForm::with_fibre(&case.system, case.connection().connection().fibre()).unwrap();
    let g = Gyroscopic::of(&case.system, &c).unwrap();
    // The multipliers of the page belong to the normalised forms, as the models write them.
    let mu: Vec<Expr> = mu.iter().map(Expr::from).collect();
    let residual = g.vakonomic_residual(&mu);
    let unknowns: Vec<Symbol> = c.base_velocities().iter().map(Symbol::derivative).collect();
    let stage = rattleback_mechanics::Stage::Linear {
        matrix: g.metric().clone(),
        rhs: residual
            .iter()
            .map(|e| {
                let still: Vec<(Symbol, Expr)> =
                    unknowns.iter().map(|s| (s.clone(), Expr::zero())).collect();
                -e.substitute(&still)
            })
            .collect(),
        unknowns: unknowns.clone(),
    };
    let base: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
    let all = c.accelerations(&base);
    let known: Vec<Symbol> = rattleback_symbolic::free_symbols(
        &[all.clone(), residual, g.metric().entries().to_vec()].concat(),
    )
    .into_iter()
    .filter(|s| !unknowns.contains(s))
    .collect();
    let values: Vec<f64> = known.iter().map(|s| case.known(s)).collect();
    let found = Staged::new(&known, &[stage], &all)
        .unwrap()
        .evaluate(&values)
        .unwrap();
    route(
        "split form",
        q.row
            .names
            .iter()
            .map(|n| found[case.velocity(n)])
            .collect(),
    )
}
