//! Accuracy of sines and cosines in machine code.

mod double;

use double::{Double, HALF_PI, sine_and_cosine, ulps, uniform};
use rattleback_compile::program::{Op, Program};
use rattleback_native::{Backend, Kernel, Lanes};
use rattleback_symbolic::Function::{Cos, Sin};

/// Kernels that take so many angles and give all sines, then all cosines.
fn kernels() -> Vec<(usize, Kernel)> {
    let mut kernels = Vec::new();
    for angles in [1, 2, 3, 5] {
        let n = angles as u32;
        let mut ops: Vec<Op> = (0..n).map(Op::Input).collect();
        ops.extend((0..n).map(|k| Op::Function(Sin, k)));
        ops.extend((0..n).map(|k| Op::Function(Cos, k)));
        let program = Program {
            inputs: angles,
            ops,
            blocks: vec![],
            outputs: (n..3 * n).collect(),
        };
        for lanes in [Lanes::One, Lanes::Four] {
            for backend in [Backend::Best, Backend::Cranelift] {
                if let Ok(kernel) = Kernel::compile(&program, lanes, backend) {
                    kernels.push((angles * lanes.count(), kernel));
                }
            }
        }
    }
    assert!(!kernels.is_empty());
    kernels
}

fn sines_and_cosines(kernel: &(usize, Kernel), x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (width, kernel) = kernel;
    let mut scratch = vec![0.0; kernel.scratch_len()];
    let (mut sines, mut cosines) = (vec![], vec![]);
    for group in x.chunks(*width) {
        let mut inputs = group.to_vec();
        inputs.resize(*width, 0.0);
        let mut outputs = vec![0.0; 2 * width];
        kernel.run(&inputs, &mut outputs, &mut scratch);
        sines.extend_from_slice(&outputs[..group.len()]);
        cosines.extend_from_slice(&outputs[*width..width + group.len()]);
    }
    (sines, cosines)
}

fn check(x: &[f64]) {
    let exact: Vec<(Double, Double)> = x.iter().map(|&x| sine_and_cosine(x)).collect();
    for kernel in kernels() {
        let (s, c) = sines_and_cosines(&kernel, x);
        for (k, &(sine, cosine)) in exact.iter().enumerate() {
            assert!(ulps(s[k], sine) <= 1.0, "sin {:e}: {:e}", x[k], s[k]);
            assert!(ulps(c[k], cosine) <= 1.0, "cos {:e}: {:e}", x[k], c[k]);
        }
    }
}

#[test]
fn within_one_unit_in_the_last_place() {
    for range in [1e-8, 0.8, 3.2, 100.0, 1e5, 1e7, 9.9e8] {
        let x: Vec<f64> = uniform()
            .take(4001)
            .map(|u| (2.0 * u - 1.0) * range)
            .collect();
        check(&x);
    }
}

#[test]
fn within_one_unit_next_to_multiples_of_a_right_angle() {
    let near = |q: f64| {
        let x = q * HALF_PI[0];
        [
            x,
            f64::from_bits(x.to_bits() + 1),
            f64::from_bits(x.to_bits() - 1),
        ]
    };
    let x: Vec<f64> = (1..3000).flat_map(|q| near(f64::from(q))).collect();
    check(&x);
    let far: Vec<f64> = (0..28)
        .flat_map(|k| near(f64::from((1 << k) + 3)))
        .collect();
    check(&far);
}

#[test]
fn signs_of_zero_and_what_is_not_finite() {
    let x = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NAN,
        f64::NEG_INFINITY,
        1e300,
        -1e22,
        1.0,
    ];
    for kernel in kernels() {
        let (s, c) = sines_and_cosines(&kernel, &x);
        assert!(s[0].is_sign_positive() && s[1].is_sign_negative());
        assert_eq!((s[0], s[1], c[0], c[1]), (0.0, 0.0, 1.0, 1.0));
        for k in [2, 3, 4] {
            assert!(s[k].is_nan() && c[k].is_nan());
        }
        for k in [5, 6] {
            assert_eq!((s[k], c[k]), x[k].sin_cos());
        }
        assert!((s[7] - 0.8414709848078965).abs() < 1e-15);
    }
}
