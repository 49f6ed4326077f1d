//! Relations between functions that a prime field does not know: nothing is refuted, and nothing proven, because a
//! function that is zero is taken not to be.

mod support;

use rattleback_mechanics::System;
use rattleback_theory::presymplectic::Presymplectic;
use rattleback_theory::vakonomic::Equivalence;
use rattleback_theory::{
    Answer, BracketReport, ChaplyginReport, DistributionReport, Effort, FirstIntegralReport,
    HamiltonizationReport, MeasureReport, MomentumReport, Regularity, SymmetryReport,
};
use support::system;

/// Functions of u that are zero for 0 < u < 2/5, none of them in a way that every simplifier sees.
const ZEROS: [&str; 5] = [
    "2*atan(u) - atan(2*u/(1 - u^2))",
    "sqrt(u + 2*sqrt(u) + 1) - 1 - sqrt(u)",
    "log(u^4 + 4) - log(u^2 - 2*u + 2) - log(u^2 + 2*u + 2)",
    "sin(u/(1 + u)) - sin(1 - 1/(1 + u))",
    "4*atan(1/5) - atan(1/239) - pi/4",
];

/// Systems in which such a function stands for ZERO.
const SYSTEMS: [&str; 6] = [
    "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x' + (ZERO)*x^2*y'\n",
    "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint z' = y*x'\n\
     constraint w' = (ZERO)*x^2*y' + x*y*x'\n",
    "coord x, y\nlagrangian x'^2/2 + (ZERO)*y'^2/2 - x^2/2 - y*x\n",
    "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (ZERO)*(x^4 + 2*y^4 + x*y + x^3)\n",
    "coord x, y, z\nlagrangian x*y' + (ZERO)*z*x' - (x^2 + y^2 + z^2)/2\n",
    "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = (ZERO)*x*y'\n",
];

fn claims(system: &System) -> Vec<(&'static str, Answer)> {
    let effort = Effort::of(1.0);
    let regularity = Regularity::of(system);
    let mut all = vec![
        ("regular", regularity.regular),
        ("positive", regularity.positive),
        ("symmetries", SymmetryReport::of(system, effort).claim),
        ("momenta", MomentumReport::of(system, effort).claim),
        ("integrals", FirstIntegralReport::of(system, effort).claim),
        ("jacobi", BracketReport::of(system, effort).poisson),
        ("chaplygin", ChaplyginReport::of(system, effort).claim),
        ("measure", MeasureReport::of(system, effort).claim),
        (
            "hamiltonization",
            HamiltonizationReport::of(system, effort).claim,
        ),
        (
            "presymplectic",
            Presymplectic::of_lagrangian(system).chain(effort).claim,
        ),
    ];
    if let Ok(d) = DistributionReport::of(system, effort) {
        all.extend([("generating", d.generating), ("integrable", d.integrable)]);
    }
    if let Ok(v) = Equivalence::of(system, effort) {
        all.extend([("every vakonomic", v.every)]);
    }
    all
}

fn with(text: &str, zero: &str) -> System {
    let head = "system hidden\nparam u = 1/5\nassume 0 < u < 2/5\n";
    system(&format!(
        "{head}{}start x = 0.3, y = 0.2\n",
        text.replace("ZERO", zero)
    ))
}

#[test]
fn hidden_zeros_turn_no_verdict_round() {
    for text in SYSTEMS {
        let plain = claims(&with(text, "0"));
        for zero in ZEROS {
            for (name, said) in claims(&with(text, zero)) {
                let Some((_, truth)) = plain.iter().find(|(n, _)| *n == name) else {
                    continue;
                };
                let opposite = said.is_proven() && truth.is_refuted()
                    || said.is_refuted() && truth.is_proven();
                assert!(
                    !opposite,
                    "{name} with {zero} in\n{text}: {said:?}, else {truth:?}"
                );
            }
        }
    }
}

/// Without a motion that is known to be determined there is no measure of it.
#[test]
fn nothing_is_said_of_a_motion_that_may_not_be_determined() {
    let text = SYSTEMS[2];
    for zero in ZEROS {
        let system = with(text, zero);
        assert!(!Regularity::of(&system).regular.is_proven(), "{zero}");
        for (name, said) in claims(&system) {
            let about_motion = ["measure", "hamiltonization", "jacobi"].contains(&name);
            assert!(
                !(about_motion && said.is_proven()),
                "{name} with {zero}: {said:?}"
            );
        }
    }
}
