//! Families from first integrals: solved for the momenta, certified by conservation.

use crate::support::{given, shipped};
use crate::trial::complete;
use rattleback_theory::hamilton_jacobi::Method;

/// Parabolic and elliptic coordinates by the equation of Bertrand and Darboux, without the coordinates.
#[test]
fn quadratic_integrals_of_the_plane() {
    for potential in [
        "-1/sqrt(x^2 + y^2) - x/10",
        "(x^2 + 4*y^2)/2 + x^2*y + 2*y^3",
        "-1/sqrt((x - 1)^2 + y^2) - 2/sqrt((x + 1)^2 + y^2)",
    ] {
        let text =
            format!("system plane\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential {potential}\n");
        let report = complete(&given(&text));
        let s = &report.solutions[0];
        assert_eq!(s.method, Method::Integrals, "{potential}");
        assert!(s.verification.strong.is_proven());
        assert_eq!(s.integrals.len(), 1);
    }
}

/// Geodesics of a saddle, as a holonomic constraint: the integral of Joachimsthal.
#[test]
fn geodesics_of_a_quadric() {
    let text = "system saddle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x' + x*y'\n";
    let report = complete(&given(text));
    assert!(report.solutions[0].verification.strong.is_proven());
}

/// The Veselova system for any inertia, in Euler angles and on the group.
#[test]
fn the_veselova_system() {
    for name in ["veselova", "veselova_group"] {
        let report = complete(&shipped(name));
        assert!(
            report.solutions[0].verification.strong.is_proven(),
            "{name}"
        );
    }
}

/// As many momenta of the ball as it has degrees of freedom are constant: the family is complete, though
/// its one-forms are not closed on D.
#[test]
fn weak_families_of_bodies() {
    for name in ["chaplygin_ball", "rigid_body"] {
        let report = complete(&shipped(name));
        let v = &report.solutions[0].verification;
        assert!(v.weak.is_proven() && v.strong.is_refuted(), "{name}");
    }
}

/// Commuting momenta and the energy: tops and pendula.
#[test]
fn strong_families_of_bodies() {
    for name in ["heavy_top", "spherical_pendulum"] {
        let report = complete(&shipped(name));
        assert!(
            report.solutions[0].verification.strong.is_proven(),
            "{name}"
        );
    }
}
