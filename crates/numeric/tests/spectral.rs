//! Eigenvalues, Schur forms, singular values and exponentials, by what they promise and against closed forms.

mod random;

use proptest::prelude::*;
use random::{dense, orthogonal};
use rattleback_numeric::{
    Complex, Dense, Eigen, NotFinite, Sampled, Schur, SchurError, exponential, singular_values,
};

fn distance(a: &Dense, b: &Dense) -> f64 {
    (a - b).norm()
}

/// Eigenvalues in the order of real, then imaginary parts.
fn sorted(mut values: Vec<Complex>) -> Vec<Complex> {
    let rounded = |x: f64| (x * 1e6).round();
    values.sort_by(|a, b| {
        let real = rounded(a.re).total_cmp(&rounded(b.re));
        real.then(a.im.total_cmp(&b.im))
    });
    values
}

fn assert_values(matrix: &Dense, exact: &[(f64, f64)], tolerance: f64) {
    let found = sorted(Eigen::of(matrix).unwrap().values);
    let exact = sorted(exact.iter().map(|&(re, im)| Complex::new(re, im)).collect());
    assert_eq!(found.len(), exact.len());
    for (f, e) in found.iter().zip(&exact) {
        assert!((*f - *e).modulus() < tolerance, "{f:?} for {e:?}");
    }
}

/// The matrix whose characteristic polynomial is x^n + c_{n−1} x^{n−1} + … + c_0.
fn companion(c: &[f64]) -> Dense {
    let n = c.len();
    Dense::new(n, n, |i, j| match (j + 1 == n, i == j + 1) {
        (true, _) => -c[i],
        (false, true) => 1.0,
        (false, false) => 0.0,
    })
}

#[test]
fn closed_forms() {
    assert_values(&Dense::zeros(3, 3), &[(0.0, 0.0); 3], 1e-300);
    assert_values(&Dense::zeros(0, 0), &[], 1.0);
    // x⁴ = 1: all shifts of the first sweeps are 0, which only an exceptional one leaves.
    let roots = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    assert_values(&companion(&[-1.0, 0.0, 0.0, 0.0]), &roots, 1e-14);
    // (x − 1)(x − 2)…(x − 6).
    let c = [720.0, -1764.0, 1624.0, -735.0, 175.0, -21.0];
    let roots: Vec<(f64, f64)> = (1..7).map(|k| (f64::from(k), 0.0)).collect();
    assert_values(&companion(&c), &roots, 1e-9);
    // One vector for three eigenvalues: they are found up to the third root of the rounding.
    let jordan = Dense::of_rows(3, 3, &[2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0]);
    assert_values(&jordan, &[(2.0, 0.0); 3], 1e-4);
    // Badly scaled, eigenvalues 1 ± √2: found after balancing.
    let wide = Dense::of_rows(2, 2, &[1.0, 2e20, 1e-20, 1.0]);
    let root = 2.0_f64.sqrt();
    assert_values(&wide, &[(1.0 + root, 0.0), (1.0 - root, 0.0)], 1e-14);
}

#[test]
fn what_is_no_matrix_is_refused() {
    let broken = Dense::of_rows(2, 2, &[1.0, f64::NAN, 0.0, 1.0]);
    let refusal = NotFinite { entry: 1 };
    assert_eq!(
        Schur::of(&broken).err(),
        Some(SchurError::NotFinite(refusal))
    );
    assert_eq!(
        Eigen::of(&broken).err(),
        Some(SchurError::NotFinite(refusal))
    );
    assert_eq!(exponential(&broken), Err(refusal));
    let huge = Dense::identity(2).scaled(1e6);
    assert!(exponential(&huge).is_err(), "e^(10^6) is no number");
}

#[test]
fn exponentials_in_closed_form() {
    let (t, d): (f64, f64) = (0.7, 30.0);
    let turn = exponential(&Dense::of_rows(2, 2, &[0.0, -d, d, 0.0])).unwrap();
    let exact = Dense::of_rows(2, 2, &[d.cos(), -d.sin(), d.sin(), d.cos()]);
    assert!(distance(&turn, &exact) < 1e-13);
    let shear = exponential(&Dense::of_rows(3, 3, &[0.0, t, 0.0, 0.0, 0.0, t])).unwrap();
    let exact = Dense::of_rows(3, 3, &[1.0, t, t * t / 2.0, 0.0, 1.0, t, 0.0, 0.0, 1.0]);
    assert!(distance(&shear, &exact) < 1e-15);
    assert_eq!(exponential(&Dense::zeros(2, 2)), Ok(Dense::identity(2)));
    // x' = −x + u with u held: x = e^(−h) x₀ + (1 − e^(−h)) u.
    let minus = Dense::of_rows(1, 1, &[-1.0]);
    let sampled = Sampled::of(&minus, &Dense::identity(1), t).unwrap();
    assert!((sampled.a[(0, 0)] - (-t).exp()).abs() < 1e-15);
    assert!((sampled.b[(0, 0)] + (-t).exp_m1()).abs() < 1e-15);
}

