//! Constructors of algebroids and principal connections: structure equations and tabulated values.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{
    Action, Distribution, Form, Frame, Group, LieAlgebra, LieGroup, Morphism, PrincipalConnection,
    Side, StructureFunctions, vanish_on,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_all_zero};

fn assert_zero(all: &[Expr], what: &str) {
    let verdict = prove_all_zero(all);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn random_connection(seed: u64, group: Group) -> PrincipalConnection {
    let x = symbols(&["x", "y", "z"]);
    let mut random = Random::new(seed);
    let a = Matrix::new(group.dimension(), 3, |_, _| random.function(&x));
    PrincipalConnection::new(&x, &LieAlgebra::of(group), a)
}

fn fibre(n: usize) -> Vec<Symbol> {
    (0..n).map(|k| Symbol::variable(&format!("y{k}"))).collect()
}

#[test]
fn atiyah_algebroids_satisfy_the_structure_equations() {
    for (seed, group) in [(1, Group::SO3), (2, Group::SE2), (3, Group::R(2))] {
        let connection = random_connection(seed, group);
        let frame = Frame::atiyah(&connection, &fibre(3 + group.dimension()));
        assert!(frame.check_structure(&[]).is_lie_algebroid(), "{group:?}");
        assert_zero(&connection.bianchi_defect(), "Bianchi");
    }
}

/// The sign of the curvature is forced: B = dA + [A, A] is refused.
#[test]
fn the_other_sign_of_the_curvature_breaks_jacobi() {
    let connection = random_connection(4, Group::SO3);
    let good = Frame::atiyah(&connection, &fibre(6));
    let mut structure = good.structure().clone();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (a_i, a_j) = (
            connection.components().column(i),
            connection.components().column(j),
        );
        let bracket = connection.algebra().bracket(&a_i, &a_j);
        for (d, value) in bracket.iter().enumerate() {
            let flipped = structure.get(i, j, 3 + d) - 2 * value;
            structure.set(i, j, 3 + d, flipped);
        }
    }
    let bad = Frame::new(
        good.base().to_vec(),
        fibre(6),
        good.anchor().clone(),
        structure,
    );
    assert!(bad.check_structure(&[]).jacobi.is_refuted());
}

#[test]
fn horizontal_lifts_close_on_minus_the_curvature() {
    for (seed, group) in [(5, Group::SO3), (6, Group::SE2)] {
        let c = random_connection(seed, group);
        let frame = c.trivialized_frame(&fibre(group.dimension()));
        for i in 0..3 {
            for j in 0..3 {
                let bracket = frame.bracket(&c.horizontal_lift(i), &c.horizontal_lift(j));
                let b = c.curvature(i, j);
                let vertical = c.vertical_part(&bracket);
                let sums: Vec<Expr> = vertical.iter().zip(&b).map(|(v, b)| v + b).collect();
                assert_zero(&sums, "B(X, Y) = -A([hor X, hor Y])");
            }
        }
    }
}

#[test]
fn velocities_split_and_come_back() {
    let c = random_connection(7, Group::SO3);
    let velocity: Vec<Expr> = (0..6)
        .map(|k| Symbol::variable(&format!("v{k}")).into())
        .collect();
    let back = c.reconstruct(&c.reduced_velocity(&velocity));
    assert_eq!(back, velocity);
    let horizontal = c.horizontal_part(&velocity);
    assert_zero(&c.vertical_part(&horizontal), "horizontal");
    assert_eq!(c.horizontal_part(&horizontal), horizontal);
}

/// Frames of the Atiyah algebroid and of the trivialised bundle are related by a morphism.
#[test]
fn the_atiyah_algebroid_is_the_trivialised_bundle_in_another_frame() {
    let c = random_connection(8, Group::SE2);
    let (atiyah, plain) = (Frame::atiyah(&c, &fibre(6)), c.trivialized_frame(&fibre(3)));
    let unit = |k: usize| {
        (0..6)
            .map(|j| Expr::from(i64::from(j == k)))
            .collect::<Vec<_>>()
    };
    let columns: Vec<Vec<Expr>> = (0..6).map(|k| c.reconstruct(&unit(k))).collect();
    let map = Matrix::new(6, 6, |i, j| columns[j][i].clone());
    let base: Vec<Expr> = c.base().iter().map(Expr::from).collect();
    let morphism = Morphism::new(&atiyah, &plain, map, &base);
    assert!(morphism.is_morphism(&[]).is_proven());
}

/// AC 4.1, A11 and A12.
#[test]
fn tabulated_atiyah_algebroid() {
    let q = symbols(&["x", "y"]);
    let (x, y) = (Expr::from(&q[0]), Expr::from(&q[1]));
    let a = Matrix::from_rows(&[
        vec![y.clone(), x.sin()],
        vec![x.powi(2), &x * &y],
        vec![Expr::one(), y.clone()],
    ]);
    let connection = PrincipalConnection::new(&q, &LieAlgebra::of(Group::SO3), a);
    let at = [(q[0].clone(), 0.3), (q[1].clone(), -0.7)];
    let expected = [-0.191663510874, -0.505520206661, -0.120403181400];
    for (b, expected) in connection.curvature(0, 1).iter().zip(expected) {
        assert!((b.evaluate(&at).unwrap() - expected).abs() < 1e-11);
    }
    let frame = Frame::atiyah(&connection, &fibre(5));
    for (d, expected) in [0.0, -1.0, 0.09].into_iter().enumerate() {
        let c = frame.structure().get(0, 2, 2 + d);
        assert!((c.evaluate(&at).unwrap() - expected).abs() < 1e-12);
    }
}

