//! Solutions in coordinates that the model does not have.

use crate::support::{given, shipped};
use crate::systems::study;
use crate::trial::complete;
use rattleback_symbolic::Expr;

const PLANE: &str = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
const SPACE: &str = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n";

/// The name of the coordinates that the first solution is written in.
fn coordinates_of(text: &str) -> String {
    let report = complete(&given(text));
    let change = report.solutions[0].coordinates.as_ref();
    change.map_or_else(String::new, |c| c.name.clone())
}

/// Rotations about any centre, on any plane, also where the two masses differ.
#[test]
fn rotations_give_polar_and_spherical_coordinates() {
    for (space, potential, expected) in [
        (PLANE, "-1/sqrt(x^2 + y^2)", "polar"),
        (PLANE, "-1/sqrt((x - 1)^2 + (y + 2)^2)", "polar"),
        (PLANE, "log(x^2 + y^2)", "polar"),
        (SPACE, "-1/sqrt(x^2 + y^2 + z^2)", "spherical"),
        (SPACE, "(x^2 + y^2 + (z - 1)^2)^2", "spherical"),
        (SPACE, "1/sqrt(x^2 + y^2 + z^2) - z/10", "parabolic"),
        (SPACE, "-1/sqrt(x^2 + z^2) + y^4", "polar"),
    ] {
        let found = coordinates_of(&format!("system central\n{space}potential {potential}\n"));
        assert!(found.contains(expected), "{potential}: {found}");
    }
    let unequal =
        "system unequal\ncoord x, y\nkinetic (x'^2 + 4*y'^2)/2\npotential (x^2 + 4*y^2)^2\n";
    assert_eq!(coordinates_of(unequal), "polar");
}

/// Normal modes, differences, and potentials that are sums along oblique lines.
#[test]
fn potentials_that_split_along_lines() {
    for (space, potential) in [
        (PLANE, "(x^2 + y^2)/2 + x*y/3"),
        (PLANE, "(x + 2*y)^4 + (2*x - y)^2"),
        (PLANE, "exp(x + y) + cos(x - y)"),
        (PLANE, "(x^2 + y^2)/2 + x^2*y + y^3/3"),
        (SPACE, "(x^2 + (x - y)^2 + (y - z)^2 + z^2)/2"),
        (SPACE, "(x - y)^2 + (y - z)^2"),
    ] {
        let found = coordinates_of(&format!("system split\n{space}potential {potential}\n"));
        assert!(found.contains("linear"), "{potential}: {found}");
    }
    let masses = "param m1 = 1, m2 = 2, k = 3\nassume m1 > 0, m2 > 0\ncoord x1, x2\nkinetic (m1*x1'^2 + m2*x2'^2)/2\n";
    for potential in ["exp(x1 - x2)", "k*(x1 - x2)^2/2", "k*cos(x2 - x1)"] {
        let found = coordinates_of(&format!("system pair\n{masses}potential {potential}\n"));
        assert!(found.contains("linear"), "{potential}: {found}");
    }
}

/// Two bodies: the centre of mass first, then polar coordinates of what is between them.
#[test]
fn two_bodies() {
    let text = "system bodies\nparam m1 = 1, m2 = 2, k = 1\nassume m1 > 0, m2 > 0, k > 0\ncoord a, b, c, d\n\
        kinetic m1/2*(a'^2 + b'^2) + m2/2*(c'^2 + d'^2)\npotential -k/sqrt((a - c)^2 + (b - d)^2)\n";
    let found = coordinates_of(text);
    assert!(
        found.contains("linear") && found.contains("polar"),
        "{found}"
    );
}

/// Chaplygin Hamiltonians separate in other coordinates too (HJ X6; the Heisenberg particle).
#[test]
fn chaplygin_hamiltonians_in_other_coordinates() {
    complete(&shipped("heisenberg_particle"));
    let heisenberg = "param m = 1, M = 2, k = 0.3\nassume m > 0, M > 0\ncoord x, y, z\n\
        kinetic m/2*(x'^2 + y'^2) + M/2*z'^2\nconstraint z' = k*(x*y' - y*x')\n";
    for potential in ["0", "(x^2 + y^2)/2", "-1/sqrt(x^2 + y^2)", "(x^2 + y^2)^2"] {
        let found = coordinates_of(&format!("system h\n{heisenberg}potential {potential}\n"));
        assert_eq!(found, "polar", "{potential}");
    }
    let bivector = "param k = 0.4\ncoord r1, r2, r3, s1, s2, s3\nlet r = [r1, r2, r3]\nlet s = [s1, s2, s3]\n\
        kinetic (norm2(r') + norm2(s'))/2\nconstraint s' = k*cross(r, r')\n";
    for potential in ["0", "norm2(r)/2", "-1/sqrt(norm2(r))"] {
        let found = coordinates_of(&format!("system b\n{bivector}potential {potential}\n"));
        assert_eq!(found, "spherical", "{potential}");
    }
}

/// A function of several coordinates is the one variable that everything depends on.
#[test]
fn one_essential_combination() {
    let robot = "param m = 2, l = 0.1, J = 0.3, Jw = 0.02, R = 0.1, c = 0.25\nassume m > 0, J > 0, Jw > 0, R > 0, c > 0\n\
        coord x, y, theta, p1, p2\nkinetic m/2*(x'^2 + y'^2) + m*l*theta'*(y'*cos(theta) - x'*sin(theta)) + J/2*theta'^2 + Jw/2*(p1'^2 + p2'^2)\n\
        potential (p1 + p2)/100\nconstraint -sin(theta)*x' + cos(theta)*y' = 0\n\
        constraint cos(theta)*x' + sin(theta)*y' = R/2*(p1' + p2')\nconstraint theta' = R/(2*c)*(p1' - p2')\n";
    let found = coordinates_of(&format!("system robot\n{robot}"));
    assert_eq!(found, "linear");
}

/// A screw in Cartesian coordinates: the angle is cyclic, but it is no coordinate.
#[test]
fn angles_that_no_coordinate_is() {
    let text = "system screw\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2 + y^2\n\
        constraint (x^2 + y^2)*z' = x*y' - y*x'\nstart x = 1\n";
    let found = coordinates_of(text);
    assert!(found.contains("polar"), "{found}");
}

/// Actions come with the coordinates that were found: Kepler's problem in the plane, in x and y.
#[test]
fn actions_in_polar_coordinates() {
    let text = format!("system kepler\n{PLANE}potential -1/sqrt(x^2 + y^2)\n");
    let report = complete(&given(&text));
    let angles = report.action_angle.expect("actions");
    assert!(angles.frequencies.is_some());
    assert!(report.separable.expect("a verdict").is_refuted());
}

/// What is not integrable by these means stays open, with the reason.
#[test]
fn nothing_is_claimed_beyond() {
    for potential in ["(x^2 + y^2)/2 + x^2*y - y^3/3", "x^2*y^2", "x^4 + y^3*x"] {
        let g = given(&format!("system open\n{PLANE}potential {potential}\n"));
        let report = study(&g);
        assert!(!report.claim.is_proven() && !report.claim.is_refuted());
        assert!(report.solutions.is_empty(), "{potential}");
    }
    let report = study(&shipped("bivector_particle"));
    assert!(!report.claim.is_proven());
    assert_ne!(
        report.chaplygin.expect("a multiplier").multiplier,
        Expr::one()
    );
}
