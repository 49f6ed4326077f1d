//! Momentum functions, the momentum equation, canonical tools (NG-M1, M2; HJ-C02, C03, C07, C11).

use crate::random::{differences, few, on_distribution, seeds, system, values, vanishes};
use proptest::prelude::*;
use rattleback_geometry::{Frame, Group, LieGroup, Trivialization};
use rattleback_mechanics::phase::{
    CanonicalPhaseSpace, ConstrainedPhaseSpace, MomentumFunction, PhaseError, SymmetryAlgebra,
    SymplecticDistribution, lie_derivative_of_metric,
};
use rattleback_mechanics::{Factor, NamedSection, System};
use rattleback_symbolic::{Expr, Symbol, dot, prove_all_zero};

proptest! {
    #![proptest_config(few())]

    /// X_{P_Z} = Z_TQ − ι(k♯(L_Z k)(v)), and the two forms of the momentum equation agree.
    #[test]
    fn momentum_fields_are_lifts_up_to_the_strain(mut s in seeds()) {
        let system = system(&mut s, 3, 0);
        let frame = system.frame();
        let (z, y) = (values(frame.base()), frame.velocity());
        let field: Vec<Expr> = (0..3).map(|_| s.function(&z)).collect();
        let momentum = MomentumFunction::of(&system, &field).unwrap();
        let mass = system.mass_matrix();
        let strain = lie_derivative_of_metric(frame, &mass, &field);
        prop_assert!(vanishes(&differences(&momentum.field.base, &momentum.lift.base)));
        let gap = differences(&momentum.lift.fibre, &momentum.field.fibre);
        prop_assert!(vanishes(&differences(&mass.apply(&gap), &strain.apply(&y))));
        let still: Vec<(Symbol, Expr)> = frame.fibre().iter().map(|y| (y.clone(), Expr::zero())).collect();
        let potential = -system.lagrangian().substitute(&still);
        let equation = dot(&y, &strain.apply(&y)) / 2 - dot(&frame.differential(&potential), &field);
        prop_assert!(vanishes(&[equation - &momentum.rate]));
    }

    /// dP_Z/dt along motions: for Z in D from the lift alone, for Z off D with the multipliers.
    #[test]
    fn momentum_equations_hold_along_motions(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let frame = system.frame();
        let z = values(frame.base());
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let motion = space.project_tangent(&space.phase().hamiltonian_field(space.phase().energy()));
        let off: Vec<Expr> = (0..3).map(|_| s.function(&z)).collect();
        let inside = system.sections().unwrap().basis.column(0);
        let lambda: Vec<Symbol> = (1..=m).map(|k| Symbol::variable(&format!("lambda{k}"))).collect();
        let known: Vec<(Symbol, Expr)> = lambda.iter().cloned().zip(motion.multipliers.clone()).collect();
        for field in [off, inside.clone()] {
            let momentum = MomentumFunction::of(&system, &field).unwrap();
            let rate = space.phase().apply(&motion.field, &momentum.value);
            let equation = momentum.equation(&lambda).substitute(&known);
            prop_assert!(vanishes(&on_distribution(&system, &[rate - equation])));
        }
        let momentum = MomentumFunction::of(&system, &inside).unwrap();
        prop_assert!(vanishes(&on_distribution(&system, &momentum.reaction_arms)));
    }

    /// H∘FL = E, the canonical bracket is Poisson, X_H is q' = H_p, p' = −H_q.
    #[test]
    fn the_legendre_transform_carries_the_bracket(mut s in seeds()) {
        let system = system(&mut s, 2, 0);
        let canonical = CanonicalPhaseSpace::of(&system).unwrap();
        let back: Vec<(Symbol, Expr)> = canonical.momenta().iter().cloned().zip(system.momenta()).collect();
        prop_assert!(vanishes(&[canonical.hamiltonian().substitute(&back) - system.energy()]));
        prop_assert!(canonical.bracket().is_poisson(&[]).is_proven());
        let x = canonical.hamiltonian_field(canonical.hamiltonian());
        prop_assert!(vanishes(&differences(&x.base, &canonical.hamiltonian().gradient(canonical.momenta()))));
        prop_assert!(canonical.is_conserved(canonical.hamiltonian()).is_proven());
        let slope = canonical.hamiltonian().gradient(system.frame().base());
        let sum: Vec<Expr> = x.fibre.iter().zip(&slope).map(|(a, b)| a + b).collect();
        prop_assert!(vanishes(&sum));
        // A bracket on TQ goes to the bracket on T*Q.
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let (f, g) = (s.homogeneous(&z, &y, 1), s.homogeneous(&z, &y, 2));
        let phase = rattleback_mechanics::phase::VelocityPhaseSpace::of(&system).unwrap();
        let below = canonical.bracket().bracket(&canonical.pull(&f), &canonical.pull(&g));
        prop_assert!(vanishes(&[canonical.pull(&phase.bracket(&f, &g)) - below]));
    }
}

