//! Systems that nobody wrote down: random metrics, connections and potentials.

mod support;

use proptest::prelude::*;
use rattleback_compile::Evaluator;
use rattleback_mechanics::{Constraints, Form, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_zero};
use rattleback_theory::{
    BracketReport, ChaplyginReport, DistributionReport, Effort, HamiltonizationReport,
    MeasureReport, Reduction, divergence,
};
use support::{Numbers, values};

/// Small functions of some variables.
fn function(seed: &mut Numbers, z: &[Expr]) -> Expr {
    let mut pick = |n: usize| ((seed.next() + 1.0) / 2.0 * n as f64) as usize % n;
    let a = z[pick(z.len())].clone();
    let b = z[pick(z.len())].clone();
    let c = Expr::ratio(pick(5) as i64 - 2, 1 + pick(2) as i64);
    match pick(5) {
        0 => c * a.sin(),
        1 => c * &a * &b,
        2 => c * (a + 1),
        3 => c * a.cos() + b,
        _ => c,
    }
}

/// L = ½ Σ m_i q'^2 + coupling − V(r), s'^a = −A^a_α(r) r'^α.
fn chaplygin_system(seed: u64, base: usize, fibre: usize) -> System {
    let mut numbers = Numbers::new(seed);
    let names: Vec<String> = (1..=base)
        .map(|i| format!("r{i}"))
        .chain((1..=fibre).map(|i| format!("s{i}")))
        .collect();
    let q: Vec<Symbol> = names.iter().map(|n| Symbol::variable(n)).collect();
    let r: Vec<Expr> = q[..base].iter().map(Expr::from).collect();
    let v: Vec<Expr> = q.iter().map(|s| Expr::from(s.derivative())).collect();
    let mut l = Expr::zero();
    for (i, velocity) in v.iter().enumerate() {
        let weight = if i < base {
            3 + r[i].powi(2)
        } else {
            Expr::from(2 + i as i64)
        };
        l += weight * velocity.powi(2) / 2;
    }
    l += &v[0] * &v[base] / 3;
    l -= function(&mut numbers, &r);
    let forms = Matrix::new(fibre, base + fibre, |a, i| {
        if i < base {
            function(&mut numbers, &r)
        } else {
            Expr::from(i64::from(i - base == a))
        }
    });
    System::on_coordinates("random", &q, l)
        .with_constraints(Constraints::new(forms, vec![Expr::zero(); fibre]))
        .with_fibre((base..base + fibre).collect())
}

