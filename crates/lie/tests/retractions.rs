//! Retractions and their tangents, in doubles: inverses, differences, series, tables, limits.

mod common;

use common::{GROUPS, algebra, assert_near, elements, scaled};
use proptest::prelude::*;
use rattleback_lie::{ChartError, Group, Retraction, Trivialization};

const SIDES: [Trivialization; 2] = [Trivialization::Body, Trivialization::Space];

/// x of a given angle, for groups that have angles.
fn of_angle(group: Group, seed: &[f64], angle: f64) -> Vec<f64> {
    let mut x = algebra(group, seed);
    let turns = group.angular_velocities();
    let norm = x[..turns]
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
        .max(1e-3);
    x[..turns].iter_mut().for_each(|x| *x *= angle / norm);
    x
}

/// The tangent of τ at x along y by central differences, then trivialised.
fn by_differences(
    tau: Retraction,
    group: Group,
    side: Trivialization,
    x: &[f64],
    y: &[f64],
) -> Vec<f64> {
    let e = 1e-4;
    let at = |m: f64| -> Vec<f64> {
        let moved: Vec<f64> = x.iter().zip(y).map(|(x, y)| x + m * e * y).collect();
        tau.apply(group, &moved)
    };
    let (a, b, c, d) = (at(1.0), at(-1.0), at(2.0), at(-2.0));
    let rates: Vec<f64> = (0..a.len())
        .map(|k| (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * e))
        .collect();
    group.velocity(side, &tau.apply(group, x), &rates)
}

proptest! {
    #[test]
    fn retractions_are_inverted(seeds in elements()) {
        for group in GROUPS {
            for tau in Retraction::ALL {
                for angle in [0.0, 1e-12, 1e-7, 1e-3, 0.4, 1.7, 2.9] {
                    let x = of_angle(group, &seeds[0], angle);
                    let g = tau.apply(group, &x);
                    prop_assert!(group.distance(&g) < 1e-14);
                    assert_near(&tau.invert(group, &g).unwrap(), &x, 1e-11);
                    let back = tau.apply(group, &scaled(-1.0, &x));
                    assert_near(&group.product(&g, &back), &group.identity::<f64>(), 1e-13);
                }
            }
        }
    }

    #[test]
    fn tangents_are_derivatives(seeds in elements()) {
        for group in GROUPS {
            for tau in Retraction::ALL {
                for (side, angle) in SIDES.iter().flat_map(|&s| [0.0, 1e-5, 0.3, 1.01, 2.5, 5.0].map(|a| (s, a))) {
                    let (x, y) = (of_angle(group, &seeds[0], angle), algebra(group, &seeds[1]));
                    let tangent = tau.tangent(group, side, &x, &y);
                    assert_near(&tangent, &by_differences(tau, group, side, &x, &y), 1e-9);
                    let back = tau.tangent_inverse(group, side, &x, &tangent).unwrap();
                    assert_near(&back, &y, 1e-11);
                }
            }
        }
    }

    /// dτ_x = Ad_τ(x) dτ_−x, the second identity of CG-F1 and dτ_x x = x.
    #[test]
    fn left_and_right_tangents_differ_by_the_adjoint(seeds in elements()) {
        for group in GROUPS {
            for tau in Retraction::ALL {
                let (x, y) = (algebra(group, &seeds[0]), algebra(group, &seeds[1]));
                let [left, right] = SIDES.map(|side| tau.tangent(group, side, &x, &y));
                assert_near(&group.adjoint(&tau.apply(group, &x), &left), &right, 1e-12);
                let g = tau.apply(group, &scaled(-1.0, &x));
                let moved = group.adjoint(&g, &y);
                let one = tau.tangent_inverse(group, Trivialization::Space, &x, &y).unwrap();
                let other = tau.tangent_inverse(group, Trivialization::Body, &x, &moved).unwrap();
                assert_near(&one, &other, 1e-11);
            }
            let x = algebra(group, &seeds[0]);
            assert_near(&Retraction::Exponential.tangent(group, SIDES[1], &x, &x), &x, 1e-13);
        }
    }

    /// Σ ad^j/(j + 1)!, and Σ B_j ad^j/j! for small angles.
    #[test]
    fn differentials_of_exp_are_their_series(seeds in elements()) {
        const BERNOULLI: [f64; 13] = [
            1.0, -0.5, 1.0 / 6.0, 0.0, -1.0 / 30.0, 0.0, 1.0 / 42.0, 0.0, -1.0 / 30.0, 0.0,
            5.0 / 66.0, 0.0, -691.0 / 2730.0,
        ];
        for group in GROUPS {
            let y = algebra(group, &seeds[1]);
            let series = |x: &[f64], coefficient: &dyn Fn(usize) -> f64, terms: usize| {
                let (mut power, mut sum) = (y.clone(), vec![0.0; y.len()]);
                for j in 0..terms {
                    sum.iter_mut().zip(&power).for_each(|(s, p)| *s += coefficient(j) * p);
                    power = group.bracket(x, &power);
                }
                sum
            };
            let factorial = |n: usize| (2..=n).map(|k| k as f64).product::<f64>();
            let x = algebra(group, &seeds[0]);
            let expected = series(&x, &|j| 1.0 / factorial(j + 1), 60);
            assert_near(&Retraction::Exponential.tangent(group, SIDES[1], &x, &y), &expected, 1e-12);
            let x = scaled(0.05, &x);
            let expected = series(&x, &|j| BERNOULLI[j] / factorial(j), 13);
            let inverse = Retraction::Exponential.tangent_inverse(group, SIDES[1], &x, &y);
            assert_near(&inverse.unwrap(), &expected, 1e-14);
        }
    }
}

