//! First integrals of degree four in the velocities, of systems that are not shipped.

mod support;

use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, Symbol, Tape};
use rattleback_theory::{Effort, FirstIntegralReport, Origin};
use support::{Given, given, simulate};

/// The quartic integral, conserved along the motion from the model's start.
fn quartic(g: &Given, form: Form) -> Expr {
    let found = FirstIntegralReport::of(&g.system, Effort::unlimited());
    let integral = found
        .all
        .iter()
        .find(|i| i.origin == Origin::Quartic)
        .unwrap_or_else(|| panic!("{:?}", found.claim));
    assert!(integral.proof.is_proven());
    let value = |time: f64| {
        let state = simulate(g, form, time, 4000);
        let mut names: Vec<Symbol> = state.iter().map(|(s, _)| s.clone()).collect();
        let mut numbers: Vec<f64> = state.iter().map(|(_, x)| *x).collect();
        for p in &g.model.parameters {
            names.push(p.symbol.clone());
            numbers.push(2.0);
        }
        let tape = Tape::new(&names, std::slice::from_ref(&integral.value)).expect("a tape");
        tape.evaluate(&numbers)[0]
    };
    let (before, after) = (value(0.0), value(2.0));
    assert!(before.abs() > 1e-3, "{before}");
    assert!(
        (before - after).abs() < 1e-8 * (1.0 + before.abs()),
        "{before} {after}"
    );
    integral.value.clone()
}

/// Kovalevskaya: A = B = 2C, the centre of mass in the plane of A and B.
#[test]
fn the_top_of_kovalevskaya() {
    let g = given(
        "system top\nparam c = 2\ngroup R : SO(3) velocity w\nkinetic (2*w[1]^2 + 2*w[2]^2 + w[3]^2)/2\n\
         potential c*R[3,1]\nstart R = rotation([1,0,0], 0.7), w = [0.3, 0.5, -0.4]\n",
    );
    quartic(&g, Form::EulerPoincare);
    let other = given(
        "system top\nparam c = 2\ngroup R : SO(3) velocity w\nkinetic (3*w[1]^2 + 2*w[2]^2 + w[3]^2)/2\n\
         potential c*R[3,1]\n",
    );
    let found = FirstIntegralReport::of(&other.system, Effort::unlimited());
    assert!(found.all.iter().all(|i| i.origin != Origin::Quartic));
}

/// Henon and Heiles with the ratio 1:16, which is integrable with degree four.
#[test]
fn henon_and_heiles() {
    let g = given(
        "system hh\nparam c = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential c*(x^2 + 16*y^2)/2 + x^2*y + 16/3*y^3\n\
         start x = 0.2, y = 0.1, x' = 0.3, y' = -0.1\n",
    );
    quartic(&g, Form::EulerLagrange);
}
