//! Ehresmann connections: projections, curvature in both signs, holonomic parts.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{Distribution, Ehresmann, EhresmannError, Form, Frame, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Sign, Symbol, prove_all_zero};

fn assert_zero(all: &[Expr], what: &str) {
    let verdict = prove_all_zero(all);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn random_connection(seed: u64) -> (Vec<Symbol>, Ehresmann) {
    let q = symbols(&["r1", "r2", "r3", "s1", "s2"]);
    let mut random = Random::new(seed);
    let forms = Matrix::new(2, 5, |i, j| match j {
        0..3 => random.function(&q),
        _ => i64::from(j == 3 + i).into(),
    });
    let connection = Ehresmann::new(&Frame::coordinates(&q), &forms, &[3, 4], &[]).unwrap();
    assert_eq!(connection.forms(), forms);
    (q, connection)
}

#[test]
fn projections_are_idempotent_and_complementary() {
    let (_, c) = random_connection(1);
    let v: Vec<Expr> = (0..5)
        .map(|k| Symbol::variable(&format!("v{k}")).into())
        .collect();
    let horizontal = c.horizontal_projection(&v);
    assert_zero(&c.vertical(&horizontal), "W hor = 0");
    let again = c.horizontal_projection(&horizontal);
    let twice: Vec<Expr> = again.iter().zip(&horizontal).map(|(a, b)| a - b).collect();
    assert_zero(&twice, "hor² = hor");
    let vertical = c.vertical_projection(&v);
    let whole: Vec<Expr> = (0..5)
        .map(|k| &horizontal[k] + &vertical[k] - &v[k])
        .collect();
    assert_zero(&whole, "hor + ver = 1");
    assert_eq!(c.reconstruct(&c.base_velocity(&horizontal)).len(), 5);
    let back = c.reconstruct(&c.base_velocity(&v));
    let same: Vec<Expr> = back.iter().zip(&horizontal).map(|(a, b)| a - b).collect();
    assert_zero(&same, "reconstruction is the horizontal part");
}

/// VE (1.4) in coordinates, and B = dω(hor, hor) in ours.
#[test]
fn curvature_has_its_coordinate_formula_and_its_sign() {
    for seed in 2..5 {
        let (q, c) = random_connection(seed);
        let frame = Frame::coordinates(&q);
        let a = c.components();
        for alpha in 0..3 {
            for beta in 0..3 {
                let local = (0..2).map(|b| {
                    let fibre = (0..2).map(|k| {
                        &a[(k, alpha)] * a[(b, beta)].diff(&q[3 + k])
                            - &a[(k, beta)] * a[(b, alpha)].diff(&q[3 + k])
                    });
                    a[(b, alpha)].diff(&q[beta]) - a[(b, beta)].diff(&q[alpha]) + Expr::sum(fibre)
                });
                let theirs = c.bracket_curvature(alpha, beta);
                let defect: Vec<Expr> = local.zip(&theirs).map(|(x, y)| x - y).collect();
                assert_zero(&defect, "VE (1.4)");
                let ours = c.curvature(alpha, beta);
                for b in 0..2 {
                    let omega = Form::covector(c.forms().row(b));
                    let value = omega
                        .differential(&frame)
                        .evaluate(&[c.lift(alpha), c.lift(beta)]);
                    assert_zero(&[value - &ours[b], &ours[b] + &theirs[b]], "B = dω");
                }
            }
        }
    }
}

#[test]
fn flatness_is_involutivity() {
    for seed in 5..8 {
        let (q, c) = random_connection(seed);
        let d = Distribution::annihilated_by(&Frame::coordinates(&q), &c.forms(), &[]).unwrap();
        assert_eq!(d.is_involutive().is_proven(), c.is_flat().is_proven());
    }
    let q = symbols(&["x", "y", "z"]);
    let g = Expr::from(&q[0]).sin() * Expr::from(&q[1]) - Expr::from(&q[2]);
    let exact = Matrix::from_rows(&[g.gradient(&q)]);
    let c = Ehresmann::new(&Frame::coordinates(&q), &exact, &[2], &[]).unwrap();
    assert!(c.is_flat().is_proven());
}

/// The two-wheeled carriage: the difference of the wheels' angles is holonomic (VE-C03, 2.3).
#[test]
fn the_carriage_has_one_holonomic_component() {
    let q = symbols(&["psi1", "theta", "x", "y", "psi2"]);
    let theta = Expr::from(&q[1]);
    let [r, w] = ["R", "w"].map(|n| Expr::from(Symbol::constant(n).with_sign(Sign::Positive)));
    let o = Expr::zero();
    let forms = Matrix::from_rows(&[
        vec![o.clone(), o.clone(), theta.sin(), -theta.cos(), o.clone()],
        vec![-&r, o.clone(), theta.cos(), theta.sin(), o.clone()],
        vec![o.clone(), -&w, o.clone(), o.clone(), r.clone()],
    ]);
    let c = Ehresmann::new(&Frame::coordinates(&q), &forms, &[2, 3, 4], &[]).unwrap();
    assert!(c.condition().is_none());
    assert!(vanish_on(&[&c.components()[(0, 0)] + &r * theta.cos()], &[]).is_proven());
    assert!(vanish_on(&[&c.components()[(2, 1)] + &w / &r], &[]).is_proven());
    assert!(vanish_on(&[c.curvature(0, 1)[2].clone()], &[]).is_proven());
    assert!(c.is_flat().is_refuted());
}

/// x' = u_1', y' = 2 u_1' + …: curvatures that are proportional by a parameter.
#[test]
fn proportional_curvatures_leave_a_constant_combination() {
    let q = symbols(&["a", "b", "s", "t"]);
    let k = Expr::from(Symbol::constant("k"));
    let (a, b) = (Expr::from(&q[0]), Expr::from(&q[1]));
    let o = Expr::zero();
    let area = &a * b.cos();
    let forms = Matrix::from_rows(&[
        vec![o.clone(), area.clone(), 1.into(), o.clone()],
        vec![b.clone(), &a + &k * &area, o, 1.into()],
    ]);
    let c = Ehresmann::new(&Frame::coordinates(&q), &forms, &[2, 3], &[]).unwrap();
    let b = c.curvature(0, 1);
    assert_zero(&[&b[1] - &k * &b[0]], "c = (-k, 1)");
}

#[test]
fn chart_singularities_and_bad_choices_are_reported() {
    let q = symbols(&["x", "y", "phi"]);
    let phi = Expr::from(&q[2]);
    let frame = Frame::coordinates(&q);
    let knife = Matrix::from_rows(&[vec![phi.sin(), -phi.cos(), Expr::zero()]]);
    let c = Ehresmann::new(&frame, &knife, &[1], &[]).unwrap();
    let condition = c.condition().unwrap();
    assert!(vanish_on(&[condition.powi(2) - phi.cos().powi(2)], &[]).is_proven());
    let refuse = |fibre: &[usize]| Ehresmann::new(&frame, &knife, fibre, &[]).unwrap_err();
    assert_eq!(refuse(&[2]), EhresmannError::Vertical);
    assert_eq!(
        refuse(&[0, 1]),
        EhresmannError::FibreSize { forms: 1, fibre: 2 }
    );
    assert_eq!(refuse(&[7]), EhresmannError::FibreIndex(7));
}