/// The matrix of dτ or its inverse on the right side, row by row.
fn matrix(group: Group, map: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    group.matrix_of(map)
}

/// P-RETR-1 to P-RETR-5.
#[test]
fn tabulated_matrices_on_rotations() {
    let (group, w) = (Group::SO3, [0.3, -0.5, 0.2]);
    let (exp, cay, side) = (
        Retraction::Exponential,
        Retraction::Cayley,
        Trivialization::Space,
    );
    let table: [(Vec<f64>, [f64; 9]); 5] = [
        (
            cay.apply(group, &w),
            [
                0.867579908675799,
                -0.251141552511416,
                -0.429223744292237,
                0.114155251141553,
                0.940639269406393,
                -0.319634703196347,
                0.484018264840183,
                0.228310502283105,
                0.844748858447489,
            ],
        ),
        (
            matrix(group, |e| cay.tangent_inverse(group, side, &w, e).unwrap()),
            [
                1.0225, 0.0625, 0.265, -0.1375, 1.0625, 0.125, -0.235, -0.175, 1.01,
            ],
        ),
        (
            exp.apply(group, &w),
            [
                0.859533898558663,
                -0.260226714048094,
                -0.439867632958231,
                0.114916953936367,
                0.937032437284918,
                -0.329794337692255,
                0.497991537002922,
                0.232921164284437,
                0.835315605206709,
            ],
        ),
        (
            matrix(group, |e| exp.tangent(group, side, &w, e)),
            [
                0.952576734970354,
                -0.121402448423153,
                -0.232371223513412,
                0.072343898392484,
                0.978741294986710,
                -0.161662610121951,
                0.251994643525680,
                0.128956910101505,
                0.944400309965242,
            ],
        ),
        (
            matrix(group, |e| exp.tangent_inverse(group, side, &w, e).unwrap()),
            [
                0.975678879706463,
                0.087420110192998,
                0.255031955922801,
                -0.112579889807002,
                0.989097428833931,
                0.141613406795332,
                -0.244968044077199,
                -0.158386593204668,
                0.971485583104129,
            ],
        ),
    ];
    for (computed, expected) in table {
        assert_near(&computed, &expected, 2e-15);
    }
}

/// P-RETR-6: the largest entry of the difference of the matrices.
#[test]
fn tabulated_errors_of_bernoulli_sums() {
    let (group, w) = (Group::SO3, [0.3, -0.5, 0.2]);
    let exact = matrix(group, |e| {
        Retraction::Exponential
            .tangent_inverse(group, Trivialization::Space, &w, e)
            .unwrap()
    });
    // B_j/j!.
    let coefficients = [
        1.0,
        -0.5,
        1.0 / 12.0,
        0.0,
        -1.0 / 720.0,
        0.0,
        1.0 / 30_240.0,
        0.0,
        -1.0 / 1_209_600.0,
    ];
    let expected = [
        (1, 2.851e-2),
        (2, 1.811e-4),
        (4, 1.639e-6),
        (6, 1.557e-8),
        (8, 1.494e-10),
    ];
    for (last, error) in expected {
        let sum = matrix(group, |e| {
            let (mut power, mut sum) = (e.to_vec(), vec![0.0; 3]);
            for c in &coefficients[..=last] {
                sum.iter_mut().zip(&power).for_each(|(s, p)| *s += c * p);
                power = group.bracket(&w, &power);
            }
            sum
        });
        let gaps = sum.iter().zip(&exact).map(|(a, b)| (a - b).abs());
        let worst = gaps.fold(0.0, f64::max);
        assert!((worst / error - 1.0).abs() < 1e-3, "{last}: {worst:e}");
    }
}

