//! Leaves, Dirac structures, the converse of the momentum equation, conformal forms.

mod support;

use rattleback_mechanics::Form;
use rattleback_mechanics::phase::VelocityPhaseSpace;
use rattleback_symbolic::{Expr, Symbol, prove_all_zero, substitute_all};
use rattleback_theory::{
    BracketReport, ChaplyginReport, DiracStructure, DistributionReport, Effort, FirstIntegral,
    FirstIntegralReport, HamiltonizationReport, MeasureReport, MotionTest, NoConverse, Origin,
    SymmetryReport, conformal_defect,
};
use support::{formula, shipped, system};

#[test]
fn on_its_level_the_carriage_is_simple() {
    for name in ["carriage_offset", "two_wheeled_carriage"] {
        let carriage = shipped(name);
        let report =
            DistributionReport::of(&carriage, Effort::unlimited()).expect("a distribution");
        let leaf = report.leaf.expect("a level");
        assert_eq!(leaf.eliminated.len(), 1);
        let restricted = DistributionReport::of(&leaf.system, Effort::unlimited()).expect("it");
        assert!(restricted.generating.is_proven(), "{name}");
        assert_eq!(restricted.dimension, 4);
        // The motion on the level is the motion: the same measure, or none for the same reason.
        let whole = MeasureReport::of(&carriage, Effort::unlimited());
        let part = MeasureReport::of(&leaf.system, Effort::unlimited());
        assert_eq!(whole.claim.is_proven(), part.claim.is_proven(), "{name}");
    }
}

#[test]
fn dirac_structures() {
    for name in ["knife_edge", "snakeboard", "suslov", "spherical_pendulum"] {
        let system = shipped(name);
        let structure = DiracStructure::of(&system).expect("a structure");
        assert!(structure.check_isotropic().is_proven(), "{name}");
        assert!(structure.check_motion().is_proven(), "{name}");
        let d = DistributionReport::of(&system, Effort::unlimited()).expect("a distribution");
        assert_eq!(
            structure.is_closed().is_proven(),
            d.integrable.is_proven(),
            "{name}"
        );
    }
}

#[test]
fn enough_momenta_make_a_motion() {
    let knife = shipped("knife_edge");
    let frame = knife.frame();
    let [x, phi] = [0, 2].map(|i| Expr::from(&frame.base()[i]));
    let fields = [
        vec![phi.cos(), phi.sin(), Expr::zero()],
        vec![Expr::zero(), Expr::zero(), Expr::one()],
    ];
    let test = MotionTest::of(&knife, &[x.clone(), phi.clone()], &fields).expect("conclusive");
    // Along the motion: the rates of the formulation with multipliers, on D.
    let equations = knife
        .equations(Form::LagrangeDAlembert)
        .expect("equations")
        .explicit();
    let n = frame.base().len();
    let mut known: Vec<(Symbol, Expr)> = Vec::new();
    for (i, rate) in test.rates.iter().enumerate() {
        known.push((rate.clone(), equations.rates[i].clone()));
    }
    for (i, rate) in test.accelerations.iter().enumerate() {
        known.push((rate.clone(), equations.rates[n + i].clone()));
    }
    let sections = knife.sections().expect("a frame");
    let on_motion = sections.restrict(frame, &substitute_all(&test.residuals, &known));
    assert!(prove_all_zero(&on_motion).is_proven());
    // The free motion is none.
    let phase = VelocityPhaseSpace::of(&knife).expect("a phase space");
    let free = phase.hamiltonian_field(phase.energy());
    let mut known: Vec<(Symbol, Expr)> = Vec::new();
    known.extend(test.rates.iter().cloned().zip(free.base.iter().cloned()));
    known.extend(
        test.accelerations
            .iter()
            .cloned()
            .zip(free.fibre.iter().cloned()),
    );
    let off = sections.restrict(frame, &substitute_all(&test.residuals, &known));
    assert!(
        prove_all_zero(&off).is_proven(),
        "along D the free motion has the same momenta"
    );
    let pushed: Vec<(Symbol, Expr)> = known
        .iter()
        .map(|(s, e)| {
            (
                s.clone(),
                if *s == test.accelerations[2] {
                    e + 1
                } else {
                    e.clone()
                },
            )
        })
        .collect();
    let off = sections.restrict(frame, &substitute_all(&test.residuals, &pushed));
    assert!(prove_all_zero(&off).is_refuted());

    let few = MotionTest::of(&knife, std::slice::from_ref(&x), &fields);
    assert!(matches!(few, Err(NoConverse::Functions { rank: 1, .. })));
    let few = MotionTest::of(&knife, &[x.clone(), phi.clone()], &fields[..1]);
    assert!(matches!(few, Err(NoConverse::Fields { rank: 1, .. })));
    let across = [vec![-phi.sin(), phi.cos(), Expr::zero()]];
    let outside = MotionTest::of(&knife, &[x, phi], &across);
    assert!(matches!(outside, Err(NoConverse::NotInD(0))));
}

