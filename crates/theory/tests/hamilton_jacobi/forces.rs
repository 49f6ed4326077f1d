//! Families where an external force acts (DP-B3).

use crate::support::{close, given};
use crate::systems::{number, study};
use crate::trial::{complete, try_solution};

/// A force with a potential is a potential.
#[test]
fn forces_with_a_potential() {
    for text in [
        "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (x: -x, y: -2*y)\n",
        "system b\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2\nforce (x: -2*y, y: -2*x)\n",
        "system c\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\nforce (x: 3)\nconstraint sin(phi)*x' = cos(phi)*y'\n",
    ] {
        let report = complete(&given(text));
        assert!(report.solutions[0].verification.strong.is_proven());
    }
}

/// Drag linear in the velocities keeps functions affine in the momenta, also with constraints; drag
/// quadratic in the velocity makes the equation linear in p².
#[test]
fn drag() {
    for text in [
        "system a\nparam m = 1, c = 3\nassume m > 0, c > 0\ncoord q\nkinetic m/2*q'^2\nforce (q: -c*q')\n",
        "system b\ncoord x, y\nkinetic (x'^2 + 2*y'^2)/2\nforce (x: -2*x', y: -y')\n",
        "system c\ncoord x, y, phi, psi\nkinetic (x'^2 + y'^2 + phi'^2 + psi'^2)/2\nforce (phi: -2*phi', psi: -psi')\nconstraint x' = cos(phi)*psi'\nconstraint y' = sin(phi)*psi'\n",
        "system d\nparam c = 1, g = 2\ncoord q\nkinetic q'^2/2\npotential g*q\nforce (q: -c*q'^2)\n",
        "system e\ncoord q, w\nkinetic (q'^2 + w'^2)/2\npotential w^2\nforce (q: -q'^2)\n",
        "system p\nparam c = 0.5\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce (y: -c*y')\nconstraint z' = y*x'\n",
        "system f\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (x: y', y: -x')\n",
    ] {
        complete(&given(text));
    }
}

/// The damped oscillator (DP X10, P-N3): two lines p = αq, and no more.
#[test]
fn the_damped_oscillator() {
    let text = "system damped\nparam m = 1, k = 2, c = 3\nassume m > 0, k > 0, c > 0\ncoord q\n\
        kinetic m/2*q'^2\npotential k/2*q^2\nforce (q: -c*q')\n";
    for (values, slopes) in [
        ("m = 1, k = 2, c = 3", [-1.0, -2.0]),
        (
            "m = 1.7, k = 0.9, c = 3.1",
            [-0.615922915386529, -2.48407708461347],
        ),
    ] {
        let g = given(&text.replace("m = 1, k = 2, c = 3", values));
        let report = study(&g);
        assert!(!report.claim.is_proven());
        let found: Vec<f64> = report
            .solutions
            .iter()
            .map(|s| number(&g, &s.form[0].value, &[("q", 1.0)]))
            .collect();
        assert_eq!(found.len(), 2);
        assert!(found.iter().zip(slopes).all(|(a, b)| close(*a, b, 1e-12)));
        for s in &report.solutions {
            try_solution(&g, s);
        }
    }
}
