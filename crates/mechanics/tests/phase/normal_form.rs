//! Constraints in normal form (VE-C01 to C06; DP-B12 to B14).

use crate::random::{
    coordinates, differences, few, forms, lagrangian, seeds, system, values, vanishes,
};
use proptest::prelude::*;
use rattleback_mechanics::phase::{ConstrainedPhaseSpace, Gyroscopic, NormalForm, PhaseError};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

proptest! {
    #![proptest_config(few())]

    /// Projections: idempotent, complementary, W hor = 0; lifts span D.
    #[test]
    fn connections_split_velocities(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 4, m);
        let split = NormalForm::of(&system).unwrap();
        let n = system.frame().rank();
        let columns: Vec<Vec<Expr>> =
            (0..n).map(|a| split.connection().horizontal_projection(&system.frame().basis(a))).collect();
        let hor = Matrix::new(n, n, |i, j| columns[j][i].clone());
        let ver = &Matrix::identity(n) - &hor;
        prop_assert!(vanishes((&(&hor * &hor) - &hor).entries()));
        prop_assert!(vanishes((&ver * &hor).entries()));
        prop_assert!(vanishes((system.constraints().forms() * &hor).entries()));
        prop_assert!(vanishes((&split.connection().forms() * &hor).entries()));
        for h in split.lifts() {
            prop_assert!(vanishes(&system.constraints().forms().apply(h)));
        }
    }

    /// The bracket of lifts is formula (1.4), and minus it is dω(h_α, h_β).
    #[test]
    fn curvature_is_the_printed_formula(mut s in seeds(), m in 1usize..3) {
        let q = coordinates(4);
        let system = system(&mut s, 4, m);
        let fibre: Vec<usize> = (4 - m..4).collect();
        let split = NormalForm::with_fibre(&system, &fibre).unwrap();
        let a = split.connection().components();
        let b = split.bracket_curvature();
        let base = split.connection().base();
        let mut defects = Vec::new();
        for (k, curvature) in b.iter().enumerate() {
            for i in 0..base.len() {
                for j in 0..base.len() {
                    let d = |e: &Expr, r: usize| e.diff(&q[base[r]]);
                    let up = |e: &Expr, r: usize| {
                        let slopes: Vec<Expr> = fibre.iter().map(|&f| e.diff(&q[f])).collect();
                        dot(&a.column(r), &slopes)
                    };
                    let printed = d(&a[(k, i)], j) - d(&a[(k, j)], i) + up(&a[(k, j)], i) - up(&a[(k, i)], j);
                    defects.push(printed - &curvature[(i, j)]);
                    defects.push(&curvature[(i, j)] + &curvature[(j, i)]);
                }
            }
        }
        prop_assert!(vanishes(&defects));
    }

    /// Λ = C^δ p̃_δ, it does no work, and the reduced equations are the motion (VE-C05a against the
    /// multiplier form).
    #[test]
    fn the_split_equations_are_the_motion(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let split = NormalForm::of(&system).unwrap();
        let data = Gyroscopic::of(&system, &split).unwrap();
        let v = split.base_velocities();
        let momenta = data.lagrangian().gradient(&v);
        let structure = data.structure().unwrap();
        let d = v.len();
        let mut defects = vec![dot(&values(&v), &data.gyroscopic_force())];
        for i in 0..d {
            for j in 0..d {
                let sum = Expr::sum((0..d).map(|k| &structure[k][(i, j)] * &momenta[k]));
                defects.push(sum - &data.form()[(i, j)]);
            }
        }
        prop_assert!(vanishes(&defects));
        // Accelerations of the multiplier form, on D, in base velocities.
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let motion = space.distributional_field(space.phase().energy()).fibre;
        let on_d = split.sections().restrict(system.frame(), &motion);
        let base: Vec<Expr> = split.connection().base().iter().map(|&i| on_d[i].clone()).collect();
        let known: Vec<(Symbol, Expr)> = v.iter().map(Symbol::derivative).zip(base.iter().cloned()).collect();
        prop_assert!(vanishes(&substitute_all(&data.nonholonomic_residual(), &known)));
        prop_assert!(vanishes(&differences(&split.accelerations(&base), &on_d)));
    }

    /// The prolonged lift is tangent to the horizontal space: s' + A r' stays zero.
    #[test]
    fn prolonged_lifts_stay_horizontal(mut s in seeds()) {
        let system = system(&mut s, 3, 1);
        let split = NormalForm::with_fibre(&system, &[2]).unwrap();
        let forms = split.connection().forms();
        let phi = forms.apply(&system.frame().velocity());
        for lift in split.prolonged_lifts() {
            let along = system.frame().act(&lift.position, &phi);
            let total: Vec<Expr> = along.iter().zip(&lift.fibre_velocity).map(|(a, f)| a + f).collect();
            prop_assert!(vanishes(&split.sections().restrict(system.frame(), &total)));
        }
    }

    /// L + ½ k φφ changes nothing; L + c φ changes L_c not at all and pc by c (VE-C29 6, 7).
    #[test]
    fn terms_in_the_constraints_act_as_stated(mut s in seeds()) {
        let q = coordinates(3);
        let l = lagrangian(&mut s, &q);
        let w = forms(&mut s, &q, 1);
        let plain = crate::random::constrained(&l, &q, w.clone());
        let split = NormalForm::with_fibre(&plain, &[2]).unwrap();
        let phi = dot(split.connection().forms().row(0), &plain.frame().velocity());
        let c = Expr::ratio(3, 7);
        let square = crate::random::constrained(&(&l + phi.powi(2) / 3), &q, w.clone());
        let linear = crate::random::constrained(&(&l + &c * &phi), &q, w);
        let data = [&plain, &square, &linear].map(|s| Gyroscopic::of(s, &split).unwrap());
        prop_assert!(vanishes(&[
            data[0].lagrangian() - data[1].lagrangian(),
            data[0].lagrangian() - data[2].lagrangian(),
            &data[0].fibre_momenta()[0] - &data[1].fibre_momenta()[0],
            &data[0].fibre_momenta()[0] + &c - &data[2].fibre_momenta()[0],
        ]));
        prop_assert!(vanishes(&differences(&data[0].nonholonomic_residual(), &data[1].nonholonomic_residual())));
    }
}