#[test]
fn conformal_forms_are_closed_exactly_for_pure_trace() {
    for (name, strong) in [
        ("knife_edge", true),
        ("bivector_particle", true),
        ("so3_toy", false),
    ] {
        let system = shipped(name);
        let reduction = ChaplyginReport::of(&system, Effort::unlimited())
            .reduction
            .expect("it");
        let h = HamiltonizationReport::of(&system, Effort::unlimited())
            .direct
            .expect("it");
        assert_eq!(h.strong, strong);
        let defect = conformal_defect(&reduction, &h.multiplier);
        assert_eq!(reduction.prove_zero(&defect).is_proven(), strong, "{name}");
        let wrong = conformal_defect(
            &reduction,
            &(2 + Expr::from(&reduction.base.base()[0]).powi(2)),
        );
        assert!(reduction.prove_zero(&wrong).is_refuted(), "{name}");
    }
}

#[test]
fn a_constant_density_is_a_vanishing_gyroscopic_form_in_two_dimensions() {
    let mut seen = [0, 0];
    for name in [
        "vertical_rolling_disk",
        "mobile_robot",
        "knife_edge",
        "heisenberg_particle",
        "veselova",
    ] {
        let system = shipped(name);
        let report = MeasureReport::of(&system, Effort::unlimited());
        let density = report.density.expect("a density");
        let constant = density.as_number().is_some();
        let free = report.gyroscopic_free.expect("known").is_proven();
        assert_eq!(constant, free, "{name}");
        seen[usize::from(free)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 1));
}

#[test]
fn levels_of_the_rolling_ball() {
    // S.18, S.19: a homogeneous ball on a level plane; the momenta of two rolling fields do not commute.
    let text = "system ball\nparam m = 1.2, r = 0.9, I = 0.5\nassume m > 0, r > 0, I > 0\n\
        group R : SO(3) velocity w space\ncoord x, y\nkinetic m/2*(x'^2 + y'^2) + I/2*norm2(w)\n\
        constraint x' = r*w[2]\nconstraint y' = -r*w[1]\n";
    let ball = system(text);
    let found = FirstIntegralReport::of(&ball, Effort::unlimited());
    assert!(found.levels.is_proven(), "{:?}", found.levels);
    let linear = found.all.iter().filter(|i| i.field.is_some()).count();
    assert!(linear >= 3, "{linear}");
}

#[test]
fn gauge_momenta_are_told_from_symmetries() {
    // S.24: sqrt(1 + y²) x' is conserved, its field is no symmetry.
    let text = "system particle\nparam m = 1.3\nassume m > 0\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n\
        potential cos(y)\nconstraint z' = y*x'\n";
    let particle = system(text);
    let found = FirstIntegralReport::of(&particle, Effort::unlimited());
    let gauge = found
        .all
        .iter()
        .find(|i| i.origin == Origin::Gauge)
        .expect("it");
    let expected = formula(&particle, "m*sqrt(1 + y^2)*x'");
    let sections = particle.sections().expect("a frame");
    let both = sections.restrict(particle.frame(), &[gauge.value.clone(), expected]);
    support::assert_proportional(&both[0], &both[1]);
}

