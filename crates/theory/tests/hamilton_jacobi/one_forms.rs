//! One-forms, vector fields and curves are judged.

use crate::support::{close, given};
use crate::systems::{DISK, KNIFE, PARTICLE, ROBOT, SLEIGH, number, verify};
use rattleback_symbolic::{Expr, Symbol, prove_zero};
use rattleback_theory::hamilton_jacobi::{Curve, Verification, from_generating_function};

#[test]
fn the_disk_of_the_dissertation() {
    let form = "param a = 0.153, b = 0.527\noneform gamma = (x: m*R/I*b*cos(phi), y: m*R/I*b*sin(phi), phi: a, psi: b)\n";
    let (g, v) = verify(&format!("{DISK}{form}"));
    assert!(v.strong.is_proven() && v.weak.is_proven() && v.constant.is_proven());
    assert!(close(number(&g, &v.energy, &[]), 1.437265, 1e-12));
    // phi(2.5) = 0.4 + 0.9*2.5 with phi' = a/J.
    let at = [("phi", 0.4 + 0.9 * 2.5)];
    assert!(close(
        number(&g, &v.multipliers[0].value, &at),
        -0.657208122637903,
        1e-12
    ));
    assert!(close(
        number(&g, &v.multipliers[1].value, &at),
        -1.227426891321337,
        1e-12
    ));
    let beta = v.certificate.as_ref().expect("a certificate");
    let expected = number(&g, &beta[0][2], &[("phi", 0.4)]);
    assert!(close(
        expected,
        -1.3 * 0.7 / 0.31 * 0.527 * 0.4f64.sin(),
        1e-12
    ));
    // γ_ψ must not depend on φ.
    let wrong = "param b = 0.527\noneform gamma = (x: m*R/I*b*(1 + sin(phi)/10)*cos(phi), y: m*R/I*b*(1 + sin(phi)/10)*sin(phi), phi: 0.153, psi: b*(1 + sin(phi)/10))\n";
    let (g, v) = verify(&format!("{DISK}{wrong}"));
    assert!(
        v.admissible.is_proven()
            && v.closed.is_refuted()
            && v.strong.is_refuted()
            && v.weak.is_refuted()
    );
    assert!(close(
        number(&g, &v.curl[0].1, &[("phi", 0.4)]).abs(),
        0.148281609424524,
        1e-12
    ));
}

#[test]
fn wrong_one_forms_are_refused() {
    let (g, v) = verify(&format!(
        "{SLEIGH}oneform gamma = (y: M*a*1.5352*cos(theta)/(J + M*a^2), x: -M*a*1.5352*sin(theta)/(J + M*a^2), theta: 1.5352)\n"
    ));
    assert!(v.admissible.is_proven() && v.strong.is_refuted());
    assert!(close(
        number(&g, &v.curl[0].1, &[("theta", 0.0)]).abs(),
        0.684,
        1e-12
    ));
    let (g, v) = verify(&format!(
        "{KNIFE}oneform gamma = (x: 1 + x, y: (1 + x)*tan(phi), phi: 0.48)\n"
    ));
    assert!(v.strong.is_refuted());
    let curl = number(&g, &v.curl[0].1, &[("x", 0.2), ("phi", 0.5)]);
    assert!(close(curl.abs(), 0.747010043591136, 1e-12), "{curl}");
    // Outside the constrained momentum space.
    let (_, v) = verify(&format!("{PARTICLE}oneform gamma = (x: 1, y: 2, z: 3)\n"));
    assert!(v.admissible.is_refuted() && v.weak.is_refuted());
}

/// DP 4.2: P-N1k, P-N2f, P-N2g, P-N2h, P-N8, P-N9.
#[test]
fn values_of_the_projection_paper() {
    let (g, v) = verify(&format!(
        "{ROBOT}oneform gamma = (x: m*R*cos(theta), y: m*R*sin(theta), theta: 0.6*J, psi: 3*Jw)\n"
    ));
    assert!(v.strong.is_proven());
    assert!(close(number(&g, &v.energy, &[]), 1.12, 1e-12));
    // λ̄_1 = m R a b; λ = −λ̄ by the sign of the program.
    assert!(close(
        number(&g, &v.multipliers[0].value, &[("theta", 0.7)]),
        -0.6,
        1e-12
    ));
    let s = "sqrt(1 + y^2)";
    let (g, v) = verify(&format!(
        "{PARTICLE}oneform gamma = (x: 1.3/{s}, y: -0.4, z: 1.3*y/{s})\n"
    ));
    assert!(v.strong.is_proven());
    let at = [("y", 0.8)];
    assert!(close(number(&g, &v.energy, &at), 0.925, 1e-12));
    let beta = v.certificate.as_ref().expect("a certificate");
    assert!(close(
        number(&g, &beta[0][1], &at),
        0.618981373338987,
        1e-12
    ));
    assert!(close(
        number(&g, &v.multipliers[0].value, &at),
        -0.247592549335595,
        1e-12
    ));
    // The theorem on the base never applies where the gyroscopic force works.
    let reduced = v.reduced.expect("a Chaplygin system");
    assert!(reduced.closed.is_refuted() && reduced.generalized.is_proven());
    assert!(close(
        number(&g, &reduced.obstruction[0].1, &at),
        -0.812103561820751,
        1e-12
    ));
    // γ from S = xy by the older ansatz: not closed on D.
    let g = given(PARTICLE);
    let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
    let gamma = from_generating_function(&g.system, &(x * y)).expect("a natural system");
    let at = [("x", 0.3), ("y", 0.8), ("z", 0.0)];
    for (e, expected) in gamma
        .iter()
        .zip([0.487804878048780, 0.3, 0.390243902439024])
    {
        assert!(close(number(&g, e, &at), expected, 1e-12));
    }
    let v = Verification::of(&g.system, &gamma).expect("a natural system");
    assert!(v.admissible.is_proven() && v.closed.is_refuted());
    assert!(close(
        number(&g, &v.curl[0].1, &at).abs(),
        0.390243902439024,
        1e-12
    ));
    // A shear flow is carried along although it is not closed.
    let free = "system free\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n";
    let (_, v) = verify(&format!("{free}oneform gamma = (x: y^2 + 1)\n"));
    assert!(v.strong.is_refuted() && v.weak.is_proven());
    let (g, v) = verify(&format!("{free}oneform gamma = (x: y^2 + 1, y: x/10)\n"));
    let at = [("x", 0.6), ("y", -0.4)];
    assert!(close(number(&g, &v.defect[0], &at), -0.048, 1e-12));
    assert!(close(number(&g, &v.defect[1], &at), 0.116, 1e-12));
}

