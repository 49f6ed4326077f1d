//! Connections on random metrics and frames: torsion, metricity, frame changes, projections.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{Connection, Distribution, Frame, Metric, Projection, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

fn assert_zero(all: &[Expr], what: &str) {
    let verdict = vanish_on(all, &[]);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn differences(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

#[test]
fn levi_civita_is_torsion_free_and_metric_in_any_frame() {
    let q = symbols(&["x", "y", "z"]);
    let y = symbols(&["u", "v", "w"]);
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let frame = Frame::coordinates(&q);
        let b = random.change_of_frame(&q, 3);
        let moving = frame.changed(&b, &y, &[]).unwrap();
        assert_zero(&moving.anchor_defect(), "anchor");
        assert_zero(&moving.jacobi_defect(), "Jacobi");
        let metric = Metric::new(&moving, random.metric(&q, 3), &[]).unwrap();
        assert!(metric.check_inverse(&[]).is_proven());
        let nabla = Connection::levi_civita(&metric);
        assert_zero(&nabla.torsion(), "torsion");
        assert_zero(&nabla.metricity(metric.lower()), "metricity");
    }
}

#[test]
fn covariant_derivatives_do_not_depend_on_the_frame() {
    let q = symbols(&["x", "y", "z"]);
    let y = symbols(&["u", "v", "w"]);
    for seed in 10..14 {
        let mut random = Random::new(seed);
        let frame = Frame::coordinates(&q);
        let b = random.change_of_frame(&q, 3);
        let moving = frame.changed(&b, &y, &[]).unwrap();
        let g = random.metric(&q, 3);
        let there = &(&b.transpose() * &g) * &b;
        let plain = Connection::levi_civita(&Metric::new(&frame, g, &[]).unwrap());
        let turned = Connection::levi_civita(&Metric::new(&moving, there, &[]).unwrap());
        let (x, z) = (random.section(&moving), random.section(&moving));
        let direct = plain.covariant_derivative(&b.apply(&x), &b.apply(&z));
        let carried = b.apply(&turned.covariant_derivative(&x, &z));
        assert_zero(&differences(&direct, &carried), "frame change");
    }
}

#[test]
fn curvature_of_the_sphere_is_that_of_radius_one() {
    let q = symbols(&["theta", "phi"]);
    let sine = Expr::from(&q[0]).sin();
    let g = Matrix::diagonal(&[Expr::one(), sine.powi(2)]);
    let metric = Metric::new(&Frame::coordinates(&q), g, &[]).unwrap();
    let nabla = Connection::levi_civita(&metric);
    // Sectional curvature 1: G(R(∂θ, ∂φ)∂φ, ∂θ) = G_θθ G_φφ.
    let r = nabla.curvature(0, 1, 1);
    let lowered = dot(&metric.flat(&metric.frame().basis(0)), &r);
    assert_zero(&[lowered - sine.powi(2)], "sectional curvature");
}

#[test]
fn curvature_has_its_symmetries() {
    let q = symbols(&["x", "y", "z"]);
    let mut random = Random::new(3);
    let metric = Metric::new(&Frame::coordinates(&q), random.metric(&q, 3), &[]).unwrap();
    let nabla = Connection::levi_civita(&metric);
    let cyclic: Vec<Expr> = (0..3)
        .map(|k| {
            let term = |a: usize, b: usize, d: usize| nabla.curvature(a, b, d)[k].clone();
            term(0, 1, 2) + term(1, 2, 0) + term(2, 0, 1)
        })
        .collect();
    assert_zero(&cyclic, "first Bianchi identity");
    let lowered = |a, b, d, e| metric.flat(&nabla.curvature(a, b, d))[e as usize].clone();
    assert_zero(
        &[
            lowered(0, 1, 0, 1) + lowered(0, 1, 1, 0),
            lowered(0, 1, 1, 2) - lowered(1, 2, 0, 1),
        ],
        "skewness and pair symmetry",
    );
}

/// AC 4.1, A14.
#[test]
fn christoffel_symbols_of_the_two_link_arm() {
    let q = symbols(&["a", "b"]);
    let cos = Expr::from(&q[1]).cos();
    let (m1, m2) = (Expr::one(), Expr::ratio(4, 5));
    let (l1, l2) = (Expr::one(), Expr::ratio(7, 10));
    let both = &m1 * l1.powi(2) + &m2 * (l1.powi(2) + l2.powi(2) + 2 * &l1 * &l2 * &cos);
    let mixed = &m2 * (l2.powi(2) + &l1 * &l2 * &cos);
    let g = Matrix::from_rows(&[vec![both, mixed.clone()], vec![mixed, &m2 * l2.powi(2)]]);
    let metric = Metric::new(&Frame::coordinates(&q), g, &[]).unwrap();
    let nabla = Connection::levi_civita(&metric);
    for ((a, b, d), expected) in [
        ((0, 0, 0), 0.548991380766),
        ((0, 1, 0), 0.251940597715),
        ((0, 0, 1), -2.00291225537),
        ((0, 1, 1), -0.548991380766),
    ] {
        let value = nabla
            .symbol(a, b, d)
            .evaluate(&[(q[1].clone(), -0.6)])
            .unwrap();
        assert!((value - expected).abs() < 1e-11, "Γ^{d}_{a}{b} = {value}");
    }
}

fn random_projection(seed: u64) -> (Vec<Symbol>, Frame, Projection) {
    let q = symbols(&["x", "y", "z", "w"]);
    let mut random = Random::new(seed);
    let frame = Frame::coordinates(&q);
    let sections = vec![
        vec![1.into(), 0.into(), random.function(&q), random.function(&q)],
        vec![0.into(), 1.into(), random.function(&q), random.function(&q)],
    ];
    let d = Distribution::spanned_by(&frame, &sections, &[]).unwrap();
    let metric = Metric::new(&frame, random.metric(&q, 4), &[]).unwrap();
    let projection = Projection::new(&d, &metric).unwrap();
    (symbols(&["u", "v"]), frame, projection)
}

#[test]
fn projectors_are_idempotent_and_symmetric() {
    for seed in 20..24 {
        let (_, _, p) = random_projection(seed);
        let projector = p.projector();
        assert_zero(
            (&(&projector * &projector) - &projector).entries(),
            "P² = P",
        );
        let basis = p.distribution().basis();
        assert_zero((&(&projector * basis) - basis).entries(), "P on D");
        let lowered = p.metric().lower() * &projector;
        assert_zero((&lowered - &lowered.transpose()).entries(), "GP symmetric");
    }
}

#[test]
fn nonholonomic_connection_is_the_projected_levi_civita_connection() {
    for seed in 30..33 {
        let (fibre, _, p) = random_projection(seed);
        let inner = Connection::levi_civita(&p.induced_metric(&fibre).unwrap());
        assert_zero(&inner.torsion(), "torsion of the projected bracket");
        assert_zero(&inner.metricity(p.induced()), "metricity");
        let outer = Connection::levi_civita(p.metric());
        let d = p.distribution();
        for a in 0..2 {
            for b in 0..2 {
                let full = outer.covariant_derivative(&d.section(a), &d.section(b));
                let on_d: Vec<Expr> = (0..2).map(|k| inner.symbol(a, b, k).clone()).collect();
                assert_zero(&differences(&p.components(&full), &on_d), "P∇ = Γ");
            }
        }
    }
}

/// HJ-C09: for the sleigh the projected bracket is -κ ∂θ and the anchor defect is (1 - P)[v, ∂θ].
#[test]
fn sleigh_fails_to_be_an_algebroid_by_the_known_amount() {
    let q = symbols(&["x", "y", "theta"]);
    let theta = Expr::from(&q[2]);
    let [m, j, a] = ["M", "J", "a"].map(|n| Expr::from(Symbol::constant(n)));
    let (o, c, s) = (Expr::zero(), theta.cos(), theta.sin());
    let frame = Frame::coordinates(&q);
    let forms = Matrix::from_rows(&[vec![s.clone(), -&c, o.clone()]]);
    let d = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
    let g = Matrix::from_rows(&[
        vec![m.clone(), o.clone(), -&m * &a * &s],
        vec![o, m.clone(), &m * &a * &c],
        vec![-&m * &a * &s, &m * &a * &c, &j + &m * a.powi(2)],
    ]);
    let metric = Metric::new(&frame, g, &[]).unwrap();
    let p = Projection::new(&d, &metric).unwrap();
    let kappa = &a * &m / (&j + &m * a.powi(2));
    let inner = p.frame(&symbols(&["v", "w"]));
    let bracket = inner.structure();
    assert_zero(
        &[bracket.get(0, 1, 0), bracket.get(0, 1, 1) + &kappa],
        "P[v, ∂θ]",
    );
    // [v, ∂θ] = (sin θ, -cos θ, 0); with P[v, ∂θ] = -κ ∂θ the rest is (sin θ, -cos θ, κ).
    assert_zero(
        &differences(&inner.anchor_defect(), &[s, -c, kappa]),
        "anchor defect",
    );
}
