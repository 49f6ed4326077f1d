//! The answers that the theory pages give, for systems written out here.

mod support;

use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, prove_zero};
use rattleback_theory::{
    Answer, BracketReport, ChaplyginReport, DistributionReport, Effort, HamiltonizationReport,
    MeasureReport, Regularity, SymmetryReport,
};
use support::{assert_proportional, formula, shipped, system, values};

const DISK: &str = "system disk\nparam m = 1.3, R = 0.7, I = 0.31, J = 0.17\nassume m > 0, R > 0, I > 0, J > 0\n\
    coord x, y\ncoord phi, psi : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2 + I/2*psi'^2\n\
    constraint x' = R*cos(phi)*psi'\nconstraint y' = R*sin(phi)*psi'\nfibre x, y\n";
const KNIFE: &str = "system knife\nparam m = 1.5, J = 0.4, g = 9.81, alpha = 0.35\nassume m > 0, J > 0\n\
    coord x, y\ncoord phi : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\npotential -m*g*x*sin(alpha)\n\
    constraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";
const SNAKEBOARD: &str = "system board\nparam m = 1.7, r = 0.6, J0 = 0.05, J1 = 0.02\nassume m > 0, r > 0, J0 > 0, J1 > 0\n\
    coord x, y\ncoord theta, psi, phi : angle\n\
    kinetic m/2*(x'^2 + y'^2) + m*r^2/2*theta'^2 + J0*theta'*psi' + J0/2*psi'^2 + J1*phi'^2\n\
    constraint -sin(theta + phi)*x' + cos(theta + phi)*y' - r*cos(phi)*theta' = 0\n\
    constraint -sin(theta - phi)*x' + cos(theta - phi)*y' + r*cos(phi)*theta' = 0\nfibre x, y\n\
    start theta = 0.3, phi = 0.5\n";
const SLEIGH: &str = "system sleigh\nparam M = 1.2, J = 0.7, a = 0.3\nassume M > 0, J > 0, a > 0\ncoord x, y\n\
    coord theta : angle\n\
    kinetic M/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + J/2*theta'^2\n\
    constraint sin(theta)*x' = cos(theta)*y'\n";
const PARTICLE: &str =
    "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n";
const BIVECTOR: &str = "system bivector\nparam k = 0.4\ncoord r1, r2, r3, s1, s2, s3\n\
    kinetic (r1'^2 + r2'^2 + r3'^2 + s1'^2 + s2'^2 + s3'^2)/2\n\
    constraint [s1', s2', s3'] = k*cross([r1, r2, r3], [r1', r2', r3'])\n";
const ROBOT: &str = "system robot\nparam m = 2, l = 0.1, J = 0.3, Jw = 0.02, R = 0.1, c = 0.25\n\
    assume m > 0, J > 0, Jw > 0, R > 0, c > 0\ncoord x, y\ncoord theta, psi1, psi2 : angle\n\
    kinetic m/2*(x'^2 + y'^2) + m*l*theta'*(y'*cos(theta) - x'*sin(theta)) + J/2*theta'^2 + Jw/2*(psi1'^2 + psi2'^2)\n\
    constraint -sin(theta)*x' + cos(theta)*y' = 0\n\
    constraint cos(theta)*x' + sin(theta)*y' = R/2*(psi1' + psi2')\n\
    constraint theta' = R/(2*c)*(psi1' - psi2')\nfibre x, y, theta\n";
const TOY: &str = "system toy\nparam I = 2, m = 3, k = 1/2\nassume I > 0, m > 0\ngroup R : SO(3) velocity w\n\
    group s : R(3)\nkinetic I/2*norm2(w) + m/2*norm2(s')\nconstraint s' = k*w\nfibre s\n";

fn measure(s: &System) -> MeasureReport {
    MeasureReport::of(s, Effort::unlimited())
}

fn hamiltonization(s: &System) -> HamiltonizationReport {
    HamiltonizationReport::of(s, Effort::unlimited())
}

fn growth(s: &System) -> Vec<usize> {
    DistributionReport::of(s, Effort::unlimited())
        .expect("a distribution")
        .growth
}

