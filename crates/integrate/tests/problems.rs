//! The known motions really solve their problems.

mod common;
use common::*;

/// f(t, x(t)) against central differences of x(t), and the Jacobian against those of f.
fn check<F: Known>(mut field: F, times: &[f64]) {
    let n = field.dimension();
    let d = 1e-5;
    for &t in times {
        let x = field.at(t);
        let mut rates = vec![0.0; n];
        field.rates(t, &x, &mut rates).unwrap();
        let (ahead, behind) = (field.at(t + d), field.at(t - d));
        for i in 0..n {
            let slope = (ahead[i] - behind[i]) / (2.0 * d);
            assert!(
                (slope - rates[i]).abs() < 1e-7 * (1.0 + slope.abs()),
                "x_{i}' at {t}: {slope} is not {}",
                rates[i]
            );
        }
        let mut jacobian = vec![0.0; n * n];
        field.jacobian(t, &x, &mut jacobian).unwrap();
        for j in 0..n {
            let mut moved = x.clone();
            let (mut up, mut down) = (vec![0.0; n], vec![0.0; n]);
            moved[j] = x[j] + d;
            field.rates(t, &moved, &mut up).unwrap();
            moved[j] = x[j] - d;
            field.rates(t, &moved, &mut down).unwrap();
            for i in 0..n {
                let slope = (up[i] - down[i]) / (2.0 * d);
                let entry = jacobian[i * n + j];
                assert!(
                    (slope - entry).abs() < 1e-6 * (1.0 + slope.abs()),
                    "∂f_{i}/∂x_{j} at {t}: {slope} is not {entry}"
                );
            }
        }
    }
}

#[test]
fn known_motions_solve_their_equations() {
    check(Cosine, &[0.0, 1.0, -2.0]);
    check(Oscillator, &[0.0, 1.0, 20.0]);
    check(Swinging, &[0.0, 0.5, 1.0, 1.4]);
    check(Kepler { eccentricity: 0.5 }, &[0.0, 0.7, 3.0, 10.0]);
    check(Pendulum { amplitude: 2.0 }, &[0.0, 0.7, 3.0, 10.0]);
}

#[test]
fn a_quarter_period_ends_at_the_amplitude() {
    let pendulum = Pendulum { amplitude: 2.5 };
    let top = pendulum.at(pendulum.quarter_period());
    assert!((top[0] - 2.5).abs() < 1e-13 && top[1].abs() < 1e-13);
}
