//! Mechanics on algebroids and of higher order (AC-C16 to C19, C23, C24, C28, C30, C42, C43).

use crate::random::{coordinates, differences, few, seeds, values, vanishes};
use proptest::prelude::*;
use rattleback_geometry::{
    Action, Frame, Group, LieAlgebra, LieGroup, PrincipalConnection, Side, Trivialization,
};
use rattleback_mechanics::engine::{MassForm, energy, euler_lagrange, ostrogradsky_momenta};
use rattleback_mechanics::phase::{CanonicalPhaseSpace, VelocityPhaseSpace};
use rattleback_mechanics::{Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// δL of order k, with the highest jets y^(2k−1).
fn operator(frame: &Frame, l: &Expr, order: u32) -> Vec<Expr> {
    let none = vec![Expr::zero(); frame.rank()];
    let MassForm { mass, bias } = euler_lagrange(frame, l, order, &none, &[]);
    let top: Vec<Expr> = frame
        .fibre()
        .iter()
        .map(|y| y.jet(y.order() + 2 * order - 1).into())
        .collect();
    mass.apply(&top)
        .iter()
        .zip(&bias)
        .map(|(m, b)| m + b)
        .collect()
}

proptest! {
    #![proptest_config(few())]

    /// dH/dt = −EL·q' for the Ostrogradsky Hamiltonian, orders 1 to 4 (AC property 4), and the
    /// equation is Σ (−1)^l d^l/dt^l L_{q^(l)} (C23).
    #[test]
    fn ostrogradsky_energy_changes_by_the_equations(mut s in seeds(), order in 1u32..5) {
        let q = coordinates(1);
        let jets: Vec<Expr> = (0..=order).map(|k| q[0].jet(k).into()).collect();
        let l = jets[order as usize].powi(2) * (2 + jets[0].sin())
            + s.homogeneous(&jets[..1], &jets, 2)
            + s.function(&jets);
        let frame = Frame::coordinates(&q);
        let equation = operator(&frame, &l, order);
        let mut sum = Expr::zero();
        for k in 0..=order {
            let mut term = l.diff(&q[0].jet(k));
            for _ in 0..k {
                term = term.total_derivative();
            }
            sum = if k % 2 == 0 { sum + term } else { sum - term };
        }
        prop_assert!(vanishes(&[&sum + &equation[0]]));
        let h = energy(&frame, &l, order);
        prop_assert!(vanishes(&[h.total_derivative() - &equation[0] * Expr::from(q[0].derivative())]));
        let p = ostrogradsky_momenta(&frame, &l, order);
        prop_assert_eq!(p.len(), order as usize);
        prop_assert!(vanishes(&[&p[order as usize - 1][0] - l.diff(&q[0].jet(order))]));
    }

    /// Lie-Poisson: on a group the velocity form and the momentum form are one motion (C17, C18, C42).
    #[test]
    fn euler_arnold_is_euler_poincare(mut s in seeds(), which in 0usize..3) {
        let system = body(&mut s, [Group::SO3, Group::SE2, Group::SU2][which]);
        let phase = VelocityPhaseSpace::of(&system).unwrap();
        let canonical = CanonicalPhaseSpace::of(&system).unwrap();
        let motion = phase.hamiltonian_field(phase.energy());
        let flow = canonical.hamiltonian_field(canonical.hamiltonian());
        let back: Vec<(Symbol, Expr)> = canonical.momenta().iter().cloned().zip(system.momenta()).collect();
        prop_assert!(vanishes(&differences(&substitute_all(&flow.base, &back), &motion.base)));
        // p' along the motion.
        let p_rates: Vec<Expr> = system.momenta().iter().map(|p| phase.apply(&motion, p)).collect();
        let flow = substitute_all(&flow.fibre, &back);
        prop_assert!(system.prove_zero(&differences(&flow, &p_rates)).is_proven());
        // g' = g H_α, α' = −L_g*H_g + ad*_{H_α} α: written out with structure constants.
        let alpha = values(canonical.momenta());
        let h_alpha = canonical.hamiltonian().gradient(canonical.momenta());
        let slope = system.frame().differential(canonical.hamiltonian());
        let turned = system.frame().gyroscopic(&h_alpha, &alpha);
        let euler_arnold: Vec<Expr> = turned.iter().zip(&slope).map(|(t, s)| -(t + s)).collect();
        let field = canonical.hamiltonian_field(canonical.hamiltonian()).fibre;
        prop_assert!(vanishes(&differences(&euler_arnold, &field)));
    }

    /// Higher-order Euler-Arnold: with H = Σ⟨α_i, ξ^(i)⟩ − L the Hamilton equations on
    /// G × (k−1)g × kg* are the k-th order Euler-Poincare equations (C28, C43).
    #[test]
    fn higher_order_euler_arnold_is_euler_poincare(mut s in seeds()) {
        let group = Group::SO3;
        let system = body(&mut s, group);
        let frame = system.frame();
        let w = frame.fibre();
        let z = values(frame.base());
        let dw: Vec<Expr> = w.iter().map(|s| s.derivative().into()).collect();
        let l = Expr::sum(dw.iter().enumerate().map(|(i, e)| e.powi(2) * (i as i64 + 1))) / 2
            + s.homogeneous(&z[..3], &frame.velocity(), 2);
        let equation = operator(frame, &l, 2);
        let p = ostrogradsky_momenta(frame, &l, 2);
        // α_0' = −L_g*H_g + ad*_ξ α_0 and α_1' = −H_ξ = L_ξ − α_0, along any curve up to the equation.
        let turned = frame.gyroscopic(&frame.velocity(), &p[0]);
        let slope = frame.differential(&l);
        let rates = frame.rates(&p[0]);
        let defect: Vec<Expr> = (0..3).map(|a| &rates[a] + &turned[a] - &slope[a] - &equation[a]).collect();
        prop_assert!(vanishes(&defect));
        let second = frame.rates(&p[1]);
        let gradient = l.gradient(w);
        let defect: Vec<Expr> = (0..3).map(|a| &second[a] - &gradient[a] + &p[0][a]).collect();
        prop_assert!(vanishes(&defect));
    }

    /// Lagrange-Poincare: on the Atiyah algebroid of U × SO(3) with any connection the equations are
    /// those of the trivialised bundle, orders 1 and 2, and the printed formula with its fix (C19).
    #[test]
    fn lagrange_poincare_is_the_unreduced_motion(mut s in seeds(), order in 1u32..3) {
        let x = coordinates(2);
        let z = values(&x);
        let algebra = LieAlgebra::of(Group::SO3);
        let a = Matrix::new(3, 2, |_, _| s.function(&z));
        let connection = PrincipalConnection::new(&x, &algebra, a);
        let w = ["w1", "w2", "w3"].map(Symbol::variable);
        let bar = ["b1", "b2", "b3"].map(Symbol::variable);
        let whole = connection.trivialized_frame(&w);
        let fibre = [x.iter().map(Symbol::derivative).collect::<Vec<_>>(), bar.to_vec()].concat();
        let atiyah = Frame::atiyah(&connection, &fibre);
        let y = atiyah.velocity();
        let top: Vec<Expr> = fibre.iter().map(|y| y.jet(y.order() + order - 1).into()).collect();
        let l = Expr::sum(top.iter().map(|e| e.powi(2))) / 2 + s.homogeneous(&z, &y, 2) + s.function(&z);
        let reduced = operator(&atiyah, &l, order);

        // ȳ = ξ + A x' and its rates.
        let mut level = connection.reduced_velocity(&whole.velocity());
        let mut along: Vec<(Symbol, Expr)> = Vec::new();
        for k in 0..2 * order {
            along.extend(fibre.iter().map(|y| y.jet(y.order() + k)).zip(level.iter().cloned()));
            level = whole.rates(&level);
        }
        let pulled = substitute_all(&reduced, &along);
        let unreduced = operator(&whole, &l.substitute(&along), order);
        // e_i of the Atiyah frame is the horizontal lift h_i, e_a stays.
        let sections = (0..2).map(|i| connection.horizontal_lift(i)).chain((2..5).map(|k| whole.basis(k)));
        let expected: Vec<Expr> = sections.map(|e| dot(&e, &unreduced)).collect();
        prop_assert!(vanishes(&differences(&pulled, &expected)));

        if order == 1 {
            let (p, pbar) = (l.gradient(&fibre[..2]), l.gradient(&fibre[2..]));
            let (v, vbar) = (&y[..2], &y[2..]);
            let c = |a: usize, b: usize, d: usize| algebra.structure().get(a, b, d);
            let a = connection.components();
            let base = (0..2).map(|j| {
                let turned = (0..3).map(|k| {
                    let bent = (0..2).map(|i| &connection.curvature(i, j)[k] * &v[i]);
                    let mixed = (0..9).map(|n| c(n / 3, n % 3, k) * &a[(n % 3, j)] * &vbar[n / 3]);
                    &pbar[k] * Expr::sum(bent.chain(mixed).collect::<Vec<_>>())
                });
                l.diff(&x[j]) - atiyah.rate(&p[j]) - Expr::sum(turned.collect::<Vec<_>>())
            });
            let body = (0..3).map(|b| {
                let turned = (0..9).map(|n| {
                    let (d, k) = (n / 3, n % 3);
                    let moved = &vbar[d] - dot(a.row(d), v);
                    &pbar[k] * c(d, b, k) * moved
                });
                Expr::sum(turned.collect::<Vec<_>>()) - atiyah.rate(&pbar[b])
            });
            let printed: Vec<Expr> = base.chain(body).map(|e| -e).collect();
            prop_assert!(vanishes(&differences(&printed, &reduced)));
        }
    }

    /// A product M × G of second order splits into the equations of its factors where L does (C30).
    #[test]
    fn second_order_equations_split_on_products(mut s in seeds()) {
        let q = coordinates(1);
        let base = Frame::coordinates(&q);
        let body = body(&mut s, Group::SO3);
        let product = Frame::direct_sum(&[base.clone(), body.frame().clone()]);
        let jets: Vec<Expr> = (0..=2).map(|k| q[0].jet(k).into()).collect();
        let l1 = s.homogeneous(&jets[..1], &jets, 2) + jets[2].powi(2);
        let dw: Vec<Expr> = body.frame().fibre().iter().map(|s| s.derivative().into()).collect();
        let l2 = Expr::sum(dw.iter().map(|e| e.powi(2))) + body.lagrangian();
        let together = operator(&product, &(&l1 + &l2), 2);
        let apart = [operator(&base, &l1, 2), operator(body.frame(), &l2, 2)].concat();
        prop_assert!(vanishes(&differences(&together, &apart)));
        // Coupled: the momentum of a cyclic coordinate is conserved on solutions.
        let coupled = &l1.substitute(&[(q[0].clone(), Expr::zero())]) + &l2 + &jets[1] * dot(&dw, &dw);
        let equation = operator(&product, &coupled, 2);
        let p = ostrogradsky_momenta(&product, &coupled, 2);
        prop_assert!(vanishes(&[product.rate(&p[0][0]) - &equation[0]]));
    }
}

/// ½ I w² − V(g) with random inertia.
fn body(seeds: &mut crate::random::Seeds, group: Group) -> System {
    let n = group.coordinates();
    let entries: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("g{i}"))).collect();
    let w: Vec<Symbol> = (0..group.dimension())
        .map(|i| Symbol::variable(&format!("w{i}")))
        .collect();
    let frame = group.frame(&entries, &w, Trivialization::Body);
    let y = frame.velocity();
    let inertia = Expr::sum(y.iter().map(|e| e.powi(2) * (seeds.next(4) + 1)));
    let twist = (&y[0] + &y[y.len() - 1]).powi(2) / 3;
    let l = (inertia + twist) / 2 - seeds.function(&values(&entries));
    let factor = Factor {
        name: "g".into(),
        group: Some(group),
        trivialization: rattleback_geometry::Trivialization::Body,
        base: 0..n,
        fibre: 0..group.dimension(),
        unit: None,
    };
    System::on_frame("body", frame, vec![factor], l, 1)
}

