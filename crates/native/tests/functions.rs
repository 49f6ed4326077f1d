//! Accuracy of the functions of the language in machine code.

mod double;

use double::*;
use rattleback_compile::program::{Op, Program};
use rattleback_native::{Backend, Kernel, Lanes};
use rattleback_symbolic::Function;

/// Machine code of every kind for a function of `arguments` numbers at 1, 2, 3 and 5 places.
fn kernels(arguments: u32, op: impl Fn(u32, u32) -> Op) -> Vec<(usize, Kernel)> {
    let mut kernels = Vec::new();
    for places in [1, 2, 3, 5] {
        let mut ops: Vec<Op> = (0..arguments * places).map(Op::Input).collect();
        ops.extend((0..places).map(|k| op(k, places)));
        let program = Program {
            inputs: (arguments * places) as usize,
            ops,
            blocks: vec![],
            outputs: (arguments * places..(arguments + 1) * places).collect(),
        };
        for lanes in [Lanes::One, Lanes::Four] {
            for backend in [Backend::Best, Backend::Cranelift] {
                if let Ok(kernel) = Kernel::compile(&program, lanes, backend) {
                    kernels.push((places as usize * lanes.count(), kernel));
                }
            }
        }
    }
    assert!(!kernels.is_empty());
    kernels
}

fn unary(f: Function) -> Vec<(usize, Kernel)> {
    kernels(1, |k, _| Op::Function(f, k))
}

/// The function at each place, by one kernel.
fn values((width, kernel): &(usize, Kernel), x: &[&[f64]]) -> Vec<f64> {
    let mut scratch = vec![0.0; kernel.scratch_len()];
    let mut values = Vec::new();
    for start in (0..x[0].len()).step_by(*width) {
        let count = (*width).min(x[0].len() - start);
        let mut inputs = Vec::new();
        for argument in x {
            inputs.extend_from_slice(&argument[start..start + count]);
            inputs.resize(inputs.len() + width - count, 0.5);
        }
        let mut outputs = vec![0.0; *width];
        kernel.run(&inputs, &mut outputs, &mut scratch);
        values.extend_from_slice(&outputs[..count]);
    }
    values
}

/// How many units in the last place a function may be off. Where multiplications are not fused, functions are
/// the standard library's.
fn allowed() -> f64 {
    #[cfg(target_arch = "x86_64")]
    if !std::is_x86_feature_detected!("fma") {
        return 2.0;
    }
    1.0
}

