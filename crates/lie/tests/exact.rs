//! The same laws as expressions: proven identities, and agreement with doubles at rational points.

mod common;

use common::{GROUPS, assert_near};
use proptest::prelude::*;
use rattleback_lie::{ChartError, Group, Retraction, Trivialization};
use rattleback_symbolic::{Expr, Symbol, prove_all_zero};

fn vector(name: &str, n: usize) -> Vec<Expr> {
    (1..=n)
        .map(|k| Symbol::variable(&format!("{name}{k}")).into())
        .collect()
}

#[track_caller]
fn assert_same(a: &[Expr], b: &[Expr], what: &str) {
    assert_eq!(a.len(), b.len());
    let gaps: Vec<Expr> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    let verdict = prove_all_zero(&gaps);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn values(all: &[Expr]) -> Vec<f64> {
    all.iter().map(|e| e.evaluate(&[]).unwrap()).collect()
}

#[test]
fn cayley_maps_are_proven() {
    for group in GROUPS {
        let n = group.dimension();
        let (x, y) = (vector("x", n), vector("y", n));
        let g = group.cayley(&x);
        assert_same(
            &group.relations(&g),
            &vec![Expr::zero(); group.relations(&g).len()],
            "on the group",
        );
        assert_same(&group.cayley_inverse(&g).unwrap(), &x, "inverse");
        let cay = Retraction::Cayley;
        for side in [Trivialization::Body, Trivialization::Space] {
            // The derivative along y, exactly.
            let rates: Vec<Expr> = g
                .iter()
                .map(|e| {
                    let symbols = x.iter().map(|x| x.as_symbol().unwrap());
                    Expr::sum(symbols.zip(&y).map(|(s, y)| e.diff(s) * y))
                })
                .collect();
            let expected = group.velocity(side, &g, &rates);
            assert_same(&cay.tangent(group, side, &x, &y), &expected, "dcay");
            let back = cay.tangent_inverse(group, side, &x, &expected).unwrap();
            assert_same(&back, &y, "dcay inverse");
        }
    }
}

/// dexp_x y = d exp(x) y · exp(−x), for the groups whose proofs are quick.
#[test]
fn differentials_of_exponentials_are_proven() {
    for group in [
        Group::SO2,
        Group::SE2,
        Group::SO3,
        Group::SU2,
        Group::SE3,
        Group::R(2),
    ] {
        let n = group.dimension();
        let (x, y) = (vector("x", n), vector("y", n));
        let g = group.exp(&x);
        let rates: Vec<Expr> = g
            .iter()
            .map(|e| {
                let symbols = x.iter().map(|x| x.as_symbol().unwrap());
                Expr::sum(symbols.zip(&y).map(|(s, y)| e.diff(s) * y))
            })
            .collect();
        let side = Trivialization::Space;
        let expected = group.velocity(side, &g, &rates);
        let exp = Retraction::Exponential;
        assert_same(&exp.tangent(group, side, &x, &y), &expected, "dexp");
    }
}

#[test]
fn tangents_have_exact_limits_at_zero() {
    for group in GROUPS {
        let n = group.dimension();
        let (zero, y) = (vec![Expr::zero(); n], vector("y", n));
        for tau in Retraction::ALL {
            assert_eq!(tau.apply(group, &zero), group.identity::<Expr>());
            let side = Trivialization::Space;
            assert_eq!(tau.tangent(group, side, &zero, &y), y);
            assert_eq!(tau.tangent_inverse(group, side, &zero, &y).unwrap(), y);
        }
    }
    let half: Vec<Expr> = [-1, 0, 0, 0, -1, 0, 0, 0, 1].map(Expr::from).to_vec();
    assert_eq!(Group::SO3.cayley_inverse(&half), Err(ChartError::HalfTurn));
    assert_eq!(Group::SO3.log(&half), Err(ChartError::Multivalued));
}

#[test]
fn rational_charts_lie_on_the_group() {
    for group in GROUPS {
        let g = group.rational_chart(&vector("c", group.dimension()));
        let relations = group.relations(&g);
        assert_same(
            &relations,
            &vec![Expr::zero(); relations.len()],
            "relations",
        );
    }
}

proptest! {
    #![proptest_config(rattleback_testing::cases(24))]

    #[test]
    fn exact_and_floating_agree_at_rational_points(
        seeds in prop::collection::vec(-12_i64..=12, 12),
        denominator in 5_i64..12,
    ) {
        for group in GROUPS {
            let n = group.dimension();
            let exact = |k: usize| -> Vec<Expr> {
                seeds[k..k + n].iter().map(|&s| Expr::ratio(s, denominator)).collect()
            };
            let floating = |k: usize| -> Vec<f64> {
                seeds[k..k + n].iter().map(|&s| s as f64 / denominator as f64).collect()
            };
            let ((x, y), (a, b)) = ((exact(0), exact(6)), (floating(0), floating(6)));
            assert_near(&values(&group.bracket(&x, &y)), &group.bracket(&a, &b), 1e-13);
            assert_near(&values(&group.ad_star(&x, &y)), &group.ad_star(&a, &b), 1e-13);
            for tau in Retraction::ALL {
                let (g, h) = (tau.apply(group, &x), tau.apply(group, &a));
                assert_near(&values(&g), &h, 1e-12);
                assert_near(&values(&group.adjoint(&g, &y)), &group.adjoint(&h, &b), 1e-12);
                assert_near(&values(&group.coadjoint(&g, &y)), &group.coadjoint(&h, &b), 1e-12);
                assert_near(&values(&group.inverse(&g)), &group.inverse(&h), 1e-12);
                for side in [Trivialization::Body, Trivialization::Space] {
                    let one = tau.tangent(group, side, &x, &y);
                    assert_near(&values(&one), &tau.tangent(group, side, &a, &b), 1e-10);
                    let one = tau.tangent_inverse(group, side, &x, &y).unwrap();
                    let other = tau.tangent_inverse(group, side, &a, &b).unwrap();
                    assert_near(&values(&one), &other, 1e-10);
                }
            }
        }
    }
}