#[test]
fn growth_vectors() {
    let cases = [
        (DISK, vec![2, 3, 4]),
        (KNIFE, vec![2, 3]),
        (SNAKEBOARD, vec![3, 4, 5]),
        (SLEIGH, vec![2, 3]),
        (PARTICLE, vec![2, 3]),
        (BIVECTOR, vec![3, 6]),
        (ROBOT, vec![2, 3, 4]),
        (TOY, vec![3, 6]),
    ];
    for (text, expected) in cases {
        assert_eq!(growth(&system(text)), expected, "{text}");
    }
    assert_eq!(growth(&shipped("odometer_sleigh")), [2, 3, 4]);
}

#[test]
fn the_robot_has_an_integral() {
    let robot = system(ROBOT);
    let found = DistributionReport::of(&robot, Effort::unlimited()).expect("a distribution");
    assert!(found.generating.is_refuted() && found.integrable.is_refuted());
    assert_eq!((found.integrals.len(), found.missing), (1, 0));
    let expected = formula(&robot, "theta - R/(2*c)*(psi1 - psi2)");
    let slopes = |f: &Expr| robot.frame().differential(f);
    let (a, b) = (slopes(&found.integrals[0]), slopes(&expected));
    for i in 0..a.len() {
        for j in 0..a.len() {
            assert!(prove_zero(&(&a[i] * &b[j] - &a[j] * &b[i])).is_proven());
        }
    }
}

#[test]
fn integrability_depends_on_a_parameter() {
    let text = "system particle\nparam kappa = 0.4\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        constraint z' = y*x' + kappa*x*y'\n";
    let found = DistributionReport::of(&system(text), Effort::unlimited()).expect("a distribution");
    assert!(found.integrable.is_refuted());
    assert_eq!(found.cases.len(), 1);
    let one = [(found.cases[0].condition.free_symbols()[0].clone(), 1.0)];
    assert_eq!(values(&[found.cases[0].condition.clone()], &one), [0.0]);

    let flat = text.replace("kappa*x", "x");
    let found =
        DistributionReport::of(&system(&flat), Effort::unlimited()).expect("a distribution");
    assert!(found.integrable.is_proven() && found.generating.is_refuted());
    assert_eq!(found.integrals.len(), 1);
}

#[test]
fn martinet_stalls_at_the_start() {
    let text = "system martinet\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y^2*x'\n\
        start y = 0\n";
    let found = DistributionReport::of(&system(text), Effort::unlimited()).expect("a distribution");
    assert_eq!(found.growth, [2, 3]);
    assert_eq!(found.growth_at_start, Some(vec![2, 2, 3]));
}

#[test]
fn densities() {
    let cases = [
        (DISK, "1"),
        (KNIFE, "cos(phi)"),
        (SNAKEBOARD, "sin(phi)/sqrt(m*r^2 - J0*sin(phi)^2)"),
        (PARTICLE, "1/sqrt(1 + y^2)"),
        (BIVECTOR, "1/(1 + k^2*(r1^2 + r2^2 + r3^2))^2"),
    ];
    for (text, expected) in cases {
        let s = system(text);
        let found = measure(&s);
        assert!(found.claim.is_proven(), "{:?}", found.claim);
        assert_proportional(&found.density.expect("a density"), &formula(&s, expected));
    }
    let veselova = shipped("veselova");
    let expected =
        "(sin(theta)^2*sin(phi)^2/I1 + sin(theta)^2*cos(phi)^2/I2 + cos(theta)^2/I3)^(-1/2)";
    let found = measure(&veselova).density.expect("a density");
    assert_proportional(&found, &formula(&veselova, expected));
}

#[test]
fn no_density() {
    let sleigh = measure(&system(SLEIGH));
    assert!(sleigh.claim.is_refuted());
    assert!(sleigh.obstruction.is_some());
    // Closed, but ln N changes by 2π κ around both wheels.
    let robot = system(ROBOT);
    let found = measure(&robot);
    assert!(found.claim.is_refuted());
    let kappa = formula(&robot, "pi*m*l*R^3/(J*R^2 + 2*Jw*c^2)");
    assert_eq!(found.periods.exact.len(), 2);
    assert!(prove_zero(&(&found.periods.exact[0].1 - kappa)).is_proven());
    let cover = formula(&robot, "exp(m*l*R^3/(2*(J*R^2 + 2*Jw*c^2))*(psi1 + psi2))");
    assert_proportional(&found.density_on_cover.expect("a density"), &cover);
    // On the line it is single valued.
    let unwound = ROBOT.replace("psi1, psi2 : angle", "unused : angle\ncoord psi1, psi2");
    let unwound = unwound.replace("theta, unused", "theta");
    assert!(measure(&system(&unwound)).claim.is_proven());
}

