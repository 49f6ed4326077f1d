//! Restriction to a distribution: (E) on a subframe is what the free equations leave along its sections.

use rattleback_geometry::{Frame, Group, LieGroup, Subframe, Trivialization, vanish_on};
use rattleback_mechanics::engine::{MassForm, euler_lagrange};
use rattleback_mechanics::{Constraints, Form, MechanicsError, Restriction, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};
use rattleback_testing::Random;

/// Small numbers from a seed.
struct Seed(Random);

impl Seed {
    fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn function(&mut self, z: &[Expr]) -> Expr {
        let pick = z[self.below(z.len())].clone();
        let other = z[self.below(z.len())].clone();
        let c = Expr::ratio(self.below(7) as i64 - 3, 2);
        c * match self.below(4) {
            0 => pick.sin(),
            1 => pick * other,
            2 => Expr::one(),
            _ => pick,
        }
    }
}

/// Coordinates and SO(3), in either trivialization.
fn frame(seed: &mut Seed, group: bool) -> (Frame, Vec<(Symbol, Expr)>) {
    let q = ["a", "b", "c"].map(Symbol::variable);
    let mut parts = vec![Frame::coordinates(&q)];
    let mut on = Vec::new();
    if group {
        parts[0] = Frame::coordinates(&q[..1]);
        let entries: Vec<Symbol> = (0..9).map(|i| Symbol::variable(&format!("g{i}"))).collect();
        let w: Vec<Symbol> = (0..3).map(|i| Symbol::variable(&format!("w{i}"))).collect();
        let side = [Trivialization::Body, Trivialization::Space][seed.below(2)];
        parts.push(Group::SO3.frame(&entries, &w, side));
        on = entries
            .into_iter()
            .zip(Group::SO3.parametrization("r"))
            .collect();
    }
    (Frame::direct_sum(&parts), on)
}

fn jets(frame: &Frame, i: u32) -> Vec<Expr> {
    let raised = frame.fibre().iter().map(|y| y.jet(y.order() + i));
    raised.map(Expr::from).collect()
}

/// A Lagrangian of an order whose momenta mix positions, velocities and the highest derivatives.
fn lagrangian(seed: &mut Seed, frame: &Frame, order: u32) -> Expr {
    let z: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
    let (y, top) = (jets(frame, 0), jets(frame, order - 1));
    let squares = Expr::sum(top.iter().map(|a| a * a));
    let mixed: Vec<Expr> = (0..y.len()).map(|_| seed.function(&z)).collect();
    let row: Vec<Expr> = (0..y.len()).map(|_| seed.function(&z)).collect();
    squares / 2 + dot(&mixed, &top) * dot(&row, &y) + seed.function(&z) * &y[0] * &y[1]
}

/// Sections that depend on everything, so that few components can be read off.
fn subframe(seed: &mut Seed, frame: &Frame, rank: usize, kind: u64) -> Subframe {
    let z: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
    let time = Expr::from(Symbol::time());
    let plain = kind.is_multiple_of(2);
    let basis = Matrix::new(frame.rank(), rank, |i, a| {
        match (i == a, i < rank && plain) {
            (true, _) => (1 + i64::from(!plain)).into(),
            (false, true) => Expr::zero(),
            _ if kind > 2 => seed.function(&z) + &time * seed.below(2) as i64,
            _ => seed.function(&z),
        }
    });
    let velocities = (0..rank).map(|a| Symbol::variable(&format!("v{a}")));
    let drift = (0..frame.rank()).map(|_| match kind > 1 {
        true => seed.function(&z) + &time,
        false => Expr::zero(),
    });
    Subframe {
        drift: drift.collect(),
        ..Subframe::spanned(basis, velocities.collect())
    }
}

/// ⟨E(L) − F, e_a⟩ on the jets of V.
fn along_sections(frame: &Frame, d: &Subframe, l: &Expr, order: u32, force: &[Expr]) -> Vec<Expr> {
    let MassForm { mass, bias } = euler_lagrange(frame, l, order, force, &[]);
    let highest = jets(frame, 2 * order - 1);
    let left = mass.apply(&highest);
    let left: Vec<Expr> = left.iter().zip(&bias).map(|(m, b)| m + b).collect();
    let left = substitute_all(&left, &d.jet_pairs(frame, 2 * order));
    (0..d.rank())
        .map(|a| dot(&left, &d.basis.column(a)))
        .collect()
}

#[test]
fn restricted_equations_are_the_free_ones_along_the_sections() {
    for case in 0..20u64 {
        let mut seed = Seed::new(case * 77 + 5);
        let (group, order) = (case % 2 == 1, 1 + (case / 2 % 2) as u32);
        let (frame, on) = frame(&mut seed, group);
        let l = lagrangian(&mut seed, &frame, order);
        let d = subframe(&mut seed, &frame, 2, case % 5);
        let force: Vec<Expr> = jets(&frame, 0);
        let restricted = Restriction::of(&frame, &d, &l, order, &force);
        let MassForm { mass, bias } = restricted.equations();
        let top = d.velocities.iter().map(|v| v.jet(2 * order - 1).into());
        let own = mass.apply(&top.collect::<Vec<Expr>>());
        let expected = along_sections(&frame, &d, &l, order, &force);
        let gaps = (0..2).map(|a| &own[a] + &bias[a] - &expected[a]);
        let gaps: Vec<Expr> = gaps.collect();
        assert!(vanish_on(&gaps, &on).is_proven(), "case {case}");
    }
}