/// P-RETR-7 to P-RETR-10.
#[test]
fn tabulated_motions_and_quaternions() {
    let (cay, exp) = (Retraction::Cayley, Retraction::Exponential);
    let x = [0.4, 1.0, -0.5];
    let g = cay.apply(Group::SE2, &x);
    assert_near(
        &[g[2], g[5]],
        &[1.057692307692308, -0.288461538461538],
        1e-15,
    );
    let side = Trivialization::Space;
    let inverse = matrix(Group::SE2, |e| {
        cay.tangent_inverse(Group::SE2, side, &x, e).unwrap()
    });
    assert_near(
        &inverse,
        &[1.04, 0.0, 0.0, 0.35, 1.0, 0.2, 0.45, -0.2, 1.0],
        1e-15,
    );
    let g = exp.apply(Group::SE2, &x);
    assert_near(
        &[g[2], g[5]],
        &[1.07221961326802, -0.289425412893026],
        1e-14,
    );
    let g = cay.apply(Group::SE3, &[0.2, -0.1, 0.4, 1.0, 0.5, -0.3]);
    let expected = [0.870783847980998, 0.692874109263658, -0.187173396674584];
    assert_near(&[g[3], g[7], g[11]], &expected, 2e-15);
    let w = [0.3, -0.5, 0.2];
    let quaternion = cay.apply(Group::SU2, &w);
    assert_near(&[2.0 * quaternion[0].acos()], &[0.611629623148523], 1e-14);
    let rotation = cay.apply(Group::SO3, &w);
    let cosine: f64 = (rotation[0] + rotation[4] + rotation[8] - 1.0) / 2.0;
    assert_near(&[cosine.acos()], &[0.597963107036549], 1e-14);
}

/// AC, A7 to A10: w = (.3, −.5, .8), y = (1, .2, −.4).
#[test]
fn tabulated_tangents() {
    let (group, w, y) = (Group::SO3, [0.3, -0.5, 0.8], [1.0, 0.2, -0.4]);
    let (exp, cay, side) = (
        Retraction::Exponential,
        Retraction::Cayley,
        Trivialization::Space,
    );
    let table = [
        (
            cay.tangent(group, side, &w, &y),
            [0.819277108434, 0.530120481928, -0.0963855421687],
        ),
        (
            cay.tangent_inverse(group, side, &w, &y).unwrap(),
            [0.971, -0.245, -0.704],
        ),
        (
            exp.tangent(group, side, &w, &y),
            [0.857192105989, 0.602057701680, -0.0951609761961],
        ),
        (
            exp.tangent_inverse(group, side, &w, &y).unwrap(),
            [0.893917366424, -0.271522872211, -0.654920807541],
        ),
    ];
    for (computed, expected) in table {
        assert_near(&computed, &expected, 1e-12);
    }
}

