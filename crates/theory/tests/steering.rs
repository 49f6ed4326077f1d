//! Can it be steered: the table of accessibility ranks (AC-C41), what no control changes, singular problems (G6 to G8).

use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, MechanicsError, Problem, System};
use rattleback_symbolic::{Expr, Role, Symbol, prove_zero};
use rattleback_theory::Effort;
use rattleback_theory::control::ControlReport;
use rattleback_theory::presymplectic::{Presymplectic, is_lagrangian, lifted_form};

fn steered(text: &str) -> System {
    let model = parse(&Source::new("test.mech", text))
        .model
        .expect("a model");
    Problem::from_model(&model).expect("a problem").steered()
}

fn report(text: &str) -> ControlReport {
    ControlReport::of(&steered(text), Effort::unlimited()).expect("a report")
}

/// (rank, length) at generic states and at rest.
fn check(
    text: &str,
    dimension: usize,
    generic: (usize, usize),
    at_rest: (usize, usize),
) -> ControlReport {
    let found = report(text);
    assert_eq!(found.dimension, dimension);
    assert_eq!(
        (found.algebra.rank(), found.algebra.length()),
        generic,
        "{:?}",
        found.algebra
    );
    assert_eq!(
        found.algebra.at_rest(),
        Some(at_rest),
        "{:?}",
        found.algebra
    );
    assert_eq!(found.accessible.is_proven(), generic.0 == dimension);
    assert_eq!(found.accessible.is_refuted(), generic.0 < dimension);
    assert_eq!(
        found.accessible_at_start.is_proven(),
        at_rest.0 == dimension
    );
    found
}

fn body(i2: u32) -> String {
    format!(
        "system body\nparam I1 = 1, I2 = {i2}, I3 = 3\ngroup R : SO(3) velocity w\n\
         lagrangian (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncost u1^2 + u2^2\n"
    )
}

#[test]
fn bodies_with_two_torques() {
    check(&body(2), 6, (6, 3), (6, 4));
    let symmetric = report(&body(1));
    assert_eq!((symmetric.dimension, symmetric.algebra.rank()), (6, 5));
    assert!(symmetric.accessible.is_refuted());
    assert_eq!(symmetric.algebra.at_rest().map(|r| r.0), Some(5));
    // Ω₃ is constant whatever the torques do.
    let spin = Symbol::variable("w[3]");
    assert_eq!(symmetric.invariants.len(), 1);
    assert!(
        symmetric.invariants[0].contains(&spin),
        "{:?}",
        symmetric.invariants
    );
    assert_eq!(symmetric.missing, 0);
}

const COIN: &str = "system coin\nparam m = 1, J = 1\ncoord x, y\ncoord theta : angle\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint sin(theta)*x' = cos(theta)*y'\n\
    control u1 on (x: cos(theta), y: sin(theta))\ncontrol u2 on (theta: 1)\ncost u1^2 + u2^2\n";

#[test]
fn rolling_and_sliding() {
    check(COIN, 5, (5, 3), (5, 4));
    let sleigh = "system sleigh\nparam m = 1, a = 0.3, I = 0.2\ncoord x, y\ncoord theta : angle\n\
        kinetic m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + I/2*theta'^2\n\
        constraint sin(theta)*x' = cos(theta)*y'\ncontrol u on theta\ncost u^2\n";
    let found = report(sleigh);
    assert_eq!(
        (
            found.dimension,
            found.algebra.rank(),
            found.algebra.length()
        ),
        (5, 5, 3)
    );
    let ranks = found.algebra.at_start.clone().expect("a start");
    assert_eq!(ranks[..5].last(), Some(&4));
    assert!(!found.accessible_at_start.is_refuted());
}

#[test]
fn cart_and_vehicle() {
    let cart = "system cart\nparam M = 1, m = 0.2, l = 0.5, g = 9.81\ncoord x\ncoord theta : angle\n\
        kinetic M/2*x'^2 + m/2*(x'^2 + 2*l*x'*theta'*cos(theta) + l^2*theta'^2)\npotential m*g*l*cos(theta)\n\
        control u on x\ncost u^2/2\n";
    check(cart, 4, (4, 3), (4, 4));
    let vehicle = |gamma: &str| {
        format!(
            "system vehicle\ncoord x, y\ncoord theta, gamma : angle\n\
             kinetic (x'^2 + y'^2 + theta'^2 + (theta' + gamma')^2)/2\n\
             control u1 on (x: cos(theta + gamma), y: sin(theta + gamma), theta: -sin(gamma))\n\
             control u2 on (gamma: 1)\ncost u1^2 + u2^2\nstart gamma = {gamma}\n"
        )
    };
    check(&vehicle("0.3"), 8, (8, 3), (8, 4));
    let straight = report(&vehicle("0"));
    let ranks = straight.algebra.at_start.clone().expect("a start");
    assert_eq!(ranks[..4].last(), Some(&6), "{ranks:?}");
}

