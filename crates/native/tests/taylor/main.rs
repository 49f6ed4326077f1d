//! Taylor kernels in machine code compute what the interpreter computes.
#![cfg(target_arch = "x86_64")]

#[allow(dead_code)]
#[path = "../../../../benches/src/motion.rs"]
mod motion;

use motion::{MotionProblem, field};
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{JetFault, JetInterpreter, TaylorPlan};
use rattleback_mechanics::Stage;
use rattleback_native::Lanes;
use rattleback_native::taylor::{TaylorFunction, TaylorKernel};
use rattleback_symbolic::{Expr, Matrix, Rational, Symbol};

/// The coefficients of four motions near `start`, by both lane counts and by the interpreter.
fn compare(name: &str, program: &Program, start: &[f64], parameters: &[f64], order: usize) {
    let plan = TaylorPlan::new(program).unwrap();
    let n = plan.dimension();
    let one = TaylorKernel::compile(&plan, order, Lanes::One).unwrap();
    let four = TaylorKernel::compile(&plan, order, Lanes::Four).unwrap();
    let (mut one_memory, mut four_memory) = (one.workspace(), four.workspace());
    let mut reference = JetInterpreter::<f64>::new(plan, order);
    let member = |lane: usize, i: usize| start[i] + 0.02 * (lane * (i % 5 + 1)) as f64;
    let parameter = |lane: usize, i: usize| parameters[i] * (1.0 + 0.1 * lane as f64);
    let times = [0.3, 0.4, 0.5, 0.6];
    let mut together = vec![0.0; 4 * n * (order + 1)];
    let mut x = vec![0.0; 4 * n];
    for lane in 0..4 {
        (0..n).for_each(|i| x[4 * i + lane] = member(lane, i));
        let own: Vec<f64> = (0..parameters.len()).map(|i| parameter(lane, i)).collect();
        four.set_parameters(&mut four_memory, lane, &own);
    }
    // Twice: nothing may be left over from a run before.
    for _ in 0..2 {
        let failed = four.jet(&mut four_memory, &times, &x, &mut together);
        assert_eq!(failed, 0, "{name}");
    }
    for lane in 0..4 {
        let x: Vec<f64> = (0..n).map(|i| member(lane, i)).collect();
        let own: Vec<f64> = (0..parameters.len()).map(|i| parameter(lane, i)).collect();
        let mut alone = vec![0.0; n * (order + 1)];
        let mut exact = alone.clone();
        one.set_parameters(&mut one_memory, 0, &own);
        reference.set_parameters(0, &own);
        let t = times[lane];
        assert_eq!(one.jet(&mut one_memory, &[t], &x, &mut alone), 0, "{name}");
        reference.jet(t, &x, order, &mut exact).unwrap();
        for (place, e) in exact.iter().enumerate() {
            // Round-off relative to the largest coefficient of the order.
            let row = &exact[place / n * n..place / n * n + n];
            let scale = row.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
            for found in [alone[place], together[4 * place + lane]] {
                let error = (found - e).abs() / scale;
                assert!(
                    error < 1e-12,
                    "{name}, order {}, component {}, lane {lane}: {found} for {e}",
                    place / n,
                    place % n
                );
            }
        }
    }
}

#[test]
fn the_nine_motions() {
    for problem in MotionProblem::all() {
        for order in [1, 2, 7, 14] {
            compare(
                problem.name,
                &problem.program().unwrap(),
                &problem.start,
                &[],
                order,
            );
        }
    }
}

#[test]
fn every_function() {
    let state: Vec<Symbol> = ["x", "y", "z"].map(Symbol::variable).to_vec();
    let (x, y, z) = (
        Expr::from(&state[0]),
        Expr::from(&state[1]),
        Expr::from(&state[2]),
    );
    let t = Expr::from(Symbol::time());
    let u = (&x + &t * &y) * Expr::ratio(1, 4);
    let cases = [
        ("sin", u.sin() * z.cos()),
        ("sinh", u.sinh() - z.cosh() + y.sinh()),
        ("tanh", u.tanh() - 2 * z.tanh() * y.tanh()),
        ("exp", u.exp() + z.exp() * y.exp()),
        ("log", (&u + 3).log() * (&z + 4).log()),
        ("asin", u.asin() + (&z / 3).acos()),
        ("atan", u.atan() * z.atan()),
        ("atan2", Expr::atan2(&(&u + 1), &(&y + 3))),
        ("sqrt", (&u + 2).sqrt() + (&z + 5).sqrt()),
        ("power", (&u + 3).powr(&Rational::new(7, 3))),
        ("symbolic power", (&u + 3).pow(&(&z + 1)) - (&y + 2).pow(&x)),
        ("quotient", (&y - 3) / (u.cos() + 2) + (&z + 4).recip()),
        ("square", (&u * &y + 1).powi(2) + z.powi(4)),
        ("time", &t * &t * &x + (2 * &t).sin() * &z - &t / 3),
        ("constant", Expr::from(2) + &x / 7),
    ];
    for (name, e) in cases {
        let rates = [e, &x * &y - &z, x.sin() - &y * &y / 5];
        compare(
            name,
            &field(&state, &[], &rates).unwrap(),
            &[0.4, -0.7, 0.2],
            &[],
            9,
        );
    }
}