/// The heavy top on the action algebroid S² × so(3), ρ = Γ × Ω: the equations and Γ·Π (C16).
#[test]
fn the_heavy_top_lives_on_an_action_algebroid() {
    let gamma = ["G1", "G2", "G3"].map(Symbol::variable);
    let g = values(&gamma);
    let w = ["w1", "w2", "w3"].map(Symbol::variable).to_vec();
    // Γ' = Γ × Ω: the action algebroid of the left action Γ ↦ RΓ has anchor −ξ_M = Γ × ξ.
    let columns: Vec<Vec<Expr>> = Group::SO3
        .generators()
        .iter()
        .map(|e| e.apply(&g))
        .collect();
    let generators = Matrix::new(3, 3, |i, a| columns[a][i].clone());
    let algebra = LieAlgebra::of(Group::SO3);
    let frame = Action::new(&algebra, Side::Left, &gamma, generators).algebroid(&w);
    assert!(frame.check_structure(&[]).is_lie_algebroid());
    let y = frame.velocity();
    let inertia = [1i64, 1, 2];
    let k = Expr::from(Symbol::constant("k"));
    let l = Expr::sum(y.iter().zip(inertia).map(|(y, i)| y.powi(2) * i)) / 2 - &k * &g[2];
    let system = System::on_frame("top", frame.clone(), Vec::new(), l, 1);
    let canonical = CanonicalPhaseSpace::of(&system).unwrap();
    let p = values(canonical.momenta());
    assert!(canonical.bracket().is_poisson(&[]).is_proven());
    for casimir in [dot(&g, &g), dot(&g, &p)] {
        assert!(canonical.bracket().is_casimir(&casimir, &[]).is_proven());
    }
    // Π' = Π × Ω + k Γ × e3... with V = k Γ3: the torque is Γ × ∂V = k Γ × e3.
    let flow = canonical.hamiltonian_field(canonical.hamiltonian()).fibre;
    let omega = canonical.velocities();
    let cross = |a: &[Expr], b: &[Expr], i: usize| {
        let (j, l) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[l] - &a[l] * &b[j]
    };
    let torque = [&k * &g[1], -&k * &g[0], Expr::zero()];
    let known: Vec<Expr> = (0..3).map(|i| cross(&p, omega, i) + &torque[i]).collect();
    assert!(vanishes(&differences(&flow, &known)));
}
