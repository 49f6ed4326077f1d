//! Programs compute what the expressions say, after every pass, with exact derivatives.

use proptest::prelude::*;
use rattleback_compile::program::{Fault, Interpreter, Op, Program, Sparsity};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Function, Matrix, Symbol, Tape};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn symbols() -> Vec<Symbol> {
    NAMES.iter().map(|n| Symbol::variable(n)).collect()
}

/// Smooth expressions that stay moderate for inputs in [-1, 1].
fn expression() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..4usize).prop_map(|i| Expr::from(&Symbol::variable(NAMES[i]))),
        (-3i64..4).prop_map(Expr::from),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(x, y)| x + y),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| x - 2 * y),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| x * y.sin()),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(x, y, z)| x.sin() * y.cos() * z.sin()),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| x.sin() / (2 + y.cos())),
            inner.clone().prop_map(|x| (3 + x.cos()).sqrt().recip()),
            inner.clone().prop_map(|x| (x.sin() + 2).powi(3)),
            inner.clone().prop_map(|x| (x.cos() + 2).log()),
            inner.clone().prop_map(|x| x.sin().exp().atan()),
            inner.clone().prop_map(|x| x.tanh()),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| (2 + x.cos()).pow(&y.sin())),
            (inner.clone(), inner).prop_map(|(x, y)| Expr::atan2(&x.sin(), &(2 + y.sin()))),
        ]
    })
}

fn close(x: f64, y: f64, scale: f64) -> bool {
    (x - y).abs() <= 1e-12 * (1.0 + scale + y.abs()) || (x.is_nan() && y.is_nan())
}

/// a + bc + … on a random symmetric matrix that is safely definite, as a stage.
fn stage(entries: &[Expr], rhs: &[Expr]) -> (Stage, Vec<Symbol>) {
    let n = rhs.len();
    let unknowns: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("u{i}"))).collect();
    let matrix = Matrix::new(n, n, |i, j| {
        let e = entries[i.min(j) * n + i.max(j)].sin();
        if i == j { e + 2 * n as i64 } else { e }
    });
    let stage = Stage::Linear {
        unknowns: unknowns.clone(),
        matrix,
        rhs: rhs.to_vec(),
    };
    (stage, unknowns)
}