/// Within so many units in the last place of what is exact, and the same bits from every kernel.
fn check(name: &str, kernels: &[(usize, Kernel)], x: &[&[f64]], exact: &[Double]) {
    let first = values(&kernels[0], x);
    for (k, &exact) in exact.iter().enumerate() {
        let place: Vec<f64> = x.iter().map(|x| x[k]).collect();
        let error = ulps(first[k], exact);
        assert!(
            error < allowed(),
            "{name} {place:?}: {:e}, {error} units",
            first[k]
        );
    }
    for kernel in kernels {
        let again = values(kernel, x);
        let agree = again.iter().zip(&first).all(|(a, b)| same(*a, *b));
        assert!(agree, "{name} in {} places", kernel.0);
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn sample(count: usize, from: f64, to: f64) -> Vec<f64> {
    uniform()
        .take(count)
        .map(|u| from + u * (to - from))
        .collect()
}

fn check_unary(f: Function, ranges: &[(f64, f64)], exact: impl Fn(f64) -> Double) {
    let kernels = unary(f);
    for &(from, to) in ranges {
        let x = sample(3001, from, to);
        let exact: Vec<Double> = x.iter().map(|&x| exact(x)).collect();
        check(f.name(), &kernels, &[&x], &exact);
    }
}

fn halves(x: f64, sign: f64) -> Double {
    let (p, n) = (exponential((x, 0.0)), exponential((-x, 0.0)));
    let both = add(p, (sign * n.0, sign * n.1));
    (0.5 * both.0, 0.5 * both.1)
}

#[test]
fn exponentials() {
    let ranges = [(-700.0, 700.0), (-1.0, 1.0), (-1e-8, 1e-8), (0.34, 0.36)];
    check_unary(Function::Exp, &ranges, |x| exponential((x, 0.0)));
}

#[test]
fn logarithms() {
    let ranges = [
        (0.5, 2.0),
        (0.999, 1.001),
        (0.70, 0.71),
        (1.41, 1.42),
        (1e-3, 1e5),
    ];
    check_unary(Function::Log, &ranges, logarithm);
    let x: Vec<f64> = sample(3001, -690.0, 700.0)
        .iter()
        .map(|x| x.exp())
        .collect();
    let exact: Vec<Double> = x.iter().map(|&x| logarithm(x)).collect();
    check("log", &unary(Function::Log), &[&x], &exact);
}

#[test]
fn hyperbolic_functions() {
    let ranges = [(-2.0, 2.0), (-700.0, 700.0), (0.9, 1.1), (1e-6, 1e-3)];
    check_unary(Function::Sinh, &ranges, |x| halves(x, -1.0));
    check_unary(Function::Cosh, &ranges, |x| halves(x, 1.0));
    let ranges = [
        (-2.0, 2.0),
        (-25.0, 25.0),
        (0.5, 0.6),
        (1e-6, 1e-3),
        (18.0, 21.0),
        (-1e300, 1e300),
    ];
    check_unary(Function::Tanh, &ranges, tangent);
}

/// sinh x/cosh x, by a step of long division.
fn tangent(x: f64) -> Double {
    if x.abs() > 300.0 {
        return (x.signum(), 0.0);
    }
    let (sine, cosine) = (halves(x, -1.0), halves(x, 1.0));
    let guess = sine.0 / cosine.0;
    let rest = add(sine, minus(mul((guess, 0.0), cosine)));
    add((guess, 0.0), div(rest, cosine.0))
}

#[test]
fn inverse_functions() {
    let ranges = [
        (-3.0, 3.0),
        (-1e5, 1e5),
        (0.41, 0.42),
        (2.41, 2.42),
        (1e-9, 1e-8),
    ];
    check_unary(Function::Atan, &ranges, |x| angle(x, 1.0));
    let ranges = [
        (-0.999, 0.999),
        (0.49, 0.51),
        (-0.51, -0.49),
        (0.99, 0.9999),
    ];
    check_unary(Function::Asin, &ranges, arcsine);
    check_unary(Function::Acos, &ranges, arccosine);
}

#[test]
fn angles_of_points() {
    let kernels = kernels(2, |k, places| Op::Atan2(k, places + k));
    for size in [1.0, 1e-3, 1e3] {
        let both = sample(6002, -3.0, 3.0);
        let (a, b) = both.split_at(3001);
        let b: Vec<f64> = b.iter().map(|b| b * size).collect();
        let exact: Vec<Double> = a.iter().zip(&b).map(|(&a, &b)| angle(a, b)).collect();
        check("atan2", &kernels, &[a, &b], &exact);
    }
}

#[test]
fn real_powers() {
    for p in [1.0 / 3.0, -1.3, 2.7, 3.9, -1e-3] {
        let kernels = kernels(1, |k, _| Op::Power(k, p));
        let x: Vec<f64> = sample(3001, -150.0, 150.0)
            .iter()
            .map(|x| x.exp())
            .collect();
        let power = |&x: &f64| {
            let exponent = mul((p, 0.0), logarithm(x));
            exponential(exponent)
        };
        let exact: Vec<Double> = x.iter().map(power).collect();
        check("power", &kernels, &[&x], &exact);
    }
}

#[test]
fn powers_of_two_arguments() {
    let kernels = kernels(2, |k, places| Op::PowerOf(k, places + k));
    let x: Vec<f64> = sample(3001, -80.0, 80.0).iter().map(|x| x.exp()).collect();
    let p = sample(3001, -4.0, 4.0);
    let power = |(&x, &p): (&f64, &f64)| exponential(mul((p, 0.0), logarithm(x)));
    let exact: Vec<Double> = x.iter().zip(&p).map(power).collect();
    check("power", &kernels, &[&x, &p], &exact);
    // Bases and exponents where only the library's function serves.
    let cases = [-2.0, -0.5, 0.0, -0.0, 3.0, f64::NAN, f64::INFINITY];
    let exponents = [3.0, 2.0, 0.0, -1.0, 0.5, 17.0, f64::NAN];
    let (x, p): (Vec<f64>, Vec<f64>) = (cases.iter())
        .flat_map(|&x| exponents.map(|p| (x, p)))
        .unzip();
    for kernel in &kernels {
        let found = values(kernel, &[&x, &p]);
        for (k, y) in found.into_iter().enumerate() {
            let expected = x[k].powf(p[k]);
            let close = (y - expected).abs() <= f64::EPSILON * expected.abs();
            assert!(same(y, expected) || close, "{}^{} = {y}", x[k], p[k]);
        }
    }
}

#[test]
fn ends_of_the_ranges() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    let tiny = f64::from_bits(1);
    let x = [
        0.0, -0.0, infinity, -infinity, nan, 1.0, -1.0, 2000.0, -2000.0, tiny,
    ];
    use Function::{Acos, Asin, Atan, Cosh, Exp, Log, Sinh, Tanh};
    for f in [Exp, Log, Sinh, Cosh, Tanh, Atan, Asin, Acos] {
        for kernel in unary(f) {
            for (&x, y) in x.iter().zip(values(&kernel, &[&x])) {
                let expected = f.evaluate(&[x]);
                let close = (y - expected).abs() <= f64::EPSILON * expected.abs();
                let name = f.name();
                assert!(
                    same(y, expected) || (y != 0.0 && close),
                    "{name}({x}) = {y}, not {expected}"
                );
            }
        }
    }
    for p in [2.5, -0.5, 3.0] {
        for kernel in kernels(1, |k, _| Op::Power(k, p)) {
            for (&x, y) in x.iter().zip(values(&kernel, &[&x])) {
                let expected = x.powf(p);
                assert!(same(y, expected), "{x}^{p} = {y}, not {expected}");
            }
        }
    }
}
