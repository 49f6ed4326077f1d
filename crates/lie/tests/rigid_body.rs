//! Retractions at work: bodies stepped by the discrete Euler-Poincaré equations (CG-C4), against tables.

mod common;

use common::assert_near;
use rattleback_lie::{Group, Retraction, Trivialization};
use rattleback_numeric::{Guess, Newton, Verdict, Workspace};

const SO3: Group = Group::SO3;
const CAYLEY: Retraction = Retraction::Cayley;

struct Body {
    inertia: [f64; 3],
    h: f64,
}

impl Body {
    /// (dτ_hξ⁻¹)* I ξ on a side: B on the right, A on the left.
    fn momentum(&self, side: Trivialization, xi: &[f64]) -> Vec<f64> {
        let spin: Vec<f64> = self.inertia.iter().zip(xi).map(|(i, x)| i * x).collect();
        CAYLEY
            .cotangent_inverse(SO3, side, &self.turn(xi), &spin)
            .unwrap()
    }

    fn turn(&self, xi: &[f64]) -> Vec<f64> {
        common::scaled(self.h, xi)
    }

    /// ξ with B(ξ) = μ.
    fn velocity(&self, mu: &[f64], guess: &[f64]) -> Vec<f64> {
        let mut memory = vec![0.0; Workspace::length(3)];
        let mut work = Workspace::of(3, &mut memory);
        let outcome = Newton::default().solve(Guess::Previous(guess), &mut work, |x, values| {
            let at = |x: &[f64]| self.momentum(Trivialization::Space, x);
            for j in 0..3 {
                let (mut up, mut down) = (x.to_vec(), x.to_vec());
                (up[j], down[j]) = (x[j] + 1e-6, x[j] - 1e-6);
                let (up, down) = (at(&up), at(&down));
                (0..3).for_each(|i| values[3 * i + j] = (up[i] - down[i]) / 2e-6);
            }
            let here = at(x);
            (0..3).for_each(|i| values[9 + i] = here[i] - mu[i]);
            Ok::<(), ()>(())
        });
        assert_eq!(outcome.unwrap().verdict, Verdict::Converged);
        work.solution().to_vec()
    }
}

/// P-GPD-1 and P-GPD-2.
#[test]
fn free_body() {
    let body = Body {
        inertia: [2.0, 1.5, 1.0],
        h: 0.1,
    };
    let mut xi = vec![0.4, 1.0, -0.3];
    let first = body.momentum(Trivialization::Body, &xi);
    assert_near(&first, &[0.79441, 1.510775, -0.2914325], 1e-14);
    let mut attitude = SO3.identity::<f64>();
    for _ in 0..50 {
        // R B is the momentum in space, which stays.
        let mu = body.momentum(Trivialization::Space, &xi);
        let in_space = SO3.adjoint(&attitude, &mu);
        assert_near(&in_space, &[0.80941, 1.498775, -0.3114325], 1e-12);
        let g = CAYLEY.apply(SO3, &body.turn(&xi));
        attitude = SO3.product(&attitude, &g);
        // A = Ad*_g B.
        let next = SO3.coadjoint(&g, &mu);
        assert_near(&next, &body.momentum(Trivialization::Body, &xi), 1e-13);
        xi = body.velocity(&next, &xi);
    }
    assert_near(
        &xi,
        &[0.585714255122, 0.715549154156, 0.674749819895],
        1e-11,
    );
    let row = [0.920281087519, 0.000969214395, -0.391256668413];
    assert_near(&attitude[..3], &row, 1e-11);
}

/// P-GPD-4: Γ' = gᵀΓ, B(ξ') = A(ξ) + h Γ'×∇V(Γ') with V = mgl Γ₃.
#[test]
fn heavy_top() {
    let (weight, body) = (
        2.0,
        Body {
            inertia: [1.2, 1.0, 0.7],
            h: 0.05,
        },
    );
    let (mut xi, mut gamma) = (vec![0.2, -0.1, 3.0], vec![0.6, 0.0, 0.8]);
    let along = |xi: &[f64], gamma: &[f64]| -> f64 {
        let mu = body.momentum(Trivialization::Space, xi);
        mu.iter().zip(gamma).map(|(m, g)| m * g).sum()
    };
    for _ in 0..40 {
        assert!((along(&xi, &gamma) - 1.83544385).abs() < 1e-12);
        let g = CAYLEY.apply(SO3, &body.turn(&xi));
        gamma = SO3.adjoint(&SO3.inverse(&g), &gamma);
        let pull = SO3.bracket(&gamma, &[0.0, 0.0, weight]);
        let mut mu = body.momentum(Trivialization::Body, &xi);
        mu.iter_mut().zip(&pull).for_each(|(m, p)| *m += body.h * p);
        xi = body.velocity(&mu, &xi);
    }
    assert_near(
        &xi,
        &[0.982620805620, 1.537385250328, 2.972637574361],
        1e-11,
    );
    let expected = [0.589137362978, 0.806037274045, -0.056754562756];
    assert_near(&gamma, &expected, 1e-11);
}
