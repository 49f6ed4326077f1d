//! Taylor kernels in machine code compute what the interpreter computes.

#[allow(dead_code)]
#[path = "../../../../benches/src/motion.rs"]
mod motion;
mod random;

use motion::{MotionProblem, field};
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{JetFault, JetInterpreter, TaylorPlan};
use rattleback_mechanics::Stage;
use rattleback_native::taylor::{TaylorFunction, TaylorKernel};
use rattleback_native::{Backend, Lanes};
use rattleback_symbolic::{Expr, Matrix, Rational, Symbol};

/// The code generators of this processor; on some the best one is Cranelift.
const BACKENDS: [Backend; 2] = [Backend::Best, Backend::Cranelift];

/// Coefficients may differ by so many times what eight roundings of the state do to them.
const NOISE: f64 = 4.0;

/// The coefficients of four motions near `start`, by both lane counts, all code generators and the
/// interpreter.
fn compare(name: &str, program: &Program, start: &[f64], parameters: &[f64], order: usize) {
    let plan = TaylorPlan::new(program).unwrap();
    for backend in BACKENDS {
        let case = Case {
            name: format!("{name} ({backend:?})"),
            plan: &plan,
            start,
            parameters,
            order,
        };
        let exact = case.exact(0.0);
        let noise = case.noise(&exact);
        for found in [case.alone(backend), case.together(backend)] {
            for ((found, exact), noise) in found.iter().zip(&exact).zip(&noise) {
                case.hold_against(found, exact, noise);
            }
        }
    }
}

/// Four motions.
struct Case<'a> {
    name: String,
    plan: &'a TaylorPlan,
    start: &'a [f64],
    parameters: &'a [f64],
    order: usize,
}

/// The coefficients of each motion.
type Jets = [Vec<f64>; 4];