proptest! {
    #![proptest_config(rattleback_testing::cases(60))]

    #[test]
    fn schur_forms_are_what_they_say(a in dense(1..13)) {
        let Schur { t, u } = Schur::of(&a).unwrap();
        let n = a.rows();
        prop_assert!(distance(&(&u * &u.transposed()), &Dense::identity(n)) < 1e-13);
        prop_assert!(distance(&(&(&u * &t) * &u.transposed()), &a) < 1e-13 * a.norm());
        for i in 0..n {
            for j in 0..i {
                prop_assert!(t[(i, j)] == 0.0 || j + 1 == i);
            }
            let next_to_another = i >= 2 && t[(i, i - 1)] != 0.0 && t[(i - 1, i - 2)] != 0.0;
            prop_assert!(!next_to_another);
        }
    }

    #[test]
    fn eigenvectors_solve_their_equation(a in dense(1..13)) {
        let eigen = Eigen::of(&a).unwrap();
        let n = a.rows();
        let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
        let sum = eigen.values.iter().fold(Complex::default(), |s, l| s + *l);
        prop_assert!((sum - Complex::new(trace, 0.0)).modulus() < 1e-12 * (1.0 + a.norm()));
        for (value, vector) in eigen.values.iter().zip(&eigen.vectors) {
            let length: f64 = vector.iter().map(|x| x.modulus().powi(2)).sum();
            prop_assert!((length - 1.0).abs() < 1e-12);
            for i in 0..n {
                let row = (0..n).fold(Complex::default(), |s, j| s + vector[j] * a[(i, j)]);
                let left = (row - *value * vector[i]).modulus();
                prop_assert!(left < 1e-12 * (1.0 + a.norm()), "{left:e}");
            }
        }
    }

    #[test]
    fn singular_values_are_those_that_were_put_in(
        values in prop::collection::vec(1e-12..10.0f64, 1..8),
        seed in any::<u64>(),
    ) {
        let n = values.len();
        let (u, v) = (orthogonal(n + 2, seed), orthogonal(n, seed ^ 1));
        let middle = Dense::new(n + 2, n, |i, j| if i == j { values[i] } else { 0.0 });
        let mut exact = values.clone();
        exact.sort_by(|a, b| b.total_cmp(a));
        let matrix = &(&u * &middle) * &v;
        for matrix in [matrix.transposed(), matrix] {
            for (found, exact) in singular_values(&matrix).iter().zip(&exact) {
                prop_assert!((found - exact).abs() < 1e-13 * (1.0 + 10.0));
            }
        }
    }

    #[test]
    fn exponentials_obey_their_laws(a in dense(1..8), s in -1.0..1.0f64) {
        let whole = exponential(&a).unwrap();
        let parts = &exponential(&a.scaled(s)).unwrap() * &exponential(&a.scaled(1.0 - s)).unwrap();
        let size = exponential(&a.scaled(s)).unwrap().norm() * exponential(&a.scaled(1.0 - s)).unwrap().norm();
        prop_assert!(distance(&whole, &parts) < 1e-13 * size);
        // The eigenvalues of exp A are the exponentials of those of A: compare the determinants.
        let trace: f64 = (0..a.rows()).map(|i| a[(i, i)]).sum();
        let logs: f64 = Eigen::of(&whole).unwrap().values.iter().map(|l| l.modulus().ln()).sum();
        prop_assert!((logs - trace).abs() < 1e-6 * (1.0 + trace.abs()) || whole.norm() > 1e6);
    }
}

/// A cascade of oscillators at the edge of damping: one eigenvalue, twelve times, in one chain.
#[test]
fn chains_of_equal_eigenvalues_are_found() {
    let n = 6;
    let a = Dense::new(2 * n, 2 * n, |i, j| match (i, j) {
        _ if i < n => f64::from(u8::from(j == n + i)),
        _ if j + n == i => -1.0,
        _ if j == i => -2.0,
        _ if j + n + 1 == i => 1.0,
        _ => 0.0,
    });
    let found = Eigen::of(&a).unwrap();
    // Twelve that meet are known to the twelfth root of rounding.
    for value in &found.values {
        assert!((value.re + 1.0).hypot(value.im) < 0.1, "{value}");
    }
    let sum: f64 = found.values.iter().map(|v| v.re).sum();
    assert!((sum + 12.0).abs() < 1e-12, "{sum}");
}