/// With an external force: the damped oscillator (DP X10).
#[test]
fn external_forces() {
    let text = "system damped\nparam m = 1.7, k = 0.9, c = 3.1\nassume m > 0, k > 0, c > 0\ncoord q\n\
        kinetic m/2*q'^2\npotential k/2*q^2\nforce (q: -c*q')\nlet w = (-c + sqrt(c^2 - 4*k*m))/2\noneform gamma = (q: w*q)\n";
    let (g, v) = verify(text);
    assert!(v.weak.is_proven() && v.strong.is_proven(), "{:?}", v.weak);
    let slope = number(&g, &v.form[0], &[("q", 1.0)]);
    assert!(close(slope, -0.615922915386529, 1e-12));
    let (_, v) = verify(&text.replace("w*q)", "w*q/2)"));
    assert!(v.weak.is_refuted());
}

/// Weak is weaker than strong: the toy on SO(3) (HJ X8).
#[test]
fn weak_but_not_strong() {
    let n = |i: usize, j: usize| format!("(R[{i},{j}] - R[{j},{i}])/(2*sine)");
    let text = format!(
        "system toy\nparam I = 2, m = 3, k = 1/2\nassume I > 0, m > 0, k > 0\ngroup R : SO(3) velocity w\ncoord s1, s2, s3\n\
         kinetic I/2*(w[1]^2 + w[2]^2 + w[3]^2) + m/2*(s1'^2 + s2'^2 + s3'^2)\n\
         constraint s1' = k*w[1]\nconstraint s2' = k*w[2]\nconstraint s3' = k*w[3]\n\
         let cosine = (R[1,1] + R[2,2] + R[3,3] - 1)/2\nlet sine = sqrt(1 - cosine^2)\nlet f = 1/(I + m*k^2)\n\
         oneform gamma = (w[1]: I*f*{a}, w[2]: I*f*{b}, w[3]: I*f*{c}, s1: m*k*f*{a}, s2: m*k*f*{b}, s3: m*k*f*{c})\n",
        a = n(3, 2),
        b = n(1, 3),
        c = n(2, 1)
    );
    let (_, v) = verify(&text);
    assert!(v.admissible.is_proven(), "{:?}", v.admissible);
    assert!(v.weak.is_proven(), "{:?}", v.weak);
    assert!(v.strong.is_refuted(), "{:?}", v.strong);
}

/// A vector field X in D and its one-form FL∘X get the same verdicts (DP-B9).
#[test]
fn fields_and_forms_are_judged_alike() {
    let g = given(ROBOT);
    let theta = Expr::from(Symbol::variable("theta"));
    let r = Expr::from(&g.model.parameters[3].symbol);
    let turn_and_roll = [&r * theta.cos(), &r * theta.sin(), Expr::one(), Expr::one()];
    let v = Verification::of_field(&g.system, &turn_and_roll).expect("a natural system");
    assert!(v.strong.is_proven());
    for (found, x) in v.velocity.iter().zip(&turn_and_roll) {
        assert!(prove_zero(&(&found.value - x)).is_proven());
    }
    let sideways = [theta.sin(), -theta.cos(), Expr::zero(), Expr::zero()];
    let v = Verification::of_field(&g.system, &sideways).expect("a natural system");
    assert!(v.admissible.is_refuted());
}

/// The third curve of the robot, as it is and as it is printed (DP P-N1i, P-N1j, P-F6).
#[test]
fn curves_are_judged() {
    let g = given(ROBOT);
    let t = Expr::from(Symbol::time());
    let r = g.model.parameters[3].symbol.clone();
    let curve = |sign: i64| {
        let o = Expr::ratio(2, 5);
        let angle = &t + sign * &o;
        vec![
            Expr::from(&r) * (angle.sin() - sign * o.sin()),
            Expr::from(&r) * (o.cos() - angle.cos()),
            &t + &o,
            t.clone(),
        ]
    };
    let right = Curve::of(&g.system, &curve(1)).expect("coordinates");
    assert!(right.motion.is_proven() && right.conserved.is_proven() && right.free.is_refuted());
    let printed = Curve::of(&g.system, &curve(-1)).expect("coordinates");
    assert!(printed.admissible.is_refuted() && printed.motion.is_refuted());
    let slip = number(&g, &printed.constraints[0], &[]);
    assert!(close(slip.abs(), 0.358678045449761, 1e-12), "{slip}");
}