/// A particle in a central field: momentum map of rotations, involution, rank.
#[test]
fn rotations_have_an_equivariant_momentum_map() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let x = values(&q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let r2 = Expr::sum(x.iter().map(|e| e.powi(2)));
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2 - r2.powi(2);
    let system = System::on_coordinates("central", &q, l);
    let generators: Vec<NamedSection> = (0..3)
        .map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let mut components = vec![Expr::zero(); 3];
            components[j] = x[i].clone();
            components[i] = -&x[j];
            NamedSection {
                name: format!("R{k}"),
                components,
            }
        })
        .collect();
    let algebra = SymmetryAlgebra::of(&system, &generators).unwrap_err();
    // Three rotations of ℝ³ are dependent as fields at each point: their span has rank two.
    assert!(
        matches!(algebra, PhaseError::Singular { .. }),
        "{algebra:?}"
    );
    let canonical = CanonicalPhaseSpace::of(&system).unwrap();
    let j: Vec<Expr> = generators
        .iter()
        .map(|g| canonical.momentum(&g.components))
        .collect();
    for (g, j) in generators.iter().zip(&j) {
        assert!(canonical.is_symmetry(&g.components).is_proven());
        assert!(canonical.is_conserved(j).is_proven());
        let lift = canonical.cotangent_lift(&g.components);
        assert_eq!(lift, canonical.hamiltonian_field(j));
    }
    // {J_1, J_2} = J_3.
    assert!(vanishes(&[
        canonical.bracket().bracket(&j[0], &j[1]) - &j[2]
    ]));
    let square = Expr::sum(j.iter().map(|e| e.powi(2)));
    let set = [canonical.hamiltonian().clone(), square, j[2].clone()];
    assert!(vanishes(canonical.bracket().involution(&set).entries()));
    assert_eq!(canonical.differential_rank(&set).unwrap(), 3);
    let dependent = [j[0].clone(), j[1].clone(), &j[0] * &j[1]];
    assert_eq!(canonical.differential_rank(&dependent).unwrap(), 2);
    assert!(
        canonical
            .is_symmetry(&[Expr::one(), Expr::zero(), Expr::zero()])
            .is_refuted()
    );
}