proptest! {
    #![proptest_config(rattleback_testing::cases(200))]

    #[test]
    fn every_pass_keeps_the_values(
        all in prop::collection::vec(expression(), 1..5),
        at in prop::array::uniform4(-1.0..1.0f64),
    ) {
        let symbols = symbols();
        let values: Vec<(Symbol, f64)> = symbols.iter().cloned().zip(at).collect();
        let program = Program::new(&symbols, &[], &[], &all).unwrap();
        let optimized = program.optimized();
        prop_assert!(optimized.ops.len() <= program.ops.len());
        let folded = Program::new(&symbols[..2], &values[2..], &[], &all).unwrap();
        let found = Interpreter::new(program).values(&at).unwrap();
        let fast = Interpreter::new(optimized).values(&at).unwrap();
        let fewer = Interpreter::new(folded.optimized()).values(&at[..2]).unwrap();
        for (i, e) in all.iter().enumerate() {
            let exact = e.evaluate(&values).unwrap();
            for value in [found[i], fast[i], fewer[i]] {
                prop_assert!(close(value, exact, 1e2), "{e}: {value} for {exact}");
            }
        }
    }

    #[test]
    fn jacobians_are_the_symbolic_ones(
        entries in prop::collection::vec(expression(), 9),
        rhs in prop::collection::vec(expression(), 3),
        out in expression(),
        at in prop::array::uniform4(-1.0..1.0f64),
    ) {
        // The unknowns eliminated symbolically give the same derivatives as the differentiated solve.
        let symbols = symbols();
        let (stage, unknowns) = stage(&entries, &rhs);
        let Stage::Linear { matrix, rhs, .. } = &stage else { unreachable!() };
        let outputs: Vec<Expr> = unknowns.iter().map(|u| Expr::from(u) * &out + out.sin()).collect();
        let program = Program::new(&symbols, &[], std::slice::from_ref(&stage), &outputs).unwrap();
        let jacobian = program.jacobian(0..4);
        let values: Vec<(Symbol, f64)> = symbols.iter().cloned().zip(at).collect();
        let number = |e: &Expr| e.evaluate(&values).unwrap();
        // A u = b differentiated by hand, solved with the program's own solver.
        let u = Interpreter::new(
            Program::new(&symbols, &[], std::slice::from_ref(&stage),
                &unknowns.iter().map(Expr::from).collect::<Vec<_>>()).unwrap(),
        ).values(&at).unwrap();
        for program in [jacobian.clone(), jacobian.optimized()] {
            let found = Interpreter::new(program).values(&at).unwrap();
            for (j, s) in symbols.iter().enumerate() {
                let rates: Vec<f64> = (0..3).map(|i| {
                    number(&rhs[i].diff(s))
                        - (0..3).map(|k| number(&matrix[(i, k)].diff(s)) * u[k]).sum::<f64>()
                }).collect();
                let (o, do_) = (number(&out), number(&out.diff(s)));
                for i in 0..3 {
                    // Multiply back: A (∂u) must be the rate; u̇ = (J − u·ȯ − cos(o) ȯ)/o where o ≠ 0.
                    let row: f64 = (0..3).map(|k| {
                        let du_times_o = found[k * 4 + j] - u[k] * do_ - o.cos() * do_;
                        number(&matrix[(i, k)]) * du_times_o
                    }).sum();
                    prop_assert!(close(row, rates[i] * o, 1e4), "{row} for {}", rates[i] * o);
                }
            }
        }
    }

    #[test]
    fn written_out_solves_agree_with_pivoting(
        entries in prop::collection::vec(expression(), 36),
        rhs in prop::collection::vec(expression(), 6),
        at in prop::array::uniform4(-1.0..1.0f64),
    ) {
        let (stage, unknowns) = stage(&entries, &rhs);
        let outputs: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let program = Program::new(&symbols(), &[], &[stage], &outputs).unwrap();
        let optimized = program.optimized();
        prop_assert!(!optimized.ops.iter().any(|op| matches!(op, Op::Solution(..))));
        let slow = Interpreter::new(program).values(&at).unwrap();
        let fast = Interpreter::new(optimized).values(&at).unwrap();
        for (x, y) in fast.iter().zip(&slow) {
            prop_assert!(close(*x, *y, 1e2), "{x} for {y}");
        }
    }
}

fn saddle(corner: Expr) -> Program {
    let (a, zero) = (Expr::from(&Symbol::variable("a")), Expr::zero());
    let unknowns = ["u0", "u1"].map(Symbol::variable).to_vec();
    let stage = Stage::Linear {
        matrix: Matrix::new(2, 2, |i, j| [[&corner, &a], [&a, &zero]][i][j].clone()),
        rhs: vec![Expr::one(), Expr::from(2)],
        unknowns: unknowns.clone(),
    };
    let outputs: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
    Program::new(&symbols(), &[], &[stage], &outputs).unwrap()
}

#[test]
fn a_small_pivot_is_reported_and_pivoting_has_the_answer() {
    // [[b, a], [a, 0]] with b = 0: no pivot without exchanging rows, yet regular.
    let program = saddle(Expr::from(&Symbol::variable("b")));
    let at = [2.0, 0.0, 0.0, 0.0];
    let fault = Interpreter::new(program.optimized()).values(&at);
    assert!(matches!(fault, Err(Fault { block: 0, .. })));
    assert_eq!(
        Interpreter::new(program.clone()).values(&at).unwrap(),
        [1.0, 0.5]
    );
    let fine = Interpreter::new(program.optimized()).values(&[2.0, 1.0, 0.0, 0.0]);
    assert_eq!(fine.unwrap(), [1.0, 0.0]);
    // a = 0 as well: singular for both.
    assert!(Interpreter::new(program).values(&[0.0; 4]).is_err());
    // A corner that is zero for good is left to pivoting from the start.
    let program = saddle(Expr::zero()).optimized();
    assert_eq!(Interpreter::new(program).values(&at).unwrap(), [1.0, 0.5]);
}