#[test]
fn whole_frames_keep_their_bracket() {
    let (frame, _) = frame(&mut Seed::new(1), true);
    let v = (0..frame.rank()).map(|a| Symbol::variable(&format!("v{a}")));
    let all = Subframe::spanned(Matrix::identity(frame.rank()), v.collect());
    let own = all.frame(&frame);
    for (a, b, d, c) in frame.structure().iter() {
        assert_eq!(&own.structure().get(a, b, d), c);
    }
    assert!(all.losses(&frame).concat().iter().all(Expr::is_zero));
}

/// A particle of order 2 with z' = x y'.
fn spline() -> System {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let l = Expr::sum(q.iter().map(|s| Expr::from(s.jet(2)).powi(2))) / 2;
    let frame = Frame::coordinates(&q);
    let forms = Matrix::from_rows(&[vec![0.into(), -Expr::from(&q[0]), 1.into()]]);
    System::on_frame("spline", frame, Vec::new(), l, 2)
        .with_constraints(Constraints::new(forms, vec![Expr::zero()]))
}

#[test]
fn reactions_of_a_constrained_lagrangian_of_order_two() {
    let system = spline();
    let equations = system
        .equations(Form::LagrangeDAlembert)
        .unwrap()
        .explicit();
    // x'''' = 0, y'''' = −λ x, z'''' = λ with z'''' = x y'''' + 3 x' y''' + 3 x'' y'' + x''' y'.
    let q = ["x", "y"].map(Symbol::variable);
    let [x, y] = [0, 1].map(|i| move |k: u32| Expr::from(q_jet(i, k)));
    let pull = x(1) * y(3) * 3 + x(2) * y(2) * 3 + x(3) * y(1);
    let expected = [Expr::zero(), -(&pull * x(0)) / (x(0).powi(2) + 1)];
    for (s, value) in q.iter().zip(expected) {
        let rate = equations.rate(&s.jet(3)).unwrap();
        assert!(
            system.prove_zero(&[rate - value]).is_proven(),
            "{s}: {rate}"
        );
    }
    let refused = system.equations(Form::Hamiltonian);
    assert!(matches!(
        refused,
        Err(MechanicsError::HigherOrder { order: 2, .. })
    ));
}

fn q_jet(i: usize, k: u32) -> Symbol {
    Symbol::variable(["x", "y"][i]).jet(k)
}

#[test]
fn the_bordered_hessian_of_the_cart_pole() {
    // AC-A16: its determinant is l² R.
    let q = ["x", "theta"].map(Symbol::variable);
    let [x2, t2] = [0, 1].map(|i: usize| Expr::from(q[i].jet(2)));
    let theta = Expr::from(&q[1]);
    let (m_cart, m, l) = (Expr::one(), Expr::ratio(1, 5), Expr::ratio(1, 2));
    let u = (&m_cart + &m) * &x2 + &m * &l * theta.cos() * &t2
        - &m * &l * theta.sin() * Expr::from(q[1].jet(1)).powi(2);
    let phi = theta.cos() * x2 + &l * t2 - Expr::ratio(981, 100) * theta.sin();
    let system = System::on_frame("cart", Frame::coordinates(&q), Vec::new(), u.powi(2) / 2, 2)
        .with_jet_constraint(phi, 2);
    let det = rattleback_symbolic::determinant(&system.bordered_hessian()).unwrap();
    let value = det.evaluate(&[(q[1].clone(), 0.4)]).unwrap();
    assert!((value - 0.265394631583).abs() < 1e-11, "{value}");
    assert!(system.check_regular().is_ok());
}

/// (E) in an anholonomic frame is ρᵀ times (E) in coordinates, of order 1 and 2 (AC-C32, C34): a principal bundle in
/// its horizontal and vertical directions is such a frame.
#[test]
fn equations_do_not_depend_on_the_frame() {
    for case in 0..6u64 {
        let mut seed = Seed::new(case * 31 + 2);
        let order = 1 + (case % 2) as u32;
        let (frame, _) = frame(&mut seed, false);
        let z: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
        let l = lagrangian(&mut seed, &frame, order);
        let b = Matrix::new(3, 3, |i, a| match i.cmp(&a) {
            std::cmp::Ordering::Equal => Expr::one(),
            std::cmp::Ordering::Greater => seed.function(&z),
            std::cmp::Ordering::Less => Expr::zero(),
        });
        let v: Vec<Symbol> = (0..3).map(|a| Symbol::variable(&format!("v{a}"))).collect();
        let moving = frame.changed(&b, &v, &[]).unwrap();
        let all = Subframe::spanned(b, v.clone());
        let on = l.substitute(&all.jet_pairs(&frame, order));
        let zero = vec![Expr::zero(); 3];
        let MassForm { mass, bias } = euler_lagrange(&moving, &on, order, &zero, &[]);
        let top: Vec<Expr> = v.iter().map(|v| v.jet(2 * order - 1).into()).collect();
        let own = mass.apply(&top);
        let expected = along_sections(&frame, &all, &l, order, &zero);
        let gaps: Vec<Expr> = (0..3).map(|a| &own[a] + &bias[a] - &expected[a]).collect();
        assert!(vanish_on(&gaps, &[]).is_proven(), "case {case}");
    }
}
