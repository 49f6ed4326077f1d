//! Lagrangians without multipliers, charges and the motion in time.

use crate::check::judge;
use crate::models::*;
use crate::support::{close, given, simulate, value};
use rattleback_mechanics::Form;
use rattleback_symbolic::Symbol;

/// Static facts of the disk (VE 4.3, P-T1 to P-T6): the Lagrangian without multipliers.
#[test]
fn the_disk_without_multipliers() {
    let g = given(DISK);
    let free = judge(&g)
        .multiplier_free
        .expect("an abelian Chaplygin system");
    let s = |n: &str| Symbol::variable(n);
    let mut at: Vec<(Symbol, f64)> = g
        .model
        .parameters
        .iter()
        .zip([2.0, 0.5, 0.25, 0.125])
        .map(|(p, v)| (p.symbol.clone(), v))
        .collect();
    at.extend([
        (s("phi"), 0.4),
        (s("theta"), 0.0),
        (s("x"), 0.0),
        (s("y"), 0.0),
    ]);
    let velocities = [("theta", 3.0), ("phi", 4.0), ("x", 1.0), ("y", 2.0)];
    at.extend(velocities.map(|(n, v)| (s(n).derivative(), v)));
    let expected = [2.44989767862019, 0.5, 0.763182982008655, -2.83174497307405];
    for ((n, _), p) in velocities.iter().zip(expected) {
        let momentum = free.lagrangian.diff(&s(n).derivative());
        assert!(
            close(momentum.evaluate(&at).expect("a number"), p, 1e-13),
            "p_{n}"
        );
    }
    assert!(close(
        free.lagrangian.evaluate(&at).expect("a number"),
        2.22469303586056,
        1e-13
    ));
    let determinant = free.determinant.expect("a determinant");
    assert!(close(
        determinant.evaluate(&at).expect("a number"),
        0.375,
        1e-13
    ));
    let h = free.hamiltonian.expect("a Hamiltonian");
    let momenta = |p: [f64; 4]| -> Vec<(Symbol, f64)> {
        let names = ["p_theta", "p_phi", "p_x", "p_y"];
        at.iter()
            .cloned()
            .chain(names.map(s).into_iter().zip(p))
            .collect()
    };
    let value = h
        .evaluate(&momenta([0.7, 0.5, 0.2, -0.3]))
        .expect("a number");
    assert!(close(value, 1.32637061931912, 1e-13));
    let x_rate = h
        .diff(&s("p_x"))
        .evaluate(&momenta([0.7, 0.5, 0.0, 0.0]))
        .expect("a number");
    assert!(close(x_rate, 0.429828463868013, 1e-13));
}

/// Trajectories of VE 4.1 with the multipliers of the report: they coincide where the report says so.
#[test]
fn trajectories_agree_where_the_report_says_so() {
    let start = "start theta = 3/10, phi = 2/5, x = 1/10, y = -1/5, theta' = 3/2, phi' = 7/10, ";
    let run = |mu: &str, form: Form| {
        let g = given(&format!("{DISK}{start}{mu}\n"));
        simulate(&g, form, 2.0, 400)
    };
    let mu = "mu1 = 2*1/2*3/2*cos(2/5), mu2 = 2*1/2*3/2*sin(2/5)";
    let nonholonomic = run(mu, Form::LagrangeDAlembert);
    let vakonomic = run(mu, Form::Vakonomic);
    let off = run("mu1 = 0, mu2 = 0", Form::Vakonomic);
    for (name, expected) in [
        ("theta", 3.3),
        ("x", 0.726174237753084),
        ("y", 1.03028188074568),
    ] {
        assert!(close(value(&nonholonomic, name), expected, 1e-9));
        assert!(close(value(&vakonomic, name), expected, 1e-9));
    }
    assert!(close(value(&off, "theta"), 1.53770857016405, 1e-8));
}

/// μ_a = p_a + C_a along every vakonomic motion of an abelian Chaplygin system (VE-C13).
#[test]
fn charges_are_constant_along_vakonomic_motion() {
    for text in [DISK, PARTICLE, KNIFE, CARRIAGE] {
        let m = text.matches("constraint").count();
        let mu: Vec<String> = (1..=m).map(|s| format!("mu{s} = 0.{s}")).collect();
        let first = text.split("coord ").nth(1).expect("coordinates");
        let names: Vec<&str> = first.lines().next().expect("a line").split(", ").collect();
        let start = format!(
            "start {} = 0.3, {} = 0.2, {}' = 0.7, {}' = 0.4, ",
            names[0], names[1], names[0], names[1]
        );
        let g = given(&format!("{text}{start}{}\n", mu.join(", ")));
        let charges = judge(&g).charges;
        assert!(charges.len() >= m, "{text}");
        let at = |time: f64, steps: usize| -> Vec<f64> {
            let mut values = simulate(&g, Form::Vakonomic, time, steps);
            let start = rattleback_compile::StartState::of(&g.problem, &g.system).expect("a start");
            values.extend(
                start
                    .constants
                    .iter()
                    .cloned()
                    .zip(start.constant_values.clone()),
            );
            charges
                .iter()
                .map(|c| c.value.evaluate(&values).expect("a number"))
                .collect()
        };
        for (a, b) in at(1e-9, 1).iter().zip(at(1.0, 400)) {
            assert!(close(*a, b, 1e-8), "{text}: {a} {b}");
        }
    }
}

/// The bracket on the base is Poisson exactly where Λ vanishes; for three degrees of freedom Λ may be
/// there and do nothing (VE-C21).
#[test]
fn constrained_hamilton_equations() {
    let of = |text: &str| {
        judge(&given(text))
            .constrained_hamilton
            .expect("a Chaplygin system")
    };
    let disk = of(DISK);
    assert!(disk.poisson.is_proven() && disk.gauge.is_proven());
    let particle = of(PARTICLE);
    assert!(particle.poisson.is_refuted() && particle.gauge.is_refuted());
    // A body whose angular velocity drives a point: Λ is totally antisymmetric.
    let toy = "system toy\nparam I = 2, m = 3\nassume I > 0, m > 0\ncoord theta, phi, psi, a, b, c\n\
        let w1 = psi'*sin(theta)*sin(phi) + theta'*cos(phi)\nlet w2 = psi'*sin(theta)*cos(phi) - theta'*sin(phi)\n\
        let w3 = psi'*cos(theta) + phi'\nkinetic I/2*(w1^2 + w2^2 + w3^2) + m/2*(a'^2 + b'^2 + c'^2)\n\
        constraint a' = w1\nconstraint b' = w2\nconstraint c' = w3\n";
    let toy = of(toy);
    assert!(toy.poisson.is_refuted(), "{:?}", toy.poisson);
    assert!(toy.gauge.is_proven(), "{:?}", toy.gauge);
}
