//! The ideal of the constraint forms, ideal reactions, the nonholonomic connection
//! (DP-B7; NG-K6; CG-A1 to A8).

use crate::random::{differences, few, on_distribution, seeds, system, values, vanishes};
use proptest::prelude::*;
use rattleback_mechanics::phase::{
    AnnihilatorIdeal, ConstrainedPhaseSpace, IdealReaction, NonholonomicConnection,
    SymplecticDistribution,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, prove_all_zero, substitute_all};

proptest! {
    #![proptest_config(few())]

    /// β_i ∧ μ^i goes through the extraction and comes back.
    #[test]
    fn forms_of_the_ideal_are_taken_apart(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 4, m);
        let ideal = AnnihilatorIdeal::of(&system).unwrap();
        let z = values(system.frame().base());
        let mu = system.constraints().forms();
        let beta: Vec<Vec<Expr>> = (0..m).map(|_| (0..4).map(|_| s.function(&z)).collect()).collect();
        let wedge = |beta: &[Vec<Expr>]| Matrix::new(4, 4, |a, b| {
            Expr::sum((0..m).map(|i| &beta[i][a] * &mu[(i, b)] - &beta[i][b] * &mu[(i, a)]))
        });
        let nu = wedge(&beta);
        prop_assert!(ideal.contains(&nu).is_proven());
        let found = ideal.factors(&nu).unwrap();
        prop_assert!(vanishes((&wedge(&found) - &nu).entries()));
        // On D the factors are unique.
        let basis = &system.sections().unwrap().basis;
        for (b, f) in beta.iter().zip(&found) {
            prop_assert!(vanishes(&differences(&basis.transpose().apply(b), &basis.transpose().apply(f))));
        }
        let mut outside = nu.clone();
        outside[(0, 1)] = &outside[(0, 1)] + 1;
        outside[(1, 0)] = &outside[(1, 0)] - 1;
        prop_assert!(ideal.factors(&outside).is_err());
    }

    /// The motion passes the test of an ideal reaction; another acceleration does not.
    #[test]
    fn motions_have_an_ideal_reaction(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let motion = space.distributional_field(space.phase().energy());
        let test = IdealReaction::of(&system).unwrap().all();
        let with = |fibre: &[Expr]| {
            let pairs: Vec<(Symbol, Expr)> =
                system.frame().fibre().iter().map(Symbol::derivative).zip(fibre.iter().cloned()).collect();
            on_distribution(&system, &substitute_all(&test, &pairs))
        };
        prop_assert!(vanishes(&with(&motion.fibre)));
        let mut wrong = motion.fibre.clone();
        wrong[0] += Expr::ratio(1, 100);
        prop_assert!(prove_all_zero(&with(&wrong)).is_refuted());
    }

    /// Torsion-free, metric, the projectors project, and v' is that of the symplectic distribution.
    #[test]
    fn the_nonholonomic_connection_moves_the_system(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let connection = NonholonomicConnection::of(&system).unwrap();
        let nabla = connection.connection();
        prop_assert!(vanishes(&nabla.torsion()));
        prop_assert!(vanishes(&nabla.metricity(connection.metric().lower())));
        let p = connection.projection().projector();
        let basis = &system.sections().unwrap().basis;
        prop_assert!(vanishes((&(&p * &p) - &p).entries()));
        prop_assert!(vanishes((&(&p * basis) - basis).entries()));
        let lowered = &system.mass_matrix() * &p;
        prop_assert!(vanishes((&lowered - &lowered.transpose()).entries()));
        let h = SymplecticDistribution::of(&system).unwrap();
        prop_assert!(vanishes(&differences(&connection.accelerations(), &h.field(h.energy()).rates)));
        let motion: Vec<(Symbol, Expr)> =
            h.velocities().iter().map(Symbol::derivative).zip(connection.accelerations()).collect();
        let residual = connection.hamel_residual(h.lagrangian());
        prop_assert!(vanishes(&substitute_all(&residual, &motion)));
        // The projected bracket breaks Jacobi or the anchor exactly if D is not involutive.
        let defects = connection.frame().anchor_defect();
        prop_assert_eq!(prove_all_zero(&defects).is_proven(), connection.is_involutive().is_proven());
    }
}

/// The robot's solution family has dγ = β₁ ∧ μ¹ with β₁ = −mRb dθ (DP X5), and the particle's has
/// β_y = c₁/(1 + y²)^{3/2} (DP P-N9).
#[test]
fn known_factors_are_found() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let x = values(&q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[vec![-&x[1], Expr::zero(), Expr::one()]]);
    let system = crate::random::constrained(&l, &q, form);
    let (c1, c2) = (Expr::ratio(13, 10), Expr::ratio(-2, 5));
    let s = (1 + x[1].powi(2)).sqrt();
    let gamma = [&c1 / &s, c2, &x[1] * &c1 / &s];
    let d_gamma = Matrix::new(3, 3, |a, b| gamma[b].diff(&q[a]) - gamma[a].diff(&q[b]));
    let ideal = AnnihilatorIdeal::of(&system).unwrap();
    let beta = ideal.factors(&d_gamma).unwrap().swap_remove(0);
    // β on ∂_y, which lies in D.
    assert!(vanishes(&[dot(
        &beta,
        &[Expr::zero(), Expr::one(), Expr::zero()]
    ) - &c1 / s.powi(3)]));
    let at = beta[1]
        .evaluate(&[
            (q[0].clone(), 0.0),
            (q[1].clone(), 0.8),
            (q[2].clone(), 0.0),
        ])
        .unwrap();
    assert!((at - 0.6189813733389875).abs() < 1e-12, "{at}");
}
