//! What has to be refused.

use crate::case::{Case, constant};
use crate::data::{Oracle, Row};
use crate::phase_space::numerical_rank;
use crate::run::{Report, route};
use rattleback_geometry::Distribution;
use rattleback_language::{Source, parse};
use rattleback_mechanics::phase::{
    ConstrainedPhaseSpace, Gyroscopic, MomentumConstraints, PhaseError, SymplecticDistribution,
};
use rattleback_mechanics::{Chaplygin, MechanicsError, Problem, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A model whose constraints are not compatible with its metric: every construction says so.
pub fn check(oracle: &Oracle, report: &mut Report) {
    let text = oracle.model.as_deref().unwrap_or_default();
    let model = parse(&Source::new("refused.mech", text))
        .model
        .expect("a model");
    let system = Problem::from_model(&model).expect("a problem").open();
    for row in &oracle.values {
        let value = match row.quantity.as_str() {
            "dirac_M" => constraint_matrix(&system).entries().to_vec(),
            "frame_metric_determinant" => vec![frame_metric_determinant(&system)],
            _ => {
                report.fail(oracle, row, "nobody knows this quantity".into());
                continue;
            }
        };
        let numbers = value.iter().map(|e| e.evaluate(&[]).unwrap()).collect();
        report.compare(oracle, row, &[route("directly", numbers)], false);
    }
    let refused = [
        ConstrainedPhaseSpace::of(&system).err(),
        MomentumConstraints::of(&system).err(),
        SymplecticDistribution::of(&system).err(),
    ];
    for (what, error) in ["velocities", "momenta", "distribution"]
        .iter()
        .zip(refused)
    {
        report.count();
        if !matches!(error, Some(PhaseError::Singular { .. })) {
            report.note(format!(
                "{}: {what}: expected a refusal, got {error:?}",
                oracle.id
            ));
        }
    }
    report.count();
    if !matches!(
        system.check_regular(),
        Err(MechanicsError::Degenerate { .. })
    ) {
        report.note(format!(
            "{}: the degenerate system was not refused",
            oracle.id
        ));
    }
}

fn constraint_matrix(system: &System) -> Matrix {
    let a = system.constraints().forms();
    let upper =
        rattleback_symbolic::solve(&system.mass_matrix(), &a.transpose()).expect("a metric");
    a * &upper.solution
}

fn frame_metric_determinant(system: &System) -> Expr {
    let z = system.sections().expect("a frame").basis.clone();
    let m = &(&z.transpose() * &system.mass_matrix()) * &z;
    let number = crate::phase_space::determinant(&m, |e| e.evaluate(&[]).unwrap());
    assert_eq!(number.fract(), 0.0, "an integer determinant");
    Expr::from(number as i64)
}

/// A gyroscopic force that sees the fibre: the reduction is refused by name.
pub fn check_not_projectable(oracle: &Oracle, case: &Case, report: &mut Report) {
    report.count();
    let connection = case.connection();
    let data = Gyroscopic::of(&case.system, &connection).expect("gyroscopic data");
    if !matches!(
        data.check_projectable(),
        Err(PhaseError::NotProjectable { .. })
    ) {
        report.note(format!(
            "{}: the force depends on the fibre and was not flagged",
            oracle.id
        ));
    }
    if !matches!(
        Chaplygin::of(&case.system),
        Err(MechanicsError::NotChaplygin { .. })
    ) {
        report.note(format!("{}: the reduction was not refused", oracle.id));
    }
}

/// Where the constraints lose rank: the rank there, and a named function that vanishes there.
pub fn check_rank_drop(oracle: &Oracle, row: &Row, case: &Case, report: &mut Report) {
    let (frame, forms) = (case.system.frame(), case.system.constraints().forms());
    let place: Vec<(Symbol, Expr)> = row
        .set()
        .iter()
        .map(|(name, value)| (Symbol::variable(name), constant(value)))
        .collect();
    let there = forms.map(|e| e.substitute(&place));
    let rank = numerical_rank(&case.values_of(there.entries()), forms.cols());
    report.compare(oracle, row, &[route("rank", vec![rank as f64])], false);
    let d = Distribution::annihilated_by(frame, forms, &[]).expect("a distribution");
    report.count();
    if !d.rank_drop().iter().any(|e| e.substitute(&place).is_zero()) {
        let named: Vec<String> = d.rank_drop().iter().map(Expr::to_string).collect();
        report.fail(
            oracle,
            row,
            format!("the rank drop is not reported: {named:?}"),
        );
    }
}