/// A motion whose state is constant or polynomial, with everything that folds.
#[test]
fn polynomial_motions() {
    let state: Vec<Symbol> = ["c", "l", "q", "r"].map(Symbol::variable).to_vec();
    let x: Vec<Expr> = state.iter().map(Expr::from).collect();
    let rates = [
        Expr::zero(),
        x[0].sin() / x[0].exp(),
        &x[1] / &x[0] + x[0].sqrt(),
        (&x[1] * &x[2]).cos() - &x[1] * x[2].powi(2),
    ];
    compare(
        "polynomial",
        &field(&state, &[], &rates).unwrap(),
        &[1.3, 0.2, -0.4, 0.0],
        &[],
        8,
    );
}

/// Parameters differ from lane to lane; linear systems of sizes that fill no register.
#[test]
fn parameters_and_linear_systems() {
    for size in [1usize, 2, 3, 5, 7, 9] {
        let state: Vec<Symbol> = (0..size)
            .map(|i| Symbol::variable(&format!("x{i}")))
            .collect();
        let (a, b) = (Symbol::variable("a"), Symbol::variable("b"));
        let (ea, eb) = (Expr::from(&a), Expr::from(&b));
        let x: Vec<Expr> = state.iter().map(Expr::from).collect();
        let matrix = Matrix::new(size, size, |i, j| match i.abs_diff(j) {
            0 => &ea * 4 + x[i].cos(),
            1 => (&x[i] - &x[j]).sin() * (&eb / &ea).sqrt(),
            2 => Expr::ratio(1, 3),
            _ => Expr::zero(),
        });
        let rhs = x.iter().map(|x| &ea * x.sin() + Expr::from(Symbol::time()));
        let unknowns: Vec<Symbol> = (0..size)
            .map(|i| Symbol::variable(&format!("u{i}")))
            .collect();
        let solved: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let stage = Stage::Linear {
            unknowns,
            matrix,
            rhs: rhs.collect(),
        };
        let mut inputs = vec![Symbol::time()];
        inputs.extend_from_slice(&state);
        inputs.extend([a, b]);
        let program = Program::new(&inputs, &[], &[stage], &solved).unwrap();
        let start: Vec<f64> = (0..size).map(|i| 0.3 - 0.1 * i as f64).collect();
        compare("system", &program, &start, &[1.2, 0.7], 10);
    }
}

/// A singular matrix fails in its own lane only.
#[test]
fn lanes_fail_alone() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    let unknowns = vec![Symbol::variable("u")];
    let solved = [Expr::from(&unknowns[0])];
    let stage = Stage::Linear {
        unknowns,
        matrix: Matrix::from_rows(&[vec![x]]),
        rhs: vec![Expr::one()],
    };
    let plan = TaylorPlan::new(&field(&state, &[stage], &solved).unwrap()).unwrap();
    let kernel = TaylorKernel::compile(&plan, 5, Lanes::Four).unwrap();
    let mut memory = kernel.workspace();
    let mut coefficients = vec![0.0; 4 * 6];
    let x = [1.0, 0.0, 2.0, 4.0];
    let failed = kernel.jet(&mut memory, &[0.0; 4], &x, &mut coefficients);
    assert_eq!(failed, 0b0010);
    // x' = 1/x: x² = x_0² + 2t.
    assert_eq!([4, 6, 7].map(|i| coefficients[i]), [1.0, 0.5, 0.25]);
}

#[test]
fn kernels_are_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let problem = MotionProblem::named("snakeboard").unwrap();
    let plan = TaylorPlan::new(&problem.program().unwrap()).unwrap();
    let kernel = TaylorKernel::compile(&plan, 9, Lanes::One).unwrap();
    shared(&kernel);
    let run = || {
        let mut coefficients = vec![0.0; 8 * 10];
        let mut memory = kernel.workspace();
        for _ in 0..100 {
            kernel.jet(&mut memory, &[0.5], &problem.start, &mut coefficients);
        }
        coefficients
    };
    let alone = run();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

/// A function says why there are no coefficients, and agrees with its kernel where there are.
#[test]
fn functions_explain_their_faults() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    let unknowns = vec![Symbol::variable("u")];
    let solved = [Expr::from(&unknowns[0])];
    let stage = Stage::Linear {
        unknowns,
        matrix: Matrix::from_rows(&[vec![x]]),
        rhs: vec![Expr::one()],
    };
    let plan = TaylorPlan::new(&field(&state, &[stage], &solved).unwrap()).unwrap();
    for (lanes, count) in [(Lanes::One, 1), (Lanes::Four, 4)] {
        let function = TaylorFunction::new(plan.clone(), 5, lanes);
        assert!(function.is_native());
        let mut memory = function.memory();
        let mut coefficients = vec![0.0; 6 * count];
        let t = vec![0.0; count];
        let mut x = vec![2.0; count];
        function
            .jet(&mut memory, &t, &x, &mut coefficients)
            .unwrap();
        assert_eq!(coefficients[count], 0.5);
        x[count - 1] = 0.0;
        let (mask, fault) = function
            .jet(&mut memory, &t, &x, &mut coefficients)
            .unwrap_err();
        assert_eq!(mask, 1 << (count - 1));
        assert!(matches!(fault, JetFault::Block(_)));
        // The others have theirs all the same.
        assert!(count == 1 || coefficients[count] == 0.5);
    }
}
