//! Right-hand sides, steps and compilation: `cargo bench --package rattleback-bench --bench motion`.

use divan::{Bencher, black_box};
use rattleback::simulation::{Field, Method};
use rattleback_bench::motion::MotionProblem;
use rattleback_compile::program::Program;
use rattleback_integrate::taylor::Taylor;
use rattleback_integrate::{Dop853, Stepper, Tolerance, VectorField};
use rattleback_native::{Backend, Function, Kernel, Lanes};

const PROBLEMS: [&str; 9] = [
    "pendulum2",
    "pendulum4",
    "pendulum8",
    "sleigh",
    "sleigh_forced",
    "disk",
    "snakeboard",
    "chaplygin_ball",
    "trailers3",
];
const TOLERANCE: f64 = 1e-9;

fn main() {
    divan::main();
}

fn problem(name: &str) -> (MotionProblem, Program) {
    let problem = MotionProblem::named(name).expect("a name from the list");
    let program = problem.program().expect("all inputs are there");
    (problem, program)
}

#[divan::bench(args = PROBLEMS)]
fn rates(bencher: Bencher, name: &str) {
    let (problem, program) = problem(name);
    let function = Function::new(program);
    let mut memory = function.memory();
    let inputs = [&[0.1], &problem.start[..]].concat();
    let mut rates = vec![0.0; problem.state.len()];
    bencher.bench_local(|| function.call(black_box(&inputs), &mut rates, &mut memory));
}

#[divan::bench(args = PROBLEMS)]
fn rates_of_four(bencher: Bencher, name: &str) {
    let (problem, program) = problem(name);
    let kernel = Kernel::compile(&program.optimized(), Lanes::Four, Backend::Best)
        .expect("this machine has machine code");
    let mut scratch = vec![0.0; kernel.scratch_len()];
    let one = [&[0.1], &problem.start[..]].concat();
    let inputs: Vec<f64> = one.iter().flat_map(|&x| [x; 4]).collect();
    let mut rates = vec![0.0; 4 * problem.state.len()];
    bencher.bench_local(|| kernel.run(black_box(&inputs), &mut rates, &mut scratch));
}

/// One step from the start, over and over.
fn step(bencher: Bencher, name: &str, method: Method) {
    let (problem, program) = problem(name);
    let tolerance = Tolerance::both(TOLERANCE);
    let mut field = Field::of_program(program, method, tolerance, &[]);
    let n = field.dimension();
    let mut stepper: Box<dyn Stepper<Field>> = match method {
        Method::TAYLOR => Box::new(Taylor::with_policy(n, field.policy(tolerance))),
        _ => Box::new(Dop853::new(n, tolerance)),
    };
    let mut next = vec![0.0; n];
    bencher.bench_local(|| {
        stepper.restart();
        stepper.step(&mut field, 0.1, black_box(&problem.start), 1e-2, &mut next)
    });
}

#[divan::bench(args = PROBLEMS)]
fn taylor_step(bencher: Bencher, name: &str) {
    step(bencher, name, Method::TAYLOR);
}

#[divan::bench(args = PROBLEMS)]
fn dop853_step(bencher: Bencher, name: &str) {
    step(bencher, name, Method::DOP853);
}

/// From a program to what a method needs.
fn compile(bencher: Bencher, name: &str, method: Method) {
    let (_, program) = problem(name);
    let tolerance = Tolerance::both(TOLERANCE);
    bencher
        .with_inputs(|| program.clone())
        .bench_values(|program| Field::of_program(program, method, tolerance, &[]));
}

#[divan::bench(args = ["snakeboard", "pendulum8", "pendulum16"])]
fn compile_rates(bencher: Bencher, name: &str) {
    compile(bencher, name, Method::DOP853);
}

#[divan::bench(args = ["snakeboard", "pendulum8", "pendulum16"])]
fn compile_series(bencher: Bencher, name: &str) {
    compile(bencher, name, Method::TAYLOR);
}