#[test]
fn suslov_has_a_measure_only_along_principal_axes() {
    let text = "system suslov\nparam I1 = 2, I2 = 3, I3 = 4, I13 = 0.5\ngroup R : SO(3) velocity w\n\
        kinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2 + I13*w[1]*w[3]\nconstraint w[3] = 0\n";
    assert!(measure(&system(text)).claim.is_refuted());
    let principal = text
        .replace(" + I13*w[1]*w[3]", "")
        .replace(", I13 = 0.5", "");
    let found = measure(&system(&principal));
    assert!(found.claim.is_proven(), "{:?}", found.claim);
    assert_eq!(found.density, Some(Expr::one()));
}

#[test]
fn hamiltonizations() {
    let cases = [
        (DISK, "1", true),
        (KNIFE, "cos(phi)", true),
        (PARTICLE, "1/sqrt(1 + y^2)", true),
        (BIVECTOR, "1/(1 + k^2*(r1^2 + r2^2 + r3^2))", true),
        (
            ROBOT,
            "exp(m*l*R^3/(2*(J*R^2 + 2*Jw*c^2))*(psi1 + psi2))",
            true,
        ),
    ];
    for (text, expected, strong) in cases {
        let s = system(text);
        let found = hamiltonization(&s);
        assert!(found.claim.is_proven(), "{:?}", found.claim);
        let direct = found.direct.expect("a multiplier");
        assert_proportional(&direct.multiplier, &formula(&s, expected));
        assert_eq!(direct.strong, strong);
    }
}

#[test]
fn the_toy_is_hamiltonian_in_the_weak_sense_only() {
    let found = hamiltonization(&system(TOY));
    assert!(found.claim.is_proven());
    let direct = found.direct.expect("a multiplier");
    assert!(!direct.strong && direct.multiplier == Expr::one());
}

#[test]
fn the_sleigh_is_hamiltonized_by_an_odometer() {
    let sleigh = system(SLEIGH);
    let found = hamiltonization(&sleigh);
    assert!(found.claim.is_refuted());
    let lift = found
        .found
        .iter()
        .find(|f| f.by == "odometer")
        .expect("a lift");
    assert_eq!(lift.odometers.len(), 1);
    let along = formula(&sleigh, "cos(theta)*x' + sin(theta)*y'");
    assert!(prove_zero(&(&lift.odometers[0].1 - along)).is_proven());
    // f = exp(κ s), κ = aM/(J + a²M).
    let s = &lift.odometers[0].0;
    let slope = lift.hamiltonization.multiplier.log().diff(s);
    assert!(prove_zero(&(slope - formula(&sleigh, "a*M/(J + a^2*M)"))).is_proven());
}

#[test]
fn the_snakeboard_is_hamiltonized_after_routh_reduction() {
    let board = system(SNAKEBOARD);
    let found = hamiltonization(&board);
    assert!(found.claim.is_refuted());
    let routh = found
        .found
        .iter()
        .find(|f| f.by == "routh")
        .expect("a reduction");
    assert_eq!(routh.ignored[0].to_string(), "P_psi");
    let f = &routh.hamiltonization.multiplier;
    assert_proportional(f, &formula(&board, "(m*r^2/sin(phi)^2 - J0)^(-1/2)"));
    assert!(
        routh
            .hamiltonization
            .magnetic
            .entries()
            .iter()
            .all(Expr::is_zero)
    );
}

