//! Families that solve the equations in the coordinates of the documents.

use crate::support::{self, close, given, rk4, shipped, value};
use crate::systems::{DISK, KNIFE, PARTICLE, ROBOT, SLEIGH, number, parameters, study};
use crate::trial::complete;
use rattleback_compile::Evaluator;
use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, Symbol, Tape, prove_zero};
use rattleback_theory::hamilton_jacobi::{Characteristics, Method, Setting, levi_civita};

#[test]
fn complete_solutions_of_the_examples() {
    for text in [DISK, KNIFE, SLEIGH, PARTICLE, ROBOT] {
        let report = complete(&given(text));
        assert!(report.solutions[0].verification.strong.is_proven());
    }
    for name in [
        "snakeboard",
        "odometer_sleigh",
        "martinet",
        "two_wheeled_carriage",
        "carriage_offset",
        "central_force",
    ] {
        complete(&shipped(name));
    }
}

/// Systems that are not shipped: other potentials, other fibres, other metrics.
#[test]
fn complete_solutions_of_the_class() {
    let texts = [
        "system a\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential y^2 + y\nconstraint z' = (1 + y^2)*x'\n",
        "system b\nparam k = 2\nassume k > 0\ncoord x, y, z, w\nkinetic (x'^2 + 2*y'^2 + z'^2 + w'^2)/2\npotential k*y^2/2\nconstraint z' = sin(y)*x'\nconstraint w' = cos(y)*x'\n",
        "system c\nparam m = 1, J = 2\nassume m > 0, J > 0\ncoord x, y, phi\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\npotential m*x^3/3 + 2*x\nconstraint sin(phi)*x' = cos(phi)*y'\n",
        "system d\nparam k = 1\ncoord r, theta, z\nkinetic (r'^2 + r^2*theta'^2 + z'^2)/2\npotential -k/r\nconstraint z' = r*theta'\n",
        "system e\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y^4\n",
        "system f\ncoord u, v\nkinetic (u^2 + v^2)*(u'^2 + v'^2)/2\npotential (u^2 - 3)/(u^2 + v^2)\n",
    ];
    for text in texts {
        complete(&given(text));
    }
}

/// Trajectories of the oracle table from families: constants fitted to the start.
#[test]
fn trajectories_of_the_dissertation() {
    let g = given(&format!(
        "{KNIFE}start x = 0.1, y = -0.2, phi = 0.3, x' = 0.8*cos(0.3), y' = 0.8*sin(0.3), phi' = 0.9\n"
    ));
    let report = study(&g);
    let s = report
        .solutions
        .iter()
        .find(|s| s.method == Method::FrameSeparation)
        .expect("a solution");
    let energy = 0.137425876329303;
    let mut at = parameters(&g);
    at.extend(s.constants.iter().cloned().zip([energy, 0.36]));
    let q = g.system.frame().base();
    let velocity: Vec<Expr> = s
        .verification
        .velocity
        .iter()
        .map(|v| v.value.clone())
        .collect();
    let (names, values): (Vec<Symbol>, Vec<f64>) = at.into_iter().unzip();
    let tape = Tape::new(&[q, &names].concat(), &velocity).expect("a field");
    let end = rk4(
        &|x: &[f64]| tape.evaluate(&[x, &values].concat()),
        &[0.1, -0.2, 0.3],
        2.0,
        2000,
    );
    assert!(
        close(end[0], 1.273787889176167, 1e-9) && close(end[1], 4.534613541152445, 1e-9),
        "{end:?}"
    );
    // The branch of the root ends where the edge stops: its rate stays regular there.
    assert_eq!(s.turning.len(), 1);
    let rate = number(&g, &s.turning[0].rate, &[("phi", 0.5)]);
    assert!(close(
        rate,
        1.5 * 9.81 * 0.35f64.sin() * 0.5f64.cos(),
        1e-12
    ));
    let simulated = support::simulate(&g, Form::LagrangeDAlembert, 2.0, 2000);
    assert!(close(value(&simulated, "x"), end[0], 1e-8));
}

