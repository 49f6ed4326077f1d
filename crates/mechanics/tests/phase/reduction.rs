//! Chaplygin reduction (HJ-C27 to C31, C41; HJ section H 2 to 5; NG-W1).

use crate::random::{Seeds, constrained, coordinates, differences, few, seeds, values, vanishes};
use proptest::prelude::*;
use rattleback_mechanics::phase::{
    ConstrainedPhaseSpace, Gyroscopic, NormalForm, curvature_force, lindelof_equations,
};
use rattleback_mechanics::{Chaplygin, Stage, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, solve, substitute_all};

/// Base coordinates q1, q2, fibre q3 (and q4); nothing depends on the fibre.
fn chaplygin(seeds: &mut Seeds, fibre: usize) -> System {
    let q = coordinates(2 + fibre);
    let r = values(&q[..2]);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let b: Vec<Expr> = q.iter().map(|_| seeds.function(&r)).collect();
    let l = (Expr::sum(v.iter().map(|e| e.powi(2))) + dot(&b, &v).powi(2)) / 2 - seeds.function(&r);
    let forms = Matrix::new(fibre, 2 + fibre, |a, i| match i {
        0 | 1 => seeds.function(&r),
        _ => i64::from(i - 2 == a).into(),
    });
    constrained(&l, &q, forms).with_fibre((2..2 + fibre).collect())
}

fn solved(stage: &Stage) -> Vec<Expr> {
    let Stage::Linear { matrix, rhs, .. } = stage else {
        panic!("a linear stage")
    };
    solve(matrix, &Matrix::column_vector(rhs))
        .unwrap()
        .solution
        .column(0)
}

proptest! {
    #![proptest_config(few())]

    /// ⟨hl P, hl v⟩ = P·v, H∘hl = H̄, hl P ∈ 𝓜; Ξ antisymmetric, workless, linear in P.
    #[test]
    fn reductions_pass_their_own_tests(mut s in seeds(), fibre in 1usize..3) {
        let system = chaplygin(&mut s, fibre);
        let reduced = Chaplygin::of(&system).unwrap();
        prop_assert!(reduced.check_lift(&system).unwrap().is_proven());
        prop_assert!(reduced.check_gyroscopic(&system).is_proven());
        let momenta = reduced.momenta(&system).unwrap();
        let p = values(&momenta.momenta);
        let euler: Vec<Expr> = momenta
            .gyroscopic
            .entries()
            .iter()
            .map(|e| dot(&p, &e.gradient(&momenta.momenta)) - e)
            .collect();
        prop_assert!(vanishes(&euler));
        // Ξ = −Λ of the normal form.
        let all: Vec<usize> = (2..2 + fibre).collect();
        let data = Gyroscopic::of(&system, &NormalForm::with_fibre(&system, &all).unwrap()).unwrap();
        data.check_projectable().unwrap();
        prop_assert!(vanishes((&reduced.gyroscopic + data.form()).entries()));
    }

    /// The reduced motion lifts to the full one; Lindelöf's differs by the curvature force.
    #[test]
    fn reduced_motions_lift(mut s in seeds(), fibre in 1usize..3) {
        let system = chaplygin(&mut s, fibre);
        let reduced = Chaplygin::of(&system).unwrap();
        let base = solved(&reduced.base_equations());
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let motion = space.distributional_field(space.phase().energy()).fibre;
        let on_d = reduced.sections.restrict(system.frame(), &motion);
        prop_assert!(vanishes(&differences(&on_d[..2], &base)));
        let Stage::Linear { matrix, rhs, .. } = lindelof_equations(&reduced) else { panic!("a linear stage") };
        let gap = differences(&matrix.apply(&base), &rhs);
        prop_assert!(vanishes(&differences(&gap, &curvature_force(&reduced))));
        // Reconstruction: s' = −A r'.
        let rates = reduced.reconstruction(&system);
        prop_assert_eq!(rates.len(), fibre);
        let v = values(&reduced.sections.velocities);
        for (a, (_, rate)) in rates.iter().enumerate() {
            prop_assert!(vanishes(&[rate + dot(reduced.connection.row(a), &v)]));
        }
    }

    /// −div X̄ = τ_α r'^α with τ_α = C^β_αβ (HJ section H 5).
    #[test]
    fn the_divergence_is_the_trace(mut s in seeds()) {
        let system = chaplygin(&mut s, 1);
        let reduced = Chaplygin::of(&system).unwrap();
        let momenta = reduced.momenta(&system).unwrap();
        let (r, p) = (&reduced.base, &momenta.momenta);
        let slope = momenta.hamiltonian.gradient(r);
        let turned = momenta.gyroscopic.apply(&momenta.velocities);
        let rates: Vec<Expr> = turned.iter().zip(&slope).map(|(t, s)| t - s).collect();
        let divergence = Expr::sum((0..2).map(|a| momenta.velocities[a].diff(&r[a]) + rates[a].diff(&p[a])));
        let tau = (0..2).map(|a| Expr::sum((0..2).map(|b| momenta.gyroscopic[(a, b)].diff(&p[b]))));
        let tau: Vec<Expr> = tau.collect();
        prop_assert!(vanishes(&[divergence + dot(&tau, &momenta.velocities)]));
    }
}

/// The vertical disk: Lindelöf happens to agree, though the curvature is not zero.
#[test]
fn the_vertical_disk_cannot_tell_lindelof_apart() {
    let q = ["phi", "psi", "x", "y"].map(Symbol::variable);
    let phi = Expr::from(&q[0]);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[
        vec![Expr::zero(), -phi.cos(), Expr::one(), Expr::zero()],
        vec![Expr::zero(), -phi.sin(), Expr::zero(), Expr::one()],
    ]);
    let system = constrained(&l, &q, form).with_fibre(vec![2, 3]);
    let reduced = Chaplygin::of(&system).unwrap();
    assert!(vanishes(&curvature_force(&reduced)));
    assert!(reduced.curvature.iter().any(|b| !b[(0, 1)].is_zero()));
    let right = solved(&reduced.base_equations());
    let wrong = solved(&lindelof_equations(&reduced));
    assert!(vanishes(&differences(&right, &wrong)));
}

/// The particle z' = y x': the wrong equations give the trap of NG S.9, the right ones S.8.
#[test]
fn lindelof_falls_into_the_trap() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[vec![-Expr::from(&q[1]), Expr::zero(), Expr::one()]]);
    let system = constrained(&l, &q, form).with_fibre(vec![2]);
    let reduced = Chaplygin::of(&system).unwrap();
    let point = [
        (q[1].clone(), Expr::ratio(-3, 5)),
        (q[0].derivative(), Expr::ratio(1, 2)),
        (q[1].derivative(), Expr::ratio(4, 5)),
    ];
    let at = |stage: &Stage| substitute_all(&solved(stage), &point);
    assert!(vanishes(&differences(
        &at(&reduced.base_equations()),
        &[Expr::ratio(3, 17), Expr::zero()]
    )));
    assert!(vanishes(&differences(
        &at(&lindelof_equations(&reduced)),
        &[Expr::ratio(6, 17), Expr::ratio(-3, 20)]
    )));
}
