//! Reports, and their verification with numbers.

use crate::support::{Given, Numbers, close, given};
use rattleback_compile::Evaluator;
use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, Role, Symbol, Tape, free_symbols, prove_all_zero, substitute_all};
use rattleback_theory::Effort;
use rattleback_theory::vakonomic::{Class, Equivalence, Kind};

/// When states are compared; it matters to systems that depend on time.
const TIME: f64 = 0.7;

pub fn judge(g: &Given) -> Equivalence {
    Equivalence::of(&g.system, Effort::unlimited()).expect("constraints")
}

pub fn class(text: &str) -> (Class, Option<Kind>) {
    let g = given(text);
    let report = judge(&g);
    verify(&g, &report);
    (report.class, report.kind)
}

/// Re-verifies a report with numbers: along a motion from random data the vakonomic rates with the
/// reported multipliers are the nonholonomic ones; on every family the same holds.
pub fn verify(g: &Given, report: &Equivalence) {
    let c = &report.comparison;
    if let Some(found) = &report.admissible {
        let mut numbers = Numbers::new(11);
        let mut mu = found.point.clone();
        for direction in &found.directions {
            let weight = Expr::ratio((10.0 * numbers.next()) as i64, 7);
            mu = mu
                .iter()
                .zip(direction)
                .map(|(m, d)| m + &weight * d)
                .collect();
        }
        if report.kind != Some(Kind::Integrable) {
            check_multipliers(g, report, &[], &c.on, &mu);
        }
    }
    for stratum in &report.strata {
        assert!(prove_all_zero(&stratum.defects(c)).is_proven());
        let some: Vec<(Symbol, Expr)> = stratum
            .free
            .iter()
            .map(|s| (s.clone(), Expr::ratio(3, 7)))
            .collect();
        let mu: Vec<Expr> = stratum
            .multipliers
            .iter()
            .map(|e| e.substitute(&some))
            .collect();
        check_multipliers(g, report, &stratum.equations, &stratum.on, &mu);
    }
    if report.class == Class::Partial || report.class == Class::None {
        assert!(!report.counterexample.is_empty());
    }
}

/// At random states (on a family): E(L − μφ) with these μ gives the nonholonomic accelerations.
fn check_multipliers(
    g: &Given,
    report: &Equivalence,
    equations: &[(Symbol, Expr)],
    on: &[(Symbol, Expr)],
    mu: &[Expr],
) {
    let c = &report.comparison;
    let constants: Vec<Symbol> = g
        .model
        .parameters
        .iter()
        .map(|p| p.symbol.clone())
        .collect();
    let frame = g.system.frame();
    let inside = |e: &[Expr]| substitute_all(&substitute_all(e, equations), on);
    let rates: Vec<(Symbol, Expr)> = c
        .velocities
        .iter()
        .map(Symbol::derivative)
        .zip(c.rates[c.positions.len()..].iter().cloned())
        .collect();
    let acceleration = frame.rates_along(&c.velocity, &c.velocity, |_| false);
    let acceleration = inside(&substitute_all(&acceleration, &rates));
    let positions: Vec<Expr> = c.positions.iter().map(Expr::from).collect();
    let state = inside(&[positions.as_slice(), &c.velocity, mu].concat());
    let all = [state.clone(), acceleration.clone()].concat();
    let mut names = constants.clone();
    names.extend(
        free_symbols(&all)
            .into_iter()
            .filter(|s| !constants.contains(s)),
    );
    let tape = Tape::new(&names, &all).expect("a tape");
    let vakonomic = g.system.equations(Form::Vakonomic).expect("equations");
    let program = Evaluator::new(&vakonomic, &constants).expect("a program");
    let mut numbers = Numbers::new(5);
    for _ in 0..6 {
        let values: Vec<f64> = names
            .iter()
            .map(|s| match s.role() {
                Role::Constant => 1.0 + 0.5 * numbers.next(),
                Role::Time => TIME,
                _ => 0.6 + 0.4 * numbers.next(),
            })
            .collect();
        let found = tape.evaluate(&values);
        let (x, expected) = found.split_at(state.len());
        let rates = program
            .at(TIME, x, &values[..constants.len()])
            .expect("rates")
            .rates;
        for (a, e) in expected.iter().enumerate() {
            let found = rates[frame.base().len() + a];
            assert!(
                close(found, *e, 1e-8),
                "{}: {found} instead of {e}",
                g.model.name
            );
        }
    }
}