#[test]
fn sines_and_cosines_of_one_moment_stand_together() {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| Expr::from(&symbols()[i]));
    let outputs = [
        a.sin() * b.cos() + (c.sin() * d.cos() + a.cos()).sin(),
        b.sin() + d.sin() * c.cos(),
    ];
    let program = Program::new(&symbols(), &[], &[], &outputs)
        .unwrap()
        .optimized();
    let calls: Vec<bool> = program.ops.iter().map(Op::is_call).collect();
    let runs = calls.windows(2).filter(|w| w[1] && !w[0]).count();
    assert_eq!(runs, 2, "{:?}", program.ops);
}

#[test]
fn implicit_systems_are_solved_and_differentiated() {
    // u + u³/10 = sin a + b, so that u' = cos(a)/(1 + 3u²/10).
    let u = Symbol::variable("u");
    let (x, [a, b]) = (Expr::from(&u), [0, 1].map(|i| Expr::from(&symbols()[i])));
    let stage = Stage::Implicit {
        unknowns: vec![u],
        residuals: vec![&x + x.powi(3) / 10 - a.sin() - &b],
    };
    let program = Program::new(&symbols(), &[], &[stage], &[x * &b]).unwrap();
    let at = [0.7, 0.4, 0.0, 0.0];
    let value = Interpreter::new(program.clone()).values(&at).unwrap()[0] / 0.4;
    assert!((value + value.powi(3) / 10.0 - 0.7f64.sin() - 0.4).abs() < 1e-14);
    let slope = 1.0 / (1.0 + 0.3 * value * value);
    let jacobian = Interpreter::new(program.jacobian(0..2))
        .values(&at)
        .unwrap();
    assert!((jacobian[0] - 0.4 * 0.7f64.cos() * slope).abs() < 1e-13);
    assert!((jacobian[1] - (value + 0.4 * slope)).abs() < 1e-13);
}

proptest! {
    #![proptest_config(rattleback_testing::cases(200))]

    /// A quotient of forms of one degree does not feel the scale of its constants, which may be beyond all numbers in
    /// the forms; neither does its root, nor its logarithm.
    #[test]
    fn quotients_of_constants_do_not_feel_their_scale(
        terms in proptest::collection::vec((1i64..9, 0i64..6), 4..9), degree in 6i64..9, scale in -900i32..900,
    ) {
        let [a, b, x] = ["a", "b", "x"].map(Symbol::variable);
        let form = |part: &[(i64, i64)]| {
            let powers = |k: i64| Expr::from(&a).powi(k) * Expr::from(&b).powi(degree - k);
            Expr::sum(part.iter().map(|(c, k)| *c * powers(*k)))
        };
        let (above, below) = terms.split_at(terms.len() / 2);
        let (above, below) = (form(above), form(below));
        let all = [
            &above / &below,
            above.sqrt() / below.sqrt(),
            above.log() - below.log(),
            Function::Atan2.apply(&[above.clone(), below.clone()]),
            &above * Expr::from(&x).powi(2) / &below + Expr::from(&x),
        ];
        let at = |scale: i32| {
            let scale = 2f64.powi(scale);
            let constants = [(a.clone(), 1.25 * scale), (b.clone(), 3.5 * scale)];
            let program = Program::new(std::slice::from_ref(&x), &constants, &[], &all).unwrap();
            Interpreter::new(program).values(&[0.75]).unwrap().to_vec()
        };
        for (i, (found, expected)) in at(scale).into_iter().zip(at(0)).enumerate() {
            // Logarithms of the forms are up to 6,000 before they are subtracted.
            let error = (found - expected).abs();
            prop_assert!(error <= 1e-11 * (1.0 + expected.abs()), "{i}: {found} for {expected} at 2^{scale}");
        }
    }
}

