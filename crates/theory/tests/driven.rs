//! Constraints with a part free of velocities, and constraints that change with time.

mod support;

use rattleback_compile::Evaluator;
use rattleback_mechanics::{Form, System};
use rattleback_symbolic::{Expr, Symbol, free_symbols};
use rattleback_theory::vakonomic::{Class, Equivalence};
use rattleback_theory::{
    Answer, BracketReport, DistributionReport, Effort, HamiltonizationReport, MomentumReport,
    SymmetryReport,
};
use support::{Numbers, shipped, system, values};

const KINETIC: &str = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n";
const TURNING: &str = "constraint z' = cos(t)*x' + sin(t)*y'\n";

fn model(constraints: &str) -> System {
    system(&format!("system driven\n{KINETIC}{constraints}"))
}

fn distribution(system: &System) -> DistributionReport {
    DistributionReport::of(system, Effort::unlimited()).expect("a distribution")
}

#[test]
fn what_a_drift_moves_is_no_integral() {
    let pushed = model("constraint x' = 2\n");
    let found = distribution(&pushed);
    assert!(found.generating.is_refuted() && found.integrable.is_proven());
    let x = Expr::from(&pushed.frame().base()[0]);
    assert_eq!(found.integrals, [x - 2 * Expr::from(Symbol::time())]);
    assert_eq!((found.missing, found.leaf.is_none()), (0, true));
    // A drift that depends on the position leaves nothing alone: x' = y while y is free.
    let found = distribution(&model("constraint x' = y\n"));
    assert!(found.generating.is_proven() && found.integrable.is_refuted());
    assert!(found.integrals.is_empty() && found.missing == 0);
}

#[test]
fn a_turning_constraint_is_not_holonomic() {
    // At each moment the allowed velocities are those of a plane, but the plane turns.
    let turning = model(TURNING);
    let found = distribution(&turning);
    assert_eq!(found.growth, [2]);
    assert!(found.generating.is_proven() && found.integrable.is_refuted());
    let brackets = BracketReport::of(&turning, Effort::unlimited());
    assert!(matches!(brackets.poisson, Answer::Undecided(_)));
    // A turning rod is holonomic: its equation between positions and time is the integral.
    let rod = distribution(&shipped("rotating_rod"));
    assert!(rod.integrable.is_proven() && rod.integrals.len() == 1);
}

/// The rate of a function of the state along motions at a moment.
fn rate_at(system: &System, f: &Expr, time: f64, numbers: &mut Numbers) -> f64 {
    let equations = system.equations(Form::Hamel).expect("equations");
    let constants: Vec<Symbol> = free_symbols(&[f.clone(), system.lagrangian().clone()])
        .into_iter()
        .filter(|s| s.role() == rattleback_symbolic::Role::Constant)
        .collect();
    let parameters: Vec<f64> = constants
        .iter()
        .map(|_| 0.8 + 0.2 * numbers.next())
        .collect();
    let state: Vec<f64> = equations.state.iter().map(|_| numbers.next()).collect();
    let rates = Evaluator::new(&equations, &constants)
        .expect("a program")
        .at(time, &state, &parameters)
        .expect("rates")
        .rates;
    let sections = system.sections().expect("a frame");
    let on_d = sections.restrict(system.frame(), std::slice::from_ref(f));
    let h = 1e-6;
    let value = |step: f64| {
        let moved = state.iter().zip(&rates).map(|(x, r)| x + step * r);
        let mut point: Vec<(Symbol, f64)> = equations.state.iter().cloned().zip(moved).collect();
        point.extend(constants.iter().cloned().zip(parameters.iter().copied()));
        point.push((Symbol::time(), time + step));
        values(&on_d, &point)[0]
    };
    (value(h) - value(-h)) / (2.0 * h)
}

#[test]
fn momenta_under_driven_constraints() {
    let mut numbers = Numbers(11);
    let pushed = "constraint x' = 2\n";
    let skew = "constraint z' - y*x' = x\n";
    for text in [TURNING, pushed, skew] {
        let driven = model(text);
        let found = MomentumReport::of(&driven, Effort::unlimited());
        assert!(!found.all.is_empty(), "{text}");
        for m in &found.all {
            let rates: Vec<f64> = (0..4)
                .map(|k| rate_at(&driven, &m.value, 0.3 + f64::from(k), &mut numbers))
                .collect();
            let kept = rates.iter().all(|r| r.abs() < 1e-7);
            assert_eq!(m.conserved.is_proven(), kept, "{text}{}: {rates:?}", m.name);
            assert_eq!(m.conserved.is_refuted(), !kept, "{text}{}", m.name);
        }
    }
}

#[test]
fn a_drift_breaks_symmetries() {
    // The plate turns about the origin: translations carry D into itself, but not the motion.
    let plate = shipped("ball_on_rotating_plate");
    let found = SymmetryReport::of(&plate, Effort::unlimited());
    assert!(found.claim.is_proven());
    assert_eq!(found.all.len(), 4);
    let declared = |field: &str| {
        let text = format!("constraint x' = -y\nsymmetry s = {field}\n");
        SymmetryReport::of(&model(&text), Effort::unlimited()).claim
    };
    assert!(declared("(z: 1)").is_proven());
    assert!(declared("(x: 1)").is_proven());
    assert!(declared("(y: 1)").is_refuted());
    // In a frame that moves along, y turns into y + t, and nothing is at rest any more.
    let moving = |field: &str| {
        let text = format!("constraint x' = y - t\nsymmetry s = {field}\n");
        SymmetryReport::of(&model(&text), Effort::unlimited()).claim
    };
    assert!(moving("(x: 1)").is_proven() && moving("(y: 1)").is_refuted());
}

#[test]
fn what_holds_of_holonomic_constraints_needs_their_drift() {
    // x'' = -(μ cos t)' on vakonomic motions and -λ cos t on others: they agree where nothing pushes.
    let turning = model(TURNING);
    let vakonomic = Equivalence::of(&turning, Effort::unlimited()).expect("a comparison");
    assert!(vakonomic.integrable.is_refuted());
    assert_ne!(vakonomic.class, Class::Conditional);
    let hamiltonization = HamiltonizationReport::of(&turning, Effort::unlimited());
    assert!(!hamiltonization.claim.is_proven());
    // x' = 2 is x = 2 t + c in disguise.
    let pushed = model("constraint x' = 2\n");
    let vakonomic = Equivalence::of(&pushed, Effort::unlimited()).expect("a comparison");
    assert!(vakonomic.integrable.is_proven());
    assert_eq!(vakonomic.class, Class::Conditional);
}
