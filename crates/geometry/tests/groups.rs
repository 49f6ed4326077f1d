//! Lie algebras, groups and their actions: identities proven on the groups, and tabulated values.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{
    Action, ChartError, DirectProduct, Group, LieAlgebra, LieGroup, MatrixGroup, MatrixGroupError,
    ProductGroup, Side, StructureFunctions, Trivialization, is_invariant_under, vanish_on,
};
use rattleback_lie::Retraction;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, prove_all_zero};

fn differences(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

fn assert_zero(all: &[Expr], what: &str) {
    let verdict = prove_all_zero(all);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn decimals(text: &[&str]) -> Vec<Expr> {
    text.iter()
        .map(|t| t.parse::<rattleback_symbolic::Rational>().unwrap().into())
        .collect()
}

fn assert_values(all: &[Expr], expected: &[f64]) {
    for (e, x) in all.iter().zip(expected) {
        let value = e.evaluate(&[]).unwrap();
        assert!((value - x).abs() < 2e-11, "{value} is not {x}");
    }
}

fn vector(name: &str, n: usize) -> Vec<Expr> {
    (1..=n)
        .map(|k| Symbol::variable(&format!("{name}{k}")).into())
        .collect()
}

#[test]
fn group_laws_hold_on_the_group() {
    for group in Group::ALL {
        let [g, h, k] = ["g", "h", "k"].map(|name| group.parametrization(name));
        let left = group.product(&group.product(&g, &h), &k);
        let right = group.product(&g, &group.product(&h, &k));
        assert_zero(&differences(&left, &right), "associativity");
        let one = group.product(&g, &group.inverse(&g));
        assert_zero(&differences(&one, &group.identity()), "inverse");
        assert_zero(&group.relations(&group.product(&g, &h)), "closure");
    }
}

#[test]
fn adjoint_maps_represent_the_group() {
    for group in Group::ALL {
        let (g, h) = (group.parametrization("g"), group.parametrization("h"));
        let product = group.adjoint_matrix(&group.product(&g, &h));
        let composed = &group.adjoint_matrix(&g) * &group.adjoint_matrix(&h);
        assert_zero((&product - &composed).entries(), "Ad_gh = Ad_g Ad_h");
        let algebra = LieAlgebra::of(group);
        let (x, y) = (
            vector("x", group.dimension()),
            vector("y", group.dimension()),
        );
        let ad = group.adjoint_matrix(&g);
        let dual = group.coadjoint(&g, &x);
        assert_zero(
            &differences(&dual, &ad.transpose().apply(&x)),
            "Ad* is dual to Ad",
        );
        let outside = ad.apply(&algebra.bracket(&x, &y));
        let inside = algebra.bracket(&ad.apply(&x), &ad.apply(&y));
        assert_zero(&differences(&outside, &inside), "Ad is an automorphism");
        let lowered = group.ad_star(&x, &y);
        assert_zero(&differences(&lowered, &algebra.ad_star(&x, &y)), "ad*");
    }
}

/// d/dt Ad_g η = Ad_g [ξ, η] and d/dt Ad*_g μ = ad*_ξ Ad*_g μ along g' = g ξ.
#[test]
fn adjoint_maps_have_their_derivatives() {
    for group in Group::ALL {
        let n = group.dimension();
        let entries: Vec<Symbol> = (0..group.coordinates())
            .map(|k| Symbol::variable(&format!("g_{k}")))
            .collect();
        let velocity: Vec<Symbol> = (0..n).map(|k| Symbol::variable(&format!("v{k}"))).collect();
        let frame = group.frame(&entries, &velocity, Trivialization::Body);
        let on: Vec<_> = entries
            .iter()
            .cloned()
            .zip(group.parametrization("g"))
            .collect();
        let (g, x) = (group.element(&entries), frame.velocity());
        let algebra = LieAlgebra::of(group);
        let (eta, mu) = (vector("eta", n), vector("mu", n));
        let fixed = |e: &Expr| frame.act(&x, std::slice::from_ref(e)).swap_remove(0);
        let rates: Vec<Expr> = group
            .adjoint_matrix(&g)
            .apply(&eta)
            .iter()
            .map(fixed)
            .collect();
        let expected = group.adjoint_matrix(&g).apply(&algebra.bracket(&x, &eta));
        assert!(
            vanish_on(&differences(&rates, &expected), &on).is_proven(),
            "{group:?}"
        );
        let rates: Vec<Expr> = group.coadjoint(&g, &mu).iter().map(fixed).collect();
        let expected = algebra.ad_star(&x, &group.coadjoint(&g, &mu));
        assert!(
            vanish_on(&differences(&rates, &expected), &on).is_proven(),
            "{group:?}"
        );
    }
}

#[test]
fn velocities_are_read_from_the_anchor() {
    for group in Group::ALL {
        let g = group.parametrization("g");
        let x = vector("x", group.dimension());
        let body = group.anchor(&g, Trivialization::Body).apply(&x);
        assert_zero(
            &differences(&group.velocity(Trivialization::Body, &g, &body), &x),
            "body",
        );
        let space = group.anchor(&g, Trivialization::Space).apply(&x);
        assert_zero(
            &differences(&group.velocity(Trivialization::Space, &g, &space), &x),
            "space",
        );
        let moved =
            group
                .adjoint_matrix(&g)
                .apply(&group.velocity(Trivialization::Body, &g, &space));
        assert_zero(&differences(&moved, &x), "space = Ad body");
    }
}

#[test]
fn exponentials_are_one_parameter_groups() {
    let t = Symbol::variable("t0");
    for group in Group::ALL {
        let x = vector("x", group.dimension());
        let at = |s: &Expr| group.exp(&x.iter().map(|x| x * s).collect::<Vec<_>>());
        let along = at(&Expr::from(&t));
        assert_zero(&group.relations(&along), "in the group");
        let rates: Vec<Expr> = along.iter().map(|e| e.diff(&t)).collect();
        let expected = group.anchor(&along, Trivialization::Body).apply(&x);
        assert_zero(&differences(&rates, &expected), "g' = g ξ");
        assert_eq!(
            group.exp(&vec![Expr::zero(); group.dimension()]),
            group.identity()
        );
    }
}

#[test]
fn logarithms_invert_exponentials() {
    let mut random = Random::new(7);
    for group in Group::ALL {
        for _ in 0..5 {
            let x: Vec<Expr> = (0..group.dimension())
                .map(|_| Expr::ratio(random.integer(), 3))
                .collect();
            let back = group.log(&group.exp(&x)).unwrap();
            for (e, x) in back.iter().zip(&x) {
                let (value, expected) = (e.evaluate(&[]).unwrap(), x.evaluate(&[]).unwrap());
                assert!(
                    (value - expected).abs() < 1e-9,
                    "{group:?}: {value} is not {expected}"
                );
            }
        }
    }
    let half_turn: Vec<Expr> = [-1, 0, 0, 0, -1, 0, 0, 0, 1].map(Expr::from).to_vec();
    assert_eq!(Group::SO3.log(&half_turn), Err(ChartError::Multivalued));
}

/// AC 4.1, A1 to A6.
#[test]
fn tabulated_values_of_the_groups() {
    let mu = decimals(&["0.5", "-0.3", "0.8"]);
    let xi = decimals(&["0.7", "1", "-0.5"]);
    let so3 = LieAlgebra::of(Group::SO3).ad_star(&xi, &mu);
    assert_eq!(so3, decimals(&["-0.65", "0.81", "0.71"]));
    let se2 = LieAlgebra::of(Group::SE2).ad_star(&xi, &mu);
    assert_eq!(se2, decimals(&["-0.65", "0.56", "0.21"]));
    let g = Group::SE2.exp(&xi);
    assert_values(
        &[g[2].clone(), g[5].clone()],
        &[1.08828084799, -0.124215758433],
    );
    let b = decimals(&["0.2", "-0.6", "1.1"]);
    assert_values(
        &Group::SE2.adjoint_matrix(&g).apply(&b),
        &[0.2, -1.19238792002, 0.237139624072],
    );
    let w = decimals(&["0.3", "-0.5", "0.8"]);
    let rotations = MatrixGroup::generated_by(Group::SO3.generators()).unwrap();
    let cayley = rotations.cayley(&w).unwrap();
    assert_values(
        cayley.row(0),
        &[0.642570281124, -0.702811244980, -0.305220883534],
    );
    let exponential = Group::SO3.exp(&w);
    assert_values(
        &exponential[..3],
        &[0.590175056325, -0.744660239602, -0.311728295873],
    );
}

#[test]
fn structure_constants_are_commutators_of_generators() {
    for group in [Group::SO2, Group::SO3, Group::SE2, Group::SE3] {
        let computed = MatrixGroup::generated_by(group.generators()).unwrap();
        for a in 0..group.dimension() {
            for b in 0..group.dimension() {
                for d in 0..group.dimension() {
                    let expected = group.structure().get(a, b, d);
                    assert_eq!(computed.algebra().structure().get(a, b, d), expected);
                }
            }
        }
    }
    let not_closed = Group::SO3.generators()[..2].to_vec();
    let refused = MatrixGroup::generated_by(not_closed);
    assert!(matches!(refused, Err(MatrixGroupError::NotClosed(0, 1))));
}

#[test]
fn quadratic_groups_keep_their_form() {
    let lorentz = Matrix::diagonal(&[-1, 1, 1, 1].map(Expr::from));
    let symplectic = Matrix::from_rows(&[vec![0.into(), 1.into()], vec![(-1).into(), 0.into()]]);
    for (form, dimension) in [(lorentz, 6), (symplectic, 3), (Matrix::identity(4), 6)] {
        let group = MatrixGroup::preserving(&form).unwrap();
        assert_eq!(group.generators().len(), dimension);
        assert!(group.algebra().check_jacobi().is_proven());
        let y = group.cayley(&vector("x", dimension)).unwrap();
        let moved = &(&y.transpose() * &form) * &y;
        assert_zero((&moved - &form).entries(), "Y^T P Y = P");
    }
    let linear = MatrixGroup::general_linear(2).unwrap();
    let entries = symbols(&["a", "b", "c", "d"]);
    let frame = linear.frame(
        &entries,
        &symbols(&["p", "q", "r", "s"]),
        Trivialization::Space,
    );
    assert!(frame.check_structure(&[]).is_lie_algebroid());
}

#[test]
fn products_work_by_factors() {
    let product = DirectProduct::new(&[Group::SE2, Group::SO2, Group::R(2)]);
    let g: Vec<Expr> = product
        .factors()
        .iter()
        .enumerate()
        .flat_map(|(k, f)| f.parametrization(&format!("g{k}")))
        .collect();
    let one = product.product(&g, &product.inverse(&g));
    assert_zero(&differences(&one, &product.identity()), "inverse");
    let algebra = product.algebra();
    assert_eq!((product.dimension(), product.coordinates()), (6, 15));
    assert!(algebra.check_jacobi().is_proven());
    let (x, y) = (vector("x", 6), vector("y", 6));
    let ad = product.adjoint_matrix(&g);
    let outside = ad.apply(&algebra.bracket(&x, &y));
    let inside = algebra.bracket(&ad.apply(&x), &ad.apply(&y));
    assert_zero(&differences(&outside, &inside), "automorphism");
    let numbers: Vec<Expr> = (1..=6).map(|k| Expr::ratio(k, 5)).collect();
    let back = product
        .unretract(
            Retraction::Exponential,
            &product.retract(Retraction::Exponential, &numbers),
        )
        .unwrap();
    assert_values(&back, &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2]);
}

#[test]
fn subalgebras_ideals_and_quotients() {
    let se3 = LieAlgebra::of(Group::SE3);
    let rotations: Vec<_> = (0..3).map(|a| se3.basis(a)).collect();
    let translations: Vec<_> = (3..6).map(|a| se3.basis(a)).collect();
    assert!(se3.is_subalgebra(&rotations).unwrap().is_proven());
    assert!(se3.is_ideal(&rotations).unwrap().is_refuted());
    assert!(se3.is_ideal(&translations).unwrap().is_proven());
    assert!(se3.is_subalgebra(&rotations[..2]).unwrap().is_refuted());
    assert!(se3.quotient(&rotations).unwrap().is_none());
    let (quotient, classes) = se3.quotient(&translations).unwrap().unwrap();
    assert_eq!(classes, [0, 1, 2]);
    for (a, b, d, c) in LieAlgebra::of(Group::SO3).structure().iter() {
        assert_eq!(&quotient.structure().get(a, b, d), c);
    }
}

#[test]
fn derivations_and_their_generators() {
    let so3 = LieAlgebra::of(Group::SO3);
    let x = vector("x", 3);
    let ad = so3.ad(&x);
    assert_zero(&so3.derivation_defect(&ad), "ad is a derivation");
    assert_zero(
        &differences(&so3.inner_generator(&ad).unwrap(), &x),
        "inner",
    );
    assert!(so3.inner_generator(&Matrix::identity(3)).is_none());
    // Scaling the translations of the plane is an outer derivation of se(2).
    let se2 = LieAlgebra::of(Group::SE2);
    let scaling = Matrix::diagonal(&[0, 1, 1].map(Expr::from));
    assert_zero(&se2.derivation_defect(&scaling), "scaling is a derivation");
    assert!(se2.inner_generator(&scaling).is_none());
    assert_eq!(
        so3.killing_form(),
        Matrix::diagonal(&[-2, -2, -2].map(Expr::from))
    );
    assert_zero(&se2.modular_character(), "unimodular");
}

#[test]
fn a_broken_algebra_is_refuted() {
    let structure = StructureFunctions::from_constants(&[(0, 1, 2, 1), (2, 0, 0, 1)]);
    let verdict = LieAlgebra::new(3, structure).check_jacobi();
    assert!(matches!(verdict, Verdict::Refuted { .. }));
}

#[test]
fn actions_lift_and_conserve() {
    let q = symbols(&["x", "y", "z"]);
    let p = symbols(&["px", "py", "pz"]);
    let v = symbols(&["vx", "vy", "vz"]);
    let position: Vec<Expr> = q.iter().map(Expr::from).collect();
    // ξ × q is a left action of so(3).
    let columns: Vec<Vec<Expr>> = Group::SO3
        .generators()
        .iter()
        .map(|e| e.apply(&position))
        .collect();
    let rotation = Matrix::new(3, 3, |i, a| columns[a][i].clone());
    let so3 = LieAlgebra::of(Group::SO3);
    let action = Action::new(&so3, Side::Left, &q, rotation.clone());
    assert_zero(&action.defect(), "left action");
    let wrong = Action::new(&so3, Side::Right, &q, rotation);
    assert!(prove_all_zero(&wrong.defect()).is_refuted());
    assert!(action.algebroid(&p).check_structure(&[]).is_lie_algebroid());

    let momenta: Vec<Expr> = p.iter().map(Expr::from).collect();
    let lifted = action.cotangent_lift(&p);
    assert_zero(&lifted.defect(), "the lift is an action");
    let square = |e: &[Expr]| Expr::sum(e.iter().map(|x| x * x));
    let hamiltonian = square(&momenta) / 2 + square(&position).sqrt().recip();
    assert!(lifted.is_invariant(&hamiltonian, &[]).is_proven());
    // The lifted fields are Hamiltonian with the momentum map: q' = ∂J/∂p, p' = -∂J/∂q.
    for (a, j) in action.momentum_map(&momenta).iter().enumerate() {
        let field = lifted.generators().column(a);
        let up = j.gradient(&p);
        let down: Vec<Expr> = j.gradient(&q).iter().map(|e| -e).collect();
        assert_zero(&differences(&field, &[up, down].concat()), "momentum map");
    }
    let tangent = action.tangent_lift(&v);
    assert_zero(&tangent.defect(), "the tangent lift is an action");
    let velocity: Vec<Expr> = v.iter().map(Expr::from).collect();
    assert!(tangent.is_invariant(&square(&velocity), &[]).is_proven());
    let turned: Vec<_> = q
        .iter()
        .cloned()
        .zip([position[1].clone(), -&position[0], position[2].clone()])
        .collect();
    assert!(is_invariant_under(&square(&position), &turned, &[]).is_proven());
    assert!(is_invariant_under(&position[0], &turned, &[]).is_refuted());
}

/// Left and right multiplication commute, and space fields generate the left action.
#[test]
fn translations_of_a_group_are_actions_on_it() {
    let entries: Vec<Symbol> = (1..=9)
        .map(|k| Symbol::variable(&format!("R{k}")))
        .collect();
    let element = Group::SO3.element(&entries);
    let so3 = LieAlgebra::of(Group::SO3);
    let left = Group::SO3.anchor(&element, Trivialization::Space);
    let right = Group::SO3.anchor(&element, Trivialization::Body);
    assert_zero(
        &Action::new(&so3, Side::Left, &entries, left).defect(),
        "left translation",
    );
    assert_zero(
        &Action::new(&so3, Side::Right, &entries, right).defect(),
        "right translation",
    );
}
