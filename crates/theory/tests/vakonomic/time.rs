//! Affine constraints, and constraints and forces that depend on time.

use crate::check::{judge, verify};
use crate::support::{given, shipped};
use rattleback_theory::vakonomic::{Class, Kind};

/// Affine constraints: a plate that turns under a knife edge is compared as well.
#[test]
fn affine_constraints() {
    let text = "system wind\nparam u = 1\nassume u > 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = u + y*x'\n";
    let g = given(text);
    let report = judge(&g);
    verify(&g, &report);
    assert_eq!(report.class, Class::Partial, "{:?}", report.claim);
    let closed = judge(&given(
        "system moving\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = x' + 3\n",
    ));
    assert_eq!(closed.class, Class::Conditional);
}

/// A line that turns in the plane is no holonomic constraint, although at each time it is one.
#[test]
fn constraints_may_turn_with_time() {
    let turning = judge(&given(
        "system turning\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint cos(t)*x' + sin(t)*y' = 0\n",
    ));
    assert!(turning.integrable.is_refuted(), "{:?}", turning.integrable);
    assert_eq!(turning.class, Class::None, "{:?}", turning.claim);
    // The derivative of cos(t) x + sin(t) y = constant is one.
    let g = given(
        "system carried\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
         constraint cos(t)*x' + sin(t)*y' = sin(t)*x - cos(t)*y\n",
    );
    let carried = judge(&g);
    assert!(carried.integrable.is_proven(), "{:?}", carried.integrable);
    assert_eq!(carried.class, Class::Conditional);
}

/// Forces and offsets that depend on time are followed in time.
#[test]
fn forces_may_depend_on_time() {
    let heisenberg = "system driven\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        constraint z' = y*x' - x*y'\n";
    let radial = given(&format!("{heisenberg}force (x: x*cos(t), y: y*cos(t))\n"));
    let report = judge(&radial);
    verify(&radial, &report);
    assert_eq!(report.kind, Some(Kind::ReactionFree), "{:?}", report.claim);
    let skew = judge(&given(&format!("{heisenberg}force (x: cos(t))\n")));
    assert_ne!(skew.class, Class::Conditional);
    let g = given(
        "system lifted\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x' + sin(t)\n",
    );
    let lifted = judge(&g);
    verify(&g, &lifted);
    assert_eq!(lifted.class, Class::Partial, "{:?}", lifted.claim);
    assert!(lifted.complete.is_proven(), "{:?}", lifted.complete);
}

/// Where motions that agree are neither found nor excluded, it is still said that not all do, and why
/// the rest is open.
#[test]
fn what_is_open_is_said() {
    for name in ["roller_racer", "trailer_car"] {
        let report = judge(&shipped(name));
        assert_eq!(report.class, Class::Undecided);
        assert!(report.every.is_refuted() && !report.counterexample.is_empty());
        assert!(!report.claim.is_proven() && !report.claim.is_refuted());
        assert!(report.complete.words().contains("depends on time"));
        assert!(report.complete.words().len() < 300);
    }
}
