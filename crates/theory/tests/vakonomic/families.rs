//! Families of common motions where not every motion agrees.

use crate::check::{judge, verify};
use crate::models::DISK;
use crate::support::{Given, given, shipped};
use rattleback_theory::vakonomic::{Class, Equivalence};

fn verified(g: &Given) -> Equivalence {
    let report = judge(g);
    verify(g, &report);
    report
}

/// Does a family consist of just these equations?
fn has_family(report: &Equivalence, equations: &[&str]) -> bool {
    report.strata.iter().any(|s| {
        let mut found: Vec<String> = s
            .equations
            .iter()
            .map(|(w, e)| format!("{w} = {e}"))
            .collect();
        found.sort();
        found == equations
    })
}

#[test]
fn no_family_at_all() {
    let suslov = judge(&shipped("suslov"));
    assert_eq!(suslov.class, Class::None, "{:?}", suslov.claim);
    assert!(suslov.claim.is_proven());
}

/// Bodies turning about a principal axis that is level: on the group as with angles.
#[test]
fn permanent_rotations_on_the_group() {
    let group = verified(&shipped("veselova_group"));
    assert_eq!(group.class, Class::Partial, "{:?}", group.claim);
    assert!(has_family(&group, &["R[3,1] = 0", "y2 = 0"]));
    assert!(has_family(&group, &["R[3,2] = 0", "y1 = 0"]));
    let angles = verified(&shipped("veselova"));
    assert_eq!(angles.class, Class::Partial);
    assert!(has_family(&angles, &["theta = pi/2", "y1 = 0"]));
}

/// The rattleback agrees where it spins upright: there only the weight acts.
#[test]
fn the_rattleback_spins_upright() {
    let report = verified(&shipped("rattleback"));
    assert_eq!(report.class, Class::Partial, "{:?}", report.claim);
    let upright = &report.strata[0];
    let vanish = |n: &str| {
        upright
            .equations
            .iter()
            .any(|(s, e)| s.to_string() == n && e.is_zero())
    };
    assert!(["R[3,1]", "R[3,2]", "y1", "y2"].iter().all(|n| vanish(n)));
}

/// A tractor with trailers that is not driven agrees where all go straight ahead.
#[test]
fn trailers_in_a_line() {
    let text = std::fs::read_to_string(format!(
        "{}/../../models/trailer_car.mech",
        env!("CARGO_MANIFEST_DIR")
    ))
    .expect("a model");
    let driven = text.lines().filter(|l| !l.starts_with("force"));
    let report = verified(&given(&driven.collect::<Vec<_>>().join("\n")));
    assert_eq!(report.class, Class::Partial, "{:?}", report.claim);
    assert!(has_family(
        &report,
        &[
            "theta1 = theta0",
            "theta2 = theta0",
            "theta3 = theta0",
            "y2 = 0"
        ]
    ));
}

/// A quadratic factor without real zeros gives no family: here μ₁² + … cannot vanish.
#[test]
fn families_are_real() {
    // On a plate with friction-like force the coin has no motion in common but none is claimed either.
    let text = format!("{DISK}param f = 1\nassume f > 0\npotential f*x + f*exp(y)\n");
    let g = given(&text);
    let report = verified(&g);
    assert_ne!(report.class, Class::Conditional);
}
