//! Classical separation of variables: pieces, actions, principal functions.

use crate::support::{close, given};
use crate::systems::{number, parameters, study};
use crate::trial::complete;
use rattleback_symbolic::{Expr, Symbol, prove_zero};
use rattleback_theory::hamilton_jacobi::{
    characteristic_function, levi_civita, principal_function, separate,
};

#[test]
fn levi_civita_tells_what_separates() {
    let [x, y, p, q] = ["x", "y", "p_x", "p_y"].map(Symbol::variable);
    let e = |s: &Symbol| Expr::from(s);
    let kinetic = (e(&p).powi(2) + e(&q).powi(2)) / 2;
    let henon = &kinetic + (e(&x).powi(2) + e(&y).powi(2)) / 2 + e(&x).powi(2) * e(&y);
    assert!(levi_civita(&henon, &[x.clone(), y.clone()], &[p.clone(), q.clone()]).is_refuted());
    // Liouville form: separable, neither coordinate cyclic.
    let liouville = (&kinetic + e(&x).powi(3) - e(&y).cos()) / (e(&x).powi(2) + e(&y).powi(2));
    let (coordinates, momenta) = ([x.clone(), y.clone()], [p, q]);
    assert!(levi_civita(&liouville, &coordinates, &momenta).is_proven());
    let names = [Symbol::constant("E"), Symbol::constant("c1")];
    let found = separate(&liouville, &coordinates, &momenta, &names).expect("pieces");
    let known: Vec<(Symbol, Expr)> = momenta
        .iter()
        .cloned()
        .zip(found.pieces.iter().map(|p| p.momentum.clone()))
        .collect();
    assert!(prove_zero(&(liouville.substitute(&known) - e(&names[0]))).is_proven());
    for (c, f) in found.constants.iter().zip(&found.integrals) {
        assert!(
            prove_zero(&(f.substitute(&known) - e(c))).is_proven(),
            "{f}"
        );
    }
}

/// Kepler's problem (HJ Z1): turning points, radial action, period.
#[test]
fn actions_and_periods() {
    let text = "system kepler\nparam m = 1, k = 1\nassume m > 0, k > 0\ncoord r, theta\nassume r > 0\n\
        kinetic m/2*(r'^2 + r^2*theta'^2)\npotential -k/r\n";
    let g = given(text);
    let report = complete(&g);
    let angles = report.action_angle.expect("a separable system");
    let radial = angles
        .actions
        .iter()
        .find(|a| a.coordinate.name() == "r")
        .expect("r");
    let at = |e: &Expr| {
        let mut values = parameters(&g);
        values.extend(
            report.solutions[0]
                .constants
                .iter()
                .cloned()
                .zip([-0.4, 0.8]),
        );
        e.evaluate(&values).expect("a number")
    };
    // ∮p dr = 2 (W_r from r_min to r_max).
    let action = at(radial.value.as_ref().expect("a closed form"));
    assert!(
        close(action, 0.999133242648528 / std::f64::consts::PI, 1e-12),
        "{action}"
    );
    let frequencies = angles.frequencies.expect("frequencies");
    for f in &frequencies {
        assert!(close(
            2.0 * std::f64::consts::PI / at(f),
            8.781018413800907,
            1e-12
        ));
    }
    // The oscillator: I = E/ω.
    let g = given(
        "system oscillator\nparam m = 0.8, w = 1.3\nassume m > 0, w > 0\ncoord q\nkinetic m/2*q'^2\npotential m*w^2/2*q^2\n",
    );
    let report = complete(&g);
    let frequency = report
        .action_angle
        .and_then(|a| a.frequencies)
        .expect("a frequency");
    assert!(close(number(&g, &frequency[0], &[]), 1.3, 1e-12));
}