/// The reduced rates of the reduction against those of the formulation.
fn check_rates(
    system: &System,
    reduction: &Reduction,
    numbers: &mut Numbers,
) -> Result<(), TestCaseError> {
    let equations = system.equations(Form::Chaplygin).expect("equations");
    let at: Vec<f64> = equations.state.iter().map(|_| numbers.next()).collect();
    let flow = Evaluator::new(&equations, &[])
        .and_then(|e| e.at(0.0, &at, &[]))
        .expect("rates")
        .rates;
    let here: Vec<(Symbol, f64)> = equations.state.iter().cloned().zip(at).collect();
    let (positions, momenta) = reduction.rates();
    let own = values(&[positions, momenta].concat(), &here);
    for (a, b) in own.iter().zip(&flow) {
        prop_assert!(
            (a - b).abs() < 1e-9 * (1.0 + b.abs()),
            "{own:?} and {flow:?}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(rattleback_testing::cases(16))]

    #[test]
    fn reductions_measures_and_multipliers_are_what_they_claim(seed: u64, base in 2usize..4, fibre in 1usize..3) {
        let system = chaplygin_system(seed, base, fibre);
        let report = ChaplyginReport::of(&system, Effort::unlimited());
        prop_assert!(report.claim.is_proven(), "{:?}", report.claim);
        prop_assert!(report.checks.iter().all(|c| c.answer.is_proven()));
        let reduction = report.reduction.expect("a reduction");
        let mut numbers = Numbers::new(seed ^ 77);
        check_rates(&system, &reduction, &mut numbers)?;

        let measure = MeasureReport::reduced(&reduction, Effort::unlimited());
        if let Some(density) = &measure.density {
            let div = divergence(&reduction, density);
            let at = numbers.point(std::slice::from_ref(&div));
            let value = values(&[div], &at)[0];
            prop_assert!(value.is_nan() || value.abs() < 1e-8, "{value}");
        }
        if measure.claim.is_refuted() {
            let obstruction = measure.obstruction.clone().expect("an obstruction");
            prop_assert!(prove_zero(&obstruction).is_refuted());
        }
        let hamiltonian = HamiltonizationReport::of(&system, Effort::unlimited());
        if base == 2 {
            // With two base coordinates both questions are the same (HJ-C34).
            prop_assert_eq!(measure.claim.is_refuted(), hamiltonian.claim.is_refuted());
            let known = measure.density.is_some() || measure.quadrature.is_some();
            prop_assert_eq!(known, hamiltonian.direct.is_some());
        }
        if let (Some(h), Some(density)) = (&hamiltonian.direct, &measure.density)
            && h.quadrature.is_none()
        {
            // N = f^(n-1) up to a constant factor.
            let ratio = density / h.multiplier.powi(base as i64 - 1);
            for r in reduction.base.base() {
                let slope = ratio.diff(r);
                prop_assert!(prove_zero(&slope).is_proven(), "{slope}");
            }
        }
    }

    #[test]
    fn a_bracket_is_poisson_exactly_on_integrable_distributions(seed: u64) {
        let system = chaplygin_system(seed, 2, 1);
        let d = DistributionReport::of(&system, Effort::unlimited()).expect("a distribution");
        let b = BracketReport::of(&system, Effort::unlimited());
        prop_assert_eq!(d.integrable.is_proven(), b.poisson.is_proven());
        prop_assert_eq!(d.integrable.is_refuted(), b.poisson.is_refuted());
        prop_assert_eq!(d.integrable.is_refuted(), d.generating.is_proven());
        for f in &d.integrals {
            for section in &d.frame {
                let slope = system.frame().act(section, std::slice::from_ref(f)).swap_remove(0);
                prop_assert!(prove_zero(&slope).is_proven());
            }
        }
    }
}

/// A ball that rolls: the base is a group.
const BALL: &str = "system ball\nparam m = 1, I = 0.4\ncoord x, y\ngroup R : SO(3) velocity w\n\
    kinetic m/2*(x'^2 + y'^2) + I/2*dot(w, w)\nconstraint x' = w[2]\nconstraint y' = -w[1]\nfibre x, y\n";

#[test]
fn equations_and_judgement_reduce_a_model_in_the_same_way() {
    let texts = rattleback_testing::models::with_lagrangian();
    let texts = texts
        .iter()
        .map(|name| rattleback_testing::models::text(name));
    let mut compared = 0;
    for text in texts.chain([BALL.to_owned()]) {
        let source = rattleback_language::Source::new("model.mech", text);
        let model = rattleback_language::parse(&source).model.unwrap();
        let Ok(problem) = rattleback_mechanics::Problem::from_model(&model) else {
            continue;
        };
        let system = problem.system.at_parameter_values();
        let Ok(chaplygin) = rattleback_mechanics::Chaplygin::of(&system) else {
            continue;
        };
        let report = ChaplyginReport::of(&system, Effort::default());
        let reduction = report.reduction.unwrap_or_else(|| panic!("{}", model.name));
        if system.is_forced() || !reduction.slice.is_empty() {
            continue;
        }
        let fibre = chaplygin.fibre.iter();
        let fibre: Vec<String> = fibre.map(|&i| system.factors()[i].name.clone()).collect();
        assert_eq!(reduction.fibre, fibre, "{}", model.name);
        let alike = check_rates(&system, &reduction, &mut Numbers::new(5));
        assert!(alike.is_ok(), "{}: {alike:?}", model.name);
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}
