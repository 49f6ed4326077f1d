//! The systems of the documents with other signs, names, orders of coordinates, potentials and further
//! coordinates: the verdicts follow.

use crate::support::given;
use crate::systems::{DISK, KNIFE, PARTICLE, SLEIGH};
use crate::trial::complete;

/// Every edit of a model has a complete solution that passes the strong test.
fn all_solved(text: &str, edits: &[&[(&str, &str)]]) {
    for edit in edits {
        let mut model = text.to_string();
        for (from, to) in *edit {
            assert!(model.contains(from), "{from} in {text}");
            model = model.replace(from, to);
        }
        let report = complete(&given(&model));
        let strong = &report.solutions[0].verification.strong;
        assert!(strong.is_proven(), "{model}");
    }
}

#[test]
fn knife_edges() {
    let pot = "potential -m*g*x*sin(alpha)";
    all_solved(
        KNIFE,
        &[
            &[(pot, "potential m*g*y*sin(alpha)")],
            &[(pot, "potential -m*g*(x*cos(alpha) + y*sin(alpha))")],
            &[(pot, "potential m*(x^2 + y^2)/2")],
            &[(pot, "potential exp(x) + cos(phi)")],
            &[("coord x, y, phi", "coord phi, y, x")],
            &[("sin(phi)*x' = cos(phi)*y'", "y' = tan(phi)*x'")],
            &[("sin(phi)*x' = cos(phi)*y'", "cos(phi)*x' + sin(phi)*y' = 0")],
            &[
                ("coord x, y, phi", "coord w, x, y, phi"),
                ("kinetic ", "kinetic w'^2/2 + "),
            ],
            &[
                ("coord x, y, phi", "coord x, y, phi, w"),
                ("kinetic ", "kinetic w'^2/2 + w'*phi'/9 + "),
            ],
            &[
                ("coord x, y, phi", "coord x, y, phi, w"),
                ("kinetic ", "kinetic w'^2/2 + "),
                ("potential ", "potential w^4 "),
            ],
        ],
    );
}

#[test]
fn disks() {
    let end = "constraint y' = R*sin(phi)*psi'\n";
    all_solved(
        DISK,
        &[
            &[("R*cos", "-R*cos"), ("R*sin", "-R*sin")],
            &[("coord x, y, phi, psi", "coord psi, phi, y, x")],
            &[(end, "constraint y' = R*sin(phi)*psi'\npotential -m*x\n")],
            &[(
                end,
                "constraint y' = R*sin(phi)*psi'\npotential cos(psi) + phi^2\n",
            )],
            &[
                ("coord x, y, phi, psi", "coord x, y, phi, psi, s"),
                ("kinetic ", "kinetic I*psi'*s' + I*s'^2 + "),
            ],
        ],
    );
}

#[test]
fn sleighs() {
    all_solved(
        SLEIGH,
        &[
            &[
                ("x' - a*theta'", "x' + a*theta'"),
                ("y' + a*theta'", "y' - a*theta'"),
            ],
            &[("coord x, y, theta", "coord theta, y, x")],
            &[
                ("coord x, y, theta", "coord x, y, theta, w"),
                ("kinetic ", "kinetic w'^2/2 + "),
            ],
            &[
                ("coord x, y, theta", "coord x, y, theta, w"),
                ("kinetic ", "kinetic J/4*(theta' + w')^2 + "),
            ],
            &[
                ("coord x, y, theta", "coord w, x, y, theta"),
                ("kinetic ", "kinetic w'^2/2 + "),
                ("constraint", "potential w^2/2\nconstraint"),
            ],
            &[
                ("coord x, y, theta", "coord x, y, theta, s"),
                (
                    "constraint",
                    "potential s^2/2\nconstraint s' = cos(theta)*x' + sin(theta)*y'\nconstraint",
                ),
            ],
        ],
    );
}

#[test]
fn particles() {
    all_solved(
        PARTICLE,
        &[
            &[("z' = y*x'", "z' = -y*x'")],
            &[("z' = y*x'", "x' = y*z'")],
            &[("z' = y*x'", "z' = sin(y)*x'\npotential y^2")],
            &[("z' = y*x'", "z' = exp(y)*x'\npotential cos(y)")],
            &[("z' = y*x'", "z' = x'/(2 + y)")],
            &[("z' = y*x'", "z' = y*x' + 2*y'")],
            &[("z' = y*x'", "z' = y*x'\npotential z")],
            &[("z' = y*x'", "z' = y*x'\npotential x")],
            &[
                ("coord x, y, z", "coord w, x, y, z"),
                ("kinetic (", "kinetic (w'^2 + w'*x' + "),
            ],
            &[
                ("coord x, y, z", "coord x, y, z, w"),
                ("kinetic (", "kinetic (w'^2 + "),
                ("constraint", "potential w^2\nconstraint"),
            ],
        ],
    );
}

/// Central forces in curvilinear coordinates of space, in any order; the radius may be said to be positive.
#[test]
fn central_forces() {
    let spherical =
        "coord r, theta, phi\nkinetic m/2*(r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)\n";
    let head = "system central\nparam m = 2, k = 1\nassume m > 0\n";
    let model = format!("{head}{spherical}potential -k/r\n");
    all_solved(
        &model,
        &[
            &[],
            &[
                ("coord r, theta, phi", "coord phi, r, theta"),
                ("-k/r", "-k/r + cos(theta)/r^2"),
            ],
            &[(
                "coord r, theta, phi\n",
                "coord theta, r, phi\nassume r > 0\n",
            )],
            &[("-k/r", "k*r^2/2")],
        ],
    );
    let plane =
        format!("{head}coord r, theta\nkinetic m/2*(r'^2 + r^2*theta'^2)\npotential -k/r\n");
    all_solved(
        &plane,
        &[
            &[("coord r, theta\n", "coord r, theta\nassume r > 0\n")],
            &[("-k/r", "k/r")],
            &[("-k/r", "-k/r + 3/r^2")],
            &[("-k/r", "k/2*(r - 1)^2")],
            &[
                ("coord r, theta", "coord r, theta, z"),
                ("potential ", "potential z^2 "),
                ("kinetic ", "kinetic z'^2/2 + "),
            ],
            &[("-k/r", "r^2 + 1/r^2")],
        ],
    );
}