/// 10^-n (x₁ + 10)⋯(x_n + 10) and the like: each part leaves the range of numbers, the whole does not.
#[test]
fn coefficients_beyond_the_range_of_numbers() {
    let x = Symbol::variable("x");
    let shifted = |k: i64| (Expr::from(&x) + Expr::ratio(k, 1)) / Expr::ratio(10 * k, 1);
    let many = Expr::product((1..=320).map(|k| Expr::from(&x) / Expr::ratio(k, 1) + 1));
    let tiny = Expr::product((1..=320).map(shifted)) * Expr::ratio(10, 1).powi(320);
    let power = (Expr::from(&x) / 10).powi(400);
    let below = Expr::ratio(10, 1).powi(400) / Expr::from(&x).powi(400);
    let mixed = power.clone() + below.clone() + Expr::from(&x) - many.clone() / 2;
    let all = [many, tiny, power, below, mixed];
    let program = Program::new(std::slice::from_ref(&x), &[], &[], &all).unwrap();
    let constant = Program::new(&[], &[(x.clone(), 10.0)], &[], &all).unwrap();
    let tape = Tape::new(std::slice::from_ref(&x), &all).unwrap();
    let ways = [
        Interpreter::new(program).values(&[10.0]).unwrap().to_vec(),
        Interpreter::new(constant).values(&[]).unwrap().to_vec(),
        tape.evaluate(&[10.0]),
    ];
    // Π (k + 10)/k for k = 1..n is the number of ways to choose 10 of n + 10.
    let chosen: f64 = (1..=10)
        .map(|k| (320.0 + f64::from(k)) / f64::from(k))
        .product();
    let expected = [chosen, chosen, 1.0, 1.0, 12.0 - chosen / 2.0];
    for values in ways {
        for (value, expected) in values.iter().zip(expected) {
            assert!(
                (value / expected - 1.0).abs() < 1e-11,
                "{value} for {expected}"
            );
        }
    }
}