/// The knife edge: s = y fails at θ = π/2, s = x there does not; a chart that never holds is an error.
#[test]
fn charts_end_where_they_end() {
    let q = ["x", "y", "theta"].map(Symbol::variable);
    let theta = Expr::from(&q[2]);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[vec![theta.sin(), -theta.cos(), Expr::zero()]]);
    let system = crate::random::constrained(&l, &q, form);
    let upright = NormalForm::with_fibre(&system, &[1]).unwrap();
    let at = |c: &NormalForm, angle: Expr| {
        let condition = c
            .connection()
            .condition()
            .expect("a chart that ends somewhere");
        condition.substitute(&[(q[2].clone(), angle)])
    };
    assert!(at(&upright, Expr::pi() / 2).is_zero());
    let lying = NormalForm::with_fibre(&system, &[0]).unwrap();
    assert!(!at(&lying, Expr::pi() / 2).is_zero());
    assert!(matches!(
        NormalForm::with_fibre(&system, &[2]),
        Err(PhaseError::Chart { .. })
    ));
    assert!(matches!(
        NormalForm::with_fibre(&system, &[0, 1]),
        Err(PhaseError::Connection(_))
    ));
    // Found on its own: a cyclic coordinate.
    let found = NormalForm::of(&system).unwrap();
    assert!([vec![0], vec![1]].contains(&found.connection().fibre().to_vec()));
    assert!(found.connection().is_flat().is_refuted());
}