#[test]
fn the_knife_edge_has_the_chaplygin_hamiltonian() {
    let knife = system(KNIFE);
    let direct = hamiltonization(&knife).direct.expect("a multiplier");
    let named = |name: &str| {
        let symbol = direct.momenta.iter().find(|p| p.to_string() == name);
        Expr::from(symbol.expect("a momentum"))
    };
    let expected = named("P_x").powi(2) / formula(&knife, "2*m")
        + named("P_phi").powi(2) / formula(&knife, "2*J*cos(phi)^2")
        - formula(&knife, "m*g*x*sin(alpha)");
    // Up to a constant factor of the multiplier, which is 1 here.
    assert!(prove_zero(&(&direct.hamiltonian - expected)).is_proven());
}

#[test]
fn reductions() {
    let disk = ChaplyginReport::of(&system(DISK), Effort::unlimited());
    assert!(disk.claim.is_proven());
    let r = disk.reduction.expect("a reduction");
    assert!(
        r.tensor
            .iter()
            .all(|t| t.entries().iter().all(Expr::is_zero))
    );
    assert!(
        r.curvature
            .iter()
            .any(|b| b.entries().iter().any(|e| !e.is_zero()))
    );
    // The corrected Hamiltonian of the disk, not the printed one.
    let d1 = [("m", 1.3), ("R", 0.7), ("I", 0.31), ("J", 0.17)];
    let at = |e: &Expr| {
        let point: Vec<_> = e
            .free_symbols()
            .into_iter()
            .map(|s| {
                let name = s.to_string();
                let known = d1.iter().find(|(n, _)| *n == name).map(|k| k.1);
                let momentum = match name.as_str() {
                    "P_phi" => 0.17 * 0.9,
                    "P_psi" => 1.6099,
                    _ => 0.4,
                };
                (s, known.unwrap_or(momentum))
            })
            .collect();
        values(std::slice::from_ref(e), &point)[0]
    };
    assert!((at(&r.hamiltonian) - 1.437265).abs() < 1e-12);
    assert!((at(&r.hamiltonian) - 12.838952890062435).abs() > 1.0);

    let knife = ChaplyginReport::of(&system(KNIFE), Effort::unlimited());
    let r = knife.reduction.expect("a reduction");
    assert_eq!(r.conditions.len(), 1);
    assert!(knife.checks.iter().all(|c| c.answer.is_proven()));

    let robot = ChaplyginReport::of(&system(ROBOT), Effort::unlimited());
    let group = robot.group.expect("a group");
    assert!(group.name == "SE(2)" && !group.abelian);
}

#[test]
fn the_reduced_force_must_be_projectable() {
    // L on D does not see the fibre, but the gyroscopic force does (P-N6, P-F7).
    let text = "system bad\ncoord q1, q2, z\n\
        kinetic (q1'^2 + q2'^2 + (z' + q1*q2')^2)/2 + cos(z)/2*(z' + q1*q2')*q1'\n\
        constraint z' = -q1*q2'\nfibre z\n";
    let found = ChaplyginReport::of(&system(text), Effort::unlimited());
    assert!(found.claim.is_refuted(), "{:?}", found.claim);
    assert!(found.claim.words().contains("not projectable"));
}

#[test]
fn lightlike_distributions_are_refused() {
    let text =
        "system light\ncoord x, y, z\nlagrangian (x'^2 + y'^2 - z'^2)/2\nconstraint x' = z'\n";
    assert!(Regularity::of(&system(text)).regular.is_refuted());
    assert!(Regularity::of(&system(KNIFE)).regular.is_proven());
}

#[test]
fn brackets() {
    let sleigh = system(SLEIGH);
    let found = BracketReport::of(&sleigh, Effort::unlimited());
    assert!(found.poisson.is_refuted());
    assert_eq!((found.rank, found.dimension), (4, 5));
    // Jac(θ, P1, P2) = ∓Ma/(J + Ma²).
    let turn = found
        .jacobiators
        .iter()
        .find(|j| j.2.to_string() == "theta")
        .expect("a component");
    let size = formula(&sleigh, "M*a/(J + M*a^2)");
    assert!(prove_zero(&(turn.3.powi(2) - size.powi(2))).is_proven());
    let flat = PARTICLE.replace("z' = y*x'", "z' = y*x' + x*y'");
    let found = BracketReport::of(&system(&flat), Effort::unlimited());
    assert!(found.poisson.is_proven());
    assert_eq!(found.casimirs.len(), 1);
}