/// The lifted solutions of the Chaplygin Hamiltonian pass the strong test (HJ-C39).
#[test]
fn chaplygin_solutions_are_lifted() {
    for text in [KNIFE, DISK, PARTICLE] {
        let report = study(&given(text));
        assert!(
            report
                .chaplygin
                .expect("a Chaplygin system")
                .separable
                .is_proven()
        );
        let lifted = report
            .solutions
            .iter()
            .find(|s| s.method == Method::Chaplygin);
        assert!(
            lifted
                .expect("a lifted solution")
                .verification
                .strong
                .is_proven(),
            "{text}"
        );
    }
}

/// First integrals come with complete solutions, and the Hamiltonian of the knife edge separates only
/// after the change of time (HJ-C15, C26).
#[test]
fn integrals_come_with_solutions() {
    for (text, count) in [(DISK, 2), (KNIFE, 1), (SLEIGH, 1), (PARTICLE, 1)] {
        let report = study(&given(text));
        assert!(report.solutions[0].integrals.len() >= count, "{text}");
    }
    let [x, phi, px, pphi] = ["x", "phi", "P_x", "P_phi"].map(Symbol::variable);
    let e = |s: &Symbol| Expr::from(s);
    let reduced = e(&phi).cos().powi(2) * e(&px).powi(2) / 2 + e(&pphi).powi(2) / 2 - e(&x);
    assert!(levi_civita(&reduced, &[x, phi], &[px, pphi]).is_refuted());
}

/// The generated equations vanish on certified solutions (HJ-C20).
#[test]
fn generated_equations_hold_on_solutions() {
    for text in [KNIFE, SLEIGH, PARTICLE] {
        let g = given(text);
        let report = study(&g);
        let (equations, solution) = (&report.equations, &report.solutions[0]);
        let gamma = &solution.verification.components;
        let mut known: Vec<(Symbol, Expr)> = equations
            .unknowns
            .iter()
            .cloned()
            .zip(gamma.iter().cloned())
            .collect();
        for (symbol, b, q) in &equations.derivatives {
            known.push((symbol.clone(), gamma[*b].diff(q)));
        }
        for (_, e) in &equations.closed {
            assert!(prove_zero(&e.substitute(&known)).is_proven(), "{text}");
        }
        assert!(
            prove_zero(&equations.energy.substitute(&known)).is_proven(),
            "{text}"
        );
    }
}

/// Along characteristics the motion itself appears (HJ-C20).
#[test]
fn characteristics_are_motions() {
    for text in [KNIFE, SLEIGH, PARTICLE] {
        let g = given(text);
        let setting = Setting::of(&g.system).expect("a natural system");
        let all: Vec<usize> = (0..setting.rank()).collect();
        let setting = setting
            .orthogonal(&g.system, &all)
            .expect("an orthogonal frame");
        let energy = Symbol::constant("Energy");
        let c = Characteristics::of(&setting, &energy).expect("rank 2");
        let q = g.system.frame().base().to_vec();
        let (mut names, mut values) = (q.clone(), Vec::new());
        names.push(c.angle.clone());
        for (s, v) in parameters(&g).into_iter().chain([(energy, 3.0)]) {
            names.push(s);
            values.push(v);
        }
        let outputs = [c.positions.clone(), vec![c.rate.clone()]].concat();
        let tape = Tape::new(&names, &outputs).expect("a field");
        let field = |x: &[f64]| tape.evaluate(&[x, &values].concat());
        let start = [0.3, -0.2, 0.4, 0.9];
        let end = rk4(&field, &start, 0.5, 200);
        let equations = g
            .system
            .equations(Form::LagrangeDAlembert)
            .expect("equations");
        let (pn, pv): (Vec<Symbol>, Vec<f64>) = parameters(&g).into_iter().unzip();
        let program = Evaluator::new(&equations, &pn).expect("a program");
        let state = [&start[..3], &field(&start)[..3]].concat();
        let rates = |x: &[f64]| program.at(0.0, x, &pv).expect("rates").rates;
        let motion = rk4(&rates, &state, 0.5, 200);
        for i in 0..3 {
            assert!(close(end[i], motion[i], 1e-8), "{} {}", g.model.name, q[i]);
        }
    }
}