/// ∂²/∂s∂t of Σ λ_i f_i, and ∂f_i/∂s, symbolically, against a program with derivatives.
fn second_derivatives_agree(
    all: &[Expr],
    wrt: &[usize],
    at: &[f64],
    multipliers: &[f64],
) -> Result<(), TestCaseError> {
    let symbols = symbols();
    let values: Vec<(Symbol, f64)> = symbols.iter().cloned().zip(at.iter().copied()).collect();
    let number = |e: &Expr| e.evaluate(&values).unwrap();
    let program = Program::new(&symbols, &[], &[], all).unwrap();
    let d = program.with_second_derivatives(wrt.iter().copied());
    let inputs = [at, multipliers].concat();
    let out = Interpreter::new(d.program.clone()).values(&inputs).unwrap();
    let parts = d.split(&out);
    let (n, m) = (wrt.len(), all.len());
    let (mut jacobian, mut hessian) = (vec![0.0; m * n], vec![0.0; n * n]);
    d.jacobian.expand(parts.jacobian, &mut jacobian);
    d.hessian.expand(parts.hessian, &mut hessian);
    for (i, e) in all.iter().enumerate() {
        prop_assert!(close(parts.values[i], number(e), 1e2));
        for (j, &s) in wrt.iter().enumerate() {
            let exact = number(&e.diff(&symbols[s]));
            prop_assert!(close(jacobian[i * n + j], exact, 1e3), "{e}");
        }
    }
    for (j, &s) in wrt.iter().enumerate() {
        for (k, &t) in wrt[..=j].iter().enumerate() {
            let second = |e: &Expr| number(&e.diff(&symbols[s]).diff(&symbols[t]));
            let exact: f64 = all
                .iter()
                .zip(multipliers)
                .map(|(e, l)| l * second(e))
                .sum();
            prop_assert!(
                close(hessian[j * n + k], exact, 1e5),
                "{} for {exact}",
                hessian[j * n + k]
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(rattleback_testing::cases(100))]

    #[test]
    fn second_derivatives_are_the_symbolic_ones(
        all in prop::collection::vec(expression(), 1..4),
        at in prop::array::uniform4(-1.0..1.0f64),
        multipliers in prop::array::uniform4(-2.0..2.0f64),
        wrt in prop::sample::subsequence(vec![0usize, 1, 2, 3], 1..=4),
    ) {
        second_derivatives_agree(&all, &wrt, &at, &multipliers[..all.len()])?;
    }

    /// Through a linear system: reverse over forward must be symmetric, and equal to forward over forward.
    #[test]
    fn second_derivatives_go_through_linear_systems(
        entries in prop::collection::vec(expression(), 4),
        rhs in prop::collection::vec(expression(), 2),
        at in prop::array::uniform4(-1.0..1.0f64),
        multipliers in prop::array::uniform2(-2.0..2.0f64),
    ) {
        let symbols = symbols();
        let (stage, unknowns) = stage(&entries, &rhs);
        let outputs: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let program = Program::new(&symbols, &[], &[stage], &outputs).unwrap();
        forward_twice_agrees(&program, &at, &multipliers, 1e5)?;
    }

    /// Through x³ + x (2 + sin a) = b + c d, by Newton's method.
    #[test]
    fn second_derivatives_go_through_implicit_systems(
        at in prop::array::uniform4(-1.0..1.0f64),
        multiplier in -2.0..2.0f64,
    ) {
        let symbols = symbols();
        let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| Expr::from(&symbols[i]));
        let unknown = Symbol::variable("u");
        let u = Expr::from(&unknown);
        let residual = u.powi(3) + &u * (2 + a.sin()) - b - c * d;
        let stage = Stage::Implicit { unknowns: vec![unknown], residuals: vec![residual] };
        let output = u.sin() * &a;
        let program = Program::new(&symbols, &[], &[stage], &[output]).unwrap();
        forward_twice_agrees(&program, &at, &[multiplier], 1e4)?;
    }
}

/// The second derivatives by reverse and forward differentiation against the derivatives of the Jacobian.
fn forward_twice_agrees(
    program: &Program,
    at: &[f64],
    multipliers: &[f64],
    scale: f64,
) -> Result<(), TestCaseError> {
    let (n, m) = (program.inputs, program.outputs.len());
    let d = program.with_second_derivatives(0..n);
    let inputs = [at, multipliers].concat();
    let out = Interpreter::new(d.program.clone()).values(&inputs).unwrap();
    let parts = d.split(&out);
    let first = program.jacobian(0..n);
    let twice = Interpreter::new(first.jacobian(0..n)).values(at).unwrap();
    let (mut jacobian, mut hessian) = (vec![0.0; m * n], vec![0.0; n * n]);
    d.jacobian.expand(parts.jacobian, &mut jacobian);
    d.hessian.expand(parts.hessian, &mut hessian);
    prop_assert_eq!(jacobian, Interpreter::new(first).values(at).unwrap());
    for j in 0..n {
        for k in 0..=j {
            let entry = |i: usize| multipliers[i] * twice[(i * n + j) * n + k];
            let expected: f64 = (0..m).map(entry).sum();
            let found = hessian[j * n + k];
            prop_assert!(close(found, expected, scale), "{found} for {expected}");
        }
    }
    Ok(())
}

#[test]
fn patterns_have_no_entry_that_is_always_zero() {
    // A chain: f_i couples neighbours only, and the last is linear.
    let symbols = symbols();
    let x: Vec<Expr> = symbols.iter().map(Expr::from).collect();
    let outputs = [&x[0] * &x[1], (&x[1] - &x[2]).sin(), 2 * &x[3]];
    let d = Program::new(&symbols, &[], &[], &outputs)
        .unwrap()
        .with_second_derivatives(0..4);
    let places = |p: &Sparsity| p.iter().collect::<Vec<_>>();
    assert_eq!(
        places(&d.jacobian),
        [(0, 0), (0, 1), (1, 1), (1, 2), (2, 3)]
    );
    assert_eq!(places(&d.hessian), [(1, 0), (1, 1), (2, 1), (2, 2)]);
    let first = Program::new(&symbols, &[], &[], &outputs)
        .unwrap()
        .with_derivatives([3, 1]);
    assert_eq!(places(&first.jacobian), [(0, 1), (1, 1), (2, 0)]);
    assert_eq!((first.hessian.rows(), first.program.inputs), (0, 4));
}

#[test]
fn values_come_with_their_slopes_along_a_motion() {
    let symbols = [Symbol::time(), Symbol::variable("x"), Symbol::variable("c")];
    let [t, x, c] = symbols.each_ref().map(Expr::from);
    let f = [&t * &x + &c * x.sin(), c.powi(2)];
    let program = Program::new(&symbols, &[], &[], &f)
        .unwrap()
        .along_motion(1);
    // x' is the last input.
    let found = Interpreter::new(program)
        .values(&[2.0, 0.5, 3.0, 7.0])
        .unwrap();
    let slope = 0.5 + 7.0 * (2.0 + 3.0 * 0.5f64.cos());
    let exact = [1.0 + 3.0 * 0.5f64.sin(), 9.0, slope, 0.0];
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-14, "{found} {exact}");
    }
}