#[test]
fn the_motions_of_the_plane_are_found() {
    let found = SymmetryReport::of(&system(SLEIGH), Effort::unlimited());
    assert_eq!(found.all.len(), 3);
    assert_eq!(found.constants.expect("an algebra").len(), 2);
    assert!(matches!(found.equivariant, Some(Answer::Proven(_))));
}

#[test]
fn a_wrong_symmetry_is_refuted() {
    let text = KNIFE.to_owned() + "symmetry slip = (x: 1)\n";
    let found = SymmetryReport::of(&system(&text), Effort::unlimited());
    assert!(found.claim.is_refuted());
}

#[test]
fn a_rotation_is_judged_though_its_orbits_are_no_coordinate_lines() {
    let text = "system spiral\nparam m = 1\nassume m > 0\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n\
        constraint x*y' - y*x' = z'*(x^2 + y^2)\nsymmetry turn = (x: -y, y: x)\n";
    let found = ChaplyginReport::of(&system(text), Effort::unlimited());
    assert!(found.claim.is_proven(), "{:?}", found.claim);
    assert!(found.group.expect("a group").abelian && found.reduction.is_some());
    let wrong = text.replace(
        "symmetry turn = (x: -y, y: x)",
        "symmetry turn = (x: x, y: 0)",
    );
    let found = ChaplyginReport::of(&system(&wrong), Effort::unlimited());
    assert!(!found.claim.is_proven());
}

#[test]
fn the_sleigh_on_its_group() {
    // The same sleigh without coordinates: everything is left-invariant on SE(2).
    let text = "system sleigh\nparam M = 1.2, J = 0.7, a = 0.3\nassume M > 0, J > 0, a > 0\n\
        group X : SE(2) velocity (w, u, v)\nkinetic M/2*(u^2 + (v + a*w)^2) + J/2*w^2\nconstraint v = 0\n";
    let sleigh = system(text);
    assert_eq!(growth(&sleigh), [2, 3]);
    assert!(measure(&sleigh).claim.is_refuted());
    let found = hamiltonization(&sleigh);
    assert!(found.direct.is_none());
    let lift = found.found.first().expect("a lift");
    assert_eq!((lift.by.as_str(), lift.odometers.len()), ("odometer", 2));
    let f = &lift.hamiltonization.multiplier;
    let slopes: Vec<Expr> = lift
        .odometers
        .iter()
        .map(|(s, _)| f.log().diff(s))
        .collect();
    assert!(slopes.iter().any(|e| !e.is_zero()), "{f}");
}

#[test]
fn a_holonomic_system_is_hamiltonian_on_its_leaves() {
    let found = hamiltonization(&shipped("spherical_pendulum"));
    assert!(found.claim.is_proven(), "{:?}", found.claim);
    assert!(measure(&shipped("spherical_pendulum")).claim.is_proven());
}

#[test]
fn particles_with_any_linear_constraint() {
    // z' = b1 x' + b2 y': τ = κ(−b2, b1), κ = (∂x b2 − ∂y b1)/(1 + |b|²), closed exactly if div(κ b) = 0.
    let text = |b1: &str, b2: &str| {
        format!(
            "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = ({b1})*x' + ({b2})*y'\n"
        )
    };
    for (b1, b2, exists) in [
        ("y", "-x", true),
        ("y", "0*x", true),
        ("exp(y)", "0*x", true),
        ("0*x", "sin(x)", true),
        ("x*y", "x", false),
        ("y^2", "x", false),
    ] {
        let s = system(&text(b1, b2));
        let found = measure(&s);
        assert_eq!(
            found.claim.is_proven(),
            exists,
            "{b1}, {b2}: {:?}",
            found.claim
        );
        assert_eq!(hamiltonization(&s).direct.is_some(), exists, "{b1}, {b2}");
    }
}

#[test]
fn a_degenerate_system_keeps_no_volume() {
    let text = "system degenerate\ncoord x, y\nlagrangian x'^2/2 + x*y\n";
    assert!(Regularity::of(&system(text)).regular.is_refuted());
    assert!(!measure(&system(text)).claim.is_proven());
    assert!(!hamiltonization(&system(text)).claim.is_proven());
}