/// Rigid motions of the plane act on a disk: structure constants, equivariance, transversality.
#[test]
fn planar_motions_close_and_are_equivariant() {
    let q = ["x", "y", "phi"].map(Symbol::variable);
    let x = values(&q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let m = Expr::from(Symbol::constant("m"));
    let l = &m * (v[0].powi(2) + v[1].powi(2)) / 2 + v[2].powi(2) / 2;
    let form =
        rattleback_symbolic::Matrix::from_rows(&[vec![x[2].sin(), -x[2].cos(), Expr::zero()]]);
    let system = crate::random::constrained(&l, &q, form);
    let named = |name: &str, components: [Expr; 3]| NamedSection {
        name: name.into(),
        components: components.to_vec(),
    };
    let one = Expr::one;
    let zero = Expr::zero;
    let planar = [
        named("slide_x", [one(), zero(), zero()]),
        named("slide_y", [zero(), one(), zero()]),
        named("turn", [-&x[1], x[0].clone(), one()]),
    ];
    let algebra = SymmetryAlgebra::of(&system, &planar).unwrap();
    assert!(!algebra.is_abelian());
    // [slide_x, turn] = slide_y.
    assert!(algebra.constant(0, 2, 1).is_one());
    assert!(algebra.constant(1, 2, 0) == &Expr::from(-1));
    let canonical = CanonicalPhaseSpace::of(&system).unwrap();
    assert!(algebra.check_equivariance(&canonical).is_proven());
    assert!(algebra.leaves_alone(&system).unwrap().is_proven());
    let fibre = SymmetryAlgebra::of(&system, &planar[1..2]).unwrap();
    let matrix = fibre.transversality(&system).unwrap();
    assert_eq!((matrix.rows(), matrix.cols()), (3, 3));
    // Scaling x is no constant combination with the turn, and no symmetry.
    let open = [
        named("scale", [x[0].powi(2), zero(), zero()]),
        named("turn", [-&x[1], x[0].clone(), one()]),
    ];
    assert!(matches!(
        SymmetryAlgebra::of(&system, &open),
        Err(PhaseError::NotClosed { .. })
    ));
}

/// A level ball: frame fields that are Killing and in D have constant momenta; a gauge momentum need
/// not be Killing (NG C14, C16).
#[test]
fn gauge_momenta_are_conserved() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let x = values(&q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2 - x[1].powi(3);
    let form = rattleback_symbolic::Matrix::from_rows(&[vec![-&x[1], Expr::zero(), Expr::one()]]);
    let system = crate::random::constrained(&l, &q, form);
    let h = SymplecticDistribution::of(&system).unwrap();
    let scale = (1 + x[1].powi(2)).sqrt().recip();
    let gauge = [scale.clone(), Expr::zero(), &x[1] * &scale];
    let momentum = MomentumFunction::of(&system, &gauge).unwrap();
    assert!(h.is_conserved(&h.restrict(&momentum.value)).is_proven());
    let strain = lie_derivative_of_metric(system.frame(), &system.mass_matrix(), &gauge);
    assert!(prove_all_zero(strain.entries()).is_refuted(), "not Killing");
    let y = h.sections().velocity();
    assert!(
        vanishes(&[dot(&y, &strain.apply(&y))]),
        "but without strain on D"
    );
}

/// Momentum tools on a group: the spatial momentum of a free body is conserved, the bracket is Poisson
/// on redundant entries.
#[test]
fn spatial_momenta_of_a_free_body_are_conserved() {
    let group = Group::SO3;
    let entries: Vec<Symbol> = (0..9)
        .map(|i| Symbol::variable(&format!("R[{},{}]", i / 3 + 1, i % 3 + 1)))
        .collect();
    let w: Vec<Symbol> = (1..=3)
        .map(|i| Symbol::variable(&format!("w[{i}]")))
        .collect();
    let frame: Frame = group.frame(&entries, &w, Trivialization::Body);
    let inertia = [1i64, 2, 3];
    let l = Expr::sum(
        w.iter()
            .zip(inertia)
            .map(|(w, i)| Expr::from(w).powi(2) * i),
    ) / 2;
    let factor = Factor {
        name: "R".into(),
        group: Some(group),
        trivialization: rattleback_geometry::Trivialization::Body,
        base: 0..9,
        fibre: 0..3,
        unit: None,
    };
    let system = System::on_frame("body", frame, vec![factor], l, 1);
    let canonical = CanonicalPhaseSpace::of(&system).unwrap();
    let p = values(canonical.momenta());
    let r = values(&entries);
    for i in 0..3 {
        let spatial = dot(&r[3 * i..3 * i + 3], &p);
        assert!(canonical.is_conserved(&spatial).is_proven());
        // The right-invariant field of a space rotation has R^T e_i as body components.
        assert!(canonical.is_symmetry(&r[3 * i..3 * i + 3]).is_proven());
    }
    let casimir = Expr::sum(p.iter().map(|e| e.powi(2)));
    assert!(canonical.is_conserved(&casimir).is_proven());
    assert!(canonical.is_symmetry(&system.frame().basis(0)).is_refuted());
}
