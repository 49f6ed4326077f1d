//! The measured problems against closed forms that were derived by hand.

use rattleback_bench::Problem;
use rattleback_symbolic::{Expr, postorder};

fn rates(problem: Problem, state: &[f64]) -> Vec<f64> {
    problem
        .evaluator()
        .unwrap()
        .at(0.0, state, &[])
        .unwrap()
        .rates
}

/// Σ_j μ_ij (cos(q_i − q_j) q_j'' + sin(q_i − q_j) q_j'²) + μ_ii g sin q_i = 0 with μ_ij = n − max(i, j).
fn pendulum_residuals(q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let n = q.len();
    let weight = |i: usize, j: usize| (n - i.max(j)) as f64;
    (0..n)
        .map(|i| {
            let inertia = (0..n).map(|j| {
                let angle = q[i] - q[j];
                weight(i, j) * (angle.cos() * a[j] + angle.sin() * v[j] * v[j])
            });
            inertia.sum::<f64>() + weight(i, i) * 9.81 * q[i].sin()
        })
        .collect()
}

#[test]
fn chains_obey_the_closed_form() {
    for n in [1, 2, 5, 16, 32] {
        let q: Vec<f64> = (0..n).map(|i| 0.3 + 0.41 * i as f64).collect();
        let v: Vec<f64> = (0..n).map(|i| 0.7 - 0.05 * i as f64).collect();
        let rates = rates(Problem::Pendulum(n), &[&q[..], &v].concat());
        assert_eq!(rates[..n], v);
        for residual in pendulum_residuals(&q, &v, &rates[n..]) {
            assert!(residual.abs() < 1e-8, "{n} links: {residual}");
        }
    }
}

/// One trailer: with e the hitch angle, G = 1 + cos²e + sin²e/10 and (√G v)' = 0 for the tractor's speed v.
#[test]
fn a_trailer_keeps_the_energy_of_the_reduced_motion() {
    let (headings, speed, turning): ([f64; 2], f64, f64) = ([0.2, 0.5], 0.8, 0.3);
    let e = headings[0] - headings[1];
    let follow = speed * e.sin();
    let velocity = [
        speed * headings[0].cos(),
        speed * headings[0].sin(),
        turning,
        follow,
    ];
    let state = [&[0.1, -0.4][..], &headings, &velocity].concat();
    let rates = rates(Problem::Trailers(1), &state);
    let acceleration = &rates[4..];
    let forward = acceleration[0] * headings[0].cos() + acceleration[1] * headings[0].sin();
    let metric = 1.0 + e.cos().powi(2) + 0.1 * e.sin().powi(2);
    let half_rate = (0.1 - 1.0) * e.sin() * e.cos() * (turning - follow);
    assert!((metric * forward + half_rate * speed).abs() < 1e-12);
    assert!(acceleration[2].abs() < 1e-12, "the tractor turns on freely");
}

/// Nothing swells: the nodes of the equations grow like the n² entries of the mass matrix, whose
/// entries are sums of at most n terms.
#[test]
fn equations_grow_no_faster_than_their_matrix() {
    let nodes = |n: usize| {
        let equations = Problem::Pendulum(n).equations().unwrap();
        let mut roots: Vec<Expr> = equations.rates.clone();
        for stage in &equations.stages {
            if let rattleback_mechanics::Stage::Linear { matrix, rhs, .. } = stage {
                roots.extend(matrix.entries().iter().chain(rhs).cloned());
            }
        }
        postorder(&roots, |_| true).len()
    };
    let (small, large) = (nodes(16), nodes(32));
    assert!(
        large < 8 * small,
        "{small} nodes for 16 links, {large} for 32"
    );
    assert!(large < 100_000, "{large} nodes for 32 links");
}