/// The action S = W − E t of the oscillator (HJ A1, E3): W = S + E t, not S − E t.
#[test]
fn the_action_of_the_oscillator() {
    let g = given(
        "system oscillator\nparam m = 0.8, w = 1.3\nassume m > 0, w > 0\ncoord q\nkinetic m/2*q'^2\npotential m*w^2/2*q^2\n",
    );
    let report = study(&g);
    let piece = &report
        .separated
        .as_ref()
        .expect("a separated problem")
        .pieces[0];
    let constant = report
        .separated
        .as_ref()
        .map(|s| s.constants[0].clone())
        .expect("E");
    let p = |q: f64, e: f64| {
        let mut values = parameters(&g);
        values.extend([(constant.clone(), e), (Symbol::variable("q"), q)]);
        piece.momentum.evaluate(&values).expect("a number")
    };
    let energy = 0.387089332849487;
    let (a, b, n) = (0.2, 0.75, 20_000);
    let h = (b - a) / n as f64;
    let simpson = |f: &dyn Fn(f64) -> f64| -> f64 {
        (0..n)
            .map(|i| {
                let x = a + i as f64 * h;
                h / 6.0 * (f(x) + 4.0 * f(x + h / 2.0) + f(x + h))
            })
            .sum()
    };
    let w = simpson(&|x| p(x, energy));
    let time = simpson(&|x| 0.8 / p(x, energy));
    assert!(close(time, 0.9, 1e-9), "{time}");
    assert!(close(w, 0.311708713019613, 1e-9), "{w}");
    assert!(close(w - energy * time, -0.036671686544924, 1e-8));
}

/// Principal functions: the exact action of the oscillator, and W − E t of separated problems, with the
/// sign of HJ E3.
#[test]
fn principal_functions() {
    let [q, p] = ["q", "p"].map(Symbol::variable);
    let [m, w, a] = ["m", "w", "a"].map(|n| Expr::from(Symbol::constant(n)));
    let (x, t) = (Expr::from(&q), Expr::from(Symbol::time()));
    let h = Expr::from(&p).powi(2) / (2 * &m) + &m * w.powi(2) * x.powi(2) / 2;
    let phase = &w * &t;
    let action =
        &m * &w * ((x.powi(2) + a.powi(2)) * phase.cos() - 2 * &x * &a) / (2 * phase.sin());
    let judge =
        |s: &Expr| principal_function(&h, std::slice::from_ref(&q), std::slice::from_ref(&p), s);
    assert!(judge(&action).is_proven());
    assert!(judge(&(2 * &action)).is_refuted());
    // A particle falling along x while y is free.
    let [x, y, px, py] = ["x", "y", "p_x", "p_y"].map(Symbol::variable);
    let g = Expr::from(Symbol::constant("g"));
    let h = (Expr::from(&px).powi(2) + Expr::from(&py).powi(2)) / 2 - g * Expr::from(&x);
    let names = [Symbol::constant("E"), Symbol::constant("c1")];
    let (q, p) = ([x, y], [px, py]);
    let separated = separate(&h, &q, &p, &names).expect("pieces");
    let (w, s) = characteristic_function(&separated).expect("elementary integrals");
    assert!(principal_function(&h, &q, &p, &s).is_proven(), "{w}");
    let wrong = &w + Expr::from(&names[0]) * Expr::from(Symbol::time());
    assert!(principal_function(&h, &q, &p, &wrong).is_refuted());
}

/// Actions in closed form are the integrals over a swing: the oscillator of the plane and Kepler's problem in
/// space.
#[test]
fn actions_are_integrals_over_a_swing() {
    for (text, constants) in [
        (
            "coord r, theta\nkinetic (r'^2 + r^2*theta'^2)/2\npotential 2*r^2\n",
            vec![3.0, 0.7],
        ),
        (
            "coord r, theta, phi\nkinetic (r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)/2\npotential -1/r\n",
            vec![-0.3, 0.4, 0.9],
        ),
    ] {
        let report = complete(&given(&format!("system swing\n{text}")));
        let known: Vec<(Symbol, f64)> = report.solutions[0]
            .constants
            .iter()
            .cloned()
            .zip(constants)
            .collect();
        let angles = report.action_angle.expect("a separable system");
        assert!(angles.frequencies.is_some(), "{text}");
        for action in &angles.actions {
            let Some(square) = &action.square else {
                continue;
            };
            let radicand = |x: f64| {
                let at = [known.as_slice(), &[(action.coordinate.clone(), x)]].concat();
                square.evaluate(&at).expect("a number").max(0.0)
            };
            // ∮ p dq = 2∫p dq where p is real.
            let top = match action.coordinate.name() {
                "r" => 6.0,
                _ => std::f64::consts::PI,
            };
            let n = 400_000;
            let h = top / f64::from(n);
            let sum: f64 = (0..n)
                .map(|i| radicand((f64::from(i) + 0.5) * h).sqrt() * h)
                .sum();
            let expected = sum / std::f64::consts::PI;
            let found = action.value.as_ref().expect("a closed form");
            let found = found.evaluate(&known).expect("a number");
            assert!(close(found, expected, 1e-4), "{text} {found} {expected}");
        }
    }
}