impl Case<'_> {
    const TIMES: [f64; 4] = [0.3, 0.4, 0.5, 0.6];

    fn state(&self, motion: usize) -> Vec<f64> {
        let components = self.start.iter().enumerate();
        let moved = components.map(|(i, x)| x + 0.02 * (motion * (i % 5 + 1)) as f64);
        moved.collect()
    }

    fn parameters(&self, motion: usize) -> Vec<f64> {
        let parameters = self.parameters.iter();
        parameters
            .map(|p| p * (1.0 + 0.1 * motion as f64))
            .collect()
    }

    fn length(&self) -> usize {
        self.plan.dimension() * (self.order + 1)
    }

    /// By how much the coefficients change where the state and time are off by some roundings: what cancels in them.
    fn noise(&self, exact: &Jets) -> Jets {
        let mut noise: Jets = std::array::from_fn(|_| vec![0.0; self.length()]);
        for beside in [-8.0, -3.0, -1.0, 1.0, 3.0, 8.0].map(|k| k * f64::EPSILON) {
            let moved = self.exact(beside);
            let all = noise.iter_mut().flatten();
            let changes = moved.iter().flatten().zip(exact.iter().flatten());
            for (worst, (moved, exact)) in all.zip(changes) {
                *worst = worst.max((moved - exact).abs());
            }
        }
        noise
    }

    /// By the interpreter, the state and time off by this part of themselves, up and down in turn.
    fn exact(&self, beside: f64) -> Jets {
        let mut interpreter = JetInterpreter::<f64>::new(self.plan.clone(), self.order);
        std::array::from_fn(|motion| {
            let mut jet = vec![0.0; self.length()];
            interpreter.set_parameters(0, &self.parameters(motion));
            let (t, mut x) = (Self::TIMES[motion], self.state(motion));
            for (i, x) in x.iter_mut().enumerate() {
                *x *= 1.0 + if i % 2 == 0 { beside } else { -beside };
            }
            let t = t * (1.0 + beside);
            interpreter.jet(t, &x, self.order, &mut jet).unwrap();
            jet
        })
    }

    /// One after the other, in the same memory.
    fn alone(&self, backend: Backend) -> Jets {
        let kernel = TaylorKernel::compile(self.plan, self.order, Lanes::One, backend).unwrap();
        let mut memory = kernel.workspace();
        std::array::from_fn(|motion| {
            let mut jet = vec![0.0; self.length()];
            kernel.set_parameters(&mut memory, 0, &self.parameters(motion));
            let (t, x) = (Self::TIMES[motion], self.state(motion));
            let failed = kernel.jet(&mut memory, &[t], &x, &mut jet);
            assert_eq!(failed, 0, "{}", self.name);
            jet
        })
    }

    /// All at once.
    fn together(&self, backend: Backend) -> Jets {
        let kernel = TaylorKernel::compile(self.plan, self.order, Lanes::Four, backend).unwrap();
        let mut memory = kernel.workspace();
        let mut x = vec![0.0; 4 * self.plan.dimension()];
        for motion in 0..4 {
            for (i, component) in self.state(motion).into_iter().enumerate() {
                x[4 * i + motion] = component;
            }
            kernel.set_parameters(&mut memory, motion, &self.parameters(motion));
        }
        let mut jets = vec![0.0; 4 * self.length()];
        // Twice: nothing may be left over from a run before.
        for _ in 0..2 {
            let failed = kernel.jet(&mut memory, &Self::TIMES, &x, &mut jets);
            assert_eq!(failed, 0, "{}", self.name);
        }
        std::array::from_fn(|motion| jets.iter().skip(motion).step_by(4).copied().collect())
    }

    /// They differ by round-off: relative to the largest coefficient of the order, and by what roundings of the state do
    /// to a coefficient that is what is left of larger ones.
    fn hold_against(&self, found: &[f64], exact: &[f64], noise: &[f64]) {
        let n = self.plan.dimension();
        let orders = found.chunks(n).zip(exact.chunks(n)).enumerate();
        for (order, (found, exact)) in orders {
            let scale = exact.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
            for (i, (f, e)) in found.iter().zip(exact).enumerate() {
                let (name, noise) = (&self.name, noise[order * n + i]);
                assert!(
                    (f - e).abs() < 1e-12 * scale + NOISE * noise,
                    "{name}, order {order}, component {i}: {f} for {e}, beside the state {noise:e} off"
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

/// So long that the code is cut into functions, and the linear system by its rows.
#[test]
fn a_long_chain() {
    let problem = MotionProblem::named("pendulum16").unwrap();
    let start: Vec<f64> = (0..32).map(|i| 0.4 - 0.05 * f64::from(i % 7)).collect();
    for order in [1, 6] {
        compare("chain", &problem.program().unwrap(), &start, &[], order);
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

/// A multiple that only sums ask for is multiplied as it is added.
#[test]
fn multiples_that_are_added() {
    let state: Vec<Symbol> = ["x", "y", "z"].map(Symbol::variable).to_vec();
    let x: Vec<Expr> = state.iter().map(Expr::from).collect();
    let (order, start) = (12, [0.3, -0.7, 0.4]);
    let product = &x[0] * &x[1];
    let program = |last: &Expr| {
        let rates = [
            x[2].sin() + 3 * &product,
            Expr::from(Symbol::time()) - 5 * &x[0].sin() + 3 * &product,
            last.clone(),
        ];
        field(&state, &[], &rates).unwrap()
    };
    let [added, asked] = [product.clone(), 3 * &product].map(|last| program(&last));
    for program in [&added, &asked] {
        compare("multiples", program, &start, &[], order);
    }
    for backend in BACKENDS {
        let instructions = |program| {
            let plan = TaylorPlan::new(program).unwrap();
            let kernel = TaylorKernel::compile(&plan, order, Lanes::One, backend).unwrap();
            kernel.instructions()
        };
        assert!(instructions(&added) < instructions(&asked), "{backend:?}");
    }
}

/// Polynomials beyond the degrees that are told apart: their rates are, or their factors.
#[test]
fn polynomials_of_high_degree() {
    let state: Vec<Symbol> = (0..9).map(|i| Symbol::variable(&format!("x{i}"))).collect();
    let x: Vec<Expr> = state.iter().map(Expr::from).collect();
    let t = Expr::from(Symbol::time());
    // x0 is linear, x1 quadratic, and so on; the last two are products.
    let mut rates = vec![Expr::ratio(1, 2)];
    rates.extend(x[..6].iter().cloned());
    rates.push(&x[3] * &x[4] - &x[2] * &t);
    rates.push(x[4].powi(2) + (&x[3] * &t).sin() / (2 + x[2].powi(2)));
    let start = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.6, -0.1, 0.4];
    for order in [1, 3, 7, 8, 12] {
        let program = field(&state, &[], &rates).unwrap();
        compare("high degree", &program, &start, &[], order);
    }
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

/// One unknown of a system as the factor of four products: the spare lanes of its rows are no copies of it.
#[test]
fn unknowns_are_factors() {
    let names: Vec<String> = (0..4).map(|i| format!("x{i}")).collect();
    let state: Vec<Symbol> = names.iter().map(|name| Symbol::variable(name)).collect();
    let x: Vec<Expr> = state.iter().map(Expr::from).collect();
    for size in 1..10 {
        let unknowns: Vec<Symbol> = (0..size)
            .map(|i| Symbol::variable(&format!("u{i}")))
            .collect();
        let stage = Stage::Linear {
            unknowns: unknowns.clone(),
            matrix: Matrix::new(size, size, |i, j| match i.abs_diff(j) {
                0 => 3 + x[i % 4].powi(2),
                1 => Expr::one(),
                _ => Expr::zero(),
            }),
            rhs: (0..size).map(|i| x[(i + 1) % 4].clone()).collect(),
        };
        for unknown in &unknowns {
            let rates: Vec<Expr> = x.iter().map(|x| x * Expr::from(unknown)).collect();
            let program = field(&state, std::slice::from_ref(&stage), &rates).unwrap();
            compare("factors", &program, &[0.4, 0.3, -0.2, 0.5], &[], 8);
        }
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
    for backend in BACKENDS {
        let kernel = TaylorKernel::compile(&plan, 5, Lanes::Four, backend).unwrap();
        let mut memory = kernel.workspace();
        let mut coefficients = vec![0.0; 4 * 6];
        let x = [1.0, 0.0, 2.0, 4.0];
        let failed = kernel.jet(&mut memory, &[0.0; 4], &x, &mut coefficients);
        assert_eq!(failed, 0b0010);
        // x' = 1/x: x² = x_0² + 2t.
        assert_eq!([4, 6, 7].map(|i| coefficients[i]), [1.0, 0.5, 0.25]);
    }
}

#[test]
fn kernels_are_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let problem = MotionProblem::named("snakeboard").unwrap();
    let plan = TaylorPlan::new(&problem.program().unwrap()).unwrap();
    for backend in BACKENDS {
        let kernel = TaylorKernel::compile(&plan, 9, Lanes::One, backend).unwrap();
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

/// For one motion and for the second of four that rest elsewhere.
fn doubts(program: &Program, t: f64, x: &[f64], h: f64) -> [bool; 2] {
    let plan = TaylorPlan::new(program).unwrap();
    [Lanes::One, Lanes::Four].map(|lanes| {
        let function = TaylorFunction::new(plan.clone(), 12, lanes);
        let (mut memory, width) = (function.memory(), lanes.count());
        let state: Vec<f64> = x.iter().flat_map(|&x| vec![x; width]).collect();
        let mut jet = vec![0.0; 13 * state.len()];
        function
            .jet(&mut memory, &vec![t; width], &state, &mut jet)
            .unwrap();
        let mut steps = vec![1e-9; width];
        steps[width.min(2) - 1] = h;
        let mask = function.doubts(&memory, &jet, &steps);
        assert!(mask == 0 || mask == 1 << (width.min(2) - 1), "{mask}");
        mask != 0
    })
}

#[test]
fn recurrences_tell_how_far_nothing_turns() {
    let [x, y] = ["x", "y"].map(Symbol::variable);
    let (state, e) = ([x.clone(), y], Expr::from(&x));
    let along = |rate: Expr| field(&state, &[], &[Expr::one(), rate]).unwrap();
    // Nearly x², which is never zero.
    let square = e.powi(2) + Expr::from(Rational::new(1, 1_000_000_000_000));
    let pulse = (-(&e * 100).powi(2)).exp();
    // Beside a steady x a field that turns, has a pole, is a pulse, or is a switch at x = 0.
    for (name, rate, near, far) in [
        ("turn", square.sqrt(), 0.4, 1.2),
        ("pole", square.powi(-1), 0.5, 1.2),
        ("double pole", square.powi(-2), 0.5, 1.2),
        // A pulse like an exponential, though it has a pole.
        (
            "high pole",
            (Expr::one() + (&e * 10).powi(2)).powi(-16),
            5e-3,
            0.5,
        ),
        ("power", square.powr(&Rational::new(1, 3)), 0.3, 1.2),
        ("logarithm", square.log(), 0.3, 1.2),
        ("pulse", pulse, 5e-5, 0.5),
        ("switch", (&e * 50).tanh(), 5e-3, 1.2),
    ] {
        let program = along(rate);
        assert_eq!(
            doubts(&program, 0.0, &[-1.0, 0.0], near),
            [false; 2],
            "{name}"
        );
        assert_eq!(
            doubts(&program, 0.0, &[-1.0, 0.0], far),
            [true; 2],
            "{name}"
        );
    }
    // Sines do not turn, however far.
    assert_eq!(doubts(&along(e.sin()), 0.0, &[-1.0, 0.0], 1e3), [false; 2]);
}
