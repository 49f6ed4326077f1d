//! Families of common motions where not every motion agrees.

use crate::check::{judge, verify};
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
    let text = rattleback_testing::models::text("trailer_car");
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

/// z' = (x + c y) x' + y y': the reaction vanishes where x'² + c x' y' + y'² does, which is at rest only
/// if c is small, and on two families if it is large.
#[test]
fn families_are_real() {
    let with = |c: &str| {
        given(&format!(
            "system curved\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             constraint z' = (x + {c}*y)*x' + y*y'\n"
        ))
    };
    let small = verified(&with("1"));
    assert_eq!(small.class, Class::None, "{:?}", small.claim);
    let large = verified(&with("5/2"));
    assert_eq!(large.class, Class::Partial, "{:?}", large.claim);
    assert!(large.complete.is_proven() && large.strata.len() == 2);
    // A parameter stays a symbol, but its value in the model decides what is real.
    let symbol = |value: &str| {
        let text = "system curved\nparam c = VALUE\nassume c > 0\ncoord x, y, z\n\
            kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = (x + c*y)*x' + y*y'\n";
        judge(&given(&text.replace("VALUE", value)))
    };
    assert_eq!(symbol("5/2").class, Class::Partial);
    assert_ne!(symbol("1").class, Class::Partial);
}