#[test]
fn charts_end_with_typed_errors() {
    use std::f64::consts::PI;
    let axis = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
    for group in [Group::SO2, Group::SO3, Group::SE2, Group::SE3] {
        let mut x = vec![0.25; group.dimension()];
        let turns = group.angular_velocities();
        let axis = if turns == 1 { &[1.0][..] } else { &axis };
        for (x, n) in x.iter_mut().zip(axis) {
            *x = PI * n;
        }
        let g = group.exp(&x);
        assert_eq!(
            group.cayley_inverse(&g),
            Err(ChartError::HalfTurn),
            "{group}"
        );
        // Just before a half turn both charts still work.
        let near: Vec<f64> = x.iter().map(|x| x * (1.0 - 1e-5)).collect();
        let g = group.exp(&near);
        assert!(group.cayley_inverse(&g).is_ok(), "{group}");
        assert_near(&group.log(&g).unwrap(), &near, 1e-10);
    }
    let half = [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(Group::SO3.log(&half), Err(ChartError::Multivalued));
    assert_eq!(
        Group::SU2.log(&[-1.0, 0.0, 0.0, 0.0]),
        Err(ChartError::Multivalued)
    );
    assert_eq!(
        Group::SU2.cayley_inverse(&[-1.0, 0.0, 0.0, 0.0]),
        Err(ChartError::HalfTurn)
    );
    for group in [Group::SO3, Group::SE2, Group::SE3, Group::SU2] {
        let mut x = vec![0.0; group.dimension()];
        x[0] = 2.0 * PI;
        let y = vec![1.0; x.len()];
        for side in SIDES {
            let inverse = Retraction::Exponential.tangent_inverse(group, side, &x, &y);
            assert_eq!(inverse, Err(ChartError::FullTurn), "{group}");
        }
    }
}

#[test]
fn logarithms_keep_their_digits_near_half_turns() {
    let axis = [0.6, -0.48, 0.64];
    for gap in [1e-1, 1e-3, 1e-6, 1e-9, 1e-12] {
        let w = scaled(std::f64::consts::PI - gap, &axis);
        assert_near(&Group::SO3.log(&Group::SO3.exp(&w)).unwrap(), &w, 1e-14);
    }
}

#[test]
fn projection_reaches_the_group_and_moves_as_little_as_it_can() {
    // R·S with S symmetric positive: R is the nearest rotation.
    let (c, s) = (0.3_f64.cos(), 0.3_f64.sin());
    let rotation = [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0];
    let stretch = [1.2, 0.1, 0.0, 0.1, 0.9, -0.2, 0.0, -0.2, 1.1];
    let mut element = Group::SO3.product(&rotation, &stretch);
    assert!(Group::SO3.distance(&element) > 0.1);
    Group::SO3.project(&mut element).unwrap();
    assert!(Group::SO3.distance(&element) < 1e-15);
    assert_near(&element, &rotation, 1e-15);
}

#[test]
fn projection_restores_each_group() {
    let mut so2 = [0.9, -0.5, 0.45, 0.8];
    let mut se2 = [0.9, -0.5, 7.0, 0.45, 0.8, -3.0, 0.01, 0.0, 0.99];
    let mut su2 = [0.9, 0.1, -0.3, 0.5];
    for (group, element) in [
        (Group::SO2, &mut so2[..]),
        (Group::SE2, &mut se2[..]),
        (Group::SU2, &mut su2[..]),
    ] {
        assert!(group.distance(element) > 1e-3);
        group.project(element).unwrap();
        assert!(group.distance(element) < 4e-16, "{group:?}");
    }
    assert_eq!((se2[2], se2[5]), (7.0, -3.0));
}

#[test]
fn reflections_are_far_off_and_have_no_nearest_rotation() {
    let mut mirror = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0];
    assert_eq!(Group::SO3.distance(&mirror), 2.0);
    assert!(Group::SO3.project(&mut mirror).is_err());
    assert!(Group::SU2.project(&mut [0.0; 4]).is_err());
    assert!(Group::SO2.project(&mut [f64::NAN; 4]).is_err());
}

#[test]
fn exponentials_agree_with_the_matrix_series() {
    let seed = [0.7, -0.4, 1.1, 0.5, 2.0, -0.3];
    for group in [Group::SO2, Group::SO3, Group::SE2, Group::SE3] {
        let xi = &seed[..group.dimension()];
        let (hat, identity) = (group.hat(xi), group.identity::<f64>());
        let (mut sum, mut term) = (identity.clone(), identity);
        for k in 1..40 {
            term = scaled(1.0 / f64::from(k), &group.product(&term, &hat));
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
        }
        assert_near(&group.exp(xi), &sum, 1e-14);
        let mut moved = sum.clone();
        group.times_exp(&sum, xi, &mut moved);
        assert_near(&moved, &group.product(&sum, &sum), 1e-14);
    }
}

#[test]
fn quaternions_turn_by_half_the_angle() {
    let g = Group::SU2.exp(&[0.0, 0.6, 0.0]);
    assert!((g[0] - 0.3_f64.cos()).abs() < 1e-16 && (g[2] - 0.3_f64.sin()).abs() < 1e-16);
    let w = [0.3, -0.2, 0.9];
    let rates = Group::SU2.product(&g, &[0.0, w[0] / 2.0, w[1] / 2.0, w[2] / 2.0]);
    let mut xi = [0.0; 3];
    Group::SU2.nearest_velocity(&g, &rates, &mut xi);
    assert_near(&xi, &w, 1e-15);
}
