//! The class of known systems, and what keeps or breaks it.

use crate::check::{class, judge, verify};
use crate::models::*;
use crate::support::{given, shipped};
use rattleback_symbolic::{Expr, Sign, Symbol, prove_all_zero};
use rattleback_theory::vakonomic::{Class, Kind};

#[test]
fn classes_of_the_examples() {
    assert_eq!(class(DISK), (Class::Conditional, Some(Kind::GyroFree)));
    assert_eq!(class(CARRIAGE), (Class::Conditional, Some(Kind::GyroFree)));
    assert_eq!(
        class(HEISENBERG),
        (Class::Conditional, Some(Kind::ReactionFree))
    );
    assert_eq!(class(&equal_veselova()).0, Class::Conditional);
    assert_eq!(
        class(SPHERE),
        (Class::Conditional, Some(Kind::ReactionFree))
    );
    assert_eq!(class(PARTICLE).0, Class::Partial);
    assert_eq!(class(KNIFE).0, Class::Partial);
    let distinct = VESELOVA.replace("INERTIA", "I1*w1^2 + I2*w2^2 + I3*w3^2");
    assert_eq!(class(&distinct).0, Class::Partial);
}

/// The potentials of VE-C16: harmless for a gyro-free system if they live on the base, for a
/// reaction-free one if their gradient is allowed.
#[test]
fn potentials_keep_or_break_the_class() {
    let with = |text: &str, v: &str| class(&format!("{text}potential {v}\n")).0;
    assert_eq!(with(DISK, "sin(theta) + phi^2"), Class::Conditional);
    assert_eq!(with(HEISENBERG, "(x^2 + y^2)^2"), Class::Conditional);
    assert_eq!(with(HEISENBERG, "x"), Class::Partial);
    // The coin on an incline agrees only where it rolls straight along the slope.
    let g = given(&format!("{DISK}param f = 1\nassume f > 0\npotential f*x\n"));
    let report = judge(&g);
    verify(&g, &report);
    assert_eq!(report.class, Class::Partial);
    assert!(report.complete.is_proven(), "{:?}", report.complete);
    let phi = Symbol::variable("phi");
    for s in &report.strata {
        let heading = s.equations.iter().find(|(q, _)| *q == phi);
        assert!(heading.is_some_and(|(_, e)| e.sin().is_zero()), "{s:?}");
    }
}

/// Inertial coupling between an old and a new fibre coordinate destroys the class (VE-C17, E9).
#[test]
fn flat_fibres_must_decouple() {
    let extra = "coord u\nparam c = 1/3\nassume c != 0\nconstraint u' = phi'\n";
    let base = DISK.replace("J/2*phi'^2", "J/2*phi'^2 + u'^2/2");
    assert_eq!(class(&format!("{base}{extra}")).0, Class::Conditional);
    let coupled = DISK.replace("J/2*phi'^2", "J/2*phi'^2 + u'^2/2 + c*x'*u'");
    assert_ne!(class(&format!("{coupled}{extra}")).0, Class::Conditional);
}

#[test]
fn integrable_distributions_are_conditional() {
    let text = "system flat\ncoord x, y, z\nkinetic (x'^2 + y'^2 + (1 + x^2)*z'^2)/2\npotential x*z\n\
        constraint y*x' + x*y' + 2*z*z' = 0\n";
    let report = judge(&given(text));
    assert_eq!(
        (report.class, report.kind),
        (Class::Conditional, Some(Kind::Integrable))
    );
    assert_eq!(report.admissible.expect("multipliers").dimension(), 1);
}

/// Suslov: conditional for a principal axis with equal inertia, not otherwise (VE-E7).
#[test]
fn suslov_depends_on_the_inertia() {
    let suslov = |inertia: &str| {
        format!(
            "system suslov\nparam A = 2, B = 3, C = 4\nassume A > 0, B > 0, C > 0\ngroup R : SO(3) velocity w\nlagrangian ({inertia})/2\nconstraint w[3] = 0\n"
        )
    };
    assert_eq!(
        class(&suslov("A*w[1]^2 + A*w[2]^2 + C*w[3]^2")).0,
        Class::Conditional
    );
    assert_eq!(
        class(&suslov("A*w[1]^2 + B*w[2]^2 + C*w[3]^2")).0,
        Class::Partial
    );
    // The special value is found, not assumed away.
    let report = judge(&given(&suslov("A*w[1]^2 + B*w[2]^2 + C*w[3]^2")));
    let case = report.cases.first().expect("a case");
    assert!(case.then.contains("conditional"));
    let [a, b] = ["A", "B"].map(|n| Symbol::constant(n).with_sign(Sign::Positive));
    let equal = case.condition.substitute(&[(a, Expr::from(&b))]);
    assert!(prove_all_zero(&[equal]).is_proven(), "{}", case.condition);
}

/// Product systems: classes join, admissible sets multiply (VE-C15 R6, C29.13). A gyro-free factor and a
/// reaction-free one give a system that is neither.
#[test]
fn products_of_systems() {
    let disk = DISK.replace("m/2*(x'^2", "(a'^2 + b'^2 + c'^2)/2 + m/2*(x'^2");
    let heisenberg = format!("{disk}coord a, b, c\nconstraint c' = b*a' - a*b'\n");
    assert_eq!(class(&heisenberg), (Class::Conditional, Some(Kind::Mixed)));
    let particle = format!("{disk}coord a, b, c\nconstraint c' = -a*b'\n");
    assert_eq!(class(&particle).0, Class::Partial);
}

/// Renormalised constraints, scaled Lagrangians and added squares of constraints change no verdict
/// (VE-C29).
#[test]
fn verdicts_do_not_see_the_way_of_writing() {
    let pairs = [
        (
            PARTICLE.to_string(),
            PARTICLE.replace(
                "constraint z' = -x*y'",
                "constraint (2 + sin(x*y))*(z' + x*y') = 0",
            ),
        ),
        (
            DISK.to_string(),
            DISK.replace(
                "constraint y' = R*sin(phi)*theta'",
                "constraint x' + 3*y' = R*(cos(phi) + 3*sin(phi))*theta'",
            ),
        ),
        (
            HEISENBERG.to_string(),
            HEISENBERG.replace("z'^2)", "z'^2 + 5*(z' - y*x' + x*y')^2)"),
        ),
        (
            KNIFE.to_string(),
            KNIFE.replace("m/2*", "7*m/2*").replace("J/2", "7*J/2"),
        ),
    ];
    for (a, b) in pairs {
        assert_eq!(class(&a).0, class(&b).0, "{b}");
    }
}

/// Every shipped constrained model gets an answer whose evidence holds in numbers.
#[test]
fn shipped_models_are_judged() {
    let expected = [
        ("chaplygin_sleigh", Class::Partial),
        ("knife_edge", Class::Partial),
        ("vertical_rolling_disk", Class::Conditional),
        ("mobile_robot", Class::Conditional),
        ("two_wheeled_carriage", Class::Conditional),
        ("heisenberg_particle", Class::Conditional),
        ("nonholonomic_particle", Class::Partial),
        ("so3_toy", Class::Conditional),
        ("snakeboard", Class::Partial),
        ("rotating_rod", Class::Conditional),
    ];
    for (name, class) in expected {
        let g = shipped(name);
        let report = judge(&g);
        verify(&g, &report);
        assert_eq!(report.class, class, "{name}: {:?}", report.claim);
    }
}