/// G6 and G7: the cost leaves controls open; the constraint algorithm goes on. Also G8: it need not.
#[test]
fn singular_problems_have_chains() {
    let double = "system double\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\ncontrol u1 on x\ncontrol u2 on y\ncost (u1 + u2)^2/2\n";
    let chain = report(double).singular.expect("a singular problem");
    assert_eq!(chain.dimensions(), [10, 8, 7]);
    assert_eq!(chain.freedom, 1);
    assert!(matches!(
        steered(double).equations(Form::Optimality),
        Err(MechanicsError::Singular { missing: 1, .. })
    ));
    let unit = |cost: &str| {
        format!(
            "system body\ngroup R : SO(3) velocity w\nlagrangian (w[1]^2 + w[2]^2 + w[3]^2)/2\n\
             control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncost {cost}\n"
        )
    };
    let chain = report(&unit("w[1]^2 + w[2]^2 + w[3]^2"))
        .singular
        .expect("a singular problem");
    assert_eq!(chain.dimensions(), [14, 12, 10, 8]);
    assert_eq!(chain.freedom, 0);
    let regular = steered(&unit("u1^2 + u2^2"));
    let steering = regular.steering().expect("a control system");
    let chain = Presymplectic::of_control(&regular, &steering)
        .expect("a form")
        .chain(Effort::unlimited());
    assert_eq!(chain.dimensions(), [14, 12]);
    assert!(report(&unit("u1^2 + u2^2")).singular.is_none());
}

/// X5: the rotors of a heavy top do not change Γ·Π.
#[test]
fn rotors_do_not_change_the_vertical_momentum() {
    let top = "system top\nparam J1 = 0.3, J2 = 0.25, w0 = 2\ngroup R : SO(3) velocity w\ncoord a, b\n\
        let e = transpose(R)*[0, 0, 1]\n\
        kinetic (1.5*w[1]^2 + 1.25*w[2]^2 + 0.7*w[3]^2 + J1*a'^2 + J2*b'^2)/2 + J1*w[1]*a' + J2*w[2]*b'\n\
        potential w0*e[3]\ncontrol u1 on a\ncontrol u2 on b\ncost u1^2 + u2^2\n";
    let system = steered(top);
    let found = ControlReport::of(&system, Effort::of(1.0)).expect("a report");
    assert!(found.accessible.is_refuted());
    assert_eq!((found.invariants.len(), found.missing), (1, 0));
    let steering = system.control_system().expect("a control system");
    let rates = steering.explicit().expect("rates");
    let n = system.frame().rank();
    let base = system.frame().anchored(&rates[..n]);
    let rate = found.invariants[0].derivation(|s| {
        let z = system.frame().base().iter().position(|z| z == s);
        let w = steering.states.iter().position(|(w, ..)| w == s);
        match (z, w) {
            (Some(i), _) => base[i].clone(),
            (_, Some(i)) => rates[n + i].clone(),
            _ => Expr::zero(),
        }
    });
    let constants = system.start_point().iter();
    let constants = constants
        .filter(|(s, _)| s.role() == Role::Constant)
        .cloned();
    let known: Vec<(Symbol, Expr)> = constants.collect();
    let rate = rate.substitute(&known).substitute(system.parametrization());
    assert!(prove_zero(&rate).is_proven(), "{}", found.invariants[0]);
}

/// Controls that enter in other ways become states for the question.
#[test]
fn controls_that_do_not_enter_linearly() {
    let car = "system car\nparam L = 1\nstate x, y, th\ncontrol v\ncontrol phi\nrate x' = v*cos(th)\nrate y' = v*sin(th)\n\
        rate th' = v*tan(phi)/L\ncost v^2 + phi^2\n";
    let found = report(car);
    assert_eq!((found.dimension, found.algebra.rank()), (3, 3));
    assert!(found.accessible.is_proven());
    let stuck =
        "system stuck\nstate x, y\ncontrol u\nrate x' = u + u^3\nrate y' = 2*u + 2*u^3\ncost u^2\n";
    let found = report(stuck);
    assert_eq!((found.dimension, found.algebra.rank()), (2, 1));
    assert!(found.accessible.is_refuted());
    assert_eq!((found.invariants.len(), found.missing), (1, 0));
}

/// P-COIN-11: the Lagrangian submanifold of the coin, at a point and as a whole (dimension 10 of 20).
#[test]
fn the_lagrangian_submanifold_of_the_coin() {
    let text = "system coin\nparam m = 1.3, J = 0.7\ncoord x, y\ncoord theta : angle\n\
        kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint sin(theta)*x' = cos(theta)*y'\nframe turn = (theta: 1/J)\n\
        frame roll = (x: cos(theta)/m, y: sin(theta)/m)\ncontrol u1 on (x: m*cos(theta), y: m*sin(theta))\n\
        control u2 on (theta: J)\ncost (u1^2 + u2^2)/2\n";
    let sigma = steered(text).submanifold().expect("a submanifold");
    assert_eq!((sigma.parameters.len(), sigma.immersion.len()), (10, 20));
    let coordinates: Vec<Symbol> = (0..20)
        .map(|i| Symbol::variable(&format!("c{i}")))
        .collect();
    let answer = is_lagrangian(
        &coordinates,
        &lifted_form(5),
        &sigma.parameters,
        &sigma.immersion,
    );
    assert!(answer.expect("ranks").is_proven());
    let values = [0.1, -0.2, 0.3, 0.5, 1.1, 0.21, -0.4, 0.4, -0.3, 0.2];
    let mut at: Vec<(Symbol, f64)> = sigma.parameters.iter().cloned().zip(values).collect();
    at.extend([(Symbol::constant("m"), 1.3), (Symbol::constant("J"), 0.7)]);
    let found: Vec<f64> = sigma
        .immersion
        .iter()
        .map(|e| e.evaluate(&at).expect("a number"))
        .collect();
    let expected = [
        (17, 0.34253071718649),
        (18, -0.28571428571429),
        (19, -0.22575271819372),
        (8, 0.42857142857143),
        (9, -0.23668639053254),
    ];
    for (place, value) in expected {
        assert!(
            (found[place] - value).abs() < 1e-12,
            "{place}: {} {value}",
            found[place]
        );
    }
}