#[test]
fn integrals_beyond_polynomials() {
    // Each is built from a function that must be found again, up to a function of it.
    let cases = [
        (
            "constraint z' = (x*y' - y*x')/(x^2 + y^2)",
            "z - atan2(y, x)",
        ),
        ("constraint y*z' = z*y'", "log(z) - log(y)"),
        ("constraint x*y*z' + z*(y*x' + x*y') = 0", "x*y*z"),
        (
            "constraint (1 + x^2)*z' = 2*x*z*x'",
            "log(z) - log(1 + x^2)",
        ),
        ("constraint x*z' = x' + x*z*y'", ""),
    ];
    for (constraint, integral) in cases {
        let text = format!(
            "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n{constraint}\n\
             start x = 1, y = 1/2, z = 2\n"
        );
        let model = system(&text);
        let found = DistributionReport::of(&model, Effort::unlimited()).expect("a distribution");
        if integral.is_empty() {
            assert!(found.generating.is_proven(), "{constraint}");
            continue;
        }
        assert_eq!(found.integrals.len(), 1, "{constraint}");
        let want = model.frame().differential(&formula(&model, integral));
        let got = model.frame().differential(&found.integrals[0]);
        let minors: Vec<Expr> = (0..3)
            .map(|i| &want[i] * &got[(i + 1) % 3] - &want[(i + 1) % 3] * &got[i])
            .collect();
        assert!(
            prove_all_zero(&minors).is_proven(),
            "{}",
            found.integrals[0]
        );
    }
}

#[test]
fn killing_fields_in_curved_coordinates() {
    let plane = "coord r, theta\nkinetic (r'^2 + r^2*theta'^2)/2\nstart r = 1\n";
    let sphere = "coord theta, phi\nkinetic (theta'^2 + sin(theta)^2*phi'^2)/2\nstart theta = 1\n";
    let space = "coord r, theta, phi\nkinetic (r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)/2\n\
        start r = 1, theta = 1\n";
    let top = "param A = 1, C = 2\nassume A > 0, C > 0\ncoord theta, phi, psi\n\
        kinetic A/2*(theta'^2 + sin(theta)^2*phi'^2) + C/2*(psi' + cos(theta)*phi')^2\nstart theta = 1\n";
    let falling = "coord r, theta, phi\nkinetic (r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)/2\n\
        potential r*cos(theta)\nstart r = 1, theta = 1\n";
    for (text, count) in [(plane, 3), (sphere, 3), (space, 6), (top, 4), (falling, 3)] {
        let model = system(&format!("system s\n{text}"));
        let found = SymmetryReport::of(&model, Effort::unlimited());
        assert_eq!(found.all.len(), count, "{text}");
    }
}

#[test]
fn quadratic_integrals_with_their_potentials() {
    let kepler = "param k = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -k/sqrt(x^2 + y^2)\n\
        start x = 1, y' = 1\n";
    let liouville = "coord u, v\nkinetic (u^2 + v^2)*(u'^2 + v'^2)/2\n\
        potential (u^4 + 3*v^2)/(u^2 + v^2)\nstart u = 1, v = 1\n";
    let neumann = "param a = 1, b = 2, c = 3\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        potential (a*x^2 + b*y^2 + c*z^2)/2\nconstraint x^2 + y^2 + z^2 = 1\nstart x = 1\n";
    for text in [kepler, liouville, neumann] {
        let model = system(&format!("system s\n{text}"));
        let found = FirstIntegralReport::of(&model, Effort::unlimited());
        let quadratic = |i: &&FirstIntegral| i.origin == Origin::Quadratic;
        assert_eq!(found.all.iter().filter(quadratic).count(), 1, "{text}");
    }
}

#[test]
fn special_parameters_are_named() {
    let text = "system s\nparam k = 1, g = 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        potential g*(z + x^2*y)\nconstraint z' = y*x' + k*x*y'\n";
    let model = system(text);
    let [k, g] = ["k", "g"].map(|name| formula(&model, name));
    // The leaves of k = 1 are z - x y = const.
    let brackets = BracketReport::of(&model, Effort::unlimited());
    let conditions: Vec<Expr> = brackets.cases.into_iter().map(|c| c.condition).collect();
    assert!(
        conditions == [&k - 1] || conditions == [1 - &k],
        "{conditions:?}"
    );
    // Without weight, z is no part of the problem; x and y stay in the constraint.
    let symmetries = SymmetryReport::of(&model, Effort::unlimited());
    let special: Vec<(Expr, String)> = symmetries
        .cases
        .into_iter()
        .map(|c| (c.condition, c.then))
        .collect();
    assert_eq!(special, [(g, "(z: 1) is a symmetry".to_owned())]);
}
