//! Two-form, Hamiltonian fields, splittings, projections (NG-H1, H2, H4, H5, H7, H8, P1, P2; DP-B1).

use crate::random::{differences, few, on_distribution, seeds, system, values, vanishes};
use proptest::prelude::*;
use rattleback_mechanics::phase::{
    ConstrainedPhaseSpace, IdealReaction, PhaseField, SymplecticDistribution, VelocityPhaseSpace,
};
use rattleback_symbolic::{Expr, Matrix, Symbol};

proptest! {
    #![proptest_config(few())]

    /// ω(X_f, ·) = df, and X of the energy is the Euler-Lagrange field ξ_L.
    #[test]
    fn hamiltonian_fields_solve_their_equation(mut s in seeds()) {
        let system = system(&mut s, 3, 0);
        let phase = VelocityPhaseSpace::of(&system).unwrap();
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let f = s.homogeneous(&z, &y, 2) + s.function(&z);
        let x = phase.hamiltonian_field(&f);
        let paired = phase.omega().transpose().apply(&x.components());
        prop_assert!(vanishes(&differences(&paired, &phase.differential(&f))));
        let motion = phase.hamiltonian_field(phase.energy());
        prop_assert!(vanishes(&differences(&motion.base, &y)));
        let accelerations: Vec<(Symbol, Expr)> =
            system.frame().fibre().iter().map(Symbol::derivative).zip(motion.fibre).collect();
        let residual = IdealReaction::of(&system).unwrap().work;
        prop_assert!(vanishes(&residual.iter().map(|e| e.substitute(&accelerations)).collect::<Vec<_>>()));
    }

    /// The bracket of functions on TQ is skew and satisfies Jacobi: ω is closed.
    #[test]
    fn the_bracket_without_constraints_is_poisson(mut s in seeds()) {
        let system = system(&mut s, 2, 0);
        let phase = VelocityPhaseSpace::of(&system).unwrap();
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let [f, g, h] = [1, 1, 2].map(|r| s.homogeneous(&z, &y, r) + s.function(&z));
        let b = |f: &Expr, g: &Expr| phase.bracket(f, g);
        prop_assert!(vanishes(&[b(&f, &g) + b(&g, &f)]));
        let jacobi = b(&f, &b(&g, &h)) + b(&g, &b(&h, &f)) + b(&h, &b(&f, &g));
        prop_assert!(vanishes(&[jacobi]));
    }

    /// T(TQ) = TD ⊕ F^ω = F ⊕ T^ωD = H ⊕ H^ω along D: projectors with the right image and kernel.
    #[test]
    fn splittings_are_direct(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let tangent = space.projector(|x| space.project_tangent(x).field);
        let compatible = space.projector(|x| space.project_compatible(x));
        let horizontal = space.projector(|x| space.project_horizontal(x));
        for p in [&tangent, &compatible, &horizontal] {
            prop_assert!(zero_on(&system, &(&(p * p) - p)));
        }
        // H = F ∩ TD: cut out by τ*φ and dc, both killed by the projector's image.
        prop_assert!(zero_on(&system, &(&space.annihilator() * &horizontal)));
        prop_assert!(zero_on(&system, &(&(&tangent * &horizontal) - &horizontal)));
        prop_assert!(zero_on(&system, &(&(&compatible * &horizontal) - &horizontal)));
        for x in space.reaction_basis() {
            prop_assert!(field_vanishes(&system, &space.project_tangent(x).field));
            prop_assert!(field_vanishes(&system, &space.project_horizontal(x)));
        }
        for x in space.transversal_basis() {
            prop_assert!(field_vanishes(&system, &space.project_compatible(x)));
            prop_assert!(field_vanishes(&system, &space.project_horizontal(x)));
        }
        for b in space.horizontal_basis() {
            let still = space.project_horizontal(&b);
            prop_assert!(vanishes(&on_distribution(&system, &differences(&still.components(), &b.components()))));
            for x in space.reaction_basis().iter().chain(space.transversal_basis()) {
                let mixed = space.phase().pair(&b, x);
                prop_assert!(vanishes(&on_distribution(&system, &[mixed])), "ω(H, H^ω)");
            }
        }
        // F = H ⊕ F^ω and F contains its basis.
        for b in space.compatible_basis() {
            let still = space.project_compatible(&b);
            prop_assert!(vanishes(&on_distribution(&system, &differences(&still.components(), &b.components()))));
        }
        for b in space.tangent_basis() {
            let still = space.project_tangent(&b).field;
            prop_assert!(vanishes(&on_distribution(&system, &differences(&still.components(), &b.components()))));
        }
    }

    /// Y_f by projection on H and in the frame of D agree, for any f; on TD they agree for the
    /// energy, functions of position and momenta of D, and not for a constraint function.
    #[test]
    fn distributional_fields_agree(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let space = ConstrainedPhaseSpace::of(&system).unwrap();
        let h = SymplecticDistribution::of(&system).unwrap();
        let (z, y) = (values(system.frame().base()), system.frame().velocity());
        let f = s.homogeneous(&z, &y, 2) + s.homogeneous(&z, &y, 1) + s.function(&z);
        let framed = h.ambient(&h.field(&h.restrict(&f))).components();
        let projected = on_distribution(&system, &space.distributional_field(&f).components());
        prop_assert!(vanishes(&differences(&framed, &projected)));

        let momentum = rattleback_symbolic::dot(&system.momenta(), &h.section(0));
        for g in [space.phase().energy().clone(), s.function(&z), momentum] {
            let x = space.phase().hamiltonian_field(&g);
            let (on_h, on_td) = (space.project_horizontal(&x), space.project_tangent(&x).field);
            let difference = differences(&on_h.components(), &on_td.components());
            prop_assert!(vanishes(&on_distribution(&system, &difference)));
        }
        let c = &space.constraint_functions()[0];
        let x = space.phase().hamiltonian_field(c);
        prop_assert!(field_vanishes(&system, &space.distributional_field(c)));
        let wrong = on_distribution(&system, &space.project_tangent(&x).field.components());
        prop_assert!(rattleback_symbolic::prove_all_zero(&wrong).is_refuted());
    }

    /// ϖ(Y_f, ·) = df on H, det ϖ = det(A)², and only T + V is second order.
    #[test]
    fn the_symplectic_distribution_is_nondegenerate(mut s in seeds()) {
        let system = system(&mut s, 3, 1);
        let h = SymplecticDistribution::of(&system).unwrap();
        let z = values(system.frame().base());
        let v = values(h.velocities());
        let f = s.homogeneous(&z, &v, 2) + s.homogeneous(&z, &v, 1);
        let y = h.field(&f);
        let paired = h.form().transpose().apply(&[y.velocities.clone(), y.rates.clone()].concat());
        let differential: Vec<Expr> = (0..v.len())
            .map(|a| rattleback_symbolic::dot(&h.section(a), &system.frame().differential(&f)))
            .chain(f.gradient(h.velocities()))
            .collect();
        prop_assert!(vanishes(&differences(&paired, &differential)));
        prop_assert!(h.is_second_order(h.energy()).is_proven());
        prop_assert!(h.is_second_order(&(h.energy() + s.function(&z))).is_proven());
        prop_assert!(h.is_second_order(&(h.energy() * Expr::ratio(11, 10))).is_refuted());
    }
}

fn zero_on(system: &rattleback_mechanics::System, m: &Matrix) -> bool {
    vanishes(&on_distribution(system, m.entries()))
}

fn field_vanishes(system: &rattleback_mechanics::System, x: &PhaseField) -> bool {
    vanishes(&on_distribution(system, &x.components()))
}
