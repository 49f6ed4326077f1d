//! What must not matter: frames, rescaled constraints, coordinates; and what must: the metric off D
//! (NG-D1, L1; HJ section H 6, 7; VE-C29).

use crate::random::{
    Seeds, constrained, coordinates, differences, few, forms, lagrangian, on_distribution, seeds,
    system, values, vanishes,
};
use proptest::prelude::*;
use rattleback_geometry::{Frame, StructureFunctions};
use rattleback_mechanics::phase::{
    ConstrainedPhaseSpace, SymplecticDistribution, lagrange_derivative,
};
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// A frame of D with another basis: columns times an invertible matrix of functions.
fn reframed(seeds: &mut Seeds, system: &System) -> System {
    let z = values(system.frame().base());
    let basis = system.sections().unwrap().basis.clone();
    let k = basis.cols();
    let g = Matrix::new(k, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => seeds.function(&z),
        std::cmp::Ordering::Equal => 2 + z[0].sin(),
        std::cmp::Ordering::Greater => Expr::zero(),
    });
    let turned = &basis * &g;
    let fields = (0..k).map(|a| NamedSection {
        name: format!("Z{a}"),
        components: turned.column(a),
    });
    system.clone().with_frame_fields(fields.collect())
}

proptest! {
    #![proptest_config(few())]

    /// Another frame of D: the same motion.
    #[test]
    fn frames_do_not_matter(mut s in seeds(), m in 1usize..3) {
        let first = system(&mut s, 3, m);
        let second = reframed(&mut s, &first);
        let fields = [&first, &second].map(|system| {
            let h = SymplecticDistribution::of(system).unwrap();
            (h.ambient(&h.field(h.energy())).fibre, h)
        });
        // v of the first frame as functions of v of the second: both give one ambient velocity.
        let [(a, h1), (b, h2)] = fields;
        let (z1, z2) = (&h1.sections().basis, &h2.sections().basis);
        let gram = &z1.transpose() * z1;
        let rhs = z1.transpose().apply(&z2.apply(&values(h2.velocities())));
        let v = rattleback_symbolic::solve(&gram, &Matrix::column_vector(&rhs)).unwrap().solution.column(0);
        let pairs: Vec<(Symbol, Expr)> = h1.velocities().iter().cloned().zip(v).collect();
        prop_assert!(vanishes(&differences(&substitute_all(&a, &pairs), &b)));
    }

    /// φ → Cφ: the same motion, λ → C^{−T} λ.
    #[test]
    fn rescaled_constraints_only_rescale_multipliers(mut s in seeds()) {
        let q = coordinates(3);
        let z = values(&q);
        let l = lagrangian(&mut s, &q);
        let phi = forms(&mut s, &q, 2);
        let c = Matrix::from_rows(&[
            vec![2 + z[0].sin(), s.function(&z)],
            vec![Expr::zero(), 3 + z[1].cos()],
        ]);
        let first = constrained(&l, &q, phi.clone());
        let second = constrained(&l, &q, &c * &phi);
        let project = |system: &System| {
            let space = ConstrainedPhaseSpace::of(system).unwrap();
            space.project_tangent(&space.phase().hamiltonian_field(space.phase().energy()))
        };
        let (a, b) = (project(&first), project(&second));
        let field = differences(&a.field.components(), &b.field.components());
        prop_assert!(vanishes(&on_distribution(&first, &field)));
        let pulled = c.transpose().apply(&b.multipliers);
        prop_assert!(vanishes(&on_distribution(&first, &differences(&pulled, &a.multipliers))));
    }

    /// δ(ℓ∘Tf) = (Df)ᵀ δℓ for any Lagrangian and any map z = f(s).
    #[test]
    fn the_lagrange_derivative_is_natural(mut s in seeds()) {
        let q = coordinates(2);
        let (z, v) = (values(&q), q.iter().map(|s| Expr::from(s.derivative())).collect::<Vec<_>>());
        let l = s.homogeneous(&z, &v, 3) + s.homogeneous(&z, &v, 2) + s.homogeneous(&z, &v, 1) + s.function(&z);
        let x: Vec<Symbol> = ["s1", "s2"].map(Symbol::variable).to_vec();
        let map: Vec<Expr> = (0..2).map(|i| Expr::from(&x[i]) * 2 + s.function(&values(&x))).collect();
        let pull = |e: &Expr| {
            let mut pairs: Vec<(Symbol, Expr)> = q.iter().cloned().zip(map.iter().cloned()).collect();
            for order in 1..=2 {
                let jets: Vec<Expr> = pairs[(order - 1) * 2..].iter().map(|(_, e)| e.total_derivative()).collect();
                pairs.extend(q.iter().map(|s| s.jet(order as u32)).zip(jets));
            }
            e.substitute(&pairs)
        };
        let upstairs = lagrange_derivative(&Frame::coordinates(&x), &pull(&l));
        let downstairs: Vec<Expr> = lagrange_derivative(&Frame::coordinates(&q), &l).iter().map(pull).collect();
        let jacobian = Matrix::new(2, 2, |i, j| map[j].diff(&x[i]));
        prop_assert!(vanishes(&differences(&upstairs, &jacobian.apply(&downstairs))));
    }

    /// On an anholonomic frame the derivative is ρᵀ times that in coordinates (AC property 2).
    #[test]
    fn the_lagrange_derivative_follows_the_frame(mut s in seeds()) {
        let q = coordinates(2);
        let z = values(&q);
        let frame = anholonomic(&mut s, &q);
        let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
        let l = s.homogeneous(&z, &v, 2) + s.homogeneous(&z, &v, 3) + s.function(&z);
        let along: Vec<(Symbol, Expr)> =
            q.iter().map(Symbol::derivative).zip(frame.anchored(&frame.velocity())).collect();
        let framed = lagrange_derivative(&frame, &l.substitute(&along));
        let second: Vec<(Symbol, Expr)> =
            q.iter().map(|s| s.jet(2)).zip(frame.rates(&frame.anchored(&frame.velocity()))).collect();
        let plain = lagrange_derivative(&Frame::coordinates(&q), &l);
        let plain = substitute_all(&substitute_all(&plain, &second), &along);
        prop_assert!(vanishes(&differences(&framed, &frame.anchor().transpose().apply(&plain))));
    }

    /// ℓ + s φ(v)β(v) has the same restriction but another motion: the force −s β(v) i_v dφ. Adding
    /// s φ(v)²/2 changes nothing on D.
    #[test]
    fn the_metric_off_the_constraints_matters(mut s in seeds()) {
        let q = coordinates(3);
        let z = values(&q);
        let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
        let l = lagrangian(&mut s, &q);
        let phi = forms(&mut s, &q, 1);
        let small = Expr::ratio(1, 50);
        let beta = [Expr::one(), s.number() * z[0].sin(), Expr::zero()];
        let (on, off) = (dot(phi.row(0), &v), dot(&beta, &v));
        let first = constrained(&l, &q, phi.clone());
        let mixed = constrained(&(&l + &small * &on * &off), &q, phi.clone());
        let square = constrained(&(&l + &small * on.powi(2) / 2), &q, phi.clone());
        let h = [&first, &mixed, &square].map(|s| SymplecticDistribution::of(s).unwrap());
        prop_assert!(vanishes(&[h[0].lagrangian() - h[1].lagrangian(), h[0].energy() - h[2].energy()]));
        let fields = h.each_ref().map(|h| h.field(h.energy()).rates);
        prop_assert!(vanishes(&differences(&fields[0], &fields[2])));
        // A Δv' = −s β(V) dφ(V, Z_a) = s β(V) φ([V, Z_a]), both in D.
        let change = h[0].metric().apply(&differences(&fields[1], &fields[0]));
        let velocity = h[0].sections().velocity();
        let force: Vec<Expr> = (0..h[0].sections().rank())
            .map(|a| {
                let bracket = first.frame().bracket(&velocity, &h[0].section(a));
                &small * dot(&beta, &velocity) * dot(phi.row(0), &bracket)
            })
            .collect();
        prop_assert!(vanishes(&differences(&change, &force)));
    }
}

/// A frame of the plane that does not commute, with its structure functions.
fn anholonomic(seeds: &mut Seeds, q: &[Symbol]) -> Frame {
    let z = values(q);
    let anchor = Matrix::from_rows(&[
        vec![Expr::one(), seeds.function(&z)],
        vec![Expr::zero(), 2 + z[0].cos()],
    ]);
    let coordinates = Frame::coordinates(q);
    let bracket = coordinates.bracket(&anchor.column(0), &anchor.column(1));
    // ρ C = [ρ_1, ρ_2], and ρ is triangular.
    let second = &bracket[1] / &anchor[(1, 1)];
    let first = &bracket[0] - &anchor[(0, 1)] * &second;
    let mut structure = StructureFunctions::default();
    structure.set(0, 1, 0, first);
    structure.set(0, 1, 1, second);
    let fibre = ["w1", "w2"].map(Symbol::variable).to_vec();
    let frame = Frame::new(q.to_vec(), fibre, anchor, structure);
    assert!(vanishes(&frame.anchor_defect()));
    frame
}