/// AC 4.1, A13: the action algebroid of so(3) on R³ with anchor x × e_A.
#[test]
fn tabulated_poisson_bracket() {
    let q = symbols(&["x1", "x2", "x3"]);
    let p = symbols(&["p1", "p2", "p3"]);
    let x: Vec<Expr> = q.iter().map(Expr::from).collect();
    let columns: Vec<Vec<Expr>> = Group::SO3
        .generators()
        .iter()
        .map(|e| e.apply(&x))
        .collect();
    let left = Matrix::new(3, 3, |i, a| columns[a][i].clone());
    let action = Action::new(&LieAlgebra::of(Group::SO3), Side::Left, &q, left);
    let frame = action.algebroid(&fibre(3));
    let [p1, p2, p3] = [0, 1, 2].map(|k| Expr::from(&p[k]));
    let f = &x[0] * &p2 + p3.powi(2);
    let g = &x[2] * &p1 - &p2 * &p3;
    let values = [0.2, -0.4, 0.9, 0.5, 0.1, -0.3];
    let at: Vec<(Symbol, f64)> = q.iter().chain(&p).cloned().zip(values).collect();
    let bracket = frame.poisson_bracket(&p, &f, &g);
    assert!((bracket.evaluate(&at).unwrap() + 0.123).abs() < 1e-12);
    let h = &x[1] * &p3 + &x[0];
    let jacobi = |f: &Expr, g: &Expr, h: &Expr| {
        let inner = frame.poisson_bracket(&p, g, h);
        frame.poisson_bracket(&p, f, &inner)
    };
    assert_zero(
        &[jacobi(&f, &g, &h) + jacobi(&g, &h, &f) + jacobi(&h, &f, &g)],
        "Jacobi",
    );
}

#[test]
fn a_frame_comes_back_from_its_differential() {
    let c = random_connection(9, Group::SE2);
    let frame = Frame::atiyah(&c, &fibre(6));
    let d_base: Vec<Form> = frame
        .base()
        .iter()
        .map(|z| Form::function(&z.into()).differential(&frame))
        .collect();
    let d_dual: Vec<Form> = (0..6).map(|a| Form::dual(a).differential(&frame)).collect();
    let back = Frame::from_differential(frame.base(), frame.fibre(), &d_base, &d_dual);
    assert_eq!(back.anchor(), frame.anchor());
    let entries = |f: &Frame| {
        f.structure()
            .iter()
            .map(|(a, b, d, c)| (a, b, d, c.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(entries(&back), entries(&frame));
    let closed = Form::function(&(Expr::from(&c.base()[0]).sin())).differential(&frame);
    assert!(closed.is_closed(&frame, &[]).is_proven());
}

#[test]
fn foliations_are_algebroids_and_subalgebroids_close() {
    let q = symbols(&["x", "y", "z"]);
    let x: Vec<Expr> = q.iter().map(Expr::from).collect();
    let frame = Frame::coordinates(&q);
    let sphere = Matrix::from_rows(std::slice::from_ref(&x));
    let leaves = Distribution::annihilated_by(&frame, &sphere, &[]).unwrap();
    let foliation = leaves.foliation(&fibre(2)).unwrap().unwrap();
    assert!(foliation.check_structure(&[]).is_lie_algebroid());
    let contact = Matrix::from_rows(&[vec![-&x[1], Expr::zero(), Expr::one()]]);
    let open = Distribution::annihilated_by(&frame, &contact, &[]).unwrap();
    assert!(open.foliation(&fibre(2)).unwrap().is_none());

    // ∂x and ∂y + z ∂x bracket into the plane z = 0 and are tangent to it.
    let sections = [
        vec![Expr::one(), Expr::zero(), Expr::zero()],
        vec![x[2].clone(), Expr::one(), Expr::zero()],
    ];
    let d = Distribution::spanned_by(&frame, &sections, &[]).unwrap();
    let plane = [(q[2].clone(), Expr::zero())];
    assert!(d.is_subalgebroid_over(&[x[2].clone()], &plane).is_proven());
    let tilted = [vec![Expr::one(), Expr::zero(), Expr::one()]];
    let d = Distribution::spanned_by(&frame, &tilted, &[]).unwrap();
    assert!(d.is_subalgebroid_over(&[x[2].clone()], &plane).is_refuted());
}

#[test]
fn skew_algebroids_are_representable_and_told_apart() {
    let structure = StructureFunctions::from_constants(&[(0, 1, 2, 1), (2, 0, 0, 1)]);
    let frame = LieAlgebra::new(3, structure).frame(&fibre(3));
    let check = frame.check_structure(&[]);
    assert!(check.anchor.is_proven() && check.jacobi.is_refuted());
    assert!(!check.is_lie_algebroid());
    assert!(vanish_on(&frame.anchor_defect(), &[]).is_proven());
}
