//! Brackets on the constraint distribution (NG-B1 to B7, HJ-C08, C09, C12; DP-B6).

use crate::random::{
    constrained, coordinates, differences, few, lagrangian, on_distribution, seeds, system, values,
    vanishes,
};
use proptest::prelude::*;
use rattleback_geometry::{Distribution, Frame};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::{
    DiracBracket, FrameMomenta, Jacobiator, MomentumConstraints, SymplecticDistribution,
    VelocityBrackets,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

proptest! {
    #![proptest_config(few())]

    /// Skew, Leibniz, {h, h} = 0 and f' = {f, h}.
    #[test]
    fn the_bracket_on_d_is_a_bracket(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let h = SymplecticDistribution::of(&system).unwrap();
        let (z, v) = (values(system.frame().base()), values(h.velocities()));
        let [f, g, k] = [2, 1, 1].map(|r| s.homogeneous(&z, &v, r) + s.function(&z));
        let b = |f: &Expr, g: &Expr| h.bracket(f, g);
        let leibniz = b(&(&f * &g), &k) - &f * b(&g, &k) - &g * b(&f, &k);
        prop_assert!(vanishes(&[b(&f, &g) + b(&g, &f), leibniz, b(h.energy(), h.energy())]));
        prop_assert!(h.is_conserved(h.energy()).is_proven());
    }

    /// The Dirac bracket on D is the bracket on D, however functions are continued off D.
    #[test]
    fn dirac_brackets_do_not_see_the_extension(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let dirac = DiracBracket::of(&system).unwrap();
        let h = SymplecticDistribution::of(&system).unwrap();
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let f = s.homogeneous(&z, &y, 2) + s.function(&z);
        let g = s.homogeneous(&z, &y, 1) + s.function(&z);
        let bracket = on_distribution(&system, &[dirac.bracket(&f, &g)]);
        let c = &dirac.space().constraint_functions()[0];
        let elsewhere = [
            (&f + c * s.homogeneous(&z, &y, 1), g.clone()),
            (f.clone(), &g + c * s.function(&z)),
        ];
        for (f, g) in &elsewhere {
            let again = on_distribution(&system, &[dirac.bracket(f, g)]);
            prop_assert!(vanishes(&differences(&again, &bracket)));
        }
        let framed = h.bracket(&h.restrict(&f), &h.restrict(&g));
        prop_assert!(vanishes(&[&bracket[0] - framed]));
        let identity = &dirac.matrix() * &dirac.inverse_matrix();
        let defect = &identity - &Matrix::identity(2 * m);
        prop_assert!(vanishes(&on_distribution(&system, defect.entries())));
    }

    /// Closed form, nested brackets of (z, P) and nested Dirac brackets give one Jacobiator.
    #[test]
    fn jacobiators_agree(mut s in seeds()) {
        let system = system(&mut s, 3, 1);
        let momenta = FrameMomenta::of(&system).unwrap();
        let formula = Jacobiator::of(&system).unwrap();
        let p = values(momenta.momenta());
        let z = values(system.frame().base());
        let nested: Vec<Expr> = z.iter().map(|q| momenta.bracket().jacobiator(&p[0], &p[1], q)).collect();
        prop_assert!(vanishes(&differences(&nested, &formula.with_positions(0, 1))));
        prop_assert!(vanishes(&[momenta.bracket().jacobiator(&z[0], &z[1], &p[0])]));
        let dirac = DiracBracket::of(&system).unwrap();
        let sections = system.sections().unwrap();
        let lifted: Vec<Expr> = (0..2).map(|a| dot(&system.momenta(), &sections.basis.column(a))).collect();
        let on_velocities: Vec<Expr> = z.iter().map(|q| dirac.jacobiator(&lifted[0], &lifted[1], q)).collect();
        let on_d = on_distribution(&system, &on_velocities);
        prop_assert!(vanishes(&differences(&on_d, &formula.with_positions(0, 1))));
    }

    /// Jac(P, P, P) in closed form, with three momenta.
    #[test]
    fn momentum_jacobiators_agree(mut s in seeds()) {
        let system = system(&mut s, 4, 1);
        let momenta = FrameMomenta::of(&system).unwrap();
        let formula = Jacobiator::of(&system).unwrap();
        let p = values(momenta.momenta());
        let nested = momenta.bracket().jacobiator(&p[0], &p[1], &p[2]);
        prop_assert!(vanishes(&[nested - formula.with_momenta(0, 1, 2)]));
    }

    /// The bracket is Poisson exactly if the constraints are holonomic.
    #[test]
    fn jacobi_holds_exactly_for_involutive_distributions(mut s in seeds(), holonomic in any::<bool>()) {
        let q = coordinates(3);
        let z = values(&q);
        let l = lagrangian(&mut s, &q);
        let form = if holonomic {
            // f dg: integrable, though not closed. The last coefficient stays away from zero.
            let g = s.function(&z[..2]) + &z[2];
            let f = 2 + z[0].sin();
            g.gradient(&q).iter().map(|e| e * &f).collect()
        } else {
            vec![&z[1] * (1 + z[0].powi(2)), s.number() * &z[0], Expr::one()]
        };
        let system = constrained(&l, &q, Matrix::from_rows(&[form]));
        let d = Distribution::annihilated_by(&Frame::coordinates(&q), system.constraints().forms(), &[]).unwrap();
        let momenta = FrameMomenta::of(&system).unwrap();
        let poisson = momenta.bracket().is_poisson(&[]);
        prop_assert_eq!(poisson.is_proven(), d.is_involutive().is_proven());
        prop_assert_eq!(poisson.is_refuted(), d.is_involutive().is_refuted());
        prop_assert_eq!(poisson.is_proven(), holonomic);
    }

    /// {C_r, C_s} ⊂ C_{r+s−1}.
    #[test]
    fn brackets_respect_the_degree(mut s in seeds(), r in 0u32..4, t in 1u32..3) {
        let system = system(&mut s, 3, 1);
        let h = SymplecticDistribution::of(&system).unwrap();
        let (z, v) = (values(system.frame().base()), values(h.velocities()));
        let (f, g) = (s.homogeneous(&z, &v, r), s.homogeneous(&z, &v, t));
        let degree = i64::from(r + t) - 1;
        prop_assert!(h.is_homogeneous(&f, i64::from(r)).is_proven());
        prop_assert!(h.is_homogeneous(&h.bracket(&f, &g), degree).is_proven());
        // Linear functions are momenta of sections of D.
        let linear = s.homogeneous(&z, &v, 1);
        let section = h.section_of_linear(&linear);
        let momentum = dot(&h.lagrangian().gradient(h.velocities()), &section);
        prop_assert!(vanishes(&[momentum - linear]));
    }

    /// Casimirs of a holonomic constraint are its integrals; a nonholonomic one has none.
    #[test]
    fn integrals_of_the_constraints_are_casimirs(mut s in seeds()) {
        let q = coordinates(3);
        let z = values(&q);
        let l = lagrangian(&mut s, &q);
        let g = &z[2] - &z[0] * &z[1];
        for (kappa, holonomic) in [(Expr::one(), true), (Expr::ratio(2, 5), false)] {
            let form = vec![-&z[1], -&kappa * &z[0], Expr::one()];
            let system = constrained(&l, &q, Matrix::from_rows(&[form]));
            let h = SymplecticDistribution::of(&system).unwrap();
            prop_assert_eq!(h.is_casimir(&g).is_proven(), holonomic);
            let momenta = FrameMomenta::of(&system).unwrap();
            prop_assert_eq!(momenta.bracket().is_casimir(&g, &[]).is_proven(), holonomic);
        }
    }

    /// The form recovered from the bivector is Ω on F ∩ T𝓜: ϖ(X_f, X_g) = {f, g} (NG-B3, HJ-C12).
    #[test]
    fn the_form_comes_back_from_the_bivector(mut s in seeds()) {
        let system = system(&mut s, 3, 1);
        let momenta = FrameMomenta::of(&system).unwrap();
        let space = momenta.bracket().symplectic_space(&[]).unwrap();
        prop_assert_eq!(space.rank(), 2 * system.sections().unwrap().rank());
        let p = values(momenta.momenta());
        let z = values(system.frame().base());
        let (f, g) = (s.homogeneous(&z, &p, 1), s.function(&z) + s.homogeneous(&z, &p, 1));
        let (x_f, x_g) = (momenta.bracket().field(&f), momenta.bracket().field(&g));
        let back = space.form(&x_f, &x_g).unwrap();
        prop_assert!(vanishes(&[back - momenta.bracket().bracket(&f, &g)]));
        // Z_a over z, and its own momentum direction.
        let two_form = momenta.two_form();
        let n = z.len();
        let sections = &system.sections().unwrap().basis;
        let lift = |a: usize| [sections.column(a), vec![Expr::zero(); p.len()]].concat();
        prop_assert!(vanishes(&[space.form(&lift(0), &lift(1)).unwrap() - &two_form[(0, 1)]]));
        let mut up = vec![Expr::zero(); n + p.len()];
        up[n] = Expr::one();
        prop_assert!(vanishes(&[space.form(&lift(0), &up).unwrap() - 1]));
    }

    /// Brackets of positions and velocities in closed form are Dirac brackets on D.
    #[test]
    fn velocity_brackets_agree(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let dirac = DiracBracket::of(&system).unwrap();
        let closed = VelocityBrackets::of(&system).unwrap();
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let mut defects = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                defects.push(dirac.bracket(&z[i], &y[j]) - &closed.position_velocity[(i, j)]);
                defects.push(dirac.bracket(&y[i], &y[j]) - &closed.velocity_velocity[(i, j)]);
            }
        }
        prop_assert!(vanishes(&on_distribution(&system, &defects)));
    }

    /// On T*Q: P² = P, dΨ P = 0, Λ skew, {·, Ψ} = 0, Λ∇H = P X_H, and Λ is the frame bracket.
    #[test]
    fn momentum_brackets_agree(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let constraints = MomentumConstraints::of(&system).unwrap();
        let on_m = |e: &[Expr]| on_momentum_space(&system, e);
        let p = constraints.projector();
        prop_assert!(vanishes((&(&p * &p) - &p).entries()));
        let lambda = constraints.bracket();
        let skew = &lambda.matrix + &lambda.matrix.transpose();
        prop_assert!(vanishes(&on_m(skew.entries())));
        for psi in constraints.residuals() {
            prop_assert!(vanishes(&on_m(&lambda.field(psi))));
            prop_assert!(vanishes(&on_m(&[constraints.field().apply(system.frame(), constraints.phase().momenta(), psi)])));
        }
        let along = lambda.field(constraints.phase().hamiltonian());
        let moved = constraints.field().rates(system.frame());
        prop_assert!(vanishes(&on_m(&differences(&along, &moved))));
        // {z, P_a} and {P_a, P_b} of the frame.
        let frame = FrameMomenta::of(&system).unwrap();
        let sections = system.sections().unwrap();
        let symbols = values(constraints.phase().momenta());
        let paired: Vec<Expr> = (0..sections.rank()).map(|a| dot(&symbols, &sections.basis.column(a))).collect();
        let z = values(system.frame().base());
        let names = values(frame.momenta());
        for (a, f) in paired.iter().enumerate() {
            for (i, q) in z.iter().enumerate() {
                let difference = lambda.bracket(q, f) - frame.bracket().bracket(&z[i], &names[a]);
                prop_assert!(vanishes(&on_m(&[difference])));
            }
            for (b, g) in paired.iter().enumerate() {
                let difference = lambda.bracket(f, g) - frame.bracket().bracket(&names[a], &names[b]);
                prop_assert!(vanishes(&on_m(&[difference])));
            }
        }
        // The projection on 𝓜 lands there and keeps what is there.
        let projected: Vec<(Symbol, Expr)> =
            constraints.phase().momenta().iter().cloned().zip(constraints.project()).collect();
        prop_assert!(vanishes(&substitute_all(constraints.residuals(), &projected)));
        prop_assert!(vanishes(&on_m(&differences(&constraints.project(), &symbols))));
    }
}

/// p by its parametrisation in the frame momenta.
fn on_momentum_space(system: &System, e: &[Expr]) -> Vec<Expr> {
    let frame = FrameMomenta::of(system).unwrap();
    let p = system.momentum_symbols();
    let pairs: Vec<(Symbol, Expr)> = p
        .into_iter()
        .zip(frame.covector().iter().cloned())
        .collect();
    substitute_all(e, &pairs)
}
